"""`sw.train`: a training run made from settings, and carried out; it can be stopped and resumed at any time."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spielwerk.agents.registry import agent
from spielwerk.api.runs import RunResult
from spielwerk.api.train_config import Asked, config_of
from spielwerk.arena.measurement import Measurement
from spielwerk.games.game import Game
from spielwerk.games.registry import game as game_of
from spielwerk.learn.config import DEFAULT_SAVE, RunConfig
from spielwerk.learn.curves import curve_plot
from spielwerk.learn.evaluation import Evaluator
from spielwerk.learn.registry import learner_kind
from spielwerk.learn.runs import Run, check_new, create, home, open_run
from spielwerk.learn.training import Training, TrainingCallback, check_device, new_learner, seeds_at_once
from spielwerk.names import BadInput, value_text
from spielwerk.solvers import tables

LARGE = 200_000_000  # bytes of a learner that are worth a word


@dataclass(frozen=True)
class Work:
    """How a run is trained, which changes nothing in what it is: on what, and how often a checkpoint is written."""

    cores: int | None = None
    device: str = "cpu"
    save_every: float = DEFAULT_SAVE

    @property
    def threads(self) -> int:
        """The cores that are used."""
        return self.cores or os.cpu_count() or 1


class NoCallback:
    """A callback that does nothing."""

    def learned(self, seed: int, episode: int, per_second: float, figures: Mapping[str, float]) -> None:
        """See `learn/training.py`."""

    def measured(self, seed: int, measurements: Sequence[Measurement]) -> None:
        """See `learn/training.py`."""


def train(
    kind: str,
    game: str | Game,
    *,
    name: str = "",
    seeds: int | Sequence[int] | str = 1,
    evaluation: Mapping[str, Any] | None = None,
    keep: int | None = None,
    file: Path | None = None,
    threads: int | None = None,
    device: str = "cpu",
    save_every: float = DEFAULT_SAVE,
    callback: TrainingCallback | None = None,
    **settings: Any,
) -> RunResult:
    """Trains an agent by the learner `kind`, such as "td", with its `settings`; Ctrl-C keeps what was learned.

    `seeds` are how many, or which; `evaluation` how it is measured (`{"opponents": ["random"], "games": 500}`); `keep`
    earlier checkpoints; a `file` of settings may say all of that. The run goes by `name`, or by kind, game and number.
    """
    words = [kind, game if isinstance(game, str) else game.name]
    words += [f"{key}={value_text(value)}" for key, value in settings.items()]
    meant = str(seeds) if isinstance(seeds, int | str) else "".join(f"{seed}," for seed in seeds)
    if name:
        check_new(name)
    config = config_of(Asked(words, meant, evaluation or {}, keep), file)
    work = Work(threads, device, save_every)
    evaluator = prepare(config, work)
    return run_training(create(config, name), evaluator, work, callback or NoCallback())


def resume(
    name: str,
    *,
    threads: int | None = None,
    device: str = "cpu",
    save_every: float = DEFAULT_SAVE,
    callback: TrainingCallback | None = None,
) -> RunResult:
    """Resumes a run that was stopped or killed; it ends just as if it had not been."""
    run, work = open_run(name), Work(threads, device, save_every)
    check_unfinished(run)
    return run_training(run, prepare(run.config, work, run.kept()), work, callback or NoCallback())


def check_unfinished(run: Run) -> None:
    """Refuses a run that has nothing left to do."""
    if RunResult(run).finished:
        raise BadInput(
            f"The run {run.name} is finished; its settings are planned for {run.config.episodes:,} "
            f"{run.config.counted}, so that more of them need a new run."
        )


def prepare(config: RunConfig, work: Work, kept: int = 0, say: Callable[[str], None] = lambda _: None) -> Evaluator:
    """The evaluator of a run; refuses what cannot be trained or measured, before anything is written.

    `kept` bytes of checkpoints are on the disk already. Of a large learner, `say` receives its size as a sentence.
    """
    check_device(config.kind, work.device)
    learner = new_learner(config, config.seeds[0])
    weights, state = (sum(array.nbytes for array in part().values()) for part in (learner.weights, learner.state))
    earlier = weights * len(config.kept_at) * len(config.seeds)
    size, at_once = weights + state, seeds_at_once(config, work.threads, work.device)
    if size > LARGE:
        said = f"{tables.size_text(size)} for each seed, in memory and on the disk, {at_once} at once"
        say(f"{'; '.join(filter(None, (said, learner_kind(config.kind).smaller)))}.")
    tables.need(home(), size * (len(config.seeds) + at_once) + earlier - kept, size * at_once)
    evaluator = Evaluator(game_of(config.game), config.evaluation, agent)
    evaluator.ready()
    return evaluator


def run_training(run: Run, evaluator: Evaluator, work: Work, callback: TrainingCallback) -> RunResult:
    """Trains a run as far as it goes, and draws its curves."""
    Training(run, evaluator, callback, work.threads, work.save_every, work.device).go()
    result = RunResult(run)
    if any(run.measurements(seed) for seed in run.config.seeds):
        curve_plot([run], result.title, run.curves)
    return result
