"""Random play: the yardstick of every agent, and the measure of the rules' speed."""

from spielwerk.games.chance import random_action, random_outcome
from spielwerk.games.rules import CHANCE, OVER, PLAYERS, mover, moves, play, roll, scores, start
from spielwerk.kernel.random import below

NO_LIMIT = 1 << 40  # turns of a playout or a tree that is not cut


def playout(state, rng, out, weights, most):
    """Plays random actions to the end, or `most` of them.

    Returns how many were played, and how many of them were decisions: actions with an alternative.
    """
    played = 0
    decisions = 0
    who = mover(state)
    while who != OVER and played < most:
        if who == CHANCE:
            roll(state, random_outcome(state, rng, out, weights))
        else:
            n = moves(state, out)
            play(state, out[below(rng, n)])
            played += 1
            if n > 1:
                decisions += 1
        who = mover(state)
    return played, decisions


def random_games(i, state, actions, weights, results, arrays):
    """Row kernel: plays `games[i]` random games on stream `rngs[i]`; adds up actions, decisions, scores.

    `most` cuts each game, and a cut game scores nothing.
    """
    rngs, games, most, totals, sums = arrays  # [n, 1], [n], [1], [n, 3], [n, PLAYERS]
    for _ in range(games[i]):
        start(state, rngs[i])
        played, decisions = playout(state, rngs[i], actions, weights, most[0])
        totals[i, 0] += played
        totals[i, 1] += decisions
        if mover(state) == OVER:
            totals[i, 2] += 1
            scores(state, results)
            for player in range(PLAYERS):
                sums[i, player] += results[player]


def random_choice(state, rng, scratch, memory):
    """The random mover as an agent (see `arena/playing/kernels.py`)."""
    return random_action(state, rng, scratch.actions)
