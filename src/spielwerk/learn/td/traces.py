"""Learning from each afterstate as it comes, with eligibility traces: TD(λ).

A TD error updates all afterstates of the player in this game, each by λγ times as much as the one after it. Traces
begin anew with each game. With replacing traces a weight that is met again at the same place keeps the stronger of its
two traces: the old one, faded, or the new one. Where the value is linear that is always the new one; but where it is
almost ±1 it hardly depends on its weights, and taking over that slope would leave the error to those that are gone.
"""

from math import exp

from spielwerk.kernel.specialise import unbound
from spielwerk.learn.td.episode import ERRORS, LEARNED
from spielwerk.learn.td.value import value_at

COHERENCE: int = unbound("COHERENCE")  # 0 none, 1 linear, 2 exponential
REPLACING: bool = unbound("REPLACING")  # traces

FORGOTTEN = -1  # in place of an index that is kept in another row
CUTOFF = 1e-4  # traces below this share are dropped
STEEPNESS = 2.7  # of exponential coherence


def experience(player, following, reward, alpha, rng, learning):
    """Learns at once."""
    policy = learning.policy
    target = reward
    if following:
        target = policy.gamma * value_at(policy.scratch.kept, policy.net)
    error = update(player, target, alpha, policy.gamma * learning.rates.lam, learning.trail, policy.net)
    learning.tally[ERRORS] += abs(error)
    learning.tally[LEARNED] += 1


def episode_ends(alpha, rng, learning):
    """Nothing is left to learn."""


def update(player, target, alpha, decay, trail, net):
    """Moves the newest afterstate towards `target`, and those before it with it; returns the TD error."""
    newest = (trail.counts[player] - 1) % trail.met.shape[1]
    value = value_at(trail.met[player, newest], net)
    error = target - value
    trail.slopes[player, newest] = 1.0 - value * value
    if REPLACING:
        replace(player, decay, trail)
    spread(player, error, alpha, decay, False, trail, net)
    if COHERENCE != 0:
        spread(player, error, alpha, decay, True, trail, net)
    return error


def replace(player, decay, trail):
    """Of the newest afterstate and those before it, each index stays only where its trace is strongest."""
    met = trail.met
    count = trail.counts[player]
    rows = met.shape[1]
    newest = (count - 1) % rows
    share = 1.0
    for back in range(1, min(count, rows)):
        share *= decay
        row = (count - 1 - back) % rows
        older = share * trail.slopes[player, row] > trail.slopes[player, newest]
        for k in range(met.shape[2]):
            if met[player, newest, k] != FORGOTTEN and met[player, row, k] == met[player, newest, k]:
                met[player, newest if older else row, k] = FORGOTTEN


def spread(player, error, alpha, decay, noting, trail, net):
    """Updates all afterstates by the TD error: their weights, or what coherence notes of them."""
    count = trail.counts[player]
    rows = trail.met.shape[1]
    share = 1.0
    for back in range(min(count, rows)):
        row = (count - 1 - back) % rows
        change = share * error * trail.slopes[player, row]
        if noting:
            note(trail.met[player, row], change, net)
        else:
            move(trail.met[player, row], alpha, change, net)
        share *= decay
        if share < CUTOFF:
            break


def adjust(indices, alpha, change, net):
    """Moves the weights that a position looks up, and notes it."""
    move(indices, alpha, change, net)
    if COHERENCE != 0:
        note(indices, change, net)


def move(indices, alpha, change, net):
    """Moves the weights that a position looks up, all by the same share, or each by its own coherence."""
    weights, coherence = net.weights, net.coherence
    step = alpha / indices.shape[0] * change
    for k in range(indices.shape[0]):
        index = indices[k]
        if REPLACING and index == FORGOTTEN:
            continue
        if COHERENCE == 0:
            weights[index] += step
        else:
            weights[index] += step * agreement(coherence[index, 0], coherence[index, 1])


def note(indices, change, net):
    """Notes a change for coherence; only when all weights have moved, since several places may meet the same one."""
    for k in range(indices.shape[0]):
        index = indices[k]
        if REPLACING and index == FORGOTTEN:
            continue
        net.coherence[index, 0] += change
        net.coherence[index, 1] += abs(change)


def agreement(net_change, all_change):
    """How much a weight's changes have agreed so far: from 0, they cancel out, to 1, all go the same way."""
    if all_change == 0.0:
        return 1.0
    share = abs(net_change) / all_change
    return share if COHERENCE == 1 else exp(STEEPNESS * (share - 1.0))
