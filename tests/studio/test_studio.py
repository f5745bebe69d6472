"""The studio without a browser: who is let in, what its pages ask, and what they are told."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from functools import cache

import pytest
from desk_work import forever, slow, swift
from speed import sampled
from studio_here import PORT, SITE, TOKEN, ask, events, let_in, work
from studio_here import stranger as unknown

from icgsynth.errors import InputError
from icgsynth.export.sentences import move_said
from icgsynth.spec.catalog import catalog_dir
from icgsynth.spec.resolve import load_rules
from icgsynth.spec.solution_file import read_solution
from icgsynth.spec.source import Source
from icgsynth.studio.crew import Crew
from icgsynth.studio.guard import MOST_BYTES
from icgsynth.studio.opening import opening
from icgsynth.studio.pages import PAGES
from icgsynth.studio.tasks.board_views import remainder_table
from icgsynth.studio.tasks.play_tasks import explore, reply_of

HOSTILE = "</script><script>alert(1)</script>"
NIM2 = {"name": "nim2", "rule": "normal"}
CHANGE = """game change
var s, c
legal s >= 0 and c >= 0
action take(k)    pre 1 <= k <= c             eff c := c - k
action change(k)  pre s >= 1 and 0 <= k <= s  eff s := s - 1, c := c + k
"""


@pytest.fixture(scope="module")
def page():
    with let_in() as client:
        yield client


@pytest.fixture
def stranger():
    with unknown() as client:
        yield client


# --- who is let in -----------------------------------------------------------------------------


def test_without_the_token_nothing_is_served(stranger):
    for path in ("/", "/play", "/static/studio.js", "/boards/board.js", "/nowhere"):
        for query in ("", "?token=", "?token=wrong", f"?token={TOKEN}x", "?token=%E2%82%AC"):
            answer = stranger.get(path + query)
            assert answer.status_code == 403 and "token" in answer.text, (path, query)
            assert "set-cookie" not in answer.headers
    assert stranger.post("/play/view", json={"game": NIM2}).status_code == 403


def test_the_token_comes_once_and_is_kept_in_a_cookie_that_no_script_reads(stranger):
    first = stranger.get(f"/?token={TOKEN}")
    cookie = first.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and str(PORT) in cookie
    assert TOKEN not in first.text
    assert stranger.get("/play").status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": f"127.0.0.1:{PORT + 1}"},
        {"host": "127.0.0.1"},
        {"origin": "http://evil.example"},
        {"origin": f"http://127.0.0.1:{PORT + 1}"},
        {"origin": f"https://127.0.0.1:{PORT}"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
    ],
    ids=str,
)
def test_another_host_or_site_is_refused(page, headers):
    for answer in (page.get("/play", headers=headers), page.post("/play/games", headers=headers)):
        assert answer.status_code == 403
        assert "site" in answer.text or "host" in answer.text


def test_a_request_that_changes_something_says_where_it_comes_from(page):
    del page.headers["origin"]
    try:
        assert page.post("/play/games", json={}).status_code == 403
        assert page.get("/play").status_code == 200
    finally:
        page.headers["origin"] = SITE


def test_large_requests_are_refused_whatever_length_they_say(page):
    large = json.dumps({"game": {"text": "#" * MOST_BYTES}}).encode()
    assert page.post("/rules/check", content=large).status_code == 413
    parts = iter([large[:600_000], large[600_000:]])
    assert page.post("/rules/check", content=parts).status_code == 413
    assert page.post("/rules/check", json={"game": {"text": "#" * 900_000}}).status_code == 200
    odd = page.post("/rules/check", content=b"{}", headers={"content-length": "-5"})
    assert odd.status_code == 413


def test_what_is_served_may_load_nothing_from_elsewhere(page):
    for each in PAGES:
        answer = page.get(f"/{each.name}")
        assert answer.status_code == 200 and "text/html" in answer.headers["content-type"]
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'self';") and "unsafe" not in policy
        assert answer.headers["referrer-policy"] == "no-referrer"
        for link in re.findall(r'(?:src|href)="([^"#]*)"', answer.text):
            assert link.startswith("/") and not link.startswith("//")
            assert page.get(link).status_code == 200, link
        assert not re.search(r"<script>|\son\w+=|style=", answer.text)


@pytest.mark.parametrize("path", ["boards/whole_page.py", "static/..%2fapp.py", "static/", "none"])
def test_nothing_else_of_the_package_is_served(page, path):
    assert page.get(f"/{path}").status_code == 404


def test_names_in_a_page_stay_text():
    opened = {"game": {"text": f'game x "{HOSTILE}" var a'}, "answer": {"game": HOSTILE}}
    with unknown(opened) as client:
        text = client.get(f"/?token={TOKEN}").text
    assert "alert(1)" in text and HOSTILE not in text and "<script>alert" not in text
    inside = re.search(r'id="opened">(.*)</script>', text).group(1)
    assert json.loads(inside) == opened


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"[" * 100_000, b'{"a": 1e999}', b"\xff"])
def test_a_body_that_is_no_request_is_a_fault(page, body):
    answer = page.post("/play/view", content=body)
    assert answer.status_code in (200, 400) and answer.json()["fault"]["message"]


@pytest.mark.parametrize("depth", [60, 500, 900, 5_000])
@pytest.mark.parametrize("path", ["/play/view", "/play/worth", "/play/solve", "/rules/check"])
def test_a_request_with_lists_within_lists_is_a_clear_fault(page, path, depth):
    """Fault it sees: what is nested too deeply for pickle is an internal error to be reported."""
    nested = "[" * depth + "]" * depth
    body = f'{{"game": {{"name": "nim2", "text": {nested}}}, "more": "{"x" * 100_000}"}}'
    fault = page.post(path, content=body).json()["fault"]
    assert "lists within lists" in fault["message"]
    assert ask(page, "/play/view", game=NIM2)["over"] is False


@pytest.mark.parametrize(
    "game",
    [
        {},
        {"name": "../README"},
        {"name": "/etc/passwd"},
        {"name": "pyproject"},
        {"name": 7},
        {"name": "nim2", "constants": {"a": "b"}},
        {"text": '#include "/etc/passwd". role(a). legal(a,b) :- true(c).'},
        {"text": 7},
        "nim2",
    ],
    ids=str,
)
def test_no_file_of_this_machine_can_be_named(page, game):
    answer = ask(page, "/play/view", game=game)
    assert answer["fault"]["message"] and "root:" not in json.dumps(answer)


# --- what begins -------------------------------------------------------------------------------


def test_the_studio_opens_a_name_a_file_or_an_answer(tmp_path):
    assert opening("nim2", {}) == {"game": {"name": "nim2"}}
    assert opening("take_away", {"n": 5}) == {"game": {"name": "take_away", "constants": {"n": 5}}}
    rules = "game own var a legal a >= 0 action go pre a > 0 eff a := a - 1"
    (tmp_path / "own.icg").write_text(rules)
    assert opening(str(tmp_path / "own.icg"), {}) == {"game": {"text": rules}}
    answer = {"schema": "icgsynth/solution/2", "rules": rules, "rule": "misere"}
    (tmp_path / "own.json").write_text(json.dumps(answer))
    begun = opening(str(tmp_path / "own.json"), {})
    assert begun == {"game": {"text": rules, "rule": "misere"}, "answer": answer}
    tree = json.dumps({"kind": "tree", "strategy": [], "game": "tictactoe", "player": 2})
    (tmp_path / "own.json").write_text(tree)
    game = {"name": "tictactoe", "rule": "normal"}
    assert opening(str(tmp_path / "own.json"), {}) == {"game": game, "tree": tree, "player": 2}
    for wrong in ('{"kind": "tree", "game": "chess"}', '{"kind": "learned"}', "{"):
        (tmp_path / "own.json").write_text(wrong)
        with pytest.raises(InputError):
            opening(str(tmp_path / "own.json"), {})


def opened_answer(page, **changes):
    """What the page is told of the answer for Nim, changed and given as a file."""
    _, found = events(page, "/play/solve", game=NIM2)
    answer = {**found["answer"], **changes}
    game = {"text": answer["rules"], "rule": "normal"}
    with let_in({"game": game, "answer": answer}) as client:
        said, found = events(client, "/play/solve", game=game, seconds=30)
        assert len(said) == 1 and "again" in said[0]
        return found["told"]


def test_an_answer_that_was_opened_is_proved_again(page):
    told = opened_answer(page)
    assert (told["losing"], told["status"]) == ("a = b", "solved")
    assert re.search("proved +by residue", told["report"])


def test_a_file_that_says_it_is_solved_and_is_wrong_is_refuted(page):
    wrong = {"formula": "a = b + 1"}
    told = opened_answer(page, losing=wrong, winning={"formula": "a != b + 1"})
    assert told["status"] == "refuted" and "refuted" in told["report"]


def started(*arguments):
    command = [sys.executable, "-m", "icgsynth", "studio", "--no-open", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_the_command_prints_one_line_and_ends_on_ctrl_c():
    process = started("nim2")
    try:
        line = process.stdout.readline()
        port = int(re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=[\w-]{40,}\n", line).group(1))
        taken = started("--port", str(port))
        out, err = taken.communicate(timeout=60)
        assert (taken.returncode, out) == (2, "") and f"port {port}" in err
    finally:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, "", "")


def test_ctrl_c_ends_work_that_is_under_way_without_a_word():
    with started() as process:
        try:
            address = process.stdout.readline().strip()
            site, _, token = address.partition("/?token=")
            game = json.dumps({"game": {"name": "chomp_3row"}, "seconds": 300}).encode()
            path = f"{site}/play/solve?token={token}"
            asked = urllib.request.Request(path, game, {"Origin": site})
            with urllib.request.urlopen(asked, timeout=60) as answer:
                next(line for line in answer if line.startswith(b"data:"))
                process.send_signal(signal.SIGINT)
                assert b"cancelled" in answer.read()
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, out, err) == (0, "", "")


def test_without_the_extra_the_command_says_what_to_install():
    code = (
        "import sys; sys.modules['starlette'] = None; "
        "from icgsynth.cli import main; main(['studio', 'nim2'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "[studio]'" in done.stderr


# --- games of numbers --------------------------------------------------------------------------


def test_a_game_is_shown_and_a_move_is_made(page):
    shown = ask(page, "/play/view", game=NIM2, state="7,4")
    assert shown["view"]["board"] == {"kind": "piles", "names": ["a", "b"], "counts": ["7", "4"]}
    assert len(shown["view"]["moves"]) == 11
    after = ask(page, "/play/move", game=NIM2, state="7,4", move="take_a 3")
    assert (after["state"], after["made"], after["over"]) == ("4,4", "take_a(3)", False)
    wrong = ask(page, "/play/move", game=NIM2, state="7,4", move="take_a(9)")
    assert "1 <= k <= a" in wrong["fault"]["message"]


def test_solving_tells_how_far_it_is_and_is_done_once(page):
    game = {"name": "subtraction_134", "rule": "normal"}
    said, found = events(page, "/play/solve", game=game, seconds=30)
    assert said and found["answer"]["losing"]["formula"] == "v mod 7 in {0, 2}"
    assert events(page, "/play/solve", game=game, seconds=60) == ([], found)


def test_a_game_without_an_answer_says_so_and_can_be_played(page):
    game = {"name": "chomp_3row", "rule": "normal"}
    _, found = events(page, "/play/solve", game=game, seconds=1)
    assert found["answer"] is None and found["passing"]
    told = found["told"]
    assert (told["status"], told["losing"], told["rules"]) == ("unknown", None, [])
    worth = ask(page, "/play/worth", game=game, state="2,1,0")
    assert worth["value"] == "loss" and worth["fired"] is None  # Chomp: lost as 2 and 1
    strategy = {"kind": "strategy"}
    answer = ask(page, "/play/reply", game=game, state="3,1,0", player=strategy)
    assert "no strategy" in answer["fault"]["message"]


@pytest.mark.slow
@sampled(
    ("name", "pile"),
    [("chomp_2row", 100), ("wythoff", 500), ("chomp_2row", 500), ("wythoff", 100)],
    2,
    pytest.mark.nightly,
)
def test_the_machine_plays_in_large_states_of_which_little_is_known(page, name, pile):
    """Fault it sees: lengths of play are compared of which one is not known."""
    game = {"name": name, "rule": "normal"}
    for kind in ("perfect", "depth"):
        player = {"kind": kind, "depth": 2}
        told = ask(page, "/play/reply", game=game, state=f"{pile},{pile}", player=player)
        assert told["move"] and told["reason"]
    assert len(ask(page, "/play/worth", game=game, state=f"{pile},{pile}")["moves"]) > 20


def test_many_variables_are_no_obstacle(page):
    names = [f"x{i}" for i in range(9)]
    legal = " and ".join(f"{name} >= 0" for name in names)
    acts = "".join(f" action t{n}(k) pre 1 <= k <= {n} eff {n} := {n} - k" for n in names)
    game = {"text": f"game many var {', '.join(names)} legal {legal}{acts}", "rule": "normal"}
    shown = ask(page, "/play/view", game=game)
    assert len(shown["view"]["board"]["counts"]) == 9
    assert work(page, "/rules/table", game=game)["counts"]["winning"] > 200


@cache
def fate(a, b, misere):
    """Whether the player to move wins Nim at a, b, and the plies: by the definition alone."""
    after = [(c, b) for c in range(a)] + [(a, c) for c in range(b)]
    if not after:
        return misere, 0
    fates = [fate(*state, misere) for state in after]
    quick = [plies for wins, plies in fates if not wins]
    return (True, 1 + min(quick)) if quick else (False, 1 + max(p for _, p in fates))


@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_moves_are_worth_what_the_definition_says(page, rule):
    game = {"name": "nim2", "rule": rule}
    for a, b in ((5, 3), (2, 2), (1, 0), (4, 4)):
        found = ask(page, "/play/worth", game=game, state=f"{a},{b}")["moves"]
        for k in range(1, a + 1):
            wins, plies = fate(a - k, b, rule == "misere")
            said = found[f"take_a({k})"]
            assert (said["value"], said["distance"]) == ("loss" if wins else "win", plies + 1)


def test_an_answer_adds_values_far_away_and_the_rule_that_fires(page):
    _, result = events(page, "/play/solve", game=NIM2, seconds=20)
    assert result["answer"]["status"] == "solved"
    told = result["told"]
    assert (told["losing"], told["status"]) == ("a = b", "solved")
    assert told["rules"] == ["take_a(a - b)", "take_b(b - a)"]
    found = ask(page, "/play/worth", game=NIM2, state=f"{10**30},{10**30 - 7}")
    assert found["fired"]["number"] == 1 and found["fired"]["move"] == "take_a(7)"
    assert found["moves"]["take_a(7)"]["value"] == "win" and found["value"] == "win"
    assert found["moves"]["take_a(1)"]["value"] == "loss"
    lost = ask(page, "/play/worth", game=NIM2, state="6,6")
    assert lost["fired"] is None and lost["value"] == "loss"


@pytest.mark.parametrize("kind", ["strategy", "perfect", "depth", "random"])
def test_players_reply_and_say_why(page, kind):
    events(page, "/play/solve", game=NIM2)
    player = {"kind": kind, "depth": 1}
    found = ask(page, "/play/reply", game=NIM2, state="9,4", player=player, seed=3)
    after = ask(page, "/play/move", game=NIM2, state="9,4", move=found["move"])
    assert found["reason"]
    if kind in ("strategy", "perfect"):
        assert after["state"] == "4,4"
    over = ask(page, "/play/reply", game=NIM2, state="0,0", player=player)
    assert over["fault"]["message"]


def test_the_losing_states_of_a_lattice_are_shaded(page):
    events(page, "/play/solve", game=NIM2)
    shown = ask(page, "/play/view", game=NIM2, state="5,3", kind="lattice", shade=True)
    board = shown["view"]["board"]
    assert board["losing"] == [[str(n), str(n)] for n in range(board["size"] + 1)]
    assert {"to": ["3", "3"]} in [m["spot"] for m in shown["view"]["moves"]]
    far = ask(page, "/play/view", game=NIM2, state="1000,990", kind="lattice", shade=True)
    low = [int(n) for n in far["view"]["board"]["from"]]
    assert all(low[i] <= int(n) <= low[i] + 60 for i, n in enumerate(("1000", "990")))
    assert far["view"]["board"]["losing"] == [["990", "990"]] or all(
        a == b for a, b in far["view"]["board"]["losing"]
    )


def test_chomp_is_squares_and_each_move_a_square(page):
    chomp = {"name": "chomp_2row", "rule": "normal"}
    shown = ask(page, "/play/view", game=chomp, state="4,2")["view"]
    assert shown["board"] == {"kind": "squares", "rows": ["4", "2"]}
    spots = {m["move"]: m["spot"] for m in shown["moves"]}
    # eat1(2) leaves one square of both rows: it bites the second square of the first row.
    assert spots["eat1(2)"] == {"row": 0, "column": 1}
    assert spots["eat2(1)"] == {"row": 1, "column": 0}
    assert len(spots) == 5


# --- finite games ------------------------------------------------------------------------------


def test_a_grid_lines_between_points_and_piles(page):
    def view(name, **more):
        return ask(page, "/play/view", game={"name": name, "rule": "normal"}, **more)["view"]

    grid = view("tictactoe", state="control(o) cell(1,3,x)")
    assert grid["board"]["cells"] == [{"at": [0, 2], "mark": "x"}] and grid["turn"] == "o"
    assert {m["move"]: m["spot"] for m in grid["moves"]}["mark(3,1)"] == {"cell": [2, 0]}
    sim = view("sim")
    assert (len(sim["board"]["nodes"]), len(sim["board"]["edges"])) == (6, 15)
    assert {m["move"]: m["spot"] for m in sim["moves"]}["colour(2,5)"] == {"ends": ["2", "5"]}
    piles = view("nim")
    assert piles["board"]["counts"] == ["1", "5", "4", "2"]
    spots = [m.get("spot") for m in piles["moves"]]
    assert {"pile": 1, "leaves": "0"} in spots and None not in spots


def test_men_fall_to_the_lowest_row(page):
    game = {"name": "connect3", "rule": "normal"}
    shown = ask(page, "/play/view", game=game)
    assert shown["view"]["board"]["drops"]
    assert [m["spot"] for m in shown["view"]["moves"]] == [{"column": c} for c in range(4)]
    after = ask(page, "/play/move", game=game, state=shown["state"], move="drop(2)")
    assert after["view"]["board"]["cells"] == [{"at": [3, 1], "mark": "red"}]


def test_a_line_that_won_is_marked(page):
    facts = "cell(1,1,x) cell(2,2,x) cell(3,3,x) cell(1,2,o) cell(1,3,o) control(o)"
    game = {"name": "tictactoe", "rule": "normal"}
    found = ask(page, "/play/view", game=game, state=facts)
    assert (found["over"], found["winner"]) == (True, 0)
    assert found["view"]["ended"] == "x has won."
    assert sorted(found["view"]["board"]["line"]) == [[0, 0], [1, 1], [2, 2]]


@pytest.mark.slow
def test_tic_tac_toe_is_known_whole_and_played_by_a_short_strategy(page):
    game = {"name": "tictactoe", "rule": "normal"}
    start = ask(page, "/play/view", game=game)["state"]
    blind = ask(page, "/play/worth", game=game, state=start)
    assert {m["value"] for m in blind["moves"].values()} == {None}
    _, found = events(page, "/play/explore", game=game, seconds=300)
    assert "5,478 states" in found["text"]
    opened = ask(page, "/play/worth", game=game, state=start)
    assert opened["value"] == "draw" and len(opened["moves"]) == 9
    won = "cell(1,1,x) cell(1,2,x) cell(2,1,o) cell(3,3,o) control(x)"
    worth = ask(page, "/play/worth", game=game, state=won)
    assert worth["moves"]["mark(1,3)"]["value"] == "win"
    assert worth["moves"]["mark(1,3)"]["distance"] == 1
    reply = {"game": game, "state": won, "player": {"kind": "perfect"}}
    assert ask(page, "/play/reply", **reply)["move"] == "mark(1,3)"
    _, found = events(page, "/play/tree", game=game, role="x", seconds=6)
    # Turned so that another image than the rule itself fires: the corner's neighbours are alike.
    fired = []
    for state in (
        start,
        "cell(2,2,x) cell(3,1,o) control(x)",
        "cell(2,2,x) cell(1,3,o) control(x)",
    ):
        answer = ask(page, "/play/worth", game=game, state=state, tree=found["tree"])
        fired.append(answer["fired"])
        assert answer["moves"][answer["fired"]["move"]]["value"] in ("draw", "win")
    rules = ask(page, "/play/rules-of-tree", game=game, tree=found["tree"])["rules"]
    assert rules == found["tree"].splitlines()
    assert ask(page, "/play/rules-of-tree", game=game, tree="mark(9,9)")["fault"]["line"] == 1
    assert any(f["image"] for f in fired)
    assert all(f["image"] is None or f["image"].endswith(f["move"]) for f in fired)


# --- rules -------------------------------------------------------------------------------------

WHOLE = "game g var a legal a >= 0 action take(k) pre {} eff a := a - k"


def check(page, text):
    return work(page, "/rules/check", game={"text": text, "rule": "normal"})


def test_rules_are_checked_and_the_move_that_shows_a_fault_is_named(page):
    good = check(page, WHOLE.format("1 <= k <= a"))
    assert [p["verdict"] for p in good["parts"]] == ["proved"] * 3
    cycle = {p["part"]: p for p in check(page, WHOLE.format("k <= a and k >= 0"))["parts"]}
    assert (
        cycle["termination"]["verdict"] == "refuted" and "take(0)" in cycle["termination"]["text"]
    )
    assert cycle["termination"]["add"] == [{"action": "take", "condition": "1 <= k"}]
    leaves = {p["part"]: p for p in check(page, WHOLE.format("1 <= k <= 2"))["parts"]}
    assert re.search(r"take\(1\).* 0 .*-1", leaves["closure"]["text"])
    assert leaves["closure"]["add"] == [{"action": "take", "condition": "k <= a"}]
    assert leaves["closure"]["state"] == "0"


def test_faults_have_their_place_and_a_mend(page):
    fault = check(page, "game g\nvar a\naction go pre a > 0 eff b := 1")["fault"]
    assert (fault["line"], fault["column"]) == (3, 25) and "b" in fault["message"]
    assert "declare it first" in fault["mend"] and "^" in fault["excerpt"]
    both = check(page, "game g\nvar a\nlegal c > 0\naction go pre b > 0 eff a := 1")["fault"]
    assert (both["line"], [each["line"] for each in both["others"]]) == (3, [4])
    missing = check(page, "(role a) (role b) (init (p 1)")["fault"]
    assert missing["line"] == 1 and missing["message"]


@pytest.mark.parametrize(
    "text",
    [
        "game g var a legal " + "(" * 50_000,
        "game g var a legal a = " + "9" * 100_000,
        "game " + "x" * 500_000,
        "\ud800 \x00 \x1b[31m",
        "(" * 100_000,
        "game g heaps n splits",
    ],
    ids=["nested", "digits", "name", "signs", "brackets", "heaps"],
)
def test_hostile_rules_are_a_fault_and_nothing_breaks(page, text):
    fault = check(page, text)["fault"]
    assert fault["message"] and len(fault["message"]) < 2_000
    assert "internal error" not in fault["message"] and "\x1b" not in json.dumps(fault)
    assert check(page, WHOLE.format("1 <= k <= a"))["name"] == "g"


def test_heaps_have_no_board_and_are_answered(page):
    text = (
        "heaps kayles var n legal n >= 0 "
        "action hit(k, i) pre 1 <= k <= 2 and 0 <= i <= n - k into i, n - k - i"
    )
    assert check(page, text)["other"]
    told = work(page, "/rules/answer", game={"text": text, "rule": "normal"})
    assert told["verdict"] == "proved"
    assert re.search(r"<t[dh]>period</t[dh]>\s*<td>12</td>", told["html"])  # Guy and Smith 1956


def test_the_small_states_are_counted_as_they_are(page):
    found = work(page, "/rules/table", game={"name": "nim2", "rule": "misere"})
    wins = [fate(a, b, True)[0] for a in range(21) for b in range(21)]
    assert found["counts"]["winning"] == sum(wins) and found["counts"]["unknown"] == 0


def test_small_states_are_filled_from_an_answer_that_is_proved(page):
    """Faults it sees: a table with "unknown" beside a proof; a table that believes too much.

    A move of this game may leave the box, so that the box alone does not tell who wins.
    """
    game = {"text": CHANGE, "rule": "normal"}
    before = work(page, "/rules/table", game=game)
    assert before["counts"]["unknown"] > 0 and "proved" not in before["svg"]
    assert work(page, "/play/solve", game=game)["told"]["losing"] == "s = c"
    after = work(page, "/rules/table", game=game)
    assert after["counts"] == {"losing": 21, "winning": 21**2 - 21, "unknown": 0}
    assert "by the proved answer" in after["svg"]


def test_a_sentence_says_nothing_of_what_a_move_leaves_as_it_is(page):
    """``eat1(b + 2)`` makes a = b + 1, and b = min(b, b + 1), which b is."""
    told = work(page, "/play/solve", game={"name": "chomp_2row", "rule": "normal"})["told"]
    assert told["words"] == ["Make a = b + 1.", "Make b = a - 1."]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ((9, 2), (5, 2), "take 4 from a: a = 5"),
        ((9, 4), (5, 0), "take 4 from a and 4 from b: a = 5, b = 0"),
        ((1, 2), (0, 5), "take 1 from a and add 3 to b: a = 0, b = 5"),
        ((-1, 10**30), (1, 10**30 + 7), "add 2 to a and 7 to b: a = 1, b = " + str(10**30 + 7)),
        ((3, 3), (3, 3), "nothing changes"),
    ],
)
def test_a_move_is_said_by_what_it_does_and_leaves(before, after, said):
    game = load_rules(
        Source("g", "game g var a, b legal true action m(k) pre true eff a := a + k"), {}
    )
    assert move_said(game, before, after) == said


@pytest.mark.parametrize(
    ("losing", "period", "names"),
    [
        ("v mod 4 = 0", 4, ["v"]),
        ("(v + 2 * w) mod 3 = 1 or v mod 2 = 0 and w mod 2 = 0", 6, ["v", "w"]),
        ("v = 3 or v mod 4 = 0", None, []),
        ("(v + min(v, w)) mod 2 = 0", None, []),
        ("max(v, w) mod 2 = 0", None, []),
        ("v mod 100 = 0", None, []),
    ],
)
def test_remainders_make_a_table_only_where_nothing_else_counts(losing, period, names):
    """Each cell is looked up far away, where its remainders come again."""
    game = load_rules(
        Source("g", "game g var v, w legal v >= 0 and w >= 0 action a pre v > 0 eff v := v - 1"), {}
    )
    written = {"rule": "normal", "losing": {"formula": losing}}
    answer = read_solution(Source("x", json.dumps(written)), game)
    found = remainder_table(answer)
    if period is None:
        assert found is None
        return
    assert (found["modulus"], found["names"]) == (period, names)
    for row, cells in enumerate(found["rows"]):
        for column, loses in enumerate(cells):
            far = {"v": (row if len(names) > 1 else column) + 5 * period, "w": column + 7 * period}
            assert loses == (not answer.is_winning((far["v"], far["w"])))


def test_the_text_of_a_catalog_game_can_be_edited(page):
    text = ask(page, "/rules/text", game={"name": "nim2"})["text"]
    assert text == (catalog_dir() / "nim2.icg").read_text("utf-8")
    kif = ask(page, "/rules/text", game={"name": "tictactoe"})["text"]
    assert check(page, kif)["finite"]


# --- long work ---------------------------------------------------------------------------------


def result_of(heard):
    while "result" not in (message := heard.get(timeout=60)):
        pass
    return message["result"]


def test_long_work_is_one_at_a_time_and_can_be_cancelled():
    """Faults it sees: work that waits is refused, or goes on though its page has let it go."""
    crew = Crew()
    try:
        work = crew.begin(forever, {}, 300)
        dropped, waiting = crew.begin(forever, {"dropped": 1}, 300), crew.begin(slow, {}, 5)
        while waiting.get(timeout=60) != {"progress": "waiting for other work"}:
            pass
        crew.cancel(dropped)
        crew.cancel(work)
        assert result_of(work)["fault"]["message"] == "the work was cancelled"
        assert result_of(dropped)["fault"]["message"] == "the work was cancelled"
        assert result_of(waiting) == {"seconds": 5}
        assert crew.recall(slow, {})["seconds"] == 5
        crew.cancel(work)  # long over: nothing else is ended
        assert result_of(crew.begin(swift, {"passing": True}, 6))["seconds"] == 6
        assert crew.recall(swift, {"passing": True})["seconds"] == 6
        assert result_of(crew.begin(swift, {"passing": True}, 7))["seconds"] == 7  # done again
        assert "budget" in result_of(crew.begin(forever, {"again": 1}, 0.1))["fault"]["message"]
    finally:
        crew.close()


def test_short_work_does_not_wait_for_long_work():
    """Faults it sees: a page waits for another one; what is tried in short is the whole."""
    crew = Crew()
    try:
        work = crew.begin(forever, {}, 300)
        while not crew._desks["long"].is_busy:
            time.sleep(0.01)
        assert result_of(crew.begin(swift, {}, 50))["seconds"] < 50
        assert crew.recall(swift, {}) is not None
        unfinished = crew.begin(swift, {"passing": True}, 50)  # such as an answer without a proof
        crew.cancel(work)
        assert result_of(unfinished)["seconds"] == 50
    finally:
        crew.close()


def test_moves_are_answered_while_long_work_goes_on_and_after_its_cancel():
    """Faults it sees: moves are asked of the process for long work, which forgets its games."""
    crew, game = Crew(), {"game": {"name": "tictactoe"}}
    ask = {**game, "state": "", "player": {"kind": "perfect"}}
    try:
        assert "5,478 states" in result_of(crew.begin(explore, game, 60))["text"]
        work = crew.begin(forever, {}, 300)
        assert crew.ask(reply_of, ask, 60, "moves")["reason"] == "it keeps the draw"
        crew.cancel(work)
        assert result_of(work)["fault"]
        assert crew.ask(reply_of, ask, 60, "moves")["reason"] == "it keeps the draw"
        # Who works for long has it too, and follows it only once.
        assert "5,478 states" in result_of(crew.begin(explore, game, 1e-3))["text"]
    finally:
        crew.close()


def test_a_check_that_an_edit_outdated_ends_and_holds_nothing_up():
    """Fault it sees: a check goes on to its end, and all that is asked meanwhile waits for it."""
    crew = Crew()
    try:
        outdated = [crew.begin(forever, {"text": n}, 300, desk="checks") for n in range(3)]
        newest = crew.begin(swift, {}, 5, desk="checks")
        assert crew.ask(swift, {"seconds": 1}) == {"seconds": 1, "passing": False}
        for check in outdated:
            crew.cancel(check)
        assert result_of(newest)["seconds"] == 5
        assert crew.recall(swift, {}) is None  # what is edited is not worth remembering
    finally:
        crew.close()


def test_a_crew_that_is_closed_ends_what_waits_too():
    """Fault it sees: a process that was ended is replaced while the studio ends."""
    crew = Crew()
    work, waiting = crew.begin(forever, {}, 300), crew.begin(forever, {"later": 1}, 300)
    crew.close()
    for each in (work, waiting):
        assert result_of(each)["fault"]["message"] == "the work was cancelled"
