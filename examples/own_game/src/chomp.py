"""Chomp: eat a piece of a chocolate bar and with it all above it and to its right; a1 is poisoned.

State words: [mover, pieces left in row 1, in row 2, …]. Action: row * SIZE + column, both counted from 0.
A position is written as its rows and the mover: `4420 B`.
"""

import re
from dataclasses import dataclass
from math import comb

from spielwerk.games.rules import OVER
from spielwerk.kernel.specialise import unbound
from spielwerk.names import BadInput, choice

TITLE = "Chomp"
VARIANTS = ("size=3", "size=8")
NAMES, FILES = ("A", "B"), "abcdefgh"


@dataclass(frozen=True)
class Settings:
    """The settings of chomp."""

    size: int = choice(4, 2, 3, 5, 6, 7, 8, help="pieces of a row and of a column")


SIZE: int = unbound("SIZE")


def start(state, rng):
    state[0] = 0
    for row in range(SIZE):
        state[1 + row] = SIZE


def mover(state):
    return state[0] if state[1] > 0 else OVER


def moves(state, out):
    n = 0
    for row in range(SIZE):
        for column in range(state[1 + row]):
            out[n] = row * SIZE + column
            n += 1
    return n


def play(state, action):
    state[0] = 1 - state[0]
    for row in range(action // SIZE, SIZE):
        state[1 + row] = min(state[1 + row], action % SIZE)


def scores(state, out):
    out[state[0]] = 1.0  # the other has eaten a1
    out[1 - state[0]] = -1.0


def observe(state, player, out):
    for cell in range(SIZE * SIZE):
        out[cell] = 1.0 if cell % SIZE < state[1 + cell // SIZE] else 0.0
    out[SIZE * SIZE] = 1.0 if state[0] == player else 0.0


def constants(settings):
    size, cells = settings.size, settings.size**2
    room = {"WORDS": 1 + size, "ACTIONS": cells, "MOST_MOVES": cells, "OBSERVATION": (cells + 1,), "LONGEST": cells}
    return {**room, "SIZE": size}


def states(settings):
    return 2 * comb(2 * settings.size, settings.size)  # each shape of the bar, with either mover


def player_names(game):
    return NAMES


def write(position):
    return f"{''.join(map(str, position.words[1:]))} {NAMES[position.words[0]]}"


def read(game, text):
    size = game.settings.size
    match = re.fullmatch(f"([0-{size}]{{{size}}}) ([AB])", text)
    if not match or list(match[1]) != sorted(match[1], reverse=True):
        raise BadInput(f'"{text}" is not a position of {game.name}; write falling rows and mover: "{game.start()}".')
    return [NAMES.index(match[2]), *map(int, match[1])]


def spell(steps, end):
    row, column = divmod(steps[0][1], end.game.settings.size)
    return f"{FILES[column]}{row + 1}"


def board(position):
    size = position.game.settings.size
    rows = [f"{number} {' '.join(('■' * left).ljust(size, '·'))}" for number, left in enumerate(position.words[1:], 1)]
    return "\n".join([*reversed(rows), f"  {' '.join(FILES[:size])}"]).replace("1 ■", "1 ☠")
