"""Gumbel selection in plain Python, written as the paper has it: what the compiled rule is compared with."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from reference_tree import Node, ReferenceTree

VISIT_OFFSET = 50


class GumbelTree(ReferenceTree):
    """One tree, grown by a search of so many simulations that considers so many actions."""

    def __init__(
        self, *given: Any, noise: Sequence[float], simulations: int, considered: int, scale: float, **more: Any
    ) -> None:
        super().__init__(*given, rule="puct", **more)
        self.choose, self.scale = self.gumbel, scale * self.game.constants["BEST"]
        self.noise, self.taken = noise, Counter[int]()
        actions = self.root.position.actions()
        self.turns_to_take = halving(simulations, min(considered, len(actions), simulations))

    def gumbel(self, node: Node) -> Node:
        """At the root by sequential halving, elsewhere what lags behind the improved policy."""
        if node is not self.root:
            policy, visits = improved_policy(node.children, self.scale), sum(child.visits for child in node.children)
            gaps = [p - child.visits / (1 + visits) for p, child in zip(policy, node.children, strict=True)]
            return node.children[int(np.argmax(gaps))]
        times = self.turns_to_take[self.taken.total()]
        child = self.best(times)
        self.taken[child.action] += 1
        return child

    def best(self, times: int) -> Node:
        """Of the children taken so many times, the one with the highest sum of noise, logit and σ(q)."""
        children = self.root.children
        sums = [g + logit for g, logit in zip(self.noise, logits(children, self.scale), strict=False)]
        left = [(-total, i) for i, total in enumerate(sums) if self.taken[children[i].action] == times]
        return children[min(left)[1]]


def halving(simulations: int, considered: int) -> list[int]:
    """For each simulation, how often the child that it takes was taken before."""
    order, visits, phases = [], 0, max(1, math.ceil(math.log2(considered)))
    left = considered
    while len(order) < simulations:
        for _ in range(max(1, simulations // (phases * left))):
            order += [visits] * left
            visits += 1
        left = 1 if considered == 1 else max(2, left // 2)
    return order[:simulations]


def logits(children: Sequence[Node], scale: float) -> list[float]:
    """The logarithm of each prior, and σ(q)."""
    q = [child.exact if child.exact is not None else child.mean if child.visits else None for child in children]
    seen = [(child.prior, value) for child, value in zip(children, q, strict=True) if value is not None]
    mixed = sum(prior * value for prior, value in seen) / sum(prior for prior, _ in seen) if seen else 0.0
    scale *= VISIT_OFFSET + max(child.visits for child in children)
    return [
        math.log(child.prior) + scale * (mixed if value is None else value)
        for child, value in zip(children, q, strict=True)
    ]


def improved_policy(children: Sequence[Node], scale: float) -> list[float]:
    """The softmax of the logits."""
    found = np.array(logits(children, scale))
    weights = np.exp(found - found.max())
    return (weights / weights.sum()).tolist()
