"""Write the proof of a theorem about all members as SMT-LIB 2.6, linear in every line.

A term that is divided or multiplied by a constant without a value has a name for its quotient, its
remainder and its products.  Comments say what each name stands for, and of which schema each fact
about products is (see :mod:`icgsynth.prove.product_proofs`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from icgsynth.export.header import header
from icgsynth.export.sentences import title
from icgsynth.families.proof.linear_claim import LinearClaim
from icgsynth.formats.smt2 import file_name
from icgsynth.game.solution import Solution
from icgsynth.prove.scripts import ask_solver, assertion, comment, declare, start

_SCHEMAS = """\
The proof is that every check-sat answers unsat. Each name stands for what its comment says,
and what is given is asserted in these names. Facts about integers P = e M and a number c are
of these schemas:
  case      e = c gives P = c M
  bound     M >= 0 and e >= c give P >= c M, and so with <=
  fixed     M = c gives P = c e
  tangent   (e - c)(M - d) >= 0 where both factors are of one sign, else <= 0
  division  M >= 1 gives x = (x div M) M + x mod M, the remainder from 0 to M - 1
  split     x d = (x div M) d M + (x mod M) d
Each is true of all integers, so that a contradiction is a proof for all members."""


def family_smt2(solution: Solution, claims: Sequence[LinearClaim]) -> str:
    """Return one SMT-LIB script for ``claims``, all obligations of the answer ``solution``. Each is
    asserted between push and pop; the claim is proved if each ``check-sat`` answers unsat."""
    said = [*header(solution), "", *_SCHEMAS.split("\n"), ""]
    blocks = ("\n".join(["(push 1)", *_claim_block(claim), "(pop 1)", ""]) for claim in claims)
    whole = [claim.whole for claim in claims]
    return "\n".join([*map(comment, said), *start(whole, title(solution)), *blocks, "(exit)\n"])


def family_smt2_files(
    solution: Solution, claims: Sequence[LinearClaim]
) -> Iterator[tuple[str, str]]:
    """Yield (file name, SMT-LIB script) for each of ``claims``, the obligations of ``solution``."""
    said = [*header(solution), "", *_SCHEMAS.split("\n"), ""]
    for number, claim in enumerate(claims, 1):
        lines = [*map(comment, said), *start([claim.whole], title(solution)), *_claim_block(claim)]
        yield file_name(number, len(claims), claim.linear), "\n".join([*lines, "(exit)\n"])


def _claim_block(claim: LinearClaim) -> Iterator[str]:
    obligation, definitions = claim.linear, claim.definitions
    yield comment(f"{obligation.part}: {obligation.claim}")
    yield from declare(name for name in obligation.names if name not in definitions)
    for name, meaning in definitions.items():
        yield from (*declare([name]), comment(f"{name} is {meaning}"))
    if not obligation.is_known:
        yield comment("no proof of this was found; products of unknowns may be in it")
    for part, linear in zip(claim.parts, obligation.parts, strict=True):
        yield from (comment(f"given: {part}"), assertion(linear))
    for words, fact in claim.facts:
        yield from (comment(words), assertion(fact))
    yield from ask_solver(obligation)
