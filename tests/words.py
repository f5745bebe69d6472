"""Count faults of words in the code: constants, names of functions, docstrings.

``python tests/figures.py -v`` prints each place.  Each function here takes the modules of the
package and yields one line of text for each thing that is to be mended.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from typing import Protocol


class Source(Protocol):
    """One source file, with the fields of ``figures.Module``."""

    @property
    def name(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def nodes(self) -> tuple[ast.AST, ...]: ...


Function = ast.FunctionDef | ast.AsyncFunctionDef

# --- constants ---------------------------------------------------------------------------------


def silent_constants(modules: Iterable[Source]) -> Iterator[str]:
    """Yield named numbers without a comment or string that says their unit and reason.

    The word is a comment on the lines of the constant or on the line above, or a string below.
    A constant that only names an object made of a number (``t.Int(0)``) needs none.
    """
    for module in modules:
        body = next(node for node in module.nodes if isinstance(node, ast.Module)).body
        said = _lines_with_comments(module.text)
        for node, after in zip(body, [*body[1:], None], strict=True):
            if (name := _constant(node)) is None:
                continue
            below = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            end = node.end_lineno or node.lineno
            if not below and said.isdisjoint(range(node.lineno - 1, end + 1)):
                yield f"{module.path}:{node.lineno} {name}"


def _lines_with_comments(text: str) -> set[int]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {each.start[0] for each in tokens if each.type == tokenize.COMMENT}


def _constant(node: ast.stmt) -> str | None:
    """Return the name that a statement gives to a number, or to several of them in a row."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target, value = node.targets[0], node.value
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        target, value = node.target, node.value
    else:
        return None
    named = isinstance(target, ast.Name) and target.id.isupper()
    return ast.unparse(target) if named and _is_number(value) else None


def _is_number(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=int() | float() as value):
            return not isinstance(value, bool)
        case ast.UnaryOp():
            return _is_number(node.operand)
        case ast.BinOp():
            return _is_number(node.left) and _is_number(node.right)
        case ast.Tuple(elts=[_, *_] as parts):
            return all(map(_is_number, parts))
        case ast.Call(func=ast.Name(id="range") | ast.Attribute(value=ast.Name(id="np"))):
            return all(map(_is_number, node.args))
    return False


# --- names -------------------------------------------------------------------------------------

IRREGULAR = frozenset(
    re.findall(
        r"\w+",
        """
begun borne bound broken brought built caught chosen done drawn driven fallen felt forbidden
found given gone grown heard held hidden hung kept known laid led left lost made meant met paid
proven rewritten said seen sent shown sold sought spent spoken stolen struck stuck swept swung
taken thought tied told torn understood withdrawn won worn wound woven written
""",
    )
)
"""Participles that do not end in -ed; what is a verb as well (``cut``, ``split``) is none."""

VERBS = frozenset({"embed", "exceed", "feed", "need", "proceed", "seed", "speed", "succeed"})
"""Words in -ed that are no participles."""


CHANGED = frozenset(
    [
        "bracketed",
        "clipped",
        "compiled",
        "completed",
        "divided",
        "doubled",
        "escaped",
        "expanded",
        "factored",
        "indented",
        "inlined",
        "joined",
        "linearised",
        "mapped",
        "merged",
        "minimised",
        "narrowed",
        "negated",
        "oriented",
        "packed",
        "padded",
        "primed",
        "projected",
        "pruned",
        "quoted",
        "reduced",
        "renamed",
        "renumbered",
        "repaired",
        "replaced",
        "restated",
        "reworded",
        "scaled",
        "shifted",
        "shortened",
        "simplified",
        "snapped",
        "substituted",
        "swapped",
        "tidied",
        "unblocked",
        "unfloored",
        "unpacked",
        "unquoted",
        "unsigned",
        "weakened",
        "widened",
        "wrapped",
    ]
)
"""Participles that may name a function, for it returns its argument, so changed."""


def participles(modules: Iterable[Source]) -> Iterator[str]:
    """Yield functions named by one participle, such as ``shown``; properties are not counted."""
    for module in modules:
        for node in _functions(module):
            if not _is_property(node) and _is_participle(node.name.strip("_")):
                yield f"{module.path}:{node.lineno} {node.name}"


def other_participles(modules: Iterable[Source]) -> Iterator[str]:
    """Yield functions named by a participle that is not on the list ``CHANGED``."""
    for each in participles(modules):
        if each.split()[-1].strip("_") not in CHANGED:
            yield each


def _is_participle(word: str) -> bool:
    if "_" in word or word in VERBS:
        return False
    return word in IRREGULAR or (word.endswith("ed") and len(word) > 3)


def _is_property(node: Function) -> bool:
    return any("property" in ast.unparse(each) for each in node.decorator_list)


def _functions(module: Source) -> Iterator[Function]:
    for node in module.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


# --- docstrings --------------------------------------------------------------------------------


def leaning_docstrings(modules: Iterable[Source]) -> Iterator[str]:
    """Yield docstrings that begin "The same" or "Those", and so say nothing by themselves."""
    documented = ast.Module | ast.ClassDef | Function
    for module in modules:
        for node in module.nodes:
            text = ast.get_docstring(node) if isinstance(node, documented) else None
            if text and re.match(r"(the )?same\b|those\b", text, re.IGNORECASE):
                yield f"{module.path}:{getattr(node, 'lineno', 1)}"


def unlisted(modules: Iterable[Source]) -> Iterator[str]:
    """Yield functions that another room imports, with what their docstrings leave out.

    A docstring names each argument in double backticks, unless the argument's name is the last word
    of its class (``game: HeapGame``); and each class of error that the function's own body raises.
    """
    found = tuple(modules)
    wanted = _imported_elsewhere(found)
    for module in found:
        body = next(node for node in module.nodes if isinstance(node, ast.Module)).body
        for node in body:
            if not isinstance(node, Function) or (module.name, node.name) not in wanted:
                continue
            if lacks := ", ".join(_unsaid(node)):
                yield f"{module.path}:{node.lineno} {node.name}: {lacks}"


def _room(module: str) -> tuple[str, ...]:
    """Return the folders that a module stands in, below the package."""
    return tuple(module.split(".")[1:-1])


def _imported_elsewhere(modules: tuple[Source, ...]) -> set[tuple[str, str]]:
    """Return public names, each behind its module, that a module in another folder uses."""
    known = {module.name for module in modules}
    found = set()
    for module in modules:
        aliases: dict[str, str] = {}  # of modules
        for node in module.nodes:
            if isinstance(node, ast.ImportFrom) and node.module:
                for each in node.names:
                    inner = f"{node.module}.{each.name}"
                    if inner in known:
                        aliases[each.asname or each.name] = inner
                    elif _room(node.module) != _room(module.name):
                        found.add((node.module, each.name))
        for node in module.nodes:
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                other = aliases.get(node.value.id)
                if other and _room(other) != _room(module.name):
                    found.add((other, node.attr))
    return found


def _unsaid(node: Function) -> Iterator[str]:
    text = ast.get_docstring(node) or ""
    given = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    for argument in given:
        kind = ast.unparse(argument.annotation) if argument.annotation else ""
        classes = re.findall(r"\w+", kind.lower())
        is_noun = any(each.endswith(argument.arg.replace("_", "")) for each in classes)
        if argument.arg in ("self", "cls") or is_noun:
            continue
        if not re.search(rf"`{argument.arg}\b", text):
            yield argument.arg
    for error in sorted({_error(each) for each in ast.walk(node) if isinstance(each, ast.Raise)}):
        if error[:1].isupper() and not re.search(rf"\b{error}\b", text):
            yield error


def _error(node: ast.Raise) -> str:
    raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    return raised.id if isinstance(raised, ast.Name) else ""
