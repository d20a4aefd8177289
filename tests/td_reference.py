"""TD(λ) as textbooks write it, slow and plain: an eligibility of every weight, and all of them moved at every step."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from math import atanh, exp, prod, tanh

import numpy as np

import spielwerk as sw
from spielwerk.games.cells import layout
from spielwerk.kernel.random import below, stream
from spielwerk.learn.td.settings import Settings

FINE = 1 << 30  # how finely ε is drawn
STEEPNESS = 2.7  # of exponential coherence


class Places:
    """Where an n-tuple network looks: each tuple, and each of its images on the mirrored board."""

    def __init__(self, game: sw.Game, settings: Settings) -> None:
        seen = layout(game, settings.coding)
        self.cells = game.kernel(seen.cells, **seen.bindings)
        self.values = seen.values
        mirrors = seen.symmetries if settings.symmetry else seen.symmetries[:1]
        written = [[seen.names.index(cell) for cell in part.split("-")] for part in settings.tuples.split()]
        self.tables: list[list[tuple[int, ...]]] = []  # of each table, the places that look at it
        for cells in written or next(iter(seen.tuples.values())):
            images = [tuple(int(mirror[cell]) for cell in cells) for mirror in mirrors]
            known = {frozenset(place) for table in self.tables for place in table}
            if not known & {frozenset(image) for image in images}:
                self.tables.append(list(dict.fromkeys(images)))
        self.sets = seen.sets if settings.weights == "shared" else tuple(range(game.players))
        self.sizes = [prod(self.values[cell] for cell in table[0]) for table in self.tables]
        self.count = sum(map(len, self.tables))
        self.weights = sum(self.sizes) * len(set(self.sets))

    def indices(self, position: sw.Position, player: int) -> list[int]:
        """The numbers of the weights that a position meets, one for each place."""
        seen = np.zeros(len(self.values), np.int64)
        self.cells(position.state, player, seen)
        found, first = [], self.sets[player] * sum(self.sizes)
        for table, size in zip(self.tables, self.sizes, strict=True):
            for place in table:
                radices = [1, *(self.values[cell] for cell in place)]
                found.append(first + sum(int(seen[cell]) * prod(radices[: i + 1]) for i, cell in enumerate(place)))
            first += size
        return found


class Reference:
    """Learns what `TdLearner` learns, from the same random stream."""

    def __init__(self, game: sw.Game, settings: Settings, seed: int = 1) -> None:
        self.game, self.settings, self.places = game, settings, Places(game, settings)
        self.rng = stream(seed, f"td {game.name}")
        self.weights = np.full(self.places.weights, atanh(settings.optimism) / self.places.count, np.float32)
        self.net_changes, self.all_changes = np.zeros((2, self.places.weights))  # what temporal coherence sums up
        self.alpha = 0.0
        self.last: list[list[int]] = []  # of each player, the indices of its last afterstate
        self.traces: list[dict[tuple[int, int], float]] = []  # of each player, at each place and index
        self.visits: list[tuple[int, list[int]]] = []  # in the last game: who came to an afterstate, and its indices
        self.targets: dict[int, float] = {}  # of each player, what it learned from last: at the end its score

    def learn(self, episodes: int) -> None:
        """The first episodes."""
        for number in range(episodes):
            self.alpha = self.rate("alpha", number)
            self.last = [[] for _ in range(self.game.players)]
            self.traces = [{} for _ in range(self.game.players)]
            self.visits, self.targets = [], {}
            self.play(int(self.rate("epsilon", number) * FINE))

    def rate(self, name: str, number: int) -> float:
        """The step size, or the share of random moves, of an episode."""
        begin, end, shape = (getattr(self.settings, name + part) for part in ("", "_end", "_shape"))
        done = number / self.settings.episodes
        return begin * (end / begin) ** done if shape == "geometric" and begin else begin + (end - begin) * done

    def play(self, epsilon: int) -> None:
        """One game: each turn teaches the mover about its afterstate before, the end teaches everybody."""
        state = self.game.blank()
        self.game.rule("start")(state, self.rng)
        position, me, random = sw.Position(self.game, state), -1, False
        while not position.over:
            if position.chance:
                position = position.roll(position.outcomes()[below(self.rng, len(position.outcomes()))][0])
                continue
            me, drawn = position.mover, bool(below(self.rng, FINE) < epsilon)
            random = random or drawn
            actions = position.actions()
            position = position.play(actions[below(self.rng, len(actions))] if drawn else self.best(position))
            if not position.over and actor(position) != me:
                self.come_to(self.places.indices(position, me), me, random)
                random = False
        for player, score in enumerate(position.scores or ()):
            if self.last[player] and (player != me or not random or self.settings.random_moves_teach):
                self.step(player, score / self.game.constants["BEST"])

    def come_to(self, indices: list[int], me: int, random: bool) -> None:
        """A player has ended its turn; nothing that follows a random one teaches about what was before it."""
        self.visits.append((me, indices))
        if self.last[me] and (not random or self.settings.random_moves_teach):
            self.step(me, self.settings.gamma * self.value(indices))
        else:
            self.traces[me] = {}
        self.last[me] = indices

    def step(self, player: int, target: float) -> None:
        """δ = target - V, e = γλe + ∇V, w += α δ e."""
        value, trace = self.value(self.last[player]), self.traces[player]
        error, slope = target - value, 1 - value**2
        self.targets[player] = target
        for key in trace:
            trace[key] *= self.settings.gamma * self.settings.lam
        for key in enumerate(self.last[player]):
            old = trace.get(key, 0.0)
            trace[key] = old + slope if self.settings.traces == "accumulating" else max(old, slope)
        eligible: dict[int, float] = defaultdict(float)
        for (_, index), share in trace.items():
            eligible[index] += share
        self.move(eligible, error)

    def move(self, eligible: Mapping[int, float], error: float) -> None:
        """Each weight moves by α δ e; coherence sums up what was asked of it."""
        for index, share in eligible.items():
            self.weights[index] += self.alpha / self.places.count * error * share * self.coherence(index)
            self.net_changes[index] += error * share
            self.all_changes[index] += abs(error * share)

    def coherence(self, index: int) -> float:
        """The share of the step size that temporal coherence leaves a weight."""
        if self.settings.coherence == "none" or not self.all_changes[index]:
            return 1.0
        share = abs(self.net_changes[index]) / self.all_changes[index]
        return share if self.settings.coherence == "linear" else exp(STEEPNESS * (share - 1))

    def value(self, indices: list[int]) -> float:
        """Between -1 and 1."""
        return tanh(sum(float(self.weights[index]) for index in indices))

    def best(self, position: sw.Position) -> int:
        """The action with the best afterstate, of equal ones a drawn one."""
        best, equal, chosen = -2.0, [], -1
        for action in position.actions():
            value = self.worth(position.play(action), position.mover)
            if value > best:
                best, equal, chosen = value, [action], action
            elif value == best:
                equal.append(action)
                # Drawn one after the other: the last of n takes the place of the one before with probability 1/n.
                chosen = action if below(self.rng, len(equal)) == 0 else chosen
        return chosen

    def worth(self, position: sw.Position, me: int) -> float:
        """The score, the value of an afterstate, or the best that a turn which goes on can become."""
        if position.scores is not None:
            return position.scores[me] / self.game.constants["BEST"]
        if actor(position) == me:
            return max(self.worth(position.play(action), me) for action in position.actions())
        return self.settings.gamma * self.value(self.places.indices(position, me))


def actor(position: sw.Position) -> int:
    """Who acts next, perhaps after a roll."""
    return position.roller if position.chance else position.mover
