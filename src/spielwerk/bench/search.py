"""`spielwerk bench search`: simulations a second of `mcts`, with OpenSpiel's C++ `MCTSBot` in the same run; of `mcts`
with a compiled evaluation, beside one tree whose leaves are estimated outside; what a second thread adds; and how near
a match of random movers comes to the bare rules.

The first figures are CPU time against CPU time on one core, the median of alternating rounds, from the first decision
of a game, with OpenSpiel random playouts on both sides. Threads are measured by the clock, since that is what they are
for.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator

from spielwerk.agents.mcts import Mcts
from spielwerk.agents.registry import agent
from spielwerk.agents.values import estimator
from spielwerk.arena.matches.match import play_match
from spielwerk.arena.playing.plan import Plan
from spielwerk.bench import openspiel, rules
from spielwerk.bench.row import Row
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.games.registry import game
from spielwerk.kernel.random import stream
from spielwerk.search.forest import Forest

SIMULATIONS = 2000
ROUND_SECONDS = 0.5
THREAD_SIMULATIONS = 200_000
VALUED, VALUE = ("morris", "othello"), "hand"  # games, and the evaluation of their leaves


def rows(rounds: int = 5, seed: int = 1) -> Iterator[Row]:
    """The figures, as they are measured."""
    for pair in rules.MATCHES:
        yield compare(pair, rounds, seed)
    for name in VALUED:
        yield by_evaluation(name, rounds, seed)
    yield threads(rounds, seed)
    for pair in rules.MATCHES:
        yield random_match(pair.ours, rounds, seed)


def compare(pair: rules.Match, rounds: int, seed: int) -> Row:
    """Simulations a second of both searches."""
    variant = game(pair.ours)
    searcher = agent(f"mcts:iterations={SIMULATIONS}", variant)
    assert isinstance(searcher, Mcts)
    position = first_decision(variant, seed)
    _seconds(searcher, position, seed)  # compiles
    peer = openspiel.NAME if openspiel.load() else None
    ours, theirs = [], []
    for number in range(rounds):
        ours.append(_speed(lambda at: _seconds(searcher, position, at), seed + number))
        if peer:
            theirs.append(_speed(lambda at: openspiel.search_seconds(pair.theirs, SIMULATIONS, at), seed + number))
    return Row(
        pair.ours,
        statistics.median(ours),
        "simulations/s",
        f"{peer} MCTSBot" if peer else None,
        statistics.median(theirs) if peer else None,
    )


def by_evaluation(name: str, rounds: int, seed: int) -> Row:
    """Simulations a second with an evaluation in the kernel of the search, and with one that is asked from outside."""
    variant = game(name)
    searcher = agent(f"mcts:iterations={SIMULATIONS},value={VALUE}", variant)
    assert isinstance(searcher, Mcts)
    position = first_decision(variant, seed)
    steering, nodes = searcher.memory.steering, searcher.settings.nodes
    forest = Forest(variant, estimator(variant, VALUE), steering, nodes, searcher.rule)
    ours, theirs = [], []
    for number in range(rounds + 1):
        ours.append(_speed(lambda at: _seconds(searcher, position, at), seed + number))
        theirs.append(_speed(lambda at: _tree_seconds(forest, position, at), seed + number))
    inside, outside = (statistics.median(speeds[1:]) for speeds in (ours, theirs))  # the first round compiles
    return Row(f"{name}, value={VALUE}", inside, "simulations/s", "estimated outside", outside)


def threads(rounds: int, seed: int) -> Row:
    """What a second thread adds."""
    variant = game("morris")
    speeds: dict[int, list[float]] = {1: [], 2: []}
    position = first_decision(variant, seed)
    searchers = {count: agent(f"mcts:iterations={THREAD_SIMULATIONS},threads={count}", variant) for count in speeds}
    for number in range(rounds + 1):
        for count, searcher in searchers.items():
            assert isinstance(searcher, Mcts)
            begun = time.perf_counter()
            done = searcher.search.grow(position.state, stream(seed + number, "bench"))
            speeds[count].append(done / (time.perf_counter() - begun))
    two, one = (statistics.median(speeds[count][1:]) for count in (2, 1))  # the first round compiles
    return Row("morris, two threads", two, "simulations/s", "one thread", one)


def random_match(name: str, rounds: int, seed: int) -> Row:
    """Games a second in a match of random movers, and in a bare loop."""
    rules.play(name, 1, seed)
    games = rules.games_for(ROUND_SECONDS, lambda n: rules.play(name, n, seed).seconds)
    bare, matched = [], []
    play_match(Plan(name, ("random", "random"), 2, seed), agent)  # compiles
    for number in range(rounds):
        played = rules.play(name, games, seed + number)
        bare.append(games / played.seconds)
        begun = time.process_time()
        play_match(Plan(name, ("random", "random"), games, seed + number), agent)
        matched.append(games / (time.process_time() - begun))
    return Row(f"{name}, random movers", statistics.median(matched), "games/s", "bare", statistics.median(bare))


def first_decision(variant: Game, seed: int) -> Position:
    """The first position in which a player acts."""
    position = variant.start(seed)
    return position.roll(position.outcomes()[0][0]) if position.chance else position


def _seconds(searcher: Mcts, position: Position, seed: int) -> float:
    """CPU seconds of one search."""
    begun = time.process_time()
    done = searcher.search.grow(position.state, stream(seed, "bench"))
    assert done == SIMULATIONS, "the search ended early: the position is too easy for a benchmark"
    return time.process_time() - begun


def _tree_seconds(forest: Forest, position: Position, seed: int) -> float:
    """CPU seconds of one search in a forest of one tree."""
    begun = time.process_time()
    forest.plant(position.game.batch([position], threads=1), stream(seed, "bench").reshape(1, 1))
    done = forest.grow(SIMULATIONS)
    assert done == SIMULATIONS, "the search ended early: the position is too easy for a benchmark"
    return time.process_time() - begun


def _speed(seconds_of: Callable[[int], float], seed: int) -> float:
    """Simulations a second, over as many searches as fill a round."""
    spent, searches = 0.0, 0
    while spent < ROUND_SECONDS:
        spent += seconds_of(seed + searches)
        searches += 1
    return searches * SIMULATIONS / spent
