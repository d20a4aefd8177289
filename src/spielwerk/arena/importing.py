"""Importing: games from files become matches of the store, without a seed."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from spielwerk.arena.block import Block
from spielwerk.arena.plan import Plan
from spielwerk.arena.record import Record
from spielwerk.arena.retrace import check
from spielwerk.arena.store import Store
from spielwerk.games.registry import game as game_of
from spielwerk.names import BadInput

Group = tuple[str, ...]  # the game, then the names of the agents


def imported(store: Store, found: Iterable[tuple[int, Record]]) -> list[int]:
    """Checks games (with the line each begins in) and stores them all, or none; returns the numbers of the matches.

    Games between the same agents become one match. Where more than two different agents sit at a table, the one in
    the first seat is the first agent, and the others together are the second. The seating is "mixed" where the two sat
    in one team.
    """
    groups: dict[Group, list[Record]] = {}
    for line, record in found:
        try:
            check(record)
        except BadInput as problem:
            raise BadInput(f"Line {line}: {problem}") from None
        groups.setdefault(_group(record), []).append(record)
    if not groups:
        raise BadInput("There is no game in the file.")
    with store.transaction():
        return [_stored(store, records) for records in groups.values()]


def _group(record: Record) -> Group:
    names = set(record.agents)
    return (record.game, *(sorted(names) if len(names) <= 2 else record.agents))


def _stored(store: Store, records: list[Record]) -> int:
    # The agent with fewer seats is the first: alone among others it is the one that is measured.
    first, *others = sorted(dict.fromkeys(records[0].agents), key=records[0].agents.count)
    seats = np.array([[name != first for name in record.agents] for record in records])
    teams = np.array(game_of(records[0].game).constants["TEAM"])
    allied = all((seats[:, player] == seats[:, np.argmax(teams == team)]).all() for player, team in enumerate(teams))
    names = (first, " + ".join(others) or first)
    plan = Plan(records[0].game, names, len(records), seed=0, seating="teams" if allied else "mixed")
    faults = {game: record.fault for game, record in enumerate(records) if record.fault}
    number = store.begin(plan, imported=True)
    block = Block(0, np.array([record.scores for record in records]), faults)
    store.add(number, block, {game: record.text() for game, record in enumerate(records)}, seats)
    store.finish(number, len(records))
    return number
