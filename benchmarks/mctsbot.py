"""Our `mcts` against OpenSpiel's C++ `MCTSBot` at equal simulations: `python benchmarks/mctsbot.py` (half an hour).

Both search with random playouts and prove wins (`solve`); the peer explores with its usual constant (2, for scores from
-1 to 1), ours with its default. Seats alternate, and two games that follow each other have the same set-up and the same
dice. The game is played in both engines at once.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

import spielwerk as sw
from spielwerk.arena.matches.statistics import summary
from spielwerk.games.einstein import cell_of
from spielwerk.kernel.random import streams

EXPLORATION = 2.0
EINSTEIN_STEPS = (2, 1, 0, 1, 2, 0)  # ours for diagonal, down, right of player 0 and up, diagonal, left of player 1
GAMES = {
    "morris": ("morris:quiet=0,turns=200", "nine_mens_morris", 400),
    "einstein": ("einstein:start=free", "einstein_wurfelt_nicht", 1000),
    "othello": ("othello", "othello", 200),
}  # ours, theirs, games


def morris_action(position: sw.Position, action: int) -> int:
    """OpenSpiel's action as ours: it numbers the points, for placing and taking, before the slides."""
    return 24 * 24 + action if action < 24 else action - 24


def einstein_action(position: sw.Position, action: int) -> int:
    """OpenSpiel's action is (cell * 6 + direction) * 2 + whether a stone is taken."""
    stones = position.words[2 + position.mover]
    cells = [cell_of(stones, stone) for stone in range(6)]
    return cells.index(action // 12) * 3 + EINSTEIN_STEPS[action // 2 % 6]


TRANSLATED: dict[str, Callable[[sw.Position, int], int]] = {
    "morris": morris_action,
    "einstein": einstein_action,
    "othello": lambda position, action: action,
}


def begun(kind: str, game: sw.Game, other: Any, chance: random.Random) -> tuple[sw.Position, Any]:
    """The same starting position in both engines."""
    theirs = other.new_initial_state()
    if kind != "einstein":
        return game.start(), theirs
    for _ in range(2):
        theirs.apply_action(chance.choice(theirs.legal_actions()))
    text = "/".join(str(theirs).split())
    for mark, ours in {"|": "", "__": ".", "b": "X", "w": "O"}.items():
        text = text.replace(mark, ours)
    return game.parse(f"{re.sub('/$', '', text)} O -"), theirs


def play(kind: str, game: sw.Game, other: Any, agent: sw.Agent, simulations: int, number: int, seed: int) -> float:
    """Our score in one game; games 2i and 2i + 1 have the same dice."""
    chance, rng = random.Random(f"{seed}/{number // 2}"), streams(seed, "moves", 1, number)[0]
    position, theirs = begun(kind, game, other, chance)
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed + number)
    bot = pyspiel.MCTSBot(other, evaluator, EXPLORATION, simulations, 1000, True, seed + number, False)
    mine, translated = number % 2, TRANSLATED[kind]
    while not theirs.is_terminal():
        if theirs.is_chance_node():
            action = chance.choice(theirs.legal_actions())
            position = position.roll(action + 1)
        elif theirs.current_player() == mine:
            before, after = position, position.play(agent.choose(position, rng))
            for action in ours_there(before, after, theirs, translated):
                theirs.apply_action(action)
            position = after
            continue
        else:
            action = bot.step(theirs)
            position = position.play(translated(position, action))
        theirs.apply_action(action)
    return theirs.returns()[mine]


def ours_there(
    before: sw.Position, after: sw.Position, theirs: Any, translated: Callable[[sw.Position, int], int]
) -> list[int]:
    """Our turn as OpenSpiel's actions: those that lead from `before` to `after`."""
    for action in theirs.legal_actions():
        here = before.play(translated(before, action))
        if here == after:
            return [action]
        if here.mover == before.mover:
            state = theirs.clone()
            state.apply_action(action)
            for second in state.legal_actions():
                if here.play(translated(here, second)) == after:
                    return [action, second]
    raise AssertionError(f"{before} → {after} is no turn in OpenSpiel.")


def main() -> None:
    """Prints a line a game, or one JSON object: `rows` of `name`, `games`, `rate`, `interval`."""
    parser = argparse.ArgumentParser()
    parser.add_argument("kinds", nargs="*", default=list(GAMES))
    parser.add_argument("--simulations", type=int, default=400)
    parser.add_argument("--games", type=int, help="fewer or more of each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if unknown := set(options.kinds) - set(GAMES):
        parser.error(f"no such game: {', '.join(unknown)}; possible: {', '.join(GAMES)}")
    rows = []
    for kind in options.kinds:
        ours, theirs, usual = GAMES[kind]
        games = options.games or usual
        game, other = sw.game(ours), pyspiel.load_game(theirs)
        agent = sw.agent(f"mcts:iterations={options.simulations}", game)
        scores = [play(kind, game, other, agent, options.simulations, i, options.seed) for i in range(games)]
        gains = np.array([scores, (np.sign(scores) + 1) / 2])
        found = summary(gains, np.arange(games) // 2)
        rows.append({"name": kind, "games": games, "rate": found.rate, "interval": found.rate_interval})
        if not options.json:
            low, high = found.rate_interval
            print(
                f"{kind:10} {100 * found.rate:5.1f} %  ({100 * low:.1f} to {100 * high:.1f}; {games} games)", flush=True
            )
    if options.json:
        print(json.dumps({"rows": rows}))


if __name__ == "__main__":
    main()
