"""A learner that counts what it draws: training runs are tested with it, whatever real learners do.

As a program it is `spielwerk` with this learner added: `python tests/fake_learner.py train fake nim …`.
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from spielwerk.agents.registry import agent as agent_of
from spielwerk.arena.agent import Agent, fresh
from spielwerk.arena.measurement import Measurement
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.kernel.random import below, stream
from spielwerk.learn.kind import LearnerKind
from spielwerk.learn.learner import Learner, Stop, never
from spielwerk.learn.registry import BUILT_IN
from spielwerk.learn.resolve import RunSettings, checkpoint_of
from spielwerk.names import BadInput, setting

Spielwerk = Callable[..., tuple[int, str, str]]

BUILT_IN["fake"] = "fake_learner:FAKE"


@dataclass(frozen=True)
class Settings:
    """The settings of fake."""

    episodes: int = setting(100, "how many numbers are drawn", 1)
    cells: int = setting(8, "from how many", 1)
    pause: float = setting(0.0, "seconds that an episode takes", 0)


class FakeLearner(Learner):
    """Counts how often each number was drawn; its agent plays at random."""

    kind = "fake"

    def __init__(self, game: Game, settings: Settings, seed: int) -> None:
        super().__init__(game, settings, seed)
        self.rng, self.counts = stream(seed, "fake"), np.zeros(settings.cells, np.int64)

    def learn(self, episodes: int, stop: Stop = never) -> None:
        """Draws so many numbers."""
        end = self.episode + episodes
        while self.episode < end and not stop():
            self.counts[below(self.rng, self.settings.cells)] += 1
            time.sleep(self.settings.pause)
            self.episode += 1

    def agent(self) -> Agent:
        """The random mover."""
        return agent_of("random", self.game)

    def weights(self) -> dict[str, np.ndarray]:
        """The counts."""
        return {"counts": self.counts}

    def state(self) -> dict[str, np.ndarray]:
        """The stream."""
        return {"rng": self.rng, "episode": np.array([self.episode])}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Takes them back."""
        if set(arrays) != {"counts", "rng", "episode"} or arrays["counts"].shape != self.counts.shape:
            raise BadInput("The checkpoint does not fit.")
        self.counts[:], self.rng[:] = arrays["counts"], arrays["rng"]
        self.episode = int(arrays["episode"][0])

    def figures(self) -> dict[str, float]:
        """The highest count."""
        return {"highest": float(self.counts.max())}


class Fake(Agent):
    """Plays at random, and knows the counts of its run."""

    Settings = RunSettings

    def __init__(self, game: Game, settings: RunSettings) -> None:
        super().__init__(game, settings)
        self.counts = checkpoint_of("fake", game, settings.run, settings.at)["counts"].tolist()

    def choose(self, position: Position, rng: np.ndarray | None = None) -> int:
        """Any action."""
        actions = position.actions()
        return actions[below(fresh(rng), len(actions))]


SYMBOLS = {"alpha": "α", "epsilon": "ε", "error": "δ"}
FAKE = LearnerKind("fake", FakeLearner, Settings, Fake, devices=("cpu", "cuda"), symbols=SYMBOLS)


def counted(seed: int, episodes: int, cells: int = 8) -> list[int]:
    """What the learner must have counted, computed apart from it."""
    rng, counts = stream(seed, "fake"), [0] * cells
    for _ in range(episodes):
        counts[below(rng, cells)] += 1
    return counts


def in_process(capsys: pytest.CaptureFixture[str]) -> Spielwerk:
    """The command with this learner, for tests: from arguments, and what is typed, to (exit code, output, errors)."""

    def run(*arguments: str, typed: str = "") -> tuple[int, str, str]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "stdin", io.StringIO(typed))
            with pytest.raises(SystemExit) as ended:
                main(*arguments)
        shown = capsys.readouterr()
        return int(ended.value.code or 0), shown.out, shown.err

    return run


def main(*arguments: str) -> Any:
    """The command line, with this learner."""
    from spielwerk.cli import main

    sys.argv = ["spielwerk", *(arguments or sys.argv[1:])]
    main()


if __name__ == "__main__":
    main()


class Stopping:
    """Asks the training to stop after so many chunks."""

    def __init__(self, chunks: int) -> None:
        self.left, self.training = chunks, None

    def learned(self, seed: int, episode: int, per_second: float, figures: Mapping[str, float]) -> None:
        """Counts a chunk, unless nothing was left to learn."""
        self.left -= per_second > 0
        if self.left <= 0 and self.training:
            self.training.stop.set()

    def measured(self, seed: int, measurements: Sequence[Measurement]) -> None:
        """Does not matter here."""
