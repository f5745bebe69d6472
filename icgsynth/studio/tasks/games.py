"""Read the games and answers that a page names; a worker keeps what it has read.

A page names a game by ``{"name": "nim2"}`` for one of the catalog or ``{"text": "game .."}`` for
rules of its own, with ``"name"`` too where these have none, as those of a board game; in both cases
with ``"rule": "normal"`` or ``"misere"``, and with ``"constants": {"n": 5}`` where a family has
some.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from icgsynth.errors import InputError
from icgsynth.game.answers import SCHEMA
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.solution import Solution
from icgsynth.spec.catalog import did_you_mean, files, finite_entries
from icgsynth.spec.source import Source, looks_like_gdl
from icgsynth.studio.faults import Data

if TYPE_CHECKING:
    from icgsynth.boards.finite.game import FiniteGame
    from icgsynth.subjects import Subject

_FIRST = ("nim2", "tictactoe")  # of the catalog: games that a class knows
_CATALOG = "choose one of the catalog, or write its rules"
_MOST_BYTES = 1_000_000  # bytes of rules
_MOST_OF_NAME = 60  # characters of a name
_OF_SETS = ("logic", "sets", "numeration")  # keys of an answer that its formulas need


def warm_imports(data: Data) -> Data:
    """Import what quick questions need, before the first one; ``{"modules": count}`` is
    returned."""
    from icgsynth.boards.play import worths
    from icgsynth.spec import icg, solution_file
    from icgsynth.studio.tasks import board_views

    return {"modules": len([icg, board_views, solution_file, worths])}


def source_of(game: dict[str, Any]) -> Source:
    """Return the text of the rules of ``game``, its own or from the catalog; InputError if none."""
    if isinstance(text := game.get("text"), str):
        data = text.encode("utf-8", "surrogatepass")
        return Source.decode(_require_name(game.get("name")), data, _MOST_BYTES)
    name, known = game.get("name"), files("gdl", "icg", "asp")
    if isinstance(name, str) and name in known:
        return Source.read(known[name])  # by its whole path, for what an encoding includes
    mend = did_you_mean(str(name)[:60], known) or _CATALOG
    raise InputError(f"there is no game {str(name)[:60]!r} in the catalog", mend=mend)


def rank(name: str) -> int:
    """Return a sort key for the game ``name``: a well-known game has a smaller one."""
    return _FIRST.index(name) if name in _FIRST else len(_FIRST)


def _require_name(name: Any) -> str:
    """Return ``name`` made safe for a game of one's own: one line, and no path."""
    shown = re.sub(r"[^\w ()-]", " ", name if isinstance(name, str) else "")
    return " ".join(shown.split())[:_MOST_OF_NAME] or "your rules"


def game_of(game: dict[str, Any]) -> ParametricGame | FiniteGame:
    """Return the game that ``game``, JSON of a page, names; it is read once."""
    words = {key: game[key] for key in ("name", "text", "constants") if game.get(key)}
    return _game(json.dumps(words, sort_keys=True))


def impartial_of(game: dict[str, Any], mend: str = "") -> ParametricGame:
    """Return the game that ``game`` names, if it is impartial; :class:`~icgsynth.errors.InputError`
    with the advice ``mend`` if it is finite."""
    found = game_of(game)
    if not isinstance(found, ParametricGame):
        raise InputError(f"{found.name} is a finite game", mend=mend)
    return found


def finite_of(game: dict[str, Any], mend: str = "") -> FiniteGame:
    """Return the game that ``game`` names, if it is finite; :class:`~icgsynth.errors.InputError`
    with the advice ``mend`` for any other."""
    found = game_of(game)
    if isinstance(found, ParametricGame):
        raise InputError(f"{found.name} is no finite game", mend=mend)
    return found


def title_of(game: dict[str, Any], found: FiniteGame) -> str:
    """Return the title of ``found``, which ``game`` names: from the catalog, else its own name."""
    if isinstance(game.get("text"), str):
        return found.name
    titles = {entry.name: entry.title for entry in finite_entries()}
    return titles.get(str(game.get("name")), found.name)


def other_subject(game: dict[str, Any]) -> Subject | None:
    """Return the subject, which answers questions about a game, of a ``game`` that no page draws,
    as one of heaps; None for a game that can be drawn."""
    from icgsynth.boards.subject.finite_subject import FiniteSubject
    from icgsynth.subjects import subject
    from icgsynth.subjects.game_subject import GameSubject

    source = source_of(game)
    found = subject(source.name, constants_of(game), source.text)
    return None if isinstance(found, GameSubject | FiniteSubject) else found


@lru_cache(maxsize=16)
def _game(words: str) -> ParametricGame | FiniteGame:
    game = json.loads(words)
    source = source_of(game)
    # Encodings of the catalog alone: one of a stranger may include files of this machine.
    encoded = source.name.endswith(".lp")
    if not encoded and not looks_like_gdl(source.text):
        return _parametric(source, constants_of(game))
    from icgsynth.boards.finite.board import board_of
    from icgsynth.boards.finite.game import FiniteGame
    from icgsynth.boards.finite.grounder import ground
    from icgsynth.boards.rules.finite import read_finite

    rules = read_finite(source, constants_of(game) if encoded else None)
    return FiniteGame(board_of(ground(rules))).for_two()


def constants_of(game: dict[str, Any]) -> dict[str, int]:
    """Return the constants in ``game``, as a page sends it: names with integers."""
    return {str(name): int(number) for name, number in game.get("constants", {}).items()}


def _parametric(source: Source, constants: dict[str, int]) -> ParametricGame:
    from icgsynth.heaps.rules.heap_rules import HeapGame
    from icgsynth.spec.resolve import load_rules

    found: ParametricGame | HeapGame = load_rules(source, constants)
    if isinstance(found, HeapGame):
        mend = "its values are on the page Values"
        raise InputError(f"{found.name} is a game of heaps, which is not drawn here", mend=mend)
    if found.is_quantified:
        mend = "write the rule without exists and forall"
        raise InputError(
            f"{found.name} has a rule with a quantifier: it cannot be played", None, mend
        )
    return found


def rule_of(game: dict[str, Any]) -> PlayRule:
    """Return the rule of play of ``game``: "normal" (who cannot move loses) or "misere"."""
    return "misere" if game.get("rule") == "misere" else "normal"


def answer_of(data: Data, game: ParametricGame) -> Solution | None:
    """Return the answer for ``game`` that the page's ``data`` has, read once; or None."""
    return None if data.get("answer") is None else read_answer(data["answer"], game)


def read_answer(answer: Data, game: ParametricGame) -> Solution:
    """Return ``answer``, the JSON of an answer's file, as a solution of ``game``; it is read
    once."""
    return _answer(json.dumps(answer), game)


@lru_cache(maxsize=16)
def _answer(text: str, game: ParametricGame) -> Solution:
    from icgsynth.spec.solution_file import read_solution

    return read_solution(Source("answer", text), game)


def build_solution(data: Data, game: ParametricGame, rules: list[Data]) -> Solution:
    """Return ``rules``, made on a page, as a solution that is not proved; its losing states are
    those of the formula ``losing`` in ``data``, or of the answer there. InputError if one is
    wrong."""
    known, losing = data.get("answer"), str(data.get("losing") or "").strip()
    document: Data = {"schema": SCHEMA, "kind": "strategy", "rule": rule_of(data["game"])}
    if known is not None:
        document |= {key: known[key] for key in _OF_SETS if key in known}
        own = str(read_answer(known, game).sides()[1])
        if "automaton" in known:
            if losing in ("", own):
                document["automaton"] = known["automaton"]
            else:
                document["sets"] = {"L": known["automaton"], **document.get("sets", {})}
        losing = losing or own
    if not losing:
        mend = "write where whoever is to move loses, or solve the game"
        raise InputError("nothing is said of the states that lose", mend=mend)
    document["losing"] = {"formula": losing}
    try:
        _read(document, game)
    except InputError as error:
        raise InputError(f"where the mover loses: {error.message}", mend=error.mend) from None
    for number, rule in enumerate(rules, 1):
        try:
            _read({**document, "strategy": [rule]}, game)
        except InputError as error:
            raise InputError(f"rule {number}: {error.message}", mend=error.mend) from None
    aims = any("to" in rule for rule in rules)
    return _read({**document, "strategy" if aims else "fft": rules}, game)


def _read(document: Data, game: ParametricGame) -> Solution:
    from icgsynth.spec.solution_file import read_solution

    return read_solution(Source("strategy", json.dumps(document)), game)
