"""How far the usual judges can be trusted: what they say that moves cost which cost nothing by the truth.

The truth is the public set of a game, or its oracle in positions of games of `td` with some random turns.

    python benchmarks/judges.py                 # what `MEASURED` in spielwerk/api/judges.py is rounded from
    python benchmarks/judges.py morris --positions 300
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

import spielwerk as sw
from spielwerk.agents.registry import agent
from spielwerk.api.judges import usual_judge
from spielwerk.arena.grading.examination import public_file
from spielwerk.arena.grading.judged import Question, questions
from spielwerk.arena.grading.questions import open_question, question
from spielwerk.arena.reviewing.judge import Judge
from spielwerk.games.game import Game
from spielwerk.kernel.random import below, stream
from spielwerk.solvers.oracle import oracle

GAMES = ("backgammon:scoring=full", "einstein:board=4", "morris", "othello")
NOTHING, BLUNDER = 0.01, 0.25
RANDOM = 3  # one turn in so many is random


def main() -> None:
    """Prints a line for each game."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("games", nargs="*", default=GAMES)
    options.add_argument("--positions", type=int, default=150)
    asked = options.parse_args()
    print("what moves that cost nothing cost by the judge, and how many blunders cost more than nine of ten of them")
    for name in asked.games:
        measure(sw.game(name), asked.positions)


def measure(game: Game, positions: int) -> None:
    """One game and its usual judge."""
    judge = Judge(None, agent(usual_judge(game), game))
    free, dear = [], []
    for asked in _questions(game, positions):
        for true, said in _regrets(judge, asked):
            (free if true < NOTHING else dear if true >= BLUNDER else []).append(said)
    half, most, nearly_all = np.quantile(free, [0.5, 0.9, 0.95])
    found = np.mean(np.array(dear) > most)
    print(f"{game.name}, {judge.agent.name}: half {half:.3f}, 90 % {most:.3f}, 95 % {nearly_all:.3f} of {len(free)}")
    print(f"    {100 * found:.0f} % of {len(dear)} blunders cost more", flush=True)


def _regrets(judge: Judge, asked: Question) -> Iterator[tuple[float, float]]:
    """Of each move what it costs by the truth and by the judge."""
    said, best = judge.valuation(asked.position, closely=1000), max(one.score for one in asked.worths.values())
    for turn in asked.position.turns():
        if (one := said.of(turn.text)) is not None:
            yield best - asked.worths[turn.end.words].score, said.best[1].value - one.value


def _questions(game: Game, positions: int) -> list[Question]:
    if path := public_file(game):
        return [ask() for ask in questions(game, path, positions)]
    known, player, rng, found = oracle(game), agent("td", game), stream(1, "judges"), []
    known.ready()
    while len(found) < positions:
        here = game.start()
        while not here.over:
            if here.chance:
                here = here.roll(here.outcomes()[below(rng, len(here.outcomes()))][0])
                continue
            asked = question(known, here, "")
            found += [asked] if asked and open_question(asked) else []
            turns = here.turns()
            here = turns[below(rng, len(turns))].end if below(rng, RANDOM) == 0 else player.turn(here, rng).end
    return found[:positions]


if __name__ == "__main__":
    main()
