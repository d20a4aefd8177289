"""An n-tuple network as an evaluation of searches (see `games/evaluation/__init__.py`).

A network knows what the player expects who has just ended its turn: the one before the player who acts next. Its team
expects the same, and the other sides share what it loses, which between two sides is the whole truth. Nobody knows
who has acted before: in the middle of a turn, such as with a man to be taken in morris, the position counts as the end
of a turn of the player before, which is near enough for a leaf that a tree search soon looks beyond.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.games.evaluation import Evaluation, nothing
from spielwerk.games.rules import BEST, PLAYERS, TEAM
from spielwerk.learn.afterstates import next_actor
from spielwerk.learn.td.network import NTupleNetwork
from spielwerk.learn.td.value import Net, locate, value_at
from spielwerk.search.estimate import SIDES


class Data(NamedTuple):
    """What the evaluation reads, with scratch space."""

    gamma: float
    net: Net
    indices: np.ndarray  # int64 [places], scratch


def evaluate(state, player, data):
    """See `games/evaluation/__init__.py`."""
    viewer = (next_actor(state) + PLAYERS - 1) % PLAYERS
    locate(state, viewer, data.indices, data.net)
    value = data.gamma * value_at(data.indices, data.net) * BEST
    return value if TEAM[player] == TEAM[viewer] else -value / (SIDES - 1)


def evaluation(network: NTupleNetwork, name: str) -> Evaluation:
    """The evaluation by a network, as it is and as it becomes if it learns on."""

    def data() -> Data:
        return Data(float(network.settings.gamma), network.view(), np.zeros(len(network.shape.places), np.int64))

    bindings = {**network.bindings, "SIDES": network.game.sides}
    return Evaluation(name, evaluate, nothing, data(), bindings, data)
