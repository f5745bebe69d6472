"""Read a solution file (JSON), also one edited by hand, into a :class:`Solution`.

Needed are ``rule`` and a ``winning`` or ``losing`` formula; unknown keys are skipped.  Errors
point into the JSON file.  Nothing is proved: the claims of the file are read as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration
from icgsynth.errors import InputError
from icgsynth.game.answers import SCHEMA, BoxCheck, FarCheck, Verdict
from icgsynth.game.drawn import DrawnStates
from icgsynth.game.game import Action, ParametricGame, PlayRule, State
from icgsynth.game.line import Line
from icgsynth.game.repeated import steps_of_multiples
from icgsynth.game.run_rule import RunRule
from icgsynth.game.solution import LOSING_SET, PARTS, Claim, Exclusion, Solution, Status
from icgsynth.game.strategy import PRIME, Rule, SemiGroundAction, Strategy, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.build import negation
from icgsynth.spec import catalog
from icgsynth.spec.icg import parse, parse_formula, parse_term
from icgsynth.spec.json_text import Located, read_json
from icgsynth.spec.solution_parts import (
    chosen_answer,
    losing_set,
    read_automaton,
    require_block,
    rule_of,
    system_of,
)
from icgsynth.spec.source import MAX_DIGITS, Source

_T = TypeVar("_T")
_STATUSES: tuple[Status, ...] = ("solved", "conditional", "unknown")


def read_solution(
    source: Source, game: ParametricGame | None = None, rule: PlayRule | None = None
) -> Solution:
    """Read the solution in ``source``, for ``game`` or, if None, the game that the file names.

    ``rule`` chooses from a list of two; for one solution it must not contradict the file.
    Raises :class:`InputError` with the place and advice.
    """
    entry = chosen_answer(read_json(source), rule)
    try:
        return _read(entry, game, rule)
    except InputError as error:
        named = entry.get("game")
        if game is None or named is None or named.value == game.name:
            raise
        message = f"the file answers {named.value}, and does not fit {game.name}: {error.message}"
        mend = f"icgsynth verify {named.value} {source.name}"
        raise named.error(message, mend) from None


def _read(entry: Located, game: ParametricGame | None, rule: PlayRule | None) -> Solution:
    if (schema := entry.get("schema")) is not None:
        schema.one_of((SCHEMA,))
    kind = entry.get("kind")
    if kind is not None and kind.string() != "strategy":
        raise kind.error(f"a {kind.value} where a solution belongs", "give what solve -o writes")
    if game is None:
        # A file with quantified rules has them under "written", without quantifiers as "rules".
        written = entry.find("written", _read_embedded, None)
        game = own_game(entry, blocking=True)
    else:
        require_same(entry, game)
        written = None
    require_block(entry, game)
    automaton = losing_set(entry, game)
    sets = entry.by_name("sets", read_automaton)
    if automaton is not None:
        sets = {LOSING_SET: automaton} | sets
    reader = RuleReader(game, system_of(entry, automaton), sets)
    winning, losing = reader.claims(entry)
    strategy, draws = _strategy(entry, reader)
    return Solution(
        game=game,
        rule=rule_of(entry, rule),
        status=entry.find("status", lambda status: status.one_of(_STATUSES), "unknown"),
        winning=winning,
        losing=losing,
        cover=entry.every("cover", reader.formula),
        strategy=strategy,
        tree=Strategy(entry.every("fft", reader.rule)),
        proof={part: place.one_of(Verdict) for part, place in _parts(entry, "proof")},
        confirmed={part: place.strings() for part, place in _parts(entry, "confirmed")},
        explicit=entry.find("explicit", read_explicit, None),
        seconds=entry.by_name("seconds", Located.number),
        logic=entry.find("logic", Located.string, "lia"),
        excluded=entry.find("excluded", _read_exclusion, None),
        ranking=entry.every("ranking", reader.component),
        losing_states=entry.every("losing_states", reader.state),
        cycle=entry.every("cycle", reader.state),
        notes=entry.every("notes", Located.string),
        automaton=automaton,
        written=written,
        draws=draws,
    )


def _strategy(
    entry: Located, reader: RuleReader
) -> tuple[Strategy[Rule | TargetRule], DrawnStates | None]:
    """Return the winning rules of ``entry``, and its drawn states with their rules, or None."""
    drawn, wins, keeps = reader.claim(entry, "drawn"), list[Rule | TargetRule](), list[Rule]()
    for place in entry.items("strategy"):
        if (mark := place.get("keeps")) is None:
            wins.append(reader.tier(place))
            continue
        mark.one_of(("draw",))
        if drawn is None:
            raise mark.error("the file names no drawn states", 'add "drawn": {"formula": "..."}')
        keeps.append(reader.rule(place))
    if drawn is None:
        return Strategy(tuple(wins)), None
    for key in ("winning", "losing"):
        entry.need(key, '{"formula": "..."}')
    levels = entry.every("levels", reader.formula)
    rank = entry.find("rank", reader.component, None)
    if rank is not None and levels:
        message = "both a rank and levels say how long a win takes"
        raise entry.need("rank", '"a + b"').error(message, "leave one out")
    keeping, minimal, most = Strategy(tuple(keeps)), drawn.minimal, drawn.constants_up_to
    draws = DrawnStates(drawn.formula, levels, keeping, rank, minimal, most)
    return Strategy(tuple(wins)), draws


def file_constants(source: Source | Located, rule: PlayRule | None = None) -> dict[str, int]:
    """Return the constants of the answer in ``source``; ``rule`` chooses one of two answers."""
    return _constants(chosen_answer(read_json(source), rule))


# --- which solution, which game ------------------------------------------------------


def own_game(entry: Located, blocking: bool = False) -> ParametricGame:
    """Return the game of an answer ``entry``, from its rules, else its name in the catalog.

    Raises InputError where neither is there, and for a blocking game unless ``blocking`` is True.
    """
    if (rules := entry.get("rules")) is not None:
        game = _read_embedded(rules, blocking)
        require_same(entry, game)
        for name, place in entry.members("constants").items():
            if name not in dict(game.constants):
                message = f"the rules in the file have no constant '{name}'"
                raise place.error(message, f"add 'const {name} = {place.value}' to them")
        return game
    constants = _constants(entry)
    named = entry.get("game")
    path = catalog.find(named.string()) if named is not None else None
    if named is None or path is None:
        lacking = "the file has no rules, and its game is none of the catalog"
        message = "the file does not say of which game" if named is None else lacking
        raise (named or entry).error(message, "give the rules with --spec, or add them as 'rules'")
    try:
        return parse(Source.read(path)).game(constants, blocking)
    except InputError as error:
        raise (entry.get("constants") or named).error(error.message, error.mend) from None


def _read_embedded(rules: Located, blocking: bool = False) -> ParametricGame:
    """Return the game with the text of ``rules``; ``blocking``: the rules may have 'block'."""
    text = rules.string()
    return inside(rules, lambda: parse(Source(rules.source.name, text)).game({}, blocking))


def require_same(entry: Located, game: ParametricGame) -> None:
    """Raise InputError where variables or constants in ``entry`` differ from those of ``game``."""
    if (place := entry.get("variables")) is not None:
        named = place.strings()
        if sorted(named) != sorted(game.variables):
            message = f"the solution speaks of {', '.join(named) or 'no variable'}"
            mend = f"the variables of {game.name} are: {', '.join(game.variables)}"
            raise place.error(message, mend)
    ours = dict(game.constants)
    for name, place in entry.members("constants").items():
        number = place.integer()
        if name in ours and ours[name] != number:
            message = f"the solution is for {name} = {number}, the game has {name} = {ours[name]}"
            raise place.error(message, f"read the game with {name} = {number}, or correct the file")


def _constants(entry: Located) -> dict[str, int]:
    return entry.by_name("constants", Located.integer)


# --- claims about the proof ------------------------------------------------------------------


def _parts(entry: Located, key: str) -> Iterator[tuple[str, Located]]:
    for part, place in entry.members(key).items():
        if part not in PARTS:
            raise place.error(f"no such part of a proof: '{part}'", f"one of: {', '.join(PARTS)}")
        yield part, place


def read_explicit(place: Located) -> BoxCheck:
    keys = ("bound", "states", "disagreements")
    bound, states, wrong = (place.need(key, "0").integer() for key in keys)
    return BoxCheck(bound, states, wrong, place.find("far", _read_far, None))


def _read_far(place: Located) -> FarCheck:
    """Read the check of far states in ``place``, whose bound is text: "10^n", or up to 7 digits."""
    reach = place.need("up_to", '"10^30"')
    found = re.fullmatch(r"(10\^)?([0-9]{1,7})", reach.string())
    number = 0 if found is None else int(found[2])
    if found is None or (found[1] and number >= MAX_DIGITS):
        raise reach.error("no number up to a million, and no power of ten", 'write "10^30"')
    states, wrong = (place.need(key, "0").integer() for key in ("states", "disagreements"))
    return FarCheck(states, 10**number if found[1] else number, wrong)


def _read_exclusion(place: Located) -> Exclusion:
    return Exclusion(*(place.need(key, "0").integer() for key in ("size", "constants_up_to")))


# --- formulas and rules over the game's variables -------------------------------------------


class RuleReader:
    """Reads formulas, terms and strategy rules over the variables and actions of one game.

    Formulas may have functions of digits in ``system``, and name the ``sets``.
    """

    def __init__(
        self, game: ParametricGame, system: Numeration | None, sets: Mapping[str, Automaton]
    ) -> None:
        self.game = game
        self.constants: tuple[str, ...] = ()  # variables that may stand in divisors
        self.system = system
        self.sets = sets
        self.actions = {action.name: action for action in game.actions}

    def claims(self, entry: Located) -> tuple[Claim, Claim]:
        """Return the winning and losing formula; a missing one is the negation of the other."""
        winning, losing = self.claim(entry, "winning"), self.claim(entry, "losing")
        if winning is not None:
            return winning, losing if losing is not None else Claim(negation(winning.formula))
        if losing is not None:
            return Claim(negation(losing.formula)), losing
        mend = 'solve it with a longer --timeout, or add "winning": {"formula": "..."}'
        if entry.get("table") is not None:
            mend = "it lists the lost states alone: 'icgsynth solve' plays them out again"
        raise entry.error("neither a winning nor a losing formula", mend)

    def claim(self, entry: Located, key: str) -> Claim | None:
        """Return the formula under ``key`` with its claim to be minimal; None if it is missing."""
        place = entry.get(key)
        if place is None:
            return None
        if isinstance(place.value, str):
            return Claim(self.formula(place))
        return Claim(
            self.formula(place.need("formula", '"..."')),
            place.find("minimal", Located.boolean, False),
            place.find("constants_up_to", Located.integer, 0),
        )

    def formula(self, place: Located) -> t.Formula:
        given = (place.string(), self.game.variables, place.source.name, self.system, self.sets)
        return inside(place, lambda: parse_formula(*given, constants=self.constants))

    def _term(self, place: Located) -> t.Term:
        if isinstance(place.value, int) and not isinstance(place.value, bool):
            return t.Int(place.value)
        given = (place.string(), self.game.variables, place.source.name, self.system, self.sets)
        return inside(place, lambda: parse_term(*given, constants=self.constants))

    def component(self, place: Located) -> t.Term:
        """Read a term of the ranking, which decreases with moves, over the game's variables."""
        return inside(place, lambda: parse_term(place.string(), self.game.variables))

    def tier(self, place: Located) -> Rule | TargetRule:
        """Return the rule in ``place``: plain, or with an automaton under "to" or "while"."""
        if place.get("while") is not None:
            return self._run_rule(place)
        return self.rule(place) if place.get("to") is None else self._target_rule(place)

    def rule(self, place: Located) -> Rule:
        """Read a rule ``{"when": formula, "action": name, "args": {parameter: term}}``."""
        action = self._action(place)
        arguments = self._arguments(place, action)
        return Rule(self._condition(place), SemiGroundAction(action.name, arguments))

    def _run_rule(self, place: Located) -> RunRule:
        """Read ``{"when": formula, "action": name, "while": automaton}``.

        The rule repeats the step of the action while the automaton accepts the state.
        """
        action, given = self._action(place), place.need("while", "{...}")
        steps, target = steps_of_multiples(self.game), read_automaton(given)
        if action.name not in steps:
            mend = f"the actions that repeat a step: {', '.join(steps) or 'none'}"
            raise given.error(f"{action.name} does not repeat a step", mend)
        if sorted(target.tracks) != sorted(self.game.variables):
            mend = f"the tracks are {', '.join(self.game.variables)}"
            raise given.error("the automaton does not read the states", mend)
        step = steps[action.name].effects
        return RunRule(self._condition(place), action.name, target, step=step)

    def _target_rule(self, place: Located) -> TargetRule:
        """Read ``{"when": formula, "action": name, "to": automaton}``, where "line" is optional.

        The automaton accepts the states that the move leads to.
        """
        action, to = self._action(place), place.need("to", "{...}")
        target = read_automaton(to)
        if (line := place.get("line")) is not None:
            return self._along(place, action, target, line)
        tracks = to.need("tracks", "[...]").list()
        changed = [name for name, _ in action.effects]
        mend = f"the tracks are variables of the game, and after {action.name}: "
        mend += ", ".join(name + PRIME for name in changed)
        for track in tracks:
            name = track.string()
            known = changed if name.endswith(PRIME) else self.game.variables
            if name.removesuffix(PRIME) not in known or target.tracks.count(name) > 1:
                raise track.error(f"no such track: '{name}'", mend)
        if not any(name.endswith(PRIME) for name in target.tracks):
            raise to.error("the automaton does not say where the move leads", mend)
        return TargetRule(self._condition(place), action.name, target)

    def _along(
        self, place: Located, action: Action, target: Automaton, given: Located
    ) -> TargetRule:
        """Return the rule for ``action`` whose key "line" is ``given``: ``{"track": "d", ..}``.

        The move decreases the line's linear term by an amount between the two integers under
        "falls"; the automaton ``target`` reads what is left.
        """
        track, gives = given.need("track", '"d"'), given.need("gives", '"a"')
        falls, takes = given.need("falls", "[0, 3]"), given.need("takes", "1").integer()
        changed = [name for name, _ in action.effects]
        if gives.string() not in changed:
            raise gives.error(f"{action.name} does not change it", f"one of {', '.join(changed)}")
        if track.string() in self.game.variables:
            raise track.error("a variable of the game", "another name for the value of the term")
        ends = falls.integers()
        if len(ends) != 2:
            raise falls.error("not two integers", "the least and the greatest fall")
        term = self._term(given.need("term", '"b - 2 * a"'))
        known = {name + PRIME for name in changed} | {track.string()}
        try:
            if not known.issuperset(target.tracks):
                raise ValueError(f"a track of the automaton is none of {', '.join(sorted(known))}")
            line = Line(track.string(), term, gives.string(), ends[0], ends[1], takes)
            return TargetRule(self._condition(place), action.name, target, line)
        except ValueError as error:
            raise given.error(
                str(error), "the tracks are the line's and a primed variable"
            ) from None

    def _action(self, place: Located) -> Action:
        known = ", ".join(self.actions)
        named = place.need("action", f"one of {known}")
        action = self.actions.get(named.string())
        if action is None:
            raise named.error("no such action", f"the actions are: {known}")
        return action

    def _condition(self, place: Located) -> t.Formula:
        return place.find("when", self.formula, t.TRUE)

    def _arguments(self, place: Located, action: Action) -> tuple[tuple[str, t.Term], ...]:
        key = "args" if place.get("arguments") is None else "arguments"
        given = place.members(key)
        mend = f"its parameters: {', '.join(action.parameters) or 'none'}"
        for name, argument in given.items():
            if name not in action.parameters:
                raise argument.error(f"{action.name} has no parameter '{name}'", mend)
        for name in action.parameters:
            if name not in given:
                where = place.get(key) or place
                raise where.error(f"{action.name} needs the argument '{name}'", mend)
        return tuple((name, self._term(given[name])) for name in action.parameters)

    def state(self, place: Located) -> State:
        state = place.integers()
        if len(state) != len(self.game.variables):
            count = len(self.game.variables)
            raise place.error(
                f"a state of {len(state)} integers", f"this game has {count} variables"
            )
        return state


def inside(place: Located, read: Callable[[], _T]) -> _T:
    """Return ``read()``; an InputError about the text in ``place`` gets its place in the file."""
    try:
        return read()
    except InputError as error:
        at = place.start
        if error.span is not None and isinstance(place.value, str):
            lines = place.value.replace("\r\n", "\n").split("\n")[: error.span.line - 1]
            at = place.offset(sum(len(line) + 1 for line in lines) + error.span.column - 1)
        raise type(error)(error.message, place.source.span(at), error.mend) from None
