"""ONNX Runtime on the CPU: the same numbers for a position every time, whatever else is computed with it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

STEP = 16  # rows are filled up to multiples of it, so that no value depends on what else is in the batch
FEW = (1, 4)  # rows that are not filled up so far where they give the same numbers, which a trial shows


class Session:
    """A model that ONNX Runtime has loaded; `run` may be called from several threads."""

    def __init__(self, data: bytes) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # a fixed order of computing
        options.use_deterministic_compute = True
        options.log_severity_level = 4  # what is wrong is said by an exception
        options.add_session_config_entry("session.load_model_format", "ONNX")  # whatever the bytes claim to be
        self._session: Any = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        self.inputs, self.outputs = self._session.get_inputs(), self._session.get_outputs()
        self._few: tuple[int, ...] = ()

    def run(self, rows: np.ndarray) -> list[np.ndarray]:
        """What the model makes of each row, in rows that may be more."""
        return self._session.run(None, {self.inputs[0].name: self._filled(rows)})

    def size(self, rows: int) -> int:
        """How many rows are computed for so many."""
        return next((size for size in self._few if rows <= size), max(1, -(-rows // STEP)) * STEP)

    def try_few(self, shape: tuple[int, ...], dtype: Any) -> None:
        """Finds the small numbers of rows that are computed as many are, number by number."""
        rows = np.sin(np.arange(STEP * math.prod(shape))).reshape(STEP, *shape).astype(dtype)
        wanted = self.run(rows)
        self._few = tuple(size for size in FEW if self._alike(rows, size, wanted))

    def _alike(self, rows: np.ndarray, size: int, wanted: list[np.ndarray]) -> bool:
        """Whether parts of so many rows give what all of them give together."""
        try:
            parts = [self._session.run(None, {self.inputs[0].name: rows[i : i + size]}) for i in range(0, STEP, size)]
        except Exception:  # ONNX Runtime has a class of its own for every fault
            return False
        made = map(np.concatenate, zip(*parts, strict=True))
        return all(np.array_equal(one, other) for one, other in zip(made, wanted, strict=True))

    def _filled(self, rows: np.ndarray) -> np.ndarray:
        size = self.size(len(rows))
        if size == len(rows):
            return rows
        filled = np.zeros((size, *rows.shape[1:]), rows.dtype)
        filled[: len(rows)] = rows
        return filled
