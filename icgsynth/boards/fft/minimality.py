"""Prove a tree minimal, or find a smaller one, by SAT (glucose, through python-sat).

First that no strongly optimal tree has one rule less, then that none with as many rules has one
literal less.  Where the answer is yes instead, the model is a better tree, and the question is
asked again.

The question "is there a strongly optimal tree of k rules and at most L literals?" as CNF.

Variables: literal l is in rule i; its action is a; canonical state s is reached; rule i has its
condition and a legal action in image t of s; no rule up to i fires in s.  Without loss, and so
without harm to a proof of "no":

* an action stands for its orbit, because a rule may be replaced by any of its images;
* of the images that have this action, a rule is one whose first literal is the earliest;
* a rule holds no literal that its action's applicability implies, none that another of its
  literals implies, and no two that exclude one another (it would never fire).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from icgsynth import wings
from icgsynth.boards.fft.player_view import PlayerView
from icgsynth.boards.fft.synthesis import minimise
from icgsynth.boards.fft.workshop import Workshop
from icgsynth.boards.finite.tree import Meta, Tree
from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.digits.arrays import unpack
from icgsynth.errors import BudgetSpent
from icgsynth.process.worker import Worker

# --- cnf -----------------------------------------------------------------------------------------


class TreeClauses:
    """A CNF whose models are the strongly optimal trees with a given number of rules.

    :class:`~icgsynth.errors.BudgetSpent` where writing them down takes longer than ``budget``."""

    def __init__(self, view: PlayerView, rules: int, budget: Budget = UNBOUNDED) -> None:
        self._view = view
        self.clauses = array("i")  # each ends with 0, as in DIMACS
        self.variables = 0
        width = view.literal_images.shape[1]
        self._truth = unpack(view.bits, width)
        self._offered = unpack(view.offered, width)
        self._actions = _representatives(view)
        # Only one action of each orbit: a rule and its images are one rule, written with it.
        used = self._offered[self._actions].any(axis=0)
        self._used = [int(i) for i in np.flatnonzero(used)]
        # Variables: reached[s], play comes to s; has[r][i], rule r has literal i; does[r][a], rule
        # r has action a. Rules are in the order of their places.
        self._reached = [self._new() for _ in view.who]
        self._has = [{i: self._new() for i in self._used} for _ in range(rules)]
        self._does = [{a: self._new() for a in self._actions} for _ in range(rules)]
        self._add([self._reached[0]])
        self._rules_are_sane()
        for s in range(len(view.who)):
            budget.check()
            if view.who[s] < 0:
                self._all_moves(s, [-self._reached[s]])
            else:
                self._decides(s, int(view.who[s]))

    @property
    def holds(self) -> list[int]:
        """The variables that say "rule r has literal i", for all r and i."""
        return [v for row in self._has for v in row.values()]

    def rules(self, model: Iterable[int]) -> list[tuple[list[int], int]]:
        """Return the rules of the tree that ``model`` describes: (signed literals, action), by
        number. ``model`` lists the numbers of true variables; negative numbers are ignored."""
        true = {v for v in model if v > 0}
        return [
            (
                [i for i, v in has.items() if v in true],
                next(a for a, v in does.items() if v in true),
            )
            for has, does in zip(self._has, self._does, strict=True)
        ]

    def _new(self) -> int:
        self.variables += 1
        return self.variables

    def _add(self, clause: list[int]) -> None:
        self.clauses.extend(clause)
        self.clauses.append(0)

    def _rules_are_sane(self) -> None:
        clash = _useless_pairs(self._view, self._truth)
        pairs = [(i, j) for i in self._used for j in self._used if i < j and clash[i, j]]
        first = {a: _first_images(self._view, a) for a in self._actions}
        for has, does in zip(self._has, self._does, strict=True):
            chosen = list(does.values())
            self._add(chosen)
            # Exactly one action a rule: one of them above, and no two of them here.
            for at, one in enumerate(chosen):
                for other in chosen[:at]:
                    self._add([-one, -other])
            for i, j in pairs:
                self._add([-has[i], -has[j]])
            for a, chosen_a in does.items():
                for i in self._used:
                    if not self._offered[a, i]:
                        self._add([-chosen_a, -has[i]])
                    # Rule and image fire alike; of the images with action a the rule is the one
                    # whose earliest literal is least: with i it has a literal up to the earliest
                    # image of i.
                    elif first[a][i] < i:
                        earlier = [has[j] for j in self._used if j <= first[a][i]]
                        self._add([-chosen_a, -has[i], *earlier])

    def _all_moves(self, s: int, unless: list[int]) -> None:
        for m in range(int(self._view.first[s]), int(self._view.first[s + 1])):
            # At a state of the other all moves are made. reached is only implied, never its
            # negation: a model may call more states reached than play reaches, but a tree that is
            # right has the model in which exactly those are.
            if (t := int(self._view.target[m])) >= 0:
                self._add([*unless, self._reached[t]])

    def _decides(self, s: int, p: int) -> None:
        view = self._view
        start = int(view.first[s])
        optimal, legal = int(view.optimal[p]), int(view.legal[p])
        before: list[int] = []  # "no rule so far fires", negated; empty for the first rule
        # A rule fires in p by an image if that image's literals hold in p.
        images = self._images(p)
        for has, does in zip(self._has, self._does, strict=True):
            fires = []
            for lacking, moves in images:
                f = self._new()
                fires.append(f)
                absent = [has[i] for i in lacking]
                # f holds iff the rule lacks no literal of this image and its action is legal in it.
                for v in absent:
                    self._add([-f, -v])
                for a, chosen in does.items():
                    m = moves[a]
                    if m < 0:
                        self._add([-f, -chosen])
                        continue
                    self._add([f, -chosen, *absent])
                    # Where this rule is the first to fire: its move must be optimal, and leads to a
                    # state reached.
                    plays = [-self._reached[s], -f, -chosen, *before]
                    if not optimal >> m & 1:
                        self._add(plays)
                    elif (t := int(view.target[start + m])) >= 0:
                        self._add([*plays, self._reached[t]])
            # none: neither this rule nor an earlier one fires. It is "and" of the negations, in
            # both directions.
            none = self._new()
            for f in fires:
                self._add([-none, -f])
            for b in before:
                self._add([-none, -b])
            self._add([none, *before, *fires])
            before = [-none]
        silent = [-self._reached[s], *before]
        # No rule fires: any legal move may be made, so all must be optimal, or s is not reached.
        if optimal != legal:
            self._add(silent)
        else:
            self._all_moves(s, silent)

    def _images(self, p: int) -> list[tuple[list[int], dict[int, int]]]:
        """Return the distinct images of state ``p`` under the symmetries, each as its false
        literals (by number), and a dict from actions to places among the moves (-1: none)."""
        view = self._view
        here: npt.NDArray[np.bool_] = np.asarray(self._truth[p], np.bool_)
        found: dict[tuple[bytes, tuple[int, ...]], tuple[list[int], dict[int, int]]] = {}
        for literal_image, action_image in zip(
            view.literal_images, view.action_images, strict=True
        ):
            # The rule's image holds in p just where the rule holds in p's inverse image.
            true = here[literal_image]
            moves = tuple(int(view.local[p, action_image[a]]) for a in self._actions)
            key = (true.tobytes(), moves)
            if key not in found:
                lacking = [i for i in self._used if not true[i]]
                found[key] = (lacking, dict(zip(self._actions, moves, strict=True)))
        return list(found.values())


def _representatives(view: PlayerView) -> list[int]:
    """Return the least action of each orbit of actions that is legal for the player somewhere."""
    least = np.asarray(view.action_images.min(axis=0))
    playable = np.asarray((view.local >= 0).any(axis=0))
    closed = np.flatnonzero(np.take(playable, view.action_images).any(axis=0))
    return sorted({int(a) for a in least[closed]})


def _first_images(view: PlayerView, action: int) -> npt.NDArray[np.int16]:
    """Return, for each literal, its least image under the symmetries that fix ``action``."""
    keeping = view.action_images[:, action] == action
    first: npt.NDArray[np.int16] = view.literal_images[keeping].min(axis=0)
    return first


def _useless_pairs(view: PlayerView, truth: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return a matrix of pairs of literals that exclude or imply one another in all states.
    ``truth`` (states, literals) says which literals hold; images of the states count too."""
    width = truth.shape[1]
    both = np.zeros((width, width), bool)
    without = np.zeros((width, width), bool)
    for image in view.literal_images:
        # Products of 0/1 matrices count states: both hold; the first holds and the second does not.
        # A pair counts only if it is useless as each element of the group sees it.
        seen = truth[:, image].astype(np.float32)
        both |= (seen.T @ seen) > 0
        without |= (seen.T @ (1 - seen)) > 0
    useless: npt.NDArray[np.bool_] = ~both | ~without | ~without.T
    return useless


# --- minimality ----------------------------------------------------------------------------------

Answer: TypeAlias = Literal["yes", "no", "unknown"]
# Of eight solvers tried it decides these questions in the least time: Tic-tac-toe's two in 4.6 s
# of the processor, where cadical195 takes 10.8 s; those of Chomp and Three Men's Morris in a third.
_SOLVER = "glucose4"


@dataclass(frozen=True)
class SizeQuestion:
    """The question whether a tree of ``rules`` rules and ``literals`` literals exists, answered."""

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
    """The smallest tree known, the questions asked to SAT, and what is proved of its size."""

    tree: Tree
    questions: tuple[SizeQuestion, ...] = ()
    fewest_rules: bool = False
    fewest_literals: bool = False

    @property
    def is_minimal(self) -> bool:
        """Whether it is proved that no tree has fewer rules, or as many and fewer literals."""
        return self.fewest_rules and self.fewest_literals


def prove_minimal(
    workshop: Workshop,
    tree: Tree,
    budget: float,
    progress: Callable[[str], None] = lambda _: None,
) -> Minimality:
    """Prove ``tree`` minimal, or find a smaller one, within ``budget`` seconds; return the smallest
    known. The claim is about trees without meta-rules, in the workshop's language and symmetry.
    ``progress`` gets each question to SAT with its answer, as text."""
    end = Budget(budget)
    known = Minimality(tree)
    while not known.is_minimal:
        rules, literals = known.tree.figure
        if any(isinstance(item, Meta) for item in known.tree.items):
            return known  # meta-rules are outside the claim
        # No rules: nothing can be smaller.
        if not known.fewest_rules and rules == 0:
            return replace(known, fewest_rules=True, fewest_literals=True)
        if not known.fewest_rules:
            # First without a bound on literals: are fewer rules enough? When they are not, are
            # fewer literals with as many rules?
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


def ask(workshop: Workshop, rules: int, literals: int | None, budget: float) -> SizeQuestion:
    """Ask SAT for a strongly optimal tree of ``rules`` rules and at most ``literals`` literals
    (None: any number); return the question with its answer, "unknown" after ``budget`` seconds."""
    end = Budget(budget)
    try:
        encoding = TreeClauses(workshop.view, rules, end)
    except BudgetSpent:
        return SizeQuestion(rules, literals, "unknown", end.runtime, 0)
    clauses = encoding.clauses
    if literals is not None:
        clauses.extend(_at_most(encoding.holds, literals, encoding.variables))
    count = clauses.count(0)
    model = _solve(clauses, end.remaining())
    tree = None
    if isinstance(model, list):
        with workshop.within(end.remaining()):
            # A model has some tree; what can be dropped is dropped, so that the next asks for less.
            tree = minimise(workshop, workshop.tree_of(encoding.rules(model)))
    answer: Answer = "yes" if tree else "no" if model is False else "unknown"
    return SizeQuestion(rules, literals, answer, end.runtime, count, tree)


def _at_most(variables: list[int], bound: int, top: int) -> array[int]:
    """Return clauses, each ended by 0, that say: at most ``bound`` of ``variables`` are true.
    Variables up to ``top`` are in use; the clauses (a sequential counter) have more."""
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
    """Import and return the module ``module`` of python-sat; raise an error if it is missing."""
    try:
        return import_module(f"pysat.{module}")
    except ImportError:
        message = "proofs of minimality need python-sat, which is not installed"
        raise wings.lacking(message, "fft") from None


def _solve(clauses: array[int], budget: float) -> list[int] | Literal[False] | None:
    """Return a model of the CNF ``clauses``; False if none; None if ``budget`` seconds are over."""
    # In a process of its own, which can be ended when the time is up.
    _pysat("solvers")
    if budget <= 0:
        return None
    with Worker() as worker:
        try:
            return worker.call(budget, _work, clauses.tobytes())
        except BudgetSpent:
            return None


def _work(flat: bytes) -> list[int] | Literal[False]:
    """Return a model of a CNF, False if it has none. ``flat`` has its literals as the bytes of C
    integers, with a 0 after each clause."""
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
