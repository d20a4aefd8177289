"""Row kernels of a forest: one simulation in each of many trees, in three steps (see `search/forest`)."""

from typing import NamedTuple

from spielwerk.games.rules import OVER, PLAYERS, mover, moves
from spielwerk.games.words import copy_state
from spielwerk.kernel.arrays import Array
from spielwerk.kernel.rows import Scratch
from spielwerk.search.trees.gumbel import MOST_CONSIDERED, plan_root
from spielwerk.search.trees.priors import highest_logit, weight_of_logit
from spielwerk.search.trees.proof import as_rewards, back_up, settle
from spielwerk.search.trees.tree import (
    ACTION,
    COUNT,
    EXACT,
    FIRST,
    GUMBEL,
    NODE,
    NODES,
    VISITS,
    Tree,
    descend,
    expand,
    new_node,
    one_of,
    plant,
    set_out,
)

NOTHING, VALUE, PRIORS_ONLY = 0, 1, 2  # what a leaf waits for


class Plot(NamedTuple):
    """All trees of a forest, with the positions they have grown from."""

    roots: Array  # [trees, WORDS] int64
    rngs: Array  # [trees, 1] uint64: the random streams
    done: Array  # [trees] int64: simulations so far
    most: Array  # [trees] int64: simulations after which a tree is left alone
    trees: Tree


class Leaves(NamedTuple):
    """The leaves that are estimated together: one of each tree that still grows."""

    numbers: Array  # [leaves] int64: the number of the tree
    states: Array  # [leaves, WORDS] int64
    depths: Array  # [leaves] int64
    turns: Array  # [leaves] int64: on the way to a leaf at which a simulation pauses
    waiting: Array  # [leaves] uint8: what for; NOTHING where the tree has finished


def plant_rows(i, work, actions, weights, results, arrays):
    """The root of each tree and its children; the roots are the first leaves to be estimated, for their priors."""
    plot, leaves = arrays
    tree = one_of(plot.trees, i)
    plot.done[i] = 0
    if mover(plot.roots[i]) == OVER:
        new_node(0, 0, 0, 1.0, tree)
        tree.links[0, VISITS] = 1
        tree.size[NODES] = 1
    else:
        plant(plot.roots[i], Scratch(work, actions, weights, results), tree)
        if GUMBEL:
            plan_root(0, MOST_CONSIDERED, False, plot.rngs[i], tree)
    tree.path[0, NODE] = 0
    leaves.numbers[i] = i
    leaves.depths[i] = 0
    leaves.waiting[i] = VALUE
    copy_state(plot.roots[i], leaves.states[i])


def select_rows(i, work, actions, weights, results, arrays):
    """Goes down each tree to a leaf that has to be estimated.

    What is certain is backed up at once, and the next simulation begins, until the tree has made all that it shall, or
    knows all there is to know. A simulation that waited for priors goes on from there.
    """
    steering, plot, leaves = arrays
    scratch = Scratch(work, actions, weights, results)
    t = leaves.numbers[i]
    tree = one_of(plot.trees, t)
    resumed = leaves.waiting[i] == PRIORS_ONLY
    leaves.waiting[i] = NOTHING
    open_root = tree.links[0, COUNT] > 0
    while (
        open_root
        and leaves.waiting[i] == NOTHING
        and (resumed or plot.done[t] < plot.most[t])
        and tree.sums[0, EXACT] > 1.0
    ):
        depth = 0
        turns = 0
        if resumed:
            copy_state(leaves.states[i], work)
            depth = leaves.depths[i]
            turns = leaves.turns[i]
        else:
            copy_state(plot.roots[t], work)
            set_out(work, tree)
            plot.done[t] += 1
        depth, turns, paused = descend(depth, turns, resumed, work, plot.rngs[t], scratch, steering, tree)
        resumed = False
        if paused or not settle(depth, work, results, tree):
            leaves.depths[i] = depth
            leaves.turns[i] = turns
            leaves.waiting[i] = PRIORS_ONLY if paused else VALUE
            copy_state(work, leaves.states[i])
        else:
            back_up(depth, results, tree)


def count_rows(i, work, actions, weights, results, arrays):
    """How many legal actions, and so priors, each leaf has."""
    leaves, counts = arrays
    counts[i] = moves(leaves.states[i], actions) if mover(leaves.states[i]) >= 0 else 0


def expand_rows(i, work, actions, weights, results, arrays):
    """Gives each decision that was estimated its children, with their priors, ragged as the legal actions are."""
    offsets, priors, plot, leaves = arrays
    node = expanded(i, Scratch(work, actions, weights, results), plot, leaves)
    if node >= 0:
        tree = one_of(plot.trees, leaves.numbers[i])
        for k in range(tree.links[node, COUNT]):
            tree.priors[tree.links[node, FIRST] + k] = priors[offsets[i] + k]


def expand_by_logits_rows(i, work, actions, weights, results, arrays):
    """The same, with priors from the logits of all action numbers."""
    logits, plot, leaves = arrays  # logits: [leaves, ACTIONS]
    node = expanded(i, Scratch(work, actions, weights, results), plot, leaves)
    if node >= 0:
        tree = one_of(plot.trees, leaves.numbers[i])
        first, count = tree.links[node, FIRST], tree.links[node, COUNT]
        for k in range(count):
            actions[k] = tree.links[first + k, ACTION]
        most = highest_logit(logits[i], actions, 0, count)
        whole = 0.0
        for k in range(count):
            whole += weight_of_logit(logits[i, actions[k]], most)
        for k in range(count):
            tree.priors[first + k] = weight_of_logit(logits[i, actions[k]], most) / whole


def expanded(i, scratch, plot, leaves):
    """The node of a leaf that has children now and needs their priors; -1 where there are none to be had."""
    state = leaves.states[i]
    who = mover(state)
    if leaves.waiting[i] == NOTHING or who < 0:
        return -1
    tree = one_of(plot.trees, leaves.numbers[i])
    node = tree.path[leaves.depths[i], NODE]
    if tree.links[node, FIRST] == 0 and not expand(node, state, who, scratch, tree):
        return -1
    return node


def back_up_rows(i, work, actions, weights, results, arrays):
    """Backs up what was estimated of each leaf: the score that each player may expect."""
    values, plot, leaves = arrays  # values: [leaves, PLAYERS]
    if leaves.waiting[i] == VALUE:
        for player in range(PLAYERS):
            results[player] = values[i, player]
        as_rewards(results)
        back_up(leaves.depths[i], results, one_of(plot.trees, leaves.numbers[i]))
