"""Won positions: how often AlphaZero wins 6×6 Othello that the solver says is won, against perfect defence."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from spielwerk.agents.registry import agent
from spielwerk.arena.agent import Agent
from spielwerk.arena.matches.statistics import rate_interval
from spielwerk.games.position import Position
from spielwerk.games.registry import game
from spielwerk.kernel.random import below, stream
from spielwerk.learn.shipped import shipped_file
from spielwerk.solvers.oracle import oracle
from spielwerk.solvers.othello.solver import empty_cells
from spielwerk.studies.job import Job, JobProgress, Result
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report, Row
from spielwerk.studies.results import Results

GAME = "othello:size=6"
POSITIONS = (500, 12)  # full and quick
SIMULATIONS = ((0, 100, 400), (0, 20))
PIECE = 50  # positions of one job
FEWEST, MOST = 16, 20  # empty cells
GAME_SECONDS = 1.2  # of the defence; each simulation adds to it
SIMULATION_SECONDS = 0.0025


def jobs_of(simulations: int, form: Form) -> list[Job]:
    """All positions in pieces; the same ones for every number of simulations."""
    wanted = POSITIONS[form.quick]
    given = {"simulations": simulations, "positions": min(PIECE, wanted), "network": network_digest()}
    seconds = given["positions"] * (GAME_SECONDS + simulations * SIMULATION_SECONDS)
    seeds = form.seeds(-(-wanted // PIECE))
    return [Job("alphazero.won:play", given | {"seed": seed}, seconds) for seed in seeds]


@cache
def network_digest() -> str:
    """Of the network in the package, which may be another one next time."""
    return hashlib.sha256(shipped_file("alphazero", game(GAME)).read_bytes()).hexdigest()[:16]


def jobs(form: Form) -> list[Job]:
    """The games with each number of simulations."""
    return [job for simulations in SIMULATIONS[form.quick] for job in jobs_of(simulations, form)]


def play(given: Mapping[str, Any], callback: JobProgress) -> Result:
    """The result of each position for the side that should win: 1, 0 or -1; and its empty cells."""
    return tried(f"alphazero:iterations={given['simulations']}", given["seed"], given["positions"], callback)


def tried(attacker: str, seed: int, positions: int, callback: JobProgress) -> Result:
    """The same of any agent."""
    rng = stream(seed, "won positions")
    attack, defence = agent(attacker, GAME), agent("oracle", GAME)
    results, empty = list[float](), list[int]()
    for count in range(positions):
        callback(count / positions)
        position = won_position(rng)
        empty.append(empty_cells(position))
        results.append(played(position, attack, defence))
    return {"results": results, "empty": empty}


def won_position(rng: np.ndarray) -> Position:
    """After random moves from the start, the first with so few empty cells that its mover wins by perfect play."""
    truth = oracle(game(GAME))
    while True:
        position, wanted = game(GAME).start(), FEWEST + int(below(rng, MOST - FEWEST + 1))
        while not position.over and empty_cells(position) > wanted:
            legal = position.actions()
            position = position.play(legal[int(below(rng, len(legal)))])
        known = None if position.over else truth.truth(position)
        if known and known.value > 0:
            return position


def played(position: Position, attack: Agent, defence: Agent) -> float:
    """The result for the mover, for whom `attack` plays."""
    mover = position.mover
    while not position.over:
        position = (attack if position.mover == mover else defence).turn(position).end
    assert position.scores is not None  # the game is over
    return float(np.sign(position.scores[mover]))


def report(form: Form, results: Results) -> Report:
    """The share of the positions that is won, by the number of simulations."""
    rows = [_row(simulations, form, results) for simulations in SIMULATIONS[form.quick]]
    notes = [
        f"Positions of {GAME} after random moves with {FEWEST} to {MOST} empty cells, all of which the side to move "
        "wins by perfect play. It is played by alphazero, the other side by oracle, which knows every result.",
        "The same positions for every number of simulations; 0 is the policy alone.",
    ]
    return Report(rows, notes)


def _row(simulations: int, form: Form, results: Results) -> Row:
    found = np.array([each for job in jobs_of(simulations, form) for each in results[job]["results"]])
    won = (found > 0).astype(float)
    note = f"{int(won.sum())} of {len(won)} won, {int((found == 0).sum())} drawn"
    name = f"{simulations} simulations" if simulations else "the policy alone"
    return Row(name, None, float(won.mean()), rate_interval(won, np.arange(len(won))), note=note)


RECIPES = (
    Recipe(
        "alphazero/won",
        f"positions of {GAME} that are won by perfect play: how many are won against the oracle",
        jobs,
        report,
        f"{POSITIONS[1]} positions instead of {POSITIONS[0]}, at most {SIMULATIONS[1][-1]} simulations instead of "
        f"{SIMULATIONS[0][-1]}",
    ),
)
