"""Episodes of self-play, and what is learned from them: TD on afterstates, for any number of players.

After a player's turn its *previous* afterstate moves towards the value of the new one; at the end of a game the last
afterstate of every player moves towards its score (final adaptation). How an afterstate learns is `experience`.
"""

from typing import Any, NamedTuple

import numpy as np

from spielwerk.games.rules import BEST, CHANCE, OVER, PLAYERS, mover, play, roll, scores, start
from spielwerk.kernel.random import FINE, below
from spielwerk.kernel.specialise import interface
from spielwerk.learn.afterstates import next_actor
from spielwerk.learn.td.choice import Policy, choose
from spielwerk.learn.td.value import locate
from spielwerk.search.playout import random_action, random_outcome

ERRORS, LEARNED, TURNS, GAMES = 0, 1, 2, 3  # of the tally: |error| in all, how many there were; turns; games
TALLIES = 4


class Schedule(NamedTuple):
    """A rate on its way from its first value to its last."""

    begin: float
    end: float
    geometric: bool


class Rates(NamedTuple):
    """The settings of the episodes."""

    episodes: float  # after which schedules are at their ends
    alpha: Schedule
    epsilon: Schedule
    lam: float
    random_teaches: bool  # whether random moves say something of what was before them
    longest: int  # actions of an episode


class Trail(NamedTuple):
    """What each player has been through in this game."""

    met: np.ndarray  # int64 [PLAYERS, rows, places]: a ring of rows, the indices of its afterstates
    slopes: np.ndarray  # float64 [PLAYERS, rows]: the derivative of the value there
    counts: np.ndarray  # int64 [PLAYERS]: how many afterstates there were
    explored: np.ndarray  # int64 [PLAYERS]: whether an action of its turn was random


class Board(NamedTuple):
    """The game that is played, with scratch space."""

    state: np.ndarray  # int64 [WORDS]
    actions: np.ndarray  # int64 [most actions or outcomes]
    weights: np.ndarray  # int64, as long: of outcomes


class Learning(NamedTuple):
    """All that a training reads and writes."""

    rates: Rates
    policy: Policy
    trail: Trail
    memory: tuple[Any, ...]  # what belongs to `experience`: nothing, or the buffer of `replay.py`
    tally: np.ndarray  # float64 [TALLIES]


@interface
def experience(player, following, reward, alpha, rng, learning):
    """`player` learns about its newest afterstate: its score is `reward`, or, where there is a `following` afterstate,
    whose indices are the ones kept in the policy's scratch, it is worth as much as that one.
    """
    raise NotImplementedError


@interface
def episode_ends(alpha, rng, learning):
    """What is to be learned between two games."""
    raise NotImplementedError


def episodes(first, last, rng, board, learning):
    """Plays and learns episodes number `first` to `last - 1`."""
    rates = learning.rates
    for episode in range(first, last):
        alpha = scheduled(rates.alpha, episode, rates.episodes)
        epsilon = int(scheduled(rates.epsilon, episode, rates.episodes) * FINE)
        self_play(alpha, epsilon, rng, board, learning)
        episode_ends(alpha, rng, learning)
        learning.tally[GAMES] += 1


def scheduled(schedule, episode, episodes):
    """The value of a rate in an episode."""
    progress = min(episode / episodes, 1.0)
    begin = schedule.begin
    end = schedule.end
    if schedule.geometric and begin > 0.0:
        return begin * (end / begin) ** progress
    return begin + (end - begin) * progress


def self_play(alpha, epsilon, rng, board, learning):
    """One game; whoever is to act takes its best move, or with probability `epsilon` any."""
    state = board.state
    for player in range(PLAYERS):
        learning.trail.counts[player] = 0
        learning.trail.explored[player] = 0
    start(state, rng)
    left = learning.rates.longest
    who = mover(state)
    while who != OVER and left > 0:
        if who == CHANCE:
            roll(state, random_outcome(state, rng, board.actions, board.weights))
        else:
            left -= 1
            act(who, alpha, epsilon, rng, board, learning)
        who = mover(state)
    finish(state, alpha, rng, learning)


def act(me, alpha, epsilon, rng, board, learning):
    """One action; where it ends the turn, the player learns from the afterstate that it has come to."""
    state = board.state
    trail = learning.trail
    kept = learning.policy.scratch.kept
    if below(rng, FINE) < epsilon:
        play(state, random_action(state, rng, board.actions))
        trail.explored[me] = 1
    else:
        play(state, choose(state, rng, True, learning.policy))
    after = next_actor(state)
    if after == me:
        return
    learning.tally[TURNS] += 1
    if after == OVER:
        return
    if trail.explored[me] != 0:
        locate(state, me, kept, learning.policy.net)
    if not teaches(me, learning):
        trail.counts[me] = 0  # nor does what follows a random move say anything of what was before it
    elif trail.counts[me] > 0:
        experience(me, True, 0.0, alpha, rng, learning)
    remember(me, kept, trail)
    trail.explored[me] = 0


def teaches(me, learning):
    """Whether what a player has just done says something of its afterstate before: random moves do not."""
    return learning.trail.explored[me] == 0 or learning.rates.random_teaches


def remember(player, indices, trail):
    """The player has come to a new afterstate."""
    rows = trail.met.shape[1]
    for k in range(indices.shape[0]):
        trail.met[player, trail.counts[player] % rows, k] = indices[k]
    trail.counts[player] += 1


def finish(state, alpha, rng, learning):
    """The end of a game: every player's last afterstate was worth its score; a game that was cut is even."""
    scored = learning.policy.scratch.scored
    for player in range(PLAYERS):
        scored[player] = 0.0
    if mover(state) == OVER:
        scores(state, scored)
    for player in range(PLAYERS):
        if learning.trail.counts[player] > 0 and teaches(player, learning):
            experience(player, False, scored[player] / BEST, alpha, rng, learning)
