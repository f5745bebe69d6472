"""Pages that play an answer, run by node: their rules and their moves, one question at a time."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping, Sequence
from shutil import which
from typing import Any

from experiments.judge.play import State

__all__ = ["NODE", "asked_of_page"]

NODE = which("node")
_SECONDS = 60  # for one page
_SCRIPT = re.compile(r"<script>\(\(\) => \{\n(.*)\n\}\)\(\);</script>", re.DOTALL)
_PLAYED = 'player(impartial(RULES), document.getElementById("play"));'
_ANSWERS = """
const big = (numbers) => numbers.map(BigInt);
const game = impartial(RULES);
const said = (f) => { try { return f(); } catch (error) { return `error: ${error.message}`; } };
const answers = QUESTIONS.map(([state, name, given]) => said(() => {
  const s = big(state);
  if (!RULES.legal(s)) return { legal: false };
  const found = { legal: true, end: RULES.end(s), wins: RULES.winning(s) };
  const action = RULES.actions.find((one) => one.name === name);
  if (action) {
    const p = action.parameters.map((one) => BigInt(given[one]));
    const next = !found.end && action.pre(s, p) ? action.after(s, p) : null;
    found.after = next && RULES.legal(next) ? next.map(String) : null;
  } else {
    const chosen = game.choose(s);
    found.after = chosen && chosen.after.map(String);
    found.rule = chosen && chosen.rule;
  }
  return found;
}));
console.log(JSON.stringify({ starts: RULES.starts, answers }));
"""


def asked_of_page(
    text: str, questions: Sequence[tuple[State, str, Mapping[str, int]]]
) -> dict[str, Any]:
    """What the page says: its ``starts``, and ``answers`` to the questions, in order.

    An answer has ``legal``, and of a legal state ``end``, ``wins`` and ``after``: where the move
    leads, or None.  Of a question without an action, "", that is the move that the page chooses.
    A text is an error of the page.
    """
    found = _SCRIPT.search(text)
    assert found is not None and found[1].endswith(_PLAYED) and NODE is not None
    asked = [
        ([str(number) for number in state], action, {k: str(v) for k, v in given.items()})
        for state, action, given in questions
    ]
    program = found[1].removesuffix(_PLAYED) + f"\nconst QUESTIONS = {json.dumps(asked)};"
    ended = subprocess.run(
        [NODE, "-"],
        input=program + _ANSWERS,
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    said: dict[str, Any] = json.loads(ended.stdout)
    return said
