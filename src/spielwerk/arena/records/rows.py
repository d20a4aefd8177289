"""What the rows of the store hold: plans, results, tournaments; read without trust, since anybody can write a file."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.arena.playing.plan import Plan
from spielwerk.data import cleaned, is_whole, parsed
from spielwerk.games.game import Game
from spielwerk.names import BadInput, printable

SCORE, SEAT = "<f4", "u1"  # how results and seats are kept: little-endian, compressed
QUICK = 1  # the level of compression: blocks are written while a match waits
MOST_DEFLATED = 1100  # bytes that become one, at most
MOST_GAMES = 10**12  # of a match
MOST_NUMBER = 2**63 - 1
MOST_PLAYERS = 1000
WHOLE = ("seed", "opening")  # what else of a plan is a whole number

Ranges = list[tuple[int, int]]  # (first, count) of games that follow each other


@dataclass(frozen=True)
class StoredMatch:
    """A match as far as it has been played."""

    number: int
    plan: Plan
    tournament: int | None
    played: int  # games stored
    finished: bool
    started: str  # ISO time, UTC
    version: str  # of Spielwerk
    imported: bool = False  # from a file: there is no seed to play it again from


@dataclass(frozen=True)
class StoredTournament:
    """A tournament; its matches are `store.matches(tournament=number)`."""

    number: int
    game: str
    agents: tuple[str, ...]
    settings: dict[str, Any]
    started: str
    finished: bool


def match_of(row: Sequence[Any], blocks: Iterable[Sequence[Any]]) -> StoredMatch:
    """The match that a row and its blocks describe; BadInput names one that is damaged."""
    number, plan, tournament, finished, started, version, imported = row
    try:
        found = plan_of(plan)
        played = sum(count for _, count in merged(checked(blocks)))
        if tournament is not None and not is_whole(tournament, 0, MOST_NUMBER):
            raise ValueError
    except (ValueError, TypeError, KeyError, AttributeError):
        raise damaged("Match", number) from None
    about = cleaned(str(started)), cleaned(str(version))
    return StoredMatch(number, found, tournament, played, bool(finished), *about, bool(imported))


def plan_of(text: Any) -> Plan:
    """The plan that a row holds; an error of any kind where it is none."""
    fields = cleaned(parsed(text))
    names = [fields["game"], *fields["agents"]]
    whole = is_whole(fields["games"], 1, MOST_GAMES) and all(type(fields.get(key, 0)) is int for key in WHOLE)
    if len(names) != 3 or not all(isinstance(name, str) for name in names) or not whole:
        raise ValueError
    return Plan(**fields | {"agents": tuple(fields["agents"])})


def tournament_of(row: Sequence[Any]) -> StoredTournament:
    """The tournament that a row describes; BadInput names one that is damaged."""
    number, game, agents, settings, started, finished = row
    try:
        names, chosen = cleaned(parsed(agents)), cleaned(parsed(settings))
        if not isinstance(chosen, dict) or not all(isinstance(name, str) for name in [game, *names]):
            raise ValueError
    except (ValueError, TypeError):
        raise damaged("Tournament", number) from None
    return StoredTournament(number, game, tuple(names), chosen, cleaned(str(started)), bool(finished))


def fault_of(match: int, row: Sequence[Any]) -> tuple[int, tuple[int, str]]:
    """The game of a match that a row says was forfeited, by which player, and why; BadInput where it says no such."""
    game, player, reason = row
    if not is_whole(game, 0, MOST_GAMES) or not is_whole(player, 0, MOST_PLAYERS):
        raise damaged("Match", match, " (one of its forfeits)")
    return game, (player, printable(str(reason)))


def checked(blocks: Iterable[Sequence[Any]]) -> Ranges:
    """The games that blocks say they hold; ValueError where they cannot, by their size in bytes."""
    found = []
    for first, count, size in blocks:
        if not is_whole(first, 0, MOST_GAMES) or not is_whole(count, 1, size * MOST_DEFLATED):
            raise ValueError
        found.append((first, count))
    return found


def merged(blocks: Iterable[tuple[int, int]]) -> Ranges:
    """Ranges in ascending order, those that touch or overlap joined."""
    ranges: Ranges = []
    for first, count in blocks:
        if ranges and first <= sum(ranges[-1]):
            begin, length = ranges.pop()
            first, count = begin, max(length, first + count - begin)
        ranges.append((first, count))
    return ranges


def ranges_of(wanted: np.ndarray) -> Ranges:
    """Where a mask [n] is true."""
    edges = np.flatnonzero(np.diff(wanted.astype(np.int8), prepend=0, append=0)).tolist()
    return [(first, end - first) for first, end in zip(edges[::2], edges[1::2], strict=True)]


def packed(values: np.ndarray, kind: str) -> bytes:
    """An array as a row keeps it."""
    return zlib.compress(values.astype(kind).tobytes(), QUICK)


def unpacked(data: Any, kind: str, rows: int, game: Game, open_ended: bool = False) -> np.ndarray:
    """An array [rows, players] that a row keeps; ValueError where it holds anything else.

    `open_ended`: games may have no result, which is kept as NaN for each player.
    """
    size = rows * game.players * np.dtype(kind).itemsize
    try:
        reader = zlib.decompressobj()
        found = reader.decompress(data, size + 1)
    except (zlib.error, TypeError):
        raise ValueError from None
    if len(found) != size or not reader.eof:
        raise ValueError
    values = np.frombuffer(found, kind).reshape(rows, -1)
    left = np.isnan(values).all(axis=1, keepdims=True) if open_ended else False
    if kind == SCORE and not np.all(np.isfinite(values) | left):
        raise ValueError
    return values


def damaged(what: str, number: Any, more: str = "") -> BadInput:
    """The error for a row that holds something else than it should."""
    return BadInput(f"{what} {number} of the store is damaged{more}.")
