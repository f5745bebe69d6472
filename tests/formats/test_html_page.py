"""The page that plays a proved answer: what is in it, and what it does in a browser."""

import random
import re
from dataclasses import replace
from pathlib import Path

import catalog_answers
import pytest
from drawn_formulas import Drawing
from hand_solved import chomp, chomp_misere, nim2, nim2_misere, take_away
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import icgsynth as icg
from icgsynth.digits.numeration import numeration
from icgsynth.errors import Refused
from icgsynth.explicit.box import Box
from icgsynth.export import export
from icgsynth.export.sentences import move_said
from icgsynth.formats.page import whole_page
from icgsynth.formats.page.bound_terms import bound_terms
from icgsynth.formats.page.javascript_terms import JavaScript, literal
from icgsynth.game.repeated import steps_of_multiples
from icgsynth.logic.evaluate import INTEGERS, evaluate, value
from icgsynth.logic.term import Digital, Name
from icgsynth.spec.catalog import names
from icgsynth.spec.icg import parse_formula, parse_term

LARGEST = 60_000  # bytes of a page
SCRIPTS = Path(whole_page.__file__).parent
FAR = 10**30


NUMBERS = st.integers(-7, 9) | st.sampled_from([FAR, -FAR])


DRAWING = Drawing(("a", "b"), NUMBERS, divisors=st.integers(1, 9), factors=st.integers(-5, 5))


# --- terms ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def blank(browser):
    return browser.new_page()


def values_in_browser(blank, nodes, states):
    """The values that the page's own code gives each node in each state, as text."""
    writer = JavaScript()
    texts = [f"(s) => {writer.show(node, {'a': 's[0]', 'b': 's[1]'})}" for node in nodes]
    scripts = [(SCRIPTS / name).read_text("utf-8") for name in ("digits.js", "impartial.js")]
    given = literal([[str(number) for number in state] for state in states])
    program = "\n".join([*scripts, *writer.constants()])
    asked = f"{given}.map((state) => state.map(BigInt))"
    return blank.evaluate(
        f"() => {{ {program}\nconst states = {asked};\n"
        f"return [{', '.join(texts)}].map((f) => states.map((s) => String(f(s)))); }}"
    )


def states_of_any_size(rng, count):
    sizes = [10, 1000, 2**64, FAR, FAR**2]
    pairs = [(rng.choice(sizes), rng.choice(sizes)) for _ in range(count)]
    return [(rng.randint(-x, x), rng.randint(-y, y)) for x, y in pairs]


@pytest.mark.slow
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(DRAWING.terms(8), min_size=6, max_size=6),
    st.lists(DRAWING.formulas(4, 5), min_size=6, max_size=6),
)
def test_compiled_terms_and_formulas_have_pythons_values(blank, terms, formulas):
    nodes, states = [*terms, *formulas], states_of_any_size(random.Random(19), 40)
    found = values_in_browser(blank, nodes, states)
    for node, given_values in zip(nodes, found, strict=True):
        for (a, b), text in zip(states, given_values, strict=True):
            right = evaluate(node, {"a": a, "b": b}, INTEGERS)
            assert text == (str(right).lower() if isinstance(right, bool) else str(int(right)))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["base-2", "base-3", "zeckendorf", "ostrowski-2", "tribonacci"])
def test_compiled_functions_of_digits_have_pythons_values(blank, name):
    rng = random.Random(name)
    system = numeration(name)
    nodes = [Digital(kind, (Name("a"),), system) for kind in ("shift", "unshift", "zeros")]
    nodes += [Digital("lowpart", (Name("b"),), system)]
    nodes += [Digital("nimsum", (Name("a"), Name("b")), system, m) for m in (2, 3)]
    states = [(0, 0), (1, 0), *states_of_any_size(rng, 60)]
    found = values_in_browser(blank, nodes, states)
    for node, texts in zip(nodes, found, strict=True):
        right = [str(value(node, {"a": a, "b": b})) for a, b in states]
        assert texts == right


# --- moves ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
def test_no_move_lies_outside_the_bounds_on_its_parameters(name):
    """And every parameter of the catalog's games has both, so that a page can list the moves."""
    game = icg.load(name).game
    if game.is_quantified or steps_of_multiples(game):
        pytest.skip("pages have no quantifiers and no multiples")
    ends = {}
    for action in game.actions:
        where = game.applicable(action)
        for i, parameter in enumerate(action.parameters):
            found = bound_terms(where, parameter, action.parameters[i:])
            assert found.never or (found.low is not None and found.high is not None)
            ends[action.name, parameter] = found
    states = Box.of(game, 7).states.tolist()
    random.Random(name).shuffle(states)
    seen = 0
    for state in map(tuple, states[:10]):
        for move in game.moves(state):
            known = game.env(state)
            for parameter, number in move.arguments:
                low, high, never = ends[move.action, parameter]
                assert not never and value(low, known) <= number <= value(high, known)
                known[parameter] = number
                seen += 1
    assert seen or not any(action.parameters for action in game.actions)


@pytest.mark.parametrize(
    ("formula", "low", "high"),
    [
        ("1 <= k and k <= a - b", "1", "a - b"),
        ("2 * k >= a and 3 * k < b", "-(-a div 2)", "(b - 1) div 3"),
        ("k in {4, 1, 3}", "1", "4"),
        ("k = a or k = b", "min(a, b)", "max(a, b)"),
        ("not (k < a or k > b)", "a", "b"),
        ("min(a, k) >= 3 and max(k, b) <= a", "3", "a"),
        ("0 <= k mod 5 and k div 3 = a", "3 * a", "3 * a + 2"),
        ("abs(k) <= a", "-a", "a"),
        ("a <= k and b <= k and k <= 2 * a and k <= 9", "max(a, b)", "min(2 * a, 9)"),
        ("0 <= j <= b and a <= k + j <= a", "a - b", "a"),
        ("k != a", None, None),
        ("k <= a <-> k <= b", None, None),
    ],
)
def test_bounds_as_terms(formula, low, high):
    found = bound_terms(parse_formula(formula, "abjk"), "k", ["k", "j"])
    for end, wanted in ((found.low, low), (found.high, high)):
        assert (end is None) == (wanted is None)
        for a, b in ((7, 4), (-3, 11), (0, 0), (20, -9)):
            if end is not None and wanted is not None:
                known = {"a": a, "b": b}
                assert value(end, known) == value(parse_term(wanted, "ab"), known)


# --- the page ------------------------------------------------------------------------------------


@pytest.mark.parametrize("solution", [nim2, nim2_misere, chomp, chomp_misere, take_away])
def test_a_page_has_the_answer_and_is_small(solution):
    made = solution()
    page = export(made, "html")
    assert len(page.encode()) < LARGEST
    assert "default-src 'none'" in page
    assert not re.search(r"""(?:src|href)\s*=|url\(|@import|fetch\(|XMLHttpRequest""", page)
    assert ("Misère play" if made.rule == "misere" else "Normal play") in page


def test_text_of_the_answer_cannot_become_a_part_of_the_page():
    title = '</script><script>alert("no")</script><!-- & \u2028'
    made = nim2()
    page = export(replace(made, game=replace(made.game, title=title)), "html")
    assert page.count("<script") == page.count("</script") == 1
    assert "&lt;/script&gt;" in page


def test_a_page_needs_a_formula_and_no_quantifier():
    made = nim2()
    with pytest.raises(Refused, match="no winning formula"):
        export(replace(made, winning=None, losing=None), "html")
    said = parse_formula("exists x. a = 2 * x", "ab")
    with pytest.raises(Refused, match="a page cannot say"):
        export(replace(made, game=replace(made.game, legal=said)), "html")


def opened(browser, tmp_path, text, fragment):
    """The page, and the list of what it asked the network for, or went wrong with."""
    file = tmp_path / "page.html"
    file.write_text(text, "utf-8")
    page = browser.new_page()
    wrong = []
    page.on("request", lambda request: wrong.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text))
    page.goto(f"{file.as_uri()}#{fragment}")
    assert wrong == [file.as_uri()]
    wrong.clear()
    return page, wrong


def followed(page):
    """Play by the hints to the end; what is said then, and the moves that were made."""
    for _ in range(200):
        hint = page.get_by_role("button", name="Hint", exact=True)
        if hint.is_disabled():
            break
        hint.click()
        button = page.locator(".moves button.hint")
        if button.count():
            button.click()
            continue
        move = re.search(r" \((\w+)\(([^)]*)\)\)", said(page))
        assert move is not None
        form = page.locator(".moves form", has_text=f"{move[1]}:")
        for place, number in enumerate(move[2].split(", ")):
            form.locator("input").nth(place).fill(number)
        form.get_by_role("button").click()
    return said(page), page.locator(".log li").all_inner_texts()


def said(page):
    return page.locator(".board-says").inner_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("solution", "start"),
    [
        (nim2, "7,4"),
        (nim2, f"{FAR + 17},6"),
        (nim2_misere, "7,4"),
        (chomp, "6,3"),
        (chomp_misere, "6,3"),
        (take_away, str(10)),
    ],
)
def test_a_game_is_played_to_its_end_and_won_by_the_strategy(browser, tmp_path, solution, start):
    made = solution()
    page, wrong = opened(browser, tmp_path, export(made, "html"), start)
    assert not page.locator(".fault").is_visible()
    end, moves = followed(page)
    assert end.endswith("so you win.")
    assert not wrong
    # The same moves by the rules in Python, in the words of the studio: each is legal, and at the
    # end nobody can move.
    game, state = made.game, tuple(int(n) for n in start.split(","))
    for text in moves:
        _, _, move = text.partition(": ")
        states = [game.result(state, m) for m in near_moves(game, state)]
        state = next(after for after in states if move_said(game, state, after) == move)
    assert next(game.moves(state), None) is None
    last = moves[-1].partition(": ")[0]
    assert last == ("You" if made.rule == "normal" else "The strategy")


def near_moves(game, state):
    """All moves where they are few, else those near the bounds and those of the strategy."""
    if max(state) < 1000:
        return list(game.moves(state))
    from icgsynth.game.moves import some_moves

    others = [rule.act.ground(game, state) for rule in nim2().strategy]
    return [*some_moves(game, state), *(m for m in others if game.applies(state, m))]


@pytest.mark.slow
def test_a_lost_game_shows_where_it_was_given_away_and_undo_takes_it_back(browser, tmp_path):
    page, wrong = opened(browser, tmp_path, export(nim2(), "html"), "7,4")
    page.locator(".counter").nth(5).click()  # leaves 5 and 4; 4 and 4 would win
    assert "won with take 3 from a:" in page.locator(".note").inner_text()
    assert "The strategy played take 1 from a: a = 4, by rule 1." in said(page)
    assert page.locator("#strategy li.lit").count() == 1
    page.get_by_role("button", name="Undo").click()
    assert page.locator(".log li").count() == 0
    assert page.locator(".counter.spot").count() == 11
    page.get_by_label("Show what each move is worth").check()
    assert page.locator('.moves button[value="take_a(3)"].win').count() == 1
    assert page.locator(".moves button.loss").count() == 10
    assert not wrong


@pytest.mark.slow
def test_states_and_moves_that_are_typed_wrongly_are_explained(browser, tmp_path):
    page, _ = opened(browser, tmp_path, export(nim2(), "html"), "-1,4")
    fault = page.locator(".fault")
    assert "(-1, 4) is not" in fault.inner_text() and "b >= 0" in fault.inner_text()
    page.get_by_label("Start").fill("7")
    page.keyboard.press("Enter")
    assert "each of a, b" in fault.inner_text()
    page.get_by_label("Start").fill("b = 3, a = 5")
    page.keyboard.press("Enter")
    assert page.locator(".pile-name").all_inner_texts() == ["a = 5", "b = 3"]
    page.get_by_label("Start").fill("a = 5, c = 3")
    page.keyboard.press("Enter")
    assert "each of a, b" in fault.inner_text()
    page.get_by_label("Start").fill(f"{FAR},3")
    page.keyboard.press("Enter")
    assert not fault.is_visible()
    form = page.locator(".moves form").first
    form.locator("input").fill(str(FAR + 1))
    page.keyboard.press("Enter")
    assert "1 <= k <= a" in fault.inner_text()


@pytest.mark.slow
def test_the_board_is_played_with_the_keyboard_and_labelled(browser, tmp_path):
    page, _ = opened(browser, tmp_path, export(chomp(), "html"), "4,2")
    first = page.locator('.square[tabindex="0"]')
    first.focus()
    before = first.get_attribute("aria-label")
    page.keyboard.press("ArrowRight")
    after = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert before is not None and after not in (None, before)
    page.keyboard.press("Enter")
    made = page.locator(".log li").first.inner_text()
    assert made == f"You: {after}"
    page.keyboard.press("Tab")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wythoff", "nim3", "chocolate", "i_mark", "euclid"])
def test_an_answer_in_digits_plays_and_is_small(browser, tmp_path, name):
    """The page finds the same as the strategy in Python, at states of 30 digits too."""
    made = catalog_answers.solved(name)
    text = export(made, "html")
    assert len(text.encode()) < LARGEST
    rng = random.Random(name)
    count = len(made.game.variables)
    states = [tuple(rng.randint(0, 40) for _ in range(count)) for _ in range(10)]
    states += [tuple(rng.randint(0, FAR) for _ in range(count)) for _ in range(4)]
    page, wrong = opened(browser, tmp_path, text, "")
    for state in filter(made.game.is_legal, states):
        page.get_by_label("Start").fill(",".join(map(str, state)))
        page.get_by_role("button", name="New game").click()
        kept = made.plan.choose(made.game, state)
        if kept is None:
            continue
        page.get_by_role("button", name="Hint", exact=True).click()
        there = move_said(made.game, state, made.game.result(state, kept.move))
        assert said(page).startswith(f"Rule {kept.number} says {there}")
    assert not wrong


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "start", "first"),
    [
        # v mod (n + 1) = 0 is lost: of 10 with n = 3, take 2.
        (["family", "take_away", "--over", "n=1..12"], "3,10", "take 2 from v: v = 8"),
        # Beside a heap of 6, the value of (7, 4) is 7 xor 4 = 3: the heap goes down to 3.
        (["value", "nim2"], "7,4,6", "take 3 from z: z = 3"),
    ],
)
def test_theorems_and_values_are_played(browser, icgsynth, tmp_path, command, start, first):
    answer, file = tmp_path / "answer.json", tmp_path / "page.html"
    assert icgsynth(*command, "-o", answer, "--quiet").returncode == 0
    assert icgsynth("export", answer, "--to", "html", "-o", file).returncode == 0
    text = file.read_text("utf-8")
    assert len(text.encode()) < LARGEST
    page, wrong = opened(browser, tmp_path, text, start)
    page.get_by_role("button", name="Hint", exact=True).click()
    assert f"{first}." in said(page)
    end, _ = followed(page)
    assert end.endswith("so you win.")
    assert not wrong
