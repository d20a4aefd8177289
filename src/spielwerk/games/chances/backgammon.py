"""The chances of backgammon: to win at all, with a gammon, with a backgammon, and to lose so."""

from __future__ import annotations

from spielwerk.games.backgammon import BAR, CHECKERS, FAR_HOME, checkers_left, occupied, planes_of
from spielwerk.games.game import Game

NAMES = ("win", "win gammon", "win backgammon", "lose gammon", "lose backgammon")


def result(state, out):
    """A backgammon is a gammon too."""
    winner = state[0]
    loser = planes_of(1 - winner)
    gammon = checkers_left(state, loser) == CHECKERS
    caught = gammon and occupied(state, loser) & (FAR_HOME | (1 << BAR)) != 0
    first = 1 if winner == 0 else 3
    for chance in range(5):
        out[chance] = 0.0
    out[0] = 1.0 if winner == 0 else 0.0
    out[first] = 1.0 if gammon else 0.0
    out[first + 1] = 1.0 if caught else 0.0


def weights(game: Game) -> tuple[float, ...]:
    """A win moves the score from -1 to 1; what a gammon and a backgammon add, the scoring says."""
    gammon, backgammon = game.constants["GAMMON"], game.constants["BACKGAMMON"]
    more = gammon - 1.0, backgammon - gammon
    return 2.0, *more, *(-one for one in more)
