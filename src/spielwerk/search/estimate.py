"""What an evaluation says of a position to each player, asked no more often than there are sides to hear."""

from spielwerk.games.evaluation import evaluate
from spielwerk.games.rules import PLAYERS, TEAM
from spielwerk.kernel.specialise import unbound

SIDES: int = unbound("SIDES")  # the number of teams


def estimate(state, out, data):
    """Writes the score that each player may expect: of two sides, one expects what the other fears."""
    value = evaluate(state, 0, data)
    for player in range(PLAYERS):
        if TEAM[player] == TEAM[0]:
            out[player] = value
        elif SIDES == 2:
            out[player] = -value
        else:
            out[player] = evaluate(state, player, data)
