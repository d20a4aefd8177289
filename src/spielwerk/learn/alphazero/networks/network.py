"""PolicyValueNetwork: residual blocks, then a head that says what to play and one that says what to expect.

`residual` is the network of AlphaZero (Silver et al., 2017) over the board that a game has: with `blocks=10,
filters=64` over the 9 planes and 24 points of backgammon it is the one that the third source describes. `mlp` is the
same with fully connected layers, for any inputs.
"""

from __future__ import annotations

from collections import OrderedDict

import torch
from torch import Tensor, nn

from spielwerk import names
from spielwerk.games.game import Game
from spielwerk.learn.alphazero.networks.form import ACTIONS, AFTERSTATES, POLICIES, form_of
from spielwerk.learn.neural.forms import Form
from spielwerk.learn.neural.heads import Head
from spielwerk.learn.neural.layers import Precise, Tower, point_layer
from spielwerk.names import BadInput

PLANES = 8  # to which a head narrows what the blocks say of each point
HIDDEN = 256  # numbers of the hidden layer of a head
MOST_BLOCKS, MOST_FILTERS = 100, 8192


class PolicyValueNetwork(nn.Module):
    """From rows [n, inputs] to a policy and to what the last layer of a `Head` says, [n, outputs].

    The policy is [n, ACTIONS], logits of the actions; or, for `afterstates`, [n, 1]: how good the position is as the
    end of a turn, by which all ends of one player's turns are compared in a softmax.
    """

    def __init__(self, form: Form, blocks: int, filters: int, policy: int, value: int) -> None:
        super().__init__()
        self.form = form
        self.tower = Tower(form, filters, blocks)
        self.policy = _head(form, filters, policy, hidden=policy == 1)
        self.value = _head(form, filters, value, hidden=True)

    def forward(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """The policy and the value."""
        given = rows.reshape(-1, *self.form.shape)
        if given.ndim == 4:  # planes of a point side by side, as the fast convolutions of a GPU take them
            given = given.contiguous(memory_format=torch.channels_last)
        said = self.tower(given)
        return self.policy(said), self.value(said)


def _head(form: Form, filters: int, outputs: int, hidden: bool) -> nn.Sequential:
    """Few planes over the board, where there is one; a hidden layer, if asked for; the outputs."""
    parts: list[tuple[str, nn.Module]] = []
    size = filters
    if form.points:
        parts += [("planes", point_layer(form, filters, PLANES)), ("bent", nn.ReLU()), ("flat", nn.Flatten())]
        size = PLANES * form.points
    if hidden:
        parts += [("hidden", nn.Linear(size, HIDDEN)), ("relu", nn.ReLU())]
    last = Precise(HIDDEN, outputs) if hidden else nn.Linear(size, outputs)
    return nn.Sequential(OrderedDict([*parts, ("last", last)]))


def network_of(
    game: Game, inputs: str, net: str, blocks: int, filters: int, policy: str, head: Head
) -> PolicyValueNetwork:
    """The network for a game, with the weights that torch draws; BadInput where there can be none."""
    if policy not in POLICIES:
        raise names.unknown("alphazero has no policy", policy, POLICIES, "Policies")
    for name, size, least, most in (("blocks", blocks, 0, MOST_BLOCKS), ("filters", filters, 1, MOST_FILTERS)):
        if not least <= size <= most:
            raise BadInput(f"alphazero: {name} cannot be {size}; possible: {least} to {most}.")
    form = form_of(game, inputs, net)
    return PolicyValueNetwork(form, blocks, filters, policy_size(game, policy), head.size)


def policy_size(game: Game, policy: str) -> int:
    """How many numbers a policy has."""
    return {ACTIONS: game.constants["ACTIONS"], AFTERSTATES: 1}[policy]
