"""The rules of selection: which child a simulation tries at a decision.

`uct` tries each child once, in random order, and then takes the highest `mean + k·√(ln n / visits)`.

`puct` takes the highest `mean + k · prior · √n / (1 + visits)`, where n counts the visits of all children (at least 1).
A child that nobody has visited counts as the mean of its visited siblings (first-play urgency): that is defined for any
number of players, since only the children's totals are those of the player who chooses here, and unlike a loss (as
in AlphaZero) it does not keep a search from looking at other moves while all of them lose. Before the first visit
priors alone decide.

In both, a child whose value is certain counts as that value, with nothing left to explore.

`gumbel` is in `search/trees/gumbel.py`.
"""

import math
from typing import Any

from spielwerk.kernel.random import below
from spielwerk.names import BadInput
from spielwerk.search.trees.gumbel import gumbel
from spielwerk.search.trees.tree import ACTION, COUNT, EXACT, FIRST, TOTAL, VISITS, Steering

LEAST = -1.0  # below every bound


def uct(node, rng, k, tree):
    """Upper confidence bounds applied to trees, as `choose_child`."""
    links, sums = tree.links, tree.sums
    first = links[node, FIRST]
    count = links[node, COUNT]
    visited = links[node, VISITS] - 1  # the first visit was before the children came
    if visited < count:
        other = first + visited + below(rng, count - visited)
        swap_actions(first + visited, other, links)
        return first + visited
    spread = k * math.sqrt(math.log(visited + 1.0))
    best = first
    best_bound = LEAST
    for child in range(first, first + count):
        bound = sums[child, EXACT]
        if bound > 1.0:
            visits = links[child, VISITS]
            bound = sums[child, TOTAL] / visits + spread / math.sqrt(visits)
        if bound > best_bound:
            best = child
            best_bound = bound
    return best


def swap_actions(a, b, links):
    """Lets two children that have not been visited change places."""
    action = links[a, ACTION]
    links[a, ACTION] = links[b, ACTION]
    links[b, ACTION] = action


def puct(node, rng, k, tree):
    """Predictor and upper confidence bounds applied to trees, as `choose_child`."""
    links, sums = tree.links, tree.sums
    first = links[node, FIRST]
    last = first + links[node, COUNT]
    total = 0.0
    visited = 0
    for child in range(first, last):
        total += sums[child, TOTAL]
        visited += links[child, VISITS]
    urgency = total / max(visited, 1)
    spread = k * math.sqrt(max(visited, 1))
    best = first
    best_bound = LEAST
    for child in range(first, last):
        bound = sums[child, EXACT]
        if bound > 1.0:
            visits = links[child, VISITS]
            mean = sums[child, TOTAL] / visits if visits > 0 else urgency
            bound = mean + spread * tree.priors[child] / (1.0 + visits)
        if bound > best_bound:
            best = child
            best_bound = bound
    return best


AUTO, UCT, PUCT, GUMBEL = "auto", "uct", "puct", "gumbel"
RULES = {UCT: uct, PUCT: puct, GUMBEL: gumbel}


def rule_for(select: str, priors: bool) -> str:
    """The rule that the setting `select` means, where estimates have priors or not."""
    if select == GUMBEL and not priors:
        raise BadInput("select=gumbel needs a value with priors, such as a network with a policy; use uct or puct.")
    return (PUCT if priors else UCT) if select == AUTO else select


def bindings_of(rule: str, sides: int, steering: Steering, apart: bool = False) -> dict[str, Any]:
    """What the kernels of a search need bound; `sides` of the game; `apart`: priors come apart from values."""
    by_rule = {"choose_child": RULES[rule], "PRIORS": rule != UCT, "GUMBEL": rule == GUMBEL, "APART": apart}
    return {**by_rule, "SIDES": sides, "PROVING": steering.proof and sides == 2, "COUNTING": steering.most_tried > 0}
