"""Make the report on an answer of an impartial game: short, and worded like a theorem."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import TYPE_CHECKING

from icgsynth.digits.automaton import Automaton
from icgsynth.explicit.labels import endless_moves
from icgsynth.export import report as doc
from icgsynth.export.sentences import call_game, condition, goes_by_aim, rule_text, sentences
from icgsynth.game.answers import Verdict
from icgsynth.game.game import ParametricGame, State
from icgsynth.game.solution import LOSING_SET, Claim, Solution
from icgsynth.game.strategy import Rule, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.build import size, walk
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.prose import NamedCases, in_rules

if TYPE_CHECKING:
    from icgsynth.game.drawn import DrawnStates

_READABLE = 40  # largest size of a level's condition that is shown
_MOST_STATES, _MOST_SYMBOLS = 12, 9  # states, symbols of the largest automaton shown as a table
_SHOWN = 12  # losing states shown
_BOUND, _FAR = 1_000, 10**6  # a bound below which states are few; a number past usual bounds
_BOXES = {1: 200, 2: 40, 3: 15}


def solution_report(solution: Solution, spec: str | None = None) -> doc.Report:
    """Return the report on ``solution``: formulas, strategy and proof; commands in it name the game
    ``spec``."""
    title = doc.Title(call_game(solution.game), _standing(solution))
    if solution.winning is None or solution.losing is None:
        return (title, doc.notes(*_nothing(solution, spec or solution.game.name)))
    return (
        title,
        *_sides(solution, solution.winning, solution.losing),
        *_digits(solution, solution.losing),
        *_strategy(solution),
        *_words(solution),
        doc.notes(*_proof(solution)),
    )


def _standing(solution: Solution) -> str:
    if _is_endless(solution):
        return f"{solution.rule} play: not solved, for the game may never end"
    conditional = "who wins is proved" if _lacks_moves(solution) else "answered on a condition"
    word = {"solved": "solved and proved", "conditional": conditional}
    status = word.get(solution.status, "unknown")
    return f"{solution.rule} play, {status} in {solution.seconds.get('total', 0.0):.2f} s"


def _lacks_moves(solution: Solution) -> bool:
    proved = (solution.proof.get(part) is Verdict.PROVED for part in ("termination", "winning"))
    return not solution.strategy and solution.draws is None and all(proved)


def _is_endless(solution: Solution) -> bool:
    return solution.draws is None and solution.proof.get("termination") == Verdict.REFUTED


def _sides(solution: Solution, winning: Claim, losing: Claim) -> Iterator[doc.Part]:
    legal = str(in_rules(solution.game.legal))
    legal = "every state is legal" if solution.game.legal == t.TRUE else legal
    sides = [("loses", losing), ("wins", winning)]
    if solution.drawn is not None:
        sides.append(("draws", solution.drawn))
    sides.sort(key=lambda s: (s[1].size, s[0] != "loses"))
    lead = f"In the legal states ({legal}) the player to move"
    said = [(word, claim.formula, _facts(claim)) for word, claim in sides]
    yield from named_sides(lead, said, solution.game.variables)


def named_sides(
    lead: str, sides: Sequence[tuple[str, t.Formula, str]], variables: Sequence[str]
) -> Iterator[doc.Part]:
    """Yield the parts of a report that say, after ``lead``, who wins where.

    Each of ``sides`` is a word such as "loses", a formula and facts on it; long terms in
    ``variables`` get names.
    """
    named = NamedCases.of([formula for word, formula, _ in sides if word != "draws"], variables)
    yield from doc.who_wins(lead, [(word, named.name_cases(f), facts) for word, f, facts in sides])
    if lines := tuple(named.lines()):
        yield doc.Listing(lines)


def _facts(claim: Claim) -> str:
    """Return size and minimality of the claim's formula in words; "" where an automaton says it."""
    match claim.formula:
        case t.Recognised() | t.Not(t.Recognised()):
            return ""
    minimal = "minimal" if claim.minimal else "minimality not proved"
    reach = f" (constants up to {claim.constants_up_to})" if claim.minimal else ""
    return f"size {claim.size}, {minimal}{reach}"


# --- digits and automata -------------------------------------------------------------------


def _digits(solution: Solution, losing: Claim) -> Iterator[doc.Part]:
    """Yield report parts that explain functions of digits in the formulas, and automata in place of
    formulas."""
    nodes = (node for formula in solution.formulas() for node in walk(formula))
    if not any(isinstance(node, t.Digital | t.Recognised) for node in nodes):
        return
    from icgsynth.export.digit_words import by_first_digit, explanations

    is_set = isinstance(losing.formula, t.Recognised)
    said = explanations(solution.formulas())
    in_words = {name for name, found in solution.sets.items() if by_first_digit(found)}
    if is_set and LOSING_SET not in in_words:
        said = ["No short formula was found.", *said]
    if not said:
        return
    yield doc.notes(*said)
    sides = walk(t.And((solution.winning_formula, losing.formula)))
    named = {node.name for node in sides if isinstance(node, t.Recognised)}
    for name, automaton in solution.sets.items():
        if name in named - in_words:
            yield from _automaton(automaton, name)
    if is_set and (found := [*islice(losing_states(solution), _SHOWN)]):
        yield doc.notes(doc.Note(list_states(found), "The first losing states: "))


def _automaton(automaton: Automaton, name: str) -> Iterator[doc.Part]:
    from icgsynth.digits.transitions import live, table

    count = automaton.system.digits ** len(automaton.tracks)
    if len(live(automaton)) > _MOST_STATES or count > _MOST_SYMBOLS:
        how = " (export --to dot draws it)" if name == LOSING_SET else ""
        yield doc.notes(doc.Note(f"It is too large to show here{how}.", f"{name}: "))
        return
    yield doc.notes(
        f"{name}, a row for each state, the first at the top (* accepts, . never will):"
    )
    yield doc.Listing(tuple(f"  {line}" for line in table(automaton)))


def losing_states(solution: Solution) -> Iterator[State]:
    """Yield the losing states listed in the answer, else those of a box, by largest number."""
    game = solution.game
    if solution.losing_states:
        yield from solution.losing_states
        return
    bound, count = _BOXES.get(len(game.variables), 6), len(game.variables)
    for largest in range(bound + 1):
        for state in product(range(largest + 1), repeat=count):
            is_new = max(state) == largest and game.is_legal(state)
            if is_new and satisfies(solution.losing_formula, game.env(state)):
                yield state


def list_states(states: Iterable[State]) -> str:
    """Return ``states`` as one line of text: ``0 3 6 ...`` or ``(0,0) (1,2) ...``."""
    shown = (f"({','.join(map(str, s))})" if len(s) > 1 else str(s[0]) for s in states)
    return f"{' '.join(shown)} ..."


# --- the strategy --------------------------------------------------------------------------


def _strategy(solution: Solution) -> Iterator[doc.Part]:
    if solution.draws is not None:
        yield from _with_draws(solution, solution.draws)
        return
    if not solution.strategy and not solution.tree:
        is_needless = solution.needs_no_move
        needless = "No strategy is needed: no winning state has a move to make."
        missing = "A winning strategy was not found."
        if _lacks_moves(solution):
            missing = "Every move to a losing state wins; no shorter strategy was found."
        yield doc.notes(needless if is_needless else missing)
        return
    if solution.tree:
        lead = f"To win from a winning state{_ending(solution)}, make the first move that applies:"
        by_aim = goes_by_aim(solution)
        steps = dict.fromkeys(rule_text(rule, by_aim) for rule in solution.tree)
        yield doc.Steps(lead, tuple(steps))
    if solution.strategy and solution.strategy != solution.tree:
        cases = _cases(_heading(solution), solution.strategy, goes_by_aim(solution))
        same = "In cases, of which the first that holds gives the move:"
        yield replace(cases, lead=same, detail="all") if solution.tree else cases
    if any(isinstance(rule, TargetRule) for rule in solution.strategy):
        from icgsynth.export.digit_words import primes

        if said := primes(solution):
            yield doc.notes(said)


def _words(solution: Solution) -> Iterator[doc.Part]:
    if rules := solution.tree or solution.strategy:
        how = "the first that applies" if solution.tree else "the first that holds"
        said = dict.fromkeys(sentences(solution.game, rules, goes_by_aim(solution)))
        yield doc.Steps(f"In words, {how}:", tuple(said), "words")


def _with_draws(solution: Solution, draws: DrawnStates) -> Iterator[doc.Part]:
    """Yield report parts: how to win, how to keep a draw, how long a win takes at most."""
    if solution.strategy:
        lead = f"To win from a winning state{_ending(solution)}, take the first case that holds:"
        yield _cases(lead, solution.strategy)
    if draws.keeping:
        lead = "To draw from a drawn state, take the first case that holds:"
        yield _cases(lead, draws.keeping)
    if draws.rank is not None:
        yield doc.notes(f"A win takes at most {draws.rank} moves of both players.")
    elif max(map(size, draws.levels), default=0) > _READABLE:
        most = f"A win takes at most {len(draws.levels) - 1} moves of both players"
        yield doc.notes(f"{most}; --json says where how many.")
    elif len(draws.levels) > 1:
        lead = "A win takes at most so many moves of both players, by the first that holds:"
        said = ("otherwise" if level == t.TRUE else t.spell(level) for level in draws.levels)
        yield doc.Cases(lead, tuple((str(n), level) for n, level in enumerate(said)))


def _ending(solution: Solution) -> str:
    return ", unless the game has ended" if solution.rule == "misere" else ""


def _heading(solution: Solution) -> str:
    if most := solution.game.block:
        forbidden = "at most 1 is" if most == 1 else f"at most {most} are"
        return f"To win from a winning state, make one of these moves; {forbidden} forbidden:"
    return f"To win from a winning state{_ending(solution)}, take the first case that holds:"


def _cases(lead: str, rules: Iterable[Rule | TargetRule], by_aim: bool = False) -> doc.Cases:
    rows = dict.fromkeys((_when(rule, by_aim), _act(rule)) for rule in rules)
    return doc.Cases(lead, tuple(rows))


def _when(rule: Rule | TargetRule, by_aim: bool) -> str:
    always = "where possible" if isinstance(rule, TargetRule) else "always"
    return condition(rule, by_aim) or always


def _act(rule: Rule | TargetRule) -> str:
    if isinstance(rule, TargetRule):
        return f"{rule.action} so that {rule.after} is losing"
    return str(rule.act)


# --- the proof -----------------------------------------------------------------------------

_SAYS = {
    "closure": "no move leaves the legal states",
    "ending": "the declared end is exactly where no action applies",
    "termination": "play always ends",
    "winning": "the formulas above",
    "strategy": "the strategy",
    "drawn": "that from a drawn state neither player can be forced to lose",
}
_NEEDED = ("termination", "winning", "strategy")
_NEEDED_WITH_DRAWS = ("winning", "strategy", "drawn")


def _proof(solution: Solution) -> Iterator[doc.Note]:
    needed = _NEEDED if solution.draws is None else _NEEDED_WITH_DRAWS
    done = [p for p in needed if solution.proof.get(p) == Verdict.PROVED]
    why = f" ({_reason(solution)})" if solution.ranking else ""
    parts = ((p, _SAYS[p] + (why if p == "termination" else "")) for p in done)
    yield from doc.tell_proofs((text, solution.confirmed.get(p, ())) for p, text in parts)
    if done and (how := _how(solution, done)):
        yield doc.Note(how, " " * len("Method: "), detail="method")
    if solution.is_proved:
        for note in solution.notes:
            is_theorem = note.startswith("by the theorem")
            yield doc.Note(f"{note}.", "Found:  " if is_theorem else "But note: ")
    if missing := [p for p in needed if p not in done]:
        said = [f"{_SAYS[p]} ({solution.proof.get(p, Verdict.UNKNOWN)})" for p in missing]
        yield doc.Note(f"{'; '.join(said)}.", "NOT proved: ")
    if solution.draws is not None and solution.cycle:
        yield doc.Note(f"{solution.game.show_path(solution.cycle)}.", "Play may never end: ")
    if solution.explicit is not None and solution.explicit.has_states:
        yield doc.tell_checks(solution.explicit, "play to the end", "play by the rules as written")


def _how(solution: Solution, done: Sequence[str]) -> str:
    if solution.automaton is None:
        # Without a strategy as witness the claim "some move wins" needs a quantifier.
        return "No obligation has a quantifier." if "strategy" in done else ""
    before = "(Pre(P) u ending)" if solution.rule == "misere" else "Pre(P)"
    if most := solution.game.block:
        before = f"{{more than {most} options in P}}"
    from icgsynth.export.digit_words import notation

    system = notation(solution.automaton.system)
    return f"The automata read {system}, and prove one equation, P = C \\ {before}."


def _reason(solution: Solution) -> str:
    """Return in words why play ends: the ranking's terms decrease, or no action applies."""
    if solution.is_still:
        return "no action ever applies"
    ranking = ", ".join(map(str, solution.ranking))
    return f"{ranking} decreases" if len(solution.ranking) == 1 else f"({ranking}) decreases"


# --- where nothing is claimed --------------------------------------------------------------


def _nothing(solution: Solution, spec: str) -> Iterator[doc.Note]:
    yield doc.Note("Nothing is claimed.")
    first, *others = solution.notes or ("",)
    if first:
        yield doc.Note(f"{first}.", "  Why: ")
    if endless := endless_moves(solution.game):
        yield doc.Note(f"{endless}.", "  Rules: ")
    if solution.excluded is not None:
        text = (
            f"no formula of size up to {solution.excluded.size} with constants up to "
            f"{solution.excluded.constants_up_to} fits the labelled states."
        )
        yield doc.Note(text, "  Excluded: ", detail="method")
    for note in others[:8]:
        short = textwrap.shorten(note, 180, placeholder=" ...")
        text = short if short.endswith("...") else f"{short}."
        yield doc.Note(text, "  Tried: ", detail="method")
    if solution.losing_states:
        yield doc.Note(list_states(solution.losing_states), "  First losing states: ")
    if _is_endless(solution):
        drawn = "Nobody ever wins: let 'legal' or 'pre' end play somewhere."
        open_ = "States may be drawn; which, is not known."
        yield doc.Note(open_ if solution.cycle else drawn, "  ")
        if not solution.cycle:
            return
    constants = "".join(f" --set {n}={v}" for n, v in solution.game.constants)
    rule = " --rule misere" if solution.rule == "misere" else ""
    if solution.exhausted:
        yield doc.Note("All that the search knows was tried: more time will hardly help.", "  ")
    else:
        yield doc.Note("More time may help: give a larger --timeout.", "  ")
    yield doc.Note(
        f"To see the first states: icgsynth table {spec}{constants}{rule} --bound 30", "  "
    )
    if solution.ranking == tuple(map(t.Name, solution.game.variables)):
        yield from (doc.Note(text, "  ") for text in bound_to_add(solution.game, "states"))
    ends = solution.proof.get("termination") == Verdict.PROVED
    if ends and solution.rule == "normal" and not solution.game.block:
        text = "Grundy values may have a proof where the formulas have none:"
        yield doc.Note(f"{text} icgsynth value {spec}{constants}", "  ")


def bound_to_add(game: ParametricGame, what: str) -> Iterator[str]:
    """Yield advice to bound the variable of a ``game`` that has one, so that all ``what`` can be
    settled; nothing for another game."""
    name, *others = game.variables
    if not (others or game.block) and satisfies(game.legal, {name: _FAR}):
        bound = f"{name} <= {_BOUND}"
        yield f"To settle all {what} up to a bound: add '{bound}' to 'legal'."
