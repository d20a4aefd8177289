"""Actor-critic: how moves are drawn, what they are worth, what is learned from them, stopped and resumed."""

from __future__ import annotations

import math
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

import spielwerk as sw
from conftest import Run
from spielwerk.bench import actor_critic as bench
from spielwerk.games.batch import Batch
from spielwerk.learn import runs, shipped
from spielwerk.learn.actor_critic.experience import Step, advantages
from spielwerk.learn.actor_critic.learner import ActorCriticLearner
from spielwerk.learn.actor_critic.losses import entropy_of, log_policy, mixed, policy_loss
from spielwerk.learn.actor_critic.rewards import Rewards
from spielwerk.learn.actor_critic.rows import draw_rows, turn_rows
from spielwerk.learn.actor_critic.settings import Settings
from spielwerk.learn.neural.fitting import Fitting
from spielwerk.learn.neural.heads import head_of
from spielwerk.names import BadInput
from test_estimators import some_positions
from test_td_neural import equal

pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched
NIM, DICE, SIX = "nim:stacks=2-3", "einstein:board=3", "morris:rules=six"
THREE = "einstein:board=6,players=3"
SMALL = {"boards": 16, "minibatch": 64, "hidden": "16", "window": 8}


def learner(game: str = DICE, seed: int = 1, **settings: Any) -> ActorCriticLearner:
    made = ActorCriticLearner(sw.game(game), Settings(**{"episodes": 500, "rate": 0.01, **SMALL, **settings}), seed)
    made.use("cpu", 1)
    return made


# Moves


def drawn(batch: Batch, logits: np.ndarray, epsilon: float = 0, greedy: bool = False, masked: bool = True) -> Any:
    """The chosen and the played actions, logarithms and floors."""
    n = len(batch)
    found = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.float32), np.empty(n, np.float32)
    rule = np.array([epsilon, float(greedy), float(masked)])
    batch.run(draw_rows, batch.states, batch.rngs, logits, rule, *found)
    return found


@pytest.mark.parametrize("masked", [True, False])
@pytest.mark.parametrize("epsilon", [0.0, 0.3])
def test_moves_are_drawn_as_likely_as_the_policy_says(masked: bool, epsilon: float) -> None:
    game = sw.game(NIM)
    batch = game.batch([game.start()] * 40_000, seed=3)
    logits = np.tile(np.linspace(-1, 1, game.constants["ACTIONS"]).astype(np.float32), (len(batch), 1))
    chosen, played, logs, floors = drawn(batch, logits, epsilon, masked=masked)
    legal = torch.from_numpy(np.asarray(batch.mask()))
    likely = log_policy(torch.from_numpy(logits), legal if masked else None)
    now = mixed(likely, torch.from_numpy(chosen), epsilon, torch.from_numpy(floors))
    assert torch.allclose(now, torch.from_numpy(logs), atol=1e-5)
    for action in range(game.constants["ACTIONS"]):
        share = float((chosen == action).mean())
        wanted = (1 - epsilon) * float(likely[0, action].exp()) + epsilon * bool(legal[0, action]) / int(legal[0].sum())
        assert share == pytest.approx(wanted, abs=4 * math.sqrt(0.25 / len(batch)))
    allowed = legal[0].numpy()
    assert allowed[played].all()
    assert (chosen == played)[allowed[chosen]].all()
    assert masked == allowed[chosen].all()


def test_greedy_moves_are_the_most_likely_legal_ones() -> None:
    game = sw.game(NIM)
    batch = game.batch([game.start()] * 100)
    logits = np.zeros((100, game.constants["ACTIONS"]), np.float32)
    actions = game.start().actions()
    logits[:, actions[1]] = 1
    chosen, _, logs, _ = drawn(batch, logits, greedy=True)
    assert set(chosen.tolist()) == {actions[1]}
    assert logs == pytest.approx(-math.log(1 + (len(actions) - 1) / math.e))  # as if they had been drawn
    _, _, logs, _ = drawn(batch, logits, epsilon=1.0, greedy=True)
    assert logs == pytest.approx(-math.log(len(actions)))


@pytest.mark.parametrize("masked", [True, False])
@pytest.mark.parametrize(("epsilon", "greedy"), [(0.0, False), (0.2, False), (0.2, True)])
def test_before_a_step_moves_are_as_likely_as_when_they_were_played(epsilon: float, greedy: bool, masked: bool) -> None:
    made = learner(epsilon=epsilon, greedy=greedy, masked=masked)
    made.learn(30)
    inputs, legal, chosen, before, floors, *_ = made._prepared(made.played())
    now, _ = made._now(made.network(inputs)[0], legal, chosen, floors)
    assert torch.allclose(now, before, atol=1e-4)
    assert float(before.max() - before.min()) > 0.1


# What they are worth


def steps(*given: tuple[float, float, bool], movers: tuple[int, ...]) -> list[Step]:
    """Moves on one board: value before it and reward, as player 0 sees them, and whether the game ends."""
    nothing = torch.zeros(1)
    found = list[Step]()
    for (value, reward, over), who in zip(given, movers, strict=True):
        values, rewards = torch.tensor([[value]]), torch.tensor([[reward]])
        end, learned = torch.tensor([over]), torch.tensor([True])
        found.append(Step(nothing, torch.tensor([who]), nothing, nothing, nothing, values, rewards, end, learned))
    return found


def test_advantages_are_weighted_sums_of_errors_up_to_the_end_of_a_game() -> None:
    gamma, lam = 0.9, 0.7
    given = [(0.1, 0.0, False), (0.4, 0.2, False), (0.3, 1.0, True), (-0.2, 0.0, False), (0.5, 0.1, False)]
    found = advantages(steps(*given, movers=(0, 1, 0, 1, 0)), torch.tensor([[0.25]]), gamma, lam)
    values = [value for value, _, _ in given] + [0.25]
    errors = [r + (0 if over else gamma * values[t + 1]) - v for t, (v, r, over) in enumerate(given)]
    last_of = [2, 2, 2, 4, 4]
    wanted = [sum((gamma * lam) ** (k - t) * errors[k] for k in range(t, last_of[t] + 1)) for t in range(5)]
    assert [float(one) for one in found] == pytest.approx(wanted)


@pytest.mark.parametrize(("game", "settings"), [(DICE, {}), (SIX, {"shaped": "mills:0.3+places:0.1"}), (THREE, {})])
def test_with_all_of_the_future_each_mover_wants_what_its_side_gets_in_the_end(game: str, settings: Any) -> None:
    moves = 80
    made = learner(game, gamma=1.0, lam=1.0, window=moves, **settings)
    with torch.no_grad():
        played, last = made.collector.window(made.network)
    gathered = made.collector.experience(played, last)
    ends = {i: t for t in reversed(range(moves)) for i in range(16) if played[t].over[i]}
    assert len(ends) > 1
    for board, end in ends.items():
        outcome = sum((played[t].rewards[board] for t in range(end + 1)), torch.zeros(made.head.size))
        for t in range(end + 1):
            rest = outcome - sum((played[k].rewards[board] for k in range(t)), torch.zeros(made.head.size))
            mine = made.head.seen(rest[None], played[t].movers[board : board + 1])
            row = t * 16 + board
            bounded = mine.clamp(-1, 1)
            assert gathered.wanted[row].tolist() == pytest.approx(bounded[0].tolist(), abs=1e-5)
            expected = made.head.seen(played[t].values[board][None], played[t].movers[board : board + 1])[0, 0]
            assert float(gathered.advantages[row]) == pytest.approx(float(mine[0, 0] - expected), abs=1e-5)


def test_shaped_rewards_are_paid_for_gains_by_the_other_side() -> None:
    game = sw.game("morris")
    batch = game.batch([game.start()] * 2)
    rewards = Rewards(batch, head_of(game, False), Settings(shaped="places:2"))
    first, nobody = torch.tensor([0, 0]), torch.tensor([False, False])
    held = rewards.before(first)
    batch.play(np.array([24 * 24 + 0, 24 * 24 + 4]))  # with two neighbours, and with four
    assert rewards.after(first, held, nobody).tolist() == pytest.approx(np.array([[1.0], [2.0]]))
    held = rewards.before(1 - first)
    batch.play(np.array([24 * 24 + 1, 24 * 24 + 2]))  # three, and two
    assert rewards.after(1 - first, held, nobody).tolist() == pytest.approx(np.array([[-1.5], [-1.0]]))


def test_rewards_of_a_potential_add_up_to_nothing_over_a_game() -> None:
    shaped: dict[str, Any] = {"shaped": "mills:0.3+openings:0.1+blocks:0.2+places:0.1", "shaping": "potential"}
    made = learner(SIX, **shaped, gamma=1.0, win=0.0, window=200)
    with torch.no_grad():
        played, _ = made.collector.window(made.network)
    whole = torch.stack([step.rewards[:, 0] for step in played])
    over = torch.stack([step.over for step in played])
    assert float(whole.abs().max()) > 0.1
    for board in range(16):
        ends = over[:, board].nonzero()[:, 0].tolist()
        for first, last in zip([-1, *ends], ends, strict=False):
            assert float(whole[first + 1 : last + 1, board].sum()) == pytest.approx(0, abs=1e-4)


def test_illegal_choices_cost_the_mover_and_become_rare() -> None:
    made = learner(NIM, masked=False, penalty=0.5, entropy=0.0, episodes=20_000, gamma=1.0)

    def illegal() -> float:
        with torch.no_grad():
            played, _ = made.collector.window(made.network)
        open_games = [step.rewards[~step.over, 0] for step in played]
        movers = [step.movers[~step.over] for step in played]
        for costs, who in zip(open_games, movers, strict=True):
            assert all(c in (0, -0.5 if w == 0 else 0.5) for c, w in zip(costs.tolist(), who.tolist(), strict=True))
        return float(torch.cat(open_games).ne(0).float().mean())

    first = illegal()
    made.learn(4000)
    assert illegal() < 0.5 * first


# Learning


def test_a_move_with_an_advantage_becomes_likelier_up_to_the_clip() -> None:
    before, more = torch.log(torch.tensor([0.5, 0.5])), torch.tensor([2.0, -1.0])
    now = torch.log(torch.tensor([0.55, 0.45])).requires_grad_()
    assert float(policy_loss(now, before, more, 0.2).detach()) == pytest.approx(-(1.1 * 2 - 0.9) / 2)
    now = torch.log(torch.tensor([0.7, 0.3])).requires_grad_()
    lost = policy_loss(now, before, more, 0.2)
    assert float(lost.detach()) == pytest.approx(-(1.2 * 2 - 0.8) / 2)
    (along,) = torch.autograd.grad(lost, now)
    assert along.tolist() == [0, 0]  # beyond the clip, nothing more is to be gained
    plain = policy_loss(now, before, more, 0.0)
    assert torch.autograd.grad(plain, now)[0].tolist() == pytest.approx([-1, 0.5])


def test_entropy_is_that_of_the_legal_moves() -> None:
    legal = torch.tensor([[True, True, False, True]])
    assert float(entropy_of(log_policy(torch.tensor([[1.0, 1.0, 9.0, 1.0]]), legal))) == pytest.approx(math.log(3))
    sure = torch.tensor([[100.0, 0.0, 0.0, -200.0]], requires_grad=True)  # legal ones far below what a float can hold
    entropy = entropy_of(log_policy(sure, torch.tensor([[True, True, False, True]])))
    entropy.backward()
    assert float(entropy.detach()) == pytest.approx(0, abs=1e-20)
    assert sure.grad is not None
    assert bool(torch.isfinite(sure.grad).all())


def test_equal_seeds_learn_the_same_in_one_call_or_in_several_and_other_seeds_do_not() -> None:
    one, two, other = learner(), learner(), learner(seed=2)
    one.learn(60)
    for part in (1, 19, 40):
        two.learn(part)
    other.learn(60)
    assert equal(one.arrays(), two.arrays())
    assert not equal(one.weights(), other.weights())


@pytest.mark.parametrize(
    ("game", "settings"),
    [(DICE, {"pool": 2, "pool_every": 2, "mean": 0.9}), (SIX, {"shaped": "mills:0.1", "epsilon": 0.1}), (THREE, {})],
)
def test_a_resumed_learner_goes_on_as_if_it_had_not_stopped(game: str, settings: Any) -> None:
    one, two = learner(game, **settings), learner(game, seed=9, **settings)
    one.learn(40)
    two.restore(one.arrays())
    assert equal(one.arrays(), two.arrays())
    for each in (one, two):
        each.learn(40)
    assert equal(one.arrays(), two.arrays())


def test_past_selves_play_one_side_of_their_boards_and_nothing_is_learned_from_their_moves() -> None:
    made = learner(DICE, pool=3, pool_share=0.5, pool_every=1)
    made.learn(20)
    assert 1 <= len(made.pool.kept) <= 3
    calls: list[int] = []

    def past(rows: Tensor) -> tuple[Tensor, Tensor]:
        calls.append(len(rows))
        return made.pool.past(0)(rows)

    with torch.no_grad():
        played, last = made.collector.window(made.network, past)
    for step in played:
        sides = (step.movers != torch.arange(16) % 2) | (torch.arange(16) >= 8)
        assert torch.equal(step.learned, sides)
    assert sum(calls) == sum(int((~step.learned).sum()) for step in played)
    assert len(made.collector.experience(played, last).states) == 8 * 16 - sum(calls)


def test_the_agent_that_comes_with_the_package_plays_and_says_how_it_was_made() -> None:
    (there,) = shipped.all_shipped("actor-critic")
    assert there.path.stat().st_size <= 3_000_000
    assert there.metadata["command"].startswith("spielwerk train actor-critic morris ")
    assert "93.6 %" in there.metadata["grade"]
    position = sw.game("morris").start()
    for name in ("actor-critic", "actor-critic:temperature=1", "mcts:value=actor-critic,iterations=8"):
        assert sw.agent(name, "morris").choose(position) in {turn.text for turn in position.turns()}


def test_the_agent_that_comes_with_the_package_keeps_the_best_class_and_wins_against_random() -> None:
    graded = sw.grade("morris", "actor-critic", decisions=200, seed=3).report.whole
    assert graded.best_class is not None
    assert graded.best_class > 0.85
    assert sw.match("morris", "actor-critic", "random", games=40).match.summary.rate > 0.95


def test_boards_are_turned_before_a_move_and_the_move_is_as_likely_as_the_network_says_there() -> None:
    made, still = learner(SIX), learner(SIX, symmetry=False)
    for each in (made, still):
        inputs, legal, chosen, before, floors, *_ = each._prepared(each.played())
        assert legal.gather(1, chosen[:, None]).all()
        with torch.no_grad():
            now, _ = each._now(each.network(inputs)[0], legal, chosen, floors)
        assert torch.allclose(now, before, atol=1e-6)  # no probability has moved before the first step


def test_a_turned_board_is_the_same_game() -> None:
    batch = learner("othello:size=6", boards=64, starts="random:6").batch
    before = [batch.turned(k).states.tolist() for k in range(8)]  # [symmetries][boards]
    batch.run(turn_rows, batch.states, batch.rngs)
    found = [[images[board] for images in before].index(state) for board, state in enumerate(batch.states.tolist())]
    assert len(set(found)) > 1


GRAPH = {"net": "graph", "filters": 8, "blocks": 1, "hidden": "256-256"}


@pytest.mark.parametrize("settings", [{}, {"clip": 0.0, "epochs": 1}, {"masked": False, "penalty": 0.3}, GRAPH])
def test_it_learns_to_beat_a_random_player(settings: Any) -> None:
    made = learner(DICE, **{"boards": 64, "episodes": 4000, "entropy": 0.003, **settings})
    made.learn(4000)
    assert against_random(made) > 0.7


def against_random(made: ActorCriticLearner) -> float:
    from spielwerk.arena.playing.block import play_block
    from spielwerk.arena.playing.plan import Plan, gains

    plan = Plan(made.game.name, ("learner", "random"), 400, 1)
    block = play_block(plan, made.game, [made.agent(), sw.agent("random", made.game)], 0, 400, False)
    return float((1 + np.asarray(gains(made.game, plan.seats(made.game, 0, 400), block.scores)).mean()) / 2)


def test_a_loss_that_is_no_number_any_more_ends_the_training_in_a_sentence() -> None:
    made = learner()
    with torch.no_grad():
        next(made.network.parameters()).fill_(math.nan)
    wanted = r"the loss has grown to nan .* Take a smaller rate than 0\.01 or a smaller max_norm than 0\.5\."
    with pytest.raises(BadInput, match=wanted):
        made.learn(500)


def test_who_has_exploded_goes_on_from_the_last_good_checkpoint(spielwerk: Run) -> None:
    """Steps so large that the first loss after them is still a number, and the weights are none."""
    wild = ("rate=0.3", "rate_end=0.3", "max_norm=0", "clip=0", "shaped=mills:1000", "hidden=16", "boards=64")
    told = ("window=16", "minibatch=256", "episodes=3000", "--games", "4", "--decisions", "5", "--name", "wild")
    code, _, error = spielwerk("train", "actor-critic", "morris", *wild, *told)
    assert code == 2
    assert "the last checkpoint is kept. Take a smaller rate than 0.3 or a max_norm." in " ".join(error.split())
    kept = runs.checkpoint("wild")
    assert all(np.isfinite(array).all() for array in kept.values())
    again, _, error = spielwerk("runs", "resume", "wild")
    assert again == 2  # it explodes as before, and nothing is damaged
    assert "the last checkpoint is kept" in " ".join(error.split())


def test_cuda_where_there_is_none_is_said_with_the_command_for_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    made = ActorCriticLearner(sw.game(NIM), Settings(**SMALL))
    with pytest.raises(BadInput, match=r"no GPU here .*: spielwerk train actor-critic nim:stacks=2-3 … --device cpu"):
        made.use("cuda", 1)


def test_long_gradients_are_cut_and_others_are_not() -> None:
    weights = torch.nn.Parameter(torch.tensor([0.0, 0.0]))
    for max_norm, moved in ((0.0, 5.0), (1.0, 1.0), (10.0, 5.0)):
        optimiser = torch.optim.SGD([weights], 1.0)
        fitting = Fitting(optimiser, lambda along: (weights * along).sum(), nullcontext, max_norm=max_norm)
        with torch.no_grad():
            weights.zero_()
        fitting.step(torch.tensor([3.0, -4.0]))
        assert float(weights.detach().norm()) == pytest.approx(moved, rel=1e-4)


@pytest.mark.parametrize(
    ("game", "settings", "sentence"),
    [
        (NIM, {"shaped": "mills:1"}, 'nim has no shaped reward "mills"'),
        ("morris", {"shaped": "mill:1"}, 'morris has no shaped reward "mill"'),
        ("morris", {"shaped": "mills"}, "write a name and its weight, such as mills:0.2"),
        (NIM, {"pool_every": 3}, "pool_every has no effect without pool"),
        (NIM, {"penalty": 2.0}, "penalty has no effect without masked=false"),
        (NIM, {"filters": 3}, "filters has no effect without net=graph"),
        (NIM, {"starts": "nowhere"}, "possible: fixed, random:N"),
    ],
)
def test_settings_that_make_no_sense_are_refused_in_a_sentence(game: str, settings: Any, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        learner(game, **settings)


# Playing


def test_a_run_is_trained_played_exported_and_resumed(spielwerk: Run, tmp_path: Any) -> None:
    small = [f"{key}={value}" for key, value in SMALL.items()]
    options = ["--games", "10", "--decisions", "20", "--name", "one"]
    assert spielwerk("train", "actor-critic", NIM, "episodes=60", *small, *options)[0] == 0
    position = some_positions(sw.game(NIM))[0]
    moves = {turn.text for turn in position.turns()}
    for name in ("actor-critic:one", "actor-critic:one,temperature=1", "mcts:value=one,iterations=8"):
        assert sw.agent(name, NIM).choose(position) in moves
    file = tmp_path / "one.onnx"
    assert spielwerk("runs", "export", "one", str(file))[0] == 0
    assert sw.agent(f"actor-critic:{file}", NIM).choose(position) == sw.agent("actor-critic:one", NIM).choose(position)
    with pytest.raises(BadInput, match="plays nim:stacks=2-3, not nim"):
        sw.agent("actor-critic:one", "nim")


def test_at_a_temperature_moves_are_drawn_by_the_policy() -> None:
    made = learner(NIM)
    made.learn(20)
    from spielwerk.agents.actor_critic import ActorCritic, ActorCriticSettings

    estimator = made.agent().estimator  # type: ignore[attr-defined]
    game = made.game
    batch = game.batch([game.start()] * 4000, seed=5)
    likely = ActorCritic(game, ActorCriticSettings(), estimator)._likely(batch)[1][: len(game.start().actions())]
    warm = ActorCritic(game, ActorCriticSettings(temperature=2.0), estimator)
    chosen = warm.choose_many(batch, np.asarray(batch.rngs))
    wanted = np.sqrt(likely) / np.sqrt(likely).sum()
    shares = [(chosen == action).mean() for action in game.start().actions()]
    assert shares == pytest.approx(wanted.tolist(), abs=0.04)


def test_steps_a_second_are_measured_without_learning_and_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SIZES", {"cpu": SMALL})
    monkeypatch.setattr(bench, "ROUND_SECONDS", 0.01)
    rows = list(bench.rows("cpu", rounds=1, seed=1))
    assert [row.name.rpartition(", ")[2] for row in rows] == ["self-play", "self-play and learning"]
    assert all(row.value > 0 and row.unit == "steps/s" for row in rows)


def test_the_sizes_of_the_benchmark_are_settings_of_the_learner() -> None:
    assert all(Settings(**given, **bench.SHARED) for given in bench.SIZES.values())
