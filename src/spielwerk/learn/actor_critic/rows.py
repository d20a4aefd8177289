"""Row kernels of the actor: a move on every board, drawn from what the policy says, and how likely it was."""

import math

from spielwerk.games.rules import ACTIONS, SYMMETRIES, moves, turned_state
from spielwerk.games.words import copy_state
from spielwerk.kernel.random import below, fraction
from spielwerk.search.trees.priors import weight_of_logit

EPSILON, GREEDY, MASKED = 0, 1, 2  # of `rule`


def turn_rows(i, state, actions, weights, results, arrays):
    """Each board turned by a symmetry drawn for it."""
    states, rngs = arrays  # [n, WORDS], [n, 1]
    copy_state(states[i], state)
    turned_state(below(rngs[i], SYMMETRIES), state, states[i])


def draw_rows(i, work, actions, weights, results, arrays):
    """Draws an action on each board: among the legal ones, or unmasked among all action numbers.

    An illegal one is chosen, but a random legal one is played. `logs` are the logarithms of how likely the policy and
    the share of random moves make the choice, and `floors` what the latter had in that. Greedy moves count as if they
    had been drawn too: being the best does not change with small steps, and would teach nothing.
    """
    states, rngs, logits, rule, chosen, played, logs, floors = arrays
    rng, masked = rngs[i], rule[MASKED] != 0.0
    n = moves(states[i], actions)
    count = n if masked else ACTIONS
    best = candidate(0, masked, actions)
    for k in range(1, count):
        if logits[i, candidate(k, masked, actions)] > logits[i, best]:
            best = candidate(k, masked, actions)
    most = logits[i, best]
    whole = 0.0
    for k in range(count):
        whole += weight_of_logit(logits[i, candidate(k, masked, actions)], most)
    pick = best
    if fraction(rng) < rule[EPSILON]:
        pick = actions[below(rng, n)]
    elif rule[GREEDY] == 0.0:
        left = fraction(rng) * whole
        k = 0
        while k < count - 1:
            left -= weight_of_logit(logits[i, candidate(k, masked, actions)], most)
            if left < 0.0:
                break
            k += 1
        pick = candidate(k, masked, actions)
    likely = weight_of_logit(logits[i, pick], most) / whole
    legal = masked or is_among(pick, n, actions)
    chosen[i] = pick
    played[i] = pick if legal else actions[below(rng, n)]
    floors[i] = rule[EPSILON] / n if legal else 0.0
    logs[i] = math.log((1.0 - rule[EPSILON]) * likely + floors[i])


def candidate(k, masked, actions):
    """Number `k` of the actions that may be drawn."""
    return actions[k] if masked else k


def is_among(action, n, actions):
    """Whether an action is one of the first `n`."""
    for k in range(n):
        if actions[k] == action:
            return True
    return False
