"""Connection: one browser at one table. Messages are answered in order."""

from __future__ import annotations

from typing import Any

from fastapi import WebSocket

from spielwerk.data import json_text
from spielwerk.names import BadInput
from spielwerk.web.line import NOT_THERE, Line
from spielwerk.web.play.table import Table
from spielwerk.web.play.tables import Tables
from spielwerk.web.protocol import Hello, message_of


class Connection(Line):
    """A browser at a table, and the keys that it holds."""

    def __init__(self, socket: WebSocket, tables: Tables, key: str) -> None:
        super().__init__(socket)
        self.tables, self.key = tables, key
        self.keys: list[str] = []
        self.judge, self.sides = "", ()

    def understood(self, text: str) -> Any:
        """A message to a table."""
        return message_of(text)

    async def talk(self) -> None:
        """Finds the table, and does what the browser asks there."""
        hello = await self.first()
        if not isinstance(hello, Hello):
            await self.end(NOT_THERE, "The first message must be hello.")
            return
        self.keys = hello.keys
        try:
            table = await self.tables.find(self.key)
            await table.join(self)
        except BadInput as problem:
            await self.end(NOT_THERE, str(problem))
            return
        try:
            await self._serve_table(table)
        finally:
            table.leave(self)

    async def _serve_table(self, table: Table) -> None:
        while True:
            try:
                message = await self.receive()
                if message is None:
                    return
                await table.handle(self, message)
            except BadInput as problem:
                self.send(json_text({"type": "error", "text": str(problem), "version": table.version}))
