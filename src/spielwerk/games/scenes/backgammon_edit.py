"""A position of backgammon made by hand: checkers on points and bars."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.games.game import Game

COLOURS = ("white", "black")  # of X and O
MOST = 15  # checkers that a letter can say


def brushes(game: Game) -> tuple[str, ...]:
    """Checkers of both colours."""
    return COLOURS


def composed(game: Game, puts: Sequence[tuple[str, str]], mover: int) -> str:
    """The letters from O's bar to X's, and who rolls; checkers in the trays are those that are not on the board."""
    counts: list[Counter[str]] = [Counter(place for place, look in puts if look == colour) for colour in COLOURS]
    letters = "".join(_letter(counts, place) for place in ("bar1", *map(str, range(1, 25)), "bar0"))
    return f"{letters} {game.player_names[mover]} roll"


def _letter(counts: list[Counter[str]], place: str) -> str:
    white, black = (count[place] for count in counts)
    if white and black:
        raise BadInput(f"Point {place} cannot hold checkers of both players.")
    if max(white, black) > MOST:
        raise BadInput(f"Point {place} cannot hold more than {MOST} checkers.")
    return chr(ord("A") + white - 1) if white else chr(ord("a") + black - 1) if black else "."
