"""The figures of a training run, for people and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.markup import escape

from spielwerk.arena.figures import counted
from spielwerk.arena.measurement import RATE, is_main
from spielwerk.arena.measurement import value_text as figure_text
from spielwerk.commands.shared import print_json, print_table
from spielwerk.names import value_text

if TYPE_CHECKING:
    from spielwerk.api.runs import RunResult
    from spielwerk.learn.config import RunConfig
    from spielwerk.learn.figures import LearningCurve
    from spielwerk.learn.runs import Run

FEW = range(2, 5)  # seeds
OF_EVALUATION = "evaluation: "  # how the names of its settings begin here
LONGEST = 25  # letters of a setting that is compared: a figure and its interval


def report(result: RunResult, as_json: bool) -> None:
    """The last figures of a run."""
    if as_json:
        return print_json(result.facts())
    run, config, lasts = result.run, result.run.config, result.figures()
    if lasts:
        (name, *heads), rows = result.table()
        print_table((escape(name), *heads), [[escape(what), *figures] for what, *figures in rows])
    else:
        print(f"{result.title}; nothing was measured yet.")
    if lasts and len(lasts[0].seeds) in FEW:
        print("Intervals over so few seeds are wide (Student's distribution).")
    best = f", best: {run.best_seed()}" if lasts and len(config.seeds) > 1 else ""
    where = f" Curves: {run.curves}" if run.curves.exists() else ""
    print(f"{counted(len(config.seeds), 'seed')}{best}.{where}")
    earlier = sorted({episode for seed in config.seeds for episode in run.earlier(seed)})
    return print(f"Earlier checkpoints, to be played by at=…: {', '.join(map(str, earlier))}.") if earlier else None


def print_measurements(run: Run) -> None:
    """Each measurement that all seeds have reached, their mean; then how far each seed is, and its last figures."""
    from spielwerk.learn.figures import curves, without_repeats

    found = without_repeats(curves(run))
    columns = [f">{escape(what.removeprefix(RATE))}" for what in found]
    spare = [[column] for column, what in zip(columns, found, strict=True) if not is_main(what)]
    points: dict[int, dict[str, str]] = {}
    for what, curve in found.items():
        for episode, mean in zip(curve.episodes.tolist(), curve.mean.tolist(), strict=True):
            points.setdefault(episode, {})[what] = figure_text(what, mean)
    count = max((len(curve.seeds) for curve in found.values()), default=0)
    title = f">measured at, mean of {count} seeds" if count > 1 else ">measured at"
    if points:
        table = ([f"{episode:,}", *(points[episode].get(what, "") for what in found)] for episode in sorted(points))
        print_table((title, *columns), table, spare)
    rows = [[str(seed), f"{run.episode(seed):,}", *_last_row(found, seed)] for seed in run.config.seeds]
    print_table((">seed", ">trained", ">measured at", *columns), rows, spare)


def _last_row(found: Mapping[str, LearningCurve], seed: int) -> list[str]:
    """When a seed was last measured together with the others, and its figures then."""
    lasts = {what: curve.figure(-1) for what, curve in found.items() if seed in curve.seeds}
    when = f"{max(one.episode for one in lasts.values()):,}" if lasts else ""
    return [when, *(figure_text(what, lasts[what].seeds[seed]) if what in lasts else "" for what in found)]


def print_settings_of(run: Run) -> None:
    """The settings of a run that differ from their defaults, and what its network is made of."""
    from spielwerk.learn.config import EvaluationConfig

    defaults = usual(run.config.kind)
    chosen = {name: value for name, value in settings(run.config).items() if value != defaults.get(name)}
    if run.config.evaluation.matches() == EvaluationConfig().matches():
        chosen.pop(f"{OF_EVALUATION}opponents", None)  # which may say the usual number of games
    rows = [[name, escape(setting_text(value))] for name, value in chosen.items()] + _network(run)
    if rows:
        print_table(("setting, where not the default", "value"), rows)


def usual(kind: str) -> dict[str, Any]:
    """The same as `settings` where nothing was chosen; of a learner that is not here, only of evaluation."""
    from spielwerk.learn.config import EvaluationConfig
    from spielwerk.learn.registry import settings_of
    from spielwerk.names import BadInput

    try:
        own = asdict(settings_of(kind, {}))
    except BadInput:
        own = {}
    return own | {f"{OF_EVALUATION}{name}": value for name, value in asdict(EvaluationConfig()).items()}


def settings(config: RunConfig) -> dict[str, Any]:
    """All that can be chosen of a run but its seeds, by name."""
    return config.settings | {f"{OF_EVALUATION}{name}": value for name, value in asdict(config.evaluation).items()}


def _network(run: Run) -> list[list[str]]:
    """What the checkpoint of the first seed says of a network, which settings may have left to the game."""
    kept = run.checkpoint(run.config.seeds[0])
    if kept is None or "tuples" not in kept.metadata:
        return []
    count = kept.shape("weights")[0] if "weights" in kept else 0
    tuples = counted(len(kept.metadata["tuples"].split()), "tuple")
    return [["network", escape(f"coding {kept.metadata['coding']}, {tuples}, {count:,} weights")]]


def differing(compared: Sequence[Run]) -> list[list[str]]:
    """A row for each setting in which runs differ and not all say the usual, besides their lengths."""
    chosen = [{"kind": run.config.kind, "version": run.config.version, **settings(run.config)} for run in compared]
    defaults = [usual(run.config.kind) for run in compared]
    lengths = {run.config.counted for run in compared}
    rows = []
    for name in dict.fromkeys(name for one in chosen for name in one if name not in lengths):
        differ = any(one.get(name) != chosen[0].get(name) for one in chosen)
        said = any(name in one and one[name] != own.get(name) for one, own in zip(chosen, defaults, strict=True))
        if differ and said:
            rows.append([name, *(_cell(name, one, own) for one, own in zip(chosen, defaults, strict=True))])
    return rows


def _cell(name: str, chosen: Mapping[str, Any], defaults: Mapping[str, Any]) -> str:
    """A setting of a run, not wider than a figure; a dash where its learner has none of this name."""
    if name not in chosen:  # or where its version had none
        return "usual" if name in defaults else "–"
    text = setting_text(chosen[name])
    return escape(text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…") or "usual"


def setting_text(value: Any) -> str:
    """The value of a setting for people."""
    if isinstance(value, tuple | list):
        return " ".join(map(str, value))
    return f"{value:,}" if type(value) is int else value_text(value)
