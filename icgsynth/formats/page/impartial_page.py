"""Write the HTML page that plays the answer of an impartial game."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import islice
from typing import Any

from icgsynth.errors import CannotExpress
from icgsynth.explicit.openings import openings
from icgsynth.export.digit_words import meanings
from icgsynth.export.header import header
from icgsynth.export.parametric_board import board_kinds
from icgsynth.export.report import notes, who_wins
from icgsynth.export.sentences import goes_by_aim, in_prose, rule_text, rule_words, sentences
from icgsynth.formats.page.bound_terms import bound_terms
from icgsynth.formats.page.javascript_terms import JavaScript, literal
from icgsynth.formats.page.whole_page import Words, code, whole_page
from icgsynth.formats.python_terms import Found, parameters, step_terms
from icgsynth.game.answers import name_engines
from icgsynth.game.game import Action, ParametricGame, State
from icgsynth.game.line import Line
from icgsynth.game.run_rule import RunRule
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import PRIME, Rule, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.build import negation, refuse_quantifiers
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.prose import in_rules

_STARTS = 12  # states to begin with that the page offers


def impartial_page(solution: Solution, **around: Any) -> str:
    """Return an HTML page to play the game against the strategy of ``solution``, with the answer in
    words; ``around`` replaces :class:`Words`.  :class:`~icgsynth.errors.Refused` for quantifiers
    or without winning and losing formula, :class:`~icgsynth.errors.InputError` for drawn states."""
    winning, _ = solution.sides()
    nodes: list[t.Node] = [winning, *solution.game.formulas(), *solution.formulas()]
    refuse_quantifiers(nodes, "a page")
    program = _Program(solution.game)
    rules = program.rules(solution, winning)
    digits = ["digits.js"] if program.js.needs_digits else []
    run = 'player(impartial(RULES), document.getElementById("play"));'
    scripts = ["board.js", *digits, "impartial.js", "player.js"]
    text = "\n".join([*program.js.constants(), rules, run])
    return whole_page(_words(solution)._replace(**around), scripts, text)


# --- words -------------------------------------------------------------------------------------


def _words(solution: Solution) -> Words:
    game = solution.game
    winning, losing = solution.sides()
    who = "who cannot move loses" if solution.rule == "normal" else "who cannot move wins"
    where = f" ({in_rules(game.legal)})" if game.legal != t.TRUE else ""
    lead = f"In the legal states{where} whoever is to move"
    sides = [("loses", losing, ""), ("wins", winning, "")]
    said, rules = notes(*meanings(solution)), solution.tree or solution.strategy
    proved = "Proved for all states" if rules else "Who wins and who loses is proved for all states"
    standing = {
        "solved": f'<p class="proved">\u2713 {proved}, says the answer that this page '
        f"was made from; {code('icgsynth verify')} proves it again.</p>",
        "conditional": '<p class="fault">Not all of it is proved.</p>',
        "unknown": '<p class="fault">Nothing of it is proved.</p>',
    }[solution.status]
    by_aim = goes_by_aim(solution)
    words = sentences(game, rules, by_aim)
    return Words(
        title=in_prose(game),
        subtitle=f"{rule_words(solution).capitalize()}: {who}.",
        theorem=(*who_wins(lead, sides), said),
        standing=standing,
        advice=_advice(solution),
        strategy=[(rule_text(rule, by_aim), said) for rule, said in zip(rules, words, strict=True)],
        rules=str(game),
        details=f"<pre>{escape(chr(10).join(header(solution)))}</pre>{_proof(solution)}",
    )


def _advice(solution: Solution) -> str:
    """Return the sentence above the strategy's rules; without rules, one on how to win."""
    if solution.tree or solution.strategy:
        return "To win from any other state, make the first move that applies:"
    if solution.needs_no_move:
        return "No strategy is needed: no winning state has a move to make."
    return (
        "To win from any other state, make a move to a state where the player to move loses: "
        "shorter rules are not part of this answer."
    )


def _proof(solution: Solution) -> str:
    """Return an HTML table of the proof's parts with verdicts and engines; "" without proof."""
    if not solution.proof:
        return ""
    rows = []
    for part, verdict in solution.proof.items():
        by = solution.confirmed.get(part)
        told = f"{verdict} by {name_engines(by)}" if by else str(verdict)
        rows.append(f'<tr><th scope="row">{escape(part)}</th><td>{escape(told)}</td></tr>')
    return f'<table class="facts">{"".join(rows)}</table>'


# --- the program -------------------------------------------------------------------------------


class _Program:
    """Writes the JavaScript data for ``impartial.js``: s is the state, p parameters, t target."""

    def __init__(self, game: ParametricGame) -> None:
        self.game, self.js = game, JavaScript()
        self.state = {name: f"s[{i}]" for i, name in enumerate(game.variables)}

    def rules(self, solution: Solution, winning: t.Formula) -> str:
        """Return JavaScript that declares the constant ``RULES``: the game, the formula ``winning``
        and the rules of the strategy."""
        game = self.game
        parts = {
            "variables": literal(game.variables),
            "misere": literal(solution.rule == "misere"),
            "looks": literal(board_kinds(game)),
            "starts": literal([[str(n) for n in state] for state in _starts(game, winning)]),
            "legalText": literal(str(in_rules(game.legal))),
            "legal": self._function("s", game.legal),
            "end": self._function("s", game.end),
            "winning": self._function("s", winning),
            "actions": _list_parts(map(self._action, game.actions)),
            "rules": _list_parts(map(self._rule, solution.tree or solution.strategy)),
        }
        return f"const RULES = {_object(parts)};"

    def _function(self, given: str, node: t.Node) -> str:
        return f"({given}) => {self.js.show(node, self.state)}"

    def _names(self, action: Action) -> dict[str, str]:
        return self.state | {name: f"p[{i}]" for i, name in enumerate(action.parameters)}

    def _action(self, action: Action) -> str:
        game, names = self.game, self._names(action)
        effects = dict(action.effects)
        after = [self.js.show(effects.get(v, t.Name(v)), names) for v in game.variables]
        where, bounds = game.applicable(action), []
        for i, parameter in enumerate(action.parameters):
            ends = bound_terms(where, parameter, action.parameters[i:])
            low, high = (t.Int(1), t.Int(0)) if ends.never else ends[:2]
            bounds.append(f"[{self._bind(low, names)}, {self._bind(high, names)}]")
        return _object(
            {
                "name": literal(action.name),
                "parameters": literal(action.parameters),
                "text": literal(str(in_rules(action.precondition))),
                "pre": f"(s, p) => {self.js.show(action.precondition, names)}",
                "after": f"(s, p) => [{', '.join(after)}]",
                "bounds": f"[{', '.join(bounds)}]",
            }
        )

    def _bind(self, term: t.Term | None, names: dict[str, str]) -> str:
        return "null" if term is None else f"(s, p) => {self.js.show(term, names)}"

    def _rule(self, rule: Rule | TargetRule) -> str:
        if isinstance(rule, Rule):
            action, moves = rule.act.action, self._make(rule)
        else:
            told = self._run(rule) if isinstance(rule, RunRule) else self._aim(rule)
            action, moves = rule.action, "\n".join(told)
        place = next(i for i, a in enumerate(self.game.actions) if a.name == action)
        when = self._function("s", rule.when)
        return _object({"action": str(place), "when": when, "moves": moves})

    def _make(self, rule: Rule) -> str:
        terms = dict(rule.act.arguments)
        wanted = self.game.action(rule.act.action).parameters
        return f"(s) => [[{', '.join(self.js.show(terms[p], self.state) for p in wanted)}]]"

    def _run(self, rule: RunRule) -> Iterator[str]:
        """Yield JavaScript for a move that repeats a step until the automaton rejects the state."""
        numbers = ", ".join(self.state[track] for track in rule.target.tracks)
        added = ", ".join(self.js.show(term, self.state) for term in step_terms(rule))
        yield f"(s) => [[times({self.js.automaton(rule.target)}, [{numbers}], [{added}])]]"

    def _aim(self, rule: TargetRule) -> Iterator[str]:
        """Yield JavaScript for the moves to the state that the rule's automaton computes."""
        action, tracks = self.game.action(rule.action), rule.target.tracks
        names = self._names(action) | {n + PRIME: f"t[{i}]" for i, n in enumerate(rule.changed)}
        loops = 0
        if (line := rule.line) is None:
            given = ["null" if track.endswith(PRIME) else self.state[track] for track in tracks]
            yield f"function* (s) {{ const p = [], t = complete({self.js.automaton(rule.target)}, "
            yield f"{', '.join(given)}); if (t === null) return;"
        else:
            yield from self._along(rule, line)
            loops = 1
        for step in parameters(self.game, action, rule.changed):
            place = names[step.name]
            if isinstance(step, Found):
                yield f"{place} = {self.js.show(step.term, names)};"
            else:
                yield f"for ({place} = {step.low}n; {place} <= {step.high}n; {place} += 1n) {{"
                loops += 1
        after = self.game.after(action)
        aims = [f"{self.js.show(after[n], names)} === {names[n + PRIME]}" for n in rule.changed]
        yield f"if ({' && '.join(aims)}) yield [...p];{' }' * loops} }}"

    def _along(self, rule: TargetRule, line: Line) -> Iterator[str]:
        """Yield JavaScript that begins a loop over u, the value of ``line``'s term after the move,
        and that puts into t the changed variables' values found by the automaton of ``rule``."""
        name = rule.changed[0]
        names = self.state | {line.track: "u", name + PRIME: "t[0]"}
        given = ["null" if track.endswith(PRIME) else "u" for track in rule.target.tracks]
        gives = line.solve(t.Name(line.track), {name: t.Name(name + PRIME)})
        yield f"function* (s) {{ for (let f = {line.least}n; f <= {line.most}n; f += 1n) {{"
        yield f"const p = [], u = {self.js.show(line.term, self.state)} - f; if (u < 0n) break;"
        yield f"const t = complete({self.js.automaton(rule.target)}, {', '.join(given)});"
        yield f"if (t === null || t[0] + {line.takes}n > {self.state[name]}) continue;"
        yield f"t.push({self.js.show(gives, names)});"


def _object(parts: dict[str, str]) -> str:
    return "{" + ",\n".join(f"{name}: {text}" for name, text in parts.items()) + "}"


def _list_parts(parts: Iterator[str]) -> str:
    return "[" + ",\n".join(parts) + "]"


def _starts(game: ParametricGame, winning: t.Formula) -> list[State]:
    """Return at most 12 states to start in, won for the first player if possible; CannotExpress
    where none is found. ``winning`` is the formula of the winning states."""
    loses = negation(winning)
    found = openings(game, 0, lambda state: satisfies(loses, game.env(state)))
    starts = list(islice(found, _STARTS))
    if not starts:
        raise CannotExpress(
            f"no state of {game.name} that has a move was found: nothing can be played"
        )
    return starts
