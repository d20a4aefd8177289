"""A network of torch as an estimator, for the matches that measure a learner."""

from __future__ import annotations

import torch

from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.games.rules import OVER
from spielwerk.learn.neural.heads import Head
from spielwerk.learn.neural.tensors import seen, tensor
from spielwerk.learn.td.neural.module import ValueNetwork
from spielwerk.learn.td.neural.selfplay import PIECE
from spielwerk.search.estimator import Estimate, Estimator, on_host


class TorchEstimator(Estimator):
    """Estimates by a network as it is, which may go on learning."""

    name = "network"

    def __init__(self, game: Game, network: ValueNetwork, head: Head, inputs: str) -> None:
        super().__init__(game)
        self.network, self.head, self.inputs = network, head, inputs

    @on_host
    def estimate(self, batch: Batch) -> Estimate:
        """Values by seat."""
        device = self.head.teams.device
        actors = tensor(batch.actors).to(device)
        made = []
        with torch.no_grad():
            for first in range(0, max(len(batch), 1), PIECE["cpu"]):
                part = batch.sibling(batch.states[first : first + PIECE["cpu"]])
                made.append(self.head.outputs(self.network(seen(part, self.inputs).to(device)).float()))
            outputs = torch.cat(made)
            everyone = range(self.game.players)
            columns = [self.head.worths(outputs, actors, torch.full_like(actors, player)) for player in everyone]
        values = torch.stack(columns, 1).double().cpu().numpy()
        over = batch.actors == OVER
        values[over] = batch.scores()[over]
        return Estimate(values)
