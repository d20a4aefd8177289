"""Monte Carlo tree search in plain Python, written to be read: what the compiled trees are compared with.

It draws from a random stream where the search of the package does, so that whole trees can be compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from spielwerk.games.position import Position
from spielwerk.kernel.random import below

# Of a position: the score that each player may expect, and a prior for each legal action, or None.
Estimates = Callable[[Position], tuple[Sequence[float], Sequence[float] | None]]


@dataclass
class Node:
    """A position in the tree; `owner` is the player whose choice led there, and whose rewards are added up."""

    position: Position
    owner: int
    action: int = 0
    weight: float = 0.0  # of an outcome
    prior: float = 0.0
    visits: int = 0
    total: float = 0.0
    exact: float | None = None  # the owner's reward, where it is certain
    drawn: int = 0
    priors: Sequence[float] | None = None  # of its actions
    children: list[Node] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """The mean reward of the owner."""
        return self.total / self.visits


class ReferenceTree:
    """One tree of `position`."""

    def __init__(
        self,
        position: Position,
        rng: np.ndarray,
        estimates: Estimates,
        rule: str = "uct",
        k: float = 0.5,
        sampled: bool = False,
        turns: float = math.inf,
        proof: bool = True,
        most_tried: float = math.inf,
    ) -> None:
        self.game, self.rng, self.estimates = position.game, rng, estimates
        self.k, self.sampled, self.turns = k, sampled, turns
        self.proof, self.most_tried, self.tried = proof, most_tried, 0
        self.choose = {"uct": self.uct, "puct": self.puct}[rule]
        self.teams: Sequence[int] = self.game.constants["TEAM"]
        self.root = Node(position, position.roller if position.chance else position.mover, visits=1)
        self.root.priors = estimates(position)[1]
        self.done = 0

    def grow(self, simulations: int) -> None:
        """So many simulations, or until the root is certain."""
        while self.done < simulations and self.root.exact is None:
            path, claims = self.select()
            self.back_up(path, claims, self.rewards(path))
            self.done += 1

    def select(self) -> tuple[list[Node], list[float | None]]:
        """The way to a leaf, and what was certain of the child chosen on each level."""
        path, claims, turns = [self.root], [], 0
        while path[-1].visits and path[-1].exact is None and not path[-1].position.over:
            node = path[-1]
            if turns >= self.turns and node.position.mover != node.owner:
                break
            if self.tried >= self.most_tried and self.untried(node):
                break
            if not node.children:
                self.expand(node)
            if node.position.chance:
                child = self.rolled(node)
                child.drawn += 1
            else:
                turns += node.position.mover != node.owner or node is self.root
                child = self.choose(node)
                self.tried += not child.visits
            claims.append(child.exact)
            if child.exact is not None:
                child.visits += 1
                child.total += child.exact
                child = min((c for c in node.children if c.exact is None), key=lambda c: c.visits)
            path.append(child)
        return path, claims

    def untried(self, node: Node) -> bool:
        """Whether there is an action at a decision that no simulation has tried."""
        tried = bool(node.children) and all(child.visits for child in node.children)
        return not node.position.chance and not tried

    def expand(self, node: Node) -> None:
        """Gives a node its children."""
        position = node.position
        for outcome, weight in position.outcomes():
            node.children.append(Node(position.roll(outcome), node.owner, outcome, weight))
        actions = position.actions()
        priors = node.priors if node.priors is not None else [1 / len(actions) for _ in actions]
        for action, prior in zip(actions, priors, strict=True):
            node.children.append(Node(position.play(action), position.mover, action, 0.0, float(np.float32(prior))))

    def rolled(self, node: Node) -> Node:
        """The outcome to follow: one furthest behind its share, or drawn (where all are equally likely)."""
        first = below(self.rng, len(node.children))
        if self.sampled:
            return node.children[first]
        return min([node.children[first], *node.children], key=lambda child: child.drawn / child.weight)

    def uct(self, node: Node) -> Node:
        """Each child once, in random order; then the highest upper confidence bound."""
        untried = sum(not child.visits for child in node.children)
        if untried:
            tried = len(node.children) - untried
            drawn = tried + below(self.rng, untried)
            node.children[tried], node.children[drawn] = node.children[drawn], node.children[tried]
            return node.children[tried]
        log = math.log(node.visits)
        return max(
            node.children, key=lambda c: bound(c, lambda: c.mean + self.k * math.sqrt(log) / math.sqrt(c.visits))
        )

    def puct(self, node: Node) -> Node:
        """The highest bound with priors; what nobody visited counts as the mean of its siblings."""
        n = max(sum(child.visits for child in node.children), 1)
        urgency = sum(child.total for child in node.children) / n

        def upper(child: Node) -> float:
            mean = child.mean if child.visits else urgency
            return mean + self.k * math.sqrt(n) * child.prior / (1.0 + child.visits)

        return max(node.children, key=lambda child: bound(child, lambda: upper(child)))

    def rewards(self, path: list[Node]) -> list[float]:
        """Each player's reward of the leaf, from 0 to 1."""
        leaf, best = path[-1], self.game.constants["BEST"]
        if leaf.exact is not None:
            return self.known(leaf.exact, leaf.owner)
        values = leaf.position.scores
        if values is None:
            values, leaf.priors = self.estimates(leaf.position)
        rewards = [0.5 + 0.5 * value / best for value in values]
        if leaf.position.over and self.game.sides == 2 and self.proof:
            leaf.exact = rewards[leaf.owner]
            self.prove(path)
        return rewards

    def prove(self, path: list[Node]) -> None:
        """What follows above from what is certain of the leaf."""
        for node, child in zip(path[-2::-1], path[:0:-1], strict=True):
            known = [c.exact for c in node.children if c.exact is not None]
            if node.position.chance:
                if len(known) < len(node.children):
                    return
                node.exact = sum((child.exact or 0.0) * child.weight for child in node.children)
            elif len(known) == len(node.children) or max(known) >= 1:
                same = self.teams[node.owner] == self.teams[child.owner]
                node.exact = max(known) if same else 1.0 - max(known)
            else:
                return

    def known(self, value: float, owner: int) -> list[float]:
        """Each player's reward where the owner's is certain."""
        return [value if team == self.teams[owner] else 1.0 - value for team in self.teams]

    def back_up(self, path: list[Node], claims: list[float | None], rewards: list[float]) -> None:
        """Adds the rewards to every node on the way, or above a claim what was certain there."""
        for level in reversed(range(len(path))):
            claim = claims[level] if level < len(claims) else None
            if claim is not None:
                rewards = self.known(claim, path[level + 1].owner)
            path[level].visits += 1
            path[level].total += rewards[path[level].owner]


def bound(child: Node, upper: Callable[[], float]) -> float:
    """A child that is certain has nothing left to explore."""
    return upper() if child.exact is None else child.exact
