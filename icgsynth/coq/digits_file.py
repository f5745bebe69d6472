"""Write a Coq file for an answer in digits: automata read who loses, or a state's value."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from itertools import takewhile
from math import inf

from icgsynth.budget import Budget
from icgsynth.claims.game import bound_components, ranking_of
from icgsynth.coq.answer_file import Stated, answer_file
from icgsynth.coq.claims import (
    Hints,
    MoveClaims,
    Offer,
    Try,
    alike_claims,
    graph_claims,
    play_claims,
)
from icgsynth.coq.digits_cones import cone_tries
from icgsynth.coq.digits_parts import Parts
from icgsynth.coq.digits_readers import Readers
from icgsynth.coq.digits_tracks import MoveUnknowns, Tracks
from icgsynth.coq.game_data import GameData
from icgsynth.coq.proofs import legal_state
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.dfa import DFA, nothing
from icgsynth.digits.numeration import numeration
from icgsynth.errors import CannotExpress, Refused
from icgsynth.export.sentences import in_prose, title
from icgsynth.game.beside_heap import fresh, names_in
from icgsynth.game.game import ParametricGame
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.repeated import steps_of_multiples
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.game.value_forms import is_term, power_of
from icgsynth.logic import term as t
from icgsynth.logic.build import (
    conjunction,
    disjunction,
    free_names,
    refuse_quantifiers,
    substitute,
    walk,
)
from icgsynth.prove.automata.cones import cones
from icgsynth.prove.automata.game_automata import Rules
from icgsynth.prove.deciders.smt import satisfy

_SECONDS = 60.0  # of processor time, for automata and states
_MOST_WORK = 50_000
"""Columns of digits times states of the automata of a rule, of which Coq goes through a small part
in some seconds.  The strategy is stated up to the first rule that has more."""

_MOST_CHOICES = 8
"""Choices between terms in a function, at most.  With 4 coqc takes a minute at most, with 12 more
than five.  A longer function is stated by the automaton that reads it."""

_LONG = """   The function that the answer prints has too many cases to be stated here: an
   automaton that reads the numbers says what each state is worth.
"""
_UNNAMED = """   It is proved that some move leads to each smaller value; the file does not say
   which move the answer names for it.
"""


def digits_file(solution: Solution, written: ParametricGame | None = None) -> str:
    """Return the Coq file on who wins, shown by automata; :class:`~icgsynth.errors.CannotExpress`
    if there is no proof. ``written`` are the rules as written where these have quantifiers."""
    answer, game, play = _Sides(solution), solution.game, solution.rule
    texts, hints = GameData(game), answer.hints()
    pairs = [*zip(answer.stated, answer.read, strict=True)]
    whens = zip(answer.rules, answer.read_rules, strict=True)
    pairs += [(rule.when, read.when) for rule, read in whens]
    tries = [("sought_by", game.variables, hints.sought)]
    if play == "misere":
        tries.append(("ready_by", game.variables, hints.ready))
    stated = Stated(
        title(solution),
        play,
        '"Won" and "Lost"',
        ("sides", f"{play}_answers", "alike_sides"),
        texts,
        [*texts.sides(*answer.stated, answer.rules, answer.is_whole)],
        [*texts.hints(legal_state(game), hints)],
        [*play_claims(game, play, answer.read, answer.read_rules, hints)],
        tries=tries,
        as_read=[*texts.as_read(*answer.read, answer.read_rules, answer.is_whole)],
        alike=[*alike_claims(game, pairs)],
        digits=answer.digits,
        note=_what_is_stated(answer),
    )
    return answer_file(stated, written)


def digits_value_file(answer: GrundyAnswer) -> str:
    """Return the Coq file on Grundy values; :class:`~icgsynth.errors.CannotExpress` where no
    automaton tells the values of ``answer``. Three facts make the values right
    (:mod:`icgsynth.game.beside_heap`): each state has one, no move keeps it, and some move reaches
    each smaller one."""
    game, value = answer.game, answer.value
    if value is None or power_of(value) or not (isinstance(value, Automaton) or is_term(value)):
        raise CannotExpress(f"no automaton tells the values of {game.name}: not for Coq yet")
    refuse_quantifiers(game.formulas(), "coq")
    _refuse_unstated(game)
    _refuse_negative_states(game)
    smaller, worth = answer.target, fresh("z", {*names_in(game), answer.target})
    system = numeration("base-2" if answer.logic == "lia" else answer.logic)
    readers = Readers(game, system, (smaller,))
    stated, note = None, _UNNAMED
    if isinstance(value, Automaton):
        found = DFA.of(value).renamed({value.tracks[-1]: smaller})
    else:
        said = t.compare(t.Name(smaller), "=", value)
        found = readers.compiler.formula(said)
        if sum(isinstance(node, t.If) for node in walk(said)) > _MOST_CHOICES:
            note = _LONG + note
        elif is_known(said, t.Not(said)):
            stated = substitute(said, {smaller: t.Name(worth)})
    values = found.over(readers.variables) & readers.compiler.formula(game.legal)
    read = readers.states("Values", values)
    graph = replace(read, terms=tuple(map(t.Name, (*game.variables, worth))))
    less = (t.compare(0, "<=", t.Name(smaller)), t.compare(t.Name(smaller), "<", t.Name(worth)))
    hints = Hints(
        [*bound_components(game, answer.ranking)],
        sought=[readers.show_try("Down", t.And((graph, *less)), values)],
    )
    has = Try(t.TRUE, (Offer((worth,), graph, SemiGroundAction(game.actions[0].name, ())),))
    texts, names = GameData(game), (worth, smaller)
    file = Stated(
        f"The Grundy function of {in_prose(game)}",
        "values",
        '"Value"',
        ("graph_answers",),
        texts,
        ["(* ---- The answer. ---- *)\n", *texts.graph("found", stated or graph, worth)],
        [*texts.hints(legal_state(game), hints, names)],
        [*graph_claims(game, graph, names, hints)],
        tries=[
            ("sought_by", (*game.variables, *names), hints.sought),
            ("values_by", game.variables, [has]),
        ],
        digits=readers.digits,
        note=note,
    )
    if stated is not None:
        file = replace(
            file,
            libraries=("graph_answers", "alike_graphs"),
            as_read=[*texts.graph("read", graph, worth)],
            alike=[*alike_claims(game, [(stated, graph)], (worth,))],
        )
    return answer_file(file, None)


def _refuse_unstated(game: ParametricGame) -> None:
    """Raise CannotExpress if ``game`` takes multiples of a variable, or speaks of digits."""
    if steps_of_multiples(game):
        raise CannotExpress(f"{game.name} takes multiples of a variable: not for Coq yet")
    if game.has_digits:
        raise CannotExpress(f"the rules of {game.name} speak of digits: not for Coq yet")


def _refuse_negative_states(game: ParametricGame) -> None:
    negative = disjunction(t.compare(t.Name(v), "<", 0) for v in game.variables)
    if satisfy((game.legal, negative), game.variables, Budget(inf, work=_SECONDS)).model:
        raise CannotExpress(
            f"states of {game.name} may be negative, and negative numbers have no digits"
        )


class _Sides(Readers):
    """Who wins and who loses, as formulas of the file and by automata, and the strategy."""

    def __init__(self, solution: Solution) -> None:
        _refuse_unstated(solution.game)
        super().__init__(solution.game, solution.one_system)
        self._is_misere, self._ranking = solution.rule == "misere", [*ranking_of(solution)]
        automaton, (winning, losing) = solution.automaton, solution.sides()
        found = self.compiler.formula(losing) if automaton is None else DFA.of(automaton)
        self._losing = found.over(self.variables) & self.compiler.formula(self.game.legal)
        # One automaton tells both sides: a legal state that it does not accept is won.
        lost = self.states("Losing", self._losing)
        self.read: tuple[t.Formula, t.Formula] = (t.Not(lost), lost)
        self.has_formula = is_known(winning, losing)
        # The file states the formulas where Coq can say them, and proves that the automaton agrees.
        self.stated = (winning, losing) if self.has_formula else self.read
        first = takewhile(_is_sayable, solution.strategy)
        rules = (rule for rule in first if isinstance(rule, Rule))
        self.rules = [*takewhile(lambda rule: self._is_cheap(rule, lost), rules)]
        self.is_whole = bool(self.rules) and len(self.rules) == len(solution.strategy)
        self.read_rules = [
            Rule(self.states(f"When_{i}", self.compiler.formula(rule.when)), rule.act)
            for i, rule in enumerate(self.rules, 1)
        ]

    def hints(self) -> Hints:
        """Return what helps Coq to find the proof: the ranking, and moves that no rule names."""
        winning, losing = self.read
        going, ready, still = list[t.Formula](), list[Try](), nothing(self.compiler.system, ())
        rules = Rules.of(self.game, self.compiler.system, self.compiler.budget)
        if self._is_misere:
            ready = [self.show_try("Onward", losing, moves=self._enough())]
            if self.is_whole:
                going = [losing, *(rule.when for rule in self.read_rules)]
            else:
                still = rules.ending().over(self.variables)
                going = [t.Not(self.states("Ended", still))]
        sought = (
            [] if self.is_whole else self._find_moves(rules, conjunction((winning, *going)), still)
        )
        return Hints(self._ranking, going=going, ready=ready, sought=sought)

    def _find_moves(self, rules: Rules, open_: t.Formula, still: DFA) -> list[Try]:
        """Return claims that each winning state has a move to a losing one, for the states
        ``open_``, in which no rule of the file has one; ``still`` are states without any move."""
        left = rules.legal - self._losing - still.over(self.variables)
        for rule in self.rules:
            # These states have the move of their rule: what is left needs another way to a lost
            # state.
            left = left - self.compiler.formula(rule.when)
        tries = cone_tries(self, rules, self._losing, left)
        return tries or [self.show_try("Into", open_, self._losing)]

    def _is_cheap(self, rule: Rule, lost: t.Recognised) -> bool:
        """Return whether the automata for ``rule``, and for ``lost`` after it, are small in Coq."""
        digits, states = self.compiler.system.digits, len(self.compiler.formula(rule.when))
        when, after = (Tracks(Parts(), self.variables) for _ in range(2))
        when.form([rule.when])
        after.form([MoveClaims(self.game).after(lost, rule.act)])
        work = digits ** len(when), digits ** len(after) * len(self._losing)
        return bool(max(work) * states <= _MOST_WORK)

    def _enough(self) -> list[MoveUnknowns]:
        """Return moves of which one applies in each losing state: without cones if those do."""
        plain = [move for move in self.moves if cones(self.game, move.action) is None]
        empty = nothing(self.compiler.system, tuple(sorted(self.variables)))
        found = (self.relation(move, None).without(move.values) for move in plain)
        # Losing states in which no action without cones applies.
        stuck = self._losing - reduce(lambda a, b: a | b, found, empty)
        return plain if stuck.is_empty else self.moves


def _what_is_stated(answer: _Sides) -> str:
    """Return lines of the opening comment on what the theorem does not say of ``answer``."""
    lines = []
    if not answer.has_formula:
        lines.append("An automaton that reads the numbers says who loses: no formula is stated.")
    if not answer.is_whole:
        lines.append("Where no rule of the strategy applies, some move leads to a lost state; the")
        lines.append("file does not say which move the answer names there.")
    return "".join(f"   {line}\n" for line in lines)


def is_known(*formulas: t.Formula) -> bool:
    """Return whether Coq can state ``formulas`` without automata of the file's own."""
    if any(isinstance(node, t.Recognised) for f in formulas for node in walk(f)):
        return False
    tracks = Tracks(Parts(), tuple({n: 0 for f in formulas for n in sorted(free_names(f))}))
    try:
        for formula in formulas:
            tracks.format_formula(formula)
    except Refused:
        return False
    return True


def _is_sayable(step: object) -> bool:
    """Return whether ``step`` is a rule whose condition and arguments Coq can state."""
    if not isinstance(step, Rule):
        return False
    return is_known(step.when, *(t.compare(0, "=", term) for _, term in step.act.arguments))
