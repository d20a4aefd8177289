"""What browsers and the server say to each other: requests and WebSocket messages, checked before anything is done."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from spielwerk.names import BadInput
from spielwerk.web import limits

Name = Annotated[str, Field(max_length=limits.MOST_NAME)]
Move = Annotated[str, Field(max_length=limits.MOST_MOVE)]
PositionText = Annotated[str, Field(max_length=limits.MOST_POSITION)]
PlaceName = Annotated[str, Field(max_length=limits.MOST_MOVE)]
Pair = Annotated[tuple[PlaceName, PlaceName], Field(strict=False)]  # JSON writes it as a list
Key = Annotated[str, Field(max_length=64)]


class Model(BaseModel):
    """Nothing but what is described is taken."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewTable(Model):
    """A new game: who sits where, and from which position and moves it goes on."""

    game: Name
    seats: Annotated[list[Name], Field(max_length=8)] = []
    at: PositionText = ""
    line: Annotated[list[Move], Field(max_length=limits.MOST_LINE)] = []
    seed: Annotated[int, Field(ge=0, lt=1 << 31)] | None = None
    watch: bool = False  # agents alone play, at a pace that can be chosen


class PositionAsked(Model):
    """A position to be shown."""

    game: Name
    position: PositionText = ""


class TouchAsked(Model):
    """A turn by hand in a position."""

    game: Name
    position: PositionText
    hops: Annotated[list[Pair], Field(max_length=16)] = []


class EditAsked(Model):
    """Pieces put on places, from which a position is made."""

    game: Name
    pieces: Annotated[list[Pair], Field(max_length=200)] = []
    mover: Annotated[int, Field(ge=0, le=8)] = 0


class ReviewAsked(Model):
    """A review; without a judge the usual one."""

    judge: Name = ""
    luck: bool = True


class Imported(Model):
    """A record, a transcript, a match or a position, as text."""

    text: Annotated[str, Field(max_length=limits.MOST_BODY)]


class Answered(Model):
    """A move that is tried in a lesson."""

    move: Move


class Hello(Model):
    """The first message: the keys of the seats that this browser holds."""

    type: Literal["hello"]
    keys: Annotated[list[Key], Field(max_length=8)] = []


class Touch(Model):
    """A part of a turn by hand: from a place (or none) to a place."""

    type: Literal["touch"]
    source: PlaceName = ""
    target: PlaceName


class Played(Model):
    """A typed move."""

    type: Literal["move"]
    text: Move


class Judging(Model):
    """Values of all moves, from now on or no more, at the turns of some sides or of all; without an agent the usual."""

    type: Literal["judge"]
    on: bool
    sides: Annotated[list[Annotated[int, Field(ge=0, le=8)]], Field(max_length=8)] = []
    agent: Name = ""


class HintAsked(Model):
    """What the judge would play; without an agent the usual one."""

    type: Literal["hint"]
    agent: Name = ""


class PaceChosen(Model):
    """How a watched game goes on: by itself, or paused; and for how long each thought is shown, in seconds."""

    type: Literal["pace"]
    playing: bool
    pause: Annotated[float, Field(ge=limits.SHORTEST_PAUSE, le=limits.LONGEST_PAUSE)]


class Plain(Model):
    """What needs no more words."""

    type: Literal["untouch", "confirm", "undo", "resign", "stop", "moves", "share", "step"]


Message = Annotated[Hello | Touch | Played | Judging | HintAsked | PaceChosen | Plain, Field(discriminator="type")]
_messages: TypeAdapter[Any] = TypeAdapter(Message)


def message_of(text: str) -> Any:
    """The message that a browser has sent to a table; BadInput where it is none."""
    return read_message(_messages, text)


def read_message(kinds: TypeAdapter[Any], text: str) -> Any:
    """The message of one of these kinds; BadInput where it is none."""
    try:
        return kinds.validate_json(text)
    except ValidationError as problem:
        first = problem.errors(include_url=False, include_input=False)[0]
        raise BadInput(f"This message is not understood: {first['msg']}.") from None
