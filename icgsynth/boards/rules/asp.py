"""Parser of game encodings in clingo's language.

The form is that of Hahn and Shankar (2020), Figures 5 and 6: GDL's keywords over clingo's terms.
``true(F).`` as a fact gives the initial state, as ``init(F).`` does.  The choice of a move and
the two constraints that make it one move are implied, so they are read and left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any

from icgsynth.boards.finite import clingo as asp
from icgsynth.boards.finite.datalog import DatalogAtom
from icgsynth.boards.finite.encoding import Encoding, Statement
from icgsynth.boards.rules.asp_habits import (
    find_mend,
    warn_misplaced,
    warn_underived,
    warn_unmade,
    with_distinct,
)
from icgsynth.boards.rules.gdl_laws import RuleCondition, StatedRule, find_broken, find_hidden
from icgsynth.errors import InputError, Span
from icgsynth.spec.source import Source

_NEEDED = ("role", "init", "legal", "next", "goal", "terminal")
_ARITY = {"role": 1, "init": 1, "true": 1, "next": 1, "base": 1, "does": 2, "legal": 2, "goal": 2,
          "terminal": 0}  # fmt: skip
_SHAPES = (
    "write normal rules; the choice { does(R,A) } and the two constraints that make it one move "
    "may be given, other choices and constraints may not"
)
_INCLUDE = re.compile(r'^[ \t]*#include[ \t]+"([^"\n]+)"[ \t]*\.', re.MULTILINE)
_MAX_DEPTH = 8  # files that include each other in a chain
_MAX_STATEMENTS = 20_000  # statements of an encoding: nobody writes more by hand
_MAX_POOL = 1_000  # rules that the pools (';') of one rule stand for


def parse_asp(source: Source, constants: Mapping[str, int] | None = None) -> Encoding:
    """Return the game encoding that ``source`` holds; ``constants`` replace its ``#const`` values.
    :class:`~icgsynth.errors.InputError` with the place of a fault."""
    return _Reader(source, dict(constants or {})).encoding()


class _Reader:
    def __init__(self, source: Source, constants: dict[str, int]) -> None:
        self.source, self.constants = source, constants
        self.ast = asp.syntax()
        self.warnings: list[str] = []
        self.defined: set[str] = set()  # the predicates that some rule has as its head
        self.places: list[Source] = []  # the files read so far; locations name them by number

    def encoding(self) -> Encoding:
        trees = self._read(self.source, ())
        if len(trees) > _MAX_STATEMENTS:
            raise InputError(f"{self.source.name}: more than {_MAX_STATEMENTS:,} statements")
        values = self._values(trees)
        self.defined = {
            name
            for tree, _ in trees
            if tree.ast_type == self.ast.ASTType.Rule
            for symbol in asp.symbols_of(tree.head)
            if (name := getattr(symbol, "name", ""))
        }
        unknown = sorted(set(self.constants) - set(values))
        if unknown:
            known = ", ".join(sorted(values)) or "none"
            raise InputError(
                f"{self.source.name}: there is no constant {unknown[0]}", mend=f"known: {known}"
            )
        kept = list(values.values())
        kept += [rule for tree in trees if (rule := self._statement(tree)) is not None]
        read = [(found, rule) for rule in kept if (found := self._read_rule(rule)) is not None]
        stated = [found for found, _ in read]
        if law := find_broken(stated) or find_hidden(stated, [rule for _, rule in read]):
            raise self._at(law.at, law.message, law.mend)
        heads = {name for rule, _ in kept for name, _ in self._head_names(rule)}
        if missing := [name for name in _NEEDED if name not in heads]:
            raise self._missing(missing, kept)
        placed = [(tree, str(self._span((tree, n))).rpartition(":")[0]) for tree, n in kept]
        rules = [(tree, at) for tree, at in placed if tree.ast_type == self.ast.ASTType.Rule]
        self.warnings += [*warn_underived(rules), *warn_unmade(rules), *warn_misplaced(rules)]
        return Encoding(
            Path(self.source.name).stem,
            tuple(Statement(str(each[0]).replace("\n", " "), self._span(each)) for each in kept),
            tuple(self._roles(kept)),
            "base" in heads,
            tuple(self.warnings),
        )

    def _missing(self, missing: list[str], kept: list[Any]) -> InputError:
        """Return the error, at the last rule of ``kept``, that rules lack keywords ``missing``."""
        names = [name if name == "terminal" else f"{name}(...)" for name in missing]
        also = " (or give true(F) as facts for init)" if "init" in missing else ""
        mend = f"add rules for {', '.join(missing)}{also}"
        if len(missing) == len(_NEEDED):
            mend = (
                "an encoding of a game has rules for role, init, legal, next, goal and terminal; "
                "a game on a graph is a file of edges, as in: a b, one a line, in FILE.edges"
            )
        message = f"no rule says {' or '.join(names)}"
        if not kept:
            return self.source.error(f"{message}: there is no rule", 0, mend)
        return self._at(kept[-1], f"{message}: this is the last rule", mend)

    # --- files and constants -----------------------------------------------------------

    def _read(self, source: Source, within: tuple[str, ...]) -> list[Any]:
        """Return (statement, file number) pairs of ``source``, those of files it includes first.
        ``within`` are the names of the files that include it; InputError for a file among these."""
        if source.name in within or len(within) > _MAX_DEPTH:
            raise InputError(f"{source.name}: the file includes itself", mend="take the loop out")
        number = len(self.places)
        self.places.append(source)
        trees: list[Any] = []
        for found in _INCLUDE.finditer(source.text):
            path = Path(source.name).parent / found.group(1)
            try:
                inner = Source.read(path)
            except InputError as error:
                raise source.error(
                    f"cannot include {found.group(1)}: {error.message}",
                    found.start(1),
                    "the path is relative to this file",
                ) from None
            trees += self._read(inner, (*within, source.name))
        # Blanks in place of the includes, so that lines and columns stay those of the file.
        blank = _INCLUDE.sub(lambda found: " " * len(found.group()), source.text)
        own, errors = asp.parse_statements(blank)
        if errors:
            line, column, message = errors[0]
            raise source.error(message, *find_mend(source.text, _offset(source.text, line, column)))
        comment = getattr(self.ast.ASTType, "Comment", None)  # since clingo 5.8
        for tree in own:
            if tree.ast_type != comment:
                trees += [(one, number) for one in self._split_pools((tree, number))]
        return trees

    def _split_pools(self, placed: Any) -> list[Any]:
        """Return the syntax trees of the rules that a rule with pools, such as ``role(a;b)``,
        stands for. ``placed`` is the rule's tree and its file's number."""
        tree, _ = placed
        kind = self.ast.ASTType
        symbols = asp.symbols_of(tree) if tree.ast_type == kind.Rule else []
        pools = [symbol for symbol in symbols if symbol.ast_type == kind.Pool]
        if not pools:
            return [tree]
        if prod(len(pool.arguments) for pool in pools) > _MAX_POOL:
            raise self._at(placed, f"more than {_MAX_POOL} rules in one", "write fewer ';'")
        return list(tree.unpool())

    def _values(self, trees: list[Any]) -> dict[str, Any]:
        """Return the definition of each constant by name, with its file's number; InputError for
        two. An override goes before a default, and a value given by ``--set`` before both."""
        found: dict[str, Any] = {}
        for tree, number in trees:
            if tree.ast_type != self.ast.ASTType.Definition:
                continue
            # Two defaults contradict each other; a default and an override do not.
            if tree.name in found and tree.is_default and found[tree.name][0].is_default:
                raise self._at((tree, number), f"a second value of {tree.name}", "add [override]")
            if tree.name not in found or not tree.is_default:
                found[tree.name] = (tree, number)
        for name, value in self.constants.items():
            if abs(value) > asp.GREATEST:
                raise InputError(
                    f"--set {name}: clingo holds integers up to {asp.GREATEST:,}",
                    mend="choose a smaller one",
                )
            if name in found:
                tree, number = found[name]
                term = self.ast.SymbolicTerm(tree.location, asp.number(value))
                found[name] = (tree.update(value=term), number)
        return {name: (tree.update(is_default=True), n) for name, (tree, n) in found.items()}

    # --- which statements count --------------------------------------------------------

    def _statement(self, placed: Any) -> Any | None:
        """Return the statement to ground, None for one left out; InputError for one not allowed.
        ``placed`` is a statement's syntax tree and its file's number, as is the result."""
        kind = self.ast.ASTType
        tree, number = placed
        if tree.ast_type == kind.Program:
            if tree.name == "base" and not len(tree.parameters):
                return None
            raise self._at(placed, f"a program part: {tree}", "write one program, part 'base'")
        if tree.ast_type in (kind.Definition, kind.ShowSignature, kind.ShowTerm, kind.Defined):
            return None
        if tree.ast_type == kind.Minimize:
            self.warnings.append(
                f"{self.places[number].name}:{tree.location.begin.line}: an optimisation "
                "statement is no rule of the game: left out"
            )
            return None
        if tree.ast_type != kind.Rule:
            raise self._at(placed, f"not a rule of a game: {_short(str(tree))}", _SHAPES)
        for symbol in asp.symbols_of(tree):
            if symbol.ast_type != kind.Function:
                raise self._at(
                    placed, f"an atom without a name: {_short(str(symbol))}", "write not p, no -p"
                )
        rule = self._rule(placed)
        if rule is None:
            return None
        if "distinct" not in self.defined:
            rule, read = with_distinct(rule)
            if read:
                line = f"{self.places[number].name}:{tree.location.begin.line}"
                self.warnings.append(f"{line}: distinct(A,B) is read as A != B")
        return rule, number

    def _rule(self, placed: Any) -> Any | None:
        kind = self.ast.ASTType
        tree, _ = placed
        head = tree.head
        if head.ast_type == kind.Aggregate:
            names = {
                element.literal.atom.symbol.name
                for element in head.elements
                if element.literal.atom.ast_type == kind.SymbolicAtom
            }
            if names == {"does"}:
                return None
            raise self._at(placed, f"a choice: {_short(str(tree))}", _SHAPES)
        if head.ast_type != kind.Literal:
            raise self._at(placed, f"a head that is no atom: {_short(str(tree))}", _SHAPES)
        if head.atom.ast_type == kind.BooleanConstant:
            self._constraint(placed)
            return None
        if head.atom.ast_type != kind.SymbolicAtom or head.sign:
            raise self._at(placed, f"a head that is no atom: {_short(str(tree))}", _SHAPES)
        for name, arguments in self._names(tree):
            if _ARITY.get(name, arguments) != arguments:
                count = _ARITY[name]
                takes = f"{count} argument{'s' * (count != 1)}" if count else "no argument"
                raise self._at(placed, f"{name} takes {takes}, not {arguments}", str(tree)[:70])
        name = head.atom.symbol.name
        # The program adds predicates g_.. of its own (see Encoding), and the choice of a move.
        if name == "does" or name.startswith("g_"):
            raise self._at(placed, f"{name} cannot be the head of a rule", _SHAPES)
        if name == "true":
            return tree.update(
                head=head.update(atom=head.atom.update(symbol=head.atom.symbol.update(name="init")))
            )
        return tree

    def _constraint(self, placed: Any) -> None:
        """Raise InputError unless a constraint has two atoms ``does``, or one ``not does``.
        ``placed`` is its syntax tree and its file's number."""
        tree, _ = placed
        signs = [
            int(part.sign)
            for part in tree.body
            if part.ast_type == self.ast.ASTType.Literal
            and part.atom.ast_type == self.ast.ASTType.SymbolicAtom
            and part.atom.symbol.name == "does"
        ]
        # ":- does(R,A), does(R,B), A != B" has two unsigned atoms, ":- not does(R,_)" a signed one.
        if sorted(signs) not in ([0, 0], [1]):
            raise self._at(
                placed,
                f"a constraint: {_short(str(tree))}",
                "say in 'legal' which moves there are; constraints other than 'exactly one move' "
                "are not read",
            )

    # --- the predicates of a statement ------------------------------------------------------

    def _read_rule(self, placed: Any) -> StatedRule[Any] | None:
        """Return a rule's head and the predicates it reads; None for a statement that is none."""
        tree, number = placed
        if tree.ast_type != self.ast.ASTType.Rule:
            return None
        ((head, count),) = self._head_names(tree)
        reads = [
            RuleCondition(DatalogAtom(name, ("",) * arguments), True, (part, number))
            for part in tree.body
            for name, arguments in self._names(part)
        ]
        return StatedRule(DatalogAtom(head, ("",) * count), tuple(reads))

    def _head_names(self, tree: Any) -> list[tuple[str, int]]:
        if tree.ast_type != self.ast.ASTType.Rule:
            return []
        symbol = tree.head.atom.symbol
        return [(symbol.name, len(symbol.arguments))]

    def _names(self, tree: Any) -> list[tuple[str, int]]:
        return [(symbol.name, len(symbol.arguments)) for symbol in asp.symbols_of(tree)]

    def _roles(self, kept: list[Any]) -> list[str]:
        """Return the roles that facts ``role(R).`` name, in their order."""
        found: list[str] = []
        for tree, _ in kept:
            if self._head_names(tree) == [("role", 1)] and not len(tree.body):
                found.append(str(tree.head.atom.symbol.arguments[0]))
        return found

    # --- errors -----------------------------------------------------------------------------

    def _span(self, placed: Any) -> Span:
        tree, number = placed
        source: Source = self.places[number]
        begin = tree.location.begin
        return source.span(_offset(source.text, begin.line, begin.column))

    def _at(self, placed: Any, message: str, mend: str) -> InputError:
        return InputError(message, self._span(placed), mend)


def _offset(text: str, line: int, column: int) -> int:
    """Return the character offset of ``line`` and ``column``, from 1; ``column`` counts bytes."""
    lines = text.split("\n")
    line = min(max(line, 1), len(lines))
    before = lines[line - 1].encode()[: max(column, 1) - 1].decode(errors="ignore")
    return sum(len(t) + 1 for t in lines[: line - 1]) + len(before)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 70 else text[:67] + "..."
