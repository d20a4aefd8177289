"""Row kernels of the actor: a move on every board, drawn from what the policy says, and how likely it was."""

import math

from spielwerk.games.rules import ACTIONS, moves
from spielwerk.kernel.random import below, fraction
from spielwerk.search.trees.priors import weight_of_logit

EPSILON, GREEDY, MASKED = 0, 1, 2  # of `rule`


def draw_rows(i, work, actions, weights, results, arrays):
    """Draws an action on each board: among the legal ones, or unmasked among all action numbers.

    An illegal one is chosen, but a random legal one is played. `logs` are the logarithms of how likely the choice was,
    and `floors` what the share of random moves had in that.
    """
    states, rngs, logits, rule, chosen, played, logs, floors = arrays
    n = moves(states[i], actions)
    if rule[MASKED] == 0.0:
        draw_unmasked(i, n, actions, arrays)
        return
    rng = rngs[i]
    best = 0
    for k in range(n):
        if logits[i, actions[k]] > logits[i, actions[best]]:
            best = k
    most = logits[i, actions[best]]
    whole = 0.0
    for k in range(n):
        whole += weight_of_logit(logits[i, actions[k]], most)
    k = best
    if fraction(rng) < rule[EPSILON]:
        k = below(rng, n)
    elif rule[GREEDY] == 0.0:
        left = fraction(rng) * whole
        k = 0
        while k < n - 1:
            left -= weight_of_logit(logits[i, actions[k]], most)
            if left < 0.0:
                break
            k += 1
    likely = weight_of_logit(logits[i, actions[k]], most) / whole
    if rule[GREEDY] != 0.0:
        likely = 1.0 if k == best else 0.0
    chosen[i] = actions[k]
    played[i] = actions[k]
    floors[i] = rule[EPSILON] / n
    logs[i] = math.log((1.0 - rule[EPSILON]) * likely + floors[i])


def draw_unmasked(i, n, actions, arrays):
    """The same by a policy that does not know what is legal."""
    _, rngs, logits, rule, chosen, played, logs, floors = arrays
    rng = rngs[i]
    best = 0
    for action in range(ACTIONS):
        if logits[i, action] > logits[i, best]:
            best = action
    most = logits[i, best]
    whole = 0.0
    for action in range(ACTIONS):
        whole += weight_of_logit(logits[i, action], most)
    pick = best
    if fraction(rng) < rule[EPSILON]:
        pick = actions[below(rng, n)]
    elif rule[GREEDY] == 0.0:
        left = fraction(rng) * whole
        pick = 0
        while pick < ACTIONS - 1:
            left -= weight_of_logit(logits[i, pick], most)
            if left < 0.0:
                break
            pick += 1
    likely = weight_of_logit(logits[i, pick], most) / whole
    if rule[GREEDY] != 0.0:
        likely = 1.0 if pick == best else 0.0
    legal = False
    for k in range(n):
        if actions[k] == pick:
            legal = True
    chosen[i] = pick
    played[i] = pick if legal else actions[below(rng, n)]
    floors[i] = rule[EPSILON] / n if legal else 0.0
    logs[i] = math.log((1.0 - rule[EPSILON]) * likely + floors[i])
