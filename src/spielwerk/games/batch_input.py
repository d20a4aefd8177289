"""What a batch is given, and what of it is refused in a sentence: kernels would read and write wherever it leads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from spielwerk.games.position import Position
from spielwerk.kernel.arrays import Array, Arrays
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.games.batch import Batch, Views
    from spielwerk.games.expansion import Afterstates
    from spielwerk.games.game import Game

WHOLE = ("int", "uint")  # how the names of types of whole numbers begin


def states_of(game: Game, given: Any) -> Any:
    """The words of the positions given."""
    words = game.constants["WORDS"]
    if isinstance(given, Sequence):
        for position in given:
            if not isinstance(position, Position) or position.game != game:
                what = position.game.name if isinstance(position, Position) else f"{type(position).__name__} objects"
                raise BadInput(f"A batch of {game.name} holds positions of {game.name}, not of {what}.")
        return np.array([position.words for position in given], np.int64).reshape(-1, words)
    shape, dtype = tuple(getattr(given, "shape", ())), dtype_of(given)
    if len(shape) != 2 or shape[1] != words or dtype != "int64":
        raise BadInput(f"Positions of {game.name} are int64 of shape [n, {words}], not {dtype} of shape {list(shape)}.")
    return given


def one_each(arrays: Arrays, values: Any, boards: int, what: str) -> Array:
    """A whole number for each board, [n] int64."""
    given = _counted(values)
    if given != "empty" and not given.startswith(WHOLE):
        raise BadInput(f"{boards} boards need {boards} {what} as whole numbers, not {given}.")
    found = arrays.array(values, "int64")
    if tuple(found.shape) != (boards,):
        raise BadInput(f"{boards} boards need {boards} {what}, not an array of shape {tuple(found.shape)}.")
    return found


def chosen_boards(arrays: Arrays, given: Any, boards: int) -> Array:
    """The numbers of the boards that are chosen by number or by a mask, [m] int64."""
    dtype = _counted(given)
    if dtype != "empty" and not dtype.startswith((*WHOLE, "bool")):
        raise BadInput(f"Boards are chosen by whole numbers or by a mask, not by {dtype}.")
    found = arrays.array(given, "bool" if dtype == "bool" else "int64")
    shape = tuple(found.shape)
    if len(shape) != 1 or (dtype == "bool" and shape != (boards,)):
        wanted = (
            f"A mask of {boards} boards has shape ({boards},)" if dtype == "bool" else "Boards are chosen by a list"
        )
        raise BadInput(f"{wanted}, not an array of shape {shape}.")
    if dtype == "bool":
        return arrays.nonzero(found)
    if bool(((found < 0) | (found >= boards)).any()):
        there = f"There are only boards 0 to {boards - 1}" if boards else "There are no boards"
        raise BadInput(f"{there} in this batch.")
    return found


def check_views(batch: Batch, views: Views, size: int) -> None:
    """Refuses views that were made for another number of boards, or for another game."""
    n, actions = len(batch), batch.game.constants["ACTIONS"]
    wanted = [[n, actions], [n, size], [-(-n * actions // 8)]]
    given = [list(array.shape) for array in (views.bytes, views.rows, views.words)]
    if given != wanted:
        shapes = f"{given[0]} and {given[1]} do not fit a batch that needs {wanted[0]} and {wanted[1]}"
        raise BadInput(f"Views of shapes {shapes}; each batch makes its own.")


def check_ends(batch: Batch, ends: Afterstates) -> None:
    """Refuses ends of turns of another game, or of another number of boards."""
    theirs, boards = f"{ends.batch.game.name} on {ends.batch.device}", len(ends.offsets) - 1
    ours = f"{batch.game.name} on {batch.device}"
    if (boards, theirs) != (len(batch), ours):
        raise BadInput(f"{len(batch)} boards of {ours} cannot take the afterstates of {boards} boards of {theirs}.")


def dtype_of(array: Any) -> str:
    """The type of an array or a tensor by the name that both have for it; of anything else, that of its class."""
    return str(getattr(array, "dtype", type(array).__name__)).removeprefix("torch.")


def _counted(values: Any) -> str:
    """The type of what is or will become an array; "empty" of an empty list, whose type nobody knows."""
    if hasattr(values, "dtype"):
        return dtype_of(values)
    array = np.asarray(values)
    return dtype_of(array) if array.size else "empty"
