"""Write a Python module without dependencies that gives Grundy values and moves to smaller ones."""

from __future__ import annotations

from collections.abc import Iterator

from icgsynth.digits.automaton import Automaton
from icgsynth.errors import CannotExpress
from icgsynth.formats.bfile import value_header
from icgsynth.formats.python import GameModule, docstring, joined
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.strategy import Rule
from icgsynth.game.value_forms import ExponentValue, Single, SumValue, WindowValue, variables_of
from icgsynth.logic import term as t
from icgsynth.logic.build import refuse_quantifiers


def value_module(answer: GrundyAnswer, has_moves: bool = True) -> str:
    """Return a Python module that computes the Grundy values of ``answer``, and if ``has_moves``
    moves to smaller values; CannotExpress where no Grundy function is known."""
    game, value = answer.game, answer.value
    if value is None:
        raise CannotExpress(
            f"no Grundy function of {game.name} is known: there is nothing to export"
        )
    parts = value.parts if isinstance(value, SumValue) else (value,)
    spoken: list[t.Node] = [part for part in parts if isinstance(part, t.Node)]
    for rule in answer.strategy:
        spoken += (
            [rule.when, *(term for _, term in rule.act.arguments)] if isinstance(rule, Rule) else []
        )
    refuse_quantifiers([*game.formulas(), *spoken], "a Python module")
    module = GameModule(game, (answer.target,))
    functions = [_part(module, part, i) for i, part in enumerate(parts, 1)]
    named = ", ".join(f"_part{i}" for i in range(1, len(parts) + 1))
    return joined(
        [
            docstring(value_header(answer))
            + module.top("is_legal", "is_winning", *(["move", "result"] * has_moves), "value"),
            module.is_legal(game.legal),
            _value(module, parts),
            _IS_WINNING,
            *([_move(module, answer), module.result()] if has_moves else ()),
            *module.rules(),
            *functions,
            *module.tables(),
            f"_PARTS = ({named},)",
        ]
    )


def _value(module: GameModule, parts: tuple[Single, ...]) -> str:
    calls = [
        f"_PARTS[{i}]({', '.join(module.names[v] for v in variables_of(part))})"
        for i, part in enumerate(parts)
    ]
    return "\n".join(
        [
            "def value(*state: int) -> int:",
            '    """The Grundy value of a state; ValueError where it is not legal."""',
            f"    {module.unpacked} = _legal(state)",
            f"    return {' ^ '.join(calls)}",
        ]
    )


_IS_WINNING = '''def is_winning(*state: int) -> bool:
    """Whether the player to move wins; ValueError where the state is not legal."""
    return value(*state) != 0
'''


def _part(module: GameModule, part: Single, number: int) -> str:
    """Return the text of the function ``_part1`` (if ``number`` is 1), .., which computes ``part``:
    the Grundy value is the nim-sum of all parts."""
    names = [module.names[v] for v in variables_of(part)]
    head = f"def _part{number}({', '.join(f'{name}: int' for name in names)}) -> int:"
    return "\n".join([head, *(f"    {line}" for line in _body(module, part, names, number))])


def _body(module: GameModule, part: Single, names: list[str], number: int) -> Iterator[str]:
    match part:
        case Automaton() | ExponentValue():
            automaton = part.automaton if isinstance(part, ExponentValue) else part
            known = module.digits.automaton(automaton, f"G{number}")
            given = ", ".join([known, *names, "None"])
            yield f"found = {module.digits.function('_complete')}({given})"
            yield "if found is None:"
            yield '    raise ValueError("the automaton has no value for this state")'
            if isinstance(part, ExponentValue):
                yield f"powers = ({part.base} ** z for z in range(found[0] + 1))"
                yield "return next(z for z, power in enumerate(powers) if power > found[0]) - 1"
            else:
                yield "return found[0]"
        case WindowValue(low=low, least=least):
            writer = module.writer()
            text = writer.show(low).text
            yield f"def _low({names[0]}: int) -> int:"
            yield from (f"    {step}" for step in writer.steps)
            yield f"    return {text}"
            yield f"while {names[0]} > {least}:"
            yield f"    found = _low({names[0]})"
            yield f"    if found == _low({names[0]} - 1):"
            yield f"        return {names[0]} - found"
            yield f"    {names[0]} = found - 1"
            yield "return 0"
        case term:
            writer = module.writer()
            text = writer.show(term).text
            yield from writer.steps
            yield f"return {text}"


def _move(module: GameModule, answer: GrundyAnswer) -> str:
    lines = [
        "def move(*state: int, target: int = 0) -> tuple[str, dict[str, int]] | None:",
        f'    """{_MOVE_DOC}"""',
        "    if len(state) == len(VARIABLES) + 1 and target == 0:",
        "        state, target = state[:-1], state[-1]",
        "    known = value(*state)",
        '    if _ints(("target",), (target,)) < (0,):',
        '        raise ValueError(f"a value is not negative: {target}")',
        "    if target >= known:",
        "        return None",
    ]
    if not answer.strategy and answer.value != t.Int(0):
        message = "no rules for moves were found: move() cannot choose"
        return "\n".join([*lines, f'    raise NotImplementedError("{message}")'])
    lines += [f"    {module.unpacked} = state", f"    {module.names[answer.target]} = target"]
    for rule in answer.strategy:
        lines += module.rule(rule)
    last = '    raise RuntimeError(f"the strategy has no move in {state} to {target}")'
    return "\n".join([*lines, last])


_MOVE_DOC = (
    "A move to a state of the value ``target``, as (action, {parameter: value}); the target\n"
    "    may also follow the state.  None where the value of the state is not larger: so\n"
    "    without a target where the player to move loses.  ValueError for what is not legal."
)
