"""The methods of ``icgsynth learn``: run a method, report on the result, and write its file."""

from __future__ import annotations

import time
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NoReturn

from icgsynth.boards.finite.whole import SolvingTable
from icgsynth.boards.learn.best_do import lift_rules, pruned_tree
from icgsynth.boards.learn.bias import Bias, bias_of
from icgsynth.boards.learn.kinds import Kind, kinds_of, sound_kinds
from icgsynth.boards.learn.las import format_las, problem_of, read_task
from icgsynth.boards.learn.learn_report import (
    lifted_lines,
    lifted_value,
    pruned_lines,
    pruned_value,
    weak_lines,
    weak_value,
)
from icgsynth.boards.learn.minimax_svg import tree_svg
from icgsynth.boards.learn.problem import Problem, of_stage, pairs_of_stage
from icgsynth.boards.learn.pruned import PrunedTree
from icgsynth.boards.learn.saved import LearnedAnswer, frugal_text, program_of
from icgsynth.boards.learn.stage import Stage, stage_at
from icgsynth.boards.learn.terms import format_term
from icgsynth.boards.learn.tiers import Act
from icgsynth.boards.learn.weak_learner import LearnedHypothesis, Search, judge_strategy, learn_weak
from icgsynth.boards.rules.finite import bias_file, like_with_bias
from icgsynth.boards.text.outcome_report import winner_line, winner_value
from icgsynth.budget import Budget, Progress
from icgsynth.cli.output import as_json, write_file
from icgsynth.errors import BudgetSpent, InputError
from icgsynth.game.answers import Verdict
from icgsynth.game.strategy import Strategy
from icgsynth.spec.source import Source
from icgsynth.subjects.question import Told


class LearningRun:
    """One run of ``icgsynth learn``: the solved game, the learning methods, the output file."""

    def __init__(
        self, game: str, book: Any, output: str, budget: Budget, progress: Progress
    ) -> None:
        """Set up a run on the game with rules ``book``, called ``game``, within ``budget``.

        ``output`` is the path of the file to write, or "" for none; ``progress`` gets lines of
        text.
        """
        self.game, self.output, self.tell = game, output, progress
        self._budget = budget
        self._table = SolvingTable(book, budget, progress)

    @cached_property
    def stage(self) -> Stage:
        """The game with all its states solved."""
        return stage_at(self._table)

    def last_words(self, why: str) -> NoReturn:
        """Raise BudgetSpent: who wins, if that is known, and ``why`` nothing was learned."""
        if "stage" not in vars(self):
            raise BudgetSpent(self._table.steps.too_large(why))
        raise BudgetSpent(f"{winner_line(self.stage.arena)}\n  {why}: nothing was learned")

    def main(self, role: str | None) -> int:
        """Return the number of the player ``role``, or the rules' first; InputError for others."""
        roles = self.stage.arena.roles
        chosen = self.stage.board.roles[0] if role is None else role
        if chosen not in roles:
            raise InputError(
                f"there is no role {chosen[:40]!r}", mend=f"--main {' or --main '.join(roles)}"
            )
        return roles.index(chosen)

    # --- weak constraints -------------------------------------------------------------

    def weak(
        self,
        bias_path: str | None,
        search: Search,
        wanted: str,
        main_role: str | None,
    ) -> Told:
        """Learn weak constraints, and return the report; an output ``.las`` gets the examples. The
        bias is from the file ``bias_path``, else a file of the game, else its rules.  ``wanted`` is
        "decisions" for examples from ``main_role``'s pruned tree, if no file has any."""
        bias, problem = self._task(bias_path, wanted, main_role)
        if self.output.endswith(".las"):
            write_file(self.output, format_las(self.stage, problem, bias))
        found = learn_weak(self.stage, problem, bias, search, self._budget.remaining(), self.tell)
        keeps = found.judged is None or found.judged.report.never_loses
        advice: tuple[str, ...] = ()
        if found.hypothesis is None:
            verdict = Verdict.REFUTED if found.found.status == "none" else Verdict.UNKNOWN
        elif keeps or not found.found.violated:  # where it loses, it may be as the examples have it
            verdict = Verdict.PROVED
        else:
            verdict, advice = Verdict.REFUTED, (self._advice(bias_path),)
        seconds = round(self._budget.runtime, 3)
        spent = {"total": seconds, "learn": round(found.seconds, 3)}
        value = weak_value(self.stage, found) | winner_value(self.stage.arena) | {"seconds": spent}
        lines = [winner_line(self.stage.arena), *weak_lines(self.stage, found, seconds)]
        return Told(
            verdict,
            lambda: "\n".join(lines),
            lambda: value,
            drawings=partial(self._weak_file, found),
            warnings=advice,
        )

    def _task(
        self, bias_path: str | None, wanted: str, main_role: str | None
    ) -> tuple[Bias, Problem]:
        """Return bias and examples, from a file or made from the game; InputError for no bias. If
        ``wanted`` is "decisions", examples are made from the pruned tree of ``main_role``."""
        path = Path(bias_path) if bias_path else bias_file(self.game)
        task = read_task(Source.read(path)) if path else None
        if task is None:
            self.tell("no .las file beside the game: the bias is made from its rules")
        elif task.bias is None:
            raise InputError(f"{path}: no #modeo", mend="add a mode bias; see the reference")
        bias = bias_of(self.stage) if task is None or task.bias is None else task.bias
        # Examples in the file are meant as they are; without any they are made from the game.
        if task is not None and task.orderings:
            return bias, problem_of(task, self.stage)
        if wanted == "decisions":
            tree = pruned_tree(self.stage, self.main(main_role))
            pairs = [(d.good, d.bad) for d in tree.decisions]
            return bias, pairs_of_stage(self.stage, pairs)
        return bias, of_stage(self.stage)

    def _advice(self, bias_path: str | None) -> str:
        own = bias_path is not None or bias_file(self.game) is not None
        same = () if own else like_with_bias(self.game)[:1]
        lines = [
            "what was learned can lose; a strategy that does not may come from",
            *(f"  icgsynth learn {name}, the same game with a bias made for it" for name in same),
            f"  icgsynth fft synth {self.game}, a tree of rules",
            f"  icgsynth learn {self.game} --bias FILE.las, a bias of your own",
        ]
        return "\n".join(lines)

    def _weak_file(self, found: LearnedHypothesis) -> dict[str, str]:
        """Return {path: text} of the output file for ``found``; {} where there is none to write."""
        output = self.output
        if found.hypothesis is None or not output or output.endswith(".las"):
            return {}
        if output.endswith(".txt"):
            return {output: frugal_text(found.hypothesis)}
        answer = LearnedAnswer.of(self.stage, found.hypothesis)
        is_program = output.endswith(".lp")
        return {output: program_of(answer) if is_program else as_json(answer.to_json()) + "\n"}

    # --- trees and rules ----------------------------------------------------------------

    def _kinds(self, lift: tuple[str, ...]) -> tuple[Kind, ...]:
        offered = kinds_of(self.stage)
        return _find_kinds(offered, lift) if lift else sound_kinds(self.stage, offered)

    def learn_pruned(self, rules: bool, main_role: str | None, lift: tuple[str, ...]) -> Told:
        """Return the report on the pruned minimax tree of ``main_role`` (None: of the first role).

        With ``rules`` it is also on rules made of the tree's decisions, in which constants that
        ``lift`` names become variables; where it is (), all constants for which that is sound.
        """
        main = self.main(main_role)
        kinds = self._kinds(lift) if rules else None
        started = time.process_time()
        tree = pruned_tree(self.stage, main, kinds)
        spent = round(time.process_time() - started, 3)
        value = pruned_value(self.stage, main, tree, "pruned" if kinds is None else "rules")
        value |= winner_value(self.stage.arena)
        lines = [winner_line(self.stage.arena), *pruned_lines(self.stage, main, tree, spent)]
        program = None if kinds is None else self._lift(tree, kinds, value, lines)
        value |= {"seconds": {"total": round(self._budget.runtime, 3), "tree": spent}}
        drawings = partial(self._tree_file, value, tree.root, program)
        return Told(Verdict.PROVED, lambda: "\n".join(lines), lambda: value, drawings=drawings)

    def _lift(
        self, tree: PrunedTree, kinds: tuple[Kind, ...], value: dict[str, Any], lines: list[str]
    ) -> str:
        """Return a clingo program of rules made of the decisions of ``tree``, lifted over ``kinds``
        of constants; add the report on them to ``value`` (JSON) and ``lines`` (text)."""
        made = lift_rules(self.stage, kinds, tree.decisions)
        verdict = judge_strategy(Strategy((Act(made.rules),)), self.stage)
        value |= lifted_value(self.stage, kinds, made, verdict)
        lines += lifted_lines(self.stage, kinds, made, verdict)
        return program_of(LearnedAnswer(self.stage, (made.rules,)))

    def _tree_file(
        self, value: dict[str, Any], root: Any, program: str | None
    ) -> dict[str, str | dict[str, Any]]:
        """Return {path: content} of the output file: the clingo ``program``, a picture of the tree
        below ``root``, a strategy, or the JSON ``value``; {} where no such file is made."""
        output = self.output
        if not output:
            return {}
        # Without rules there is no program: nothing is written then.
        if output.endswith(".lp"):
            return {} if program is None else {output: program}
        if output.endswith(".svg") and root is not None:
            worth = f"value {value['value']:+d} for {value['main']}"
            title = f"{self.stage.name}: {value['method']}, {worth}"
            return {output: tree_svg(self.stage, root, title)}
        is_strategy = "strategy" in value
        return {output: as_json(value["strategy"]) + "\n" if is_strategy else value}


def _find_kinds(kinds: tuple[Kind, ...], lift: tuple[str, ...]) -> tuple[Kind, ...]:
    """Return the ``kinds`` with a constant or place named in ``lift``; InputError if none has."""
    chosen = []
    for name in lift:
        found = [
            kind
            for kind in kinds
            if name in map(format_term, kind.constants)
            or any(name == f"{root}/{'/'.join(map(str, way))}" for root, way in kind.places)
            or (name == "role" and kind is kinds[0])
        ]
        if not found:
            known = "; ".join(map(str, kinds))
            raise InputError(f"--lift {name[:40]}: there is no such kind", mend=f"known: {known}")
        chosen += found
    return tuple(dict.fromkeys(chosen))
