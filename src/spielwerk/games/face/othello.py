"""Othello for people: `d3` places a disc, `pass` passes; a position is its rows from 1 on and the mover:
`......../......../......../...OX.../...XO.../......../......../........ X`, X black, O white, - at the end.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from spielwerk.games.othello import settle
from spielwerk.kernel.bits import count, wrap
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.games.face import Steps
    from spielwerk.games.game import Game
    from spielwerk.games.position import Position, Turn

NAMES = ("black", "white")
LETTERS = "XO"
PASS = "pass"
PASSES = (PASS, "passes", "pa", "ps", "p", "-", "--")
FILES = "abcdefgh"
SIGNS = {"X": "●", "O": "○", ".": "·", "+": "+"}
STEPS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]


def player_names(game: Game) -> tuple[str, ...]:
    """Black begins."""
    return NAMES


def write(position: Position) -> str:
    """The rows from the top and the mover."""
    mover = "-" if position.over else LETTERS[position.mover]
    return f"{'/'.join(_rows(position))} {mover}"


def read(game: Game, text: str) -> list[int]:
    """Whatever could have been placed around the centre, disc by disc; who can place is found out here."""
    match = re.fullmatch(r"([XO./]+) ([XO-])", text)
    rows = match[1].split("/") if match else []
    size = game.constants["SIZE"]
    if not match or {len(rows), *map(len, rows)} != {size}:
        raise BadInput(f'"{text}" is not a position of {game.name}; write rows and mover, such as "{game.start()}".')
    _check(rows)
    cells = "".join(rows)
    discs = [wrap(sum(1 << cell for cell, sign in enumerate(cells) if sign == letter)) for letter in LETTERS]
    state = np.array([0, *discs, 0], np.int64)
    game.kernel(settle)(state, max(LETTERS.find(match[2]), 0))
    if match[2] == "-" and state[0] >= 0:
        raise BadInput(f'"{text}" is not over; write X or O as the mover, not "-".')
    starts = {game.constants["BLACK_STARTS"], game.constants["WHITE_STARTS"]}  # either way round
    if cells.count(".") == len(cells) - 4 and (set(discs), match[2]) != (starts, "X"):
        raise BadInput(f'"{text}" has four discs, but is not the start: "{game.start()}".')
    return state.tolist()


def spell(steps: Steps, end: Position) -> str:
    """The cell of the new disc, or `pass`."""
    return _cell_name(steps[0][1], end.game.constants["SIZE"])


def understand(position: Position, turns: list[Turn], text: str) -> list[Turn]:
    """Spaces and capitals do not matter; a pass has several names."""
    text = text.replace(" ", "").lower()
    return [turn for turn in turns if turn.text == (PASS if text in PASSES else text)]


def board(position: Position) -> str:
    """The board with the placements of the mover, and the number of discs."""
    rows = _rows(position, "+")
    files = " ".join(FILES[: len(rows)])
    lines = [f"{number} {' '.join(SIGNS[sign] for sign in row)}" for number, row in enumerate(rows, 1)]
    black, white = numbers_of(position)
    return "\n".join([f"  {files}", *lines, f"  ● black {black}  ○ white {white}"])


def more_facts(position: Position) -> dict[str, Any]:
    """The number of discs of each player."""
    return {"discs": numbers_of(position)}


def _rows(position: Position, placement: str = ".") -> list[str]:
    """The rows from the top; cells where the mover may place are written as `placement`."""
    size = position.game.constants["SIZE"]
    signs = ["."] * size**2
    for sign, word in zip([*LETTERS, placement], position.words[1:], strict=True):
        for cell in range(size**2):
            if word >> cell & 1:
                signs[cell] = sign
    return ["".join(signs[first : first + size]) for first in range(0, size**2, size)]


def numbers_of(position: Position) -> list[int]:
    """The number of discs of each player."""
    return [count(word) for word in position.words[1:3]]


def _cell_name(cell: int, size: int) -> str:
    return PASS if cell == size**2 else f"{FILES[cell % size]}{cell // size + 1}"


def _check(rows: list[str]) -> None:
    """Each disc enclosed another when it was placed: two cells in a line beside it were taken before it."""
    size = len(rows)
    left = {(y, x) for y in range(size) for x in range(size) if rows[y][x] != "."}
    centre = {(y, x) for y in (size // 2 - 1, size // 2) for x in (size // 2 - 1, size // 2)}
    if not centre <= left:
        raise BadInput(f"{'/'.join(rows)} has an empty cell in the centre; the four cells there are always taken.")
    placed, new = set(), centre
    while new:
        placed |= new
        left -= new
        new = {(y, x) for y, x in left if any({(y + v, x + h), (y + 2 * v, x + 2 * h)} <= placed for v, h in STEPS)}
    if left:
        y, x = min(left)
        raise BadInput(f"The disc on {_cell_name(y * size + x, size)} cannot have enclosed another when it was placed.")
