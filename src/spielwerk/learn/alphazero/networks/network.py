"""PolicyValueNetwork: residual blocks, then a head that says what to play and one that says what to expect.

`residual` is the network of AlphaZero (Silver et al., 2017) over the board that a game has: with `blocks=10,
filters=64` over the 9 planes and 24 points of backgammon it is the one that the third source describes. `mlp` is the
same with fully connected layers, for any inputs; `patterns` also looks up in tables how the patterns on the board are
filled, as n-tuples do, for games that name some.
"""

from __future__ import annotations

from collections import OrderedDict

import torch
from torch import Tensor, nn

from spielwerk import names
from spielwerk.games.game import Game
from spielwerk.learn.alphazero.networks.form import AFTERSTATES, POLICIES, form_of
from spielwerk.learn.neural.forms import Form
from spielwerk.learn.neural.heads import ChancesHead, Head
from spielwerk.learn.neural.layers import Precise, Tower, point_layer
from spielwerk.names import BadInput

PLANES = 8  # to which a head narrows what the blocks say of each point
HIDDEN = 256  # numbers of the hidden layer of a head
MOST_BLOCKS, MOST_FILTERS = 100, 8192
BEGINNING = 20.0  # how much a point of the value counts for the score of an end of a turn before anything is learned


class PolicyValueNetwork(nn.Module):
    """From rows [n, inputs] to a policy and to what the last layer of a `Head` says, [n, outputs].

    The policy is [n, ACTIONS], logits of the actions.
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


class ScoreValueNetwork(PolicyValueNetwork):
    """The same, where the policy is [n, 1]: how good the position is as the end of a turn.

    All ends of one player's turns are compared by it in a softmax. It begins with what the value says of the same
    position, which the other side has to go on from; what the policy learns beside it, the value does not have to.
    """

    def __init__(self, form: Form, blocks: int, filters: int, head: Head) -> None:
        super().__init__(form, blocks, filters, 1, head.size)
        self.chances, self.worth = isinstance(head, ChancesHead), Precise(head.size, 1)
        with torch.no_grad():
            self.worth.weight.copy_(-BEGINNING * head.points())
            self.worth.bias.zero_()

    def forward(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """The score and the value."""
        score, value = super().forward(rows)
        said = value.detach()
        return score + self.worth(torch.sigmoid(said) if self.chances else torch.tanh(said)), value


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
    if policy == AFTERSTATES:
        return ScoreValueNetwork(form, blocks, filters, head)
    return PolicyValueNetwork(form, blocks, filters, game.constants["ACTIONS"], head.size)
