"""The weights of a trained network, read back from the ONNX file that was exported of it.

A file does not say which of its constants is which array of the learner. So the learner's own network is exported
with every array filled with a number of its own: where such a number stands there, the array stands in the file.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from spielwerk.games.game import Game
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.kind import ONNX
from spielwerk.learn.neural.growth import can_grow
from spielwerk.learn.neural.predecessor import another_size, check_meaning
from spielwerk.learn.onnx.model import OnnxModel
from spielwerk.learn.registry import learner_kind
from spielwerk.names import BadInput

MARKS = 1001.0  # and up: constants that no array was written to are smaller


def exported_weights(
    path: Path, game: Game, metadata: Mapping[str, str], wanted: Mapping[str, np.ndarray], narrower: bool = False
) -> dict[str, np.ndarray]:
    """The arrays that were exported to `path`, by the names and types of those of a learner.

    `metadata` are what a checkpoint of that learner would say; BadInput where the file holds another network. Shapes
    are the learner's, or with `narrower` perhaps those of a narrower network.
    """
    kind, found = metadata["kind"], OnnxModel(path, game).metadata
    check_meaning(str(path), found, metadata)
    marks = {name: np.full_like(array, MARKS + number) for number, (name, array) in enumerate(wanted.items())}
    ours, theirs = _constants(_exported(kind, game, metadata, marks)), _constants(path.read_bytes())
    fit = can_grow if narrower else operator.eq
    if len(ours) != len(theirs) or not all(
        fit(there.shape, here.shape) for here, there in zip(ours, theirs, strict=True)
    ):
        raise another_size(str(path), found, narrower)
    return {name: _marked(path, name, mark, ours, theirs) for name, mark in marks.items()}


def _exported(kind: str, game: Game, metadata: Mapping[str, str], arrays: Mapping[str, np.ndarray]) -> bytes:
    """An ONNX file of a network with these arrays."""
    kept = Checkpoint(Path(kind), {"metadata": metadata, "sums": dict.fromkeys(arrays, 0)}).with_arrays(arrays)
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"marked{ONNX}"
        learner_kind(kind).export(ONNX)(game, kept, path, {})
        return path.read_bytes()


def _constants(data: bytes) -> list[np.ndarray]:
    """The constants of a file, in the order in which they were written."""
    import onnx

    return [onnx.numpy_helper.to_array(one) for one in onnx.load_from_string(data).graph.initializer]


def _marked(
    path: Path, name: str, mark: np.ndarray, ours: Sequence[np.ndarray], theirs: Sequence[np.ndarray]
) -> np.ndarray:
    """What stands in the file where an array was written to ours."""
    for here, there in zip(ours, theirs, strict=True):
        if here.shape == mark.shape and here.dtype == mark.dtype and np.array_equal(here, mark):
            return there.astype(mark.dtype)
    raise BadInput(f'{path} does not hold "{name}" as it was learned; begin with the run itself.')
