"""What a nim position is worth: Bouton's theory, which is exact.

The mover wins if the nimber, the exclusive or of all stacks, is not 0. Where the last match loses, that holds as long
as a stack has more than one match; after that the mover wins if the number of stacks is even.
"""

from spielwerk.games.nim import LAST_LOSES, STACKS

CERTAIN = 0.99  # less than the score, so that a win that a search sees comes first


def evaluate(state, player, data):
    """See `games/evaluation/__init__.py`."""
    nimber = 0
    largest = 0
    for stack in range(STACKS):
        nimber ^= state[1 + stack]
        largest = max(largest, state[1 + stack])
    won = nimber != 0
    if LAST_LOSES and largest <= 1:
        won = not won
    return CERTAIN if won == (player == state[0]) else -CERTAIN
