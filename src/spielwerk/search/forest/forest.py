"""Forest: trees of many positions, what they have found, and searches by plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spielwerk.kernel.arrays import Array
from spielwerk.names import BadInput
from spielwerk.search.forest import root_rows as kernels
from spielwerk.search.forest.growth import Growth
from spielwerk.search.forest.noise_rows import noise_rows, plan_rows
from spielwerk.search.stop import Stop
from spielwerk.search.trees.gumbel import MOST_CONSIDERED
from spielwerk.search.trees.selection import GUMBEL, PUCT
from spielwerk.search.trees.statistics import TreeStatistics
from spielwerk.search.trees.tree import COUNT, Tree


class Forest(Growth):
    """Trees of one game on one device: `plant`, `grow` or `search`, then read what they have found."""

    def search(
        self, simulations: int | Array, considered: int = MOST_CONSIDERED, noise: bool = True, stop: Stop | None = None
    ) -> int:
        """A whole search by Gumbel selection: plans it and makes its simulations; how many in all.

        An array [n] says for each tree how many; a tree with one legal action needs none. `considered` children of each
        root share them by sequential halving; without `noise` it is deterministic, for play.
        """
        each = self._each(simulations, "int64")
        self.plan(each, considered, noise)
        return self.grow(each * (self.trees.links[:, 0, COUNT] != 1), stop)

    def plan(self, simulations: int | Array, considered: int = MOST_CONSIDERED, noise: bool = True) -> None:
        """Begins a search by Gumbel selection, whose simulations `grow` makes; the trees keep what they have found."""
        if self.rule != GUMBEL:
            raise BadInput(f"Only a forest with select=gumbel plans its searches, not one with select={self.rule}.")
        if considered < 1:
            raise BadInput(f"A search considers at least one action, not {considered}.")
        self._read(plan_rows, self._each(simulations, "int64"), considered, noise)

    def add_noise(self, alpha: float, share: float) -> None:
        """Mixes the priors of the root's actions with this share of Dirichlet(alpha) noise from the tree's stream."""
        if self.rule != PUCT:
            raise BadInput(f"Dirichlet noise is for select=puct, not for select={self.rule}.")
        if not (alpha > 0 and 0 <= share <= 1):
            raise BadInput(f"Noise needs an alpha above 0 and a share from 0 to 1, not {alpha} and {share}.")
        self._read(noise_rows, float(alpha), float(share))

    def choices(self) -> Array:
        """The action to play in each position, by what its tree has found; -1 where nobody is to move: [n] int64."""
        return self._filled("int64", kernels.choice_rows, self.steering.by_mean)

    def drawn(self, temperature: float | Array) -> Array:
        """An action for each position, drawn from visits ** (1 / temperature) by the tree's random stream: [n] int64.

        At temperature 0 it is the most visited one; -1 where nobody is to move. An array [n] says for each tree.
        """
        return self._filled("int64", kernels.drawn_rows, self._each(temperature, "float64"))

    def policies(self) -> Array:
        """How likely each legal action is to be played, by what the trees have found: [legal actions of all] float32.

        Ragged as `batch.actions()`, 1 in all for each position with a mover: the improved policy where the rule is
        gumbel, else shares of the visits; where nobody has searched, the priors.
        """
        counts = self._filled("int64", kernels.count_rows)
        offsets = self.arrays.offsets(counts)
        policy = self.arrays.empty((int(offsets[-1]),), "float32")
        self._read(kernels.policy_rows, offsets, policy)
        return policy

    def values(self) -> Array:
        """The score that whoever acts next may expect in each position: [n] float64.

        Exact where it is proved, else the mean of the simulations, or by the improved policy where the rule is gumbel;
        without any what the estimator says of the position itself, and not a number where nobody asked it.
        """
        return self._filled("float64", kernels.value_rows, self.estimated)

    def statistics(self, *numbers: int) -> TreeStatistics:
        """What some of the trees have found, which all grow from the same position."""
        host = Tree(*(self.arrays.host(array) for array in self.trees))
        return TreeStatistics(self.game, host, numbers)

    def _each(self, given: Any, dtype: str) -> Array:
        """A number for each tree: [n]."""
        each = self.arrays.full((len(self.done),), 0, dtype)
        each += given if isinstance(given, (int, float)) else self.arrays.array(given, dtype)
        return each

    def _filled(self, dtype: str, kernel: Callable[..., Any], *given: Any) -> Array:
        """What a kernel writes for each tree: [n]."""
        out = self.arrays.empty((len(self.done),), dtype)
        self._read(kernel, *given, out)
        return out

    def _read(self, kernel: Callable[..., Any], *given: Any) -> None:
        """Runs a kernel over all trees, with these arrays and numbers."""
        arguments = (one if isinstance(one, (bool, int, float)) else self.arrays.argument(one) for one in given)
        self._run(kernel, self._plot, *arguments)
