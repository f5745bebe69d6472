"""What a file may be called whose rules were changed or deleted: small states tell."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hand_solved import game, nim2, nim2_misere, rules, take_away

from icgsynth.errors import InputError
from icgsynth.game.answers import Verdict
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.strategy import Strategy
from icgsynth.prove.needless import require_true_moves, without_false_need, without_false_parts
from icgsynth.spec.icg import parse_term

BARE = Strategy()
STILL = """game still
var v
legal 0 <= v <= 2
action up(k)  pre k >= 1 and v >= 3  eff v := v + k
"""


@pytest.mark.parametrize("build", [nim2, nim2_misere, take_away])
def test_an_answer_without_rules_needs_none_where_no_winning_state_has_a_move(build):
    """Seen: deleted rules that are taken for needless ones, or needless ones that are missed."""
    answer = build()
    assert without_false_need(answer) == answer
    bare = without_false_need(replace(answer, strategy=BARE, tree=BARE))
    assert bare.status == "conditional" and "strategy" not in bare.proof
    assert {**bare.proof, "strategy": Verdict.PROVED} == dict(answer.proof)
    needless = replace(bare, game=game(STILL), proof=answer.proof, status="solved")
    if len(answer.game.variables) == 1:
        assert without_false_need(needless) == needless


def test_what_small_states_refute_is_not_called_proved():
    """Seen: a part that is wrong and keeps its proof, or one that is right and loses it."""
    for build in (nim2, nim2_misere, take_away):
        assert without_false_parts(build()) == build()
    right = nim2()
    swapped = replace(right, winning=right.losing, losing=right.winning)
    few = replace(right, strategy=right.strategy[:1])
    short = replace(right, tree=right.tree[:1])
    for wrong, parts in ((swapped, {"winning"}), (few, {"strategy"}),
                         (short, {"strategy"})):  # fmt: skip
        found = without_false_parts(wrong)
        assert found.status == "conditional"
        assert {p for p in right.proof if found.proof[p] != right.proof[p]} == parts
        assert all(found.proof[part] is Verdict.UNKNOWN for part in parts)
    bare = replace(right, strategy=BARE, tree=BARE)
    assert without_false_parts(bare) == bare  # whether it needs rules, is another question


@pytest.mark.parametrize(
    ("argument", "is_right"), [("v mod 4 - w", True), ("v mod 4", False), ("w + 1", False)]
)
def test_moves_to_values_are_played_out(argument, is_right):
    """Seen: rules that lead to another value, or nowhere, and are believed."""
    of = take_away().game
    answer = GrundyAnswer(of, "solved", parse_term("v mod 4", ("v",)))
    (rule,) = rules(of, ("true", "take", "v"))
    argument = parse_term(argument, ("v", answer.target))
    moves = Strategy((replace(rule, act=replace(rule.act, arguments=(("k", argument),))),))
    require_true_moves(answer)
    if is_right:
        require_true_moves(replace(answer, strategy=moves))
    else:
        with pytest.raises(InputError):
            require_true_moves(replace(answer, strategy=moves))
