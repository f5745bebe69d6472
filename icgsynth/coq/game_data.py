"""Write games and strategies as data for ``games.v``, with their meaning in the names of the rules.

Each formula is printed twice from the same node: as data, which the theorem is about, and as a
proposition with the names of the rules.  ``eq_refl`` has Coq compute that both are the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from icgsynth.coq.claims import Hints, Try
from icgsynth.coq.gallina import data, format_list, names, number, proposition
from icgsynth.coq.statement import in_comment
from icgsynth.game.game import Action, ParametricGame
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t


class GameData:
    """The Coq texts about one game; names are numbered, those of the state first."""

    def __init__(self, game: ParametricGame) -> None:
        self.game = game
        self.places = {name: i for i, name in enumerate(game.variables)}

    def rules(self) -> Iterator[str]:
        """Yield Coq lines that define the game as data, and prove what each formula says."""
        game, here = self.game, self.places
        name = in_comment(game.name)
        yield f"(* ---- The game {name}; the numbers of a state are {row(here)}. ---- *)\n"
        for i, action in enumerate(game.actions, 1):
            yield from self._action(f"action_{i}", action)
        yield f"Definition rules : game := {{| width := {len(game.variables)};"
        yield f"  legal := {data(game.legal, here)};"
        yield f"  ending := {data(game.end, here)};"
        yield f"  actions := {_number('action', game.actions)} |}}."
        yield from self._reads("legal", "rules", game.legal)
        yield from self._reads("ending", "rules", game.end)
        yield ""

    def sides(
        self, winning: t.Formula, losing: t.Formula, rules: Sequence[Rule], is_whole: bool = True
    ) -> Iterator[str]:
        """Yield Coq lines that define the answer: the formulas ``winning`` and ``losing``, and the
        strategy's ``rules``; ``is_whole`` says that these are all of its rules."""
        yield "(* ---- The answer. ---- *)\n"
        yield from self._strategy(rules)
        yield from self._sides("found", winning, losing, _number("rule", rules), is_whole)
        yield from self._reads("winning", "found", winning)
        yield from self._reads("losing", "found", losing)
        yield ""

    def as_read(
        self, winning: t.Formula, losing: t.Formula, rules: Sequence[Rule], is_whole: bool
    ) -> Iterator[str]:
        """Yield Coq lines that define the answer with formulas that automata decide, which the
        proof is about and the theorem does not state; the arguments are as for :meth:`sides`."""
        records = [
            f"{{| when := {data(rule.when, self.places)}; play := {self._place(rule.act)};"
            f" taken := {self._arguments(rule.act, self.places)} |}}"
            for rule in rules
        ]
        yield "(* The same answer, in the words of readers; nothing of it is stated. *)"
        yield from self._sides("read", winning, losing, format_list(records), is_whole)
        yield ""

    def _sides(
        self, label: str, winning: t.Formula, losing: t.Formula, rules: str, is_whole: bool
    ) -> Iterator[str]:
        yield f"Definition {label} : solution := {{|"
        yield f"  winning := {data(winning, self.places)};"
        yield f"  losing := {data(losing, self.places)};"
        yield f"  strategy := {rules}; whole := {str(is_whole).lower()} |}}."

    def graph(self, label: str, formula: t.Formula, value: str) -> Iterator[str]:
        """Yield Coq lines that define ``label`` as ``formula``, which is true where the name
        ``value`` has the Grundy value of the state."""
        here = self.places | {value: len(self.places)}
        yield f"Definition {label} : solution := {{| graph := {data(formula, here)} |}}."
        yield f"Example {label}_is {names([*here])} :"
        yield f"  says (graph {label}) {row(here)} = ({proposition(formula)}) := eq_refl.\n"

    def values(self, term: t.Term, target: str, rules: Sequence[Rule]) -> Iterator[str]:
        """Yield Coq lines that define ``term``, the Grundy value of a state, and ``rules``, which
        lead to states of the smaller value that the name ``target`` has."""
        yield "(* ---- The answer. ---- *)\n"
        yield from self._strategy(rules, (target,))
        yield f"Definition found : solution := {{| grundy := {data(term, self.places)};"
        yield f"  strategy := {_number('rule', rules)} |}}."
        yield f"Example grundy_is {names([*self.places])} :"
        yield f"  value (env {row(self.places)}) (grundy found) = {proposition(term)} := eq_refl.\n"

    def hints(self, state: Sequence[int], hints: Hints, more: Sequence[str] = ()) -> Iterator[str]:
        """Yield Coq lines that define the record ``helped``: a legal ``state``, and ``hints`` for
        the proof. ``more`` are names beside the variables that moves in ``hints.sought`` use."""
        here = self.places
        beside = here | {name: len(here) + i for i, name in enumerate(more)}
        measures = [f"({data(m.term, here)}, {number(m.bound)})" for m in hints.ranking]
        moves = [f"({self._place(act)}%nat, {self._arguments(act, here)})" for act in hints.movers]
        going = format_list(data(formula, here) for formula in hints.going)
        ready = format_list(self._try(one, here) for one in hints.ready)
        sought = format_list(self._try(one, beside) for one in hints.sought)
        yield "(* ---- What helps the proof; nothing of it is stated. ---- *)\n"
        yield f"Definition helped : hints := {{| some := {format_list(map(number, state))};"
        yield f"  measures := {format_list(measures)}; movers := {format_list(moves)};"
        yield f"  going := {going}; ready := {ready}; sought := {sought} |}}.\n"

    def _try(self, one: Try, places: Mapping[str, int]) -> str:
        offers = []
        for offer in one.offers:
            here = {**places} | {name: len(places) + i for i, name in enumerate(offer.guesses)}
            taking = self._arguments(offer.act, here)
            offers.append(
                f"\n    {{| guessed := {len(offer.guesses)}; met := {data(offer.met, here)};"
                f" does := {self._place(offer.act)}; taking := {taking} |}}"
            )
        return f"{{| whence := {data(one.whence, places)}; offers := {format_list(offers)} |}}"

    def _strategy(self, rules: Sequence[Rule], more: Sequence[str] = ()) -> Iterator[str]:
        """Yield Coq lines that define each of ``rules``, about variables and the names ``more``."""
        places = self.places | {name: len(self.places) + i for i, name in enumerate(more)}
        for i, rule in enumerate(rules, 1):
            yield from self._rule(f"rule_{i}", rule, places)

    def _reads(self, word: str, whole: str, formula: t.Formula) -> Iterator[str]:
        """Yield Coq lines which prove that the field ``word`` of ``whole`` means ``formula``."""
        # A person reads the formula in Coq's own notation; eq_refl lets Coq compute that the data
        # mean just this formula.
        said = f"says ({word} {whole}) {row(self.places)}"
        yield f"Example {word}_is {names([*self.places])} :"
        yield f"  {said} = ({proposition(formula)}) := eq_refl."

    def _action(self, label: str, action: Action) -> Iterator[str]:
        game = self.game
        here = self.places | {p: len(self.places) + i for i, p in enumerate(action.parameters)}
        effects: Mapping[str, t.Term] = dict(action.effects)
        # Variables without an effect keep their values, and every state has all of them in order.
        after = [effects.get(v, t.Name(v)) for v in game.variables]
        taken = f"({', '.join(action.parameters)})" if action.parameters else ""
        yield f"(* {action.name}{taken} *)"
        yield f"Definition {label} : action := {{| takes := {len(action.parameters)};"
        yield f"  pre := {data(action.precondition, here)};"
        yield f"  effects := {format_list(data(term, here) for term in after)} |}}."
        yield f"Example {label}_is {names([*here])} :"
        yield f"  (says (pre {label}) {row(here)}, values (effects {label}) {row(here)}) ="
        terms = format_list(map(proposition, after))
        yield f"  ({proposition(action.precondition)}, {terms}) := eq_refl."

    def _rule(self, label: str, rule: Rule, places: Mapping[str, int]) -> Iterator[str]:
        numbers = row(places)
        terms = format_list(proposition(term) for term in self._list_arguments(rule.act))
        yield f"(* {rule.act} *)"
        yield f"Definition {label} : rule := {{| when := {data(rule.when, places)};"
        taken = self._arguments(rule.act, places)
        yield f"  play := {self._place(rule.act)}; taken := {taken} |}}."
        yield f"Example {label}_is {names([*places])} :"
        yield f"  (says (when {label}) {numbers}, values (taken {label}) {numbers}) ="
        yield f"  ({proposition(rule.when)}, {terms}) := eq_refl."

    def _place(self, act: SemiGroundAction) -> int:
        return [action.name for action in self.game.actions].index(act.action)

    def _list_arguments(self, act: SemiGroundAction) -> list[t.Term]:
        terms = dict(act.arguments)
        return [terms[p] for p in self.game.action(act.action).parameters]

    def _arguments(self, act: SemiGroundAction, places: Mapping[str, int]) -> str:
        return format_list(data(term, places) for term in self._list_arguments(act))


def row(places: Iterable[str]) -> str:
    """Return the names ``places`` as a list of Gallina."""
    return format_list(map(names, ([name] for name in places)))


def _number(word: str, parts: Sequence[object]) -> str:
    return format_list(f"{word}_{i}" for i, _ in enumerate(parts, 1))
