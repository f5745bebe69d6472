"""Make the report on the Grundy function of a game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.transitions import in_words
from icgsynth.errors import Refused
from icgsynth.export import report as doc
from icgsynth.export.digit_words import explanations, notation
from icgsynth.export.sentences import call_game
from icgsynth.game import value_forms as forms
from icgsynth.game.game import ParametricGame
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.legal_numbers import beginning, first_legal
from icgsynth.game.strategy import Rule, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.build import size, substitute, walk
from icgsynth.logic.prose import NamedCases, case_lines, in_rules, wrapped

_CONDITION = 60  # most characters of a condition that is shown
_HEAD = 50  # most characters before values that are aligned
_FIRST = 30  # states of one variable whose values are shown
_CASES = 12  # leaves and connectives; for a longer function the values of a period are shown
_LONGEST = 80  # most leaves and connectives of a function that is shown


def value_report(answer: GrundyAnswer) -> doc.Report:
    """Return the report on ``answer``: function, moves and proof, or why nothing is claimed."""
    name, took = call_game(answer.game), f"in {answer.seconds.get('total', 0.0):.2f} s"
    if not answer.is_proved:
        unknown = f"Grundy values, normal play: unknown {took}, and nothing is claimed"
        return (
            doc.Title(name, unknown),
            doc.notes(*(doc.Note(n, "  ") for n in answer.notes)),
        )
    return (
        doc.Title(name, f"Grundy values, normal play: found and proved {took}"),
        doc.Listing(tuple(function_lines(answer))),
        *_moves(answer),
        doc.notes(*proof_notes(answer)),
    )


def function_lines(answer: GrundyAnswer) -> Iterator[str]:
    """Yield the lines that show the Grundy function, its cases, and where it holds."""
    game = answer.game
    head = f"  g({', '.join(game.variables)}) = "
    if answer.term is not None and size(answer.term) > _CASES and answer.periods:
        yield from _repeating(answer)
    elif answer.term is not None and size(answer.term) > _LONGEST:
        yield f"{head}by a list of all numbers (--json has it, and --at STATE tells a value)"
        yield from _first_values(answer.term, game)
    elif answer.term is not None:
        functions = _name(answer)
        yield from case_lines(functions.name_cases(answer.term), head)
        yield from functions.lines()
    match answer.value:
        case None:
            return
        case forms.SumValue(parts):
            alike = [*dict.fromkeys(map(_of_n, parts))]
            numbers = [alike.index(_of_n(part)) + 1 for part in parts]
            named = [
                f"g{i}({', '.join(forms.variables_of(part))})"
                for i, part in zip(numbers, parts, strict=True)
            ]
            yield head + " xor ".join(named)
            for number, name, part in zip(numbers, named, parts, strict=True):
                if named.index(name) == numbers.index(number):  # the first with this function
                    yield from _single(part, f"  {name} = ", game)
        case function if not forms.is_term(function):
            yield from _single(function, head, game)
        case term:
            if any(isinstance(node, t.Digital) and node.kind == "zeros" for node in walk(term)):
                yield from (f"    {sentence}" for sentence in explanations([term]))
    if game.legal != t.TRUE:
        yield f"  for {in_rules(game.legal)}"


def _of_n(function: forms.Single) -> object:
    if isinstance(function, forms.WindowValue):
        low = substitute(function.low, {function.variable: t.Name("n")})
        return replace(function, variable="n", low=low)
    return function


def _repeating(answer: GrundyAnswer) -> Iterator[str]:
    """Yield lines with preperiod and period of the values, for each case of other variables."""
    names = ", ".join(answer.game.variables)
    for found in answer.periods:
        given = ", ".join(f"{name} = {number}" for name, number in found.given.items())
        start, here = found.first + found.preperiod, found.variable
        grows = f", each time greater by {found.saltus}" if found.saltus else ""
        name = f"  g({names}) where {given}" if given else f"  g({names})"
        where = f" from {here} = {start} on" if found.preperiod or found.first else ""
        yield f"{name} has period {found.period}{where}{grows}:"
        early = " ".join(map(str, found.values[: found.preperiod]))
        yield from wrapped(" ".join(map(str, found.values[found.preperiod :])), "    ")
        if early:
            yield from wrapped(early, f"    and before, from {here} = {found.first} on: ", "      ")


def _single(function: forms.Single, head: str, game: ParametricGame) -> Iterator[str]:
    """Yield lines that show ``function`` after the text ``head``, and its first values."""
    blank = " " * len(head)
    match function:
        case forms.WindowValue(variable, low, least):
            name, here = head.split("(")[0].strip(), f"low({variable})"
            cases = f"{variable} - {here}", f"{name}({here} - 1)"
            width = max(map(len, cases))
            yield f"{head}{cases[0]:<{width}}  if {here} = low({variable} - 1)"
            yield f"{blank}{cases[1]:<{width}}  otherwise; {name}({least}) = 0"
            yield f"  where a move leads to each number from {here} to {variable} - 1,"
            yield f"  {here} = {low}"
        case forms.ExponentValue(automaton) | (Automaton() as automaton):
            *variables, value = automaton.tracks
            is_power = isinstance(function, forms.ExponentValue)
            last = f"{automaton.system.digits}^{value}" if is_power else value
            yield f"{head}{value} where {in_words(automaton)} accepts"
            told = ", ".join((*variables, last))
            yield f"{blank}({told}) in {notation(automaton.system)}"
            yield "  (--json has the automaton, and --at STATE tells a value)"
        case term:
            yield f"{head}{term}"
            return
    yield from _first_values(function, game)


def _first_values(function: forms.Single, game: ParametricGame) -> Iterator[str]:
    """Yield lines with the first values of a function of one variable; none for others."""
    if len(names := forms.variables_of(function)) != 1:
        return
    found: dict[int, int] = {}
    for number in first_legal(game, names[0], _FIRST):
        with suppress(Refused):  # a recursion that takes too long
            found[number] = forms.value_at(function, {names[0]: number})
    if found:
        head = f"  The first values, {beginning(names[0], [*found])}: "
        values, is_long = " ".join(map(str, found.values())) + " ...", len(head) > _HEAD
        whole = (head + values).strip()
        yield from wrapped(whole, "  ", "    ") if is_long else wrapped(values, head)


def _moves(answer: GrundyAnswer) -> Iterator[doc.Part]:
    """Yield the report parts on how to move to a smaller value."""
    # A move that leads to the target is right, whether or not its condition is printed.
    if answer.term == t.Int(0):
        return
    if not answer.strategy:
        text = "try the moves of the state: no rules for it were found."
        yield doc.notes(f"To reach a smaller value, {text}")
        return
    first = "make the first of these moves that leads to it:"
    rules = [rule for rule in answer.strategy if isinstance(rule, Rule)]
    is_short = len(rules) > 1 and all(len(str(rule.when)) <= _CONDITION for rule in rules)
    said = _name(answer).name_cases
    rows = tuple(_move(rule.mapped(said), is_short) for rule in answer.strategy)
    yield doc.Cases(f"To reach a smaller value {answer.target}, {first}", rows)


def _name(answer: GrundyAnswer) -> NamedCases:
    """Return names for the long terms of the Grundy function; none where it is a single ``if``."""
    parts = () if answer.term is None or isinstance(answer.term, t.If) else (answer.term,)
    return NamedCases.of(parts, (*answer.game.variables, answer.target), taken="g")


def _move(rule: Rule | TargetRule, is_short: bool) -> tuple[str, str]:
    """Return action and condition of ``rule`` if ``is_short``; else "", and the action or words on
    an automaton."""
    if isinstance(rule, TargetRule):
        return "", f"{rule.action}, to the state that {in_words(rule.target)} names"
    if is_short and rule.when != t.TRUE:
        return str(rule.act), f"if {rule.when}"
    return "", str(rule.act)


def proof_notes(answer: GrundyAnswer) -> Iterator[doc.Note]:
    """Yield notes on what is proved of the values, how often, and what was compared besides."""
    falls = ", ".join(map(str, answer.ranking))
    falls = f"({falls})" if len(answer.ranking) > 1 else falls
    keeps, ends = answer.confirmed["keeps"], answer.confirmed.get("termination", ())
    said = ["no move keeps the value", "some move reaches each smaller one"]
    said += ["the moves above"] * bool(answer.strategy)
    parts = [(part, keeps) for part in said] + [(f"play always ends ({falls} decreases)", ends)]
    yield from doc.tell_proofs(parts if ends else parts[:-1])
    if answer.explicit is not None:
        beside = f"{_beside(answer)}, by the rules as written,"
        yield doc.tell_checks(answer.explicit, "values by definition", beside)


def _beside(answer: GrundyAnswer) -> str:
    """Return in words what was compared at far states: values, moves, or play with a heap."""
    if isinstance(answer.value, forms.SumValue):
        return "each part, and moves of the whole"
    if isinstance(answer.value, forms.WindowValue):
        return "which move leads where"
    if "play from every state" in answer.confirmed.get("keeps", ()):
        return "all moves of all states"
    power = 0 if answer.value is None else forms.power_of(answer.value)
    return f"the game beside a {'heap' if power else 'Nim heap'}"
