"""How Coq is told to prove a lemma: with ``lia``, or with a proof for the checker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf, lcm, prod
from typing import NamedTuple

from icgsynth.budget import Budget
from icgsynth.errors import Refused
from icgsynth.export.coq.certificates import NoProof, SearchSteps, certificate, remainders
from icgsynth.export.coq.claims import NOTHING, Lemma, OfMoves
from icgsynth.export.coq.gallina import binder, data, library, name, names, number
from icgsynth.export.coq.linear_facts import Both, Fact, Unknowns
from icgsynth.export.coq.rough_numbers import splits
from icgsynth.export.coq.statement import CoqRules, Said
from icgsynth.game.game import ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import walk
from icgsynth.logic.normal import Unsupported
from icgsynth.prove.deciders.smt import Contradictions, satisfy

_SECONDS = 60.0  # of processor time, for a legal state: a few hundredths do
_PLAIN = 5_000  # alternatives left to lia, which rules out most of them early
_CAREFUL = 500  # the same where a divisor is large
_LONG = 1_000  # terms and formulas in a lemma
_MUCH = 200_000  # alternatives times terms and formulas, past which lia may run out of its stack
_SMALL = 10  # of all divisors the least common multiple, past which lia may take seconds
_LARGE = 50  # the same, past which it may take minutes


class Proved(NamedTuple):
    """The text of a lemma with its proof, and the libraries that it needs beside tactics."""

    text: str
    needs: frozenset[str] = frozenset()


def checking(found: Iterable[Proved]) -> list[str]:
    """The libraries that these proofs need."""
    needed = _needed(found)
    return [library(part) for part in ("formulas", "checker", "numbers") if part in needed]


def not_empty(game: ParametricGame) -> str:
    """That some state is legal; :class:`~icgsynth.errors.Refused` where none is found."""
    model = satisfy((game.legal,), game.variables, Budget(inf, work=_SECONDS)).model
    if model is None:
        raise Refused(f"no legal state of {game.name} was found, and then the theorem says nothing")
    values = " ".join(number(model[v]) for v in game.variables)
    return f"Example not_empty : legal (St {values}).\nProof. unfolded; arith. Qed.\n"


def proved(lemma: Lemma, effort: SearchSteps, careful: int = _CAREFUL) -> Proved:
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


def proved_of_moves(lemma: OfMoves, said: CoqRules, effort: SearchSteps) -> Proved:
    """The lemma about all moves, with a proof for each action."""
    cases = [_one(case, _labels(case), case.goals[0], effort) for case in lemma.actions]
    text = about_moves(lemma, said, [case.text for case in cases])
    return Proved(text, _needed(cases))


def about_moves(lemma: OfMoves, said: CoqRules, scripts: Sequence[str]) -> str:
    """The text of a lemma about all moves, with a script for each action."""
    more = "".join(f" {label}" for label in _labels(lemma.actions[0])[4:])
    # Spaces, for "||" is one word to Coq.
    parameters = " | ".join(names(a.parameters) for a in said.game.actions)
    step = f"forall s m t, step{said.given} s m t -> {lemma.claim}"
    lines = [f"Lemma {lemma.label} : {said.for_all}{step}."]
    lines.append(f"Proof.\n  {said.entered}intros s m t (H1 & H2 & H3 & -> & H4){more}.")
    lines.append(f"  destruct s as [{said.variables}], m as [{parameters}].")
    lines += [f"  - {script}." for script in scripts]
    return "\n".join([*lines, "Qed.\n"])


def _labels(lemma: Lemma) -> list[str]:
    return [f"H{i}" for i in range(1, len(lemma.hypotheses) + 1)]


def _all(texts: Iterator[str]) -> str:
    return " /\\ ".join(f"({text})" for text in texts)


def _one(
    lemma: Lemma, labels: Sequence[str], goal: Said, effort: SearchSteps, careful: int = _CAREFUL
) -> Proved:
    given = dict(zip(labels, lemma.hypotheses, strict=True))
    for label, hypothesis in given.items():
        if hypothesis.text == goal.text:
            return Proved(f"exact {label}")
    meant = [h.meaning for h in given.values()]
    refuted = [*meant, *([] if goal is NOTHING else [t.Not(goal.formula)])]
    core = Contradictions().core(refuted)
    kept = labels if core is None else [labels[i] for i in core if i < len(labels)]
    needed = [refuted[i] for i in core] if core is not None else refuted
    plain = Proved(f"{_keeping(labels, kept)}unfolded; arith")
    ways = inf if core is None or _is_long(needed) else _alternatives(needed)
    if ways * sum(map(_length, needed)) > _MUCH:
        ways = inf
    modulus = _modulus(needed)
    if ways <= (_PLAIN if modulus <= _SMALL else careful):
        return plain
    places = {n: i for i, n in enumerate(lemma.names)}
    shortest = sorted(labels, key=lambda label: _length(given[label].formula))
    # What is short comes first.  A core may lack the bounds of a name, which the first hypothesis
    # has: that the state is legal.
    for some in dict.fromkeys((frozenset(kept), frozenset((*kept, *labels[:1])))):
        chosen = [label for label in shortest if label in some]
        found = _by_numbers(_denied(given, chosen, goal), places)
        if found is not None:
            return _checked(given, chosen, goal, places, found, "numbers")
    if ways <= (_PLAIN if modulus <= _LARGE else careful):
        return plain
    try:
        hypotheses = [given[label].meaning for label in kept]
        negated = _denied(given, (), goal)
        found = certificate([*negated, *hypotheses], places, effort)
    except NoProof:
        return plain
    return _checked(given, kept, goal, places, found, "checker")


def _denied(given: Mapping[str, Said], kept: Sequence[str], goal: Said) -> list[t.Formula]:
    """The formulas to be contradicted: these hypotheses, and the negated goal."""
    negated = [] if goal is NOTHING else [t.Not(goal.formula)]
    return [*(given[label].meaning for label in kept), *negated]


def _checked(
    given: Mapping[str, Said],
    kept: Sequence[str],
    goal: Said,
    places: Mapping[str, int],
    proof: str,
    part: str,
) -> Proved:
    """That a library accepts a proof of the goal from these hypotheses."""
    row = f"({''.join(f'{name(n)} :: ' for n in places)}nil)"
    facts = "".join(f"{data(given[label].meaning, places)} :: " for label in kept)
    proofs = "".join(f"(conj {_meaning(label, given[label], row, places)} " for label in kept)
    proofs += "I" + ")" * len(kept)
    word = "refuted" if goal is NOTHING else "proved"
    by = "_by_numbers" if part == "numbers" else ""
    aim = "" if goal is NOTHING else f" {data(goal.formula, places)}"
    text = f"checked ({word}{by} {row}\n    ({facts}nil){aim}\n    {proof})\n    {proofs}"
    return Proved(text, frozenset(("formulas", part)))


def _by_numbers(denied: Sequence[t.Formula], places: Mapping[str, int]) -> str | None:
    """The splits for ``numbers.v`` that show a contradiction, if any do."""
    periods = remainders(denied)
    found = splits(denied, [*places], periods) if periods else None
    if found is None:
        return None
    each = (
        f"({places[s.name]}%nat, ({number(s.low)}, {number(s.high)}, {s.period})) :: "
        for s in found
    )
    return f"({''.join(each)}nil)"


def _meaning(label: str, given: Said, row: str, places: Mapping[str, int]) -> str:
    """A proof of the proposition that a hypothesis means."""
    if given.holds is None:
        return label
    return f"({'yes' if given.holds else 'no'} (env {row}) {data(given.formula, places)} {label})"


def _keeping(labels: Sequence[str], kept: Sequence[str]) -> str:
    if len(kept) == len(labels):
        return ""
    return f"clear - {' '.join(kept)}; " if kept else "clear; "


def _is_long(formulas: Sequence[t.Formula]) -> bool:
    """Whether ``lia`` may take minutes to read them."""
    return sum(map(_length, formulas)) > _LONG


def _length(formula: t.Formula) -> int:
    """How many terms and formulas it has."""
    return sum(1 for _ in walk(formula))


def _modulus(formulas: Sequence[t.Formula]) -> int:
    """The least common multiple of all divisors that are numbers."""
    divisors = (n.divisor for f in formulas for n in walk(f) if isinstance(n, t.Mod | t.Div))
    return lcm(*(divisor.value for divisor in divisors if isinstance(divisor, t.Int)))


def _alternatives(formulas: Sequence[t.Formula]) -> int:
    """In how many ways the formulas can be true together, each ``!=`` counted as two."""
    try:
        facts = Unknowns().opened(formulas) or []
    except Unsupported:
        return 0
    return prod(map(_ways, facts))


def _ways(fact: Fact) -> int:
    if not isinstance(fact, Both):
        return 1
    left, right = _ways(fact.left), _ways(fact.right)
    return left * right if fact.is_and else left + right
