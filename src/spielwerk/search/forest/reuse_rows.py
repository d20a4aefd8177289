"""Row kernels that go on with the subtree of a position that was reached by playing.

The nodes that are kept move to the front of the tree's own memory, in the order in which they lie: children lie behind
their parent, so one pass from front to back finds and moves them all, and nothing is overwritten before it was moved.
On the way the first of some siblings says who their parent is (Jonkers 1979): their FIRST is -1 - parent, and the
parent's FIRST is what theirs was, until the pass comes to them.
"""

from spielwerk.games.rules import CHANCE, WORDS, mover, play, roll
from spielwerk.games.words import copy_state
from spielwerk.search.forest.rows import plant_rows
from spielwerk.search.trees.gumbel import MOST_CONSIDERED, plan_root
from spielwerk.search.trees.proof import known_value
from spielwerk.search.trees.tree import (
    ACTION,
    COUNT,
    DRAWN,
    EXACT,
    FIRST,
    GUMBEL,
    LINKS,
    NODES,
    PRIORS,
    TOTAL,
    VISITS,
    WEIGHT,
    WHOLE,
    one_of,
)


def advance_rows(i, work, actions, weights, results, arrays):
    """The subtree of the position that each board has come to becomes its tree, or a new tree does, which waits."""
    plot, leaves, states, steps = arrays  # states: [trees, WORDS]; steps: [trees, any]
    tree = one_of(plot.trees, i)
    copy_state(plot.roots[i], work)
    node = node_reached(work, states[i], steps[i], plot.roots[i], tree)
    copy_state(states[i], plot.roots[i])
    leaves.waiting[i] = 0
    if node > 0:
        keep(node, tree)
        make_root(tree)
    if node < 0:
        plant_rows(i, work, actions, weights, results, (plot, leaves))
    elif GUMBEL:
        plan_root(0, MOST_CONSIDERED, False, plot.rngs[i], tree)


def node_reached(state, goal, steps, other, tree):
    """The node that these steps from the root's `state` lead to, if that is `goal`; -1 if it is not worth keeping.

    A roll at the end may be left out. `other` is scratch for a position.
    """
    node = 0
    for k in range(steps.shape[0]):
        if steps[k] >= 0:
            chance = mover(state) == CHANCE
            node = child_after(node, steps[k], tree)
            if node < 0:
                return -1
            if chance:
                roll(state, steps[k])
            else:
                play(state, steps[k])
    if mover(state) == CHANCE and not same(state, goal):
        return worth_keeping(child_rolled(node, state, goal, other, tree), tree)
    return worth_keeping(node, tree) if same(state, goal) else -1


def child_after(node, action, tree):
    """The child of a node after an action or an outcome; -1 if there is none."""
    links = tree.links
    for child in range(links[node, FIRST], links[node, FIRST] + links[node, COUNT]):
        if links[child, ACTION] == action:
            return child
    return -1


def child_rolled(node, state, goal, other, tree):
    """The child of a chance node that is `goal`; -1 if none is."""
    links = tree.links
    for child in range(links[node, FIRST], links[node, FIRST] + links[node, COUNT]):
        copy_state(state, other)
        roll(other, links[child, ACTION])
        if same(other, goal):
            return child
    return -1


def same(state, other):
    """Whether two positions are the same."""
    for word in range(WORDS):
        if state[word] != other[word]:
            return False
    return True


def worth_keeping(node, tree):
    """The node, if it is the root or a decision below which somebody has searched; else -1.

    The children of a roll count rewards of who acted before it, which a roll at the root has nobody for.
    """
    links = tree.links
    if node <= 0:
        return node
    visits = 0
    for child in range(links[node, FIRST], links[node, FIRST] + links[node, COUNT]):
        visits += links[child, VISITS]
    return node if visits > 0 and links[node, WHOLE] == 0 else -1


def keep(node, tree):
    """Moves a node and all below it to the front."""
    links = tree.links
    move_node(node, 0, tree)
    size = 1
    here = node + 1
    while here < tree.size[NODES]:
        if links[here, FIRST] >= 0:
            here += 1
        else:
            parent = -1 - links[here, FIRST]
            links[here, FIRST] = links[parent, FIRST]
            links[parent, FIRST] = size
            for _ in range(links[parent, COUNT]):
                move_node(here, size, tree)
                here += 1
                size += 1
    tree.size[NODES] = size


def move_node(old, new, tree):
    """Moves one node, and tells its first child where its parent is."""
    links = tree.links
    for column in range(LINKS):
        links[new, column] = links[old, column]
    tree.sums[new, TOTAL] = tree.sums[old, TOTAL]
    tree.sums[new, EXACT] = tree.sums[old, EXACT]
    if PRIORS:
        tree.priors[new] = tree.priors[old]
    first = links[new, FIRST]
    if first > 0:
        links[new, FIRST] = links[first, FIRST]
        links[first, FIRST] = -1 - new


def make_root(tree):
    """Makes a root of node 0: its own rewards become those of its mover, which its children's are."""
    links, sums = tree.links, tree.sums
    total = 0.0
    visits = 0
    for child in range(links[0, FIRST], links[0, FIRST] + links[0, COUNT]):
        total += sums[child, TOTAL]
        visits += links[child, VISITS]
    sums[0, TOTAL] = (links[0, VISITS] - 1) * total / visits  # the first visit of a root brings nothing
    if sums[0, EXACT] <= 1.0:
        sums[0, EXACT] = known_value(0, tree)
    links[0, ACTION] = 0
    links[0, WEIGHT] = 0
    links[0, DRAWN] = 0
    if PRIORS:
        tree.priors[0] = 1.0
