"""TdLearner: learns a game by self-play, and can be stopped and resumed at any episode."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, log

import numpy as np

from spielwerk.arena.agent import Agent
from spielwerk.games.game import Game
from spielwerk.kernel.random import stream
from spielwerk.learn.kind import CPU
from spielwerk.learn.learner import Learner, Stop, never
from spielwerk.learn.td import episode as playing
from spielwerk.learn.td import replay, traces
from spielwerk.learn.td.buffers import buffer, pieces
from spielwerk.learn.td.choice import policy_of
from spielwerk.learn.td.freezing import Frozen
from spielwerk.learn.td.network import GIGABYTE, NTupleNetwork
from spielwerk.learn.td.player import TdPlayer
from spielwerk.learn.td.settings import NETWORK, Settings
from spielwerk.names import BadInput

AT_ONCE = 1000  # episodes between two looks at whether to stop
LONGEST = 4000  # actions of a game that has no bound of its own
MOST_REMEMBERED = 200_000_000  # bytes of the afterstates of a game; usual games and settings take no 2 MB


class TdLearner(Learner):
    """An n-tuple network that learns by temporal differences."""

    kind = "td"

    def __init__(self, game: Game, settings: Settings, seed: int = 1) -> None:
        super().__init__(game, settings, seed)
        self.network = NTupleNetwork(game, settings, seed)
        self.rng = stream(seed, f"td {game.name}")
        self.tally = np.zeros(playing.TALLIES)
        self.rates = _rates(game, settings)
        self.pieces = pieces(settings)
        self.buffer = buffer(settings, len(self.network.shape.places))
        self.frozen = Frozen(game, self.network) if settings.freeze else None
        self._policy = policy_of(game, self.network)
        self._trail = _trail(game, settings, self.network)

    @classmethod
    def made(cls, game: Game, settings: Settings, seed: int = 1) -> Learner:
        """With approximator=network, a learner with a neural network, which needs torch."""
        if settings.approximator != NETWORK:
            return cls(game, settings, seed)
        from spielwerk.learn.td.neural.learner import TdNetworkLearner

        return TdNetworkLearner(game, settings, seed)

    def use(self, device: str, threads: int) -> None:
        """Tables learn on the CPU only."""
        if device != CPU:
            raise BadInput(f"td learns on {device} with approximator=network; tables of n-tuples learn on the CPU.")
        super().use(device, threads)

    def learn(self, episodes: int, stop: Stop = never) -> None:
        """Learns for so many more episodes, unless it is asked to stop."""
        self.tally[:] = 0
        end = self.episode + episodes
        while self.episode < end and not stop():
            freeze = self.settings.freeze or end
            self._play(min(end, self.episode + AT_ONCE, self.episode - self.episode % freeze + freeze))
            if self.frozen and self.episode % freeze == 0:
                self.frozen.decide(self.settings.freeze_games, self.seed, self.episode)

    def _play(self, end: int) -> None:
        """Learns from the episodes up to number `end`."""
        kernel = self.game.kernel(playing.episodes, **self.network.bindings, **self.pieces)
        state, actions, weights, _ = self.game.workspace()
        memory = replay.Memory(**self.buffer) if self.buffer else ()
        learning = playing.Learning(self.rates, self._policy, self._trail, memory, self.tally)
        kernel(self.episode, end, self.rng, playing.Board(state, actions, weights), learning)
        self.episode = end

    def agent(self) -> Agent:
        """An agent that plays by the network as it is."""
        return TdPlayer(self.game, self.network)

    def figures(self) -> dict[str, float]:
        """The rates now, and means over the episodes of the last call of `learn`."""
        errors, learned, turns, games = self.tally.tolist()
        schedules = {"alpha": self.rates.alpha, "epsilon": self.rates.epsilon}
        rate = {name: playing.scheduled(one, self.episode, self.rates.episodes) for name, one in schedules.items()}
        frozen = {"adopted": self.frozen.adopted, "dropped": self.frozen.dropped} if self.frozen else {}
        return {**rate, "error": errors / max(learned, 1), "turns": turns / max(games, 1), **frozen}

    def weights(self) -> dict[str, np.ndarray]:
        """Those of the network."""
        return {"weights": self.network.weights}

    def state(self) -> dict[str, np.ndarray]:
        """The step sizes, the buffer, the frozen copy, the random stream and the number of episodes."""
        buffer = {f"buffer_{name}": array for name, array in self.buffer.items()}
        frozen = self.frozen.arrays() if self.frozen else {}
        counters = {"rng": self.rng, "episode": np.array([self.episode])}
        return {"coherence": self.network.coherence, **buffer, **frozen, **counters}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Goes back to where `arrays` were taken."""
        mine = self.arrays()
        self.check_fit(arrays, mine)
        for name, array in mine.items():
            array[...] = arrays[name]
        self.episode = int(arrays["episode"][0])
        if self.frozen:
            self.frozen.restored(arrays["frozen_counts"])

    def metadata(self) -> dict[str, str]:
        """The game, the settings, what they mean for the network, the seed and the version."""
        return {**super().metadata(), "coding": self.network.layout.coding, "tuples": self.network.tuples}


def _rates(game: Game, settings: Settings) -> playing.Rates:
    """The settings as the kernel takes them."""
    return playing.Rates(
        episodes=float(settings.episodes),
        alpha=_schedule(settings.alpha, settings.alpha_end, settings.alpha_shape),
        epsilon=_schedule(settings.epsilon, settings.epsilon_end, settings.epsilon_shape),
        lam=float(settings.lam),
        random_teaches=settings.random_moves_teach,
        longest=int(game.constants["LONGEST"] or LONGEST),
    )


def _schedule(begin: float, end: float, shape: str) -> playing.Schedule:
    return playing.Schedule(float(begin), float(end), shape == "geometric")


def _trail(game: Game, settings: Settings, network: NTupleNetwork) -> playing.Trail:
    """Arrays for as many afterstates of each player as a TD error updates."""
    decay = settings.gamma * settings.lam
    most = game.constants["LONGEST"] or LONGEST
    rows = 1 if decay == 0 else most if decay == 1 else min(most, ceil(log(traces.CUTOFF) / log(decay)) + 1)
    players, places = game.players, len(network.shape.places)
    size = players * rows * places * 8
    if size > MOST_REMEMBERED:
        raise BadInput(
            f"td: lam={settings.lam:g} needs {size / GIGABYTE:.1f} GB for the last {rows:,} positions of a player; "
            "take a smaller lam, fewer tuples, or a game that ends sooner."
        )
    met, slopes = np.zeros((players, rows, places), np.int64), np.zeros((players, rows))
    return playing.Trail(met, slopes, np.zeros(players, np.int64), np.zeros(players, np.int64))
