"""Tell Coq how to prove a lemma: with ``lia``, or with a proof for the checker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import NamedTuple

from icgsynth.budget import Budget
from icgsynth.coq.certificates import SearchSteps
from icgsynth.coq.gallina import binder, data, name, proposition
from icgsynth.coq.ways import CAREFUL, Way, way
from icgsynth.errors import CannotExpress
from icgsynth.game.game import ParametricGame
from icgsynth.logic import term as t
from icgsynth.prove.deciders.portfolio import decide

_SECONDS = 60.0  # of processor time, for a legal state: a few hundredths do


class Lemma(NamedTuple):
    """A lemma: for all integers ``names``, if the hypotheses hold, so do the goals."""

    label: str
    names: tuple[str, ...]
    hypotheses: tuple[t.Formula, ...]
    goals: tuple[t.Formula, ...]


class Proved(NamedTuple):
    """The text of a lemma with its proof, and the libraries that it needs beside tactics."""

    text: str
    needs: frozenset[str] = frozenset()


def legal_state(game: ParametricGame) -> tuple[int, ...]:
    """Return the numbers of a legal state of ``game``; :class:`CannotExpress` if none is found."""
    model = decide((game.legal,), game.variables, Budget(inf, work=_SECONDS)).model
    if model is None:
        raise CannotExpress(
            f"no legal state of {game.name} was found, and then the theorem says nothing"
        )
    return tuple(model[v] for v in game.variables)


def prove(lemma: Lemma, effort: SearchSteps, careful: int = CAREFUL) -> Proved:
    """Return the text of ``lemma`` with a proof by ``lia`` or by a certificate; Coq may refuse it.
    ``effort`` counts the steps of search for certificates. ``careful`` is the largest number of
    alternatives that are left to ``lia`` where a divisor is large."""
    labels = _labels(lemma)
    claims = [*map(proposition, lemma.hypotheses), _all(map(proposition, lemma.goals))]
    claim = " ->\n  ".join(claims)
    proofs = [_one(lemma, labels, goal, effort, careful) for goal in lemma.goals]
    lines = [f"Lemma {lemma.label}{binder(lemma.names)} :\n  {claim}."]
    lines.append(f"Proof.\n  intros {' '.join(labels)}.")
    lines += [f"  split; [{goal.text}|]." for goal in proofs[:-1]]
    lines.append(f"  {proofs[-1].text}.\nQed.\n")
    return Proved("\n".join(lines), _find_needed(proofs))


def _find_needed(proofs: Iterable[Proved]) -> frozenset[str]:
    return frozenset[str]().union(*(proof.needs for proof in proofs))


def _labels(lemma: Lemma) -> list[str]:
    return [f"H{i}" for i in range(1, len(lemma.hypotheses) + 1)]


def _all(texts: Iterator[str]) -> str:
    return " /\\ ".join(f"({text})" for text in texts)


def _one(
    lemma: Lemma,
    labels: Sequence[str],
    goal: t.Formula,
    effort: SearchSteps,
    careful: int = CAREFUL,
) -> Proved:
    places = {n: i for i, n in enumerate(lemma.names)}
    found = way(lemma.hypotheses, goal, places, effort, careful)
    kept = [labels[i] for i in found.core]
    if found.kind == "itself":
        return Proved(f"exact {kept[0]}")
    if found.kind == "lia":
        return Proved(f"{_keeping(labels, kept)}arith")
    given = dict(zip(labels, lemma.hypotheses, strict=True))
    return Proved(_check({label: given[label] for label in kept}, goal, places, found), found.needs)


def _check(
    given: Mapping[str, t.Formula], goal: t.Formula, places: Mapping[str, int], found: Way
) -> str:
    """Return Coq's tactic that shows ``goal`` by the proof ``found`` for the checker's library,
    from the ``given`` hypotheses, formulas by their labels. ``places`` numbers the names."""
    row = f"({''.join(f'{name(n)} :: ' for n in places)}nil)"
    facts = "".join(f"{data(formula, places)} :: " for formula in given.values())
    proofs = "".join(f"(conj {label} " for label in given) + "I" + ")" * len(given)
    word, aim = "refuted", ""
    if goal != t.FALSE:
        word, aim = "proved", f" {data(goal, places)}"
    return f"checked ({word} {row}\n    ({facts}nil){aim}\n    {found.proof})\n    {proofs}"


def _keeping(labels: Sequence[str], kept: Sequence[str]) -> str:
    if len(kept) == len(labels):
        return ""
    return f"clear - {' '.join(kept)}; " if kept else "clear; "
