"""Networks to play with: from the checkpoint of a run, or from a small file that was made for playing only."""

from __future__ import annotations

import dataclasses
import json
import zlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from spielwerk import names
from spielwerk.games.game import Game
from spielwerk.learn import checkpoint as checkpoints
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.resolve import checkpoint_of
from spielwerk.learn.runs import LAST
from spielwerk.learn.td.compact import GAPS, pack, unpack
from spielwerk.learn.td.network import NTupleNetwork
from spielwerk.learn.td.settings import Settings
from spielwerk.names import BadInput

KIND = "td"


def trained(game: Game, run: str, at: int = LAST) -> NTupleNetwork:
    """The network of a run (`NAME`, `NAME/SEED`), of a file, or without a name of the agent shipped for this game."""
    return network(game, checkpoint_of(KIND, game, run, at))


def network(game: Game, kept: Checkpoint) -> NTupleNetwork:
    """The network of a checkpoint; BadInput where that is of another game, variant or coding, or damaged."""
    kept.need("kind", KIND)
    kept.need("game", game.name)
    try:
        values = json.loads(kept.metadata["settings"])
        made = NTupleNetwork(game, names.settings(Settings, KIND, values), int(kept.metadata["seed"]))
    except (KeyError, TypeError, AttributeError, ValueError) as problem:
        raise BadInput(f"{kept.path} cannot be used here: {problem}") from None
    kept.need("coding", made.layout.coding)
    if kept.metadata.get("tuples") != made.tuples:
        raise BadInput(f"{kept.path} was trained with other tuples than its settings mean in this version.")
    try:
        made.weights = _weights(kept, made)
    except BadInput:
        raise
    except (KeyError, ValueError, zlib.error):
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


def _weights(kept: Checkpoint, made: NTupleNetwork) -> np.ndarray:
    """The weights in a checkpoint, packed or plain; an error where they do not fit."""
    if GAPS in kept:
        return unpack(kept, made.size, made.start)
    weights = kept["weights"]
    if weights.shape != made.weights.shape or weights.dtype != made.weights.dtype:
        raise ValueError
    return weights
