"""A peer: cvc5's SyGuS solver on the same obligations, the strategy as further unknowns.

Unknown are ``L``, the formula for the losing states, and for each action and parameter a term
over the state: where the player to move wins, some action with these terms applies and leads to
a losing state.  So no constraint has a quantifier but the outer one over states and parameters,
which is what SyGuS asks for.  Under misere it also has to be said where no action applies; that
formula is computed beforehand, by z3's quantifier elimination.

Of several encodings this one solved most: ``L`` and not its complement; one term an action,
without cases (``ite``) and with no index that says which action to take; and a grammar with atoms
``=``, ``>=`` and congruences for the moduli that are integers of the rules or sums of two of them.
cvc5's default grammar and its other ways of enumeration solved fewer.

What it does not do: prove that play ends.

``python -m experiments.sygus GAME RULE SECONDS [n=3 ...]`` prints one line of JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from importlib import import_module
from typing import Any

from experiments.peer import Found, run
from icgsynth.budget import Budget
from icgsynth.game.game import Action, ParametricGame, PlayRule
from icgsynth.logic.build import conjunction, disjunction
from icgsynth.logic.evaluate import Algebra, evaluate
from icgsynth.logic.term import (
    FALSE,
    TRUE,
    Compare,
    Formula,
    Int,
    Mod,
    Mul,
    Name,
    Neg,
    Not,
    Quantified,
    Sum,
    Term,
)
from icgsynth.prove.deciders.quantifiers import without_quantifiers

# By name, because they have no types, and only this experiment needs them.
cvc5: Any = import_module("cvc5")
py: Any = import_module("cvc5.pythonic")
Kind = cvc5.Kind

__all__ = ["synthesize"]


def synthesize(game: ParametricGame, rule: PlayRule, budget: Budget) -> Found:
    """A formula for the losing states for which cvc5 also found a strategy."""
    problem = _Problem(game, budget)
    problem.constrain(rule)
    result = problem.solver.checkSynth()
    if not result.hasSolution():
        return Found(None, f"cvc5 says {result}")
    body = problem.solver.getSynthSolution(problem.losing)[1]
    return Found(_formula(body))


class _Problem:
    """The unknowns and the constraints, as cvc5 has them."""

    def __init__(self, game: ParametricGame, budget: Budget) -> None:
        self.game, self.budget = game, budget
        self.tm = py.main_ctx().tm
        self.solver = cvc5.Solver(self.tm)
        for option, value in (("sygus", "true"), ("seed", "1")):
            self.solver.setOption(option, value)
        self.solver.setLogic("LIA")
        self.integer, self.boolean = self.tm.getIntegerSort(), self.tm.getBooleanSort()
        self.state = {v: self.variable(v) for v in game.variables}
        self.losing = self._unknown_formula()
        self.choice = {
            a.name: {p: self._unknown_term(f"{a.name}.{p}") for p in a.parameters}
            for a in game.actions
        }

    def variable(self, name: str) -> Any:
        """A variable that every constraint is universally quantified over."""
        return py.ArithRef(self.solver.declareSygusVar(name, self.integer))

    # --- the unknowns and their grammars -----------------------------------------------

    @cached_property
    def integers(self) -> list[int]:
        return sorted({0, 1, *self.game.integers})

    @cached_property
    def moduli(self) -> list[int]:
        return sorted({a + b for a in self.integers for b in self.integers} - {0, 1})

    def _unknown_formula(self) -> Any:
        bound = [self.tm.mkVar(self.integer, v) for v in self.game.variables]
        start, term, number = self._nonterminals(("F", "T", "C"))
        make = self.tm.mkTerm
        grammar = self.solver.mkGrammar(bound, [start, term, number])
        grammar.addRules(start, [make(Kind.EQUAL, term, term), make(Kind.GEQ, term, term)])
        for modulus in self._remainders(term):
            grammar.addRule(start, make(Kind.EQUAL, modulus, number))
        grammar.addRules(start, [make(Kind.AND, start, start), make(Kind.OR, start, start)])
        self._term_rules(grammar, bound, term, number)
        return self.solver.synthFun("L", bound, self.boolean, grammar)

    def _unknown_term(self, name: str) -> Any:
        bound = [self.tm.mkVar(self.integer, v) for v in self.game.variables]
        _, term, number = self._nonterminals(("F", "T", "C"))
        grammar = self.solver.mkGrammar(bound, [term, number])
        self._term_rules(grammar, bound, term, number)
        grammar.addRules(term, self._remainders(term))
        return self.solver.synthFun(name, bound, self.integer, grammar)

    def _nonterminals(self, names: Sequence[str]) -> list[Any]:
        sorts = (self.boolean, self.integer, self.integer)
        return [self.tm.mkVar(sort, name) for sort, name in zip(sorts, names, strict=True)]

    def _remainders(self, term: Any) -> list[Any]:
        make = self.tm.mkTerm
        return [make(Kind.INTS_MODULUS, term, self.tm.mkInteger(m)) for m in self.moduli]

    def _term_rules(self, grammar: Any, bound: list[Any], term: Any, number: Any) -> None:
        make = self.tm.mkTerm
        sums = [make(Kind.ADD, term, term), make(Kind.SUB, term, term)]
        grammar.addRules(term, [*bound, number, *sums])
        grammar.addRules(number, [self.tm.mkInteger(c) for c in self.integers])

    # --- the constraints -------------------------------------------------------------------

    def constrain(self, rule: PlayRule) -> None:
        """Definition 3.1, with the strategy as witness of its second item."""
        game, state = self.game, self.state
        legal, lost = self.read(game.legal, state), self.lost(state)
        if rule == "normal":
            self.add(legal, self.read(game.end, state), implies=lost)
            self.add(legal, py.Not(lost), implies=self.some_move())
        else:
            over = self.read(_over(game, self.budget), state)
            self.add(legal, over, implies=py.Not(lost))
            self.add(legal, py.Not(over), py.Not(lost), implies=self.some_move())
        for action in game.actions:
            free = {p: self.variable(f"{action.name}.{p}.any") for p in action.parameters}
            env = {**state, **free}
            applies = self.read(game.applicable(action), env)
            self.add(legal, lost, applies, implies=py.Not(self.lost(self.after(action, env))))

    def add(self, *premises: Any, implies: Any) -> None:
        """``premises -> implies``, for all states and parameters."""
        self.solver.addSygusConstraint(py.Implies(py.And(*premises), implies).ast)

    def lost(self, state: dict[str, Any]) -> Any:
        arguments = [state[v].ast for v in self.game.variables]
        return py.BoolRef(self.tm.mkTerm(Kind.APPLY_UF, self.losing, *arguments))

    def some_move(self) -> Any:
        """Some action, with the terms that are looked for, applies and leads to a losing state."""
        moves = []
        for action in self.game.actions:
            env = dict(self.state)
            for name, function in self.choice[action.name].items():
                arguments = [self.state[v].ast for v in self.game.variables]
                env[name] = py.ArithRef(self.tm.mkTerm(Kind.APPLY_UF, function, *arguments))
            applies = self.read(self.game.applicable(action), env)
            moves.append(py.And(applies, self.lost(self.after(action, env))))
        return py.Or(*moves)

    def after(self, action: Action, env: dict[str, Any]) -> dict[str, Any]:
        return {v: self.read(t, env) for v, t in self.game.after(action).items()}

    def read(self, node: Formula | Term, env: dict[str, Any]) -> Any:
        """A term or formula of the rules as one of cvc5's."""
        return evaluate(node, env, _ALGEBRA)


def _over(game: ParametricGame, budget: Budget) -> Formula:
    """Where no action applies, declared or not, without a quantifier."""
    some = disjunction(map(partial(_applies, game), game.actions))
    return without_quantifiers(Not(some), budget)


def _applies(game: ParametricGame, action: Action) -> Formula:
    """Where the action applies with some parameters."""
    applies = game.applicable(action)
    return Quantified("exists", action.parameters, applies) if action.parameters else applies


def _no_quantifier(formula: Quantified, _: Any) -> Any:
    raise ValueError(f"the rules have a quantifier: {formula}")


def _joined(together: Callable[..., Any], parts: Sequence[Any]) -> Any:
    return together(*parts) if len(parts) > 1 else parts[0]


_ALGEBRA = Algebra(
    constant=py.IntVal,
    truth=py.BoolVal,
    conjunction=lambda parts: _joined(py.And, list(parts)),
    disjunction=lambda parts: _joined(py.Or, list(parts)),
    negation=py.Not,
    minimum=lambda a, b: py.If(a <= b, a, b),
    maximum=lambda a, b: py.If(a >= b, a, b),
    absolute=lambda a: py.If(a >= 0, a, -a),
    choose=py.If,
    div=lambda a, b: a / b,
    quantify=_no_quantifier,
)


# --- what comes back ---------------------------------------------------------------------------


def _formula(found: Any) -> Formula:
    """A formula of cvc5's as one of ours."""
    kind = found.getKind()
    if kind == Kind.CONST_BOOLEAN:
        return TRUE if found.getBooleanValue() else FALSE
    if kind in _RELATIONS:
        return Compare((_term(found[0]), _term(found[1])), (_RELATIONS[kind],))
    parts = [_formula(part) for part in found]
    if kind == Kind.NOT:
        return Not(parts[0])
    return {Kind.AND: conjunction, Kind.OR: disjunction}[kind](parts)


def _term(found: Any) -> Term:
    kind = found.getKind()
    if kind == Kind.CONST_INTEGER:
        return Int(found.getIntegerValue())
    if kind == Kind.VARIABLE:
        return Name(found.getSymbol())
    parts = [_term(part) for part in found]
    if kind in (Kind.INTS_MODULUS, Kind.INTS_MODULUS_TOTAL):
        return Mod(parts[0], parts[1])
    if kind == Kind.ADD:
        return Sum(tuple(parts))
    if kind == Kind.SUB:
        return Sum((parts[0], *map(Neg, parts[1:])))
    return Neg(parts[0]) if kind == Kind.NEG else Mul(parts[0], parts[1])


_RELATIONS = {Kind.EQUAL: "=", Kind.GEQ: ">=", Kind.GT: ">", Kind.LEQ: "<=", Kind.LT: "<"}

if __name__ == "__main__":
    run(synthesize)
