"""From a training run to a small file for playing, which says how it was made and how well it plays."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path

from safetensors import SafetensorError

from spielwerk.arena.measurement import Measurement, is_main, is_share
from spielwerk.games.registry import game as game_of
from spielwerk.learn import checkpoint as checkpoints
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.kinds import settings_of
from spielwerk.learn.recipe import Recipe
from spielwerk.learn.runs import checkpoint, open_run
from spielwerk.names import BadInput, value_text

READABLE = 0o644  # for all; checkpoints are for their owner alone


def export(name: str, path: Path, grade: str = "") -> Checkpoint:
    """Writes the agent of a run (`NAME`, or `NAME/SEED`); its `grade` is by default what was measured last."""
    from spielwerk.learn.td import saved

    kept = checkpoint(name)
    run, seed = open_run(name.partition("/")[0]), int(kept.metadata["seed"])
    if run.recipe.kind != saved.KIND:
        raise BadInput(f"Only runs of {saved.KIND} can be exported; {run.name} is one of {run.recipe.kind}.")
    if not path.parent.is_dir():
        raise BadInput(f"There is no folder {path.parent}.")
    about = {"command": command(run.recipe, seed), "grade": grade or grade_text(run.measurements(seed))}
    try:
        saved.export(game_of(run.recipe.game), kept, path, about)
        path.chmod(READABLE)
    except (OSError, SafetensorError) as problem:
        raise BadInput(f"{path} cannot be written: {problem}.") from None
    return checkpoints.read(path)


def command(recipe: Recipe, seed: int) -> str:
    """The command that trains this seed of a run again."""
    usual = asdict(settings_of(recipe.kind, {}))
    given = (f"{key}={value_text(value)}" for key, value in recipe.settings.items() if value != usual[key])
    return shlex.join(["spielwerk", "train", recipe.kind, recipe.game, *given, "--seeds", f"{seed},"])


def grade_text(measured: list[Measurement]) -> str:
    """What was measured last, such as "rate against random 91.2 % (90.8 to 91.6)"."""
    last = [one for one in measured if one.episode == measured[-1].episode and is_main(one.what)]
    return "; ".join(_figure(one) for one in last)


def _figure(one: Measurement) -> str:
    if is_share(one.what):
        return f"{one.what} {100 * one.value:.1f} % ({100 * one.low:.1f} to {100 * one.high:.1f})"
    return f"{one.what} {one.value:.4f} ({one.low:.4f} to {one.high:.4f})"
