"""Trees for Monte Carlo tree search, as arrays: select a leaf, expand it, back its value up.

One tree is `links` [nodes, LINKS], `sums` [nodes, 2], `size` [1], `path` [depth, 2] and `claims` [depth]; node 0 is the
root, and the children of a node lie side by side. Many trees are one more axis in front, so that their leaves can be
evaluated together.

What players get is a reward from 0 (the worst score) to 1 (the best). The totals of a node are the rewards of its
*owner*: the player whose choice led there (for what follows a roll: led to the roll; for the root: its mover).

In games of two sides a node whose value is certain is *known*: at the end of the game; at a decision with a known win,
or with all children known; at a roll with all outcomes known. Nothing is to be learnt in a known node. Where a search
would go into one, it claims the known value for all nodes above, and goes on into another child for the sake of what
lies below.
"""

import math

from spielwerk.games.rules import CHANCE, OVER, PLAYERS, TEAM, mover, moves, outcomes, play, roll, roller
from spielwerk.kernel.random import below

FIRST, COUNT, ACTION, VISITS, WEIGHT, WHOLE, DRAWN = 0, 1, 2, 3, 4, 5, 6  # columns of `links`
LINKS = 7
TOTAL, EXACT = 0, 1  # columns of `sums`
UNKNOWN = 2.0  # as an exact value, which is at most 1
NODE, OWNER = 0, 1  # columns of `path`

# FIRST: the first child, 0 before there are any. ACTION: what led here, an action or an outcome.
# WEIGHT: of an outcome, 0 after an action. WHOLE: the sum of the weights of the node's outcomes, 0 at a decision.
# DRAWN: how often an outcome was chosen, which may be more or less than its visits where values are known.


def plant(state, actions, weights, tree):
    """A tree of the root, which counts as visited, and its children, for which there must be room."""
    links, sums, size, _, _ = tree
    new_node(links, sums, 0, 0, 0)
    size[0] = 1
    expand(0, state, mover(state), actions, weights, links, sums, size)
    links[0, VISITS] = 1


def new_node(links, sums, node, action, weight):
    """Writes a node that nobody has visited."""
    links[node, FIRST] = 0
    links[node, COUNT] = 0
    links[node, ACTION] = action
    links[node, VISITS] = 0
    links[node, WEIGHT] = weight
    links[node, WHOLE] = 0
    links[node, DRAWN] = 0
    sums[node, TOTAL] = 0.0
    sums[node, EXACT] = UNKNOWN


def select(state, rng, actions, weights, most_turns, sampled, k, tree):
    """Goes from the root's `state` down to a leaf, which is expanded if it was visited before.

    Leaves `state` at the leaf, the way there in `path`, and returns the depth of the leaf.
    """
    links, sums, size, path, claims = tree
    node = 0
    depth = 0
    turns = 0
    who = mover(state)
    owner = roller(state) if who == CHANCE else who
    path[0, NODE] = 0
    path[0, OWNER] = owner
    while links[node, VISITS] > 0 and sums[node, EXACT] > 1.0 and who != OVER and depth + 1 < path.shape[0]:
        if links[node, FIRST] == 0:
            whole = turns >= most_turns and who != owner  # a turn that has begun is followed to its end
            if whole or not expand(node, state, who, actions, weights, links, sums, size):
                break
        if who == CHANCE:
            child = rolled_child(node, rng, sampled, links)
            links[child, DRAWN] += 1
        else:
            if who != owner or depth == 0:
                turns += 1
            owner = who
            child = chosen_child(node, rng, k, links, sums)
        claims[depth] = sums[child, EXACT]
        if claims[depth] <= 1.0:
            links[child, VISITS] += 1
            sums[child, TOTAL] += claims[depth]
            child = open_child(node, links, sums)
        node = child
        if who == CHANCE:
            roll(state, links[node, ACTION])
        else:
            play(state, links[node, ACTION])
        depth += 1
        path[depth, NODE] = node
        path[depth, OWNER] = owner
        who = mover(state)
    return depth


def expand(node, state, who, actions, weights, links, sums, size):
    """Gives a node its children; False where there is no room for them."""
    whole = 0
    if who == CHANCE:
        n = outcomes(state, actions, weights)
    else:
        n = moves(state, actions)
    first = size[0]
    if first + n > links.shape[0]:
        return False
    for i in range(n):
        weight = 0
        if who == CHANCE:
            weight = weights[i]
            whole += weight
        new_node(links, sums, first + i, actions[i], weight)
    links[node, FIRST] = first
    links[node, COUNT] = n
    links[node, WHOLE] = whole
    size[0] = first + n
    return True


def chosen_child(node, rng, k, links, sums):
    """The child to try at a decision: each once, in random order, then by upper confidence bound."""
    first = links[node, FIRST]
    count = links[node, COUNT]
    visited = links[node, VISITS] - 1  # the first visit was before the children came
    if visited < count:
        other = first + visited + below(rng, count - visited)
        swap_actions(links, first + visited, other)
        return first + visited
    spread = k * math.sqrt(math.log(visited + 1.0))
    best = first
    best_bound = -1.0
    for child in range(first, first + count):
        bound = sums[child, EXACT]
        if bound > 1.0:
            visits = links[child, VISITS]
            bound = sums[child, TOTAL] / visits + spread / math.sqrt(visits)
        if bound > best_bound:
            best = child
            best_bound = bound
    return best


def swap_actions(links, a, b):
    """Lets two children that have not been visited change places."""
    action = links[a, ACTION]
    links[a, ACTION] = links[b, ACTION]
    links[b, ACTION] = action


def rolled_child(node, rng, sampled, links):
    """The outcome to follow: drawn by its weight, or the one furthest behind its share."""
    first = links[node, FIRST]
    if sampled != 0:
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


def open_child(node, links, sums):
    """The child visited least of those that are not known; a node that is not known itself has one."""
    best = links[node, FIRST]
    for child in range(best, best + links[node, COUNT]):
        if sums[best, EXACT] <= 1.0 or (sums[child, EXACT] > 1.0 and links[child, VISITS] < links[best, VISITS]):
            best = child
    return best


def back_up(depth, rewards, tree):
    """Adds a simulation's rewards (one a player) to every node on its way, or above a claim the known ones."""
    links, sums, _, path, claims = tree
    for d in range(depth, -1, -1):
        if d < depth and claims[d] <= 1.0:
            known_rewards(claims[d], path[d + 1, OWNER], rewards)
        node = path[d, NODE]
        links[node, VISITS] += 1
        sums[node, TOTAL] += rewards[path[d, OWNER]]


def know(depth, value, tree):
    """The leaf at `depth` is worth `value` to its owner for certain: says so, and what follows from it above."""
    links, sums, _, path, _ = tree
    sums[path[depth, NODE], EXACT] = value
    while depth > 0:
        depth -= 1
        node = path[depth, NODE]
        value = known_value(node, links, sums)
        if value > 1.0:
            return
        if links[node, WHOLE] == 0 and TEAM[path[depth, OWNER]] != TEAM[path[depth + 1, OWNER]]:
            value = 1.0 - value
        sums[node, EXACT] = value


def known_value(node, links, sums):
    """What the children's known values make of a node, as their owner sees it; UNKNOWN if they leave it open."""
    best = 0.0
    mean = 0.0
    certain = True
    for child in range(links[node, FIRST], links[node, FIRST] + links[node, COUNT]):
        value = sums[child, EXACT]
        if value > 1.0:
            certain = False
        else:
            best = max(best, value)
            mean += value * links[child, WEIGHT]
    if links[node, WHOLE] > 0:
        return mean / links[node, WHOLE] if certain else UNKNOWN
    return best if certain or best >= 1.0 else UNKNOWN


def known_rewards(value, owner, rewards):
    """Writes each player's reward where the owner's is known, in a game of two sides."""
    for player in range(PLAYERS):
        rewards[player] = value if TEAM[player] == TEAM[owner] else 1.0 - value
