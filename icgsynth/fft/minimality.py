"""Proofs that no tree is smaller, by SAT (cadical, through python-sat), with a time limit.

First that no strongly optimal tree has one rule less, then that none with as many rules has
one literal less.  Where the answer is yes instead, the model is a better tree, and the
question is asked again.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Literal, TypeAlias

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, InputError
from icgsynth.fft.cnf import TreeClauses
from icgsynth.fft.synthesis import minimise
from icgsynth.fft.workshop import Workshop
from icgsynth.finite.tree import Meta, Tree
from icgsynth.process.worker import Worker

__all__ = ["Minimality", "Question", "ask", "certify"]

Answer: TypeAlias = Literal["yes", "no", "unknown"]
_SOLVER = "cadical195"


@dataclass(frozen=True)
class Question:
    """Is there a tree of ``rules`` rules (and at most ``literals`` literals)?  And the answer."""

    rules: int
    literals: int | None
    answer: Answer
    seconds: float
    clauses: int
    tree: Tree | None = None

    def __str__(self) -> str:
        many = f"{self.rules} rule{'s' * (self.rules != 1)}"
        if self.literals is not None:
            many += f" with {self.literals} literal{'s' * (self.literals != 1)}"
        said = {"yes": "possible", "no": "impossible", "unknown": "not decided"}[self.answer]
        return f"{many}: {said} ({self.clauses:,} clauses, {self.seconds:.1f} s)"


@dataclass(frozen=True)
class Minimality:
    """The best tree known and the questions asked on the way."""

    tree: Tree
    questions: tuple[Question, ...] = ()
    fewest_rules: bool = False
    fewest_literals: bool = False

    @property
    def is_minimal(self) -> bool:
        """Fewest rules, and among these fewest literals: both proved."""
        return self.fewest_rules and self.fewest_literals


def certify(
    workshop: Workshop,
    tree: Tree,
    budget: float,
    progress: Callable[[str], None] = lambda _: None,
) -> Minimality:
    """Prove ``tree`` minimal, or find a smaller one, within ``budget`` seconds.

    The claim is about trees of free rules in the workshop's language and symmetry.
    """
    end = Budget(budget)
    known = Minimality(tree)
    while not known.is_minimal:
        rules, literals = known.tree.figure
        if any(isinstance(item, Meta) for item in known.tree.items):
            return known  # meta-rules are outside the claim
        if not known.fewest_rules and rules == 0:
            return replace(known, fewest_rules=True, fewest_literals=True)
        if not known.fewest_rules:
            asked = ask(workshop, rules - 1, None, end.remaining())
        elif literals == 0:
            return replace(known, fewest_literals=True)
        else:
            asked = ask(workshop, rules, literals - 1, end.remaining())
        progress(str(asked))
        known = replace(known, questions=(*known.questions, asked))
        if asked.answer == "unknown":
            return known
        if asked.tree is not None:
            known = replace(known, tree=asked.tree)
        elif asked.literals is None:
            known = replace(known, fewest_rules=True)
        else:
            known = replace(known, fewest_literals=True)
    return known


def ask(workshop: Workshop, rules: int, literals: int | None, budget: float) -> Question:
    """One question; "unknown" after ``budget`` seconds."""
    end = Budget(budget)
    try:
        encoding = TreeClauses(workshop.view, rules, end)
    except BudgetSpent:
        return Question(rules, literals, "unknown", end.elapsed(), 0)
    clauses = encoding.clauses
    if literals is not None:
        clauses.extend(_at_most(encoding.holds, literals, encoding.variables))
    count = clauses.count(0)
    model = _solve(clauses, end.remaining())
    tree = None
    if isinstance(model, list):
        with workshop.within(end.remaining()):
            tree = minimise(workshop, workshop.tree_of(encoding.rules(model)))
    answer: Answer = "yes" if tree else "no" if model is False else "unknown"
    return Question(rules, literals, answer, end.elapsed(), count, tree)


def _at_most(variables: list[int], bound: int, top: int) -> array[int]:
    """Clauses: at most ``bound`` of ``variables`` hold (a sequential counter)."""
    cardinality = _pysat("card")
    encoded = cardinality.CardEnc.atmost(
        variables, bound, top_id=top, encoding=cardinality.EncType.seqcounter
    )
    flat = array("i")
    for clause in encoded.clauses:
        flat.extend(clause)
        flat.append(0)
    return flat


def _pysat(module: str) -> Any:
    """A module of python-sat, which has no types: the only door to it."""
    try:
        return import_module(f"pysat.{module}")
    except ImportError:
        raise InputError(
            "proofs of minimality need python-sat, which is not installed",
            mend="pip install 'icgsynth[fft]'",
        ) from None


def _solve(clauses: array[int], budget: float) -> list[int] | Literal[False] | None:
    """A model, False where there is none, None where time is up.

    In a process of its own, because cadical cannot be interrupted.
    """
    _pysat("solvers")
    if budget <= 0:
        return None
    with Worker() as worker:
        try:
            return worker.call(budget, _work, clauses.tobytes())
        except BudgetSpent:
            return None


def _work(flat: bytes) -> list[int] | Literal[False]:
    """In the worker: ``flat`` holds integers, each clause ended by 0."""
    numbers = array("i")
    numbers.frombytes(flat)
    clauses: list[list[int]] = [[]]
    for number in numbers:
        if number:
            clauses[-1].append(number)
        else:
            clauses.append([])
    with _pysat("solvers").Solver(name=_SOLVER, bootstrap_with=clauses[:-1]) as solver:
        model: list[int] | Literal[False] = solver.get_model() if solver.solve() else False
        return model
