"""A Coq file for an answer in digits: who loses is what an automaton reads from them.

The theory is ``digits.v``; the facts about the game come from
:mod:`icgsynth.coq.digits_lemmas`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from icgsynth.coq.certificates import SearchSteps
from icgsynth.coq.claims import general
from icgsynth.coq.digits_checks import COMPUTED
from icgsynth.coq.digits_lemmas import DigitLemmas
from icgsynth.coq.digits_parts import Parts, system_text, table_text
from icgsynth.coq.digits_solution import SolutionLemmas
from icgsynth.coq.digits_theorem import plays, theorem, theorems
from icgsynth.coq.digits_tracks import FACTS
from icgsynth.coq.gallina import library
from icgsynth.coq.proofs import Lemma, Proved, checking, not_empty, proved
from icgsynth.coq.quantified_rules import QuantifiedRules
from icgsynth.coq.statement import IMPORTS, PLAY, PRINTED, heading
from icgsynth.digits.numeration import Numeration
from icgsynth.game.game import ParametricGame
from icgsynth.game.solution import Solution

_TACTICS = """Ltac natural_numbers := unfolded; repeat constructor; arith.
Ltac one_by_one := repeat match goal with |- _ /\\ _ => split end; try arith; f_equal; arith.
"""
_IN_DIGITS = """Ltac in_digits := cbv beta iota zeta delta
  [holds means the Parts nothing nth fst snd pick map dot app given uses guesses] in *.
Ltac conditions := cbn [holds];
  repeat match goal with |- _ /\\ _ => split end; try assumption; unfolded; in_digits; arith.
"""


def digits_file(solution: Solution, written: ParametricGame | None = None) -> str:
    """The file; :class:`~icgsynth.errors.Refused` where there is no proof of this kind.

    ``written`` are the rules as they were written where these have quantifiers.
    """
    lemmas, effort = SolutionLemmas(solution), SearchSteps()
    proofs = [*lemmas.all()]
    said, falls = lemmas.said, [*ranks(lemmas, effort)]
    around = None if written is None else QuantifiedRules(written, said, effort)
    checker = checking([*falls, *(around.proofs if around else ())])
    play = "misere" if said.is_misere else "normal"
    lines = [
        *heading(replace(solution, game=written or solution.game)),
        _what_is_stated(lemmas),
        *opening(play, checker, lemmas.parts, ("quantified", f"same_{play}") if around else ()),
        *(around.written if around else said).rules_as_definitions(),
        *_answer(lemmas),
        *said.measures(),
        *(around.before("Checker" if checker else "") if around else ()),
        "(* ---- What has to hold of the rules. ---- *)\n",
        _unfolded(lemmas),
        *lemma_lines(lemmas, falls, checker, proofs, _reading(lemmas)),
        "(* ---- The theorem. ---- *)\n",
        *plays(lemmas),
        *theorems(lemmas),
        *(around.after(theorem(lemmas), bool(said.rules)) if around else ()),
        PRINTED,
    ]
    return "\n".join(lines) + "\n"


def opening(
    play: str, checker: Sequence[str], parts: Parts, more: Sequence[str] = ()
) -> Iterator[str]:
    """What does not know the game: the meaning of the theorem, tactics, the theory of digits."""
    yield "From Coq Require Import FMapPositive."
    yield IMPORTS
    yield PLAY
    yield library(play)
    yield library("ranks")
    yield "End Play.\n"
    yield library("tactics")
    yield from (["Module Checker.", *checker, "End Checker.\n"] if checker else [])
    yield from map(library, more)
    yield library("digits")
    yield "Import Digits.\n"
    yield from ([library("functions"), "Import DigitFunctions.\n"] if parts.uses_functions else [])


def lemma_lines(
    lemmas: DigitLemmas,
    falls: Sequence[Proved],
    checker: Sequence[str],
    proofs: Sequence[str],
    reading: Iterable[str] = (),
) -> Iterator[str]:
    """The lemmas, once the rules and the answer are defined: what each move decreases, and
    what automata decide."""
    yield _TACTICS
    yield not_empty(lemmas.game)
    yield from (["Section Ranks.\nImport Checker.\n"] if checker else [])
    yield from (rank.text for rank in falls)
    yield from (["End Ranks.\n"] if checker else [])
    yield "(* ---- What automata decide. ---- *)\n"
    yield from reading
    yield from lemmas.tables
    yield from lemmas.parts.definitions()
    yield _IN_DIGITS
    yield FACTS
    yield from proofs


def system_lines(system: Numeration) -> Iterator[str]:
    """The numeration system, as definitions."""
    yield f"""(* ---- The system of its digits. ---- *)

(* The numeration system, by states: the largest digit in each, and where that digit leads. *)
Definition System : list (nat * nat) := {system_text(system)}.
Lemma System_right : is_system System = true.
{COMPUTED}"""


def _what_is_stated(lemmas: SolutionLemmas) -> str:
    """A comment that says what the theorem says, and what it does not say."""
    count, stated = len(lemmas.said.rules), lemmas.stated
    if stated.has_formula:
        lines = ["Stated of the answer: its formulas for who wins and who loses."]
    else:
        lines = [
            "Stated of the answer: an automaton reads from the digits who loses.  The answer",
            "has no formula that can be stated here.",
        ]
    if stated.is_whole:
        lines.append("The strategy: each move of it, in a state that wins, leads to a lost state.")
    elif count:
        lines += [
            f"The strategy as far as it is in terms, {count} rules: they lead to lost states.",
            "Where none of them holds there is a move to a lost state: not stated is",
            "which move the answer names there.",
        ]
    else:
        lines += [
            "From each winning state there is a move to a lost state: not stated is",
            "which move the strategy of the answer names.",
        ]
    return "(* " + "\n   ".join(lines) + " *)\n"


def _unfolded(lemmas: SolutionLemmas) -> str:
    rules = [f"when_{i}" for i, _ in enumerate(lemmas.said.rules, 1)]
    names = ["legal", "ending", "pre", "after", "measures", "drops", "winning", "losing", *rules]
    return f"Ltac unfolded :=\n  cbv beta iota zeta delta [{' '.join(names)}] in *."


def _answer(lemmas: SolutionLemmas) -> Iterator[str]:
    """Who loses, and the strategy."""
    yield from system_lines(lemmas.system)
    if lemmas.stated.has_formula:
        yield from lemmas.said.formulas()
    else:
        yield _losing(lemmas)
        for word, value in (("winning", "false"), ("losing", "true")):
            yield f"Definition {word} (s : state) : Prop := {lemmas.said.opened}"
            yield f"  recognised System Losing [{lemmas.row}] = {value}."
    if lemmas.said.rules:
        yield from lemmas.said.strategy()


def _losing(lemmas: SolutionLemmas) -> str:
    losing = table_text(lemmas.losing.automaton(lemmas.variables))
    return f"Definition Losing : automaton := {losing}."


def _reading(lemmas: SolutionLemmas) -> Iterator[str]:
    """Who loses as the automaton reads it."""
    if lemmas.stated.has_formula:
        yield _losing(lemmas)
    for word, value in (("rejected", "false"), ("accepted", "true")):
        yield f"Definition {word} (s : state) : Prop := {lemmas.said.opened}"
        yield f"  recognised System Losing [{lemmas.row}] = {value}."


def ranks(lemmas: DigitLemmas, effort: SearchSteps) -> Iterator[Proved]:
    """That each move decreases the measures."""
    said, game = lemmas.said, lemmas.game
    for action in game.actions:
        given = (said.legal, *said.fires(general(action)))
        names = (*game.variables, *action.parameters)
        yield proved(Lemma(f"rank_{action.name}", names, given, (said.decreases(action),)), effort)
