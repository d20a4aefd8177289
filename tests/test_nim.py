"""Nim: another engine's games, Bouton's theory, random set-ups."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, reduce
from itertools import product
from operator import xor
from typing import Any

import pytest

import spielwerk as sw

FILES = [("nim", "nim_seed1_n200"), ("nim:stacks=3-4-5,misere=false", "nim_normal_seed1_n200")]


@pytest.mark.parametrize(("name", "file"), FILES)
def test_another_engines_games_have_the_same_moves_and_results(
    name: str, file: str, records: Callable[[str], Iterator[Any]]
) -> None:
    for record in records(f"openspiel/{file}.jsonl.gz"):
        position = sw.game(name).start()
        for ply in record["plies"]:
            assert position.mover == ply["player"]
            assert str(position).split()[0] == "-".join(map(str, ply["piles"]))
            legal = {f"{move['pile'] + 1}:{move['take']}" for move in ply["legal"]}
            assert set(position.moves()) == legal
            position = position.play(f"{ply['move']['pile'] + 1}:{ply['move']['take']}")
        assert position.scores == tuple(record["returns"])


@cache
def wins(position: sw.Position) -> bool:
    """Whether the player to move wins with best play."""
    if position.scores:
        return position.scores[position.words[0]] > 0
    return any(not wins(position.play(action)) for action in position.actions())


@pytest.mark.parametrize("misere", [True, False])
def test_positions_are_won_exactly_as_boutons_theory_says(misere: bool) -> None:
    game = sw.game("nim:stacks=3-4-5", misere=misere)
    for stacks in product(range(4), range(5), range(6)):
        position = game.parse(f"{'-'.join(map(str, stacks))} A")
        nimber = reduce(xor, stacks)
        won = nimber == 0 if misere and max(stacks) <= 1 else nimber != 0
        assert wins(position) == won, position


def test_random_sizes_lie_between_one_and_the_size_given_and_all_occur() -> None:
    game = sw.game("nim:stacks=2-5,sizes=random")
    starts = {game.start(seed).words[1:] for seed in range(300)}
    assert starts == set(product((1, 2), (1, 2, 3, 4, 5)))


def test_simple_nim_fills_one_stack_drawn_at_random() -> None:
    starts = {sw.game("nim:stacks=3-4-5,simple=true").start(seed).words[1:] for seed in range(60)}
    assert starts == {(3, 0, 0), (0, 4, 0), (0, 0, 5)}


@pytest.mark.parametrize("simple", [False, True])
def test_random_starts_are_listed_as_they_are_drawn(simple: bool) -> None:
    game = sw.game("nim:stacks=2-3-2,sizes=random", simple=simple)
    listed = list(game.starts())
    assert len(set(listed)) == len(listed) == (2 + 3 + 2 if simple else 2 * 3 * 2)
    assert set(listed) == {game.start(seed) for seed in range(300)}
    assert not list(sw.game("nim").starts())  # where sizes are fixed, drawing finds what there is


def test_the_symmetries_are_the_exchanges_of_equal_stacks() -> None:
    position = sw.game("nim:stacks=2-5-2").parse("1-4-2 B")
    assert {str(position.turned(k)) for k in range(2)} == {"1-4-2 B", "2-4-1 B"}
    assert sw.game("nim:stacks=3-3-3-2-2").constants["SYMMETRIES"] == 12
    assert sw.game("nim:stacks=9-9-9-9-9-9-9").constants["SYMMETRIES"] == 7  # too many: rotations only


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1-3-5 A", "has 3 stacks; nim has 4"),
        ("1-3-5-8 A", "Stack 4 cannot have 8 matches"),
        ("1-3-5-7 C", "is not a position of nim"),
        ("1-3-5--1 A", "is not a position of nim"),
    ],
)
def test_an_impossible_position_is_refused(text: str, reason: str) -> None:
    with pytest.raises(sw.BadInput, match=reason):
        sw.game("nim").parse(text)
    with pytest.raises(sw.BadInput, match="more than one filled stack"):
        sw.game("nim:simple=true").parse("1-3-0-0 A")
