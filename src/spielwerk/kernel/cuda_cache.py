"""The cache of kernels for GPUs: numba-cuda's own, in the folder of all kernels.

Beside the digest in a kernel's name, numba-cuda's key tells apart the types of its arguments, the GPU's compute
capability, the CUDA runtime and numba-cuda's version.
"""

from __future__ import annotations

from typing import Any, ClassVar

from numba.cuda.dispatcher import CUDACache, CUDACacheImpl

from spielwerk.kernel.cache import Kept, Locator


class _Files(CUDACacheImpl):
    _locator_classes: ClassVar[Any] = [Locator]


class CudaKernelCache(Kept, CUDACache):
    """numba-cuda's cache of one kernel, in our folder."""

    _impl_class = _Files
