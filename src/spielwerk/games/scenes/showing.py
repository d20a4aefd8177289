"""Showing any game: its stage, its scenes, turns made by hand, and the picture of a position."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType

from spielwerk.games.face.svg import Drawing, Shape
from spielwerk.games.game import Game
from spielwerk.games.parts import module
from spielwerk.games.position import Position, Turn
from spielwerk.games.scenes import DICE, Hop, Label, PartialTurn, Scene, Stage
from spielwerk.names import BadInput

KEPT = 64  # stages of variants


@lru_cache(KEPT)
def stage_of(game: Game) -> Stage:
    """What stays the same throughout a game."""
    return scenes_of(game).stage(game)


def scene_of(position: Position, spent: tuple[int, ...] = ()) -> Scene:
    """What stands on the stage; `spent` are dice that a turn in the making has used."""
    show = scenes_of(position.game).scene
    return show(position, spent) if spent else show(position)


def hops_of(turn: Turn) -> tuple[Hop, ...]:
    """How a turn is shown by hand."""
    return scenes_of(turn.end.game).hops(turn)


def partial_turn(position: Position, hops: tuple[Hop, ...] = ()) -> PartialTurn:
    """A turn in the making; BadInput where no turn begins with these hops."""
    found = getattr(scenes_of(position.game), "partial_turn", _by_actions)(position, hops)
    if found is None:
        raise BadInput(_refusal(position, hops))
    return found


def task_of(position: Position, partial: PartialTurn | None = None) -> str:
    """What the mover is to do next, in the words of the game; nothing where it has none."""
    own = getattr(scenes_of(position.game), "task", None)
    return own(partial or partial_turn(position)) if own else ""


def margin_of(position: Position) -> str:
    """By how much a game was won, in the words of the game; nothing where it has none."""
    own = getattr(scenes_of(position.game), "margin", None)
    return own(position) if own else ""


def picture(position: Position) -> Drawing:
    """The board as one picture."""
    stage, scene = stage_of(position.game), scene_of(position)
    drawing = Drawing(stage.width, stage.height, f"{position.game.title} {position}")
    drawing.shapes += [*stage.ground, *scene.ground]
    for piece in scene.pieces:
        drawing.shapes += [_moved(shape, piece.x, piece.y, "spent" in piece.look) for shape in stage.looks[piece.look]]
    for label in (*stage.labels, *scene.labels):
        if label.view <= 0:
            _write(drawing, label)
    return drawing


def scenes_of(game: Game) -> ModuleType:
    """The module of a game's scenes."""
    return module(game.kind, "scene", game.scene)


def _refusal(position: Position, hops: tuple[Hop, ...]) -> str:
    """Why no turn begins with these hops: the last of them is the one that cannot be."""
    *done, last = hops
    before, own = partial_turn(position, tuple(done)), getattr(scenes_of(position.game), "refusal", None)
    known = {place.id for place in stage_of(position.game).places} - {DICE}
    if own and last.target in known and last.source in {"", *known}:
        return own(before, last)
    return f"{last.target} cannot be chosen here."


def _by_actions(position: Position, hops: tuple[Hop, ...]) -> PartialTurn | None:
    """Each action of a turn is a hop."""
    done = len(hops)
    begun = [(turn, shown) for turn in position.turns() if (shown := hops_of(turn))[:done] == hops]
    if not begun:
        return None
    whole = next((turn for turn, shown in begun if len(shown) == done), None)
    following = dict.fromkeys(shown[done] for _, shown in begun if len(shown) > done)
    steps, end = begun[0][0].steps, begun[0][0].end
    here = steps[done][0] if done < len(steps) else end
    return PartialTurn(hops, tuple(following), whole, here if done else position)


def _moved(shape: Shape, x: float, y: float, faint: bool) -> Shape:
    more = {"opacity": 0.35} if faint else {}
    return shape._replace(attributes={**shape.attributes, "transform": f"translate({x:g} {y:g})", **more})


def _write(drawing: Drawing, label: Label) -> None:
    drawing.text(label.x, label.y, label.text, label.size, label.colour)
