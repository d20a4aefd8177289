"""What a game need not write: it has two players, no chance, scores up to 1, and no symmetry but the identity."""

from spielwerk.games.rules import WORDS

CONSTANTS = {
    **{"PLAYERS": 2, "TEAM": (0, 1), "MOST_OUTCOMES": 0, "FAIR": False},
    **{"SYMMETRIES": 1, "BEST": 1.0, "LONGEST": 0},
}


def roller(state):
    """No one rolls."""
    return 0


def outcomes(state, out, weights):
    """There is no chance node."""
    return 0


def roll(state, outcome):
    """Nothing is rolled."""


def turned_state(k, state, out):
    """Only the identity: a copy."""
    for i in range(WORDS):
        out[i] = state[i]


def turned(k, action):
    """Only the identity."""
    return action


def seat(k, player):
    """Only the identity."""
    return player
