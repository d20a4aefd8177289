"""AlphaZero: what is learned from searches, stopped and resumed, exported and played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import spielwerk as sw
from conftest import Run
from marks import slow
from spielwerk.agents.mcts_estimates import MctsByEstimate
from spielwerk.arena.agent import first_decision
from spielwerk.games.rules import CHANCE, OVER
from spielwerk.learn import checkpoint as checkpoints
from spielwerk.learn import shipped
from spielwerk.learn.alphazero.learner import AlphaZeroLearner
from spielwerk.learn.alphazero.lessons import Lessons, before, futures, joined, lessons_of
from spielwerk.learn.alphazero.losses import by_actions, by_ends, dense
from spielwerk.learn.alphazero.networks.network import network_of
from spielwerk.learn.alphazero.selfplay import Moves
from spielwerk.learn.alphazero.settings import Settings
from spielwerk.learn.neural.heads import head_of
from spielwerk.learn.neural.learner import array_of
from spielwerk.names import BadInput
from spielwerk.solvers.othello.solver import empty_cells
from test_estimators import some_positions
from test_td_neural import equal

pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched
NIM, DICE, BACKGAMMON = "nim:stacks=2-3", "einstein:board=3", "backgammon:checkers=3,scoring=full"
THREE = "einstein:board=6,players=3"
SMALL = {"boards": 16, "minibatch": 32, "blocks": 1, "filters": 16, "window": 4, "simulations": 4, "mean": 0.9}


def learner(game: str = DICE, seed: int = 1, **settings: Any) -> AlphaZeroLearner:
    made = AlphaZeroLearner(sw.game(game), Settings(**{"episodes": 200, "rate": 0.01, **SMALL, **settings}), seed)
    made.use("cpu", 1)
    return made


# Learning


def test_equal_seeds_learn_the_same_in_one_call_or_in_several_and_other_seeds_do_not() -> None:
    one, two, other = learner(), learner(), learner(seed=2)
    one.learn(60)
    for part in (1, 19, 40):
        two.learn(part)
    other.learn(60)
    assert one.episode == two.episode == 60
    assert equal(one.arrays(), two.arrays())
    assert not equal(one.weights(), other.weights())


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"gate": 4, "gate_every": 1, "caps": 0.5},
        {"select": "puct", "policy": "afterstates", "reuse": True, "horizon": 3},
        {"game": "othello:size=4", "net": "patterns", "inputs": "tactics"},
    ],
)
def test_a_resumed_learner_equals_one_that_was_never_stopped(settings: dict[str, Any], tmp_path: Path) -> None:
    whole, half, resumed = (learner(**settings) for _ in range(3))
    whole.learn(60)
    half.learn(25)
    checkpoints.write(tmp_path / "one.safetensors", half.arrays(), half.metadata())
    half.learn(5)  # what was written does not change with the learner
    resumed.restore(checkpoints.read(tmp_path / "one.safetensors"))
    resumed.learn(35)
    assert equal(whole.arrays(), resumed.arrays())


@pytest.mark.parametrize(
    "settings",
    [
        {},
        *slow(
            {"select": "puct", "simulations": 32, "noise": 1.0}, {"policy": "afterstates"}, {"caps": 0.5, "lam": 0.5}
        ),
    ],
)
def test_it_learns_to_play_a_small_game_well(settings: dict[str, Any]) -> None:
    given = {"boards": 32, "filters": 32, "simulations": 16, "starts": "random:3", "passes": 4.0, **settings}
    made = learner(NIM, episodes=5000, **given)
    made.learn(5000)
    knows = sw.solve(NIM) and sw.agent("oracle", NIM)
    for position in some_positions(sw.game(NIM), 3):
        if position.mover >= 0 and (best := knows.analyse(position)).value == 1:
            good = [move.move for move in best.moves if move.value == 1]
            assert made.agent().choose(position) in good


def test_exact_values_anchor_what_is_learned() -> None:
    sw.solve(NIM)
    made = learner(NIM, anchor="oracle")
    made.learn(20)
    kept = made.replay.all()
    truths = {float(value) for value in kept.wanted[:, 0]}
    assert truths <= {-1.0, 1.0}  # nobody draws in nim
    knows = sw.agent("oracle", NIM)
    for state, value in zip(kept.states[:10].numpy(), kept.wanted[:10, 0], strict=True):
        position = sw.game(NIM).batch(state[None]).positions()[0]
        assert knows.analyse(position).value == value
    with pytest.raises(BadInput, match="anchor=oracle knows scores; it needs value=score"):
        learner(BACKGAMMON, anchor="oracle", value="chances")


def test_an_anchor_takes_the_settings_of_the_oracle() -> None:
    made = learner("othello:size=6", anchor="oracle:empties=6", lam=0.5, starts="random:28")
    made.learn(16)
    kept = made.replay.all()
    empty = [empty_cells(position) for position in made.game.batch(kept.states.numpy()).positions()]
    near = torch.tensor(empty) <= 6
    assert near.any()
    assert set(kept.wanted[near, 0].tolist()) <= {-1.0, 0.0, 1.0}
    assert not set(kept.wanted[~near, 0].tolist()) <= {-1.0, 0.0, 1.0}
    with pytest.raises(BadInput, match='oracle has no setting "stones"'):
        learner("othello:size=6", anchor="oracle:stones=6")


@pytest.mark.parametrize(
    ("game", "settings", "reason"),
    [
        (DICE, {"value": "chances"}, "einstein:board=3 has one kind of win; it needs value=score"),
        (BACKGAMMON, {"value": "chances", "anchor": "oracle"}, "anchor=oracle knows scores; it needs value=score"),
        ("morris", {"anchor": "oracle"}, "knows nothing of morris yet; try: spielwerk solve morris --up-to 4-4"),
    ],
)
def test_what_a_game_cannot_teach_is_refused(game: str, settings: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        learner(game, **settings)


def test_a_network_without_a_policy_or_a_value_is_refused_by_name() -> None:
    td = shipped.file_for("td", "einstein:board=4", ".onnx")
    for more in ("", ",iterations=0", ",select=puct"):
        with pytest.raises(BadInput, match=f"{td.name} has no policy, and cannot play as alphazero; try mcts:value="):
            sw.agent(f"alphazero:{td}{more}", "einstein:board=4")
    with pytest.raises(BadInput, match="The networks of imitation do not value positions"):
        sw.agent("mcts:value=imitation", "morris")


def test_new_weights_that_lose_to_those_before_do_not_play() -> None:
    made, perfect, drawn = learner(NIM, gate=40, gate_every=2), sw.agent("oracle", NIM), sw.agent("random", NIM)
    gate, before = made.gate, made.weights()
    made.step(made.fitting, *next(iter(prepared(made))))
    newest = {name: array_of(found) for name, found in gate.newest.state_dict().items()}
    assert not equal(before, newest)
    for expected in (before, before):  # a match is due after two windows
        gate.window(lambda network: drawn if network is gate.newest else perfect, 1)
        assert equal(made.weights(), expected)
    assert (gate.passed, gate.failed) == (0, 1)
    for expected in (before, newest):
        gate.window(lambda network: perfect if network is gate.newest else drawn, 1)
        assert equal(made.weights(), expected)
    assert (gate.passed, gate.failed) == (1, 1)


def prepared(made: AlphaZeroLearner) -> Any:
    """Minibatches of a window of moves."""
    lessons = made._played()
    return made.preparing.minibatches(lessons, [torch.arange(32)], made.source)


def test_early_moves_of_puct_are_drawn_and_later_ones_are_the_most_visited() -> None:
    made = learner("nim:stacks=3-4-5", select="puct", noise=0.0, temperature_moves=2, boards=200)
    different = []
    for _ in range(4):
        moves = made.play.move(8)
        ends: dict[bytes, set[bytes]] = {}
        for start, end in zip(moves.states.numpy(), moves.after.numpy(), strict=True):
            ends.setdefault(start.tobytes(), set()).add(end.tobytes())
        different.append(max(map(len, ends.values())))
    assert min(different[:2]) > 1
    assert different[2:] == [1, 1]


def test_a_loss_that_explodes_stops_the_training(monkeypatch: pytest.MonkeyPatch) -> None:
    made = learner()
    made.learn(10)
    monkeypatch.setattr(made.head, "loss", lambda logits, wanted: logits.sum() * float("nan"))
    with pytest.raises(BadInput, match=r"the loss has grown to nan after .* smaller rate than 0\.01"):
        made.learn(60)


def test_simulations_grow_with_the_training() -> None:
    made = learner(simulations=4, simulations_end=16, episodes=100)
    found = []
    for games in (0, 50, 100, 300):
        made.games = games
        found.append(made.simulations())
    assert found == [4, 8, 16, 16]


# Lessons


def moves(turns: int, boards: int, rng: np.random.Generator, wandering: float = 0.0) -> list[Moves]:
    """Moves of which only what targets need is filled."""
    nothing, none = torch.zeros(boards, 1, dtype=torch.int64), torch.zeros(0)
    over = rng.random((turns, boards)) < 0.2
    return [
        Moves(
            states=nothing,
            movers=torch.zeros(boards, dtype=torch.int64),
            kept=torch.from_numpy(rng.random((boards, 1))),
            counts=torch.zeros(boards, dtype=torch.int64),
            actions=none,
            shares=none,
            after=nothing,
            actors=torch.from_numpy(np.where(over[turn], OVER, 0)),
            rolling=torch.zeros(boards, dtype=torch.bool),
            results=torch.from_numpy(rng.random((boards, 1))),
            wandered=torch.from_numpy(rng.random(boards) < wandering),
        )
        for turn in range(turns)
    ]


@pytest.mark.parametrize("wandering", [0.0, 0.4])
@pytest.mark.parametrize("lam", [0.0, 0.6, 1.0])
def test_values_are_what_games_led_to_or_what_searches_said_on_the_way(lam: float, wandering: float) -> None:
    made = moves(6, 30, np.random.default_rng(1), wandering)
    found = torch.stack(futures(made, lam)).numpy()[:, :, 0]

    def after(turn: int, board: int) -> float:
        if made[turn].actors[board] == OVER:
            return float(made[turn].results[board, 0])
        said = float(made[turn + 1].kept[board, 0])
        return said if turn + 1 == len(made) - 1 else (1 - lam) * said + lam * here(turn + 1, board)

    def here(turn: int, board: int) -> float:
        """A random move says nothing of the position before it."""
        return float(made[turn].kept[board, 0]) if made[turn].wandered[board] else after(turn, board)

    assert found == pytest.approx(np.array([[after(turn, board) for board in range(30)] for turn in range(5)]))
    first = before(made[0], torch.from_numpy(found[0])[:, None]).numpy()[:, 0]
    assert first == pytest.approx([here(0, board) for board in range(30)])


def test_short_searches_play_as_well_as_they_can() -> None:
    settings: dict[str, Any] = {**SMALL, "boards": 64}
    same = {}
    for caps in (0.0, 1.0):
        given = {**settings, "caps": caps, **({"capped": 1} if caps else {})}
        learner = AlphaZeroLearner(sw.game("nim:stacks=3-4-5"), Settings(**given))
        learner.use("cpu", 1)
        with torch.no_grad():
            after = learner.play.move(4).after
        same[caps] = len(torch.unique(after, dim=0)) == 1
    assert same == {0.0: False, 1.0: True}  # noise is for searches that teach


def test_a_share_of_the_moves_is_drawn_at_random() -> None:
    made = learner(DICE, epsilon=0.5, boards=64)
    with torch.no_grad():
        played = [made.play.move(4) for _ in range(10)]
    assert torch.stack([move.wandered for move in played]).float().mean() == pytest.approx(0.5, abs=0.1)


def test_games_are_cut_off_at_the_horizon_where_the_search_says_what_they_are_worth() -> None:
    made = learner(DICE, horizon=2, boards=32)
    with torch.no_grad():
        first, second, third = (made.play.move(4) for _ in range(3))
    going = (first.actors != OVER) & (second.results == 0).all(1)  # neither move ended the game
    assert going.any()
    assert not first.wandered.any()
    assert second.wandered[going].all()
    assert (second.actors[going] == OVER).all()
    assert not second.rolling[going].any()
    assert (third.movers[going] == 0).all()  # who begins a new game
    whole = futures([first, second, third], lam=1.0)
    assert torch.equal(whole[0][going], second.kept[going])
    assert torch.equal(before(second, whole[1])[going], second.kept[going])


@pytest.mark.parametrize("game", [DICE, *slow(BACKGAMMON, THREE)])
def test_lessons_are_positions_of_games_with_the_policies_of_their_searches(game: str) -> None:
    made = learner(game)
    with torch.no_grad():
        played = [made.play.move(4) for _ in range(5)]
    found = lessons_of(played, made.head, 1.0)
    positions = made.game.batch(found.states.numpy())
    movers, legal = positions.movers, positions.actions()
    assert (movers != OVER).all()
    assert (movers == CHANCE).any()  # the network values positions before a roll, too
    for row, count in enumerate(found.counts.tolist()):
        one = found.of(torch.tensor([row]))
        if count:
            assert one.actions.tolist() == legal.values[legal.offsets[row] : legal.offsets[row + 1]].tolist()
            assert float(one.shares.sum()) == pytest.approx(1.0, abs=1e-5)
        else:
            assert movers[row] == CHANCE or legal.offsets[row + 1] - legal.offsets[row] == 1


def test_some_lessons_are_picked_with_their_policies() -> None:
    counts = torch.tensor([2, 0, 3, 1])
    whole = Lessons(torch.arange(4)[:, None], torch.zeros(4, 1), counts, torch.arange(6), torch.arange(6) / 10)
    found = whole.of(torch.tensor([2, 0, 1]))
    assert found.states[:, 0].tolist() == [2, 0, 1]
    assert found.actions.tolist() == [2, 3, 4, 0, 1]
    twice = joined([whole, whole]).of(torch.tensor([6]))
    assert twice.actions.tolist() == [2, 3, 4]


# Losses


def test_the_loss_of_a_policy_is_its_cross_entropy_among_legal_actions() -> None:
    torch.manual_seed(1)
    lessons = Lessons(
        torch.zeros(3, 1),
        torch.zeros(3, 1),
        torch.tensor([2, 0, 1]),
        torch.tensor([0, 3, 2]),
        torch.tensor([0.3, 0.7, 1]),
    )
    shares, logits = dense(lessons, 4), torch.randn(3, 4)
    assert shares.tolist() == pytest.approx(np.array([[0.3, 0, 0, 0.7], [0] * 4, [0, 0, 1, 0]]))
    legal = torch.tensor([[True, False, True, True]] * 3)
    likely = torch.log_softmax(logits[:, [0, 2, 3]], 1)
    wanted = -(0.3 * likely[0, 0] + 0.7 * likely[0, 2] + likely[2, 1]) / 3
    assert float(by_actions(logits, legal, shares)) == pytest.approx(float(wanted))


def test_an_action_is_as_likely_as_all_turns_that_begin_with_it() -> None:
    scores = torch.tensor([1.0, 2.0, 0.5, -1.0, 3.0])
    owners, first = torch.tensor([0, 0, 0, 1, 1]), torch.tensor([2, 2, 0, 1, 2])
    shares = torch.tensor([[0.25, 0.0, 0.75], [0.0, 1.0, 0.0]])
    p, q = torch.softmax(scores[:3], 0), torch.softmax(scores[3:], 0)
    wanted = -(0.25 * p[2].log() + 0.75 * (p[0] + p[1]).log() + q[0].log()) / 2
    assert float(by_ends(scores, owners, first, shares)) == pytest.approx(float(wanted), abs=1e-4)


def test_scores_of_ends_are_kept_from_wandering_off_together() -> None:
    scores = torch.tensor([1.0, 2.0, 0.5], requires_grad=True)
    owners, first, shares = torch.tensor([0, 0, 0]), torch.tensor([0, 1, 2]), torch.tensor([[0.2, 0.6, 0.2]])
    near, far = by_ends(scores, owners, first, shares), by_ends(scores - 700, owners, first, shares)
    assert 0.1 < float((far - near).detach()) < 1
    (along,) = torch.autograd.grad(far, scores)
    assert float(along.sum()) < 0  # back up
    nothing = by_ends(scores[:0], owners[:0], first[:0], shares * 0)
    assert float(nothing.detach()) == 0  # nothing to learn


def test_what_is_told_apart_is_precise_in_mixed_precision() -> None:
    game = sw.game("nim:stacks=2-3")
    network = network_of(game, "", "mlp", 1, 16, "afterstates", head_of(game, False))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert {said.dtype for said in network(torch.rand(4, network.form.shape[0]))} == {torch.float32}


# Playing


@pytest.mark.parametrize(
    "game",
    [
        "morris",
        "othello",
        "othello:size=6",
        "einstein",
        "einstein:board=4",
        "einstein:board=4,players=4",
        "backgammon:scoring=full",
    ],
)
def test_agents_that_come_with_the_package_play_and_say_how_they_were_made(game: str) -> None:
    (there,) = (one for one in shipped.all_shipped("alphazero") if one.metadata["game"] == game)
    assert there.path.stat().st_size <= 3_000_000
    assert there.metadata["command"].startswith(f"spielwerk train alphazero {game} ")
    assert any(unit in there.metadata["grade"] for unit in ("%", "mEMG"))
    position = first_decision(sw.game(game))
    for name in ("alphazero:iterations=0", "alphazero:iterations=8", "mcts:value=alphazero,iterations=8"):
        assert sw.agent(name, game).choose(position) in {turn.text for turn in position.turns()}


def test_a_run_is_trained_played_exported_and_resumed(spielwerk: Run, tmp_path: Path) -> None:
    small = [f"{key}={value}" for key, value in SMALL.items()]
    options = ["--games", "10", "--decisions", "20", "--name", "one"]
    assert spielwerk("train", "alphazero", DICE, "episodes=60", *small, *options)[0] == 0
    for name, options in (("x.onnx", []), ("half.onnx", ["--half"])):
        assert spielwerk("runs", "export", "one", str(tmp_path / name), *options)[0] == 0
    assert spielwerk("runs", "resume", "one", "--episodes", "90")[0] == 0
    position = sw.game(DICE).start()
    position = position.roll("1") if position.chance else position
    for name in (
        "alphazero:one,iterations=0",
        "alphazero:one,iterations=20",
        f"alphazero:{tmp_path / 'x.onnx'},iterations=10,select=gumbel",
        f"alphazero:{tmp_path / 'half.onnx'},iterations=10",
        "mcts:iterations=20,value=one",
    ):
        player = sw.agent(name, DICE)
        assert player.choose(position) in [turn.text for turn in position.turns()]
        assert player.analyse(position).moves


@pytest.mark.parametrize(
    ("name", "scale"),
    [("alphazero", 3.0), ("alphazero:scale=0.5", 0.5), ("mcts:value=alphazero,select=gumbel", 1.0)],
)
def test_a_network_is_searched_with_the_scale_of_its_training_unless_told_otherwise(name: str, scale: float) -> None:
    player = sw.agent(name, "backgammon:scoring=full")
    assert isinstance(player, MctsByEstimate)
    assert player.scale == scale


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"temperature": 2.0}, "temperature has no effect without select=puct"),
        ({"select": "puct", "considered": 4}, "considered has no effect without select=gumbel"),
        ({"select": "puct", "scale": 4}, "scale has no effect without select=gumbel"),
        ({"capped": 8}, "capped has no effect without caps"),
        ({"gate_every": 2}, "gate_every has no effect without gate"),
        ({"anchor": "teacher"}, 'anchor cannot be "teacher"; possible: none, oracle, oracle:SETTINGS'),
        ({"anchor": "none:empties=6"}, 'anchor cannot be "none:empties=6"'),
        ({"starts": "random"}, 'alphazero: starts cannot be "random"; possible: fixed, random:N, random:M-N'),
        ({"starts": "random:5-3"}, 'starts cannot be "random:5-3"'),
        ({"starts": "fixed:3-5"}, 'starts cannot be "fixed:3-5"'),
    ],
)
def test_settings_that_mean_nothing_are_refused(settings: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        Settings(**settings)
