"""Files that users name: opened, with what is wrong said in a sentence, and how their progress is shown."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich import progress
from rich.console import Console

from spielwerk.data import lines_of
from spielwerk.names import BadInput


@contextmanager
def opened_text(file: Path, what: str = "reading") -> Iterator[Iterator[str]]:
    """The lines of a file of text, with a bar; BadInput names the file where it cannot be read or is refused."""
    try:
        with progress.open(file, "r", encoding="utf-8-sig", description=what, **shown()) as text:
            yield lines_of(text)
    except UnicodeDecodeError:
        raise BadInput(f"{file} is not text in UTF-8.") from None
    except BadInput as problem:
        raise BadInput(f"{file}: {problem}") from None
    except OSError as problem:
        raise BadInput(f"{file} cannot be read: {problem.strerror}.") from None


def shown() -> dict[str, Any]:
    """How a progress bar is shown: to people only, and on the side."""
    console = Console(stderr=True)
    return {"console": console, "transient": True, "disable": not console.is_terminal}
