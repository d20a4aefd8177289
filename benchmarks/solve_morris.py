"""Nine men's morris solved completely on a GPU and checked: `python benchmarks/solve_morris.py [--judged FILE]`.

Prints the time of the solution alone, every movement sector as a row of a table, how many positions were verified by
the rules (all of the movement phase, a sample of each placing sector), and whether the judged positions agree. Needs
40 GB of GPU memory; on the CPU, `--up-to 5-5 --device cpu`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections import defaultdict
from pathlib import Path

import spielwerk as sw
from spielwerk.games.morris import HAND, MEN
from spielwerk.solve.morris.index import slot_of
from spielwerk.solve.morris.library import sector_name
from spielwerk.solve.morris.solver import Sector, Settings, Solver

SAMPLE = 1_000_000  # positions of each placing sector


def main() -> None:
    """Solves, checks, compares."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--up-to", default="")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--judged", type=Path)
    options = parser.parse_args()
    begun = time.perf_counter()
    solver = Solver(sw.game("morris"), Settings(options.up_to, options.device, "nothing"))
    sectors = list(solver.run())
    print(f"Solved {sum(sector.states for sector in sectors):,} positions in {time.perf_counter() - begun:.1f} s.")
    print("| sector | states | win | draw | loss | longest win | longest loss |\n|---|---|---|---|---|---|---|")
    for sector in sectors:
        if "+" not in sector.name:
            print(row(sector))
    begun = time.perf_counter()
    checked = sum(solver.check(sector.name, SAMPLE if "+" in sector.name else -1) for sector in sectors)
    print(f"Verified {checked:,} positions by the rules in {time.perf_counter() - begun:.1f} s; none is wrong.")
    if options.judged:
        print(f"Judged turns that agree, and all: {judged(solver, options.judged)}")


def row(sector: Sector) -> str:
    """A line of the table."""
    figures = (sector.states, sector.wins, sector.draws, sector.losses, sector.longest_win, sector.longest_loss)
    cells = ("–" if figure is None else f"{figure:,}" for figure in figures)
    return f"| {sector.name} | {' | '.join(cells)} |"


def judged(solver: Solver, path: Path) -> tuple[int, int]:
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
                    wanted[place(solver, end)[0]].append((place(solver, end)[1], code))
    agreed = 0
    for name, ends in wanted.items():
        values = solver.device.get(solver.values(name))
        agreed += sum(int(values[slot]) == code for slot, code in ends)
    return agreed, sum(map(len, wanted.values()))


def place(solver: Solver, position: sw.Position) -> tuple[str, int]:
    """The sector and the slot of a position."""
    words, who = position.words, position.mover
    own, other = words[MEN + who], words[MEN + 1 - who]
    sector = solver.index.sector(own.bit_count(), other.bit_count())
    name = sector_name(own.bit_count(), other.bit_count(), words[HAND + who], words[HAND + 1 - who])
    return name, int(slot_of(own, other, sector.tolist(), solver.index.maps))


if __name__ == "__main__":
    main()
