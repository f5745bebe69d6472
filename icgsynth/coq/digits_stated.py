"""The formulas and the strategy of an answer in digits, stated for Coq and proved from automata.

A formula says what an automaton accepts where two sets are empty; a rule of the strategy is right
where no state has a wrong move by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from icgsynth.coq.digits_checks import Check, applied, denied
from icgsynth.coq.digits_parts import Parts, natural_numbers
from icgsynth.coq.digits_tracks import Tracks
from icgsynth.coq.gallina import name, names
from icgsynth.coq.statement import CoqRules, CoqStatement
from icgsynth.digits.automaton import Automaton
from icgsynth.errors import Refused
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, fold, free_names
from icgsynth.prove.automata.compiler import Compiler

_MOST_WORK = 50_000
"""Columns of digits times states of the automata of a rule, of which Coq goes through a small part
in some seconds.  The strategy is stated up to the first rule that has more."""


class Agreements:
    """Lemmas that formulas say what automata accept: of legal states, and numbers beside them."""

    def __init__(self, said: CoqRules, parts: Parts, beside: tuple[str, ...] = ()) -> None:
        self._rules, self._parts, self._beside = said, parts, beside
        self.variables = (*said.game.variables, *beside)
        self._here = natural_numbers(range(len(self.variables)))
        self._row = Tracks(parts, self.variables).row

    def agrees(
        self,
        label: str,
        formula: t.Formula,
        place: int,
        machine: str,
        claims: Sequence[tuple[str, str]],
    ) -> Iterator[str]:
        """That automaton and formula say the same of legal states, where the claims are stated."""
        tracks = Tracks(self._parts, self.variables)
        plain = tracks.formula(formula)
        legal, no, yes = tracks.said([self._rules.game.legal, t.Not(plain), plain])
        known = [*tracks.known(), legal]
        reads = f"(Yes {place} {self._here})"
        title = label.capitalize()
        yield from denied(f"{title}_yes", tracks, [*known, reads], no)
        read = reads.replace("Yes", "No", 1)
        yield from denied(f"{title}_no", tracks, [*known, read], yes)
        result = f"recognised System {machine} [{self._row}]"
        goal = " /\\\n  ".join(f"({text} <-> {result} = {value})" for text, value in claims)
        steps = "\n  ".join(tracks.steps)
        natural = [f"0 <= {name(each)}" for each in self._beside]
        given = " -> ".join([f"legal {self._rules.state}", *natural])
        yield f"""Lemma {label} {names(self.variables)} : {given} ->
  {goal}.
Proof.
  intros L{"".join(f" O{i}" for i, _ in enumerate(natural))}. unfolded.
  {steps}
  assert (N : natural [{tracks.row}]) by (repeat constructor; arith).
  assert (B := nonnegative _ N). cbv beta iota delta [at_least] in B.
  destruct ({result}) eqn:R.
  - {applied(f"{title}_yes", tracks)} agree.
  - {applied(f"{title}_no", tracks)} agree.
Qed.
"""


class DigitClaims(Agreements):
    """What a file says beside its automata; ``has_formula`` and ``said.rules`` tell what.

    ``table`` gives an automaton a name in the file and returns its place among the ``parts``.
    """

    def __init__(
        self,
        said: CoqStatement,
        compiler: Compiler,
        parts: Parts,
        table: Callable[[str, Automaton], int],
        losing: Automaton,
    ) -> None:
        super().__init__(said, parts)
        self.losing, self.place = losing, parts.known("Losing")
        self.said, self._compiler, self._table = said, compiler, table
        self.has_formula = is_known(said.winning, said.losing)
        tiers = said.solution.strategy
        first = takewhile(_is_sayable, tiers)
        said.rules = [*takewhile(self._is_cheap, (r for r in first if isinstance(r, Rule)))]
        self.is_whole = bool(said.rules) and len(said.rules) == len(tiers)
        self._places: list[int] = []

    def lemmas(self) -> Iterator[str]:
        """Those about the formulas and the rules."""
        said = self.said
        if self.has_formula:
            claims = [(f"losing {said.state}", "true"), (f"winning {said.state}", "false")]
            yield from self.agrees("answer_is", said.losing, self.place, "Losing", claims)
        for i, rule in enumerate(said.rules, 1):
            automaton = self._compiler.formula(rule.when).over(self.variables)
            self._places.append(self._table(f"When_{i}", automaton.automaton(self.variables)))
            claims = [(f"when_{i} {said.state} = true", "true")]
            yield from self.agrees(f"when_is_{i}", rule.when, self._places[-1], f"When_{i}", claims)
        for i, rule in enumerate(said.rules, 1):
            yield from self._wins(i, rule)
        if self.is_whole and not said.is_misere:
            yield from self._cover()

    @property
    def refused(self) -> list[str]:
        """That no rule of the strategy holds, as data."""
        return [f"(No {place} {self._here})" for place in self._places]

    def others(self, count: int | None = None) -> list[str]:
        """That the conditions of the first rules do not hold, as texts."""
        numbers = range(1, (len(self.said.rules) if count is None else count) + 1)
        return [f"when_{i} {self.said.state} = false" for i in numbers]

    def not_read(self, count: int) -> str:
        """From hypotheses N1, N2, .. that the automata of the rules do not accept: M1, M2, .."""
        blanks = " _" * len(self.variables)
        return "\n".join(
            f"  assert (M{i} : recognised System When_{i} [{self._row}] <> true).\n"
            f"  {{ intros X. apply (when_is_{i}{blanks} L) in X. congruence. }} clear N{i}."
            for i in range(1, count + 1)
        )

    # --- the strategy --------------------------------------------------------------------------

    def _wins(self, number: int, rule: Rule) -> Iterator[str]:
        """That a rule which is the first to hold moves to a lost state."""
        said, tracks = self.said, Tracks(self._parts, self.variables)
        then, goals = self.after(tracks, rule)
        legal, no = tracks.said([said.game.legal, t.Not(conjunction(goals))])
        known = [*tracks.known(), legal, f"(No {self.place} {self._here})"]
        earlier = self._places[: number - 1] if self._needs_earlier(rule) else []
        known += [f"(No {place} {self._here})" for place in earlier]
        known.append(f"(Yes {self._places[number - 1]} {self._here})")
        moves, lost = Check(tracks, known, no), self.lost(tracks, then, known)
        checks, proof = self.leads(f"Win_{number}", then, [moves], lost)
        yield from checks
        names = " ".join(f"N{i}" for i in range(1, number + 1))
        given_text = " ->\n  ".join(
            [*self.others(number - 1), f"when_{number} {said.state} = true"]
        )
        blanks = " _" * len(self.variables)
        yield f"""Lemma win_{number} {said.variables} : legal {said.state} ->
  recognised System Losing [{self._row}] <> true ->
  {given_text} ->
  exists t, step {said.state} {said.move(rule.act)} t /\\ accepted t.
Proof.
  intros L W {names}.
{self.not_read(number - 1)}
  assert (G := N{number}). apply (when_is_{number}{blanks} L) in N{number}.
{proof}
Qed.
"""

    def lost(self, tracks: Tracks, then: Sequence[str], known: Sequence[str]) -> Check:
        """That the numbers ``then`` are a lost state."""
        return Check(tracks, known, tracks.reads(self.place, then).replace("Yes", "No", 1))

    def leads(
        self, label: str, then: Sequence[str], moves: Sequence[Check], lost: Check
    ) -> tuple[list[str], str]:
        """That a move leads to a lost state: the checks, and the end of the proof from them.

        By ``moves`` it is a move, by ``lost`` the numbers ``then`` are a lost state.  What is known
        is supposed in the proof.
        """
        checks, proof, tracks = list[str](), ["unfolded."], None
        for i, check in enumerate((*moves, lost)):
            checks += denied(f"{label}_{i}", *check)
            if check.tracks is not tracks:
                proof += [] if tracks is None else ["clear N."]
                natural = (
                    f"assert (N : natural [{check.tracks.row}]) by (repeat constructor; arith)."
                )
                proof += [*check.tracks.steps, natural]
                if tracks is None:
                    proof.append("try clear G. assert (B := nonnegative _ N).")
                    proof.append("cbv beta iota delta [at_least] in B.")
                tracks = check.tracks
            proof.append(applied(f"{label}_{i}", check.tracks))
        known = f"D_{label}_{len(moves)}"
        target = " ".join(f"({text})" for text in lost.tracks.texts_of(then))
        proof += [f"unread. in_digits.\n  exists (St {target}). split."]
        end = f"""  - clear {known}. unfold step. unfolded. one_by_one.
  - clear - {known}. unfold accepted.
    destruct (recognised _ _ _); [reflexivity|]. exfalso. apply {known}. discriminate."""
        return checks, "\n".join([*(f"  {step}" for step in proof), end])

    def _is_cheap(self, rule: Rule) -> bool:
        """Whether Coq can look at all states of the automata for a rule in a short time."""
        digits, states = self._compiler.system.digits, len(self._compiler.formula(rule.when))
        when, moves = (Tracks(Parts(), self.variables) for _ in range(2))
        when.said([when.formula(rule.when)])
        self.after(moves, rule)
        work = digits ** len(when), digits ** len(moves) * len(self.losing)
        return bool(max(work) * states <= _MOST_WORK)

    def after(self, tracks: Tracks, rule: Rule) -> tuple[list[str], list[t.Formula]]:
        """The numbers of the next state, and what makes the move one that applies."""
        given = tuple((p, tracks.term(part)) for p, part in rule.act.arguments)
        act = SemiGroundAction(rule.act.action, given)
        goals, then = [each.formula for each in self.said.fires(act)], []
        for variable in self.variables:
            term = fold(self.said.moves.after(t.Name(variable), act))
            then.append(variable if term == t.Name(variable) else tracks.add(term))
            goals.append(t.compare(0, "<=", term))
        return then, goals

    def _needs_earlier(self, rule: Rule) -> bool:
        """Whether a rule is right only where no earlier one holds."""
        said = self.said
        after = tuple(said.moves.after(t.Name(v), rule.act) for v in self.variables)
        right = conjunction(
            [*(each.formula for each in said.fires(rule.act)), t.Recognised(self.losing, after)]
        )
        here = t.Recognised(self.losing, tuple(map(t.Name, self.variables)))
        wrong = conjunction([rule.when, said.game.legal, t.Not(here), t.Not(right)])
        return self._compiler.formula(wrong).shortest() is not None

    def _cover(self) -> Iterator[str]:
        """That some rule of the strategy holds in each winning state."""
        said, tracks = self.said, Tracks(self._parts, self.variables)
        known = [*tracks.said([said.game.legal]), f"(No {self.place} {self._here})"]
        *first, last = [*known, *self.refused]
        yield from denied("Cover", tracks, first, last)
        given = " ->\n  ".join(self.others())
        count = len(said.rules)
        yield f"""Lemma cover {said.variables} : legal {said.state} ->
  recognised System Losing [{self._row}] <> true ->
  {given} -> False.
Proof.
  intros L W {" ".join(f"N{i}" for i in range(1, count + 1))}.
{self.not_read(count)}
  assert (N : natural [{tracks.row}]) by (unfolded; repeat constructor; arith).
  unfolded. {applied("Cover", tracks)}
  in_digits. contradiction.
Qed.
"""


def is_known(*formulas: t.Formula) -> bool:
    """Whether all that is said there can be said in Coq."""
    tracks = Tracks(Parts(), tuple({n: 0 for f in formulas for n in sorted(free_names(f))}))
    try:
        tracks.said([tracks.formula(formula) for formula in formulas])
    except Refused:
        return False
    return True


def _is_sayable(tier: object) -> bool:
    """Whether a step of a strategy is a rule that can be said in Coq."""
    if not isinstance(tier, Rule):
        return False
    equations = (t.compare(0, "=", term) for _, term in tier.act.arguments)
    return is_known(tier.when, *equations)
