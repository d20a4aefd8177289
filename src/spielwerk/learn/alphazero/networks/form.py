"""The nets and policies of AlphaZero, and the form of each net for a game. Needs no torch."""

from __future__ import annotations

from spielwerk import names
from spielwerk.games.game import Game
from spielwerk.learn.neural.forms import Form, board_form, inputs_on_boards, pattern_form, row_form

RESIDUAL, MLP, PATTERNS = NETS = ("residual", "mlp", "patterns")
ACTIONS, AFTERSTATES = POLICIES = ("actions", "afterstates")


def form_of(game: Game, inputs: str, net: str) -> Form:
    """The form of a kind of network for the inputs of a game; BadInput where it has none."""
    if net not in NETS:
        raise names.unknown("alphazero has no net", net, NETS, "Nets")
    if net == MLP:
        return row_form(game, inputs)
    return (board_form if net == RESIDUAL else pattern_form)(game, inputs, f"alphazero: net={net}")


def usual_inputs(game: Game, net: str) -> str:
    """The inputs that a kind of network sees where nobody says: on a board, if it needs one; "" is `observe`."""
    return next(inputs_on_boards(game), "") if net == RESIDUAL else game.inputs
