"""A browser that follows topics of the laboratory by WebSocket."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import WebSocket
from pydantic import Field, TypeAdapter

from spielwerk.data import json_text
from spielwerk.names import BadInput
from spielwerk.web.laboratory.following import Following
from spielwerk.web.line import NOT_THERE, Line
from spielwerk.web.protocol import Model, Name, read_message

MOST_FOLLOWED = 12  # topics on one line: curves of as many runs as one plot shows, the runs, and the jobs


class Follow(Model):
    """The first message, and the only one that means something: the topics."""

    type: Literal["follow"]
    topics: Annotated[list[Name], Field(min_length=1, max_length=MOST_FOLLOWED)]


_messages: TypeAdapter[Any] = TypeAdapter(Follow)


class FollowingLine(Line):
    """Of each topic only the newest waits to be sent, so that a slow browser holds up nothing."""

    def __init__(self, socket: WebSocket, following: Following) -> None:
        super().__init__(socket)
        self.following = following
        self._newest: dict[str, str] = {}  # by topic

    def understood(self, text: str) -> Any:
        """A message to the laboratory."""
        return read_message(_messages, text)

    def tell(self, topic: str, text: str) -> None:
        """Sends what is new of a topic soon."""
        waits = topic in self._newest
        self._newest[topic] = text
        if not waits:
            self.send(topic)

    def unwrapped(self, waiting: str) -> str:
        """The newest of a topic; or what was no topic."""
        return self._newest.pop(waiting, waiting)

    async def talk(self) -> None:
        """Follows what the first message names until the browser goes."""
        asked = await self.first()
        if not isinstance(asked, Follow):
            await self.end(NOT_THERE, "The first message must be follow, with topics.")
            return
        try:
            self.following.join(self, list(dict.fromkeys(asked.topics)))
            await self._listen()
        except BadInput as problem:
            await self.end(NOT_THERE, str(problem))
        finally:
            self.following.leave(self)

    async def _listen(self) -> None:
        while True:
            try:
                if await self.receive() is None:
                    return
            except BadInput as problem:
                self.send(json_text({"type": "error", "text": str(problem)}))
