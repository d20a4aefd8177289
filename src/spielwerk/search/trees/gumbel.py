"""Gumbel selection (Danihelka et al. 2022, "Policy improvement by planning with Gumbel"), for few simulations.

Below the root a simulation takes the child whose visits are furthest behind the improved policy π' of
`search/trees/improvement.py`: the one with the highest π' - visits / (1 + visits of all).

At the root it takes the highest `noise + log prior + σ(q)` among the children whose turn it is by *sequential halving*:
the simulations are shared evenly among the children considered at first, then among the better half of them, and so on.
The same sum decides in the end, among the children taken most often. Noise of the Gumbel distribution makes the
children considered a draw from the priors without replacement; without noise the search is deterministic.
"""

import math

import numpy as np

from spielwerk.search.trees.improvement import improved, improved_whole, outlook_of, prior_of, quality
from spielwerk.search.trees.tree import CONSIDERED, COUNT, DRAWN, FIRST, SIMULATIONS, VISITS, WHOLE
from spielwerk.search.trees.variates import gumbel_variate

MOST_CONSIDERED = 16  # children of the root, unless said otherwise
NONE = -1e300  # below every sum


def gumbel(node, rng, k, tree):
    """The rule, as `choose_child`."""
    return planned_child(tree) if node == 0 else lagging_child(node, tree)


def lagging_child(node, tree):
    """The child whose share of the visits is furthest behind π'."""
    links = tree.links
    outlook = outlook_of(node, tree)
    whole = improved_whole(node, outlook, tree)
    best = links[node, FIRST]
    best_gap = NONE
    for child in range(links[node, FIRST], links[node, FIRST] + links[node, COUNT]):
        gap = improved(child, outlook, tree) / whole - links[child, VISITS] / (1.0 + outlook.visits)
        if gap > best_gap:
            best = child
            best_gap = gap
    return best


def planned_child(tree):
    """The child of the root whose turn it is, which counts as taken."""
    links = tree.links
    first = links[0, FIRST]
    done = 0
    for child in range(first, first + links[0, COUNT]):
        done += links[child, DRAWN]
    best = best_taken(planned_visits(done, int(tree.plan[SIMULATIONS]), int(tree.plan[CONSIDERED])), tree)
    links[best, DRAWN] += 1
    return best


def best_taken(times, tree):
    """Of the root's children that were taken so many times, the one with the highest noise + log prior + σ(q)."""
    links = tree.links
    first = links[0, FIRST]
    outlook = outlook_of(0, tree)
    best = first
    best_sum = NONE
    for child in range(first, first + links[0, COUNT]):
        if links[child, DRAWN] == times:
            q = quality(child, outlook.mixed, tree)
            found = np.float64(tree.noise[child - first]) + math.log(prior_of(child, tree)) + outlook.scale * q
            if found > best_sum:
                best = child
                best_sum = found
    return best


def planned_visits(done, simulations, considered):
    """How often the child that comes after `done` of so many simulations has been taken before, by sequential halving.

    With `considered` children at first: each phase takes all that are left equally often, and leaves half of them for
    the next one. What remains after the last phase is shared by the two best.
    """
    if considered <= 1:
        return done
    phases = 1
    children = 2
    while children < considered:
        phases += 1
        children *= 2
    visits = 0
    while True:
        each = max(1, simulations // (phases * considered))
        if done < each * considered:
            return visits + done // considered
        done -= each * considered
        visits += each
        considered = max(2, considered // 2)


def plan_root(simulations, considered, noisy, rng, tree):
    """Begins a search of so many simulations in a tree, with or without noise; 0 simulations: nobody knows how many."""
    first, count = tree.links[0, FIRST], tree.links[0, COUNT]
    if tree.links[0, WHOLE] > 0:  # a roll
        return
    tree.plan[SIMULATIONS] = simulations
    tree.plan[CONSIDERED] = min(considered, count)
    if 0 < simulations < tree.plan[CONSIDERED]:
        tree.plan[CONSIDERED] = simulations
    for child in range(count):
        tree.links[first + child, DRAWN] = 0
        tree.noise[child] = gumbel_variate(rng) if noisy else 0.0


def halved_child(tree):
    """The child to play: the best of those left by sequential halving."""
    links = tree.links
    most = 0
    for child in range(links[0, FIRST], links[0, FIRST] + links[0, COUNT]):
        most = max(most, links[child, DRAWN])
    return best_taken(most, tree)
