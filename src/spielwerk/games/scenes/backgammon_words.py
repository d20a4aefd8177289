"""Backgammon in words: what is to be done, why a touch is refused, and what a win counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.games.backgammon import BAR
from spielwerk.games.face.backgammon import NAMES, checkers
from spielwerk.games.scenes.backgammon_turn import dice_of, place_of

if TYPE_CHECKING:
    from spielwerk.games.position import Position
    from spielwerk.games.scenes import Hop, PartialTurn

POINTS = {2.0: "a gammon (2 points)", 3.0: "a backgammon (3 points)"}


def task(partial: PartialTurn) -> str:
    """To enter, to move by the die that is left, to confirm."""
    if partial.turn and not partial.hops:
        return "no checker can move, touch the dice to pass"
    if partial.turn:
        return "touch the dice to confirm, or take back"
    waiting = checkers(partial.shown.words, partial.shown.mover)[BAR]
    if waiting:
        return f"enter {'a checker' if waiting == 1 else f'{waiting} checkers'} from the bar"
    return f"move a checker by {_left(partial)[0]}" if partial.spent else "move a checker"


def refusal(partial: PartialTurn, hop: Hop) -> str:
    """Why a checker cannot move so; points are counted as the mover counts them, as in the text of moves."""
    player = partial.shown.mover
    own = checkers(partial.shown.words, player)
    places = {place_of(player, place): place for place in range(-1, BAR + 1)}
    origin = hop.source or hop.target
    if partial.turn:
        return f"No {'other ' if partial.hops else ''}checker can move; touch the dice."
    if origin not in places or places[origin] < 0 or not own[places[origin]]:
        return f"A checker cannot move from {_said(places, origin)}: {NAMES[player]} has none there."
    if own[BAR] and places[origin] != BAR:
        return f"A checker cannot move from {_said(places, origin)}: one on the bar enters first."
    way = f"{_said(places, origin)} to {_said(places, hop.target)}" if hop.source else _said(places, origin)
    return f"A checker cannot move from {way} by {' or '.join(map(str, dict.fromkeys(_left(partial))))}."


def margin(position: Position) -> str:
    """What counts more than one point."""
    return POINTS.get(max(position.scores or (0.0,)), "")


def _said(places: dict[str, int], id: str) -> str:
    if id not in places:
        return "there"  # the other side's bar or tray
    place = places[id]
    return "the bar" if place == BAR else "the tray" if place < 0 else f"point {place + 1}"


def _left(partial: PartialTurn) -> list[int]:
    """The dice that are left."""
    left = list(dice_of(partial.shown))
    for die in partial.spent:
        left.remove(die)
    return left
