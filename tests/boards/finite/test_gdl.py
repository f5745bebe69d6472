"""Game descriptions: what the reader takes and refuses, with places."""

import importlib.util
import random
from pathlib import Path

import pytest

pytest.importorskip("clingo")
pytest.importorskip("numba")
pytest.importorskip("pynauty")

from finite_arenas import arena_of_rules

from experiments.judge.gdl import SlowGame, show
from icgsynth.boards.finite.arena import arena_of_board
from icgsynth.boards.finite.board import board_of
from icgsynth.boards.finite.datalog import (
    Comparison,
    DatalogAtom,
    DatalogLiteral,
    DatalogRule,
    Variable,
)
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.finite.grounder import ground
from icgsynth.boards.rules.gdl import parse_gdl
from icgsynth.errors import IcgError, IllegalMove, InputError, Refused
from icgsynth.game.game import Move
from icgsynth.process.compiled import announce, compiled
from icgsynth.spec.catalog import catalog_dir, finite_names, resolve
from icgsynth.spec.resolve import load_spec
from icgsynth.spec.source import Source

GAMES = sorted((Path(__file__).parents[3] / "specs" / "gdl").glob("*.kif"))
REST = """
(role a) (role b) (init (turn a)) (init (left 2))
(<= (legal ?p take) (true (turn ?p))) (<= (legal ?p wait) (true (turn ?p)))
(<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
(<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
(<= (next (left 1)) (true (left 2)) (does ?p take))
(<= (next (left 0)) (true (left 1)) (does ?p take))
(<= (next (left ?n)) (true (left ?n)) (does ?p wait))
(<= terminal (true (left 0)))
(<= (goal ?p 0) (true (turn ?p))) (<= (goal ?p 100) (role ?p) (not (true (turn ?p))))
"""


def rules(text):
    return parse_gdl(Source("g.kif", text))


def board(text):
    return board_of(ground(rules(text)))


# --- reading -----------------------------------------------------------------------------


def test_or_and_not_are_split():
    head = DatalogAtom("p", (Variable("x"),))
    q, r = (DatalogLiteral(DatalogAtom(n, (Variable("x"),))) for n in "qr")
    found = rules(REST + "(<= (P ?X) (or (q ?x) (and (R ?x) (not (distinct ?x (f A))))))").rules
    assert found[-2:] == (
        DatalogRule(head, (q,)),
        DatalogRule(head, (r, Comparison(Variable("x"), ("f", "a"), equal=True))),
    )
    found = rules(REST + "(<= p (not (or q (not r))))").rules
    assert found[-1] == DatalogRule(
        DatalogAtom("p"),
        (DatalogLiteral(DatalogAtom("q"), False), DatalogLiteral(DatalogAtom("r"))),
    )
    assert len(rules(REST + "(<= p (not (and q r)))").rules) == len(rules(REST).rules) + 2


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ("(role a", "'(' is never closed", 1, 1),
        ("(role a))", "unmatched ')'", 1, 9),
        ("(role a b)", "role takes 1 argument, not 2", 1, 1),
        ("\n(<= (next x) (does a))", "does takes 2 arguments, not 1", 2, 14),
        ("(<= terminal (distinct ?x))", "distinct takes 2 arguments, not 1", 1, 14),
        ("(<= terminal (not a b))", "not takes 1 argument, not 2", 1, 14),
        ("(<= (true x) y)", "'true' cannot be the head", 1, 5),
        ("(<= (or p q) y)", "'or' cannot be the head", 1, 5),
        ("(<=)", "a rule without a head", 1, 1),
        ("(<= ?x y)", "not the variable '?x'", 1, 5),
        ("(<= p (?x y))", "not the variable '?x'", 1, 8),
        ("(<= p ())", "not an empty list", 1, 7),
        ("(<= p ((q) r))", "a list that starts with a list", 1, 7),
        ("(<= p (q ?))", "a variable without a name", 1, 10),
        ("(<= p (q (?f x)))", "expected a term", 1, 10),
        ("(<= p (q (not x)))", "'not' cannot stand inside a term", 1, 10),
        ("(<= p (<= q r))", "a rule inside a rule", 1, 7),
        ("(role a)", "no rule says (legal ...)", 1, 1),
        ("(role a)\n(legal a b)", "goal ...) or terminal: this is the last rule", 2, 1),
        ("(rol a)\n(role b)", "no rule reads rol: did you mean role?", 1, 1),
        ("(<= (legal ?p m) (role ?p) (or))", "'or' without conditions never holds", 1, 28),
        ("(foo not bar)", "'not' cannot stand inside a term", 1, 6),
        ("(distinct foo bar)", "'distinct' cannot be the head", 1, 1),
        ("role(x)\nlegal(x,m) :- true(a) & ~role(X)", "infix", 1, 1),
        (";;;", "there is no rule", 1, 1),
        ("", "there is no rule", 1, 1),
        ("(role a\x01)", "unexpected character", 1, 8),
    ],
)
def test_bad_texts_say_where(text, message, line, column):
    with pytest.raises(InputError) as caught:
        rules(text)
    assert message in str(caught.value)
    assert caught.value.span is not None
    assert (caught.value.span.line, caught.value.span.column) == (line, column)
    assert caught.value.mend


@pytest.mark.parametrize(
    ("keyword", "misspelt", "said"),
    [
        ("(legal ?p noop)", "(legl ?p noop)", "b has no legal move"),
        ("(<= (goal ?p 0)", "(<= (gaol ?p 0)", "has no goal in an end"),
    ],
)
def test_an_error_that_a_misspelt_keyword_explains_names_it(keyword, misspelt, said):
    """One rule of several is misspelt, and so a move or a goal is missing."""
    wrong, meant = (text.strip("(<= ").split()[0] for text in (misspelt, keyword))
    with pytest.raises(Refused, match=said) as caught:
        arena_of_rules(rules(REST.replace(keyword, misspelt)))
    assert f"no rule reads {wrong}: did you mean {meant}?" in str(caught.value)


def test_too_many_disjuncts():
    clause = "(or " + " ".join(f"p{i}" for i in range(40)) + ")"
    with pytest.raises(InputError, match="after 'or' is split"):
        rules(f"(<= terminal {clause} {clause} {clause} {clause})")


@pytest.mark.parametrize(
    ("extra", "line", "words"),
    [
        ("(<= p (q 1 2))", 11, "no rule derives q/2: it never holds"),
        ("(<= p (turn a))", 11, "turn/1: it never holds; a fact is asked for by (true (turn ..))"),
        ("\n(<= (next (left ?n 1)) (true (left ?n)))", 12, "left has 2 arguments here, and 1 in"),
        ("(<= p (true (turn (turn a b))))", 11, "turn has 2 arguments here, and 1 in line 2"),
        ("(<= p (true (trun a)))", 11, "makes trun/1: it never holds; did you mean turn?"),
        ("(<= p (does a (leap 3)))", 11, "no rule for legal makes leap/1: it never holds"),
        ("(<= (nxt (turn a)) (true (turn a)))", 11, "no rule reads nxt: did you mean next?"),
    ],
)
def test_slips_that_are_rules_are_warned_of_at_their_line(extra, line, words):
    """Sees names counted by their last number of arguments, or only where they stand outermost,
    facts and moves that no rule makes, and keywords that are misspelt in one rule of several.
    """
    (found,) = rules(REST + extra).warnings
    assert found.startswith(f"line {line}: ") and words in found


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_on_any_machine(end):
    """A comment ends with its line, also in a file of an old Macintosh."""
    text = f"; the rules\n{REST}".replace("\n", end).encode()
    assert parse_gdl(Source.decode("g.kif", text)).rules == rules(REST).rules


# --- what is refused -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ("(role c)", "3 players (a, b, c)"),
        ("(<= (legal ?p take) (role ?p))(<= (legal ?p wait) (role ?p))", "simultaneous moves"),
        ("(<= (goal a 50) terminal)", "a has two goals in an end, 0 and 50: left(0)"),
        ("(<= (next (s ?x)) (true ?x))", "ground rules"),
    ],
)
def test_what_is_refused(extra, message):
    with pytest.raises(Refused, match=message.replace("(", r"\(").replace(")", r"\)")):
        arena_of_board(board_of(ground(rules(REST + extra), max_rules=20_000)))


def test_not_zero_sum():
    text = REST.replace("(goal ?p 100) (role ?p)", "(goal ?p 100) (true (turn a)) (role ?p)")
    text += "(<= (goal a 30) (true (turn b)))"
    with pytest.raises(Refused, match="not zero-sum: one end is worth"):
        arena_of_rules(rules(text))


def test_missing_goal_and_missing_move_carry_the_state():
    with pytest.raises(Refused, match=r"no goal in an end: left\(0\)"):
        arena_of_rules(rules(REST.replace("(goal ?p 0) (true", "(goal ?p 0) (untrue")))
    with pytest.raises(Refused, match=r"b has no legal move in a state before the end: left\(2\)"):
        arena_of_rules(rules(REST.replace("(legal ?p noop) (role ?p)", "(legal a noop) (role ?p)")))


def test_limits_name_the_count_reached():
    with pytest.raises(Refused, match=r"more than 3 rules .it reached 4"):
        ground(rules(REST), max_rules=3)
    with pytest.raises(Refused, match=r"limit of 4 .exploration reached 5 states and"):
        arena_of_board(board(REST), max_states=4)
    with pytest.raises(Refused, match=r"the time is over; exploration reached \d+ states"):
        arena_of_board(board(REST), seconds=0)
    grows = "(<= (next (s ?x)) (true ?x))"
    with pytest.raises(Refused, match=r"grounding took more than 0.5 s; it reached \d"):
        ground(rules(REST + grows), max_rules=10**9, seconds=0.5)


# --- meaning -------------------------------------------------------------------------------


def test_loops_are_draws():
    arena = arena_of_rules(rules(REST))
    assert arena.roles == ("a", "b")
    assert int(arena.value[0]) == 0  # both can wait for ever
    assert int(arena.distance[0]) == -1
    ended = arena.mover < 0
    assert (arena.distance[ended] == 0).all()


def test_positive_recursion_is_a_fixpoint():
    # Points reachable through facts: an evaluation in a fixed order would miss some.
    text = """
    (role r) (init (edge 3 4)) (init (edge 2 3)) (init (edge 1 2)) (init (edge 4 1))
    (<= (base (edge ?x ?y)) (n ?x) (n ?y)) (n 1) (n 2) (n 3) (n 4)
    (<= (reach ?x ?y) (true (edge ?x ?y)))
    (<= (reach ?x ?z) (reach ?x ?y) (true (edge ?y ?z)))
    (<= (legal r (cut ?x ?y)) (true (edge ?x ?y)))
    (<= (next (edge ?x ?y)) (true (edge ?x ?y)) (not (does r (cut ?x ?y))))
    (<= terminal (not (reach 1 1)))
    (goal r 100)
    """
    found = board(text)
    assert found.circuit.state.segments[:, 2].any()
    arena = arena_of_board(found)
    assert len(arena.literal_images) == 1  # point 1 is named
    assert (len(arena.states), int((arena.mover >= 0).sum())) == (5, 1)


@pytest.mark.parametrize("path", GAMES, ids=lambda p: p.stem)
def test_the_slow_evaluator_agrees(path):
    slow = SlowGame(path.read_text())
    game = FiniteGame(board_of(ground(parse_gdl(Source.read(path)))))
    assert list(game.roles) == slow.roles
    rng = random.Random(path.stem)
    for _ in range(2):
        here, state = slow.initial, game.initial
        for _ in range(12):
            assert set(map(show, here)) == set(game.facts(state))
            assert game.state_of(map(show, here)) == state
            ended, legal, goals = slow.look(here)
            assert (game.mover(state) < 0) == ended
            if ended:
                assert game.goals(state) == tuple(goals[r] for r in slow.roles)
                assert not list(game.moves(state))
                break
            turn = game.mover(state)
            mine = legal[slow.roles[turn]]
            assert sorted(map(show, mine)) == sorted(m.action for m in game.moves(state))
            move = rng.choice(mine)
            (idle,) = legal[slow.roles[1 - turn]]
            here = slow.after(here, {slow.roles[turn]: move, slow.roles[1 - turn]: idle})
            state = game.result(state, Move(show(move)))


def test_a_game_to_play():
    path = next(p for p in GAMES if p.stem == "tictactoe")
    game = FiniteGame(board_of(ground(parse_gdl(Source.read(path)))))
    assert game.is_legal(game.initial)
    assert not game.is_legal((1 << 60,))
    assert not game.is_legal(())
    assert game.applies(game.initial, Move("mark(2,2)"))
    assert not game.applies(game.initial, Move("noop"))
    after = game.result(game.initial, Move("mark(2,2)"))
    assert game.show(after) == "cell(2,2,x) control(o)"
    with pytest.raises(IllegalMove, match=r"mark\(2,2\) does not apply in cell"):
        game.result(after, Move("mark(2,2)"))
    with pytest.raises(InputError, match="no fact cell"):
        game.state_of(["cell(9,9,x)"])


def _mutated(text, rng):
    kind = rng.randrange(6)
    at = rng.randrange(len(text))
    if kind == 0:
        return text[:at] + text[at + rng.randrange(1, 30) :]
    if kind == 1:
        return text[:at] + rng.choice('()?;<="\\,§\x00 ') + text[at:]
    words = text.split(" ")
    i, j = rng.randrange(len(words)), rng.randrange(len(words))
    if kind == 2:
        words[i], words[j] = words[j], words[i]
    elif kind == 3:
        words[i] = rng.choice(["?x", "(not", "(or", "distinct", "(true", "does", "role", '"', "1,"])
    elif kind == 4:
        del words[i : i + rng.randrange(1, 4)]
    else:
        words[i:i] = words[j : j + rng.randrange(1, 5)]
    return " ".join(words)


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(p, marks=pytest.mark.slow) if p.stem == "sim_first_triangle_wins" else p
        for p in GAMES
    ],
    ids=lambda p: p.stem,
)
def test_mutated_files_never_end_in_a_traceback(path):
    rng = random.Random(path.stem)
    text = path.read_text()
    read = 0
    for _ in range(150):
        changed = text
        for _ in range(rng.randrange(1, 4)):
            changed = _mutated(changed, rng)
        try:
            book = parse_gdl(Source("m.kif", changed))
        except InputError as error:
            assert error.span is not None
            continue
        read += 1
        if read % 10 == 0:
            try:
                found = board_of(ground(book, max_rules=20_000, seconds=5))
                arena_of_board(found, max_states=3_000, seconds=5)
            except IcgError as error:
                assert str(error)


def test_catalog_names_of_finite_games():
    assert finite_names() == tuple(path.stem for path in GAMES)
    assert resolve("tictactoe") == catalog_dir() / "gdl" / "tictactoe.kif"
    assert resolve("nim2").suffix == ".icg"
    with pytest.raises(InputError, match="did you mean tictactoe"):
        resolve("tictacto")
    with pytest.raises(InputError, match="'icgsynth fft synth g"):
        load_spec(Source("g.kif", REST))


def test_the_first_run_says_that_it_compiles(tmp_path, monkeypatch):
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path))

    @compiled
    def kernel(number):
        return number + 1

    said = []
    announce([kernel], said.append)
    assert said
    assert said[0].startswith("compiling 1 kernel for this machine, once")
    assert kernel(1) == 2
    announce([kernel], said.append)
    assert len(said) == 1


def test_machine_code_for_other_types_is_not_run(tmp_path, monkeypatch):
    """Two processes that compile one kernel at the same time may write the same file."""
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path))

    def half(number):
        return number / 2

    kernel = compiled(half)
    assert (kernel(3), kernel(3.0)) == (1.5, 1.5)
    whole, real = sorted(tmp_path.rglob("*.nbc"))
    real.write_bytes(whole.read_bytes())
    assert compiled(half)(2.5) == 1.25


def test_a_kernel_that_moves_to_another_module_is_made_anew(tmp_path):
    """Its code in the cache names the module that it stood in, which is no more."""
    sources = []
    for name in ("old_kernels", "new_kernels"):
        file = tmp_path / f"{name}.py"
        file.write_text("def kernel(number):\n    return number + 1\n", "utf-8")
        spec = importlib.util.spec_from_file_location(name, file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        sources.append(compiled(module.kernel).sources)
    assert sources[0] != sources[1]


def test_another_copy_of_the_sources_finds_the_machine_code(tmp_path, monkeypatch):
    """Kept by a digest of the sources, not by where they are or when they were written."""
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path / "kernels"))
    said = []
    for place in ("here", "there"):
        (tmp_path / place).mkdir()
        file = tmp_path / place / "copied_kernel.py"
        file.write_text("def kernel(number):\n    return number + 1\n", "utf-8")
        spec = importlib.util.spec_from_file_location("copied_kernel", file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        kernel = compiled(module.kernel)
        announce([kernel], said.append)
        assert kernel(1) == 2
    assert len(said) == 1
