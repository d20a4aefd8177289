"""What `td` is: see `learn/kind.py`."""

from __future__ import annotations

from spielwerk.learn.kind import CPU, CUDA, ONNX, SAFETENSORS, LearnerKind

TD = LearnerKind(
    name="td",
    learner="spielwerk.learn.td.learner:TdLearner",
    settings="spielwerk.learn.td.settings:Settings",
    agent="spielwerk.agents.td:Td",
    estimator="spielwerk.learn.td.estimator:estimator",
    devices=(CPU, CUDA),
    exports={
        SAFETENSORS: "spielwerk.learn.td.network_files:export",
        ONNX: "spielwerk.learn.td.neural.exporting:export",
    },
    played=(SAFETENSORS, ONNX),
    halves=True,
    symbols={"alpha": "α", "epsilon": "ε", "error": "δ"},
    smaller="a coarser coding or less memory=… takes less",
)
