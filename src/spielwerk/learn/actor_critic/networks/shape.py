"""Shape: what a network of the actor-critic looks like, as its settings say it. Needs no torch."""

from __future__ import annotations

import re
from dataclasses import dataclass

from spielwerk import names
from spielwerk.games.game import Game
from spielwerk.games.groups import REMOVAL
from spielwerk.learn.neural.forms import Form, board_form, inputs_on_boards, row_form
from spielwerk.learn.neural.inputs import OBSERVE
from spielwerk.names import BadInput

KIND = "actor-critic"
MLP, GRAPH = NETS = ("mlp", "graph")
SHARED, OWN = REMOVALS = ("shared", "own")
MOST_WIDTH, MOST_LAYERS, MOST_BLOCKS = 8192, 100, 100
NO_LAYERS = "none"
GLOBALS = 8  # times fewer units for what is told of the whole position than for the board


@dataclass(frozen=True)
class Shape:
    """The settings of a network: `hidden` is for net=mlp, `filters` and `blocks` are for net=graph.

    `removals` says whether a removal has logits of its own or those of the placement on the same point; `blind` names
    groups of inputs to hide, separated by "+".
    """

    net: str = MLP
    hidden: str = "256-256"  # sizes of layers; "" or "none": none, so that the policy is a linear map
    filters: int = 64
    blocks: int = 4
    removals: str = SHARED
    temperature: bool = False  # whether logits are divided by a temperature that is learned
    blind: str = ""

    def __post_init__(self) -> None:
        for what, given, possible in (("net", self.net, NETS), ("removals", self.removals, REMOVALS)):
            if given not in possible:
                raise names.unknown(f"{KIND} has no {what}", given, possible, "Possible")
        sizes = (("filters", self.filters, 1, MOST_WIDTH), ("blocks", self.blocks, 0, MOST_BLOCKS))
        for name, size, least, most in sizes:
            if not least <= size <= most:
                raise BadInput(f"{KIND}: {name} cannot be {size}; possible: {least} to {most}.")
        if len(self.widths) > MOST_LAYERS or not all(1 <= width <= MOST_WIDTH for width in self.widths):
            raise BadInput(f'{KIND}: hidden cannot be "{self.hidden}"; write sizes of layers, such as 256-256.')
        if self.removals == OWN and REMOVAL in self.hides:
            raise BadInput(f"{KIND}: removals=own needs the inputs that blind={REMOVAL} hides.")

    @property
    def widths(self) -> tuple[int, ...]:
        """The sizes of the hidden layers; 0 for one that cannot be read."""
        parts = self.hidden.split("-") if self.hidden not in ("", NO_LAYERS) else []
        return tuple(int(part) if re.fullmatch(r"[0-9]{1,9}", part) else 0 for part in parts)

    @property
    def hides(self) -> tuple[str, ...]:
        """The groups that are hidden."""
        return tuple(self.blind.split("+")) if self.blind else ()


def usual_inputs(game: Game, net: str) -> str:
    """The inputs that a kind of network sees where nobody says; "" is `observe`.

    On a board if it needs one; for net=mlp those that tell the board from the rest, else what networks learn best from.
    """
    if net == GRAPH:
        return next(inputs_on_boards(game), "")
    return "" if game.groups().board else game.inputs


def form_of(game: Game, inputs: str, shape: Shape) -> Form:
    """The form of a network; BadInput where a game has none."""
    if shape.net == MLP:
        return row_form(game, inputs)
    return board_form(game, inputs, f"{KIND}: net={GRAPH}", any_size=True)


def input_layers(game: Game, inputs: str, shape: Shape) -> dict[str, tuple[int, int]]:
    """The input layers of net=mlp, by name: how many inputs each has, which follow each other, and its width.

    Where the inputs tell the board from the rest, the board's layer is as wide as the first hidden one and that of the
    rest an eighth of it; otherwise one is as wide as the first hidden one. Without hidden layers there are none.
    """
    (size,) = row_form(game, inputs).shape
    board = game.groups(inputs).board
    if not shape.widths:
        return {}
    width = shape.widths[0]
    if not board:
        return {"inputs": (size, width)}
    return {"board": (board, width), "globals": (size - board, max(1, width // GLOBALS))}


def hidden_places(game: Game, inputs: str, shape: Shape) -> tuple[int, ...]:
    """The places of the inputs that the network does not see; BadInput where the game has no such group."""
    groups = game.groups(inputs).named
    for name in shape.hides:
        if not groups:
            seen = f'"{inputs or OBSERVE}" of {game.name}'
            raise BadInput(f'{KIND}: blind cannot be "{shape.blind}"; {seen} has no groups of inputs to hide.')
        if name not in groups:
            raise names.unknown(f"{KIND}: {game.kind} has no inputs to hide that are called", name, groups, "Groups")
    return tuple(sorted({place for name in shape.hides for place in groups[name]}))


def removal_place(game: Game, inputs: str, shape: Shape) -> int | None:
    """The place of the input that says that a man has to be taken, None where it is not needed.

    BadInput where it is needed and there is none.
    """
    if shape.removals == SHARED:
        return None
    groups = game.groups(inputs).named
    if REMOVAL not in groups or not game.graph or not game.graph.actions:
        raise BadInput(
            f'{KIND}: removals={OWN} needs inputs that say when a man has to be taken, and "{inputs or OBSERVE}" of '
            f"{game.name} says no such thing."
        )
    return groups[REMOVAL][0]
