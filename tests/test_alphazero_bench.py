"""The benchmark of AlphaZero: every figure is there."""

from __future__ import annotations

import subprocess
import sys

import pytest

from spielwerk.bench import alphazero as bench
from spielwerk.games.registry import game
from spielwerk.learn.registry import settings_of

SMALL = {"net": "mlp", "blocks": 1, "filters": 8}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    small = [bench.SelfPlay("nim", SMALL | {"simulations": 4, "boards": 3})]
    sizes = {"ROUND_SECONDS": 0.001, "WARM_UP": 1, "ITERATIONS": 4, "BOARDS": (3, 1)}
    for what, value in {"PLAYED": {"cpu": small}, "STARTS": "random:1", **sizes}.items():
        monkeypatch.setattr(bench, what, value)


@pytest.mark.parametrize("one", [one for given in bench.PLAYED.values() for one in given], ids=lambda one: one.label)
def test_what_is_measured_are_settings_of_the_learner(one: bench.SelfPlay) -> None:
    settings = settings_of("alphazero", {**one.settings, "starts": bench.STARTS})
    assert settings.inputs_of(game(one.game)) is not None


def test_self_play_is_measured_in_simulations_moves_and_evaluations() -> None:
    simulations, moves, evaluations = bench.self_play("cpu", rounds=1, seed=1)
    assert simulations.name.startswith("nim, alphazero, self-play, mlp 1×8, 4 simulations, 3 boards on ")
    assert [row.unit for row in (simulations, moves, evaluations)] == ["simulations/s", "moves/s", "evaluations/s"]
    assert 0 < moves.value < simulations.value <= 4 * moves.value
    assert moves.value < evaluations.value < simulations.value + 3 * moves.value  # roots, and what is kept of boards


def test_siblings_are_evaluations_too(monkeypatch: pytest.MonkeyPatch) -> None:
    over = [bench.SelfPlay("einstein:board=3", SMALL | {"simulations": 8, "boards": 8, "policy": "afterstates"})]
    monkeypatch.setattr(bench, "PLAYED", {"cpu": over})
    simulations, _, evaluations = bench.self_play("cpu", rounds=1, seed=1)
    assert " over afterstates, " in simulations.name
    assert evaluations.value > 1.3 * simulations.value


def test_play_is_measured_on_many_boards_and_on_one() -> None:
    rows = list(bench.playing(rounds=1, seed=1))
    assert [row.name for row in rows] == [
        "morris, play by alphazero on 3 boards",
        "morris, play by alphazero on 1 board",
    ]
    assert all(row.value > 0 and row.unit == "simulations/s" for row in rows)


def test_without_torch_the_command_says_so() -> None:
    script = "import sys; sys.modules['torch'] = None; from spielwerk.cli import main; main()"
    given = [sys.executable, "-c", script, "bench", "selfplay", "--device", "cpu"]
    done = subprocess.run(given, capture_output=True, text=True, check=False)
    assert done.returncode
    assert "Traceback" not in done.stderr
    assert "torch, which is not installed" in done.stdout + done.stderr
