"""Faults: errors as JSON for the pages of the studio."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeAlias

from icgsynth.errors import Faults, IcgError, InputError

_MOST = 10  # faults of one text that are told

_OF_COMMANDS = re.compile(r"icgsynth |--[a-z]")

_UNFIT = (AttributeError, KeyError, TypeError, ValueError, OverflowError, RecursionError)
"""What functions raise that are given JSON of another form than they expect."""

Data: TypeAlias = dict[str, Any]
"""A JSON object."""


def fault(message: str, mend: str = "", **more: Any) -> Data:
    """Return JSON that answers a request which failed: ``{"fault": {"message": .., "mend": ..}}``.
    ``mend`` is advice on what to do, "" for none; ``more`` are further keys."""
    return {"fault": {"message": message, "mend": mend, **more}}


def is_of_commands(mend: str) -> bool:
    """Return whether the advice ``mend`` names a command or an option, which no page has."""
    return _OF_COMMANDS.search(mend) is not None


def _tell(error: InputError) -> Data:
    mend = "" if is_of_commands(error.mend) else error.mend
    told: Data = {"message": error.message, "mend": mend}
    if (span := error.span) is not None:
        told |= {"line": span.line, "column": span.column, "excerpt": span.excerpt()}
    return told


def task(function: Callable[[Data], Data]) -> Callable[[Data], Data]:
    """Return ``function`` so changed that it returns a fault where it raises an error about its
    input. A fault has a message, where there is one a mend, and for a place in a text its line and
    column, counted from 1, and the line itself; ``others`` are further faults of the same text."""

    @wraps(function)
    def guard(data: Data) -> Data:
        try:
            return function(data)
        except Faults as several:
            first, *others = map(_tell, several.faults[:_MOST])
            return fault(**first, others=others)
        except InputError as error:
            return fault(**_tell(error))
        except IcgError as error:
            return fault(str(error))
        except _UNFIT as error:
            return fault(f"the request does not fit ({type(error).__name__})", "load the page anew")

    return guard
