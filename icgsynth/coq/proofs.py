"""How Coq is told to prove a lemma: with ``lia``, or with a proof for the checker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import NamedTuple

from icgsynth.budget import Budget
from icgsynth.coq.certificates import SearchSteps
from icgsynth.coq.gallina import binder, data, library, name, number
from icgsynth.coq.statement import Said
from icgsynth.coq.ways import CAREFUL, Way, way
from icgsynth.errors import Refused
from icgsynth.game.game import ParametricGame
from icgsynth.logic import term as t
from icgsynth.prove.deciders.portfolio import decide

_SECONDS = 60.0  # of processor time, for a legal state: a few hundredths do


NOTHING = Said("False", t.FALSE)


class Lemma(NamedTuple):
    """For all integers ``names``: if the hypotheses hold, so do the goals."""

    label: str
    names: tuple[str, ...]
    hypotheses: tuple[Said, ...]
    goals: tuple[Said, ...]


class Proved(NamedTuple):
    """The text of a lemma with its proof, and the libraries that it needs beside tactics."""

    text: str
    needs: frozenset[str] = frozenset()


def checking(found: Iterable[Proved]) -> list[str]:
    """The libraries that these proofs need."""
    needed = _needed(found)
    return [library(part) for part in ("formulas", "alike", "checker") if part in needed]


def not_empty(game: ParametricGame) -> str:
    """That some state is legal; :class:`~icgsynth.errors.Refused` where none is found."""
    values = " ".join(map(number, legal_state(game)))
    return f"Example not_empty : legal (St {values}).\nProof. unfolded; arith. Qed.\n"


def legal_state(game: ParametricGame) -> tuple[int, ...]:
    """One of them; :class:`~icgsynth.errors.Refused` where none is found."""
    model = decide((game.legal,), game.variables, Budget(inf, work=_SECONDS)).model
    if model is None:
        raise Refused(f"no legal state of {game.name} was found, and then the theorem says nothing")
    return tuple(model[v] for v in game.variables)


def proved(lemma: Lemma, effort: SearchSteps, careful: int = CAREFUL) -> Proved:
    """The lemma, and a proof that Coq may refuse.

    ``careful`` is how many alternatives ``lia`` is left to go through where a divisor is large.
    """
    labels = _labels(lemma)
    claims = [*(h.text for h in lemma.hypotheses), _all(g.text for g in lemma.goals)]
    claim = " ->\n  ".join(claims)
    proofs = [_one(lemma, labels, goal, effort, careful) for goal in lemma.goals]
    lines = [f"Lemma {lemma.label}{binder(lemma.names)} :\n  {claim}."]
    lines.append(f"Proof.\n  intros {' '.join(labels)}.")
    lines += [f"  split; [{goal.text}|]." for goal in proofs[:-1]]
    lines.append(f"  {proofs[-1].text}.\nQed.\n")
    return Proved("\n".join(lines), _needed(proofs))


def _needed(proofs: Iterable[Proved]) -> frozenset[str]:
    return frozenset[str]().union(*(proof.needs for proof in proofs))


def _labels(lemma: Lemma) -> list[str]:
    return [f"H{i}" for i in range(1, len(lemma.hypotheses) + 1)]


def _all(texts: Iterator[str]) -> str:
    return " /\\ ".join(f"({text})" for text in texts)


def _one(
    lemma: Lemma, labels: Sequence[str], goal: Said, effort: SearchSteps, careful: int = CAREFUL
) -> Proved:
    places = {n: i for i, n in enumerate(lemma.names)}
    found = way([h.meaning for h in lemma.hypotheses], goal.formula, places, effort, careful)
    kept = [labels[i] for i in found.core]
    given = dict(zip(labels, lemma.hypotheses, strict=True))
    if found.kind == "itself" and given[kept[0]].holds is None:
        return Proved(f"exact {kept[0]}")
    if found.kind in ("itself", "lia"):
        return Proved(f"{_keeping(labels, kept)}unfolded; arith")
    return Proved(
        _checked({label: given[label] for label in kept}, goal, places, found), found.needs
    )


def _checked(given: Mapping[str, Said], goal: Said, places: Mapping[str, int], found: Way) -> str:
    """That a library accepts a proof of the goal from these hypotheses."""
    row = f"({''.join(f'{name(n)} :: ' for n in places)}nil)"
    facts = "".join(f"{data(said.meaning, places)} :: " for said in given.values())
    proofs = "".join(
        f"(conj {_meaning(label, said, row, places)} " for label, said in given.items()
    )
    proofs += "I" + ")" * len(given)
    word, aim = "refuted", ""
    if goal.formula != t.FALSE:
        word, aim = "proved", f" {data(goal.formula, places)}"
    return f"checked ({word} {row}\n    ({facts}nil){aim}\n    {found.proof})\n    {proofs}"


def _meaning(label: str, given: Said, row: str, places: Mapping[str, int]) -> str:
    """A proof of the proposition that a hypothesis means."""
    if given.holds is None:
        return label
    return f"({'yes' if given.holds else 'no'} (env {row}) {data(given.formula, places)} {label})"


def _keeping(labels: Sequence[str], kept: Sequence[str]) -> str:
    if len(kept) == len(labels):
        return ""
    return f"clear - {' '.join(kept)}; " if kept else "clear; "
