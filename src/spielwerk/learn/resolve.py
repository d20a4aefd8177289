"""What the name of something trained means: a run, one of its seeds, an exported file, or what the package has."""

from __future__ import annotations

from pathlib import Path

from spielwerk.games.game import Game
from spielwerk.learn import checkpoint as checkpoints
from spielwerk.learn import runs
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.kinds import either, suffixes_played
from spielwerk.learn.shipped import shipped
from spielwerk.names import BadInput


def checkpoint_of(kind: str, game: Game, name: str) -> Checkpoint:
    """What was learned by a run (`NAME`, `NAME/SEED`), is in a file, or without a name is shipped for this game."""
    if not name:
        return shipped(kind, game)
    path = file_named(kind, name)
    if path is None:
        return of_run(kind, name, game)
    found = checkpoints.read(path)
    found.need("kind", kind)
    found.need("game", game.name)
    return found


def of_run(kind: str, name: str, game: Game | None = None) -> Checkpoint:
    """The checkpoint of a run (`NAME`, `NAME/SEED`), which must be one of this kind, and perhaps of this game."""
    run = runs.open_run(name.partition("/")[0])
    if game is not None and run.config.game != game.name:
        raise BadInput(f"The run {run.name} plays {run.config.game}, not {game.name}.")
    if run.config.kind != kind:
        raise BadInput(f"The run {run.name} was trained by {run.config.kind}, not by {kind}.")
    return runs.checkpoint(name)


def file_named(kind: str, name: str) -> Path | None:
    """The exported file that is meant; None where it is a run. Refuses a file that no agent of this kind plays with."""
    suffixes = suffixes_played(kind)
    if name.endswith(suffixes) and name not in runs.names_of_runs():
        return Path(name)
    if _means_file(name):
        raise BadInput(f"{name} is no exported agent; their names end in {either(suffixes)}.")
    return None


def _means_file(name: str) -> bool:
    """Whether a file is meant, and not a run (`NAME`) or a seed of it (`NAME/SEED`)."""
    run, slash, seed = name.partition("/")
    if run in runs.names_of_runs() or (run and seed.isdecimal()):
        return False
    return bool(slash) or Path(name).is_file()
