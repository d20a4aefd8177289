"""Morris in words: what is to be done, and why a touch is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.games.face.morris import NAMES, point_names
from spielwerk.games.morris import DUE, HAND, MEN

if TYPE_CHECKING:
    from spielwerk.games.position import Position
    from spielwerk.games.scenes import Hop, PartialTurn


def task(partial: PartialTurn) -> str:
    """To place, to move or to jump, or to take a man for a mill."""
    position = partial.shown
    if position.words[DUE]:
        return "a mill, take a man"
    if position.words[HAND + position.mover]:
        return "place a man or move one" if any(hop.source for hop in partial.following) else "place a man"
    return "jump with a man" if _jumps(position) else "move a man"


def refusal(partial: PartialTurn, hop: Hop) -> str:
    """Why a man cannot be taken, placed or moved there."""
    position, place = partial.shown, hop.target
    who = _owner(position, place)
    if position.words[DUE]:
        return _not_taken(position, place, who)
    if hop.source:
        return _not_moved(position, hop, who)
    if position.words[HAND + position.mover]:
        return f"A man cannot be placed on {place}, which is taken."
    if who == position.mover:
        return f"The man on {place} cannot move: every point beside it is taken."
    return f"{place} cannot be chosen: no man of {NAMES[position.mover]} is there to move."


def _not_taken(position: Position, place: str, who: int | None) -> str:
    other = NAMES[1 - position.mover]
    if who == 1 - position.mover:
        return f"The man on {place} cannot be taken: it stands in a mill, and others of {other} do not."
    return f"{place} cannot be chosen: take a man of {other}."


def _not_moved(position: Position, hop: Hop, who: int | None) -> str:
    if _owner(position, hop.source) != position.mover:
        return f"{hop.source} cannot be chosen: no man of {NAMES[position.mover]} is there to move."
    if who is not None:
        return f"The man on {hop.source} cannot go to {hop.target}, which is taken."
    if position.words[HAND + position.mover] and not position.game.constants["EARLY"]:
        return f"The man on {hop.source} cannot move yet: all men are placed first."
    return f"The man on {hop.source} cannot go to {hop.target}: it goes along a line to the next point."


def _owner(position: Position, place: str) -> int | None:
    point = point_names(position.game.settings.rules).index(place)
    return next((side for side in (0, 1) if position.words[MEN + side] >> point & 1), None)


def _jumps(position: Position) -> bool:
    men = position.words[MEN + position.mover].bit_count()
    return position.game.constants["JUMPING"] and men == 3
