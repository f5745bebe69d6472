"""The packages are those that are there: a wing may be left out, and the catalog is one of them.

All else is in ``pyproject.toml``.
"""

from __future__ import annotations

from setuptools import find_packages, setup

setup(packages=[*find_packages(include=["icgsynth", "icgsynth.*"]), "icgsynth.specs"])
