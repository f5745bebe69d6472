"""A search ends for its time or memory, or says which limit of its own it met."""

from __future__ import annotations

import pytest

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.cli import run
from icgsynth.cli.output import UNKNOWN
from icgsynth.heaps.rules.heap_code import read_code
from icgsynth.heaps.search import misere_monoids, nim_search, row_pairs
from icgsynth.heaps.search.misere_search import MisereSearch
from icgsynth.heaps.search.nim_search import HeapSearch, _counts
from icgsynth.heaps.search.room import memory, room_for_heaps
from icgsynth.synth.values import grundy_search
from icgsynth.synth.values.grundy_search import grundy

OFFICERS = read_code("0.6")  # no period is known


def test_the_values_of_a_code_may_fill_a_quarter_of_the_memory() -> None:
    """Faults it sees: a search of 60 s that ended at 1,048,576 values."""
    search = HeapSearch(OFFICERS, None, Budget(0))
    assert search.most == room_for_heaps()
    assert memory() / 8 < 96 * search.most <= memory() / 4
    assert _counts(search.most)[-1] == search.most


def test_the_memory_is_named_where_it_ends_a_search(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(nim_search, "room_for_heaps", lambda: 700)
    assert run(["value", "0.6", "--quiet"]) == UNKNOWN
    said = " ".join(capsys.readouterr().out.split())
    assert "in 700 values, as many as a quarter of the memory holds; --to looks at more" in said
    assert (
        HeapSearch(OFFICERS, 800, Budget(60)).run().why.endswith("800 values; --to looks at more")
    )
    far = HeapSearch(OFFICERS, None, Budget(60), at=10**6).run()
    assert far.known_at(10**6) is None and "heap 1,000,000 is past 700 values" in far.why


def test_values_that_are_not_kept_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nim_search, "extend_plainly", lambda code, known, count, budget: known)
    why = HeapSearch(OFFICERS, None, Budget(60)).run().why
    assert why == "a value is 16,777,216 or more, and no larger ones are kept"


def test_spent_memory_is_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(nim_search, "extend_plainly", full)
    assert HeapSearch(OFFICERS, None, Budget(60)).run().why == "the memory is spent"


@pytest.mark.parametrize(
    ("module", "name", "most"),
    [
        (row_pairs, "_MOST", 3),
        (row_pairs, "_ORDER", 2),
        (misere_monoids, "_MOST", 2),
        (misere_monoids, "_PRODUCTS", 1),
        (misere_monoids, "_UNREDUCED", 2),
        (misere_monoids, "_CYCLE", 1),
    ],
)
def test_a_quotient_that_grows_too_large_names_its_limit(
    module: object, name: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, most)
    answer = MisereSearch(read_code("0.77"), None, Budget(60)).run()
    assert f"more than {most} " in answer.why and "does not help" in answer.why


def test_a_quotient_is_looked_for_until_the_time_is_over() -> None:
    """Its quotient is not found so soon, and no number of heaps ends the search."""
    why = MisereSearch(read_code("0.3122"), None, Budget(0.2)).run().why
    assert why == "the budget of 0.2 s is spent"


def test_the_largest_box_is_named_where_no_function_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grundy_search, "bounds", lambda _: iter((6, 11)))
    monkeypatch.setattr(grundy_search, "periodic", lambda *_: None)
    for name in ("short_terms", "piecewise", "value_automata"):
        monkeypatch.setattr(grundy_search, name, lambda *_: iter(()))
    game = icg.loads("game g var v legal v >= 0 action take(k) pre 1 <= k <= v eff v := v - k").game
    (why, *_) = grundy(game, Budget(60)).notes
    assert "numbers up to 11; more time looks at no larger one" in why
