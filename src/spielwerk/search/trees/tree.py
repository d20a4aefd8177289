"""Trees for Monte Carlo tree search, as arrays: select a leaf, expand it, back its value up.

Node 0 of a tree is the root, and the children of a node lie side by side. Many trees are the same arrays with one more
axis in front, so that their leaves can be estimated together (`search/forest`).

What players get is a reward from 0 (the worst score) to 1 (the best). The totals of a node are the rewards of its
*owner*: the player whose choice led there (for what follows a roll: led to the roll; for the root: its mover).

A node gets its children when it is visited for the second time, or after its estimate where that brings priors. Where
priors come apart from values, the second visit waits for them. What is
certain about a node's value is the business of `search/trees/proof.py`.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.games.rules import CHANCE, OVER, mover, moves, outcomes, play, roll, roller
from spielwerk.kernel.random import below
from spielwerk.kernel.specialise import interface, unbound

FIRST, COUNT, ACTION, VISITS, WEIGHT, WHOLE, DRAWN = 0, 1, 2, 3, 4, 5, 6  # columns of `links`
LINKS = 7
TOTAL, EXACT = 0, 1  # columns of `sums`
UNKNOWN = 2.0  # as an exact value, which is at most 1
NODE, OWNER = 0, 1  # columns of `path`
SIMULATIONS, CONSIDERED, SCALE = 0, 1, 2  # columns of `plan`
NODES, TRIED = 0, 1  # columns of `size`

# FIRST: the first child, 0 before there are any. ACTION: what led here, an action or an outcome.
# WEIGHT: of an outcome, 0 after an action. WHOLE: the sum of the weights of the node's outcomes, 0 at a decision.
# DRAWN: how often an outcome was chosen, which may be more or less than its visits where values are known; how often
# Gumbel selection has taken a child of the root in this search.

PRIORS: bool = unbound("PRIORS")  # whether the rule of selection reads priors
GUMBEL: bool = unbound("GUMBEL")  # whether it is that of `search/trees/gumbel.py`
APART: bool = unbound("APART")  # whether priors come apart from values, only where a decision is visited again
COUNTING: bool = unbound("COUNTING")  # whether the actions that were tried are counted, and limited


class Tree(NamedTuple):
    """One tree, or with one more axis in front many."""

    links: np.ndarray  # [nodes, LINKS], int32
    sums: np.ndarray  # [nodes, 2], float64
    priors: np.ndarray  # [nodes], float32, of what led to each node; [0] where no priors are kept
    size: np.ndarray  # [2]: how many nodes there are; how many actions were tried, where these are counted
    path: np.ndarray  # [depth, 2], int32: the nodes on the way to the leaf, and their owners
    claims: np.ndarray  # [depth]: what was certain of the child chosen on each level, or UNKNOWN
    noise: np.ndarray  # [children of the root], float32: their Gumbel noise; [0] where the rule has none
    plan: np.ndarray  # [3]: simulations of a search, children of the root it considers, scale of rewards; [0] likewise


class Steering(NamedTuple):
    """The numbers that steer a search."""

    simulations: int
    turns: int  # most turns in the tree
    sampled: bool  # whether outcomes are drawn, rather than visited in the proportion of their weights
    played_out: bool  # whether leaves are played out
    rollout: int  # most turns of a playout
    by_mean: bool  # whether the best mean decides in the end, rather than the most visits
    k: float  # the exploration constant
    proof: bool = True  # whether what is certain is followed up, in games of two sides
    most_tried: int = 0  # most actions that are tried in a tree; 0: no limit


@interface
def choose_child(node, rng, k, tree):
    """The rule of selection: the child to try at a decision, `k` the exploration constant."""
    raise NotImplementedError


def one_of(trees, t):
    """Tree number `t` of many."""
    return Tree(
        trees.links[t],
        trees.sums[t],
        trees.priors[t],
        trees.size[t],
        trees.path[t],
        trees.claims[t],
        trees.noise[t],
        trees.plan[t],
    )


def plant(state, scratch, tree):
    """A tree of the root, which counts as visited, and its children, for which there must be room."""
    new_node(0, 0, 0, 1.0, tree)
    tree.size[NODES] = 1
    if COUNTING:
        tree.size[TRIED] = 0
    expand(0, state, mover(state), scratch, tree)
    tree.links[0, VISITS] = 1


def new_node(node, action, weight, prior, tree):
    """Writes a node that nobody has visited."""
    links, sums = tree.links, tree.sums
    links[node, FIRST] = 0
    links[node, COUNT] = 0
    links[node, ACTION] = action
    links[node, VISITS] = 0
    links[node, WEIGHT] = weight
    links[node, WHOLE] = 0
    links[node, DRAWN] = 0
    sums[node, TOTAL] = 0.0
    sums[node, EXACT] = UNKNOWN
    if PRIORS:
        tree.priors[node] = prior


def expand(node, state, who, scratch, tree):
    """Gives a node its children, with equal priors; False where there is no room for them."""
    links = tree.links
    whole = 0
    if who == CHANCE:
        n = outcomes(state, scratch.actions, scratch.weights)
    else:
        n = moves(state, scratch.actions)
    first = tree.size[NODES]
    if first + n > links.shape[0]:
        return False
    for i in range(n):
        weight = 0
        if who == CHANCE:
            weight = scratch.weights[i]
            whole += weight
        new_node(first + i, scratch.actions[i], weight, 1.0 / n, tree)
    links[node, FIRST] = first
    links[node, COUNT] = n
    links[node, WHOLE] = whole
    tree.size[NODES] = first + n
    return True


def select(state, rng, scratch, steering, tree):
    """Goes from the root's `state` down to a leaf, which is expanded if it was visited before.

    Leaves `state` at the leaf, the way there in `path`, and returns the depth of the leaf.
    """
    set_out(state, tree)
    depth, _, _ = descend(0, 0, False, state, rng, scratch, steering, tree)
    return depth


def set_out(state, tree):
    """The way through the tree begins at the root."""
    who = mover(state)
    tree.path[0, NODE] = 0
    tree.path[0, OWNER] = roller(state) if who == CHANCE else who


def descend(depth, turns, resumed, state, rng, scratch, steering, tree):
    """Goes on from where the way has come to, after so many turns: the depth of the leaf, turns, whether it pauses.

    It pauses at a decision that has no children yet where these need priors, and is `resumed` when they have come.
    """
    links, sums, path, claims = tree.links, tree.sums, tree.path, tree.claims
    node = path[depth, NODE]
    owner = path[depth, OWNER]
    who = mover(state)
    while links[node, VISITS] > 0 and sums[node, EXACT] > 1.0 and who != OVER and depth + 1 < path.shape[0]:
        if turns >= steering.turns and who != owner:  # a turn that has begun is followed to its end
            break
        if COUNTING and who != CHANCE and not may_try(node, steering.most_tried, tree):
            break
        if links[node, FIRST] == 0:
            if APART and who != CHANCE:
                if resumed:  # there was no room for them
                    break
                return depth, turns, True
            if not expand(node, state, who, scratch, tree):
                break
        resumed = False
        if who == CHANCE:
            child = rolled_child(node, rng, steering.sampled, tree)
            links[child, DRAWN] += 1
        else:
            if who != owner or depth == 0:
                turns += 1
            owner = who
            child = choose_child(node, rng, steering.k, tree)
            if COUNTING and links[child, VISITS] == 0:
                tree.size[TRIED] += 1
        claims[depth] = sums[child, EXACT]
        if claims[depth] <= 1.0:
            links[child, VISITS] += 1
            sums[child, TOTAL] += claims[depth]
            child = open_child(node, tree)
        node = child
        if who == CHANCE:
            roll(state, links[node, ACTION])
        else:
            play(state, links[node, ACTION])
        depth += 1
        path[depth, NODE] = node
        path[depth, OWNER] = owner
        who = mover(state)
    return depth, turns, False


def may_try(node, most, tree):
    """Whether a simulation may go on from a decision: all its actions were tried before, or another one may be.

    The rule of selection tries the children from left to right.
    """
    last = tree.links[node, FIRST] + tree.links[node, COUNT] - 1
    return tree.size[TRIED] < most or (last > 0 and tree.links[last, VISITS] > 0)


def rolled_child(node, rng, sampled, tree):
    """The outcome to follow: drawn by its weight, or the one furthest behind its share."""
    links = tree.links
    first = links[node, FIRST]
    if sampled:
        left = below(rng, links[node, WHOLE])
        child = first
        while left >= links[child, WEIGHT]:
            left -= links[child, WEIGHT]
            child += 1
        return child
    count = links[node, COUNT]
    best = first + below(rng, count)  # ties are broken at random
    for child in range(first, first + count):
        if links[child, DRAWN] * links[best, WEIGHT] < links[best, DRAWN] * links[child, WEIGHT]:
            best = child
    return best


def open_child(node, tree):
    """The child visited least of those that are not known; a node that is not known itself has one."""
    links, sums = tree.links, tree.sums
    best = links[node, FIRST]
    for child in range(best, best + links[node, COUNT]):
        if sums[best, EXACT] <= 1.0 or (sums[child, EXACT] > 1.0 and links[child, VISITS] < links[best, VISITS]):
            best = child
    return best
