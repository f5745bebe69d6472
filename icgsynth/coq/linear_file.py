"""Write a linear answer as a file for Coq."""

from __future__ import annotations

from collections.abc import Sequence

from icgsynth.claims.game import Bounded
from icgsynth.coq.answer_file import Stated, answer_file
from icgsynth.coq.claims import Hints, play_claims, value_claims
from icgsynth.coq.game_data import GameData
from icgsynth.coq.proofs import Lemma, legal_state
from icgsynth.export.sentences import in_prose, title
from icgsynth.game.game import ParametricGame
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t


def play_file(
    solution: Solution,
    ranking: Sequence[Bounded],
    movers: Sequence[SemiGroundAction],
    written: ParametricGame | None = None,
    beside: Sequence[Lemma] = (),
) -> str:
    """Return the Coq file on who wins; :class:`~icgsynth.errors.Refused` where a proof is missing.
    ``ranking`` falls with each move; ``movers`` apply wherever any move does, for misère play;
    ``written`` are the rules as written, if these have quantifiers; ``beside`` are more lemmas."""
    game, rules = solution.game, [rule for rule in solution.strategy if isinstance(rule, Rule)]
    texts, play = GameData(game), solution.rule
    hints = Hints(ranking, movers if play == "misere" else ())
    stated = Stated(
        title(solution),
        play,
        '"Won" and "Lost"',
        ("sides", f"{play}_answers"),
        texts,
        [*texts.sides(*solution.sides(), rules)],
        [*texts.hints(legal_state(game), hints)],
        [*play_claims(game, play, solution.sides(), rules, hints)],
        beside=beside,
    )
    return answer_file(stated, written)


def values_file(
    answer: GrundyAnswer,
    term: t.Term,
    ranking: Sequence[Bounded],
    written: ParametricGame | None = None,
) -> str:
    """Return the Coq file that ``term`` is the Grundy value; :class:`~icgsynth.errors.Refused`
    where no proof is found. ``ranking`` and ``written`` are as for :func:`play_file`."""
    game, rules = answer.game, [rule for rule in answer.strategy if isinstance(rule, Rule)]
    texts = GameData(game)
    stated = Stated(
        f"The Grundy function of {in_prose(game)}",
        "values",
        '"Value"',
        ("value_answers",),
        texts,
        [*texts.values(term, answer.target, rules)],
        [*texts.hints(legal_state(game), Hints(ranking))],
        [*value_claims(game, term, answer.target, rules, ranking)],
    )
    return answer_file(stated, written)
