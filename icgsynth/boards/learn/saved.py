"""Files of learned strategies: JSON, which is read back, and programs for clingo."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from icgsynth.boards.finite.bit_sets import bits_of
from icgsynth.boards.finite.encoding import Encoding
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.learn.best_do import BestDo, written_rules
from icgsynth.boards.learn.move_view import RuledGame
from icgsynth.boards.learn.terms import Term, Var, format_term, read_term, variables_of
from icgsynth.boards.learn.tiers import Act, FiniteStrategy, strategy_of
from icgsynth.boards.learn.weak import BodyLiteral, Constraint, Hypothesis
from icgsynth.errors import CannotExpress, InputError
from icgsynth.game.answers import SCHEMA, Kind, Shown
from icgsynth.game.strategy import Strategy, Tier
from icgsynth.spec.answer_file import answer_in
from icgsynth.spec.json_text import Located
from icgsynth.spec.source import Source

_MOST = 999_999  # the greatest weight or level: sums of costs stay inside 64 bits


@dataclass(frozen=True, repr=False)
class LearnedAnswer(Shown):
    """A learned strategy as an answer: a list of tiers, each weak constraints or rules."""

    kind: ClassVar[Kind] = "learned"
    game: RuledGame
    tiers: tuple[Hypothesis | tuple[BestDo, ...], ...]
    background: str = ""

    @staticmethod
    def of(game: RuledGame, hypothesis: Hypothesis) -> LearnedAnswer:
        """Return the answer that consists of the weak constraints of ``hypothesis`` alone."""
        return LearnedAnswer(game, (hypothesis,), hypothesis.background)

    @property
    def brief(self) -> str:
        many = len(self.strategy)
        return f"{self.game.name}: {many} tier{'s' * (many != 1)}"

    @property
    def hypothesis(self) -> Hypothesis | None:
        """The weak constraints of all steps of the strategy together; None where none has any."""
        weak = [tier for tier in self.tiers if isinstance(tier, Hypothesis)]
        found = tuple(c for tier in weak for c in tier.constraints)
        return Hypothesis(found, self.background) if weak else None

    @property
    def rules(self) -> tuple[BestDo, ...]:
        """The ``best_do`` rules of all steps of the strategy together."""
        return tuple(rule for tier in self.tiers if isinstance(tier, tuple) for rule in tier)

    @cached_property
    def strategy(self) -> FiniteStrategy:
        """The strategy that plays the game: a step for each rule list or level of constraints."""
        tiers: list[Tier[FiniteGame]] = []
        for tier in self.tiers:
            tiers += [Act(tier)] if isinstance(tier, tuple) else strategy_of(tier, self.game)
        return Strategy(tuple(tiers))

    def to_json(self) -> dict[str, Any]:
        """Return the content of the strategy's JSON file: its steps, background, and the game."""
        tiers: list[dict[str, Any]] = []
        for tier in self.tiers:
            tiers += [_acts(tier)] if isinstance(tier, tuple) else _preferences(tier)
        background = self.background.split("\n") if self.background else []
        return {
            "schema": SCHEMA,
            "kind": self.kind,
            "game": self.game.name,
            "background": background,
            "strategy": tiers,
            "rules": self.game.book.text,
        }


def read_learned(source: Source, game: RuledGame) -> LearnedAnswer:
    """Read a learned strategy of ``game`` from its JSON file.
    :class:`~icgsynth.errors.InputError`, with the place, for another shape."""
    top = answer_in(source)
    top.need("kind", '"learned", as learn GAME -o FILE.json writes it').one_of(("learned",))
    background = "\n".join(top.every("background", Located.string))

    def tier(place: Located) -> Hypothesis | tuple[BestDo, ...]:
        if place.get("prefer") is not None:
            return Hypothesis(place.every("prefer", read_constraint), background)
        return tuple(map(_best_do, place.need("act", '[...], or "prefer": [...]').list()))

    tiers = top.need("strategy", '[{"prefer": [...]}]').list()
    return LearnedAnswer(game, tuple(map(tier, tiers)), background)


def read_constraint(place: Located) -> Constraint:
    """Parse a weak constraint from JSON; :class:`~icgsynth.errors.InputError` for another shape."""
    body = tuple(map(_literal, place.need("body", '["next(free(C))"]').list()))
    parity = place.get("parity")
    group = None if parity is None else parity.find("group", _variable, None)
    bound = {v for li in body if li.positive for v in variables_of(li.atom)}
    used = {v for li in body for v in variables_of(li.atom)} | ({group} if group else set())
    if loose := sorted(v.name for v in used - bound):
        raise place.error(
            f"no positive literal of the body has {loose[0]}", "add one, as next(free(C))"
        )
    if not body:
        raise place.error("a body without a literal", "add one, as next(free(C))")
    weight, level = (place.need(key, "1").within(-_MOST, _MOST) for key in ("weight", "level"))
    return Constraint(body, weight, level, parity is not None, group)


def _literal(place: Located) -> BodyLiteral:
    return BodyLiteral(_term(place, "not "), not place.string().startswith("not "))


def _best_do(place: Located) -> BestDo:
    role, action = place.need("role", '"x"'), place.need("action", '"mark(1,1)"')
    distinct = place.every("distinct", lambda group: tuple(map(_variable, group.list())))
    return BestDo(_term(role), _term(action), place.every("if", _term), distinct)


def _variable(place: Located) -> Var:
    return Var(place.string())


def _term(place: Located, prefix: str = "") -> Term:
    text = place.string().removeprefix(prefix)
    try:
        return read_term(text)
    except InputError as error:
        raise place.error(error.message, error.mend) from None


def _preferences(hypothesis: Hypothesis) -> list[dict[str, Any]]:
    return [
        {"prefer": [c.to_json() for c in hypothesis.constraints if c.level == level]}
        for level in hypothesis.levels
    ]


def _acts(rules: tuple[BestDo, ...]) -> dict[str, Any]:
    return {
        "act": [
            {
                "role": format_term(rule.role),
                "action": format_term(rule.action),
                "if": [format_term(fact) for fact in rule.facts],
                "distinct": [[v.name for v in group] for group in rule.distinct],
            }
            for rule in rules
        ]
    }


def program_of(answer: LearnedAnswer) -> str:
    """Return a clingo program of game, position and strategy, which prints the best move.  Replace
    the ``true`` facts at its end to ask for another position."""
    board = answer.game.board
    lines = [playing_program(answer), "% --- the position"]
    lines += [f"true({board.facts[i]})." for i in bits_of(board.initial)]
    return "\n".join([*lines, "", "#show does/2."]) + "\n"


def playing_program(answer: LearnedAnswer) -> str:
    """Return a clingo program of game and strategy, which ``true`` facts of a position complete.
    CannotExpress for a game in KIF."""
    name, book = answer.game.name, answer.game.book
    if not isinstance(book, Encoding):
        raise CannotExpress(f"{name}: a program needs a game in clingo's language (.lp)")
    lines = [f"% {name}: one step of the game, a strategy, and a position.", ""]
    lines += [statement.text for statement in book.statements]
    lines += ["1 { does(R,A) : legal(R,A) } 1 :- legal(_,_).", ""]
    if (hypothesis := answer.hypothesis) is not None:
        lines += ["% --- background of the strategy", hypothesis.background, ""]
        lines += ["% --- the strategy: clingo minimises the highest level first"]
        lines += [hypothesis.asp(), ""]
    if answer.rules:
        lines += ["% --- the strategy: where a rule knows the state, it gives the move"]
        lines += [written_rules(answer.rules), ""]
    return "\n".join(lines)


def frugal_text(hypothesis: Hypothesis) -> str:
    """Return a hypothesis with one constraint a level as a list of cues, in words.
    :class:`~icgsynth.errors.CannotExpress` where a level has more than one constraint."""
    if len(hypothesis.levels) != len(hypothesis.constraints):
        raise CannotExpress("a level has more than one constraint: it is no list of cues")
    lines = [f"% {line}" for line in hypothesis.background.split("\n") if line.strip()]
    lines += [
        "% From the top: look at the cue for every move still open, keep the moves of which it",
        "% holds most (or least) often, and stop as soon as one move is left.",
    ]
    for number, constraint in enumerate(hypothesis.constraints, start=1):
        body = " and ".join(map(str, constraint.body))
        if constraint.parity:
            by = f" for each {constraint.group.name}" if constraint.group else ""
            body = f"an odd number of ({body}){by}"
        way = "most" if constraint.weight < 0 else "least"
        lines.append(f"{number}. keep the moves where {body} holds {way}; one left: play it")
    return (
        "\n".join([*lines, f"{len(hypothesis.constraints) + 1}. play any move that is left"]) + "\n"
    )
