"""EinStein würfelt nicht!: its rules against other engines' games, exact values, and the book of its variants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.games import registry
from spielwerk.kernel.random import streams
from spielwerk.search.playout import random_games

START = "X1X3X6../X2X5.../X4...O4/...O5O2/..O6O3O1 X -"
THREE, FOUR, SMALL_FOUR = "einstein:board=6,players=3", "einstein:board=6,players=4", "einstein:board=4,players=4"

# Random play from the fixed start, die="nearest": mean plies (passes count), and the mean score of player 0, or of
# the solo player; as another engine measured and refs/einstein prints them, each as the range that rounds to it.
RANDOM_PLAY = {
    "board=3": ((5.975, 5.985), 0, (0.165, 0.175)),
    "board=4": ((11.185, 11.195), 0, (0.105, 0.115)),
    "board=5": ((21.035, 21.045), 0, (0.055, 0.075)),
    "board=6,players=3": ((42.65, 42.75), 2, (0.8915, 0.8925)),
    "board=4,players=4": ((13.385, 13.395), 0, (0.005, 0.015)),
    "board=6,players=4": ((41.25, 41.35), 0, (0.015, 0.035)),
}


def after(game: sw.Game, text: str, *moves: str) -> sw.Position:
    """The position after moves, a number being a roll."""
    position = game.parse(text)
    for move in moves:
        position = position.roll(move) if position.chance else position.play(move)
    return position


def line(board: list[int], player: int, die: int | str) -> str:
    """The text of a position recorded by the other engine."""
    cells = ["." if stone == 0 else f"{'X' if stone > 0 else 'O'}{abs(stone)}" for stone in board]
    return f"{'/'.join(''.join(cells[row : row + 5]) for row in range(0, 25, 5))} {'XO'[player]} {die}"


def step(move: dict[str, int]) -> str:
    """A recorded move."""
    return "-".join(f"{'abcde'[move[end] % 5]}{5 - move[end] // 5}" for end in ("from", "to"))


def test_the_games_of_another_engine_have_the_same_moves_positions_and_results(
    records: Callable[[str], Iterator[Any]],
) -> None:
    game = sw.game("einstein")
    games = list(records("openspiel/ewn_seed1_n200.jsonl.gz"))
    assert len(games) == 200
    for record in games:
        position = game.parse(line(record["setup"]["board"], record["setup"]["first_player"], "-"))
        for ply in record["plies"]:
            position = position.roll(ply["die"])
            assert str(position) == line(ply["board"], ply["player"], ply["die"])
            assert sorted(position.moves()) == sorted(map(step, ply["legal"]))
            position = position.play(step(ply["move"]))
        assert position.scores == tuple(record["returns"])


@pytest.mark.parametrize("variant", RANDOM_PLAY)
def test_random_play_is_as_long_and_as_fair_as_measured_elsewhere(variant: str) -> None:
    game = sw.game(f"einstein:{variant},die=nearest")
    plies, player, score = RANDOM_PLAY[variant]
    rows, games = 400, 100
    totals, sums = np.zeros((rows, 3), np.int64), np.zeros((rows, game.players))
    everything = np.full(rows, games), np.array([1 << 40])
    game.rows(random_games)(rows, streams(1, "random play", rows), *everything, totals, sums)
    assert (totals[:, 2] == games).all()
    for (low, high), samples in ((plies, totals[:, 0] / games), (score, sums[:, player] / games)):
        error = samples.std(ddof=1) / rows**0.5
        assert low - 4 * error <= samples.mean() <= high + 4 * error


def test_the_first_player_wins_3x3_with_probability_170_of_243_and_10198_positions_occur() -> None:
    start = sw.game("einstein:board=3").start()
    for_the_mover = set()

    @cache
    def value(position: sw.Position) -> Fraction:
        """The probability that X wins if both play best."""
        if position.scores:
            return Fraction(position.scores[0] > 0)
        if position.chance:
            for_the_mover.add(seen_by_the_mover(position))
            return sum((value(position.roll(face)) for face in (1, 2, 3)), Fraction(0)) / 3
        best = max if position.mover == 0 else min
        return best(value(position.play(action)) for action in position.actions())

    assert value(start) == Fraction(170, 243)
    assert len(for_the_mover) == 10198


def seen_by_the_mover(position: sw.Position) -> tuple:
    """The cells of the mover and of the opponent, the board turned to the mover's side."""
    stones = position.facts()["stones"]
    if position.roller == 1:
        stones = [[None if cell is None else 8 - cell for cell in cells] for cells in reversed(stones)]
    return tuple(map(tuple, stones))


def test_the_starts_are_those_of_the_rule_book() -> None:
    starts = {
        "einstein:board=3": "X1X3./X2.O2/.O3O1",
        "einstein:board=4": "X1X3../X2.../...O2/..O3O1",
        "einstein": "X1X3X6../X2X5.../X4...O4/...O5O2/..O6O3O1",
        THREE: "X1X3X6.../X2X5..../X4...../*6....O4/*3*5..O5O2/*1*2*4O6O3O1",
        SMALL_FOUR: "X1X2#3#1/X3..#2/*2..O3/*1*3O2O1",
        FOUR: "X1X3X6#4#2#1/X2X5..#5#3/X4....#6/*6....O4/*3*5..O5O2/*1*2*4O6O3O1",
        "einstein:board=6": "X1X3X6.../X2X5..../X4...../.....O4/....O5O2/...O6O3O1",
        "einstein:stones=3": "X1X3.../X2..../...../....O2/...O3O1",
    }
    assert {name: str(sw.game(name).start()) for name in starts} == {
        name: f"{text} X -" for name, text in starts.items()
    }


def test_every_player_goes_towards_the_corner_opposite_to_its_own() -> None:
    game = sw.game(FOUR)
    text = "....../....../X1....#1/....../....../*1....O1"
    moves = {name: game.parse(f"{text} {name} 1").moves() for name in game.player_names}
    assert moves == {
        "X": ["a4-b4", "a4-a3", "a4-b3"],
        "O": ["f1-e1", "f1-f2", "f1-e2"],
        "*": ["a1-a2", "a1-b1", "a1-b2"],
        "#": ["f4-f3", "f4-e4", "f4-e3"],
    }


def test_a_gone_stone_is_replaced_by_the_next_on_either_side_or_by_the_nearest() -> None:
    board = "X1X4.../...../...../...../....O2"
    moves = {1: ["a5"], 2: ["a5", "b5"], 3: ["a5", "b5"], 4: ["b5"], 5: ["b5"], 6: ["b5"]}
    nearest = {**moves, 2: ["a5"], 3: ["b5"]}
    for die, allowed in (("either", moves), ("nearest", nearest)):
        game = sw.game("einstein", die=die)
        for face, origins in allowed.items():
            assert sorted({move[:2] for move in after(game, f"{board} X {face}").moves()}) == origins
    game = sw.game("einstein:die=nearest")
    assert len(after(game, f"{board.replace('X4', 'X3')} X 2").moves()) == 6  # equally near
    assert len(after(game, f"{board} O 6").moves()) == 3


def test_a_stone_takes_what_stands_there_also_an_own_one() -> None:
    game = sw.game("einstein")
    assert str(after(game, START, "1", "a5-b4")) == ".X3X6../X2X1.../X4...O4/...O5O2/..O6O3O1 O -"
    assert str(after(game, "X1O1X2../O2..../...../...../..... X 1", "a5xb5")) == ".X1X2../O2..../...../...../..... O -"


def test_two_players_end_on_the_goal_or_without_stones() -> None:
    game = sw.game("einstein")
    goal = after(game, "...../...../...../...X2./O1..O5. X 2", "d2-e1")
    assert goal.over
    assert goal.scores == (1, -1)
    assert str(goal) == "...../...../...../...../O1..O5X2 X wins"
    taken = after(game, "X1X3.../.O2.../...../...../..... X 1", "b4")
    assert taken.over
    assert taken.scores == (1, -1)
    assert (
        str(after(game, "...../.O4.../X1..../...../..... O -", "2", "a5")) == "O4..../...../X1..../...../..... O wins"
    )


def test_three_players_end_on_the_goal_of_the_third_or_when_a_player_is_beaten() -> None:
    game, rest = sw.game(THREE), "....../" * 3
    pair, solo = (1, 1, -1), (-1, -1, 1)
    assert after(game, f"X1...*2./....../O1...../{rest[:-1]} * 2", "f6").scores == solo
    assert after(game, f"X1*2..../....../O1...../{rest[:-1]} X 1", "b6").scores == pair
    assert after(game, f"X1O2..../....../*1...../{rest[:-1]} X 1", "b6").scores == solo  # the ally's last stone
    assert after(game, f"X1...../*1...../....O1./{rest[:-1]} * 1", "a6").scores == solo


def test_three_players_pass_where_the_stone_rolled_has_no_step() -> None:
    game = sw.game(THREE)
    text = "X2...../....../....../*1...../....../..O1..X1 X 1"
    position = game.parse(text)
    assert position.moves() == ["pass"]
    assert position.actions() == [game.constants["ACTIONS"] - 1]
    assert str(position.play("pass")) == text.replace(" X 1", " O -")
    assert after(game, text.replace(" X 1", " X 2")).moves() == ["a6-b6", "a6-a5", "a6-b5"]
    # The pair has no goal: X in the far corner does not end the game.
    assert not after(game, "....../....../....../*1...../....X1./..O1... X 1", "f1").over


def test_four_players_end_on_a_goal_or_when_a_player_is_beaten_and_the_goal_is_looked_at_first() -> None:
    game = sw.game(SMALL_FOUR)
    even, odd = (1, -1, 1, -1), (-1, 1, -1, 1)
    assert after(game, ".O1../...#1/..X1./*1... X 1", "d1").scores == even
    assert not after(game, ".O1X1./..../...#1/*1... X 1", "d4").over  # the goal of another
    assert not after(game, ".O1.#1/X1#2../..../.*1.. X 1", "b3").over
    assert after(game, ".O1../X1#2../..../.*1.. X 1", "b3").scores == even
    assert after(game, ".X1../..O1./...#1/*1... O 1", "b4").scores == odd
    assert after(game, ".O1.#1/X1*1../..../.... X 1", "b3").scores == odd  # the ally's last stone
    assert after(game, ".O1.#1/..../..X1./...*1 X 1", "d1").scores == even  # the goal, and the ally's last stone
    assert after(game, "..*1X1/.O1../...#1/.... * 1", "d4").scores == even


def test_random_starts_are_the_same_for_all_players_or_free_for_each() -> None:
    turns = {name: sw.game(name).constants["TURNED"] for name in ("einstein", FOUR, THREE, SMALL_FOUR)}
    for name, turned in turns.items():
        settings = dict(part.split("=") for part in name.partition(":")[2].split(",") if part)
        shared, free = (sw.game("einstein", **settings, start=start) for start in ("shared", "free"))
        usual = sw.game(name).start().facts()["stones"]
        unlike = 0
        for seed in range(50):
            stones = shared.start(seed).facts()["stones"]
            assert sorted(stones[0]) == sorted(usual[0])
            assert stones == [[turned[player, cell] for cell in stones[0]] for player in range(shared.players)]
            stones = free.start(seed).facts()["stones"]
            assert list(map(sorted, stones)) == list(map(sorted, usual))
            unlike += stones != [[turned[player, cell] for cell in stones[0]] for player in range(free.players)]
        assert unlike >= 40


def test_all_orders_of_a_random_start_are_equally_likely() -> None:
    game = sw.game("einstein:board=3,start=free")
    starts = [tuple(map(tuple, game.start(seed).facts()["stones"])) for seed in range(7200)]
    for player, cells in enumerate(((0, 1, 3), (5, 7, 8))):
        counts = [sum(start[player] == order for start in starts) for order in permutations(cells)]
        assert sum((count - 1200) ** 2 / 1200 for count in counts) < 25  # chi², 5 degrees of freedom: p < 0.0002
    assert len(set(starts)) == 36


def board_symmetries(size: int) -> Iterator[np.ndarray]:
    """The eight symmetries of the square, as where each cell goes."""
    cells = np.arange(size**2).reshape(size, size)
    for quarters in range(4):
        for image in (np.rot90(cells, quarters), np.rot90(cells, quarters).T):
            yield np.argsort(image.ravel())


@pytest.mark.parametrize(("name", "reflections"), [(SMALL_FOUR, 1), (FOUR, 1), (THREE, 0)])
def test_the_symmetries_are_all_that_keep_the_order_of_play_the_teams_the_steps_and_the_goals(
    name: str, reflections: int
) -> None:
    constants = sw.game(name).constants
    players, to, goals, team = (constants[key] for key in ("PLAYERS", "TO", "GOAL", "TEAM"))
    kept = []
    for image in board_symmetries(constants["SIZE"]):
        moved = np.append(image, [63] * (64 - len(image)))
        for shift in range(players):
            seats = [(player + shift) % players for player in range(players)]
            steps = all(
                {*moved[to[player, cell]]} == {*to[seats[player], moved[cell]]}
                for player in range(players)
                for cell in range(len(image))
            )
            teams = all((team[a] == team[b]) == (team[seats[a]] == team[seats[b]]) for a in seats for b in seats)
            if steps and teams and all(moved[goals[player]] == goals[seats[player]] for player in range(players)):
                kept.append((shift, moved.tolist()))
    ours = [(k * constants["SHIFT"], constants["MIRRORED"][k].tolist()) for k in range(constants["SYMMETRIES"])]
    assert len(kept) == 1 + reflections
    assert sorted(kept) == sorted(ours)


def test_the_reflection_of_two_players_is_the_one_in_their_diagonal() -> None:
    position = sw.game("einstein").start().roll(5)
    assert str(position.turned(1)) == "X1X2X4../X3X5.../X6...O6/...O5O3/..O4O2O1 X 5"
    assert position.turned(1).turned(1) == position


def test_no_game_is_longer_than_its_bound_and_one_stone_each_can_reach_it() -> None:
    @cache
    def longest(position: sw.Position) -> int:
        """The most actions that can follow."""
        if position.over:
            return 0
        if position.chance:
            return max(longest(position.roll(face)) for face, _ in position.outcomes())
        return 1 + max(longest(position.play(action)) for action in position.actions())

    one, two = (sw.game("einstein", board=3, stones=stones) for stones in (1, 2))
    assert longest(one.start()) == one.constants["LONGEST"] == 7
    assert longest(two.start()) <= two.constants["LONGEST"]


def test_what_a_player_sees_is_turned_to_its_own_corner() -> None:
    for name in ("einstein", FOUR, SMALL_FOUR):
        start = sw.game(name).start()
        stones = start.game.constants["STONES"]
        for player in range(1, start.game.players):
            assert (start.observe(player)[:stones] == start.observe(0)[:stones]).all()
    seen = sw.game("einstein").start().roll(4).observe(1)
    assert seen.shape == (20, 5, 5)
    assert [plane for plane in range(12, 20) if seen[plane].all()] == [12 + 3, 18 + 1]  # the die, and it is X's turn


def test_every_end_is_written_and_read_again() -> None:
    for name in registry.variants("einstein"):
        game = sw.game(name)
        for seed in range(30):
            position, number = game.start(seed), seed
            while not position.over:
                number = (number * 1103515245 + 12345) % 2**31
                assert game.parse(str(position)) == position
                if position.chance:
                    position = position.roll(1 + (number >> 16) % game.constants["STONES"])
                else:
                    actions = position.actions()
                    position = position.play(actions[(number >> 16) % len(actions)])
            assert str(position).endswith("wins")
            assert game.parse(str(position)) == position


def test_moves_are_understood_in_the_ways_people_write_them() -> None:
    position = sw.game("einstein").start().roll("6")
    for text in ("c5-d4", "C5-D4", "c5xd4", "c5d4", " c5 d4 ", "d4"):
        assert str(position.play(text)) == "X1X3.../X2X5.X6./X4...O4/...O5O2/..O6O3O1 O -"
    for text in ("", "c5", "a5-c5", "pass", "b5-"):
        with pytest.raises(sw.BadInput):
            position.play(text)
    both = sw.game("einstein").parse("X1X3.../...../...../...../O1.... X 2")
    with pytest.raises(sw.BadInput, match="ambiguous"):
        both.play("b4")


def test_the_usual_number_of_stones_has_no_place_in_the_name() -> None:
    assert sw.game("einstein:board=5,stones=6") == sw.game("einstein") == sw.game("einstein", stones=0)
    assert sw.game("einstein:board=4,stones=3").name == "einstein:board=4"
    assert sw.game("einstein:board=6,players=4,stones=6").name == FOUR
    assert sw.game("einstein:board=5,stones=3").name == "einstein:stones=3"
    assert sw.game("einstein:board=4,stones=6").name == "einstein:board=4,stones=6"


def test_the_state_spaces_are_those_of_the_literature() -> None:
    assert sw.game("einstein:board=4").states == 6337216
    assert sw.game(SMALL_FOUR).states == 1079933185216
    assert f"{sw.game('einstein').states:.2e}" == "2.68e+15"
    assert f"{sw.game(FOUR).states:.3e}" == "8.409e+32"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("einstein:board=2", "board cannot be"),
        ("einstein:board=3,stones=6", "no room for 6 stones each; possible: 1 to 4"),
        ("einstein:stones=7", "stones cannot be"),
        ("einstein:players=3", "3 players cannot play on board 5; possible: board 6"),
        ("einstein:players=4", "4 players cannot play on board 5; possible: board 4 or 6"),
        ("einstein:board=6,players=4,stones=3", "4 players on board 6 have 6 stones each, not 3"),
        ("einstein:die=any", "die cannot be"),
        ("einstein:start=random", "start cannot be"),
    ],
)
def test_variants_that_cannot_exist_are_refused(name: str, message: str) -> None:
    with pytest.raises(sw.BadInput, match=message):
        sw.game(name)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonsense", "not a position of einstein"),
        (START[:-1], "not a position"),
        (START.replace("X -", "X 11"), "not a position"),
        (START.replace("X4...O4", "X4..O4"), "not 5 rows of 5 cells"),
        (START.replace("/..O6O3O1", ""), "not 5 rows of 5 cells"),
        (START.replace("X1X3", "XX3"), 'no stone "X"'),
        (START.replace("X2X5", "X7X5"), 'no stone "X7"'),
        (START.replace("X2X5", "X0X5"), 'no stone "X0"'),
        (START.replace("X2X5", "X²X5"), "not 5 rows|no stone"),
        (START.replace("X2X5", "#2X5"), 'no stone "#2"'),
        (START.replace("X2", "X1"), "X1 is on the board twice"),
        (START.replace("X -", "# -"), "is not a player of"),
        (START.replace("X -", "XO -"), "is not a player of"),
        (START.replace("X -", "X 0"), "die cannot show 0"),
        (START.replace("X -", "X 7"), "die cannot show 7"),
        (START.replace("X -", "X wins"), "not over"),
        ("O1..../...../...../...../....X1 X wins", "cannot both be on their goals"),
        ("...../...../...../...../..... X wins", "cannot both be without a stone"),
        ("...../O1..../...../...../....X1 X -", 'The game is over: write "X wins"'),
        ("...../O1..../...../...../....X1 O wins", 'The game is over: write "X wins"'),
        ("...../...../...../...../.O1... X 3", 'The game is over: write "O wins"'),
    ],
)
def test_positions_that_cannot_occur_are_refused(text: str, message: str) -> None:
    with pytest.raises(sw.BadInput, match=message):
        sw.game("einstein").parse(text)


def test_a_board_is_drawn_for_every_variant() -> None:
    for name in registry.variants("einstein"):
        position = sw.game(name).start().roll("1")
        size = position.game.constants["SIZE"]
        assert position.board().count("│") == size * (size + 1)
        assert position.board().splitlines()[-1] == "X to play 1"
        stones = position.game.players * position.game.constants["STONES"]
        assert position.svg().count('class="light"') == stones + 1  # and the die
        assert position.svg().count("<circle") == 1  # its pip
