"""Monte Carlo tree search: simulations that go down a tree, then play at random or ask an evaluation.

Numbers that steer it, in `numbers`: [simulations, most turns in the tree, whether chance is sampled, whether leaves are
played out, most turns of a playout, whether the best mean decides rather than the most visits]; in `k`: the weight of
exploration.
"""

from spielwerk.games.evaluation import before
from spielwerk.games.rules import BEST, OVER, PLAYERS, mover, scores
from spielwerk.games.words import copy_state
from spielwerk.search.estimate import SIDES, estimate
from spielwerk.search.playout import playout_turns
from spielwerk.search.tree import (
    ACTION,
    COUNT,
    EXACT,
    FIRST,
    NODE,
    OWNER,
    TOTAL,
    VISITS,
    back_up,
    know,
    known_rewards,
    plant,
    select,
)

SIMULATIONS, TREE, SAMPLED, PLAYED_OUT, ROLLOUT, BY_MEAN = 0, 1, 2, 3, 4, 5


def mcts_choice(state, work, rng, actions, weights, results, memory):
    """An action for the mover: a new tree, `numbers[SIMULATIONS]` simulations, the best child of the root."""
    numbers, k, data, links, sums, sizes, paths, claims = memory
    before(state, data)
    tree = (links[0], sums[0], sizes[0], paths[0], claims[0])
    plant(state, actions, weights, tree)
    if links[0, 0, COUNT] == 1:
        return links[0, 1, ACTION]
    simulate(state, work, rng, actions, weights, results, numbers, k, data, tree)
    return links[0, best_child(numbers[BY_MEAN], links[0], sums[0]), ACTION]


def simulate(state, work, rng, actions, weights, results, numbers, k, data, tree):
    """Simulations in one tree, until there are enough or the root is known; returns how many."""
    _, sums, _, _, _ = tree
    for done in range(numbers[SIMULATIONS]):
        copy_state(state, work)
        depth = select(work, rng, actions, weights, numbers[TREE], numbers[SAMPLED], k[0], tree)
        if not settle(depth, work, results, tree):
            reward(work, rng, actions, weights, results, numbers, data)
        back_up(depth, results, tree)
        if sums[0, EXACT] <= 1.0:
            return done + 1
    return numbers[SIMULATIONS]


def settle(depth, state, rewards, tree):
    """Writes the rewards of a leaf whose value is certain, and what follows from it in the tree; else False."""
    _, sums, _, path, _ = tree
    node = path[depth, NODE]
    if sums[node, EXACT] <= 1.0:
        known_rewards(sums[node, EXACT], path[depth, OWNER], rewards)
        return True
    if mover(state) != OVER:
        return False
    scores(state, rewards)
    for player in range(PLAYERS):
        rewards[player] = 0.5 + 0.5 * rewards[player] / BEST
    if SIDES == 2:  # only then is what is certain followed up
        know(depth, rewards[path[depth, OWNER]], tree)
    return True


def reward(state, rng, actions, weights, rewards, numbers, data):
    """Writes each player's reward of a leaf: of a playout to the end, or what the evaluation says where it stops."""
    if numbers[PLAYED_OUT] != 0:
        playout_turns(state, rng, actions, weights, numbers[ROLLOUT])
    if mover(state) == OVER:
        scores(state, rewards)
    else:
        estimate(state, rewards, data)
    for player in range(PLAYERS):
        rewards[player] = 0.5 + 0.5 * rewards[player] / BEST


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
    if by_mean == 0 and links[a, VISITS] != links[b, VISITS]:
        return links[a, VISITS] > links[b, VISITS]
    return mean(a, links, sums) > mean(b, links, sums)


def mean(node, links, sums):
    """The mean reward of a node; of one that nobody visited 0."""
    return sums[node, TOTAL] / max(links[node, VISITS], 1)
