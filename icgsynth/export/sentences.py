"""Say rules, moves and games in words: "If b > a, take b - a from b, so that b = a."

A move is described by its change of each variable, or where that is shorter by the new value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple, Protocol

from icgsynth.game.game import Action, Move, ParametricGame, State
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule, Strategy, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjuncts, fold, free_names, links, rebuild, size, substitute, walk
from icgsynth.logic.prose import equalities, in_rules, listing
from icgsynth.logic.ranges import as_number, linear
from icgsynth.logic.simplify import simplified_term

_LONG = 80  # most characters of a condition that is printed
_AIM = "that leads to a losing state"


def sentences(
    game: ParametricGame, rules: Strategy[Rule | TargetRule], by_aim: bool = False
) -> Iterator[str]:
    """Yield a sentence for each of ``rules``; with ``by_aim`` it says in place of a long condition
    that the move leads to a losing state."""
    for rule in rules:
        always = rule.when == t.TRUE
        if isinstance(rule, TargetRule):
            said = f"make a move {rule.action} that leaves a losing state"
            said += ", if there is one" if always else ""
        else:
            action = game.action(rule.act.action)
            said = _tell_changes(action, dict(rule.act.arguments), _equal(rule.when))
            said = said or f"make the move {rule.act}"
        where = condition(rule, by_aim, formula_said)
        yield f"If {where}, {said}." if where else f"{said[0].upper()}{said[1:]}."


def goes_by_aim(solution: Solution) -> bool:
    """Return whether in ``solution`` a move wins exactly where it leads to a losing state.

    False where play may never end, and where the opponent may forbid moves.
    """
    return solution.draws is None and not solution.game.block


def condition(
    rule: Rule | TargetRule, by_aim: bool, text: Callable[[t.Formula], str] = t.spell
) -> str:
    """Return the condition of ``rule`` as ``text`` writes formulas; "" if it always holds.

    With ``by_aim`` (see :func:`goes_by_aim`) a long condition is replaced by the words that the
    move leads to a losing state.
    """
    if rule.when == t.TRUE:
        return ""
    is_long = len(t.spell(rule.when)) > _LONG
    return _AIM if by_aim and isinstance(rule, Rule) and is_long else text(rule.when)


def formula_said(formula: t.Formula) -> str:
    """Return in words: ``n leaves remainder 0 or 5 when divided by 7`` of ``n mod 7 in {0, 5}``."""
    match formula:
        case t.And(args) if all(isinstance(arg, t.Compare | t.Member | t.Not) for arg in args):
            return " and ".join(map(formula_said, args))
        case t.Member(t.Mod(arg, divisor), values):
            return f"{arg} leaves remainder {listing(values, 'or')} when divided by {divisor}"
        case t.Not(t.Member(t.Mod(arg, divisor), values)):
            left = f"remainder {listing(values, 'or')} when divided by {divisor}"
            return f"{arg} does not leave {left}"
        case t.Compare((t.Mod(arg, divisor), t.Int() as left), ("=" | "!=",)):
            leaves = "leaves" if formula.ops == ("=",) else "does not leave"
            return f"{arg} {leaves} remainder {left} when divided by {divisor}"
        case t.Member(term, values):
            return f"{term} is {listing(values, 'or')}"
    return t.spell(formula)


def rule_text(rule: Rule | TargetRule, by_aim: bool) -> str:
    """Return ``rule`` as text: ``if a > b: take_a(a - b)``; with ``by_aim`` words in place of a
    long condition."""
    where = condition(rule, by_aim)
    return f"if {where}: {rule.act}" if where and isinstance(rule, Rule) else str(rule)


def rules_in_words(game: ParametricGame) -> Iterator[str]:
    """Yield the rules of ``game`` as sentences: on the states, on each action, and on the end."""
    bounds = list(conjuncts(game.legal))
    natural = [v for v in game.variables if t.Compare((t.Name(v), t.Int(0)), (">=",)) in bounds]
    if len(natural) < len(bounds):  # that numbers are never below 0 goes without saying
        yield f"In every state {t.spell(in_rules(game.legal))}."
    for action in game.actions:
        needs = in_rules(action.precondition)
        where = "" if needs == t.TRUE else f", where {formula_said(needs)}"
        given = f"({', '.join(action.parameters)})" if action.parameters else ""
        yield f"The move {action.name}{given}: {_tell_changes(action, {}, {}) or 'pass'}{where}."
    if game.end != t.FALSE:
        yield f"The game is over where {t.spell(in_rules(game.end))}."


def in_words(game: ParametricGame, move: Move) -> str:
    """Return ``move`` of ``game`` in words: ``take 2 from b``."""
    given = {name: t.Int(number) for name, number in move.arguments}
    return _tell_changes(game.action(move.action), given, {}) or f"make the move {move}"


class _Change(NamedTuple):
    """The change of one variable by a move, in words: ``take 3 from a``."""

    variable: str
    verb: str
    what: str
    of: str  # the word before the variable; none in ``make a = 3``
    reads: frozenset[str]  # the names in ``what``
    leaves: str = ""  # the variable whose value this one then has


def _tell_changes(action: Action, given: Mapping[str, t.Term], known: Mapping[str, t.Term]) -> str:
    """Return in words what a move changes: terms ``given`` are put in for parameters, and terms
    ``known`` for variables."""
    # A change must not alter a variable that a later change reads, so the changes are ordered.
    changes = [_change(v, term, given, known) for v, term in action.effects]
    left = [change for change in changes if change is not None]
    changed = {change.variable for change in left}
    aims = [f"{c.variable} = {c.leaves}" for c in left if c.leaves and c.leaves not in changed]
    in_turn: list[_Change] = []
    while left:
        read = (c for c in left if not any(c.variable in d.reads for d in left if d is not c))
        following = next(read, None)
        if following is None:
            break
        left.remove(following)
        in_turn.append(following)
    said = listing(list(_merged([*in_turn, *left])))
    if left:
        said += ", counted with the numbers before the move"
    return f"{said}, so that {listing(aims)}" if aims else said


def _merged(changes: Sequence[_Change]) -> Iterator[str]:
    """Yield ``changes`` as text, equal ones in a row joined: ``take k from both a and b``."""
    verb = ""
    for (said, what, of), same in groupby(changes, lambda c: (c.verb, c.what, c.of)):
        names = [change.variable for change in same]
        together = {1: "", 2: "both "}.get(len(names), "each of ") if of != "of" else ""
        place = f" {of} {together}{listing(names)}" if of else ""
        yield f"{said if said != verb else ''} {what}{place}".strip()
        verb = said if of != "of" else ""  # "all of a and b from c" would mean two things


def _change(
    variable: str, effect: t.Term, given: Mapping[str, t.Term], known: Mapping[str, t.Term]
) -> _Change | None:
    """Return how the term ``effect`` changes ``variable``; None if it does not.

    Terms ``given`` are put in for parameters, and terms ``known`` for variables.
    """
    here = t.Name(variable)
    taken, added = _less(here, effect), _less(effect, here)
    is_counted = here.name not in free_names(taken)
    after = _plain(substitute(substitute(effect, given), known))
    now = substitute(here, known)
    if not is_counted:
        taken, added = _less(now, after), _less(after, now)
    is_added = size(added) < size(taken) or (isinstance(taken, t.Int) and taken.value < 0)
    amount = _less(after, now) if is_added else _less(now, after)
    if amount == t.Int(0):
        return None
    if after == t.Int(0) and (effect == after or (is_counted and not is_added)):
        return _Change(variable, "take", "all", "of", frozenset())
    if isinstance(after, t.Int) and is_counted and not is_added and amount != t.Int(1):
        return _Change(variable, "leave", str(after), "in", frozenset())
    is_long = size(amount) > size(after) + isinstance(after, t.Name)
    is_step = isinstance(amount, t.Int) and (is_counted or not isinstance(after, t.Int))
    has_choice = any(isinstance(node, t.Min | t.Max) for node in walk(amount))
    if not is_step and (not is_counted or is_long or has_choice):
        return _Change(variable, "make", f"{variable} = {after}", "", free_names(after))
    leaves = after.name if isinstance(after, t.Name) else ""
    verb, of = ("add", "to") if is_added else ("take", "from")
    return _Change(variable, verb, _amount(amount), of, free_names(amount), leaves)


def _equal(condition: t.Formula) -> dict[str, t.Term]:
    """Return by name the number or other variable that ``condition`` makes a variable equal to."""
    known: dict[str, t.Term] = {}
    for link in links(condition):
        match substitute(link, known):
            case t.Compare((t.Name(name), (t.Name() | t.Int()) as value), ("=",)):
                known = {n: substitute(term, {name: value}) for n, term in known.items()}
                known[name] = value
    return known


def _less(left: t.Term, right: t.Term) -> t.Term:
    return _plain(t.Sum((left, t.Neg(right))))


def _plain(term: t.Term) -> t.Term:
    """Return ``term`` simplified, also within ``min`` and ``max``: ``min(b, b + 1)`` is b."""
    if isinstance(term, t.Min | t.Max):
        ahead = as_number(t.Sum((term.left, t.Neg(term.right))))
        if ahead is not None:
            return _plain(term.left if (ahead <= 0) == isinstance(term, t.Min) else term.right)
    parts = [_plain(part) if isinstance(part, t.Term) else part for part in t.children(term)]
    plain = simplified_term(fold(rebuild(term, tuple(parts))))
    return t.Sum(tuple(sorted(plain.args, key=_place))) if isinstance(plain, t.Sum) else plain


def _place(part: t.Term) -> tuple[bool, bool, str]:
    """Return a sort key for the parts of a sum: ``a + b - 3``, but ``3 - a``."""
    text = str(part)
    return text.startswith("-"), isinstance(part, t.Int), text


def move_said(game: ParametricGame, before: State, after: State) -> str:
    """Return the move from ``before`` to ``after`` in words: ``take 4 from a: a = 5``."""
    done, left, verb = [], [], ""
    for name, old, new in zip(game.variables, before, after, strict=True):
        if old == new:
            continue
        does, where = ("take", "from") if new < old else ("add", "to")
        done.append(f"{does} " * (does != verb) + f"{abs(new - old)} {where} {name}")
        left.append(f"{name} = {new}")
        verb = does
    return f"{' and '.join(done)}: {', '.join(left)}" if done else "nothing changes"


def _amount(term: t.Term) -> str:
    form = linear(term)
    match tuple(form.factors.items()):
        case ((t.Mod(arg, divisor), 1),):
            said = f"the remainder when {arg} is divided by {divisor}"
            more = f"{abs(form.constant)} {'more' if form.constant > 0 else 'less'} than "
            return f"{more}{said}" if form.constant else said
    return str(term)


class Titled(Protocol):
    """A game with a name, a title, which may be empty, and constants."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def constants(self) -> tuple[tuple[str, int], ...]: ...


def call_game(game: Titled) -> str:
    """Return the name, constants and title of ``game``: ``take_away (n = 3): Take away``."""
    constants = f" ({equalities(game.constants)})" if game.constants else ""
    return game.name + constants + (f": {game.title}" if game.title else "")


def in_prose(game: Titled) -> str:
    """Return the title of ``game`` for prose: ``Take away with n = 3``; without one the name."""
    name = " ".join((game.title or game.name).split())
    return name + (f" with {equalities(game.constants)}" if game.constants else "")


def title(solution: Solution) -> str:
    """Return the title of an answer: ``Two-pile Nim, normal play``."""
    return f"{in_prose(solution.game)}, {rule_words(solution)}"


def rule_words(solution: Solution) -> str:
    """Return the rule of play in words, with the number of options that may be forbidden."""
    rule = "normal play" if solution.rule == "normal" else "misère play"
    most = solution.game.block
    return f"{rule}, {most} option{'s' * (most > 1)} may be forbidden" if most else rule
