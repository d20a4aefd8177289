"""Longer proofs, run by hand: `make verify`, which runs the slow tests as well.

The laws along many compiled random games of every variant; the long-run means of random play that were measured or
computed elsewhere; morris solved up to the sectors whose figures are known; and the general solver beside the special
ones; and command lines drawn at random. Prints a line a proof; the exit code is 1 if one fails.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Iterator

import fuzz
import general_solver
import numpy as np

import spielwerk as sw
from spielwerk.games.laws import check
from spielwerk.games.registry import kinds, variants
from spielwerk.kernel.random import streams
from spielwerk.search.playout import random_games
from spielwerk.solvers.morris.solver import MorrisSolver, Settings
from spielwerk.solvers.oracle import oracle

SEED, GAMES, LAW_GAMES = 1, 10_000_000, 1_000
FUZZ_SEEDS, FUZZ_LINES = 4, 500
# Mean plies and mean score of a player under random play with die=nearest, and how far they were rounded.
RANDOM_PLAY = [
    ("board=3", 5.98, 0, 0.17),
    ("board=4", 11.19, 0, 0.11),
    ("board=5", 21.04, 0, 0.065),
    ("board=6,players=3", 42.7, 2, 0.892),
    ("board=4,players=4", 13.39, 0, 0.01),
    ("board=6,players=4", 41.3, 0, 0.025),
]
# Sectors of morris, mover's men first: states, wins, draws, losses, turns of the longest win and loss.
SECTORS = {
    "3-3": (169_626, 140_621, 269, 28_736, 25, 26),
    "4-3": (760_398, 75_397, 681_906, 3_095, 1, 32),
    "3-4": (760_398, 102_281, 658_117, 0, 33, None),
    "4-4": (3_225_597, 159, 3_225_409, 29, 9, 8),
    "5-3": (2_580_390, 580_660, 1_999_730, 0, 3, None),
    "3-5": (2_580_390, 6_301, 2_564_412, 9_677, 31, 2),
    "5-4": (10_310_496, 9_889, 10_300_599, 8, 29, 4),
    "4-5": (10_310_496, 51, 10_308_935, 1_510, 5, 28),
    "5-5": (30_914_424, 28_819, 30_881_316, 4_289, 57, 56),
    "6-3": (6_875_320, 2_752_371, 4_122_949, 0, 7, None),
    "3-6": (6_875_320, 0, 6_683_320, 192_000, None, 6),
    "6-4": (25_765_792, 5_985_293, 19_780_495, 4, 157, 2),
    "4-6": (25_765_792, 22, 24_115_798, 1_649_972, 3, 156),
}
# Solved by the general solver too.
GENERALLY = ("nim", "nim:stacks=3-4-5,misere=false", "einstein:board=3", "einstein:board=4", "othello:size=4")
# Exact: random against random on 4×4, first player wins with this probability under die=either.
EXACT = ("einstein:board=4", 0.556850720941)


def proofs() -> Iterator[tuple[str, bool, str]]:
    """(what, whether it holds, the figures)."""
    for settings, plies, player, score in RANDOM_PLAY:
        length, mean, error = random_play(f"einstein:{settings},die=nearest", player)
        holds = abs(length - plies) < 0.06 and abs(mean - score) < 0.0055 + 4 * error
        yield f"random play {settings}", holds, f"plies {length:.3f} ({plies}), score {mean:+.4f} ({score:+})"
    name, exact = EXACT
    _, mean, error = random_play(name, 0)
    rate = (1 + mean) / 2
    yield f"random play {name}", abs(rate - exact) < 2 * error, f"{rate:.5f} ± {error:.5f} ({exact})"
    for name in (name for kind in kinds() for name in variants(kind)):
        game = sw.game(name)
        for number in range(LAW_GAMES):
            check(game, SEED + number)
        yield f"laws {name}", True, f"{LAW_GAMES} games"


def sectors() -> Iterator[tuple[str, bool, str]]:
    """Morris solved up to 5-5 and 6-4, and a sample of every sector verified by the rules."""
    for up_to in ("5-5", "6-4"):
        solver = MorrisSolver(sw.game("morris"), Settings(up_to, keep="nothing", check=100_000))
        for found in solver.run():
            figures = (found.states, found.wins, found.draws, found.losses, found.longest_win, found.longest_loss)
            yield f"morris {found.name}", figures == SECTORS[found.name], f"{figures}, {found.checked:,} checked"


def general() -> Iterator[tuple[str, bool, str]]:
    """The general solver says of nim, EinStein and Othello on small boards what the special solvers say."""
    for name in GENERALLY:
        game = sw.game(name)
        solver = general_solver.GeneralSolver(game, 20_000_000, 4.0)
        solver.add(general_solver.starts(game, solver.most))
        compared, wrong = general_solver.differences(solver, oracle(game))
        yield f"general solver {name}", not wrong, f"{solver.positions:,} positions, {compared:,} compared"


def command_lines() -> Iterator[tuple[str, bool, str]]:
    """No command line ends in a traceback, whatever it says and whatever the files hold."""
    for seed in range(SEED, SEED + FUZZ_SEEDS):
        count, wrong = fuzz.run(FUZZ_LINES, seed)
        yield f"command lines, seed {seed}", not wrong, f"{count} lines; {' '.join(wrong[:1])}"


def random_play(name: str, player: int) -> tuple[float, float, float]:
    """Mean length in plies, mean score of a player, and its standard error, of random games."""
    game = sw.game(name)
    totals, sums = np.zeros((1, 3), np.int64), np.zeros((1, game.players))
    game.rows(random_games)(1, streams(SEED, name, 1), np.array([GAMES]), np.array([10**6]), totals, sums)
    return totals[0, 0] / GAMES, sums[0, player] / GAMES, GAMES**-0.5


def main() -> int:
    """Runs every proof."""
    failed = 0
    begun = time.perf_counter()
    for what, holds, figures in itertools.chain(proofs(), sectors(), general(), command_lines()):
        failed += not holds
        print(f"{'ok' if holds else 'FAILED':6} {time.perf_counter() - begun:6.1f} s  {what:45} {figures}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
