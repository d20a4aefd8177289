"""What a browser is shown: stages, scenes and turns as plain data."""

from __future__ import annotations

from typing import Any

from spielwerk.games.face.svg import Shape
from spielwerk.games.game import Game
from spielwerk.games.position import Position, Turn
from spielwerk.games.scenes import PartialTurn, Scene
from spielwerk.games.scenes.showing import hops_of, margin_of, scene_of, stage_of, task_of


def stage_facts(game: Game) -> dict[str, Any]:
    """What stays the same throughout a game."""
    stage = stage_of(game)
    return {
        "game": game.name,
        "kind": game.kind,
        "title": game.title,
        "players": list(game.player_names),
        "teams": list(game.constants["TEAM"]),
        "width": stage.width,
        "height": stage.height,
        "ground": _shapes(stage.ground),
        "places": [list(place) for place in stage.places],
        "looks": {name: _shapes(look) for name, look in stage.looks.items()},
        "labels": [list(label) for label in stage.labels],
        "centre": list(stage.centre),
        "views": [list(view) for view in stage.views],
        "called": [dict(names) for names in stage.called],
        "confirmed": stage.confirmed,
        "listed": stage.listed,
        "obvious": stage.obvious,
        "colours": list(stage.colours),
    }


def scene_facts(position: Position, spent: tuple[int, ...] = ()) -> dict[str, Any]:
    """What stands on the stage."""
    return drawn_scene(scene_of(position, spent))


def partial_facts(partial: PartialTurn) -> dict[str, Any]:
    """What can be touched next."""
    return {
        "hops": [list(hop) for hop in partial.hops],
        "following": [list(hop) for hop in partial.following],
        "complete": partial.turn is not None,
    }


def touched(turn: Turn) -> list[str]:
    """The places that a turn touched, to be marked."""
    return list(dict.fromkeys(place for hop in hops_of(turn) for place in hop if place))


def status(position: Position, roll: str | None = None, partial: PartialTurn | None = None) -> str:
    """Who is to do what, after which roll and as far as a turn by hand has come; or how the game ended."""
    if position.scores is not None:
        return result(position.game, position.scores, margin_of(position))
    if position.chance:
        return f"{name_of(position.game, position.roller)} rolls."
    name, task = name_of(position.game, position.mover), task_of(position, partial)
    if task:
        return f"{name} rolled {roll}: {task}." if roll else f"{name} to move: {task}."
    return f"{name} rolled {roll}. {name} to move." if roll else f"{name} to move."


def result(game: Game, scores: tuple[float, ...], margin: str = "") -> str:
    """Who has won, and by how much."""
    best = max(scores)
    if min(scores) == best:
        return f"A draw, {margin}." if margin else "A draw."
    winners = [name for name, score in zip(game.player_names, scores, strict=True) if score == best]
    return _capital(f"{' and '.join(winners)} won{' ' * bool(margin)}{margin}.")


def given_up(game: Game, fault: tuple[int, str], scores: tuple[float, ...]) -> str:
    """Who gave up or forfeited, how, and who has won by that."""
    who, how = fault
    return f"{name_of(game, who)} {how.rstrip('.')}. {result(game, scores)}"


def name_of(game: Game, player: int) -> str:
    """A player at the beginning of a sentence."""
    return _capital(game.player_names[player])


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def drawn_scene(scene: Scene) -> dict[str, Any]:
    """A scene as data."""
    return {
        "pieces": [list(piece) for piece in scene.pieces],
        "names": dict(scene.names),
        "labels": [list(label) for label in scene.labels],
        "seats": list(scene.seats),
        "ground": _shapes(scene.ground),
    }


def _shapes(shapes: tuple[Shape, ...]) -> list[list[Any]]:
    return [[shape.tag, shape.attributes, shape.text] for shape in shapes]
