"""The improved policy of a decision: what priors become by what a search has found (Danihelka et al. 2022).

π' = softmax(log prior + σ(q)), where σ(q) = (VISIT_OFFSET + most visits of a child) · scale · q, and q is the mean
reward of a child, or its value where that is certain. The scale (c_scale) is a setting: the surer the values, the
higher. A child that nobody has visited counts as the mean of its visited siblings, weighted by their priors: that is
defined for any number of players, since only the children's totals are those of the player who chooses. Where none is
visited, π' are the priors.
"""

import math
from typing import NamedTuple

import numpy as np

from spielwerk.search.trees.tree import COUNT, EXACT, FIRST, SCALE, TOTAL, VISITS

VISIT_OFFSET = 50.0  # c_visit, as the paper has it
LEAST_PRIOR = 1e-9  # a prior may be 0, and its logarithm must not be


class Outlook(NamedTuple):
    """What is needed to compare the children of a decision."""

    visits: int  # of all children
    most: float  # the highest q
    mixed: float  # the q of children that nobody has visited
    scale: float  # σ(q) = scale · q


def prior_of(child, tree):
    """The prior of a child, never 0."""
    return max(np.float64(tree.priors[child]), LEAST_PRIOR)


def quality(child, mixed, tree):
    """The q of a child: certain, the mean of its rewards, or `mixed`."""
    if tree.sums[child, EXACT] <= 1.0:
        return tree.sums[child, EXACT]
    visits = tree.links[child, VISITS]
    return tree.sums[child, TOTAL] / visits if visits > 0 else mixed


def outlook_of(node, tree):
    """Looks over the children of a decision."""
    links, sums = tree.links, tree.sums
    visits = 0
    most_visits = 0
    most = 0.0
    weight = 0.0
    total = 0.0
    for child in range(links[node, FIRST], links[node, FIRST] + links[node, COUNT]):
        visits += links[child, VISITS]
        most_visits = max(most_visits, links[child, VISITS])
        if links[child, VISITS] > 0 or sums[child, EXACT] <= 1.0:
            q = quality(child, 0.0, tree)
            most = max(most, q)
            weight += prior_of(child, tree)
            total += prior_of(child, tree) * q
    mixed = total / weight if weight > 0.0 else most
    return Outlook(visits, most, mixed, (VISIT_OFFSET + most_visits) * tree.plan[SCALE])


def improved(child, outlook, tree):
    """What π' of a child is in proportion to; the highest q is subtracted, so that nothing overflows."""
    q = quality(child, outlook.mixed, tree)
    return prior_of(child, tree) * math.exp(outlook.scale * (q - outlook.most))


def improved_whole(node, outlook, tree):
    """The sum of what π' is in proportion to over all children."""
    whole = 0.0
    for child in range(tree.links[node, FIRST], tree.links[node, FIRST] + tree.links[node, COUNT]):
        whole += improved(child, outlook, tree)
    return whole
