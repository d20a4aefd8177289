"""The CUDA target: numba-cuda on a GPU, or its simulator (`NUMBA_ENABLE_CUDASIM=1`) without one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from spielwerk.kernel import atomic, bits, python
from spielwerk.kernel.bits import count as bits_set
from spielwerk.kernel.bits import lowest
from spielwerk.kernel.rows import EIGHT, PLAYERS, SCRATCH_LENGTH, WORDS, row, wanted
from spielwerk.kernel.tiles import TILE_BLOCK, TILE_CLEARED, TILE_ROWS, TILE_SIZE, TILE_STRIDE, written

LOOKED_AT = 512  # words of eight rows that a block looks through; more would take the cache's room for `gathered`
GATHERED = EIGHT * LOOKED_AT


def _load() -> tuple[Any, Any]:
    if not hasattr(np, "row_stack"):
        np.__dict__["row_stack"] = np.vstack  # numba-cuda 0.30 imports it, numpy 2.5 has it no longer
    from numba import config, cuda

    config.__dict__["CUDA_LOW_OCCUPANCY_WARNINGS"] = 0  # small grids are meant where they occur
    return config, cuda


config, cuda = _load()


def available() -> bool:
    """Whether kernels can run here, on a GPU or simulated."""
    return bool(cuda.is_available())


def simulated() -> bool:
    """Whether they run in the simulator, as plain Python."""
    return bool(config.ENABLE_CUDASIM)


def threads() -> int:
    """Threads of a block; the simulator makes each one a thread of Python, which only get in each other's way."""
    return 1 if simulated() else 128


def tile_threads() -> int:
    """Threads of a block that writes through shared memory, a multiple of 8."""
    return 8 if simulated() else 32


def stream() -> Any:
    """The stream that torch uses now, so that its calls and ours stay in order; the default where torch is not used."""
    torch: Any = sys.modules.get("torch")
    if torch is None or simulated() or not torch.cuda.is_initialized():
        return 0
    handle = torch.cuda.current_stream().cuda_stream
    return cuda.external_stream(handle) if handle else 0


def device_name() -> str:
    """What the GPU calls itself."""
    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


def on_device(array: np.ndarray) -> Any:
    """A copy of the array in the GPU's memory."""
    return cuda.to_device(array)


def empty(count: int, dtype: Any) -> Any:
    """An array in the GPU's memory with anything in it."""
    return cuda.device_array(count, dtype)


def free_memory() -> int | None:
    """Bytes that are free on the GPU; None in the simulator."""
    return None if simulated() else int(cuda.current_context().get_memory_info()[0])


def wait() -> None:
    """Returns when every kernel launched has ended."""
    cuda.synchronize()


def grid(rows, arrays):
    """One thread a row, with scratch of its own."""
    i = cuda.grid(1)
    state = cuda.local.array(WORDS, np.int64)
    actions = cuda.local.array(SCRATCH_LENGTH, np.int64)
    weights = cuda.local.array(SCRATCH_LENGTH, np.int64)
    scores = cuda.local.array(PLAYERS, np.float64)
    if i < rows:
        row(i, state, actions, weights, scores, arrays)


def tiles(rows, arrays):
    """One thread a row, whose numbers go through shared memory, so that the block writes them side by side."""
    out, words, rest = arrays
    tile = cuda.shared.array((TILE_ROWS, TILE_STRIDE), np.float32)
    state = cuda.local.array(WORDS, np.int64)
    actions = cuda.local.array(SCRATCH_LENGTH, np.int64)
    weights = cuda.local.array(SCRATCH_LENGTH, np.int64)
    me = np.int64(cuda.threadIdx.x)
    first = np.int64(cuda.blockIdx.x) * TILE_ROWS
    here = min(TILE_ROWS, rows - first)
    if TILE_CLEARED > 0:
        begin = first // 8 * TILE_CLEARED
        for word in range(me, (here * TILE_CLEARED + 7) // 8, TILE_BLOCK):
            words[begin + word] = 0
        cuda.syncthreads()
    if me < here:
        written(first + me, state, actions, weights, tile[me], rest)
    cuda.syncthreads()
    for k in range(me, here * TILE_SIZE, TILE_BLOCK):
        out[first + k // TILE_SIZE, k % TILE_SIZE] = tile[k // TILE_SIZE, k % TILE_SIZE]


def shared_grid(words, arrays):
    """A block looks through its words and gathers the rows that are wanted; then each thread takes one after the other.

    So all threads have work where few rows are wanted. A word is eight rows.
    """
    gathered = cuda.shared.array(GATHERED, np.uint16)
    count = cuda.shared.array(1, np.int32)
    state = cuda.local.array(WORDS, np.int64)
    actions = cuda.local.array(SCRATCH_LENGTH, np.int64)
    weights = cuda.local.array(SCRATCH_LENGTH, np.int64)
    scores = cuda.local.array(PLAYERS, np.float64)
    thread = cuda.threadIdx.x
    first = cuda.blockIdx.x * LOOKED_AT
    if thread == 0:
        count[0] = 0
    cuda.syncthreads()
    word = thread
    while word < LOOKED_AT and first + word < words:  # `range` with a step would divide
        found = wanted(first + word, arrays)
        if found != 0:
            place = cuda.atomic.add(count, 0, bits_set(found))
            while found != 0:
                gathered[place] = EIGHT * word + lowest(found)
                place += 1
                found &= found - 1
        word += cuda.blockDim.x
    cuda.syncthreads()
    place = thread
    while place < count[0]:
        row(EIGHT * first + np.int64(gathered[place]), state, actions, weights, scores, arrays)
        place += cuda.blockDim.x


def _wrap(x):
    return x


def _narrow(x):
    return np.uint32(x)


def _shift_left(x, n):
    return x << n


def _shift_right(x, n):
    return np.int64(np.uint64(x) >> np.uint64(n))


def _count(x):
    return np.int64(cuda.popc(x))


def _lowest(x):
    return np.int64(cuda.ffs(x)) - 1


def _without_lowest(x):
    return x & (x - 1)


def _highest(x):
    return 63 - np.int64(cuda.clz(x))


def _reverse(x):
    return np.int64(cuda.brev(np.uint64(x)))


def _swap_if(array, i, old, new):
    return cuda.atomic.cas(array, i, np.int32(old), np.int32(new))


def _lower(array, i, value):
    cuda.atomic.min(array, i, np.int32(value))


def _primitives() -> dict[Callable[..., Any], Any]:
    if simulated():
        return {}  # the simulator runs plain Python, and so the plain bit tricks
    words = [_wrap, _narrow, _shift_left, _shift_right, _count, _lowest, _without_lowest, _highest, _reverse]
    ours = [(bits, f) for f in words] + [(atomic, f) for f in (_swap_if, _lower)]
    return {getattr(module, f.__name__[1:]): cuda.jit(f, device=True) for module, f in ours}


PRIMITIVES = _primitives()


def constant(value: Any) -> Any:
    """Arrays become constant memory; in the simulator, guarded arrays of Python's numbers."""
    return python.constant(value) if simulated() else value


def helper(function: FunctionType) -> Any:
    """A device function; in the simulator that is the plain function."""
    return function if simulated() else cuda.jit(function, device=True)


def entry(function: FunctionType) -> Any:
    """A kernel, launched as `kernel[blocks, threads](…)`: compiled at its first launch, or loaded from the cache."""
    compiled = cuda.jit(function)
    if not simulated():
        from spielwerk.kernel.cuda_cache import CudaKernelCache

        compiled._cache = CudaKernelCache(function)
    return compiled
