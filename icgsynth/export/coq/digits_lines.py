"""Lines that moves of a cone follow, as automata and lemmas of a Coq file.

The term of a line is known before a move, and falls in few ways.  After it, an automaton reads the
line's number and guesses what becomes of another variable, u.  So nothing here has more than three
numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from operator import or_

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.dfa import DFA
from icgsynth.export.coq.digits_checks import RIGHT, applied, denied, reading, total
from icgsynth.export.coq.digits_lemmas import padding
from icgsynth.export.coq.digits_parts import Parts, joined
from icgsynth.export.coq.digits_tracks import Tracks
from icgsynth.game.line import Line
from icgsynth.game.strategy import PRIME, TargetRule
from icgsynth.logic import term as t
from icgsynth.prove.automata.compiler import Compiler

__all__ = ["AFTER", "FALLEN", "LineTargets", "line_of"]

# No names of a game: the number of a line and a variable, each before a move and after it.
_LINE, FALLEN, _BEFORE, AFTER = "y'line", "y'fallen", "y'before", "y'after"


def line_of(step: TargetRule) -> Line:
    """The line that moves of this step follow."""
    assert step.line is not None
    return step.line


class LineTargets:
    """The moves of a step along its line, whose number is counted from the largest after a move.

    They are the same for lines in other places, with the same targets.
    """

    def __init__(self, label: str, compiler: Compiler, step: TargetRule) -> None:
        line = line_of(step)
        self.label, self._compiler = label, compiler
        self._takes, self._most = line.takes, line.most - line.least
        self._aims = DFA.of(step.target).renamed(
            {line.track: FALLEN, step.changed[0] + PRIME: AFTER}
        )
        enough = compiler.formula(self._taken(">="))
        self._moves = (self._aims & enough).over((FALLEN, _BEFORE, AFTER))

    @property
    def key(self) -> tuple[Automaton, int, int]:
        """What the lemmas depend on."""
        return self._aims.automaton((FALLEN, AFTER)), self._takes, self._most

    def _taken(self, op: str) -> t.Compare:
        """How what the move takes from u compares with what it must take."""
        return t.Compare(
            (t.Sum((t.Name(_BEFORE), t.Neg(t.Name(AFTER)))), t.Int(self._takes)), (op,)
        )

    def lemmas(self, parts: Parts, table: Callable[[str, Automaton], int]) -> Iterator[str]:
        """The automata, by ``table``, and from which numbers there is a target."""
        label, falls = self.label, range(self._most + 1)
        begins = self._moves.without((AFTER,))
        by = [self._fallen(begins, fall) for fall in falls]
        table(f"{label}_aims", self._aims.automaton((FALLEN, AFTER)))
        moves = self._moves.automaton((FALLEN, _BEFORE, AFTER))
        places = {"": table(label, moves)}
        places["begins"] = table(f"{label}_begins", begins.automaton((FALLEN, _BEFORE)))
        places["any"] = table(f"{label}_any", reduce(or_, by).automaton((_LINE, _BEFORE)))
        for fall, found in enumerate(by):
            places[f"by_{fall}"] = table(f"{label}_by_{fall}", found.automaton((_LINE, _BEFORE)))
        yield total(label, places["begins"], places[""], 1, padding(moves, 2))
        yield from self._is_target(parts, places[""])
        yield from self._one_fall(parts, places)

    def _fallen(self, begins: DFA, fall: int) -> DFA:
        """(line, u): from where there is a target when the line falls by so much."""
        after = t.Compare((t.Name(_LINE), t.Sum((t.Name(FALLEN), t.Int(fall)))), ("=",))
        pair = (_LINE, _BEFORE)
        return (begins & self._compiler.formula(after)).without((FALLEN,)).over(pair)

    def _is_target(self, parts: Parts, place: int) -> Iterator[str]:
        """Where the line has fallen and there is a target, it is one, and u falls enough."""
        label = self.label
        tracks = Tracks(parts, (FALLEN, _BEFORE, AFTER))
        reads = tracks.reads(place, tracks.names)
        (few,) = tracks.said([self._taken("<")])
        yield from denied(f"{label}_takes", tracks, [reads], few)
        aims = f"{label}_aims", parts.known(f"{label}_aims")
        checks, proof = reading(f"{label}_aim", tracks, [reads], aims, (FALLEN, AFTER))
        yield from checks
        yield f"""Lemma {label.lower()}_target {FALLEN} {_BEFORE} :
  0 <= {FALLEN} -> 0 <= {_BEFORE} ->
  recognised System {label}_begins [{FALLEN}; {_BEFORE}] = true ->
  exists v, 0 <= v /\\ {_BEFORE} - v >= {self._takes} /\\
    recognised System {label}_aims [{FALLEN}; v] = true.
Proof.
  intros O U R. assert (N : natural [{FALLEN}; {_BEFORE}]) by (repeat constructor; assumption).
  assert (S := total_ok {RIGHT} _ _ _ _ _ {label}_total _
    (eq_refl : length [{FALLEN}; {_BEFORE}] = 2%nat) N R).
  clear N R. cbv beta iota zeta delta [some offers] in S. destruct S as (Y & E & P & R).
  destruct Y as [|{AFTER} Y]; [discriminate E|]. destruct Y; [|discriminate E]. clear E.
  apply nonnegative in P. cbn [at_least] in P. destruct P as [P _].
  cbv beta iota zeta delta [given uses] in R. in_digits.
  assert (N : natural [{tracks.row}]) by (repeat constructor; assumption).
  {applied(f"{label}_takes", tracks)}
  {proof}
  exists {AFTER}. split; [exact P|]. split; [|exact Q]. clear Q R. in_digits. arith.
Qed.
"""

    def _one_fall(self, parts: Parts, places: Mapping[str, int]) -> Iterator[str]:
        """From where there is any target, it is one for some fall."""
        label, here = self.label, Tracks(parts, (_LINE, _BEFORE))
        some = here.reads(places["any"], here.names)
        each = [here.reads(places[f"by_{i}"], here.names) for i in range(self._most + 1)]
        none = joined([read.replace("Yes", "No") for read in each])
        yield from denied(f"{label}_some", here, [some], none)
        proofs = []
        for fall, read in enumerate(each):
            left = t.Sum((t.Name(_LINE), t.Int(-fall)))
            (below,) = here.said([t.Compare((left, t.Int(0)), ("<",))])
            yield from denied(f"{label}_falls_{fall}", here, [read], below)
            tracks = Tracks(parts, (_LINE, _BEFORE))
            then = tracks.add(left, is_natural=True)
            begins = f"{label}_begins", places["begins"]
            checks, proof = reading(
                f"{label}_fall_{fall}", tracks, [*tracks.known(), read], begins, (then, _BEFORE)
            )
            yield from checks
            (text,) = tracks.texts_of([then])
            by = f"recognised System {label}_by_{fall} [{here.row}]"
            proofs.append(f"""  destruct ({by}) eqn:R{fall}.
  {{ {applied(f"{label}_falls_{fall}", here)}
    assert (F : 0 <= {text}) by (clear R; in_digits; arith). clear N D_{label}_falls_{fall}.
    assert (N : natural [{tracks.row}]) by (repeat constructor; assumption).
    {proof}
    destruct ({label.lower()}_target _ _ F U Q) as (v & V & G & A).
    exists ({text}), v. repeat split; try assumption; lia. }}""")
        given = "\n".join(proofs)
        yield f"""Lemma {label.lower()} {_LINE} {_BEFORE} : 0 <= {_LINE} -> 0 <= {_BEFORE} ->
  recognised System {label}_any [{here.row}] = true ->
  exists e v, 0 <= e /\\ 0 <= v /\\ 0 <= {_LINE} - e <= {self._most} /\\
    {_BEFORE} - v >= {self._takes} /\\ recognised System {label}_aims [e; v] = true.
Proof.
  intros O U R. assert (N : natural [{here.row}]) by (repeat constructor; assumption).
{given}
  exfalso. {applied(f"{label}_some", here)}
  apply D_{label}_some. in_digits. repeat split; congruence.
Qed.
"""
