"""Row kernels that read what each tree of a forest has found at its root."""

from spielwerk.games.rules import BEST, CHANCE, OVER, mover, roller
from spielwerk.kernel.random import fraction
from spielwerk.search.mcts import best_child
from spielwerk.search.trees.gumbel import halved_child
from spielwerk.search.trees.improvement import improved, improved_whole, outlook_of, quality
from spielwerk.search.trees.tree import ACTION, COUNT, EXACT, FIRST, GUMBEL, PRIORS, TOTAL, VISITS, one_of


def choice_rows(i, work, actions, weights, results, arrays):
    """The action to play at the root of each tree; -1 where nobody is to move."""
    plot, by_mean, chosen = arrays  # chosen: [trees]
    tree = one_of(plot.trees, i)
    chosen[i] = -1
    if mover(plot.roots[i]) >= 0:
        chosen[i] = tree.links[chosen_child(by_mean, tree), ACTION]


def chosen_child(by_mean, tree):
    """The child of the root to play; what is certain decides before sequential halving does."""
    if GUMBEL and tree.sums[0, EXACT] > 1.0:
        child = halved_child(tree)
        if tree.sums[child, EXACT] != 0.0:  # not a certain loss
            return child
    return best_child(by_mean, tree.links, tree.sums)


def drawn_rows(i, work, actions, weights, results, arrays):
    """An action at the root of each tree, drawn by its visits; -1 where nobody is to move."""
    plot, temperatures, chosen = arrays  # both [trees]
    tree = one_of(plot.trees, i)
    chosen[i] = -1
    if mover(plot.roots[i]) >= 0:
        chosen[i] = tree.links[drawn_child(temperatures[i], plot.rngs[i], tree), ACTION]


def drawn_child(temperature, rng, tree):
    """A child of the root, drawn in proportion to its weight to the power of 1 / temperature; at 0 the heaviest."""
    first, last = tree.links[0, FIRST], tree.links[0, FIRST] + tree.links[0, COUNT]
    visits = visits_of_children(tree)
    best = first
    for child in range(first, last):
        if weight_of(child, visits, tree) > weight_of(best, visits, tree):
            best = child
    if temperature <= 0.0:
        return best
    most = weight_of(best, visits, tree)  # divided by, so that no power overflows
    whole = 0.0
    for child in range(first, last):
        whole += (weight_of(child, visits, tree) / most) ** (1.0 / temperature)
    left = fraction(rng) * whole
    for child in range(first, last):
        left -= (weight_of(child, visits, tree) / most) ** (1.0 / temperature)
        if left < 0.0:
            return child
    return best


def visits_of_children(tree):
    """All visits of the root's children."""
    visits = 0
    for child in range(tree.links[0, FIRST], tree.links[0, FIRST] + tree.links[0, COUNT]):
        visits += tree.links[child, VISITS]
    return visits


def weight_of(child, visits, tree):
    """The visits of a child of the root; where nobody has searched its prior.

    Where the root is certain, only what leads to its value counts: the search has ended before visits could tell.
    """
    if tree.sums[0, EXACT] <= 1.0:
        return 1.0 if tree.sums[child, EXACT] == tree.sums[0, EXACT] else 0.0
    if visits > 0:
        return float(tree.links[child, VISITS])
    return float(tree.priors[child]) if PRIORS else 1.0


def count_rows(i, work, actions, weights, results, arrays):
    """How many legal actions the root of each tree has."""
    plot, counts = arrays
    counts[i] = plot.trees.links[i, 0, COUNT] if mover(plot.roots[i]) >= 0 else 0


def policy_rows(i, work, actions, weights, results, arrays):
    """How likely each legal action of the root is to be played, by what its tree has found."""
    plot, offsets, policy = arrays  # policy: ragged, as the legal actions are
    if mover(plot.roots[i]) >= 0:
        tree = one_of(plot.trees, i)
        if GUMBEL:
            write_improved(offsets[i], tree, policy)
        else:
            write_shares(offsets[i], tree, policy)


def write_improved(offset, tree, policy):
    """The improved policy of the root."""
    outlook = outlook_of(0, tree)
    whole = improved_whole(0, outlook, tree)
    first = tree.links[0, FIRST]
    for k in range(tree.links[0, COUNT]):
        policy[offset + k] = improved(first + k, outlook, tree) / whole


def improved_mean(tree):
    """The reward that who moves at the root may expect by the improved policy.

    The mean of all simulations would be that of the moves considered, good or bad, since each gets its share of them.
    """
    outlook = outlook_of(0, tree)
    first = tree.links[0, FIRST]
    whole = 0.0
    total = 0.0
    for child in range(first, first + tree.links[0, COUNT]):
        weight = improved(child, outlook, tree)
        whole += weight
        total += weight * quality(child, outlook.mixed, tree)
    return total / whole


def write_shares(offset, tree, policy):
    """Each action's share of the visits."""
    first, last = tree.links[0, FIRST], tree.links[0, FIRST] + tree.links[0, COUNT]
    visits = visits_of_children(tree)
    whole = 0.0
    for child in range(first, last):
        whole += weight_of(child, visits, tree)
    for child in range(first, last):
        policy[offset + rank(child, tree)] = weight_of(child, visits, tree) / whole


def rank(child, tree):
    """The place of a child's action among the legal ones, which are ascending; uct lets children change places."""
    links = tree.links
    first = links[0, FIRST]
    if PRIORS:
        return child - first
    smaller = 0
    for other in range(first, first + links[0, COUNT]):
        if links[other, ACTION] < links[child, ACTION]:
            smaller += 1
    return smaller


def value_rows(i, work, actions, weights, results, arrays):
    """The score that whoever acts next at the root may expect, by what its tree has found."""
    plot, estimated, values = arrays  # estimated: [trees, PLAYERS], of the roots themselves; values: [trees]
    who = mover(plot.roots[i])
    tree = one_of(plot.trees, i)
    if tree.sums[0, EXACT] <= 1.0:
        values[i] = (2.0 * tree.sums[0, EXACT] - 1.0) * BEST
    elif GUMBEL and who >= 0 and tree.links[0, VISITS] > 1:
        values[i] = (2.0 * improved_mean(tree) - 1.0) * BEST
    elif tree.links[0, VISITS] > 1:  # the first visit brought nothing
        values[i] = (2.0 * tree.sums[0, TOTAL] / (tree.links[0, VISITS] - 1) - 1.0) * BEST
    elif who != OVER:
        values[i] = estimated[i, roller(plot.roots[i]) if who == CHANCE else who]
    else:
        values[i] = estimated[i, 0]
