"""The mode bias: which weak constraints may be learned (``#modeo`` and its companions).

``#modeo(recall, atom, (positive)).``
    Up to ``recall`` literals of this form in a body, without ``(positive)`` also negated.
    Arguments ``var(type)`` and ``const(type)`` are places for variables and constants of a type.
``#weight(w).  #maxp(levels).  #maxv(variables).  #max_body(literals).  #max_rules(n).``
    The limits; ``#one_per_level.`` allows one constraint on each level.
``#constant(type, c).``
    A constant for ``const(type)``; without any, all that occur there.
``#template(parity).``
    Offer every body also as a parity, with each of its variables as the group.

:func:`bias_of` makes a bias from a game alone: what facts hold after a move, mine and the other's.

Facts with a player among their arguments are split into those of the player who moves and those of
the other.  Arguments have the type of their kind (:func:`~icgsynth.boards.learn.kinds.kinds_of`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from icgsynth.boards.finite.encoding import Encoding
from icgsynth.boards.learn.stage import Stage
from icgsynth.boards.learn.terms import Term, Var, format_term, read_term, signature_of
from icgsynth.errors import InputError

# --- bias ----------------------------------------------------------------------------------------


class Place(NamedTuple):
    """A place for a term in a mode's atom: ``var(kind)``, or if ``constant``, ``const(kind)``."""

    variable: Var
    kind: str
    constant: bool


@dataclass(frozen=True)
class Mode:
    """One ``#modeo`` statement: a form that body literals may have, and how many of them."""

    recall: int
    atom: Term
    positive: bool = True

    @property
    def signature(self) -> tuple[str, int]:
        """The name and the arity of the mode's predicate."""
        return signature_of(self.atom)

    def open_places(self) -> tuple[Term, list[Place]]:
        """Return the atom with a new variable in place of each ``var(type)`` and ``const(type)``,
        and the list of these places."""
        places: list[Place] = []

        def walk(part: Term) -> Term:
            match part:
                case ("var" | "const" as word, str(kind)):
                    places.append(Place(Var(f"P{len(places)}"), kind, word == "const"))
                    return places[-1].variable
                case (name, *parts):
                    return (name, *map(walk, parts))
            return part

        return walk(self.atom), places

    def __str__(self) -> str:
        sign = ", (positive)" if self.positive else ""
        return f"#modeo({self.recall}, {format_term(self.atom)}{sign})."


@dataclass(frozen=True)
class Bias:
    """A mode bias: the literals, weights, levels and sizes that weak constraints may have."""

    modes: tuple[Mode, ...]
    weights: tuple[int, ...] = (-1, 1)
    levels: int = 2
    variables: int = 4
    body: int = 4
    rules: int = 0  # 0 for no limit
    one_per_level: bool = False
    parity: bool = False
    constants: tuple[tuple[str, Term], ...] = ()
    background: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if not self.modes:
            raise InputError("the bias has no #modeo", mend="add one such as "
                             "#modeo(1, next(free(var(cell))), (positive)).")  # fmt: skip
        if not any(self.weights):
            raise InputError("the bias has no weight other than 0", mend="add #weight(1).")

    @property
    def signatures(self) -> tuple[tuple[str, int], ...]:
        """The predicates (name, arity) that bodies may use."""
        return tuple(sorted({mode.signature for mode in self.modes}))

    def text(self) -> str:
        """Return the bias as statements of a ``.las`` file, background rules first."""
        lines = [self.background] if self.background.strip() else []
        lines += [f"#constant({kind},{format_term(value)})." for kind, value in self.constants]
        lines += map(str, self.modes)
        lines += [f"#weight({weight})." for weight in self.weights]
        lines += [f"#maxp({self.levels}).", f"#maxv({self.variables}).", f"#max_body({self.body})."]
        lines += [f"#max_rules({self.rules})."] * bool(self.rules)
        lines += ["#one_per_level."] * self.one_per_level + ["#template(parity)."] * self.parity
        return "\n".join(lines)


# --- automatic bias ------------------------------------------------------------------------------


def bias_of(stage: Stage) -> Bias:
    """Return a mode bias (what weak constraints may be learned) for the game on ``stage``.  A body
    may look at the facts after the move; in clingo's language facts with a player become ``mine_``
    and ``theirs_``, in KIF the player stays a variable."""
    roles = set(stage.board.roles)
    shapes: dict[tuple[str, int], list[tuple[Term, ...]]] = {}
    for fact in stage.board.facts:
        term = read_term(fact)
        name, arguments = (str(term[0]), term[1:]) if isinstance(term, tuple) else (str(term), ())
        shapes.setdefault((name, len(arguments)), []).append(arguments)
    modes: list[Mode] = []
    rules: list[str] = []
    for (name, arity), rows in sorted(shapes.items()):
        kinds = [_kind(name, at, [row[at] for row in rows], roles) for at in range(arity)]
        # Whose turn it is, and facts without arguments, say nothing of a move or of a place.
        if name == "control" or not arity:
            continue
        # next(cell(X, P)) becomes mine_cell(X) where P moves, and theirs_cell(X) where P does not.
        own = [at for at, kind in enumerate(kinds) if kind == "player"]
        if len(own) == 1 and isinstance(stage.book, Encoding):
            others = [("var", kind) for at, kind in enumerate(kinds) if at != own[0]]
            heads = [f"X{at}" for at in range(arity) if at != own[0]]
            body = ",".join("P" if at == own[0] else f"X{at}" for at in range(arity))
            inner = f"({','.join(heads)})" if heads else ""
            rules.append(f"mine_{name}{inner} :- next({name}({body})), does(P,_).")
            rules.append(f"theirs_{name}{inner} :- next({name}({body})), does(Q,_), P != Q.")
            words = (f"mine_{name}", f"theirs_{name}")
            modes += [Mode(2, (word, *others)) for word in words]
        else:
            places = tuple(("var", kind) for kind in kinds)
            modes.append(Mode(2, ("next", (name, *places))))
    return Bias(
        tuple(modes), levels=6, variables=4, body=3, one_per_level=True, parity=True,
        background="\n".join(rules),
    )  # fmt: skip


def _kind(name: str, at: int, values: list[Term], roles: set[str]) -> str:
    """Return a type for argument ``at`` of the predicate ``name``, by its ``values``: "player" if
    all are ``roles``, the function that all are terms of, or else the name with ``at`` added."""
    if {str(value) for value in values} <= roles:
        return "player"
    if all(isinstance(value, tuple) for value in values):
        heads = {str(value[0]) for value in values if isinstance(value, tuple)}
        if len(heads) == 1:
            return heads.pop()
    return f"{name}{at}"
