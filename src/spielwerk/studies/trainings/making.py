"""Making the learner of an arm, where it is to learn or to be measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spielwerk.games.registry import game
from spielwerk.learn.learner import Learner
from spielwerk.learn.registry import learner_kind, learner_of, settings_of
from spielwerk.studies.device import use
from spielwerk.studies.trainings.clock import MOST

LONGEST = {"episodes": MOST, "generations": 10**6}  # more than there is time for


def learner_for(about: Mapping[str, Any], device: str, seed: int, threads: int = 1) -> Learner:
    """A learner that has learned nothing yet; `about` names its game, its kind and its settings."""
    kind = about["kind"]
    length = learner_kind(kind).length
    settings = settings_of(kind, {**about["settings"], length: LONGEST[length]})
    learner = learner_of(kind, game(about["game"]), settings, seed)
    use(learner, device, threads=threads)
    return learner
