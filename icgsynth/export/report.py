"""The answer for the terminal: it fits a screen and reads like a theorem."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import islice, product

from icgsynth.digits.automaton import Automaton
from icgsynth.export.digit_words import explanations, notation, primes, wrapped
from icgsynth.export.header import nothing_to_do
from icgsynth.export.transitions import live, table
from icgsynth.game.drawn import DrawnStates
from icgsynth.game.game import State
from icgsynth.game.solution import LOSING_SET, Claim, Solution, Verdict, agreed
from icgsynth.game.strategy import Rule, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.build import size, walk
from icgsynth.logic.evaluate import satisfies

__all__ = ["report"]

_WIDTH = 96
_MOST = 14  # rules or cells shown
_READABLE = 40  # size of the condition of a level that people read
_MOST_STATES, _MOST_SYMBOLS = 12, 9  # of an automaton whose table is shown
_SHOWN = 12  # losing states
_BOXES = {1: 200, 2: 40, 3: 15}


def report(solution: Solution, spec: str | None = None) -> str:
    """The report, ending in a newline; ``spec`` is what the command line called the game."""
    lines = [_headline(solution), ""]
    if solution.winning is not None and solution.losing is not None:
        lines += _theorem(solution, solution.winning, solution.losing)
        lines += _strategy(solution)
        lines += _proof(solution)
    else:
        lines += _nothing(solution, spec or solution.game.name)
    return "\n".join(lines) + "\n"


def _headline(solution: Solution) -> str:
    game = solution.game
    constants = ", ".join(f"{n} = {v}" for n, v in game.constants)
    name = game.name + (f" ({constants})" if constants else "")
    title = f": {game.title}" if game.title else ""
    took = f"{solution.seconds.get('total', 0.0):.2f} s"
    word = {"solved": "solved and proved", "conditional": "answered on a condition"}
    status = word.get(solution.status, "unknown")
    if solution.cycle and solution.draws is None:
        return f"{name}{title}\n{solution.rule} play: not solved, for the game may never end"
    return f"{name}{title}\n{solution.rule} play, {status} in {took}"


def _theorem(solution: Solution, winning: Claim, losing: Claim) -> list[str]:
    legal = "every state is legal" if solution.game.legal == t.TRUE else str(solution.game.legal)
    lines = [f"In the legal states ({legal}) the player to move", ""]
    sides = [("loses", losing), ("wins ", winning)]
    if solution.draws is not None:
        sides.append(("draws", Claim(solution.draws.drawn)))
    sides.sort(key=lambda s: (s[1].size, s[0] != "loses"))
    width = min(44, max(len(str(c.formula)) for _, c in sides))
    for word, claim in sides:
        facts = _facts(claim)
        head = f"  {word}  iff  "
        line = f"{head}{claim.formula!s:<{width}}   {facts}"
        wrapped = [line]
        if len(line) > _WIDTH + 8:
            wrapped = [*_wrapped(str(claim.formula), head), " " * len(head) + f"[{facts}]"]
        lines += [line.rstrip() for line in wrapped]
    return [*lines, "", *_digits(solution, losing)]


def _facts(claim: Claim) -> str:
    """How long the formula is; of a set that an automaton recognises that says nothing."""
    match claim.formula:
        case t.Recognised() | t.Not(t.Recognised()):
            return ""
    minimal = "minimal" if claim.minimal else "minimality not proved"
    reach = f" (constants up to {claim.constants_up_to})" if claim.minimal else ""
    return f"size {claim.size}, {minimal}{reach}"


# --- digits and automata -------------------------------------------------------------------


def _digits(solution: Solution, losing: Claim) -> list[str]:
    """What the formulas mean that speak of digits; without a formula, the automaton."""
    lines = []
    if isinstance(losing.formula, t.Recognised):
        lines += _wrapped("No short formula was found.", "")
    for sentence in explanations(solution.formulas()):
        lines += wrapped(sentence, _WIDTH)
    if not lines:
        return []
    for name, automaton in solution.sets.items():
        if any(name == n for n in _named(solution)):
            lines += ["", *_automaton(automaton, name)]
    if isinstance(losing.formula, t.Recognised):
        states = islice(_losing_states(solution, losing), _SHOWN)
        shown = " ".join(f"({','.join(map(str, s))})" if len(s) > 1 else str(s[0]) for s in states)
        lines += ["", *_wrapped(f"{shown} ...", "The first losing states: ")]
    return [*lines, ""]


def _named(solution: Solution) -> Iterator[str]:
    """The sets that the two formulas speak of."""
    for claim in (solution.winning, solution.losing):
        if claim is not None:
            yield from (n.name for n in walk(claim.formula) if isinstance(n, t.Recognised))


def _automaton(automaton: Automaton, name: str) -> list[str]:
    """The table where it is small; otherwise how to draw it."""
    count = automaton.system.digits ** len(automaton.tracks)
    if len(live(automaton)) > _MOST_STATES or count > _MOST_SYMBOLS:
        how = " (export --to dot draws it)" if name == LOSING_SET else ""
        return _wrapped(f"It is too large to show here{how}.", f"{name}: ")
    head = f"{name}, a row for each state, the first at the top (* accepts, . never will):"
    return [*_wrapped(head, ""), "", *(f"  {line}" for line in table(automaton))]


def _losing_states(solution: Solution, losing: Claim) -> Iterator[State]:
    """Losing states in the order of their largest coordinate, as far as a small box goes."""
    game = solution.game
    if solution.losing_states:
        yield from solution.losing_states
        return
    bound, count = _BOXES.get(len(game.variables), 6), len(game.variables)
    for largest in range(bound + 1):
        for state in product(range(largest + 1), repeat=count):
            is_new = max(state) == largest and game.is_legal(state)
            if is_new and satisfies(losing.formula, game.env(state)):
                yield state


def _wrapped(text: str, head: str) -> list[str]:
    indent = " " * len(head)
    return textwrap.wrap(
        text, _WIDTH, initial_indent=head, subsequent_indent=indent, break_long_words=False
    ) or [head]


def _strategy(solution: Solution) -> list[str]:
    if solution.draws is not None:
        return _with_draws(solution, solution.draws)
    if not solution.strategy and not solution.tree:
        if nothing_to_do(solution):
            return ["There is nothing to do: no winning state has a move to make.", ""]
        return ["A winning strategy was not found.", ""]
    ending = ", unless the game has ended" if solution.rule == "misere" else ""
    lines = []
    if solution.tree:
        lines.append(f"To win from a winning state{ending}, make the first move that applies:")
        lines.append("")
        lines += _numbered(solution.tree)
        lines.append("")
    if solution.strategy and solution.strategy != solution.tree:
        if solution.tree:
            lines.append("The same by cases (semi-ground actions):")
        else:
            lines.append(_heading(solution, ending))
        lines.append("")
        lines += _cases(solution.strategy)
        lines.append("")
    if said := primes(solution):
        lines += [*wrapped(said, _WIDTH), ""]
    return lines


def _with_draws(solution: Solution, draws: DrawnStates) -> list[str]:
    """How to win and how to keep a draw, and how long a win takes at most."""
    ending = ", unless the game has ended" if solution.rule == "misere" else ""
    lines: list[str] = []
    for rules, aim in (
        (solution.strategy, "win from a winning"),
        (draws.keeping, "draw from a drawn"),
    ):
        if rules:
            head = (
                f"To {aim} state{ending if rules is solution.strategy else ''}, take the first case"
            )
            lines += [f"{head} that holds:", "", *_cases(rules), ""]
    if draws.rank is not None:
        lines += [f"A win takes at most {draws.rank} moves of both players.", ""]
    elif max(map(size, draws.levels), default=0) > _READABLE:
        most = len(draws.levels) - 1
        said = f"A win takes at most {most} moves of both players; --json says where how many."
        lines += [said, ""]
    elif len(draws.levels) > 1:
        lines += ["A win takes at most so many moves of both players, by the first that holds:", ""]
        shown = [f"  {level:<3} {formula}" for level, formula in enumerate(draws.levels)]
        lines += [*shown, ""]
    return lines


def _heading(solution: Solution, ending: str) -> str:
    if most := solution.game.block:
        return f"To win from a winning state, make one of these moves; at most {most} is forbidden:"
    return f"To win from a winning state{ending}, take the first case that holds:"


def _numbered(rules: Sequence[Rule]) -> list[str]:
    lines: list[str] = []
    for i, rule in enumerate(rules[:_MOST], 1):
        lines += _wrapped(str(rule), f"  {i}. ")
    return lines + _rest(len(rules))


def _cases(rules: Sequence[Rule | TargetRule]) -> list[str]:
    conditions = [_when(rule) for rule in rules]
    width = min(46, max(map(len, conditions)))
    lines: list[str] = []
    for rule, when in list(zip(rules, conditions, strict=True))[:_MOST]:
        if len(when) <= width:
            lines.append(f"  {when:<{width}}  {_act(rule)}")
        else:
            lines += _wrapped(when, "  ")
            lines.append(" " * (width + 4) + _act(rule))
    return lines + _rest(len(rules))


def _when(rule: Rule | TargetRule) -> str:
    if isinstance(rule, TargetRule) and rule.when == t.TRUE:
        return "where possible"
    return str(rule.when)


def _act(rule: Rule | TargetRule) -> str:
    if isinstance(rule, TargetRule):
        return f"{rule.action} so that {rule.after} is losing"
    return str(rule.act)


def _rest(count: int) -> list[str]:
    return [f"  ... and {count - _MOST} more (--json has them all)"] if count > _MOST else []


_SAYS = {
    "closure": "no move leaves the legal states",
    "ending": "the declared end is exactly where no action applies",
    "termination": "play always ends",
    "winning": "the formulas above",
    "strategy": "the strategy",
    "drawn": "that nobody need lose a drawn state",
}
_NEEDED = ("termination", "winning", "strategy")
_NEEDED_WITH_DRAWS = ("winning", "strategy", "drawn")


def _proof(solution: Solution) -> list[str]:
    needed = _NEEDED if solution.draws is None else _NEEDED_WITH_DRAWS
    proved = [p for p in needed if _is(solution, p, "proved")]
    lines = []
    if proved:
        said = [_SAYS[p] for p in proved]
        if "termination" in proved and solution.ranking:
            said[0] += f" ({_reason(solution)})"
        text = ", ".join(said) + f", for all states, {_how(solution, proved)}."
        lines += _wrapped(text, "Proved: ")
    if solution.is_proved:
        for note in solution.notes:
            lines += _wrapped(f"{note}, and proved for this member.", "Found:  ")
    missing = [p for p in needed if p not in proved]
    if missing:
        said = [f"{_SAYS[p]} ({solution.proof.get(p, Verdict.UNKNOWN)})" for p in missing]
        lines += _wrapped("; ".join(said) + ".", "NOT proved: ")
    if solution.draws is not None and solution.cycle:
        lines += _wrapped(solution.game.show_path(solution.cycle) + ".", "Play may never end: ")
    if solution.explicit is not None:
        check = solution.explicit
        text = (
            f"backward induction labels {check.states:,} states with coordinates up to "
            f"{check.bound}; {check.disagreements} disagree."
        )
        lines += _wrapped(text, "Checked: ")
        if check.far is not None:
            text = (
                f"play by the rules as they are written, at {check.far.states:,} states up to "
                f"{check.far.reach}; {check.far.disagreements} disagree."
                if check.far.states
                else "no far state, for the rules or the answer are too hard to evaluate."
            )
            lines += _wrapped(text, " " * len("Checked: "))
    return lines


def _how(solution: Solution, proved: Sequence[str]) -> str:
    """By whom; of an answer in digits only the end of play is linear arithmetic."""
    digits = solution.automaton is not None
    parts = [p for p in proved if p != "termination"] if digits else proved
    named = dict.fromkeys(name for part in parts for name in solution.confirmed.get(part, ()))
    by = f"by {agreed(tuple(named))}" if named else "by one proof alone"
    if solution.automaton is not None:
        before = "(Pre(P) u ending)" if solution.rule == "misere" else "Pre(P)"
        if most := solution.game.block:
            before = f"{{more than {most} options in P}}"
        system = notation(solution.automaton.system)
        by = f"{by}, in {system} (one equation, P = C \\ {before})"
        ends = solution.confirmed.get("termination", ())
        return f"{by}; that it ends, by {agreed(ends)}" if ends else by
    # Without a strategy as witness, "some move wins" had to be quantified.
    return by + (", on obligations without quantifiers" if "strategy" in proved else "")


def _reason(solution: Solution) -> str:
    """Why play ends, by the ranking."""
    if solution.is_still:
        return "no action ever applies"
    ranking = ", ".join(map(str, solution.ranking))
    return f"{ranking} decreases" if len(solution.ranking) == 1 else f"({ranking}) decreases"


def _is(solution: Solution, part: str, verdict: str) -> bool:
    return solution.proof.get(part) == verdict


def _nothing(solution: Solution, spec: str) -> list[str]:
    lines = ["Nothing is claimed."]
    notes = list(solution.notes)
    if notes:
        lines += _wrapped(notes[0] + ".", "  Why: ")
    if solution.excluded is not None:
        text = (
            f"no formula of size up to {solution.excluded.size} with constants up to "
            f"{solution.excluded.constants_up_to} fits the labelled states."
        )
        lines += _wrapped(text, "  Excluded: ")
    for note in notes[1:][:8]:
        short = textwrap.shorten(note, 180, placeholder=" ...")
        lines += _wrapped(short if short.endswith("...") else f"{short}.", "  Tried: ")
    if solution.losing_states:
        shown = " ".join(
            "(" + ",".join(map(str, state)) + ")" if len(state) > 1 else str(state[0])
            for state in solution.losing_states
        )
        lines += _wrapped(shown + " ...", "  First losing states: ")
    if solution.cycle:
        lines.append("  Play may go on for ever, so states may be drawn; which, is not known.")
    constants = "".join(f" --set {n}={v}" for n, v in solution.game.constants)
    rule = " --rule misere" if solution.rule == "misere" else ""
    if solution.exhausted:
        lines.append(
            "  All that the search knows was tried, and a larger --timeout changes little."
        )
        lines.append("  To look further: the labels themselves with")
    else:
        lines.append("  To look further: a larger --timeout, or the labels themselves with")
    lines.append(f"  icgsynth table {spec}{constants}{rule} --bound 30")
    ends = solution.proof.get("termination") == Verdict.PROVED
    if ends and solution.rule == "normal" and not solution.game.block:
        lines.append("  Grundy values may have a proof where the formulas have none:")
        lines.append(f"  icgsynth value {spec}{constants}")
    return lines
