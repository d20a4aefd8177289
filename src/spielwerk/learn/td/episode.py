"""Episodes of self-play, and what is learned from them: TD on afterstates, for any number of players.

After a player's turn its *previous* afterstate moves towards the value of the new one; at the end of a game the last
afterstate of every player moves towards its score (final adaptation). How an afterstate learns is `experience`.

`trail = (met, slopes, counts, explored)` is what each player has been through in this game: met
[PLAYERS, rows, places], a ring of rows, holds the spots of its afterstates; slopes [PLAYERS, rows] the derivative of
the value there; counts [PLAYERS] how many there were; explored [PLAYERS] whether an action of its turn was random.
`rates` and `tally` are the numbers named below; `memory` belongs to `experience`.
"""

from spielwerk.games.rules import BEST, CHANCE, OVER, PLAYERS, mover, play, roll, scores, start
from spielwerk.kernel.random import FINE, below
from spielwerk.kernel.specialise import interface
from spielwerk.learn.afterstates import next_actor
from spielwerk.learn.td.choice import KEPT, choose
from spielwerk.learn.td.value import locate
from spielwerk.search.playout import random_action, random_outcome

EPISODES, ALPHA, ALPHA_END, ALPHA_GEOMETRIC, EPSILON, EPSILON_END, EPSILON_GEOMETRIC = 0, 1, 2, 3, 4, 5, 6
GAMMA, LAMBDA, RANDOM_TEACHES, LONGEST_EPISODE, NOW = 7, 8, 9, 10, 11  # NOW: the step size of this episode
RATES = 12

ERRORS, LEARNED, TURNS, GAMES = 0, 1, 2, 3  # of the tally: |error| in all, how many there were; turns; games
TALLIES = 4


@interface
def experience(player, following, reward, rng, rates, room, trail, net, memory, tally):
    """`player` learns about its newest afterstate: its score is `reward`, or, where there is a `following` afterstate,
    whose spots are the ones kept in `room`, it is worth as much as that one.
    """
    raise NotImplementedError


@interface
def episode_ends(rng, rates, net, memory, tally):
    """What is to be learned between two games."""
    raise NotImplementedError


def episodes(first, last, rates, rng, state, actions, weights, room, trail, net, memory, tally):
    """Plays and learns episodes number `first` to `last - 1`."""
    for episode in range(first, last):
        rates[NOW] = scheduled(episode, rates, ALPHA)
        epsilon = int(scheduled(episode, rates, EPSILON) * FINE)
        self_play(epsilon, rates, rng, state, actions, weights, room, trail, net, memory, tally)
        episode_ends(rng, rates, net, memory, tally)
        tally[GAMES] += 1


def scheduled(episode, rates, which):
    """A rate on its way from its first value to its last."""
    progress = min(episode / rates[EPISODES], 1.0)
    begin = rates[which]
    end = rates[which + 1]
    if rates[which + 2] != 0.0 and begin > 0.0:
        return begin * (end / begin) ** progress
    return begin + (end - begin) * progress


def self_play(epsilon, rates, rng, state, actions, weights, room, trail, net, memory, tally):
    """One game; whoever is to act takes its best move, or with probability `epsilon` any."""
    _, _, counts, explored = trail
    for player in range(PLAYERS):
        counts[player] = 0
        explored[player] = 0
    start(state, rng)
    left = int(rates[LONGEST_EPISODE])
    who = mover(state)
    while who != OVER and left > 0:
        if who == CHANCE:
            roll(state, random_outcome(state, rng, actions, weights))
        else:
            left -= 1
            act(who, epsilon, rates, rng, state, actions, room, trail, net, memory, tally)
        who = mover(state)
    finish(state, rng, rates, room, trail, net, memory, tally)


def act(me, epsilon, rates, rng, state, actions, room, trail, net, memory, tally):
    """One action; where it ends the turn, the player learns from the afterstate that it has come to."""
    _, _, _, spots, _ = room
    _, _, counts, explored = trail
    if below(rng, FINE) < epsilon:
        play(state, random_action(state, rng, actions))
        explored[me] = 1
    else:
        play(state, choose(state, rng, True, rates[GAMMA], room, net))
    after = next_actor(state)
    if after == me:
        return
    tally[TURNS] += 1
    if after == OVER:
        return
    if explored[me] != 0:
        locate(state, me, spots[KEPT], net)
    if not teaches(me, rates, trail):
        counts[me] = 0  # nor does what follows a random move say anything of what was before it
    elif counts[me] > 0:
        experience(me, True, 0.0, rng, rates, room, trail, net, memory, tally)
    remember(me, spots[KEPT], trail)
    explored[me] = 0


def teaches(me, rates, trail):
    """Whether what a player has just done says something of its afterstate before: random moves do not."""
    _, _, _, explored = trail
    return explored[me] == 0 or rates[RANDOM_TEACHES] != 0.0


def remember(player, spots, trail):
    """The player has come to a new afterstate."""
    met, _, counts, _ = trail
    rows = met.shape[1]
    for k in range(spots.shape[0]):
        met[player, counts[player] % rows, k] = spots[k]
    counts[player] += 1


def finish(state, rng, rates, room, trail, net, memory, tally):
    """The end of a game: every player's last afterstate was worth its score; a game that was cut is even."""
    _, _, scored, _, _ = room
    _, _, counts, _ = trail
    for player in range(PLAYERS):
        scored[player] = 0.0
    if mover(state) == OVER:
        scores(state, scored)
    for player in range(PLAYERS):
        if counts[player] > 0 and teaches(player, rates, trail):
            experience(player, False, scored[player] / BEST, rng, rates, room, trail, net, memory, tally)
