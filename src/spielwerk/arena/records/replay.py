"""Replay: the games of a stored match, as they were kept, or played again from plan and seed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing

import numpy as np

from spielwerk.arena.playing.workers import Maker, Player
from spielwerk.arena.records.reader import parse
from spielwerk.arena.records.record import Record, result_text
from spielwerk.arena.records.retrace import records
from spielwerk.arena.records.rows import Ranges, StoredMatch
from spielwerk.arena.records.store import Store
from spielwerk.names import BadInput

AT_ONCE = 64  # games that are played again together


def replayed(store: Store, number: int, game: int, make: Maker, from_seed: bool = False) -> Record:
    """A game of a match: the kept record, or (always with `from_seed`) the game played again."""
    match = store.match(number)
    if not any(first <= game < first + count for first, count in store.played(number)):
        raise BadInput(f"Match {number} has no game {game}; stored: {_ranges(store.played(number))}.")
    if from_seed and match.imported:
        raise BadInput(f"Match {number} was imported, so its games cannot be played again from a seed.")
    kept = None if from_seed else store.record(number, game)
    if kept is not None:
        return parse(kept)
    with closing(Player(match.plan, make, keep=True)) as player:
        return _rebuilt(match, player, game, 1)[game]


def exported(store: Store, number: int, make: Maker) -> Iterator[tuple[int, Record | None, str | None]]:
    """Every game of a match: its number, its record, and what is wrong with it: damaged, or what `difference` says."""
    match = store.match(number)
    with ExitStack() as stack:
        player: Player | None = None
        for first, count in _pieces(store.played(number)):
            kept, again = store.records(number, first, count), {}
            if len(kept) < count and not match.imported:
                player = player or stack.enter_context(closing(Player(match.plan, make, keep=True)))
                again = _rebuilt(match, player, first, count)
            for game in range(first, first + count):
                yield game, *_written(store, match, game, kept.get(game), again.get(game))


def _written(
    store: Store, match: StoredMatch, game: int, kept: str | None, again: Record | None
) -> tuple[Record | None, str | None]:
    """The record of a game, as it was kept or else played again, and what is wrong with it."""
    try:
        if kept is not None:
            return parse(kept), None
        if again is None:
            raise BadInput("its record is missing.")
        return again, _unlike(match, _scores(store, match.number, game), again)
    except BadInput as problem:
        return None, f"Game {game}: {problem}"


def difference(store: Store, number: int, game: int, record: Record) -> str | None:
    """Says in one sentence how a game that was played again differs from what is stored, if it does."""
    match, score = store.match(number), _scores(store, number, game)
    kept = store.record(number, game)
    if kept is not None and parse(kept).turns != record.turns:
        return f"Other moves were played than those kept in the record. {_why(match)}"
    return _unlike(match, score, record)


def _scores(store: Store, number: int, game: int) -> np.ndarray:
    """The stored scores of one game."""
    ((_, scores),) = store.pieces(number, game, 1)
    return scores[0]


def _unlike(match: StoredMatch, stored: np.ndarray, record: Record) -> str | None:
    if record.scores is not None and np.allclose(stored, record.scores, rtol=1e-6):
        return None
    before, now = (result_text(scores) for scores in (stored.tolist(), record.scores))
    return f"The result is {now} now, but {before} is stored. {_why(match)}"


def _why(match: StoredMatch) -> str:
    return (
        f"The match was played by version {match.version}; an agent with a time limit, with several threads or in a "
        "program of its own also plays differently each time."
    )


def _rebuilt(match: StoredMatch, player: Player, first: int, count: int) -> dict[int, Record]:
    block, _ = player.play(first, count)
    return records(match.plan, player.game, block, match.number)


def _pieces(ranges: Ranges) -> Iterator[tuple[int, int]]:
    for first, count in ranges:
        for begin in range(first, first + count, AT_ONCE):
            yield begin, min(AT_ONCE, first + count - begin)


def _ranges(ranges: Ranges) -> str:
    return ", ".join(f"{first} to {first + count - 1}" for first, count in ranges) or "none"
