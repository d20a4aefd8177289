"""Reads the observed games of the NNMM paper as its authors published them.

A line has 24 letters for the points (O empty, M a man of the mover, E one of the enemy), four digits (mover's hand,
enemy's hand, mover's men on the board, the enemy's), and with a move a dash and coordinates written together: placing
TO[REMOVE], moving FROM TO[REMOVE].
"""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import numpy as np

from spielwerk.files import opened_text
from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.games.move_parts.listing import broken_rules, legal_moves
from spielwerk.learn.imitation.data.bad_lines import BadLines, quoted
from spielwerk.learn.imitation.data.observed import PIECE, Observed
from spielwerk.names import BadInput

PAIRS, STATES = "DATASET.complete.txt", "STATES.complete.txt"
FORM = re.compile(r"([OME]{24})([0-9])([0-9])([0-9])([0-9])(?:-((?:[a-g][1-7]){1,3}))?")
MOST = 9  # men of a side
NOTHING = -1


def read(path: Path, game: Game, moves: bool) -> tuple[Observed, BadLines]:
    """The positions of a file, with the moves of those that are pairs; and what could not be read of it."""
    if game.kind != "morris" or game.settings.rules != "standard":
        raise BadInput(f"{path} holds nine men's morris, not {game.name}.")
    bad, numbers, words, parts = BadLines(path), list[int](), list[tuple[int, ...]](), list[tuple[int, ...]]()
    names = {name: i for i, name in enumerate(game.graph.points)} if game.graph else {}
    with opened_text(path, gzip.open if path.suffix == ".gz" else open, errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            found = _line(line.strip(), names, moves)
            if isinstance(found, str):
                bad.add(number, found)
                continue
            numbers.append(number)
            words.append(found[0])
            parts.append(found[1])
    states = np.array(words, np.int64).reshape(-1, 5)
    return _checked(game, states, np.array(parts, np.int16).reshape(-1, 3), numbers, bad, moves)


def _line(line: str, names: dict[str, int], moves: bool) -> tuple[tuple[int, ...], tuple[int, ...]] | str:
    """The men and hands of both sides, and the parts of the move; a sentence where the line has none of them."""
    match = FORM.fullmatch(line)
    if not match:
        return f'"{quoted(line)}" is no position of the published form.'
    board, *digits, move = match.groups()
    own_hand, other_hand, own_men, other_men = map(int, digits)
    own, other = (sum(1 << i for i, letter in enumerate(board) if letter == side) for side in "ME")
    if (own.bit_count(), other.bit_count()) != (own_men, other_men):
        return f"the board has other men than the digits {own_men} and {other_men} say."
    if max(own_men + own_hand, other_men + other_hand) > MOST:
        return f"a side has more than {MOST} men, on the board and in hand."
    if moves != (move is not None):
        return "a move is missing." if moves else "there is a move where only a position should be."
    found = _move([move[i : i + 2] for i in range(0, len(move), 2)], names, own_hand > 0) if move else ()
    return found if isinstance(found, str) else ((own, other, own_hand, other_hand, 0), found or (0, 0, 0))


def _move(points: list[str], names: dict[str, int], placing: bool) -> tuple[int, ...] | str:
    """The parts TO, FROM and REMOVE."""
    if not all(point in names for point in points) or len(points) > (2 if placing else 3):
        return f'"{"".join(points)}" is no move.'
    if not placing and len(points) < 2:
        return f'"{"".join(points)}" is no move: from where is missing.'
    where = [names[point] for point in points]
    none = len(names)
    source, rest = (none, where) if placing else (where[0], where[1:])
    return rest[0], source, rest[1] if len(rest) > 1 else none


def _checked(
    game: Game, men: np.ndarray, parts: np.ndarray, numbers: list[int], bad: BadLines, moves: bool
) -> tuple[Observed, BadLines]:
    """Those in which somebody can move and, with moves, has moved by the rules."""
    from spielwerk.games.morris import HAND, MEN

    states = np.zeros((len(men), game.constants["WORDS"]), np.int64)
    states[:, MEN : MEN + 2], states[:, HAND : HAND + 2] = men[:, :2], men[:, 2:4]
    good = np.zeros(len(states), bool)
    played = np.full((len(states), game.move_parts.actions), NOTHING, np.int32)
    for first in range(0, len(states), PIECE):
        here = slice(first, first + PIECE)
        batch = Batch(game, states[here])
        listed = legal_moves(batch)
        can = np.diff(listed.offsets) > 0
        rules = np.full(len(can), -1) if not moves else broken_rules(batch, parts[here])
        for i in np.flatnonzero(~can | (rules >= 0)):
            said = f"the move is not legal: {game.move_parts.rules[rules[i]]}." if can[i] else "nobody can move there."
            bad.add(numbers[first + int(i)], said)
        good[here] = can & (rules < 0)
        if moves:
            same = (listed.parts == parts[here][listed.owners]).all(axis=1)
            played[here][listed.owners[same]] = listed.played[same]
    bad.found.sort()
    bad.good = int(good.sum())
    bad.check()
    return Observed(game, states[good], played[good] if moves else None), bad
