"""Subjects and questions about sums of games, such as ``nim2 + 2*chomp_2row + 0.77``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

from icgsynth.budget import Budget, Progress
from icgsynth.errors import BudgetSpent, InputError, Refused
from icgsynth.game.answers import Verdict, name_engines
from icgsynth.game.game import Move, ParametricGame, PlayRule
from icgsynth.heaps.proof.heap_replay import values_checked
from icgsynth.heaps.proof.misere_closure import prove_quotient
from icgsynth.heaps.rules.game_sum import Lowering, PartGame, SumAnswer, SumGame, SumState
from icgsynth.heaps.rules.heap_file import read_period, read_quotient
from icgsynth.heaps.rules.heap_rows import HeapRows
from icgsynth.heaps.rules.heap_rules import HeapGame
from icgsynth.heaps.rules.heaps import HeapCode
from icgsynth.heaps.rules.misere import MisereAnswer, MisereProof
from icgsynth.heaps.rules.position_text import parse_position
from icgsynth.heaps.rules.sum_text import SumEntry, read_entries, read_sum
from icgsynth.heaps.search.misere_search import MisereSearch
from icgsynth.heaps.search.sum_search import SumMover, SumSearch
from icgsynth.heaps.subject.sum_play import row_of
from icgsynth.heaps.text.misere_report import misere_report, row_position, row_report
from icgsynth.heaps.text.sum_report import position_report, sum_position, sum_report
from icgsynth.spec.json_text import Located
from icgsynth.spec.resolve import Named
from icgsynth.spec.source import MAX_BYTES_OF_VALUES, Source
from icgsynth.spec.value_file import read_moves, read_value
from icgsynth.subjects import AskedValue, AskedVerdict, Subject
from icgsynth.subjects.question import (
    Judgement,
    Question,
    Searching,
    Told,
    Work,
    verdict_of,
    verification,
)

_CODE_SECONDS = 10.0  # to find the code of a game of heaps by rules


def subject(named: Named) -> SumSubject:
    """Return what answers questions on the sum of games that ``named`` gives."""
    return SumSubject(named)


class Components(NamedTuple):
    """The components of a sum in order, and remarks on their rules."""

    parts: tuple[PartGame, ...]
    remarks: tuple[str, ...] = ()


class SumSubject(Subject):
    """A sum of games, and its questions; a row of heaps of one code is a sum too."""

    what = "a sum of games"
    loaded = ("icgsynth.heaps.loaded", "LoadedSum")
    largest_file = MAX_BYTES_OF_VALUES

    def __init__(self, named: Named, texts: Mapping[str, str] | None = None) -> None:
        """Keep the sum ``named``; ``texts`` maps names in it to rules that are in no file."""
        super().__init__(named)
        own = {} if named.text is None else {named.spec: named.text}
        self._texts = {**own, **(texts or {})}

    @cached_property
    def game(self) -> SumGame:
        return SumGame(self._load().parts)

    @property
    def rule(self) -> PlayRule:
        """The rule of play: misère where the rules of a component state it, else normal."""
        parts = read_sum(self.named.spec, dict(self.named.constants), texts=self._texts)
        return "misere" if any(getattr(p, "rule", "") == "misere" for p in parts) else "normal"

    def to_solve(
        self, rule: PlayRule, finite_only: bool = False, for_file: bool = True
    ) -> Question[Any]:
        return self._ask(rule, None, for_file)

    def to_position(self, rule: PlayRule, at: str) -> Question[Any]:
        return self._ask(rule, at, for_file=False)

    def to_value(self, asked: AskedValue) -> Question[Any]:
        asked.without("table", "bound", of="sums: it is for one game")
        asked.without("most", of="sums: it is for one game of heaps, as 0.77, in normal play")
        return self._ask(asked.rule, asked.at, asked.for_file)

    def moves(self, state: Any) -> Iterator[Move]:
        return self.game.moves(self.game.legal_position(state))

    def _ask(self, rule: PlayRule, at: str | None, for_file: bool) -> Question[Any]:
        found = self._load()
        if rule == "misere":
            return _quotient(self.named.spec, found, at)
        position = None if at is None else parse_position(SumGame(found.parts), at)
        return _to_sum(found.parts, position, for_file, found.remarks)

    def _load(self, each: Sequence[Mapping[str, int]] = ()) -> Components:
        return load_sum(self.named.spec, self.named.constants, each, self._texts)

    def to_verify(self, source: Source, asked: AskedVerdict) -> Question[Any]:
        asked.require_plain("sum")
        entries = read_entries(source)
        each = [entry.constants for entry in entries for _ in range(entry.times)]
        parts, remarks = self._load(each)
        return _to_match(SumGame(parts), _match(source, entries, parts), remarks)


def load_sum(
    spec: str,
    constants: Mapping[str, int],
    each: Sequence[Mapping[str, int]] = (),
    texts: Mapping[str, str] | None = None,
) -> Components:
    """Return the components that ``spec`` names, with the arguments of
    :func:`~icgsynth.heaps.rules.sum_text.read_sum`, each game of heaps by rules as rows of its
    code.

    :class:`~icgsynth.errors.InputError` where one cannot be read, or is not shown to have a code.
    """
    parts = read_sum(spec, dict(constants), each, texts)
    by_code = {part: _rows_of(part) for part in parts if isinstance(part, HeapGame)}
    remarks = [
        f"{game.name} is the game of the code {rows.code.name}" for game, rows in by_code.items()
    ]
    for part in dict.fromkeys(parts):
        if isinstance(part, ParametricGame):
            remarks += [f"warning: {part.name}: {warning}" for warning in part.warnings]
    found = (by_code[part] if isinstance(part, HeapGame) else part for part in parts)
    return Components(tuple(found), tuple(remarks))


def _rows_of(game: HeapGame) -> HeapRows:
    """Return the game whose states are rows of heaps, each with the moves of the code (as 0.77)
    that ``game`` is proved to have.  InputError where no code is proved, also for want of time."""
    from icgsynth.heaps.proof.heap_play import check_heaps
    from icgsynth.heaps.search.heap_game_search import code_of

    budget = Budget(_CODE_SECONDS)
    try:
        check_heaps(game, budget)
        code = code_of(game, budget)
    except (BudgetSpent, Refused):
        code = None
    if code is None:
        message = f"{game.name}: its heaps are not shown to have the moves of a code"
        mend = "'icgsynth value' finds their values, and with --at and --rule misere who wins a row"
        raise InputError(message, mend=mend)
    return HeapRows(code)


# --- under misère play ------------------------------------------------------------------------


def require_normal(spec: str, rule: str) -> None:
    """Raise :class:`~icgsynth.errors.InputError` for the sum ``spec`` unless ``rule`` is normal."""
    if rule != "normal":
        message = f"{spec}: values do not add under misere play; in 0.77 the heaps 1 and 8 have "
        message += "the same value, but not the same outcome in every sum"
        mend = "use --rule normal; under misere play a sum may have heaps of one code only"
        raise InputError(message, mend=mend)


def _quotient(spec: str, found: Components, at: str | None) -> Question[MisereAnswer]:
    heaps = heaps_of_one_code(spec, found)
    if at is None:
        return quotient(heaps.code, None, heaps.remarks)
    return quotient(heaps.code, row_of(parse_position(heaps.rows, at)), heaps.remarks)


class OneCode(NamedTuple):
    """Several heaps of one code, and remarks on the rules that they come from."""

    code: HeapCode
    times: int
    remarks: tuple[str, ...]

    @property
    def rows(self) -> SumGame:
        """The sum of ``times`` rows of heaps of the code."""
        return SumGame((HeapRows(self.code),) * self.times)


def heaps_of_one_code(spec: str, found: Components) -> OneCode:
    """Return the components of the sum ``spec`` as heaps of one code: rows of heaps, or one-pile
    games. :class:`~icgsynth.errors.InputError` where there is another component."""
    piles = {part: isinstance(part, HeapRows) or HeapGame.of_one_pile(part) for part in found.parts}
    if len(piles) > 1 and None in piles.values():
        require_normal(spec, "misere")
    codes = {part: _rows(part).code for part in piles}
    if len(set(codes.values())) > 1:
        require_normal(spec, "misere")
    remarks = [
        f"{part.name} is the game of the code {code.name}"
        for part, code in codes.items()
        if not isinstance(part, HeapRows)
    ]
    return OneCode(codes[found.parts[0]], len(found.parts), (*found.remarks, *remarks))


def _rows(part: PartGame) -> HeapRows:
    """Return ``part`` as rows of heaps of the code that it is proved to have; else InputError."""
    if isinstance(part, HeapRows):
        return part
    pile = HeapGame.of_one_pile(part)
    if pile is None:
        message = f"{part.name}: only heaps and games of one pile have a misere quotient here"
        raise InputError(message, mend=f"icgsynth solve {part.name} --rule misere")
    return _rows_of(pile)


def quotient(
    code: HeapCode, row: tuple[int, ...] | None = None, remarks: tuple[str, ...] = ()
) -> Question[MisereAnswer]:
    """Return the question (a search and how to show its answer) for the misère quotient of
    ``code``; if the heaps' sizes ``row`` are given, for who wins that row, with no larger heaps
    looked at."""
    most = None if row is None else max(row, default=0) + 1

    def search(budget: Budget, progress: Progress) -> Searching[MisereAnswer]:
        return MisereSearch(code, most, budget, progress)

    def show(answer: MisereAnswer) -> Told:
        if row is None:
            return Told(verdict_of(answer.is_solved), lambda: misere_report(answer), answer.to_json)
        found = row_position(answer, row)
        return Told(
            verdict_of(found.is_proved),
            lambda: row_report(answer, row),
            found.to_json,
            answer.to_json,
        )

    return Question(search, show, remarks)


def of_quotient(code: HeapCode, top: Located) -> Question[Judgement]:
    """Return the question (a proof and how to tell it) whether the JSON file ``top`` has a right
    misère quotient for ``code``."""
    claim = read_quotient(top, code)
    head = {"code": code.name, "rule": "misere"}
    nothing = Judgement(head, f"{code.name}, misere play", said="the file claims no quotient")
    if claim is None:
        return verification(nothing, lambda _: nothing)

    def judge(budget: Budget) -> Judgement:
        proof = prove_quotient(claim, budget)
        if proof.verdict is Verdict.PROVED and claim.period > 0:
            found: dict[str, Any] = {"closure": proof.pairs, "checked_to": proof.heaps}
            why = f"the {proof.pairs:,} pairs of all sums of heaps agree with the quotient"
            return replace(nothing, verdict=proof.verdict, said=why, found=found | _row(proof))
        verdict, why = proof.verdict, proof.why
        if verdict is Verdict.PROVED:
            verdict = Verdict.UNKNOWN
            why = (
                f"right for sums of heaps up to {proof.heaps - 1:,}, and the file claims no period"
            )
        return replace(nothing, verdict=verdict, said=why, found={"why": why} | _row(proof))

    return verification(nothing, judge)


def _row(proof: MisereProof) -> dict[str, Any]:
    return {} if proof.row is None else {"row": list(proof.row)}


# --- under normal play ------------------------------------------------------------------------


def _to_sum(
    parts: tuple[PartGame, ...], at: SumState | None, for_file: bool, remarks: tuple[str, ...]
) -> Question[SumAnswer]:
    """Return the question (a search and how to show its answer) for the values of all ``parts``, or
    for the value of the position ``at`` and a winning move."""

    def search(budget: Budget, progress: Progress) -> Searching[SumAnswer]:
        return SumSearch(parts, budget, at, progress, for_file)

    def show(answer: SumAnswer) -> Told:
        verdict = verdict_of(answer.is_proved if at is None else answer.known_at(at) is not None)
        verdict = Verdict.REFUTED if answer.may_never_end else verdict
        if at is None:
            return Told(verdict, lambda: sum_report(answer), answer.to_json)
        move, why = _winning(answer, at)
        return Told(
            verdict,
            lambda: position_report(answer, at, move, why),
            sum_position(answer, at, move, why).to_json,
            answer.to_json,
        )

    return Question(search, show, remarks)


def _winning(answer: SumAnswer, position: SumState) -> tuple[tuple[Lowering, Move] | None, str]:
    """Return ((aim, winning move), "") of ``position``; (None, "") if it is lost; (None, reason) if
    no move is found."""
    try:
        return SumMover(answer).find(position), ""
    except Refused as refused:
        return None, str(refused)


# --- the components of a file -----------------------------------------------------------------


def _match(
    source: Source, entries: tuple[SumEntry, ...], parts: tuple[PartGame, ...]
) -> list[tuple[PartGame, SumEntry]]:
    """Return (game, entry) for each of ``entries``; InputError if the file is not for ``parts``."""
    found, first = [], 0
    for entry in entries:
        games = parts[first : first + entry.times]
        if len(games) < entry.times or any(game != games[0] for game in games):
            break
        found.append((games[0], entry))
        first += entry.times
    if first != len(parts) or len(found) < len(entries):
        count = sum(entry.times for entry in entries)
        message = f"the file is for another sum, of {count} component{'s' * (count != 1)}"
        mend = f"it is to have those of {SumGame(parts).name}, in order"
        raise source.error(message, 0, mend)
    return found


def _to_match(
    game: SumGame, entries: Sequence[tuple[PartGame, SumEntry]], remarks: tuple[str, ...]
) -> Question[list[Judgement]]:
    """Return the question (proofs and how to tell them) whether the claims in ``entries``, each
    with its component, are true."""

    def search(budget: Budget, _: Progress) -> Searching[list[Judgement]]:
        found: list[Judgement] = []

        def run() -> list[Judgement]:
            for index, (part, entry) in enumerate(entries):
                share = budget.share(1 / (len(entries) - index))
                found.append(_judge(part, entry, share))
            return found

        def unknown(why: str) -> list[Judgement]:
            rest = entries[len(found) :]
            return [*found, *(_judgement(*entry, Verdict.UNKNOWN, why) for entry in rest)]

        return Work(run, unknown)

    def show(found: list[Judgement]) -> Told:
        verdicts = {judged.verdict for judged in found}
        order = (Verdict.REFUTED, Verdict.UNKNOWN, Verdict.PROVED)
        whole = next(verdict for verdict in order if verdict in verdicts)
        lines = [f"{game.name}: {whole}"]
        for judged in found:
            by = "by " * (judged.verdict is Verdict.PROVED)
            lines.append(f"  {judged.subject}: {judged.verdict}, {by}{judged.said}")
        value = {"sum": game.name, "verdict": str(whole)}
        components = [judged.value for judged in found]
        return Told(whole, lambda: "\n".join(lines), lambda: value | {"components": components})

    return Question(search, show, remarks)


def _judgement(part: PartGame, entry: SumEntry, verdict: Verdict, said: str) -> Judgement:
    head = {"name": part.name, "times": entry.times}
    key = "by" if verdict is Verdict.PROVED else "why"
    return Judgement(head, part.name, verdict, said, {key: said})


def _judge(part: PartGame, entry: SumEntry, budget: Budget) -> Judgement:
    try:
        return _judgement(part, entry, *_verdict(part, entry.answer, budget))
    except (BudgetSpent, Refused) as stopped:
        return _judgement(part, entry, Verdict.UNKNOWN, str(stopped))


def _verdict(part: PartGame, place: Located, budget: Budget) -> tuple[Verdict, str]:
    """Return (verdict, why or by which engines) of the claim in ``place`` on ``part``."""
    if isinstance(part, HeapRows):
        from icgsynth.heaps.proof.nim_claims import judge_period

        claim = read_period(place, part.code)
        if claim is None:
            return Verdict.UNKNOWN, "the file claims no period"
        replay = judge_period(claim, budget)
        by = (
            name_engines(replay.by)
            if replay.by
            else f"a replay of {values_checked(replay):,} values"
        )
        return replay.verdict, replay.why or by
    from icgsynth.prove.value_strategy import both_judged

    value = read_value(place, part)
    if value is None:
        return Verdict.UNKNOWN, "the file claims no function"
    judged = both_judged(part, value, read_moves(place, part), budget)
    return judged.verdict, judged.why or name_engines(judged.by)
