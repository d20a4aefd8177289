"""Longer proofs of the rules, run by hand: `make verify` (about four minutes on one core).

The laws along many compiled random games of every variant, and the long-run means of random play that were
measured or computed elsewhere. Prints a line a proof; the exit code is 1 if one fails.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

import numpy as np

import spielwerk as sw
from spielwerk.games.laws import check
from spielwerk.games.registry import kinds, variants
from spielwerk.kernel.random import streams
from spielwerk.search.playout import random_games

SEED, GAMES, LAW_GAMES = 1, 10_000_000, 1_000
# Mean plies and mean score of a player under random play with die=nearest, and how far they were rounded.
RANDOM_PLAY = [
    ("board=3", 5.98, 0, 0.17),
    ("board=4", 11.19, 0, 0.11),
    ("board=5", 21.04, 0, 0.065),
    ("board=6,players=3", 42.7, 2, 0.892),
    ("board=4,players=4", 13.39, 0, 0.01),
    ("board=6,players=4", 41.3, 0, 0.025),
]
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
    for what, holds, figures in proofs():
        failed += not holds
        print(f"{'ok' if holds else 'FAILED':6} {time.perf_counter() - begun:6.1f} s  {what:45} {figures}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
