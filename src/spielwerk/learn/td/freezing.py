"""Freezing: a copy of the network is kept, and a trained one is adopted only if it beats the copy in a match."""

from __future__ import annotations

import numpy as np

from spielwerk.games.game import Game
from spielwerk.learn.rivals import rate_against
from spielwerk.learn.td.network import NTupleNetwork
from spielwerk.learn.td.player import TdPlayer


class Frozen:
    """The last network that won, or the first."""

    def __init__(self, game: Game, network: NTupleNetwork) -> None:
        self.game, self.network = game, network
        self.copy = network.twin()
        self.adopted, self.dropped = 0, 0

    def decide(self, games: int, seed: int, episode: int) -> None:
        """Adopts the network if it wins more than half of a match; otherwise it goes back to the copy."""
        new, old = TdPlayer(self.game, self.network), TdPlayer(self.game, self.copy)
        if rate_against(new, old, games, _match_seed(seed, episode)) > 0.5:
            self.copy.take(self.network)
            self.adopted += 1
        else:
            self.network.take(self.copy)
            self.dropped += 1

    def arrays(self) -> dict[str, np.ndarray]:
        """What a resume needs."""
        counts = np.array([self.adopted, self.dropped])
        return {"frozen": self.copy.weights, "frozen_coherence": self.copy.coherence, "frozen_counts": counts}

    def restored(self, counts: np.ndarray) -> None:
        """Goes on counting from `counts`; the weights have been written by then."""
        self.adopted, self.dropped = counts.tolist()


def _match_seed(seed: int, episode: int) -> int:
    """Every match has games of its own."""
    return seed * 1_000_003 + episode
