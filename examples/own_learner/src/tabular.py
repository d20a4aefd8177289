"""tabular: Monte Carlo learning with a table, for small games.

Every end of a turn is worth the mean score, to the player who ended it, of the games that came by it. The learner plays
against itself: mostly the best turn by its table, and sometimes any.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import spielwerk as sw
from spielwerk.games.position import Turn
from spielwerk.kernel.random import below, fraction, stream
from spielwerk.learn import checkpoint as checkpoints
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.kind import SAFETENSORS, LearnerKind
from spielwerk.learn.learner import Learner, Stop, never
from spielwerk.learn.resolve import RunSettings, checkpoint_of
from spielwerk.names import setting
from spielwerk.search.estimator import Estimate, on_host

LONGEST = 1000  # turns, after which a game is a draw
SEEDS = 2**31 - 1

Key = tuple[int, ...]  # the player whose turn has ended, and the words of the position


@dataclass(frozen=True)
class Settings:
    """The settings of tabular."""

    episodes: int = setting(10_000, "games of self-play", 1, 10**9)
    epsilon: float = setting(0.2, "share of random turns", 0, 1)
    most: int = setting(1_000_000, "positions in the table; later ones are not learned", 1, 10**8)


class Greedy(sw.Agent):
    """Takes the turn that is worth most by a table, which may go on learning."""

    def __init__(self, game: sw.Game, settings: Any, values: Mapping[Key, float]) -> None:
        super().__init__(game, settings)
        self.values = values

    @property
    def draws(self) -> bool:
        """It does not."""
        return False

    def choose(self, position: sw.Position, rng: np.ndarray | None = None) -> str:
        """The best turn, of equal ones the first."""
        return self.best(position).text

    def best(self, position: sw.Position) -> Turn:
        """The turn that is worth most to the mover."""
        return max(position.turns(), key=lambda turn: self.worth(turn.end, position.mover))

    def worth(self, end: sw.Position, player: int) -> float:
        """What the end of a turn is worth to the player whose turn it was; 0 where nothing is known."""
        return end.scores[player] if end.scores else self.values.get((player, *end.words), 0.0)


class TabularAgent(Greedy):
    """Plays by the table of a run."""

    Settings = RunSettings

    def __init__(self, game: sw.Game, settings: RunSettings) -> None:
        kept = checkpoint_of("tabular", game, settings.run, settings.at)
        super().__init__(game, settings, _table(kept["keys"], kept["values"]))


class TabularEstimator(sw.Estimator):
    """Values the ends of turns by the table of a run, for searches: `value=RUN`; what it has not met is even."""

    def __init__(self, game: sw.Game, run: str) -> None:
        super().__init__(game)
        kept = checkpoint_of("tabular", game, run)
        self.name, self.values = run, _table(kept["keys"], kept["values"])

    @on_host
    def estimate(self, batch: sw.Batch) -> Estimate:
        """What each player may expect on each board."""
        return Estimate(np.array([self._of(position) for position in batch.positions()]).reshape(len(batch), -1))

    def _of(self, position: sw.Position) -> tuple[float, ...]:
        """Who ended a turn here expects its mean score, and so does its team; the others share what it loses."""
        if position.scores is not None:
            return position.scores
        teams = self.game.constants["TEAM"]
        for player in range(self.game.players):
            value = self.values.get((player, *position.words))
            if value is not None:
                loss = -value / (self.game.sides - 1)
                return tuple(value if team == teams[player] else loss for team in teams)
        return (0.0,) * self.game.players


class Tabular(Learner):
    """A table that learns by Monte Carlo."""

    kind = "tabular"

    def __init__(self, game: sw.Game, settings: Settings, seed: int = 1) -> None:
        super().__init__(game, settings, seed)
        self.rng = stream(seed, f"tabular {game.name}")
        self.values: dict[Key, float] = {}
        self.visits: dict[Key, int] = {}
        self.errors: list[float] = []  # of the last call of `learn`

    def learn(self, episodes: int, stop: Stop = never) -> None:
        """Learns from so many more games, unless it is asked to stop."""
        self.errors = []
        end = self.episode + episodes
        while self.episode < end and not stop():
            self._episode()
            self.episode += 1

    def _episode(self) -> None:
        """One game, from whose end everything that was met is learned."""
        position, player = self.game.start(int(below(self.rng, SEEDS))), self.agent()
        met: list[Key] = []
        while not position.over and len(met) < LONGEST:
            if position.chance:
                position = position.roll(self._drawn(position))
                continue
            mover = position.mover
            turns = position.turns() if fraction(self.rng) < self.settings.epsilon else [player.best(position)]
            position = turns[below(self.rng, len(turns))].end
            met.append((mover, *position.words))
        scores = position.scores or [0.0] * self.game.players
        for key in met:
            self._update(key, scores[key[0]])

    def _drawn(self, position: sw.Position) -> int:
        """A roll, by the weights of all."""
        outcomes, shares = zip(*position.outcomes(), strict=True)
        place = int(np.searchsorted(np.cumsum(shares), fraction(self.rng), "right"))
        return outcomes[min(place, len(outcomes) - 1)]

    def _update(self, key: Key, score: float) -> None:
        """Moves a mean towards a score."""
        if key not in self.values and len(self.values) == self.settings.most:
            return
        error = score - self.values.get(key, 0.0)
        self.visits[key] = self.visits.get(key, 0) + 1
        self.values[key] = self.values.get(key, 0.0) + error / self.visits[key]
        self.errors.append(abs(error))

    def agent(self) -> Greedy:
        """An agent that plays by the table as it is."""
        return Greedy(self.game, None, self.values)

    def figures(self) -> dict[str, float]:
        """The mean error, and how many positions are known."""
        return {"error": float(np.mean(self.errors or [0.0])), "positions": float(len(self.values))}

    def weights(self) -> dict[str, np.ndarray]:
        """What the agent needs: the positions and what they are worth."""
        keys = np.array(list(self.values), np.int64).reshape(len(self.values), 1 + self.game.constants["WORDS"])
        return {"keys": keys, "values": np.array(list(self.values.values()))}

    def state(self) -> dict[str, np.ndarray]:
        """What else a resume needs."""
        visits = np.array([self.visits[key] for key in self.values], np.int64)
        return {"visits": visits, "rng": self.rng, "episode": np.array([self.episode])}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Goes back to where the arrays were taken."""
        try:
            keys, values, visits, rng, episode = (arrays[name] for name in (*self.weights(), *self.state()))
            if keys.shape[1:] != (1 + self.game.constants["WORDS"],) or rng.shape != self.rng.shape:
                raise ValueError
            self.values, self.visits = _table(keys, values), _table(keys, visits)
        except (KeyError, ValueError):
            raise sw.BadInput(f"The checkpoint does not fit tabular of {self.game.name}.") from None
        self.rng[:], self.episode = rng, int(episode[0])


def _table(keys: np.ndarray, values: np.ndarray) -> dict[Key, Any]:
    """Keys and values as a table; ValueError where there are more of one than of the other."""
    return dict(zip(map(tuple, keys.tolist()), values.tolist(), strict=True))


def export(game: sw.Game, kept: Checkpoint, path: Path, about: Mapping[str, str]) -> None:
    """Writes what is needed to play."""
    checkpoints.write(path, {name: kept[name] for name in ("keys", "values")}, {**kept.metadata, **about})


TABULAR = LearnerKind(
    name="tabular",
    learner=Tabular,
    settings=Settings,
    agent=TabularAgent,
    estimator=TabularEstimator,
    exports={SAFETENSORS: export},
    smaller="fewer positions, most=…, take less",
)
