"""The ``.icg`` language: text -> :class:`Spec` -> :class:`~icgsynth.game.game.ParametricGame`.

A :class:`Spec` keeps the constants by name (a family of games); :meth:`Spec.game` and
:meth:`Spec.heaps` put their values in.  ``str`` of each is text that reads back to an equal object.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration, base
from icgsynth.errors import InputError, Span, all_faults
from icgsynth.game.game import Action
from icgsynth.game.heap_rules import HeapAction, Repeat
from icgsynth.logic import term as t
from icgsynth.logic.build import fold
from icgsynth.spec.elaborate import Elaborator, Scope
from icgsynth.spec.icg_spec import Spec, Touch
from icgsynth.spec.lalr import SyntaxTree, Token
from icgsynth.spec.listed_sets import Listed
from icgsynth.spec.source import Source
from icgsynth.spec.syntax import read_items, read_tree


def parse(source: Source) -> Spec:
    """Read one game; :class:`~icgsynth.errors.InputError` with each place where it fails."""
    return _SpecReader(source).read(read_items(source))


def parse_formula(
    text: str,
    names: Iterable[str],
    name: str = "formula",
    system: Numeration | None = None,
    sets: Mapping[str, Automaton] = MappingProxyType({}),
    constants: Iterable[str] = (),
) -> t.Formula:
    """Read a formula whose free names are among ``names`` and ``constants``.

    The constants may stand in divisors, which are then not known to be positive.  With a
    numeration ``system`` it may speak of digits (``a xor b = 0``), with ``sets`` of these by their
    names (``(a, b) in L``).
    """
    source = Source(name, text)
    elaborator = Elaborator(source, Scope.of(names, constants), system, sets)
    formula = fold(elaborator.formula(read_tree(source, "formula")))
    elaborator.require_positive_divisors()
    return formula


def parse_term(
    text: str,
    names: Iterable[str],
    name: str = "term",
    system: Numeration | None = None,
    sets: Mapping[str, Automaton] = MappingProxyType({}),
    constants: Iterable[str] = (),
) -> t.Term:
    """Read a term; otherwise as :func:`parse_formula`."""
    source = Source(name, text)
    elaborator = Elaborator(source, Scope.of(names, constants), system, sets)
    term = fold(elaborator.term(read_tree(source, "term")))
    elaborator.require_positive_divisors()
    return term


# --- the items of a file ---------------------------------------------------------


class _SpecReader:
    """Collects the items of one file; names are declared before they are used."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.scope = Scope()
        self.elaborator = Elaborator(source, self.scope)
        self.elaborator.listed = self.listed = dict[str, Listed]()
        self.system = base(2)  # whose digits preconditions may speak of
        self.constants: list[tuple[str, t.Term]] = []
        self.variables: list[str] = []
        self.citations: list[str] = []
        self.actions: dict[str, Action] = {}
        self.splits: dict[str, HeapAction] = {}
        self.order: list[str] = []
        self.into: list[tuple[int, int]] = []  # how many terms a heap has, and where it stands
        self.is_heaps = self.is_piles = False
        self.formulas: dict[str, t.Formula] = {}
        self.legal_place: Span | None = None
        self.block: t.Term = t.Int(0)
        self.block_place: Span | None = None
        self.touch: Touch | None = None
        self.faults: list[InputError] = []

    @contextmanager
    def _collected(self) -> Iterator[None]:
        """An error in here is kept, and what comes after is read as if this had not been there."""
        known = self.scope.known()
        try:
            yield
        except InputError as error:
            if all(error.message != fault.message for fault in self.faults):  # a name, again
                self.faults.append(error)
            self.scope.restore(known)
            self.elaborator.surface()

    def read(self, tree: SyntaxTree) -> Spec:
        name, title, *items = tree.children
        self.is_heaps, self.is_piles = tree.data == "heaps", tree.data == "piles"
        for item in items:
            if isinstance(item, SyntaxTree):
                with self._collected():
                    getattr(self, f"_{item.data}")(item)
        if self.faults:
            raise all_faults(self.faults)
        end = len(self.source.text.rstrip())
        if not self.variables:
            raise self.source.error("the game has no variable", end, "add: var a")
        if not self.order:
            mend = f"add: action NAME(k) pre ... {'into' if self.is_heaps else 'eff'} ..."
            raise self.source.error("the game has no action", end, mend)
        return Spec(
            str(name),
            str(title)[1:-1] if title else "",
            tuple(self.citations),
            tuple(self.constants),
            tuple(self.variables),
            self.formulas.get("legal", t.TRUE),
            self.formulas.get("end", t.FALSE),
            () if self.is_heaps else tuple(self.actions.values()),
            self._all_splits() if self.is_heaps else (),
            tuple(self.elaborator.divisors),
            self.legal_place,
            self.block,
            self.block_place,
            tuple(self.elaborator.products),
            self.elaborator.digits,
            self.touch or (Touch("at most") if self.is_piles else None),
            tuple(self.listed.values()),
        )

    def _const(self, item: SyntaxTree) -> None:
        name, _, tree = item.children
        term: t.Term = t.Int(1)  # of a constant without a value, so that its name is known
        with self._collected():
            term = self.elaborator.constant_term(tree)
        self.scope.declare(self.source, _token(name), "constant")
        self.constants.append((str(name), fold(term)))

    def _var(self, item: SyntaxTree) -> None:
        for name in item.children:
            with self._collected():
                self.scope.declare(self.source, _token(name), "variable")
                self.variables.append(str(name))

    def _cite(self, item: SyntaxTree) -> None:
        self.citations.extend(str(name) for name in item.children)

    def _legal(self, item: SyntaxTree) -> None:
        self._once("legal", item)
        self.legal_place = self.source.span(item.start)

    def _end(self, item: SyntaxTree) -> None:
        if self.is_heaps:
            mend = "leave it out: a heap of which no action leaves others has no move"
            raise self.source.error("'end' in a game of heaps", item.start, mend)
        self._once("end", item)

    def _block(self, item: SyntaxTree) -> None:
        if self.is_heaps or self.is_piles:
            what = "heaps" if self.is_heaps else "piles"
            mend = f"leave it out: games of {what} cannot have it"
            raise self.source.error(f"'block' in a game of {what}", item.start, mend)
        if self.block_place is not None:
            raise self.source.error("'block' is given twice", item.start, "leave one out")
        self.block_place = self.source.span(item.start)
        self.block = fold(self.elaborator.constant_term(item.children[0]))

    def _touch(self, item: SyntaxTree) -> None:
        if self.touch is not None:
            raise self.source.error("'touch' is given twice", item.start, "leave one out")
        *words, last = [_token(word) for word in item.children if word is not None]
        place = self.source.span(item.start)
        match " ".join(words) or str(last):
            case ("first" | "all") as how if not words:
                self.touch = Touch(how, place=place)
            case "one" if not words:
                self.touch = Touch("at most", place=place)
            case ("at most" | "exactly") as how if words:
                count = self.elaborator.constant_term(last)
                how = "at most" if count == t.Int(1) else how
                self.touch = Touch(how, count, place)
            case _:
                mend = "write one, first, all, at most k or exactly k"
                raise self.source.error("no way to touch piles", item.start, mend)

    def _once(self, what: str, item: SyntaxTree) -> None:
        if what in self.formulas:
            mend = "join them with 'and'" if what == "legal" else "join them with 'or'"
            raise self.source.error(f"'{what}' is given twice", item.start, mend)
        self.formulas[what] = self.elaborator.formula(item.children[0])

    def _action(self, item: SyntaxTree) -> None:
        name, declared, formula, effects = self._head(item)
        assigned: dict[str, t.Term] = {}
        for effect in effects:
            target, term = effect.children
            with self._collected():
                self._check_target(_token(target), assigned)
            with self._collected():
                assigned[str(target)] = self.elaborator.term(term)
        self._forget(declared)
        self.actions[name] = Action(name, declared, formula, tuple(assigned.items()))

    def _split(self, item: SyntaxTree) -> None:
        name, declared, formula, heaps = self._head(item)
        if not self.is_heaps:
            mend = "write 'heaps' for 'game' in the first line, or 'eff' for 'into'"
            raise self.source.error("'into' in a game that is not one of heaps", item.start, mend)
        into = tuple([self._heap(heap) for heap in heaps if heap.data == "heap"])
        repeats = tuple([self._repeat(heap) for heap in heaps if heap.data == "repeat"])
        self._forget(declared)
        self.splits[name] = HeapAction(name, declared, formula, into, repeats)

    def _heap(self, heap: SyntaxTree) -> tuple[t.Term, ...]:
        self.into.append((len(heap.children), heap.start))
        return tuple([self.elaborator.term(term) for term in heap.children])

    def _repeat(self, repeat: SyntaxTree) -> Repeat:
        heap, name, *ends = repeat.children
        first, last = [self.elaborator.term(end) for end in ends]
        self.scope.declare(self.source, _token(name), "bound name")
        left = self._heap(heap)
        self._forget([str(name)])
        return Repeat(left, str(name), first, last)

    def _head(self, item: SyntaxTree) -> tuple[str, tuple[str, ...], t.Formula, list[SyntaxTree]]:
        """The name of an action, its parameters, which are declared, its precondition, the rest."""
        name, parameters, precondition, *rest = item.children
        if str(name) in {**self.actions, **self.splits}:
            message = f"a second action named '{name}'"
            self.faults.append(self.source.error(message, name.start, "rename one of them"))
        assert isinstance(parameters, SyntaxTree)
        names = []
        for parameter in (_token(p) for p in parameters.children if p is not None):
            with self._collected():
                self.scope.declare(self.source, parameter, "parameter")
                names.append(parameter)
        formula: t.Formula = t.TRUE
        self.elaborator.system = self.system
        with self._collected():
            formula = self.elaborator.formula(precondition)
        self.system, self.elaborator.system = self.elaborator.system, None
        self.order.append(str(name))
        return str(name), tuple(str(p) for p in names), formula, rest

    def _forget(self, parameters: Iterable[str]) -> None:
        for parameter in parameters:
            self.scope.forget(parameter)

    def _all_splits(self) -> tuple[HeapAction, ...]:
        """The moves of a game of heaps in their order; an effect leaves one heap."""
        for count, start in self.into:
            if count != len(self.variables):
                shown = ", ".join(self.variables)
                mend = f"write {shown if len(self.variables) == 1 else f'({shown})'} for each heap"
                message = f"a heap of {count} numbers, not of {len(self.variables)}"
                raise self.source.error(message, start, mend)
        left = {
            a.name: HeapAction(
                a.name,
                a.parameters,
                a.precondition,
                (tuple(dict(a.effects).get(v, t.Name(v)) for v in self.variables),),
            )
            for a in self.actions.values()
        }
        return tuple((left | self.splits)[name] for name in self.order)

    def _check_target(self, target: Token, assigned: Mapping[str, t.Term]) -> None:
        offset = target.start
        if str(target) in assigned:
            raise self.source.error(
                f"'{target}' is assigned twice", offset, "an effect assigns a variable once"
            )
        self.scope.require(self.source, target)
        if (kind := self.scope.kind(str(target))) != "variable":
            mend = f"an effect assigns variables only: {', '.join(self.variables)}"
            raise self.source.error(f"'{target}' is a {kind}", offset, mend)


def _token(child: object) -> Token:
    assert isinstance(child, Token)
    return child
