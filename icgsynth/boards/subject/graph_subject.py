"""The subject of commands for graphs: two players move a token along edges in turn."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from icgsynth.boards.finite.graph import GraphGame, GraphOutcomes, loopy_values, outcomes
from icgsynth.boards.rules.edges import read_graph
from icgsynth.boards.text.graph_report import (
    At,
    Values,
    node_report,
    node_value,
    outcomes_report,
    outcomes_value,
    values_report,
    values_value,
)
from icgsynth.budget import Budget, Progress
from icgsynth.errors import InputError
from icgsynth.game.answers import Verdict
from icgsynth.game.game import Move, PlayRule
from icgsynth.spec.resolve import Named
from icgsynth.subjects import AskedValue, Subject
from icgsynth.subjects.question import Question, Told, plain_question


def subject(named: Named) -> GraphSubject:
    """Return the graph that ``named`` names."""
    return GraphSubject(named)


class GraphSubject(Subject):
    """A graph as a game: its nodes are the states, and its edges the moves."""

    what = "a graph"

    @cached_property
    def game(self) -> GraphGame:
        """The graph read from its file; ``--set`` is refused, for a graph has no constants."""
        if self.named.constants:
            message = f"{self.named.spec} is a graph, which has no constants"
            raise InputError(message, mend="leave --set out")
        return read_graph(self.named.source)

    def __str__(self) -> str:
        """Return the text of the edges as in their file."""
        return self.named.source.text

    @property
    def rule(self) -> PlayRule:
        """The rule of play, always normal: a file of edges states no rule."""
        return "normal"

    def to_solve(
        self, rule: PlayRule, finite_only: bool = False, for_file: bool = True
    ) -> Question[GraphOutcomes]:
        """Return the question who wins from each node under ``rule``, in how many moves.  If
        ``finite_only``, a drawn node makes it refuted.  ``for_file`` changes nothing here."""

        def run(budget: Budget, _: Progress) -> GraphOutcomes:
            return outcomes(self.game, rule, budget)

        def show(found: GraphOutcomes) -> Told:
            verdict = Verdict.REFUTED if finite_only and found.count("drawn") else Verdict.PROVED
            return Told(verdict, lambda: outcomes_report(found), lambda: outcomes_value(found))

        return plain_question(run, show)

    def to_position(self, rule: PlayRule, at: str) -> Question[At]:
        node = self._node(at)

        def run(budget: Budget, _: Progress) -> At:
            return At(outcomes(self.game, rule, budget), node)

        return plain_question(run, _told_at)

    def to_value(self, asked: AskedValue) -> Question[Any]:
        """Return the question for the nimbers, also loopy ones, of all nodes, or of one if
        ``asked.at`` names it; InputError for misère play."""
        asked.without("most", "table", "bound", of="a graph")
        if asked.rule == "misere":
            message = "values are those of normal play"
            raise InputError(message, mend=f"'icgsynth solve {self.named.spec} --rule misere'")
        node = None if asked.at is None else self._node(asked.at)

        def run(budget: Budget, _: Progress) -> Values | At:
            found = Values(outcomes(self.game, "normal", budget), loopy_values(self.game, budget))
            return found if node is None else At(found.outcomes, node, found.values[node])

        def show(found: Values | At) -> Told:
            if isinstance(found, At):
                return _told_at(found)
            return Told(Verdict.PROVED, lambda: values_report(found), lambda: values_value(found))

        return plain_question(run, show)

    def moves(self, state: Any) -> Iterator[Move]:
        """Yield the moves from the node ``state``, each named by the node it leads to."""
        for to in self.game.after[self._node(str(state))]:
            yield Move(self.game.nodes[to])

    def _node(self, text: str) -> int:
        name = text.strip().strip('"')
        if (found := self.game.place.get(name)) is not None:
            return found
        near = get_close_matches(name, self.game.nodes, 3, 0.5) or list(self.game.nodes[:5])
        message = f"{self.game.name} has no node {name[:60]}"
        raise InputError(message, mend=f"nodes are {', '.join(near)}")


def _told_at(found: At) -> Told:
    return Told(Verdict.PROVED, lambda: node_report(found), lambda: node_value(found))
