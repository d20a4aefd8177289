"""Retrograde analysis between two sides without chance: from the ends backwards, so that endless play is a draw.

The largest scores come first. Whoever can reach a position that wins so much does; whoever has only positions left that
lose cannot help it. Within a score positions are settled by distance: wins sooner, losses later.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from spielwerk.games.rules import TEAM
from spielwerk.solvers.general.judge import worth
from spielwerk.solvers.general.store import DONE, NEW, OPEN


class Queue(NamedTuple):
    """Positions that are to be settled: at this distance, and at the next."""

    waiting: Any  # int32 [2, most]
    sizes: Any  # [2]


def settle(seeds, store, reverse, left, queue):
    """Spreads one score from positions that have it, by distance; `left` counts what does not yet lose a position."""
    turns = 0
    taken = 0
    now = 0
    while taken < seeds.shape[0] or queue.sizes[0] > 0 or queue.sizes[1] > 0:
        while taken < seeds.shape[0] and store.turns[seeds[taken]] == turns:
            spread(seeds[taken], now, store, reverse, left, queue)
            taken += 1
        i = 0
        while i < queue.sizes[now]:
            index = queue.waiting[now, i]
            if store.status[index] != DONE and store.turns[index] == turns:
                store.status[index] = DONE
                spread(index, now, store, reverse, left, queue)
            i += 1
        queue.sizes[now] = 0
        now = 1 - now
        turns += 1


def spread(child, now, store, reverse, left, queue):
    """Tells a settled position's value to those that lead to it."""
    turns = store.turns[child]
    for i in range(reverse.starts[child], reverse.starts[child + 1]):
        index = reverse.edges[i]
        if store.status[index] == DONE:
            continue
        who = store.who[index]
        after = turns + (1 if store.who[child] != who else 0)
        if worth(store.values, child, TEAM[who]) > 0:
            if store.status[index] == NEW or after < store.turns[index]:
                store.status[index] = OPEN
                store.values[index, 0] = store.values[child, 0]
                store.turns[index] = after
                push(index, now if after == turns else 1 - now, queue)
            continue
        left[index] -= 1
        if store.status[index] == OPEN:
            continue
        if store.values[index, 0] != store.values[child, 0] or after > store.turns[index]:
            store.values[index, 0] = store.values[child, 0]
            store.turns[index] = after
        if left[index] == 0:
            store.status[index] = OPEN
            push(index, now if store.turns[index] == turns else 1 - now, queue)


def push(index, when, queue):
    """Lets a position wait."""
    queue.waiting[when, queue.sizes[when]] = index
    queue.sizes[when] += 1
