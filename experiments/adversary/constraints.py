"""Weak constraints learned of a made-up game, held against all hypotheses of the bias.

A game has one choice, ``go(1)`` to ``go(m)``, and the background says of each move which atoms of
made-up predicates hold.  The bias, the orderings, their penalties and the way of the search are
drawn at random.  The judge (:mod:`experiments.judge.hypotheses`) reads the text of the bias and
tries everything.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import clingo

from experiments.attempts import Outcome, crashed
from experiments.judge.hypotheses import (
    Charge,
    Group,
    World,
    charge_of,
    charges,
    least,
    read_space,
    read_term,
    settles,
)
from icgsynth.boards.learn.las import problem_of, read_task
from icgsynth.boards.learn.learn_report import weak_lines, weak_value
from icgsynth.boards.learn.problem import of_stage
from icgsynth.boards.learn.saved import program_of, read_learned
from icgsynth.boards.learn.stage import Stage, stage_of
from icgsynth.boards.learn.weak_learner import learn_weak
from icgsynth.boards.rules.asp import parse_asp
from icgsynth.errors import IcgError
from icgsynth.spec.source import Source

__all__ = ["Question", "constraints", "drawn", "judged_learning"]

_SECONDS = 20.0  # of one search
_SLOW = 5  # lengths past which not all hypotheses are tried: minutes in plain Python
_OF_THE_GAME = (
    "next(at(var(t)))",
    "next(at(const(t)))",
    "does(var(s),go(const(t)))",
    "next(at(1))",
)
_GAME = """role(a). role(b).
base(at(0..{moves})). base(control(P)) :- role(P).
init(at(0)). init(control(a)).
legal(P,go(M)) :- true(control(P)), true(at(0)), M = 1..{moves}.
next(at(M)) :- does(_,go(M)).
next(control(b)) :- true(control(a)).
goal(a,W) :- true(at(M)), worth(M,W). goal(b,-W) :- true(at(M)), worth(M,W).
terminal :- not true(at(0)).
"""


@dataclass(frozen=True)
class Question:
    """A game with its moves' worth to the first player, a bias as text, orderings, a search."""

    worths: tuple[int, ...]
    bias: str
    worlds: tuple[World, ...]
    universe: World
    groups: tuple[Group, ...]
    search: str
    of_game: bool = False  # whether the orderings are those of the game: some best move first

    @property
    def game(self) -> str:
        """The rules, in clingo's language."""
        worths = [f"worth({move},{worth})." for move, worth in enumerate(self.worths, 1)]
        return _GAME.format(moves=len(self.worths)) + " ".join(worths) + "\n"

    @property
    def task(self) -> str:
        """The bias and the ordered examples; move number i is example ``e``i."""
        lines = [self.bias]
        for number in range(len(self.worths)):
            move = f"true(at(0)). true(control(a)). does(a,go({number + 1}))."
            lines.append(f"#pos(e{number}, {{}}, {{}}, {{ {move} }}).")
        for number, group in enumerate(() if self.of_game else self.groups):
            label = f"o{number}@{group.penalty}, " if group.penalty else ""
            good = ",".join(f"e{pairs[0][0]}" for pairs in group.alternatives)
            bad = ",".join(f"e{worse}" for _, worse in group.alternatives[0])
            lines.append(f"#some_ordering({label}{{{good}}}, {{{bad}}}).")
        return "\n".join(lines) + "\n"


# --- what is drawn --------------------------------------------------------------------------------


def drawn(rng: random.Random, small: bool = False) -> Question:
    """A question; ``small`` ones are judged in some milliseconds."""
    moves = 3 if small else rng.randint(2, 4)
    constants = range(1, rng.randint(2, 3) + 1)
    arities = {name: rng.choice((0, 0, 1, 1, 2)) for name in "pqr"[: rng.randint(1, 3)]}
    always: set[Any] = {("true", ("at", 0)), ("true", ("control", "a"))}
    worlds: list[set[Any]] = [
        {("does", "a", ("go", move)), ("next", ("at", move))} for move in range(1, moves + 1)
    ]
    rules = []
    for name, arity in arities.items():
        for values in product(constants, repeat=arity):
            atom = (name, *values) if arity else name
            for number in range(moves):
                if rng.random() < 0.4:
                    rules.append(f"{_shown(atom)} :- does(_,go({number + 1})).")
                    worlds[number].add(atom)
    universe = always.union(*worlds)
    universe |= {("true", ("at", move)) for move in range(moves + 1)} | {("true", ("control", "b"))}
    modes = [_mode(rng, name, arity) for name, arity in arities.items()]
    if rng.random() < 0.3:
        modes.append(rng.choice(modes))
    if rng.random() < 0.3:
        modes.append(f"#modeo(1, {rng.choice(_OF_THE_GAME)}).")
    if "const(t)" in "".join(modes) and rng.random() < 0.5:
        modes += [f"#constant(t,{value})." for value in rng.sample(constants, rng.randint(1, 2))]
    limits = [f"#weight({weight})." for weight in _weights(rng)]
    limits.append(f"#maxp({rng.choice((1, 1, 2, 3))}).")
    limits.append(f"#maxv({rng.randint(1, 2 if small else 3)}).")
    limits.append(f"#max_body({rng.randint(1, 2 if small else 3)}).")
    limits += [f"#max_rules({rng.randint(1, 3)})."] * (rng.random() < 0.25)
    limits += ["#one_per_level."] * (rng.random() < 0.25)
    limits += ["#template(parity)."] * (rng.random() < 0.25)
    worths = (0, -1) if small else tuple(rng.choice((-1, 0, 1)) for _ in range(moves - 1))
    worths = (*worths, 1 if max(worths) < 1 else -1)  # one move is worth less than another
    of_game = rng.random() < 0.2
    return Question(
        worths,
        "\n".join([*rules, *modes, *limits]),
        tuple(frozenset(world | always) for world in worlds),
        frozenset(universe),
        (_best_first(worths),) if of_game else _groups(rng, moves),
        rng.choice(("minimal", "minimal", "auto", "beam")),
        of_game,
    )


def _shown(term: Any) -> str:
    if isinstance(term, tuple):
        return f"{term[0]}({','.join(map(_shown, term[1:]))})"
    return str(term)


def _mode(rng: random.Random, name: str, arity: int) -> str:
    places = [
        rng.choice(("var(t)", "var(t)", "var(t)", "var(s)", "const(t)", "1")) for _ in range(arity)
    ]
    atom = f"{name}({','.join(places)})" if places else name
    return f"#modeo({rng.randint(1, 2)}, {atom}{', (positive)' * (rng.random() < 0.3)})."


def _weights(rng: random.Random) -> Sequence[int]:
    return rng.choice(((-1, 1), (-1, 1), (1,), (-1,), (1, 2), (-2, 1), (1, -3, 2), (2,)))


def _best_first(worths: Sequence[int]) -> Group:
    """That some best move is charged less than each that is worse."""
    best = [move for move, worth in enumerate(worths) if worth == max(worths)]
    worse = [move for move, worth in enumerate(worths) if worth < max(worths)]
    return Group(tuple(tuple((g, b) for b in worse) for g in best))


def _groups(rng: random.Random, moves: int) -> tuple[Group, ...]:
    groups = []
    for _ in range(rng.randint(1, 3)):
        good = rng.sample(range(moves), rng.choice((1, 1, 2)))
        bad = rng.sample(range(moves), rng.choice((1, 1, 2)))
        if rng.random() < 0.97:  # else an ordering may be against itself
            bad = [move for move in bad if move not in good]
        if not bad:
            good, bad = [0], [1]
        penalty = rng.randint(1, 4) if rng.random() < 0.2 else 0
        groups.append(Group(tuple(tuple((g, b) for b in bad) for g in good), penalty))
    return tuple(groups)


# --- what is judged -------------------------------------------------------------------------------


@cache
def _stage(game: str) -> Stage:
    return stage_of(parse_asp(Source("made_up.lp", game)))


def constraints(rng: random.Random) -> Outcome:
    """A hypothesis is learned from made-up examples; all that is said of it is judged."""
    return judged_learning(drawn(rng))


def judged_learning(question: Question) -> Outcome:
    """What comes of a question, and whether what is claimed is so."""
    shown = f"{question.game}\n{question.task}\n--search {question.search}"
    try:
        stage = _stage(question.game)
        task = read_task(Source("made_up.las", question.task))
        bias = task.bias
        assert bias is not None
        problem = of_stage(stage) if question.of_game else problem_of(task, stage)
        found = learn_weak(stage, problem, bias, question.search, _SECONDS)  # type: ignore[arg-type]
        value = weak_value(stage, found)
        said = "\n".join(weak_lines(stage, found, 0.0))
        exported = None if found.hypothesis is None else _exported(stage, value)
    except IcgError:
        return Outcome("refused")
    except Exception:
        return crashed(shown)
    space = read_space(question.bias)
    offered = charges(space, question.worlds, question.universe)
    impossible = "proved: no hypothesis" in said
    minimal = bool(value["certified_minimal"])
    wrong = []
    if minimal != ("(proved)" in said.split("\n")[0]) and not impossible:
        wrong.append(f"the screen and the file differ: {said}")
    if impossible or minimal:
        wrong.append(_wrong_proof(question, offered, None if impossible else value, space))
    if value["length"] is not None:
        wrong.append(_wrong_hypothesis(question, offered, value, space, exported))
    verdict = "refuted" if impossible else "proved" if minimal else "unknown"
    return Outcome(verdict, len(offered), "; ".join(filter(None, wrong)), f"{shown}\n{said}")


def _wrong_proof(question: Question, offered: Any, value: Any, space: Any) -> str:
    """What is wrong with the claim that there is no hypothesis, or none shorter than ``value``."""
    claimed = None
    if value is not None:
        costs = _costs(question, _read(question, value), space.levels)
        broken = sum(g.penalty for g in question.groups if not settles(g, costs))
        claimed = value["length"] + broken
    most = _SLOW if claimed is None else min(claimed, _SLOW)
    right = least(space, offered, question.groups, most)
    if right == (claimed if claimed is not None and claimed <= most else None):
        return ""
    return f"claimed {claimed}; of all hypotheses up to {most} the least has {right}"


def _exported(stage: Stage, value: Any) -> set[int]:
    """The moves, from 0, that clingo makes by the program exported from the answer's file."""
    answer = read_learned(Source("made_up.json", json.dumps(value["strategy"])), stage)
    control = clingo.Control(["--opt-mode=optN", "0", "--warn=none"])
    control.add("base", [], program_of(answer))
    control.ground([("base", [])])
    moves = set()
    with control.solve(yield_=True) as handle:
        for model in handle:
            if model.optimality_proven or not model.cost:
                (does,) = model.symbols(shown=True)
                moves.add(does.arguments[1].arguments[0].number - 1)
    return moves


def _wrong_hypothesis(
    question: Question, offered: Any, value: Any, space: Any, exported: set[int] | None
) -> str:
    """What is wrong with what is said of a hypothesis, and with the program made of it."""
    rules = _read(question, value)
    costs = _costs(question, rules, space.levels)
    lost = [group for group in question.groups if not settles(group, costs)]
    broken, penalty = len(lost), sum(group.penalty for group in lost)
    kept = [worth for worth, cost in zip(question.worths, costs, strict=True) if cost == min(costs)]
    best = max(question.worths)
    outside = [
        rule for rule, weight, level in rules
        if rule.key not in offered or weight not in space.weights or level > space.levels
    ]  # fmt: skip
    levels = [level for _, _, level in rules]
    wrong = {
        "not in the space": outside
        or (space.rules is not None and len(rules) > space.rules)
        or (space.one_per_level and len(set(levels)) < len(levels))
        or len({(rule.key, weight, level) for rule, weight, level in rules}) < len(rules),
        f"{broken} broken": broken != value["violated"],
        "another length": sum(rule.length for rule, _, _ in rules) != value["length"],
        "another penalty": value["penalty"] not in (None, penalty),
        "the program": exported != {m for m, cost in enumerate(costs) if cost == min(costs)},
        "never_loses": value["never_loses"] != (best < 0 or min(kept) >= 0),
        "right_states": value["right_states"] != (min(kept) == best),
    }
    return "; ".join(name for name, is_so in wrong.items() if is_so)


def _read(question: Question, value: Any) -> list[tuple[Charge, int, int]]:
    """The constraints of an answer with their weights and levels."""
    rules = []
    for tier in value["strategy"]["strategy"]:
        for rule in tier["prefer"]:
            body = frozenset(
                (not text.startswith("not "), read_term(text.removeprefix("not ")))
                for text in rule["body"]
            )
            group = rule.get("parity", {}).get("group")
            charge = charge_of(body, "parity" in rule, group, question.worlds)
            rules.append((charge, rule["weight"], rule["level"]))
    return rules


def _costs(question: Question, rules: Any, levels: int) -> list[tuple[int, ...]]:
    """What each move costs, the most important level first."""
    return [
        tuple(
            sum(weight * rule.column[move] for rule, weight, at in rules if at == level)
            for level in range(levels, 0, -1)
        )
        for move in range(len(question.worlds))
    ]
