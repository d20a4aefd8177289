"""Experience replay: transitions are kept in a buffer, and batches of them are learned instead of each as it comes.

Three pieces can be replaced, each a kernel bound under its name: the pusher `keep` decides what is kept, the buffer
overwrites its oldest transition when it is full (`put`), the selector picks a batch (`select`) and is told how wrong
each picked transition was (`judged`). `buffers.py` names those that settings can choose.

`memory = (numbers, shares, before, after, facts, tree, picked, worth)`: numbers [4], shares [2] as named below;
before and after [capacity, places] the spots of two afterstates of one player; facts [capacity, 2] whether there is an
afterstate after, and the score if not; tree [2 × leaves] the sum tree of priorities; picked and worth [batch] the
slots of a batch and how much each counts.
"""

from spielwerk.kernel.random import below
from spielwerk.kernel.specialise import interface, unbound
from spielwerk.learn.td.choice import KEPT
from spielwerk.learn.td.episode import ERRORS, GAMMA, LEARNED, NOW
from spielwerk.learn.td.traces import adjust
from spielwerk.learn.td.value import value_at

EACH_TRANSITION: bool = unbound("EACH_TRANSITION")

# Of numbers: transitions ever kept, those there now, the most there can be, leaves of the tree.
PUSHED, STORED, CAPACITY, LEAVES = 0, 1, 2, 3
PRIORITY, CORRECTION = 0, 1  # of shares
FOLLOWED, SCORE = 0, 1  # of facts
SURPRISING = 0.1  # an error that a choosy pusher keeps
LEAST = 0.01  # the priority of a transition that was not wrong at all
FIRST_PRIORITY = 2.0  # of a transition that was never learned: the largest error there is
PARTS = 1 << 30  # how finely priorities are drawn


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
    """The selector is told how wrong a transition is."""
    raise NotImplementedError


def experience(player, following, reward, rng, rates, room, trail, net, memory, tally):
    """Keeps the transition, and perhaps learns a batch."""
    _, _, _, spots, _ = room
    met, _, _, _ = trail  # one row a player
    _, _, before, after, facts, _, _, _ = memory
    target = rates[GAMMA] * value_at(spots[KEPT], net) if following else reward
    if keep(following, reward, target - value_at(met[player, 0], net)):
        slot = put(memory)
        for k in range(before.shape[1]):
            before[slot, k] = met[player, 0, k]
            after[slot, k] = spots[KEPT, k]
        facts[slot, FOLLOWED] = 1.0 if following else 0.0
        facts[slot, SCORE] = reward
        judged(slot, FIRST_PRIORITY, memory)
    if EACH_TRANSITION:
        learn_batch(rng, rates, net, memory, tally)


def episode_ends(rng, rates, net, memory, tally):
    """Learns a batch after each game."""
    if not EACH_TRANSITION:
        learn_batch(rng, rates, net, memory, tally)


def learn_batch(rng, rates, net, memory, tally):
    """Learns the transitions that the selector picks; none before there is a batch of them."""
    numbers, _, before, after, facts, _, picked, worth = memory
    if numbers[STORED] < picked.shape[0]:
        return
    select(rng, memory)
    for i in range(picked.shape[0]):
        slot = picked[i]
        target = facts[slot, SCORE]
        if facts[slot, FOLLOWED] != 0.0:
            target = rates[GAMMA] * value_at(after[slot], net)
        value = value_at(before[slot], net)
        error = target - value
        adjust(before[slot], rates[NOW], worth[i] * error * (1.0 - value * value), net)
        judged(slot, error, memory)
        tally[ERRORS] += abs(error)
        tally[LEARNED] += 1


def keep_all(followed, score, error):
    """Everything is worth keeping."""
    return True


def keep_decisive(followed, score, error):
    """What ends a game, or was badly judged."""
    return not followed or abs(error) > SURPRISING


def put_over_oldest(memory):
    """The slots in turn: a full buffer loses its oldest transition."""
    numbers, _, _, _, _, _, _, _ = memory
    slot = numbers[PUSHED] % numbers[CAPACITY]
    numbers[PUSHED] += 1
    numbers[STORED] = min(numbers[STORED] + 1, numbers[CAPACITY])
    return slot


def select_any(rng, memory):
    """Every transition with the same probability."""
    numbers, _, _, _, _, _, picked, worth = memory
    for i in range(picked.shape[0]):
        picked[i] = below(rng, numbers[STORED])
        worth[i] = 1.0


def judge_nothing(slot, error, memory):
    """Errors play no part."""


def select_by_priority(rng, memory):
    """By priority; what is picked more often than others counts less each time, the rarest of a batch whole."""
    numbers, shares, _, _, _, tree, picked, worth = memory
    largest = 0.0
    for i in range(picked.shape[0]):
        picked[i] = found(tree[1] * (below(rng, PARTS) / PARTS), memory)
        share = tree[numbers[LEAVES] + picked[i]] / tree[1] * numbers[STORED]
        worth[i] = share ** -shares[CORRECTION]
        largest = max(largest, worth[i])
    for i in range(picked.shape[0]):
        worth[i] /= largest


def found(mass, memory):
    """The slot at which the priorities add up to more than `mass`."""
    numbers, _, _, _, _, tree, _, _ = memory
    node = 1
    while node < numbers[LEAVES]:
        node *= 2
        if mass >= tree[node] and tree[node + 1] > 0.0:
            mass -= tree[node]
            node += 1
    return node - numbers[LEAVES]


def judge_by_error(slot, error, memory):
    """The priority of a transition is its error, to a power; the sums above it follow."""
    numbers, shares, _, _, _, tree, _, _ = memory
    node = numbers[LEAVES] + slot
    tree[node] = (abs(error) + LEAST) ** shares[PRIORITY]
    node //= 2
    while node > 0:
        tree[node] = tree[2 * node] + tree[2 * node + 1]
        node //= 2
