"""The figures of a training run, for people and as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.markup import escape

from spielwerk.arena.measurement import is_share
from spielwerk.commands.shared import counted, percent, print_json, print_table

if TYPE_CHECKING:
    from spielwerk.learn.figures import Figure
    from spielwerk.learn.runs import Run


def report(run: Run, as_json: bool) -> None:
    """The last figures of a run."""
    from spielwerk.learn.figures import figures

    found = figures(run)
    if as_json:
        return print_json(facts(run))
    recipe = run.recipe
    rows = [[escape(one.what), figure_text(one), f"{one.episode:,}"] for one in found.values()]
    if rows:
        title = escape(f"{run.name}: {recipe.kind} in {recipe.game}")
        print_table((title, ">figure (95 % interval)", ">episodes"), rows)
    where = f"Curves: {run.curves}" if run.curves.exists() else ""
    seeds = counted(len(recipe.seeds), "seed")
    return print(f"{seeds}. {where}" if len(recipe.seeds) == 1 else f"{seeds}, best: {run.best_seed()}. {where}")


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


def figure_text(figure: Figure) -> str:
    """Such as 91.2 % (90.8 to 91.6)."""
    low, high = figure.interval
    ends = f"{100 * low:.1f} to {100 * high:.1f}" if is_share(figure.what) else f"{low:.4f} to {high:.4f}"
    return f"{value_text(figure.what, figure.value)} ({ends})"


def value_text(what: str, value: float) -> str:
    """Such as 91.2 %, or 0.0061."""
    return percent(value) if is_share(what) else f"{value:.4f}"
