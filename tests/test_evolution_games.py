"""Games between networks: move by move what plain Python plays, everybody as often as everybody else."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import spielwerk as sw
from evolution_genomes import blueprint, grown, staged
from evolution_reference import NimPlayer, meeting, nim_meeting, shares
from marks import slow
from spielwerk.kernel.random import stream, streams
from spielwerk.learn.evolution.exams import competition
from spielwerk.learn.evolution.exams.competition import Outcome, circle, meet
from spielwerk.learn.evolution.player import EvolutionPlayer

KEY = (1, "some games")


def met(frame: Any, genomes: list[Any], pairs: np.ndarray, threads: int = 1) -> Outcome:
    """What the compiled code makes of these pairings."""
    scratch = frame.scratch(competition.blocks(len(pairs)))
    return meet(staged(frame, genomes), pairs, KEY, scratch, threads)


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("nim:stacks=8", {"output": "onehot"}),
        ("nim:stacks=8,sizes=random", {"output": "direct", "illegal": "safe"}),
        ("nim:stacks=3-4-5", {"output": "direct"}),
        ("nim:stacks=3-4-5", {"output": "onehot", "illegal": "safe"}),
        ("nim", {"inputs": "bits"}),
        ("nim:stacks=3-4-5", {"inputs": "onehot"}),
        ("nim:misere=false,sizes=random", {"output": "onehot", "inputs": "observe"}),
        ("nim:stacks=3-4-5,simple=true", {}),
    ],
    ids=lambda part: str(part),
)
def test_games_of_nim_go_as_plain_python_plays_them(game: str, settings: dict[str, Any]) -> None:
    frame = blueprint(game, **settings)
    genomes = grown(frame, 40, 120)
    pairs = circle(40, 4, stream(3, "pairs"))
    outcome = met(frame, genomes, pairs)
    words = streams(*KEY, len(pairs))
    ours = [nim_meeting(frame, genomes[a], genomes[b], word) for (a, b), word in zip(pairs, words, strict=True)]
    assert outcome.given.tolist() == ours
    assert outcome.points(40).tolist() == pytest.approx(shares(pairs.tolist(), ours, 40))
    assert outcome.turns == pytest.approx(np.sum(ours, axis=0)[2] / (2 * len(pairs)))
    assert len(set(outcome.points(40).tolist())) > 3


OTHERS = {
    "einstein:board=3": 12,
    "morris:rules=six,turns=40": 6,
    "othello:size=4": 6,
    "backgammon": 2,
}


@pytest.mark.parametrize("name", [*list(OTHERS)[:1], *slow(*list(OTHERS)[1:])])
def test_other_games_go_as_plain_python_plays_them(name: str) -> None:
    frame = blueprint(name, longest=60, most_hidden=5)
    genomes = grown(frame, 4, 40)
    pairs = np.array([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)] * 2)[: OTHERS[name]]
    outcome = met(frame, genomes, pairs)
    words = streams(*KEY, len(pairs))
    plain = [meeting(frame, genomes[a], genomes[b], word, 60) for (a, b), word in zip(pairs, words, strict=True)]
    assert outcome.given.tolist() == plain


def test_what_is_met_does_not_depend_on_threads() -> None:
    frame = blueprint("nim:stacks=8", output="onehot")
    genomes, pairs = grown(frame, 100, 50), circle(100, 20, stream(1, "pairs"))
    one, more = met(frame, genomes, pairs), met(frame, genomes, pairs, threads=3)
    np.testing.assert_array_equal(one.given, more.given)


@pytest.mark.parametrize(("count", "distances"), [(2, 1), (7, 3), (7, 1), (10, 5), (10, 3), (100, 50), (101, 20)])
def test_nobody_meets_anybody_twice_and_all_play_as_much(count: int, distances: int) -> None:
    drawn = set()
    for seed in range(5):
        pairs = circle(count, distances, stream(seed, "pairs"))
        assert len({frozenset(pair) for pair in pairs.tolist()}) == len(pairs)
        assert (pairs[:, 0] != pairs[:, 1]).all()
        games = Counter(pairs.ravel().tolist())
        apart = {min((a - b) % count, (b - a) % count) for a, b in pairs.tolist()}
        assert len(apart) == distances
        opposite = 2 * max(apart) == count  # half way round, both sides are the same opponent
        assert set(games.values()) == {2 * distances - opposite}
        assert len(games) == count
        drawn.add(frozenset(apart))
    assert len(drawn) > 1 or distances == count // 2


def test_champions_of_the_past_count_in_the_fitness_of_those_who_meet_them() -> None:
    pairs, given = [(0, 1), (0, 2), (1, 2)], [[2.0, 0, 5, 2], [0.5, 1.5, 5, 2], [1.0, 1.0, 5, 2]]
    points = Outcome(np.array(pairs), np.array(given)).points(2)  # genome 2 is a guest
    assert points.tolist() == [2.5 / 4, 1.0 / 4] == shares(pairs, given, 2)


def test_an_illegal_output_loses_at_once_or_is_mended() -> None:
    strict, safe = (
        blueprint("nim:stacks=8", output="direct", illegal=illegal, population=2) for illegal in ("strict", "safe")
    )
    genome = grown(strict, 2, 0)[0]
    genome.weights[:], genome.biases[:] = 0.0, 20.0  # 20 matches of stack 20
    pairs = np.array([[0, 1]])
    assert met(strict, [genome, genome], pairs).given.tolist() == [[1, 1, 2, 2]]
    assert met(safe, [genome, genome], pairs).given.tolist() == [[1, 1, 2, 2]]  # it takes all matches, and loses
    assert NimPlayer(safe, genome).move((8,)) == (0, 8)


def test_an_agent_moves_as_its_network_does_and_never_illegally() -> None:
    game = sw.game("nim:stacks=3-4-5")
    frame, safe = (blueprint(game.name, output="direct", illegal=illegal) for illegal in ("strict", "safe"))
    for genome in grown(frame, 20, 60):
        agent = EvolutionPlayer(game, frame, genome)
        for stacks in ((3, 4, 5), (0, 2, 2), (1, 0, 0), (0, 0, 5)):
            position = sw.Position(game, np.array([0, *stacks]))
            stack, take = NimPlayer(safe, genome).move(stacks) or (-1, 0)
            assert agent.turn(position).end.words == (1, *(size - take * (k == stack) for k, size in enumerate(stacks)))
