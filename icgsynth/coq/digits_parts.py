"""Write automata and formulas as data for ``digits.v``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from icgsynth.coq.gallina import number
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import Numeration
from icgsynth.digits.transitions import live
from icgsynth.errors import CannotExpress
from icgsynth.logic import term as t
from icgsynth.logic.build import free_names
from icgsynth.logic.ranges import linear


def natural_numbers(numbers: Sequence[int]) -> str:
    """Return ``numbers`` as a Coq list of type ``list nat``."""
    return f"[{'; '.join(map(str, numbers))}]%nat"


def system_text(system: Numeration) -> str:
    """Return ``system`` as Coq data: the largest digit of each state, and the state it leads to.
    Smaller digits lead to the first state; :class:`~icgsynth.errors.CannotExpress` otherwise."""
    rows = system.transitions
    alive = [row for row in range(len(rows)) if any(system.accepting[q] for q in _from(row, rows))]
    order, pairs = [0], []
    for state in order:
        allowed = [d for d, q in enumerate(rows[state]) if q in alive]
        steps = [rows[state][d] for d in allowed]
        if not system.accepting[state] or allowed != list(range(len(allowed))) or any(steps[:-1]):
            raise CannotExpress(f"the exporter to Coq does not know the words of {system}")
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
    """Return ``automaton`` as Coq text: live states, numbered from 1, and then one dead state."""
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
    """The automata of a file, each once: readers by their names, and automata of comparisons."""

    readers: dict[str, str] = field(default_factory=dict)
    _texts: list[str] = field(default_factory=list)
    _places: dict[str, int] = field(default_factory=dict)

    def reader(self, label: str, automaton: Automaton | str) -> None:
        """Add the automaton ``label``, given as itself or as the Coq text that makes it."""
        text = automaton if isinstance(automaton, str) else table_text(automaton)
        self.readers.setdefault(label, text)

    def reads(self, label: str, tracks: Sequence[int]) -> str:
        """Return Coq data: the automaton ``label`` accepts the numbers at the places ``tracks``."""
        return f"(Digits.Yes {self.place(label)} {natural_numbers(tracks)})"

    def formula(
        self, formula: t.Formula, at: Callable[[str], int], flags: Mapping[str, str] | None = None
    ) -> str:
        """Return Coq data of type ``form`` for ``formula``, in normal form without remainders.
        ``at`` returns the place of a name's number among those that automata read; ``flags`` are
        names that are only compared with 1, each with the ``form`` that it stands for."""
        match formula:
            case t.Truth(value):
                return self._linear(True, {}, 0 if value else 1)
            case t.And(args) | t.Or(args):
                *first, last = [self.formula(arg, at, flags) for arg in args]
                word = "Digits.Both" if isinstance(formula, t.And) else "Digits.Either"
                for part in reversed(first):
                    last = f"({word} {part} {last})"
                return last
            case t.Compare((left, _), (op,)) if flags and (flag := free_names(left) & {*flags}):
                said = flags[min(flag)]
                return _deny(said) if op == "!=" else said
            case t.Compare((left, right), (op,)):
                return self._compare(t.Sum((left, t.Neg(right))), op, at)
        raise CannotExpress(f"the exporter to Coq cannot read '{formula}' digit by digit")

    def _compare(self, difference: t.Sum, op: str, at: Callable[[str], int]) -> str:
        form = linear(difference)
        factors = {}
        for atom, factor in form.factors.items():
            if not isinstance(atom, t.Name):
                raise CannotExpress(f"the exporter to Coq cannot read '{atom}' digit by digit")
            factors[at(atom.name)] = factor
        if op in (">", ">="):
            factors = {track: -factor for track, factor in factors.items()}
            bound = form.constant - (op == ">")
        else:
            bound = -form.constant - (op == "<")
        said = self._linear(op in ("=", "!="), factors, bound)
        return _deny(said) if op == "!=" else said

    def _linear(self, is_equal: bool, factors: dict[int, int], bound: int) -> str:
        # In this order, so that forms with the numbers in other places share an automaton.
        tracks = sorted(factors, key=lambda track: (factors[track], track))
        coefficients = "; ".join(number(factors[track]) for track in tracks)
        place = self.place(f"{str(is_equal).lower()} [{coefficients}] {number(bound)}")
        return f"(Digits.Yes {place} {natural_numbers(tracks)})"

    def place(self, text: str) -> int:
        """Return the place in the list of automata of ``text``, a reader's name or a comparison as
        Coq text; it joins the list if it is new."""
        if text not in self._places:
            self._places[text] = len(self._texts)
            self._texts.append(text)
        return self._places[text]

    def definitions(self) -> Iterator[str]:
        """Yield Coq's text for all automata that were asked for so far. These are the type
        ``reader``, a table for each reader, ``machine``, the list ``Parts``, and a proof that it is
        right. Coq computes the automata of comparisons."""
        yield f"Inductive reader := {' | '.join(self.readers)}."
        for label, text in self.readers.items():
            yield f"Definition table_of_{label} : automaton := {text}."
        yield "Definition machine (r : reader) : automaton := match r with"
        yield from (f"| {label} => table_of_{label}" for label in self.readers)
        yield "end."
        known = []
        for i, text in enumerate(self._texts):
            if text in self.readers:
                known.append(f"(Known (machine {text}), (machine {text}, PositiveMap.empty _))")
                continue
            yield f"Definition part_{i} := linear_automaton System {text}."
            known.append(f"(Lin {text}, part_{i})")
        listed = ";\n  ".join(known)
        yield f"Definition Parts : list part := [\n  {listed}]."
        yield "Lemma Parts_right : parts_ok System Parts = true."
        yield "Proof. vm_cast_no_check (eq_refl true). Qed."


def _deny(said: str) -> str:
    """Return the negation of ``said``, Coq data which say that an automaton accepts numbers."""
    return said.replace("Digits.Yes", "Digits.No", 1)
