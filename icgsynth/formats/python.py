"""Write a Python module without dependencies that plays a strategy."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Iterator, Sequence
from textwrap import indent, wrap

from icgsynth.export.header import header
from icgsynth.formats.python_digits import DigitNames
from icgsynth.formats.python_terms import Found, Writer, own_names, parameters, step_terms
from icgsynth.game.game import Action, ParametricGame
from icgsynth.game.run_rule import RunRule
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import PRIME, Rule, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.build import refuse_quantifiers
from icgsynth.logic.identifiers import apart
from icgsynth.logic.ranges import ranges


def python_module(solution: Solution) -> str:
    """Return a Python module that plays ``solution``; CannotExpress without a winning formula.
    Formulas are printed with their meaning unchanged: Python's ``//`` and ``%`` are the language's
    ``div`` and ``mod``."""
    game = solution.game
    winning, _ = solution.sides()
    pairs = solution.strategy or solution.tree
    refuse_quantifiers([winning, *game.formulas(), *_list_spoken(pairs)], "a Python module")
    module = GameModule(game)
    functions = [
        module.is_legal(game.legal),
        module.is_winning(winning),
        module.move(solution, pairs),
        module.result(),
        *module.rules(),
    ]
    top = docstring(header(solution)) + module.top("is_legal", "is_winning", "move", "result")
    return joined([top, *functions, *module.tables()])


def joined(parts: Iterable[str]) -> str:
    """Return the text of a module, its ``parts`` joined by blank lines."""
    return "\n\n".join(part if part.endswith("\n") else part + "\n" for part in parts)


def game_functions(game: ParametricGame) -> list[str]:
    """Return the rules of ``game`` as Python text, in parts: functions, helpers and tables. Raises
    :class:`~icgsynth.errors.Refused` where a rule has a quantifier."""
    refuse_quantifiers(game.formulas(), "a Python module")
    module = GameModule(game)
    functions = [module.is_legal(game.legal), *module.rules()]
    return [*functions, *module.tables()]


def _list_spoken(pairs: Iterable[Rule | TargetRule]) -> Iterator[t.Node]:
    for pair in pairs:
        yield pair.when
        if isinstance(pair, Rule):
            yield from (term for _, term in pair.act.arguments)


def docstring(said: Iterable[str]) -> str:
    """Return the docstring of an exported module, made of the lines ``said``."""
    lines = [part for line in said for part in _break_line(line)]
    text = "\n".join(lines).replace("\\", "\\\\").replace('"', "'")
    first, _, rest = text.partition("\n")
    return f'"""{first}\n\n{indent(rest, "    ")}\n\nWritten by icgsynth.\n"""\n'


def _break_line(line: str) -> list[str]:
    return wrap(line, 88, subsequent_indent=" " * 10, break_on_hyphens=False) or [""]


def _spell(name: str) -> str:
    if name.endswith(PRIME):
        return f"new_{name.removesuffix(PRIME)}"
    # The functions behind the actions are called _do_NAME.
    return f"v{name}" if name.startswith("_do_") else name


def python_names(names: Sequence[str]) -> dict[str, str]:
    """Return a different Python name for each of ``names``, no keyword and none the module uses."""
    return apart(names, own_names().union(keyword.kwlist).__contains__, _spell)


def _quoted(text: str) -> str:
    return '"' + text + '"'


def _tuple(parts: Iterable[str]) -> str:
    listed = list(parts)
    return f"({', '.join(listed)}{',' if len(listed) == 1 else ''})"


# --- functions -----------------------------------------------------------------------


class GameModule:
    """Writes the functions of an exported module; ``natural`` are further arguments from 0 up."""

    def __init__(self, game: ParametricGame, natural: tuple[str, ...] = ()) -> None:
        named = (*game.variables, *(p for a in game.actions for p in a.parameters), *natural)
        names = python_names((*named, *(v + PRIME for v in game.variables)))
        self.game = game
        self.names = names
        self.variables = [names[v] for v in game.variables]
        self.digits = DigitNames((*own_names(), *names.values()))
        ends = ranges(game.legal, game.variables, {})
        self._natural = frozenset(
            v for v, (lo, _) in ends.items() if isinstance(lo, int) and lo >= 0
        ).union(natural)

    def top(self, *public: str) -> str:
        """Return the text above the functions: imports, ``__all__`` with the names ``public``, and
        the tuple VARIABLES of the game's variables."""
        listed = ", ".join(map(_quoted, ("VARIABLES", *public)))
        variables = _tuple(map(_quoted, self.game.variables))
        return _TOP.replace("@public@", listed) + f"VARIABLES = {variables}\n"

    def result(self) -> str:
        """Return the text of the function ``result``, which gives the state after a move."""
        return _RESULT.replace("@ended@", _ENDED_TEST if self.game.end != t.FALSE else "")

    def tables(self) -> list[str]:
        """Return the texts of tables that come last; it has to be called after all functions."""
        return [*self.digits.parts(), _actions_table(self.game.actions)]

    def writer(self) -> Writer:
        """Return a writer of Python expressions whose variables are those of a legal state."""
        return Writer(self.names, self.digits, self._natural)

    def of_any(self) -> Writer:
        """Return a writer of Python expressions whose variables may be any integers."""
        return Writer(self.names, self.digits)

    @property
    def unpacked(self) -> str:
        return _tuple(self.variables) if len(self.variables) == 1 else ", ".join(self.variables)

    def is_legal(self, legal: t.Formula) -> str:
        head = "def is_legal(*state: int) -> bool:"
        doc = '    """Whether the rules speak of this state."""'
        unpack = f"    {self.unpacked} = _ints(VARIABLES, state)"
        return "\n".join([head, doc, unpack, *self._returns(legal)])

    def is_winning(self, winning: t.Formula) -> str:
        head = (
            "def is_winning(*state: int) -> bool:\n"
            '    """Whether the player to move wins; ValueError where the state is not legal."""'
        )
        body = self._returns(winning, self.writer())
        return "\n".join([head, f"    {self.unpacked} = _legal(state)", *body])

    def rules(self) -> Iterator[str]:
        """Yield the texts of a function for each action, of one for a declared end, and of helpers.
        The functions call ``is_legal``, which :meth:`is_legal` writes."""
        yield from map(self.action, self.game.actions)
        if self.game.end != t.FALSE:
            yield self.end(self.game.end)
        yield _HELPERS

    def end(self, end: t.Formula) -> str:
        head = f"def _ended({', '.join(f'{v}: int' for v in self.variables)}) -> bool:"
        doc = '    """Whether the rules declare this state the end of the game."""'
        return "\n".join([head, doc, *self._returns(end)])

    def action(self, action: Action) -> str:
        """Return the text of a function that returns the state after ``action``, or None where the
        action does not apply or the state is not legal."""
        ours = [*self.variables, *(self.names[p] for p in action.parameters)]
        typed = [f"{name}: int" for name in ours]
        effects = dict(action.effects)
        lines = [f"def _do_{action.name}({', '.join(typed)}) -> tuple[int, ...] | None:"]
        # The precondition first: it may say that a divisor is not 0.
        if action.precondition != t.TRUE:
            writer = self.of_any()
            test = writer.spread(action.precondition, "    ", len("applies = "))
            lines += [*_indented(writer.steps), f"    applies = {test}"]
            lines += ["    if not applies:", "        return None"]
        writer = self.of_any()
        originals = {ours: name for name, ours in self.names.items()}
        terms = [effects.get(originals[v], t.Name(originals[v])) for v in self.variables]
        after = _tuple(writer.show(term).text for term in terms)
        lines += [*_indented(writer.steps), f"    after = {after}"]
        return "\n".join([*lines, "    return after if is_legal(*after) else None"])

    def move(self, solution: Solution, pairs: Sequence[Rule | TargetRule]) -> str:
        lines = [
            "def move(*state: int) -> tuple[str, dict[str, int]] | None:",
            f'    """{_MOVE_DOC}"""',
            "    if not is_winning(*state):",
            "        return None",
        ]
        if solution.game.end != t.FALSE:
            lines += ["    if _ended(*state):", "        return None"]
        if not pairs and not solution.needs_no_move:
            message = "no strategy was found for this game: move() cannot choose"
            return "\n".join([*lines, f'    raise NotImplementedError("{message}")'])
        lines.append(f"    {self.unpacked} = state")
        for pair in pairs:
            lines += self.rule(pair)
        if solution.rule == "misere":
            lines.append("    return None  # no move is left: under misère play that wins")
        else:
            lines.append('    raise RuntimeError(f"the strategy has no move in {state}")')
        return "\n".join(lines)

    def rule(self, pair: Rule | TargetRule) -> Iterator[str]:
        """Yield the lines, in the function ``move``, that return the move of ``pair`` if the
        condition of this rule holds and the move is legal."""
        depth = "    "
        if pair.when != t.TRUE:
            writer = self.writer()
            test = writer.spread(pair.when, "    ", len("if :"))
            yield from _indented(writer.steps)
            yield f"    if {test}:"
            depth += "    "
        if isinstance(pair, RunRule):
            yield from self._run(pair, depth)
            return
        if isinstance(pair, TargetRule):
            yield from self._aim(pair, depth)
            return
        writer = self.writer()
        texts = [writer.show(term).text for _, term in pair.act.arguments]
        yield from (f"{depth}{step}" for step in writer.steps)
        ours = [self.names[name] for name, _ in pair.act.arguments]
        yield from (f"{depth}{name} = {text}" for name, text in zip(ours, texts, strict=True))
        yield f"{depth}if {self._apply(pair.act.action, ours)} is not None:"
        yield f"{depth}    return {self._make(pair.act.action)}"

    def _apply(self, action: str, ours: Sequence[str]) -> str:
        return f"_do_{action}({', '.join([*self.variables, *ours])})"

    def _make(self, action: str) -> str:
        """Return the text of a move as ``move`` returns it: ``"take", {"k": k}``."""
        declared = self.game.action(action).parameters
        given = ", ".join(f"{_quoted(name)}: {self.names[name]}" for name in declared)
        return f"{_quoted(action)}, {{{given}}}"

    def _run(self, rule: RunRule, depth: str) -> Iterator[str]:
        """Yield lines, indented by ``depth``, that return the move which repeats the step of
        ``rule`` until its automaton rejects the state."""
        action, writer = self.game.action(rule.action), self.of_any()
        (parameter,) = (self.names[name] for name in action.parameters)
        known = self.digits.automaton(rule.target, f"WHILE_{rule.action}")
        numbers = ", ".join(self.names[track] for track in rule.target.tracks)
        added = ", ".join(writer.show(term).text for term in step_terms(rule))
        yield from (f"{depth}{line}" for line in writer.steps)
        times = self.digits.function("_times")
        yield f"{depth}{parameter} = {times}({known}, [{numbers}], [{added}])"
        yield f"{depth}if {self._apply(action.name, [parameter])} is not None:"
        yield f"{depth}    return {self._make(action.name)}"

    def _aim(self, rule: TargetRule, depth: str) -> Iterator[str]:
        """Yield lines, indented by ``depth``, that return a move to the state that the automaton of
        ``rule`` computes."""
        action, tracks = self.game.action(rule.action), rule.target.tracks
        new = [self.names[name + PRIME] for name in rule.changed]
        names = self.names
        if (line := rule.line) is not None:
            # The variable of the line first holds the value of the line's term after the move.
            names = names | {line.track: names[line.gives + PRIME]}
            before = Writer(names, self.digits).show(line.term).text
            left = f"range({before} - {line.least}, {before} - {line.most + 1}, -1)"
            yield f"{depth}for {names[line.track]} in {left.replace('- -', '+ ')}:"
            depth += "    "
            yield f"{depth}if {names[line.track]} < 0:"
            yield f"{depth}    break"
        known = self.digits.automaton(rule.target, f"TO_{rule.action}")
        # The automaton reads the digits of the known numbers, and finds those of the others.
        given = ["None" if track.endswith(PRIME) else names[track] for track in tracks]
        complete = self.digits.function("_complete")
        yield f"{depth}target = {complete}({', '.join([known, *given])})"
        if line is None:
            yield f"{depth}if target is not None:"
            depth += "    "
            yield f"{depth}{', '.join(new) if len(new) > 1 else f'({new[0]},)'} = target"
        else:
            first = rule.changed[0]
            limit = f"target[0] + {line.takes} <= {self.names[first]}"
            yield f"{depth}if target is not None and {limit}:"
            depth += "    "
            after = line.solve(t.Name(line.track), {first: t.Name(first + PRIME)})
            yield f"{depth}({new[0]},) = target"
            yield f"{depth}{new[1]} = {Writer(names, self.digits).show(after).text}"
        for step in parameters(self.game, action, rule.changed):
            parameter = self.names[step.name]
            if isinstance(step, Found):
                writer = self.of_any()
                text = writer.show(step.term).text
                yield from (f"{depth}{line}" for line in writer.steps)
                yield f"{depth}{parameter} = {text}"
            else:
                yield f"{depth}for {parameter} in range({step.low}, {step.high + 1}):"
                depth += "    "
        ours = [self.names[name] for name in action.parameters]
        yield f"{depth}after = {self._apply(action.name, ours)}"
        places = [self.game.variables.index(name) for name in rule.changed]
        # Of the values that a loop tries for a parameter only some lead to this state.
        tests = [f"after[{i}] == {name}" for i, name in zip(places, new, strict=True)]
        yield f"{depth}if after is not None and {' and '.join(tests)}:"
        yield f"{depth}    return {self._make(action.name)}"

    def _returns(self, formula: t.Formula, writer: Writer | None = None) -> list[str]:
        writer = writer or self.of_any()
        text = writer.spread(formula, "    ", len("return "))
        return [*_indented(writer.steps), f"    return {text}"]


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _actions_table(actions: Sequence[Action]) -> str:
    rows = [
        f"    {_quoted(a.name)}: ({_tuple(map(_quoted, a.parameters))}, _do_{a.name}),"
        for a in actions
    ]
    return "\n".join(["_ACTIONS = {", *rows, "}"])


_TOP = """
from __future__ import annotations

__all__ = [@public@]

"""

_MOVE_DOC = (
    "A winning move as (action, {parameter: value}); None where the player to move\n"
    "    loses, and where the game is over.  ValueError where the state is not legal."
)

_ENDED_TEST = 'if _ended(*state):\n        raise ValueError(f"the game is over in {state}")\n    '

_RESULT = '''def result(action: str, params: dict[str, int], *state: int) -> tuple[int, ...]:
    """The state after a move; ValueError where it does not apply or the state is not legal."""
    _legal(state)
    if not isinstance(action, str) or action not in _ACTIONS:
        raise ValueError(f"no action {action!r}; the actions are: {', '.join(_ACTIONS)}")
    names, apply = _ACTIONS[action]
    if not isinstance(params, dict) or set(params) != set(names):
        raise ValueError(f"{action} takes a dict of the parameters {names}, not {params!r}")
    values = _ints(names, tuple(params[name] for name in names))
    @ended@after = apply(*state, *values)
    if after is None:
        raise ValueError(f"{action} {params} does not apply in {state}")
    return after
'''

_HELPERS = """def _legal(state: tuple[int, ...]) -> tuple[int, ...]:
    if not is_legal(*state):
        raise ValueError(f"not a legal state: {state}")
    return state


def _ints(names: tuple[str, ...], values: tuple[int, ...]) -> tuple[int, ...]:
    if len(values) != len(names):
        raise ValueError(f"{len(names)} integers are wanted {names}, not {len(values)}")
    for name, value in zip(names, values):
        if type(value) is not int:
            raise ValueError(f"{name} is to be an int, not {value!r}")
    return values
"""
