"""Rewards: what a move brings besides the end of the game.

With `plain` shaping, who moves is rewarded for each count that the move has raised, and the other side pays for it.
With `potential`, a move brings γ·Φ(after) - Φ(before), where Φ is what one side has of all counts more than the other:
such rewards change no game's best play (Ng, Harada and Russell 1999).
"""

from __future__ import annotations

import torch
from torch import Tensor

from spielwerk.games.batch import Batch
from spielwerk.games.shaping.rows import term_rows
from spielwerk.learn.actor_critic.settings import POTENTIAL, Settings
from spielwerk.learn.neural.heads import Head
from spielwerk.learn.neural.tensors import array, tensor
from spielwerk.names import BadInput


class Rewards:
    """Shaped rewards of one game, by seat."""

    def __init__(self, batch: Batch, head: Head, settings: Settings) -> None:
        self.batch, self.head, self.gamma = batch, head, settings.gamma
        self.potential = settings.shaping == POTENTIAL
        found = settings.terms_of(batch.game)
        if found and batch.game.sides != 2:
            raise BadInput(f"actor-critic: shaped rewards are for two sides, and {batch.game.name} has more.")
        terms = batch.game.shaping.terms if batch.game.shaping else ()
        self.weights = torch.tensor([found.get(name, 0.0) for name in terms], device=batch.device)
        self.any = bool(found)

    def counts(self, players: Tensor) -> Tensor:
        """What the boards have for some players now, weighted: [n, terms]."""
        batch, shaping = self.batch, self.batch.game.shaping
        assert shaping is not None
        out = batch.arrays.empty((len(batch), len(shaping.terms)), "float32")
        given = batch.states, array(batch, players), out
        batch.run(term_rows, *given, write_terms=shaping.write_terms)
        return tensor(out) * self.weights

    def before(self, movers: Tensor) -> Tensor:
        """What is to be remembered until the move was made: [n, terms]."""
        return self.counts(movers) - self.counts(1 - movers) if self.potential else self.counts(movers)

    def after(self, movers: Tensor, before: Tensor, over: Tensor) -> Tensor:
        """What the move has brought, by seat: [n, 1]."""
        if self.potential:
            now = torch.where(over[:, None], 0.0, self.counts(movers) - self.counts(1 - movers))
            gained = self.gamma * now - before
        else:
            gained = (self.counts(movers) - before).clamp(min=0)
        return self.head.by_seat(gained.sum(1, keepdim=True), movers)
