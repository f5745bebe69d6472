"""The conjecture that agrees with the most members: one for all, or one for each residue."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from icgsynth.batch.family.generalised import candidates
from icgsynth.batch.family.member_judge import MemberJudge, MemberJudgement
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, negation, size

__all__ = ["Case", "Conjecture", "find_conjecture"]

_JUDGED = 8  # candidates compared with the members
_MODULI = (2, 3)  # of the constant, for a formula for each residue


@dataclass(frozen=True, slots=True)
class Case:
    """The formula where the constant has the residue ``residue`` modulo ``modulus`` (1: all)."""

    losing: t.Formula
    fitted_on: tuple[int, ...]
    judgement: MemberJudgement
    modulus: int = 1
    residue: int = 0

    def has(self, k: int) -> bool:
        """Whether the case is about member ``k``."""
        return k % self.modulus == self.residue

    def when(self, over: str) -> str:
        """``n even``, ``n mod 3 = 1``; empty if the case is about all members."""
        if self.modulus == 1:
            return ""
        if self.modulus == 2:
            return f"{over} {('even', 'odd')[self.residue]}"
        return str(self.condition(over))

    def condition(self, over: str) -> t.Formula:
        return t.Compare((t.Mod(t.Name(over), t.Int(self.modulus)), t.Int(self.residue)), ("=",))


@dataclass(frozen=True, slots=True)
class Conjecture:
    """One case, or one for each residue of the constant ``over``."""

    over: str
    cases: tuple[Case, ...]

    @property
    def losing(self) -> t.Formula:
        """One formula with the constant free in it."""
        if len(self.cases) == 1:
            return self.cases[0].losing
        return disjunction(
            conjunction((case.condition(self.over), case.losing)) for case in self.cases
        )

    @property
    def winning(self) -> t.Formula:
        if len(self.cases) == 1:
            return negation(self.cases[0].losing)
        return disjunction(
            conjunction((case.condition(self.over), negation(case.losing))) for case in self.cases
        )

    @property
    def judgement(self) -> MemberJudgement:
        """How all members stand."""
        parts = [case.judgement for case in self.cases]
        return MemberJudgement(
            tuple(sorted(k for part in parts for k in part.agreeing)),
            tuple(sorted((d for part in parts for d in part.disagreeing), key=lambda d: d.value)),
            tuple(sorted(k for part in parts for k in part.undecided)),
        )

    @property
    def fitted_on(self) -> tuple[int, ...]:
        return tuple(sorted(k for case in self.cases for k in case.fitted_on))

    @property
    def start(self) -> int | None:
        """The member from which on all agree; None for no conjecture to speak of."""
        return self.judgement.start


def find_conjecture(
    proved: Mapping[int, t.Formula], judge: MemberJudge, rejected: Collection[t.Formula] = ()
) -> Conjecture | None:
    """The best that fits the ``proved`` losing formulas; its ``start`` is None if it fails some.

    None where nothing fits even a part of them; never one that is ``rejected``.
    """
    whole = _best(proved, judge, 1, 0, rejected)
    nearest = None if whole is None else Conjecture(judge.over, (whole,))
    best = nearest if nearest is not None and nearest.start is not None else None
    for modulus in _MODULI:
        if best is not None and not best.judgement.disagreeing:
            return best
        cases = [_best(proved, judge, modulus, residue, ()) for residue in range(modulus)]
        known = tuple([case for case in cases if case and case.judgement.start is not None])
        split = Conjecture(judge.over, known)
        if len(known) == modulus and split.start is not None and split.losing not in rejected:
            best = min([best, split] if best else [split], key=_exceptions)
    return best or nearest


def _exceptions(conjecture: Conjecture) -> int:
    return len(conjecture.judgement.disagreeing)


def _best(
    proved: Mapping[int, t.Formula],
    judge: MemberJudge,
    modulus: int,
    residue: int,
    rejected: Collection[t.Formula],
) -> Case | None:
    """The candidate for one residue that agrees with the most members of it."""
    own = {k: formula for k, formula in proved.items() if k % modulus == residue}
    best: tuple[tuple[bool, int, int], Case] | None = None
    for candidate in candidates({k: (f,) for k, f in own.items()}, judge.over)[:_JUDGED]:
        losing = candidate.nodes[0]
        if not isinstance(losing, t.Formula) or losing in rejected:
            continue
        judgement = judge.judge(losing, sorted(own))
        case = Case(losing, candidate.fitted_on, judgement, modulus, residue)
        rank = (judgement.start is not None, len(judgement.agreeing), -size(losing))
        if best is None or rank > best[0]:
            best = (rank, case)
        if len(judgement.agreeing) == len(own):
            break
    return best and best[1]
