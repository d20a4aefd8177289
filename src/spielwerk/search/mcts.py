"""Monte Carlo tree search with a compiled evaluation: simulations that go down a tree, then play at random or evaluate.

This is the whole search in one kernel, for one position at a time; see `search/forest` for many, and for estimators
that are not compiled.
"""

from typing import Any, NamedTuple

import numpy as np

from spielwerk.games.chance import playout_turns
from spielwerk.games.evaluation import before
from spielwerk.games.rules import OVER, mover, scores
from spielwerk.games.words import copy_state
from spielwerk.search.estimate import estimate
from spielwerk.search.trees.proof import as_rewards, back_up, settle
from spielwerk.search.trees.tree import (
    ACTION,
    COUNT,
    EXACT,
    FIRST,
    TOTAL,
    VISITS,
    Steering,
    Tree,
    one_of,
    plant,
    select,
)


class Memory(NamedTuple):
    """What the kernel works on."""

    steering: Steering
    stop: np.ndarray  # [1]: another thread may set it to end the search
    data: Any  # of the evaluation
    trees: Tree


def mcts_choice(state, rng, scratch, memory):
    """The kernel `decide` of an agent: a new tree, so many simulations, the best child of the root."""
    before(state, memory.data)
    tree = one_of(memory.trees, 0)
    plant(state, scratch, tree)
    if tree.links[0, COUNT] == 1:
        return tree.links[1, ACTION]
    simulate(memory.steering.simulations, state, rng, scratch, memory, tree)
    return tree.links[best_child(memory.steering.by_mean, tree.links, tree.sums), ACTION]


def simulate(most, state, rng, scratch, memory, tree):
    """Simulations in one tree, until there are enough, the root is known, or they are stopped; returns how many."""
    work = scratch.state
    rewards = scratch.scores
    for done in range(most):
        if memory.stop[0] != 0:
            return done
        copy_state(state, work)
        depth = select(work, rng, scratch, memory.steering, tree)
        if not settle(depth, work, rewards, tree):
            reward(work, rng, scratch, memory)
        back_up(depth, rewards, tree)
        if tree.sums[0, EXACT] <= 1.0:
            return done + 1
    return most


def reward(state, rng, scratch, memory):
    """Writes each player's reward of a leaf: of a playout to the end, or what the evaluation says where it stops."""
    if memory.steering.played_out:
        playout_turns(state, rng, scratch.actions, scratch.weights, memory.steering.rollout)
    if mover(state) == OVER:
        scores(state, scratch.scores)
    else:
        estimate(state, scratch.scores, memory.data)
    as_rewards(scratch.scores)


def best_child(by_mean, links, sums):
    """The child of the root to play: the best known one, or the most visited (or best) other if that looks better."""
    known = -1
    other = -1
    for child in range(links[0, FIRST], links[0, FIRST] + links[0, COUNT]):
        if sums[child, EXACT] <= 1.0:
            if known < 0 or sums[child, EXACT] > sums[known, EXACT]:
                known = child
        elif other < 0 or preferred(child, other, by_mean, links, sums):
            other = child
    if known < 0 or other < 0:
        return max(known, other)
    certain = sums[known, EXACT]
    return known if certain >= 1.0 or certain > mean(other, links, sums) else other


def preferred(a, b, by_mean, links, sums):
    """Whether child `a` is to be played rather than `b`."""
    if not by_mean and links[a, VISITS] != links[b, VISITS]:
        return links[a, VISITS] > links[b, VISITS]
    return mean(a, links, sums) > mean(b, links, sums)


def mean(node, links, sums):
    """The mean reward of a node; of one that nobody visited 0."""
    return sums[node, TOTAL] / max(links[node, VISITS], 1)
