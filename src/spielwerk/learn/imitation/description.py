"""What `imitation` is: see `learn/kind.py`."""

from __future__ import annotations

from spielwerk.learn.kind import CPU, CUDA, ONNX, LearnerKind

IMITATION = LearnerKind(
    name="imitation",
    learner="spielwerk.learn.imitation.learner:ImitationLearner",
    settings="spielwerk.learn.imitation.settings:Settings",
    agent="spielwerk.agents.imitation:Imitation",
    length="epochs",
    devices=(CPU, CUDA),
    exports={ONNX: "spielwerk.learn.imitation.exporting:export"},
    played=(ONNX,),
    halves=True,
    smaller="smaller networks, or a smaller share of the data take less",
)
