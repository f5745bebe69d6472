"""Optimised matches asked of clingo, as Hahn and Shankar (2020) do, but grounded once.

:class:`~icgsynth.boards.learn.pruned.ByTable` reads them off the solved game.  Of equally good
matches the two may return different ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from experiments.explicit_time import over_time
from icgsynth.boards.finite import clingo as asp
from icgsynth.boards.finite.encoding import Encoding
from icgsynth.boards.learn.pruned import topological
from icgsynth.boards.learn.stage import Stage
from icgsynth.errors import Refused

__all__ = ["MatchesByClingo"]

_RANDOM = 0.2  # share of clingo's choices made at random where a seed is given
_BLOCK = 32  # states under one guard


class MatchesByClingo:
    """Asks clingo: one grounding of the explicit-time encoding, prefixes as assumptions.

    A rule that narrows a state becomes a constraint for every time at which play can be there.
    """

    def __init__(self, stage: Stage, main: int, seed: int = 0) -> None:
        if not isinstance(stage.book, Encoding):
            name = stage.arena.name
            raise Refused(f"{name}: matches by clingo need a game in its language (.lp)")
        self._stage = stage
        self._depths = _depths(stage)
        horizon = max(max(d) for d in self._depths)
        role = stage.arena.roles[main]
        aims = (
            f"{{ aim }}.\n:~ goal({role},N,T), aim. [-N,T]\n:~ goal({role},N,T), not aim. [N,T]\n"
        )
        self._control = asp.control(
            over_time(stage.book, horizon) + "\n" + aims,
            ["--opt-strategy=bb,lin", f"--seed={seed}", f"--rand-freq={_RANDOM if seed else 0}"],
        )
        atoms = self._control.symbolic_atoms
        self._does: dict[tuple[str, str, int], int] = {}
        self._holds: dict[tuple[str, int], int] = {}
        self._aim = 0
        for atom in atoms:
            symbol = atom.symbol
            if symbol.name == "does" and len(symbol.arguments) == 3:
                role_, action, time = symbol.arguments
                self._does[str(role_), str(action), time.number] = atom.literal
            elif symbol.name == "holds" and len(symbol.arguments) == 2:
                self._holds[str(symbol.arguments[0]), symbol.arguments[1].number] = atom.literal
            elif symbol.name == "aim":
                self._aim = atom.literal
        self._guards: list[int] = []
        self._blocks: list[dict[int, list[int]]] = []
        self._home: dict[int, int] = {}
        self._moves = {
            (state, self._spoken(state, move)): move
            for state in range(len(stage.arena.mover))
            for move in stage.arena.moves_of(state)
        }
        self.calls = 0

    def _spoken(self, state: int, move: int) -> tuple[str, str]:
        return self._stage.arena.mover_name(state), self._stage.arena.action_name(move)

    def best(
        self, prefix: Sequence[int], banned: Iterable[int], maximise: bool
    ) -> list[int] | None:
        arena = self._stage.arena
        assumed = [self._aim if maximise else -self._aim, *self._guards]
        state = 0
        for time, move in enumerate(prefix):
            assumed.append(self._does[(*self._spoken(state, move), time)])
            state = int(arena.target[move])
        assumed += [-self._does[(*self._spoken(state, move), len(prefix))] for move in banned]
        self.calls += 1
        last: list[Any] | None = None
        with self._control.solve(assumptions=assumed, yield_=True) as handle:
            for model in handle:
                last = [atom for atom in model.symbols(shown=True) if atom.name == "does"]
        return None if last is None else self._match(last)

    def _match(self, atoms: list[Any]) -> list[int]:
        said = {atom.arguments[2].number: atom for atom in atoms}
        state, match = 0, []
        for time in range(len(said)):
            role, action = (str(argument) for argument in said[time].arguments[:2])
            match.append(self._moves[state, (role, action)])
            state = int(self._stage.arena.target[match[-1]])
        return match

    def narrow(self, state: int, moves: Sequence[int]) -> None:
        """Add constraints; a state that was narrowed before gets its block made anew.

        The states stand in blocks with one guard each, because every assumption costs clasp a
        level of its search at every call.
        """
        home = self._home.get(state)
        if home is None:
            if not self._blocks or len(self._blocks[-1]) == _BLOCK:
                self._blocks.append({})
                self._guards.append(self._fresh())
            home = self._home[state] = len(self._blocks) - 1
            self._blocks[home][state] = list(moves)
            fresh = [state]
        else:
            self._blocks[home][state] = list(moves)
            self._guards[home] = self._fresh()
            fresh = list(self._blocks[home])
        with self._control.backend() as backend:
            for one in fresh:
                self._forbid(backend, self._guards[home], one, self._blocks[home][one])

    def _fresh(self) -> int:
        with self._control.backend() as backend:
            guard = int(backend.add_atom())
            backend.add_rule([guard], [], True)
        return guard

    def _forbid(self, backend: Any, guard: int, state: int, moves: list[int]) -> None:
        """All moves of ``state`` but ``moves``, whenever play can be there."""
        kept = {self._spoken(state, move) for move in moves}
        facts = self._stage.facts(state)
        for time in self._depths[state]:
            body = [guard, *(self._holds[fact, time] for fact in facts)]
            for move in self._stage.arena.moves_of(state):
                spoken = self._spoken(state, move)
                if spoken not in kept:
                    backend.add_rule([], [*body, self._does[(*spoken, time)]])


def _depths(stage: Stage) -> list[set[int]]:
    """The times at which play can be in each state."""
    arena = stage.arena
    depths: list[set[int]] = [set() for _ in arena.mover]
    depths[0].add(0)
    for s in topological(stage)[::-1]:
        for t in arena.target[arena.first[s] : arena.first[s + 1]]:
            depths[t].update(d + 1 for d in depths[s])
    return depths
