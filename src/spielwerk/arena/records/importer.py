"""Importing: games from files become matches of the store, without a seed; what is there already is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from spielwerk.arena.playing.block import Block
from spielwerk.arena.playing.plan import Plan
from spielwerk.arena.records.record import Record
from spielwerk.arena.records.retrace import check
from spielwerk.arena.records.store import Store, StoredMatch
from spielwerk.games.registry import game as game_of
from spielwerk.names import BadInput

Group = tuple[str, ...]  # the game, then the names of the agents


class Imported(NamedTuple):
    """What became of the games of a file."""

    matches: list[int]  # the numbers of those that they became
    known: int  # games that the store already had


def imported(store: Store, found: Iterable[tuple[int, Record]]) -> Imported:
    """Checks games (with the line each begins in) and stores all that the store does not have yet, or none.

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
        new = [_new(store, records) for records in groups.values()]
        numbers = [_stored(store, records) for records in new if records]
    return Imported(numbers, sum(map(len, groups.values())) - sum(map(len, new)))


def _group(record: Record) -> Group:
    names = set(record.agents)
    return (record.game, *(sorted(names) if len(names) <= 2 else record.agents))


def _new(store: Store, records: list[Record]) -> list[Record]:
    """Those that were neither played here nor imported before."""
    imported_before: Counter[str] = Counter()
    played: dict[tuple[str, str], list[_Played]] = {}
    seeds = {record.headers.get("Seed") for record in records}
    for match in store.matches(records[0].game):
        if match.imported:
            imported_before.update(store.records(match.number, 0, match.plan.games).values())
        elif str(match.plan.seed) in seeds and set(match.plan.agents) == set(records[0].agents):
            played.setdefault((str(match.plan.seed), match.plan.seating), []).append(_Played(store, match))
    new = []
    for record in records:
        text, about = record.text(), record.headers
        matches = played.get((about.get("Seed", ""), about.get("Seating", "teams")), [])
        if any(match.holds(record) for match in matches):
            continue
        if imported_before[text]:
            imported_before[text] -= 1  # a file may hold the same game several times
            continue
        new.append(record)
    return new


class _Played:
    """The games of a match that was played here."""

    def __init__(self, store: Store, match: StoredMatch) -> None:
        self.agents = match.plan.agents
        self.places = {str(number): i for i, number in enumerate(store.numbers(match.number).tolist())}
        self.seats, self.scores = store.seats(match.number), store.scores(match.number)

    def holds(self, record: Record) -> bool:
        """Whether a record of the same seed is one of them."""
        i = self.places.get(record.headers.get("Number", ""))
        if i is None or tuple(self.agents[agent] for agent in self.seats[i]) != record.agents:
            return False
        return np.allclose(self.scores[i], record.scores)


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
