"""Champions to play with: from the checkpoint of a run, or from a small file that was made for playing only."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from spielwerk import names
from spielwerk.games.game import Game
from spielwerk.learn import checkpoint as checkpoints
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.evolution.genome import Genome, packed, unpacked
from spielwerk.learn.evolution.history import ARRAYS, History
from spielwerk.learn.evolution.network import Network
from spielwerk.learn.evolution.settings import Settings
from spielwerk.learn.kinds import JSON, ONNX
from spielwerk.learn.named import checkpoint_of, file_named
from spielwerk.names import BadInput

KIND = "evolution"


def trained(game: Game, run: str) -> tuple[Network, Genome]:
    """The champion of a run (`NAME`, `NAME/SEED`), of a file, or without a name of the agent shipped for this game."""
    file = file_named(KIND, run) if run else None
    if file and file.suffix == JSON:
        return _from_json(game, file)
    kept = checkpoint_of(KIND, game, run)
    network = network_of(game, kept)
    try:
        genome = unpacked("champion", kept, network.inputs, network.outputs)[0]
        network.check(genome)
    except IndexError:
        raise BadInput(f"{kept.path} holds no champion.") from None
    except BadInput as problem:
        raise BadInput(f"{kept.path}: {problem}") from None
    return network, genome


def network_of(game: Game, kept: Checkpoint) -> Network:
    """The frame of a checkpoint's genomes; BadInput where that is of another game or way of learning."""
    kept.need("kind", KIND)
    kept.need("game", game.name)
    return Network(game, _settings(kept.metadata, str(kept.path)))


def champion(game: Game, kept: Checkpoint) -> Genome:
    """The genome that a checkpoint plays with."""
    network = network_of(game, kept)
    return unpacked("champion", kept, network.inputs, network.outputs)[0]


def champions(game: Game, kept: Checkpoint) -> list[tuple[int, Genome]]:
    """Generations and their champions, evenly spread over the training; the last one is always there."""
    network = network_of(game, kept)
    ends = network.inputs, network.outputs
    found = dict(zip(kept["archive_generations"].tolist(), unpacked("archive", kept, *ends), strict=True))
    found[kept.episode - 1] = unpacked("champion", kept, *ends)[-1]
    return sorted(found.items())


def history(kept: Checkpoint) -> History:
    """What was recorded of each generation."""
    return History(*(kept[f"history_{name}"] for name in ARRAYS))


def export(game: Game, kept: Checkpoint, path: Path, about: Mapping[str, str]) -> None:
    """Writes the champion into a file, whose form its name says; what the checkpoint says of itself, and `about`."""
    network, metadata = network_of(game, kept), {**kept.metadata, **about}
    genome = unpacked("champion", kept, network.inputs, network.outputs)[0]
    if path.suffix == JSON:
        from spielwerk.learn.evolution.graph_json import write_json

        write_json(path, genome, network.input_names, network.output_names, metadata)
    elif path.suffix == ONNX:
        from spielwerk.learn.evolution.graph_onnx import write_onnx

        write_onnx(path, genome, network.input_names, network.output_names, metadata)
    else:
        checkpoints.write(path, packed("champion", [genome]), metadata)


def _from_json(game: Game, path: Path) -> tuple[Network, Genome]:
    from spielwerk.learn.evolution.graph_json import read_json

    genome, about = read_json(path)
    if about.get("game") != game.name:
        raise BadInput(f"{path} plays {about.get('game', 'nothing')}, not {game.name}.")
    network = Network(game, _settings(about, str(path)))
    network.check(genome)
    return network, genome


def _settings(about: Mapping[str, Any], path: str) -> Settings:
    """The settings that a file says it was made with."""
    try:
        return names.settings(Settings, KIND, json.loads(about["settings"]))
    except (KeyError, TypeError, AttributeError, ValueError) as problem:
        raise BadInput(f"{path} cannot be used here: {problem}") from None
