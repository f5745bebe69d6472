"""Tasks of the page Values: Grundy values of a game, of heaps, of a sum of games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from icgsynth.budget import Budget
from icgsynth.errors import InputError
from icgsynth.process.worker import tell
from icgsynth.spec.catalog import did_you_mean, files, looks_like_code
from icgsynth.studio.faults import Data, is_of_commands, task
from icgsynth.studio.tasks.games import constants_of, rule_of, source_of

if TYPE_CHECKING:
    from icgsynth.subjects import Subject

_BOUNDS = {1: 60, 2: 16, 3: 6}  # of the table, by the number of variables
_SECONDS = 4.0  # seconds for the table
_NORMAL = "choose that who cannot move loses, or heaps of one code"
_ALONE = "leave that game out of the sum, or look at it alone"
_HOW = "write names of games and codes of heaps, as in nim2 + 2*chomp_2row + 0.77"


@task
def find_values(data: Data) -> Data:
    """Return Grundy values as JSON: a report, ``html``, and for one game a table, ``svg``.

    ``data`` has the ``game`` of a page, or in its name a sum of games; ``own``, rules of games of
    one's own by their names in the sum; ``at``, the state or states whose value is wanted, if not
    all; and ``seconds``. InputError where a value is not to be had, with the mend."""
    try:
        return _find_values(data)
    except InputError as error:
        if not is_of_commands(error.mend):
            raise
        mend = _NORMAL if rule_of(data["game"]) == "misere" else _ALONE
        raise InputError(error.message, error.span, mend) from None


def _find_values(data: Data) -> Data:
    from icgsynth.export.svg import table_svg
    from icgsynth.game.grundy import GrundyAnswer
    from icgsynth.subjects import AskedValue, subject
    from icgsynth.subjects.value_questions import value_box, value_table

    game, at = data["game"], str(data.get("at") or "").strip() or None
    constants = constants_of(game)
    if isinstance(game.get("text"), str):
        source = source_of(game)
        named = subject(source.name, constants, source.text)
    else:
        named = _find_subject(str(game.get("name")), data.get("own") or {}, constants)
    question = named.to_value(AskedValue(at, rule_of(game)))
    found = question.search(Budget(data["seconds"]), tell).run()
    told = question.shown(found)
    result = {"html": told.html(), "passing": told.verdict != "proved"}
    if isinstance(found, GrundyAnswer) and at is None:
        asked = AskedValue(bound=_BOUNDS.get(len(found.game.variables), 3))
        box = value_box(found.game, asked, Budget(_SECONDS))
        result["svg"] = table_svg(value_table(found.game, box, found), is_styled=False)
    return result


def _find_subject(spec: str, own: Mapping[str, str], constants: Mapping[str, int]) -> Subject:
    """Return the game or sum that ``spec`` names: of the catalog, or with its rules in ``own``, by
    name. InputError for any other name, such as a file of this machine."""
    from icgsynth.heaps.subject.sums_subject import SumSubject
    from icgsynth.spec.resolve import Named
    from icgsynth.subjects import subject

    known = files("gdl", "icg", "asp")
    parts = [part.rpartition("*")[2].strip() for part in spec.split("+")]
    for name in parts:
        if name not in own and name not in known and not looks_like_code(name):
            mend = did_you_mean(name[:60], [*own, *known]) or _HOW
            message = f"there is no game {name[:60]!r} in the catalog or among your games"
            raise InputError(message, mend=mend)
    texts = {name: str(own[name]) for name in parts if name in own}
    return SumSubject(Named(spec, constants), texts) if texts else subject(spec, constants)
