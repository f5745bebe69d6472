"""Write an answer as a file for Coq: a library, then the game and the answer as data.

The library is the same for all games and proves one theorem: whatever fulfils the claims of
``claims.v`` is right.  Coq computes the claims from the data; the file says how each is shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from icgsynth.coq.certificates import SearchSteps
from icgsynth.coq.claims import CoqClaim, Try
from icgsynth.coq.digits_ways import DigitWays, reads_digits
from icgsynth.coq.gallina import format_list, library
from icgsynth.coq.game_data import GameData
from icgsynth.coq.product_lemmas import proved_with_products
from icgsynth.coq.proofs import Lemma, Proved
from icgsynth.coq.same_rules import SameRules
from icgsynth.coq.statement import IMPORTS, PLAY, PRINTED, opening_comment
from icgsynth.coq.ways import way
from icgsynth.game.game import ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.ranges import has_products

_WHERE_TO_LOOK = """

   The theorem is the last lines of the file: "answer : right {meaning} rules found".
   To believe it, read
   - "right", and {words} before it: what is stated of any game and any answer;
   - "step": what a move is, and "means": what a formula as data says;{digits}
   - from "The game" on: "rules" is the game and "found" the answer.  After each formula as data
     stands what it says in the names of the rules; Coq computes that it is so ("eq_refl").{more}
   All other lines are proof, which Coq reads for you.
"""
_WRITTEN = """
   - "written": the conditions of the rules as they were written, with quantifiers; those of
     "rules" are the same without, which Coq proves."""
_DIGITS = """
   - "recognised": that an automaton accepts numbers, whose digits it reads side by side, and
     "System", whose digits these are;"""
_FUNCTIONS = """
   - "DigitFunctions", at its beginning: what "shift", "zeros", "nimsum" and others are;"""


@dataclass(frozen=True, slots=True)
class DigitLibrary:
    """The library of digits in a file: their system, and how automata decide claims."""

    system: str
    ways: DigitWays

    def opening(self) -> list[str]:
        """Return Coq texts: the theory of digits, the system, and all automata asked for so far."""
        functions = [library("functions")] if self.has_functions else []
        return [
            library("digits"),
            *functions,
            "(* The automata *)\n",
            "(* The system of the digits, by states: the largest digit, and where that leads. *)",
            f"Definition System : list (nat * nat) := {self.system}.",
            "Lemma System_right : Digits.is_system System = true.",
            "Proof. vm_cast_no_check (eq_refl true). Qed.",
            "Module Import Automata.\nImport Digits.",
            *self.ways.parts.definitions(),
            "End Automata.\n",
            library("digit_functions" if self.has_functions else "no_functions"),
            library("readers"),
        ]

    @property
    def has_functions(self) -> bool:
        """Whether some term of the file has a function of digits."""
        return any(text.startswith("DigitFunctions") for text in self.ways.parts.readers.values())

    def closing(self) -> list[str]:
        """Return the libraries on how automata show claims, which come after all others."""
        return [library("told" if self.has_functions else "nothing_told"), library("by_digits")]


@dataclass(frozen=True, slots=True)
class Stated:
    """The content of a file for Coq: the game, the lines about the answer, and what is to be shown.

    ``play`` names the library that says what winning, or a value, is; ``words`` are its words, and
    ``libraries`` prove an answer right.  ``tries`` are under the words of the file for their
    proofs.  ``as_read`` has the lines of the same answer in the words of readers, which the claims
    are about then, and ``alike`` the claims that both say the same."""

    title: str
    play: str
    words: str
    libraries: tuple[str, ...]
    texts: GameData
    answer: Sequence[str]
    hints: Sequence[str]
    claims: Sequence[CoqClaim]
    tries: Sequence[tuple[str, tuple[str, ...], Sequence[Try]]] = ()
    as_read: Sequence[str] = ()
    alike: Sequence[CoqClaim] = ()
    digits: DigitLibrary | None = None
    note: str = ""
    beside: Sequence[Lemma] = ()


def answer_file(stated: Stated, written: ParametricGame | None) -> str:
    """Return the Coq file for ``stated``; ``written`` are the rules with quantifiers, if they have
    any. :class:`~icgsynth.errors.Refused` where no proof is found."""
    effort, digits, game = SearchSteps(), stated.digits, stated.texts.game
    shown = [_show(i, claim, effort, digits) for i, claim in enumerate(stated.claims, 1)]
    same = [_show(i, claim, effort, digits) for i, claim in enumerate(stated.alike, 1)]
    tries = [_tries(digits, game.legal, *each) for each in stated.tries if digits is not None]
    around = None if written is None else SameRules(written, game, effort)
    lemmas = [each for lemma in stated.beside for each in proved_with_products(lemma, effort)]
    lemmas += [lemma for found in shown for lemma in found.lemmas]
    lemmas += around.lemmas if around else []
    needed = frozenset[str]().union(*(each.needs for each in (*shown, *same)))
    needed = needed.union(*(each.needs for each in lemmas))
    if any(each.lemmas for each in shown) or stated.beside:
        needed |= {"products"}
    found = "read" if stated.as_read else "found"
    theorem = "plain" if around else "answer"
    first = "as_read" if stated.as_read else theorem
    where = _WHERE_TO_LOOK.format(
        meaning="written" if around else "(of_data rules)",
        words=stated.words,
        more=_WRITTEN if around else "",
        digits=_where_digits(digits),
    )
    parts = [
        *opening_comment(stated.title, str(written or game), where + stated.note),
        *_libraries(stated, needed, SameRules.libraries(stated.play) if around else ()),
        "(* The answer *)\n",
        *stated.texts.rules(),
        *(around.written_rules() if around else ()),
        *stated.answer,
        *stated.as_read,
        *stated.hints,
        *(lemma.text for lemma in lemmas),
        "(* What has to hold, and how each of these claims is shown. *)",
        f"Definition claimed := Eval vm_compute in claims rules {found} helped.",
        _ways("shown_by", shown),
        *(line for _, lines in tries for line in lines),
        f"Theorem {first} : right (of_data rules) rules {found}.",
        f"Proof. show_all (right_by rules {found} helped) claimed shown_by;",
        f"  {_each_try([label for label, _ in tries])}. Qed.",
        *(_alike(same, theorem) if stated.as_read else ()),
        *(around.carry_over() if around else ()),
        PRINTED,
    ]
    return "\n".join(parts) + "\n"


def _where_digits(digits: DigitLibrary | None) -> str:
    if digits is None:
        return ""
    return _DIGITS + _FUNCTIONS if digits.has_functions else _DIGITS


def _libraries(stated: Stated, needed: frozenset[str], more: tuple[str, ...]) -> Iterable[str]:
    """Yield the library texts of the file in order: those for ``stated``, those named in
    ``needed``, and last those named ``more``."""
    digits = stated.digits
    yield from (["From Coq Require Import FMapPositive."] if digits else [])
    yield IMPORTS
    yield from digits.opening() if digits else map(library, ("no_functions", "no_readers"))
    yield from map(library, ("formulas", "games"))
    yield PLAY
    yield from map(library, (stated.play, "ranks"))
    yield "End Play.\n"
    yield from map(library, ("tactics", "claims", *stated.libraries))
    if "checker" in needed:
        yield from map(library, ("alike", "checker"))
    if "checker" in needed or digits:
        yield library("denials")
    if "checker" in needed:
        yield library("checked_claims")
    yield from (digits.closing() if digits else ())
    yield from map(library, ("products",) if "products" in needed else ())
    yield from map(library, more)


class _Shown(NamedTuple):
    """The ``way`` of ``claims.v`` that shows a claim, and the libraries and lemmas it needs."""

    text: str
    needs: frozenset[str] = frozenset()
    lemmas: tuple[Proved, ...] = ()


def _tries(
    digits: DigitLibrary, legal: t.Formula, label: str, names: tuple[str, ...], tries: Sequence[Try]
) -> tuple[str, list[str]]:
    """Return ``label`` and Coq lines that define it as the proofs of ``tries``, each with formulas
    on the way. ``legal`` is the formula of legal states, ``names`` are those of a state."""
    proofs, lines = list[str](), list[str]()
    for i, one in enumerate(tries, 1):
        cuts, proof = digits.ways.show_try(legal, names, one)
        lines.append(f"Definition {label}_{i} : list way := {cuts}.")
        proofs.append(proof.format(f"{label}_{i}"))
    return label, [*lines, f"Definition {label} : list try_proof := {format_list(proofs)}."]


def _ways(label: str, shown: Iterable[_Shown]) -> str:
    ways = ";\n  ".join(found.text for found in shown)
    return f"Definition {label} : list way := [\n  {ways}].\n"


def _alike(same: Sequence[_Shown], theorem: str) -> Iterable[str]:
    """Yield Coq lines that prove ``theorem``, that the answer as stated is right, from ``as_read``,
    that its form with automata is; ``same`` are the ways that show both forms equivalent."""
    yield "\n(* The answer as it is stated says the same. *)"
    yield "Definition alike_claimed := Eval vm_compute in alike_claims rules found read."
    yield _ways("alike_by", same)
    yield f"Theorem {theorem} : right (of_data rules) rules found."
    yield "Proof. show_alike (alike_right rules found read alike_claimed as_read) alike_claimed"
    yield "  alike_by. Qed."


def _each_try(labels: Sequence[str]) -> str:
    return f"[{'|'.join(f'show_tries {label}' for label in labels)}]" if labels else "constructor"


def _show(number: int, claim: CoqClaim, effort: SearchSteps, digits: DigitLibrary | None) -> _Shown:
    if has_products((*claim.known, claim.shown)) and claim.shown not in claim.known:
        lemma = Lemma(f"claim_{number}", claim.names, claim.known, (claim.shown,))
        return _Shown(f"Known claim_{number}", lemmas=tuple(proved_with_products(lemma, effort)))
    if digits is not None and reads_digits(claim) and claim.shown not in claim.known:
        return _Shown(digits.ways.way(claim))
    places = {name: i for i, name in enumerate(claim.names)}
    found = way(claim.known, claim.shown, places, effort)
    core = f"{format_list(map(str, found.core))}%nat" if found.core else "[]"
    match found.kind:
        case "itself":
            return _Shown(f"Itself {found.core[0]}")
        case "lia":
            return _Shown(f"Lia {core}")
        case "checker":
            return _Shown(f"Checked {core}\n  {found.proof}", found.needs)
