"""The race of EinStein: the probability that my team is the first to arrive if from now on nobody takes anything.

Undisturbed, a stone needs as many steps as the larger of its distances to the goal along the two edges: the diagonal
step shortens both. So a player's race depends only on how far each stone is, and is known exactly: dynamic programming
over all distances gives the probability not to arrive within 1, 2, … rolls, for a player who always moves forward and,
where the die leaves a choice, takes the stone that arrives sooner on average. A die that is already rolled is not
looked at. With three players, two of whom have no goal, nobody is ahead.

Data: for each line of distances, ROLLS probabilities: not to arrive with roll t either, having not arrived before. The
number of a line has one digit a stone, to the base SIZE: its distance, or 0 if it is gone.
"""

import numpy as np

from spielwerk.games.einstein import GONE, SEEN, SIZE, STONES, cell_of
from spielwerk.games.game import Game
from spielwerk.games.rules import PLAYERS, TEAM

SURE = 0.999  # what a certain race is worth: less than a game that is won, since a stone may still be taken


def evaluate(state, player, data):
    """2 × the probability to arrive first - 1, a little nearer to 0."""
    if PLAYERS == 3:
        return 0.0
    value = SURE * (2.0 * first_to_arrive(state, data) - 1.0)
    return value if TEAM[player] == TEAM[state[0]] else -value


def first_to_arrive(state, data):
    """The probability that the team of the next player arrives first; teams take turns."""
    rolls = longest(SIZE, STONES)
    one = line(state, state[0]) * rolls
    two = line(state, (state[0] + 1) % PLAYERS) * rolls
    three = line(state, (state[0] + 2) % PLAYERS) * rolls
    four = line(state, (state[0] + 3) % PLAYERS) * rolls
    arrived = 0.0
    racing = 1.0  # the probability that nobody has arrived yet
    for roll in range(rolls):
        arrived += racing * (1.0 - data[one + roll])
        racing *= data[one + roll] * data[two + roll]
        if PLAYERS == 4:
            arrived += racing * (1.0 - data[three + roll])
            racing *= data[three + roll] * data[four + roll]
    return arrived


def line(state, player):
    """The number of the line that a player's stones make."""
    number = 0
    for stone in range(STONES - 1, -1, -1):
        cell = SEEN[player, cell_of(state[2 + player], stone)]
        number *= SIZE
        if cell != GONE:
            number += SIZE - 1 - min(cell // SIZE, cell % SIZE)
    return number


def longest(size, stones):
    """The most rolls that a player can need: all stones come to the cells before the goal."""
    return stones * (size - 2) + 1


def data(game: Game) -> np.ndarray:
    """The table of all lines of distances."""
    if game.players == 3:
        return np.zeros(1)
    size, stones = game.constants["SIZE"], game.constants["STONES"]
    unfinished = _unfinished(size, stones, game.settings.die == "nearest")
    earlier, later = unfinished[:, :-1], unfinished[:, 1:]
    return np.divide(later, earlier, out=np.zeros_like(later), where=earlier > 0).ravel()


def _unfinished(size: int, stones: int, nearest: bool) -> np.ndarray:
    """The probability not to have arrived within 0, 1, … rolls, for each line; [lines, 1 + rolls]."""
    distances = np.arange(size**stones)[:, None] // size ** np.arange(stones) % size  # [lines, stones]
    movable = _movable(distances > 0, nearest)
    unfinished = np.ones((len(distances), 1 + longest(size, stones)))
    mean = np.zeros(len(distances))  # rolls needed
    total = distances.sum(axis=1)
    for steps in range(1, total.max() + 1):  # what a step leads to has one step fewer, and is known
        lines = np.flatnonzero(total == steps)
        unfinished[lines, 1:] = 0.0
        for face in range(stones):
            options = movable[face, :, lines]  # [lines, 2]: stones
            after = lines[:, None] - size**options
            ends = distances[lines[:, None], options] == 1
            sooner = np.argmin(np.where(ends, 0.0, mean[after]), axis=1)[:, None]
            after, ends = (np.take_along_axis(array, sooner, 1)[:, 0] for array in (after, ends))
            unfinished[lines, 1:] += np.where(ends[:, None], 0.0, unfinished[after, :-1])
            mean[lines] += np.where(ends, 0.0, mean[after])
        unfinished[lines, 1:] /= stones
        mean[lines] = 1 + mean[lines] / stones
    return unfinished


def _movable(present: np.ndarray, nearest: bool) -> np.ndarray:
    """The stones that each face of the die lets move, the same twice where only one may; [faces, 2, lines]."""
    lines, stones = present.shape
    far = 2 * stones
    numbers = np.arange(stones)
    chosen = np.zeros((stones, 2, lines), np.int64)
    for face in range(stones):
        lower = np.where(present & (numbers <= face), numbers, -far).max(axis=1)
        higher = np.where(present & (numbers >= face), numbers, far).min(axis=1)
        down, up = face - lower, higher - face
        one, other = np.where(down <= up, lower, higher), np.where(up <= down, higher, lower)
        if not nearest:
            one, other = np.where(lower < 0, higher, lower), np.where(higher >= stones, lower, higher)
        chosen[face] = np.clip((one, other), 0, stones - 1)  # of a line without stones nothing is asked
    return chosen
