"""Bearing off, compiled: the ends of a turn by the rules of the game, and what they are worth.

Nobody can be hit any more, so that a side's turns do not depend on where the other side stands. Every roll moves
a checker, so that the positions with fewer pips are always known before.
"""

from typing import Any, NamedTuple

from spielwerk.games.backgammon import FIRST, PLANES, ROLL, SECOND, checkers_left, occupied, planes_of
from spielwerk.games.boards.backgammon import HOME
from spielwerk.games.rules import mover, moves, play
from spielwerk.solvers.bearoff.index import rank_of

ROLLS = 21
MOST_ENDS = 126  # a double is four steps, each from one of six points
MOST_ROLLS = 30  # fifteen checkers on point 6 and nothing but 2-1


class Alone(NamedTuple):
    """What `bear_off_alone` takes."""

    ranks: Any  # of as many pips
    boards: Any
    rolls: Any
    chances: Any
    ends: Any  # scratch: [ranks, MOST_ENDS]
    table: Any  # [positions, MOST_ROLLS + 2]: the expected number, then the probability of 0, 1, 2 … rolls


class EndLists(NamedTuple):
    """What `list_ends` takes."""

    boards: Any
    rolls: Any
    ends: Any  # [positions, ROLLS, MOST_ENDS]: ranks, of which
    counts: Any  # [positions, ROLLS] are meant


class Against(NamedTuple):
    """What `bear_off_against` takes."""

    total: int  # pips of both sides
    pips: Any
    order: Any
    begins: Any
    chances: Any
    ends: Any  # with `counts`, those of `list_ends`
    counts: Any
    table: Any  # [on roll, other]


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
    """Row kernel: how many rolls `ranks[i]` needs, by turns that leave the fewest on average."""
    (at,) = arrays
    rank, rolls, table = at.ranks[i], at.rolls, at.table
    ends = at.ends[i]
    table[rank, 0] = 1.0
    for r in range(ROLLS):
        n = ends_of(state, rank, FIRST, rolls[r] // 10, rolls[r] % 10, at.boards, firsts, seconds, ends)
        best = ends[0]
        for j in range(1, n):
            if table[ends[j], 0] < table[best, 0]:
                best = ends[j]
        table[rank, 0] += at.chances[r] * table[best, 0]
        for number in range(MOST_ROLLS):
            table[rank, number + 2] += at.chances[r] * table[best, number + 1]


def list_ends(i, state, firsts, seconds, results, arrays):
    """Row kernel: the ends of every roll from rank `i`."""
    (at,) = arrays
    for r in range(ROLLS):
        larger, smaller = at.rolls[r] // 10, at.rolls[r] % 10
        at.counts[i, r] = ends_of(state, i, FIRST, larger, smaller, at.boards, firsts, seconds, at.ends[i, r])


def bear_off_against(i, state, firsts, seconds, results, arrays):
    """Row kernel: what rank `i`, on roll, can expect against every rank with which it makes the pips `total`."""
    (at,) = arrays
    left = at.total - at.pips[i]
    if i == 0 or left < 1 or left > len(at.begins) - 2:
        return
    for place in range(at.begins[left], at.begins[left + 1]):
        other = at.order[place]
        value = 0.0
        for r in range(ROLLS):
            value -= at.chances[r] * least_of(at.table[other], at.ends[i, r], at.counts[i, r])
        at.table[i, other] = value


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


def ending_rows(i, state, actions, weights, results, arrays):
    """Row kernel: what player 0 can expect on each board before a roll that the two-sided table knows."""
    states, most, table, values = arrays  # [n, WORDS], [1], [on roll, other], [n]
    here = states[i]
    if here[1] != ROLL or not at_home(here, 0, most[0]) or not at_home(here, 1, most[0]):
        return
    roller = here[0]
    value = table[rank_of(here, planes_of(roller)), rank_of(here, planes_of(1 - roller))]
    values[i] = value if roller == 0 else 0.0 - value


def at_home(state, player, most):
    """Whether all checkers of a player are at home, at least one and not more than `most`."""
    planes = planes_of(player)
    left = checkers_left(state, planes)
    return occupied(state, planes) <= HOME and left >= 1 and left <= most
