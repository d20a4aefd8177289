"""Training: the seeds of a run, side by side or one after the other, stopped at any moment and resumed later.

A learner learns in short chunks, so that it can be asked to stop; neither they, nor checkpoints, nor evaluations change
what it learns. A checkpoint is written before an evaluation, unless the last one took too long to write so soon again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Protocol

import numpy as np

from spielwerk.arena.measurement import Measurement
from spielwerk.data import parsed
from spielwerk.games.registry import game as game_of
from spielwerk.learn import checkpoint as checkpoints
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.config import RunConfig
from spielwerk.learn.evaluation import Evaluator
from spielwerk.learn.kind import CPU
from spielwerk.learn.learner import Learner, Stop, never
from spielwerk.learn.metrics import LEAST, MetricsLog
from spielwerk.learn.registry import learner_kind, learner_of, settings_of
from spielwerk.learn.runs import CONFIG, Run
from spielwerk.names import BadInput, value_text

CHUNK = 0.3  # seconds
GROWTH = 4  # the first chunks grow step by step, since they may have compiled something
FIRST_SAVE = 5.0  # seconds after which there is a checkpoint at all
MOST_SAVING = 0.1  # of the time goes into checkpoints
LOOK = 0.5  # seconds between two looks at a thread


class TrainingCallback(Protocol):
    """A callback of a training, called by several threads."""

    def learned(self, seed: int, episode: int, per_second: float, figures: Mapping[str, float]) -> None:
        """So many episodes are done, at so many a second; `figures` are the learner's."""
        ...

    def measured(self, seed: int, measurements: Sequence[Measurement]) -> None:
        """What was measured of a seed so far."""
        ...


class Stopped(Exception):
    """The work was asked to end."""


class Pace:
    """Learns in chunks of about so many seconds, so that nobody waits long for a word or for the end."""

    def __init__(self, chunk: int = 1, wanted: float = CHUNK) -> None:
        self.chunk, self.wanted = chunk, wanted  # episodes of the next chunk, and seconds that one should take
        self.seconds, self.speed = 0.0, 0.0  # of the last chunk: how long it took, and episodes a second

    def learn(self, learner: Learner, until: int, stop: Stop = never) -> None:
        """Learns one chunk, not beyond `until` episodes; less once `stop` says so."""
        before = learner.episode
        begun = time.perf_counter()
        learner.learn(min(self.chunk, until - before), stop)
        self.seconds, count = max(time.perf_counter() - begun, 1e-6), learner.episode - before
        if self.seconds >= LEAST or not self.speed:
            self.speed = count / self.seconds
        if count == self.chunk or self.seconds > self.wanted:
            self.chunk = max(1, min(int(count * self.wanted / self.seconds), GROWTH * count))


class SeedTraining:
    """One seed of a run."""

    def __init__(self, training: Training, seed: int) -> None:
        self.run, self.evaluator, self.callback = training.run, training.evaluator, training.callback
        self.stop, self.save_every, self.training = training.stop, training.save_every, training
        self.seed = seed
        self.episodes, self.kept_at = self.run.config.episodes, self.run.config.kept_at
        self.pace, self.log = Pace(), MetricsLog(self.run.metrics_file(seed), self.run.config.ends)
        self.saved, self.saved_at, self.saving = -1, time.monotonic(), 0.0  # the last checkpoint: episode, end, seconds

    def go(self) -> None:
        """Resumes from the last checkpoint until all is done, or it is asked to stop."""
        if self.run.finished(self.seed):
            self.callback.learned(self.seed, self.episodes, 0.0, {})
            self.callback.measured(self.seed, self.run.measurements(self.seed))
            return
        self._begin()
        try:
            if not self.run.earlier_file(self.seed, self.learner.episode).exists():
                self._keep()  # since here an extension begins
            self._evaluate()
            while self.learner.episode < self.episodes:
                self._pulse()
                self._learn()
                self._keep()
                self._save(self.save_every)
                self._evaluate()
        except Stopped:
            pass
        self._save()

    def _begin(self) -> None:
        """The learner as the last checkpoint has it; what was measured after that will be measured again."""
        self.learner = new_learner(self.run.config, self.seed)
        if self.seed == self.run.config.seeds[0]:  # all seeds learn from the same
            for note in self.learner.notes:
                self.training.say(note)
        self.learner.use(self.training.device, self.training.each)
        kept = self.run.checkpoint(self.seed)
        if kept is not None:
            check_fits(kept, self.learner, self.run)
            self.learner.restore(kept)
            self.learner.has_checkpoint = True
            self.saved = self.learner.episode
            if self.learner.notice:
                self.training.say(f"Seed {self.seed}: {self.learner.notice}")
        else:
            self.learner.begin()
        self.log.cut(self.learner.episode)
        self.measured = [one for one in self.run.measurements(self.seed) if one.episode <= self.learner.episode]
        self.run.measure(self.seed, self.measured)  # also into a store that may not have heard of it
        self.callback.measured(self.seed, self.measured)

    def _pulse(self) -> None:
        if self.stop.is_set():
            raise Stopped

    def _learn(self) -> None:
        """One chunk, which ends where something is to be measured or kept."""
        done = self.learner.episode
        kept = next((point for point in self.kept_at if point > done), self.episodes)
        until = min(self.run.config.evaluation.next(done, self.run.config.ends), kept)
        self.pace.learn(self.learner, until, self.stop.is_set)
        learned = self.learner.episode, self.learner.figures()
        self.log.learned(learned[0], self.pace.seconds, learned[1])
        self.callback.learned(self.seed, learned[0], self.pace.speed, learned[1])

    def _keep(self) -> None:
        """Writes the weights where an earlier checkpoint is to be kept."""
        episode = self.learner.episode
        if episode in self.kept_at:
            self._write(self.run.earlier_file(self.seed, episode), self.learner.weights())

    def _evaluate(self) -> None:
        """Measures the learner where that is due and has not been done."""
        episode = self.learner.episode
        done = bool(self.measured) and self.measured[-1].episode == episode
        if done or not self.run.config.evaluation.due(episode, self.run.config.ends):
            return
        if episode:  # before the first there is nothing to keep
            self._save(0.0)
        self.measured += self.evaluator.measure(self.learner, self._pulse)
        self.run.measure(self.seed, self.measured)
        self.callback.measured(self.seed, self.measured)

    def _save(self, every: float | None = None) -> None:
        """Writes a checkpoint if there is none of this episode, and with `every` only if the last one is so old."""
        begun = time.monotonic()
        if every is not None and self.saved < 0:
            every = min(every, FIRST_SAVE)
        age = None if every is None else max(every, self.saving / MOST_SAVING)
        if self.saved == self.learner.episode or (age is not None and begun - self.saved_at < age):
            return
        self._write(self.run.checkpoint_file(self.seed), self.learner.arrays())
        self.learner.has_checkpoint = True
        self.saved, self.saved_at = self.learner.episode, time.monotonic()
        self.saving = self.saved_at - begun

    def _write(self, path: Path, arrays: Mapping[str, np.ndarray]) -> None:
        """A checkpoint, unless nobody could go on from it."""
        if not checkpoints.sound(arrays):
            raise self.learner.explosion("weights are no longer numbers")
        checkpoints.write(path, arrays, self._about())

    def _about(self) -> dict[str, str]:
        """What a checkpoint says of itself."""
        about = {"kind": self.learner.kind, "seed": str(self.seed), "episode": str(self.learner.episode)}
        return self.learner.metadata() | about


class Training:
    """All seeds of a run, on so many cores; after `save_every` seconds of learning a checkpoint is due.

    On the CPU the seeds learn side by side; those that share a GPU one after the other, unless their learner says that
    they need not. `say` receives sentences for people.
    """

    def __init__(
        self,
        run: Run,
        evaluator: Evaluator,
        callback: TrainingCallback,
        threads: int,
        save_every: float,
        device: str = CPU,
        say: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        self.run, self.evaluator, self.callback, self.save_every = run, evaluator, callback, save_every
        self.device, self.say = device, say
        self.stop = threading.Event()
        self.waiting: SimpleQueue[int] = SimpleQueue()
        for seed in run.config.seeds:
            self.waiting.put(seed)
        self.errors: SimpleQueue[BaseException] = SimpleQueue()
        at_once = seeds_at_once(run.config, threads, device)
        self.each = max(1, threads // at_once)  # cores for each seed
        self.ends = [threading.Event() for _ in range(at_once)]  # set when a thread has nothing left to do

    def go(self) -> bool:
        """Trains; whether it was finished. Ctrl-C asks all seeds to stop, and again to be left where they are."""
        with self.run.alone():
            for end in self.ends:
                threading.Thread(target=self._work, args=(end,), daemon=True).start()
            try:
                self._wait()
            except KeyboardInterrupt:
                self.stop.set()
                self._wait()
        if not self.errors.empty():
            raise self.errors.get()
        return not self.stop.is_set()

    def _wait(self) -> None:
        # Not by joining the threads: one whose `join` was interrupted by Ctrl-C counts as ended from then on.
        for end in self.ends:
            while not end.wait(LOOK):  # an endless wait does not hear Ctrl-C everywhere
                pass

    def _work(self, end: threading.Event) -> None:
        """One seed after the other, as long as there are some; where one fails, all stop."""
        try:
            while not self.stop.is_set():
                seed = self.waiting.get_nowait()
                SeedTraining(self, seed).go()
        except Empty:
            return
        except BaseException as problem:
            self.errors.put(problem)
            self.stop.set()
        finally:
            end.set()


def seeds_at_once(config: RunConfig, threads: int, device: str = CPU) -> int:
    """How many seeds of a run learn at the same time."""
    alone = device != CPU and not learner_kind(config.kind).shares_gpu
    return 1 if alone else min(threads, len(config.seeds))


def check_device(kind: str, device: str) -> None:
    """Refuses a device on which a learner cannot learn."""
    devices = learner_kind(kind).devices
    if device not in devices:
        raise BadInput(f"{kind} learns on: {', '.join(devices)}; not on {device}.")


def new_learner(config: RunConfig, seed: int) -> Learner:
    """A learner as the config says, which has learned nothing yet."""
    return learner_of(config.kind, game_of(config.game), settings_of(config.kind, config.settings), seed)


def check_fits(kept: Checkpoint, learner: Learner, run: Run) -> None:
    """Refuses a checkpoint that was made with other settings than the run's config has now."""
    for key, wanted in learner.metadata().items():
        if key not in ("version", "settings") and kept.metadata.get(key) != wanted:
            raise BadInput(f"{kept.path} and {run.folder / CONFIG} differ in {key}, which must not be changed.")
    before, now = asdict(_settings(kept, learner.kind)), asdict(learner.settings)
    changed = [f"{key}={value_text(value)}" for key, value in before.items() if value != now[key]]
    if changed:
        raise BadInput(
            f"{kept.path} was made with {', '.join(changed)}, but {run.folder / CONFIG} says otherwise; "
            "the settings of a run must not be changed."
        )


def _settings(kept: Checkpoint, kind: str) -> Any:
    """The settings of a checkpoint; what there was not yet when it was written is as usual."""
    try:
        return settings_of(kind, parsed(kept.metadata["settings"]))
    except BadInput:
        raise
    except (KeyError, TypeError, AttributeError, ValueError):
        raise BadInput(f"{kept.path} does not say which settings it was made with.") from None
