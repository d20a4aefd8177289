"""Priors from logits: the softmax of what a policy says of all action numbers, among the legal ones alone."""

import math

import numpy as np


def prior_rows(i, state, actions, weights, results, arrays):
    """The prior of each legal action of each board."""
    logits, offsets, legal, priors = arrays  # [n, ACTIONS], [n + 1], [m], [m]
    most = highest_logit(logits[i], legal, offsets[i], offsets[i + 1])
    whole = 0.0
    for k in range(offsets[i], offsets[i + 1]):
        whole += weight_of_logit(logits[i, legal[k]], most)
    for k in range(offsets[i], offsets[i + 1]):
        priors[k] = weight_of_logit(logits[i, legal[k]], most) / whole


def highest_logit(logits, actions, first, last):
    """The highest of those of some actions; 0 where there are none."""
    most = np.float64(logits[actions[first]]) if first < last else 0.0
    for k in range(first + 1, last):
        most = max(most, np.float64(logits[actions[k]]))
    return most


def weight_of_logit(logit, most):
    """What the prior of an action is in proportion to."""
    return math.exp(np.float64(logit) - most)
