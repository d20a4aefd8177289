"""Networks to play with: from the checkpoint of a run, or from a small file that was made for playing only."""

from __future__ import annotations

import dataclasses
import json
import zlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from spielwerk import names
from spielwerk.data import parsed
from spielwerk.games.game import Game
from spielwerk.learn import checkpoint as checkpoints
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.resolve import checkpoint_of
from spielwerk.learn.runs import LAST
from spielwerk.learn.td.compact import GAPS, PAGE, pack, unpack
from spielwerk.learn.td.network import NTupleNetwork
from spielwerk.learn.td.settings import NETWORK, Settings
from spielwerk.names import BadInput
from spielwerk.solvers.tables import size_text

KIND = "td"
LITTLE = 1 << 26  # bytes of memory that any file may ask for
MOST_CELLS = 100_000  # of tuples, that any file may ask for


def trained(game: Game, run: str, at: int = LAST) -> NTupleNetwork:
    """The network of a run (`NAME`, `NAME/SEED`), of a file, or without a name of the agent shipped for this game."""
    return network(game, checkpoint_of(KIND, game, run, at))


def network(game: Game, kept: Checkpoint) -> NTupleNetwork:
    """The network of a checkpoint; BadInput where that is of another game, variant or coding, or damaged."""
    kept.need("kind", KIND)
    kept.need("game", game.name)
    try:
        settings = names.settings(Settings, KIND, parsed(kept.metadata["settings"]))
        if settings.approximator == NETWORK:
            raise BadInput("it holds a neural network, which is exported as FILE.onnx.")
        _check_tuples(kept, settings)
        made = NTupleNetwork(game, settings, int(kept.metadata["seed"]), empty=True)
    except (KeyError, TypeError, AttributeError, ValueError) as problem:
        raise BadInput(f"{kept.path} cannot be used here: {problem}") from None
    kept.need("coding", made.layout.coding)
    if kept.metadata.get("tuples") != made.tuples:
        raise BadInput(f"{kept.path} was trained by another version, which made other tuples from its settings.")
    try:
        made.weights = _weights(kept, made)
    except BadInput:
        raise
    except MemoryError:
        size, own = size_text(4 * made.size), size_text(kept.path.stat().st_size)
        raise BadInput(f"{kept.path} asks for {size} of memory, too much for a file of {own}.") from None
    except (KeyError, ValueError, TypeError, zlib.error):
        raise BadInput(f"{kept.path} does not hold the {made.size:,} weights that its settings ask for.") from None
    return made


def export(game: Game, kept: Checkpoint, path: Path, about: Mapping[str, str]) -> None:
    """Writes what is needed to play into a small file; its metadata are those of the checkpoint, and `about`.

    The tuples are written out, so that the file means the same where random numbers or usual tuples are others.
    """
    source = network(game, kept)
    written = {"tuples": source.tuples, "count": Settings.count, "length": Settings.length}
    settings = dataclasses.replace(source.settings, coding=source.layout.coding, **written)
    metadata = {**kept.metadata, "settings": json.dumps(dataclasses.asdict(settings)), **about}
    checkpoints.write(path, pack(source.weights, source.start), metadata)


def _check_tuples(kept: Checkpoint, settings: Settings) -> None:
    """Refuses settings that ask for far more cells than the tuples have that the file names."""
    if settings.count * settings.length > MOST_CELLS + 20 * len(kept.metadata["tuples"]):
        raise BadInput(f"its settings ask for {settings.count:,} tuples, far more than it names.")


def _weights(kept: Checkpoint, made: NTupleNetwork) -> np.ndarray:
    """The weights in a checkpoint, packed or plain; an error where they do not fit."""
    if GAPS in kept:
        return unpack(kept, made.size, made.start, max(LITTLE, PAGE * kept.path.stat().st_size))
    weights = kept["weights"]
    if weights.shape != (made.size,) or weights.dtype != np.float32:
        raise ValueError
    return weights
