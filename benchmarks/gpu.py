"""Batches on a GPU: both targets agree on everything that a batch says, and how fast the kernels are.

    python benchmarks/gpu.py               both
    python benchmarks/gpu.py --agree       only the proof, one process a variant
    python benchmarks/gpu.py --batch       only the speed: bars, the time of each kernel

Needs numba-cuda and torch; with NUMBA_ENABLE_CUDASIM=1 the proof runs in the simulator, without a GPU.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import torch

import spielwerk as sw
from spielwerk.agents.values import estimator
from spielwerk.bench import batch as bench
from spielwerk.bench.row import number
from spielwerk.games.batch import Batch
from spielwerk.games.shaping.rows import terms_of
from spielwerk.kernel import cuda
from spielwerk.learn.neural.forms import pattern_form
from spielwerk.learn.neural.layers import TableLayer
from spielwerk.learn.neural.tensors import seen

VARIANTS = (
    *("backgammon", "einstein", "morris", "nim", "othello"),
    *("einstein:board=6,players=4,start=free", "einstein:board=6,players=3", "morris:rules=six", "othello:size=6"),
    *("morris:rules=lasker,repeat=3,quiet=40", "nim:stacks=3-3-3,sizes=random,simple=true", "backgammon:checkers=3"),
)
BARS = {"othello": 400e6, "backgammon": 100e6, "morris": 100e6}  # steps a second on one H200
BAR_AFTERSTATES = 100e6
PROCESSES = 8


def main() -> None:
    """Runs what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agree", action="store_true", help="only the proof that both targets agree")
    parser.add_argument("--batch", action="store_true", help="only the speed")
    parser.add_argument("--boards", type=int, default=3000, help="boards of the proof")
    parser.add_argument("--steps", type=int, default=60, help="random steps of the proof")
    parser.add_argument("--only", help="one variant, in this process")
    asked = parser.parse_args()
    if asked.only:
        return agree(asked.only, asked.boards, asked.steps)
    if not asked.agree:
        speeds()
    return None if asked.batch else prove(asked.boards, asked.steps)


def prove(boards: int, steps: int) -> None:
    """Every variant in a process of its own, since compiling takes longest."""

    def one(name: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, __file__, "--only", name, "--boards", str(boards), "--steps", str(steps)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    with ThreadPoolExecutor(PROCESSES) as pool:
        done = list(pool.map(one, VARIANTS))
    for name, process in zip(VARIANTS, done, strict=True):
        print(process.stdout if process.returncode == 0 else f"{name} FAILED\n{process.stdout}\n{process.stderr}")
    if any(process.returncode for process in done):
        sys.exit(1)


def agree(name: str, boards: int, steps: int) -> None:
    """Both targets play the same random games and say the same of every position on the way."""
    game, begun = sw.game(name), time.perf_counter()
    both = game.batch(boards, "cpu", seed=5), game.batch(boards, "cuda", seed=5)
    views = [batch.views() for batch in both]
    for step in range(steps):
        for batch, view in zip(both, views, strict=True):
            batch.random_step(view)
        same(both, "random_step", lambda batch: batch.states)
        if step % 10 == 0:
            same(both, "mask of random_step", lambda batch: views[both.index(batch)].mask)
            same(both, "observation of random_step", lambda batch: views[both.index(batch)].observation)
            every_method(both)
            ended(both)
            read(both)
    print(f"{name}: {boards:,} boards, {steps} steps, both targets agree ({time.perf_counter() - begun:.0f} s)")


def every_method(both: tuple[Batch, Batch]) -> None:
    """Compares what each method says or does, on copies."""
    game = both[0].game
    for what in ("movers", "actors", "rngs"):
        same(both, what, lambda batch, what=what: getattr(batch, what))
    for what in ("actions", "mask", "outcomes", "scores", "observe"):
        same(both, what, lambda batch, what=what: getattr(batch, what)())
    for inputs in game.observations:
        same(both, f"observe {inputs}", lambda batch, inputs=inputs: batch.observe(inputs))
    if game.shaping:
        players = np.arange(len(both[0])) % game.players
        same(both, "terms", lambda batch: terms_of(batch, players))
    turns = np.arange(len(both[0])) % game.constants["SYMMETRIES"]
    same(both, "turned", lambda batch: batch.turned(turns).states)
    same(both, "turned_actions", lambda batch: batch.turned_actions(turns, batch.actions()))
    same(both, "afterstates", lambda batch: _ends(batch))
    same(both, "take", lambda batch: _taken(batch))
    same(both, "estimate", estimator(game, "").estimate)


def ended(both: tuple[Batch, Batch]) -> None:
    """Copies, one action on: with positions before rolls and at ends; then rolled, and begun anew."""
    on = both[0].copy(), both[1].copy()
    for batch in on:
        actions = batch.actions()
        batch.play(actions.values[actions.offsets[:-1]])
    for what in ("states", "movers", "actors"):
        same(on, f"play: {what}", lambda batch, what=what: getattr(batch, what))
    for what in ("scores", "outcomes", "actions", "observe"):
        same(on, what, lambda batch, what=what: getattr(batch, what)())
    for batch in on:
        batch.roll()
    same(on, "roll", lambda batch: batch.states)
    same(on, "restart", lambda batch: batch.restart())
    same(on, "restarted", lambda batch: batch.states)
    same(on, "streams", lambda batch: batch.rngs)


def read(both: tuple[Batch, Batch]) -> None:
    """Compares which entries of tables of patterns a network reads, in the precision in which it learns."""
    game = both[0].game
    if game.groups("").patterns is None:
        return
    torch.set_float32_matmul_precision("high")
    for inputs in ("", *game.observations):
        form = pattern_form(game, inputs, "net=patterns")
        assert form.tables
        layers = {device: TableLayer(form.tables, form.shape[0], 1).to(device) for device in ("cpu", "cuda")}
        same(
            both,
            f"entries {inputs}",
            lambda batch, layers=layers, inputs=inputs: layers[batch.device].entries(seen(batch, inputs)),
        )


def _ends(batch: Batch) -> tuple[Any, ...]:
    found = batch.afterstates()
    return found.batch.states, found.owners, found.offsets, found.first


def _taken(batch: Batch) -> Any:
    moved = batch.copy()
    ends = moved.afterstates()
    moved.take(ends, ends.offsets[1:] - 1)
    return moved.states


def same(both: tuple[Batch, Batch], what: str, of: Callable[[Batch], Any]) -> None:
    """Compares what both say, exactly."""
    ours, theirs = ([batch.arrays.host(part) for part in _parts(of(batch))] for batch in both)
    assert len(ours) == len(theirs), what
    for one, other in zip(ours, theirs, strict=True):
        assert one.dtype == other.dtype, f"{both[0].game.name}: {what} is {one.dtype} and {other.dtype}"
        np.testing.assert_array_equal(one, other, f"{both[0].game.name}: {what} differs")


def _parts(value: Any) -> list[Any]:
    return [part for part in value if part is not None] if isinstance(value, tuple) else [value]


def speeds() -> None:
    """Every figure with its bar, then where the time goes."""
    print(f"{cuda.device_name()}\n")
    for name in bench.STEPS:
        speed = bench.random_steps(name, "cuda", 3, 1).value
        print(f"{name}: {number(speed)} steps/s{_verdict(speed, BARS.get(name))}")
    for name in bench.AFTERSTATES:
        for boards in (1 << 14, 1 << 17, 1 << 19):
            batch = bench.middle(name, boards, "cuda", 1)
            speed = bench.rounds_of(lambda batch=batch: len(batch.afterstates().owners), batch, 3)
            bar = BAR_AFTERSTATES if name == "backgammon" else None
            print(f"{name}: {number(speed)} afterstates/s, {boards:,} boards{_verdict(speed, bar)}")
    for name in ("othello", "backgammon", "morris"):
        breakdown(name)


def _verdict(speed: float, bar: float | None) -> str:
    return "" if bar is None else f" ({'meets' if speed >= bar else 'MISSES'} the bar of {number(bar)})"


class Timed(Batch):
    """A batch that says how long each kernel takes."""

    seconds: dict[str, float]

    def run(self, kernel: Callable[..., Any], *arrays: Any, rows: int | None = None) -> None:
        """As a batch, with a clock."""
        self._clocked(kernel, lambda: super(Timed, self).run(kernel, *arrays, rows=rows))

    def _write(self, kernel: Callable[..., Any], *arguments: Any, **more: Any) -> None:
        self._clocked(kernel, lambda: super(Timed, self)._write(kernel, *arguments, **more))

    def _clocked(self, kernel: Callable[..., Any], work: Callable[[], None]) -> None:
        cuda.wait()
        begun = time.perf_counter()
        work()
        cuda.wait()
        self.seconds[kernel.__name__] += time.perf_counter() - begun


def breakdown(name: str, boards: int = 1 << 18) -> None:
    """Prints the milliseconds of each kernel, waited for, and of the calls as a whole."""
    usual = bench.middle(name, boards, "cuda", 1)
    batch = Timed(usual.game, usual.states, usual.rngs, "cuda")
    print(f"\n{name}, {boards:,} boards: milliseconds")
    views, whole = batch.views(), 0.0
    calls: dict[str, Callable[[], Any]] = {
        "random_step": lambda: batch.random_step(views),
        "mask": batch.mask,
        "observe": batch.observe,
        "actions": batch.actions,
        "scores": batch.scores,
        "restart": batch.restart,
        "afterstates": batch.afterstates,
    }
    for what, call in calls.items():
        for _ in range(2):  # the first compiles
            batch.seconds = defaultdict(float)
            cuda.wait()
            begun = time.perf_counter()
            call()
            cuda.wait()
            whole = time.perf_counter() - begun
        parts = ", ".join(f"{kernel} {1000 * seconds:.2f}" for kernel, seconds in batch.seconds.items())
        print(f"  {what}: {1000 * whole:.2f} ({parts})")
    ends = len(batch.afterstates().owners)
    print(f"  {ends:,} ends, {ends / boards:.1f} a board")


if __name__ == "__main__":
    main()
