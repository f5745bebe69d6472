"""Coq, asked about an answer that is proved."""

from __future__ import annotations

from collections.abc import Callable

from icgsynth.budget import Budget
from icgsynth.cli.codes import UNKNOWN
from icgsynth.errors import InputError, Refused
from icgsynth.prove.kernel_opinion import KernelOpinion

__all__ = ["code_with", "opinion_of"]


def opinion_of(write: Callable[[], str], is_proved: bool, budget: Budget) -> KernelOpinion:
    """What Coq says of the file that ``write`` makes, where the answer is proved."""
    from icgsynth.export.coq.coqc import checked, coq_version  # late: it starts processes

    name = coq_version(budget.remaining())
    if not is_proved:
        return KernelOpinion(name, False, 0.0, "not asked, for the answer is not proved")
    try:
        return checked(write(), budget.remaining())
    except (Refused, InputError) as error:
        return KernelOpinion(name, False, 0.0, str(error))


def code_with(code: int, kernel: KernelOpinion | None) -> int:
    """The exit code of a proof that Coq was asked about as well."""
    return UNKNOWN if not code and kernel is not None and not kernel.is_proved else code
