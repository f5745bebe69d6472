"""Parser of the Game Description Language in KIF.

The language of Love, Hinrichs, Haley, Schkufza and Genesereth, "General Game Playing: Game
Description Language Specification" (2008): ``role init true does next legal goal terminal
distinct not or and base input``, nested terms, recursion, ``;`` comments, any case.  ``or``,
``and`` and ``not`` may be nested; each rule is split into rules without ``or``.

The laws of its section 2 are those of :mod:`icgsynth.boards.rules.gdl_laws`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from icgsynth.boards.finite.datalog import (
    Comparison,
    DatalogAtom,
    DatalogLiteral,
    DatalogRule,
    Rulebook,
    Term,
    Variable,
    variables,
)
from icgsynth.boards.rules.gdl_habits import find_meant, find_slips
from icgsynth.boards.rules.gdl_laws import (
    STATE_WORDS,
    RuleCondition,
    StatedRule,
    find_broken,
    find_hidden,
    find_negative_ring,
)
from icgsynth.boards.rules.infix import looks_infix, prefix_form
from icgsynth.spec.sexpr import Expr, List, Symbol, read_lists, show_expr
from icgsynth.spec.source import Source, quoted

# --- gdl -----------------------------------------------------------------------------------------

_ARITY = {
    "role": 1, "init": 1, "true": 1, "next": 1, "does": 2, "legal": 2, "goal": 2,
    "terminal": 0, "distinct": 2, "not": 1,
}  # fmt: skip
_NOTES = frozenset({"base", "input"})  # keywords for possible facts and moves, for programs
_KNOWN = {**_ARITY, "base": 1, "input": 2}
_CONNECTIVES = frozenset({"not", "or", "and", "distinct", "<="})
_NO_HEADS = _CONNECTIVES | {"true", "does"}
_ONLY_HEADS = frozenset({"init", "next"})
_NEEDED = ("role", "legal", "next", "goal", "terminal")  # without init no fact holds at first
_SHOWN = 3  # statements of an infix text that are shown in prefix form
_MAX_RULES = 50_000
_HEAD = "a head is a relation, such as (next (cell 1 1 x)) or terminal"
_HEADS = {
    "true": "write (init ...) for what holds at first, (next ...) for what holds after a move",
    "does": "write (legal ...) for what may be done",
}

_Body = tuple[DatalogLiteral | Comparison, ...]


def parse_gdl(source: Source) -> Rulebook:
    """Parse GDL in KIF; :class:`~icgsynth.errors.InputError` with the place of a fault."""
    return _Reader(source).rulebook()


class _Reader:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.rules: list[DatalogRule] = []
        self.stated: list[StatedRule[int]] = []
        self.places: list[int] = []  # where the head of each stands
        self.read: set[str] = set()  # the relations that some rule has as a condition
        self.reads: list[RuleCondition[int]] = []  # the conditions of the rule that is being read

    def rulebook(self) -> Rulebook:
        if looks_infix(self.source.text):
            raise self._infix()
        notes: dict[str, list[Expr]] = {}
        last = 0
        for form in read_lists(self.source):
            last = form.start
            if (word := _head(_head_of(form))) in _NOTES:
                notes.setdefault(word, []).append(form)
            else:
                self._rule(form)
        # Notes are rules of the game only where a rule reads them; else they may say anything.
        while needed := sorted(notes.keys() & self.read):
            for form in notes.pop(needed[0]):
                self._rule(form)
        if found := (
            find_broken(self.stated)
            or find_negative_ring(self.stated)
            or find_hidden(self.stated, self.places)
        ):
            raise self.source.error(found.message, found.at, found.mend)
        heads = {rule.head.relation for rule in self.rules}
        if missing := [relation for relation in _NEEDED if relation not in heads]:
            raise self._missing(missing, heads, last)
        warnings = [*find_slips(self.rules, self.read, _KNOWN), *self._of_notes(notes)]
        name = Path(self.source.name).stem
        return Rulebook(name, tuple(self.rules), tuple(warnings), self.source.text)

    def _infix(self) -> Exception:
        """Return the error for GDL in infix form; it shows the first statements in prefix form."""
        forms = list(islice(prefix_form(self.source.text), _SHOWN))
        start = len(self.source.text) - len(self.source.text.lstrip())
        message = "this is GDL in infix form, and GDL in prefix form (KIF) is read"
        return self.source.error(message, start, f"write {' '.join(forms)} and so on")

    def _missing(self, missing: list[str], heads: set[str], last: int) -> Exception:
        """Return the error that rules for keywords ``missing`` lack; ``heads`` are those that rules
        have. It is placed at a misspelt head, else at ``last``, the offset of the last rule."""
        if not heads:
            message, mend = "there is no rule", "rules begin so: (role x) (role o) (init (turn x))"
            return self.source.error(message, 0, mend)
        for stated, place in zip(self.stated, self.places, strict=True):
            name = stated.head.relation
            if near := find_meant(stated.head, self.read, _KNOWN):
                message = f"no rule reads {name}: did you mean {near}?"
                mend = f"write {near}, or a rule that reads {name}"
                return self.source.error(message, place, mend)
        said = [name if name == "terminal" else f"({name} ...)" for name in missing]
        message = f"no rule says {' or '.join(said)}: this is the last rule"
        return self.source.error(message, last, f"add rules for {', '.join(missing)}")

    def _of_notes(self, notes: dict[str, list[Expr]]) -> Iterator[str]:
        """Yield a warning for each ``base`` or ``input`` rule that reads the state of play.
        ``notes`` has the rules by these two words."""
        for word, forms in sorted(notes.items()):
            for form in forms:
                if read := next((w for w in _words(form) if w in STATE_WORDS), None):
                    line = self.source.span(form.start).line
                    yield (
                        f"line {line}: {word} depends on {read}, but what may ever be is known "
                        "before play; the rule is passed over"
                    )

    # --- rules ---------------------------------------------------------------------

    def _rule(self, form: Expr) -> None:
        line = self.source.span(form.start).line
        self.reads = []
        bodies: list[_Body] = [()]
        head = _head_of(form)
        if isinstance(form, List) and _head(form) == "<=":
            if head is form:
                mend = "write (<= head condition ...)"
                raise self.source.error("a rule without a head", form.start, mend)
            for part in form.items[2:]:
                bodies = self._product(bodies, self._bodies(part, True), part)
        atom = self._atom(head)
        if atom.relation in _NO_HEADS:
            message = f"{quoted(atom.relation)} cannot be the head of a rule"
            raise self.source.error(message, head.start, _HEADS.get(atom.relation, _HEAD))
        self.stated.append(StatedRule(atom, tuple(self.reads)))
        self.places.append(head.start)
        rules = [DatalogRule(atom, body, line) for body in bodies]
        if unbound := next((name for rule in rules for name in sorted(_unbound(rule))), None):
            raise self.source.error(
                f"no condition says what ?{unbound} can be",
                _place(form, unbound),
                "give the rule a condition with it that is neither 'not' nor 'distinct'",
            )
        self.rules.extend(rules)
        if len(self.rules) > _MAX_RULES:
            raise self._too_many(form)

    def _bodies(self, part: Expr, positive: bool) -> list[_Body]:
        """Return the alternatives, lists of literals, of the condition ``part`` or, unless
        ``positive``, of its negation; InputError for what is no condition."""
        word = _head(part)
        if isinstance(part, List) and word in ("or", "and"):
            if len(part.items) == 1:
                holds = "never" if word == "or" else "always"
                message = f"'{word}' without conditions {holds} holds"
                raise self.source.error(message, part.start, "give it conditions, or take it out")
            split = [self._bodies(item, positive) for item in part.items[1:]]
            # not (a or b) = not a and not b: under a negation the two change places.
            if (word == "or") == positive:
                return [body for bodies in split for body in bodies]
            merged: list[_Body] = [()]
            for bodies in split:
                merged = self._product(merged, bodies, part)
            return merged
        if isinstance(part, List) and word in ("not", "distinct"):
            if len(part.items) != _ARITY[word] + 1:
                raise self._arity(word, part)
            if word == "not":
                return self._bodies(part.items[1], not positive)
            left, right = (self._term(item) for item in part.items[1:])
            return [(Comparison(left, right, equal=not positive),)]
        if word == "<=":
            raise self.source.error("a rule inside a rule", part.start, "close the rule before it")
        atom = self._atom(part)
        if atom.relation in _ONLY_HEADS:
            mend = "write true for what holds now; does and true say what holds next"
            raise self.source.error(
                f"{quoted(atom.relation)} cannot be a condition of a rule", part.start, mend
            )
        self.read.add(atom.relation)
        self.reads.append(RuleCondition(atom, positive, part.start))
        return [(DatalogLiteral(atom, positive),)]

    def _product(self, left: list[_Body], right: list[_Body], at: Expr) -> list[_Body]:
        if len(left) * len(right) > _MAX_RULES:
            raise self._too_many(at)
        return [a + b for a in left for b in right]

    # --- atoms and terms --------------------------------------------------------------

    def _atom(self, part: Expr) -> DatalogAtom:
        arguments: tuple[Term, ...] = ()
        if isinstance(part, Symbol):
            relation = part
        elif part.head is None:
            what = "an empty list" if not part.items else "a list that starts with a list"
            raise self.source.error(f"expected a relation, not {what}", part.start, _HEAD)
        else:
            relation = part.head
            arguments = tuple(self._term(item) for item in part.items[1:])
        name = relation.word
        if name.startswith("?"):
            message = f"expected a relation, not the variable {quoted(relation.text)}"
            raise self.source.error(message, relation.start, "name the relation")
        if _ARITY.get(name, len(arguments)) != len(arguments):
            raise self._arity(name, part)
        return DatalogAtom(name, arguments)

    def _term(self, part: Expr) -> Term:
        if isinstance(part, Symbol):
            if part.word in _CONNECTIVES:
                message = f"{quoted(part.text)} cannot stand inside a term"
                raise self.source.error(message, part.start, "write it as a condition of the rule")
            if not part.text.startswith("?"):
                return part.word
            if len(part.text) == 1:
                raise self.source.error("a variable without a name", part.start, "write ?x")
            return Variable(part.word[1:])
        if part.head is None or part.head.text.startswith("?"):
            message = f"expected a term, not {show_expr(part)}"
            raise self.source.error(message, part.start, "a term starts with the function's name")
        if part.head.word in _CONNECTIVES:
            message = f"{quoted(part.head.text)} cannot stand inside a term"
            raise self.source.error(message, part.start, "write it as a condition of the rule")
        if len(part.items) == 1:
            return part.head.word
        return (part.head.word, *(self._term(item) for item in part.items[1:]))

    def _arity(self, name: str, at: Expr) -> Exception:
        count = _ARITY[name]
        takes = f"{count} argument{'s' * (count != 1)}" if count else "no argument"
        got = len(at.items) - 1 if isinstance(at, List) else 0
        example = {
            0: f"write {name}",
            1: f"write ({name} X)",
            2: f"write ({name} X Y)",
        }[count]
        return self.source.error(f"{name} takes {takes}, not {got}", at.start, example)

    def _too_many(self, at: Expr) -> Exception:
        message = f"more than {_MAX_RULES:,} rules after 'or' is split"
        return self.source.error(message, at.start, "name the disjunction by a relation")


def _head(part: Expr) -> str:
    if isinstance(part, Symbol):
        return part.word
    return part.head.word if part.head is not None else ""


def _words(form: Expr) -> Iterator[str]:
    """Yield the names of the relations in the conditions of the rule ``form``."""
    pending = list(form.items[2:]) if isinstance(form, List) and _head(form) == "<=" else []
    while pending:
        part = pending.pop()
        yield _head(part)
        if isinstance(part, List) and _head(part) in ("and", "or", "not"):
            pending.extend(part.items[1:])


def _head_of(form: Expr) -> Expr:
    """Return the head of the rule ``(<= head ..)``, or ``form`` itself where it is a fact."""
    rule = isinstance(form, List) and _head(form) == "<=" and len(form.items) > 1
    return form.items[1] if isinstance(form, List) and rule else form


def _unbound(rule: DatalogRule) -> set[str]:
    """Return the variables of a rule that occur in no positive condition."""
    bound: set[str] = set()
    used = {name for term in rule.head.arguments for name in variables(term)}
    for part in rule.body:
        terms = part.atom.arguments if isinstance(part, DatalogLiteral) else (part.left, part.right)
        names = {name for term in terms for name in variables(term)}
        used |= names
        if isinstance(part, DatalogLiteral) and part.positive:
            bound |= names
    return used - bound


def _place(form: Expr, variable: str) -> int:
    pending: list[Expr] = [form]
    while pending:
        part = pending.pop()
        if isinstance(part, List):
            pending.extend(reversed(part.items))
        elif part.word == f"?{variable}":
            return part.start
    return form.start
