"""Judged positions of morris: classes and distances."""

from __future__ import annotations

from typing import Any

from spielwerk.data import is_whole
from spielwerk.games.game import Game
from spielwerk.games.judged import FARTHEST, Judged, Worth
from spielwerk.names import BadInput


def read(game: Game, record: dict[str, Any]) -> Judged:
    """`{"position": …, "moves": {"d6": 0, "a7-d7xb2": 5, …}}`: +n wins in n turns, -n loses in n, 0 is a draw."""
    text, judged = record.get("position"), record.get("moves")
    if not isinstance(text, str) or not isinstance(judged, dict):
        raise BadInput('a judged position needs a "position" and its "moves".')
    if wrong := [move for move, value in judged.items() if not is_whole(value, -FARTHEST, FARTHEST)]:
        raise BadInput(f'the value of "{wrong[0]}" must be a whole number up to {FARTHEST:,}.')
    position = game.parse(text)
    ends = {turn.text: turn.end.words for turn in position.turns()}
    for move in ends.keys() - judged.keys():
        raise BadInput(f'the move "{move}" is not judged.')
    for move in judged.keys() - ends.keys():
        raise BadInput(f'"{move}" is judged, but not legal in {position}.')
    if not ends:
        raise BadInput(f"the game is over in {position}.")
    return position, {ends[move]: _class_and_distance(value) for move, value in judged.items()}


def _class_and_distance(value: int) -> Worth:
    """A win comes the better the sooner, a loss the later."""
    score = (value > 0) - (value < 0)
    return Worth(float(score), float(score * FARTHEST - value))
