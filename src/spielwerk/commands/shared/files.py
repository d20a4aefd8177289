"""Files that users name, with the bar that shows how far they have been read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any

from rich import progress
from rich.console import Console

from spielwerk import files


def opened_text(file: Path, what: str) -> AbstractContextManager[Iterator[str]]:
    """A file of text to read, with a bar that says what is done with it."""
    return files.opened_text(file, partial(progress.open, description=what, **shown()))


def shown() -> dict[str, Any]:
    """How a progress bar is shown: to people only, and on the side."""
    console = Console(stderr=True)
    return {"console": console, "transient": True, "disable": not console.is_terminal}
