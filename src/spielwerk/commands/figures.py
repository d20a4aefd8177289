"""The figures of a training run, for people and as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.markup import escape

from spielwerk.arena.measurement import is_main, value_text
from spielwerk.commands.shared import counted, print_json, print_table

if TYPE_CHECKING:
    from spielwerk.learn.runs import Run


def report(run: Run, as_json: bool) -> None:
    """The last figures of a run."""
    from spielwerk.learn.figures import figures

    found = figures(run)
    if as_json:
        return print_json(facts(run))
    recipe = run.recipe
    rows = [[escape(one.what), one.text, f"{one.episode:,}"] for one in found.values()]
    if rows:
        title = escape(f"{run.name}: {recipe.kind} in {recipe.game}")
        print_table((title, ">figure (95 % interval)", ">episodes"), rows)
    best = f", best: {run.best_seed()}" if rows and len(recipe.seeds) > 1 else ""
    where = f" Curves: {run.curves}" if run.curves.exists() else ""
    return print(f"{counted(len(recipe.seeds), 'seed')}{best}.{where}")


def print_measurements(run: Run) -> None:
    """Each measurement that all seeds have reached, their mean; then how far each seed is, and its last figures."""
    from spielwerk.learn.figures import curves

    found = curves(run)
    columns = [f">{escape(what)}" for what in found]
    spare = [[column] for column, what in zip(columns, found, strict=True) if not is_main(what)]
    points: dict[int, dict[str, str]] = {}
    for what, curve in found.items():
        for episode, mean in zip(curve.episodes.tolist(), curve.mean.tolist(), strict=True):
            points.setdefault(episode, {})[what] = value_text(what, mean)
    count = max((len(curve.seeds) for curve in found.values()), default=0)
    title = f">episodes, mean of {count} seeds" if count > 1 else ">episodes"
    if points:
        table = ([f"{episode:,}", *(points[episode].get(what, "") for what in found)] for episode in sorted(points))
        print_table((title, *columns), table, spare)
    lasts = {what: curve.figure(-1).seeds for what, curve in found.items()}
    rows = [
        [str(seed), f"{run.episode(seed):,}"]
        + [value_text(what, last[seed]) if seed in last else "" for what, last in lasts.items()]
        for seed in run.recipe.seeds
    ]
    print_table((">seed", ">episodes", *columns), rows, spare)


def facts(run: Run) -> dict[str, Any]:
    """What `--json` prints of a run."""
    from spielwerk.learn.figures import figures

    recipe = run.recipe
    done = {seed: run.episode(seed) for seed in recipe.seeds}
    return {
        "run": run.name,
        "kind": recipe.kind,
        "game": recipe.game,
        "settings": recipe.settings,
        "evaluation": asdict(recipe.evaluation),
        "seeds": list(recipe.seeds),
        "episodes": recipe.episodes,
        "done": done,
        "finished": all(run.finished(seed) for seed in recipe.seeds),
        "best_seed": run.best_seed() if any(done.values()) else None,
        "figures": {what: one.facts() for what, one in figures(run).items()},
        "size": run.size(),
        "started": recipe.started,
        "version": recipe.version,
        "folder": str(run.folder),
        "curves": str(run.curves) if run.curves.exists() else None,
    }
