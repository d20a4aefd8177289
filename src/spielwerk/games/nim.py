"""Nim: take matches from one stack; with `misere`, whoever takes the last match loses.

State words: [mover, matches of stack 0, matches of stack 1, …]. Action: (take - 1) * STACKS + stack.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, permutations, product
from math import factorial, prod
from typing import Any

import numpy as np

from spielwerk.games.rules import OVER
from spielwerk.kernel.random import below
from spielwerk.kernel.specialise import unbound
from spielwerk.names import BadInput, choice, setting

TITLE = "Nim"
FACE = "spielwerk.games.face.nim"
SCENE = "spielwerk.games.scenes.nim"
EVALUATIONS = {"hand": "spielwerk.games.evaluation.nim"}
LAYOUT = "spielwerk.games.cells.nim"
OUTPUTS = "spielwerk.games.outputs.nim"
MOVE_PARTS = "spielwerk.games.move_parts.nim"
ORACLE = "spielwerk.solvers.nim:NimOracle"
VARIANTS = ("stacks=3-4-5", "stacks=8", "stacks=3-3-3", "misere=false", "sizes=random", "stacks=8-8-8,simple=true")
MOST_STACKS, MOST_MATCHES, MOST_TURNINGS = 8, 64, 720


@dataclass(frozen=True)
class Settings:
    """The settings of nim."""

    stacks: str = setting("1-3-5-7", "matches of each stack")
    sizes: str = choice("fixed", "random", help="random: each stack from 1 to its size at the start")
    misere: bool = setting(True, "whoever takes the last match loses")
    simple: bool = setting(False, "only one stack, drawn at random, is filled")

    def __post_init__(self) -> None:
        # One variant has one name: 01-3 is 1-3.
        if re.fullmatch(r"[0-9]+(-[0-9]+)*", self.stacks):
            object.__setattr__(self, "stacks", "-".join(size.lstrip("0") or "0" for size in self.stacks.split("-")))


SIZES: np.ndarray = unbound("SIZES")
STACKS: int = unbound("STACKS")
LARGEST: int = unbound("LARGEST")
RANDOM: bool = unbound("RANDOM")
SIMPLE: bool = unbound("SIMPLE")
LAST_LOSES: bool = unbound("LAST_LOSES")
TURNED: np.ndarray = unbound("TURNED")  # [symmetry, stack]: where the stack goes


def start(state, rng):
    state[0] = 0
    filled = below(rng, STACKS) if SIMPLE else 0
    for stack in range(STACKS):
        size = 1 + below(rng, SIZES[stack]) if RANDOM else SIZES[stack]
        state[1 + stack] = 0 if SIMPLE and stack != filled else size


def mover(state):
    for stack in range(STACKS):
        if state[1 + stack] > 0:
            return state[0]
    return OVER


def moves(state, out):
    largest = 0
    for stack in range(STACKS):
        largest = max(largest, state[1 + stack])
    n = 0
    for take in range(1, largest + 1):
        for stack in range(STACKS):
            if state[1 + stack] >= take:
                out[n] = (take - 1) * STACKS + stack
                n += 1
    return n


def play(state, action):
    state[1 + action % STACKS] -= action // STACKS + 1
    state[0] = 1 - state[0]


def scores(state, out):
    # The player now to move has not taken the last match.
    winner = state[0] if LAST_LOSES else 1 - state[0]
    out[winner] = 1.0
    out[1 - winner] = -1.0


def observe(state, player, out):
    for stack in range(STACKS):
        out[stack] = state[1 + stack] / LARGEST
    out[STACKS] = 1.0 if state[0] == player else 0.0


def turned_state(k, state, out):
    out[0] = state[0]
    for stack in range(STACKS):
        out[1 + TURNED[k, stack]] = state[1 + stack]


def turned(k, action):
    return action - action % STACKS + TURNED[k, action % STACKS]


def constants(settings: Settings) -> dict[str, Any]:
    """The constants of a variant."""
    sizes = stack_sizes(settings)
    turned = _turnings(sizes)
    return {
        "PLAYERS": 2,
        "TEAM": (0, 1),
        "WORDS": 1 + len(sizes),
        "ACTIONS": max(sizes) * len(sizes),
        "MOST_MOVES": sum(sizes),
        "MOST_OUTCOMES": 0,
        "SYMMETRIES": len(turned),
        "OBSERVATION": (len(sizes) + 1,),
        "LONGEST": max(sizes) if settings.simple else sum(sizes),
        "SIZES": np.array(sizes, np.int8),
        "STACKS": len(sizes),
        "LARGEST": max(sizes),
        "RANDOM": settings.sizes == "random",
        "SIMPLE": settings.simple,
        "LAST_LOSES": settings.misere,
        "TURNED": turned,
    }


def states(settings: Settings) -> int:
    """How many positions there are."""
    sizes = stack_sizes(settings)
    return 2 * (sum(sizes) + 1 if settings.simple else prod(size + 1 for size in sizes))


def starts(settings: Settings) -> Iterator[tuple[int, ...]]:
    """All starts where sizes are random, of which there may be too many to find them by drawing; otherwise none."""
    if settings.sizes != "random":
        return
    sizes = stack_sizes(settings)
    if not settings.simple:
        yield from ((0, *matches) for matches in product(*(range(1, size + 1) for size in sizes)))
        return
    for stack, size in enumerate(sizes):
        for matches in range(1, size + 1):
            yield (0, *(matches if other == stack else 0 for other in range(len(sizes))))


def stack_sizes(settings: Settings) -> list[int]:
    """The sizes that `stacks` writes."""
    sizes = [int(size) for size in re.findall(r"[0-9]{1,3}", settings.stacks)]
    if "-".join(map(str, sizes)) != settings.stacks:
        sizes = []
    if not 1 <= len(sizes) <= MOST_STACKS or not all(1 <= size <= MOST_MATCHES for size in sizes):
        limits = f"1 to {MOST_STACKS} stacks of 1 to {MOST_MATCHES} matches, such as 1-3-5-7"
        raise BadInput(f'nim: stacks cannot be "{settings.stacks}"; possible: {limits}.')
    return sizes


def _turnings(sizes: list[int]) -> np.ndarray:
    """The exchanges of stacks of equal size: all of them, or only rotations where they are too many."""
    every = prod(factorial(number) for number in Counter(sizes).values()) <= MOST_TURNINGS
    groups = [[i for i, size in enumerate(sizes) if size == value] for value in dict.fromkeys(sizes)]
    table = []
    for images in product(*(permutations(group) if every else _rotations(group) for group in groups)):
        places = dict(zip(chain(*groups), chain(*images), strict=True))
        table.append([places[stack] for stack in range(len(sizes))])
    return np.array(table, np.int8)


def _rotations(group: list[int]) -> list[tuple[int, ...]]:
    return [tuple(group[i:] + group[:i]) for i in range(len(group))]
