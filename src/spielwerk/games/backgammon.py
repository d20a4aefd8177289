"""Backgammon: bring your checkers home and bear them off before the other player; no doubling cube.

State words: [player to act or roll, stage, larger die, smaller die, four planes of player 0, four planes
of player 1]. A plane holds one binary digit of the number of checkers on each place, one bit a place:
bit p - 1 for the owner's own point p, bit 24 for the bar. What is on no place has been borne off.

Action: (m1 * 26 + m2) * 2 + b: origins of the two checkers in the order they move, 24 the bar, 25 none;
b = 0 plays the larger die first. Of actions that lead to the same position only the smallest is legal.
A double is two such actions with b = 0; the second is a stage of its own. Outcome: 10 * larger + smaller.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from spielwerk.games.boards.backgammon import (
    BAR,
    FAR_HOME,
    PLANES,
    POINTS,
    across,
    after,
    checkers_left,
    checkers_on,
    lift,
    made,
    occupied,
    origins,
    planes_of,
    put,
)
from spielwerk.games.observations.backgammon import CLASSES, EXPERT, TESAURO, expert, tesauro
from spielwerk.games.observations.backgammon_bits import BITS, bits
from spielwerk.games.rules import CHANCE, OVER
from spielwerk.kernel.bits import lowest
from spielwerk.kernel.specialise import unbound
from spielwerk.names import choice

TITLE = "Backgammon"
FACE = "spielwerk.games.face.backgammon"
SCENE = "spielwerk.games.scenes.backgammon"
EVALUATIONS = {"pubeval": "spielwerk.games.evaluation.backgammon"}
LAYOUT = "spielwerk.games.cells.backgammon"
CHANCES = "spielwerk.games.chances.backgammon"
SCORING = ("scoring",)
ORACLE = "spielwerk.solvers.bearoff.oracle:BearOff"
PHASES = "spielwerk.games.phases.backgammon"
JUDGED = "spielwerk.games.judged.backgammon:read"
FORMATS = {"mat": "spielwerk.arena.records.formats.mat"}
GRAPH = "spielwerk.games.graphs.backgammon:graph"
MOVE_PARTS = "spielwerk.games.move_parts.backgammon"
PUBLIC_SET = ("spielwerk.solvers:gnubg_judged.jsonl.gz", {"checkers": 15})  # equities of money play measure all
OBSERVATIONS = {"tesauro": ((TESAURO,), tesauro), "expert": ((EXPERT,), expert), "bits": ((BITS,), bits)}
INPUTS = "expert"
INPUT_CLASSES = {"expert": len(CLASSES)}
VARIANTS = ("scoring=gammon", "scoring=full", "checkers=3", "checkers=3,scoring=full")
EQUITIES = True  # players count regret in thousandths of a point
ROLL, OPENING, FIRST, SECOND, DONE = 0, 1, 2, 3, 4  # stages
NONE = 25  # the origin of no checker


@dataclass(frozen=True)
class Settings:
    """The settings of backgammon."""

    scoring: str = choice("win", "gammon", "full", help="1 a game; 2 for a gammon; 3 for a backgammon too")
    checkers: int = choice(15, 3, help="3 is hyper-backgammon")


CHECKERS: int = unbound("CHECKERS")
SETUP: np.ndarray = unbound("SETUP")  # [24]: checkers on a player's own points
GAMMON: float = unbound("GAMMON")  # the score of each kind of win
BACKGAMMON: float = unbound("BACKGAMMON")


def start(state, rng):
    state[0] = 0
    state[1] = OPENING
    for word in range(2, 4 + 2 * PLANES):
        state[word] = 0
    for point in range(24):
        for digit in range(PLANES):
            bit = ((SETUP[point] >> digit) & 1) << point
            state[planes_of(0) + digit] |= bit
            state[planes_of(1) + digit] |= bit


def mover(state):
    if state[1] == DONE:
        return OVER
    return CHANCE if state[1] <= OPENING else state[0]


def roller(state):
    return state[0]


def outcomes(state, out, weights):
    n = 0
    for larger in range(1, 7):
        for smaller in range(1, larger + 1):
            double = larger == smaller
            if not double or state[1] != OPENING:
                out[n] = 10 * larger + smaller
                weights[n] = 1 if double else 2
                n += 1
    return n


def roll(state, outcome):
    state[1] = FIRST
    state[2] = outcome // 10
    state[3] = outcome % 10


def moves(state, out):
    own_planes = planes_of(state[0])
    other_planes = planes_of(1 - state[0])
    own = occupied(state, own_planes)
    single = own & ~made(state, own_planes)
    free = POINTS & ~across(made(state, other_planes))
    if state[2] == state[3]:
        n = double_plays(own, single, free, state[2], out)
    else:
        blots = across(occupied(state, other_planes)) & free
        n = plays(own, single, free, blots, state[2], state[3], out)
    return n if n > 0 else short_plays(own, free, state[2], state[3], out)


def short_plays(own, free, larger, smaller, out):
    """Plays of one die, the larger if there is a choice, or the pass."""
    b = 0
    first = origins(own, free, larger)
    if first == 0:
        b = 1
        first = origins(own, free, smaller)
    if first == 0:
        out[0] = (NONE * 26 + NONE) * 2
        return 1
    n = 0
    while first:
        out[n] = (lowest(first) * 26 + NONE) * 2 + b
        first &= first - 1
        n += 1
    return n


def plays(own, single, free, blots, larger, smaller, out):
    """Plays of both dice, of different numbers."""
    first_larger = origins(own, free, larger)
    first_smaller = origins(own, free, smaller)
    firsts = first_larger | first_smaller
    n = 0
    while firsts:
        m1 = lowest(firsts)
        firsts &= firsts - 1
        then_smaller = 0
        then_larger = 0
        if (first_larger >> m1) & 1:
            then_smaller = origins(after(own, single, m1, larger), free, smaller)
        if (first_smaller >> m1) & 1:
            then_larger = origins(after(own, single, m1, smaller), free, larger)
        seconds = then_smaller | then_larger
        while seconds:
            m2 = lowest(seconds)
            seconds &= seconds - 1
            if (then_smaller >> m2) & 1 and is_smallest(own, single, free, blots, larger, smaller, m1, m2, 0):
                out[n] = number(m1, m2, 0)
                n += 1
            if (then_larger >> m2) & 1 and is_smallest(own, single, free, blots, larger, smaller, m2, m1, 1):
                out[n] = number(m2, m1, 1)
                n += 1
    return n


def number(x, y, b):
    """The action that moves x by the larger die and y by the smaller, in the order b."""
    return (x * 26 + y) * 2 if b == 0 else (y * 26 + x) * 2 + 1


def playable(own, single, free, larger, smaller, x, y, b):
    """Whether x can move by the larger die and y by the smaller, in the order b."""
    if b == 0:
        m1, die1, m2, die2 = x, larger, y, smaller
    else:
        m1, die1, m2, die2 = y, smaller, x, larger
    if (origins(own, free, die1) >> m1) & 1 == 0:
        return False
    return (origins(after(own, single, m1, die1), free, die2) >> m2) & 1 == 1


def is_smallest(own, single, free, blots, larger, smaller, x, y, b):
    """Whether no smaller action leads to the same position as x by the larger die and y by the smaller.

    The order does not change where they lead. Nor does one other pairing: if both bear off, each with the
    other's die; if one checker makes both steps, the same journey over the other point between, unless a
    blot is hit on one of the two ways.
    """
    this = number(x, y, b)
    if number(x, y, 1 - b) < this and playable(own, single, free, larger, smaller, x, y, 1 - b):
        return False
    origin = x if y == x - larger else (y if x == y - smaller else -1)
    if origin >= larger and ((blots >> (origin - larger)) | (blots >> (origin - smaller))) & 1 == 0:
        other_x, other_y = (origin - smaller, origin) if origin == x else (origin, origin - larger)
    elif x < smaller and y < smaller and x != y:
        other_x, other_y = y, x
    else:
        return True
    for order in range(2):
        less = number(other_x, other_y, order) < this
        if less and playable(own, single, free, larger, smaller, other_x, other_y, order):
            return False
    return True


def double_plays(own, single, free, die, out):
    """Plays of two checkers by a double.

    Steps of equal length do not spoil each other: of two that are possible, each still is after the other.
    So any two steps can be part of the most steps possible, and nothing more is to be looked at.
    """
    firsts = origins(own, free, die)
    left = firsts
    n = 0
    while left:
        m1 = lowest(left)
        left &= left - 1
        seconds = origins(after(own, single, m1, die), free, die)
        while seconds:
            m2 = lowest(seconds)
            seconds &= seconds - 1
            swapped = m2 < m1 and (firsts >> m2) & 1
            if not (swapped and (origins(after(own, single, m2, die), free, die) >> m1) & 1):
                out[n] = (m1 * 26 + m2) * 2
                n += 1
    return n


def play(state, action):
    m1 = action // 52
    m2 = action // 2 % 26
    first = 2 + action % 2  # the word of the die played first
    step(state, m1, state[first])
    step(state, m2, state[5 - first])
    if occupied(state, planes_of(state[0])) == 0:
        state[1] = DONE
    elif state[1] == FIRST and state[2] == state[3] and m2 != NONE:
        state[1] = SECOND
        return
    else:
        state[0] = 1 - state[0]
        state[1] = ROLL
    state[2] = 0
    state[3] = 0


def step(state, origin, die):
    """Moves the mover's checker from `origin`, hitting a blot where it lands."""
    if origin == NONE:
        return
    own = planes_of(state[0])
    other = planes_of(1 - state[0])
    lift(state, own, origin)
    if origin >= die:
        put(state, own, origin - die)
        landing = 23 - (origin - die)
        if (occupied(state, other) >> landing) & 1:
            lift(state, other, landing)
            put(state, other, BAR)


def scores(state, out):
    winner = state[0]
    loser = planes_of(1 - winner)
    score = 1.0
    if checkers_left(state, loser) == CHECKERS:
        caught = occupied(state, loser) & (FAR_HOME | (1 << BAR))
        score = BACKGAMMON if caught else GAMMON
    out[winner] = score
    out[1 - winner] = -score


def observe(state, player, out):
    """Nine planes of 24 points as `player` counts them: own and other's checkers, bars, borne off; dice; player."""
    for side in range(2):
        planes = planes_of(player if side == 0 else 1 - player)
        bar = checkers_on(state, planes, BAR) / CHECKERS
        off = 1.0 - checkers_left(state, planes) / CHECKERS
        for point in range(24):
            seen = point if side == 0 else 23 - point
            out[24 * side + seen] = checkers_on(state, planes, point) / CHECKERS
            out[24 * (2 + side) + point] = bar
            out[24 * (4 + side) + point] = off
            out[24 * (6 + side) + point] = state[2 + side] / 6
    for point in range(24):
        out[24 * 8 + point] = player


def constants(settings: Settings) -> dict[str, Any]:
    """The constants of a variant."""
    setup = np.zeros(24, np.int8)
    setup[[23, 12, 7, 5]] = (2, 5, 3, 5)
    if settings.checkers == 3:
        setup = np.array([0] * 21 + [1] * 3, np.int8)
    return {
        "WORDS": 4 + 2 * PLANES,
        "ACTIONS": 26 * 26 * 2,
        "MOST_MOVES": 2 * 15 * 16,  # two orders, 15 origins at first, one more then
        "MOST_OUTCOMES": 21,
        "OBSERVATION": (9, 24),
        "CHECKERS": settings.checkers,
        "SETUP": setup,
        "GAMMON": 1.0 if settings.scoring == "win" else 2.0,
        "BEST": {"win": 1.0, "gammon": 2.0, "full": 3.0}[settings.scoring],
        "BACKGAMMON": {"win": 1.0, "gammon": 2.0, "full": 3.0}[settings.scoring],
    }


def states(settings: Settings) -> int:
    """How many positions there are before a roll: one player's men on m points, the other's elsewhere."""
    n = settings.checkers
    total = 0
    for m in range(min(n, 24) + 1):
        inside = range(m, n + 1) if m else range(1)
        ways = sum((comb(k - 1, m - 1) if m else 1) * (n - k + 1) for k in inside)  # the rest: bar or off
        total += comb(24, m) * ways * comb(n + 25 - m, n)
    return 2 * total
