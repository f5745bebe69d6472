"""What the page Values asks: Grundy values of a game, of heaps, of a sum of games."""

from __future__ import annotations

from icgsynth.budget import Budget
from icgsynth.errors import InputError
from icgsynth.process.worker import tell
from icgsynth.spec.catalog import did_you_mean
from icgsynth.spec.heap_names import files, looks_like_code
from icgsynth.studio.faults import Data, task
from icgsynth.studio.tasks.games import constants_of, rule_of, source_of

_BOUNDS = {1: 60, 2: 16, 3: 6}  # of the table, by the number of variables
_SECONDS = 4.0  # for the table
_HOW = "write names of the catalog and codes of heaps, as in nim2 + 2*chomp_2row + 0.77"


@task
def valued(data: Data) -> Data:
    """The values as a report, ``html``, within ``seconds``; of one game also their table, ``svg``.

    The game is one of a page, or its name a sum of games.  ``at`` is the state, or the states,
    whose value is wanted.
    """
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
        named = subject(_known(str(game.get("name"))), constants)
    question = named.to_value(AskedValue(at, rule_of(game)))
    found = question.search(Budget(data["seconds"]), tell).run()
    told = question.shown(found)
    result = {"html": told.html(), "passing": told.verdict != "proved"}
    if isinstance(found, GrundyAnswer) and at is None:
        asked = AskedValue(bound=_BOUNDS.get(len(found.game.variables), 3))
        box = value_box(found.game, asked, Budget(_SECONDS))
        result["svg"] = table_svg(value_table(found.game, box, found), is_styled=False)
    return result


def _known(spec: str) -> str:
    """The text of a game or a sum that names games of the catalog, and no file of this machine."""
    known = files("gdl", "icg", "asp")
    for part in spec.split("+"):
        name = part.rpartition("*")[2].strip()
        if name not in known and not looks_like_code(name):
            mend = did_you_mean(name[:60], known) or _HOW
            raise InputError(f"there is no game {name[:60]!r} in the catalog", mend=mend)
    return spec
