"""An oracle for games in clingo's language: clingo itself, and games played in plain Python.

Nothing here uses the package's reader, board or learner.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import clingo

SPECS = Path(__file__).parents[1] / "specs" / "asp"

CHOICE = "1 { does(R,A) : legal(R,A) } 1 :- legal(_,_)."


class Stepper:
    """Plays a game step by step with multi-shot solving: externals set the state."""

    def __init__(self, path: Path, constants: tuple[str, ...] = ()) -> None:
        options = ["0", "--warn=none", *(f"-c{c}" for c in constants)]
        self.control = clingo.Control(options)
        self.control.load(str(path))
        self.control.add("base", [], f"#external true(F) : base(F).\n{CHOICE}")
        self.control.ground([("base", [])])
        atoms = self.control.symbolic_atoms
        self.literal = {
            str(a.symbol.arguments[0]): a.literal for a in atoms.by_signature("true", 1)
        }
        self.initial = frozenset(
            str(a.symbol.arguments[0]) for a in atoms.by_signature("init", 1) if a.is_fact
        )

    def step(self, state: frozenset[str]) -> tuple[dict[str, int], dict[str, frozenset[str]]]:
        """Return goals by role (empty before the end), and the state after each ``role/action``."""
        for fact, literal in self.literal.items():
            self.control.assign_external(literal, fact in state)
        goals: dict[str, int] = {}
        after: dict[str, frozenset[str]] = {}
        with self.control.solve(yield_=True) as handle:
            for model in handle:
                said, facts = None, set()
                for atom in model.symbols(atoms=True):
                    if atom.name == "does":
                        said = f"{atom.arguments[0]}/{atom.arguments[1]}"
                    elif atom.name == "next":
                        facts.add(str(atom.arguments[0]))
                    elif atom.name == "goal":
                        goals[str(atom.arguments[0])] = atom.arguments[1].number
                if said is not None:
                    after[said] = frozenset(facts)
        return goals, after


def answers(program: str) -> set[str]:
    """Return the moves in the optimal answer sets of ``program``, as ``role/action``."""
    control = clingo.Control(["0", "--opt-mode=optN", "--warn=none"])
    control.add("base", [], program)
    control.ground([("base", [])])
    every, best = set(), set()
    with control.solve(yield_=True) as handle:
        for model in handle:
            found = {
                f"{a.arguments[0]}/{a.arguments[1]}"
                for a in model.symbols(shown=True)
                if a.name == "does"
            }
            every |= found
            if model.optimality_proven:
                best |= found
    return best or every


# --- tic-tac-toe and Nim in plain Python ---------------------------------------------------

LINES = [
    *({(r, c) for c in (1, 2, 3)} for r in (1, 2, 3)),
    *({(r, c) for r in (1, 2, 3)} for c in (1, 2, 3)),
    {(1, 1), (2, 2), (3, 3)},
    {(1, 3), (2, 2), (3, 1)},
]
Marks = frozenset[tuple[int, int]]


def ttt_end(a: Marks, b: Marks) -> int | None:
    """Return 1 where a has a line, -1 where b has one, 0 for a full board, else None."""
    if any(line <= a for line in LINES):
        return 1
    if any(line <= b for line in LINES):
        return -1
    return 0 if len(a) + len(b) == 9 else None


CELLS = [(r, c) for r in (1, 2, 3) for c in (1, 2, 3)]


def ttt_moves(a: Marks, b: Marks, a_moves: bool) -> dict[tuple[int, int], tuple[Marks, Marks]]:
    free = [cell for cell in CELLS if cell not in a and cell not in b]
    return {c: (a | {c}, b) if a_moves else (a, b | {c}) for c in free}


@cache
def ttt_value(a: Marks, b: Marks, a_moves: bool) -> int:
    end = ttt_end(a, b)
    if end is not None:
        return end
    values = [ttt_value(*after, not a_moves) for after in ttt_moves(a, b, a_moves).values()]
    return max(values) if a_moves else min(values)


def ttt_nodes(a: Marks, b: Marks, a_moves: bool) -> int:
    """Return the number of moves in the complete tree below a position, counted one by one."""
    if ttt_end(a, b) is not None:
        return 0
    return sum(1 + ttt_nodes(*after, not a_moves) for after in ttt_moves(a, b, a_moves).values())


def ttt_facts(a: Marks, b: Marks, a_moves: bool) -> frozenset[str]:
    cells = {f"has(a,cell({r},{c}))" for r, c in a} | {f"has(b,cell({r},{c}))" for r, c in b}
    free = {f"free(cell({r},{c}))" for r, c in CELLS if (r, c) not in a and (r, c) not in b}
    return frozenset(cells | free | {"control(a)" if a_moves else "control(b)"})


def nim_nodes(piles: tuple[int, ...], limit: int) -> int:
    """Return the number of moves in the tree; of equal piles only the first is taken from."""
    total = 0
    for i, size in enumerate(piles):
        if size in piles[:i]:
            continue
        for taken in range(1, min(size, limit) + 1):
            total += 1 + nim_nodes((*piles[:i], size - taken, *piles[i + 1 :]), limit)
    return total


@cache
def nim_wins(piles: tuple[int, ...], limit: int) -> bool:
    """Return whether the player to move wins, if whoever takes the last counter wins."""
    return any(
        not nim_wins(tuple(sorted((*piles[:i], size - taken, *piles[i + 1 :]))), limit)
        for i, size in enumerate(piles)
        for taken in range(1, min(size, limit) + 1)
    )


def nim_piles(facts: frozenset[str]) -> tuple[int, ...]:
    """Return the sizes in ``has(pile,size)`` facts, by pile."""
    found = {}
    for fact in facts:
        if fact.startswith("has("):
            pile, size = fact[4:-1].split(",")
            found[int(pile)] = int(size)
    return tuple(found[pile] for pile in sorted(found))
