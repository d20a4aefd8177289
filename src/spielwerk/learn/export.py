"""From a training run to a small file for playing, which says how it was made and how well it plays."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path

from spielwerk.arena.measurement import Measurement, figure_text, is_main
from spielwerk.games.registry import game as game_of
from spielwerk.learn import checkpoint as checkpoints
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.config import RunConfig
from spielwerk.learn.kinds import EARLIER, EXPORTS, SAFETENSORS, SUFFIXES, earlier, either, exporter, settings_of
from spielwerk.learn.runs import checkpoint, home, open_run
from spielwerk.names import BadInput, value_text


def export(name: str, path: Path, grade: str = "", generation: int | None = None) -> dict[str, str]:
    """Writes the agent of a run (`NAME`, or `NAME/SEED`); returns what the file says of itself.

    The suffix of `path` says how it is written; `grade` is by default what was measured last, which
    says nothing of the agent of a certain `generation`.
    """
    run = open_run(name.partition("/")[0])
    write = exporter(run.config.kind)
    if write is None:
        raise BadInput(f"Only runs of {' and '.join(EXPORTS)} can be exported; {run.name} is one of {run.config.kind}.")
    _check_suffix(path, run.config.kind)
    kept = checkpoint(name)
    seed = int(kept.metadata["seed"])
    _check_place(path)
    about = {"command": command(run.config, seed), "grade": grade or grade_text(run.measurements(seed))}
    if generation is not None:
        kept = _of_generation(run.config, kept, generation)
        about |= {"generation": str(generation), "grade": grade}
    try:
        write(game_of(run.config.game), kept, path, about)
    except OSError as problem:
        raise BadInput(f"{problem.strerror}.") from None
    return checkpoints.read(path).metadata if path.suffix == SAFETENSORS else {**kept.metadata, **about}


def _of_generation(config: RunConfig, kept: Checkpoint, generation: int) -> Checkpoint:
    """The checkpoint as it would play in this generation."""
    find = earlier(config.kind)
    if find is None:
        raise BadInput(f"A run of {config.kind} has no generations to choose from; {either(list(EARLIER))} has.")
    return find(game_of(config.game), kept, generation)


def _check_suffix(path: Path, kind: str) -> None:
    """Refuses a way of writing that a way of learning does not have."""
    if path.suffix not in SUFFIXES[kind]:
        raise BadInput(f"{path}: the name of a file with an agent of {kind} ends in {either(SUFFIXES[kind])}.")


def _check_place(path: Path) -> None:
    """Refuses a file that cannot be made, or that belongs to a run."""
    if not path.parent.is_dir():
        raise BadInput(f"There is no folder {path.parent}.")
    if path.is_dir():
        raise BadInput(f"{path} is a folder; name a file in it.")
    if path.resolve().is_relative_to(home().resolve()):
        raise BadInput(f"{path} lies in the folder of the runs, which holds what they need to go on; name another.")


def command(config: RunConfig, seed: int) -> str:
    """The command that trains this seed of a run again."""
    usual = asdict(settings_of(config.kind, {}))
    given = (f"{key}={value_text(value)}" for key, value in config.settings.items() if value != usual[key])
    return shlex.join(["spielwerk", "train", config.kind, config.game, *given, "--seeds", f"{seed},"])


def grade_text(measured: list[Measurement]) -> str:
    """What was measured last, such as "rate against random 91.2 % (90.8 to 91.6)"."""
    last = [one for one in measured if one.episode == measured[-1].episode and is_main(one.what)]
    return "; ".join(f"{one.what} {figure_text(one.what, one.value, (one.low, one.high))}" for one in last)
