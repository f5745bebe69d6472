"""Broken game descriptions: every step answers, or refuses with a reason; nothing else."""

import io
import random
import re
from pathlib import Path

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from speed import examples, sampled

pytest.importorskip("clingo")
pytest.importorskip("numba")
pytest.importorskip("pynauty")

from finite_arenas import arena_of_rules

from icgsynth.boards.finite import arena as arenas
from icgsynth.boards.finite import explore
from icgsynth.boards.finite.arena import Arena
from icgsynth.boards.finite.board import board_of
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.finite.grounder import ground
from icgsynth.boards.rules.gdl import parse_gdl
from icgsynth.cli import run
from icgsynth.errors import IcgError, InputError
from icgsynth.spec.source import Source

FILES = sorted((Path(__file__).parents[2] / "specs" / "gdl").glob("*.kif"))
_TOKEN = re.compile(r";[^\n]*\n|[()]|[^\s()]+|\s+")
TEXTS = {path.stem: _TOKEN.findall(path.read_text("utf-8")) for path in FILES}
STRANGE = ["(", ")", "?", "?x", "distinct", "not", "or", "true", "does", "role", "\0", "§", '"']


def _is_word(token):
    return not token.isspace() and token[0] not in "();"


def _form(tokens, at):
    """The end of the form that starts at ``at``."""
    depth = 0
    for i in range(at, len(tokens)):
        depth += (tokens[i] == "(") - (tokens[i] == ")")
        if depth <= 0:
            return i + 1
    return len(tokens)


def changed(name, choose):
    """A description of ``specs/gdl`` with words, forms or tokens moved, doubled or lost.

    ``choose`` takes one of a sequence.
    """
    tokens = list(TEXTS[name])
    # Words and whole forms most of the time: a bracket lost or doubled seldom gets far.
    for _ in range(choose((1, 1, 2, 3))):
        kind = choose(("word", "word", "form", "form", "form", "token"))
        fits = {"word": _is_word, "form": "(".__eq__, "token": bool}[kind]
        pool = [i for i, token in enumerate(tokens) if fits(token)]
        if not pool:
            break
        at, other = sorted((choose(pool), choose(pool)))
        ends = [_form(tokens, i) if kind == "form" else i + 1 for i in (at, other)]
        match choose(("delete", "double", "swap", "swap", "insert")):
            case "delete":
                del tokens[at : ends[0]]
            case "double":
                tokens[at:at] = [*tokens[at : ends[0]], " "]
            case "swap" if ends[0] <= other:
                left, right = tokens[at : ends[0]], tokens[other : ends[1]]
                tokens[at : ends[1]] = [*right, *tokens[ends[0] : other], *left]
            case _:
                alike = choose((True, True, False)) and kind != "token"
                new = tokens[other : ends[1]] if alike else [choose(STRANGE)]
                tokens[at:at] = [*new, " "]
    return "".join(tokens)


@st.composite
def mutated(draw, names=tuple(TEXTS)):
    def choose(pool):
        return pool[draw(st.integers(0, len(pool) - 1))]

    return changed(choose(names), choose)


def _answer(text):
    """What becomes of a text within small limits: an arena, or why not."""
    try:
        book = parse_gdl(Source("m.kif", text))
    except InputError as error:
        assert error.span is not None
        assert error.mend
        return "not read"
    try:
        arena = arena_of_rules(book, max_states=2_000, seconds=2)
    except IcgError as error:
        assert len(str(error)) > 20
        return type(error).__name__
    assert isinstance(arena, Arena)
    assert int(arena.orbit.sum()) >= len(arena.states) >= 1
    return "solved"


@pytest.mark.slow
@given(mutated())
@settings(max_examples=300, deadline=None)
def test_many_mutated_descriptions(text):
    event(_answer(text))


@examples(6, 25, mutated(("tictactoe", "nim", "chomp")))
def test_what_is_solved_can_be_played(text):
    try:
        book = parse_gdl(Source("m.kif", text))
        game = FiniteGame(board_of(ground(book, max_rules=20_000, seconds=2)))
        state = game.initial
        for _ in range(6):
            moves = list(game.moves(state))
            if not moves:
                break
            state = game.result(state, moves[-1])
            assert game.is_legal(state)
    except IcgError:
        return


@sampled("seed", range(16))
def test_the_commands_end_with_a_documented_code(seed, tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(explore, "_MAX_MOVES", 20_000)
    monkeypatch.setattr(arenas, "SYMMETRY", 1.0)
    rng = random.Random(seed)
    text = changed(rng.choice((*TEXTS,)), rng.choice)
    game, tree = tmp_path / "game.kif", tmp_path / "tree.txt"
    game.write_text(text, encoding="utf-8")
    tree.write_text("mark(2,2)\n", encoding="utf-8")
    for arguments, codes in (
        (["fft", "verify", game, tree], {0, 2, 3}),
        (["fft", "show", game, tree], {0, 2}),
        (["fft", "synth", game, "--budget", "0.2", "--no-certify"], {0, 2, 4}),
        (["play", game, "--timeout", "2"], {0, 2}),
    ):
        monkeypatch.setattr("sys.stdin", io.StringIO("help\nquit\n"))
        code = run(list(map(str, arguments)))
        out, err = capfd.readouterr()
        assert code in codes, (arguments, code, err, text)
        assert "Traceback" not in out + err
        assert code != 2 or "icgsynth: " in err
