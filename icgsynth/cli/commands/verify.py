"""``icgsynth verify``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from icgsynth.cli.codes import DONE, REFUTED, UNKNOWN
from icgsynth.cli.options import (
    answer_argument,
    answer_rule_option,
    json_option,
    load_game,
    quiet_option,
    set_option,
    spec_argument,
    timeout_option,
    unused_seed_option,
)
from icgsynth.cli.screen import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from icgsynth.budget import Budget
    from icgsynth.game.answers import Kind
    from icgsynth.game.game import PlayRule
    from icgsynth.game.solution import Solution
    from icgsynth.prove.certificate import Certificate
    from icgsynth.prove.crosscheck import CrossCheck
    from icgsynth.prove.kernel_opinion import KernelOpinion
    from icgsynth.spec.source import Source

__all__ = ["verify"]


@click.command()
@spec_argument
@answer_argument
@answer_rule_option
@set_option
@timeout_option(60)
@click.option(
    "--cross-check",
    "cross",
    is_flag=True,
    help="Prove it a second time: with cvc5 (the extra cvc5); an answer in digits with automata "
    "in plain Python.",
)
@click.option(
    "--coq",
    "kernel",
    is_flag=True,
    help="Have the proof assistant Coq check the theorem as well (needs its command coqc).",
)
@json_option
@quiet_option
@unused_seed_option
def verify(
    spec: str,
    solution: str,
    rule: PlayRule | None,
    constants: tuple[tuple[str, int], ...],
    timeout: float,
    cross: bool,
    kernel: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Prove or refute a solution, also one edited by hand or found elsewhere.

    Constants are taken from the solution unless --set gives them; --rule chooses from a
    solution of both rules.  A fast-and-frugal tree is checked in all states that play with it
    reaches, a learned strategy in all states.  Grundy values are proved again; of heaps, with a
    code as 0.77 for SPEC, they are replayed; of a sum, 'A + 2*B', each component is.

    \b
    Try:  icgsynth solve nim2 -o nim2.json
          icgsynth verify nim2 nim2.json

    \b
    Exit codes: 0 proved, with --cross-check twice, with --coq by Coq as
                well; a tree that is strongly optimal, a learned strategy
                that never loses; 2 bad usage or bad input; 3 refuted: a
                counterexample is printed; or cvc5 contradicts the proof;
                4 unknown within the budget, or not accepted by Coq.
    """
    from icgsynth.cli.answer_source import answer_source
    from icgsynth.spec.answer_file import holds_values, kind_of
    from icgsynth.spec.solution_file import file_constants, read_solution

    source, given = answer_source(solution, _most(spec)), dict(constants)
    kind = None if _has_heaps(spec) or holds_values(source) else kind_of(source)
    if kind == "family" and not cross:
        return _family(spec, source, rule, given, (timeout, as_json, kernel))
    if kind != "strategy":
        known = kernel and kind is not None
        if option := "--cross-check" * cross or "--coq" * known or "--rule" * bool(rule):
            raise _not_for(option, kind or "value")
        if kind is None:
            return _values(spec, source, constants, timeout, as_json, quiet, kernel)
        from icgsynth.cli.output import watchdog

        with watchdog(timeout):
            return _finite(kind)(spec, source, given, as_json, quiet)
    given = {**file_constants(source, rule), **given}
    answer = read_solution(
        source, load_game(spec, tuple(given.items()), quiet, blocking=True), rule
    )
    return _strategy(answer, cross, kernel, timeout, as_json)


def _strategy(answer: Solution, cross: bool, kernel: bool, timeout: float, as_json: bool) -> int:
    """An answer of an impartial game, checked by others too where that is asked for."""
    from icgsynth.budget import Budget
    from icgsynth.cli.output import watchdog
    from icgsynth.game.game import without_blocking
    from icgsynth.prove.certificate import certify

    if kernel:
        without_blocking(answer.game)

    if cross:
        from icgsynth.prove.crosscheck import cross_check, second_solver

        if answer.is_linear:
            second_solver()  # whether it is there at all
    if kernel:
        from icgsynth.export.coq.coqc import installed_coq

        installed_coq()
    known: list[Certificate] = []

    def last_words() -> int:
        if not ((cross or kernel) and known):
            return _too_late(answer, timeout, as_json)
        spent = Budget(0)
        others = cross_check(known[0], spent) if cross else None
        return _deliver(known[0], others, as_json, _by_coq(None, spent) if kernel else None)

    with watchdog(timeout, last_words):
        certificate = certify(answer, budget := Budget(timeout))
        known.append(certificate)
        second = cross_check(certificate, budget) if cross else None
        third = _by_coq(certificate, budget) if kernel else None
    return _deliver(certificate, second, as_json, third)


def _by_coq(certificate: Certificate | None, budget: Budget) -> KernelOpinion:
    """What Coq says of an answer that is proved, about the rules as they were written.

    Nothing, where no certificate came within the budget, or Coq cannot be told the answer.
    """
    from dataclasses import replace

    from icgsynth.cli.kernel import opinion_of
    from icgsynth.export.coq.coq_file import coq
    from icgsynth.prove.kernel_opinion import KernelOpinion

    if certificate is None or budget.is_spent:
        return KernelOpinion("Coq", False, 0.0, "its time was over")
    ranking = tuple(component.term for component in certificate.report.bounded)
    written, plain = certificate.solution.game, certificate.report.game
    solved = replace(
        certificate.solution,
        game=plain,
        written=written if written.is_quantified else None,
        status="solved",
        ranking=ranking,
    )
    acts = certificate.report.movers.acts
    return opinion_of(lambda: coq(solved, acts), certificate.is_proved, budget)


def _family(
    spec: str,
    source: Source,
    rule: PlayRule | None,
    given: dict[str, int],
    manner: tuple[float, bool, bool],
) -> int:
    from icgsynth.cli.family_answers import verify_family

    return verify_family(spec, source, rule, given, *manner)


def _has_heaps(spec: str) -> bool:
    """Whether SPEC is a code of heaps, or a sum, which may have them."""
    from icgsynth.spec.heap_code import looks_like_code
    from icgsynth.spec.sum_text import looks_like_sum

    return looks_like_code(spec) or looks_like_sum(spec)


def _most(spec: str) -> int:
    """How many bytes a file may have: nim sequences are long."""
    from icgsynth.spec.source import MAX_BYTES, MAX_BYTES_OF_VALUES

    return MAX_BYTES_OF_VALUES if _has_heaps(spec) else MAX_BYTES


def _not_for(option: str, kind: str) -> click.UsageError:
    games = "answers of impartial games"
    also = " and values of one game or of heaps" if option == "--coq" else ""
    return click.UsageError(f"{option} is for {games}{also}, not a {kind} file")


def _values(
    spec: str,
    source: Source,
    constants: tuple[tuple[str, int], ...],
    timeout: float,
    as_json: bool,
    quiet: bool,
    kernel: bool,
) -> int:
    """Of a game, of a sum, or of heaps where SPEC is a code."""
    if kernel:
        from icgsynth.export.coq.coqc import installed_coq

        installed_coq()
    from icgsynth.spec.heap_code import looks_like_code
    from icgsynth.spec.json_text import read_json
    from icgsynth.spec.sum_text import holds_sum, looks_like_sum

    top = read_json(source)  # once: a nim sequence may have millions of values
    if looks_like_sum(spec) or (looks_like_code(spec) and holds_sum(top)):
        from icgsynth.cli.sum_answers import verify_sum

        if kernel:
            raise _not_for("--coq", "sum")
        return verify_sum(spec, source, constants, timeout, as_json, quiet)
    if not looks_like_code(spec):
        from icgsynth.cli.game_values import verify_value_of_game
        from icgsynth.cli.options import load_rules
        from icgsynth.game.heap_rules import HeapGame
        from icgsynth.spec.solution_file import file_constants

        given = file_constants(source) | dict(constants)
        game = load_rules(spec, tuple(given.items()), quiet)
        if isinstance(game, HeapGame):
            from icgsynth.cli.heap_answers import verify_heap_game

            if kernel:
                raise _not_for("--coq", "heap game")
            return verify_heap_game(game, source, timeout, as_json)
        return verify_value_of_game(game, source, timeout, as_json, kernel)
    from icgsynth.cli.heap_answers import verify_values
    from icgsynth.spec.heap_file import holds_quotient

    if constants:
        raise click.UsageError("--set is not for games of heaps")
    if holds_quotient(top):
        from icgsynth.cli.misere_answers import verify_misere

        if kernel:
            raise _not_for("--coq", "quotient")
        return verify_misere(spec, top, timeout, as_json)
    return verify_values(spec, top, timeout, as_json, kernel)


def _finite(kind: Kind) -> Callable[..., int]:
    """What checks answers for finite games of this kind."""
    from icgsynth.cli.finite_answers import verify_learned, verify_tree

    return verify_tree if kind == "tree" else verify_learned


def _too_late(answer: Solution, timeout: float, as_json: bool) -> int:
    from icgsynth.cli.output import as_json as json_text

    value = {"game": answer.game.name, "rule": answer.rule, "verdict": "unknown", "parts": {}}
    click.echo(
        json_text(value)
        if as_json
        else f"{answer.game.name}, {answer.rule} play: unknown\n"
        f"  the budget of {timeout:g} s is spent"
    )
    return UNKNOWN


def _deliver(
    certificate: Certificate,
    second: CrossCheck | None,
    as_json: bool,
    kernel: KernelOpinion | None = None,
) -> int:
    from icgsynth.cli.output import as_json as json_text
    from icgsynth.prove.verdict_report import answer_text, answer_value, answer_verdict

    text = json_text(answer_value(certificate, second, kernel)) if as_json else ""
    say(text or answer_text(certificate, second, kernel), as_json)
    if answer_verdict(certificate, second) == "refuted":
        return REFUTED
    agreed = second is None or second.verdict == "proved"
    accepted = kernel is None or kernel.is_proved
    return DONE if certificate.is_proved and agreed and accepted else UNKNOWN
