"""The general solver beside the special ones: positions, seconds, peak memory, and whether both say the same.

    python benchmarks/general_solver.py [GAME …]        about ten minutes; the bar: 10 million positions in at most
                                                        5 minutes and 4 GB

Each game is solved in a process of its own, so that its memory is its own. Compiling is not counted, except for six
men's morris, whose positions repeat: it begins with five men against four, all placed. The values (and,
where the special solver knows them, the distances) of evenly spread positions are compared, up to `COMPARED`. Prints a
line a game; the exit code is 1 if a value differs or the bar is missed.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np

import spielwerk as sw
from spielwerk.solvers.general.oracle import truth_of
from spielwerk.solvers.general.solver import GeneralSolver, starts
from spielwerk.solvers.oracle import Oracle, oracle
from spielwerk.solvers.oracle import solver as solver_of

GAMES = (
    "nim",
    "nim:stacks=3-4-5,misere=false",
    "einstein:board=3",
    "einstein:board=4",
    "othello:size=4",
    "othello:size=4,scoring=discs",
    "nim:stacks=15-15-15-15-12-5",
    "morris:rules=six,quiet=0",
)
MORRIS = "morris"
SECTORS = "5-4"  # of six men's morris
PLACED = (0, 341, 170, 0, 0, 0, 0, 0)  # five men against four, none in hand
COMPARED = 200_000
POSITIONS, MEMORY = 30_000_000, 8.0
SECONDS_A_POSITION, GIGABYTES = 300 / 10_000_000, 4.0


def solved(name: str) -> bool:
    """Solves a game twice, first to compile, and prints the figures; whether they are good."""
    game = sw.game(name)
    if game.kind != MORRIS:
        _compile(game)
    begun, worked = time.perf_counter(), time.process_time()
    solver = GeneralSolver(game, POSITIONS, MEMORY)
    solver.add(roots(game))
    seconds, worked = time.perf_counter() - begun, time.process_time() - worked
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9
    compared, wrong = differences(solver, special_oracle(game))
    within = seconds <= max(60, SECONDS_A_POSITION * solver.positions) and memory <= GIGABYTES
    print(
        f"{name:32} {solver.positions:12,} positions {seconds:7.1f} s ({worked:.1f} of a core) {memory:6.2f} GB  "
        f"{compared:9,} compared, {wrong} differ",
        flush=True,
    )
    return within and not wrong


def roots(game: sw.Game) -> list[np.ndarray]:
    """Where a game begins."""
    return [np.array(PLACED)] if game.kind == MORRIS else starts(game, POSITIONS)


def special_oracle(game: sw.Game) -> Oracle:
    """The oracle of the game's own solver, whose tables are made where they are needed."""
    if game.kind == MORRIS:
        solve, settings = solver_of(game)
        solve(game, settings(SECTORS), lambda done, total: None)
    return oracle(game)


def differences(solver: GeneralSolver, special: Oracle) -> tuple[int, int]:
    """How many positions were compared with another oracle, and how many of them it values otherwise."""
    compared = wrong = 0
    for index in np.unique(np.linspace(0, solver.positions - 1, COMPARED).astype(int)).tolist():
        position = sw.Position(solver.game, solver.store.states[index])
        if position.over:
            continue
        truth = special.truth(position)
        ours = truth_of(position, solver.store.values[index], int(solver.store.turns[index]))
        assert truth is not None
        timed = truth.distance is not None
        compared += 1
        wrong += abs(truth.value - ours.value) > 1e-9 or (timed and truth.distance != ours.distance)
    return compared, wrong


def _compile(game: sw.Game) -> None:
    """Solves what follows from a late position, which needs all kernels of the depth-first way."""
    position = before = game.start()
    while not position.over:
        before = position
        position = position.roll(position.outcomes()[0][0]) if position.chance else position.play(position.actions()[0])
    GeneralSolver(game, 1000, 1.0).add([before.state])


def main() -> int:
    """Every game, each in a process of its own."""
    names = sys.argv[1:] or list(GAMES)
    if len(names) == 1:
        return 0 if solved(names[0]) else 1
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"SPIELWERK_HOME": home}
        return max(subprocess.run([sys.executable, __file__, name], env=environment).returncode for name in names)


if __name__ == "__main__":
    sys.exit(main())
