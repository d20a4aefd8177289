"""TD learning: weight by weight what textbooks say, the same however it is cut into parts, and perfect at nim."""

from __future__ import annotations

import dataclasses
import math
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spielwerk as sw
from spielwerk import names
from spielwerk.learn.td import choice
from spielwerk.learn.td.learner import TdLearner
from spielwerk.learn.td.settings import Settings
from spielwerk.solvers.oracle import oracle, truth_after
from td_reference import Reference

TUPLES = {  # a few, so that plain Python takes no time
    "nim:stacks=1-2-2": "",
    "einstein:board=3": "a3-b3-a2-b2 c3-c2 b2-c1 own_stones-other_stones",
    "einstein:board=4,players=4": "a4-b4-a3-b3 b2-c2-b3-c3 own_stones-next_stones",
    "einstein:board=6,players=3": "a6-b6-a5-b5 c3-c4-d3-d4 own_stones-next_stones",
    "morris:rules=six,turns=40": "a5-c5-e5 a5-a3-a1 own_mills-other_hand",  # closing a mill takes two actions
}
TWO, FOUR = "einstein:board=3", "einstein:board=4,players=4"
OWNERS = {"coding": "owner"}


def chosen(name: str, episodes: int, **settings: Any) -> Settings:
    """Settings for a small network, which explores and learns fast."""
    usual = {"alpha": 1.0, "alpha_end": 0.3, "epsilon": 0.4, "epsilon_end": 0.1, "tuples": TUPLES[name]}
    owners = OWNERS if name.startswith("einstein") else {}
    return Settings(**{**usual, **owners, "episodes": episodes, **settings})


def trained(name: str, episodes: int, seed: int = 1, target: str = "python", **settings: Any) -> TdLearner:
    """A learner at the end of its training."""
    learner = TdLearner(sw.game(name, target=target), chosen(name, episodes, **settings), seed)
    learner.learn(episodes)
    return learner


def assert_as_textbooks_say(name: str, episodes: int, target: str = "python", **settings: Any) -> None:
    """The learner's weights are those of the reference, and so is all that was drawn."""
    learner = trained(name, episodes, target=target, **settings)
    reference = Reference(learner.game, learner.settings)
    reference.learn(episodes)
    assert learner.rng == reference.rng
    assert np.count_nonzero(reference.weights) > 10
    np.testing.assert_allclose(learner.network.weights, reference.weights, rtol=0, atol=1e-5)


@pytest.mark.parametrize(
    ("lam", "traces"), [(0.0, "accumulating"), *product((0.5, 1.0), ("accumulating", "replacing"))]
)
@pytest.mark.parametrize(("name", "episodes"), [("nim:stacks=1-2-2", 60), (TWO, 30), (FOUR, 12)])
def test_every_weight_is_learned_as_textbooks_say(name: str, episodes: int, lam: float, traces: str) -> None:
    assert_as_textbooks_say(name, episodes, lam=lam, traces=traces)


@pytest.mark.parametrize(
    "settings",
    [
        {"random_moves_teach": True, "gamma": 0.9},
        {"weights": "each", "symmetry": False},
        {"optimism": 0.5, "alpha_shape": "linear", "epsilon_shape": "geometric"},
        {"alpha": 0.0, "alpha_end": 1.0, "alpha_shape": "linear", "epsilon": 0.0, "epsilon_end": 1.0},
    ],
)
@pytest.mark.parametrize("name", [TWO, FOUR])
def test_all_other_settings_do_what_textbooks_say(name: str, settings: dict[str, Any]) -> None:
    assert_as_textbooks_say(name, 15, **{"lam": 0.5, **settings})


@pytest.mark.parametrize("name", ["einstein:board=6,players=3", "morris:rules=six,turns=40"])
def test_passes_and_turns_of_several_actions_are_learned_as_textbooks_say(name: str) -> None:
    assert_as_textbooks_say(name, 3, lam=1.0, optimism=0.3)


@pytest.mark.parametrize("how", [{"lam": 0.0}, {"lam": 0.5}, {"lam": 0.5, "traces": "replacing"}])
@pytest.mark.parametrize("coherence", ["linear", "exponential"])
@pytest.mark.parametrize("name", [TWO, FOUR])
def test_temporal_coherence_scales_each_step_by_how_far_changes_agreed(
    name: str, coherence: str, how: dict[str, Any]
) -> None:
    assert_as_textbooks_say(name, 20, coherence=coherence, **how)


def test_compiled_learning_is_what_textbooks_say_too() -> None:
    assert_as_textbooks_say(TWO, 300, target="cpu", lam=0.8, traces="replacing")


@pytest.mark.parametrize("name", [TWO, FOUR])
def test_with_lambda_one_every_afterstate_moves_towards_the_score_of_its_game(name: str) -> None:
    alpha, never = 1e-3, {"epsilon": 0.0, "epsilon_end": 0.0}
    settings = chosen(name, 1, lam=1.0, alpha=alpha, alpha_end=alpha, **never)
    learner = TdLearner(sw.game(name, target="python"), settings)
    watched = Reference(learner.game, dataclasses.replace(settings, alpha=0.0, alpha_end=0.0))
    before = np.random.default_rng(2).normal(0, 0.1, learner.network.size).astype(np.float32)
    learner.network.weights[:] = watched.weights[:] = before
    learner.learn(1)
    watched.learn(1)
    expected = np.zeros(len(before))
    for player, indices in watched.visits:
        value = watched.value(indices)
        np.add.at(expected, indices, (watched.targets[player] - value) * (1 - value**2) / len(indices))
    changes = (learner.network.weights - before) / alpha
    assert set(watched.targets.values()) == {-1.0, 1.0}
    np.testing.assert_allclose(changes, expected, rtol=0, atol=2e-3)
    assert np.abs(expected).max() > 0.1


KINDS = [
    {"lam": 0.0},
    {"lam": 1.0},
    {"lam": 0.9, "traces": "replacing", "coherence": "linear"},
    {"buffer": 20, "batch": 5, "selector": "prioritised"},
]


def copied(learner: TdLearner) -> dict[str, np.ndarray]:
    """What the learner would save."""
    return {name: array.copy() for name, array in learner.arrays().items()}


def assert_same(one: TdLearner, other: TdLearner) -> None:
    """Equal, bit for bit."""
    assert one.episode == other.episode
    for name, array in one.arrays().items():
        assert array.tobytes() == other.arrays()[name].tobytes(), name


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["nim:stacks=1-2-2", TWO])
def test_learning_in_parts_or_after_a_restore_equals_learning_at_once(name: str, kind: dict[str, Any]) -> None:
    whole = trained(name, 24, **kind)
    parts = TdLearner(whole.game, whole.settings)
    parts.learn(9)
    saved = copied(parts)
    parts.learn(15)
    assert_same(whole, parts)
    restored = trained(name, 24, seed=2, **kind)  # has been elsewhere, which must leave nothing behind
    restored.restore(saved)
    assert restored.episode == 9
    restored.learn(15)
    assert_same(whole, restored)


def test_another_seed_learns_something_else() -> None:
    one, same, other = (trained(TWO, 20, seed=seed) for seed in (1, 1, 2))
    assert_same(one, same)
    assert one.network.weights.tobytes() != other.network.weights.tobytes()


def test_traces_do_not_reach_into_the_game_before() -> None:
    settings = chosen(TWO, 2, lam=1.0, alpha=0.5, alpha_end=0.5)
    both, second = (TdLearner(sw.game(TWO, target="python"), settings) for _ in range(2))
    both.learn(1)
    between = copied(both)
    second.restore(between)
    for learner in (both, second):
        learner.learn(1)
    assert_same(both, second)
    watched = Reference(both.game, settings)
    watched.learn(2)
    met = {index for _, indices in watched.visits for index in indices}  # in the second game
    changed = np.flatnonzero(both.network.weights != between["weights"])
    assert len(changed) > 0
    assert set(changed.tolist()) <= met


@pytest.mark.parametrize(
    "other",
    [{"weights": "each"}, {"coherence": "linear"}, {"tuples": "a3-b3"}, {"coding": "stones"}],
)
def test_a_checkpoint_of_other_settings_is_refused_and_changes_nothing(other: dict[str, Any]) -> None:
    learner = trained(TWO, 3)
    before = copied(learner)
    with pytest.raises(sw.BadInput, match=r"^The checkpoint does not fit td of einstein:board=3: .*\.$"):
        learner.restore(trained(TWO, 3, **other).arrays())
    for name, array in learner.arrays().items():
        assert array.tobytes() == before[name].tobytes()


def test_each_player_trains_its_own_weights_or_all_train_the_same() -> None:
    each, shared = (trained(TWO, 20, weights=weights).network for weights in ("each", "shared"))
    assert each.size == 2 * shared.size
    own = each.weights.reshape(2, -1)
    assert all(np.count_nonzero(weights) for weights in own)
    assert (own[0] != own[1]).any()


def test_nim_is_played_perfectly_in_every_position(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPIELWERK_HOME", str(tmp_path))
    game = sw.game("nim:stacks=1-3-5-7")
    settings = Settings(episodes=20_000, alpha=1.0, alpha_end=0.1, epsilon=0.5, epsilon_end=0.1)
    learner = TdLearner(game, settings, seed=1)
    learner.learn(settings.episodes)
    agent, truths, wrong = learner.agent(), oracle(game), []
    for stacks in product(range(2), range(4), range(6), range(8)):
        position = game.parse(f"{'-'.join(map(str, stacks))} A")
        if position.over:
            continue
        values = {turn.text: found.value for turn in position.turns() if (found := truth_after(truths, turn.end, 0))}
        if values[str(agent.choose(position))] < max(values.values()):
            wrong.append(str(position))
    assert wrong == []


FIELDS = {field.name: field for field in dataclasses.fields(Settings)}
LIMITED = [name for name, field in FIELDS.items() if field.metadata.get("least") is not None]
CHOICES = [name for name, field in FIELDS.items() if "choices" in field.metadata]


@pytest.mark.parametrize("name", LIMITED)
def test_a_number_outside_its_range_is_refused_in_one_sentence(name: str) -> None:
    least, most = FIELDS[name].metadata["least"], FIELDS[name].metadata["most"]
    beyond = [least - 1, "nonsense", *([most + 1] if most is not None else [])]
    beyond += [math.nan, math.inf] if isinstance(FIELDS[name].default, float) else [0.5]
    for value in beyond:
        with pytest.raises(sw.BadInput, match=rf"^td: {name} must be [^\n]*\.$"):
            names.settings(Settings, "td", {name: value})


@pytest.mark.parametrize("name", CHOICES)
def test_an_unknown_choice_is_refused_with_the_possible_ones(name: str) -> None:
    with pytest.raises(sw.BadInput, match=rf"^td: {name} (cannot|must) be [^\n]*\.$"):
        names.settings(Settings, "td", {name: "nonsense"})


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"alpha": 0.5, "alpha_end": 0}, "alpha cannot go from 0.5 to 0.0 geometrically; take linear"),
        (
            {"epsilon": 0, "epsilon_end": 0.1, "epsilon_shape": "geometric"},
            "epsilon cannot go from 0.0 to 0.1 geometrically",
        ),
        ({"buffer": 100, "lam": 0.5}, "lam must be 0 with a buffer"),
        ({"buffer": 10, "batch": 11}, "a batch of 11 is larger than the buffer of 10"),
        ({"traces": "replacing"}, "traces has no effect without lam"),
        ({"batch": 5}, "batch has no effect without a buffer"),
        ({"replay_every": "transition"}, "replay_every has no effect without a buffer"),
        ({"pusher": "decisive"}, "pusher has no effect without a buffer"),
        ({"selector": "prioritised"}, "selector has no effect without a buffer"),
        ({"buffer": 100, "priority": 0.5}, "priority has no effect without selector=prioritised"),
        ({"buffer": 100, "correction": 0.5}, "correction has no effect without selector=prioritised"),
        ({"freeze_games": 20}, "freeze_games has no effect without freeze"),
        ({"count": 3}, "count has no effect without tuples=walk or tuples=points"),
        ({"tuples": "a1-a2", "length": 3}, "length has no effect without tuples=walk or tuples=points"),
        ({"lambda": 0.5}, 'td has no setting "lambda"'),
    ],
)
def test_settings_that_do_not_go_together_are_refused(values: dict[str, Any], reason: str) -> None:
    with pytest.raises(sw.BadInput, match=reason):
        names.settings(Settings, "td", values)


def test_what_takes_too_much_memory_says_its_size() -> None:
    many = Settings(memory=0.001, tuples="points", count=1000, buffer=10**8)
    with pytest.raises(
        sw.BadInput, match=r"^td: a buffer of 100,000,000 transitions takes 1\d,\d{3}\.\d GB of memory, more"
    ):
        TdLearner(sw.game("othello", target="python"), many)
    endless = sw.game("morris:quiet=0,turns=1000000", target="python")
    with pytest.raises(sw.BadInput, match=r"^td: lam=1 needs 0\.7 GB for the last 1,000,013 positions of a player; "):
        TdLearner(endless, Settings(memory=0.001, lam=1.0))
    TdLearner(endless, Settings(memory=0.001, lam=0.9))


def test_of_equal_moves_each_is_drawn_as_often_whatever_stands_between_them() -> None:
    game = sw.game("nim:stacks=4")
    learner = TdLearner(game, Settings(), seed=1)
    learner.network.weights[:] = [0.0, 0.0, -1.0, 0.0, 0.0]  # by the matches that are left: taking two is worse
    kernel = game.kernel(choice.choose, **learner.network.bindings, **choice.BINDINGS)
    policy = choice.policy_of(game, learner.network)
    drawn = [int(kernel(game.start().state, learner.rng, True, policy)) for _ in range(4000)]
    takes_one, takes_three = (game.start().spelled(move)[0] for move in ("1:1", "1:3"))
    assert set(drawn) == {takes_one, takes_three}
    assert abs(drawn.count(takes_one) - 2000) < 3 * 1000**0.5
