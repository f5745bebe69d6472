"""Print terms and formulas in Gallina, the language of Coq, as they stand.

``Z.div`` and ``Z.modulo`` round down, as the language does.  Each formula has two texts, of type
``Prop`` and ``bool``, and each node a third one, as data for the checker of ``checker.v``: the
meaning of the data is the text of type ``Prop``, by computation alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from icgsynth.errors import CannotExpress
from icgsynth.logic import term as t
from icgsynth.logic.identifiers import apart

_COMMENT = re.compile(r"\(\*.*?\*\)", re.S)

# Words of Gallina, and names that the generated part of a file uses.
_TAKEN = re.compile(
    r"as|at|by|cofix|else|end|exists2?|fix|for|forall|fun|if|in|let|match|return|then|using|where"
    r"|with|mod|[A-Z]\w*|[smt]|rules|found|read|helped|claimed|shown_by|written|plain|as_read|answer"
    r"|alike_claimed|alike_by|machine|(sought|ready|values)_by\w*|(action|rule|claim|part)_\d+|\w+_is"
    r"|divisor_\w+|same_\w+|table_of_\w+|option|list|nil|cons|bool|true|false|not"
    r"|and|or|iff|negb|andb|orb|implb|eqb|eq_refl|conj|well_founded|nat|fst|snd|_"
    # constructors, which a pattern would take for themselves
    r"|left|right|in(l|r|left|right|habits)|pair|tt|x[HIO]|exist[2T]?|existT2|ex_intro2?|or_intro[lr]"
    r"|is_eq_true|le_[nS]|exists_(S|le)|nth_[OS]|bet_(S|emp)|mk_?(hypo|R?morph|art|reqe|s?rt|seqe)"
    r"|mk(div|pow|sign)_th"
)
_DEFINED = re.compile(
    r"^(?:Lemma|Theorem|Definition|Fixpoint|Inductive|Record|Ltac|Notation|with)\s+(\w+)"
    r"|[{;]\s+(\w+) :[^=]"  # fields of records
    r"|^\| (\w+) (?!.*=>)[^:]*:[^:]",  # constructors
    re.M,
)
_PROP = {"=": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_BOOL = {"=": "=?", "<": "<?", "<=": "<=?", ">": ">?", ">=": ">=?"}
_DATA = {"=": "Eq", "!=": "Ne", "<": "Lt", "<=": "Le", ">": "Gt", ">=": "Ge"}
_WORDS: dict[type[t.Node], str] = {
    t.Neg: "Opp",
    t.Mul: "Times",
    t.Mod: "Rest",
    t.Div: "Quot",
    t.Min: "Least",
    t.Max: "Most",
    t.Abs: "Size",
    t.If: "Cond",
    t.Not: "Not",
    t.Implies: "Imp",
    t.Iff: "Iff",
}


@cache
def libraries() -> Mapping[str, str]:
    """Return the texts that files are put together from, such as ``claims``, by their names."""
    from importlib.resources import files  # late: a report needs no library for Coq

    texts = files(__package__).joinpath("library").iterdir()
    return {text.name.removesuffix(".v"): text.read_text("utf-8") for text in texts}


@cache
def library(part: str) -> str:
    """Return the Coq library named ``part``, one of :func:`libraries`, as text. The checker, in
    which nothing has to be believed, has no comments and no indentation."""
    text = libraries()[part]
    if part not in ("alike", "checker"):
        return text
    heading, rest = text.split("\n", 1)
    lines = (line.strip() for line in _COMMENT.sub("", rest).splitlines())
    return "\n".join([heading, *filter(None, lines)]) + "\n"


@cache
def _find_defined() -> frozenset[str]:
    # A variable of the rules may not have the name of a lemma, which it would hide in the proofs.
    found = (words for part in libraries() for words in _DEFINED.findall(library(part)))
    return frozenset(word for words in found for word in words if word)


def name(text: str) -> str:
    """Return Coq's word for a name: itself, or with a prime where Coq or the file has it already. A
    proof names terms with a ``!`` before a number, which becomes two primes."""
    said = text.replace("!", "''")
    ours = apart(
        [text], lambda word: _TAKEN.fullmatch(word) or word in _find_defined(), lambda _: said, "'"
    )
    return ours[text]


def names(texts: Sequence[str]) -> str:
    """Return Coq's words for ``texts``, with blanks between them."""
    return " ".join(map(name, texts))


def binder(texts: Sequence[str]) -> str:
    """Return the names ``texts`` as the binder of a statement, `` (a b : Z)``; "" without any."""
    return f" ({names(texts)} : Z)" if texts else ""


def format_list(texts: Iterable[str]) -> str:
    """Return ``texts`` as a list of Gallina."""
    return f"[{'; '.join(texts)}]"


def number(value: int) -> str:
    """Return an integer as text, in parentheses where it is negative."""
    return str(value) if value >= 0 else f"(-{-value})"


def _term(node: t.Term) -> str:
    match node:
        case t.Int(value):
            return number(value)
        case t.Name(text):
            return name(text)
        case t.Sum(args):
            links = [
                f" - {_term(a.arg)}" if isinstance(a, t.Neg) else f" + {_term(a)}" for a in args[1:]
            ]
            return f"({_term(args[0])}{''.join(links)})"
        case t.Neg(arg):
            return f"(- {_term(arg)})"
        case t.Mul(left, right):
            return f"({_term(left)} * {_term(right)})"
        case t.Mod(arg, divisor):
            return f"({_term(arg)} mod {_term(divisor)})"
        case t.Div(arg, divisor):
            return f"({_term(arg)} / {_term(divisor)})"
        case t.Min(left, right) | t.Max(left, right):
            return f"(Z.{type(node).__name__.lower()} {_term(left)} {_term(right)})"
        case t.Abs(arg):
            return f"(Z.abs {_term(arg)})"
        case t.If(condition, then, otherwise):
            return f"(if {boolean(condition)} then {_term(then)} else {_term(otherwise)})"
        case t.Digital("nimsum", args, _, modulus):
            return f"(nimsum {modulus} [{'; '.join(map(_term, args))}])"
        case t.Digital(kind, (arg,)):
            return f"({kind} {_term(arg)})"
    raise _unsaid(node)


def _unsaid(node: t.Node) -> CannotExpress:
    return CannotExpress(
        f"coq cannot say '{node}' here: only linear arithmetic without quantifiers"
    )


def proposition(node: t.Node) -> str:
    """Return ``node`` as text in Gallina, a term of type ``Z`` or a formula of type ``Prop``;
    CannotExpress for what Gallina lacks."""
    match node:
        case t.Truth(value):
            return str(value)
        case t.Compare(terms, ops):
            said = [_term(term) for term in terms]
            links = zip(said, ops, said[1:], strict=False)
            return _nest(r"/\ ", [f"{x} {_PROP[op]} {y}" for x, op, y in links])
        case t.Member(item, values):
            return _nest(r"\/ ", [f"{_term(item)} = {_term(v)}" for v in values])
        case t.Not(arg):
            return f"(~ {_bracket(proposition(arg))})"
        case t.And(args):
            return _nest(r"/\ ", [proposition(a) for a in args])
        case t.Or(args):
            return _nest(r"\/ ", [proposition(a) for a in args])
        case t.Implies(left, right):
            return f"({_bracket(proposition(left))} -> {proposition(right)})"
        case t.Iff(left, right):
            return f"({_bracket(proposition(left))} <-> {_bracket(proposition(right))})"
        case t.Recognised(_, terms, label):
            return f"reads {label} [{'; '.join(map(_term, terms))}] = true"
        case t.Quantified(kind, bound, body):
            return f"({kind} {names(bound)} : Z, {proposition(body)})"
        case _ if isinstance(node, t.Term):
            return _term(node)
    raise _unsaid(node)


def _bracket(text: str) -> str:
    return text if text.startswith("(") or text.isalpha() else f"({text})"


def _nest(sign: str, parts: list[str]) -> str:
    """Return ``parts`` joined by ``sign``, which Coq reads as joined to the right."""
    return f"({f' {sign}'.join(parts)})" if len(parts) > 1 else parts[0]


def boolean(node: t.Node) -> str:
    """Return a formula as text of type ``bool``, shaped as by :func:`proposition`; CannotExpress
    for quantifiers, automata, and what Gallina lacks."""
    match node:
        case t.Truth(value):
            return str(value).lower()
        case t.Compare(terms, ops):
            said = [_term(term) for term in terms]
            links = zip(said, ops, said[1:], strict=False)
            return nest_by("({} && {})", [_link(x, op, y) for x, op, y in links])
        case t.Member(item, values):
            return nest_by("({} || {})", [f"({_term(item)} =? {_term(v)})" for v in values])
        case t.Not(arg):
            return f"(negb {boolean(arg)})"
        case t.And(args):
            return nest_by("({} && {})", [boolean(a) for a in args])
        case t.Or(args):
            return nest_by("({} || {})", [boolean(a) for a in args])
        case t.Implies(left, right):
            return f"(implb {boolean(left)} {boolean(right)})"
        case t.Iff(left, right):
            return f"(eqb {boolean(left)} {boolean(right)})"
    raise _unsaid(node)


def _link(left: str, op: str, right: str) -> str:
    return f"(negb ({left} =? {right}))" if op == "!=" else f"({left} {_BOOL[op]} {right})"


def nest_by(form: str, parts: Sequence[str]) -> str:
    """Return ``parts`` joined from the right: ``form`` has {} for a part and {} for the rest. Coq
    reads && and || to the left without parentheses; formulas as data have two parts each."""
    *first, last = parts
    for part in reversed(first):
        last = form.format(part, last)
    return last


def data(node: t.Node, places: Mapping[str, int | str]) -> str:
    """Return ``node`` as Coq data, a term of type ``tm`` or a formula of type ``fm``, in which each
    name is its number in ``places``; CannotExpress for what these types lack."""

    def of(*parts: t.Node) -> str:
        return " ".join(data(part, places) for part in parts)

    def row(terms: Sequence[t.Term]) -> str:
        return "".join(f"(Next {of(term)} " for term in terms) + "Nil" + ")" * len(terms)

    match node:
        case t.Int(value):
            return f"(K {number(value)})"
        case t.Name(text):
            return f"(X {places[text]})"
        case t.Sum(args):
            # Sums join to the left and have two parts each in Coq.
            said = of(args[0])
            for a in args[1:]:
                word, arg = ("Minus", a.arg) if isinstance(a, t.Neg) else ("Plus", a)
                said = f"({word} {said} {of(arg)})"
            return said
        case t.Truth(value):
            return "Yes" if value else "No"
        case t.Compare():
            return nest_by("(And {} {})", [f"({_DATA[op]} {of(x, y)})" for x, op, y in node.links])
        case t.Member(item, values):
            return nest_by("(Or {} {})", [f"(Eq {of(item, v)})" for v in values])
        case t.And(args) | t.Or(args):
            return nest_by(f"({type(node).__name__} {{}} {{}})", [of(a) for a in args])
        case t.Recognised(_, terms, label):
            return f"(Reads {label} {row(terms)})"
        case t.Digital(kind, terms, _, modulus):
            word = f"(Nimsum {modulus})" if kind == "nimsum" else kind.capitalize()
            return f"(Of {word} {row(terms)})"
    if type(node) in _WORDS:
        return f"({_WORDS[type(node)]} {of(*t.children(node))})"
    raise _unsaid(node)
