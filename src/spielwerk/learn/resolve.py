"""What the name of something trained means: a run, one of its seeds, an exported file, or what the package has."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from spielwerk.games.game import Game
from spielwerk.games.registry import game as game_of
from spielwerk.learn import checkpoint as checkpoints
from spielwerk.learn import runs
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.kind import SHIPPED
from spielwerk.learn.registry import learner_kind
from spielwerk.learn.runs import LAST
from spielwerk.learn.shipped import shipped
from spielwerk.names import BadInput, either, setting


@dataclass(frozen=True)
class RunSettings:
    """What the agents of all learners can be asked for."""

    run: str = setting("", "a training run, NAME or NAME/SEED, or an exported file; by default the agent shipped")
    at: int = setting(LAST, "earlier checkpoint of a run: its episodes, or its generation; -1: the last", LAST)


def checkpoint_of(kind: str, game: Game, name: str, at: int = LAST) -> Checkpoint:
    """What was learned by a run (`NAME`, `NAME/SEED`), is in a file, or without a name is shipped for this game."""
    path = file_named(kind, name) if name else None
    if name and not path:
        return of_run(kind, name, game, at)
    check_last(kind, at)
    if path is None:
        return shipped(kind, game)
    found = checkpoints.read(path)
    found.need("kind", kind)
    found.need("game", game.name)
    return found


def check_last(kind: str, at: int) -> None:
    """Refuses an earlier state of what has none, such as a file."""
    if at != LAST:
        raise BadInput(f"{kind}: at={at} is for runs; exported and shipped agents have no earlier checkpoints.")


def of_run(kind: str, name: str, game: Game | None = None, at: int = LAST) -> Checkpoint:
    """The checkpoint of a run (`NAME`, `NAME/SEED`), which must be one of this kind, and perhaps of this game.

    An earlier one is what was kept after so many episodes, or what plays as an earlier generation did.
    """
    run = runs.open_run(name.partition("/")[0])
    if game is not None and run.config.game != game.name:
        raise BadInput(f"The run {run.name} plays {run.config.game}, not {game.name}.")
    if run.config.kind != kind:
        raise BadInput(f"The run {run.name} was trained by {run.config.kind}, not by {kind}.")
    find = learner_kind(kind).find_earlier() if at != LAST else None
    if find is None:
        return runs.checkpoint(name, at=at)
    return find(game or game_of(run.config.game), runs.checkpoint(name), at)


def file_named(kind: str, name: str) -> Path | None:
    """The exported file that is meant; None where it is a run. Refuses a file that no agent of this kind plays with."""
    suffixes = learner_kind(kind).played
    if name.endswith(suffixes) and name not in runs.names_of_runs():
        return Path(name)
    if _means_file(name):
        raise BadInput(f"{name} is not an exported agent; their names end in {either(suffixes)}.")
    return None


def means_shipped(name: str) -> bool:
    """Whether what comes with the package is meant, and not a run that somebody has given that name."""
    return name == SHIPPED and name not in runs.names_of_runs()


def _means_file(name: str) -> bool:
    """Whether a file is meant, and not a run (`NAME`) or a seed of it (`NAME/SEED`)."""
    run, slash, seed = name.partition("/")
    if run in runs.names_of_runs() or (run and seed.isdecimal()):
        return False
    return bool(slash) or Path(name).is_file()
