"""The face of a game for people: notation, text, drawings. A game's face module writes what it needs;
`Face` supplies the rest, so that a small game needs little or nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any

from spielwerk.names import BadInput, printable

if TYPE_CHECKING:
    from spielwerk.games.face.svg import Drawing
    from spielwerk.games.game import Game
    from spielwerk.games.position import Position, Turn

WRITES = ("player_names", "write", "spell", "spell_roll", "board", "board_from")  # what people are shown
Steps = tuple[tuple["Position", int], ...]


class Face:
    """The functions of a face module, with a sensible default for each.

    What a module that is not `our` own writes is made printable.
    """

    def __init__(self, module: ModuleType, our: bool = True) -> None:
        for name in [name for name in vars(Face) if not name.startswith("_")]:
            if hasattr(module, name):
                own = getattr(module, name)
                setattr(self, name, own if our or name not in WRITES else _printable(own))

    def player_names(self, game: Game) -> tuple[str, ...]:
        """What the players are called."""
        return tuple(f"player {number}" for number in range(game.players))

    def write(self, position: Position) -> str:
        """The position as one line of text."""
        return " ".join(map(str, position.words))

    def read(self, game: Game, text: str) -> list[int]:
        """The words of the position that `text` writes; BadInput if it is impossible."""
        words = game.constants["WORDS"]
        try:
            state = [int(word) for word in text.split()]
        except ValueError:
            state = []
        if len(state) != words or any(abs(word) >= 1 << 63 for word in state):
            raise BadInput(f'"{text}" is not a position of {game.name}: write {words} whole numbers.')
        return state

    def formats(self, game: Game) -> Mapping[str, Callable[[Position], str]]:
        """What writes a position as other programs do, by the name of the format; `read` understands all of them."""
        return {}

    def spell(self, steps: Steps, end: Position) -> str:
        """The text of a turn."""
        return ",".join(str(action) for _, action in steps)

    def understand(self, position: Position, turns: list[Turn], text: str) -> list[Turn]:
        """The turns that a player may mean by `text`; exactly one if it is clear."""
        return [turn for turn in turns if turn.text.lower() == text.lower()]

    def spell_roll(self, game: Game, outcome: int) -> str:
        """An outcome of chance, as players write it."""
        return str(outcome)

    def same_roll(self, given: str, roll: str) -> bool:
        """Whether `given` means `roll`."""
        return given.strip() == roll

    def board(self, position: Position) -> str:
        """The board, drawn for a terminal."""
        return str(position)

    def board_from(self, position: Position, seat: int) -> str:
        """The board with the side of the player in a seat below; the same for all where a board has no sides."""
        return self.board(position)

    def drawing(self, position: Position) -> Drawing:
        """The board as a picture."""
        from spielwerk.games.face.svg import text_drawing

        return text_drawing(position.board(), f"{position.game.title} {position}")

    def more_facts(self, position: Position) -> dict[str, Any]:
        """What this game adds to a position's JSON."""
        return {}


def _printable(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, the lines of whose texts can be printed."""

    @functools.wraps(function)
    def written(*given: Any) -> Any:
        found = function(*given)
        if isinstance(found, str):
            return "\n".join(map(printable, found.split("\n")))
        return tuple(printable(one) for one in found)

    return written
