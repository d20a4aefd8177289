"""Evolution as a learner: the same however it is cut into parts, clear about what it refuses, and good at nim."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import spielwerk as sw
from spielwerk import names
from spielwerk.learn.evolution.genome.genome import Genome
from spielwerk.learn.evolution.history.archive import MOST, Archive
from spielwerk.learn.evolution.history.history import COLUMNS
from spielwerk.learn.evolution.learner import EvolutionLearner
from spielwerk.learn.evolution.settings import Settings
from spielwerk.names import BadInput

Arrays = dict[str, np.ndarray]
SMALL: dict[str, Any] = {"generations": 20, "population": 20, "champion_games": 5}
KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "plain": ("nim:stacks=8", {"output": "onehot"}),
    "everything": (
        "nim:stacks=8,sizes=random",
        {"output": "direct", "hall": 4, "crossover": 0.5, "species": 0.5, "mutations_max": 4, "split": "off"}
        | {"remove_edge": 0.5, "remove_node": 0.5, "switch_edge": 1.0, "set_activation": 1.0, "activations": "elu sin"},
    ),
    "grade": (
        "nim:stacks=3-4-5",
        {"fitness": "grade", "crossover": 0.2, "mutations_max": 3, "rarity": True, "patience": 3},
    ),
    "dice": ("einstein:board=3", {"decisions": 50, "species": 1.0, "mutations_max": 3}),
}


def learner_of(kind: str, seed: int = 1, **more: Any) -> EvolutionLearner:
    """A learner that has learned nothing yet."""
    game, settings = KINDS[kind]
    return EvolutionLearner(sw.game(game), Settings(**{**SMALL, **settings, **more}), seed)


def assert_equal(one: EvolutionLearner, other: EvolutionLearner) -> None:
    """Two learners are in the same state, number by number."""
    mine, others = one.arrays(), other.arrays()
    assert mine.keys() == others.keys()
    for name, array in mine.items():
        np.testing.assert_array_equal(array, others[name], name)


@pytest.mark.parametrize("kind", KINDS)
def test_a_resumed_training_equals_an_uninterrupted_one(kind: str) -> None:
    whole, parts, resumed = learner_of(kind), learner_of(kind), learner_of(kind)
    whole.learn(10)
    parts.learn(5)
    resumed.restore({name: array.copy() for name, array in parts.arrays().items()})
    assert_equal(resumed, parts)
    for learner in (parts, resumed):
        learner.learn(5)
        assert_equal(learner, whole)
        assert learner.figures() == whole.figures()
    assert len(set(whole.history.column("best_fitness")[:10].tolist())) > 2


@pytest.mark.parametrize("kind", ["plain", "grade"])
def test_what_is_learned_does_not_depend_on_threads(kind: str) -> None:
    one, more = (learner_of(kind, population=60) for _ in range(2))
    more.threads = 3
    one.learn(6)
    more.learn(6)
    assert_equal(one, more)


def test_another_seed_evolves_other_networks() -> None:
    one, other = learner_of("plain", 1), learner_of("plain", 2)
    one.learn(2)
    other.learn(2)
    assert one.champion().weights.tolist() != other.champion().weights.tolist()


@pytest.mark.parametrize("kind", ["plain", "everything", "grade"])
def test_guarded_python_evolves_the_same_networks(kind: str) -> None:
    game, settings = KINDS[kind]
    chosen = Settings(**{**SMALL, "population": 6, "champion_games": 2, **settings})
    compiled, plain = (EvolutionLearner(sw.game(game, target=target), chosen) for target in ("cpu", "python"))
    compiled.learn(4)
    plain.learn(4)
    assert_equal(compiled, plain)


def test_what_is_recorded_of_a_generation() -> None:
    learner = learner_of("everything")
    assert learner.figures() == {}
    learner.learn(12)
    history, last = learner.history, learner.figures()
    assert history.columns == tuple(COLUMNS)
    assert np.isnan(history.column("wins")[0])
    assert not np.isnan(history.rows[1:12]).any()
    assert np.isnan(history.rows[12:]).all()
    shares = history.rows[
        1:12, [history.columns.index(name) for name in ("best_fitness", "wins", "grade", "positions")]
    ]
    assert ((shares >= 0) & (shares <= 1)).all()
    assert (history.column("best_fitness")[:12] >= history.column("mean_fitness")[:12]).all()
    assert last["champion_hidden"] == learner.champion().hidden
    assert last["champion_edges"] == learner.champion().edges[:, 3].sum()
    sizes = learner.champion().layer_sizes
    assert history.layer_sizes[11].tolist() == [*sizes, *[0] * (32 - len(sizes))]  # 30 hidden nodes are possible
    assert history.against[0].tolist() == [-1, -1]
    assert history.against[1:12, 0].tolist() == [*range(11)]
    assert all(0 <= earlier < at for at, earlier in enumerate(history.against[1:12, 1].tolist(), 1))


def test_fitness_is_a_share_of_points_that_sum_up() -> None:
    learner = learner_of("plain")
    learner.learn(5)
    np.testing.assert_allclose(
        learner.history.column("mean_fitness")[:5], 0.5
    )  # without guests somebody wins each game


def test_the_archive_keeps_champions_evenly_spread() -> None:
    archive, champion, kept = Archive(), learner_of("plain").champion(), [0]
    for generation in range(3000):
        archive.add(generation, champion)
        kept = list(archive.champions)
        assert kept == [*range(0, generation + 1, archive.stride)]
        assert MOST // 2 <= len(kept) < MOST or generation < MOST - 1
    chosen = archive.spread(10)
    assert len(chosen) == 10
    assert (chosen[0], chosen[-1]) == (0, kept[-1])
    assert np.ptp(np.diff(chosen)) <= archive.stride
    assert archive.spread(1000) == kept
    assert Archive().spread(5) == []


def broken(name: str, change: Callable[[np.ndarray], None]) -> Callable[[Arrays], Arrays]:
    """Changes one array in place."""

    def damage(arrays: Arrays) -> Arrays:
        array = arrays[name].copy()
        change(array)
        return {**arrays, name: array}

    return damage


def put(index: Any, value: Any) -> Callable[[np.ndarray], None]:
    """Writes a value into an array."""
    return lambda array: array.__setitem__(index, value)


DAMAGES: dict[str, Callable[[Arrays], Arrays]] = {
    "NaN weight": broken("population_weights", put(3, np.nan)),
    "infinite bias": broken("champion_biases", put(-1, np.inf)),
    "dangling edge": broken("population_edges", put((0, 2), 1000)),
    "cycle": broken("archive_edges", lambda edges: edges.__setitem__((slice(None), [1, 2]), edges[:, [2, 1]])),
    "unknown activation": broken("population_nodes", put((1, 2), 77)),
    "fewer genomes": lambda arrays: {**arrays, **{k: arrays[k][:-1] for k in arrays if k == "population_sizes"}},
    "no population": lambda arrays: {name: arrays[name] for name in arrays if not name.startswith("population")},
    "no stream": lambda arrays: {name: arrays[name] for name in arrays if name != "rng"},
    "stream of two words": lambda arrays: {**arrays, "rng": np.zeros(2, np.uint64)},
    "history cut off": lambda arrays: {**arrays, "history_rows": arrays["history_rows"][:-1]},
    "beyond the end": broken("episode", put(0, 1000)),
    "before the beginning": broken("episode", put(0, -1)),
    "negative sizes": broken("population_sizes", put((0, 0), -1)),
    "sizes moved": broken(
        "population_sizes", lambda sizes: sizes.__setitem__((slice(0, 2), 1), sizes[:2, 1] + (1, -1))
    ),
    "dead stream": broken("rng", put(0, 0)),
    "half a generation": lambda arrays: {**arrays, "episode": np.array([2.5])},
    "endless": lambda arrays: {**arrays, "episode": np.array([np.inf])},
    "no champions": lambda arrays: {
        **arrays,
        **{name: arrays[name][:0] for name in arrays if name.startswith("archive")},
    },
    "models without species": lambda arrays: {
        **arrays,
        **{name.replace("population", "models"): arrays[name] for name in arrays if name.startswith("population")},
    },
    "peak in the future": broken("peak", put(3, 50)),
    "stride 0": broken("stride", put(0, 0)),
    "generations twice": broken("archive_generations", put(slice(None), 0)),
    "negative generations": broken("archive_generations", put(slice(None), -5)),
    "generations not whole": lambda arrays: {**arrays, "archive_generations": arrays["archive_generations"] + 0.5},
}


def test_nothing_of_what_a_learner_did_before_remains_when_it_goes_back() -> None:
    early, late = learner_of("plain"), learner_of("plain", seed=2)
    early.learn(2)
    late.learn(9)
    late.restore(early.arrays())
    early.learn(5)
    late.seed = early.seed  # the streams of games are named by it
    late._recorder.seed = early.seed
    late.learn(5)
    assert_equal(late, early)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_checkpoint_is_refused_in_one_sentence(damage: str) -> None:
    learner, other = learner_of("plain"), learner_of("plain")
    learner.learn(3)
    other.learn(2)
    before = {name: array.copy() for name, array in other.arrays().items()}
    with pytest.raises(BadInput) as refused:
        other.restore(DAMAGES[damage](learner.arrays()))
    assert_one_sentence(str(refused.value))
    after = other.arrays()
    assert before.keys() == after.keys()
    assert all(np.array_equal(before[name], after[name], equal_nan=before[name].dtype == float) for name in before)


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("nim:stacks=8", {"output": "direct"}),
        ("nim:stacks=3-4-5", {"output": "onehot"}),
        ("nim:stacks=8", {"output": "onehot", "population": 22}),
        ("nim:stacks=8", {"output": "onehot", "most_edges": 9, "most_hidden": 0}),
    ],
)
def test_a_checkpoint_of_another_training_is_refused(game: str, settings: dict[str, Any]) -> None:
    learner = learner_of("plain", add_node=5.0, mutations_max=9, mutations_min=9)
    learner.learn(3)
    other = EvolutionLearner(sw.game(game), Settings(**{**SMALL, **settings}))
    with pytest.raises(BadInput) as refused:
        other.restore(learner.arrays())
    assert_one_sentence(str(refused.value))


def assert_one_sentence(text: str) -> None:
    """Such as a person reads gladly."""
    assert text.endswith(".")
    assert text[0].isupper()
    assert "\n" not in text
    assert ". " not in text


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"best": 0.5, "old": 0.5, "new": 0.1}, "the shares best, old and new sum to more than 1: 0.5 + 0.5 + 0.1."),
        ({"opponents": 51}, "opponents=51 need a population of 102 or more, not of 100"),
        ({"population": 10, "opponents": 6}, "opponents=6 need a population of 12 or more, not of 10"),
        ({"exponent": -0.5}, "exponent must be 0 to 1000, not -0.5."),
        ({"mutations_min": 3, "mutations_max": 2}, "mutations_min=3 is more than mutations_max=2."),
        ({"activations": "elu softmax"}, 'there is no activation "softmax"'),
        ({"activations": ""}, "activations cannot be"),
        ({"activations": "elu elu"}, "activations cannot be"),
        ({"hidden": 31}, "hidden=31 is more than most_hidden=30."),
        ({"set_activation": 1.0}, "set_activation has no effect without two activations."),
        ({"fitness": "grade", "hall": 3}, "hall has no effect without fitness=wins."),
        ({"weight_distance": 1.0}, "weight_distance has no effect without species."),
        (
            {"illegal": "safe"},
            "illegal has no effect without an output that means a move, such as nim's output=direct.",
        ),
        ({"population": 1}, "population must be 2 to 100000, not 1."),
    ],
)
def test_settings_that_mean_nothing_are_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput) as refused:
        names.settings(Settings, "evolution", settings)
    assert str(refused.value).startswith("evolution")
    assert words in str(refused.value)


def test_all_mutations_off_is_refused_unless_nothing_mutates() -> None:
    off = dict.fromkeys(("set_weight", "shift_weight", "set_bias", "shift_bias", "add_edge", "add_node"), 0.0)
    with pytest.raises(BadInput, match="all mutations have weight 0"):
        Settings(**off)
    assert Settings(**off, mutations_max=0).mutations_max == 0


@pytest.mark.parametrize(
    ("game", "settings", "words"),
    [
        (
            "einstein:board=3",
            {"output": "direct"},
            'einstein has no output "direct". Outputs: afterstate.',
        ),
        ("othello", {"output": "onehot"}, 'othello has no output "onehot". Outputs: afterstate.'),
        ("othello", {"fitness": "grade"}, "fitness=grade needs perfect play, which is not known for othello."),
        ("nim", {"output": "onehot", "most_edges": 43}, "most_edges=43 is less than the 44 of a new genome."),
    ],
)
def test_settings_that_do_not_fit_a_game_are_refused(game: str, settings: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput) as refused:
        EvolutionLearner(sw.game(game), Settings(**settings))
    assert str(refused.value) == f"evolution: {words}"


@pytest.mark.parametrize("seed", range(1, 6))
def test_a_stack_of_two_is_solved_at_once(seed: int) -> None:
    learner = EvolutionLearner(sw.game("nim:stacks=2"), source(generations=2), seed)
    learner.learn(2)
    assert learner.history.column("grade")[1] == 1.0
    assert learner.figures()["positions"] == 1.0


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_stack_of_eight_is_solved(seed: int) -> None:
    shares = {"best": 0.15, "old": 0.15, "new": 0.15, "exponent": 2.0}
    learner = EvolutionLearner(sw.game("nim:stacks=8"), source(generations=200, **shares), seed)
    learner.threads = 2
    while learner.episode < 200 and not learner.figures().get("grade") == 1.0:
        learner.learn(1)
    assert learner.figures()["grade"] == 1.0
    won = sw.game("nim:stacks=8").start().play(learner.agent().choose(sw.game("nim:stacks=8").start()))
    assert won.words == (1, 1)  # the other one has to take the last match


def source(**settings: Any) -> Settings:
    """The published configuration: one-hot output, strict, six mutations, no shares."""
    plain = {"output": "onehot", "exponent": 1.0, "best": 0.0, "old": 0.0, "new": 0.0, "champion_games": 10}
    return Settings(**{**plain, **settings})


def test_the_champion_is_a_copy() -> None:
    learner = learner_of("plain")
    learner.learn(1)
    champion: Genome = learner.champion()
    before = champion.weights.copy()
    learner.learn(1)
    np.testing.assert_array_equal(champion.weights, before)


def test_the_best_may_come_from_champions_of_all_generations() -> None:
    learner = learner_of("plain", best_from="champions", best=0.25)
    learner.learn(12)
    champions = list(learner.archive.champions.values())
    assert len(champions) == 12
    kept = [learner.population.genome(row) for row in range(5)]
    for genome, at in zip(kept, (0, 3, 6, 8, 11), strict=True):  # evenly spread over the twelve
        np.testing.assert_array_equal(genome.weights, champions[at].weights)
        np.testing.assert_array_equal(genome.edges, champions[at].edges)


def test_as_long_as_there_are_few_champions_the_best_of_the_generation_fill_up() -> None:
    usual, returned = (learner_of("plain", best=0.25, best_from=source) for source in ("generation", "champions"))
    for learner in (usual, returned):
        learner.learn(1)
    for row in range(20):  # the only champion so far is the best of the only generation
        one, other = (learner.population.genome(row) for learner in (usual, returned))
        np.testing.assert_array_equal(one.weights, other.weights)


def test_where_nothing_is_kept_it_can_come_from_nowhere() -> None:
    with pytest.raises(BadInput, match="best_from has no effect without a share of the best"):
        Settings(best=0.0, best_from="champions")


def test_a_history_from_before_points_were_recorded_is_still_read() -> None:
    learner, older = learner_of("plain"), learner_of("plain")
    learner.learn(4)
    kept = dict(learner.arrays())
    kept["history_rows"] = kept["history_rows"][:, :13]
    older.restore(kept)
    np.testing.assert_array_equal(older.history.rows[:, :13], learner.history.rows[:, :13])
    assert np.isnan(older.history.column("points")).all()
    older.learn(1)
    assert not np.isnan(older.history.column("points")[4])
