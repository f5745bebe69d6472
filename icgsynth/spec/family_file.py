"""Answer files of kind "family": what is said of all members; nothing is proved here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from icgsynth.game.family_claim import FamilyClaim
from icgsynth.game.game import PlayRule
from icgsynth.spec.icg import parse_formula
from icgsynth.spec.icg_spec import Spec
from icgsynth.spec.json_text import Located, read_json
from icgsynth.spec.solution_file import RuleReader, inside
from icgsynth.spec.solution_parts import chosen_answer, rule_of
from icgsynth.spec.source import Source


class FamilyFile(NamedTuple):
    """The claim of a file, the values of the other constants, and what it calls itself."""

    claim: FamilyClaim
    fixed: Mapping[str, int]
    status: str


def read_family(source: Source, spec: Spec, rule: PlayRule | None = None) -> FamilyFile:
    """The answer in ``source`` for the family ``spec``.

    ``rule`` chooses from a list of two.  :class:`InputError` says what is wrong, and where.
    """
    entry = chosen_answer(read_json(source), rule, spec.name)
    names = tuple(name.string() for name in entry.need("constants", '["n"]').list())
    if not names or len(set(names)) < len(names):
        raise entry.need("constants", '["n"]').error("names of constants, each once", '["n"]')
    fixed = entry.named("fixed", Located.integer)
    if both := sorted(set(names) & fixed.keys()):
        raise entry.need("fixed", "{}").error(f"{both[0]} varies, and is fixed", "leave it out")
    place = entry.need("for", '"n >= 1"')
    game = inside(place, lambda: spec.members(names, fixed))
    where = inside(place, lambda: parse_formula(place.string(), (), source.name, constants=names))
    losing = entry.get("losing")
    if losing is None or losing.value is None:
        raise entry.error("no formula of the losing states", "give what family -o wrote")
    reader = RuleReader(game, None, {})
    reader.constants = names
    formula = reader.formula(losing.need("formula", '"..."'))
    claim = FamilyClaim(
        game,
        names,
        where,
        rule_of(entry, rule),
        formula,
        entry.every("strategy", reader.rule),
        entry.given("winning", lambda side: reader.formula(side.need("formula", '"..."')), None),
    )
    return FamilyFile(claim, fixed, entry.given("status", Located.string, ""))
