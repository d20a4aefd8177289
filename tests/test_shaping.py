"""What shaped rewards can be made of: counted by hand, counted again from the rule book, the same on turned boards."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.games.face.morris import point_names
from spielwerk.games.shaping.rows import term_rows, terms_of
from variants import DEFAULTS, random_positions

RULES = ["standard", "lasker", "morabaraba", "six"]
SQUARES = """
a7 d7 g7, b6 d6 f6, c5 d5 e5, a4 b4 c4, e4 f4 g4, c3 d3 e3, b2 d2 f2, a1 d1 g1,
a7 a4 a1, b6 b4 b2, c5 c4 c3, d7 d6 d5, d3 d2 d1, e5 e4 e3, f6 f4 f2, g7 g4 g1
"""
DIAGONALS = "a7 b6 c5, g7 f6 e5, a1 b2 c3, g1 f2 e3"
SMALL = """
a5 c5 e5, b4 c4 d4, b2 c2 d2, a1 c1 e1, a5 a3 a1, b4 b3 b2, d4 d3 d2, e5 e3 e1,
c5 c4, a3 b3, d3 e3, c2 c1
"""
LINES = {"standard": SQUARES, "lasker": SQUARES, "morabaraba": f"{SQUARES}, {DIAGONALS}", "six": SMALL}

MILL = """
O-----O-----O
| .---@---. |
| | .-.-. | |
.-.-.   .-.-.
| | .-.-. | |
| .---@---. |
.-----@-----.
"""
BLOCK = """
O-----O-----@
| .---.---. |
| | .-.-. | |
O-.-.   .-.-.
| | .-.-. | |
| .---.---. |
.-----.-----@
"""
TWO_MILLS_AND_TWO_BLOCKS = """
.-----.-----.
| O---O---O |
| | .-@-. | |
.-O-.   .-@-.
| | .-.-. | |
| O---@---@ |
.-----.-----.
"""
BOTH_BLOCK = """
@-----.-----@
| .---.---. |
| | O-.-O | |
@-.-O   .-.-.
| | @-.-. | |
| .---.---. |
O-----.-----.
"""
NOBODY = """
.-----.-----.
| .---.---. |
| | .-.-. | |
.-.-.   .-.-.
| | .-.-. | |
| .---.---. |
.-----.-----.
"""
DIAGONAL = """
O-----.-----.
|\\.---.---./|
| |\\.-.-./| |
.-.-.   .-.-.
| |/@-.-@\\| |
|/@---.---O\\|
.-----.-----@
"""
SMALL_SPOKE = """
.---O---.
| .-O-. |
@-@   .-.
| .-.-. |
@---.---O
"""


def drawn(rules: str, drawing: str) -> sw.Position:
    """The position of a drawing, the points in reading order; men that are not there are in hand."""
    game = sw.game(f"morris:rules={rules}")
    points = [letter for letter in drawing if letter in "O@."]
    assert len(points) == game.constants["POINTS"]
    men = [sum(1 << i for i, letter in enumerate(points) if letter == man) for man in "O@"]
    hands = [game.constants["ALLOTTED"] - side.bit_count() for side in men]
    return sw.Position(game, np.array([0, *men, *hands, 0, 0, 0], np.int64))


def counted(rules: str, position: sw.Position, player: int) -> list[float]:
    """The same once more, from the lines of the rule book."""
    lines = [line.split() for line in LINES[rules].split(",")]
    steps = [pair for line in lines for pair in pairwise(line)]
    names = point_names(rules)
    own, other = (
        {name for i, name in enumerate(names) if position.words[1 + p] >> i & 1} for p in (player, 1 - player)
    )
    found = [(len(own & set(line)), len(other & set(line))) for line in lines if len(line) == 3]
    neighbours = sum(man in step for man in own for step in steps)
    return [sum(mine == 3 for mine, _ in found), found.count((2, 0)), found.count((1, 2)), neighbours / 4]


def some(rules: str, games: int = 4) -> list[sw.Position]:
    game = sw.game(f"morris:rules={rules}")
    return [position for seed in range(games) for position in random_positions(game, seed)]


@pytest.mark.parametrize(
    ("rules", "drawing", "white", "black"),
    [
        ("standard", NOBODY, [0, 0, 0, 0], [0, 0, 0, 0]),
        ("standard", MILL, [1, 0, 0, 1.75], [0, 1, 0, 2.75]),
        ("standard", BLOCK, [0, 1, 0, 2], [0, 1, 1, 1]),
        ("standard", TWO_MILLS_AND_TWO_BLOCKS, [2, 0, 2, 3.5], [0, 0, 0, 3.25]),
        ("standard", BOTH_BLOCK, [0, 1, 1, 2.25], [0, 1, 1, 2.25]),
        ("morabaraba", DIAGONAL, [0, 0, 1, 1.75], [0, 2, 0, 3.25]),
        ("six", SMALL_SPOKE, [0, 0, 0, 2], [0, 1, 0, 2]),
    ],
    ids=["nobody", "mill", "block", "two mills and two blocks", "both block", "diagonal", "small spoke"],
)
def test_terms_are_those_counted_by_hand(rules: str, drawing: str, white: list[float], black: list[float]) -> None:
    position = drawn(rules, drawing)
    shaping = position.game.shaping
    assert shaping is not None
    assert shaping.terms == ("mills", "openings", "blocks", "places")
    for player, wanted in enumerate((white, black)):
        found = np.full(len(wanted), -1.0)
        position.game.kernel(shaping.write_terms)(position.state, player, found)
        assert found.tolist() == wanted


@pytest.mark.parametrize("rules", RULES)
def test_terms_are_those_that_the_lines_of_the_rule_book_give(rules: str) -> None:
    positions = some(rules)
    batch = positions[0].game.batch(positions)
    for player in (0, 1):
        found = terms_of(batch, np.full(len(batch), player))
        assert (found.dtype, found.shape) == (np.float32, (len(batch), 4))
        assert found.tolist() == [counted(rules, position, player) for position in positions]
        assert (found.max(0) > 0).all()  # each term was there to count


@pytest.mark.parametrize("rules", RULES)
def test_a_turned_board_has_the_same_terms(rules: str) -> None:
    positions = some(rules, 2)
    batch = positions[0].game.batch(positions)
    players = np.arange(len(batch)) % 2
    terms = terms_of(batch, players)
    for k in range(16):
        assert np.array_equal(terms_of(batch.turned(k), players), terms)


def test_plain_python_and_a_gpu_count_the_same() -> None:
    code = """
import json, sys
import numpy as np
import spielwerk as sw
from spielwerk.games.shaping.rows import terms_of
device, states, players = json.load(sys.stdin)
batch = sw.game("morris", target="python").batch(np.array(states), device)
print(json.dumps(batch.arrays.host(terms_of(batch, players)).tolist()))
"""
    positions = some("standard", 1)
    batch = positions[0].game.batch(positions)
    players = [i % 2 for i in range(len(batch))]
    wanted = terms_of(batch, players).tolist()
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    for device in ("cpu", "cuda"):
        given = json.dumps([device, batch.states.tolist(), players])
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, env=environment, input=given, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert json.loads(done.stdout) == wanted


def test_terms_can_be_written_into_memory_of_ones_own() -> None:
    positions = some("standard", 1)
    game = positions[0].game
    batch, players = game.batch(positions), np.zeros(len(positions), np.int64)
    assert game.shaping is not None
    out = np.full((len(batch), 4), -1, np.float32)
    batch.run(term_rows, batch.states, players, out, write_terms=game.shaping.write_terms)
    assert np.array_equal(out, terms_of(batch, players))


@pytest.mark.parametrize("kind", [kind for kind in DEFAULTS if kind != "morris"])
def test_a_game_need_not_say_what_shaped_rewards_can_be_made_of(kind: str) -> None:
    game = sw.game(kind, target="python")
    assert game.shaping is None
    with pytest.raises(sw.BadInput, match=f"{kind} does not say what shaped rewards can be made of."):
        terms_of(game.batch(1), [0])


def test_players_that_are_not_there_are_refused() -> None:
    batch = sw.game("morris").batch(2)
    for players in ([0, 2], [-1, 0]):
        with pytest.raises(sw.BadInput, match=r"morris has only players 0 to 1."):
            terms_of(batch, players)
    with pytest.raises(sw.BadInput, match="2 boards need 2 players"):
        terms_of(batch, [0])
    assert terms_of(sw.game("morris").batch(0), []).shape == (0, 4)
