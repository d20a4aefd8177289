"""The search for the value of an Othello position: the lead in discs at the end, for the side to place.

A search answers one question: is the value above `low`? The answer is a bound of the value, on the right side of `low`.
The stack is kept in arrays, so that a search can be paused after any number of steps and resumed. One row of
`frames` is one position on the path. With many empty cells its placements stand in `lists`, each with a rank; with few
they are the bits of LEFT, those in odd quadrants tried first; the last four cells need no stack.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.games.boards.othello import BOARD, CELLS, flipped, placements
from spielwerk.kernel.bits import count, lowest, shift_left, without_lowest
from spielwerk.search.table import NOT_FOUND
from spielwerk.solvers.othello.ending import NONE, last_four, lead, odd_cells
from spielwerk.solvers.othello.order import FIRST, rank
from spielwerk.solvers.othello.table import SPAN, cell_of, find, keep, least, most

ENDING = 4  # empty cells that need no stack
FEW = 7  # empty cells up to which ranks and the table cost more than they save

# The columns of `frames`: the discs of the side to place and of the other, the question, the best answer and its cell,
# the cell now tried, the number of empty cells, how many placements there are (UNSEEN at first) and were tried, those
# left, and the cells of odd quadrants.
OWN, OTHER, LOW, BEST, CELL, NOW, EMPTY, COUNT, TRIED, LEFT, ODD, FIELDS = range(12)
UNSEEN = -1
RANK, CHILD_OWN, CHILD_OTHER, CHILD_CELL, CHILD = range(5)  # of `lists`
TOP, AGE, SEEN, COUNTERS = range(4)  # of `counters`: the frame on top, the age of the table, the positions seen


class OthelloMemory(NamedTuple):
    """The arrays of a search, all of int64."""

    counters: np.ndarray  # [COUNTERS]
    frames: np.ndarray  # [n, FIELDS]
    lists: np.ndarray  # [n, MOST_MOVES, CHILD]
    table: np.ndarray  # [entries, ENTRY]: see `table.py`
    around: np.ndarray  # [CELLS]: the cells beside each cell


def begin(own, other, low, memory):
    """Puts a question on the stack."""
    ask(0, own, other, low, memory.frames)
    memory.counters[TOP] = 0


def proceed(budget, memory):
    """Searches on, `budget` steps at most; returns whether the search is finished: the answer is frame 0's BEST."""
    counters, frames, lists, table, around = memory
    f = counters[TOP]
    spent = 0
    while f >= 0 and spent < budget:
        spent += 1
        if frames[f, COUNT] == UNSEEN:
            counters[SEEN] += 1
            enter(f, frames, lists, table)
        elif frames[f, BEST] <= frames[f, LOW] and frames[f, TRIED] < frames[f, COUNT]:
            f = try_next(f, counters, frames, lists, around)
        else:
            remember(f, counters[AGE], frames, table)
            f -= 1
            if f >= 0:
                receive(f, -frames[f + 1, BEST], frames)
    counters[TOP] = f
    return f < 0


def ask(f, own, other, low, frames):
    """Asks whether the value of a position is above `low`, in frame `f`."""
    frames[f, OWN] = own
    frames[f, OTHER] = other
    frames[f, LOW] = low
    frames[f, BEST] = NONE
    frames[f, CELL] = CELLS
    frames[f, COUNT] = UNSEEN
    frames[f, TRIED] = 0


def remember(f, age, frames, table):
    """Puts the answer of frame `f` into the table, if it is worth it."""
    if frames[f, EMPTY] > FEW:
        weight = age * SPAN + frames[f, EMPTY]
        keep(table, frames[f, OWN], frames[f, OTHER], weight, frames[f, LOW], frames[f, BEST], frames[f, CELL])


def receive(f, value, frames):
    """Takes the value of the placement that frame `f` tries."""
    if value > frames[f, BEST]:
        frames[f, BEST] = value
        frames[f, CELL] = frames[f, NOW]


def enter(f, frames, lists, table):
    """Finds the placements of frame `f`; where there are none, a pass is one."""
    own, other = frames[f, OWN], frames[f, OTHER]
    cells = placements(own, other)
    frames[f, EMPTY] = CELLS - count(own | other)
    frames[f, LEFT] = cells
    frames[f, NOW] = CELLS
    if cells == 0 and placements(other, own) == 0:
        frames[f, BEST] = lead(own, other)
        frames[f, COUNT] = 0
    elif cells == 0:
        frames[f, COUNT] = 1
    elif frames[f, EMPTY] <= FEW:
        frames[f, COUNT] = count(cells)
        frames[f, ODD] = odd_cells(BOARD & ~(own | other))
    else:
        list_children(f, frames, lists, table)


def list_children(f, frames, lists, table):
    """Lists the positions after each placement, with a rank each, but for those that the table answers."""
    own, other, left = frames[f, OWN], frames[f, OTHER], frames[f, LEFT]
    entry = find(table, own, other)
    hint = cell_of(table, entry) if entry != NOT_FOUND else CELLS
    n = 0
    while left != 0 and frames[f, BEST] <= frames[f, LOW]:
        cell = lowest(left)
        left = without_lowest(left)
        disc = shift_left(1, cell)
        flips = flipped(disc, own, other)
        child_own, child_other = other ^ flips, own | flips | disc
        if not answered(f, cell, child_own, child_other, frames, table):
            lists[f, n, RANK] = FIRST if cell == hint else rank(child_own, child_other, frames[f, EMPTY] - 1)
            lists[f, n, CHILD_OWN] = child_own
            lists[f, n, CHILD_OTHER] = child_other
            lists[f, n, CHILD_CELL] = cell
            n += 1
    frames[f, COUNT] = n


def answered(f, cell, own, other, frames, table):
    """Whether the table knows enough about the position after placing on `cell`; then frame `f` takes it."""
    if frames[f, EMPTY] - 1 <= FEW:
        return False
    entry = find(table, own, other)
    if entry == NOT_FOUND:
        return False
    value = -most(table, entry)
    if value <= frames[f, LOW]:
        value = -least(table, entry)
        if value > frames[f, LOW]:
            return False
    frames[f, NOW] = cell
    receive(f, value, frames)
    return True


def try_next(f, counters, frames, lists, around):
    """Asks about the next placement of frame `f`; returns the frame on top."""
    question = -frames[f, LOW] - 1
    frames[f, TRIED] += 1
    if frames[f, LEFT] == 0:
        ask(f + 1, frames[f, OTHER], frames[f, OWN], question, frames)
        return f + 1
    if frames[f, EMPTY] > FEW:
        best = pull_best(f, frames, lists)
        frames[f, NOW] = lists[f, best, CHILD_CELL]
        ask(f + 1, lists[f, best, CHILD_OWN], lists[f, best, CHILD_OTHER], question, frames)
        return f + 1
    own, other = place_next(f, frames)
    if frames[f, EMPTY] == ENDING + 1:
        counters[SEEN] += 1
        receive(f, -last_four(own, other, question, around), frames)
        return f
    ask(f + 1, own, other, question, frames)
    return f + 1


def pull_best(f, frames, lists):
    """Brings the untried child of the lowest rank to its place in the list, and returns that."""
    place = frames[f, TRIED] - 1
    best = place
    for i in range(place + 1, frames[f, COUNT]):
        if lists[f, i, RANK] < lists[f, best, RANK]:
            best = i
    if best != place:
        for field in range(CHILD):
            lists[f, best, field], lists[f, place, field] = lists[f, place, field], lists[f, best, field]
    return place


def place_next(f, frames):
    """Places on a cell that is left, in an odd quadrant if there is one."""
    own, other, left = frames[f, OWN], frames[f, OTHER], frames[f, LEFT]
    odd = left & frames[f, ODD]
    cell = lowest(odd if odd != 0 else left)
    disc = shift_left(1, cell)
    frames[f, LEFT] = left ^ disc
    frames[f, NOW] = cell
    flips = flipped(disc, own, other)
    return other ^ flips, own | flips | disc
