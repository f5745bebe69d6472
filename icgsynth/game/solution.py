"""Solutions of impartial games: winning formula, cover, strategy, and what is proved.

A :class:`Solution` is frozen and prints well; its JSON form is the contract with other
programs (docs, *The solution file*).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration, base
from icgsynth.errors import InputError, Refused
from icgsynth.game.answers import (
    SCHEMA,
    SHOWN,
    BoxCheck,
    Drawing,
    Kind,
    Shown,
    Verdict,
    Verification,
    warnings_on,
)
from icgsynth.game.game import (
    GivenState,
    ParametricGame,
    PlainMove,
    PlayRule,
    State,
    without_blocking,
)
from icgsynth.game.strategy import IntoLosing, Kept, Rule, Strategy, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.build import Rewriting, negation, size, walk
from icgsynth.logic.evaluate import satisfies

if TYPE_CHECKING:
    from icgsynth.game.drawn import DrawnStates

READABLE = 12  # leaves and connectives of a formula that is told as it stands, not by cases
LOSING_SET = "L"  # what formulas call the set of Solution.automaton
Status: TypeAlias = Literal["solved", "conditional", "unknown"]

_BEYOND = "export to python, html, fft, latex, dot, walnut, coq or json instead"

PARTS = ("closure", "ending", "termination", "winning", "strategy", "drawn")


@dataclass(frozen=True, slots=True)
class Claim:
    """A formula for a set of states.  ``minimal`` is true only if every smaller formula of the
    documented grammar, with integers and moduli up to ``constants_up_to``, is excluded."""

    formula: t.Formula
    minimal: bool = False
    constants_up_to: int = 0

    def __repr__(self) -> str:
        return f"<Claim {self.formula}>"

    @property
    def size(self) -> int:
        return size(self.formula)


@dataclass(frozen=True, slots=True)
class Exclusion:
    """An exclusion: no formula of at most ``size``, constants up to ``constants_up_to``, fits."""

    size: int
    constants_up_to: int


@dataclass(frozen=True, repr=False)
class Solution(Shown):
    """The answer for one game under one rule; parts that are not known are None or empty.

    ``logic`` is "lia", or the name of the numeration system in which ``automaton`` recognises
    the losing states; its tracks are the variables of the game, in their order.  Formulas
    call its set :data:`LOSING_SET`.  A search is ``exhausted`` where it tried all it knows in
    vain, and had time left.  Where ``game`` had to be freed of quantifiers, ``written`` has the
    rules as they were written.  Where play may never end, an answer has ``draws``: then a state
    that is not winning need not be losing.
    """

    kind: ClassVar[Kind] = "strategy"
    game: ParametricGame
    rule: PlayRule
    status: Status
    winning: Claim | None = None
    losing: Claim | None = None
    cover: tuple[t.Formula, ...] = ()
    strategy: Strategy[Rule | TargetRule] = field(default_factory=Strategy)
    tree: Strategy[Rule] = field(default_factory=Strategy)
    proof: Mapping[str, Verdict] = field(default_factory=dict)
    confirmed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    explicit: BoxCheck | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    logic: str = "lia"
    excluded: Exclusion | None = None
    ranking: tuple[t.Term, ...] = ()
    losing_states: tuple[State, ...] = ()
    cycle: tuple[State, ...] = ()
    notes: tuple[str, ...] = ()
    exhausted: bool = False
    automaton: Automaton | None = None
    written: ParametricGame | None = None
    draws: DrawnStates | None = None

    def __post_init__(self) -> None:
        if unknown := {*self.proof, *self.confirmed} - {*PARTS}:
            raise ValueError(f"no such parts of a proof: {', '.join(sorted(unknown))}")

    @property
    def needs_no_move(self) -> bool:
        """Return whether an empty strategy is proved, as no winning state has a move to make."""
        is_empty = not (self.strategy or self.tree)
        return is_empty and self.proof.get("strategy") is Verdict.PROVED

    @property
    def is_proved(self) -> bool:
        return self.status == "solved"

    def mapped(self, by: Rewriting) -> Solution:
        """Return the answer with the function ``by`` applied to its own formulas, not to the
        game."""
        return replace(
            self,
            winning=self.winning and replace(self.winning, formula=by(self.winning.formula)),
            losing=self.losing and replace(self.losing, formula=by(self.losing.formula)),
            cover=tuple(map(by, self.cover)),
            strategy=Strategy(tuple(rule.mapped(by) for rule in self.strategy)),
            tree=Strategy(tuple(rule.mapped(by) for rule in self.tree)),
            draws=self.draws and self.draws.mapped(by),
        )

    @property
    def plan(self) -> Strategy[Rule | TargetRule | IntoLosing]:
        """Return a strategy of all rules to play by: those of the tree, or else of the strategy;
        and then moves to losing states, or where play may never end moves that keep a draw."""
        if self.draws is not None:
            return Strategy((*self.strategy, *self.draws.keeping))
        known = self.winning is not None or self.losing is not None
        last = (IntoLosing(self.sides()[1]),) if known else ()
        return Strategy((*(self.tree or self.strategy), *last))

    def sides(self) -> tuple[t.Formula, t.Formula]:
        """Return the formulas (winning, losing); one that is missing is the other's negation.
        :class:`~icgsynth.errors.Refused` where neither is known, and
        :class:`~icgsynth.errors.InputError` where states may be drawn: two sides do not say it."""
        if self.draws is not None:
            message = f"{self.game.name} has states that are drawn, which this cannot say"
            raise InputError(message, mend="export to json or smt2 instead")
        if self.winning is not None:
            winning = self.winning.formula
            return winning, self.losing.formula if self.losing is not None else negation(winning)
        if self.losing is not None:
            return negation(self.losing.formula), self.losing.formula
        raise Refused(f"{self.game.name} has no winning formula yet: there is nothing to export")

    @property
    def outcomes(self) -> tuple[t.Formula, t.Formula, t.Formula]:
        """Return the formulas of winning, losing and drawn states; Refused if they are unknown."""
        return (*self.sides(), t.FALSE) if self.draws is None else self.three_sides()

    @property
    def winning_formula(self) -> t.Formula:
        """Return the formula of the winning states, not the negation of another; Refused without
        one."""
        return self._require_formula(self.winning, "winning")

    @property
    def losing_formula(self) -> t.Formula:
        """Return the formula of the losing states, not the negation of another; Refused without
        one."""
        return self._require_formula(self.losing, "losing")

    def _require_formula(self, claim: Claim | None, side: str) -> t.Formula:
        if claim is None:
            raise Refused(f"the answer for {self.game.name} has no {side} formula")
        return claim.formula

    def three_sides(self) -> tuple[t.Formula, t.Formula, t.Formula]:
        """Return the formulas (winning, losing, drawn) of an answer where play may never end;
        :class:`~icgsynth.errors.Refused` if it does not have all three."""
        return self.winning_formula, self.losing_formula, self.stated_draws.drawn

    @property
    def stated_draws(self) -> DrawnStates:
        """Return the drawn states with the rules and levels that go with them;
        :class:`~icgsynth.errors.Refused` where the answer has none."""
        if self.draws is None:
            raise Refused(f"the answer for {self.game.name} says nothing of drawn states")
        return self.draws

    @property
    def drawn(self) -> Claim | None:
        """Return the formula of the drawn states with what is known of its size; None in an answer
        without drawn states."""
        if self.draws is None:
            return None
        return Claim(self.draws.drawn, self.draws.minimal, self.draws.constants_up_to)

    def refuse_digits(self, target: str) -> None:
        """Raise InputError unless answer and rules are linear arithmetic, without digits and
        automata: the format ``target`` cannot say more."""
        if not self.is_linear:
            message = (
                f"the answer for {self.game.name} is beyond linear arithmetic, which is all that "
                f"{target} can say"
            )
            raise InputError(message, mend=_BEYOND)

    @property
    def is_linear(self) -> bool:
        """Return whether answer and rules are linear arithmetic, without digits and automata."""
        return next(self.systems(), None) is None

    def formulas(self) -> Iterator[t.Node]:
        """Yield every formula and term of the answer, not those of the game's rules."""
        yield from (claim.formula for claim in (self.winning, self.losing) if claim is not None)
        yield from self.cover
        if self.draws is not None:
            yield from (self.draws.drawn, self.draws.ranked, *self.draws.levels)
        for rule in (*self.strategy, *self.tree, *(self.draws.keeping if self.draws else ())):
            yield rule.when
            if isinstance(rule, Rule):
                yield from (term for _, term in rule.act.arguments)
            elif rule.line is not None:
                yield rule.line.term

    @property
    def sets(self) -> dict[str, Automaton]:
        """Return {name: automaton} for the sets that formulas of the answer speak of by name."""
        known = {} if self.automaton is None else {LOSING_SET: self.automaton}
        for formula in self.formulas():
            for node in walk(formula):
                if isinstance(node, t.Recognised):
                    known[node.name] = node.automaton
        return known

    def systems(self) -> Iterator[Numeration]:
        """Yield the numeration systems whose digits the answer or its rules use, with repeats."""
        return chain(self._own_systems(), self.game.systems)

    @property
    def one_system(self) -> Numeration:
        """Return the one numeration system whose digits the answer or its rules use, binary if
        there is none; Refused if there are several."""
        systems = set(self.systems()) or {base(2)}
        if len(systems) > 1:
            named = " and ".join(sorted(map(str, systems)))
            raise Refused(f"an answer has to keep to one numeration system, this one has {named}")
        return systems.pop()

    def _own_systems(self) -> Iterator[Numeration]:
        yield from (automaton.system for automaton in self.sets.values())
        for formula in self.formulas():
            yield from (node.system for node in walk(formula) if isinstance(node, t.Digital))
        yield from (r.target.system for r in self.strategy if isinstance(r, TargetRule))

    @property
    def is_still(self) -> bool:
        """Return whether no action ever applies: then, and only then, the constant 0 is the
        ranking, a term that every move lowers."""
        return self.ranking == (t.Int(0),)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return warnings on rules that may mean something else than their author thinks."""
        return warnings_on(self.proof)

    def to_json(self) -> dict[str, Any]:
        """Return the answer as the JSON of its file: plain dicts, lists, strings and numbers."""
        system = next(self._own_systems(), None)
        data: dict[str, Any] = {
            "schema": SCHEMA,
            "kind": self.kind,
            "game": self.game.name,
            "constants": dict(self.game.constants),
            "variables": list(self.game.variables),
            "rule": self.rule,
            "status": self.status,
            "logic": self.logic if self.logic != "lia" or system is None else str(system),
            "winning": _claim(self.winning),
            "losing": _claim(self.losing),
            "cover": [str(cell) for cell in self.cover],
            "strategy": [rule.to_json() for rule in self.strategy],
            "fft": [rule.to_json() for rule in self.tree],
            "proof": {part: str(verdict) for part, verdict in self.proof.items()},
            "confirmed": {part: list(by) for part, by in self.confirmed.items()},
            "explicit": None if self.explicit is None else self.explicit.to_json(),
            "seconds": {part: round(s, 4) for part, s in self.seconds.items()},
            "ranking": [str(component) for component in self.ranking],
            "rules": str(self.game),
        }
        if self.game.block:
            data["block"] = self.game.block
        if self.written is not None:
            data["written"] = str(self.written)
        if self.draws is not None:
            data |= {"drawn": _claim(self.drawn), **self.draws.keys_of_levels()}
            data["strategy"] += [r.to_json() | {"keeps": "draw"} for r in self.draws.keeping]
        data |= self._automata()
        if self.excluded is not None:
            data["excluded"] = asdict(self.excluded)
        if self.losing_states:
            data["losing_states"] = [list(state) for state in self.losing_states]
        if self.cycle:
            data["cycle"] = [list(state) for state in self.cycle]
        if self.notes:
            data["notes"] = list(self.notes)
        return data

    def _automata(self) -> dict[str, Any]:
        data: dict[str, Any] = {}
        sets = self.sets
        if self.automaton is not None:
            data["automaton"] = self.automaton.to_json()
            if sets[LOSING_SET] == self.automaton:
                del sets[LOSING_SET]
        if sets:
            data["sets"] = {name: automaton.to_json() for name, automaton in sets.items()}
        if (system := next(self._own_systems(), None)) is not None:
            data["numeration"] = system.to_json()
        return data

    @property
    def brief(self) -> str:
        losing = f"; losing: {self.losing.formula}" if self.losing is not None else ""
        if self.draws is not None:
            losing += f"; drawn: {self.draws.drawn}"
        shown = losing if len(losing) < 80 else ""
        return f"{self.game.name}, {self.rule} play: {self.status}{shown}"

    # --- one state, which may be of any size ----------------------------------------------------

    # The methods below trust the answer, proved or not (``is_proved``).  They raise InputError for
    # a state that is not legal, and Refused where the answer does not say.

    def is_winning(self, state: GivenState) -> bool:
        """Return whether the player to move wins in ``state``, as the answer says, proved or not;
        InputError if it is not legal, Refused where the answer does not say."""
        return self._holds(self.outcomes[0], self.game.legal_state(state))

    def is_drawn(self, state: GivenState) -> bool:
        """Return whether neither player can force a win in ``state``, as the answer says;
        InputError if it is not legal, Refused where the answer does not say."""
        return self._holds(self.outcomes[2], self.game.legal_state(state))

    def move(self, state: GivenState) -> PlainMove | None:
        """Return the move to make in ``state`` as (action, {parameter: value}); it keeps a draw
        in a drawn state.  None where the state is lost or play is over; InputError if it is not
        legal."""
        found = self._choose(self.game.legal_state(state))
        return None if found is None else found.move.plain

    def why(self, state: GivenState) -> str:
        """Return a sentence: who wins in ``state``, by which rule and move, and for which
        reason."""
        from icgsynth.game.moves import is_over

        here = self.game.legal_state(state)
        _, losing, drawn = self.outcomes
        said = self.game.show(here)
        if is_over(self.game, here):
            ends = ("lost", "loses") if self.rule == "normal" else ("won", "wins")
            said += f" is {ends[0]}: play is over, and who cannot move {ends[1]}"
        elif self._holds(losing, here):
            said += f" is lost{self._reason(losing, here)}: every move leads to a state that is won"
        elif (found := self._choose(here)) is not None:
            is_drawn = self._holds(drawn, here)
            now, then, why = ("drawn", "drawn too", drawn) if is_drawn else ("won", "lost", losing)
            by = "the losing states" if isinstance(found.tier, IntoLosing) else found.tier
            after = self.game.result(here, found.move)
            said += f" is {now}: by rule {found.number}, {by}, the move {found.move} leads to"
            said += f" {self.game.show(after)}, which is {then}{self._reason(why, after)}"
        return said + ("." if self.is_proved else " (this is not proved).")

    def _reason(self, formula: t.Formula, state: State) -> str:
        """Return ", for" and the first disjunct of ``formula`` that holds in ``state``; "" if
        ``formula`` is ``true``."""
        parts = formula.args if isinstance(formula, t.Or) else ()
        found = next((part for part in parts if self._holds(part, state)), formula)
        return "" if found == t.TRUE else f", for {found}"

    def _holds(self, formula: t.Formula, state: State) -> bool:
        return satisfies(formula, self.game.env(state))

    def _choose(self, state: State) -> Kept[Any] | None:
        """Return the rule of the plan that decides in ``state``, with its place and the moves it
        keeps; None where the state is lost or play is over.  Refused if no rule finds a move."""
        from icgsynth.game.moves import any_move

        game = without_blocking(self.game)
        if self._holds(self.outcomes[1], state):
            return None
        found = self.plan.choose(game, state)
        if found is None and any_move(game, state) is not None:
            raise Refused(f"no rule of the answer finds a move in {game.show(state)}")
        return found

    def verify(self, timeout: float = 60.0) -> Verification:
        """Return the result of proving or refuting the answer again from the rules as they were
        written, for ``timeout`` seconds."""
        return SHOWN["verify"](self, timeout)

    def table(self, bound: int = 20) -> Drawing:
        """Return a drawing of the states with coordinates up to ``bound`` that shows who wins,
        found by playing them out.  A state at the edge, with moves out of the box, is as a proved
        answer says."""
        return SHOWN["table"](self, bound)

    def __str__(self) -> str:
        return SHOWN["text"](self)

    def _repr_latex_(self) -> str:
        return "" if self.draws is not None else SHOWN["latex"](self)  # it says two sides

    def _repr_svg_(self) -> str | None:
        return SHOWN["svg"](self) or None


def _claim(claim: Claim | None) -> dict[str, Any] | None:
    if claim is None:
        return None
    return {
        "formula": str(claim.formula),
        "size": claim.size,
        "minimal": claim.minimal,
        "constants_up_to": claim.constants_up_to,
    }
