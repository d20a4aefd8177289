"""A network that was exported to an ONNX file, read back into torch: needs the extra `onnx`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from spielwerk.data import parsed
from spielwerk.games.game import Game
from spielwerk.learn.onnx.model import OnnxModel
from spielwerk.learn.td.neural.module import ValueNetwork
from spielwerk.learn.td.settings import Settings
from spielwerk.names import BadInput


def read_network(game: Game, path: Path) -> tuple[ValueNetwork, str]:
    """The network of a file that `runs export` wrote, and the name of its inputs."""
    about = OnnxModel(path, game).metadata  # refuses files that cannot be trusted
    try:
        settings = Settings(**parsed(about["settings"]))
        weights = _weights(path)
    except (KeyError, TypeError, ValueError):
        raise BadInput(f"{path} was not exported from a run of td.") from None
    classes = game.input_classes(about["inputs"]) if settings.split else 0
    network = ValueNetwork(weights[0].shape[1], settings.layers, len(weights[-1]), classes)
    named = network.state_dict()
    if [tuple(found.shape) for found in named.values()] != [found.shape for found in weights]:
        raise BadInput(f"{path} has other layers than its settings say.")
    network.load_state_dict({name: torch.from_numpy(found) for name, found in zip(named, weights, strict=True)})
    return network.requires_grad_(False), about["inputs"]


def _weights(path: Path) -> list[np.ndarray]:
    """Weights and biases, layer by layer, as `exporting.py` writes them."""
    import onnx

    constants = onnx.load(str(path)).graph.initializer
    arrays = [np.array(onnx.numpy_helper.to_array(one)) for one in constants]
    return [array.astype(np.float32) for array in arrays if array.dtype in (np.float32, np.float16) and array.ndim]
