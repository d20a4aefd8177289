"""Training at the terminal: what is checked before, a progress bar for each seed, and how to resume after Ctrl-C."""

from __future__ import annotations

import shlex
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from spielwerk.arena.measurement import RATE, is_main, value_text
from spielwerk.commands.shared.run_figures import report
from spielwerk.commands.shared.stopping import NOTHING, if_stopped

if TYPE_CHECKING:
    from spielwerk.api.runs import RunResult
    from spielwerk.api.train import TrainingOptions
    from spielwerk.arena.measurement import Measurement
    from spielwerk.learn.runs import Run

BAR = 14  # letters
TEXTS = ("speed", "figures", "stands")  # of a seed, from left to right
PLAIN = BAR + len("100%") + len("0:00:00") + len(TEXTS) + 3  # letters of a line besides texts
LIVE = 3  # figures of a learner are shown
FAST = 10  # a second, from which fractions do not matter
Threads = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="Cores to use. Default: all."),
]
Device = Annotated[str, typer.Option(metavar="cpu|cuda", help="Where to compute, if the learner can use a GPU.")]
SaveEvery = Annotated[float, typer.Option(metavar="SECONDS", min=0.1, help="Seconds between checkpoints.")]


def train_with_progress(train: Callable[[TrainingOptions], RunResult], options: TrainingOptions, as_json: bool) -> None:
    """Trains a run as far as it goes, and prints its figures; after Ctrl-C it says how to resume."""
    from spielwerk.api.train import TrainingStopped
    from spielwerk.terminal import waiting

    if_stopped(NOTHING)  # before there is a run
    with ExitStack() as waits, ExitStack() as shown:
        waits.enter_context(waiting("getting ready …"))

        def watch(run: Run) -> Bars:
            waits.close()
            if_stopped(f"What was learned is kept; to resume: spielwerk runs resume {run.name}")
            bars = shown.enter_context(Bars(run))
            shown.enter_context(ended_like_ctrl_c())
            return bars

        try:
            result = train(replace(options, watch=watch, say=lambda sentence: print(sentence, file=sys.stderr)))
        except TrainingStopped as stopped:
            result = stopped.result
    if not result.finished:
        raise KeyboardInterrupt
    report(result, as_json)
    if not as_json:
        config = result.run.config
        game = shlex.join(["spielwerk", "play", config.game, "--against", f"{config.kind}:{result.name}"])
        print(f"To play against it: {game}")


@contextmanager
def ended_like_ctrl_c() -> Iterator[None]:
    """While this lasts, a signal to end, such as from a batch system or a closed terminal, is like Ctrl-C."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    known = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    handled = [one for one in known if signal.getsignal(one) is not signal.SIG_IGN]  # as `nohup` has it
    before = [signal.signal(one, interrupt) for one in handled]
    try:
        yield
    finally:
        for one, handler in zip(handled, before, strict=True):
            signal.signal(one, handler)


class Bars:
    """A progress bar for each seed, with live figures; where there is no terminal, a line for each evaluation."""

    def __init__(self, run: Run) -> None:
        from spielwerk.learn.registry import learner_kind

        screen = Console(stderr=True)
        texts = (TextColumn(f"{{task.fields[{name}]}}", markup=False) for name in TEXTS)
        columns = (TextColumn("{task.description}"), BarColumn(BAR), TaskProgressColumn(), *texts)
        shown = {"console": screen, "transient": True, "disable": not screen.is_terminal}
        self.progress = Progress(*columns, TimeRemainingColumn(), **shown)
        start = {"total": run.config.episodes, "start": False, **dict.fromkeys(TEXTS, "")}
        self.bars = {seed: self.progress.add_task(f"seed {seed}", **start) for seed in run.config.seeds}
        self.figures = dict.fromkeys(self.bars, "")
        self.symbols = learner_kind(run.config.kind).symbols
        self.config, self.begun = run.config, set[int]()  # seeds that have said what was measured before

    def __enter__(self) -> Bars:
        self.progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.progress.stop()

    def learned(self, seed: int, episode: int, per_second: float, figures: Mapping[str, float]) -> None:
        """Moves a bar on."""
        self.progress.start_task(self.bars[seed])
        self.progress.update(self.bars[seed], completed=episode, speed=_speed(per_second))
        shown = list(figures.items())[:LIVE]
        self.figures[seed] = " ".join(f"{self.symbols.get(name, name)} {_figure(value)}" for name, value in shown)
        self._fit()

    def measured(self, seed: int, measurements: Sequence[Measurement]) -> None:
        """Shows the last evaluation."""
        last = [one for one in measurements if one.episode == measurements[-1].episode and is_main(one.what)]
        shown = [f"{one.what.removeprefix(RATE).partition(':')[0]} {value_text(one.what, one.value)}" for one in last]
        self.progress.update(self.bars[seed], stands=" · ".join(shown))
        self._fit()
        if self.progress.disable and last and seed in self.begun:
            self._say(seed, last[0].episode, ", ".join(shown))
        self.begun.add(seed)

    def _say(self, seed: int, episode: int, shown: str) -> None:
        """An evaluation as a line of a log, written at once, since seeds are measured at the same time."""
        counted = self.config.counted.removesuffix("s")
        line = f"seed {seed}, {counted} {episode:,} of {self.config.episodes:,}: {shown}\n"
        print(line, end="", file=sys.stderr, flush=True)

    def _fit(self) -> None:
        """Shows the learners' figures, unless that makes lines longer than the terminal."""
        tasks = self.progress.tasks
        texts = [[task.description for task in tasks], list(self.figures.values())]
        texts += [[task.fields[name] for task in tasks] for name in ("speed", "stands")]
        fits = PLAIN + sum(max(map(cell_len, column)) for column in texts) <= self.progress.console.width
        for seed, bar in self.bars.items():
            self.progress.update(bar, figures=self.figures[seed] if fits else "")


def _speed(per_second: float) -> str:
    return f"{per_second:,.{0 if per_second >= FAST else 1}f}/s" if per_second else ""


def _figure(value: float) -> str:
    return f"{value:.2g}" if abs(value) < 100 else f"{value:,.0f}"  # without an exponent
