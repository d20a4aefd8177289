"""`spielwerk bench batch`: many boards at once, on the CPU and on a GPU.

A random step plays a random legal action on every board, rolls and begins new games where due, and writes the mask of
the legal actions and the input of a network, as Pgx does beside it, if it is installed and computes on the same
device. Afterstates are the ends of all whole turns, without repeats, of boards in the middle of random games.
Figures are by the clock, on all cores or the whole GPU: the median of several rounds.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator

from spielwerk.bench import pgx
from spielwerk.bench.row import Row
from spielwerk.games.batch import Batch
from spielwerk.games.registry import game
from spielwerk.kernel.arrays import has_gpu
from spielwerk.names import BadInput

STEPS = ("othello", "backgammon", "morris", "einstein", "nim")
AFTERSTATES = ("backgammon", "morris")
BOARDS = {"cpu": 1 << 14, "cuda": 1 << 20}
EXPANDED = {"cpu": 1 << 12, "cuda": 1 << 17}  # boards whose afterstates are found in a call
MIDDLE = 30  # random steps that lead to the middle of games
ROUND_SECONDS = 0.3
BOTH = "both"


def rows(device: str = BOTH, rounds: int = 5, seed: int = 1) -> Iterator[Row]:
    """The figures, as they are measured; "both" leaves out a GPU that is not there."""
    for each in devices(device):
        for name in STEPS:
            yield random_steps(name, each, rounds, seed)
        for name in AFTERSTATES:
            yield afterstates(name, each, rounds, seed)


def devices(device: str) -> list[str]:
    """The devices to be measured."""
    if device not in (*BOARDS, BOTH):
        raise BadInput(f'There is no device "{device}"; possible: {", ".join((*BOARDS, BOTH))}.')
    return [device] if device != BOTH else ["cpu", "cuda"] if has_gpu() else ["cpu"]


def random_steps(name: str, device: str, rounds: int, seed: int) -> Row:
    """Random steps a second, and Pgx's where it plays the game on the same device."""
    batch = game(name).batch(BOARDS[device], device, seed)
    views = batch.views()

    def step() -> int:
        batch.random_step(views)
        return len(batch)

    ours = rounds_of(step, batch, rounds)
    label = f"{name}, random steps, {len(batch):,} boards on {where(device)}"
    if name not in pgx.GAMES or pgx.load() is None or pgx.device() != device:
        return Row(label, ours, "steps/s")
    theirs = pgx.Boards(name, len(batch), 16, seed)
    speeds = [theirs.boards * theirs.steps / theirs.run() for _ in range(rounds)]
    return Row(label, ours, "steps/s", pgx.NAME, statistics.median(speeds))


def afterstates(name: str, device: str, rounds: int, seed: int) -> Row:
    """Ends of whole turns a second."""
    batch = middle(name, EXPANDED[device], device, seed)
    speed = rounds_of(lambda: len(batch.afterstates().owners), batch, rounds)
    return Row(f"{name}, afterstates of {len(batch):,} boards on {where(device)}", speed, "afterstates/s")


def middle(name: str, boards: int, device: str, seed: int) -> Batch:
    """Boards in the middle of random games, at decisions."""
    batch = game(name).batch(boards, device, seed)
    views = batch.views()
    for _ in range(MIDDLE):
        batch.random_step(views)
    return batch


def rounds_of(work: Callable[[], int], batch: Batch, rounds: int) -> float:
    """What `work` counts a second: the median of rounds of many calls."""
    timed(work, batch, 1)  # compiles
    calls = max(1, int(ROUND_SECONDS / timed(work, batch, 1)[1]))
    return statistics.median(count / seconds for count, seconds in (timed(work, batch, calls) for _ in range(rounds)))


def timed(work: Callable[[], int], batch: Batch, calls: int) -> tuple[int, float]:
    """What so many calls count, and the seconds they take."""
    wait(batch)
    begun = time.perf_counter()
    count = sum(work() for _ in range(calls))
    wait(batch)
    return count, time.perf_counter() - begun


def wait(batch: Batch) -> None:
    """Returns when a GPU has done all it was given."""
    if batch.device == "cuda":
        from spielwerk.kernel import cuda

        cuda.wait()


def where(device: str) -> str:
    """What the table calls the device."""
    if device == "cpu":
        return f"{os.cpu_count()} cores"
    from spielwerk.kernel import cuda

    return cuda.device_name()
