"""LearnerKind: what a learner says of itself, in one place.

A part may be written as "module:name" and is then imported only when it is asked for, so that the settings of a learner
can be listed without loading what it learns with.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spielwerk.arena.agent import Agent
    from spielwerk.games.game import Game
    from spielwerk.learn.checkpoint import Checkpoint
    from spielwerk.learn.learner import Learner
    from spielwerk.search.estimator import Estimator

    Estimates = Callable[[Game, str], Estimator]  # of a run (`NAME`, `NAME/SEED`) or a file; "": of what is shipped
    Earlier = Callable[[Game, Checkpoint, int], Checkpoint]  # with which the agent of that generation plays
    Export = Callable[[Game, Checkpoint, Path, Mapping[str, str]], None]  # writes what a checkpoint learned, and about

SAFETENSORS, JSON, ONNX = ".safetensors", ".json", ".onnx"
CPU, CUDA = "cpu", "cuda"
SHIPPED = "shipped"  # as the name of a run: the network that comes with the package
BEGIN_HELP = f"whose weights to begin with: a run (NAME, NAME/SEED), an exported file, or {SHIPPED}; default: new ones"


@dataclass(frozen=True)
class LearnerKind:
    """A kind of learner: its name, its parts, and what training runs and commands need to know of it."""

    name: str  # such as "td"; its agents have the same name
    learner: type[Learner] | str
    settings: type | str  # a frozen dataclass with the length of the training
    agent: type[Agent] | str  # plays what a run has learned; its settings are, or extend, `resolve.RunSettings`
    length: str = "episodes"  # what a training is counted in, which is also the setting that says how long it is
    estimator: Estimates | str | None = None  # of what a run has learned, for the setting `value` of searches
    exports: Mapping[str, Export | str] = field(default_factory=dict)  # the writer of a file to play with, by suffix
    played: tuple[str, ...] = (SAFETENSORS,)  # suffixes of the files that its agent plays with
    halves: bool = False  # whether its exports to ONNX take `half=True`, for weights in half precision
    earlier: Earlier | str | None = None  # finds agents of the past in a checkpoint that keeps them itself
    devices: tuple[str, ...] = (CPU,)  # on which it can learn
    shares_gpu: bool = False  # whether several seeds may learn on one GPU at the same time
    symbols: Mapping[str, str] = field(default_factory=dict)  # what a progress bar calls a figure, such as "α" of alpha
    refilled: str = ""  # before the names of arrays of a checkpoint that a resume can do without: they come anew
    smaller: str = ""  # what makes a large learner smaller, such as "a smaller population takes less"

    @property
    def learner_class(self) -> type[Learner]:
        """What learns."""
        return imported(self.learner)

    @property
    def settings_class(self) -> Any:
        """The settings of the learner."""
        return imported(self.settings)

    @property
    def agent_class(self) -> type[Agent]:
        """What plays."""
        return imported(self.agent)

    def export(self, suffix: str) -> Export:
        """What writes a file to play with whose name ends in `suffix`, one of `exports`."""
        return imported(self.exports[suffix])

    def find_estimator(self) -> Estimates | None:
        """What makes an estimator of a run; None where nothing learned values positions."""
        return imported(self.estimator)

    def find_earlier(self) -> Earlier | None:
        """What finds agents of the past in a checkpoint; None where checkpoints have none."""
        return imported(self.earlier)


def imported(part: Any) -> Any:
    """The part itself, or what "module:name" names."""
    if not isinstance(part, str):
        return part
    module, _, name = part.partition(":")
    return getattr(importlib.import_module(module), name)
