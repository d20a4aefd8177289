"""Nine men's morris solved completely on a GPU and checked: `python benchmarks/solve_morris.py [--judged FILE]`.

Prints the time of the solution alone and where it went, every movement sector as a row of a table, how many positions
were verified by the rules (all of the movement phase, a sample of each placing sector), and whether the judged
positions agree. `--kernels` waits for every kernel and tells how long each took, which makes the whole a little slower;
`--quick` leaves the table and the verifying out. Needs 40 GB of GPU memory; on the CPU, `--up-to 5-5 --device cpu`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import spielwerk as sw
from spielwerk.games.morris import HAND, MEN
from spielwerk.solvers.morris.device import Device
from spielwerk.solvers.morris.index import slot_of
from spielwerk.solvers.morris.library import sector_name
from spielwerk.solvers.morris.solver import MorrisSolver, Sector, Settings

SAMPLE = 1_000_000  # positions of each placing sector


class Stopwatch:
    """Counts what a device runs; the first run of a kernel also compiles it or loads it, and is told apart."""

    def __init__(self, device: Device, wait: bool) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.runs: dict[str, int] = defaultdict(int)
        self.first = 0.0
        self.wait = device.wait if wait else lambda: None
        device.run = self.watched(device.run, 0)
        device.sift = self.watched(device.sift, 1)

    def watched(self, run: Callable[..., None], which: int) -> Callable[..., None]:
        """`run` with a look at the clock; its argument number `which` is the kernel."""

        def timed(*arguments: Any) -> None:
            name = arguments[which].__name__
            begun = time.perf_counter()
            run(*arguments)
            self.wait()
            seconds = time.perf_counter() - begun
            self.runs[name] += 1
            if self.runs[name] == 1:
                self.first += seconds
            else:
                self.seconds[name] += seconds

        return timed

    def lines(self) -> Iterator[str]:
        """What each kernel took."""
        for name in sorted(self.seconds, key=lambda name: -self.seconds[name]):
            yield f"  {name}: {self.seconds[name]:.2f} s, {self.runs[name]:,} runs"


def main() -> None:
    """Solves, checks, compares."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--up-to", default="")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--judged", type=Path)
    parser.add_argument("--kernels", action="store_true")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    begun = time.perf_counter()
    solver = MorrisSolver(sw.game("morris"), Settings(options.up_to, options.device, "nothing"))
    watch = Stopwatch(solver.device, options.kernels)
    sectors = list(solver.run())
    whole = time.perf_counter() - begun
    print(f"Solved {sum(sector.states for sector in sectors):,} positions in {whole:.1f} s.")
    print(breakdown(sectors, watch, whole))
    if options.kernels:
        print("\n".join(watch.lines()))
    if not options.quick:
        verified(solver, sectors)
    if options.judged:
        print(f"Judged turns that agree, and all: {judged(solver, options.judged)}")


def verified(solver: MorrisSolver, sectors: list[Sector]) -> None:
    """Prints the sectors of the movement phase, and verifies all by the rules."""
    print("| sector | states | win | draw | loss | longest win | longest loss |\n|---|---|---|---|---|---|---|")
    for sector in sectors:
        if "+" not in sector.name:
            print(row(sector))
    begun = time.perf_counter()
    checked = sum(solver.check(sector.name, SAMPLE if "+" in sector.name else -1) for sector in sectors)
    print(f"Verified {checked:,} positions by the rules in {time.perf_counter() - begun:.1f} s; none is wrong.")


def breakdown(sectors: list[Sector], watch: Stopwatch, whole: float) -> str:
    """The time of each phase."""
    placing = sum(sector.seconds for sector in sectors if "+" in sector.name)
    movement = sum(sector.seconds for sector in sectors) - placing
    rest = whole - movement - placing
    return (
        f"Movement {movement:.1f} s, placing {placing:.1f} s, the index and counting {rest:.1f} s; "
        f"{sum(watch.runs.values()):,} kernels run; compiling or loading them took {watch.first:.1f} s of it."
    )


def row(sector: Sector) -> str:
    """A line of the table."""
    figures = (sector.states, sector.wins, sector.draws, sector.losses, sector.longest_win, sector.longest_loss)
    cells = ("–" if figure is None else f"{figure:,}" for figure in figures)
    return f"| {sector.name} | {' | '.join(cells)} |"


def judged(solver: MorrisSolver, path: Path) -> tuple[int, int]:
    """Of all judged turns, how many have the value and the distance that the tables say, and how many there are."""
    wanted: dict[str, list[tuple[int, int]]] = defaultdict(list)  # sector → (slot, code)
    with gzip.open(path, "rt") as lines:
        next(lines)
        for line in lines:
            facts = json.loads(line)
            position = solver.game.parse(facts["position"])
            for move, distance in facts["moves"].items():
                end = position.play(move)
                if not end.over:
                    code = 0 if distance == 0 else abs(distance)  # of the other side, one turn later: distance - 1, + 1
                    name, slot = place(solver, end)
                    wanted[name].append((slot, code))
    agreed = 0
    for name, ends in wanted.items():
        values = solver.device.get(solver.values(name))
        agreed += sum(int(values[slot]) == code for slot, code in ends)
    return agreed, sum(map(len, wanted.values()))


def place(solver: MorrisSolver, position: sw.Position) -> tuple[str, int]:
    """The sector and the slot of a position."""
    words, who = position.words, position.mover
    own, other = words[MEN + who], words[MEN + 1 - who]
    shape = solver.index.sector(own.bit_count(), other.bit_count())
    name = sector_name(own.bit_count(), other.bit_count(), words[HAND + who], words[HAND + 1 - who])
    return name, int(slot_of(own, other, shape, solver.index.maps))


if __name__ == "__main__":
    main()
