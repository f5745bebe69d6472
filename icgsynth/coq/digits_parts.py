"""Automata and formulas as data for ``digits.v``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from icgsynth.coq.gallina import number
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration
from icgsynth.digits.transitions import live
from icgsynth.errors import Refused
from icgsynth.logic import term as t
from icgsynth.logic.build import free_names
from icgsynth.logic.ranges import linear


def natural_numbers(numbers: Sequence[int]) -> str:
    """A list of type ``list nat``."""
    return f"[{'; '.join(map(str, numbers))}]%nat"


def joined(forms: Sequence[str]) -> str:
    """The conjunction of formulas, as data."""
    *first, last = forms
    for part in reversed(first):
        last = f"(Both {part}\n  {last})"
    return last


def system_text(system: Numeration) -> str:
    """The states of the system: its largest digit and where that leads, other digits to the first.

    :class:`~icgsynth.errors.Refused` where the words of the system are not of this kind.
    """
    rows = system.transitions
    alive = [row for row in range(len(rows)) if any(system.accepting[q] for q in _from(row, rows))]
    order, pairs = [0], []
    for state in order:
        allowed = [d for d, q in enumerate(rows[state]) if q in alive]
        steps = [rows[state][d] for d in allowed]
        if not system.accepting[state] or allowed != list(range(len(allowed))) or any(steps[:-1]):
            raise Refused(f"the exporter to Coq does not know the words of {system}")
        if steps[-1] not in order:
            order.append(steps[-1])
        pairs.append(f"({allowed[-1]}, {order.index(steps[-1])})")
    return f"[{'; '.join(pairs)}]%nat"


def _from(state: int, rows: Sequence[Sequence[int]]) -> set[int]:
    found = [state]
    for q in found:
        found += {*rows[q]} - {*found}
    return set(found)


def table_text(automaton: Automaton) -> str:
    """An ``automaton``; its states are numbered from 1, and the last number is a dead end."""
    kept = live(automaton)
    if kept[:1] != [0]:
        kept = [0, *kept]  # accepts nothing at all
    place = {state: i for i, state in enumerate(kept, 1)}
    dead, base = len(kept) + 1, automaton.system.digits

    def row(targets: Sequence[int]) -> str:
        if len(set(targets)) == 1:
            return f"Go {targets[0]}"
        width = len(targets) // base
        return f"Read [{'; '.join(row(targets[i * width :][:width]) for i in range(base))}]"

    rows = []
    for state in kept:
        targets = [place.get(q, dead) for q in automaton.transitions[state]]
        rows.append(f"({str(automaton.accepting[state]).lower()}, {row(targets)})")
    return "numbered 1 [\n  " + ";\n  ".join(rows) + "]"


@dataclass
class Parts:
    """The automata that formulas of a file speak of, each once."""

    texts: list[str] = field(default_factory=list)
    machines: dict[str, str] = field(default_factory=dict)
    _places: dict[object, int] = field(default_factory=dict)

    def known(self, name: str) -> int:
        """The place of an automaton that the file defines."""
        return self._place(name, f"(Known {name}, ({name}, PositiveMap.empty _))")

    def machine(self, label: str, machine: str, check: str) -> None:
        """An automaton of ``functions.v`` under a name, with the check that it is right."""
        self.machines[label] = f"""Definition {label} : automaton := {machine}.
Lemma {label}_right : {check} {label} = true.
Proof. vm_cast_no_check (eq_refl true). Qed."""

    def formula(
        self, formula: t.Formula, tracks: Sequence[str], flags: Mapping[str, str] | None = None
    ) -> str:
        """A ``form`` for what :func:`icgsynth.logic.normal.normal` gives, without remainders.

        ``flags`` are names that are only compared with 1, each with the form that it stands for.
        """
        match formula:
            case t.Truth(value):
                return self._linear(True, {}, 0 if value else 1)
            case t.And(args) | t.Or(args):
                *first, last = [self.formula(arg, tracks, flags) for arg in args]
                word = "Both" if isinstance(formula, t.And) else "Either"
                for part in reversed(first):
                    last = f"({word} {part} {last})"
                return last
            case t.Compare((left, _), (op,)) if flags and (flag := free_names(left) & {*flags}):
                said = flags[min(flag)]
                return said.replace("Yes", "No") if op == "!=" else said
            case t.Compare((left, right), (op,)):
                return self._compared(t.Sum((left, t.Neg(right))), op, tracks)
        raise Refused(f"the exporter to Coq cannot read '{formula}' digit by digit")

    def _compared(self, difference: t.Sum, op: str, tracks: Sequence[str]) -> str:
        form = linear(difference)
        factors = {}
        for atom, factor in form.factors.items():
            if not isinstance(atom, t.Name):
                raise Refused(f"the exporter to Coq cannot read '{atom}' digit by digit")
            factors[tracks.index(atom.name)] = factor
        if op in (">", ">="):
            factors = {track: -factor for track, factor in factors.items()}
            bound = form.constant - (op == ">")
        else:
            bound = -form.constant - (op == "<")
        said = self._linear(op in ("=", "!="), factors, bound)
        return said.replace("Yes", "No") if op == "!=" else said

    def _linear(self, is_equal: bool, factors: dict[int, int], bound: int) -> str:
        # In this order, so that forms with the numbers in other places share an automaton.
        tracks = sorted(factors, key=lambda track: (factors[track], track))
        coefficients = "; ".join(number(factors[track]) for track in tracks)
        atom = f"{str(is_equal).lower()} [{coefficients}] {number(bound)}"
        place = self._place(atom, atom)
        return f"(Yes {place} {natural_numbers(tracks)})"

    def _place(self, key: object, text: str) -> int:
        if key not in self._places:
            self._places[key] = len(self.texts)
            self.texts.append(text)
        return self._places[key]

    @property
    def uses_functions(self) -> bool:
        """Whether the file needs ``functions.v``."""
        return bool(self.machines)

    def definitions(self) -> list[str]:
        """``Parts``, with the automata of equations and inequalities made by Coq."""
        lines, names = [*self.machines.values()], []
        for i, text in enumerate(self.texts):
            if text.startswith("(Known"):
                names.append(text)
                continue
            lines.append(f"Definition Part_{i} := linear_automaton System {text}.")
            names.append(f"(Lin {text}, Part_{i})")
        joined = ";\n  ".join(names)
        lines.append(f"Definition Parts : list part := [\n  {joined}].")
        lines.append("Lemma Parts_right : parts_ok System Parts = true.")
        lines.append("Proof. vm_cast_no_check (eq_refl true). Qed.\n")
        return lines
