"""What a browser may ask the laboratory for, checked before anything is done."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from spielwerk.names import BadInput
from spielwerk.web.laboratory import bounds
from spielwerk.web.protocol import Model, Name

Key = Annotated[str, Field(max_length=60)]
Number = Annotated[int, Field(ge=-(10**15), le=10**15)]
Value = bool | Number | Annotated[float, Field(allow_inf_nan=False)] | Name
Settings = Annotated[dict[Key, Value], Field(max_length=100)]
Seed = Annotated[int, Field(ge=0, lt=1 << 31)]
Device = Literal["cpu", "cuda"]
RunName = Annotated[str, Field(max_length=100)]
MOST_NUMBER = 10**12  # of matches, tournaments and jobs


class TrainAsked(Model):
    """A training run: the learner's settings and those of evaluation, by name; what is left out is as usual."""

    learner: Name
    game: Name
    name: RunName = ""
    seeds: Annotated[str, Field(max_length=60)] = "1"
    settings: Settings = Field(default_factory=dict)
    opponents: Annotated[list[Name], Field(max_length=bounds.MOST_OPPONENTS)] = Field(default_factory=list)
    evaluation: Settings = Field(default_factory=dict)
    device: Device = "cpu"


class ResumeAsked(Model):
    """A run to go on with; `length` extends it to so many episodes or generations in all."""

    length: Annotated[int, Field(ge=1, le=bounds.MOST_NUMBER)] | None = None
    device: Device = "cpu"


class MatchAsked(Model):
    """A match between two agents."""

    game: Name
    first: Name
    second: Name
    games: Annotated[int, Field(ge=1, le=bounds.MOST_GAMES)] = 1000
    seed: Seed = 1
    opening: Annotated[int, Field(ge=0, le=1000)] = 0


class TournamentAsked(Model):
    """Agents that play each other; `swiss` rounds, or everyone meets everyone."""

    game: Name
    agents: Annotated[list[Name], Field(min_length=2, max_length=bounds.MOST_AGENTS)]
    games: Annotated[int, Field(ge=1, le=bounds.MOST_PAIR)] = 100
    seed: Seed = 1
    swiss: Annotated[int, Field(ge=0, le=bounds.MOST_AGENTS)] = 0


class SolveAsked(Model):
    """A game to be solved, or part of it, with settings of its solver."""

    game: Name
    settings: Settings = Field(default_factory=dict)


class StudyAsked(Model):
    """A published experiment to be carried out again."""

    study: Name
    quick: bool = True
    seed: Seed = 1


def number_of(number: int) -> int:
    """A number that could be one of the store's; BadInput where it could not."""
    if not 0 <= number <= MOST_NUMBER:
        raise BadInput(f"There is no number {number}.")
    return number
