"""Check trees of one player and language with the compiled kernels, and read trees back."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import TIMEOUT_MAX, Timer

import numpy as np

from icgsynth.boards.fft.bench import FAR, bench_for
from icgsynth.boards.fft.language import Language, Sign, language_of
from icgsynth.boards.fft.optimality import NO, adopt, match
from icgsynth.boards.fft.player_view import view_of_player
from icgsynth.boards.finite.arena import Arena
from icgsynth.boards.finite.tree import Item, Literal, Meta, Tree, TreeRule
from icgsynth.digits.arrays import Words, pack, unpack
from icgsynth.errors import Refused

_SLOTS = 64  # rules that a bench has room for at first; a larger tree gets another bench


@dataclass(frozen=True)
class Flaw:
    """A proof that a tree is not optimal: a reachable state, the play to it, and a wrong move.

    States are rows of the arena, so up to symmetry where the arena is; ``line`` holds the
    action and the state after it.  ``rule`` is the index among ``tree.rules`` of the rule that
    plays ``moves``, or None where none applies and not every legal move is optimal."""

    state: int
    line: tuple[tuple[str, int], ...]
    rule: int | None
    moves: tuple[str, ...]
    optimal: tuple[str, ...]


class Workshop:
    """Loads trees into the memory of compiled kernels, checks them, and reads trees back."""

    def __init__(
        self,
        arena: Arena,
        player: int,
        sign: Sign = "signed",
        every: bool = False,
        tree: Tree | None = None,
    ) -> None:
        self.arena, self.player = arena, player
        self._atom = {name: i for i, name in enumerate(arena.literals)}
        self._action = {name: i for i, name in enumerate(arena.actions)}
        spoken = {self._atom[li.atom] for r in (tree.rules if tree else ()) for li in r.literals}
        self.language: Language = language_of(arena, player, sign, every, spoken)
        self.view = view_of_player(arena, player, self.language)
        self._atoms = self.language.atoms + self.language.extra
        self._bit = {atom: i for i, atom in enumerate(self._atoms)}
        self._metas: dict[int, Meta] = {}
        self._late = np.zeros(1, np.int64)
        self.bench = bench_for(self.view, _SLOTS, self._late)

    @property
    def role(self) -> str:
        """The name of the player for whom trees are checked."""
        return self.arena.roles[self.player]

    @property
    def group(self) -> int:
        """The number of symmetries, and so of images for which each rule stands, with itself."""
        return len(self.arena.literal_images)

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """End searches in the ``with`` block after ``seconds``; they then return their best."""
        timer = Timer(min(max(seconds, 0.0), TIMEOUT_MAX), self._late.fill, (1,))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()  # it may be about to say that it is late
            self._late.fill(0)

    # --- trees in and out ---------------------------------------------------

    def load(self, tree: Tree, slots: int = 0) -> int:
        """Write ``tree`` to the kernels' memory, the bench, which has room for ``slots`` rules or
        more; return the number of its rules and meta-rules."""
        size = len(tree.items)
        slots = max(slots, 3 * size + 24, _SLOTS)
        if len(self.bench.order) < slots:
            self.bench = bench_for(self.view, slots, self._late)
        bench = self.bench
        bench.locked[:] = 0
        self._metas = {}
        for slot, item in enumerate(tree.items):
            if isinstance(item, Meta):
                row: Words = np.zeros(len(self.view.bits), np.uint64)
                for rule in item.rules:
                    self._put(slot, rule)
                    # Within a meta-rule the first rule that fires in a state decides there.
                    row = np.where(row == 0, bench.fire[slot], row)
                bench.fire[slot] = row
                bench.locked[slot] = len(item.rules)
                bench.weight[slot] = sum(len(rule.literals) for rule in item.rules)
                self._metas[slot] = item
            else:
                self._put(slot, item)
            bench.order[slot] = slot
        return size

    def _put(self, slot: int, rule: TreeRule) -> None:
        self.bench.need[slot], self.bench.act[slot] = self._encode(rule)
        match(self.view, self.bench, slot, NO)

    def stands(self, size: int, strong: bool = True, seed: int = 0) -> bool:
        """Return whether the rules in ``bench.order[:size]`` are an optimal tree, strongly if
        ``strong``, else weakly. The bench is made ready for searches, which draw by ``seed``."""
        bench = self.bench
        bench.lead[:] = 0
        bench.base[:] = FAR
        bench.trial[:size] = bench.order[:size]
        bench.chance[0] = seed
        return bool(adopt(self.view, bench, size, NO, strong))

    def read(self, size: int, kept: bool = False) -> Tree:
        """Return the tree ``bench.order[:size]``, or ``bench.kept[:size]`` if ``kept``."""
        slots = (self.bench.kept if kept else self.bench.order)[:size]
        return Tree.of(self._item(int(slot)) for slot in slots)

    def _item(self, slot: int) -> Item:
        if slot in self._metas and self.bench.locked[slot]:
            return self._metas[slot]
        width = 2 * len(self._atoms)
        held = np.flatnonzero(unpack(self.bench.need[slot : slot + 1], width)[0])
        return self._rule(held.tolist(), int(self.bench.act[slot]))

    def _rule(self, literals: Iterable[int], action: int) -> TreeRule:
        half = len(self._atoms)
        names = [Literal(self.arena.literals[self._atoms[i % half]], i < half) for i in literals]
        return TreeRule(tuple(names), self.arena.actions[action])

    def tree_of(self, rules: Iterable[tuple[Iterable[int], int]]) -> Tree:
        """Return the tree of ``rules``, each (numbers of signed literals, number of the action)."""
        return Tree.of(self._rule(literals, action) for literals, action in rules)

    def _encode(self, rule: TreeRule) -> tuple[Words, int]:
        truth = np.zeros((1, 2 * len(self._atoms)), bool)
        for literal in rule.literals:
            bit = self._bit.get(self._atom[literal.atom])
            if bit is None:
                raise Refused(f"this workshop's language has no {literal.atom}")
            truth[0, bit if literal.holds else bit + len(self._atoms)] = True
        return pack(truth)[0], self._action[rule.action]

    # --- verdicts -------------------------------------------------------------

    def is_optimal(self, tree: Tree, strong: bool = True) -> bool:
        """Return whether ``tree`` plays only optimal moves in all states that it comes to; unless
        ``strong``, in those of them where one of its rules applies."""
        size = self.load(tree)
        return self.stands(size, strong)

    def flaw(self, tree: Tree, strong: bool = True) -> Flaw | None:
        """Return a wrong move of ``tree`` in a state that play reaches, with a shortest line of
        play there. None if the tree is optimal: strongly, or weakly unless ``strong``."""
        size = self.load(Tree(tuple(tree.rules)))
        view, bench = self.view, self.bench
        fires = bench.fire[:size]
        parent: dict[int, tuple[int, int]] = {0: (-1, -1)}
        queue = deque([0])
        while queue:
            s = queue.popleft()
            p = int(view.who[s])
            start, stop = int(view.first[s]), int(view.first[s + 1])
            mask = (1 << (stop - start)) - 1
            if p >= 0:
                legal, optimal = int(view.legal[p]), int(view.optimal[p])
                rule = next((j for j in range(size) if fires[j, p]), None)
                # Where no rule fires, every legal move may be made; for weak optimality any optimal
                # one.
                mask = int(fires[rule, p]) if rule is not None else legal if strong else optimal
                if mask & ~optimal:
                    bad = mask if rule is not None else legal & ~optimal
                    line = self._line(parent, s)
                    return Flaw(
                        int(view.row[s]), line, rule, self._names(s, bad), self._names(s, optimal)
                    )
            for m in range(start, stop):
                t = int(view.target[m])
                if mask >> (m - start) & 1 and t >= 0 and t not in parent:
                    parent[t] = (s, m)
                    queue.append(t)
        return None

    def _line(self, parent: dict[int, tuple[int, int]], s: int) -> tuple[tuple[str, int], ...]:
        line = []
        while parent[s][0] >= 0:
            before, move = parent[s]
            action = self.arena.actions[int(self.view.action[move])]
            line.append((action, int(self.view.row[s])))
            s = before
        return tuple(reversed(line))

    def _names(self, s: int, mask: int) -> tuple[str, ...]:
        start = int(self.view.first[s])
        return tuple(
            self.arena.actions[int(self.view.action[start + i])] for i in range(64) if mask >> i & 1
        )
