"""What the CUDA target does beside compiling: shares out work, and keeps kernels on disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import wanted_rows
from wanted_rows import ROWS, noted


@pytest.mark.parametrize("threads", [1, 2])
def test_rows_that_are_wanted_are_run_once_and_no_others(threads: int) -> None:
    assert noted("cpu", threads) == [int(i % 5 == 0) for i in range(ROWS)]


def test_a_gpu_runs_the_same_rows() -> None:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run([sys.executable, wanted_rows.__file__], env=environment, capture_output=True, check=True)
    assert json.loads(done.stdout) == [int(i % 5 == 0) for i in range(ROWS)]


def kernel_cache() -> Any:
    """The cache of a kernel that was compiled for a GPU, which need not be here."""
    pytest.importorskip("numba_cuda")
    from spielwerk.kernel.cuda_cache import CudaKernelCache

    return CudaKernelCache(wanted_rows.note)


def test_kernels_for_gpus_lie_in_the_folder_of_all_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPIELWERK_CACHE", str(tmp_path))
    assert Path(kernel_cache().cache_path) == tmp_path / "kernels"


def test_a_kernel_for_another_gpu_or_numba_cuda_is_never_served(monkeypatch: pytest.MonkeyPatch) -> None:
    cache = kernel_cache()
    hopper, ada = (SimpleNamespace(magic_tuple=lambda cc=cc: ((13, 0), cc)) for cc in ((9, 0), (8, 9)))
    assert cache._index_key("types", hopper) == cache._index_key("types", hopper)
    assert cache._index_key("types", hopper) != cache._index_key("types", ada)
    before = cache._index_key("types", hopper)
    monkeypatch.setattr("numba_cuda.__version__", "another")
    assert cache._index_key("types", hopper) != before


def test_numbas_remarks_on_small_grids_are_not_shown() -> None:
    pytest.importorskip("numba_cuda")
    from spielwerk.kernel import cuda

    assert cuda.config.CUDA_LOW_OCCUPANCY_WARNINGS == 0
