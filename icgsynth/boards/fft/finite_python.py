"""Export a fast-and-frugal tree as a Python module that also holds the rules of the game.

A state is a set of facts, by the game's own names, or of an impartial game within a bound ``a=3``
and ``control(first)``.  The rules of a finite game are written as rows of bits in the order in
which they are evaluated (:class:`~icgsynth.boards.finite.circuit.Circuit`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pprint import pformat

from icgsynth.boards.fft.tiers import ImageRule, TreeAnswer
from icgsynth.boards.finite.bit_sets import bits_of
from icgsynth.boards.finite.board import Board
from icgsynth.boards.finite.bounded_play import BoundedPlay
from icgsynth.boards.finite.circuit import Program
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.finite.tree import Literal
from icgsynth.errors import InputError
from icgsynth.formats.python import game_functions
from icgsynth.logic import term as t

# --- finite python -------------------------------------------------------------------------------

BOT = "--to openspiel writes a bot, which asks OpenSpiel for the rules"
_WIDTH = 98  # characters of a written line; with two of margin 100, as this package


def tree_module(answer: TreeAnswer) -> str:
    """Return the text of a Python module that has the rules of a game and plays it by the tree of
    ``answer``.  :class:`~icgsynth.errors.InputError` where the game is one of OpenSpiel."""
    game = answer.game
    if isinstance(game, BoundedPlay):
        tables, functions = rules_of(answer, game)
    elif isinstance(game, FiniteGame):
        tables, functions = board_tables(game.board), _RULES
    else:
        raise InputError(f"a module cannot hold the rules of {game.name}", mend=BOT)
    tables |= {"TREE": tuple(map(_images, answer.strategy))}
    listed = str(answer.tree).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    rules = "\n".join(f"    {line}" for line in listed.split("\n"))
    head = f'"""{game.name}: the game, and a fast-and-frugal tree that plays it.\n\n{rules}\n'
    written = [f"{name} = {pformat(value, width=_WIDTH)}" for name, value in tables.items()]
    return "\n".join([head + _TOP, *written, functions, _CHOICES])


def board_tables(board: Board) -> dict[str, object]:
    """Return a game's compiled rules as named tables (nested tuples), for use in exports."""
    names = board.ground
    return {
        "ROLES": board.roles,
        "FACTS": board.facts,
        "INITIAL": tuple(board.facts[i] for i in bits_of(board.initial)),
        "_ROWS": board.circuit.rows,
        "_STATE": _segments(board.circuit.state),
        "_STEP": _segments(board.circuit.move),
        "_NEXT": tuple(board.next_rows.tolist()),
        "_MOVES": tuple(_moves(board, role) for role in range(len(board.roles))),
        "_IDLE": _idle(board),
        "_GOALS": tuple(tuple((v - names.raised, row) for v, row in of) for of in board.goals),
        "_END": board.terminal,
    }


_Image = tuple[tuple[str, ...], tuple[str, ...], str]


def _images(tier: ImageRule) -> tuple[_Image, ...]:
    """Return a rule's symmetric images, each (facts that must hold, that must not, action)."""
    return tuple(
        (_list_atoms(i.literals, True), _list_atoms(i.literals, False), i.action)
        for i in tier.images
    )


def _list_atoms(literals: Iterable[Literal], holds: bool) -> tuple[str, ...]:
    return tuple(literal.atom for literal in literals if literal.holds is holds)


def _segments(program: Program) -> tuple[tuple[bool, tuple[tuple[int, tuple[int, ...]], ...]], ...]:
    """Return the segments of a compiled program, each (whether to apply its rules until nothing
    changes, its rules). A rule is (head, body): the row to make true, and the conditions, each 2 *
    row, and 1 more if negated."""
    first, body, head = program.first.tolist(), program.body.tolist(), program.head.tolist()
    return tuple(
        (
            bool(again),
            tuple((head[i], tuple(body[first[i] : first[i + 1]])) for i in range(begin, end)),
        )
        for begin, end, again in program.segments.tolist()
    )


def _moves(board: Board, role: int) -> dict[str, tuple[int, int]]:
    """Return a dict from each action of ``role`` to (the row that is true if it is legal, the row
    to make true if it is made)."""
    chosen: Sequence[int] = board.moves[role].tolist()
    rows = zip(board.legal[role].tolist(), board.does[role].tolist(), strict=True)
    return {board.actions[a]: pair for a, pair in zip(chosen, rows, strict=True)}


def _idle(board: Board) -> tuple[tuple[str, ...], ...]:
    """Return, for each role, the actions by which it waits while the other role chooses."""
    return tuple(
        tuple(action for i, action in enumerate(board.actions) if board.idle[role, i])
        for role in range(len(board.roles))
    )


_TOP = '''
A state is a set of facts (FACTS); TREE has for each rule its images: facts that hold, facts that
do not hold, and the action.

Written by icgsynth.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = [
    "FACTS", "INITIAL", "ROLES", "TREE",
    "choices", "goals", "is_over", "move", "mover", "moves", "result",
]
'''

_RULES = '''
_PLACE = {fact: 2 + i for i, fact in enumerate(FACTS)}


def _run(rows: list[bool], program: tuple) -> None:
    """Make true what the rules derive; a condition is 2 * row, and 1 more where it is negated."""
    for again, rules in program:
        changed = True
        while changed:
            changed = False
            for head, body in rules:
                if not rows[head] and all(rows[c >> 1] != bool(c & 1) for c in body):
                    rows[head] = changed = True
            changed = changed and again


def _known(facts: Iterable[str]) -> list[bool]:
    rows = [False] * _ROWS
    rows[0] = True
    for fact in facts:
        if fact not in _PLACE:
            raise ValueError(f"the game has no fact {fact!r}")
        rows[_PLACE[fact]] = True
    _run(rows, _STATE)
    return rows


def _legal(rows: list[bool]) -> list[list[str]]:
    """The legal actions of each role."""
    if rows[_END]:
        return [[] for _ in ROLES]
    return [[a for a, (legal, _) in named.items() if rows[legal]] for named in _MOVES]


def _after(rows: list[bool], said: Iterable[str]) -> frozenset[str]:
    """The state after what each role says."""
    rows = list(rows)
    for named, action in zip(_MOVES, said):
        _, done = named[action]
        if done > 1:
            rows[done] = True
    _run(rows, _STEP)
    return frozenset(fact for fact, row in zip(FACTS, _NEXT) if rows[row])


def _turn(rows: list[bool], legal: list[list[str]]) -> int:
    """Who moves: who has a choice that decides something; where nobody has, who does not idle."""
    if not any(legal):
        return -1
    free = [role for role, actions in enumerate(legal) if len(actions) > 1]
    if len(free) > 1:
        one, other = legal
        if all(len({_after(rows, (a, b)) for b in other}) == 1 for a in one):
            return 0
        if all(len({_after(rows, (a, b)) for a in one}) == 1 for b in other):
            return 1
        raise ValueError("simultaneous moves: both players have a choice")
    if free:
        return free[0]
    waits = [actions[0] in idle for actions, idle in zip(legal, _IDLE)]
    return 1 if len(waits) == 2 and waits[0] and not waits[1] else 0


def is_over(facts: Iterable[str]) -> bool:
    """Whether the game has ended."""
    return _known(facts)[_END]


def mover(facts: Iterable[str]) -> int:
    """The place in ROLES of the player to move; -1 at the end."""
    rows = _known(facts)
    return _turn(rows, _legal(rows))


def moves(facts: Iterable[str]) -> list[str]:
    """The legal actions of the player to move."""
    rows = _known(facts)
    legal = _legal(rows)
    turn = _turn(rows, legal)
    return [] if turn < 0 else legal[turn]


def result(action: str, facts: Iterable[str]) -> frozenset[str]:
    """The state after a move; ValueError where it is not legal."""
    rows = _known(facts)
    legal = _legal(rows)
    turn = _turn(rows, legal)
    if turn < 0 or action not in legal[turn]:
        raise ValueError(f"{action!r} is not legal here")
    said = [action if role == turn else actions[0] for role, actions in enumerate(legal)]
    return _after(rows, said)


def goals(facts: Iterable[str]) -> tuple[int, ...]:
    """What the end is worth to each role; ValueError before the end."""
    rows = _known(facts)
    if not rows[_END]:
        raise ValueError("the game is not over")
    return tuple(next(value for value, row in goal if rows[row]) for goal in _GOALS)
'''

_CHOICES = '''
def choices(facts: Iterable[str]) -> list[str]:
    """The moves of the first rule that has one; all legal moves where none has."""
    held = frozenset(facts)
    legal = moves(held)
    for images in TREE:
        named = {
            action
            for these, without, action in images
            if held.issuperset(these) and held.isdisjoint(without)
        }
        if found := [action for action in legal if action in named]:
            return found
    return legal


def move(facts: Iterable[str]) -> str | None:
    """The move to make; None where the game is over."""
    return next(iter(choices(facts)), None)
'''


# --- bounded python ------------------------------------------------------------------------------


def rules_of(answer: TreeAnswer, game: BoundedPlay) -> tuple[dict[str, object], str]:
    """Return the rules of ``game``, impartial within the bound of ``answer``, as parts of a module.
    They are a dict of tables by name, and the source text of the functions."""
    variables, values = game.parametric.variables, range(answer.frame["bound"] + 1)
    tables: dict[str, object] = {
        "ROLES": game.roles,
        "VARIABLES": variables,
        "FACTS": (
            *(f"{variable}={value}" for variable in variables for value in values),
            *(f"control({role})" for role in game.roles),
        ),
        "INITIAL": game.facts(game.initial),
        "_MOVES": dict(map(_taken_apart, answer.actions)),
        "_GOALS": {"normal": ((0, 100), (100, 0)), "misere": ((100, 0), (0, 100))}[game.rule],
    }
    ended = "_ended(*state)" if game.parametric.end != t.FALSE else "False"
    functions = [_FUNCTIONS.replace("@ended@", ended), *game_functions(game.parametric)]
    return tables, "\n\n".join(part.rstrip("\n") + "\n" for part in functions)


def _taken_apart(name: str) -> tuple[str, tuple[str, tuple[int, ...]]]:
    """Return a move's name and its parts: ``take_a(3)`` gives ("take_a(3)", ("take_a", (3,)))."""
    action, _, inner = name.removesuffix(")").partition("(")
    return name, (action, tuple(map(int, inner.split(","))) if inner else ())


_FUNCTIONS = '''
def _read(facts: Iterable[str]) -> tuple[tuple[int, ...], int]:
    """The values of the variables, and the place in ROLES of the player to move."""
    values, turn = {}, []
    for fact in facts:
        name, sign, value = fact.partition("=")
        if sign and name in VARIABLES and name not in values:
            values[name] = int(value)
        elif fact in _TURNS:
            turn.append(_TURNS.index(fact))
        else:
            raise ValueError(f"the game has no such fact, or it holds already: {fact!r}")
    if len(values) != len(VARIABLES) or len(turn) != 1:
        raise ValueError(f"a state says {', '.join(VARIABLES)}, and whose turn it is")
    return _legal(tuple(values[name] for name in VARIABLES)), turn[0]


_TURNS = [f"control({role})" for role in ROLES]


def _after(action: str, state: tuple[int, ...]) -> tuple[int, ...] | None:
    """The state after a move; None where it does not apply."""
    if @ended@ or action not in _MOVES:
        return None
    name, values = _MOVES[action]
    return _ACTIONS[name][1](*state, *values)


def moves(facts: Iterable[str]) -> list[str]:
    """The legal actions of the player to move."""
    state, _ = _read(facts)
    return [action for action in _MOVES if _after(action, state) is not None]


def is_over(facts: Iterable[str]) -> bool:
    """Whether the game has ended."""
    return not moves(facts)


def mover(facts: Iterable[str]) -> int:
    """The place in ROLES of the player to move; -1 at the end."""
    held = frozenset(facts)
    return -1 if is_over(held) else _read(held)[1]


def result(action: str, facts: Iterable[str]) -> frozenset[str]:
    """The state after a move; ValueError where it is not legal."""
    state, turn = _read(facts)
    after = _after(action, state)
    if after is None:
        raise ValueError(f"{action!r} is not legal here")
    named = (f"{name}={value}" for name, value in zip(VARIABLES, after))
    return frozenset((*named, _TURNS[1 - turn]))


def goals(facts: Iterable[str]) -> tuple[int, ...]:
    """What the end is worth to each role; ValueError before the end."""
    held = frozenset(facts)
    if not is_over(held):
        raise ValueError("the game is not over")
    return _GOALS[_read(held)[1]]
'''
