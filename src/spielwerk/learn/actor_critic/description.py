"""What `actor-critic` is: see `learn/kind.py`."""

from __future__ import annotations

from spielwerk.learn.kind import CPU, CUDA, ONNX, LearnerKind

ACTOR_CRITIC = LearnerKind(
    name="actor-critic",
    learner="spielwerk.learn.actor_critic.learner:ActorCriticLearner",
    settings="spielwerk.learn.actor_critic.settings:Settings",
    agent="spielwerk.agents.actor_critic:ActorCritic",
    estimator="spielwerk.learn.actor_critic.playing:estimator",
    devices=(CPU, CUDA),
    exports={ONNX: "spielwerk.learn.actor_critic.exporting:export"},
    played=(ONNX,),
    halves=True,
    smaller="a smaller network, a smaller pool or fewer boards take less",
)
