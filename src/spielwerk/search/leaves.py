"""Tree search with leaves that are evaluated outside, such as by a network: one leaf of every tree at a time.

Row kernels, one row a tree: `plant_trees`, then in turn `select_leaves`, the evaluation of all `leaves` that are
`waiting`, and `back_up_leaves`. `trees` are the arrays of `search/tree.py` with one more axis in front; `numbers` and
`k` are those of `search/mcts.py`.
"""

from spielwerk.games.rules import PLAYERS
from spielwerk.games.words import copy_state
from spielwerk.search.mcts import SAMPLED, TREE, settle
from spielwerk.search.tree import back_up, plant, select


def plant_trees(i, work, actions, weights, results, arrays):
    """Row kernel: tree `i` has a root at `states[i]`, and its children."""
    states, trees = arrays
    links, sums, sizes, paths, claims = trees
    plant(states[i], actions, weights, (links[i], sums[i], sizes[i], paths[i], claims[i]))


def select_leaves(i, work, actions, weights, results, arrays):
    """Row kernel: goes from `states[i]` to a leaf of tree `i`, and writes its position and its depth.

    Where the leaf's value is certain it is backed up at once, and nothing waits for an evaluation.
    """
    states, leaves, depths, waiting, rngs, numbers, k, trees = arrays
    links, sums, sizes, paths, claims = trees
    tree = (links[i], sums[i], sizes[i], paths[i], claims[i])
    copy_state(states[i], leaves[i])
    depths[i] = select(leaves[i], rngs[i], actions, weights, numbers[TREE], numbers[SAMPLED], k[0], tree)
    waiting[i] = 1
    if settle(depths[i], leaves[i], results, tree):
        back_up(depths[i], results, tree)
        waiting[i] = 0


def back_up_leaves(i, work, actions, weights, results, arrays):
    """Row kernel: backs up the rewards (0 to 1, one a player) of the leaf that waits in tree `i`."""
    rewards, depths, waiting, trees = arrays  # rewards: [n, PLAYERS]
    links, sums, sizes, paths, claims = trees
    if waiting[i] != 0:
        for player in range(PLAYERS):
            results[player] = rewards[i, player]
        back_up(depths[i], results, (links[i], sums[i], sizes[i], paths[i], claims[i]))
        waiting[i] = 0
