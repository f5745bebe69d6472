"""Answer files of every kind: told apart, held to the schema, verified."""

from __future__ import annotations

import json
import random
from types import SimpleNamespace

import pytest
from asp_oracle import answers
from command_answers import written
from commands import call, validate
from speed import sampled

pytest.importorskip("numba")
pytest.importorskip("clingo")

import clingo

import icgsynth
from icgsynth.boards.finite.arena import arena_of_board
from icgsynth.boards.finite.arena_table import Lookup
from icgsynth.boards.finite.board import board_of
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.finite.grounder import ground
from icgsynth.boards.play.worths import keeping
from icgsynth.boards.rules.finite import finite_game
from icgsynth.boards.rules.tree import parse_tree, require_shape
from icgsynth.errors import InputError
from icgsynth.game.game import Move
from icgsynth.spec.answer_file import kind_of, told_kind
from icgsynth.spec.source import Source


def tree_of(name, tmp_path):
    path = tmp_path / "tree.json"
    path.write_text(written("fft", "synth", name, "--method", "algorithm2"), "utf-8")
    return path


@pytest.fixture
def tree(tmp_path):
    return tree_of("tictactoe", tmp_path)


@pytest.fixture
def learned(tmp_path):
    path = tmp_path / "learned.json"
    path.write_text(written("learn", "nim"), "utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("if x(1,1): mark(2,2)", "tree"),
        ('{"schema": "icgsynth/solution/2", "kind": "tree", "strategy": []}', "tree"),
        ('{"game": "ttt", "tree": {"kind": "tree", "strategy": []}}', "tree"),
        ('{"strategy": {"kind": "learned", "strategy": []}}', "learned"),
        ('{"schema": "icgsynth/solution/2", "kind": "learned", "strategy": []}', "learned"),
        ('{"schema": "icgsynth/solution/2", "losing": "a = b"}', "strategy"),
        ('{"rule": "normal", "losing": "a = b"}', "strategy"),
        ('[{"rule": "normal", "losing": "a = b"}, {"rule": "misere"}]', "strategy"),
    ],
)
def test_every_file_says_what_it_is(text, kind):
    for otherwise in ("strategy", "tree", "learned"):
        assert kind_of(Source("file", text), otherwise) == kind


def test_a_file_that_does_not_say_is_what_the_reader_expects():
    assert kind_of(Source("file", '{"foo": 1}'), "tree") == "tree"
    assert kind_of(Source("file", '{"foo": 1}')) == "strategy"
    assert kind_of(Source("file", "\n")) == "strategy"
    for text in ('{"kind": "value"}', '{"schema": "icgsynth/solution/1"}', "{"):
        with pytest.raises(InputError):
            kind_of(Source("file", text))


@pytest.mark.parametrize("text", ["3", '"x"', "true", "[3]"])
def test_json_that_is_no_object_is_no_tree(text):
    """A file that is 3 was read as a tree with the action 3, after the game was played out."""
    assert kind_of(Source("file.json", text)) == "strategy"
    for ask in (require_shape, told_kind):
        with pytest.raises(InputError, match="an object belongs") as caught:
            ask(Source("file.json", text))
        assert caught.value.span.line == 1


def test_a_tree_that_lacks_a_key_is_refused_before_its_game_is_solved():
    """Only the text of a tree was looked at before the game was played out, and no JSON."""
    with pytest.raises(InputError, match="the key 'do' is missing") as caught:
        require_shape(Source("file", '{"strategy": [{"if": ["true"], "act": "a(1)"}]}'))
    assert caught.value.span.column == 15


def test_a_tree_is_an_answer_file(capfd, tree):
    value = json.loads(tree.read_text())
    validate(value)
    assert (value["kind"], value["game"], value["status"]) == ("tree", "tictactoe", "solved")
    code, out, _ = call(capfd, "verify", "tictactoe", tree, "--quiet")
    assert code == 0
    assert "strongly optimal" in out
    # Without its last rules some state is left to chance, and chance can lose.
    value["strategy"] = value["strategy"][:1]
    tree.write_text(json.dumps(value))
    code, out, _ = call(capfd, "verify", "tictactoe", tree, "--quiet", "--json")
    assert code == 3
    assert json.loads(out)["strongly_optimal"] is False


def test_a_tree_of_an_impartial_game_keeps_its_box(capfd, tmp_path):
    path = tmp_path / "tree.json"
    arguments = ("--bound", "9", "--method", "algorithm2", "--quiet", "-o", path)
    code, _, err = call(capfd, "fft", "synth", "subtraction_124", *arguments)
    assert code == 0, err
    value = json.loads(path.read_text())
    validate(value)
    assert (value["bound"], value["rule"]) == (9, "normal")
    code, out, _ = call(capfd, "verify", "subtraction_124", path, "--quiet")
    assert code == 0, out


def test_a_learned_strategy_is_an_answer_file(capfd, learned):
    value = json.loads(learned.read_text())
    validate(value)
    assert (value["kind"], value["game"]) == ("learned", "nim")
    code, out, _ = call(capfd, "verify", "nim", learned, "--quiet")
    assert code == 0
    assert "never loses as a (proved" in out
    # To prefer what was charged most is to play badly.
    for tier in value["strategy"]:
        for constraint in tier["prefer"]:
            constraint["weight"] = -constraint["weight"]
    learned.write_text(json.dumps(value))
    code, out, _ = call(capfd, "verify", "nim", learned, "--quiet", "--json")
    assert code == 3
    assert json.loads(out)["never_loses"] is False


def test_readers_of_solutions_say_what_they_were_given(capfd, tree):
    code, _, err = call(capfd, "starts", "nim2", "--solution", tree)
    assert code == 2
    assert "a tree" in err and "a solution" in err


def test_options_of_formulas_are_not_for_trees(capfd, tree):
    code, _, err = call(capfd, "verify", "tictactoe", tree, "--cross-check")
    assert code == 2
    assert "--cross-check is for" in err


# --- exports --------------------------------------------------------------------------------------


def module_of(text):
    namespace = {"__name__": "exported"}
    exec(compile(text, "exported.py", "exec"), namespace)
    return SimpleNamespace(**namespace)


@pytest.mark.parametrize(("name", "player"), [("tictactoe", 0), ("nim_1357", 1)])
def test_an_exported_tree_plays_the_game_perfectly(capfd, tmp_path, name, player):
    """In every state that play with it reaches: the game's own moves, and only optimal choices."""
    path = tree_of(name, tmp_path)
    code, text, err = call(capfd, "export", path, "--to", "python", "--quiet")
    assert code == 0, err
    module = module_of(text)
    board = board_of(ground(finite_game(name)))
    game, lookup = FiniteGame(board), Lookup(arena_of_board(board))
    assert game.facts(game.initial) == module.INITIAL
    assert module.mover(module.INITIAL) == game.mover(game.initial)
    first = module.mover(module.INITIAL)
    open_, seen = [frozenset(module.INITIAL)], set()
    while open_:
        facts = open_.pop()
        if facts in seen:
            continue
        seen.add(facts)
        state = game.state_of(facts)
        assert module.moves(facts) == [str(move) for move in game.moves(state)]
        if module.is_over(facts):
            assert module.goals(facts) == game.goals(state)
            assert module.move(facts) is None
            continue
        mine = module.mover(facts) == (first if player == 0 else 1 - first)
        if mine:
            best = keeping(lookup.worths(facts))
            assert set(map(Move, module.choices(facts))) <= set(best), sorted(facts)
            assert module.move(facts) == module.choices(facts)[0]
        for action in module.choices(facts) if mine else module.moves(facts):
            after = module.result(action, facts)
            assert after == frozenset(game.facts(game.result(state, Move(action))))
            open_.append(after)
    assert len(seen) > 10
    with pytest.raises(ValueError, match="no fact"):
        module.moves(["nonsense"])
    with pytest.raises(ValueError, match="not legal"):
        module.result("nonsense", module.INITIAL)


@sampled(("name", "rule", "bound"), [("subtraction_124", "misere", 11), ("nim2", "normal", 3)])
def test_an_exported_tree_of_an_impartial_game_wins(capfd, tmp_path, name, rule, bound):
    """The module's rules are the game's, and whoever follows it in a won state wins."""
    path = tmp_path / "tree.json"
    code, _, err = call(
        capfd, "fft", "synth", name, "--bound", bound, "--rule", rule, "--method", "algorithm2",
        "--quiet", "-o", path,
    )  # fmt: skip
    assert code == 0, err
    code, text, err = call(capfd, "export", path, "--to", "python", "--quiet")
    assert code == 0, err
    module, game = module_of(text), icgsynth.load(name).game
    player = json.loads(path.read_text())["player"] - 1

    def wins(state):  # backward induction, by the rules as the package reads them
        after = [game.result(state, move) for move in game.moves(state)]
        return any(not wins(s) for s in after) if after else rule == "misere"

    open_, seen = [frozenset(module.INITIAL)], set()
    while open_:
        facts = open_.pop()
        if facts in seen:
            continue
        seen.add(facts)
        assert facts <= set(module.FACTS)
        values = dict(fact.split("=") for fact in facts if "=" in fact)
        state = tuple(int(values[variable]) for variable in game.variables)
        assert set(module.moves(facts)) == {str(move) for move in game.moves(state)}
        turn = module.mover(facts)
        if module.is_over(facts):
            assert turn == -1
            last = 0 if "control(first)" in facts else 1
            assert module.goals(facts)[last] == (100 if rule == "misere" else 0)
            continue
        for action in module.choices(facts) if turn == player else module.moves(facts):
            after = module.result(action, facts)
            there = tuple(int(dict(f.split("=") for f in after if "=" in f)[v]) for v in values)
            assert turn != player or not wins(state) or not wins(there), sorted(facts)
            open_.append(after)
    assert len(seen) > 5
    with pytest.raises(ValueError, match="no such fact"):
        module.moves(["nonsense"])


@pytest.mark.parametrize("name", ["tictactoe", "nim_1357"])
def test_an_exported_tree_gives_its_moves_to_clingo(capfd, tmp_path, name):
    """In positions along random play: the answer sets are the moves that the tree keeps."""
    path = tree_of(name, tmp_path)
    code, text, err = call(capfd, "export", path, "--to", "asp", "--quiet")
    assert code == 0, err
    rules, _, start = text.partition("% the position")
    code, module, err = call(capfd, "export", path, "--to", "python", "--quiet")
    assert code == 0, err
    module, rng = module_of(module), random.Random(1)
    facts, first = frozenset(module.INITIAL), True
    while not module.is_over(facts):
        given = [f'true("{fact}").' for fact in facts]
        given += [f'legal("{move}").' for move in module.moves(facts)]
        if first:
            assert sorted(start.split()) == sorted(given)
        assert chosen(rules + "\n".join(given)) == set(module.choices(facts))
        facts, first = module.result(rng.choice(module.moves(facts)), facts), False


def chosen(program):
    """The moves of the answer sets of a tree's program, one in each."""
    control = clingo.Control(["0", "--warn=none"])
    control.add("base", [], program)
    control.ground([("base", [])])
    found = []
    with control.solve(yield_=True) as handle:
        for model in handle:
            (move,) = model.symbols(shown=True)
            found.append(move.arguments[0].string)
    assert len(set(found)) == len(found)
    return set(found)


def test_a_tree_in_other_words(capfd, tree):
    code, out, _ = call(capfd, "export", tree, "--to", "fft", "--quiet")
    assert code == 0
    assert out.splitlines()[1:] == str(read_tree(tree)).splitlines()
    code, out, _ = call(capfd, "export", tree, "--to", "json", "--quiet")
    assert code == 0
    assert json.loads(out)["strategy"] == json.loads(tree.read_text())["strategy"]
    code, out, _ = call(capfd, "export", tree, "--to", "latex", "--quiet")
    assert code == 0
    assert out.count(r"\item \texttt{") == len(read_tree(tree).rules)
    for brackets in ("{}", "[]", "()"):
        assert out.count(brackets[0]) == out.count(brackets[1])


def test_a_learned_strategy_in_other_words(capfd, learned):
    code, out, _ = call(capfd, "export", learned, "--to", "latex", "--quiet")
    assert code == 0
    constraints = [c for t in json.loads(learned.read_text())["strategy"] for c in t["prefer"]]
    assert out.count(r"\#\{") == len(constraints)
    for literal in constraints[0]["body"]:
        assert literal.replace("_", r"\_") in out
    code, out, _ = call(capfd, "export", learned, "--to", "asp", "--quiet")
    assert code == 0
    # 1, 3, 5, 7 are 1, 3, 5, 0 mod 7, whose sum is 7: only 5 can be made 5 xor 7 = 2.
    assert answers(out) == {"a/remove(3,3)"}
    code, out, _ = call(capfd, "export", learned, "--to", "json", "--quiet")
    assert json.loads(out) == json.loads(learned.read_text())


def test_what_a_format_cannot_say_is_told(capfd, tree, learned):
    for path, fmt, words in (
        (tree, "smt2", "smt2 cannot say a fast-and-frugal tree"),
        (tree, "dot", "export to fft, python, html, latex, asp, json, openspiel instead"),
        (learned, "python", "python cannot say a learned strategy"),
        (learned, "walnut", "export to fft, latex, asp, json instead"),
    ):
        code, out, err = call(capfd, "export", path, "--to", fmt, "--quiet")
        assert (code, out) == (2, "")
        assert words in err


def read_tree(path):
    board = board_of(ground(finite_game("tictactoe")))
    arena = arena_of_board(board)
    return parse_tree(Source.read(path), arena.literals, arena.actions)


# --- tournaments ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "bound", "rule"), [("nim2", 6, "normal"), ("nim2", 5, "misere")])
def test_a_solution_plays_a_tournament(capfd, tmp_path, name, bound, rule):
    """Whoever the solution meets, it wins every state that can be won: exactly, and in matches."""
    path = tmp_path / "solution.json"
    path.write_text(written("solve", name, "--rule", rule), "utf-8")
    code, out, err = call(
        capfd, "tournament", name, "--bound", bound, "--rule", rule, "--start", f"{bound},2",
        "--agents", f"answer:{path},perfect,random", "--matches", "10", "--json", "--quiet",
    )  # fmt: skip
    assert code == 0, err
    value = json.loads(out)
    mine, perfect, _ = value["agents"]
    # (bound, 2) is won for who starts, as bound differs from 2: each starts five times.
    assert (value["pairs"][0]["won"], value["pairs"][0]["lost"]) == (5, 5)
    assert mine["exact"]["never_loses"] is True
    assert mine["exact"]["worst_case"] == perfect["exact"]["worst_case"]


def test_a_formula_alone_plays_a_tournament(capfd, tmp_path):
    """Without a strategy: into the losing states, of three piles those with nim-sum 0."""
    path = tmp_path / "formula.json"
    path.write_text('{"rule": "normal", "logic": "base-2", "losing": "a xor b xor c = 0"}', "utf-8")
    code, out, err = call(
        capfd, "tournament", "nim3", "--start", "3,4,5", "--agents", f"answer:{path},random",
        "--matches", "20", "--json", "--quiet",
    )  # fmt: skip
    assert code == 0, err
    assert json.loads(out)["agents"][0]["exact"]["never_loses"] is True


@pytest.mark.slow
def test_trees_and_learned_strategies_are_answers_too(capfd, tree, learned):
    code, out, err = call(
        capfd, "tournament", "tictactoe", "--agents", f"answer:{tree},random", "--matches", "4",
        "--json", "--quiet",
    )  # fmt: skip
    assert code == 0, err
    assert json.loads(out)["agents"][0]["exact"]["worst_case"]["x"] == 0
    code, _, err = call(
        capfd, "tournament", "nim", "--agents", f"answer:{learned},random", "--matches", "2",
        "--quiet",
    )  # fmt: skip
    assert code == 0, err
    code, _, err = call(capfd, "tournament", "nim", "--agents", "perfect,random", "--bound", "3")
    assert code == 2
    assert "--bound is for" in err
    code, _, err = call(capfd, "tournament", "nim2", "--agents", f"answer:{learned},random")
    assert code == 2
    assert "nim2 an impartial game" in err


@pytest.mark.parametrize("kind", ["family", "tree", "strategy"])
def test_an_answer_without_rules_is_told_what_it_lacks(kind, tmp_path, capfd):
    """Not that the command named a game that is nowhere: the command named a file."""
    path = tmp_path / "answer.json"
    answer = {"schema": "icgsynth/solution/2", "kind": kind, "rule": "normal", "strategy": []}
    for more, said in ({"game": "nonesuch"}, "has no rules, and"), ({}, "does not say of which"):
        path.write_text(json.dumps(answer | more), encoding="utf-8")
        code, _, told = call(capfd, "export", path, "--to", "python")
        assert code == 2 and said in told and "--spec" in told and "did you mean" not in told
