"""A linear answer as a file for Coq: a library, then the game and the answer as data.

The library is the same for all games and proves one theorem: whatever fulfils the claims of
``claims.v`` is right.  Coq computes the claims from the data; the file says how each is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from icgsynth.coq.certificates import SearchSteps
from icgsynth.coq.claims import CoqClaim, play_claims, value_claims
from icgsynth.coq.gallina import library, proposition
from icgsynth.coq.game_data import GameData, listed
from icgsynth.coq.product_lemmas import proved_with_products
from icgsynth.coq.proofs import NOTHING, Lemma, Proved, legal_state
from icgsynth.coq.same_rules import SameRules
from icgsynth.coq.statement import IMPORTS, PLAY, PRINTED, Said, opening_comment
from icgsynth.coq.ways import way
from icgsynth.game.game import ParametricGame
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.obligations.termination import Bounded
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.game.titles import in_prose, title
from icgsynth.logic import term as t
from icgsynth.logic.ranges import has_products

_WHERE_TO_LOOK = """

   The theorem is the last lines of the file: "answer : right {meaning} rules found".
   To believe it, read
   - "right", and {words} before it: what is stated of any game and any answer;
   - "step": what a move is, and "means": what a formula as data says;
   - from "The game" on: "rules" is the game and "found" the answer.  After each formula as data
     stands what it says in the names of the rules; Coq computes that it is so ("eq_refl").{more}
   All other lines are proof, which Coq reads for you.
"""
_WRITTEN = """
   - "written": the conditions of the rules as they were written, with quantifiers; those of
     "rules" are the same without, which Coq proves."""


def play_file(
    solution: Solution,
    ranking: Sequence[Bounded],
    movers: Sequence[SemiGroundAction],
    written: ParametricGame | None = None,
    beside: Sequence[Lemma] = (),
) -> str:
    """Who wins and who loses; :class:`~icgsynth.errors.Refused` where no proof is found.

    ``movers`` apply wherever any move does, for misère play; ``written`` are the rules as they
    were written where these have quantifiers; ``beside`` are lemmas about the names of the rules
    that are to hold as well.
    """
    game, rules = solution.game, [rule for rule in solution.strategy if isinstance(rule, Rule)]
    texts = GameData(game)
    misere = solution.rule == "misere"
    movers = movers if misere else ()
    return _file(
        _Answer(
            title(solution),
            "misere" if misere else "normal",
            '"Won" and "Lost"',
            ("sides", "misere_answers" if misere else "normal_answers"),
            texts,
            [*texts.sides(*solution.sides(), rules)],
            [*texts.hints(legal_state(game), ranking, movers)],
            [*play_claims(solution, rules, ranking, movers)],
        ),
        written,
        beside,
    )


def values_file(
    answer: GrundyAnswer,
    term: t.Term,
    ranking: Sequence[Bounded],
    written: ParametricGame | None = None,
) -> str:
    """What each state is worth; :class:`~icgsynth.errors.Refused` where no proof is found."""
    game, rules = answer.game, [rule for rule in answer.strategy if isinstance(rule, Rule)]
    texts = GameData(game)
    return _file(
        _Answer(
            f"The Grundy function of {in_prose(game)}",
            "values",
            '"Value"',
            ("value_answers",),
            texts,
            [*texts.values(term, answer.target, rules)],
            [*texts.hints(legal_state(game), ranking, ())],
            [*value_claims(game, term, answer.target, rules, ranking)],
        ),
        written,
    )


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a file states: the game, the lines about the answer, and what is to be shown.

    ``play`` names the library that says what winning, or a value, is; ``words`` are its words.
    """

    title: str
    play: str
    words: str
    libraries: tuple[str, ...]
    texts: GameData
    answer: list[str]
    hints: list[str]
    claims: list[CoqClaim]


def _file(answer: _Answer, written: ParametricGame | None, beside: Sequence[Lemma] = ()) -> str:
    effort = SearchSteps()
    shown = [_shown(i, claim, effort) for i, claim in enumerate(answer.claims, 1)]
    around = None if written is None else SameRules(written, answer.texts.game, effort)
    lemmas = [each for lemma in beside for each in proved_with_products(lemma, effort)]
    lemmas += [lemma for found in shown for lemma in found.lemmas]
    lemmas += around.lemmas if around else []
    needed = frozenset[str]().union(*(s.needs for s in shown), *(each.needs for each in lemmas))
    meaning = "written" if around else "(of_data rules)"
    more = _WRITTEN if around else ""
    ways = ";\n  ".join(found.text for found in shown)
    where = _WHERE_TO_LOOK.format(meaning=meaning, words=answer.words, more=more)
    parts = [
        *opening_comment(answer.title, str(written or answer.texts.game), where),
        IMPORTS,
        library("formulas"),
        library("games"),
        PLAY,
        library(answer.play),
        library("ranks"),
        "End Play.\n",
        library("tactics"),
        library("claims"),
        *map(library, answer.libraries),
        *map(library, ("alike", "checker", "checked_claims") if "checker" in needed else ()),
        *([library("products")] if any(s.lemmas for s in shown) or beside else []),
        *map(library, SameRules.libraries(answer.play) if around else ()),
        *(["Ltac unfolded := idtac.\n"] if lemmas else []),
        "(* The answer *)\n",
        *answer.texts.rules(),
        *(around.written_rules() if around else ()),
        *answer.answer,
        *answer.hints,
        *(lemma.text for lemma in lemmas),
        "(* What has to hold, and how each of these claims is shown. *)",
        "Definition claimed := Eval vm_compute in claims rules found helped.",
        f"Definition shown_by : list way := [\n  {ways}].\n",
        f"Theorem {'plain' if around else 'answer'} : right (of_data rules) rules found.",
        "Proof. show_all (right_by rules found helped) claimed shown_by. Qed.",
        *(around.carried() if around else ()),
        PRINTED,
    ]
    return "\n".join(parts) + "\n"


class _Shown(NamedTuple):
    """A ``way`` of ``claims.v``, and the libraries and lemmas that it needs."""

    text: str
    needs: frozenset[str] = frozenset()
    lemmas: tuple[Proved, ...] = ()


def _shown(number: int, claim: CoqClaim, effort: SearchSteps) -> _Shown:
    if has_products((*claim.known, claim.shown)) and claim.shown not in claim.known:
        *known, aim = (Said(proposition(f), f) for f in (*claim.known, claim.shown))
        goal = NOTHING if claim.shown == t.FALSE else aim
        lemma = Lemma(f"claim_{number}", claim.names, tuple(known), (goal,))
        return _Shown(f"Known claim_{number}", lemmas=tuple(proved_with_products(lemma, effort)))
    places = {name: i for i, name in enumerate(claim.names)}
    found = way(claim.known, claim.shown, places, effort)
    core = f"{listed(map(str, found.core))}%nat" if found.core else "[]"
    match found.kind:
        case "itself":
            return _Shown(f"Itself {found.core[0]}")
        case "lia":
            return _Shown(f"Lia {core}")
        case "checker":
            return _Shown(f"Checked {core}\n  {found.proof}", found.needs)
