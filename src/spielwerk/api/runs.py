"""`sw.runs` and `sw.run`: training runs, with their figures and curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from spielwerk.arena.plots import drawn
from spielwerk.arena.result import Result, Rows, html_table
from spielwerk.learn.curves import curve_figure
from spielwerk.learn.figures import Figure, LearningCurve, curves, figures, without_repeats
from spielwerk.learn.metrics_files import rows_of
from spielwerk.learn.run_settings import changed
from spielwerk.learn.runs import Run, in_use, names_of_runs, open_run
from spielwerk.names import BadInput


class Measured(NamedTuple):
    """A figure of one seed, and after how many episodes it was measured."""

    episode: int
    value: float


@dataclass(frozen=True)
class RunResult(Result):
    """A training run: what it is made from, how far it is, and how well its agent plays."""

    run: Run

    @property
    def name(self) -> str:
        """As agents write it: `td:NAME`."""
        return self.run.name

    @property
    def finished(self) -> bool:
        """Whether there is nothing left to do."""
        return all(self.run.finished(seed) for seed in self.run.config.seeds)

    @property
    def title(self) -> str:
        """What the run is, in a line."""
        return f"{self.run.name}: {self.run.config.kind} in {self.run.config.game}"

    @property
    def measured(self) -> int:
        """After how many episodes its seeds were last measured together; 0 where they never were."""
        return max((int(curve.episodes[-1]) for curve in self.curves().values()), default=0)

    def curves(self) -> dict[str, LearningCurve]:
        """How each figure went, by what it is; without those that repeat others."""
        return without_repeats(curves(self.run))

    def figures(self) -> list[Figure]:
        """The last figures, means over the seeds with intervals; without those that repeat others."""
        return [curve.figure(-1) for curve in self.curves().values()]

    def means(self) -> dict[int, dict[str, float]]:
        """Each measurement that all seeds have reached, by episode and by what it is: the mean over the seeds."""
        found: dict[int, dict[str, float]] = {}
        for what, curve in self.curves().items():
            for episode, mean in zip(curve.episodes.tolist(), curve.mean.tolist(), strict=True):
                found.setdefault(episode, {})[what] = mean
        return dict(sorted(found.items()))

    def last_of(self, seed: int) -> dict[str, Measured]:
        """The figures of one seed when all seeds were last measured, by what they are."""
        lasts = {what: curve.figure(-1) for what, curve in self.curves().items() if seed in curve.seeds}
        return {what: Measured(one.episode, one.seeds[seed]) for what, one in lasts.items()}

    def changed_settings(self) -> dict[str, Any]:
        """The settings that differ from their defaults."""
        return changed(self.run.config)

    def network(self) -> dict[str, Any] | None:
        """What the checkpoint of the first seed says of an n-tuple network, which settings may leave to the game."""
        kept = self.run.checkpoint(self.run.config.seeds[0])
        if kept is None or "tuples" not in kept.metadata:
            return None
        weights = kept.shape("weights")[0] if "weights" in kept else 0
        return {"coding": kept.metadata["coding"], "tuples": len(kept.metadata["tuples"].split()), "weights": weights}

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        run, config = self.run, self.run.config
        done = {seed: run.episode(seed) for seed in config.seeds}
        return {
            "run": run.name,
            "kind": config.kind,
            "game": config.game,
            "settings": config.settings,
            "evaluation": asdict(config.evaluation),
            "seeds": list(config.seeds),
            "episodes": config.episodes,
            "extended": list(config.extended),
            "done": done,
            "earlier": {seed: run.earlier(seed) for seed in config.seeds},
            "finished": self.finished,
            "best_seed": run.best_seed() if any(done.values()) else None,
            "figures": {what: one.facts() for what, one in figures(run).items()},
            "size": run.size(),
            "started": config.started,
            "version": config.version,
            "folder": str(run.folder),
            "curves": str(run.curves) if run.curves.exists() else None,
        }

    def all_facts(self) -> dict[str, Any]:
        """The same, and every measurement and every line of the log of metrics, with its seed."""
        run, seeds = self.run, self.run.config.seeds
        measured = [{"seed": seed, **one.facts()} for seed in seeds for one in run.measurements(seed)]
        metrics = [{"seed": seed, **line} for seed in seeds for line in run.metrics(seed)]
        return self.facts() | {"measurements": measured, "metrics": metrics}

    def to_pandas(self) -> Any:
        """All that was logged and measured, as a pandas DataFrame: a row for each seed and episode."""
        return data_frame(rows_of(self.run))

    def table(self) -> tuple[Sequence[str], Rows]:
        """The last figures."""
        rows = [[one.what, one.text, f"{one.episode:,}"] for one in self.figures()]
        return (self.title, ">figure (95 % interval)", ">measured at"), rows

    def plot(self) -> Any:
        """The learning curves, and the metrics beside them."""
        with drawn():
            return curve_figure([self.run], self.title)


class Runs(list[RunResult]):
    """Training runs; in a notebook a table."""

    def rows(self) -> list[dict[str, Any]]:
        """A flat row for each run: what it is, how far it is, its settings, and its last figures with intervals."""
        return [_flat(one) for one in self]

    def to_pandas(self) -> Any:
        """The rows as a pandas DataFrame, by the name of the run."""
        return data_frame(self.rows()).set_index("run") if self else data_frame([])

    def _repr_html_(self) -> str:
        heads = ("run", "kind", "game", ">length", ">seeds", "figures")
        rows = [
            [one.name, config.kind, config.game, f"{config.episodes:,}", str(len(config.seeds)), _figures_text(one)]
            for one, config in ((one, one.run.config) for one in self)
        ]
        return html_table(heads, rows)


def data_frame(rows: Sequence[dict[str, Any]]) -> Any:
    """Rows as a pandas DataFrame; BadInput where pandas is not installed."""
    try:
        import pandas  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise BadInput("pandas is not installed: pip install pandas.") from None
    return pandas.DataFrame(rows)


def runs() -> Runs:
    """All training runs that can be read, by name."""
    return Runs(run(one["run"]) for one in facts_of_runs() if "problem" not in one)


def facts_of_runs() -> list[dict[str, Any]]:
    """The facts of all training runs, by name, and whether each is trained now; of one that cannot be read, why."""
    return [_facts(name) for name in names_of_runs()]


def run(name: str) -> RunResult:
    """The training run of that name."""
    return RunResult(open_run(name))


def _flat(result: RunResult) -> dict[str, Any]:
    """A run in one row."""
    facts, config = result.facts(), result.run.config
    names = ("run", "kind", "game", "episodes", "finished", "best_seed", "size", "started", "version", "folder")
    row = {name: facts[name] for name in names} | {"seeds": len(config.seeds), "done": min(facts["done"].values())}
    for what, one in facts["figures"].items():
        low, high = one["interval"]
        row |= {what: one["value"], f"{what}, low": low, f"{what}, high": high}
    return row | {f"setting: {name}": value for name, value in config.settings.items()}


def _figures_text(result: RunResult) -> str:
    return "; ".join(f"{one.what} {one.text}" for one in result.figures())


def _facts(name: str) -> dict[str, Any]:
    try:
        return run(name).facts() | {"running": in_use(name)}
    except BadInput as problem:
        return {"run": name, "problem": str(problem)}
