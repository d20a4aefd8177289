"""TdPlayer: an agent that takes the move with the best afterstate by an n-tuple network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spielwerk.arena.compiled import Compiled
from spielwerk.games.game import Game
from spielwerk.learn.td import choice
from spielwerk.learn.td.network import NTupleNetwork


class TdPlayer(Compiled):
    """Plays by a network, which may go on learning."""

    decide = choice.decide

    def __init__(self, game: Game, network: NTupleNetwork) -> None:
        super().__init__(game, self.Settings())
        self.network = network

    def new_memory(self) -> choice.Policy:
        """The network with scratch space of its own."""
        return choice.policy_of(self.game, self.network)

    @property
    def draws(self) -> bool:
        """It does not."""
        return False

    @property
    def bindings(self) -> Mapping[str, Any]:
        """How the network sees a position."""
        return {**self.network.bindings, **choice.BINDINGS}
