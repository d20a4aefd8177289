"""Fresh decisions: one of each of many games in which our network plays most turns, and pubeval some."""

from __future__ import annotations

import functools
import threading

import numpy as np

from spielwerk.agents.registry import agent
from spielwerk.arena.agent import Agent
from spielwerk.games.position import Position
from spielwerk.games.registry import game
from spielwerk.studies.backgammon.ladder import GAME

BLOCK = 10  # games that are played, and kept in memory, together
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
    players = [agent(name, GAME) for name in ("td", "pubeval")]
    return [_decision(players, np.random.default_rng((seed, block * BLOCK + i))) for i in range(BLOCK)]


def _decision(players: list[Agent], rng: np.random.Generator) -> Position:
    """A position of a new game in which there is something to choose; all its turns are equally likely."""
    line = _played(players, rng)
    return next(line[i] for i in rng.permutation(len(line)) if len(line[i].turns()) > 1)


def _played(players: list[Agent], rng: np.random.Generator) -> list[Position]:
    """The positions of a game in which somebody was to move."""
    here, line = game(GAME).start(), list[Position]()
    while not here.over:
        if here.chance:
            outcomes, chances = zip(*here.outcomes(), strict=True)
            here = here.roll(int(rng.choice(outcomes, p=np.array(chances) / sum(chances))))
        else:
            line.append(here)
            here = players[int(rng.random() < PUBEVALS)].turn(here).end
    return line
