"""The report on any number of piles: the theorem, or what is known of a few numbers of them."""

from __future__ import annotations

from collections.abc import Iterator

from icgsynth.export import report as doc
from icgsynth.export.sentences import call_game
from icgsynth.export.solution_report import bound_to_add, named_sides
from icgsynth.export.value_report import function_lines
from icgsynth.heaps.rules.misere import MisereAnswer, TameAnswer
from icgsynth.heaps.rules.pile_answer import (
    ByEnds,
    ByLengths,
    ByRows,
    ByValues,
    PilesAnswer,
    count_letter,
)
from icgsynth.heaps.rules.piles import NUMBER, PileGame
from icgsynth.heaps.text.misere_report import misere_report, tame_report
from icgsynth.logic import term as t
from icgsynth.logic.build import walk
from icgsynth.logic.prose import NamedCases, case_lines

_TOUCHED = {
    "first": "A move is made in the first pile in which one is possible.",
    "all": "A move is made in all piles at once; play is over where that is not possible.",
}


def pile_report(answer: PilesAnswer, spec: str) -> doc.Report:
    """Return the report on who wins, how, and the proof; ``spec`` names the game in a command."""
    solved = f"solved and proved for every number of piles in {answer.seconds:.2f} s"
    unknown = f"no theorem for every number of piles in {answer.seconds:.2f} s"
    standing = f"{answer.rule} play, {unknown if answer.theorem is None else solved}"
    title = doc.Title(call_game(answer.game.pile), standing)
    touched = doc.notes(_name_touched(answer.game))
    asked = f"'icgsynth solve {spec} --at STATE' names a winning move."
    match answer.theorem:
        case None:
            why = doc.notes(doc.Note(answer.why, "Why: "))
            rest = "Nothing is claimed of other numbers of piles."
            if (n := min(answer.members, default=0)) > 0:
                rest += f" 'icgsynth solve {spec} --set {NUMBER}={n}' has more of {n}."
            touches_one = (answer.game.how, answer.game.count) == ("at most", 1)
            bounds = bound_to_add(answer.game.pile, "piles") if touches_one else ()
            return (title, touched, why, *_members(answer), doc.notes(rest, *bounds))
        case ByRows(_, rows):
            return (title, touched, *_by_rows(rows), doc.notes(asked))
        case ByValues() as theorem:
            parts = _by_values(theorem, answer.game)
        case ByLengths() as theorem:
            parts = _by_lengths(theorem)
        case theorem:
            parts = _by_ends(theorem)
    return (title, touched, *parts, doc.notes(asked), doc.notes(*_tell_proof(theorem)))


def _name_touched(game: PileGame) -> str:
    if (said := _TOUCHED.get(game.how)) is not None:
        return said
    if game.count == 1:
        return "A move is made in one of the piles."
    of = f"{game.counted} = {game.count}" if game.counted else str(game.count)
    return f"A move is made in {game.how} {of} of the piles at once, one move in each."


def _members(answer: PilesAnswer) -> Iterator[doc.Part]:
    for number, solution in answer.members.items():
        lead = f"With {number} piles the player to move"
        if not solution.is_proved:
            why = solution.notes[0] if solution.cycle else "no proved answer was found in time"
            yield doc.notes(f"With {number} piles: {why}.")
            continue
        wins, loses = solution.sides()
        if any(isinstance(node, t.Recognised) for node in walk(loses)):
            yield doc.notes(f"With {number} piles: proved, but no short formula was found.")
            continue
        sides = [("loses", loses, ""), ("wins", wins, "")]
        yield from named_sides(lead, sides, solution.game.variables)
    if (lost := answer.conjecture) is not None:
        count = count_letter(answer.game.pile.variables)
        said = (
            f"with {count} piles the player to move loses iff {t.spell(lost)}. That is not proved."
        )
        yield doc.notes(doc.Note(said, "Conjecture: "))


# --- theorems -------------------------------------------------------------------------------------


def _by_values(theorem: ByValues, game: PileGame) -> Iterator[doc.Part]:
    n = count_letter((*game.pile.variables, game.counted))
    names = [", ".join(f"{v}_{i}" for v in game.pile.variables) for i in ("1", n)]
    is_nim = theorem.function.term == t.Name(game.pile.variables[0])
    first, last = names if is_nim else [f"g({name})" for name in names]
    counted = game.counted if theorem.falls else ""
    every = f"{n} >= 1 and {counted} >= 1" if counted else f"{n} >= 1"
    more = f"{counted} + 1" if counted else str(theorem.most + 1)
    if theorem.most == 1 and not counted:
        even, odd = f"{first} xor ... xor {last} = 0", f"{first} xor ... xor {last} != 0"
    else:
        even = f"in each binary place, {more} divides how many of {first}, ..., {last} have a 1"
        odd = f"in some binary place, {more} does not divide how many of them have a 1"
    if theorem.rule == "misere" and more == "2":
        yield doc.notes("As under normal play, unless every pile has the value 0 or 1.")
        large = "if one of them is at least 2; else an"
        even = f"{even}, {large} odd number of them are 1"
        odd = f"{odd}, {large} even number of them are 1"
    elif theorem.rule == "misere":
        ones = f"how many of {first}, ..., {last} are 1"
        even = f"{even}, if one of them is at least 2; else {ones} leaves the remainder 1 by {more}"
        odd = f"{odd}, if one of them is at least 2; else {ones} leaves another remainder"
    if not is_nim:
        yield doc.notes("The Grundy value of one pile:")
        yield doc.Listing(tuple(function_lines(theorem.function)))
    sides = (doc.Side("loses", even), doc.Side("wins", odd))
    yield doc.Sides(f"With {n} piles, for every {every}, the player to move", sides)


def _by_lengths(theorem: ByLengths) -> Iterator[doc.Part]:
    names = theorem.pile.variables
    count = count_letter(names)
    lead = f"With {count} piles, for every {count} >= 1"
    if theorem.one is not None:
        wins, loses = (t.spell(side) for side in theorem.one.sides())
        sides = (doc.Side("loses", loses), doc.Side("wins", wins))
        least = f"of which the least is {names[0]}"
        yield doc.Sides(f"{lead}, {least}, the player to move", sides)
        return
    yield doc.notes(
        "How long play in one pile lasts, if who wins it hurries and who loses it delays:"
    )
    is_named = isinstance(theorem.length, t.If)  # which l is a name for
    functions = NamedCases.of([theorem.length] * (not is_named), names)
    cases = case_lines(functions.name_cases(theorem.length), f"  l({', '.join(names)}) = ")
    yield doc.Listing((*cases, *functions.lines()))
    first, last = (f"l({', '.join(f'{v}_{i}' for v in names)})" for i in ("1", count))
    kinds = ("even", "odd") if theorem.rule == "normal" else ("odd", "even")
    lost, won = (f"the least of {first}, ..., {last} is {kind}" for kind in kinds)
    sides = (doc.Side("loses", lost), doc.Side("wins", won))
    yield doc.Sides(f"{lead}, the player to move", sides)


def _by_rows(rows: TameAnswer | MisereAnswer) -> Iterator[doc.Part]:
    if isinstance(rows, MisereAnswer):
        yield doc.notes("A pile is a heap that does not split. The misere quotient of such heaps:")
        yield from misere_report(rows)[1:]
        return
    fickle = " or ".join(map(str, rows.fickle))
    told = f"As under normal play, unless every pile is {fickle}. Of the piles as heaps:"
    yield doc.notes("Of the piles as heaps:" if rows.all_fickle else told)
    yield from tame_report(rows)[1:]


def _by_ends(theorem: ByEnds) -> Iterator[doc.Part]:
    lead = "Go from the last pile to the first. The player to move wins the piles from one on where"
    behind = ("if the piles behind it are lost", "if they are won")
    sides = [t.spell(solution.sides()[0]) for solution in theorem.ends]
    yield doc.Cases(lead, tuple(zip(sides, behind, strict=True)))
    last = f"No pile at all is {'won' if theorem.rule == 'misere' else 'lost'}."
    has_sets = any(solution.sets for solution in theorem.ends)
    yield doc.notes(last + " --json has the automata of the sets." * has_sets)


def _tell_proof(theorem: ByValues | ByEnds | ByLengths) -> Iterator[doc.Note]:
    if isinstance(theorem, ByEnds):
        rules = zip(("normal", "misère"), theorem.ends, strict=True)
        yield from doc.tell_proofs(
            (f"who wins one pile under {rule} play", tuple(solution.confirmed["winning"]))
            for rule, solution in rules
        )
        yield doc.Note("that the last pile decides the one before it, by induction.", "Proved: ")
        return
    if isinstance(theorem, ByLengths):
        parts = [("how long play in one pile lasts", theorem.by)]
        parts += [("that it never falls with the pile", theorem.grows)] * bool(theorem.grows)
        yield from doc.tell_proofs(parts)
        source = "a theorem (C. A. B. Smith 1966)"
        yield doc.Note(f"that the pile of the least length of play decides: {source}.", "Proved: ")
        return
    confirmed = theorem.function.confirmed
    parts = [("the value of one pile", confirmed["keeps"])]
    parts += [("that play always ends", ends) for ends in [confirmed.get("termination")] if ends]
    parts += [("that no move keeps or raises it", theorem.falls)] * bool(theorem.falls)
    turns = "that each pile of the value 0 with a move has one to the value 1"
    parts += [(turns, theorem.turns)] * bool(theorem.turns)
    yield from doc.tell_proofs(parts)
    if theorem.falls:
        sources = "Moore 1910, with Bouton 1901 for one pile"
        yield doc.Note(f"that such values say who wins: a theorem ({sources}).", "Proved: ")
    elif theorem.turns:
        said = "that values say who wins under misere play then: a theorem (Ferguson 1974)."
        yield doc.Note(said, "Proved: ")
    else:
        yield doc.Note("that values add: a theorem (Sprague 1935, Grundy 1939).", "Proved: ")
