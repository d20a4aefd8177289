"""`sw.train`: a training run made from settings, and carried out; it can be stopped and resumed at any time."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from spielwerk.agents.registry import agent
from spielwerk.api.runs import RunResult
from spielwerk.api.train_config import TrainRequest, config_of
from spielwerk.arena.measurement import Measurement
from spielwerk.files import write_text
from spielwerk.games.game import Game
from spielwerk.games.registry import game as game_of
from spielwerk.learn.config import DEFAULT_SAVE, RunConfig
from spielwerk.learn.curves import curve_plot
from spielwerk.learn.evaluation import Evaluator
from spielwerk.learn.registry import learner_kind
from spielwerk.learn.runs import CONFIG, Run, check_new, create, home, open_run
from spielwerk.learn.training import Training, TrainingCallback, check_device, new_learner, seeds_at_once
from spielwerk.names import BadInput, value_text
from spielwerk.solvers import tables

LARGE = 200_000_000  # bytes of a learner that are worth a word


class NoCallback:
    """A callback that does nothing."""

    def learned(self, seed: int, episode: int, per_second: float, figures: Mapping[str, float]) -> None:
        """See `learn/training.py`."""

    def measured(self, seed: int, measurements: Sequence[Measurement]) -> None:
        """See `learn/training.py`."""


@dataclass(frozen=True)
class TrainingOptions:
    """How a run is trained, which changes nothing in what it is: on what, how often it is saved, and who hears of it.

    `watch` is called with the run before it learns and returns its callback; `say` receives sentences for people.
    """

    cores: int | None = None
    device: str = "cpu"
    save_every: float = DEFAULT_SAVE
    watch: Callable[[Run], TrainingCallback] = lambda run: NoCallback()
    say: Callable[[str], None] = lambda sentence: None

    @property
    def threads(self) -> int:
        """The cores that are used."""
        return self.cores or os.cpu_count() or 1


class TrainingStopped(KeyboardInterrupt):
    """Ctrl-C has ended a training; what was learned is kept, and the run can be resumed."""

    def __init__(self, result: RunResult) -> None:
        super().__init__(f'What was learned is kept; to resume: sw.resume("{result.name}")')
        self.result = result


def train(
    kind: str,
    game: str | Game,
    *,
    name: str = "",
    seeds: int | Sequence[int] | str | None = None,
    seed: int | None = None,
    evaluation: Mapping[str, Any] | None = None,
    keep: int | None = None,
    file: Path | None = None,
    threads: int | None = None,
    device: str = "cpu",
    save_every: float = DEFAULT_SAVE,
    callback: TrainingCallback | None = None,
    say: Callable[[str], None] = lambda sentence: None,
    **settings: Any,
) -> RunResult:
    """Trains an agent by the learner `kind`, such as "td", with its `settings`.

    `seeds` are which (`[1, 2, 7]`, `"1-5"`), or how many; `seed` is a single one (default: 1); `evaluation` how it is
    measured (`{"opponents": ["random"], "games": 500}`); `keep` earlier checkpoints; a `file` of settings may say all
    of that. The run goes by `name`, or by kind, game and number. Of a large learner, `say` receives its size. Ctrl-C
    raises KeyboardInterrupt once what was learned is saved.
    """
    words = [kind, game if isinstance(game, str) else game.name]
    words += [f"{key}={value_text(value)}" for key, value in settings.items()]
    request = TrainRequest(words, _seeds_text(seeds), evaluation or {}, keep, seed)
    return train_request(request, file, name, _options(threads, device, save_every, callback, say))


def resume(
    name: str,
    *,
    episodes: int | None = None,
    threads: int | None = None,
    device: str = "cpu",
    save_every: float = DEFAULT_SAVE,
    callback: TrainingCallback | None = None,
    say: Callable[[str], None] = lambda sentence: None,
) -> RunResult:
    """Resumes a run that was stopped or killed; it ends just as if it had not been.

    With `episodes` (or generations) the run is extended to so many in all: it goes on learning at the rates with which
    it ended, and `run.toml` says so. Where a run was packed without its replay buffer, `say` receives that this is
    filled anew.
    """
    return resume_run(name, _options(threads, device, save_every, callback, say), episodes)


def train_request(request: TrainRequest, file: Path | None, name: str, options: TrainingOptions) -> RunResult:
    """Makes the run that is asked for, and trains it; nothing is made where it cannot be trained or measured."""
    if name:
        check_new(name)
    config = config_of(request, file)
    evaluator = prepare(config, options)
    return run_training(create(config, name), evaluator, options)


def resume_run(name: str, options: TrainingOptions, length: int | None = None) -> RunResult:
    """Resumes the run of that name, perhaps until a greater length than it had."""
    run = open_run(name)
    if length is None:
        check_unfinished(run)
    else:
        run = replace(run, config=run.config.longer(length))
    evaluator = prepare(run.config, options, run.kept())
    if length is not None:
        with run.alone():
            write_text(run.folder / CONFIG, run.config.toml())
    return run_training(run, evaluator, options)


def check_unfinished(run: Run) -> None:
    """Refuses a run that has nothing left to do."""
    if RunResult(run).finished:
        config = run.config
        raise BadInput(
            f"The run {run.name} is finished, with {config.episodes:,} {config.counted}; to extend it: "
            f"spielwerk runs resume {run.name} --{config.counted} {2 * config.episodes}"
        )


def prepare(config: RunConfig, options: TrainingOptions, kept: int = 0) -> Evaluator:
    """The evaluator of a run; refuses what cannot be trained or measured, before anything is written.

    `kept` bytes of checkpoints are on the disk already. Of a large learner, the size is said.
    """
    check_device(config.kind, options.device)
    learner = new_learner(config, config.seeds[0])
    learner.use(options.device, options.threads)
    if not kept:
        learner.begin()
    weights, state = (sum(array.nbytes for array in part().values()) for part in (learner.weights, learner.state))
    earlier = weights * len(config.kept_at) * len(config.seeds)
    size, at_once = weights + state, seeds_at_once(config, options.threads, options.device)
    scratch = learner.scratch_bytes
    if size + scratch > LARGE:
        more = f" (and {tables.size_text(scratch)} more in memory)" if scratch > LARGE else ""
        said = f"{tables.size_text(size)} for each seed, in memory and on the disk{more}, {at_once} at once"
        options.say(f"{'; '.join(filter(None, (said, learner_kind(config.kind).smaller)))}.")
    tables.need(home(), size * (len(config.seeds) + at_once) + earlier - kept, (size + scratch) * at_once)
    evaluator = Evaluator(game_of(config.game), config.evaluation, agent)
    evaluator.ready()
    return evaluator


def run_training(run: Run, evaluator: Evaluator, options: TrainingOptions) -> RunResult:
    """Trains a run as far as it goes, and draws its curves; TrainingStopped where Ctrl-C has ended it."""
    callback = options.watch(run)
    how = options.threads, options.save_every, options.device, options.say
    whole = Training(run, evaluator, callback, *how).go()
    result = RunResult(run)
    if any(run.measurements(seed) for seed in run.config.seeds):
        curve_plot([run], result.title, run.curves)
    if not whole:
        raise TrainingStopped(result)
    return result


def _options(
    threads: int | None,
    device: str,
    save_every: float,
    callback: TrainingCallback | None,
    say: Callable[[str], None],
) -> TrainingOptions:
    return TrainingOptions(threads, device, save_every, lambda run: callback or NoCallback(), say)


def _seeds_text(seeds: int | Sequence[int] | str | None) -> str | None:
    """Seeds as the command line writes them: how many, or which."""
    if seeds is None or isinstance(seeds, int | str):
        return None if seeds is None else str(seeds)
    return "".join(f"{seed}," for seed in seeds)
