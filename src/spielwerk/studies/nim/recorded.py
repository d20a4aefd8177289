"""What the history of a population says besides its figures: falls of its champions, large takes, whole games."""

from __future__ import annotations

from typing import Any

import numpy as np

from spielwerk.games.outputs import ILLEGAL
from spielwerk.learn.evolution.history.history import GAMES, NOTHING, History

PERFECT = 1 - 1e-9
STEADY = 10  # perfect champions in a row that are no luck
HALF = 0.5 + 1e-9
EARLY = 4  # the generation of the source's first log of stacks 1–8


def steady(marks: np.ndarray) -> int | None:
    """The first generation of so many perfect ones in a row; None where there is none."""
    if len(marks) < STEADY:
        return None
    places = np.flatnonzero(np.convolve(marks >= PERFECT, np.ones(STEADY), "valid") == STEADY)
    return int(places[0]) if len(places) else None


def spikes(marks: np.ndarray) -> dict[str, int]:
    """After a champion was first steady: generations, falls below perfect, and falls down to one half or less."""
    first = steady(marks)
    if first is None:
        return {"since": 0, "fallen": 0, "falls": 0, "halved": 0}
    later = marks[first:]
    fallen = later < PERFECT
    begun = fallen[1:] & ~fallen[:-1]  # the first ones are perfect
    spells = np.cumsum(np.concatenate(([False], begun))) * fallen
    halved = len(set(spells[later <= HALF].tolist()))
    return {"since": len(later), "fallen": int(fallen.sum()), "falls": int(begun.sum()), "halved": halved}


def largest_take(history: History, stacks: int, first: int) -> int | None:
    """The most matches that champions from generation `first` on take in a move of the games that are kept whole."""
    taken = [
        1 + action // stacks
        for generation in range(first, len(history.rows))
        for k in range(GAMES)
        for action in _own(history, generation, k)
        if action != ILLEGAL
    ]
    return max(taken, default=None)


def _own(history: History, generation: int, k: int) -> list[int]:
    """The champion's actions in a game that was kept; players take turns."""
    actions = [int(action) for action in history.traces[generation, k] if action != NOTHING]
    return actions[int(history.teams[generation, k]) :: 2]


def shown(history: History, stacks: int) -> list[dict[str, Any]]:
    """The whole games of an early generation and of the last one."""
    last = len(history.rows) - 1
    return [
        _game(history, stacks, generation, k)
        for generation in dict.fromkeys((min(EARLY, last), last))
        for k in range(GAMES)
        if history.against[generation, k] >= 0
    ]


def _game(history: History, stacks: int, generation: int, k: int) -> dict[str, Any]:
    """A game: the stacks before each move, and each move as stack and number; None for an illegal output."""
    matches = history.starts[generation, k, 1:].tolist()
    states, moves = [], list[list[int] | None]()
    for action in history.traces[generation, k].tolist():
        if action == NOTHING:
            break
        states.append(list(matches))
        stack, take = action % stacks, 1 + action // stacks
        moves.append(None if action == ILLEGAL else [stack, take])
        if action != ILLEGAL:
            matches[stack] -= take
    about = {"generation": generation, "against": int(history.against[generation, k])}
    return about | {"seat": int(history.teams[generation, k]), "states": states, "moves": moves}


def said(game: dict[str, Any]) -> str:
    """A game in a sentence, such as the source's logs."""
    turns = [
        f"{'-'.join(map(str, state))} {'illegal' if move is None else f'takes {move[1]}'}"
        + (f" of stack {move[0] + 1}" if move and len(state) > 1 else "")
        for state, move in zip(game["states"], game["moves"], strict=True)
    ]
    seat = "first" if game["seat"] == 0 else "second"
    return (
        f"Champion of generation {game['generation']} ({seat}) against that of {game['against']}: {', '.join(turns)}."
    )
