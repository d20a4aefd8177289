"""A measured figure, and a table of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Row:
    """One figure, beside a peer's where the peer is installed."""

    name: str
    value: float
    unit: str
    peer: str | None = None
    peer_value: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times the peer's figure ours is."""
        return self.value / self.peer_value if self.peer_value else None


def as_json(rows: Iterable[Row]) -> dict[str, Any]:
    """What `--json` prints."""
    return {"rows": [asdict(row) | {"ratio": row.ratio} for row in rows]}


def cells(row: Row) -> list[str]:
    """What a table prints: name, value, unit, peer, its value, ratio."""
    peer = "" if row.peer_value is None else number(row.peer_value)
    ratio = "" if row.ratio is None else f"{row.ratio:.1f} ×"
    return [row.name, number(row.value), row.unit, row.peer or "", peer, ratio]


def number(value: float) -> str:
    """A figure for people: three digits at least, thousands apart."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
