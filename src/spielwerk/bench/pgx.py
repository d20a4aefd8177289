"""The peer: random play of many boards in Pgx (packages `pgx` and `jax`, optional), compiled for jax's own device."""

from __future__ import annotations

import importlib
import time
from functools import partial
from typing import Any

NAME = "Pgx"
GAMES = {"othello": "othello", "backgammon": "backgammon"}  # ours and theirs


def load() -> Any:
    """The module `pgx`, or None where it or jax is not installed."""
    try:
        importlib.import_module("jax")
        return importlib.import_module("pgx")
    except ImportError:
        return None


def device() -> str:
    """Where jax computes: "cpu" or "cuda"."""
    return "cpu" if importlib.import_module("jax").default_backend() == "cpu" else "cuda"


class Boards:
    """Boards of one game, whose random steps write the next states with their masks and observations."""

    def __init__(self, name: str, boards: int, steps: int, seed: int) -> None:
        jax: Any = importlib.import_module("jax")
        env = load().make(GAMES[name])
        auto_reset = importlib.import_module("pgx.experimental").auto_reset
        self.boards, self.steps = boards, steps
        self.key = jax.random.PRNGKey(seed)
        self.states = jax.jit(jax.vmap(env.init))(jax.random.split(self.key, boards))
        self.advance = jax.jit(partial(_advance, jax, jax.vmap(auto_reset(env.step, env.init)), boards, steps))
        self.run()  # compiles

    def run(self) -> float:
        """Seconds that all boards take for their steps."""
        begun = time.perf_counter()
        self.states, self.key = self.advance(self.states, self.key)
        self.states.observation.block_until_ready()
        return time.perf_counter() - begun


def _advance(jax: Any, step: Any, boards: int, steps: int, states: Any, key: Any) -> tuple[Any, Any]:
    """So many random steps of all boards."""

    def one(carry: tuple[Any, Any], _: None) -> tuple[tuple[Any, Any], None]:
        states, key = carry
        key, drawn, rolled = jax.random.split(key, 3)
        actions = jax.random.categorical(drawn, jax.numpy.log(states.legal_action_mask.astype("float32")), axis=-1)
        return (step(states, actions, jax.random.split(rolled, boards)), key), None

    return jax.lax.scan(one, (states, key), None, steps)[0]
