"""Nim, solved: Bouton's theory, an independent count of turns, and tables that do not fit or are damaged."""

from __future__ import annotations

from functools import cache, reduce
from itertools import product
from operator import xor
from pathlib import Path

import pytest

import spielwerk as sw
from spielwerk.games.position import Position
from spielwerk.solvers import nim
from spielwerk.solvers.oracle import Oracle, Truth, oracle, truth_after


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPIELWERK_HOME", str(tmp_path))


def known(solved: Oracle, position: Position) -> Truth:
    found = solved.truth(position)
    assert found is not None
    return found


def positions(game: sw.Game) -> list[Position]:
    stacks = product(*(range(size + 1) for size in game.constants["SIZES"].tolist()))
    return [game.parse(f"{'-'.join(map(str, stack))} A") for stack in stacks if any(stack)]


def wins(stacks: list[int], misere: bool) -> bool:
    """Bouton 1901: the nim-sum decides; in misère play, once no stack has two matches, the number of stacks does."""
    if misere and max(stacks) <= 1:
        return sum(stacks) % 2 == 0
    return reduce(xor, stacks) != 0


@pytest.mark.parametrize("misere", [True, False])
@pytest.mark.parametrize("stacks", ["1-3-5-7", "3-4-5", "8", "2-2-2-2"])
def test_who_wins_is_what_bouton_says(stacks: str, misere: bool) -> None:
    game = sw.game("nim", stacks=stacks, misere=misere)
    solved = oracle(game)
    assert solved.complete
    for position in positions(game):
        assert known(solved, position).value == (1 if wins(list(position.words[1:]), misere) else -1)


@cache
def turns(stacks: tuple[int, ...], misere: bool) -> tuple[bool, int]:
    """Whether the mover wins, and in how many turns: the winner soon, the loser late."""
    if not any(stacks):
        return misere, 0
    after = [
        turns((*stacks[:i], left, *stacks[i + 1 :]), misere) for i, size in enumerate(stacks) for left in range(size)
    ]
    losses = [distance for won, distance in after if not won]
    return (True, 1 + min(losses)) if losses else (False, 1 + max(distance for _, distance in after))


@pytest.mark.parametrize("misere", [True, False])
def test_the_winner_wins_soon_and_the_loser_loses_late(misere: bool) -> None:
    game = sw.game("nim", stacks="3-4-5", misere=misere)
    solved = oracle(game)
    for position in positions(game):
        won, distance = turns(position.words[1:], misere)
        assert known(solved, position) == Truth(1.0 if won else -1.0, distance)


def test_the_best_turn_leads_to_the_truth_of_the_position() -> None:
    game = sw.game("nim:stacks=2-3-4")
    solved = oracle(game)
    for position in positions(game):
        here = known(solved, position)
        after = [truth_after(solved, turn.end, position.mover) for turn in position.turns()]
        assert max(truth.value for truth in after if truth) == here.value
        distances = [truth.distance for truth in after if truth and truth.value == here.value and truth.distance]
        assert (min if here.value > 0 else max)(distances) == here.distance


def test_the_player_to_move_does_not_matter() -> None:
    game = sw.game("nim")
    assert known(oracle(game), game.parse("1-2-3-3 A")) == known(oracle(game), game.parse("1-2-3-3 B"))


def test_of_one_stack_the_number_of_matches_is_all_that_matters() -> None:
    game = sw.game("nim:stacks=64-64-64-64-64-64-64-5,simple=true")
    solved = oracle(game)
    assert known(solved, game.parse("0-0-1-0-0-0-0-0 A")) == Truth(-1.0, 1)
    assert known(solved, game.parse("0-0-0-0-0-0-0-5 A")) == Truth(1.0, 2)
    assert known(solved, game.parse("64-0-0-0-0-0-0-0 B")) == Truth(1.0, 2)


def test_random_sizes_share_the_table_of_fixed_ones(tmp_path: Path) -> None:
    game = sw.game("nim:stacks=3-4-5,sizes=random")
    position = game.parse("3-4-5 A")
    assert known(oracle(game), position) == known(oracle(sw.game("nim:stacks=3-4-5")), position)
    assert [path.name for path in (tmp_path / "tables").iterdir()] == ["nim_stacks=3-4-5"]


def test_solving_tells_the_facts_and_the_progress() -> None:
    seen: list[tuple[int, int]] = []
    facts = nim.solve(sw.game("nim"), nim.Settings(), lambda done, total: seen.append((done, total)))
    assert facts["game"] == "nim"
    assert facts["states"] == 2 * 4 * 6 * 8
    assert facts["value"] == -1  # 1 ^ 3 ^ 5 ^ 7 = 0
    assert facts["seconds"] > 0
    assert seen[-1] == (384, 384)


def test_too_many_positions_are_refused_with_the_figure() -> None:
    game = sw.game("nim:stacks=64-64-64-64-64-64-64-64")
    with pytest.raises(sw.BadInput, match=r"This needs 637,\d{3}\.\d GB of disk"):
        oracle(game).truth(game.start())


def test_a_damaged_table_is_refused_and_not_replaced(tmp_path: Path) -> None:
    game = sw.game("nim")
    known(oracle(game), game.start())
    (path,) = (tmp_path / "tables").rglob("*.table")
    data = bytearray(path.read_bytes())
    data[-5] ^= 1
    path.write_bytes(data)
    with pytest.raises(sw.BadInput, match=r"turns\.table is damaged"):
        oracle(game).truth(game.start())
    assert path.read_bytes() == data


def test_the_kernels_also_run_as_plain_python() -> None:
    game = sw.game("nim:stacks=2-3", target="python")
    assert known(oracle(game), game.parse("2-2 A")) == Truth(-1.0, turns((2, 2), True)[1])
