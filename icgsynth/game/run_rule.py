"""The rule of a strategy for an action that repeats a step (:mod:`icgsynth.game.repeated`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from icgsynth.game.repeated import most_times
from icgsynth.game.strategy import PRIME, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.evaluate import value

_BITS = 1_024  # by which a number may grow while a step is repeated


@dataclass(frozen=True, slots=True, repr=False)
class RunRule(TargetRule):
    """A rule that repeats the ``step`` of an action while ``target`` accepts the state.  It is used
    where ``when`` holds, and the state that it leads to is losing.  The tracks of ``target`` are
    the state variables.  The step gives variables these terms."""

    step: tuple[tuple[str, t.Term], ...] = ()

    def __post_init__(self) -> None:
        if self.line is not None or not self.step:
            raise ValueError("a repeated step has no line, and changes a variable")

    @property
    def changed(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.step)

    @property
    def after(self) -> str:
        changed = self.changed
        return f"({', '.join(n + PRIME * (n in changed) for n in self.target.tracks)})"

    def aim(self, env: Mapping[str, int]) -> dict[str, int] | None:
        """Return the new values of the variables that change, in the last state up to which
        repeating the step from ``env`` leads to accepted states; None if no step is accepted."""
        if not self._accepts(env, 0) or self._change(env, 1) == dict(env):
            return None  # a step that changes nothing would be repeated for ever
        times = 1 + most_times(partial(self._accepts, env))
        return {name: self._change(env, times)[name] for name in self.changed}

    def aims(self, env: Mapping[str, int], most: int) -> list[dict[str, int]]:
        found = self.aim(env)
        return [] if found is None else [found]

    def _change(self, env: Mapping[str, int], times: int) -> dict[str, int]:
        """Return the state ``env`` after ``times`` steps, each adding what the first one adds."""
        added = {name: value(term, env) - env[name] for name, term in self.step}
        return {name: number + times * added.get(name, 0) for name, number in env.items()}

    def _accepts(self, env: Mapping[str, int], times: int) -> bool:
        there = self._change(env, times)
        if max(there.values()).bit_length() > _BITS + max(env.values()).bit_length():
            return False  # a wrong automaton may go on where each step adds something
        return min(there.values()) >= 0 and self.target.accepts(
            [there[n] for n in self.target.tracks]
        )

    def to_json(self) -> dict[str, Any]:
        return {"when": str(self.when), "action": self.action, "while": self.target.to_json()}
