"""What went wrong, as the pages of the studio show it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeAlias

from icgsynth.errors import Faults, IcgError, InputError

_MOST = 10  # faults of one text that are told

_UNFIT = (AttributeError, KeyError, TypeError, ValueError, OverflowError, RecursionError)
"""What functions raise that are given JSON of another form than they expect."""

Data: TypeAlias = dict[str, Any]
"""A JSON object."""


def fault(message: str, mend: str = "", **more: Any) -> Data:
    """The answer to a question that has none: ``{"fault": {"message": .., "mend": ..}}``."""
    return {"fault": {"message": message, "mend": mend, **more}}


def _told(error: InputError) -> Data:
    told: Data = {"message": error.message, "mend": error.mend}
    if (span := error.span) is not None:
        told |= {"line": span.line, "column": span.column, "excerpt": span.excerpt()}
    return told


def task(function: Callable[[Data], Data]) -> Callable[[Data], Data]:
    """A function for a worker process, whose errors about games and input become faults.

    A fault has a message, where there is one a mend, and for a place in a text its line and
    column, counted from 1, and the line itself; ``others`` are further faults of the same text.
    """

    @wraps(function)
    def guarded(data: Data) -> Data:
        try:
            return function(data)
        except Faults as several:
            first, *others = map(_told, several.faults[:_MOST])
            return fault(**first, others=others)
        except InputError as error:
            return fault(**_told(error))
        except IcgError as error:
            return fault(str(error))
        except _UNFIT as error:
            return fault(f"the request does not fit ({type(error).__name__})", "load the page anew")

    return guarded
