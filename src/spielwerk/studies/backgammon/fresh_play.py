"""Fresh decisions: one of each of many games in which our network plays most turns, and pubeval some."""

from __future__ import annotations

import functools
import threading

import numpy as np

from spielwerk.agents.registry import agent
from spielwerk.arena.agent import Agent
from spielwerk.games.batch import Batch
from spielwerk.games.position import Position
from spielwerk.games.registry import game
from spielwerk.studies.backgammon.ladder import GAME

BLOCK = 100  # games that are played, and whose decisions are kept in memory, together
PUBEVALS = 0.25  # the share of turns that pubeval plays, drawn turn by turn
PLAYING = threading.Lock()  # who needs the same games waits for them


def decisions(seed: int, first: int, last: int) -> list[Position]:
    """The fresh decisions of those numbers; each depends on nothing but the seed and its number."""
    found = []
    for block in range(first // BLOCK, -(-last // BLOCK)):
        with PLAYING:
            found += _block(seed, block)
    skipped = first // BLOCK * BLOCK
    return found[first - skipped : last - skipped]


@functools.cache
def _block(seed: int, block: int) -> list[Position]:
    """A position of each new game in which there is something to choose; all its turns are equally likely."""
    rng, variant = np.random.default_rng((seed, block)), game(GAME)
    lines = _played(variant.batch(BLOCK, seed=int(rng.integers(2**31)), threads=1), rng)
    made = []
    for line in lines:
        there = (Position(variant, line[turn]) for turn in rng.permutation(len(line)))
        made.append(next(position for position in there if len(position.turns()) > 1))
    return made


def _played(batch: Batch, rng: np.random.Generator) -> list[list[np.ndarray]]:
    """The positions of each game in which somebody was to move."""
    players, lines = [agent(name, GAME) for name in ("td", "pubeval")], [list[np.ndarray]() for _ in range(len(batch))]
    while True:
        batch.roll()
        going = np.flatnonzero(batch.movers >= 0)
        if not len(going):
            return lines
        for board in going:
            lines[board].append(batch.states[board].copy())
        pubevals = rng.random(len(batch)) < PUBEVALS
        for player, own in zip(players, (~pubevals, pubevals), strict=True):
            _take_turns(player, batch, going[own[going]])


def _take_turns(player: Agent, batch: Batch, rows: np.ndarray) -> None:
    """A whole turn of one player on some boards."""
    part = batch.select(rows)
    while len(rows) and (part.movers >= 0).any():
        part.play(player.choose_many(part, part.rngs))
    batch.states[rows] = part.states
