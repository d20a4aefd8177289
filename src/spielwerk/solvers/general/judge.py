"""The value of a position from the values of those that follow it."""

from spielwerk.games.rules import CHANCE, TEAM, outcomes
from spielwerk.games.words import copy_state
from spielwerk.kernel.specialise import unbound
from spielwerk.solvers.general.store import NONE, VALUE_COLUMNS

HAS_DISTANCES: bool = unbound("HAS_DISTANCES")  # whether distances are known: between two sides without chance


def judge(index, edges, first, last, store, scratch, values, out):
    """Writes the value and the distance of a position, which `edges[first:last]` follow with these `values`.

    Whoever acts takes what is best for its side: of equal values the sooner win and the later loss, or the first.
    """
    who = store.who[index]
    if who == CHANCE:
        expect(index, edges, first, last, store, scratch, values, out)
        return
    side = TEAM[who]
    best = edges[first]
    turns = steps(who, best, store)
    for i in range(first + 1, last):
        child = edges[i]
        value = worth(values, child, side)
        most = worth(values, best, side)
        if value < most:
            continue
        after = steps(who, child, store)
        if value > most or (HAS_DISTANCES and (after < turns if value > 0 else after > turns)):
            best = child
            turns = after
    for i in range(VALUE_COLUMNS):
        out[index, i] = values[best, i]
    store.turns[index] = turns


def expect(index, edges, first, last, store, scratch, values, out):
    """The mean over the outcomes of a roll, by their weights."""
    copy_state(store.states[index], scratch.state)
    outcomes(scratch.state, scratch.numbers, scratch.weights)
    for i in range(VALUE_COLUMNS):
        total = 0
        mean = 0.0
        for j in range(first, last):
            total += scratch.weights[j - first]
            mean += scratch.weights[j - first] * values[edges[j], i]
        out[index, i] = mean / total


def worth(values, index, side):
    """What a side can expect."""
    if VALUE_COLUMNS > 1:
        return values[index, side]
    return values[index, 0] if side == 0 else -values[index, 0]


def steps(who, child, store):
    """The turns to the end by way of `child`: one more than from there, unless the same player goes on."""
    if not HAS_DISTANCES or store.turns[child] == NONE or store.values[child, 0] == 0:
        return NONE
    return store.turns[child] + (1 if store.who[child] != who else 0)
