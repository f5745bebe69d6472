"""Files of trees and of learned strategies: verified, and read."""

from __future__ import annotations

from typing import Any

from icgsynth.boards.subject.finite_subject import of_tree_or_learned
from icgsynth.game.answers import Answer, Kind
from icgsynth.spec.answer_file import any_kind, game_and_rules
from icgsynth.spec.resolve import Named
from icgsynth.spec.source import Source
from icgsynth.subjects.question import Question
from icgsynth.subjects.subject import AskedVerdict


def to_verify(named: Named, source: Source, asked: AskedVerdict) -> Question[Any]:
    """Whether the tree or the learned strategy in ``source`` is right."""
    return of_tree_or_learned(named, source, asked, any_kind(source))


def read_answer(source: Source, spec: str | None) -> Answer:
    """The tree or the learned strategy in ``source``; ``spec`` names its game."""
    kind: Kind = any_kind(source)
    name, text = game_and_rules(source, spec)
    if kind == "tree":
        from icgsynth.boards.fft.tree_questions import tree_answer

        return tree_answer(name, source, text)
    from icgsynth.boards.learn.saved import read_learned
    from icgsynth.boards.learn.stage import unsolved_game
    from icgsynth.boards.rules.finite import finite_game, parse_text

    game = finite_game(name) if text is None else parse_text(name, text)
    return read_learned(source, unsolved_game(game))
