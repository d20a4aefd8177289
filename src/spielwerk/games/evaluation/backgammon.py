"""Pubeval, Gerald Tesauro's linear evaluation of backgammon, the classic weak yardstick; public domain.

`pubeval.json` holds his weights: 122 for positions with contact, and 122 for races. The inputs describe the position
after a move, as the player who moved sees it. For each point, counted from that player's 24 point down: a blot of the
other player; exactly one own checker; two or more; exactly three; half of those beyond three. Then half the other
player's checkers on the bar, and the own checkers borne off, of 15.

The position before the move says which weights count, so that all moves are compared by the same ones; here that is
the position in which the agent decides, and the side that it sees is that of the agent, however far a search looks.

Published is a ranking of moves. `evaluate` makes an expectation of it by a tanh that was fitted to the probabilities
of winning that GNU Backgammon gives to 34,567 positions with contact; the scores of races only rank. It stays between
-1 and 1 even where gammons count, so that a game that is won beats everything.

Data: [1 in a race and 0 with contact, the player who decides, 122 weights for contact, 122 for races].
"""

import json
from math import tanh
from pathlib import Path

import numpy as np

from spielwerk.games.backgammon import BAR, POINTS, checkers_left, checkers_on, made, occupied, planes_of
from spielwerk.games.game import Game
from spielwerk.kernel.bits import highest, lowest

WEIGHTS = Path(__file__).with_name("pubeval.json")
INPUTS = 122
MIDDLE, WIDTH = 11.5, 18.0  # the score of even chances, and how much more of it is worth tanh(1) = 0.76


def evaluate(state, player, data):
    """What pubeval makes of a position for the player who decides; the other one expects the opposite."""
    side = int(data[1])
    value = tanh((linear(state, side, data, 2 + INPUTS * int(data[0])) - MIDDLE) / WIDTH)
    return value if player == side else -value


def before(state, data):
    """Notes who decides, and whether the players have passed each other."""
    apart = 23 - highest(occupied(state, planes_of(0))) - highest(occupied(state, planes_of(1)))
    data[0] = 1.0 if apart > 0 else 0.0
    data[1] = state[0]


def linear(state, player, data, first):
    """The sum of the inputs as `player` sees them, by the weights in `data` from `first` on."""
    own = planes_of(player)
    other = planes_of(1 - player)
    total = data[first + 120] * checkers_on(state, other, BAR) / 2
    total += data[first + 121] * (15 - checkers_left(state, own)) / 15
    places = occupied(state, own) & POINTS
    while places:
        place = lowest(places)
        places &= places - 1
        total += stack(checkers_on(state, own, place), data, first + 5 * (23 - place))
    blots = occupied(state, other) & ~made(state, other) & POINTS
    while blots:
        total += data[first + 5 * lowest(blots)]
        blots &= blots - 1
    return total


def stack(number, data, first):
    """What `number` checkers on one point are worth, by the five weights of that point."""
    if number == 1:
        return data[first + 1]
    if number == 2:
        return data[first + 2]
    if number == 3:
        return data[first + 2] + data[first + 3]
    return data[first + 2] + data[first + 4] * (number - 3) / 2


def data(game: Game) -> np.ndarray:
    """The weights, for any variant: with three checkers each they describe a part of what they were made for."""
    weights = json.loads(WEIGHTS.read_text())
    return np.array([0.0, 0.0, *weights["contact"], *weights["race"]])
