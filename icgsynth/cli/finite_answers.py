"""Answers for finite games on the command line: a tree or a learned strategy, checked."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any

import click

from icgsynth.cli.codes import DONE, REFUTED
from icgsynth.cli.fft_table import Demand, Setting, TreeTable
from icgsynth.cli.finite_spec import FiniteSpec
from icgsynth.cli.output import as_json as json_text
from icgsynth.cli.output import teller
from icgsynth.cli.screen import say
from icgsynth.errors import InputError
from icgsynth.export.learn_report import verdict_lines
from icgsynth.fft.tiers import TreeAnswer, strategy_of
from icgsynth.learn.saved import LearnedAnswer, read_learned
from icgsynth.learn.stage import stage_of, unsolved
from icgsynth.learn.weak_learner import judged
from icgsynth.spec.answer_file import TreeFrame, game_of, tree_frame
from icgsynth.spec.finite import finite_game
from icgsynth.spec.source import Source
from icgsynth.spec.tree import parse_tree, require_shape

__all__ = [
    "learned_answer",
    "tree_answer",
    "verify_learned",
    "verify_tree",
]


def verify_tree(
    spec: str, source: Source, constants: Mapping[str, int], as_json: bool, quiet: bool
) -> int:
    """Check a tree, with the player and the states that its file names, as ``fft verify`` does."""
    game, frame = _tree_game(spec, source, constants)
    player = "auto" if frame.player is None else str(frame.player)
    setting = Setting(player, "signed", False, "on" if frame.symmetric else "off")
    demand = Demand(None, as_json, None, quiet, inf)
    return TreeTable(game, setting, demand, source).verdict(False)


def verify_learned(
    spec: str, source: Source, constants: Mapping[str, int], as_json: bool, quiet: bool
) -> int:
    """Judge a learned strategy on all states, replies and ties, as ``learn`` does."""
    stage = stage_of(finite_game(spec, dict(constants)), progress=teller(quiet))
    found = judged(read_learned(source, stage).strategy, stage)
    unbeaten = found.report.never_loses
    if as_json:
        value: dict[str, Any] = {"game": stage.arena.name}
        value["verdict"] = "proved" if unbeaten else "refuted"
        value |= found.report.to_json(stage.arena.roles)
        click.echo(json_text(value))
    else:
        word = "proved" if unbeaten else "refuted"
        say("\n".join([f"{stage.arena.name}: {word}", *verdict_lines(stage, found)]))
    return DONE if unbeaten else REFUTED


def tree_answer(spec: str | None, source: Source, quiet: bool) -> TreeAnswer:
    """The tree in a file with the game that ``spec`` means, else that which the file names."""
    game, frame = _tree_game(_named(spec, source), source, {})
    arena = game.arena(frame.symmetric, teller(quiet))
    tree = parse_tree(source, arena.literals, arena.actions)
    said = game.frame() | {"player": frame.player, "symmetric": frame.symmetric}
    kept = {key: value for key, value in said.items() if value is not None}
    return TreeAnswer(game.play, tree, strategy_of(tree, arena), arena.actions, kept)


def learned_answer(spec: str | None, source: Source) -> LearnedAnswer:
    """The learned strategy in a file, for the game that ``spec`` means, or the file names."""
    return read_learned(source, unsolved(finite_game(_named(spec, source))))


def _tree_game(
    spec: str, source: Source, constants: Mapping[str, int]
) -> tuple[FiniteSpec, TreeFrame]:
    """The game of a tree, within the bound and with the constants that its file says."""
    require_shape(source)
    frame = tree_frame(source)
    given = {**dict(frame.constants), **constants}
    return FiniteSpec(spec, frame.bound, frame.start, frame.rule or "normal", given), frame


def _named(spec: str | None, source: Source) -> str:

    name = spec or game_of(source)
    if name is None:
        raise InputError(
            f"{source.name} does not say of which game", mend="give the rules with --spec"
        )
    return name
