"""Count the figures of the package's house rules: ``python tests/figures.py`` prints all.

Each figure counts something that should become rarer.  ``LINES`` and ``CEILINGS`` say how much of
it is allowed today, and ``test_architecture.py`` fails where there is more.  Whoever lowers a
figure lowers its ceiling in the same commit.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import words

ROOT = Path(__file__).parents[1]
LONGEST_FUNCTION = 60  # lines: one screen
MOST_ARGUMENTS = 7
MANY_ARGUMENTS = {"command", "compiled", "part", "njit"}  # what is decorated so may have more
MOST_LINES = 450  # of one module

WINGS = (
    "benchmark",
    "boards",
    "coq",
    "families",
    "formats",
    "heaps",
    "lists",
    "mathematics",
    "numbers",
    "studio",
)

# Of a wing another may use these parts, and the studio may use all (docs/explanation/house.md).
HANDED_OVER = {
    "boards": ("formats.page", "formats.paper", "formats.python", "mathematics.latex"),
    "coq": ("heaps.rules", "families.rules", "families.proof"),
    "families": ("formats.smt2",),
    "heaps": ("formats.bfile", "formats.python", "formats.value_python", "mathematics.latex"),
    "studio": WINGS,
}

LINES = {
    "core": 44_835,
    "benchmark": 2_096,
    "boards": 24_248,
    "coq": 4_777,
    "families": 3_988,
    "formats": 2_801,
    "heaps": 10_445,
    "lists": 714,
    "mathematics": 569,
    "numbers": 432,
    "studio": 3_285,
}
"""Lines that the core and each wing may have.

Those of the core may not rise (``test_architecture.py`` asks the parent commit); those of a wing
may for a capability that a new row of ``docs/explanation/prices.md`` names.
"""

CEILINGS = {
    # Raised from 400: modules that are read together are one.
    "longest module": 450,
    # Raised from 2: where the core finds the wings, which every room may ask.
    "loose modules": 3,
    "layers": 14,
    "imports of the core into wings": 0,
    "imports between wings against the plan": 0,
    "circles": 0,
    # What a wing adds, and the core's own kinds and commands, are loaded when needed.
    "imports of our modules by name": 1,
    "modules past 450 lines": 0,
    "functions past 60 lines": 3,
    "functions past 7 arguments": 2,
    "type: ignore": 7,
    "repeated public class names": 0,
    "repeated file names": 11,
    "places of first match": 3,
    "places that start a process": 2,
    "places that draw": 1,
    "constants without a word": 0,
    "docstrings that begin 'The same' or 'Those'": 0,
    "functions named by a participle": 98,
    "of these, participles that are not listed": 0,
    "functions of other rooms with unlisted arguments": 0,
}


class Module(NamedTuple):
    """One source file: its dotted name, path below the root, text, and all nodes of its syntax."""

    name: str
    path: str
    text: str
    nodes: tuple[ast.AST, ...]

    @property
    def lines(self) -> int:
        return self.text.count("\n")


class Figure(NamedTuple):
    """A count, what it counts, and where: one text for each thing counted."""

    what: str
    count: int
    places: tuple[str, ...]


def modules(package: str = "icgsynth") -> tuple[Module, ...]:
    """Return all modules of ``package``, by path."""
    return _read(package)


@cache
def _read(package: str) -> tuple[Module, ...]:
    found = []
    for path in sorted((ROOT / package).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = path.read_text("utf-8")
        found.append(Module(name, str(path.relative_to(ROOT)), text, tuple(_walk(ast.parse(text)))))
    return tuple(found)


def _walk(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes of a tree, as ``ast.walk`` does, in another order and faster."""
    todo = [tree]
    while todo:
        yield (node := todo.pop())
        for field in vars(node).values():
            if isinstance(field, ast.AST):
                todo.append(field)
            elif isinstance(field, list):
                todo.extend(each for each in field if isinstance(each, ast.AST))


# --- modules and imports -----------------------------------------------------------------------


def loose() -> Iterator[str]:
    """Yield the modules beside ``__init__`` and ``__main__`` that stand in no room."""
    for path in sorted((ROOT / "icgsynth").glob("*.py")):
        if path.stem not in ("__init__", "__main__"):
            yield path.name


def layers() -> Iterator[str]:
    """Yield the layers of the import contract."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    yield from config["tool"]["importlinter"]["contracts"][0]["layers"]


def part(module: str) -> str:
    """Return the wing that a module stands in, by its dotted name, or "core"."""
    room = (*module.split("."), "")[1]
    return room if room in WINGS else "core"


def lines_of_parts() -> dict[str, int]:
    """Return the numbers of lines of the core and of each wing."""
    found = dict.fromkeys(LINES, 0)
    for module in modules():
        found[part(module.name)] += module.lines
    return found


def into_wings() -> Iterator[str]:
    """Yield imports of the core that lead into a wing, also inside functions."""
    for name, others in imports("icgsynth").items():
        for other in sorted(others):
            if part(name) == "core" != part(other):
                yield f"{name} -> {other}"


def between_wings() -> Iterator[str]:
    """Yield imports of one wing from another that the plan (``HANDED_OVER``) does not allow."""
    for name, others in imports("icgsynth").items():
        for other in sorted(others):
            if "core" in (part(name), part(other)) or part(name) == part(other):
                continue
            if not other.removeprefix("icgsynth.").startswith(HANDED_OVER.get(part(name), ())):
                yield f"{name} -> {other}"


def imports(package: str) -> dict[str, set[str]]:
    """Return which modules each module imports, also inside functions and for type checkers."""
    found = {module.name: module for module in modules(package)}
    return {
        name: {other for other in _imported(module, set(found)) if other != name}
        for name, module in found.items()
    }


def _imported(module: Module, known: set[str]) -> Iterator[str]:
    for node in module.nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                if inner in known:
                    yield inner
                elif node.module in known:
                    yield node.module


def circles() -> Iterator[str]:
    """Yield sets of modules of which each imports, directly or not, every other."""
    for package in ("icgsynth", "experiments"):
        graph = imports(package)
        reach = {name: _reached(graph, name) for name in graph}
        seen: set[str] = set()
        for name in sorted(graph):
            if name in reach[name] and name not in seen:
                circle = {other for other in reach[name] if name in reach[other]}
                seen |= circle
                yield ", ".join(sorted(circle))


def _reached(graph: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    todo = [start]
    while todo:
        for after in graph[todo.pop()] - found:
            found.add(after)
            todo.append(after)
    return found


def by_name() -> Iterator[str]:
    """Yield calls that import one of our own modules by a name in a string."""
    for module in modules():
        for node in module.nodes:
            if isinstance(node, ast.Call) and _called(node) in ("import_module", "__import__"):
                written = ast.unparse(node.args[0]) if node.args else ""
                if "pysat" not in written:  # python-sat's modules are chosen by the solver's name
                    yield f"{module.path}:{node.lineno} {written}"


# --- sizes -------------------------------------------------------------------------------------


def long_modules() -> Iterator[str]:
    """Yield modules past 450 lines, longest first."""
    for module in sorted(modules(), key=lambda m: -m.lines):
        if module.lines > MOST_LINES:
            yield f"{module.path}: {module.lines}"


def _functions(module: Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in module.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def long_functions() -> Iterator[str]:
    """Yield functions past 60 lines, decorators not counted."""
    for module in modules():
        for node in _functions(module):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > LONGEST_FUNCTION:
                yield f"{module.path}:{node.lineno} {node.name}: {lines}"


def many_arguments() -> Iterator[str]:
    """Yield functions past 7 arguments (``self`` and ``cls`` not counted).

    Compiled kernels are not counted, and no commands: these have an argument for each option.
    """
    for module in modules():
        for node in _functions(module):
            if {_name(each) for each in node.decorator_list} & MANY_ARGUMENTS:
                continue
            given = node.args
            names = [a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
            count = len([name for name in names if name not in ("self", "cls")])
            if count > MOST_ARGUMENTS:
                yield f"{module.path}:{node.lineno} {node.name}: {count}"


def ignores() -> Iterator[str]:
    """Yield lines that silence the type checker."""
    for module in modules():
        for number, line in enumerate(module.text.splitlines(), 1):
            if "type: ignore" in line:
                yield f"{module.path}:{number}"


# --- names -------------------------------------------------------------------------------------


def repeated_classes() -> dict[str, list[str]]:
    """Return public class names that stand in several modules, with the modules."""
    found: dict[str, list[str]] = defaultdict(list)
    for module in modules():
        for node in module.nodes:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(module.path)
    return {name: places for name, places in sorted(found.items()) if len(places) > 1}


def repeated_files() -> dict[str, list[str]]:
    """Return file names that stand in several folders, with the folders, but no ``__init__.py``."""
    found: dict[str, list[str]] = defaultdict(list)
    for module in modules():
        name = Path(module.path).name
        if name not in ("__init__.py", "__main__.py"):
            found[name].append(str(Path(module.path).parent))
    return {name: places for name, places in sorted(found.items()) if len(places) > 1}


def _listed(repeated: dict[str, list[str]]) -> Iterator[str]:
    for name, places in repeated.items():
        yield f"{name}: {', '.join(places)}"


# --- things that should be done in one place ---------------------------------------------------


def first_matches() -> Iterator[str]:
    """Yield functions that go through rules or tiers and stop, for each state, at the first match.

    Such a loop asks its loop variable for ``keep``, ``mask``, ``narrows``, ``when`` or ``act``, and
    it breaks, returns, or takes the states already decided out of a mask (``& ~decided``).
    Left out are ``prove/recheck``, the second opinion, which shares no code on purpose, and
    ``prove/beyond``, which makes an automaton of each rule's states and chooses no move.
    """
    for module in modules():
        if module.name.startswith(("icgsynth.prove.recheck", "icgsynth.prove.beyond")):
            continue
        loops = {each for each in module.nodes if isinstance(each, ast.For)}
        matches = {loop for loop in loops if _is_first_match(loop)}
        for node in _functions(module) if matches else ():
            if not matches.isdisjoint(_walk(node)):
                yield f"{module.path}:{node.lineno} {node.name}"


def _is_first_match(loop: ast.For) -> bool:
    inside = [node for part in loop.body for node in _walk(part)]
    variables = {n.id for n in _walk(loop.target) if isinstance(n, ast.Name)}
    asked = {
        node.attr
        for node in inside
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in variables
    }
    if not asked & {"keep", "mask", "narrows", "when", "act"}:
        return False
    leaves = any(isinstance(node, ast.Break | ast.Return) for node in inside)
    masked = any(isinstance(node, ast.Invert) for node in inside)
    return leaves or masked


_STARTS = {"Popen", "Process", "ProcessPoolExecutor", "fork", "forkpty", "posix_spawn"}


def processes() -> Iterator[str]:
    """Yield modules that start a process."""
    for module in modules():
        for node in module.nodes:
            if isinstance(node, ast.Call) and (
                _called(node) in _STARTS or ast.unparse(node.func).startswith("subprocess.")
            ):
                yield module.path
                break


_DRAWN = ("<svg", "<rect", "<path", "<line", "<circle", "<text", "<polygon", "%PDF")


def drawings() -> Iterator[str]:
    """Yield modules that write the marks of a picture (SVG, PDF) or draw with matplotlib."""
    for module in modules():
        marks = any(mark in module.text for mark in _DRAWN) and any(
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and any(mark in node.value for mark in _DRAWN)
            for node in module.nodes
        )
        if marks or "import matplotlib" in module.text or "from matplotlib" in module.text:
            yield module.path


def _called(node: ast.Call) -> str:
    return _name(node.func)


def _name(node: ast.expr) -> str:
    """Return the last part of a dotted name, or of the name of what is called."""
    if isinstance(node, ast.Call):
        return _name(node.func)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


# --- all of them -------------------------------------------------------------------------------

COUNTED: dict[str, Callable[[], Iterator[str]]] = {
    "loose modules": loose,
    "layers": layers,
    "imports of the core into wings": into_wings,
    "imports between wings against the plan": between_wings,
    "circles": circles,
    "imports of our modules by name": by_name,
    "modules past 450 lines": long_modules,
    "functions past 60 lines": long_functions,
    "functions past 7 arguments": many_arguments,
    "type: ignore": ignores,
    "repeated public class names": lambda: _listed(repeated_classes()),
    "repeated file names": lambda: _listed(repeated_files()),
    "places of first match": first_matches,
    "places that start a process": processes,
    "places that draw": drawings,
    "constants without a word": lambda: words.silent_constants(modules()),
    "docstrings that begin 'The same' or 'Those'": lambda: words.leaning_docstrings(modules()),
    "functions named by a participle": lambda: words.participles(modules()),
    "of these, participles that are not listed": lambda: words.other_participles(modules()),
    "functions of other rooms with unlisted arguments": lambda: words.unlisted(modules()),
}


def figures() -> Iterator[Figure]:
    """Yield every figure, with its places where it counts places."""
    for name, lines in lines_of_parts().items():
        yield Figure(f"lines of {name}", lines, ())
    yield Figure("longest module", max(module.lines for module in modules()), ())
    for what, places in COUNTED.items():
        found = tuple(places())
        yield Figure(what, len(found), found)


def ceilings() -> dict[str, int]:
    """Return the largest value allowed of each figure."""
    return {f"lines of {name}": most for name, most in LINES.items()} | CEILINGS


def main(arguments: list[str]) -> int:
    """Print the figures, with ``-v`` also every place; return 1 where one is above its ceiling."""
    above = 0
    for figure in figures():
        ceiling = ceilings()[figure.what]
        above += figure.count > ceiling
        mark = "   TOO MANY" if figure.count > ceiling else ""
        print(f"{figure.what:<40} {figure.count:>7,}   at most {ceiling:,}{mark}")
        if "-v" in arguments and figure.what != "layers":
            print("".join(f"    {place}\n" for place in figure.places), end="")
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
