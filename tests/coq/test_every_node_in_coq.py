"""Coq's printers write every kind of node, or refuse it; ``test_every_node.py`` has the others."""

from __future__ import annotations

from functools import partial

import pytest
from node_samples import NAMES, SAMPLES

from icgsynth.coq.gallina import boolean, data, proposition
from icgsynth.errors import Refused
from icgsynth.logic.build import free_names

PLACES = {name: place for place, name in enumerate(NAMES)}
PRINTERS = {"proposition": proposition, "boolean": boolean, "data": partial(data, places=PLACES)}


@pytest.mark.parametrize("printer", PRINTERS)
@pytest.mark.parametrize("kind", SAMPLES, ids=lambda kind: kind.__name__)
def test_every_printer_writes_each_name_or_refuses(kind, printer):
    node, _ = SAMPLES[kind]
    try:
        text = PRINTERS[printer](node)
    except Refused:
        return
    said = {str(PLACES[name]) if printer == "data" else name for name in free_names(node)}
    assert all(name in text for name in said)
