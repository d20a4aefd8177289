"""NetworkEstimator: a network of torch as an estimator, on the CPU or a GPU."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.games.rules import OVER
from spielwerk.learn.neural import priors
from spielwerk.learn.neural.heads import ChancesHead, Head
from spielwerk.learn.neural.tensors import seen, tensor
from spielwerk.search.estimator import Estimate, Estimator, check_game

PolicyValue = Callable[[Tensor], tuple[Tensor, Tensor]]  # a network with two heads, perhaps compiled
DTYPES = ("float64", "float32", "float64", "float32")  # of the columns of an estimate
PIECE = {"cpu": 1 << 12, "cuda": 1 << 18}  # positions that the network looks at together


class NetworkEstimator(Estimator):
    """Estimates by a network as it is, which may go on learning; what it says lies where the batch lies.

    A policy over actions gives logits, one over the `ends` of turns gives priors.

    The network computes where the head's constants lie (`Head.to`).
    """

    name = "network"
    has_priors = True

    def __init__(self, game: Game, network: PolicyValue, head: Head, inputs: str, ends: bool = False) -> None:
        super().__init__(game)
        self.network, self.head, self.inputs, self.ends = network, head, inputs, ends
        self.chances = head.known if isinstance(head, ChancesHead) else None
        self.recordable, self.apart = True, ends  # afterstates are many, and as many as there are

    def estimate(self, batch: Batch) -> Estimate:
        """Values by seat, what the policy says, and chances where the head says any."""
        check_game(self, batch)
        with torch.no_grad():
            columns = [
                _joined(column) for column in zip(*(self._estimate(part) for _, part in pieces(batch)), strict=True)
            ]
        return Estimate(*(_placed(batch, *given) for given in zip(columns, DTYPES, strict=True)))

    def value(self, batch: Batch) -> Estimate:
        """Values by seat alone."""
        check_game(self, batch)
        with torch.no_grad():
            found = _joined(
                tuple(self._values(part, self.head.outputs(self._asked(part)[1])) for _, part in pieces(batch))
            )
        return Estimate(_placed(batch, found, DTYPES[0]))

    def kept(self, batch: Batch) -> Tensor:
        """What the head of the value keeps of positions in which somebody acts next, by seat."""
        with torch.no_grad():
            outputs = torch.cat([self.head.outputs(self._asked(part)[1]) for _, part in pieces(batch)])
            return self.head.by_seat(outputs, self._here(batch.actors))

    def _estimate(self, batch: Batch) -> tuple[Tensor | None, ...]:
        policy, said = self._asked(batch)
        outputs = self.head.outputs(said)
        said_of = (self._scored(batch), None) if self.ends else (None, policy)
        return self._values(batch, outputs), said_of[0], self._chances(batch, outputs), said_of[1]

    def _values(self, batch: Batch, outputs: Tensor) -> Tensor:
        """What each player may expect: [n, players]."""
        actors = self._here(batch.actors)
        over, acting = (actors == OVER)[:, None], actors.clamp(min=0)
        everyone = range(self.game.players)
        columns = [self.head.worths(outputs, acting, torch.full_like(acting, player)) for player in everyone]
        found = torch.stack(columns, 1).clamp(-self.head.best, self.head.best)
        return torch.where(over, self._here(batch.scores()).float(), found)

    def _chances(self, batch: Batch, outputs: Tensor) -> Tensor | None:
        """Those of player 0, where the head says any."""
        if self.chances is None:
            return None
        actors = self._here(batch.actors)
        results = self._here(self.chances.results(batch))
        return torch.where((actors == OVER)[:, None], results, self.head.by_seat(outputs, actors.clamp(min=0)))

    def _scored(self, batch: Batch) -> Tensor:
        """Priors by the ends of all turns, some at a time."""
        ends = batch.afterstates()
        viewers = ends.viewers(batch)
        found = [self._asked(part, viewers[at : at + len(part)])[0][:, 0] for at, part in pieces(ends.batch)]
        scores = torch.cat(found)
        return priors.of_scores(scores, ends, batch.actions(), self.game.constants["ACTIONS"])

    def _asked(self, batch: Batch, viewers: Any = None) -> tuple[Tensor, Tensor]:
        """What the network says."""
        policy, said = self.network(self._here(seen(batch, self.inputs, viewers)))
        return policy.float(), said.float()

    def _here(self, array: Any) -> Tensor:
        """An array where the network computes."""
        return tensor(array).to(self.head.teams.device)


def pieces(batch: Batch) -> Iterator[tuple[int, Batch]]:
    """The batch in pieces that the network can look at, each with the number of its first board; at least one."""
    piece = PIECE[batch.device]
    if len(batch) <= piece:
        yield 0, batch
        return
    for first in range(0, len(batch), piece):
        yield first, batch.sibling(batch.states[first : first + piece])


def _joined(parts: tuple[Tensor | None, ...]) -> Tensor | None:
    """What was found of all pieces."""
    found = [part for part in parts if part is not None]
    return (found[0] if len(found) == 1 else torch.cat(found)) if found else None


def _placed(batch: Batch, found: Tensor | None, dtype: str) -> Any:
    """What was found, where the batch lies and as its arrays are."""
    if found is None:
        return None
    return batch.arrays.array(found if isinstance(batch.states, Tensor) else found.cpu().numpy(), dtype)
