"""NetworkRollout: rollouts of many positions at once on a GPU; the same as those of `search/rollout.py`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.kernel.arrays import arrays_of
from spielwerk.learn.neural.heads import head_of
from spielwerk.learn.td.neural.reading import read_network
from spielwerk.learn.td.neural.selfplay import SelfPlay
from spielwerk.learn.td.neural.targets import targets_of


class NetworkRollout:
    """Plays positions on by the best turns of a network that was exported, and takes the luck of the dice off."""

    def __init__(self, game: Game, path: Path, device: str) -> None:
        self.game, self.device, self.head = game, device, head_of(game).to(device)
        network, self.inputs = read_network(game, path)
        self.network = network.to(device)

    def values(self, states: np.ndarray, rngs: np.ndarray, turns: int) -> np.ndarray:
        """What each player may expect on boards that are not over, after so many turns, at least one: [n, players]."""
        arrays = arrays_of(self.device)
        boards, streams = (arrays.copy(arrays.array(*of)) for of in ((states, "int64"), (rngs, "uint64")))
        batch = Batch(self.game, boards, streams, self.device)
        play = SelfPlay(batch, self.head, self.inputs, "fixed", every=True)
        with torch.no_grad():
            ends = [play.turn(self.network, 0.0) for _ in range(turns)]
            found = targets_of([ends[0], *ends], 1.0)[0]
            first = torch.zeros_like(ends[0].actors)
            worths = [self.head.worths(found, first, first + player) for player in range(self.game.players)]
        return torch.stack(worths, dim=1).double().cpu().numpy()
