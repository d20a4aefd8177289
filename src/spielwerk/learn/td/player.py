"""TdPlayer: an agent that takes the move with the best afterstate by an n-tuple network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from spielwerk.arena.compiled import Compiled
from spielwerk.games.game import Game
from spielwerk.learn.td import choice
from spielwerk.learn.td.network import NTupleNetwork


class TdPlayer(Compiled):
    """Plays by a network, which may go on learning."""

    decide = choice.best_action

    def __init__(self, game: Game, network: NTupleNetwork) -> None:
        super().__init__(game, self.Settings())
        self.network = network

    def new_memory(self) -> tuple[Any, ...]:
        """See `choice.py`."""
        network = self.network
        return np.array([network.settings.gamma]), room(self.game, network), network.view()

    @property
    def draws(self) -> bool:
        """It does not."""
        return False

    @property
    def bindings(self) -> Mapping[str, Any]:
        """How the network sees a position."""
        return self.network.bindings


def room(game: Game, network: NTupleNetwork) -> tuple[Any, ...]:
    """Room for a choice (see `choice.py`)."""
    bound, places = game.constants, len(network.shape.places)
    states, options = np.zeros((2, bound["WORDS"]), np.int64), np.zeros((2, bound["MOST_MOVES"]), np.int64)
    base = np.zeros(len(network.layout.values), np.int64), np.zeros(places, np.int64)
    return states, options, np.zeros(game.players), np.zeros((2, places), np.int64), base
