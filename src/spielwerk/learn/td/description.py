"""What `td` is: see `learn/kind.py`."""

from __future__ import annotations

from spielwerk.learn.kind import SAFETENSORS, LearnerKind

TD = LearnerKind(
    name="td",
    learner="spielwerk.learn.td.learner:TdLearner",
    settings="spielwerk.learn.td.settings:Settings",
    agent="spielwerk.agents.td:Td",
    estimator="spielwerk.learn.td.estimator:estimator",
    exports={SAFETENSORS: "spielwerk.learn.td.network_files:export"},
    symbols={"alpha": "α", "epsilon": "ε", "error": "δ"},
    smaller="a coarser coding or less memory=… takes less",
)
