"""An n-tuple network as an evaluation of searches (see `games/evaluation/__init__.py`).

A network knows what the player expects who has just ended its turn: the one before the player who acts next. Its team
expects the same, and the other sides share what it loses, which between two sides is the whole truth. Nobody knows
who has acted before: in the middle of a turn, such as with a man to be taken in morris, the position counts as the end
of a turn of the player before, which is near enough for a leaf that a tree search soon looks beyond.

Data: (gamma [1], the net of `value.py`, spots [places]); the last part of the net and the spots are room to work in.
"""

import numpy as np

from spielwerk.games.evaluation import Evaluation, nothing
from spielwerk.games.rules import BEST, PLAYERS, TEAM
from spielwerk.learn.afterstates import next_actor
from spielwerk.learn.td.network import NTupleNetwork
from spielwerk.learn.td.value import locate, value_at
from spielwerk.search.estimate import SIDES


def evaluate(state, player, data):
    """See `games/evaluation/__init__.py`."""
    gamma, net, spots = data
    viewer = (next_actor(state) + PLAYERS - 1) % PLAYERS
    locate(state, viewer, spots, net)
    value = gamma[0] * value_at(spots, net) * BEST
    return value if TEAM[player] == TEAM[viewer] else -value / (SIDES - 1)


def evaluation(network: NTupleNetwork, name: str) -> Evaluation:
    """The evaluation by a network, as it is and as it becomes if it learns on."""

    def data() -> tuple[object, ...]:
        gamma, places = network.settings.gamma, len(network.shape.places)
        return np.array([gamma]), network.view(), np.zeros(places, np.int64)

    bindings = {**network.bindings, "SIDES": network.game.sides}
    return Evaluation(name, evaluate, nothing, data(), bindings, data)
