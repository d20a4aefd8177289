"""Row kernels of `expansion.py`: nodes of the trees of each board's turn, level by level."""

from spielwerk.games.rules import WORDS, mover, moves, play
from spielwerk.games.words import copy_state, key_of
from spielwerk.kernel.atomic import lower, swap_if

FREE = -1  # a slot that no end has taken
POSITIVE = (1 << 63) - 1  # every bit but the sign


def child_count_rows(i, state, actions, weights, results, arrays):
    """How many children each node has; a finished turn stays as it is, `kept` times."""
    states, unfinished, kept, counts = arrays  # [n, WORDS], [n], [1], [n]
    counts[i] = moves(states[i], actions) if unfinished[i] else kept[0]


def child_action_rows(i, state, actions, weights, results, arrays):
    """The action that leads to each child; -1 for a turn that was finished before."""
    states, unfinished, offsets, out = arrays  # [n, WORDS], [n], [n + 1], [m]
    if unfinished[i]:
        for k in range(moves(states[i], actions)):
            out[offsets[i] + k] = actions[k]
    elif offsets[i] < offsets[i + 1]:
        out[offsets[i]] = -1


def child_rows(j, state, actions, weights, results, arrays):
    """Each child, whether its turn goes on, and whether any turn of its board does."""
    states, parents, chosen, owners, children, unfinished, longer = arrays  # [n, W], [m], [m], [m], [m, W], [m], [n]
    copy_state(states[parents[j]], state)
    going_on = False
    if chosen[j] >= 0:
        who = mover(state)
        play(state, chosen[j])
        going_on = mover(state) == who
    copy_state(state, children[j])
    unfinished[j] = going_on
    if going_on:
        longer[owners[j]] = 1


def claim_rows(j, state, actions, weights, results, arrays):
    """Every end claims a slot among those of its board: one thread an end, for a GPU."""
    ends, owners, offsets, longer, slots, taken = arrays  # [m, WORDS], [m], [n + 1], [n], [2 m], [m]
    if longer[owners[j]]:
        claim(j, offsets[owners[j]], offsets[owners[j] + 1], ends, slots, taken)


def claim_board_rows(i, state, actions, weights, results, arrays):
    """Every end claims a slot among those of its board: one board after the other, for the CPU."""
    ends, offsets, longer, slots, taken = arrays  # [m, WORDS], [n + 1], [n], [2 m], [m]
    if longer[i]:
        for j in range(offsets[i], offsets[i + 1]):
            claim(j, offsets[i], offsets[i + 1], ends, slots, taken)


def claim(j, first, last, ends, slots, taken):
    """Equal ends meet in one slot, where the first of them stays: a hash table of the board's own."""
    size = 2 * (last - first)
    slot = (key_of(ends[j]) & POSITIVE) % size
    while True:
        there = swap_if(slots, 2 * first + slot, FREE, j)
        if there == FREE or equal(ends, there, j):
            taken[j] = 2 * first + slot
            if there != FREE:
                lower(slots, 2 * first + slot, j)
            return
        slot = slot + 1 if slot + 1 < size else 0


def equal(ends, one, other):
    """Whether two ends are the same position."""
    for word in range(WORDS):
        if ends[one, word] != ends[other, word]:
            return False
    return True


def first_rows(j, state, actions, weights, results, arrays):
    """Whether each end is the first of its kind on its board."""
    owners, longer, slots, taken, kept = arrays  # [m], [n], [2 m], [m], [m]
    kept[j] = not longer[owners[j]] or slots[taken[j]] == j


def move_rows(i, state, actions, weights, results, arrays):
    """Each board becomes the end chosen for it, or stays where that is below 0."""
    states, ends, chosen = arrays  # [n, WORDS], [m, WORDS], [n]
    if chosen[i] >= 0:
        copy_state(ends[chosen[i]], states[i])
