"""The oracle never loses value: many games against `random` and `mcts`, every turn of the oracle looked at again.

    python benchmarks/oracle.py [GAMES]        10,000 games of each pair by default: about five minutes on one core

The value before a turn is what the oracle says of the position itself, the value after it what it says of the end.
Prints a line a pair; the exit code is 1 if a turn has lost anything, or if the oracle did not know one.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections import Counter

import spielwerk as sw
from spielwerk.arena.grading.questions import regret
from spielwerk.arena.grading.sampling import turns_played
from spielwerk.arena.playing.block import play_block
from spielwerk.arena.playing.plan import Plan
from spielwerk.solvers.oracle import oracle

GAMES, AT_ONCE, SEED = 10_000, 500, 1
PAIRS = list(itertools.product(("nim", "einstein:board=3", "einstein:board=4", "othello:size=4"), ("random", "mcts")))


def losses(name: str, opponent: str, games: int) -> Counter[float | None]:
    """How many turns of the oracle lost how much; None where it did not know."""
    game = sw.game(name)
    agents, plan = (
        [sw.agent(kind, game) for kind in ("oracle", opponent)],
        Plan(name, ("oracle", opponent), games, SEED),
    )
    truth, found = oracle(game), Counter[float | None]()
    for first in range(0, games, AT_ONCE):
        count = min(AT_ONCE, games - first)
        block, seats = play_block(plan, game, agents, first, count, keep=True), plan.seats(game, first, count)
        for trace, seated in zip(block.traces, seats, strict=True):
            for states in turns_played(game, game.start().state, trace):
                before, after = (sw.Position(game, state) for state in states)
                if seated[before.mover] == 0:
                    found[regret(truth, before, after)] += 1
    return found


def main() -> int:
    """Plays every pair."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    failed = 0
    for name, opponent in PAIRS:
        begun = time.perf_counter()
        found = losses(name, opponent, games)
        failed += set(found) != {0.0}
        what = f"{name}, oracle against {opponent}"
        lost = found.total() - found[0.0]
        print(
            f"{'ok' if set(found) == {0.0} else 'FAILED':6} {time.perf_counter() - begun:6.1f} s  {what:45}"
            f" {games:,} games, {found.total():,} turns, {lost:,} lost value",
            flush=True,
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
