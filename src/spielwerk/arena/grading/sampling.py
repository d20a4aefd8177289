"""Positions to grade agents in: decisions of games that were played at random, or by the agent against itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from spielwerk.arena.agent import Agent, NoSettings
from spielwerk.arena.compiled import Compiled
from spielwerk.arena.grading.phases import phase
from spielwerk.arena.matches.match import varies
from spielwerk.arena.playing.block import MOST
from spielwerk.arena.playing.boards import Boards
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.games.rules import CHANCE
from spielwerk.kernel.random import below, streams
from spielwerk.names import BadInput
from spielwerk.search.playout import random_choice

AT_ONCE = 16  # games
OPENING = 3  # games that would all be the same begin with up to a third of a random game


@dataclass(frozen=True)
class Decision:
    """A position in which there is more than one action to choose from in the turn, and its phase."""

    position: Position
    phase: str


class Blind(Compiled):
    """The random mover."""

    decide = random_choice


def from_random_play(game: Game, seed: int, purpose: str, games: int) -> Iterator[Iterator[Decision]]:
    """The decisions of each of so many random games, in any order; the same for the same seed and purpose."""
    blind = Blind(game, NoSettings())
    for first in range(0, games, AT_ONCE):
        lines, rngs = _played(blind, seed, purpose, first), _choices(seed, purpose, first)
        for line, rng in zip(lines, rngs, strict=True):
            yield _decisions(game, line, rng)


def from_own_play(agent: Agent, seed: int, games: int) -> Iterator[Iterator[Decision]]:
    """The decisions of each of so many games in which the agent plays all sides, in any order.

    Where nothing is drawn at random, games begin with random turns, since they would all be the same.
    """
    game, purpose = agent.game, "grade own"
    blind = None if agent.draws or varies(game) else Blind(game, NoSettings())
    for first in range(0, games, AT_ONCE):
        rngs = _choices(seed, purpose, first)
        begun = _openings(_played(blind, seed, purpose, first), rngs) if blind else None
        lines = _played(agent, seed, purpose, first, begun)
        for i, line in enumerate(lines):
            yield _decisions(game, line, rngs[i], len(begun[i]) - 1 if begun else 0)


def turns_played(game: Game, start: np.ndarray, trace: Sequence[int]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The state before and after each turn of a game, of which every action and roll is known."""
    play, roll, mover = (game.rule(name) for name in ("play", "roll", "mover"))
    state, before = start.copy(), start
    who = mover(state)
    for number in trace:
        (roll if who == CHANCE else play)(state, number)
        after = mover(state)
        if who == CHANCE:
            before = state.copy()
        elif who != after:
            yield before, state.copy()
            before = state.copy()
        who = after


def _choices(seed: int, purpose: str, first: int) -> np.ndarray:
    """A stream for each game of a batch, to choose from it by; [AT_ONCE, 1]."""
    return streams(seed, f"{purpose} choice", AT_ONCE, first)


def _played(
    agent: Agent, seed: int, purpose: str, first: int, begun: list[list[np.ndarray]] | None = None
) -> list[list[np.ndarray]]:
    """A batch of games that the agent plays alone, as lines (see `_line`), which go on from those `begun`."""
    game, seats = agent.game, np.zeros((AT_ONCE, agent.game.players), np.int64)
    dice, rngs = (streams(seed, f"{purpose} {part}", AT_ONCE, first) for part in ("dice", "moves"))
    boards = Boards(game, seats, dice, rngs, MOST)
    if begun:
        boards.states[:] = [line[-1] for line in begun]
    starts = boards.states.copy()
    over = np.zeros(AT_ONCE, bool)
    while not over.all():
        agent.advance(boards, 0)
        boards.grow()
        over, _ = boards.results()
    for _, reason in boards.faults.values():
        raise BadInput(f"{agent.name} has forfeited a game against itself: it {reason}")
    lines = [_line(game, start, trace) for start, trace in zip(starts, boards.traces(), strict=True)]
    return [line[:-1] + rest for line, rest in zip(begun, lines, strict=True)] if begun else lines


def _line(game: Game, start: np.ndarray, trace: Sequence[int]) -> list[np.ndarray]:
    """The states before each turn, and the last one."""
    turns = list(turns_played(game, start, trace))
    return [before for before, _ in turns] + [after for _, after in turns[-1:]]


def _openings(lines: list[list[np.ndarray]], rngs: np.ndarray) -> list[list[np.ndarray]]:
    """The beginning of each game, up to a turn that is drawn."""
    return [line[: 1 + below(rng, (len(line) - 1) // OPENING + 1)] for line, rng in zip(lines, rngs, strict=True)]


def _decisions(game: Game, line: list[np.ndarray], rng: np.ndarray, skipped: int = 0) -> Iterator[Decision]:
    """The decisions of a game in random order; the first turns that are `skipped` do not count."""
    turns = list(range(skipped, len(line) - 1))
    while turns:
        turn = turns.pop(below(rng, len(turns)))
        position = Position(game, line[turn])
        if _has_choice(position):
            yield Decision(position, phase(position, turn / (len(line) - 1)))


def _has_choice(position: Position) -> bool:
    """Whether the mover can do more than one thing in its turn."""
    here = position
    while here.mover == position.mover:
        actions = here.actions()
        if len(actions) > 1:
            return True
        here = here.play(actions[0])
    return False
