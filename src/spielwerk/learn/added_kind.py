"""AddedKind: what another package says of its learner; each part is loaded and checked when it is first needed.

So the settings of a learner are listed without loading what it learns with, such as torch.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from spielwerk import names
from spielwerk.data import PLUGIN_FAULTS
from spielwerk.games.parts import check_settings
from spielwerk.learn.kind import LearnerKind, imported
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.arena.agent import Agent
    from spielwerk.learn.kind import Earlier, Estimates, Export
    from spielwerk.learn.learner import Learner

METHODS = ("use", "learn", "agent", "weights", "state", "restore", "figures", "metadata")  # of `learner.Learner`


@dataclass(frozen=True)
class AddedKind(LearnerKind):
    """A description from another package, which refuses in one sentence what lacks a part."""

    place: str = ""  # of the description, as its entry point writes it

    @property
    def learner_class(self) -> type[Learner]:
        """What learns."""
        return self._good(self.learner, self._learner_lacks)

    @property
    def settings_class(self) -> Any:
        """The settings of the learner."""
        return self._good(self.settings, self._settings_lack)

    @property
    def agent_class(self) -> type[Agent]:
        """What plays."""
        return self._good(self.agent, self._agent_lacks)

    def export(self, suffix: str) -> Export:
        """What writes a file to play with."""
        return self._loaded(self.exports[suffix])

    def find_estimator(self) -> Estimates | None:
        """What makes an estimator of a run."""
        return self._loaded(self.estimator)

    def find_earlier(self) -> Earlier | None:
        """What finds agents of the past in a checkpoint."""
        return self._loaded(self.earlier)

    def check_name(self, name: str) -> None:
        """Refuses a description that goes by another name than its entry point."""
        if self.name != name:
            raise self._wrong(f'calls itself "{self.name}"', name)

    def _good(self, part: Any, lacks: Callable[[Any], Iterator[str]]) -> Any:
        """A part, loaded and checked."""
        found = self._loaded(part)
        problem = next(lacks(found), "")
        if problem:
            raise self._wrong(problem, self.name)
        return found

    def _loaded(self, part: Any) -> Any:
        try:
            return imported(part)
        except PLUGIN_FAULTS as problem:
            raise BadInput(f'The learner "{self.name}" of {self.place} cannot be loaded: {problem!r}.') from problem

    def _wrong(self, problem: str, name: str) -> BadInput:
        learner = self.learner
        module = learner.partition(":")[0] if isinstance(learner, str) else getattr(learner, "__module__", self.place)
        return BadInput(f'The learner "{name}" of {module} {problem}.')

    def _learner_lacks(self, learner: Any) -> Iterator[str]:
        """What is wrong with what learns, each as the end of a sentence."""
        for method in METHODS:
            if getattr(getattr(learner, method, None), "__isabstractmethod__", not hasattr(learner, method)):
                yield f'does not define "{method}"'
        if getattr(learner, "kind", None) != self.name:
            yield f'calls itself "{getattr(learner, "kind", None)}"'

    def _settings_lack(self, settings: Any) -> Iterator[str]:
        """What is wrong with its settings."""
        check_settings(f'The learner "{self.name}" of {self.place}', settings)
        if self.length not in {field.name for field in dataclasses.fields(settings)}:
            yield f'has no setting "{self.length}", which says how long it learns'

    def _agent_lacks(self, agent: Any) -> Iterator[str]:
        """What is wrong with what plays."""
        from spielwerk.arena.agent import Agent

        if not (isinstance(agent, type) and issubclass(agent, Agent)):
            yield "has an agent that is not a subclass of spielwerk.Agent"
        elif names.RUN not in {field.name for field in dataclasses.fields(agent.Settings)}:
            yield f'has an agent without the setting "{names.RUN}"'
