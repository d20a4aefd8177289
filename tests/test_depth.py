"""Depth-first search over turns, against a plain recursion, exact values, and a game of three sides."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product

import numpy as np
import pytest

import heap_game
import spielwerk as sw
from spielwerk.agents.depth import Expectimax, Searching
from spielwerk.agents.registry import agent
from spielwerk.games.evaluation import evaluation
from spielwerk.games.game import Game
from variants import random_positions

Values = tuple[float, ...]


def plainly(leaf: Callable[[sw.Position], Values]) -> Callable[[sw.Position, int], Values]:
    """What each player expects in a position, so many turns deep, by the definition."""

    @cache
    def values(position: sw.Position, left: int) -> Values:
        if position.scores is not None:
            return position.scores
        if left == 0:
            return leaf(position)
        if position.chance:
            known = [(share, values(position.roll(outcome), left)) for outcome, share in position.outcomes()]
            return tuple(sum(share * each[p] for share, each in known) for p in range(position.game.players))
        ends = [values(turn.end, left - 1) for turn in position.turns()]
        return max(ends, key=lambda each: each[position.mover])

    return values


def leaves(game: Game, start: sw.Position) -> Callable[[sw.Position], Values]:
    """The game's usual evaluation, as one who decides in `start` uses it."""
    used = evaluation(game)
    game.kernel(used.before)(start.state, used.data)
    value = game.kernel(used.evaluate)
    return lambda position: tuple(value(position.state, player, used.data) for player in range(game.players))


def unknown(position: sw.Position) -> Values:
    return (0.0,) * position.game.players


def decisions(game: Game, seed: int) -> list[sw.Position]:
    return [position for position in random_positions(game, seed) if len(position.turns()) > 1]


def check(name: str, position: sw.Position, leaf: Callable[[sw.Position], Values]) -> None:
    """That the agent's values of all turns are those of the definition, and that it takes one of the best."""
    player = agent(name, position.game)
    assert isinstance(player, Expectimax)
    values, analysis = plainly(leaf), player.analyse(position)
    for move in analysis.moves:
        expected = values(position.play(move.move), player.depth - 1)[position.mover]
        assert move.value == pytest.approx(expected, abs=1e-12)
    known = [move.value or 0.0 for move in analysis.moves]
    assert known == sorted(known, reverse=True)
    assert len(known) == len(position.turns())
    assert analysis.value == known[0]
    taken = player.choose(position)
    assert taken == analysis.moves[0].move


def test_einstein_on_nine_cells_has_its_exact_value() -> None:
    game = sw.game("einstein:board=3")
    analysis = agent("expectimax:depth=10,value=none", game).analyse(game.start())  # a longer game is no good one
    assert ((analysis.value or 0.0) + 1) / 2 == pytest.approx(170 / 243, abs=1e-12)
    assert analysis.moves == ()


def test_to_the_end_it_values_every_turn_as_a_plain_recursion_does() -> None:
    game = sw.game("einstein:board=3")
    for position in decisions(game, 1)[1:] + decisions(game, 2)[1:]:
        check("expectimax:depth=8,value=none", position, unknown)
    game = sw.game("einstein:board=4")
    for position in decisions(game, 3)[-3:]:
        check("maxn:depth=8,value=none", position, unknown)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_teams_of_four_players_search_as_a_plain_recursion_does(depth: int) -> None:
    game = sw.game("einstein:board=4,players=4")
    for position in decisions(game, 4)[::3]:
        check(f"maxn:depth={depth}", position, leaves(game, position))


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        (".b....E.C...eE...c.e....B. X 31", 1),
        (".b....E.C...eE...c.e....B. O 33", 1),
        ("..A....AB...a......b....a. X 22", 1),
        ("..A....A....a......a....a. X 22", 2),
        ("..A.............a.....Aaa. O 65", 2),
    ],
)
def test_a_double_is_one_turn(text: str, depth: int) -> None:
    game = sw.game("backgammon:scoring=full")
    check(f"expectimax:depth={depth}", game.parse(text), leaves(game, game.parse(text)))


def test_nim_is_played_perfectly() -> None:
    game = sw.game("nim:stacks=1-2-3,misere=false", target="python")
    player = agent("maxn:depth=6,value=none", game)
    for stacks in product(range(2), range(3), range(4)):
        if any(stacks):
            position = game.parse(f"{'-'.join(map(str, stacks))} A")
            won = stacks[0] ^ stacks[1] ^ stacks[2] != 0
            assert player.analyse(position).value == (1.0 if won else -1.0)
            after = position.play(player.choose(position)).words[1:]
            assert not won or after[0] ^ after[1] ^ after[2] == 0


def test_a_win_in_one_turn_is_taken_at_any_depth() -> None:
    game = sw.game("einstein:board=4")
    players = [agent(f"expectimax:depth={depth}", game) for depth in (1, 2, 4)]
    for position in [position for seed in range(20) for position in decisions(game, seed)]:
        if any((turn.end.scores or (0, 0))[position.mover] == 1 for turn in position.turns()):
            for player in players:
                assert (position.play(player.choose(position)).scores or (0, 0))[position.mover] == 1


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 12])
def test_three_sides_each_look_after_themselves(depth: int) -> None:
    game = heap_game.made()
    searcher = Expectimax.made(game, Searching(depth))
    gifts = heap_game.GIFTS
    values = plainly(lambda position: tuple(gifts[(p - position.words[0] + position.words[1]) % 3] for p in range(3)))
    for heap in range(1, 13):
        position = sw.Position(game, np.array([heap % 3, heap]))
        known = searcher.analyse(position)
        for move in known.moves:
            assert move.value == values(position.play(move.move), depth - 1)[position.mover]
        assert searcher.choose(position) in [move.move for move in known.moves if move.value == known.value]


@pytest.mark.parametrize(
    ("name", "game", "reason"),
    [
        ("expectimax:depth=0", "nim", "depth must be 1 to 100, not 0"),
        ("expectimax:depth=101", "nim", "depth must be 1 to 100, not 101"),
        ("maxn:value=rac", "einstein", 'einstein has no evaluation "rac". Did you mean "race"?'),
        ("pubeval", "nim", "pubeval plays backgammon, not nim"),
        ("race", "othello", "race plays einstein, not othello"),
        ("race", "einstein:board=6,players=3", "two or four players"),
        ("race:depth=0", "einstein", "depth must be 1 to 100, not 0"),
    ],
)
def test_what_cannot_be_played_is_said_in_a_sentence(name: str, game: str, reason: str) -> None:
    with pytest.raises(sw.BadInput, match=reason.replace(".", r"\.").replace("?", r"\?")):
        agent(name, game)
