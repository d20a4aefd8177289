"""ActorCriticNetwork: a body, a head that says what to play and one that says what to expect.

`mlp` with `hidden=256-256` on the usual inputs of morris is the network that the first source describes. `graph` is the
one that it proposes, over the points of the board; its weights play every board whose points are joined in the same
ways, such as those of six and nine men's morris. On a line and on a grid, where directions matter, what joins points is
a convolution.
"""

from __future__ import annotations

from collections import OrderedDict

import torch
from torch import Tensor, nn

from spielwerk.games.game import Game
from spielwerk.learn.actor_critic.networks.bodies import BoardBody, MlpBody
from spielwerk.learn.actor_critic.networks.places import places_of, removal_actions
from spielwerk.learn.actor_critic.networks.policies import FlatPolicy, PointPolicy
from spielwerk.learn.actor_critic.networks.shape import (
    MLP,
    OWN,
    Shape,
    form_of,
    hidden_places,
    input_layers,
    removal_place,
)
from spielwerk.learn.neural.forms import Form
from spielwerk.learn.neural.heads import Head
from spielwerk.learn.neural.layers import Precise

HIDDEN = 128  # numbers of the hidden layer of the value


class ActorCriticNetwork(nn.Module):
    """From rows [n, inputs] to the logits of all actions, [n, ACTIONS], and what a `Head` takes, [n, head.size]."""

    mask: Tensor | None

    def __init__(self, game: Game, inputs: str, shape: Shape, head: Head) -> None:
        super().__init__()
        form = form_of(game, inputs, shape)
        self.register_buffer("mask", _mask(form, hidden_places(game, inputs, shape)), persistent=False)
        self.removal = removal_place(game, inputs, shape)
        if shape.net == MLP:
            first = input_layers(game, inputs, shape)
            self.body, size = MlpBody(first, shape.widths), _said(form, shape)
        else:
            self.body, size = BoardBody(form, shape.filters, shape.blocks), 2 * shape.filters
        self.policy = _policy(game, shape, form)
        self.value = ValueHead(size, head.size)
        self.log_temperature = nn.Parameter(torch.zeros(())) if shape.temperature else None

    def forward(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """The logits and the value."""
        removing = None if self.removal is None else rows[:, self.removal, None] > 0.5
        said = self.body(rows if self.mask is None else rows * self.mask)
        logits = self.policy(said, removing)
        if self.log_temperature is not None:
            logits = logits / self.log_temperature.exp()
        return logits, self.value(said)


class ValueHead(nn.Sequential):
    """A hidden layer, then the outputs; of points, it sees the mean and the maximum."""

    def __init__(self, size: int, outputs: int) -> None:
        parts = {"hidden": nn.Linear(size, HIDDEN), "relu": nn.ReLU(), "last": Precise(HIDDEN, outputs)}
        super().__init__(OrderedDict(parts))

    def forward(self, input: Tensor) -> Tensor:
        """[n, outputs]."""
        return super().forward(input if input.ndim == 2 else torch.cat([input.mean(2), input.amax(2)], 1))


def network_of(game: Game, inputs: str, shape: Shape, head: Head) -> ActorCriticNetwork:
    """The network for a game, with the weights that torch draws; BadInput where there can be none."""
    return ActorCriticNetwork(game, inputs, shape, head)


def _policy(game: Game, shape: Shape, form: Form) -> nn.Module:
    """By the points that actions concern, where there are any; otherwise by one layer."""
    own, actions = shape.removals == OWN, game.constants["ACTIONS"]
    removals = torch.tensor(removal_actions(game)) if own else None
    if shape.net == MLP:
        return FlatPolicy(_said(form, shape), actions, removals)
    places = places_of(game, form)
    if places:
        return PointPolicy(shape.filters, places, own)
    return FlatPolicy(shape.filters * form.points, actions, removals)


def _said(form: Form, shape: Shape) -> int:
    """How many numbers the body of net=mlp says."""
    return (*form.shape, *shape.widths)[-1]


def _mask(form: Form, hidden: tuple[int, ...]) -> Tensor | None:
    """A 0 for each input that is hidden, a 1 for the others; None where all are seen."""
    if not hidden:
        return None
    mask = torch.ones(form.shape).flatten()
    mask[list(hidden)] = 0
    return mask
