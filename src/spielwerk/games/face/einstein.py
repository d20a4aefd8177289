"""EinStein for people: `b2-c3` is a step; `X1X3X6../X2X5.../X4...O4/...O5O2/..O6O3O1 X -` is a position.

The rows from the top, each cell a stone or `.`; then who is to act and the die, `-` before the roll. At the end the
winning team and `wins` stand there: `X wins`, with three or four players also `XO wins`, `X* wins`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from spielwerk.games.einstein import BITS, GONE
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.games.face import Steps
    from spielwerk.games.game import Game
    from spielwerk.games.position import Position, Turn

NAMES = "XO*#"
COLOURS = ("red", "blue", "white", "black")
FILES = "abcdef"


def player_names(game: Game) -> tuple[str, ...]:
    """X begins."""
    return tuple(NAMES[: game.players])


def write(position: Position) -> str:
    """The rows, who is to act or has won, and the die."""
    size = position.game.constants["SIZE"]
    cells = [label or "." for label in _board(position)]
    rows = "/".join("".join(cells[size * row : size * (row + 1)]) for row in range(size))
    return f"{rows} {_status(position)}"


def read(game: Game, text: str) -> list[int]:
    """Any stones on any cells, unless the game would have ended before."""
    match = re.fullmatch(r"(\S+) ([XO*#]+) (-|[0-9]|wins)", text)
    if not match:
        raise BadInput(f'"{text}" is not a position of einstein; write rows, player, die, such as "{game.start()}".')
    stones = _stones(game, match[1].split("/"))
    winner = _winner(game, stones)
    words = [sum(cell << BITS * stone for stone, cell in enumerate(cells)) for cells in stones]
    if winner is None:
        return [*_turn(game, match[2], match[3]), *words]
    if f"{match[2]} {match[3]}" != f"{_team(game, winner)} wins":
        raise BadInput(f'The game is over: write "{_team(game, winner)} wins", not "{match[2]} {match[3]}".')
    return [-1 - winner, 0, *words]


def spell(steps: Steps, end: Position) -> str:
    """From which cell to which, or `pass`."""
    position, action = steps[0]
    constants, player = position.game.constants, position.mover
    if action == 3 * constants["STONES"]:
        return "pass"
    origin = _cells(position)[player][action // 3]
    cells = origin, constants["TO"][player, origin, action % 3]
    return "-".join(
        f"{FILES[cell % constants['SIZE']]}{constants['SIZE'] - cell // constants['SIZE']}" for cell in cells
    )


def understand(position: Position, turns: list[Turn], text: str) -> list[Turn]:
    """Also `b2xc3` and `b2c3`, and `c3` alone where only one stone can go there."""
    plain = re.sub(r"[\s:x–-]", "", text.lower())
    return [turn for turn in turns if plain in (turn.text.replace("-", ""), turn.text.rpartition("-")[2])]


def board(position: Position) -> str:
    """The stones in a grid, and who is to act."""
    return _grid(position, False)


def board_from(position: Position, seat: int) -> str:
    """The board turned by half where the player begins above."""
    size = position.game.constants["SIZE"]
    home = [cell // size for cell in _cells(position.game.start())[seat]]
    return _grid(position, 2 * sum(home) < (size - 1) * len(home))


def _grid(position: Position, turned: bool) -> str:
    size = position.game.constants["SIZE"]
    cells = [f" {label or '·':2} " for label in _board(position)][:: -1 if turned else 1]
    ranks = range(1, size + 1) if turned else range(size, 0, -1)
    rows = [f"{rank} │{'│'.join(cells[size * row : size * (row + 1)])}│" for row, rank in enumerate(ranks)]
    edges = [f"  {left}{middle.join(['────'] * size)}{right}" for left, middle, right in ("┌┬┐", "├┼┤", "└┴┘")]
    files = "    " + "    ".join(FILES[:size][:: -1 if turned else 1])
    return "\n".join([edges[0], f"\n{edges[1]}\n".join(rows), edges[2], files, _sentence(position)])


def more_facts(position: Position) -> dict[str, Any]:
    """The side of the board, the die (0 before the roll) and each player's cells (null where the stone is gone)."""
    cells = [[None if cell == GONE else cell for cell in stones] for stones in _cells(position)]
    return {"board": position.game.constants["SIZE"], "die": position.words[1], "stones": cells}


def _cells(position: Position) -> list[list[int]]:
    """The cell of each stone of each player, or GONE."""
    stones = range(position.game.constants["STONES"])
    return [[word >> BITS * stone & GONE for stone in stones] for word in position.words[2:]]


def _board(position: Position) -> list[str]:
    """The label of the stone on each cell, empty where there is none."""
    labels = [""] * position.game.constants["SIZE"] ** 2
    for name, stones in zip(NAMES, _cells(position), strict=False):
        for number, cell in enumerate(stones, 1):
            if cell != GONE:
                labels[cell] = f"{name}{number}"
    return labels


def _team(game: Game, team: int) -> str:
    """The players of a team."""
    return "".join(name for name, its in zip(NAMES, game.constants["TEAM"], strict=False) if its == team)


def _status(position: Position) -> str:
    who, die = position.words[:2]
    if who < 0:
        return f"{_team(position.game, -1 - who)} wins"
    return f"{NAMES[who]} {die or '-'}"


def _sentence(position: Position) -> str:
    """What is to be done, or who has won."""
    who, die = position.words[:2]
    if who >= 0:
        return f"{NAMES[who]} to play {die}" if die else f"{NAMES[who]} to roll"
    team = _team(position.game, -1 - who)
    return " and ".join(team) + (" win" if len(team) > 1 else " wins")


def _stones(game: Game, rows: list[str]) -> list[list[int]]:
    """The cells of each player's stones, GONE where a stone is not written."""
    size, number = game.constants["SIZE"], game.constants["STONES"]
    cells: list[str] = []
    for row in rows:
        labels = re.findall(r"[^.]\d?|\.", row)
        if len(rows) != size or len(labels) != size:
            raise BadInput(f'"{"/".join(rows)}" is not {size} rows of {size} cells, each a stone such as X1 or a dot.')
        cells += labels
    stones = [[GONE] * number for _ in range(game.players)]
    for cell, label in enumerate(cells):
        if label != ".":
            player, stone = _stone(game, label)
            if stones[player][stone] != GONE:
                raise BadInput(f"{label} is on the board twice.")
            stones[player][stone] = cell
    return stones


def _stone(game: Game, label: str) -> tuple[int, int]:
    """The player and the number, from 0, of a stone."""
    names, number = NAMES[: game.players], game.constants["STONES"]
    if not re.fullmatch(rf"[{names}][1-{number}]", label):
        raise BadInput(f'There is no stone "{label}" in {game.name}: {names[0]}1 to {names[-1]}{number}.')
    return names.index(label[0]), int(label[1]) - 1


def _winner(game: Game, stones: list[list[int]]) -> int | None:
    """The team that has won; None before the end."""
    team, goals = game.constants["TEAM"], game.constants["GOAL"].tolist()
    arrived = [player for player, goal in enumerate(goals) if goal != GONE and goal in stones[player]]
    beaten = [player for player, cells in enumerate(stones) if set(cells) == {GONE}]
    for players, what in ((arrived, "on their goals"), (beaten, "without a stone")):
        if len(players) > 1:
            raise BadInput(f"{' and '.join(NAMES[player] for player in players)} cannot both be {what}.")
    if arrived:
        return team[arrived[0]]
    return 1 - team[beaten[0]] if beaten else None


def _turn(game: Game, name: str, die: str) -> tuple[int, int]:
    """The player to act and the die."""
    if die == "wins":
        raise BadInput(f'The game is not over: write player and die, such as "X -", not "{name} wins".')
    if name not in player_names(game):
        raise BadInput(f'"{name}" is not a player of {game.name}; players: {", ".join(player_names(game))}.')
    faces = game.constants["STONES"]
    if die != "-" and not 1 <= int(die) <= faces:
        raise BadInput(f"The die cannot show {die}; possible: 1 to {faces}, or - before the roll.")
    return NAMES.index(name), 0 if die == "-" else int(die)
