"""Many positions at once say what each position says, on every target."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import spielwerk as sw
from marks import slow
from spielwerk.bench import batch as bench
from spielwerk.bench import pgx
from spielwerk.games.batch import Batch
from spielwerk.games.rules import CHANCE, OVER
from spielwerk.kernel.random import streams
from variants import DEFAULTS, random_positions

GPU = Path(__file__).parents[1] / "benchmarks" / "gpu.py"
PLAIN = ["einstein:board=6,players=4,start=free", "einstein:board=6,players=3", "backgammon:checkers=3"]
PLAIN += ["morris:rules=lasker,repeat=3,quiet=40", "nim:stacks=3-3-3,sizes=random"]
MOST = 60  # positions of a game that are looked at


def some_positions(name: str) -> list[sw.Position]:
    """Positions of a random game from start to end; rules of the variants in PLAIN run as plain Python."""
    game = sw.game(name, target="python" if name in PLAIN else None)
    found = random_positions(game, 1)
    return found[:: -(-len(found) // MOST)] + found[-2:]


@pytest.fixture(params=[*DEFAULTS, *PLAIN])
def positions(request: pytest.FixtureRequest) -> list[sw.Position]:
    """Positions of each game."""
    return some_positions(request.param)


def batch_of(positions: list[sw.Position]) -> Batch:
    return positions[0].game.batch(positions)


def parts(values: np.ndarray, offsets: np.ndarray) -> list[list[int]]:
    """A ragged array as lists."""
    return [values[begin:end].tolist() for begin, end in pairwise(offsets)]


def test_a_batch_knows_its_positions_movers_actions_outcomes_and_scores(positions: list[sw.Position]) -> None:
    batch, players = batch_of(positions), positions[0].game.players
    assert len(batch) == len(positions)
    assert batch.positions() == positions
    assert batch.movers.tolist() == [position.mover for position in positions]
    nexts = [position.roller if position.chance else position.mover for position in positions]
    assert batch.actors.tolist() == nexts
    actions = batch.actions()
    assert parts(actions.values, actions.offsets) == [position.actions() for position in positions]
    assert [np.flatnonzero(row).tolist() for row in batch.mask()] == [position.actions() for position in positions]
    owned = [i for i, position in enumerate(positions) for _ in position.actions()]
    assert actions.owners.tolist() == owned
    assert batch.scores().tolist() == [list(position.scores or [0.0] * players) for position in positions]
    outcomes = batch.outcomes()
    assert parts(outcomes.values, outcomes.offsets) == [[each for each, _ in p.outcomes()] for p in positions]
    assert outcomes.weights is not None
    for position, weights in zip(positions, parts(outcomes.weights, outcomes.offsets), strict=True):
        assert [weight / sum(weights) for weight in weights] == [share for _, share in position.outcomes()]


def test_a_batch_sees_what_each_player_to_act_sees(positions: list[sw.Position]) -> None:
    batch = batch_of(positions)
    for inputs in ("", *positions[0].game.observations):
        seen = batch.observe(inputs)
        assert seen.dtype == np.float32
        np.testing.assert_array_equal(seen, np.array([position.observe(inputs=inputs) for position in positions]))


def test_afterstates_are_the_ends_of_whole_turns_in_their_order(positions: list[sw.Position]) -> None:
    found = batch_of(positions).afterstates()
    turns = [position.turns() for position in positions]
    assert found.batch.positions() == [turn.end for each in turns for turn in each]
    assert found.first.tolist() == [turn.steps[0][1] for each in turns for turn in each]
    assert found.owners.tolist() == [i for i, each in enumerate(turns) for _ in each]
    assert np.diff(found.offsets).tolist() == [len(each) for each in turns]


def test_doubles_that_lead_to_the_same_end_count_once() -> None:
    game = sw.game("backgammon")
    rolls = [11, 22, 33, 44, 55, 66]
    boards = [position for position in random_positions(game, 3) if position.chance][1:12]
    doubles = [position.roll(roll) for position in boards for roll in rolls]
    found = game.batch(doubles).afterstates()
    ends = [set() for _ in doubles]
    for i, position in enumerate(doubles):
        for action in position.actions():
            half = position.play(action)
            ends[i] |= {half.play(second) for second in half.actions()} if half.mover == position.mover else {half}
    assert np.diff(found.offsets).tolist() == [len(each) for each in ends]
    assert all(end in ends[owner] for end, owner in zip(found.batch.positions(), found.owners, strict=True))


def test_playing_rolling_and_taking_do_what_positions_do(positions: list[sw.Position]) -> None:
    batch = batch_of(positions)
    chosen = [position.actions()[-1] if position.actions() else -1 for position in positions]
    batch.play(chosen)
    after = [p.play(action) if action >= 0 else p for p, action in zip(positions, chosen, strict=True)]
    assert batch.positions() == after
    rolled = [position.outcomes()[-1][0] if position.chance else -1 for position in after]
    batch.roll(rolled)
    after = [p.roll(outcome) if outcome >= 0 else p for p, outcome in zip(after, rolled, strict=True)]
    assert batch.positions() == after
    ends = batch.afterstates()
    batch.take(ends, np.where(np.diff(ends.offsets) > 0, ends.offsets[1:] - 1, -1))
    assert batch.positions() == [p.turns()[-1].end if p.actions() else p for p in after]


def test_turned_boards_keep_the_laws(positions: list[sw.Position]) -> None:
    batch = batch_of(positions)
    symmetries = np.arange(len(batch)) % batch.game.constants["SYMMETRIES"]
    turned = batch.turned(symmetries)
    assert turned.positions() == [p.turned(int(k)) for p, k in zip(positions, symmetries, strict=True)]
    assert batch.turned(0).positions() == positions
    listed = batch.turned_actions(symmetries, batch.actions())
    assert [sorted(part) for part in parts(listed.values, listed.offsets)] == [p.actions() for p in turned.positions()]
    chosen = np.array([position.actions()[0] if position.actions() else -1 for position in positions])
    turned.play(batch.turned_actions(symmetries, chosen))
    batch.play(chosen)
    assert (turned.states == batch.turned(symmetries).states).all()


def test_only_boards_that_are_over_restart(positions: list[sw.Position]) -> None:
    batch = batch_of(positions)
    over = [position.over for position in positions]
    assert batch.restart().tolist() == over
    assert any(over)
    for before, now in zip(positions, batch.positions(), strict=True):
        assert now.mover != OVER
        assert before.over or now == before
    assert not batch.restart().any()


class Stream:
    """The random stream of a board, in Python's own numbers."""

    def __init__(self, word: int) -> None:
        self.word = word

    def below(self, n: int) -> int:
        """A number below n."""
        word = self.word
        word ^= word << 13 & (1 << 64) - 1
        word ^= word >> 7
        word ^= word << 17 & (1 << 64) - 1
        self.word = word
        return (word >> 32) * n >> 32

    def roll(self, position: sw.Position) -> sw.Position:
        """The position after a roll that is drawn by its weight."""
        least = min(share for _, share in position.outcomes())
        sides = [outcome for outcome, share in position.outcomes() for _ in range(round(share / least))]
        return position.roll(sides[self.below(len(sides))])


@pytest.mark.parametrize("name", DEFAULTS)
def test_random_steps_draw_from_each_boards_own_stream(name: str) -> None:
    game, boards = sw.game(name), 5
    batch = game.batch(boards, seed=7)
    views = batch.views()
    drawn = [Stream(int(word)) for word in streams(7, game.name, boards)[:, 0]]
    now = batch.positions()
    assert now == [game.start()] * boards  # none of these draws its set-up
    for _ in range(60):
        batch.random_step(views)
        for i, stream in enumerate(drawn):
            if now[i].actions():
                now[i] = now[i].play(now[i].actions()[stream.below(len(now[i].actions()))])
            now[i] = game.start() if now[i].over else now[i]
            now[i] = stream.roll(now[i]) if now[i].chance else now[i]
        assert batch.positions() == now
        assert batch.rngs[:, 0].tolist() == [stream.word for stream in drawn]
        assert [np.flatnonzero(row).tolist() for row in views.mask] == [position.actions() for position in now]
        np.testing.assert_array_equal(views.observation, np.array([position.observe() for position in now]))


def test_a_roll_is_drawn_by_its_weight() -> None:
    batch = sw.game("backgammon").batch(3600)
    batch.states[:, 1] = 0  # past the opening roll, which is never a double
    batch.roll()
    doubles = (batch.states[:, 2] == batch.states[:, 3]).mean()
    assert abs(doubles - 1 / 6) < 5 * (5 / 36 / 3600) ** 0.5  # five standard deviations
    assert (batch.movers == 0).all()


@pytest.mark.parametrize("name", ["nim", "backgammon"])
def test_threads_change_nothing(name: str) -> None:
    one, two = (sw.game(name).batch(1200, seed=2, threads=threads) for threads in (1, 2))
    for batch in (one, two):
        views = batch.views()
        for _ in range(12):
            batch.random_step(views)
    assert (one.states == two.states).all()
    assert (one.rngs == two.rngs).all()
    for ours, theirs in zip(one.afterstates()[1:], two.afterstates()[1:], strict=True):
        assert (ours == theirs).all()
    assert (one.afterstates().batch.states == two.afterstates().batch.states).all()


def test_copies_and_selections_go_their_own_way() -> None:
    game = sw.game("einstein")
    batch = game.batch([game.start()] * 6, seed=3)
    copy, some = batch.copy(), batch.select([4, 1, 4])
    assert (some.rngs == batch.rngs[[4, 1, 4]]).all()
    batch.roll()
    assert (copy.movers == CHANCE).all()
    copy.roll()
    some.roll()
    assert (copy.states == batch.states).all()
    assert (some.states == batch.states[[4, 1, 4]]).all()


def test_a_mask_selects_boards_as_numbers_do() -> None:
    batch = sw.game("nim").batch(4, seed=2)
    batch.random_step(batch.views())
    for mask in ([False, True, False, True], np.array([False, True, False, True])):
        assert (batch.select(mask).states == batch.states[[1, 3]]).all()
        assert (batch.select(mask).rngs == batch.rngs[[1, 3]]).all()
    assert len(batch.select([])) == len(batch.select(np.zeros(4, bool))) == 0


def rolled(name: str, seed: int = 5) -> Batch:
    """Boards on which somebody is to move, and whose random streams nobody has used since."""
    batch = sw.game(name).batch(40, seed=seed)
    batch.roll()
    return batch


def test_the_ends_of_turns_draw_from_streams_of_their_own() -> None:
    batch = rolled("einstein")
    ends, again = batch.afterstates().batch, batch.afterstates().batch
    further = ends.afterstates().batch
    words = [
        set(each.rngs[:, 0].tolist()) for each in (batch, ends, again, further, sw.game("einstein").batch(40, seed=5))
    ]
    assert not any(one & other for i, one in enumerate(words) for other in words[:i])
    same = rolled("einstein").afterstates().batch
    assert (same.rngs == ends.rngs).all()  # the same seed gives the same


def test_selections_copies_and_turned_boards_keep_streams_that_nobody_has_looked_at() -> None:
    for make in (
        lambda ends: ends.select([5]),
        lambda ends: ends.copy().select([5]),
        lambda ends: ends.turned(0).select([5]),
    ):
        ends = rolled("einstein").afterstates().batch
        assert make(ends).rngs.tolist() == ends.rngs[[5]].tolist()


def test_random_set_ups_differ_from_board_to_board() -> None:
    game = sw.game("nim:stacks=3-3-3,sizes=random", target="python")
    starts = game.batch(20, seed=1)
    assert len(np.unique(starts.states, axis=0)) > 5
    assert (starts.states == game.batch(20, seed=1).states).all()
    assert (starts.states != game.batch(20, seed=2).states).any()


def test_a_batch_may_be_empty() -> None:
    batch = sw.game("nim").batch(0)
    assert len(batch) == len(batch.positions()) == len(batch.actions().values) == len(batch.afterstates().owners) == 0
    assert batch.observe().shape == (0, 5)
    batch.random_step(batch.views())


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (-1, "A batch cannot have -1 boards."),
        (np.zeros((3, 4), np.int64), r"Positions of nim are int64 of shape \[n, 5\], not int64 of shape \[3, 4\]."),
        (np.zeros((3, 5), np.int32), r"Positions of nim are int64 of shape \[n, 5\], not int32 of shape \[3, 5\]."),
        (["1-3-5-7"], "A batch of nim holds positions of nim, not of str objects."),
    ],
)
def test_what_is_no_batch_is_refused(given: object, sentence: str) -> None:
    with pytest.raises(sw.BadInput, match=sentence):
        sw.game("nim").batch(given)


def test_positions_of_another_variant_are_refused() -> None:
    other = sw.game("nim:stacks=1-3-5-8", target="python").start()
    with pytest.raises(sw.BadInput, match=r"A batch of nim holds positions of nim, not of nim:stacks=1-3-5-8."):
        sw.game("nim").batch([sw.game("nim").start(), other])


def test_what_cannot_be_done_is_refused_in_a_sentence() -> None:
    batch = sw.game("nim").batch(3)
    before, ends = batch.states.copy(), batch.afterstates()
    with pytest.raises(sw.BadInput, match=r"Board 1: action 4 is not legal there."):
        batch.play([0, 4, 0])
    with pytest.raises(sw.BadInput, match="3 boards need 3 actions, not an array of shape"):
        batch.play([0, 1])
    with pytest.raises(sw.BadInput, match=r"Board 2: 5 cannot be rolled there."):
        batch.roll([-1, -1, 5])
    with pytest.raises(sw.BadInput, match=r"Board 0: end 16 is not one of its own."):
        batch.take(ends, [16, 16, -1])
    with pytest.raises(sw.BadInput, match=r"nim has only symmetries 0 to 0."):
        batch.turned(1)
    with pytest.raises(sw.BadInput, match=r"There are only boards 0 to 2 in this batch."):
        batch.select([0, 3])
    with pytest.raises(sw.BadInput, match='nim has no inputs "tesauro"'):
        batch.observe("tesauro")
    with pytest.raises(sw.BadInput, match=r'There is no device "tpu"; possible: cpu, cuda.'):
        sw.game("nim").batch(3, "tpu")
    with pytest.raises(sw.BadInput, match=r"A batch cannot use -1 threads; 0 means one per core."):
        sw.game("nim").batch(3, threads=-1)
    with pytest.raises(sw.BadInput, match=r"There are no boards in this batch."):
        sw.game("nim").batch(0).select([0])
    assert (batch.states == before).all()


@pytest.mark.parametrize(
    ("given", "dtype"), [([0.0, 1.0, 0.0], "float64"), ([True, False, True], "bool"), (["0", "1", "2"], "<U1")]
)
def test_what_is_played_rolled_and_taken_are_whole_numbers(given: list[object], dtype: str) -> None:
    batch = sw.game("nim").batch(3)
    before, ends = batch.states.copy(), batch.afterstates()
    for what, tried in (("actions", batch.play), ("outcomes", batch.roll), ("ends", lambda one: batch.take(ends, one))):
        for values in (given, np.array(given)):
            with pytest.raises(sw.BadInput, match=f"3 boards need 3 {what} as whole numbers, not {dtype}."):
                tried(values)
    assert (batch.states == before).all()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ([0.5], "Boards are chosen by whole numbers or by a mask, not by float64."),
        ([True, False], r"A mask of 3 boards has shape \(3,\), not an array of shape \(2,\)."),
        ([[0, 1]], r"Boards are chosen by a list, not an array of shape \(1, 2\)."),
    ],
)
def test_what_selects_no_boards_is_refused(given: list[object], sentence: str) -> None:
    with pytest.raises(sw.BadInput, match=sentence):
        sw.game("nim").batch(3).select(given)


def test_views_and_ends_of_other_boards_are_refused() -> None:
    batch, other = sw.game("nim").batch(3), sw.game("nim:misere=false").batch(3)
    before = batch.states.copy()
    for views in (sw.game("nim").batch(2).views(), sw.game("othello").batch(3).views()):
        shapes = [re.escape(str(list(array.shape))) for array in (views.mask, views.rows)]
        fault = rf"Views of shapes {shapes[0]} and {shapes[1]} do not fit a batch that needs \[3, 28\] and \[3, 5\]; "
        with pytest.raises(sw.BadInput, match=fault):
            batch.random_step(views)
    taken = "3 boards of nim on cpu cannot take the afterstates of"
    with pytest.raises(sw.BadInput, match=f"{taken} 2 boards of nim on cpu."):
        batch.take(sw.game("nim").batch(2).afterstates(), [0, 0, 0], check=False)
    with pytest.raises(sw.BadInput, match=f"{taken} 3 boards of nim:misere=false on cpu."):
        batch.take(other.afterstates(), [0, -1, -1])
    assert (batch.states == before).all()


@pytest.mark.parametrize("name", ["nim", "backgammon", *slow("morris", "einstein", "othello", *PLAIN)])
def test_cuda_agrees_with_the_cpu_on_everything_that_a_batch_says(name: str) -> None:
    command = [sys.executable, str(GPU), "--only", name, "--boards", "9", "--steps", "21"]
    debug = {"SPIELWERK_DEBUG": "1"} if name in PLAIN else {}
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", **debug}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "both targets agree" in done.stdout


def test_the_benchmark_measures_steps_and_afterstates(monkeypatch: pytest.MonkeyPatch) -> None:
    for what, value in (("STEPS", ("nim",)), ("AFTERSTATES", ("morris",)), ("ROUND_SECONDS", 0.001)):
        monkeypatch.setattr(bench, what, value)
    monkeypatch.setitem(bench.BOARDS, "cpu", 64)
    monkeypatch.setitem(bench.EXPANDED, "cpu", 16)
    found = list(bench.rows("cpu", rounds=1))
    assert [row.unit for row in found] == ["steps/s", "afterstates/s"]
    assert all(row.value > 0 for row in found)
    with pytest.raises(sw.BadInput, match=r'There is no device "tpu"; possible: cpu, cuda, both.'):
        list(bench.rows("tpu"))


@pytest.mark.skipif(pgx.load() is None, reason="pgx is not installed")
@pytest.mark.parametrize("name", pgx.GAMES)
def test_pgx_steps_its_boards(name: str) -> None:
    assert pgx.Boards(name, 4, 2, 1).run() > 0


def test_a_game_that_is_over_is_seen_by_whoever_is_to_see_it() -> None:
    game = sw.game("othello:size=4")
    batch = game.batch(random_positions(game, 4)[-40:])
    over = batch.movers == OVER
    assert over.any()
    first, second = (batch.observe("", np.full(len(batch), viewer)) for viewer in (0, 1))
    assert np.array_equal(batch.observe(), first)
    assert np.array_equal(first[~over], second[~over])
    assert (first[over] != second[over]).any()
    with pytest.raises(sw.BadInput, match=r"boards need .* viewers"):
        batch.observe("", [0])
