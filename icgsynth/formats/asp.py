"""Write a solution as a clingo program that tells who wins and the winning moves in a box.

``winning/n``, ``losing/n`` and ``move/n+1`` are atoms over states with every coordinate
between ``-n`` and ``n`` (``-c n=50`` on clingo's command line sets it).  clingo divides
towards zero, in 32 bits, and has no ``min``; so floors, minima and choices are spelt out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from icgsynth.claims.game import fires
from icgsynth.errors import CannotExpress
from icgsynth.export.header import header
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, integers, refuse_quantifiers
from icgsynth.logic.identifiers import apart

# Products of larger integers with a coordinate come near clingo's 32 bits.
_LARGEST = 1_000_000


def asp(solution: Solution) -> str:
    """Return a clingo program that tells who wins, and by which move of ``solution``, in a box of
    states; InputError unless it is linear, CannotExpress for integers above a million."""
    game = solution.game
    winning, _ = solution.sides()
    solution.refuse_digits("an ASP program")
    pairs = [r for r in solution.strategy or solution.tree if isinstance(r, Rule)]
    terms = [term for pair in pairs for _, term in pair.act.arguments]
    conditions = [_condition(solution, pair) for pair in pairs]
    nodes: list[t.Node] = [game.legal, game.end, winning, *terms, *conditions]
    refuse_quantifiers(nodes, "an ASP program")
    large = [number for node in nodes for number in integers(node) if number > _LARGEST]
    if large:
        raise CannotExpress(f"clingo computes in 32 bits: {large[0]} is too large for it")
    program = _Program(game.variables)
    state = program.atom("state")
    program.define(state, program.box, game.legal)
    program.define(program.atom("winning"), [state], winning)
    program.say(program.atom("losing"), [state, f"not {program.atom('winning')}"])
    program.gap()
    program.moves(pairs, conditions)
    count = len(game.variables)
    bound = {1: 60, 2: 20, 3: 12}.get(count, 5)
    shown = [f"#show winning/{count}.", f"#show losing/{count}.", f"#show move/{count + 1}."]
    comments = [f"% {line}" for line in header(solution)]
    return "\n".join([*comments, "", f"#const n={bound}.", "", *program.lines, *shown]) + "\n"


def _condition(solution: Solution, pair: Rule) -> t.Formula:
    """Return the condition on which ``pair`` gives its move: its own, and that the move applies
    unless that is proved of ``solution``."""
    if solution.strategy and solution.is_proved:
        return pair.when
    return conjunction((pair.when, fires(solution.game, pair.act)))


class _Program:
    """A clingo program under construction: its rules are over the variables of the game. A formula
    becomes a list of literals; a disjunction or a negation becomes an atom of its own, defined for
    every state of ``domain``."""

    def __init__(self, variables: Sequence[str]) -> None:
        self.names = clingo_variables(variables)
        self.lines: list[str] = []
        self._domain: list[str] = []
        self._known: dict[tuple[int, str], tuple[t.Formula, str]] = {}
        self._count = 0

    @property
    def box(self) -> list[str]:
        return [f"{name} = -n..n" for name in self.names.values()]

    def atom(self, predicate: str, *more: str) -> str:
        return f"{predicate}({', '.join([*self.names.values(), *more])})"

    def say(self, head: str, body: Iterable[str]) -> None:
        self.lines.append(f"{head} :- {', '.join(body)}.")

    def gap(self) -> None:
        self.lines.append("")

    def define(self, head: str, domain: list[str], formula: t.Formula) -> None:
        """Add rules: ``head`` holds where the literals ``domain`` and ``formula`` do."""
        self._domain = domain
        for body in self._alternatives(formula):
            self.say(head, [*domain, *body])

    def _alternatives(self, formula: t.Formula) -> Iterator[list[str]]:
        """Yield conjunctions, as lists of literals, whose disjunction is ``formula``."""
        match formula:
            case t.Or(args):
                for arg in args:
                    yield self.literals(arg)
            case t.Implies(left, right):
                yield [f"not {self._auxiliary(left)}"]
                yield self.literals(right)
            # Both sides hold, or neither does.
            case t.Iff(left, right):
                one, other = self._auxiliary(left), self._auxiliary(right)
                yield [one, other]
                yield [f"not {one}", f"not {other}"]
            case t.Member(term, values):
                for value in values:
                    yield self.literals(t.compare(term, "=", value))
            case _:
                yield self.literals(formula)

    def moves(self, pairs: Sequence[Rule], conditions: Sequence[t.Formula]) -> None:
        """Add rules for ``move/n+1``, the move of the first of ``pairs`` whose condition, at its
        place in ``conditions``, holds in a winning state."""
        self._domain = [self.atom("state")]
        earlier: list[str] = []
        names = clingo_constants([pair.act.action for pair in pairs])
        for number, (pair, condition) in enumerate(zip(pairs, conditions, strict=True), start=1):
            fits = self.atom(f"fits{number}")
            # A rule fits where its condition holds; it gives the move where no earlier one fits.
            self.define(fits, [self.atom("winning")], condition)
            self._domain = [self.atom("state")]
            bindings: list[str] = []
            arguments = [_bare(self._term(term, bindings)) for _, term in pair.act.arguments]
            name = names[pair.act.action]
            act = f"{name}({', '.join(arguments)})" if arguments else name
            self.say(self.atom("move", act), [fits, *earlier, *bindings])
            earlier.append(f"not {fits}")
        self.gap()

    # --- formulas -------------------------------------------------------------

    def literals(self, formula: t.Formula) -> list[str]:
        """Return literals whose conjunction is ``formula``; rules that they need are added."""
        match formula:
            case t.Truth(value):
                return ["#true" if value else "#false"]
            case t.And(args):
                return [literal for arg in args for literal in self.literals(arg)]
            case t.Compare(terms, ops):
                bindings: list[str] = []
                texts = [_bare(self._term(term, bindings)) for term in terms]
                links = zip(texts, ops, texts[1:], strict=False)
                return [*bindings, *(f"{left} {op} {right}" for left, op, right in links)]
            case t.Not(arg):
                return [f"not {self._auxiliary(arg)}"]
            case _:
                return [self._auxiliary(formula)]

    def _auxiliary(self, formula: t.Formula) -> str:
        """Return a new atom, with rules added by which it holds where ``formula`` does."""
        # The key is the identity: to hash a deeply nested formula would recurse as deep.
        key = (id(formula), self._domain[0])
        if key not in self._known:
            self._count += 1
            head = self.atom(f"aux{self._count}")
            self._known[key] = (formula, head)
            self.define(head, self._domain, formula)
        return self._known[key][1]

    # --- terms ------------------------------------------------------------------

    def _term(self, term: t.Term, bindings: list[str]) -> str:
        """Return ``term`` in clingo's syntax; literals that bind variables in it are appended to
        ``bindings``. CannotExpress for what clingo lacks."""
        match term:
            case t.Int(value):
                return str(value) if value >= 0 else f"({value})"
            case t.Name(name):
                return self.names[name]
            case t.Sum():
                texts = [self._term(part, bindings) for part in t.summands(term)]
                return f"({t.join_sum(term, texts)})"
            case t.Neg(arg):
                return f"(-{self._term(arg, bindings)})"
            case t.Abs(arg):
                return f"|{self._bind(arg, bindings)}|"
            case t.Mul(left, right):
                return f"({self._term(left, bindings)} * {self._term(right, bindings)})"
            case t.Mod(arg, divisor):
                return self._floor(arg, divisor, bindings)[1]
            case t.Div(arg, divisor):
                dividend, remainder = self._floor(arg, divisor, bindings)
                return f"(({dividend} - {remainder}) / {self._term(divisor, bindings)})"
            case t.Min(left, right) | t.Max(left, right):
                x, y = self._bind(left, bindings), self._bind(right, bindings)
                # x + y - |x - y| is twice the smaller one, x + y + |x - y| twice the larger.
                sign = "-" if isinstance(term, t.Min) else "+"
                return f"(({x} + {y} {sign} |{x} - {y}|) / 2)"
            case t.If():
                return self._choice(term, bindings)
        raise CannotExpress(f"an encoding has no word for {term}")

    def _floor(self, arg: t.Term, divisor: t.Term, bindings: list[str]) -> tuple[str, str]:
        """Return the texts of ``arg`` and of ``arg mod divisor``; literals that set variables in
        these are appended to ``bindings``."""
        value, modulus = self._bind(arg, bindings), self._term(divisor, bindings)
        # clingo rounds towards zero, so that its remainder lies between -m and m: with m added it
        # is positive, and its remainder the one of the language.
        return value, rf"(({value} \ {modulus} + {modulus}) \ {modulus})"

    def _bind(self, term: t.Term, bindings: list[str]) -> str:
        """Return a variable, or number, for ``term``; a literal that sets it goes to
        ``bindings``."""
        if isinstance(term, t.Name | t.Int):
            return self._term(term, bindings)
        text = _bare(self._term(term, bindings))
        self._count += 1
        name = f"X{self._count}"
        bindings.append(f"{name} = {text}")
        return name

    def _choice(self, term: t.If, bindings: list[str]) -> str:
        """Return a variable for the value of ``term``: rules that define it are added to the
        program, and a literal that binds it to ``bindings``."""
        test = self._auxiliary(term.condition)
        self._count += 1
        value, name = f"X{self._count}", f"value{self._count}"
        domain = self._domain
        # The body of each branch's rule has the condition, so the predicate has one value.
        for literal, branch in ((test, term.then), (f"not {test}", term.otherwise)):
            inner: list[str] = []
            text = self._term(branch, inner)
            self.say(self.atom(name, text), [*domain, literal, *inner])
        bindings.append(self.atom(name, value))
        return value


def _bare(text: str) -> str:
    """Return ``text`` without the pair of parentheses around the whole, if there is one."""
    depth = 0
    for index, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return text[1:-1] if text[0] == "(" and index == len(text) - 1 else text
    return text


def clingo_variables(names: Sequence[str]) -> dict[str, str]:
    """Return a name for each of ``names`` that is a clingo variable, and not X and a number."""
    ours = re.compile("X[0-9]+")
    return apart(names, ours.fullmatch, lambda v: re.sub("^_", "V_", v[0].upper() + v[1:]))


def clingo_constants(names: Sequence[str]) -> dict[str, str]:
    """Return for each of ``names``, of actions, a clingo constant: it begins with a small
    letter."""
    return apart(names, {"n", "not"}.__contains__, lambda a: re.sub("^(?!_*[a-z])", "act_", a))
