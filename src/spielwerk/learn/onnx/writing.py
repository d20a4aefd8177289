"""ONNX models that are put together operator by operator: needs the extra `onnx`.

The same operators, constants and words give the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from spielwerk.learn.onnx.model import CHANCES
from spielwerk.names import BadInput
from spielwerk.version import __version__

OPSET, IR = 13, 8  # old ones, which most programs know
INPUT, BATCH = "inputs", "batch"
LARGEST_HALF = float(np.finfo(np.float16).max)


class OnnxGraph:
    """The operators and constants of a model while it is made; values are named by numbers."""

    def __init__(self, dtype: Any, half: bool = False) -> None:
        try:
            import onnx
        except ImportError:
            raise BadInput(
                "ONNX files need one more package: pip install 'spielwerk[onnx]' "
                "(in a clone: pip install -e '.[onnx]')."
            ) from None
        self.onnx: Any = onnx
        self.dtype = dtype  # of its input, its outputs, and of constants that do not say another
        self.half = half  # whether weights are kept in half precision, for files of half the size
        self.operators: list[Any] = []
        self.constants: list[Any] = []

    def step(self, operator: str, *values: str, name: str = "", **attributes: Any) -> str:
        """Adds an operator and returns the name of what it makes."""
        name = name or f"v{len(self.operators)}"
        self.operators.append(self.onnx.helper.make_node(operator, values, [name], **attributes))
        return name

    def constant(self, value: Any, dtype: Any = None) -> str:
        """Adds a constant and returns its name."""
        name = f"c{len(self.constants)}"
        array = np.asarray(value, self.dtype if dtype is None else dtype)
        self.constants.append(self.onnx.numpy_helper.from_array(array, name))
        return name

    def weights(self, values: np.ndarray) -> str:
        """Adds weights that were learned and returns their name; BadInput where half precision cannot hold them."""
        if not self.half:
            return self.constant(values)
        if np.abs(values).max(initial=0) > LARGEST_HALF:
            raise BadInput(f"Half precision cannot hold weights beyond {LARGEST_HALF:g}.")
        # The cast is made once, when the file is loaded.
        return self.step("Cast", self.constant(values, np.float16), to=self.kind(self.dtype))

    def kind(self, dtype: Any) -> int:
        """What a model calls a type of numbers."""
        return self.onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))

    def model(self, title: str, inputs: int, outputs: Mapping[str, int], about: Mapping[str, str]) -> bytes:
        """The model from [batch, inputs] to outputs [batch, size], by their names; `about` are its metadata."""
        make, kind = self.onnx.helper, self.kind(self.dtype)
        given, *made = (
            make.make_tensor_value_info(name, kind, [BATCH, size]) for name, size in {INPUT: inputs, **outputs}.items()
        )
        body = make.make_graph(self.operators, title, [given], made, self.constants)
        opsets = [make.make_opsetid("", OPSET)]
        model = make.make_model(
            body, ir_version=IR, opset_imports=opsets, producer_name="spielwerk", producer_version=__version__
        )
        for key, text in sorted(about.items()):
            model.metadata_props.add(key=key, value=text)
        self.onnx.checker.check_model(model)
        return model.SerializeToString(deterministic=True)


def finish_value(graph: OnnxGraph, values: str, output: str, best: float) -> None:
    """Makes of what a last layer says the output of this name: chances, or scores up to the highest one."""
    if output == CHANCES:
        graph.step("Sigmoid", values, name=output)
    else:
        graph.step("Mul", graph.step("Tanh", values), graph.constant(best), name=output)
