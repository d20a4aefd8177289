"""What AlphaZero learns from: mirrored minibatches, values of several sides, mixed precision, and the end of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import heap_game
import spielwerk as sw
from conftest import Run
from spielwerk.learn import runs
from spielwerk.learn.alphazero.learner import AlphaZeroLearner
from spielwerk.learn.alphazero.settings import Settings
from spielwerk.learn.neural.heads import ScoresHead, head_of
from spielwerk.learn.neural.tensors import seen
from test_alphazero import SMALL, learner
from test_td_neural import equal


@pytest.mark.parametrize("game", ["othello:size=4", "morris", "einstein:board=4", "einstein:board=4,players=4"])
def test_a_mirrored_lesson_shows_the_mirrored_board_and_the_mirrored_policy(game: str) -> None:
    made = learner(game, starts="random:8")
    lessons = made._played()
    rows = torch.arange(len(lessons.states))
    symmetries = torch.randint(made.game.constants["SYMMETRIES"], (len(rows),), generator=generator())
    ((inputs, values, shares, legal),) = made.preparing.minibatches(lessons, [rows], generator)
    pairs = zip(lessons.states.numpy(), symmetries.tolist(), strict=True)
    turned = [sw.Position(made.game, words).turned(k) for words, k in pairs]
    assert len(set(symmetries.tolist())) == made.game.constants["SYMMETRIES"]
    assert torch.equal(inputs, seen(made.game.batch(turned), made.inputs))
    assert torch.equal(values, lessons.wanted)
    first = 0
    for i, position in enumerate(turned):
        assert legal[i].nonzero()[:, 0].tolist() == list(position.actions())
        count, k = int(lessons.counts[i]), int(symmetries[i])
        found = zip(lessons.actions[first : first + count], lessons.shares[first : first + count], strict=True)
        policy = {made.game.rule("turned")(k, int(action)): float(share) for action, share in found}
        assert {action: float(shares[i, action]) for action in policy} == policy
        assert sum(policy.values()) == pytest.approx(float(shares[i].sum()))
        first += count


def generator() -> torch.Generator:
    return torch.Generator().manual_seed(1)


@pytest.mark.parametrize("settings", [{}, {"policy": "afterstates"}, {"select": "puct", "simulations": 32, "lam": 0.5}])
def test_in_a_game_of_three_sides_each_learns_to_look_after_itself(settings: dict[str, Any]) -> None:
    given = {**SMALL, "boards": 32, "filters": 32, "simulations": 16, "passes": 4.0, "rate": 0.01, **settings}
    made = AlphaZeroLearner(heap_game.made(), Settings(episodes=3000, **given))
    made.use("cpu", 1)
    assert isinstance(made.head, ScoresHead)
    made.learn(3000)
    player = made.agent()
    for heap in range(1, 13):
        position = sw.Position(made.game, np.array([heap % 3, heap]))
        assert player.choose(position) in best(position)


def best(position: sw.Position) -> list[str]:
    """Moves after which the mover gets the most where everybody plays so."""
    worths = {turn.text: worth(turn.end)[position.mover] for turn in position.turns()}
    return [move for move, found in worths.items() if found == max(worths.values())]


def worth(position: sw.Position) -> tuple[float, ...]:
    return position.scores or max((worth(turn.end) for turn in position.turns()), key=lambda each: each[position.mover])


def test_the_value_is_learned_as_a_share_of_the_best_score_with_squared_errors() -> None:
    head = head_of(sw.game("backgammon:scoring=full"), chances=False)
    said, wanted = torch.tensor([[0.0], [0.5], [-2.0]]), torch.tensor([[3.0], [-1.5], [0.0]])
    errors = [(np.tanh(0.0) - 1) ** 2, (np.tanh(0.5) + 0.5) ** 2, np.tanh(-2.0) ** 2]
    assert float(head.loss(said, wanted)) == pytest.approx(np.mean(errors), abs=1e-6)


def test_mixed_precision_learns_too_and_resumes_bit_for_bit() -> None:
    whole, first = (learner(precision="bfloat16", decay=0.0) for _ in range(2))
    untrained = learner().weights()
    whole.learn(60)
    first.learn(30)
    second = learner(precision="bfloat16", decay=0.0)
    second.restore(first.arrays())
    second.learn(30)
    assert equal(whole.arrays(), second.arrays())
    assert not equal(whole.weights(), untrained)
    assert {str(array.dtype) for array in whole.weights().values()} == {"float32"}
    assert 0 < whole.loss < 3


def test_who_explodes_before_the_first_checkpoint_is_told_that_there_is_none(spielwerk: Run) -> None:
    wild = ("rate=1", "rate_end=1", "mean=0", "blocks=8", "filters=64", "passes=8", "boards=16", "minibatch=16")
    told = ("episodes=3000", "--games", "4", "--decisions", "5", "--name", "wild", "--save-every", "600")
    code, _, error = spielwerk("train", "alphazero", "einstein:board=3", *wild, *told)
    assert code == 2
    assert "there is no checkpoint yet. Take a smaller rate than 1." in " ".join(error.split())
    assert not runs.open_run("wild").checkpoint_file(1).exists()


def test_trees_that_no_memory_holds_are_refused_before_there_is_a_run(spielwerk: Run) -> None:
    code, _, error = spielwerk("train", "alphazero", "nim", "boards=10000000", "simulations=1000000", "--name", "huge")
    assert code == 2
    assert "of memory" in error
    assert not runs.home().joinpath("huge").exists()
