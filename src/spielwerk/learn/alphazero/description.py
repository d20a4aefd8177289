"""What `alphazero` is: see `learn/kind.py`."""

from __future__ import annotations

from spielwerk.learn.kind import CPU, CUDA, ONNX, LearnerKind

REPLAY = "replay/"  # before the names of the lessons that a checkpoint keeps
ALPHAZERO = LearnerKind(
    name="alphazero",
    learner="spielwerk.learn.alphazero.learner:AlphaZeroLearner",
    settings="spielwerk.learn.alphazero.settings:Settings",
    agent="spielwerk.agents.alphazero:AlphaZero",
    estimator="spielwerk.learn.alphazero.playing:estimator",
    devices=(CPU, CUDA),
    exports={ONNX: "spielwerk.learn.alphazero.exporting:export"},
    played=(ONNX,),
    halves=True,
    refilled=REPLAY,
    smaller="a smaller network, less replay or fewer boards take less",
)
