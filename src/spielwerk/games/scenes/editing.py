"""Positions made by hand: pieces put on places, whatever the rules say of them; reading the text then checks them."""

from __future__ import annotations

from collections.abc import Sequence

from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.games.scenes import DICE, Piece, Scene
from spielwerk.games.scenes.showing import scene_of, scenes_of, stage_of
from spielwerk.names import BadInput

Put = tuple[str, str]  # a place, and the look of a piece on it
OVERLAP = 14  # between pieces on one place


def brushes(game: Game) -> list[str]:
    """The looks of pieces that can be put on the board; none where a position can only be written."""
    return list(getattr(scenes_of(game), "brushes", lambda game: [])(game))


def puts_of(position: Position) -> list[Put]:
    """What stands where in a position."""
    return [(piece.place, piece.look) for piece in scene_of(position).pieces if piece.place != DICE]


def composed(game: Game, puts: Sequence[Put], mover: int) -> str:
    """The text of the position with these pieces; it may still break the rules."""
    known = {*brushes(game)}
    if not known:
        raise BadInput(f"A position of {game.name} can only be written.")
    if any(look not in known for _, look in puts):
        raise BadInput(f"Pieces of {game.name}: {', '.join(sorted(known))}.")
    if mover not in range(game.players):
        raise BadInput(f"{game.name} has no player {mover}.")
    return scenes_of(game).composed(game, puts, mover)


def loose_scene(game: Game, puts: Sequence[Put]) -> Scene:
    """Pieces where they were put, for a board that is no position yet; a game may say where those of a stack lie."""
    places = {place.id: place for place in stage_of(game).places}
    spot = getattr(scenes_of(game), "spot", None)
    height: dict[str, int] = {}
    called = {id for names in stage_of(game).called for id in names}
    said = {id: "" if id in called else f"{id}, " for id in places}
    pieces, names = [], {id: f"{said[id]}empty" for id in places}
    for id, look in puts:
        if id in places:
            below = height.setdefault(id, 0)
            x, y = spot(id, look, below) if spot else (places[id].x, places[id].y - OVERLAP * below)
            pieces.append(Piece(look, id, x, y))
            names[id] = f"{said[id]}{look}"
            height[id] += 1
    return Scene(tuple(pieces), names)
