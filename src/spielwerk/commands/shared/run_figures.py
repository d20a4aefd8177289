"""The figures of a training run, for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from rich.markup import escape

from spielwerk.arena.figures import counted
from spielwerk.arena.measurement import RATE, is_main
from spielwerk.arena.measurement import value_text as figure_text
from spielwerk.commands.shared.output import print_json, print_table
from spielwerk.learn.run_settings import setting_text

if TYPE_CHECKING:
    from spielwerk.api.runs import RunResult

FEW = range(2, 5)  # seeds


def report(result: RunResult, as_json: bool) -> None:
    """The last figures of a run."""
    if as_json:
        return print_json(result.facts())
    run, config, lasts = result.run, result.run.config, result.figures()
    if lasts:
        (name, *heads), rows = result.table()
        print_table((escape(name), *heads), [[escape(what), *figures] for what, *figures in rows])
    else:
        print(f"{result.title}; nothing has been measured yet.")
    if lasts and len(lasts[0].seeds) in FEW:
        print("Intervals over so few seeds are wide (Student's distribution).")
    kept = any(run.checkpoint_file(seed).exists() for seed in config.seeds)
    best = f", best: {run.best_seed()}" if lasts and kept and len(config.seeds) > 1 else ""
    where = f" Curves: {run.curves}" if run.curves.exists() else ""
    print(f"{counted(len(config.seeds), 'seed')}{best}.{where}")
    earlier = sorted({episode for seed in config.seeds for episode in run.earlier(seed)})
    return print(f"Earlier checkpoints, to play with at=…: {', '.join(map(str, earlier))}.") if earlier else None


def print_measurements(result: RunResult) -> None:
    """Each measurement that all seeds have reached, their mean; then how far each seed is, and its last figures."""
    run, found, points = result.run, result.curves(), result.means()
    columns = [f">{escape(what.removeprefix(RATE))}" for what in found]
    spare = [[column] for column, what in zip(columns, found, strict=True) if not is_main(what)]
    count = max((len(curve.seeds) for curve in found.values()), default=0)
    title = f">measured at, mean of {count} seeds" if count > 1 else ">measured at"
    if points:
        table = ([f"{episode:,}", *_texts(found, means)] for episode, means in points.items())
        print_table((title, *columns), table, spare)
    rows = [[str(seed), f"{run.episode(seed):,}", *_last_row(result, seed)] for seed in run.config.seeds]
    print_table((">seed", ">trained", ">measured at", *columns), rows, spare)


def _last_row(result: RunResult, seed: int) -> list[str]:
    """When a seed was last measured together with the others, and its figures then."""
    lasts = result.last_of(seed)
    when = f"{max(one.episode for one in lasts.values()):,}" if lasts else ""
    return [when, *_texts(result.curves(), {what: one.value for what, one in lasts.items()})]


def _texts(shown: Iterable[str], values: Mapping[str, float]) -> list[str]:
    """Figures as a row of a table; nothing where one was not measured."""
    return [figure_text(what, values[what]) if what in values else "" for what in shown]


def print_settings_of(result: RunResult) -> None:
    """The settings of a run that differ from their defaults, and what its network is made of."""
    rows = [[name, escape(setting_text(value))] for name, value in result.changed_settings().items()]
    network = result.network()
    if network:
        tuples = counted(network["tuples"], "tuple")
        rows.append(["network", escape(f"coding {network['coding']}, {tuples}, {network['weights']:,} weights")])
    if rows:
        print_table(("setting, where not the default", "value"), rows)
