"""Write terms and formulas as Python expressions of equal value.

Also solve the effects of an action for its parameters, where the state after the move is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from icgsynth.errors import CannotExpress
from icgsynth.formats.python_digits import DigitNames, helper_names
from icgsynth.game.game import Action, ParametricGame
from icgsynth.game.run_rule import RunRule
from icgsynth.game.strategy import PRIME
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, free_names
from icgsynth.logic.nodes import PYTHON, Written, join_texts
from icgsynth.logic.ranges import difference, linear, ranges
from icgsynth.logic.simplify import linear_sum

_WIDTH = 98  # characters of a written line

# Names in the exported module's own code, except the functions of digits.
_OWN_NAMES = frozenset(
    {"VARIABLES", "is_legal", "is_winning", "move", "result", "action", "params", "state"}
    | {"target", "known", "found", "powers", "power", "_PARTS", "_low", "next", "enumerate"}
    | {"after", "applies", "names", "apply", "name", "value", "values", "annotations"}
    | {"_ACTIONS", "_ended", "_ints", "_legal", "__debug__", "__name__", "__all__"}
    | {"abs", "dict", "int", "isinstance", "len", "max", "min", "set", "str", "tuple", "type"}
    | {"zip", "bool", "range", "ValueError", "RuntimeError", "NotImplementedError"}
)


def own_names() -> frozenset[str]:
    """Return all names that the code of an exported module has itself: variables must not hide
    them."""
    return _OWN_NAMES | helper_names()


# Binding strength in Python, loosest first.
_DIGITS = {
    "shift": "_shift",
    "unshift": "_unshift",
    "zeros": "_zeros",
    "lowpart": "_low_part",
}
_CHOICE, _OR, _AND, _NOT, _COMPARE, _XOR, _SUM, _PRODUCT, _UNARY, _ATOM = range(10)

# Python's parser and compiler refuse deep nesting (200 parentheses); a term nested deeper than
# this is computed in steps.
_DEEP = 40
_LONG = 100  # most summands of one expression: a longer sum is a sum of sums


class Writer:
    """Writes Python expressions of one function; ``steps`` are assignments to put before.
    ``digits`` collects what functions of digits need; the names ``natural`` are known not to be
    negative."""

    def __init__(
        self,
        names: Mapping[str, str],
        digits: DigitNames,
        natural: frozenset[str] = frozenset(),
    ) -> None:
        self.names = names
        self._digits = digits
        self._natural = natural
        self.steps: list[str] = []
        self._taken = {*names.values(), *own_names()}

    def show(self, node: t.Node) -> Written:
        """Return ``node`` as a Python expression of equal value; CannotExpress for quantifiers."""
        if isinstance(node, t.Quantified):
            raise CannotExpress(f"a module computes no formula with a quantifier: {node}")
        if isinstance(node, t.Sum) and len(node.args) > _LONG:
            return self._long_sum(node)
        # A sum writes its minus signs itself, so the parts of negated summands are shown without
        # them.
        inner = t.summands(node) if isinstance(node, t.Sum) else t.children(node)
        parts = [self.show(part) for part in inner]
        text, strength = self._text(node, parts)
        piece = Written(text, strength, 1 + max((p.depth for p in parts), default=0))
        return self._step(piece) if piece.depth > _DEEP else piece

    def _long_sum(self, node: t.Sum) -> Written:
        """Return ``node``, a long sum, as a sum of variables, each set to a shorter sum in a
        step."""
        # The sums form a tree with _LONG branches: Python's parser limits nested operators.
        groups = [t.Sum(node.args[i : i + _LONG]) for i in range(0, len(node.args), _LONG)]
        totals = [self._step(self.show(group)).text for group in groups]
        while len(totals) > _LONG:
            sums = [" + ".join(totals[i : i + _LONG]) for i in range(0, len(totals), _LONG)]
            totals = [self._step(Written(text, _SUM)).text for text in sums]
        return Written(" + ".join(totals), _SUM, 1)

    def spread(self, formula: t.Formula, margin: str, room: int = 0) -> str:
        """Return ``formula`` as a Python expression, over several lines if it is too long for one:
        then each conjunct, or each disjunct, has its own. ``margin`` is the indentation of its
        first line, ``room`` how many other characters that line has."""
        if not isinstance(formula, t.And | t.Or):
            return self.show(formula).text
        word, strength = ("and", _NOT) if isinstance(formula, t.And) else ("or", _AND)
        texts = [self.show(arg).at(strength) for arg in formula.args]
        line = f" {word} ".join(texts)
        if len(margin) + room + len(line) <= _WIDTH:
            return line
        lines = [f"{margin}    {texts[0]}", *(f"{margin}    {word} {text}" for text in texts[1:])]
        return "\n".join(["(", *lines, f"{margin})"])

    def _step(self, piece: Written) -> Written:
        name = f"t{len(self.steps) + 1}"
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        self.steps.append(f"{name} = {piece.text}")
        return Written(name, _ATOM)

    def _text(self, node: t.Node, parts: list[Written]) -> tuple[str, int]:
        match node:
            case t.Int(value):
                return str(value), _ATOM if value >= 0 else _UNARY
            case t.Name(name):
                return self.names[name], _ATOM
            case t.Truth(truth):
                return str(truth), _ATOM
            case t.Sum():
                return t.join_sum(node, [p.at(_PRODUCT) for p in parts]), _SUM
            case t.Neg():
                return f"-{parts[0].at(_UNARY)}", _UNARY
            case t.Mul() | t.Mod() | t.Div():
                sign = {t.Mul: "*", t.Mod: "%", t.Div: "//"}[type(node)]
                return f"{parts[0].at(_PRODUCT)} {sign} {parts[1].at(_UNARY)}", _PRODUCT
            case t.Min() | t.Max() | t.Abs():
                return f"{type(node).__name__.lower()}({join_texts(parts)})", _ATOM
            case t.Digital():
                return self._digital(node, parts)
            case t.If():
                condition, then, otherwise = parts
                tests = f"{then.at(_OR)} if {condition.at(_OR)} else {otherwise.at(_CHOICE)}"
                return tests, _CHOICE
            case _:
                return self._formula(node, parts)

    def _formula(self, node: t.Node, parts: list[Written]) -> tuple[str, int]:
        match node:
            case t.Compare(_, ops):
                links = zip(ops, parts[1:], strict=True)
                chain = "".join(f" {PYTHON[op]} {p.at(_XOR)}" for op, p in links)
                return parts[0].at(_XOR) + chain, _COMPARE
            case t.Member():
                return f"{parts[0].at(_XOR)} in {{{join_texts(parts[1:])}}}", _COMPARE
            case t.Recognised(automaton, _, name):
                known = self._digits.automaton(automaton, name)
                inside = ", ".join([known, *(p.text for p in parts)])
                return f"{self._digits.function('_accepts')}({inside})", _ATOM
            case t.Not():
                return f"not {parts[0].at(_NOT)}", _NOT
            case t.And():
                return " and ".join(p.at(_NOT) for p in parts), _AND
            case t.Or():
                return " or ".join(p.at(_AND) for p in parts), _OR
            case t.Implies():
                return f"not {parts[0].at(_NOT)} or {parts[1].at(_AND)}", _OR
            case t.Iff():
                # A bare comparison on either side would make Python read a chain.
                return f"{parts[0].at(_ATOM)} == {parts[1].at(_ATOM)}", _COMPARE
            case _:
                raise CannotExpress(f"exported Python has no word for {node}")

    def _digital(self, term: t.Digital, parts: list[Written]) -> tuple[str, int]:
        """Return a function of digits as Python text, with its binding strength; ``parts`` are its
        arguments. The xor of natural numbers is ``^``."""
        # Python's ^ is the xor of two's complement: it agrees on natural numbers alone.
        texts = [p.text for p in parts]
        is_xor = term.kind == "nimsum" and term.modulus == 2 and term.system.name == "base-2"
        if is_xor and len(parts) > 1 and all(map(self._is_natural, term.args)):
            return " ^ ".join(p.at(_SUM) for p in parts), _XOR
        system = self._digits.system(term.system)
        if term.kind == "nimsum":
            inside = ", ".join([system, str(term.modulus), *texts])
            return f"{self._digits.function('_nim_sum')}({inside})", _ATOM
        word = _DIGITS[term.kind]
        return f"{self._digits.function(word)}({system}, {texts[0]})", _ATOM

    def _is_natural(self, term: t.Term) -> bool:
        match term:
            case t.Name(name):
                return name in self._natural
            case t.Int(value):
                return value >= 0
            case _:
                return isinstance(term, t.Digital)


_MOST = 1_000  # values of a parameter that an exported program tries one by one


@dataclass(frozen=True, slots=True)
class Found:
    """A parameter given by a term over the state, primed variables and earlier parameters."""

    name: str
    term: t.Term


@dataclass(frozen=True, slots=True)
class Tried:
    """A parameter for which each value from ``low`` to ``high`` is tried."""

    name: str
    low: int
    high: int


def parameters(game: ParametricGame, action: Action, changed: Iterable[str]) -> list[Found | Tried]:
    """Return how to find the parameters of ``action``, in order, from the values that the variables
    ``changed`` have after the move. The caller checks that the move is legal and leads to these
    values. Raises :class:`~icgsynth.errors.CannotExpress` where a parameter cannot be found."""
    after = game.after(action)
    equations = [(name, after[name]) for name in changed]
    open_, steps = list(action.parameters), list[Found | Tried]()
    while open_:
        step = _solve(equations, open_) or _try_values(game, action, open_[0])
        open_.remove(step.name)
        steps.append(step)
    return steps


def _solve(equations: Sequence[tuple[str, t.Term]], open_: Sequence[str]) -> Found | None:
    """Return a parameter of ``open_`` and the term of known names and values after it (primed)
    that it equals, from the first of ``equations`` (variable, value after) that is linear in it and
    has no other of ``open_``; None if there is none.  Quotients are floored: the caller checks."""
    for name, term in equations:
        form = linear(term)
        unknown = [atom for atom in form.factors if free_names(atom) & set(open_)]
        if len(unknown) != 1 or not isinstance(unknown[0], t.Name):
            continue
        factor = form.factors[unknown[0]]
        sign = 1 if factor > 0 else -1
        # factor * k = primed - others
        parts = [_scaled(t.Name(name + PRIME), sign)]
        parts += [
            _scaled(one, -sign * f) for one, f in form.factors.items() if one is not unknown[0]
        ]
        if form.constant:
            parts.append(t.Int(-sign * form.constant))
        parts.sort(key=lambda part: isinstance(part, t.Neg))
        # The quotient is rounded down; if it is not exact, no move leads to these values, which
        # the caller checks.
        total = t.Sum(tuple(parts)) if len(parts) > 1 else parts[0]
        solved: t.Term = total if abs(factor) == 1 else t.Div(total, t.Int(abs(factor)))
        return Found(unknown[0].name, solved)
    return None


def _scaled(term: t.Term, factor: int) -> t.Term:
    scaled = term if abs(factor) == 1 else t.Mul(t.Int(abs(factor)), term)
    return scaled if factor > 0 else t.Neg(scaled)


def _try_values(game: ParametricGame, action: Action, name: str) -> Tried:
    """Return the numbers to try for ``action``'s parameter ``name``; CannotExpress if over a
    thousand."""
    where: t.Formula = conjunction((game.legal, game.applicable(action)))
    low, high = ranges(where, (*game.variables, *action.parameters), {})[name]
    if isinstance(low, int) and isinstance(high, int) and high - low < _MOST:
        return Tried(name, low, high)
    raise CannotExpress(
        f"an exported program cannot tell '{name}' of {action.name} from where the move leads"
    )


def step_terms(rule: RunRule) -> tuple[t.Term, ...]:
    """Return for each track of ``rule``'s automaton the term that one step of the rule adds to
    it."""
    after = dict(rule.step)
    tracks = rule.target.tracks
    steps = [difference(after.get(name, t.Name(name)), t.Name(name)) for name in tracks]
    return tuple([linear_sum(step.factors, step.constant) for step in steps])
