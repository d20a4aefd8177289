"""Labels positions anew: what an oracle would move there, and all moves that are as good; only the labels are kept."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np

from spielwerk import folders
from spielwerk.arena.grading.questions import question
from spielwerk.data import json_text
from spielwerk.files import write_text
from spielwerk.games.game import Game
from spielwerk.games.position import Position, Turn
from spielwerk.learn.imitation.data.folder import ABOUT, PAIRS, about
from spielwerk.learn.imitation.data.observed import Best, Observed
from spielwerk.learn.imitation.data.rows import rows_of
from spielwerk.learn.imitation.data.shards import check_format, read_shard, shard_file, write_shard
from spielwerk.names import BadInput
from spielwerk.solvers.oracle import Oracle
from spielwerk.version import __version__

SHARD = 1024  # positions


def label(given: Observed, oracle: Oracle, folder: Path, form: str, callback: Callable[[int, int], None]) -> int:
    """Writes a folder of the same positions with the best moves; positions that the oracle does not know are left out.

    A folder that was begun before with the same positions is gone on with. `callback` receives how many were looked at,
    and how many are known.
    """
    check_format(form)
    folders.made(folder)
    facts = {"game": given.game.name, "teacher": "oracle", "positions": len(given), "form": form}
    facts |= {"source": zlib.crc32(np.ascontiguousarray(given.states).tobytes())}
    found = about(folder)
    other = any(folder.iterdir()) if found is None else any(found.get(key) != value for key, value in facts.items())
    if other:
        raise BadInput(f"{folder} holds something else; name an empty folder, or one that does not exist yet.")
    write_text(folder / ABOUT, json_text({**facts, "version": __version__}))
    known = 0
    for number, first in enumerate(range(0, len(given), SHARD)):
        path = shard_file(folder, PAIRS, number, form)
        part = given.rows(np.arange(first, min(first + SHARD, len(given))))
        if not path.exists():
            write_shard(path, rows_of(labels(part, oracle)))
        known += sum(1 for _ in read_shard(path))
        callback(min(first + SHARD, len(given)), known)
    return known


def labels(given: Observed, oracle: Oracle) -> Observed:
    """The best moves of each position that the oracle knows; the first of them is the move."""
    game, chosen, moves, counts = given.game, list[int](), list[list[int]](), list[int]()
    for i, state in enumerate(given.states):
        best = _best(game, oracle, Position(game, state))
        if best:
            chosen.append(i)
            moves += best
            counts.append(len(best))
    played = np.array(moves, np.int32).reshape(-1, game.move_parts.actions)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Observed(game, given.states[chosen], played[offsets[:-1]], Best(played, offsets))


def _best(game: Game, oracle: Oracle, position: Position) -> list[list[int]]:
    """The actions of all best moves; none where the oracle does not know."""
    asked = question(oracle, position, "")
    if asked is None:
        return []
    most = max(worth.place for worth in asked.worths.values())
    turns = [turn for turn in position.turns() if asked.worths[turn.end.words].place == most]
    return list(dict.fromkeys(map(tuple, (_move(game, turn) for turn in turns))))  # type: ignore[return-value]


def _move(game: Game, turn: Turn) -> list[int]:
    """The first actions of a turn, as many as make a move."""
    most = game.move_parts.actions
    actions = [action for _, action in turn.steps][:most]
    return actions + [-1] * (most - len(actions))
