"""Connection: one browser at one table, by WebSocket. Messages are bounded, slowed down, and answered in order."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

from fastapi import WebSocket, WebSocketDisconnect

from spielwerk.data import json_text
from spielwerk.names import BadInput
from spielwerk.web import limits
from spielwerk.web.protocol import Hello, message_of
from spielwerk.web.table import Table
from spielwerk.web.tables import Tables

MOST_UNSENT = 64  # messages that a slow browser may be behind
TOO_SLOW, TOO_FAST, NO_TABLE, TOO_LARGE = 4408, 4429, 4404, 4413  # codes with which a connection ends


class Connection:
    """A browser, the keys that it holds, and what is still to be sent to it."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self.keys: list[str] = []
        self.judge, self.sides = "", ()
        self._unsent: asyncio.Queue[str | None] = asyncio.Queue(MOST_UNSENT)
        self._tokens, self._then = float(limits.BURST), time.monotonic()

    def send(self, text: str) -> None:
        """Sends a message soon; a browser that does not keep up is let go, and may come again."""
        try:
            self._unsent.put_nowait(text)
        except asyncio.QueueFull:
            self._unsent.get_nowait()
            self._unsent.put_nowait(None)

    async def serve(self, tables: Tables, key: str) -> None:
        """Talks until the browser goes."""
        await self.socket.accept()
        sender = asyncio.create_task(self._send_all())
        try:
            await self._talk(tables, key)
        except WebSocketDisconnect:
            pass
        finally:
            sender.cancel()
            with suppress(asyncio.CancelledError):
                await sender

    async def _talk(self, tables: Tables, key: str) -> None:
        first = await self._first()
        if not isinstance(first, Hello):
            await self.socket.close(NO_TABLE, "The first message must be hello.")
            return
        self.keys = first.keys
        try:
            table = await tables.find(key)
            await table.join(self)
        except BadInput as problem:
            await self.socket.close(NO_TABLE, str(problem)[:120])
            return
        try:
            await self._serve_table(table)
        finally:
            table.leave(self)

    async def _first(self) -> object:
        """The first message, which may not be long in coming; None for nonsense."""
        try:
            return await asyncio.wait_for(self._receive(), limits.FIRST_WORD)
        except (TimeoutError, BadInput):
            return None

    async def _serve_table(self, table: Table) -> None:
        while True:
            try:
                message = await self._receive()
                if message is None:
                    return
                await table.handle(self, message)
            except BadInput as problem:
                self.send(json_text({"type": "error", "text": str(problem), "version": table.version}))

    async def _receive(self) -> object:
        """The next message; None where the connection had to be closed."""
        message = await self.socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        text = message.get("text")
        if text is None:
            raise BadInput("Messages are text.")
        if len(text.encode("utf-8", "replace")) > limits.MOST_MESSAGE:
            await self.socket.close(TOO_LARGE, "The message is too large.")
            return None
        if not self._allowed():
            await self.socket.close(TOO_FAST, "Too many messages.")
            return None
        return message_of(text)

    def _allowed(self) -> bool:
        """Whether a message comes at a pace that a person, or a quick program, could have."""
        now = time.monotonic()
        refilled = self._tokens + (now - self._then) * limits.MESSAGES_PER_SECOND
        self._tokens, self._then = min(refilled, limits.BURST) - 1, now
        return self._tokens >= 0

    async def _send_all(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):  # it has gone
            while (text := await self._unsent.get()) is not None:
                await self.socket.send_text(text)
            await self.socket.close(TOO_SLOW, "The browser is too slow.")
