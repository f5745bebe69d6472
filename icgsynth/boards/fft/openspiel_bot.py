"""Export a tree for a game of OpenSpiel as a bot: a Python module that needs ``pyspiel`` alone."""

from __future__ import annotations

from icgsynth.boards.fft.tiers import TreeAnswer
from icgsynth.boards.rules.openspiel import OpenSpielGame
from icgsynth.errors import InputError

_MODULE = '''\
"""A bot for OpenSpiel that plays {game} by a fast-and-frugal tree.

    game = pyspiel.load_game(GAME)
    bots = [make_bot(0), make_bot(1)]
    pyspiel.evaluate_bots(game.new_initial_state(), bots, 42)

The first rule that names a legal move decides; where no rule does, a move is drawn by lot.  The
tree is for player {player}.  It was found for

    {standing}
"""

import itertools
import random

import pyspiel

GAME = {spec!r}
PLAYER = {player}

# Each rule: the facts that must hold, those that must not, and the action.
RULES = [
{rules}
]


def names(shape):
    """What the entries of an observation tensor are called."""
    places = itertools.product(*map(range, shape))
    if len(shape) == 3:
        return [f"cell({{row}},{{column}},{{plane}})" for plane, row, column in places]
    return [f"at({{','.join(map(str, place))}})" for place in places]


NAMES = names(pyspiel.load_game(GAME).observation_tensor_shape())


def facts(state):
    """The facts of a state."""
    seen = zip(NAMES, state.observation_tensor(0))
    found = {{n if v == 1 else f"{{n[:-1]}},{{v:g}})" for n, v in seen if v}}
    mover = state.current_player()
    return found | {{f"control(player{{mover}})" if mover >= 0 else "over"}}


def kept(state):
    """The legal actions that the tree keeps."""
    player, held = state.current_player(), facts(state)
    actions = list(state.legal_actions())
    called = [state.action_to_string(player, action).strip() for action in actions]
    full = [n if called.count(n) == 1 else f"{{n}}#{{a}}" for n, a in zip(called, actions)]
    for wanted, unwanted, name in RULES:
        if name in full and wanted <= held and not unwanted & held:
            return [actions[full.index(name)]]
    return actions


class Bot(pyspiel.Bot):
    """Plays the tree."""

    def __init__(self, player_id=PLAYER, seed=0):
        pyspiel.Bot.__init__(self)
        self._player, self._random = player_id, random.Random(seed)

    def player_id(self):
        return self._player

    def restart_at(self, state):
        pass

    def inform_action(self, state, player_id, action):
        pass

    def provides_policy(self):
        return True

    def get_policy(self, state):
        actions = kept(state)
        return [(action, 1 / len(actions)) for action in actions]

    def step_with_policy(self, state):
        policy = self.get_policy(state)
        return policy, self._random.choice(policy)[0]

    def step(self, state):
        return self._random.choice(kept(state))


def make_bot(player_id=PLAYER, seed=0):
    """A bot for one of the players."""
    return Bot(player_id, seed)
'''


def openspiel_bot(answer: TreeAnswer) -> str:
    """Return the text of a Python module with a bot that plays by the tree of ``answer``.
    :class:`~icgsynth.errors.InputError` where its game is none of OpenSpiel."""
    game = answer.game
    if not isinstance(game, OpenSpielGame):
        message = f"{game.name} is no game of OpenSpiel, for which bots are written"
        raise InputError(message, mend="export it to python, or find a tree of openspiel:NAME")
    rules = []
    for rule in answer.tree.rules:
        holds = {literal.atom for literal in rule.literals if literal.holds}
        fails = {literal.atom for literal in rule.literals if not literal.holds}
        rules.append(f"    ({_set(holds)}, {_set(fails)}, {rule.action!r}),")
    return _MODULE.format(
        game=game.spec,
        spec=game.spec,
        player=int(answer.frame.get("player", 1)) - 1,
        standing=answer.brief,
        rules="\n".join(rules),
    )


def _set(names: set[str]) -> str:
    return f"{{{', '.join(map(repr, sorted(names)))}}}" if names else "set()"
