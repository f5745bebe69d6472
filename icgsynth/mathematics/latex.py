"""Write a solution, or Grundy values, as a theorem in LaTeX: rules, statement and moves.

The text is in paragraphs and lists, which break across pages, with formulas between dollar signs.
An automaton is a table of its transitions.  An answer that is not proved is called a claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.transitions import columns, in_words, number_states
from icgsynth.errors import CannotExpress, InputError
from icgsynth.export.digit_words import explanations, meanings
from icgsynth.export.sentences import in_prose, title
from icgsynth.game.game import Action, ParametricGame
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule, TargetRule
from icgsynth.game.value_forms import ExponentValue, SumValue, Value, WindowValue
from icgsynth.logic import term as t
from icgsynth.logic.build import walk
from icgsynth.logic.nodes import MEANING, Written, join_texts
from icgsynth.logic.prose import in_rules

# --- latex ---------------------------------------------------------------------------------------

_LONG = 90  # characters: a formula whose LaTeX is longer gets a line for each of its parts
_ROWS, _COLUMNS = 64, 27  # most states and symbols of an automaton in a table


def latex(solution: Solution) -> str:
    """Return the solution as a theorem in LaTeX: states, moves, who wins where, winning moves."""
    if solution.winning is None and solution.losing is None:
        return theorem(title(solution), False, ["No winning formula is known."])
    winning, losing = solution.sides()
    who = "loses" if solution.rule == "normal" else "wins"
    said = [*_rules(solution.game), f"A player who cannot move {who}."]
    if most := solution.game.block:
        states = f"{most} of the states" if most > 1 else "one of the states"
        said.append(f"Before each move the opponent may forbid {states} that moves lead to.")
    said += [_claim("loses", losing), _claim("wins", winning), *_moves(solution)]
    nodes = [node for formula in (losing, winning) for node in walk(formula)]
    sets = {node.name: node.automaton for node in nodes if isinstance(node, t.Recognised)}
    told = [" ".join(map(_sentence, meanings(solution))), *_tables(sets)]
    return theorem(title(solution), solution.is_proved, said, filter(None, told))


def short_latex(solution: Solution) -> str:
    """Return the losing formula alone in LaTeX, for a notebook; "" where none is known."""
    losing = solution.losing
    return "" if losing is None else rf"$\displaystyle {mathematics(losing.formula)}$"


def theorem(name: str, is_proved: bool, said: Iterable[str], after: Iterable[str] = ()) -> str:
    """Return a LaTeX theorem called ``name`` of paragraphs ``said``, with paragraphs ``after``.

    Unless ``is_proved``, the theorem is called a claim.
    """
    kind, words = ("theorem", "Theorem") if is_proved else ("claim", "Claim (not proved in full)")
    body = "\n\n".join(said)
    parts = [
        rf"% needs \usepackage{{amsmath,amsthm,longtable}} and \newtheorem{{{kind}}}{{{words}}}",
        rf"\begin{{{kind}}}[{escaped(name)}]",
        body,
        rf"\end{{{kind}}}",
    ]
    return "\n".join(parts + [f"\n{paragraph}" for paragraph in after]) + "\n"


def listing(kind: str, items: Iterable[str]) -> str:
    """Return ``items`` as a list in LaTeX; ``kind`` is "itemize" or "enumerate"."""
    rows = "\n".join(rf"\item {item}" for item in items)
    return f"\\begin{{{kind}}}\n{rows}\n\\end{{{kind}}}"


def fragment(name: str, said: Iterable[str]) -> str:
    """Return LaTeX of the paragraphs ``said`` with ``name`` as head, which needs only amsmath."""
    first = f"% needs \\usepackage{{amsmath}}\n\\textbf{{{escaped(name)}.}}"
    return "\n\n".join([first, *said]) + "\n"


def _rules(game: ParametricGame) -> Iterator[str]:
    names = ", ".join(map(_name, game.variables))
    states = f"({names})" if len(game.variables) > 1 else names
    where = "" if game.legal == t.TRUE else f" with {_conditions(game.legal)}"
    yield f"The states are the integers ${states}${where}. A move leads from one to another:"
    yield listing("itemize", map(_action, game.actions))
    if game.end != t.FALSE:
        yield f"Play is over where {_conditions(game.end)}."


def _conditions(formula: t.Formula) -> str:
    """Return a formula of the rules in LaTeX, the parts of a conjunction joined by "and"."""
    parts = formula.args if isinstance(formula, t.And) else (formula,)
    return " and ".join(f"${mathematics(in_rules(part))}$" for part in parts)


def _action(action: Action) -> str:
    inside = f"({', '.join(map(_name, action.parameters))})" * bool(action.parameters)
    changes = ", ".join(
        rf"${_name(name)} \mapsto {mathematics(in_rules(term))}$" for name, term in action.effects
    )
    is_free = action.precondition == t.TRUE
    when = "" if is_free else f", where {_conditions(action.precondition)}"
    return f"${_text_name(action.name)}{inside}$: {changes}{when}."


def _claim(verb: str, formula: t.Formula) -> str:
    lead, text = f"The player to move {verb} exactly where", mathematics(formula)
    if len(text) <= _LONG or not isinstance(formula, t.And | t.Or):
        return f"{lead} ${text}$."
    each = "all of these hold" if isinstance(formula, t.And) else "one of these holds"
    return f"{lead} {each}:\n" + listing("itemize", (f"${mathematics(x)}$" for x in formula.args))


def _moves(solution: Solution) -> Iterator[str]:
    pairs = solution.strategy or solution.tree
    lead = "In a winning state, the first of these rules whose move is possible wins:"
    if most := solution.game.block:
        lead = f"Winning moves are all of these, more than the {most} that may be forbidden:"
    if pairs:
        yield f"{lead}\n" + listing("enumerate", map(_item, pairs))


def _item(pair: Rule | TargetRule) -> str:
    if isinstance(pair, TargetRule):
        act = f"${_text_name(pair.action)}$ to a losing ${_tuple(pair.after)}$"
    else:
        inside = ", ".join(mathematics(term) for _, term in pair.act.arguments)
        act = f"${_text_name(pair.act.action)}{f'({inside})' if inside else ''}$"
    return f"{act}." if pair.when == t.TRUE else f"{act}, if ${mathematics(pair.when)}$."


def _sentence(said: str) -> str:
    """Return the sentence ``said`` about digits as LaTeX text, with signs for operators."""
    text = escaped(said)
    for pattern, sign in _WORDS.items():
        text = re.sub(pattern, rf"${sign}$", text)
    return re.sub(r"(?<=is in )([A-Z]\d*)(?= iff)", lambda found: f"${_name(found[0])}$", text)


def _tables(sets: Mapping[str, Automaton]) -> Iterator[str]:
    """Yield a sentence and a table (star: accepting) per automaton; InputError if too large."""
    for name, automaton in sets.items():
        names, digits = number_states(automaton), columns(automaton)
        rows = [automaton.transitions[state] for state in names]
        used = [s for s in range(len(digits)) if any(row[s] in names for row in rows)]
        if len(names) > _ROWS or len(used) > _COLUMNS:
            message = f"{in_words(automaton)} is too large for a table"
            raise InputError(message, mend="export to walnut, dot, python or json instead")
        stacked = (r" \\ ".join(map(str, digits[symbol])) for symbol in used)
        heads = [rf"$\begin{{smallmatrix}} {each} \end{{smallmatrix}}$" for each in stacked]
        lines = [" & ".join(["", *heads]) + r" \\ \hline"]
        for (state, number), row in zip(names.items(), rows, strict=True):
            cells = (str(names.get(row[symbol], r"$\cdot$")) for symbol in used)
            head = f"${number}{'^*' * automaton.accepting[state]}$"
            lines.append(" & ".join([head, *cells]) + r" \\")
        tracks = ", ".join(map(_tuple, automaton.tracks))
        begin = rf"\begin{{longtable}}{{r|{'c' * len(used)}}}"
        yield (
            f"The automaton of ${_name(name)}$ begins in state 0, reads the digits of ${tracks}$ "
            "side by side, and accepts where it ends in a state with a star."
        )
        yield "\n".join([begin, *lines, r"\end{longtable}"])


# --- names and text --------------------------------------------------------------------

_SPECIAL: Mapping[str, str] = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{char: f"\\{char}" for char in "&%$#_{}"},
}
_INDEXED = re.compile(r"([A-Za-z])([0-9]+)")


def escaped(text: str) -> str:
    """Return ``text`` with LaTeX's special characters escaped."""
    return "".join(_SPECIAL.get(char, char) for char in text)


def code(text: str) -> str:
    """Return ``text`` in typewriter letters in LaTeX."""
    return rf"\texttt{{{escaped(text)}}}"


def _name(name: str) -> str:
    """Return a variable for math mode: one letter unchanged, ``a12`` with index, else a word."""
    if len(name) == 1 and name.isalpha():
        return name
    if (match := _INDEXED.fullmatch(name)) is not None:
        return f"{match.group(1)}_{{{match.group(2)}}}"
    return rf"\mathit{{{escaped(name)}}}"


def _tuple(text: str) -> str:
    """Return ``text`` such as ``(a', b)`` for math mode, each name as a variable."""
    return re.sub(r"[A-Za-z_][A-Za-z0-9_]*", lambda found: _name(found[0]), text)


def _text_name(name: str) -> str:
    return rf"\mathrm{{{escaped(name)}}}"


_WORDS: Mapping[str, str] = {
    r"nimsum\\_([0-9]+)": r"\\oplus_{\1}",
    r"\bxor\b": r"\\oplus",
    ">=": r"\\ge",
    "<=": r"\\le",
    r"\bphi \* n\b": r"\\varphi n",
    r"\bphi\b": r"\\varphi",
}


# --- formulas and terms -------------------------------------------------------------------

_WIDEST, _IFF, _IMPLIES, _OR, _AND, _NOT, _LINK, _SUM, _PRODUCT, _UNARY, _ATOM = range(11)
_SIGNS: Mapping[str, str] = {op: op for op in MEANING} | {"!=": r"\ne", "<=": r"\le", ">=": r"\ge"}


def mathematics(node: t.Node) -> str:
    r"""Return ``node`` in math mode: ``a \ne b``, ``a + b \not\equiv 0 \pmod{3}``."""
    return _show(node).text


def _show(node: t.Node) -> Written:
    if (congruence := _congruence(node)) is not None:
        return congruence
    inner = t.summands(node) if isinstance(node, t.Sum) else t.spoken_parts(node)
    parts = [_show(part) for part in inner]
    text, strength = _formula(node, parts)
    return Written(text, strength)


def _congruence(node: t.Node) -> Written | None:
    r"""Return ``t mod c = r``, 0 <= r < c, as ``t \equiv r \pmod{c}``; None for other nodes."""
    match node:
        case t.Compare((t.Mod(arg, t.Int(modulus)), t.Int(remainder)), ("=" | "!=" as op,)):
            if 0 <= remainder < modulus:
                sign = r"\equiv" if op == "=" else r"\not\equiv"
                text = rf"{_show(arg).at(_SUM)} {sign} {remainder} \pmod{{{modulus}}}"
                return Written(text, _LINK)
    return None


def _formula(node: t.Node, parts: list[Written]) -> tuple[str, int]:
    match node:
        case t.Truth(value):
            return rf"\text{{{'true' if value else 'false'}}}", _ATOM
        case t.Compare(_, ops):
            links = zip(ops, parts[1:], strict=True)
            chain = "".join(f" {_SIGNS[op]} {part.at(_SUM)}" for op, part in links)
            return parts[0].at(_SUM) + chain, _LINK
        case t.Member():
            return rf"{parts[0].at(_SUM)} \in \{{{join_texts(parts[1:])}\}}", _LINK
        case t.Not(t.Member()):
            return rf"{parts[0].at(_SUM)} \notin \{{{join_texts(parts[1:])}\}}", _LINK
        case t.Recognised(name=name) if len(parts) == 1:
            return rf"{parts[0].at(_SUM)} \in {_name(name)}", _LINK
        case t.Recognised(name=name):
            return rf"({join_texts(parts)}) \in {_name(name)}", _LINK
        case t.Not():
            return rf"\lnot {parts[0].at(_ATOM)}", _NOT
        case t.And():
            return r" \land ".join(part.at(_NOT) for part in parts), _AND
        case t.Or():
            return r" \lor ".join(part.at(_NOT) for part in parts), _OR
        case t.Implies():
            return rf"{parts[0].at(_OR)} \rightarrow {parts[1].at(_IMPLIES)}", _IMPLIES
        case t.Iff():
            return rf"{parts[0].at(_OR)} \leftrightarrow {parts[1].at(_OR)}", _IFF
        case t.Quantified(kind, names, _):
            bound = ", ".join(map(_name, names))
            return rf"\{kind} {bound}.\ {parts[0].text}", _WIDEST
        case _:
            return _term(node, parts)


def _term(node: t.Node, parts: Sequence[Written]) -> tuple[str, int]:
    match node:
        case t.Int(value):
            return str(value), _ATOM if value >= 0 else _UNARY
        case t.Name(name):
            return _name(name), _ATOM
        case t.Sum():
            return t.join_sum(node, [part.at(_PRODUCT) for part in parts]), _SUM
        case t.Neg():
            return f"-{parts[0].at(_UNARY)}", _UNARY
        case t.Mul(t.Int(), t.Name()):
            return f"{parts[0].text} {parts[1].text}", _PRODUCT
        case t.Mul():
            return rf"{parts[0].at(_PRODUCT)} \cdot {parts[1].at(_UNARY)}", _PRODUCT
        case t.Mod(arg, _):
            # "-a mod 3" is (-a) mod 3 in the language, but not to every reader.
            dividend = parts[0].at(_PRODUCT if isinstance(arg, t.Mul) else _ATOM)
            return rf"{dividend} \bmod {parts[1].at(_UNARY)}", _PRODUCT
        case t.Div():
            return rf"\lfloor {parts[0].at(_PRODUCT)} / {parts[1].at(_UNARY)} \rfloor", _ATOM
        case t.Min() | t.Max():
            return rf"\{type(node).__name__.lower()}({join_texts(parts)})", _ATOM
        case t.Abs():
            return rf"\lvert {parts[0].text} \rvert", _ATOM
        case t.Digital("nimsum", args, _, modulus) if len(args) > 1:
            sign = r"\oplus" if modulus == 2 else rf"\oplus_{{{modulus}}}"
            return f" {sign} ".join(part.at(_PRODUCT) for part in parts), _SUM
        case t.Digital(kind, _, _, modulus):
            word = f"nimsum_{modulus}" if kind == "nimsum" else kind
            inside = join_texts(parts)
            return rf"\operatorname{{{escaped(word)}}}({inside})", _ATOM
        case t.If():
            condition, then, otherwise = (part.text for part in parts)
            cases = rf"{then} & \text{{if }} {condition} \\ {otherwise} & \text{{otherwise}}"
            return rf"\begin{{cases}} {cases} \end{{cases}}", _SUM
        case _:
            raise CannotExpress(f"no LaTeX for {node}")


# --- value latex ---------------------------------------------------------------------------------


def value_latex(answer: GrundyAnswer) -> str:
    """Return Grundy values as a theorem in LaTeX; CannotExpress where none are known."""
    game, value = answer.game, answer.value
    if value is None:
        raise CannotExpress(
            f"no Grundy function of {game.name} is known: there is nothing to export"
        )
    sets: dict[str, t.Recognised] = {}
    names = ", ".join(map(_name, game.variables))
    said = [*_rules(game), f"The value of a state is $g({names}) = {_function(value, sets)}$."]
    if answer.strategy and all(isinstance(rule, Rule) for rule in answer.strategy):
        lead = f"A move to a smaller value ${_name(answer.target)}$ is the first possible one of"
        said.append(f"{lead}\n" + listing("enumerate", map(_item, answer.strategy)))
    parts = value.parts if isinstance(value, SumValue) else (value,)
    nodes: list[t.Node] = [part for part in parts if isinstance(part, t.Term)]
    told = " ".join(map(_sentence, explanations([*nodes, *sets.values()])))
    tables = _tables({name: each.automaton for name, each in sets.items()})
    name = f"{in_prose(answer.game)}, Grundy values, normal play"
    return theorem(name, answer.is_proved, said, filter(None, [told, *tables]))


def _function(value: Value, sets: dict[str, t.Recognised]) -> str:
    """Return a Grundy function in math mode; enter the sets of its automata in ``sets``."""
    match value:
        case SumValue(parts):
            return r" \oplus ".join(rf"\left({_function(part, sets)}\right)" for part in parts)
        case WindowValue(v, low):
            n, here = _name(v), rf"\ell({_name(v)})"
            cases = rf"{n} - {here} & \text{{if }} {here} = \ell({n} - 1) \\ g({here} - 1) & "
            text = rf"\begin{{cases}} {cases}\text{{otherwise}} \end{{cases}}"
            return rf"{text} \text{{ where }} {here} = {mathematics(low)}"
        case ExponentValue(automaton) | (Automaton() as automaton):
            name = f"R{len(sets) + 1}" if sets else "R"
            sets[name] = t.Recognised(automaton, tuple(map(t.Name, automaton.tracks)), name)
            *first, last = map(_name, automaton.tracks)
            power = f"{automaton.system.digits}^{{{last}}}"
            seen = ", ".join([*first, power if isinstance(value, ExponentValue) else last])
            return rf"\text{{the }} {last} \text{{ with }} ({seen}) \in {_name(name)}"
        case _:
            return mathematics(value)
