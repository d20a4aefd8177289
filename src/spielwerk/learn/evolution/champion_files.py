"""Champions to play with: from the checkpoint of a run, or from a small file that was made for playing only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from spielwerk import names
from spielwerk.data import parsed
from spielwerk.games.game import Game
from spielwerk.learn import checkpoint as checkpoints
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.evolution.breeding.peak import Peak
from spielwerk.learn.evolution.genome.blueprint import Blueprint
from spielwerk.learn.evolution.genome.genome import Genome, packed, unpacked
from spielwerk.learn.evolution.history.history import History, layers_kept
from spielwerk.learn.evolution.settings import GRADE, Settings
from spielwerk.learn.kind import JSON, ONNX
from spielwerk.learn.resolve import check_last, checkpoint_of, file_named
from spielwerk.learn.runs import LAST
from spielwerk.names import BadInput

KIND = "evolution"


def trained(game: Game, run: str, at: int = LAST) -> tuple[Blueprint, Genome]:
    """The champion of a run (`NAME`, `NAME/SEED`), of a file, or without a name of the agent shipped for this game.

    Of a run, it may be that of an earlier generation.
    """
    file = file_named(KIND, run) if run else None
    if file and file.suffix == JSON:
        check_last(KIND, at)
        return _from_json(game, file)
    if file and file.suffix == ONNX:
        raise BadInput(f"{file} holds a network without its genome, which only .json and .safetensors files have.")
    kept = checkpoint_of(KIND, game, run, at)
    blueprint = blueprint_of(game, kept)
    return blueprint, _genomes("champion", blueprint, kept)[0]


def blueprint_of(game: Game, kept: Checkpoint) -> Blueprint:
    """The frame of a checkpoint's genomes; BadInput where that is of another game or learner."""
    kept.need("kind", KIND)
    kept.need("game", game.name)
    return Blueprint(game, _settings(kept.metadata, str(kept.path)))


def champion(game: Game, kept: Checkpoint) -> tuple[int, Genome]:
    """The genome that a run plays with, and its generation: by grade the best of all, otherwise the last one."""
    blueprint = blueprint_of(game, kept)
    genome = _genomes("champion", blueprint, kept)[0]
    return (_peak(kept) if blueprint.settings.fitness == GRADE else kept.episode - 1), genome


def _peak(kept: Checkpoint) -> int:
    """The generation of the best grade."""
    try:
        return Peak.of(kept["peak"], kept.episode).at
    except (KeyError, ValueError):
        raise BadInput(f"{kept.path} does not say which generation was best.") from None


def champions(game: Game, kept: Checkpoint) -> list[tuple[int, Genome]]:
    """Generations and their champions, evenly spread; the last one and the one that plays are always there."""
    blueprint = blueprint_of(game, kept)
    found = dict(zip(_generations(kept), _genomes("archive", blueprint, kept), strict=False))
    found |= {kept.episode - 1: _genomes("champion", blueprint, kept)[-1], **dict([champion(game, kept)])}
    return sorted(found.items())


def history(game: Game, kept: Checkpoint) -> History:
    """What was recorded of each generation."""
    like = History.empty(0, game, layers_kept(blueprint_of(game, kept).settings))
    with _named(kept.path):
        return History.of(kept, kept.episode, like)


def export(game: Game, kept: Checkpoint, path: Path, about: Mapping[str, str]) -> None:
    """Writes the champion into a file, whose form its name says; what the checkpoint says of itself, and `about`."""
    blueprint, metadata = blueprint_of(game, kept), {**kept.metadata, **about}
    genome = _genomes("champion", blueprint, kept)[0]
    if path.suffix == JSON:
        from spielwerk.learn.evolution.graph_json import write_json

        write_json(path, genome, blueprint.input_names, blueprint.output_names, metadata)
    elif path.suffix == ONNX:
        from spielwerk.learn.evolution.graph_onnx import write_onnx
        from spielwerk.learn.onnx.model import described

        metadata = described(game, blueprint.input_kind, [blueprint.settings.output]) | metadata
        write_onnx(path, genome, blueprint.input_names, blueprint.output_names, metadata)
    else:
        checkpoints.write(path, packed("champion", [genome]), metadata)


def _from_json(game: Game, path: Path) -> tuple[Blueprint, Genome]:
    from spielwerk.learn.evolution.graph_json import read_json

    genome, about = read_json(path)
    if about.get("kind", KIND) != KIND:
        raise BadInput(f"{path} was trained by {about['kind']}, not by {KIND}.")
    if about.get("game") != game.name:
        raise BadInput(f"{path} plays {about.get('game', 'nothing')}, not {game.name}.")
    blueprint = Blueprint(game, _settings(about, str(path)))
    with _named(path):
        blueprint.check(genome)
    return blueprint, genome


def _genomes(name: str, blueprint: Blueprint, kept: Checkpoint) -> list[Genome]:
    """Genomes of a checkpoint, at least one, each one of the network; BadInput names the file."""
    with _named(kept.path):
        found = unpacked(name, kept, blueprint.inputs, blueprint.outputs)
        for genome in found:
            blueprint.check(genome)
        if not found:
            raise BadInput(f'it has no genomes "{name}".')
    return found


def _generations(kept: Checkpoint) -> list[int]:
    """The generations of the champions that a checkpoint has."""
    found = kept.get("archive_generations")
    if found is None or found.ndim != 1 or found.dtype.kind != "i":
        raise BadInput(f"{kept.path} does not name the generations of its champions.")
    return found.tolist()


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """While this lasts, what is wrong is said with the name of the file."""
    try:
        yield
    except BadInput as problem:
        raise BadInput(f"{path}: {problem}") from None


def _settings(about: Mapping[str, Any], path: str) -> Settings:
    """The settings that a file says it was made with."""
    try:
        return names.settings(Settings, KIND, parsed(about["settings"]))
    except (KeyError, TypeError, AttributeError, ValueError) as problem:
        raise BadInput(f"{path} cannot be used here: {problem}") from None
