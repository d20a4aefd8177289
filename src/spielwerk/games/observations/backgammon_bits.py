"""What networks see of backgammon that are to find its rules by themselves: checkers and dice, in bits."""

from __future__ import annotations

from spielwerk.games.boards.backgammon import BAR, checkers_left, checkers_on, planes_of
from spielwerk.kernel.specialise import unbound

LEVELS = 5  # a place has at least one checker, at least two, …
PLACES = 26  # points, bar, borne off
FACES = 6
BITS = 2 * PLACES * LEVELS + 2 * FACES
CHECKERS: int = unbound("CHECKERS")


def bits(state, player, out):
    """Own checkers on each place, the other's, the larger and the smaller die."""
    for side in range(2):
        planes = planes_of(player if side == 0 else 1 - player)
        for place in range(BAR + 1):
            seen = place if side == 0 or place == BAR else 23 - place
            write_levels(checkers_on(state, planes, place), out, (side * PLACES + seen) * LEVELS)
        write_levels(CHECKERS - checkers_left(state, planes), out, (side * PLACES + PLACES - 1) * LEVELS)
    for die in range(2):
        for face in range(FACES):
            out[2 * PLACES * LEVELS + die * FACES + face] = 1.0 if state[2 + die] == face + 1 else 0.0


def write_levels(number, out, at):
    """Writes a 1 for each level that a number reaches."""
    for level in range(LEVELS):
        out[at + level] = 1.0 if number > level else 0.0
