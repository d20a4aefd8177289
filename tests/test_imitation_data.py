"""Observed moves: parts of a move, the published games, symmetries, splits, and datasets of our own."""

from __future__ import annotations

import gzip
import itertools
from pathlib import Path

import numpy as np
import pytest

import spielwerk as sw
from conftest import Run
from spielwerk.agents.registry import agent
from spielwerk.games.game import Game
from spielwerk.games.move_parts.listing import broken_rules, legal_moves, phases
from spielwerk.games.position import Position
from spielwerk.games.random_positions import positions
from spielwerk.learn.imitation.data import published
from spielwerk.learn.imitation.data.analysis import legal_in
from spielwerk.learn.imitation.data.expansion import expanded, orbits
from spielwerk.learn.imitation.data.folder import dataset
from spielwerk.learn.imitation.data.generator import Generator
from spielwerk.learn.imitation.data.labelling import label, labels
from spielwerk.learn.imitation.data.observed import Observed, keys
from spielwerk.learn.imitation.data.plan import DatasetPlan
from spielwerk.learn.imitation.data.shards import FORMATS, read_shard, shards, write_shard
from spielwerk.learn.imitation.data.splits import SPLITS, split
from spielwerk.names import BadInput
from spielwerk.solvers.oracle import oracle

pytestmark = pytest.mark.usefixtures("home")
ALL = ("morris", "morris:rules=lasker", "einstein", "einstein:board=6,players=3", "othello", "nim", "backgammon")
RULED = (*ALL, "backgammon:checkers=3")


@pytest.fixture(scope="module")
def pairs(refs: Path) -> Observed:
    return published.read(refs / "nnmm" / f"{published.PAIRS}.gz", sw.game("morris"), True)[0]


@pytest.fixture(scope="module")
def states(refs: Path) -> Observed:
    return published.read(refs / "nnmm" / f"{published.STATES}.gz", sw.game("morris"), False)[0]


# Parts of a move


@pytest.mark.parametrize("name", ALL)
def test_different_legal_moves_have_different_parts(name: str) -> None:
    game = sw.game(name)
    listed = legal_moves(game.batch(positions(game, "reachable", 1, 100), threads=1))
    rows = np.concatenate([listed.owners[:, None], listed.parts], axis=1)
    assert len(np.unique(rows, axis=0)) == len(rows) > 100


@pytest.mark.parametrize("how", ["random", "reachable"])
@pytest.mark.parametrize("name", RULED)
def test_a_move_breaks_no_rule_exactly_where_it_is_legal(name: str, how: str) -> None:
    game = sw.game(name)
    given = positions(game, how, 2, 5)
    listed = legal_moves(game.batch(given, threads=1))
    every = np.array(list(itertools.product(*map(range, game.move_parts.sizes))), np.int16)
    for i, state in enumerate(given):
        rules = broken_rules(game.batch(np.repeat(state[None], len(every), 0), threads=1), every)
        legal = listed.parts[listed.offsets[i] : listed.offsets[i + 1]]
        assert {*map(tuple, every[rules < 0].tolist())} == {*map(tuple, legal.tolist())}


def test_the_moves_of_morris_are_its_turns() -> None:
    game = sw.game("morris")
    given = positions(game, "random", 3, 20)
    listed = legal_moves(game.batch(given, threads=1))
    for i, state in enumerate(given):
        assert listed.offsets[i + 1] - listed.offsets[i] == len(Position(game, state).turns())


def test_an_order_has_each_part_once() -> None:
    parts = sw.game("morris").move_parts
    assert parts.places("rft") == (2, 1, 0)
    with pytest.raises(BadInput, match=r'order cannot be "TTR"; it has each part once'):
        parts.places("TTR")


def test_random_positions_of_morris_keep_the_constraints_of_the_source() -> None:
    game = sw.game("morris")
    words = positions(game, "random", 1, 500)
    men, hands = np.bitwise_count(words[:, 1:3]), words[:, 3:5]
    assert (words[:, 0] == 0).all()
    assert (hands[:, 0] == hands[:, 1]).all()
    assert ((men + hands >= 3) & (men + hands <= 9)).all()


# The published games


def test_the_published_games_are_read_as_described(pairs: Observed, states: Observed) -> None:
    assert len(pairs) == 100_154
    assert len(states) == 121_731
    assert np.bincount(phases(pairs.batch())).tolist() == [18_399, 65_466, 16_289]
    assert int((pairs.parts()[:, 2] < 24).sum()) == 25_767


@pytest.mark.parametrize(("how", "counts"), [("symmetries", (1_592_239, 1_945_308)), ("paper", (1_628_673, 2_085_613))])
def test_symmetries_give_the_known_counts(pairs: Observed, states: Observed, how: str, counts: tuple[int, int]) -> None:
    assert (len(expanded(pairs, how)), len(expanded(states, how))) == counts


def test_legal_moves_are_as_rare_as_the_source_says(pairs: Observed, states: Observed) -> None:
    found = [legal_in(expanded(given, "paper")) for given in (pairs, states)]
    assert [(one.least, one.most, round(one.mean)) for one in found] == [(1, 58, 18), (1, 58, 22)]
    nowhere = np.all([one.legal == 0 for one in found], axis=0).reshape(25, 25, 25)[:24]
    assert int(nowhere.sum()) == 1920
    often = np.all([one.shares > 0.1 for one in found], axis=0).reshape(25, 25, 25)
    assert int(often.sum()) == 32
    assert all(one.shares.max() < 0.13 for one in found)
    assert not often[:, :, :24].any()


def test_turned_moves_are_legal(pairs: Observed) -> None:
    few = expanded(pairs.rows(np.arange(0, len(pairs), 500)), "paper")
    assert (broken_rules(few.batch(), few.parts()) == -1).all()


def test_a_clean_split_keeps_twins_together(pairs: Observed) -> None:
    few = expanded(pairs.rows(np.arange(300)), "symmetries")
    found = split(few, "clean", 1)
    assert sum(map(len, found)) == len(few)
    own = orbits(few.game, few.states)
    assert not np.isin(own[found.training], own[found.test]).any()
    drawn = split(few, "paper", 1)
    assert np.isin(own[drawn.test], own[drawn.training]).mean() > 0.9


@pytest.mark.parametrize("how", SPLITS)
def test_a_share_of_what_is_learned_are_whole_orbits(pairs: Observed, how: str) -> None:
    few = expanded(pairs.rows(np.arange(1000)), "paper")
    own = orbits(few.game, few.states)
    whole, part = split(few, how, 1), split(few, how, 1, share=0.1)
    assert np.array_equal(whole.test, part.test)
    assert np.isin(part.training, whole.training).all()
    learned, known = np.unique(own[part.training]), np.unique(own[whole.training])
    assert 0.07 < len(learned) / len(known) < 0.13
    assert np.isin(own[part.test], own[part.training]).mean() < 0.13  # twins of others are not learned either


def written(path: Path, lines: list[str]) -> Path:
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    return path


def test_bad_lines_are_numbered_and_skipped(tmp_path: Path, refs: Path) -> None:
    with gzip.open(refs / "nnmm" / f"{published.PAIRS}.gz", "rt") as file:
        good = [next(file).strip() for _ in range(6)]
    wrong = good[0].partition("-")[0]
    lines = [*good[:3], "nonsense", *good[3:], wrong, f"{wrong}-a7a7a7"]
    path = tmp_path / "some.txt.gz"
    path.write_bytes(gzip.compress("\n".join(lines).encode() + b"\n\xff\xfe are no letters"))
    found, bad = published.read(path, sw.game("morris"), True)
    assert len(found) == 6
    assert [number for number, _ in bad.found] == [4, 8, 9, 10]
    assert bad.report()[-1].endswith("4 bad lines skipped, 6 read.")


def test_commands_say_which_lines_they_could_not_read(tmp_path: Path, refs: Path, spielwerk: Run) -> None:
    with gzip.open(refs / "nnmm" / f"{published.PAIRS}.gz", "rt") as file:
        good = [next(file).strip() for _ in range(300)]
    (tmp_path / "some").mkdir()
    written(tmp_path / "some" / f"{published.PAIRS}.gz", [*good[:3], "nonsense", *good[3:]])
    folder, small = str(tmp_path / "some"), ("epochs=1", "batch=100", "width=8", "inner=8", "order=FTR", "expand=none")
    told = ("--name", "small", "--games", "4", "--decisions", "4", "--seeds", "1,2")
    code, _, error = spielwerk("train", "imitation", "morris", f"data={folder}", *small, *told)
    assert (code, " ".join(error.split()).count('line 4: "nonsense" is no position')) == (0, 1)
    code, _, error = spielwerk("imitation", "measure", "small", "--sets", "matches", "--positions", "10")
    assert (code, "1 bad line skipped, 300 read" in " ".join(error.split())) == (0, True)
    for data, said in (("nowhere", "There is no folder nowhere"), (str(tmp_path), "holds no observed moves")):
        code, _, error = spielwerk("imitation", "measure", "small", "--data", data)
        assert (code, said in " ".join(error.split())) == (2, True)


def test_a_file_with_more_bad_lines_than_good_ones_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"2 bad lines and only 0 good ones; the first of them, line 1"):
        published.read(written(tmp_path / "x.gz", ["one", "two"]), sw.game("morris"), True)


# Datasets of our own


def generated(folder: Path, game: str, **more: object) -> Generator:
    given = {"games": 130, "states": 50, **more}
    made = Generator(DatasetPlan(game, "random", **given), folder, lambda name, own: agent(name, own))  # type: ignore[arg-type]
    made.begin()
    return made


def nobody(done: int, found: int) -> None:
    """Hears nothing."""


@pytest.mark.parametrize("form", FORMATS)
def test_a_dataset_has_no_position_twice_and_legal_moves_only(tmp_path: Path, form: str) -> None:
    game: Game = sw.game("othello:size=4")
    counts = generated(tmp_path / "d", game.name, form=form, opponents=("self", "random")).go(nobody, nobody)
    found = dataset(str(tmp_path / "d"), game, "none")
    assert (len(found.pairs), found.notes) == (counts["pairs"], ())
    assert found.states is not None
    own, further = orbits(game, found.pairs.states), orbits(game, found.states.states)
    assert len(np.unique(own)) == len(own)
    assert not np.isin(further, own).any()


def test_an_interrupted_dataset_resumes_without_a_position_twice(tmp_path: Path) -> None:
    class Killed(Exception):
        pass

    def kill(done: int, found: int) -> None:
        raise Killed

    whole = generated(tmp_path / "whole", "morris").go(nobody, nobody)
    with pytest.raises(Killed):
        generated(tmp_path / "part", "morris").go(kill, nobody)
    assert generated(tmp_path / "part", "morris").go(nobody, nobody) == whole
    game = sw.game("morris")
    one, other = (keys(game, dataset(str(tmp_path / name), game, "none").pairs.states) for name in ("whole", "part"))
    assert one.tolist() == other.tolist()


def test_shards_that_brought_nothing_new_are_no_fault(tmp_path: Path) -> None:
    counts = generated(tmp_path / "d", "nim:stacks=1-2", states=0).go(nobody, nobody)
    found = dataset(str(tmp_path / "d"), sw.game("nim:stacks=1-2"), "none")
    assert 0 < len(found.pairs) == counts["pairs"] < 10


def test_another_plan_is_refused_in_a_folder_that_was_begun(tmp_path: Path) -> None:
    generated(tmp_path / "d", "nim")
    with pytest.raises(BadInput, match=r"was begun with games=130, not 131; name another folder"):
        generated(tmp_path / "d", "nim", games=131)


def test_a_damaged_shard_is_not_gone_on_with(tmp_path: Path) -> None:
    generated(tmp_path / "d", "nim", states=0).go(nobody, nobody)
    file = shards(tmp_path / "d", "pairs")[0]
    rows = [row for _, row in read_shard(file)]
    write_shard(file, [*rows[:2], rows[2] | {"actions": []}, *rows[3:]])
    with pytest.raises(BadInput, match=r"pairs-000000\.jsonl\.gz is damaged: line 3: there is no move"):
        generated(tmp_path / "d", "nim", states=0)


def test_fewer_positions_than_were_asked_for_are_told(tmp_path: Path) -> None:
    found = sw.dataset("nim:stacks=1-2", "random", tmp_path / "d", games=20, states=1000)
    assert found.notes == (f"Only {found.states:,} further positions were found, where 1,000 were asked for.",)
    assert sw.dataset("nim", "random", tmp_path / "e", games=20, states=5).notes == ()


def test_labelling_goes_on_with_the_same_positions_only(tmp_path: Path) -> None:
    game = sw.game("nim")
    knows, given = oracle(game), Observed(game, positions(game, "reachable", 1, 40))
    for _ in range(2):  # what is there counts as well
        assert label(given, knows, tmp_path / "out", "jsonl", nobody) == 40
    with pytest.raises(BadInput, match="holds something else"):
        label(Observed(game, positions(game, "reachable", 2, 40)), knows, tmp_path / "out", "jsonl", nobody)


def test_labels_of_the_oracle_keep_the_value_of_the_position() -> None:
    game = sw.game("nim")
    given = Observed(game, positions(game, "reachable", 1, 40))
    found = labels(given, oracle(game))
    assert found.best is not None
    assert len(found) == 40
    for i, state in enumerate(found.states):
        position = Position(game, state)
        truth = oracle(game).truth(position)
        after = position.after(int(found.moves[i, 0]))
        known = oracle(game).truth(after)
        value = after.scores[position.mover] if after.scores else -known.value if known else None
        assert truth is not None
        assert value == truth.value


def test_the_commands_make_and_describe_a_dataset(tmp_path: Path, spielwerk: Run) -> None:
    code, out, _ = spielwerk("dataset", "nim", "--teacher", "random", "--games", "20", "--out", str(tmp_path / "d"))
    assert code == 0
    assert "observed moves" in out
    code, out, _ = spielwerk("imitation", "data", "nim", str(tmp_path / "d"), "--json")
    assert code == 0
    assert '"never"' in out
    code, _, err = spielwerk("imitation", "data", "morris", str(tmp_path / "d"))
    assert (code, "holds moves of nim, not of morris" in err) == (2, True)
