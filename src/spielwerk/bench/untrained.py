"""Networks as they are drawn, exported to ONNX and played by ONNX Runtime: how fast one plays needs no training."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from spielwerk.learn import checkpoint as checkpoints
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.onnx.estimator import OnnxEstimator
from spielwerk.learn.onnx.model import OnnxModel
from spielwerk.search.estimator import Estimator

Export = Callable[[Any, Checkpoint, Mapping[str, str]], bytes]  # a game and a checkpoint as an ONNX model


def untrained(learner: Any, model: Export, name: str) -> Estimator:
    """The network of a learner."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "network.safetensors"
        checkpoints.write(path, learner.weights(), learner.metadata())
        data = model(learner.game, checkpoints.read(path), {})
        return OnnxEstimator(learner.game, OnnxModel(path, learner.game, data), name)
