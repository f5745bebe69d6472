"""The report of a tournament as a JSON value and as lines of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from icgsynth.boards.finite.arena_table import ArenaTable
from icgsynth.boards.finite.worth import show_chance
from icgsynth.boards.play.finite import TwoPlayerGame
from icgsynth.boards.play.tournament import Pairing, Standing, exact, wilson
from icgsynth.play.match import Player

_G = TypeVar("_G", bound=TwoPlayerGame)


def exact_value(table: ArenaTable[_G], agent: Player[_G]) -> dict[str, Any]:
    """Return an agent's exact chances against random play and its worst outcomes, as JSON."""
    found, roles = exact(table, agent), table.arena.roles
    wins = (found.random[0].win + found.random[1].win) / 2
    how = "rounded" if any(chances.rounded for chances in found.random) else "exact"
    return {
        "against_random": found.to_json(roles)["against_random"],
        "wins_against_random": float(wins),
        "worst_case": {roles[w.player]: w.outcome for w in found.worst},
        "never_loses": found.never_loses,
        "says": f"wins {show_chance(wins)} against random ({how}); {found.says(roles)}",
    }


def tournament_value(
    game: str,
    matches: int,
    seed: int,
    pairings: Sequence[Pairing],
    standings: Sequence[Standing],
    exacts: Mapping[str, dict[str, Any]],
) -> dict[str, Any]:
    """Return the results of all pairs and agents of a tournament as JSON. ``exacts``: the exact
    chances, as JSON, of some agents by name."""

    def interval(count: int, total: int) -> list[float]:
        return [round(bound, 4) for bound in wilson(count, total)]

    pairs = [
        {
            "agents": [p.first, p.second],
            "won": p.won,
            "drawn": p.drawn,
            "lost": p.lost,
            "share_won": round(p.won / matches, 4),
            "interval": interval(p.won, matches),
        }
        for p in pairings
    ]
    agents = []
    for s in standings:
        mean, tail = s.latency()
        agents.append(
            {
                "agent": s.name,
                "won": s.won,
                "drawn": s.drawn,
                "lost": s.lost,
                "interval": interval(s.won, s.matches),
                "moves": len(s.times),
                "ms_per_move": {"mean": round(mean, 4), "p95": round(tail, 4)},
                **({"exact": exacts[s.name]} if s.name in exacts else {}),
            }
        )
    return {
        "game": game,
        "matches": matches,
        "seed": seed,
        "pairs": pairs,
        "agents": agents,
    }


def tournament_lines(value: Mapping[str, Any]) -> list[str]:
    """Return the report of a tournament, given as its JSON ``value``, as lines of text."""
    width = max(len(a["agent"]) for a in value["agents"])
    lines = [f"{value['game']}: {value['matches']:,} matches a pair, seed {value['seed']}", ""]
    for pair in value["pairs"]:
        one, two = pair["agents"]
        low, high = pair["interval"]
        lines.append(
            f"  {one:{width}}  {two:{width}}  {pair['won']:>6} won {pair['drawn']:>6} drawn "
            f"{pair['lost']:>6} lost   share won {low:.3f} to {high:.3f} (95 %)"
        )
    lines.append("")
    for agent in value["agents"]:
        times = agent["ms_per_move"]
        text = f"  {agent['agent']:{width}}  {times['mean']:.3f} ms a move"
        text += f", 95 % within {times['p95']:.3f} ms"
        if "exact" in agent:
            text += f"; {agent['exact']['says']}"
        lines.append(text)
    return lines
