"""Random play: the yardstick of every agent, and the measure of the rules' speed."""

from spielwerk.games.rules import CHANCE, OVER, PLAYERS, mover, moves, outcomes, play, roll, scores, start
from spielwerk.kernel.random import below


def random_outcome(state, rng, out, weights):
    """An outcome of the chance node, drawn by its weight."""
    n = outcomes(state, out, weights)
    total = 0
    for i in range(n):
        total += weights[i]
    left = below(rng, total)
    i = 0
    while left >= weights[i]:
        left -= weights[i]
        i += 1
    return out[i]


def random_action(state, rng, out):
    """A legal action, each with the same probability."""
    return out[below(rng, moves(state, out))]


def playout(state, rng, out, weights, most):
    """Plays random actions to the end, or `most` of them; returns how many were played."""
    played = 0
    who = mover(state)
    while who != OVER and played < most:
        if who == CHANCE:
            roll(state, random_outcome(state, rng, out, weights))
        else:
            play(state, random_action(state, rng, out))
            played += 1
        who = mover(state)
    return played


def random_games(i, state, actions, weights, results, arrays):
    """Row kernel: plays `games[i]` random games on stream `rngs[i]`; adds up actions, decisions, scores.

    A decision is an action with an alternative; `most` cuts each game, and a cut game scores nothing.
    """
    rngs, games, most, totals, sums = arrays  # [n, 1], [n], [1], [n, 3], [n, PLAYERS]
    rng = rngs[i]
    played = 0
    decisions = 0
    ended = 0
    for _ in range(games[i]):
        start(state, rng)
        length = 0
        who = mover(state)
        while who != OVER and length < most[0]:
            if who == CHANCE:
                roll(state, random_outcome(state, rng, actions, weights))
            else:
                n = moves(state, actions)
                play(state, actions[below(rng, n)])
                length += 1
                if n > 1:
                    decisions += 1
            who = mover(state)
        played += length
        if who == OVER:
            ended += 1
            scores(state, results)
            for player in range(PLAYERS):
                sums[i, player] += results[player]
    totals[i, 0] += played
    totals[i, 1] += decisions
    totals[i, 2] += ended
