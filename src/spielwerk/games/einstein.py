"""EinStein würfelt nicht!: the die says which stone goes one step towards the far corner, taking what stands there.

State words: [who, die, stones of player 0, stones of player 1, …]. `who` is the player to roll or to play, and at the
end -1 - the winning team; `die` is 0 before the roll and at the end. A player's stones are one word of six bits
a stone: its cell (row-major from the top-left), or GONE.

Action: stone * 3 + step. Looking from the own corner to the far one, step 0 goes along the edge on the left (for
player 0 that is to the right), step 1 along the other edge (down), step 2 along the diagonal: turning the board to
another corner keeps the numbers, reflecting it swaps steps 0 and 1. With three players the last action is `pass`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import perm
from typing import Any

import numpy as np

from spielwerk.games.rules import ACTIONS, CHANCE, OVER, PLAYERS, TEAM
from spielwerk.kernel.bits import highest, lowest
from spielwerk.kernel.random import below
from spielwerk.kernel.specialise import unbound
from spielwerk.names import BadInput, choice

TITLE = "EinStein würfelt nicht!"
FACE = "spielwerk.games.face.einstein"
SCENE = "spielwerk.games.scenes.einstein"
EVALUATIONS = {"race": "spielwerk.games.evaluation.einstein"}
LAYOUT = "spielwerk.games.cells.einstein"
ORACLE = "spielwerk.solvers.einstein.oracle:EinsteinOracle"
GRAPH = "spielwerk.games.graphs.grid:from_the_bottom"
MOVE_PARTS = "spielwerk.games.move_parts.einstein"
VARIANTS = (
    *("board=3", "board=4", "board=6", "board=5,stones=3", "die=nearest", "start=shared", "start=free"),
    *("board=6,players=3", "board=4,players=4", "board=6,players=4"),
)
INLINED = True  # its rules are small, and a sixth faster inside of what calls them: see `kernel/cpu.py`
GONE, BITS = 63, 6  # the cell of a stone that was taken; the bits of a stone
USUAL = {3: 3, 4: 3, 5: 6, 6: 6}  # stones on each board
BOARDS = {2: (3, 4, 5, 6), 3: (6,), 4: (4, 6)}  # for each number of players
TEAMS = {2: (0, 1), 3: (0, 0, 1), 4: (0, 1, 0, 1)}
QUARTERS = (0, 2, 1, 3)  # quarter turns, against the clock, from the top-left corner to each player's


@dataclass(frozen=True)
class Settings:
    """The settings of einstein."""

    board: int = choice(5, 3, 4, 6, help="cells of a side")
    players: int = choice(2, 3, 4, help="three only on board 6, four on boards 4 and 6")
    stones: int = choice(0, 1, 2, 3, 4, 5, 6, help="stones of each player; 0: 3 on boards 3 and 4, 6 on boards 5 and 6")
    die: str = choice("either", "nearest", help="if the stone rolled is gone: the next up or down, or the nearer")
    start: str = choice("fixed", "shared", "free", help="one random order of the stones for all, or one for each")

    def __post_init__(self) -> None:
        # One variant has one name: the board's usual number of stones is written as 0.
        if self.stones == USUAL.get(self.board):
            object.__setattr__(self, "stones", 0)


SIZE: int = unbound("SIZE")
STONES: int = unbound("STONES")
HOME: int = unbound("HOME")  # player 0's stones at the start
FREE: bool = unbound("FREE")
SHARED: bool = unbound("SHARED")
NEAREST: bool = unbound("NEAREST")
PASSING: bool = unbound("PASSING")
ONES: int = unbound("ONES")  # the lowest bit of each stone
SHIFTS: np.ndarray = unbound("SHIFTS")  # [action]: the lowest bit of its stone
TO: np.ndarray = unbound("TO")  # [player, cell, step]: the cell it leads to, or GONE
GOAL: np.ndarray = unbound("GOAL")  # [player]: its cell, or GONE
TURNED: np.ndarray = unbound("TURNED")  # [player, cell]: the board turned from player 0's corner to the player's
SEEN: np.ndarray = unbound("SEEN")  # [player, cell]: and back
MIRRORED: np.ndarray = unbound("MIRRORED")  # [symmetry, cell]
SHIFT: int = unbound("SHIFT")  # seats by which the symmetry moves the players


def cell_of(stones, stone):
    """Where a stone is."""
    return (stones >> BITS * stone) & GONE


def on_board(stones):
    """The lowest bit of each stone that was not taken."""
    pairs = stones & (stones >> 1)
    return ~(pairs & (pairs >> 2) & (pairs >> 4)) & ONES


def without(stones, cell):
    """`stones`, the one on `cell`, if there is one, GONE."""
    # Subtracting 1 from each stone's difference to `cell` borrows first where that difference is 0.
    apart = stones ^ (cell * ONES)
    found = (apart - ONES) & ~apart & (ONES << BITS - 1)
    found &= -found
    return stones | ((found << 1) - (found >> BITS - 1))


def shuffled(stones, rng):
    """`stones` in random order on their cells."""
    for stone in range(STONES - 1, 0, -1):
        other = below(rng, stone + 1)
        differ = cell_of(stones, stone) ^ cell_of(stones, other)
        stones ^= (differ << BITS * stone) ^ (differ << BITS * other)
    return stones


def start(state, rng):
    state[0] = 0
    state[1] = 0
    home = HOME
    for player in range(PLAYERS):
        if FREE or (SHARED and player == 0):
            home = shuffled(HOME, rng)
        stones = 0
        for stone in range(STONES):
            stones |= TURNED[player, cell_of(home, stone)] << BITS * stone
        state[2 + player] = stones


def mover(state):
    if state[0] < 0:
        return OVER
    return CHANCE if state[1] == 0 else state[0]


def roller(state):
    return state[0]


def outcomes(state, out, weights):
    for face in range(STONES):
        out[face] = face + 1
        weights[face] = 1
    return STONES


def roll(state, outcome):
    state[1] = outcome


def moves(state, out):
    player = state[0]
    stones = state[2 + player]
    rolled = BITS * (state[1] - 1)
    standing = on_board(stones)
    below_it = standing & ((2 << rolled) - 1)
    above_it = standing >> rolled
    lower = highest(below_it) if below_it != 0 else rolled + lowest(above_it)
    higher = rolled + lowest(above_it) if above_it != 0 else lower
    if NEAREST:
        if rolled - lower < higher - rolled:
            higher = lower
        elif rolled - lower > higher - rolled:
            lower = higher
    n = steps(player, stones, lower, True, out, 0)
    if STONES > 2:  # a stone is gone, and another stands on either side of it
        n = steps(player, stones, higher, higher != lower, out, n)
    if PASSING and n == 0:
        out[0] = ACTIONS - 1
        n = 1
    return n


def steps(player, stones, shift, counted, out, n):
    """Writes the steps of the stone at bit `shift` after the first `n` actions; returns how many there are now.

    Without branches, which random play makes hard to predict: what does not count is overwritten by what follows.
    """
    cell = (stones >> shift) & GONE
    for step in range(3):
        out[n] = (shift >> 1) + step  # a stone has six bits and three actions
        n += counted & (TO[player, cell, step] != GONE)
    return n


def play(state, action):
    player = state[0]
    state[0] = player + 1 if player + 1 < PLAYERS else 0
    state[1] = 0
    if PASSING and action == ACTIONS - 1:
        return
    shift = SHIFTS[action]
    origin = (state[2 + player] >> shift) & GONE
    cell = TO[player, origin, action - (shift >> 1)]
    for other in range(PLAYERS):
        stones = without(state[2 + other], cell)
        state[2 + other] = stones
        if stones == GONE * ONES:
            state[0] = TEAM[other] - 2  # the other team wins: -1 - (1 - team)
    state[2 + player] ^= (origin ^ cell) << shift
    if cell == GOAL[player]:
        state[0] = -1 - TEAM[player]


def scores(state, out):
    for player in range(PLAYERS):
        out[player] = 1.0 if TEAM[player] == -1 - state[0] else -1.0


def observe(state, player, out):
    # Planes, the board turned so that the player's corner is the top-left, players counted round from this one:
    # one a stone; one a face of the die; one a player, filled for who is to act; with more than two players, whose
    # corners and teams lie differently, one that tells the seats apart. A symmetry only transposes every plane.
    cells = SIZE * SIZE
    for i in range((PLAYERS * (STONES + 1) + STONES) * cells):
        out[i] = 0.0
    for turn in range(PLAYERS):
        other = (player + turn) % PLAYERS
        for stone in range(STONES):
            cell = cell_of(state[2 + other], stone)
            if cell != GONE:
                out[(turn * STONES + stone) * cells + SEEN[player, cell]] = 1.0
    if state[1] > 0:
        fill(out, PLAYERS * STONES + state[1] - 1, 1.0)
    if state[0] >= 0:
        fill(out, (PLAYERS + 1) * STONES + (state[0] - player + PLAYERS) % PLAYERS, 1.0)
    if PLAYERS > 2:
        fill(out, (PLAYERS + 1) * STONES + PLAYERS, player * 0.5 if PLAYERS == 3 else player % 2 * 1.0)


def fill(out, plane, value):
    """Writes one value to all cells of a plane."""
    for cell in range(SIZE * SIZE):
        out[plane * SIZE * SIZE + cell] = value


def turned_state(k, state, out):
    out[0] = seat(k, state[0]) if state[0] >= 0 else state[0]
    out[1] = state[1]
    for player in range(PLAYERS):
        stones = 0
        for stone in range(STONES):
            stones |= MIRRORED[k, cell_of(state[2 + player], stone)] << BITS * stone
        out[2 + seat(k, player)] = stones


def turned(k, action):
    step = action % 3
    return action if k == 0 or step == 2 else action + 1 - 2 * step


def seat(k, player):
    return (player + k * SHIFT) % PLAYERS


def constants(settings: Settings) -> dict[str, Any]:
    """The constants of a variant."""
    size, players = settings.board, settings.players
    stones = number_of_stones(settings)
    home = _home(settings)
    turned = np.array([_turned(size, turns) for turns in QUARTERS[:players]])
    passing = players == 3
    return {
        "PLAYERS": players,
        "TEAM": TEAMS[players],
        "WORDS": 2 + players,
        "ACTIONS": 3 * stones + passing,
        "MOST_MOVES": 6 if stones > 2 else 3,  # two stones may go if one between them is gone
        "MOST_OUTCOMES": stones,
        "FAIR": True,
        "SYMMETRIES": 1 if players == 3 else 2,
        "OBSERVATION": (players * (stones + 1) + stones + (players > 2), size, size),
        "LONGEST": _longest(size, players, home),
        "SIZE": size,
        "STONES": stones,
        "HOME": sum(cell << BITS * stone for stone, cell in enumerate(home)),
        "FREE": settings.start == "free",
        "SHARED": settings.start == "shared",
        "NEAREST": settings.die == "nearest",
        "PASSING": passing,
        "ONES": sum(1 << BITS * stone for stone in range(stones)),
        "SHIFTS": np.arange(3 * stones) // 3 * BITS,
        "TO": _steps(size, turned),
        "GOAL": np.array([GONE, GONE, size - 1] if passing else turned[:, size**2 - 1]),
        "TURNED": turned,
        "SEEN": np.array([_turned(size, -turns) for turns in QUARTERS[:players]]),
        "MIRRORED": _mirrored(size, players),
        "SHIFT": 2 if players == 4 else 0,
    }


def states(settings: Settings) -> int:
    """The figure of the literature: the ways to put the first k of all stones on the cells, summed over k.

    It counts neither which stones are gone nor who is to act, but all that cannot be reached.
    """
    cells = settings.board**2
    return sum(perm(cells, k) for k in range(1, settings.players * number_of_stones(settings) + 1))


def number_of_stones(settings: Settings) -> int:
    """The stones of each player."""
    return settings.stones or USUAL[settings.board]


def _home(settings: Settings) -> list[int]:
    """The cells of player 0's stones: diagonals from the corner on, each from the left column outwards."""
    size, players, stones = settings.board, settings.players, number_of_stones(settings)
    if size not in BOARDS[players]:
        boards = " or ".join(map(str, BOARDS[players]))
        raise BadInput(f"einstein: {players} players cannot play on board {size}; possible: board {boards}.")
    if players > 2 and settings.stones:
        raise BadInput(f"einstein: {players} players on board {size} have {USUAL[size]} stones each, not {stones}.")
    diagonals = [(diagonal - column, column) for diagonal in range(size) for column in range(diagonal + 1)]
    cells = [size * row + column for row, column in diagonals]
    fitting = next((i for i, cell in enumerate(cells) if size**2 - 1 - cell in cells[: i + 1]), len(cells))
    if stones > fitting:
        raise BadInput(f"einstein: board {size} has no room for {stones} stones each; possible: 1 to {fitting}.")
    if (size, players) == (4, 4):
        return [0, 1, 4]
    return cells[:stones]


def _longest(size: int, players: int, home: list[int]) -> int:
    """Every stone but one goes one by one to the cell before the goal, and the last one into it."""
    others = sum(2 * (size - 1) - cell // size - cell % size - 1 for cell in home)
    # With three players only the last has a goal, and it never passes; otherwise player 0 is the first to get there.
    return players * others + (players if players == 3 else 1)


def _turned(size: int, quarters: int) -> list[int]:
    """Where each cell goes when the board is turned against the clock; GONE stays GONE."""
    cells = np.full(GONE + 1, GONE)
    cells[np.rot90(np.arange(size**2).reshape(size, size), quarters).ravel()] = np.arange(size**2)
    return cells.tolist()


def _steps(size: int, turned: np.ndarray) -> np.ndarray:
    """Where the steps lead: those of player 0, turned to each player's corner."""
    table = np.full((len(turned), size**2, 3), GONE)
    for cell in range(size**2):
        row, column = divmod(cell, size)
        for step, (down, right) in enumerate(((0, 1), (1, 0), (1, 1))):
            if row + down < size and column + right < size:
                table[np.arange(len(turned)), turned[:, cell], step] = turned[:, cell + size * down + right]
    return table


def _mirrored(size: int, players: int) -> np.ndarray:
    """The identity, and the reflection that keeps the order of play: in the diagonal through the corners of two
    players; upside down for four, players 0 and 2, 1 and 3 changing places.
    """
    cells = np.arange(size**2).reshape(size, size)
    table = np.full((2, GONE + 1), GONE)
    table[:, : size**2] = cells.ravel(), (cells.T if players == 2 else cells[::-1]).ravel()
    return table
