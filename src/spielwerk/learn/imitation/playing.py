"""What imitation has learned, ready to play: the slots of a run or a file, and its networks by ONNX Runtime."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from spielwerk.data import parsed
from spielwerk.games.game import Game
from spielwerk.learn.imitation.exporting import model
from spielwerk.learn.imitation.player import Says
from spielwerk.learn.imitation.settings import KIND
from spielwerk.learn.imitation.slots import Slots, slots_of
from spielwerk.learn.onnx.model import OnnxModel
from spielwerk.learn.resolve import check_last, checkpoint_of, file_named
from spielwerk.learn.runs import LAST
from spielwerk.learn.shipped import shipped_network
from spielwerk.names import BadInput


def learned(game: Game, run: str, at: int = LAST) -> tuple[Slots, Says]:
    """Of a run or one of its earlier checkpoints, of a file, or without a name of the one that is shipped."""
    path = file_named(KIND, run) if run else shipped_network(KIND, game)
    if path:
        check_last(KIND, at)
        return _ready(game, OnnxModel(path, game))
    kept = checkpoint_of(KIND, game, run, at)
    return _ready(game, OnnxModel(kept.path, game, model(game, kept, {})))


def _ready(game: Game, network: OnnxModel) -> tuple[Slots, Says]:
    """The slots that a network says, if it is one of imitation for this game."""
    slots = slots_named(game, network.metadata, network.path)
    sizes = network.widths
    inputs, bits = game.move_parts.inputs, int(np.prod(game.input_form(game.move_parts.inputs)[0]))
    if network.inputs != (inputs or "observe") or tuple(network.outputs) != slots.names or tuple(sizes) != slots.sizes:
        raise _foreign(network.path)
    network.need_inputs_of(bits + slots.given)
    return slots, network.run


def slots_named(game: Game, metadata: Mapping[str, str], path: Path) -> Slots:
    """The slots that a checkpoint or a file is made for; BadInput where it is something else."""
    try:
        settings = parsed(metadata["settings"])
        order, structure = settings["order"], settings["structure"]
        if metadata["kind"] != KIND or not isinstance(order, str) or not isinstance(structure, str):
            raise ValueError
    except (KeyError, ValueError, TypeError):
        raise _foreign(path) from None
    return slots_of(game, order, structure)


def _foreign(path: Path) -> BadInput:
    return BadInput(f"{path} does not hold networks of {KIND}.")
