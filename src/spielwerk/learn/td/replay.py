"""Experience replay: transitions are kept in a buffer, and batches of them are learned instead of each as it comes.

Three pieces can be replaced, each a kernel bound under its name: the pusher `keep` decides what is kept, the buffer
overwrites its oldest transition when it is full (`put`), the selector picks a batch (`select`) and receives the TD
error of each picked transition (`judged`). `buffers.py` names those that settings can choose.
"""

from typing import NamedTuple

import numpy as np

from spielwerk.kernel.random import below
from spielwerk.kernel.specialise import interface, unbound
from spielwerk.learn.td.episode import ERRORS, LEARNED
from spielwerk.learn.td.traces import adjust
from spielwerk.learn.td.value import value_at

EACH_TRANSITION: bool = unbound("EACH_TRANSITION")

# Of numbers: transitions ever kept, those there now, the most there can be, leaves of the tree.
PUSHED, STORED, CAPACITY, LEAVES = 0, 1, 2, 3
PRIORITY, CORRECTION = 0, 1  # of shares
FOLLOWED, SCORE = 0, 1  # of facts: whether there is an afterstate after, and the score if not
LARGE_ERROR = 0.1  # a TD error above which `keep_decisive` keeps a transition
LEAST = 0.01  # the priority of a transition that was not wrong at all
FIRST_PRIORITY = 2.0  # of a transition that was never learned: the largest error there is
PARTS = 1 << 30  # how finely priorities are drawn


class Memory(NamedTuple):
    """The buffer."""

    numbers: np.ndarray  # int64 [4], as named above
    shares: np.ndarray  # float64 [2]
    before: np.ndarray  # int64 [capacity, places]: the indices of an afterstate
    after: np.ndarray  # int64 [capacity, places]: those of the same player's next one
    facts: np.ndarray  # float64 [capacity, 2]
    tree: np.ndarray  # float64 [2 × leaves]: the sum tree of priorities
    picked: np.ndarray  # int64 [batch]: the slots of a batch
    worth: np.ndarray  # float64 [batch]: how much each of them counts


@interface
def keep(followed, score, error):
    """The pusher: whether a transition is worth keeping."""
    raise NotImplementedError


@interface
def put(memory):
    """The buffer: the slot that a new transition takes."""
    raise NotImplementedError


@interface
def select(rng, memory):
    """The selector: writes `picked`, the slots of a batch, and `worth`, how much each counts."""
    raise NotImplementedError


@interface
def judged(slot, error, memory):
    """The selector receives the TD error of a transition."""
    raise NotImplementedError


def experience(player, following, reward, alpha, rng, learning):
    """Keeps the transition, and perhaps learns a batch."""
    policy = learning.policy
    memory = learning.memory
    newest = learning.trail.met[player, 0]  # one row a player
    kept = policy.scratch.kept
    target = policy.gamma * value_at(kept, policy.net) if following else reward
    if keep(following, reward, target - value_at(newest, policy.net)):
        slot = put(memory)
        for k in range(kept.shape[0]):
            memory.before[slot, k] = newest[k]
            memory.after[slot, k] = kept[k]
        memory.facts[slot, FOLLOWED] = 1.0 if following else 0.0
        memory.facts[slot, SCORE] = reward
        judged(slot, FIRST_PRIORITY, memory)
    if EACH_TRANSITION:
        learn_batch(alpha, rng, learning)


def episode_ends(alpha, rng, learning):
    """Learns a batch after each game."""
    if not EACH_TRANSITION:
        learn_batch(alpha, rng, learning)


def learn_batch(alpha, rng, learning):
    """Learns the transitions that the selector picks; none before there is a batch of them."""
    memory = learning.memory
    net = learning.policy.net
    if memory.numbers[STORED] < memory.picked.shape[0]:
        return
    select(rng, memory)
    for i in range(memory.picked.shape[0]):
        slot = memory.picked[i]
        target = memory.facts[slot, SCORE]
        if memory.facts[slot, FOLLOWED] != 0.0:
            target = learning.policy.gamma * value_at(memory.after[slot], net)
        value = value_at(memory.before[slot], net)
        error = target - value
        adjust(memory.before[slot], alpha, memory.worth[i] * error * (1.0 - value * value), net)
        judged(slot, error, memory)
        learning.tally[ERRORS] += abs(error)
        learning.tally[LEARNED] += 1


def keep_all(followed, score, error):
    """Everything is worth keeping."""
    return True


def keep_decisive(followed, score, error):
    """What ends a game, or has a large TD error."""
    return not followed or abs(error) > LARGE_ERROR


def put_over_oldest(memory):
    """The slots in turn: a full buffer loses its oldest transition."""
    numbers = memory.numbers
    slot = numbers[PUSHED] % numbers[CAPACITY]
    numbers[PUSHED] += 1
    numbers[STORED] = min(numbers[STORED] + 1, numbers[CAPACITY])
    return slot


def select_any(rng, memory):
    """Every transition with the same probability."""
    for i in range(memory.picked.shape[0]):
        memory.picked[i] = below(rng, memory.numbers[STORED])
        memory.worth[i] = 1.0


def judge_nothing(slot, error, memory):
    """Errors play no part."""


def select_by_priority(rng, memory):
    """By priority; what is picked more often than others counts less each time, the rarest of a batch whole."""
    tree, picked, worth = memory.tree, memory.picked, memory.worth
    largest = 0.0
    for i in range(picked.shape[0]):
        picked[i] = found(tree[1] * (below(rng, PARTS) / PARTS), memory)
        share = tree[memory.numbers[LEAVES] + picked[i]] / tree[1] * memory.numbers[STORED]
        worth[i] = share ** -memory.shares[CORRECTION]
        largest = max(largest, worth[i])
    for i in range(picked.shape[0]):
        worth[i] /= largest


def found(mass, memory):
    """The slot at which the priorities add up to more than `mass`."""
    tree = memory.tree
    leaves = memory.numbers[LEAVES]
    node = 1
    while node < leaves:
        node *= 2
        if mass >= tree[node] and tree[node + 1] > 0.0:
            mass -= tree[node]
            node += 1
    return node - leaves


def judge_by_error(slot, error, memory):
    """The priority of a transition is its error, to a power; the sums above it follow."""
    tree = memory.tree
    node = memory.numbers[LEAVES] + slot
    tree[node] = (abs(error) + LEAST) ** memory.shares[PRIORITY]
    node //= 2
    while node > 0:
        tree[node] = tree[2 * node] + tree[2 * node + 1]
        node //= 2
