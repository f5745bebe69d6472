"""Show claims about digits in Coq: automata that it runs side by side decide them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from icgsynth.coq.claims import CoqClaim, Path, Try
from icgsynth.coq.contradictions import Contradictions
from icgsynth.coq.digits_parts import Parts, natural_numbers
from icgsynth.coq.digits_tracks import Tracks
from icgsynth.coq.gallina import data, format_list
from icgsynth.digits.automaton import Automaton
from icgsynth.errors import Refused
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, fold, free_names, rebuild, substitute, walk
from icgsynth.prove.automata.compiler import Compiler
from icgsynth.prove.automata.game_automata import solve_for

_FEW = 2  # formulas about digits: if none of them is enough, both are needed


def reads_digits(claim: CoqClaim) -> bool:
    """Return whether ``claim`` has a function of digits or an automaton."""
    return any(map(is_digital, (*claim.known, claim.shown)))


def is_digital(node: t.Node) -> bool:
    """Return whether ``node`` has a function of digits or an automaton in it."""
    return any(isinstance(each, t.Digital | t.Recognised) for each in walk(node))


class DigitWays:
    """Finds how claims are shown in one file, whose automata are the ``parts``."""

    def __init__(self, parts: Parts, compiler: Compiler, variables: Sequence[str]) -> None:
        self.parts, self._compiler, self._variables = parts, compiler, variables
        self._contradictions = Contradictions()

    def way(self, claim: CoqClaim) -> str:
        """Return the ``way`` of ``claims.v``, as text, by which Coq is to show ``claim``: by
        ``lia``, by automata, or by a formula on the way."""
        plain = self._plain(claim)
        if claim.path is not None:
            return self._on_path(claim, claim.path, plain)
        if plain is not None:
            return f"Lia {_places(plain)}"
        for term in dict.fromkeys(_read(claim.shown)):
            natural = _natural(term)
            if natural not in claim.known and not self._is_natural(term, claim.known):
                then = replace(claim, known=(*claim.known, natural))
                first = self.way(replace(claim, shown=natural))
                return _through(claim, natural, first, self.way(then))
        return self._reading(claim, self._core(claim), *self._solve(claim))

    def _plain(self, claim: CoqClaim) -> list[int] | None:
        """Return the places of formulas that imply ``claim`` without automata, among its known ones
        and then those on its path; None if they do not."""
        opaque = _Opaque()
        more = () if claim.path is None else (cut.formula for cut in claim.path.cuts)
        known = [opaque.formula(f) for f in (*claim.known, *more)]
        found = self._contradictions.core([*known, opaque.formula(t.Not(claim.shown))])
        return None if found is None else [i for i in found if i < len(known)]

    def _reading(
        self,
        claim: CoqClaim,
        core: Sequence[int],
        instead: Mapping[str, t.Term],
        values: Mapping[str, t.Term],
    ) -> str:
        """Return the ``way``, as text, that automata show ``claim`` from its known formulas at the
        places ``core``; ``instead`` and ``values`` are as :meth:`_solve` returns them."""
        tracks = Tracks(self.parts, claim.names, instead, values)
        denied = [] if claim.shown == t.FALSE else [t.Not(claim.shown)]
        form = tracks.form([*(claim.known[i] for i in core), *denied])
        return f"Read {_places(core)} ({_terms(tracks)},\n  {form},\n  {_uses(tracks)})"

    def _on_path(self, claim: CoqClaim, path: Path, plain: list[int] | None) -> str:
        """Return the ``way``, as text, that shows ``claim`` by those formulas on ``path`` that it
        needs, one after the other. ``plain`` is what :meth:`_plain` returns for the claim."""
        last = len(claim.known)
        linear = [i for i, formula in enumerate(claim.known) if not is_digital(formula)]
        if plain is None:
            needed = {*path.last}
        else:
            # Cuts that the last step needs, and from the last one back what those need in turn.
            needed = {path.cuts[i - last].formula for i in plain if i >= last}
        for cut in reversed(path.cuts):
            needed |= {*cut.core} if cut.formula in needed else set()
        cuts = [cut for cut in path.cuts if cut.formula in needed]
        known = (*claim.known, *(cut.formula for cut in cuts))
        if plain is None:
            places = [*linear, *map(known.index, path.last)]
            said = self._reading(replace(claim, known=known), places, path.instead, path.values)
        else:
            every = (*claim.known, *(cut.formula for cut in path.cuts))
            said = f"Lia {_places([known.index(every[i]) for i in plain])}"
        for i, cut in reversed([*enumerate(cuts, last)]):
            one = replace(claim, known=known[:i], shown=cut.formula)
            along = (path.instead, path.values) if cut.is_along else ({}, {})
            first = self._reading(one, [*linear, *map(known.index, cut.core)], *along)
            said = _through(claim, cut.formula, first, said)
        return said

    def _is_natural(self, term: t.Term, known: Sequence[t.Formula]) -> bool:
        """Return whether linear arithmetic sees from ``known`` that ``term`` is not negative, if no
        value of a function of digits is."""
        opaque = _Opaque()
        formulas = [opaque.formula(f) for f in (*known, t.compare(term, "<", 0))]
        return self._contradictions.holds([*formulas, *opaque.natural()])

    def _solve(self, claim: CoqClaim) -> tuple[dict[str, t.Term], dict[str, t.Term]]:
        """Return two dicts, for automata read natural numbers: names of ``claim`` that may be
        negative, as terms over new names; and for each new name the term that automata read in its
        place."""
        natural = {*self._variables}
        natural |= {n for n in claim.names if t.compare(0, "<=", t.Name(n)) in claim.known}
        instead, values = dict[str, t.Term](), dict[str, t.Term]()
        read = (term for f in (*claim.known, claim.shown) for term in _read(f))
        for term in dict.fromkeys(read):
            for name in claim.names:
                track = f"n'{len(values)}"  # a name that no game has
                now = fold(substitute(term, instead))
                if name in natural or name in instead or isinstance(now, t.Name):
                    continue
                # A name may be negative, and tracks are natural: what a reader reads gets a track,
                # the name follows.
                if (found := solve_for(name, [(track, now)])) is not None:
                    instead = {n: fold(substitute(i, {name: found[1]})) for n, i in instead.items()}
                    instead[name], values[track] = found[1], term
                    break
        return instead, values

    def _core(self, claim: CoqClaim) -> list[int]:
        """Return places of known formulas that suffice for ``claim``, few of them about digits."""
        places = [*range(len(claim.known))]
        digital = [i for i in places if is_digital(claim.known[i])]
        linear = [i for i in places if i not in digital]
        # Each formula about digits costs automata: first none of them, then one, the latest first.
        for few in ([], *([i] for i in reversed(digital))):
            if self._is_enough(claim, [*linear, *few]):
                return sorted([*linear, *few])
        for i in digital:
            fewer = [place for place in places if place != i]
            if len(digital) > _FEW and self._is_enough(claim, fewer):
                places = fewer
        return places

    def _is_enough(self, claim: CoqClaim, core: Sequence[int]) -> bool:
        """Return whether ``claim``'s known formulas at the places ``core`` imply the shown one, and
        that the numbers which automata read are natural."""
        known = [claim.known[i] for i in core]
        solved_for, _ = self._solve(replace(claim, known=tuple(known)))
        spoken = frozenset[str]().union(*map(free_names, (*known, claim.shown))) - {*solved_for}
        read = {term for formula in (*known, claim.shown) for term in _read(formula)}
        if not all(self._is_natural(term, known) for term in (*map(t.Name, spoken), *read)):
            return False
        try:
            # Is there a model of what is known that denies the claim? Then this core is too small.
            wrong = self._compiler.formula(conjunction([*known, t.Not(claim.shown)]))
        except Refused:  # too large here
            return False
        return wrong.shortest() is None

    def show_try(self, legal: t.Formula, names: Sequence[str], try_: Try) -> tuple[str, str]:
        """Return two Coq texts: how the formulas on the way to ``try_`` are shown; and a proof that
        one of its offers applies where the state is ``legal`` and its condition holds, with {} for
        the name of the first text. ``names`` are those of a state, in order."""
        path, places = try_.path, {name: i for i, name in enumerate(names)}
        tracks = Tracks(self.parts, names, *((path.instead, path.values) if path else ()))
        form = tracks.form(try_.cuts[-1:] or [legal, try_.whence])
        ways, pad = list[str](), 0
        for offer in try_.offers:
            reader = offer.met
            given = reader.terms[: len(reader.terms) - len(offer.guesses)]
            at = natural_numbers([*map(tracks.place, given)])
            ways.append(f"Digits.Way {self.parts.place(reader.name)} {at} {len(offer.guesses)}")
            pad = max(pad, padding(reader.automaton, len(given)))
        known = (legal, try_.whence)
        shown = [self.way(CoqClaim((*names,), known, cut)) for cut in try_.cuts]
        cuts = format_list(data(cut, places) for cut in try_.cuts) if try_.cuts else "(@nil fm)"
        proof = (_terms(tracks), form, _uses(tracks), f"{pad}%nat", format_list(ways))
        return format_list(shown), f"({cuts}, {{}}, {', '.join(proof)})"


def _through(claim: CoqClaim, formula: t.Formula, first: str, then: str) -> str:
    """Return the ``way``, as text, in which ``first`` shows ``formula`` and ``then`` uses it."""
    places = {name: i for i, name in enumerate(claim.names)}
    return f"Through {data(formula, places)}\n  ({first})\n  ({then})"


class _Opaque:
    """Replaces functions of digits, and formulas that an automaton accepts, by unknowns."""

    def __init__(self) -> None:
        self._names: dict[t.Node, t.Name] = {}

    def formula(self, node: t.Formula) -> t.Formula:
        """Return ``node`` with names in place of functions of digits and of automata."""
        found = self._plain(node)
        assert isinstance(found, t.Formula)
        return found

    def natural(self) -> list[t.Formula]:
        """Return the formulas that the values of functions of digits are natural numbers."""
        terms = (name for node, name in self._names.items() if isinstance(node, t.Term))
        return [t.compare(0, "<=", name) for name in terms]

    def _plain(self, node: t.Node) -> t.Node:
        if isinstance(node, t.Digital | t.Recognised):
            unknown = self._names.setdefault(node, t.Name(f"u'{len(self._names)}"))
            return t.compare(unknown, "=", 1) if isinstance(node, t.Recognised) else unknown
        return rebuild(node, tuple([self._plain(child) for child in t.children(node)]))


def _natural(term: t.Term) -> t.Formula:
    """Return a formula that ``term`` is not negative; for a quotient, that its dividend is not."""
    match term:
        case t.Min(left, right):
            return t.And((_natural(left), _natural(right)))
        case t.Max(left, right):
            return t.Or((_natural(left), _natural(right)))
        case t.Div(arg, t.Int(divisor)) if divisor > 0:
            return _natural(arg)
    return t.compare(0, "<=", term)


def _read(formula: t.Formula) -> Iterator[t.Term]:
    """Yield the terms whose numbers automata in ``formula`` read."""
    for node in walk(formula):
        if isinstance(node, t.Recognised):
            yield from node.terms


def _places(core: Sequence[int]) -> str:
    return f"{format_list(map(str, core))}%nat" if core else "[]"


def _terms(tracks: Tracks) -> str:
    return format_list(tracks.terms())


def _uses(tracks: Tracks) -> str:
    return format_list(tracks.uses) if tracks.uses else "(@nil use)"


def padding(target: Automaton, known: int) -> int:
    """Return how many leading zeros the first ``known`` tracks of ``target`` need so that, whatever
    these numbers are, the others may have more digits."""
    base, unknown = target.system.digits, len(target.tracks) - known
    # States that the automaton can reach while all known tracks read 0: after as many columns as
    # make no new state, longer answers begin in one of these.
    reached, count = frozenset((0,)), 0
    while True:
        more = reached.union(*(target.transitions[q][: base**unknown] for q in reached))
        if more == reached:
            return count
        reached, count = more, count + 1
