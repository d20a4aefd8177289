"""The peer: OpenSpiel's random play and tree search, inside its C++ (package `open_spiel`, optional)."""

from __future__ import annotations

import random
import time
from typing import Any

NAME = "OpenSpiel"
SAMPLE = 60  # games played from Python to count decisions


def load() -> Any:
    """The module `pyspiel`, or None where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    return pyspiel


def first_decision(game: Any, seed: int) -> Any:
    """The first position in which a player acts, chance drawn by `seed`."""
    chance = random.Random(seed)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(_drawn(state, chance))
    return state


def seconds(spec: str, games: int, seed: int) -> float:
    """CPU seconds that `games` random games take in C++: one simulation with that many rollouts."""
    pyspiel = load()
    game = pyspiel.load_game(spec)
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(games, seed), 1.0, 1, 100, False, seed, False)
    state = first_decision(game, seed)
    begun = time.process_time()
    bot.mcts_search(state)
    return time.process_time() - begun


def search_seconds(spec: str, simulations: int, seed: int) -> float:
    """CPU seconds that its tree search takes for so many simulations from the first decision."""
    pyspiel = load()
    game = pyspiel.load_game(spec)
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, seed), 1.4, simulations, 1000, False, seed, False)
    state = first_decision(game, seed)
    begun = time.process_time()
    bot.mcts_search(state)
    return time.process_time() - begun


def decisions(spec: str, seed: int) -> float:
    """The mean number of decisions in its random games: positions with different possible successors."""
    game = load().load_game(spec)
    chance, total = random.Random(seed), 0
    for number in range(SAMPLE):
        state = first_decision(game, seed + number)
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(_drawn(state, chance))
                continue
            actions = state.legal_actions()
            total += _differ(state, actions)
            state.apply_action(chance.choice(actions))
    return total / SAMPLE


def _drawn(state: Any, chance: random.Random) -> int:
    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
    return chance.choices(outcomes, weights)[0]


def _differ(state: Any, actions: list[int]) -> bool:
    first = str(state.child(actions[0]))
    return any(str(state.child(action)) != first for action in actions[1:])
