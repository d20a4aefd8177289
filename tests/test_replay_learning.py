"""Experience replay: what is kept, what is picked and what is learned from it, against a plain computation."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import spielwerk as sw
from spielwerk.kernel.random import below, stream
from spielwerk.learn.td import replay
from spielwerk.learn.td.buffers import SELECTORS, buffer
from spielwerk.learn.td.learner import TdLearner
from spielwerk.learn.td.settings import Settings
from td_reference import Reference
from test_td import FOUR, TWO, chosen, trained

NIM = "nim:stacks=1-2-2"
FINE = 1 << 30  # how finely priorities are drawn
CAPACITY, BATCH = 13, 4


@dataclass(frozen=True)
class Transition:
    """From one afterstate of a player to its next one, or to the end of the game."""

    before: list[int]
    after: list[int] | None
    score: float


class Replaying(Reference):
    """Keeps transitions in a list, and learns some of them again, from the same random stream as the learner."""

    def __init__(self, game: sw.Game, settings: Settings) -> None:
        super().__init__(game, settings)
        self.kept: list[Transition] = []
        self.unkept = 0
        self.priorities: dict[int, float] = {}  # by slot
        self.after: list[int] | None = None

    def stored(self) -> list[Transition]:
        """The newest ones, each in its slot: when all are taken, the one of the oldest is used again."""
        first = max(0, len(self.kept) - self.settings.buffer)
        newest = range(first, len(self.kept))
        return [self.kept[i] for i in sorted(newest, key=lambda i: i % self.settings.buffer)]

    def play(self, epsilon: int) -> None:
        """One game, and perhaps a batch after it."""
        super().play(epsilon)
        if self.settings.replay_every == "episode":
            self.learn_batch()

    def come_to(self, indices: list[int], me: int, random: bool) -> None:
        """The transition ends there."""
        self.after = indices
        super().come_to(indices, me, random)
        self.after = None

    def step(self, player: int, target: float) -> None:
        """Instead of learning at once."""
        before = self.last[player]
        if self.settings.pusher == "all" or self.after is None or abs(target - self.value(before)) > 0.1:
            self.priorities[len(self.kept) % self.settings.buffer] = self.priority(2.0)
            self.kept.append(Transition(before, self.after, target if self.after is None else 0.0))
        else:
            self.unkept += 1
        if self.settings.replay_every == "transition":
            self.learn_batch()

    def priority(self, error: float) -> float:
        """What is not wrong at all has a little, too."""
        return (abs(error) + 0.01) ** self.settings.priority

    def learn_batch(self) -> None:
        """Picks first, then learns one after the other."""
        stored = self.stored()
        if len(stored) < self.settings.batch:
            return
        slots, worths = self.by_priority() if self.settings.selector == "prioritised" else self.any_of(len(stored))
        for slot, worth in zip(slots, worths, strict=True):
            one = stored[slot]
            target = one.score if one.after is None else self.settings.gamma * self.value(one.after)
            value = self.value(one.before)
            slope = 1 - value**2
            self.move({index: times * slope * worth for index, times in Counter(one.before).items()}, target - value)
            self.priorities[slot] = self.priority(target - value)

    def any_of(self, stored: int) -> tuple[list[int], list[float]]:
        """Each with the same probability and weight."""
        return [int(below(self.rng, stored)) for _ in range(self.settings.batch)], [1.0] * self.settings.batch

    def by_priority(self) -> tuple[list[int], list[float]]:
        """P(i) = pᵢ / Σ p, weighed by (N · P(i))^-β, as a share of the largest in the batch."""
        shares = np.array([self.priorities[slot] for slot in range(len(self.priorities))])
        shares /= shares.sum()
        drawn = [below(self.rng, FINE) / FINE for _ in range(self.settings.batch)]
        slots = np.searchsorted(np.cumsum(shares), drawn, side="right")
        worths = (len(shares) * shares[slots]) ** -self.settings.correction
        return slots.tolist(), (worths / worths.max()).tolist()


def both(name: str, episodes: int, target: str = "python", **settings: Any) -> tuple[TdLearner, Replaying]:
    """A learner and the plain computation, after the same episodes."""
    replayed = {"buffer": CAPACITY, "batch": BATCH, **settings}
    learner = trained(name, episodes, target=target, **replayed)
    reference = Replaying(learner.game, learner.settings)
    reference.learn(episodes)
    return learner, reference


def assert_alike(learner: TdLearner, reference: Replaying) -> None:
    """The same transitions in the same slots, the same draws, and the same weights."""
    assert learner.rng == reference.rng
    stored, kept = reference.stored(), learner.buffer
    assert kept["numbers"][: replay.STORED + 1].tolist() == [len(reference.kept), len(stored)]
    assert kept["before"][: len(stored)].tolist() == [one.before for one in stored]
    for slot, one in enumerate(stored):
        assert kept["facts"][slot].tolist() == [one.after is not None, one.score]
        assert one.after is None or kept["after"][slot].tolist() == one.after
    assert np.count_nonzero(reference.weights) > 5
    np.testing.assert_allclose(learner.network.weights, reference.weights, rtol=0, atol=1e-5)


HOW = [
    {"replay_every": "episode"},
    {"replay_every": "transition", "gamma": 0.9, "random_moves_teach": True},
    {"replay_every": "transition", "pusher": "decisive"},
    {"replay_every": "transition", "selector": "prioritised"},
    {"selector": "prioritised", "priority": 1.0, "correction": 1.0, "pusher": "decisive"},
    {"replay_every": "transition", "selector": "prioritised", "coherence": "linear", "correction": 0.7},
]


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize(("name", "episodes"), [(NIM, 40), (TWO, 30), (FOUR, 10)])
def test_replay_learns_what_a_plain_computation_learns(name: str, episodes: int, how: dict[str, Any]) -> None:
    learner, reference = both(name, episodes, **how)
    assert len(reference.kept) > 2 * CAPACITY  # so that old transitions were overwritten
    assert_alike(learner, reference)


def test_compiled_replay_learns_what_a_plain_computation_learns() -> None:
    assert_alike(*both(TWO, 200, target="cpu", replay_every="transition", selector="prioritised"))


def test_a_full_buffer_has_lost_its_oldest_transitions_and_nothing_else() -> None:
    learner, reference = both(TWO, 30)
    newest = sorted((one.before, one.after is not None, one.score) for one in reference.kept[-CAPACITY:])
    kept = zip(learner.buffer["before"].tolist(), learner.buffer["facts"].tolist(), strict=True)
    assert sorted((before, bool(followed), score) for before, (followed, score) in kept) == newest


def test_a_decisive_pusher_keeps_ends_of_games_and_large_errors_only() -> None:
    _, decisive = both(TWO, 30, pusher="decisive", buffer=500)
    assert decisive.unkept > 0
    assert any(one.after is not None for one in decisive.kept)
    still, watched = both(TWO, 10, pusher="decisive", buffer=500, alpha=1e-9, alpha_end=1e-9)  # all values stay 0
    assert watched.unkept > 0
    assert still.buffer["facts"][: len(watched.kept), replay.FOLLOWED].tolist() == [0.0] * len(watched.kept)


def keep_wins(followed: bool, score: float, error: float) -> bool:
    """A pusher of one's own."""
    return not followed and score > 0


def test_a_pusher_of_ones_own_decides_what_is_kept() -> None:
    learner = TdLearner(sw.game(NIM), Settings(episodes=20, buffer=100, batch=1), seed=1)
    learner.pieces["keep"] = keep_wins
    learner.learn(20)
    count = int(learner.buffer["numbers"][replay.STORED])
    assert 0 < count <= 20
    assert (learner.buffer["facts"][:count] == [0, 1]).all()


@pytest.mark.parametrize("how", [{"replay_every": "episode"}, {"replay_every": "transition"}])
def test_nothing_is_learned_before_there_is_a_batch(how: dict[str, Any]) -> None:
    learner = TdLearner(sw.game(TWO, target="python"), chosen(TWO, 100, buffer=60, batch=50, **how))
    while learner.buffer["numbers"][replay.STORED] < 50:
        assert not learner.network.weights.any()
        assert learner.figures()["error"] == 0
        learner.learn(1)
    assert learner.network.weights.any()


def memory(errors: np.ndarray, capacity: int, draws: int, **settings: Any) -> replay.Memory:
    """A buffer in which each of the first transitions was wrong by so much."""
    made = Settings(buffer=capacity, batch=1, **settings)
    kept = replay.Memory(**buffer(made, 1) | {"picked": np.zeros(draws, np.int64), "worth": np.zeros(draws)})
    kept.numbers[: replay.STORED + 1] = len(errors)
    judged = PLAIN.kernel(SELECTORS[made.selector]["judged"])
    for slot, error in enumerate(errors):
        judged(slot, error, kept)
    return kept


PLAIN = sw.game("nim", target="python")
ERRORS = np.array([0.0, 0.02, -0.1, 0.25, -0.5, 0.7, 1.0, -1.3, 1.6, -2.0, 0.3])


@given(
    st.lists(st.tuples(st.integers(0, 10), st.floats(-2, 2)), max_size=40),
    st.integers(11, 40),
    st.floats(0, 1),
)
def test_the_sum_tree_adds_up_and_finds_what_numpy_finds(
    told: list[tuple[int, float]], capacity: int, priority: float
) -> None:
    errors = ERRORS.copy()
    kept = memory(errors, capacity, 1, selector="prioritised", priority=priority)
    for slot, error in told:
        errors[slot] = error
        PLAIN.kernel(replay.judge_by_error)(slot, error, kept)
    ends = np.cumsum((np.abs(errors) + 0.01) ** priority)
    assert kept.tree[1] == pytest.approx(ends[-1])
    middles = (ends + np.concatenate([[0], ends[:-1]])) / 2
    assert [PLAIN.kernel(replay.found)(mass, kept) for mass in middles] == list(range(len(errors)))
    assert PLAIN.kernel(replay.found)(2 * ends[-1], kept) == len(errors) - 1  # rounding never leads to an empty slot


@pytest.mark.parametrize(
    ("settings", "power"),
    [({}, 0.0), *(({"selector": "prioritised", "priority": power}, power) for power in (0.0, 0.6, 1.0))],
)
def test_each_transition_is_picked_in_proportion_to_its_priority(settings: dict[str, Any], power: float) -> None:
    draws = 30_000
    kept = memory(ERRORS, 20, draws, **settings)
    PLAIN.kernel(SELECTORS[settings.get("selector", "uniform")]["select"])(stream(5, "picks"), kept)
    priorities = (np.abs(ERRORS) + 0.01) ** power
    expected = draws * priorities / priorities.sum()
    seen = np.bincount(kept.picked, minlength=len(ERRORS))
    assert len(seen) == len(ERRORS)  # no empty slot
    freedom = len(ERRORS) - 1
    assert ((seen - expected) ** 2 / expected).sum() < freedom + 4 * (2 * freedom) ** 0.5


@pytest.mark.parametrize("correction", [0.0, 0.4, 1.0])
def test_what_is_picked_more_often_counts_less(correction: float) -> None:
    kept = memory(ERRORS, 20, 2000, selector="prioritised", correction=correction)
    PLAIN.kernel(replay.select_by_priority)(stream(6, "picks"), kept)
    chances = (np.abs(ERRORS) + 0.01) ** 0.6
    chances /= chances.sum()
    counts = (len(ERRORS) * chances[kept.picked]) ** -correction
    np.testing.assert_allclose(kept.worth, counts / counts.max())
    assert kept.worth.max() == 1
    if correction == 1:  # then each transition counts the same over many batches
        shares = kept.worth * chances[kept.picked]
        np.testing.assert_allclose(shares, shares[0])
