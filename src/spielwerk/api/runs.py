"""`sw.runs` and `sw.run`: training runs, with their figures and curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from spielwerk.arena.plots import drawn
from spielwerk.arena.result import Result, Rows
from spielwerk.learn.curves import curve_figure
from spielwerk.learn.figures import Figure, curves, figures, without_repeats
from spielwerk.learn.runs import Run, names_of_runs, open_run


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

    def figures(self) -> list[Figure]:
        """The last figures, means over the seeds with intervals; without those that repeat others."""
        return [curve.figure(-1) for curve in without_repeats(curves(self.run)).values()]

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

    def table(self) -> tuple[Sequence[str], Rows]:
        """The last figures."""
        rows = [[one.what, one.text, f"{one.episode:,}"] for one in self.figures()]
        return (self.title, ">figure (95 % interval)", ">measured at"), rows

    def plot(self) -> Any:
        """The learning curves, and the metrics beside them."""
        with drawn():
            return curve_figure([self.run], self.title)


def runs() -> list[RunResult]:
    """All training runs that can be read, by name."""
    return [run(name) for name in names_of_runs()]


def run(name: str) -> RunResult:
    """The training run of that name."""
    return RunResult(open_run(name))
