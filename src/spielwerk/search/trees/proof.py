"""What is certain in a tree, and how a simulation's rewards are backed up where something is.

In games of two sides a node whose value is certain is *known*: at the end of the game; at a decision with a known win,
or with all children known; at a roll with all outcomes known. Nothing is to be learnt in a known node. Where a search
would go into one, it claims the known value for all nodes above, and goes on into another child for the sake of what
lies below.
"""

from spielwerk.games.rules import BEST, OVER, PLAYERS, TEAM, mover, scores
from spielwerk.kernel.specialise import unbound
from spielwerk.search.trees.tree import COUNT, EXACT, FIRST, NODE, OWNER, TOTAL, UNKNOWN, VISITS, WEIGHT, WHOLE

PROVING: bool = unbound("PROVING")  # whether what is certain is followed up: only in games of two sides


def settle(depth, state, rewards, tree):
    """Writes the rewards of a leaf whose value is certain, and what follows from it in the tree; else False."""
    node, owner = tree.path[depth, NODE], tree.path[depth, OWNER]
    if tree.sums[node, EXACT] <= 1.0:
        known_rewards(tree.sums[node, EXACT], owner, rewards)
        return True
    if mover(state) != OVER:
        return False
    scores(state, rewards)
    as_rewards(rewards)
    if PROVING:
        know(depth, rewards[owner], tree)
    return True


def as_rewards(values):
    """Turns each player's score into a reward from 0 to 1."""
    for player in range(PLAYERS):
        values[player] = 0.5 + 0.5 * values[player] / BEST


def back_up(depth, rewards, tree):
    """Adds a simulation's rewards (one a player) to every node on its way, or above a claim the known ones."""
    path, claims = tree.path, tree.claims
    for d in range(depth, -1, -1):
        if d < depth and claims[d] <= 1.0:
            known_rewards(claims[d], path[d + 1, OWNER], rewards)
        node = path[d, NODE]
        tree.links[node, VISITS] += 1
        tree.sums[node, TOTAL] += rewards[path[d, OWNER]]


def know(depth, value, tree):
    """The leaf at `depth` is worth `value` to its owner for certain: says so, and what follows from it above."""
    path, sums = tree.path, tree.sums
    sums[path[depth, NODE], EXACT] = value
    while depth > 0:
        depth -= 1
        node = path[depth, NODE]
        value = known_value(node, tree)
        if value > 1.0:
            return
        if tree.links[node, WHOLE] == 0 and TEAM[path[depth, OWNER]] != TEAM[path[depth + 1, OWNER]]:
            value = 1.0 - value
        sums[node, EXACT] = value


def known_value(node, tree):
    """What the children's known values make of a node, as their owner sees it; UNKNOWN if they leave it open."""
    links, sums = tree.links, tree.sums
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
