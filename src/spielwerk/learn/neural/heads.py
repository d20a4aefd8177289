"""Heads: what the outputs of a network mean, and how they are learned.

A network sees a position from the side of the player who acts next, and its outputs are that player's. What is learned
is compared from turn to turn, so it is kept *by seat*: as player 0 sees it where there are two sides, for every player
where there are more.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import torch
from torch import Tensor
from torch.nn import functional

from spielwerk.games.batch import Batch
from spielwerk.games.chances import Chances
from spielwerk.games.chances import chances as chances_of
from spielwerk.games.game import Game


class Head(ABC):
    """One meaning of outputs; tensors lie wherever they are given."""

    output: str  # as ONNX files name it
    size: int  # outputs

    def __init__(self, game: Game) -> None:
        self.game, self.best = game, float(game.constants["BEST"])
        self.teams = torch.tensor(game.constants["TEAM"])

    def to(self, device: str) -> Head:
        """The same with its constants on a device."""
        for name, value in vars(self).items():
            if isinstance(value, Tensor):
                setattr(self, name, value.to(device))
        return self

    @abstractmethod
    def outputs(self, logits: Tensor) -> Tensor:
        """The outputs, from what the last layer says."""

    @abstractmethod
    def loss(self, logits: Tensor, wanted: Tensor) -> Tensor:
        """How far the last layer is from the wanted outputs, on average."""

    @abstractmethod
    def by_seat(self, outputs: Tensor, actors: Tensor) -> Tensor:
        """What is kept, from the outputs of those who act next."""

    def seen(self, kept: Tensor, actors: Tensor) -> Tensor:
        """The outputs of those who act next, from what is kept; with two sides, both ways are the same."""
        return self.by_seat(kept, actors)

    def first_side(self, actors: Tensor) -> Tensor:
        """Whether the side of player 0 acts next: [n, 1]."""
        return (self.teams[actors] == self.teams[0])[:, None]

    @abstractmethod
    def worths(self, outputs: Tensor, actors: Tensor, players: Tensor) -> Tensor:
        """The score that some players may expect where others act next."""

    @abstractmethod
    def points(self) -> Tensor:
        """What each output adds to the score of who acts next as it goes from 0 to its most: [outputs]."""

    def results(self, batch: Batch) -> Tensor:
        """How the games ended, by seat; anything where they are not over."""
        return torch.as_tensor(batch.scores(), device=self.teams.device).float()


class TanhHead(Head):
    """Expected scores, as high as the highest one."""

    output = "value"

    def outputs(self, logits: Tensor) -> Tensor:
        """Scores."""
        return torch.tanh(logits) * self.best

    def loss(self, logits: Tensor, wanted: Tensor) -> Tensor:
        """The mean squared error of the share of the highest score."""
        return functional.mse_loss(torch.tanh(logits), wanted / self.best)

    def points(self) -> Tensor:
        """The first output is that of who acts next."""
        return functional.one_hot(torch.tensor(0), self.size) * self.best


class ScoreHead(TanhHead):
    """The expected score of the player who acts next, in games of two sides."""

    size = 1

    def by_seat(self, outputs: Tensor, actors: Tensor) -> Tensor:
        """What one side expects, the other fears."""
        return torch.where(self.first_side(actors), outputs, -outputs)

    def worths(self, outputs: Tensor, actors: Tensor, players: Tensor) -> Tensor:
        """The same, whoever asks."""
        return torch.where(self.teams[actors] == self.teams[players], outputs[:, 0], -outputs[:, 0])

    def results(self, batch: Batch) -> Tensor:
        """The score of player 0."""
        return super().results(batch)[:, :1]


class ScoresHead(TanhHead):
    """The expected score of every player, who acts next first, in games of more than two sides."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.size = game.players
        self.seats = torch.arange(game.players)

    def by_seat(self, outputs: Tensor, actors: Tensor) -> Tensor:
        """Turned, so that player 0 comes first."""
        return torch.gather(outputs, 1, (self.seats - actors[:, None]) % self.size)

    def seen(self, kept: Tensor, actors: Tensor) -> Tensor:
        """Turned back."""
        return torch.gather(kept, 1, (self.seats + actors[:, None]) % self.size)

    def worths(self, outputs: Tensor, actors: Tensor, players: Tensor) -> Tensor:
        """Each player has an output of its own."""
        return torch.gather(outputs, 1, ((players - actors) % self.size)[:, None])[:, 0]


class ChancesHead(Head):
    """The chances of a game with several kinds of wins."""

    output = "chances"

    def __init__(self, game: Game, known: Chances) -> None:
        super().__init__(game)
        self.known, self.size = known, len(known.names)
        self.weights = torch.tensor(known.weights, dtype=torch.float32)
        self.swap = torch.tensor(known.swap)

    def outputs(self, logits: Tensor) -> Tensor:
        """Probabilities."""
        return torch.sigmoid(logits)

    def loss(self, logits: Tensor, wanted: Tensor) -> Tensor:
        """The mean cross-entropy."""
        return functional.binary_cross_entropy_with_logits(logits, wanted)

    def by_seat(self, outputs: Tensor, actors: Tensor) -> Tensor:
        """What one side may win, the other may lose."""
        turned = outputs[:, self.swap]
        turned[:, 0] = 1.0 - turned[:, 0]
        return torch.where(self.first_side(actors), outputs, turned)

    def worths(self, outputs: Tensor, actors: Tensor, players: Tensor) -> Tensor:
        """The score that the chances mean, by the game's scoring."""
        scores = outputs @ self.weights - 1.0
        return torch.where(self.teams[actors] == self.teams[players], scores, -scores)

    def points(self) -> Tensor:
        """By the game's scoring."""
        return self.weights

    def results(self, batch: Batch) -> Tensor:
        """What came true for player 0."""
        return torch.as_tensor(self.known.results(batch))


def head_of(game: Game, chances: bool = True) -> Head:
    """The head for a game: its chances, where it has any and they are wanted, else scores."""
    known = chances_of(game) if chances else None
    if known:
        return ChancesHead(game, known)
    return ScoreHead(game) if game.sides == 2 else ScoresHead(game)
