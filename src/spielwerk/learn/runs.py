"""Training runs: folders under `runs` in the data folder, by name.

A run holds `run.toml` (see `learn/config.py`), its curves, and for each seed a folder with the last checkpoint, the
weights of earlier ones, the measurements, one JSON object a line, and a log of metrics (see `learn/metrics.py`).
Measurements that are newer than the checkpoint beside them are taken again.
"""

from __future__ import annotations

import math
import os
import re
import shutil
import threading
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spielwerk import folders
from spielwerk.arena.measurement import RATE, REGRET, Measurement, measurement_of
from spielwerk.data import json_text, parsed, read_text
from spielwerk.files import clear_parts, locked, write_text
from spielwerk.learn import checkpoint as checkpoints
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.config import RunConfig, read_config
from spielwerk.learn.metrics import read_metrics
from spielwerk.names import BadInput, unknown

CONFIG, CURVES, LOCK = "run.toml", "curves.png", "lock"
CHECKPOINT, MEASUREMENTS, METRICS = "checkpoint.safetensors", "measurements.jsonl", "metrics.jsonl"  # of a seed
EARLIER = re.compile(r"at-(\d{1,15})\.safetensors")  # the weights after so many episodes
LAST = -1  # the last checkpoint, where another could be meant
NEW = ".new"  # how the name of a folder begins that is not a run yet
DELETED = ".deleted"  # how the name of a folder ends that is about to go
LONGEST_SEED = 20  # digits
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")


def home() -> Path:
    """The folder of all runs."""
    return folders.home() / "runs"


@dataclass(frozen=True)
class Run:
    """A training run: its config, and what there is of each seed."""

    name: str
    config: RunConfig

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return home() / self.name

    @property
    def curves(self) -> Path:
        """The picture of its learning curves."""
        return self.folder / CURVES

    def seed_folder(self, seed: int) -> Path:
        """Where the files of one seed lie."""
        return self.folder / seed_name(seed)

    def checkpoint_file(self, seed: int) -> Path:
        """The last checkpoint of one seed."""
        return self.seed_folder(seed) / CHECKPOINT

    def earlier_file(self, seed: int, episode: int) -> Path:
        """The weights of one seed after so many episodes."""
        return self.seed_folder(seed) / earlier_name(episode)

    def earlier(self, seed: int) -> list[int]:
        """After how many episodes the weights of one seed were kept."""
        found = (EARLIER.fullmatch(path.name) for path in self.seed_folder(seed).glob("at-*"))
        return sorted(int(match[1]) for match in found if match)

    def checkpoint(self, seed: int, at: int = LAST) -> Checkpoint | None:
        """The last checkpoint of one seed, None where there is none yet; or the weights after so many episodes."""
        path = self.checkpoint_file(seed)
        if not path.exists():
            return None
        found = self._read(seed, path)
        if at in (LAST, found.episode):
            return found
        known = self.earlier(seed)
        if at not in known:
            there = ", ".join(map(str, sorted({*known, found.episode})))
            hint = "" if known else "; train --keep N keeps earlier ones"
            whose = f"Seed {seed} of the run {self.name}"
            raise BadInput(f"{whose} has no checkpoint at {at} {self.config.counted}, only at: {there}{hint}.")
        found = self._read(seed, self.earlier_file(seed, at))
        found.need("episode", str(at))
        return found

    def _read(self, seed: int, path: Path) -> Checkpoint:
        found = checkpoints.read(path)
        for key, wanted in (("kind", self.config.kind), ("game", self.config.game), ("seed", str(seed))):
            found.need(key, wanted)
        return found

    def episode(self, seed: int) -> int:
        """How many episodes are done and kept."""
        found = self.checkpoint(seed)
        return found.episode if found else 0

    def finished(self, seed: int) -> bool:
        """Whether there is nothing left to do for a seed."""
        episodes, measured = self.config.episodes, self.measurements(seed)
        return bool(measured) and measured[-1].episode == episodes == self.episode(seed)

    def metrics_file(self, seed: int) -> Path:
        """The log of metrics of one seed."""
        return self.seed_folder(seed) / METRICS

    def metrics(self, seed: int) -> list[dict[str, Any]]:
        """The log of metrics of one seed, in the order of episodes."""
        return read_metrics(self.metrics_file(seed))

    def measurements(self, seed: int) -> list[Measurement]:
        """What was measured of one seed, in the order of episodes."""
        path = self._measurements_file(seed)
        try:
            lines = read_text(path).splitlines() if path.exists() else []
            return [measurement_of(parsed(line)) for line in lines]
        except OSError as problem:
            raise BadInput(f"{path} cannot be read: {problem.strerror}.") from None
        except (ValueError, TypeError):
            raise BadInput(f"{path} is damaged.") from None

    def measure(self, seed: int, measured: Sequence[Measurement]) -> None:
        """Writes what was measured of one seed, instead of all before; the store gets a copy."""
        write_text(self._measurements_file(seed), "".join(f"{json_text(one.facts())}\n" for one in measured))
        self.store(seed, measured)

    def store(self, seed: int, measured: Sequence[Measurement]) -> None:
        """Gives the store a copy of what was measured of one seed."""
        from spielwerk.arena.records.store import Store

        with Store() as store:
            store.measure(self.name, seed, measured)

    def best_seed(self) -> int:
        """The seed that had the least regret by the oracle when it was last measured, where all seeds were graded.

        Otherwise, and of equal ones, it is the seed with the highest rate against the first opponent, of equal ones the
        first; before anything is measured, the first seed with a checkpoint.
        """
        there = [seed for seed in self.config.seeds if self.checkpoint_file(seed).exists()]
        if not there:
            raise BadInput(f"The run {self.name} has no checkpoint yet.")
        rate = RATE + self.config.evaluation.matches()[0][0]
        rates = {seed: self._last(seed, rate, -1.0) for seed in there}
        regrets = {seed: self._last(seed, REGRET, math.inf) for seed in there}
        graded = math.inf not in regrets.values()
        return max(there, key=lambda seed: (-regrets[seed] if graded else 0.0, rates[seed]))

    def size(self) -> int:
        """Bytes on the disk."""
        return size_of(self.name)

    def kept(self) -> int:
        """Bytes of its checkpoints."""
        return sum(path.stat().st_size for path in self.folder.glob("seed-*/*.safetensors"))

    @contextmanager
    def alone(self) -> Iterator[None]:
        """While this lasts no other process trains or deletes the run; BadInput where one does."""
        with _lock(self.name):
            for folder in (self.folder, *(self.seed_folder(seed) for seed in self.config.seeds)):
                folder.mkdir(exist_ok=True)
                clear_parts(folder)
            yield

    def _last(self, seed: int, what: str, otherwise: float) -> float:
        """A figure of a seed when it was last measured; `otherwise` where it never was."""
        return next((one.value for one in reversed(self.measurements(seed)) if one.what == what), otherwise)

    def _measurements_file(self, seed: int) -> Path:
        return self.seed_folder(seed) / MEASUREMENTS


def seed_name(seed: int) -> str:
    """The folder of one seed."""
    return f"seed-{seed}"


def earlier_name(episode: int) -> str:
    """The file with the weights after so many episodes."""
    return f"at-{episode}.safetensors"


def create(config: RunConfig, name: str = "") -> Run:
    """A new run; without a name it is called after its kind, its game and a number. It appears whole."""
    with new_folder() as part:
        write_text(part / CONFIG, config.toml())
        if name:
            return Run(appear(part, check_name(name)), config)
        return Run(next(free for free in _default_names(config) if _renamed(part, home() / free)), config)


def free_name(config: RunConfig, taken: Container[str] = ()) -> str:
    """What a new run without a name would be called; none of those `taken`."""
    return next(name for name in _default_names(config) if name not in taken)


@contextmanager
def new_folder() -> Iterator[Path]:
    """A folder for the files of a run that there is not yet; it goes if it has not become one."""
    folders.made(home())
    _clear_new()
    part = home() / f"{NEW}.{os.getpid()}.{threading.get_ident()}"
    try:
        part.mkdir()
        yield part
    finally:
        shutil.rmtree(part, ignore_errors=True)


def appear(part: Path, name: str) -> str:
    """Makes a new folder the run of this name, which is returned; BadInput where there is one."""
    if not _renamed(part, home() / name):
        raise _exists(name)
    return name


def check_new(name: str) -> None:
    """Refuses the name of a run that there is already."""
    if (home() / check_name(name)).exists():
        raise _exists(name)


def check_name(name: str) -> str:
    """Refuses a name that a run cannot have."""
    if not NAME.fullmatch(name):
        raise BadInput(f'A run cannot be called "{name}": use letters, digits, - _ and . (neither - nor . first).')
    return name


def open_run(name: str) -> Run:
    """The run of that name."""
    check_known(name)
    return Run(name, read_config(home() / name / CONFIG))


def check_known(name: str) -> None:
    """Refuses the name of a run that there is not."""
    if not NAME.fullmatch(name) or not (home() / name / CONFIG).exists():
        raise unknown("There is no run", name, names_of_runs(), "Runs")


def size_of(name: str) -> int:
    """The bytes that a run takes on the disk, also one that cannot be read."""
    return sum(path.stat().st_size for path in (home() / name).rglob("*") if path.is_file())


def names_of_runs() -> list[str]:
    """The names of all runs."""
    found = (path.parent.name for path in home().glob(f"*/{CONFIG}"))
    return sorted(name for name in found if NAME.fullmatch(name))


def in_use(name: str) -> bool:
    """Whether a process trains the run now."""
    with suppress(OSError), (home() / name / LOCK).open() as lock:
        return not locked(lock.fileno())
    return False


def delete(name: str) -> None:
    """Removes a run and all that was measured of it; it disappears as a whole."""
    from spielwerk.arena.records.store import Store

    with _lock(name):
        (home() / name).rename(home() / f".{name}.{os.getpid()}{DELETED}")
    for gone in home().glob(f".*{DELETED}"):  # perhaps one more, of a process that was killed
        shutil.rmtree(gone, ignore_errors=True)
    with Store() as store:
        store.forget(name)


def checkpoint(name: str, seed: int | None = None, at: int = LAST) -> Checkpoint:
    """The last checkpoint of a run, or what it kept after so many episodes.

    It is that of the seed given, or written behind the name (`NAME/2`), or of the best.
    """
    name, slash, written = name.partition("/")
    run = open_run(name)
    if slash and not (written.isdecimal() and len(written) <= LONGEST_SEED):
        raise BadInput(f'"{name}/{written}" names no seed; write a number, such as {name}/{run.config.seeds[0]}.')
    chosen = int(written) if slash else seed
    if chosen is not None and chosen not in run.config.seeds:
        raise BadInput(f"The run {name} has no seed {chosen}; its seeds: {', '.join(map(str, run.config.seeds))}.")
    found = run.checkpoint(run.best_seed() if chosen is None else chosen, at)
    if found is None:
        raise BadInput(f"Seed {chosen} of the run {name} has no checkpoint yet.")
    return found


def _default_names(config: RunConfig) -> Iterator[str]:
    """Such as td-einstein-board4-1, with one number after the other."""
    game = re.sub(r"[^A-Za-z0-9]+", "-", config.game.replace("=", "")).strip("-")[:80]
    number = 0
    while True:
        number += 1
        if not (home() / f"{config.kind}-{game}-{number}").exists():
            yield f"{config.kind}-{game}-{number}"


def _exists(name: str) -> BadInput:
    return BadInput(f"The run {name} exists already; to resume it: spielwerk runs resume {name}")


def _busy(name: str) -> BadInput:
    return BadInput(f"The run {name} is in use by another process.")


def _clear_new() -> None:
    """Removes what a process that was killed left of a run that it was making."""
    for part in home().glob(f"{NEW}.*"):
        if folders.left_by_nobody(part.name.split(".")[2]):
            shutil.rmtree(part, ignore_errors=True)


def _renamed(folder: Path, path: Path) -> bool:
    """Gives a folder its name; False where there is a folder of that name already."""
    try:
        folder.rename(path)
    except OSError:
        if not path.exists():
            raise
        return False
    return True


@contextmanager
def _lock(name: str) -> Iterator[None]:
    """Keeps other processes from the run of that name; BadInput where one has it, or there is none."""
    check_known(name)
    with (home() / name / LOCK).open("w") as lock:
        if not locked(lock.fileno()):
            raise _busy(name)
        check_known(name)  # perhaps no more: it was deleted while the file was opened
        yield
