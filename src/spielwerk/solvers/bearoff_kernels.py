"""Bearing off, compiled: the ends of a turn by the rules of the game, and what they are worth.

Nobody can be hit any more, so that a side's turns do not depend on where the other side stands. Every roll moves
a checker, so that the positions with fewer pips are always known before.
"""

from spielwerk.games.backgammon import FIRST, PLANES, ROLL, SECOND, planes_of
from spielwerk.games.rules import mover, moves, play
from spielwerk.solvers.bearoff_index import rank_of

ROLLS = 21
MOST_ENDS = 126  # a double is four steps, each from one of six points
MOST_ROLLS = 30  # fifteen checkers on point 6 and nothing but 2-1


def lay(state, rank, stage, larger, smaller, boards):
    """Writes a position in which player 0 is to act; the other player is far from losing and out of the way."""
    state[0] = 0
    state[1] = stage
    state[2] = larger
    state[3] = smaller
    for digit in range(PLANES):
        state[planes_of(0) + digit] = boards[rank, digit]
        state[planes_of(1) + digit] = 0
    state[planes_of(1)] = 1


def ends_of(state, rank, stage, larger, smaller, boards, firsts, seconds, ends):
    """Writes the ranks in which turns from `rank` end, each once, and returns how many."""
    n = 0
    lay(state, rank, stage, larger, smaller, boards)
    for i in range(moves(state, firsts)):
        lay(state, rank, stage, larger, smaller, boards)
        play(state, firsts[i])
        after = rank_of(state, planes_of(0))
        if mover(state) != 0:
            n = noted(after, ends, n)
            continue
        for j in range(moves(state, seconds)):
            lay(state, after, SECOND, larger, smaller, boards)
            play(state, seconds[j])
            n = noted(rank_of(state, planes_of(0)), ends, n)
    return n


def noted(rank, ends, n):
    """Adds a rank to the first `n` unless it is there; returns how many there are then."""
    for i in range(n):
        if ends[i] == rank:
            return n
    ends[n] = rank
    return n + 1


def bear_off_alone(i, state, firsts, seconds, results, arrays):
    """Row kernel: how many rolls `ranks[i]` needs, by turns that leave the fewest on average.

    `table` is [positions, MOST_ROLLS + 2]: the expected number, then the probability of 0, 1, 2 … rolls.
    """
    ranks, boards, rolls, chances, ends, table = arrays
    rank = ranks[i]
    table[rank, 0] = 1.0
    for r in range(ROLLS):
        n = ends_of(state, rank, FIRST, rolls[r] // 10, rolls[r] % 10, boards, firsts, seconds, ends[i])
        best = ends[i, 0]
        for j in range(1, n):
            if table[ends[i, j], 0] < table[best, 0]:
                best = ends[i, j]
        table[rank, 0] += chances[r] * table[best, 0]
        for number in range(MOST_ROLLS):
            table[rank, number + 2] += chances[r] * table[best, number + 1]


def list_ends(i, state, firsts, seconds, results, arrays):
    """Row kernel: the ends of every roll from rank `i`."""
    boards, rolls, ends, counts = arrays
    for r in range(ROLLS):
        n = ends_of(state, i, FIRST, rolls[r] // 10, rolls[r] % 10, boards, firsts, seconds, ends[i, r])
        counts[i, r] = n


def bear_off_against(i, state, firsts, seconds, results, arrays):
    """Row kernel: what rank `i`, on roll, can expect against every rank with which it makes the pips `total[0]`.

    `table` is [on roll, other]; `ends` and `counts` are those of `list_ends`.
    """
    total, pips, order, begins, chances, ends, counts, table = arrays
    left = total[0] - pips[i]
    if i == 0 or left < 1 or left > len(begins) - 2:
        return
    for at in range(begins[left], begins[left + 1]):
        other = order[at]
        value = 0.0
        for r in range(ROLLS):
            value -= chances[r] * least_of(table[other], ends[i, r], counts[i, r])
        table[i, other] = value


def least_of(values, ends, n):
    """The least that the other side, whose `values` these are, can be left with by one of `n` ends."""
    least = values[ends[0]]
    for j in range(1, n):
        least = min(least, values[ends[j]])
    return least


def value_of(state, work, firsts, seconds, ends, boards, table):
    """The expected score of the player who is to act or to roll; both sides must be in the table."""
    own = rank_of(state, planes_of(state[0]))
    other = rank_of(state, planes_of(1 - state[0]))
    if state[1] == ROLL:
        return table[own, other]
    n = ends_of(work, own, state[1], state[2], state[3], boards, firsts, seconds, ends)
    return -least_of(table[other], ends, n)
