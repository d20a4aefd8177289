"""The movement phase, solved backwards: a pair of sectors w-b and b-w at a time, depth by depth.

A byte a slot. In `values`: 0 undecided, in the end a draw; otherwise depth + 1, so that odd codes are lost and even
ones won; NO_POSITION where the slot is none. In `ahead`, what taking a man leads to, known from smaller sectors: an
even code, the earliest win by taking; an odd one, the earliest loss that takings allow; NEVER if one of them saves the
mover; 0 if nothing can be taken. In `marked`: 1 where a successor was newly decided, so that the position may be lost
now.

Rows are words of eight slots, of which most hold nothing of interest; the first pass alone looks at every slot.
"""

from spielwerk.games.morris import ALL, JUMPING, NEIGHBOURS, in_mill, takeable
from spielwerk.kernel.bits import lowest, wrap
from spielwerk.solve.morris.device import EIGHT
from spielwerk.solve.morris.index import other_men, own_men, slot_of

BLOCKED = 1  # a loss in no turns
WON_AT_ONCE = 2  # a win in one
NO_POSITION = NEVER = 255
ONES = 0x0101010101010101
HIGHS = -0x7F7F7F7F7F7F7F80  # the highest bit of each byte
FEWEST = 3  # men with whom one can go on


def has_byte(word, code):
    """Whether one of the eight bytes is `code`; of words with none a few may be said to have one."""
    apart = word ^ wrap(code * ONES)
    return (apart - ONES) & ~apart & HIGHS != 0


def targets_of(source, free, men):
    """Where a man may go."""
    return free if JUMPING and men == 3 else NEIGHBOURS[source] & free


def classify(i, work, actions, weights, results, arrays):
    """Row kernel, a row a slot: who is blocked, and what taking leads to."""
    values, ahead, smaller, sector, taken_sector, maps = arrays
    own = own_men(i, sector, maps)
    other = other_men(i, own, sector, maps)
    if other < 0:
        values[i] = NO_POSITION
        return
    free = ALL & ~(own | other)
    takes = takeable(other)
    moved = False
    summary = 0
    left = own
    while left != 0:
        source = lowest(left)
        left &= left - 1
        targets = targets_of(source, free, sector[0])
        while targets != 0:
            target = lowest(targets)
            targets &= targets - 1
            after = own ^ (1 << source | 1 << target)
            moved = True
            if in_mill(after, target):
                summary = best_taking(after, other, takes, summary, smaller, sector, taken_sector, maps)
    if moved:
        ahead[i] = summary
    else:
        values[i] = BLOCKED


def best_taking(after, other, takes, summary, smaller, sector, taken_sector, maps):
    """What `ahead` says after one more closed mill."""
    if sector[1] == FEWEST:
        return WON_AT_ONCE
    while takes != 0:
        point = lowest(takes)
        takes &= takes - 1
        summary = joined(summary, smaller[slot_of(other ^ 1 << point, after, taken_sector, maps)])
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
    """Row kernel: positions that win now because taking leads to a loss of the other side."""
    values, ahead, words, code, changed = arrays
    if has_byte(words[i], code[0]):
        for slot in range(EIGHT * i, EIGHT * i + EIGHT):
            if ahead[slot] == code[0] and values[slot] == 0:
                values[slot] = code[0]
                changed[0] = 1


def win_before_losses(i, work, actions, weights, results, arrays):
    """Row kernel: whoever can move to a position that was lost in the last step wins now."""
    lost, words, values, ahead, lost_sector, sector, code, maps, changed = arrays
    if has_byte(words[i], code[0] - 1):
        for slot in range(EIGHT * i, EIGHT * i + EIGHT):
            if lost[slot] == code[0] - 1:
                mover = own_men(slot, lost_sector, maps)
                moved = other_men(slot, mover, lost_sector, maps)
                write_before(mover, moved, values, ahead, False, values, code[0], sector, maps, changed)


def mark_before_wins(i, work, actions, weights, results, arrays):
    """Row kernel: whoever can move to a position that was won in this step may have lost."""
    won, words, values, ahead, marked, won_sector, sector, code, maps, changed = arrays
    if has_byte(words[i], code[0]):
        for slot in range(EIGHT * i, EIGHT * i + EIGHT):
            if won[slot] == code[0]:
                mover = own_men(slot, won_sector, maps)
                moved = other_men(slot, mover, won_sector, maps)
                write_before(mover, moved, values, ahead, True, marked, 1, sector, maps, changed)


def write_before(mover, moved, values, ahead, losable, out, code, sector, maps, changed):
    """Writes `code` for every undecided position from which `moved` came here without closing a mill.

    With `losable`, only where taking does not save the mover from a loss.
    """
    free = ALL & ~(mover | moved)
    left = moved
    while left != 0:
        target = lowest(left)
        left &= left - 1
        if not in_mill(moved, target):
            sources = targets_of(target, free, sector[0])
            while sources != 0:
                source = lowest(sources)
                sources &= sources - 1
                slot = slot_of(moved ^ (1 << source | 1 << target), mover, sector, maps)
                if values[slot] == 0 and not (losable and saved(ahead[slot])):
                    out[slot] = code
                    if not losable:  # marks decide nothing, and thousands of threads writing one word wait in line
                        changed[0] = 1


def saved(ahead):
    """Whether a taking wins, or at least does not lose."""
    return ahead == NEVER or (ahead != 0 and ahead & 1 == 0)


def lose(i, work, actions, weights, results, arrays):
    """Row kernel: positions that were marked, or whose takings are all lost by now, lose if every move does."""
    values, ahead, marked, ahead_words, marked_words, others, sector, other_sector, code, maps, changed = arrays
    if marked_words[i] == 0 and not has_byte(ahead_words[i], code[0]):
        return
    for slot in range(EIGHT * i, EIGHT * i + EIGHT):
        if values[slot] == 0 and (marked[slot] != 0 or ahead[slot] == code[0]):
            if ahead[slot] <= code[0] and lost_by_moving(slot, others, sector, other_sector, maps):
                values[slot] = code[0]
                changed[0] = 1
        marked[slot] = 0


def lost_by_moving(slot, others, sector, other_sector, maps):
    """Whether every move that closes no mill leads to a position that the other side wins."""
    own = own_men(slot, sector, maps)
    other = other_men(slot, own, sector, maps)
    free = ALL & ~(own | other)
    left = own
    while left != 0:
        source = lowest(left)
        left &= left - 1
        targets = targets_of(source, free, sector[0])
        while targets != 0:
            target = lowest(targets)
            targets &= targets - 1
            after = own ^ (1 << source | 1 << target)
            if not in_mill(after, target):
                code = others[slot_of(other, after, other_sector, maps)]
                if code == 0 or code & 1 == 1:
                    return False
    return True
