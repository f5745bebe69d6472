"""A mode bias made from a game alone: what its facts say after the move, mine and the other's.

Facts with a player among their arguments are split into those of the player who moves and those
of the other.  Arguments have the type of their kind (:func:`~icgsynth.learn.kinds.kinds_of`).
"""

from __future__ import annotations

from icgsynth.finite.encoding import Encoding
from icgsynth.learn.bias import Bias, Mode, Place
from icgsynth.learn.stage import Stage
from icgsynth.learn.terms import Term, read_term

__all__ = ["bias_of"]


def bias_of(stage: Stage) -> Bias:
    """The bias; for a game in KIF the players stay variables of their own."""
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
        if name == "control" or not arity:
            continue
        own = [at for at, kind in enumerate(kinds) if kind == "player"]
        if len(own) == 1 and isinstance(stage.book, Encoding):
            others = [Place(kind) for at, kind in enumerate(kinds) if at != own[0]]
            heads = [f"X{at}" for at in range(arity) if at != own[0]]
            body = ",".join("P" if at == own[0] else f"X{at}" for at in range(arity))
            inner = f"({','.join(heads)})" if heads else ""
            rules.append(f"mine_{name}{inner} :- next({name}({body})), does(P,_).")
            rules.append(f"theirs_{name}{inner} :- next({name}({body})), does(Q,_), P != Q.")
            words = (f"mine_{name}", f"theirs_{name}")
            modes += [Mode(2, (word, *others)) for word in words]
        else:
            places = tuple(Place(kind) for kind in kinds)
            modes.append(Mode(2, ("next", (name, *places))))
    return Bias(
        tuple(modes), levels=6, variables=4, body=3, one_per_level=True, parity=True,
        background="\n".join(rules),
    )  # fmt: skip


def _kind(name: str, at: int, values: list[Term], roles: set[str]) -> str:
    """The type of an argument: players, numbers, or the place itself."""
    if {str(value) for value in values} <= roles:
        return "player"
    if all(isinstance(value, tuple) for value in values):
        heads = {str(value[0]) for value in values if isinstance(value, tuple)}
        if len(heads) == 1:
            return heads.pop()
    return f"{name}{at}"
