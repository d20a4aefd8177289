"""The inputs of TD-Gammon."""

from __future__ import annotations

from spielwerk.games.backgammon import BAR, CHECKERS, checkers_left, checkers_on, planes_of


def tesauro(state, player, out):
    """Tesauro's 198 inputs: 98 a player (`player` first), then whose turn it is.

    Four units a point: one or more, two or more, three or more checkers, half of those beyond three;
    then half the checkers on the bar, and the share borne off.
    """
    for side in range(2):
        planes = planes_of(player if side == 0 else 1 - player)
        for point in range(24):
            number = checkers_on(state, planes, point)
            unit = 98 * side + 4 * point
            for least in range(3):
                out[unit + least] = 1.0 if number > least else 0.0
            out[unit + 3] = max(number - 3, 0) / 2
        out[98 * side + 96] = checkers_on(state, planes, BAR) / 2
        out[98 * side + 97] = 1.0 - checkers_left(state, planes) / CHECKERS
    out[196] = 1.0 if state[0] == player else 0.0
    out[197] = 1.0 - out[196]
