"""Morris, solved: sectors against known figures, every value against its successors, and the oracle."""

from __future__ import annotations

import gzip
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.games.morris import in_mill
from spielwerk.games.position import Position
from spielwerk.solvers.morris.index import build, slot_of, spread, squeezed
from spielwerk.solvers.morris.library import CLASSES, Library, packed
from spielwerk.solvers.morris.mills import closing, in_mills
from spielwerk.solvers.morris.oracle import MorrisOracle
from spielwerk.solvers.morris.placing import better, placing_sectors
from spielwerk.solvers.morris.solver import NOTHING, MorrisSolver, Settings, solve
from spielwerk.solvers.oracle import truth_after

# Sector, states, wins, draws, losses, longest win, longest loss: known from elsewhere.
KNOWN = [
    ("3-3", 169_626, 140_621, 269, 28_736, 25, 26),
    ("4-3", 760_398, 75_397, 681_906, 3_095, 1, 32),
    ("3-4", 760_398, 102_281, 658_117, 0, 33, None),
    ("4-4", 3_225_597, 159, 3_225_409, 29, 9, 8),
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder with everything up to 4-4."""
    before, folder = os.environ.get("SPIELWERK_HOME"), tmp_path_factory.mktemp("home")
    os.environ["SPIELWERK_HOME"] = str(folder)
    yield folder
    os.environ.pop("SPIELWERK_HOME")
    if before is not None:
        os.environ["SPIELWERK_HOME"] = before


@pytest.fixture(scope="module")
def found(home: Path) -> dict[str, Any]:
    return solve(sw.game("morris"), Settings(up_to="4-4"))


def test_the_sectors_up_to_4_4_have_the_known_figures(found: dict[str, Any]) -> None:
    keys = ("name", "states", "wins", "draws", "losses", "longest_win", "longest_loss")
    assert [tuple(sector[key] for key in keys) for sector in found["sectors"]] == KNOWN
    assert found["states"] == sum(row[1] for row in KNOWN)


def test_every_value_follows_from_its_successors_by_the_rules_alone(found: dict[str, Any]) -> None:
    solver = MorrisSolver(sw.game("morris"), Settings(up_to="4-4"))
    list(solver.run())
    assert [solver.check(name, -1) for name in ("3-3", "4-3", "3-4")] == [row[1] for row in KNOWN[:3]]
    assert solver.check("4-4", 200_000) > 150_000


def test_the_verifier_finds_a_wrong_value(found: dict[str, Any]) -> None:
    solver = MorrisSolver(sw.game("morris"), Settings(up_to="3-3"))
    list(solver.run())
    wrong = solver.values("3-3").copy()
    won = int(np.flatnonzero(wrong == 2)[100])
    wrong[won] = 4
    solver.solved["3-3"] = wrong
    with pytest.raises(sw.BadInput, match="3-3 is wrong"):
        solver.check("3-3", -1)


def test_positions_are_numbered_as_they_are_known_to_be() -> None:
    index = build(sw.game("morris"))
    orbits = np.diff(index.maps.firsts)[:10].tolist()
    assert orbits == [1, 4, 30, 158, 757, 2830, 8774, 22188, 46879, 82880]
    assert sum(index.slots(a, b) for a in range(3, 10) for b in range(3, 10)) == 9_193_626_407


def test_squeezing_men_together_is_undone_by_spreading_them() -> None:
    rng = np.random.default_rng(3)
    for _ in range(500):
        taken, free = (sum(1 << int(p) for p in some) for some in np.split(rng.permutation(24)[:17], [9]))
        numbers = [point - (taken & (1 << point) - 1).bit_count() for point in range(24) if free >> point & 1]
        together = squeezed(free, taken)
        assert together == sum(1 << number for number in numbers)
        assert spread(together, taken) == free


def test_the_symmetries_that_keep_a_representative_are_known() -> None:
    game = sw.game("morris")
    maps = build(game).maps
    turned = game.constants["TURNED"]
    for at in range(0, len(maps.representatives), 997):
        men = int(maps.representatives[at])
        points = [point for point in range(24) if men >> point & 1]
        kept = [k for k in range(1, 16) if {int(turned[k, point]) for point in points} == set(points)]
        assert int(maps.keepers[at]) == sum(1 << k for k in kept)


def test_mills_of_a_whole_board_are_those_of_each_point() -> None:
    game = sw.game("morris:rules=morabaraba")
    by_point, standing, missing = (game.kernel(function) for function in (in_mill, in_mills, closing))
    rng = np.random.default_rng(4)
    for _ in range(300):
        men = sum(1 << int(p) for p in rng.permutation(24)[:9])
        points = [point for point in range(24) if by_point(men, point)]
        assert standing(men) == sum(1 << point for point in points if men >> point & 1)
        assert missing(men) == sum(1 << point for point in points if not men >> point & 1)


def test_turned_positions_share_a_slot_and_others_do_not() -> None:
    game = sw.game("morris")
    index = build(game)
    slot = game.kernel(slot_of)
    rng = np.random.default_rng(1)
    for _ in range(200):
        points = rng.permutation(24)
        own, other = (sum(1 << int(p) for p in some) for some in (points[:4], points[4:9]))
        position = game.start()
        words = np.array(position.words)
        words[[1, 2, 3, 4]] = own, other, 0, 0
        turned = [Position(game, words).turned(k).words[1:3] for k in range(game.constants["SYMMETRIES"])]
        assert len({slot(a, b, index.sector(4, 5), index.maps) for a, b in turned}) == 1


def test_the_oracle_gives_every_turn_its_exact_value(found: dict[str, Any]) -> None:
    game = sw.game("morris")
    oracle = MorrisOracle(game)
    rng = np.random.default_rng(2)
    checked = 0
    for _ in range(300):
        points = rng.permutation(24)
        words = np.array(game.start().words)
        words[[1, 2, 3, 4]] = sum(1 << int(p) for p in points[:4]), sum(1 << int(p) for p in points[4:7]), 0, 0
        position = Position(game, words)
        if not position.moves():
            continue
        truth = oracle.truth(position)
        turns = [truth_after(oracle, turn.end, position.mover) for turn in position.turns()]
        assert truth is not None
        assert all(turn is not None for turn in turns)
        assert truth.value == max(turn.value for turn in turns if turn)
        if truth.value > 0:
            assert truth.distance == min(turn.distance for turn in turns if turn and turn.value > 0 and turn.distance)
        checked += 1
    assert checked > 250


def test_the_judged_positions_agree_where_the_tables_know_them(found: dict[str, Any], refs: Path) -> None:
    game, oracle, agreed = sw.game("morris"), MorrisOracle(sw.game("morris")), 0
    with gzip.open(refs / "morris" / "judged.jsonl.gz", "rt") as lines:
        next(lines)
        for line in itertools.islice(lines, 0, None, 4):
            judged = json.loads(line)
            white, black = (int(judged["position"].split()[word]) for word in (4, 6))
            if " m s " not in judged["position"] or max(white, black) > 4:
                continue
            position = game.parse(judged["position"])
            for move, distance in judged["moves"].items():
                truth = truth_after(oracle, position.play(move), position.mover)
                assert truth is not None
                assert (truth.value, truth.distance or 0) == (np.sign(distance), abs(distance))
                agreed += 1
    assert agreed > 300


def test_the_two_bit_form_says_the_same_without_depth(found: dict[str, Any], home: Path) -> None:
    solve(sw.game("morris"), Settings(up_to="3-3", keep=CLASSES))
    library = Library(sw.game("morris"))
    whole, small = library.table("3-3").whole(), library.table("3-3", CLASSES).whole()
    assert len(small) == -(-len(whole) // 4)
    for slot in range(0, len(whole), 997):
        code = whole[slot]
        kind = 0 if code in (0, 255) else 1 if code % 2 else 2
        assert small[slot // 4] >> 2 * (slot % 4) & 3 == kind
    assert packed(np.array([0, 1, 2, 255, 6], np.uint8)).tolist() == [0b00100100, 0b10]


def test_what_was_solved_is_not_solved_again(found: dict[str, Any]) -> None:
    files = {path: path.stat().st_mtime_ns for path in Library(sw.game("morris")).folder.iterdir()}
    again = solve(sw.game("morris"), Settings(up_to="4-4"))
    assert [sector["wins"] for sector in again["sectors"]] == [row[2] for row in KNOWN]
    assert {path: path.stat().st_mtime_ns for path in files} == files


def test_an_interrupted_solve_leaves_only_whole_sectors_and_goes_on(tmp_path: Path, found: dict[str, Any]) -> None:
    environment = {**os.environ, "SPIELWERK_HOME": str(tmp_path)}
    imports = "import spielwerk as sw; from spielwerk.solvers.morris.solver import *"
    code = f"{imports}; solve(sw.game('morris'), Settings('4-4'))"
    process = subprocess.Popen([sys.executable, "-c", code], env=environment)
    folder = tmp_path / "tables" / "morris"
    while process.poll() is None and not (folder / "3-3.depths").exists():
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    for path in folder.glob("*.depths"):
        assert path.read_bytes() == (Library(sw.game("morris")).folder / path.name).read_bytes()
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    for name, *_ in KNOWN:
        kept = (Library(sw.game("morris")).folder / f"{name}.depths").read_bytes()
        assert (folder / f"{name}.depths").read_bytes() == kept


@pytest.mark.parametrize("harm", ["flip", "cut", "other", "text"])
def test_a_damaged_table_is_refused_by_name_and_stays_as_it_is(
    found: dict[str, Any], tmp_path: Path, harm: str
) -> None:
    library = Library(sw.game("morris"))
    good, path = library.path("3-3").read_bytes(), tmp_path / "3-3.depths"
    data = {
        "flip": good[:-1000] + bytes([good[-1000] ^ 1]) + good[-999:],
        "cut": good[:-10],
        "other": (library.path("4-3")).read_bytes(),
        "text": b"hello",
    }[harm]
    path.write_bytes(data)
    library.folder = tmp_path
    with pytest.raises(sw.BadInput, match="3-3"):
        library.table("3-3").whole()
    assert path.read_bytes() == data


def test_a_damaged_file_of_a_pair_is_not_replaced_when_the_other_is_missing(
    found: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = Library(sw.game("morris")).folder
    monkeypatch.setenv("SPIELWERK_HOME", str(tmp_path))
    folder = Library(sw.game("morris")).folder
    folder.mkdir(parents=True)
    for path in good.glob("*"):
        if path.name != "3-4.depths":
            (folder / path.name).write_bytes(path.read_bytes())
    data = bytearray((folder / "4-3.depths").read_bytes())
    data[-100] ^= 1
    (folder / "4-3.depths").write_bytes(data)
    with pytest.raises(sw.BadInput, match="4-3"):
        solve(sw.game("morris"), Settings(up_to="4-4"))
    assert (folder / "4-3.depths").read_bytes() == data


@pytest.mark.slow
def test_the_two_bit_form_can_be_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPIELWERK_HOME", str(tmp_path))
    game = sw.game("morris:rules=six")
    first = solve(game, Settings(keep=CLASSES))
    Library(game).path("0-0+6+6", CLASSES).unlink()
    again = solve(game, Settings(keep=CLASSES))
    assert first["value"] == again["value"]
    for before, after in zip(first["sectors"], again["sectors"], strict=True):
        assert all(before[key] == after[key] for key in ("name", "states", "wins", "draws", "losses"))


def test_draw_rules_do_not_disturb_the_verifier(found: dict[str, Any]) -> None:
    facts = solve(sw.game("morris:quiet=1"), Settings(up_to="3-3", check=2000))
    assert facts["sectors"][0]["checked"] > 1000


def test_without_a_gpu_that_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spielwerk.kernel.cuda.available", lambda: False)
    with pytest.raises(sw.BadInput, match="no GPU"):
        MorrisSolver(sw.game("morris"), Settings(up_to="3-3", device="cuda"))


def test_too_little_disk_or_memory_is_said_before_the_work(
    found: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spielwerk.solvers.tables.available_memory", lambda: 10**8)
    with pytest.raises(sw.BadInput, match="GB of memory"):
        solve(sw.game("morris"), Settings(up_to="9-9"))


@pytest.mark.parametrize("up_to", ["2-2", "10-3", "five", "3", "-3-3"])
def test_a_sector_that_does_not_exist_is_refused(up_to: str) -> None:
    with pytest.raises(sw.BadInput, match="is not a sector"):
        MorrisSolver(sw.game("morris"), Settings(up_to=up_to))


def test_six_mens_morris_is_solved_by_the_same_code(home: Path) -> None:
    game = sw.game("morris:rules=six")
    solver = MorrisSolver(game, Settings(up_to="4-4", keep=NOTHING))
    sectors = {sector.name: sector for sector in solver.run()}
    assert solver.check("4-4", -1) == sectors["4-4"].states
    assert solver.check("3-4", -1) == sectors["3-4"].states


def test_placing_sectors_come_after_those_they_lead_to() -> None:
    order = placing_sectors(9)
    assert order[-1] == (0, 0, 9, 9)
    assert len(order) == len(set(order)) == 269


def test_the_best_of_several_codes_is_chosen() -> None:
    none = 255
    assert better(better(none, 0), 2) == 0  # a draw is better than a loss
    assert better(better(none, 2), 4) == 5  # of two losses the later
    assert better(better(none, 1), 5) == 2  # of two wins the sooner
    assert better(better(none, 4), 7) == 8  # a win is better than a loss


SIMULATED = """
import spielwerk as sw
from spielwerk.solvers.morris.device import Device, Gpu
from spielwerk.solvers.morris.index import Maps, build
from spielwerk.solvers.morris.movement import PairSolver
from spielwerk.solvers.morris.placing import Placing, place_all

game = sw.game("morris:rules=six")
index, found = build(game), []
for device in (Device(game), Gpu(game)):
    maps = Maps(*map(device.put, index.maps))
    solver = PairSolver(device, index, maps, (3, 3), {})
    solver.sides[0].slots = 2400  # Python is slow
    moved = solver.solve()[3, 3]
    placed, none, shapes = device.zeros(80), device.zeros(1), [index.sector(*men) for men in ((3, 2), (2, 4), (1, 4))]
    device.run(place_all, 60, Placing(placed, none, none, *shapes, (1, 2), maps))
    found.append((device.get(moved).tolist(), device.get(placed).tolist(), device.tally(moved, 2400)))
assert found[0] == found[1], "the GPU says something else"
assert len(set(found[0][0])) > 4 and found[0][2].wins > 300, "nothing much was said"
"""


@pytest.mark.slow
def test_the_kernels_are_the_same_on_a_simulated_gpu() -> None:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    subprocess.run([sys.executable, "-W", "ignore", "-c", SIMULATED], env=environment, check=True)
