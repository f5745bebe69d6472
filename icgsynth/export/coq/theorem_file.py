"""An answer for all members of a family, as a file that Coq checks.

The constants are what the theorem starts with: ``forall n : Z, range n -> ...``; all definitions of
the game and of the answer take them as arguments, and no state has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf

from icgsynth.budget import Budget
from icgsynth.errors import Refused
from icgsynth.export.coq.certificates import SearchSteps
from icgsynth.export.coq.claims import Lemma, OfMoves, lemmas
from icgsynth.export.coq.coq_file import ends, movable, plays, solved, unfolding
from icgsynth.export.coq.gallina import library, number, proposition
from icgsynth.export.coq.product_lemmas import proved_with_products
from icgsynth.export.coq.proofs import Proved, about_moves, checking
from icgsynth.export.coq.quantified_rules import QuantifiedRules, plain_rules
from icgsynth.export.coq.statement import OPENING, PRINTED, CoqStatement, Said, heading
from icgsynth.game.family_claim import FamilyClaim
from icgsynth.game.game import ParametricGame
from icgsynth.game.obligations.termination import Bounded
from icgsynth.logic import term as t
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.prove.families import divisor_obligations
from icgsynth.prove.well_formed import check_rules

_SECONDS = 60.0  # of processor time, for the ranking, the movers and a member: one does


def family_coq(claim: FamilyClaim) -> str:
    """The file; it ends with the command that prints what the theorem assumes: nothing.

    :class:`~icgsynth.errors.Refused` where a part of the theorem is missing, or no proof of it is
    found.
    """
    if not claim.strategy:
        raise Refused(f"{claim.game.name} has no strategy yet: Coq's theorem is about one")
    written = _without_constants(claim) if claim.game.is_quantified else None
    claim = replace(claim, game=plain_rules(claim.game))
    report = check_rules(claim.solution.game, Budget(inf, work=_SECONDS))
    if not report.bounded:
        raise Refused(f"nothing was found that each move of {claim.game.name} decreases")
    said = _stated(claim, report.bounded)
    movers = report.movers.acts if said.is_misere else ()
    range_ = Said(f"range{said.given}", claim.where)
    effort = SearchSteps()
    around = QuantifiedRules(written, said, effort) if written else None
    found: list[Proved] = []
    for lemma in (*_divisors(claim), *lemmas(said, movers)):
        cases = (lemma,) if isinstance(lemma, Lemma) else lemma.actions
        for case in cases:
            whole = Lemma(
                case.label,
                (*claim.constants, *(n for n in case.names if n not in claim.constants)),
                (range_, *case.hypotheses),
                case.goals,
            )
            found += proved_with_products(whole, effort)
        if isinstance(lemma, OfMoves):
            text = about_moves(lemma, said, [_applied(case, said) for case in cases])
            found.append(Proved(text))
    play = "misere" if said.is_misere else "normal"
    parts = [
        *heading(replace(claim.solution, game=written or said.game)),
        OPENING,
        library(play),
        library("ranks"),
        "End Play.\n",
        library("tactics"),
        *checking([*found, *(around.proofs if around else ())]),
        library("products"),
        *([library("quantified"), library(f"same_{play}")] if around else ()),
        "(* ---- The members of the family. ---- *)\n",
        f"Definition range{said.bound} : Prop :=\n  {proposition(claim.where)}.\n",
        *(around.written if around else said).rules_as_definitions(),
        *said.answer_as_definitions(),
        *(around.before() if around else ()),
        "(* ---- What has to hold. ---- *)\n",
        *movable(said, movers),
        unfolding(["range", *said.defined]),
        *_member(claim, said),
        *(p.text for p in found),
        ends(said),
        *plays(said),
        *solved(said, movers),
        *(around.after(said.theorem()) if around else ()),
        PRINTED,
    ]
    return "\n".join(parts) + "\n"


def _applied(case: Lemma, said: CoqStatement) -> str:
    """The lemma of an action, applied to what is known of a move by it."""
    labels = " ".join(f"H{i}" for i in range(1, len(case.hypotheses) + 1))
    return f"exact ({case.label} {said.blanks(case.names)} {labels})"


def _stated(claim: FamilyClaim, ranking: Sequence[Bounded]) -> CoqStatement:
    """The words of the file: the constants are no variables of the game there."""
    game = _without_constants(claim)
    said = CoqStatement(replace(claim.solution, game=game, status="solved"), claim.constants)
    said.ranking = list(ranking)
    return said


def _without_constants(claim: FamilyClaim) -> ParametricGame:
    variables = tuple(v for v in claim.game.variables if v not in claim.constants)
    return replace(claim.game, variables=variables)


def _divisors(claim: FamilyClaim) -> Iterator[Lemma]:
    """That each divisor is at least 1, without which nothing is meant by what it divides."""
    for i, (divisor, _) in enumerate(divisor_obligations(claim), 1):
        aim = t.compare(1, "<=", divisor)
        yield Lemma(f"divisor_{i}", (), (), (Said(proposition(aim), aim),))


def _member(claim: FamilyClaim, said: CoqStatement) -> Iterator[str]:
    """That some member has a legal state; otherwise the theorem would say nothing."""
    game = claim.solution.game
    model = decide((game.legal,), game.variables, Budget(inf, work=_SECONDS)).model
    if model is None:
        raise Refused(f"no member of {game.name} with a legal state was found")
    constants = " ".join(number(model[c]) for c in claim.constants)
    values = " ".join(number(model[v]) for v in said.game.variables)
    yield f"Example not_empty : range {constants} /\\ legal {constants} (St {values})."
    yield "Proof. unfolded; arith. Qed.\n"
