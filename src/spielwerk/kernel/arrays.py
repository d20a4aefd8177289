"""The few operations on arrays that a batch needs: by numpy on the CPU and in the simulator, by torch on a GPU.

Types are named as both name them: "int64", "uint8", "float32".
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

import numpy as np

from spielwerk.names import BadInput

Array = Any  # of numpy, or a tensor of torch
DEVICES = ("cpu", "cuda")


class Arrays:
    """Arrays of numpy."""

    def array(self, values: Any, dtype: str) -> Array:
        """The values on this device; without a copy where they are there already."""
        return np.ascontiguousarray(values, dtype)

    def empty(self, shape: tuple[int, ...], dtype: str) -> Array:
        """An array with anything in it."""
        return np.empty(shape, dtype)

    def rowwise(self, shape: tuple[int, ...], dtype: str) -> Array:
        """An array with anything in it, [rows, numbers, …], laid out for kernels that work in one row each.

        On the CPU the numbers of a row lie side by side. On a GPU the same number of all rows does, since all of its
        threads read at once.
        """
        return np.empty(shape, dtype)

    def full(self, shape: tuple[int, ...], value: int, dtype: str) -> Array:
        """An array of one value."""
        return np.full(shape, value, dtype)

    def view(self, array: Array, dtype: str) -> Array:
        """The same memory as another type."""
        return array.view(dtype)

    def copy(self, array: Array) -> Array:
        """A copy."""
        return array.copy()

    def rows(self, array: Array, indices: Array) -> Array:
        """A copy of these rows."""
        return array[indices]

    def offsets(self, counts: Array) -> Array:
        """Where the part of each row begins, and the end: [n + 1], the first 0."""
        found = np.zeros(len(counts) + 1, np.int64)
        np.cumsum(counts, dtype=np.int64, out=found[1:])
        return found

    def owners(self, offsets: Array, total: int) -> Array:
        """The row to which each of the `total` entries belongs."""
        return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))

    def nonzero(self, flags: Array) -> Array:
        """The indices of all that are not 0, in order."""
        return np.flatnonzero(flags)

    def host(self, array: Array) -> np.ndarray:
        """The array in numpy."""
        return np.asarray(array)

    def argument(self, array: Array) -> Any:
        """The array in the form that a kernel takes."""
        return array

    def arguments(self, arrays: Any) -> Any:
        """A named tuple of arrays, or of such tuples, in the form that a kernel takes."""
        return arrays


class _TorchArrays(Arrays):
    """Tensors of torch in the memory of the GPU that it uses now."""

    def __init__(self) -> None:
        from spielwerk.kernel.cuda import cuda

        try:
            self.torch: Any = importlib.import_module("torch")
        except ImportError:
            raise BadInput("Batches on a GPU need torch, which is not installed.") from None
        self.as_argument = cuda.as_cuda_array

    def array(self, values: Any, dtype: str) -> Array:
        if not self.torch.is_tensor(values):
            values = np.ascontiguousarray(values, dtype)
            if dtype == "uint64":
                return self._unsigned(self.torch.from_numpy(values.view(np.int64)).to("cuda"))
            values = self.torch.from_numpy(values)
        return values.to("cuda", getattr(self.torch, dtype)).contiguous()

    def empty(self, shape: tuple[int, ...], dtype: str) -> Array:
        return self.torch.empty(shape, dtype=getattr(self.torch, dtype), device="cuda")

    def rowwise(self, shape: tuple[int, ...], dtype: str) -> Array:
        rows, numbers, *rest = shape
        return self.empty((numbers, rows, *rest), dtype).transpose(0, 1)

    def full(self, shape: tuple[int, ...], value: int, dtype: str) -> Array:
        return self.torch.full(shape, value, dtype=getattr(self.torch, dtype), device="cuda")

    def view(self, array: Array, dtype: str) -> Array:
        return array.view(getattr(self.torch, dtype))

    def copy(self, array: Array) -> Array:
        return array.clone()

    def rows(self, array: Array, indices: Array) -> Array:
        if array.dtype == self.torch.uint64:  # which torch does not index everywhere
            return self._unsigned(self.rows(array.view(self.torch.int64), indices))
        return self.torch.index_select(array, 0, indices)

    def offsets(self, counts: Array) -> Array:
        found = self.empty((len(counts) + 1,), "int64")
        found[0] = 0
        self.torch.cumsum(counts, 0, dtype=self.torch.int64, out=found[1:])
        return found

    def owners(self, offsets: Array, total: int) -> Array:
        rows = self.torch.arange(len(offsets) - 1, device="cuda")
        return self.torch.repeat_interleave(rows, offsets.diff(), output_size=total)

    def nonzero(self, flags: Array) -> Array:
        return flags.nonzero().flatten()

    def host(self, array: Array) -> np.ndarray:
        if array.dtype == self.torch.uint64:
            return array.view(self.torch.int64).cpu().numpy().view(np.uint64)
        return array.cpu().numpy()

    def argument(self, array: Array) -> Any:
        if array.dtype == self.torch.uint64:
            return self.as_argument(array.view(self.torch.int64), sync=False).view(np.uint64)
        return self.as_argument(array, sync=False)

    def arguments(self, arrays: Any) -> Any:
        return type(arrays)(*map(self.arguments, arrays)) if isinstance(arrays, tuple) else self.argument(arrays)

    def _unsigned(self, array: Array) -> Array:
        return array.view(self.torch.uint64)


@functools.cache
def has_gpu() -> bool:
    """Whether there is a GPU, and not only its simulator."""
    try:
        from spielwerk.kernel import cuda
    except ImportError:
        return False
    return cuda.available() and not cuda.simulated()


@functools.cache
def arrays_of(device: str) -> Arrays:
    """The operations for a device; torch is imported only for a real GPU."""
    if device not in DEVICES:
        raise BadInput(f'There is no device "{device}"; possible: {", ".join(DEVICES)}.')
    if device == "cpu":
        return Arrays()
    try:
        from spielwerk.kernel import cuda
    except ImportError:
        raise BadInput("A GPU needs numba-cuda, which is not installed: pip install 'spielwerk[gpu]'.") from None
    if not cuda.available():
        raise BadInput("There is no GPU here; NUMBA_ENABLE_CUDASIM=1 simulates one.")
    return Arrays() if cuda.simulated() else _TorchArrays()
