"""Line: one browser by WebSocket. What it sends is bounded and slowed down; what it is sent waits in a short queue."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect

from spielwerk.names import BadInput
from spielwerk.web import limits

LONGEST_REASON = 120  # letters, which the protocol limits
MOST_UNSENT = 64  # messages that a slow browser may be behind
TOO_SLOW, TOO_FAST, NOT_THERE, TOO_LARGE = 4408, 4429, 4404, 4413  # codes with which a line ends


class Line:
    """A browser, and what is still to be sent to it."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self._unsent: asyncio.Queue[str | None] = asyncio.Queue(MOST_UNSENT)
        self._ended = False
        self._tokens, self._then = float(limits.BURST), time.monotonic()

    def send(self, text: str) -> None:
        """Sends a message soon; a browser that does not keep up is let go, and may come again."""
        try:
            self._unsent.put_nowait(text)
        except asyncio.QueueFull:
            self._unsent.get_nowait()
            self._unsent.put_nowait(None)

    async def serve(self) -> None:
        """Talks until the browser goes."""
        await self.socket.accept()
        sender = asyncio.create_task(self._send_all())
        try:
            await self.talk()
        except WebSocketDisconnect:
            pass
        finally:
            sender.cancel()
            with suppress(asyncio.CancelledError):
                await sender

    async def talk(self) -> None:
        """What is said on this line."""
        raise NotImplementedError

    def understood(self, text: str) -> Any:
        """The message that a text is; BadInput where it is none."""
        raise NotImplementedError

    def unwrapped(self, waiting: str) -> str:
        """The text that is sent for what has waited."""
        return waiting

    async def end(self, code: int, reason: str) -> None:
        """Closes the line in a sentence, once."""
        if not self._ended:
            self._ended = True
            await self.socket.close(code, reason[:LONGEST_REASON])

    async def first(self) -> Any:
        """The first message, which may not be long in coming; None for nonsense."""
        try:
            return await asyncio.wait_for(self.receive(), limits.FIRST_WORD)
        except (TimeoutError, BadInput):
            return None

    async def receive(self) -> Any:
        """The next message; None where the line had to be closed."""
        message = await self.socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        text = message.get("text")
        if text is None:
            raise BadInput("Messages are text.")
        if len(text.encode("utf-8", "replace")) > limits.MOST_MESSAGE:
            await self.end(TOO_LARGE, "The message is too large.")
            return None
        if not self._allowed():
            await self.end(TOO_FAST, "Too many messages.")
            return None
        return self.understood(text)

    def _allowed(self) -> bool:
        """Whether a message comes at a pace that a person, or a quick program, could have."""
        now = time.monotonic()
        refilled = self._tokens + (now - self._then) * limits.MESSAGES_PER_SECOND
        self._tokens, self._then = min(refilled, limits.BURST) - 1, now
        return self._tokens >= 0

    async def _send_all(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):  # it has gone
            while (waiting := await self._unsent.get()) is not None:
                await self.socket.send_text(self.unwrapped(waiting))
            await self.end(TOO_SLOW, "The browser is too slow.")
