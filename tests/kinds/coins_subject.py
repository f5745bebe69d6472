"""A kind of subject that the package does not have: coins in one row, of which some may be taken.

``coins three take 1 2 3``: a move takes one of these numbers; who cannot move loses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar

from icgsynth.export.coins_formats import report

from icgsynth.errors import InputError
from icgsynth.game.answers import SCHEMA, Verdict
from icgsynth.spec.json_text import read_json
from icgsynth.subjects import Subject
from icgsynth.subjects.question import Judgement, Question, Told, Work, verdict_of, verification


@dataclass(frozen=True)
class CoinsAnswer:
    """Who wins from ``n`` coins: ``lost[n % period]``; ``period`` 0 where none was found."""

    kind: ClassVar[str] = "coins"
    game: Coins
    lost: tuple[bool, ...] = ()

    def to_json(self) -> dict[str, Any]:
        head = {"schema": SCHEMA, "kind": self.kind, "game": self.game.name}
        return {**head, "take": list(self.game.take), "lost": list(self.lost)}


@dataclass(frozen=True)
class Coins:
    """Which numbers of coins may be taken."""

    name: str
    take: tuple[int, ...]

    def lost(self, most: int) -> list[bool]:
        found: list[bool] = []
        for n in range(most):
            found.append(not any(found[n - k] for k in self.take if k <= n))
        return found


class CoinsSubject(Subject):
    what = "a row of coins"

    @property
    def game(self) -> Coins:
        rules = re.fullmatch(r"\s*coins (\w+) take ([0-9 ]+)\s*", self.named.source.text)
        if rules is None:
            raise InputError("these are no rules of coins", mend="write coins NAME take 1 2 3")
        return Coins(rules[1], tuple(map(int, rules[2].split())))

    def to_solve(self, rule, finite_only=False, for_file=True, words=False):
        def shown(answer):
            verdict = verdict_of(bool(answer.lost))
            return Told(verdict, lambda: report(answer), answer.to_json)

        return Question(lambda *_: Work(lambda: self.answer()), shown)

    def answer(self) -> CoinsAnswer:
        """As many outcomes as the longest move decide all later ones."""
        reach = max(self.game.take)
        lost = self.game.lost(4 * 2**reach)
        for period in range(1, 2**reach + 1):
            if lost[period : period + reach] == lost[:reach]:
                return CoinsAnswer(self.game, tuple(lost[:period]))
        return CoinsAnswer(self.game)

    def to_verify(self, source, asked):
        asked.require_plain("coins")
        claim = read(source, self.game)
        head = {"game": self.game.name}

        def judge(budget):
            right = claim.lost == self.answer().lost
            verdict = Verdict.PROVED if right else Verdict.REFUTED
            return Judgement(head, self.game.name, verdict, "the outcomes repeat")

        return verification(Judgement(head, self.game.name), judge)


def read(source, game):
    lost = tuple(place.boolean() for place in read_json(source).need("lost", "[true]").list())
    return CoinsAnswer(game, lost)


def read_answer(source):
    take = tuple(place.integer() for place in read_json(source).need("take", "[1]").list())
    name = read_json(source).need("game", '"three"').string()
    return read(source, Coins(name, take))


def subject(named):
    return CoinsSubject(named)
