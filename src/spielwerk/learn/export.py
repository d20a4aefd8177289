"""From a training run to a small file for playing, which says how it was made and how well it plays."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from spielwerk.arena.measurement import Measurement, figure_text, is_main
from spielwerk.games.registry import game as game_of
from spielwerk.learn import checkpoint as checkpoints
from spielwerk.learn.config import RunConfig
from spielwerk.learn.kind import ONNX, SAFETENSORS, LearnerKind
from spielwerk.learn.registry import learner_kind, settings_of
from spielwerk.learn.resolve import of_run
from spielwerk.learn.runs import LAST, home, open_run
from spielwerk.names import BadInput, either, value_text


def export(name: str, path: Path, grade: str = "", at: int = LAST, half: bool = False) -> dict[str, str]:
    """Writes the agent of a run (`NAME`, or `NAME/SEED`); returns what the file says of itself.

    The suffix of `path` says how it is written; `grade` is by default what was measured last, which
    says nothing of an earlier agent, `at` so many episodes or that generation. With `half`, the weights of a network
    are written in half precision, which makes an ONNX file half as large.
    """
    run = open_run(name.partition("/")[0])
    kind = learner_kind(run.config.kind)
    _check_suffix(path, kind)
    if half:
        _check_half(path, kind)
    check_place(path)
    kept = of_run(kind.name, name, at=at)
    seed = int(kept.metadata["seed"])
    about = {"command": command(run.config, seed), "grade": grade or grade_text(run.measurements(seed))}
    if at != LAST:
        about |= {kind.length.removesuffix("s"): str(at), "grade": grade}
    write: Callable[..., None] = kind.export(path.suffix)
    try:
        write(game_of(run.config.game), kept, path, about, **({"half": True} if half else {}))
    except OSError as problem:
        raise BadInput(f"{problem.strerror}.") from None
    return checkpoints.read(path).metadata if path.suffix == SAFETENSORS else {**kept.metadata, **about}


def _check_suffix(path: Path, kind: LearnerKind) -> None:
    """Refuses a way of writing that a learner does not have."""
    if not kind.exports:
        raise BadInput(f"A run of {kind.name} cannot be exported.")
    if path.suffix not in kind.exports:
        ends = either(list(kind.exports))
        raise BadInput(f"{path}: an agent of {kind.name} is exported to a file that ends in {ends}.")


def _check_half(path: Path, kind: LearnerKind) -> None:
    """Refuses half precision where there is none."""
    if not kind.halves:
        raise BadInput(f"An agent of {kind.name} cannot be exported in half precision.")
    if path.suffix != ONNX:
        raise BadInput(f"{path}: half precision is for networks, in files that end in {ONNX}.")


def check_place(path: Path) -> None:
    """Refuses a file that cannot be made, or that belongs to a run."""
    if not path.parent.is_dir():
        raise BadInput(f"There is no folder {path.parent}.")
    if path.is_dir():
        raise BadInput(f"{path} is a folder; name a file in it.")
    if path.resolve().is_relative_to(home().resolve()):
        raise BadInput(f"{path} is inside the folder of runs, which is only for what they need; name a file elsewhere.")


def command(config: RunConfig, seed: int) -> str:
    """The command that trains this seed of a run again, and those that extended it."""
    usual = asdict(settings_of(config.kind, {}))
    given = (f"{key}={value_text(value)}" for key, value in config.settings.items() if value != usual[key])
    train = shlex.join(["spielwerk", "train", config.kind, config.game, *given, "--seed", str(seed)])
    return "; ".join([train, *(f"spielwerk runs resume RUN --{config.counted} {length}" for length in config.extended)])


def grade_text(measured: list[Measurement]) -> str:
    """What was measured last, such as "rate against random 91.2 % (90.8 to 91.6)"."""
    last = [one for one in measured if one.episode == measured[-1].episode and is_main(one.what)]
    return "; ".join(f"{one.what} {figure_text(one.what, one.value, (one.low, one.high))}" for one in last)
