"""Tournaments of finite games: who can play them."""

from __future__ import annotations

from typing import Any

from icgsynth.cli.answer_source import answer_source
from icgsynth.cli.boxed_agents import ask
from icgsynth.errors import InputError, Refused
from icgsynth.fft.tiers import strategy_of
from icgsynth.finite.arena import arena_of_board
from icgsynth.finite.board import board_of
from icgsynth.finite.game import FiniteGame
from icgsynth.finite.grounder import ground
from icgsynth.finite.worth import Lookup
from icgsynth.game.strategy import Strategy
from icgsynth.learn.best_do import lifted, pruned_tree
from icgsynth.learn.bias import bias_of
from icgsynth.learn.kinds import kinds_of, sound_kinds
from icgsynth.learn.las import read_task
from icgsynth.learn.problem import of_stage
from icgsynth.learn.saved import LearnedAnswer, playing_program, read_learned
from icgsynth.learn.stage import Stage, stage_of
from icgsynth.learn.tiers import Act
from icgsynth.learn.tiers import strategy_of as strategy_of_weak
from icgsynth.learn.weak_learner import learn_weak
from icgsynth.play.finite import PerfectPlayer, TierPlayer
from icgsynth.play.match import Player
from icgsynth.play.tournament import ByClingo as ByProgram
from icgsynth.play.tournament import Human, Random, TreeAgent
from icgsynth.spec.answer_file import kind_of
from icgsynth.spec.finite import bias_file, finite_game
from icgsynth.spec.source import Source
from icgsynth.spec.tree import parse_tree

_KINDS = "random, perfect, minimax, pruned, rules, weak, clingo, fft, answer, human"


def names_of(agents: str) -> list[str]:
    """The words of ``--agents``."""
    names = [name.strip() for name in agents.split(",") if name.strip()]
    if len(names) < 2:
        raise InputError("a tournament needs two agents", mend=f"--agents A,B of: {_KINDS}")
    if len(set(names)) < len(names):
        raise InputError("an agent is named twice", mend="leave one out")
    return names


def stage_of_game(game: str, constants: dict[str, int], tell: Any) -> Stage:
    """The game of two players that ``game`` names, solved."""
    stage = stage_of(finite_game(game, constants), progress=tell)
    stage.game.for_two()
    return stage


def finite_agent(
    spec: str, game: str, stage: Stage, constants: dict[str, int], tell: Any
) -> Player[FiniteGame]:
    """The agent that ``spec`` names."""
    kind, _, rest = spec.partition(":")
    if kind in ("random", "perfect", "human") and rest:
        raise InputError(f"{kind} takes nothing after ':'", mend=f"--agents of: {_KINDS}")
    if kind == "random":
        return Random()
    if kind == "perfect":
        return PerfectPlayer(Lookup(stage.arena), name=kind)
    if kind == "human":
        return Human(ask)
    if kind == "fft":
        return _fft(rest, game, constants, f"fft:{rest}")
    if kind == "answer":
        return _answer(rest, game, stage, constants)
    if kind not in ("minimax", "pruned", "rules", "weak", "clingo"):
        raise InputError(f"there is no agent {spec[:60]!r}", mend=f"known: {_KINDS}")
    if kind == "weak" and rest.endswith(".json"):
        return _saved(rest, stage, spec)
    school = stage if not rest or rest == game else stage_of_game(rest, {}, tell)
    return _taught(kind, rest or game, school, stage, spec, tell)


def _taught(
    kind: str, lesson: str, school: Stage, stage: Stage, name: str, tell: Any
) -> Player[FiniteGame]:
    """An agent that learned on ``school`` and plays on ``stage``."""
    roles = school.arena.roles
    main = roles.index(school.board.roles[0])
    if kind == "minimax":
        return TreeAgent.complete(school, main, name)
    if kind in ("weak", "clingo"):
        path = bias_file(lesson)
        task = read_task(Source.read(path)) if path else None
        bias = task.bias if task is not None and task.bias is not None else bias_of(school)
        found = learn_weak(school, of_stage(school), bias, "auto", 60.0, tell)
        if found.hypothesis is None:
            raise Refused(f"{name}: nothing was learned from {lesson} in its bias")
        if kind == "clingo":
            head = playing_program(LearnedAnswer.of(stage, found.hypothesis))
            return ByProgram(head, name)
        return TierPlayer(strategy_of_weak(found.hypothesis, stage), name=name)
    if kind == "pruned":
        return TreeAgent.of(school, pruned_tree(school, main).root, main, name)
    kinds = sound_kinds(school, kinds_of(school))
    rules = lifted(school, kinds, pruned_tree(school, main, kinds).decisions)
    return TierPlayer(Strategy((Act(rules.rules),)), name=name)


def _saved(path: str, stage: Stage, name: str) -> Player[FiniteGame]:
    return TierPlayer(read_learned(answer_source(path), stage).strategy, name=name)


def _fft(path: str, game: str, constants: dict[str, int], name: str) -> Player[FiniteGame]:
    arena = arena_of_board(board_of(ground(finite_game(game, constants))))
    tree = parse_tree(answer_source(path), arena.literals, arena.actions)
    return TierPlayer(strategy_of(tree, arena), name=name)


def _answer(path: str, game: str, stage: Stage, constants: dict[str, int]) -> Player[FiniteGame]:
    """The agent of an answer file, whatever its kind."""
    kind = kind_of(answer_source(path))
    if kind in ("strategy", "family"):
        message = f"{path} is an answer for an impartial game, and {game} is a finite one"
        raise InputError(message, mend="name the impartial game: tournament nim2 --bound 9")
    if kind == "tree":
        return _fft(path, game, constants, f"answer:{path}")
    return _saved(path, stage, f"answer:{path}")
