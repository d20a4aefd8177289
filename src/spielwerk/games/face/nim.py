"""Nim for people: `2:3` takes three matches from the second stack; `1-3-5-7 A` is a position."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.games.face import Steps
    from spielwerk.games.game import Game
    from spielwerk.games.position import Position, Turn

NAMES = ("A", "B")


def player_names(game: Game) -> tuple[str, ...]:
    """A begins."""
    return NAMES


def write(position: Position) -> str:
    """The stacks and the player to move."""
    return f"{'-'.join(map(str, position.words[1:]))} {NAMES[position.words[0]]}"


def read(game: Game, text: str) -> list[int]:
    """Stacks no higher than at the start, and with `simple` one at the most that is not empty."""
    match = re.fullmatch(r"([0-9]{1,3}(?:-[0-9]{1,3})*) ([AB])", text)
    if not match:
        raise BadInput(f'"{text}" is not a position of nim; write stacks and mover, such as "{game.start()}".')
    stacks = [int(stack) for stack in match[1].split("-")]
    sizes = game.constants["SIZES"].tolist()
    if len(stacks) != len(sizes):
        raise BadInput(f"{match[1]} has {len(stacks)} stacks; {game.name} has {len(sizes)}.")
    for number, (stack, size) in enumerate(zip(stacks, sizes, strict=True), 1):
        if stack > size:
            raise BadInput(f"Stack {number} cannot have {stack} matches; {game.name} allows {size}.")
    if game.constants["SIMPLE"] and sum(stack > 0 for stack in stacks) > 1:
        raise BadInput(f"{match[1]} has more than one filled stack; {game.name} has only one.")
    return [NAMES.index(match[2]), *stacks]


def spell(steps: Steps, end: Position) -> str:
    """Stack and number taken."""
    stacks = len(end.words) - 1
    action = steps[0][1]
    return f"{action % stacks + 1}:{action // stacks + 1}"


def understand(position: Position, turns: list[Turn], text: str) -> list[Turn]:
    """Two numbers, whatever stands between them."""
    match = re.fullmatch(r"\s*([0-9]{1,2})[\s:,.-]+([0-9]{1,2})\s*", text)
    return [turn for turn in turns if match and turn.text == f"{int(match[1])}:{int(match[2])}"]


def board(position: Position) -> str:
    """A row of matches a stack."""
    rows = [f"{number} {'|' * stack or '-'}" for number, stack in enumerate(position.words[1:], 1)]
    return "\n".join(rows)
