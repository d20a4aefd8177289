"""What `evolution` is: see `learn/kind.py`."""

from __future__ import annotations

from spielwerk.learn.kind import JSON, ONNX, SAFETENSORS, LearnerKind

EVOLUTION = LearnerKind(
    name="evolution",
    learner="spielwerk.learn.evolution.learner:EvolutionLearner",
    settings="spielwerk.learn.evolution.settings:Settings",
    agent="spielwerk.agents.evolution:Evolution",
    length="generations",
    estimator="spielwerk.learn.evolution.estimator:estimator",
    exports=dict.fromkeys((SAFETENSORS, JSON, ONNX), "spielwerk.learn.evolution.champion_files:export"),
    played=(SAFETENSORS, JSON, ONNX),
    earlier="spielwerk.learn.evolution.history.generation:played_by",
    symbols={"best_fitness": "best", "mean_fitness": "mean"},
    smaller="a smaller population, most_hidden=… or most_edges=… takes less",
)
