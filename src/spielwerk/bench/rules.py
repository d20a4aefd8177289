"""`spielwerk bench rules`: random games a second, single-threaded, with OpenSpiel's in the same run.

Both play the same rules. The ratio is one of decisions a second, CPU time against CPU time, the median
of several alternating rounds: machines are noisy, and both engines meet the same noise.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from spielwerk.bench import openspiel
from spielwerk.bench.row import Row
from spielwerk.games.registry import game
from spielwerk.kernel.arrays import has_gpu
from spielwerk.kernel.random import streams
from spielwerk.search.playout import random_games

NO_CUT = 1 << 40
LANES, LANE_GAMES = 1 << 16, 32  # on a GPU: random streams, and games on each


@dataclass(frozen=True)
class Match:
    """The same rules in both engines."""

    ours: str
    theirs: str


MATCHES = (
    Match("morris:quiet=0,turns=200", "nine_mens_morris"),
    Match("einstein:start=free", "einstein_wurfelt_nicht"),
    Match("backgammon:scoring=full", "backgammon(scoring_type=full_scoring)"),
    Match("nim", "nim"),
    Match("othello", "othello"),
)


@dataclass(frozen=True)
class Played:
    """What a number of random games came to."""

    games: int
    actions: int
    decisions: int
    seconds: float


def play(name: str, games: int, seed: int) -> Played:
    """Plays random games on the CPU in one thread; the kernel must be compiled already."""
    variant = game(name)
    totals, sums = np.zeros((1, 3), np.int64), np.zeros((1, variant.players))
    kernel, rngs = variant.rows(random_games), streams(seed, variant.name, 1)
    begun = time.process_time()
    kernel(1, rngs, np.array([games]), np.array([NO_CUT]), totals, sums)
    return Played(games, int(totals[0, 0]), int(totals[0, 1]), time.process_time() - begun)


def rows(rounds: int = 5, round_seconds: float = 0.5, seed: int = 1) -> Iterator[Row]:
    """The figures of every game, as they are measured."""
    for match in MATCHES:
        yield from compare(match, rounds, round_seconds, seed)
    for match in MATCHES:
        yield from on_gpu(match.ours, seed)


def compare(match: Match, rounds: int, round_seconds: float, seed: int) -> Iterator[Row]:
    """Our figures for one game, and OpenSpiel's beside them."""
    play(match.ours, 1, seed)
    games = games_for(round_seconds, lambda n: play(match.ours, n, seed).seconds)
    peer = openspiel.NAME if openspiel.load() else None
    their_games = games_for(round_seconds, lambda n: openspiel.seconds(match.theirs, n, seed)) if peer else 0
    ours, theirs = [], []
    for number in range(rounds):
        ours.append(play(match.ours, games, seed + number))
        if peer:
            theirs.append(their_games / openspiel.seconds(match.theirs, their_games, seed + number))
    their_speed = statistics.median(theirs) if peer else None
    their_decisions = their_speed * openspiel.decisions(match.theirs, seed) if their_speed else None
    yield Row(match.ours, _median(ours, "games"), "games/s", peer, their_speed)
    yield Row(match.ours, _median(ours, "actions"), "actions/s")
    yield Row(match.ours, _median(ours, "decisions"), "decisions/s", peer, their_decisions)


def on_gpu(name: str, seed: int) -> Iterator[Row]:
    """The same kernel on a GPU, where there is one."""
    if not has_gpu():
        return
    from spielwerk.kernel import cuda

    variant = game(name)
    kernel = variant.rows(random_games, "cuda")
    games, most = np.full(LANES, LANE_GAMES), np.array([NO_CUT])
    best, played = float("inf"), 0
    for number in range(4):  # the first compiles
        totals, sums = np.zeros((LANES, 3), np.int64), np.zeros((LANES, variant.players))
        rngs = streams(seed + number, variant.name, LANES)
        arrays = [cuda.on_device(array) for array in (rngs, games, most, totals, sums)]
        begun = time.perf_counter()
        kernel(LANES, *arrays)
        cuda.wait()
        if number and (elapsed := time.perf_counter() - begun) < best:
            best, played = elapsed, int(arrays[3].copy_to_host()[:, 0].sum())
    yield Row(f"{name} on {cuda.device_name()}", played / best, "actions/s")


def games_for(wanted: float, seconds_of: Callable[[int], float]) -> int:
    """How many games take about the wanted CPU seconds."""
    games, taken = 1, 0.0
    while taken < wanted / 8:
        games *= 4
        taken = seconds_of(games)
    return max(1, int(games * wanted / taken))


def _median(played: list[Played], what: str) -> float:
    return statistics.median(getattr(run, what) / run.seconds for run in played)
