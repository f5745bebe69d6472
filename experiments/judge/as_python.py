"""Terms, formulas and rows of terms as the text of Python expressions.

The text is made of integers, operators and ``v_NAME`` for each name.  Beyond these it calls
``apply`` for functions of digits, ``member`` for automata and ``quantified`` for quantifiers.
"""

from __future__ import annotations

from typing import Any

from experiments.judge.reading import Node, Unreadable, free

__all__ = ["FORMULAS", "python"]

FORMULAS = {"true", "false", "not", "and", "or", "->", "<->", "chain", "in", "set"}
FORMULAS |= {"exists", "forall"}
_SIGNS = {"=": "==", "mod": "%", "div": "//"}  # where Python has another


def python(node: Node, scope: dict[str, Any]) -> str:
    """The text of a term or formula in Python, in parentheses where it may need them.

    The name ``a`` is ``v_a`` there; quantified parts are put into ``scope``.
    """
    match node:
        case ("int", number):
            return f"({number})" if number < 0 else str(number)
        case ("name", name):
            return f"v_{name}"
        case ("true",) | ("false",):
            return str(node[0]).capitalize()
        case ("exists" | "forall", *_):
            key = f"part_{len(scope)}"
            scope[key] = node
            return f"quantified({', '.join([key, *(f'v_{name}' for name in sorted(free(node)))])})"
        case ("chain", terms, signs):
            first, *others = (_term(term, scope) for term in terms)
            links = (f"{_SIGNS.get(s, s)} {t}" for s, t in zip(signs, others, strict=True))
            return f"({first} {' '.join(links)})"
        case ("in", term, values):
            members = "".join(f"{_term(value, scope)}, " for value in values)
            return f"({_term(term, scope)} in ({members}))"
        case ("set", name, *terms):
            return f"member({', '.join([repr(name), *(_term(t, scope) for t in terms)])})"
        case ("not", part):
            return f"(not {_formula(part, scope)})"
        case ("->", left, right):
            return f"(not {_formula(left, scope)} or {_formula(right, scope)})"
        case ("<->", left, right):
            return f"({_formula(left, scope)} == {_formula(right, scope)})"
        case (("and" | "or") as joint, *several):
            return f"({f' {joint} '.join(_formula(part, scope) for part in several)})"
    return _arithmetic(node, scope)


def _arithmetic(node: Node, scope: dict[str, Any]) -> str:
    match node:
        case ("several", *terms):
            return f"({''.join(f'{_term(term, scope)}, ' for term in terms)})"
        case ("if", condition, then, otherwise):
            chosen = f"{_term(then, scope)} if {_formula(condition, scope)}"
            return f"({chosen} else {_term(otherwise, scope)})"
        case ("neg", term):
            return f"(-{_term(term, scope)})"
        case ("call", ("min" | "max" | "abs") as name, *terms):
            return f"{name}({', '.join(_term(term, scope) for term in terms)})"
        case ("xor", *terms):
            return _arithmetic(("call", "nimsum", *terms), scope)
        case ("call", name, *terms):
            return f"apply({name!r}, [{', '.join(_term(term, scope) for term in terms)}])"
        case (("+" | "-" | "*" | "mod" | "div") as sign, left, right):
            return f"({_term(left, scope)} {_SIGNS.get(sign, sign)} {_term(right, scope)})"
    raise Unreadable(f"neither a term nor a formula: {node}")


def _term(node: Node, scope: dict[str, Any]) -> str:
    if node[0] in FORMULAS or node[0] == "several":
        raise Unreadable(f"not a term: {node}")
    return python(node, scope)


def _formula(node: Node, scope: dict[str, Any]) -> str:
    if node[0] not in FORMULAS:
        raise Unreadable(f"not a formula: {node}")
    return python(node, scope)
