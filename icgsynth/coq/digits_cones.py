"""Find moves to lost states in a game with cones (actions that take from two variables).

The relation of a cone has four numbers, and its automaton is too large for Coq.  But the moves
next to a bound of the cone follow a line, and a few others are known.  The states with such a move
have an automaton of their own, and so have those with a move of another action.

The term of a line is known before a move, and falls in few ways.  After it, an automaton reads the
line's number and guesses what becomes of another variable.  So no check has more than three
numbers and one that follows from them."""

from __future__ import annotations

from collections.abc import Mapping

from icgsynth.coq.claims import Cut, Offer, Path, Try
from icgsynth.coq.digits_readers import Readers
from icgsynth.coq.digits_tracks import MoveUnknowns
from icgsynth.digits.dfa import DFA
from icgsynth.game.line import Line
from icgsynth.game.strategy import PRIME, Rule, SemiGroundAction, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.build import free_names
from icgsynth.logic.simplify import simplified_term
from icgsynth.prove.automata.cones import cones, taken_from
from icgsynth.prove.automata.game_automata import Rules
from icgsynth.synth.digits.targets import cone_pairs

# No names of a game: the number of a line, and a variable before and after a move.
_NUMBER, _BEFORE, _AFTER = "y'line", "y'before", "y'after"


def cone_tries(readers: Readers, rules: Rules, losing: DFA, open_: DFA) -> list[Try]:
    """Return claims that each state of ``open_`` has a move into ``losing``, for a game with cones
    (actions that take from two variables). [] where there are none, or moves are missing."""
    plain = [move for move in readers.moves if cones(readers.game, move.action) is None]
    if len(plain) == len(readers.moves):
        return []
    found = _ConeTries(readers, losing, open_)
    for move in filter(_is_told, plain):
        found.by_action(move)
    steps = cone_pairs(rules, losing, found.left)
    # Single moves first: what they win needs no automaton of a line.
    for step in sorted(steps, key=lambda step: isinstance(step, TargetRule)):
        if isinstance(step, Rule):
            found.by_rule(step, rules.states_where(step.when))
        else:
            found.along(step)
    return found.tries if found.left.is_empty else []


def _value_after(line: Line, fall: int) -> t.Term:
    """Return as a term the number of ``line`` after a move by which it falls by ``fall``."""
    return simplified_term(t.Sum((line.term, t.Int(-fall))))


class _Tables:
    """The automata of a line: of pairs after a winning move, whole moves, and pairs before a move.
    Their numbers are the line's, then ``other``'s before the move and after it."""

    def __init__(self, readers: Readers, label: str, line: Line, other: str) -> None:
        self.line, self.other = line, other
        self._readers, self._label, self._found = readers, label, dict[str, t.Recognised]()

    def add(self, word: str, dfa: DFA) -> None:
        """Add ``dfa`` to the file as ``word``. Its tracks, in turn, if it has them: the number of
        the line, and the other variable before and after the move."""
        tracks = tuple(n for n in (_NUMBER, _BEFORE, _AFTER) if n in dfa.tracks)
        self._found[word] = self._readers.reader(f"{self._label}_{word}", dfa, tracks)

    def reads(self, word: str, *terms: t.Term) -> t.Recognised:
        """Return the formula that the automaton ``word`` accepts the numbers ``terms``."""
        found = self._found[word]
        return t.Recognised(found.automaton, terms, found.name)


class _ConeTries:
    """The claims found so far (``tries``), and the states ``left`` that still need a move."""

    def __init__(self, readers: Readers, losing: DFA, open_: DFA) -> None:
        self._readers, self._losing = readers, losing
        self.left, self.tries, self._lines = open_, list[Try](), 0

    def _open(self, where: DFA) -> t.Recognised | None:
        """Take the states in ``where`` out of those left; return the formula that a state is one of
        them, or None if none is."""
        here = where.over(self._readers.variables) & self.left
        if here.is_empty:
            return None
        self.left = self.left - here
        return self._readers.states(f"Cone_{len(self.tries) + 1}", here)

    def by_action(self, move: MoveUnknowns) -> None:
        """Add the claim that a move by ``move``'s action wins, for states left where one does."""
        where = self._readers.relation(move, self._losing).without(tuple(move.values))
        if here := self._open(where):
            tried = self._readers.show_try(f"{here.name}_by", here, self._losing, [move])
            self.tries.append(tried)

    def by_rule(self, rule: Rule, where: DFA) -> None:
        """Add the claim that ``rule``'s move wins in those states left that are in ``where``."""
        if here := self._open(where):
            self.tries.append(Try(here, (Offer((), here, rule.act),)))

    def along(self, step: TargetRule) -> None:
        """Add claims that a move of the rule ``step`` wins, one for each number by which its line,
        a term over two variables, may fall."""
        assert step.line is not None
        line, other, compiler = step.line, step.changed[0], self._readers.compiler
        aims = DFA.of(step.target).renamed({line.track: _NUMBER, other + PRIME: _AFTER})
        taken = t.Sum((t.Name(_BEFORE), t.Neg(t.Name(_AFTER))))
        moves = aims & compiler.formula(t.compare(taken, ">=", line.takes))
        # The pairs from which some move along the line wins: the number after it exists.
        begins = moves.over((_NUMBER, _BEFORE, _AFTER)).without((_AFTER,))
        self._lines += 1
        tables = _Tables(self._readers, f"Line_{self._lines}", line, other)
        for word, dfa in (("aims", aims), ("moves", moves), ("begins", begins)):
            tables.add(word, dfa)
        # One try for each number that the line may fall by: together they are all moves along it.
        for fall in range(line.least, line.most + 1):
            said = compiler.formula(t.compare(t.Name(_NUMBER), "=", _value_after(line, fall)))
            where = (begins.renamed({_BEFORE: other}) & said).without((_NUMBER,))
            if here := self._open(where):
                self.tries.append(self._on_line(here, step, fall, tables))

    def _on_line(self, here: t.Recognised, step: TargetRule, fall: int, tables: _Tables) -> Try:
        """Return the claim that in the states ``here`` a move of ``step`` wins, its line's term
        falling by ``fall``; with formulas on the way to it. ``tables`` are the line's automata."""
        line, before, then = tables.line, t.Name(tables.other), t.Name(_AFTER)
        number = _value_after(line, fall)
        # The line is linear: its number and one variable after the move give the other variable.
        given = line.solve(number, {tables.other: then})
        natural, begins = t.compare(0, "<=", number), tables.reads("begins", number, before)
        moves = tables.reads("moves", number, before, then)
        aims = tables.reads("aims", number, then)
        enough = t.compare(t.Sum((before, t.Neg(then))), ">=", line.takes)
        legal_then = t.compare(0, "<=", given)
        path = Path(
            (
                Cut(natural, (here,), is_along=False),
                Cut(aims, (natural, moves)),
                Cut(enough, (natural, moves)),
                Cut(legal_then, (natural, aims)),
            ),
            (natural, aims, legal_then),
            {line.gives: line.solve(t.Sum((t.Name(_NUMBER), t.Int(fall))), {})},
            {_NUMBER: number},
        )
        act = self._act(step, {tables.other: then, line.gives: given})
        return Try(here, (Offer((_AFTER,), moves, act, path),), (natural, begins), path)

    def _act(self, step: TargetRule, after: Mapping[str, t.Term]) -> SemiGroundAction:
        """Return the move of ``step``'s action that gives the variables the values ``after``."""
        game = self._readers.game
        action = next(action for action in game.actions if action.name == step.action)
        taken = {
            p: simplified_term(t.Sum((t.Name(v), t.Neg(after[v]))))
            for p, v in taken_from(game, action)
        }
        return SemiGroundAction(action.name, tuple((p, taken[p]) for p in action.parameters))


def _is_told(move: MoveUnknowns) -> bool:
    """Return whether ``move``'s parameters follow from the numbers of the state after it."""
    names = {n for term in move.parameters.values() for n in free_names(term)}
    return not names & ({*move.values} - {*move.after})
