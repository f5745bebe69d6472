"""Read the items of ``.icg`` files that only games of heaps and of piles have."""

from __future__ import annotations

from dataclasses import replace

from icgsynth.game.game import Action
from icgsynth.heaps.rules.heap_rules import HeapAction, Repeat
from icgsynth.logic import term as t
from icgsynth.spec.icg import SpecReader, token_of
from icgsynth.spec.icg_spec import Spec, Touch
from icgsynth.spec.lalr import SyntaxTree
from icgsynth.spec.source import Source


def read(source: Source, tree: SyntaxTree) -> Spec:
    """Return the rules in ``tree``, the syntax tree of the file ``source``, which begins with the
    word ``heaps`` or ``piles``."""
    return (_HeapReader if tree.data == "heaps" else _PileReader)(source).read(tree)


class _Reader(SpecReader):
    """Reads the rules of heaps or of piles, which have no ``block``."""

    what: str

    def _block(self, item: SyntaxTree) -> None:
        mend = f"leave it out: games of {self.what} cannot have it"
        raise self.source.error(f"'block' in a game of {self.what}", item.start, mend)


class _HeapReader(_Reader):
    """Reads the rules of a game of heaps."""

    what, leads = "heaps", "into"

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.into: list[tuple[int, int]] = []  # how many terms a heap has, and where it stands

    def read(self, tree: SyntaxTree) -> Spec:
        spec = super().read(tree)
        return replace(spec, actions=(), splits=self._all_splits())

    def _end(self, item: SyntaxTree) -> None:
        mend = "leave it out: a heap of which no action leaves others has no move"
        raise self.source.error("'end' in a game of heaps", item.start, mend)

    def _split(self, item: SyntaxTree) -> None:
        name, declared, formula, heaps = self._head(item)
        into = tuple([self._heap(heap) for heap in heaps if heap.data == "heap"])
        repeats = tuple([self._repeat(heap) for heap in heaps if heap.data == "repeat"])
        self._forget(declared)
        self.actions[name] = HeapAction(name, declared, formula, into, repeats)

    def _heap(self, heap: SyntaxTree) -> tuple[t.Term, ...]:
        self.into.append((len(heap.children), heap.start))
        return tuple([self.elaborator.term(term) for term in heap.children])

    def _repeat(self, repeat: SyntaxTree) -> Repeat:
        heap, name, *ends = repeat.children
        first, last = [self.elaborator.term(end) for end in ends]
        self.scope.declare(self.source, token_of(name), "bound name")
        left = self._heap(heap)
        self._forget([str(name)])
        return Repeat(left, str(name), first, last)

    def _all_splits(self) -> tuple[HeapAction, ...]:
        """Return all actions as HeapActions; InputError for a heap with a wrong number of terms."""
        for count, start in self.into:
            if count != len(self.variables):
                shown = ", ".join(self.variables)
                mend = f"write {shown if len(self.variables) == 1 else f'({shown})'} for each heap"
                message = f"a heap of {count} numbers, not of {len(self.variables)}"
                raise self.source.error(message, start, mend)
        return tuple(map(self._as_split, self.actions.values()))

    def _as_split(self, action: Action | HeapAction) -> HeapAction:
        if isinstance(action, HeapAction):
            return action
        effects = dict(action.effects)
        left = tuple(effects.get(v, t.Name(v)) for v in self.variables)
        return HeapAction(action.name, action.parameters, action.precondition, (left,))


class _PileReader(_Reader):
    """Reads the rules of any number of piles."""

    what = "piles"

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.touch: Touch | None = None

    def read(self, tree: SyntaxTree) -> Spec:
        spec = super().read(tree)
        return replace(spec, touch=self.touch or Touch("at most"))

    def _touch(self, item: SyntaxTree) -> None:
        if self.touch is not None:
            raise self.source.error("'touch' is given twice", item.start, "leave one out")
        *words, last = [token_of(word) for word in item.children if word is not None]
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
