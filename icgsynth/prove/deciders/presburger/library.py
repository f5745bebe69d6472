"""The import of islpy, which is told its version so that it loads faster.

When it is imported, islpy looks up its own version, for which Python reads its modules for mail
and for archives; that takes as long as the rest of islpy.  The folder that an installer writes
beside a package has the version in its name as well, and islpy is told what that says."""

from __future__ import annotations

import re
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

__all__ = ["isl"]


def _tell_version() -> None:
    """Tell islpy its version, by a module made from the name of the folder beside it."""
    spec = find_spec("islpy")
    beside = Path(spec.origin).parents[1].glob("islpy-*.dist-info") if spec and spec.origin else ()
    found = [re.fullmatch(r"islpy-([0-9]+(?:\.[0-9]+)*)\.dist-info", path.name) for path in beside]
    if len(found) == 1 and found[0] is not None:
        told = sys.modules["islpy.version"] = ModuleType("islpy.version")
        vars(told)["VERSION_TEXT"] = found[0][1]
        vars(told)["VERSION"] = tuple(map(int, found[0][1].split(".")))


if first := "islpy" not in sys.modules:
    _tell_version()
import islpy as isl  # noqa: E402

if first:  # whoever asks for the module later gets the true one
    sys.modules.pop("islpy.version", None)
