"""The same seeds give the same games on every target."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from played import traces
from spielwerk.kernel import bits
from spielwerk.kernel.python import Guarded
from spielwerk.kernel.random import below, stream, streams
from spielwerk.kernel.specialise import specialise
from variants import DEFAULTS

GAMES = 4
OTHERS = ["einstein:board=6,players=4,start=free", "einstein:board=6,players=3", "morris:rules=six", "othello:size=6"]
NAMES = [*DEFAULTS, *OTHERS, "morris:rules=lasker,repeat=3,quiet=40", "nim:stacks=3-3-3,sizes=random,simple=true"]


@pytest.fixture(scope="module")
def simulated() -> dict[str, list[int]]:
    """The games that the CUDA target plays in numba's simulator, in a process of its own."""
    command = [sys.executable, str(Path(__file__).with_name("played.py")), "cuda", str(GAMES), *NAMES]
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", NAMES)
def test_cuda_and_cpu_play_the_same_games(name: str, simulated: dict[str, list[int]]) -> None:
    ours = traces(name, "cpu", GAMES)
    assert simulated[name] == ours
    assert len(set(ours)) == GAMES or name.startswith("nim")


@pytest.mark.parametrize("name", DEFAULTS)
def test_guarded_python_and_cpu_play_the_same_games(name: str) -> None:
    assert traces(name, "python", GAMES) == traces(name, "cpu", GAMES)


WORDS = st.integers(-(1 << 63), (1 << 63) - 1)


def all_bits(x, n, out):
    out[0] = bits_shift_left(x, n)
    out[1] = bits_shift_right(x, n)
    out[2] = bits_count(x)
    out[3] = bits_lowest(x) if x != 0 else -1
    out[4] = bits_highest(x) if x != 0 else -1
    out[5] = bits_reverse(x)
    out[6] = bits_without_lowest(x)


bits_shift_left, bits_shift_right, bits_count = bits.shift_left, bits.shift_right, bits.count
bits_lowest, bits_highest, bits_reverse = bits.lowest, bits.highest, bits.reverse
bits_without_lowest = bits.without_lowest


@settings(deadline=None)
@given(WORDS, st.integers(0, 63))
def test_bit_tricks_are_the_same_compiled_and_plain(x: int, n: int) -> None:
    compiled, plain = np.zeros(7, np.int64), np.zeros(7, np.int64)
    specialise(all_bits, {}, "cpu")(x, n, compiled)
    specialise(all_bits, {}, "python")(x, n, plain)
    assert compiled.tolist() == plain.tolist()
    assert plain[2] == f"{x % (1 << 64):b}".count("1")


def test_the_random_stream_is_even_and_keyed() -> None:
    rng = stream(1, "a purpose")
    counts = np.bincount([int(below(rng, 6)) for _ in range(60_000)], minlength=6)
    assert abs(counts - 10_000).max() < 500  # five standard deviations
    keys = {int(stream(*key)[0]) for key in [(1, "a", 0), (1, "a", 1), (1, "b", 0), (2, "a", 0)]}
    assert len(keys) == 4
    assert (streams(5, "x", 3, first=2) == streams(5, "x", 5)[2:]).all()


@pytest.mark.parametrize("index", [-1, 3, (0, 5), slice(0, 2)])
def test_guarded_arrays_refuse_a_wrong_index(index: object) -> None:
    guarded = Guarded(np.zeros((3, 4), np.int64))
    with pytest.raises((IndexError, TypeError)):
        guarded[index]
    with pytest.raises((IndexError, TypeError)):
        guarded[index] = 1
