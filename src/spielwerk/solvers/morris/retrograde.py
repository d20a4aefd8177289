"""The movement phase, solved backwards: a pair of sectors w-b and b-w at a time, depth by depth.

A byte a slot. In `values`: 0 undecided, in the end a draw; otherwise depth + 1, so that odd codes are lost and even
ones won; NO_POSITION where the slot is none. In `ahead`, what taking a man leads to, known from smaller sectors: an
even code, the earliest win by taking; an odd one, the earliest loss that takings allow; NEVER if one of them saves the
mover; 0 if nothing can be taken. In `marked`: 1 where a successor was newly decided, so that the position may be lost
now. `changed` holds the code at which something changed last.

After the first pass, which looks at every slot, words of eight slots are looked through for those of interest.

Loops over moves are flat (see `next_man`): the threads of a GPU then look up slots at the same time, each for the next
move of its own position, where nested loops would let most of them wait for the one with the most moves of a man.
"""

from typing import Any, NamedTuple

import numpy as np

from spielwerk.games.morris import ALL, JUMPING, NEIGHBOURS, in_mill
from spielwerk.kernel.bits import lowest, narrow, wrap
from spielwerk.kernel.rows import EIGHT
from spielwerk.solvers.morris.index import Maps, SectorShape, is_position, other_men, own_men, slot_of
from spielwerk.solvers.morris.mills import closing, first_of, in_mills, takeable, without_first

BLOCKED = 1  # a loss in no turns
WON_AT_ONCE = 2  # a win in one
NO_POSITION = NEVER = 255
ONES = 0x0101010101010101
HIGHS = -0x7F7F7F7F7F7F7F80  # the highest bit of each byte
FEWEST = 3  # men with whom one can go on
NO_MEN = np.uint32(0)  # as narrow as other men are on a GPU


class FirstPass(NamedTuple):
    """What `classify` takes."""

    values: Any
    ahead: Any
    smaller: Any  # the values of the sector where takings lead
    sector: SectorShape
    taken_sector: SectorShape
    maps: Maps


class Takings(NamedTuple):
    """What `win_by_taking` takes."""

    values: Any
    ahead: Any
    ahead_words: Any
    code: int
    changed: Any


class BeforeLosses(NamedTuple):
    """What `just_lost` and `win_before_losses` take: positions that were lost, and those from which men move there."""

    lost_words: Any  # the values of the sector in which positions were lost
    values: Any  # of the sector from which men move there
    lost_sector: SectorShape
    sector: SectorShape
    code: int
    maps: Maps
    changed: Any


class BeforeWins(NamedTuple):
    """What `just_won` and `mark_before_wins` take: positions that were won, and those from which men move there."""

    won_words: Any  # the values of the sector in which positions were won
    values: Any  # of the sector from which men move there
    ahead: Any
    marked: Any
    won_sector: SectorShape
    sector: SectorShape
    code: int
    maps: Maps


class Doubts(NamedTuple):
    """What `maybe_lost` and `lose` take."""

    values: Any
    ahead_words: Any
    marked_words: Any
    others: Any  # the values of the sector where moves lead
    sector: SectorShape
    other_sector: SectorShape
    code: int
    maps: Maps
    changed: Any


def has_byte(word, code):
    """Whether one of the eight bytes is `code`; of words with none a few may be said to have one."""
    apart = word ^ wrap(code * ONES)
    return (apart - ONES) & ~apart & HIGHS != 0


def bytes_with(word, code):
    """Which of the eight bytes are `code`, a bit each."""
    found = 0
    if has_byte(word, code):
        for byte in range(EIGHT):
            if word >> EIGHT * byte & 255 == code:
                found |= 1 << byte
    return found


def targets_of(man, free, men):
    """Where a man, given as a bit, may go."""
    return free if JUMPING and men == 3 else narrow(NEIGHBOURS[narrow(lowest(man))] & free)


def next_man(left, man, targets, free, men):
    """Goes on to the next of the men `left` that can move once no targets of `man` are left; all three anew."""
    while targets == 0 and left != 0:
        man = first_of(left)
        left = without_first(left)
        targets = targets_of(man, free, men)
    return left, man, targets


def next_closing(left, man, targets, own, points, men):
    """As `next_man`, of the moves that close mills; `points` are the free points where one more man closes one."""
    while targets == 0 and left != 0:
        man = first_of(left)
        left = without_first(left)
        reached = targets_of(man, points, men)
        while reached != 0:
            if in_mill(own ^ man, lowest(reached)):
                targets = narrow(targets | first_of(reached))
            reached = without_first(reached)
    return left, man, targets


def classify(i, work, actions, weights, results, arrays):
    """Row kernel, a row a slot: who is blocked, and what taking leads to."""
    (at,) = arrays
    sector, maps = at.sector, at.maps
    own = own_men(i, sector, maps)
    other = other_men(i, own, sector, maps)
    free = narrow(ALL & ~(own | other))
    if not is_position(i, own, other, sector, maps):
        at.values[i] = NO_POSITION
    elif next_man(own, NO_MEN, NO_MEN, free, sector.own)[2] == 0:
        at.values[i] = BLOCKED
    else:
        at.ahead[i] = best_taking(own, other, free, at.smaller, sector, at.taken_sector, maps)


def best_taking(own, other, free, smaller, sector, taken_sector, maps):
    """What `ahead` says."""
    summary = 0
    takes = takeable(other)
    victims = takes
    points = narrow(closing(own) & free)
    left, man, targets = next_closing(own, NO_MEN, NO_MEN, own, points, sector.own)
    if sector.other == FEWEST and targets != 0:
        return WON_AT_ONCE
    while targets != 0:
        after = narrow(own ^ (man | first_of(targets)))
        rest = narrow(other ^ first_of(victims))
        summary = joined(summary, smaller[slot_of(rest, after, taken_sector, maps)])
        victims = without_first(victims)
        if victims == 0:
            victims = takes
            left, man, targets = next_closing(left, man, without_first(targets), own, points, sector.own)
    return summary


def joined(summary, code):
    """What `ahead` says when one more taking leads to a position with this code."""
    if code & 1 == 1:  # the other side loses
        won = code + 1
        return won if summary & 1 == 1 or summary == 0 or won < summary else summary
    if summary & 1 == 0 and summary != 0:  # a win is known already
        return summary
    if code == 0 or summary == NEVER:
        return NEVER
    return max(summary, code + 1)


def win_by_taking(i, work, actions, weights, results, arrays):
    """Row kernel, a row a word: positions that win now because taking leads to a loss of the other side."""
    (at,) = arrays
    if has_byte(at.ahead_words[i], at.code):
        for slot in range(EIGHT * i, EIGHT * i + EIGHT):
            if at.ahead[slot] == at.code and at.values[slot] == 0:
                at.values[slot] = at.code
                at.changed[0] = at.code


def just_lost(i, arrays):
    """Which slots of a word were lost in the last step."""
    (at,) = arrays
    return bytes_with(at.lost_words[i], at.code - 1)


def win_before_losses(slot, work, actions, weights, results, arrays):
    """Row kernel for slots just lost: whoever can move there wins now."""
    (at,) = arrays
    sector, maps = at.sector, at.maps
    mover = own_men(slot, at.lost_sector, maps)
    moved = other_men(slot, mover, at.lost_sector, maps)
    free = narrow(ALL & ~(mover | moved))
    left, man, sources = next_man(narrow(moved & ~in_mills(moved)), NO_MEN, NO_MEN, free, sector.own)
    while sources != 0:
        before = slot_of(narrow(moved ^ (man | first_of(sources))), mover, sector, maps)
        if at.values[before] == 0:
            at.values[before] = at.code
            at.changed[0] = at.code
        left, man, sources = next_man(left, man, without_first(sources), free, sector.own)


def just_won(i, arrays):
    """Which slots of a word were won in this step."""
    (at,) = arrays
    return bytes_with(at.won_words[i], at.code)


def mark_before_wins(slot, work, actions, weights, results, arrays):
    """Row kernel for slots just won: whoever can move there may have lost, unless a taking saves it."""
    (at,) = arrays
    sector, maps = at.sector, at.maps
    mover = own_men(slot, at.won_sector, maps)
    moved = other_men(slot, mover, at.won_sector, maps)
    free = narrow(ALL & ~(mover | moved))
    left, man, sources = next_man(narrow(moved & ~in_mills(moved)), NO_MEN, NO_MEN, free, sector.own)
    while sources != 0:
        before = slot_of(narrow(moved ^ (man | first_of(sources))), mover, sector, maps)
        if at.values[before] == 0 and not saved(at.ahead[before]):
            at.marked[before] = 1
        left, man, sources = next_man(left, man, without_first(sources), free, sector.own)


def saved(ahead):
    """Whether a taking wins, or at least does not lose."""
    return ahead == NEVER or (ahead != 0 and ahead & 1 == 0)


def maybe_lost(i, arrays):
    """Which slots of a word were marked, or have takings that are all lost by now; takes the marks away."""
    (at,) = arrays
    marks = at.marked_words[i]
    takings = at.ahead_words[i]
    if marks == 0 and not has_byte(takings, at.code):
        return 0
    found = 0
    for byte in range(EIGHT):
        due = takings >> EIGHT * byte & 255
        if due == at.code or (due < at.code and marks >> EIGHT * byte & 255 != 0):
            if at.values[EIGHT * i + byte] == 0:
                found |= 1 << byte
    at.marked_words[i] = 0
    return found


def lose(slot, work, actions, weights, results, arrays):
    """Row kernel for slots that may be lost: they are if every move that closes no mill leads to a win of the other."""
    (at,) = arrays
    sector, maps = at.sector, at.maps
    own = own_men(slot, sector, maps)
    other = other_men(slot, own, sector, maps)
    free = narrow(ALL & ~(own | other))
    points = closing(own)
    left, man, targets = next_man(own, NO_MEN, NO_MEN, free, sector.own)
    while targets != 0:
        target = first_of(targets)
        if target & points == 0 or not in_mill(own ^ man, lowest(target)):
            reply = at.others[slot_of(other, narrow(own ^ (man | target)), at.other_sector, maps)]
            if reply == 0 or reply & 1 == 1:
                return
        left, man, targets = next_man(left, man, without_first(targets), free, sector.own)
    at.values[slot] = at.code
    at.changed[0] = at.code
