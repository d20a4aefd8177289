"""Afterstates: positions in which a turn has ended, of which several ways of learning know the value."""

from spielwerk.games.rules import OVER, mover, roller


def next_actor(state):
    """Who acts next, perhaps after a roll; OVER at the end."""
    who = mover(state)
    return who if who >= 0 or who == OVER else roller(state)
