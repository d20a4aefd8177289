"""Files: text that users name is read, and what is written is written whole or not at all."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from spielwerk.data import lines_of
from spielwerk.folders import left_by_nobody
from spielwerk.names import BadInput

PART = ".part"  # how the name of a file ends that is not whole yet


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A file to write to, which takes the place of `path` once all is written; it goes if something fails.

    An OSError names `path`, also one that names no file, such as that of a full disk.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}{PART}")
    try:
        part.touch()
        rights = part.stat().st_mode  # that files have here; libraries make theirs private
        yield part
        part.chmod(rights)
        with part.open("r+b") as file:
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as problem:
        if problem.filename in (None, str(part)):
            problem.filename = str(path)
        raise
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def opened_text(file: Path, opener: Callable[..., Any] = open, errors: str = "strict") -> Iterator[Iterator[str]]:
    """The lines of a file of text; BadInput names the file where it cannot be read, or what it holds is refused.

    With errors="replace" a line that is no text is read too, as one that means nothing.
    """
    try:
        with opener(file, "rt", encoding="utf-8-sig", errors=errors) as lines:
            yield lines_of(lines)
    except UnicodeDecodeError:
        raise BadInput(f"{file} is not UTF-8 text.") from None
    except BadInput as problem:
        raise BadInput(f"{file}: {problem}") from None
    except (EOFError, zlib.error) as problem:  # of a compressed file
        raise BadInput(f"{file} is damaged: {problem}.") from None
    except OSError as problem:
        raise BadInput(f"{file} cannot be read: {problem.strerror or problem}.") from None


@contextmanager
def named_by_user(path: Path) -> Iterator[Path]:
    """The same for a file that a user names, which may also be a device or a pipe: that is written to as it is."""
    target = path.resolve() if path.is_symlink() else path
    if target.exists() and not target.is_file():
        yield target
        return
    with whole(target) as part:
        yield part


def write_text(path: Path, text: str) -> None:
    """Writes a text file whole."""
    with whole(path) as part:
        part.write_text(text, encoding="utf-8")


def clear_left(path: Path) -> None:
    """Removes what processes that are no more left half written of a file; others may be writing it."""
    for part in path.parent.glob(f".{path.name}.*{PART}"):
        if left_by_nobody(part.suffixes[-2].lstrip(".")):
            part.unlink(missing_ok=True)


def clear_parts(folder: Path) -> None:
    """Removes what a process that was killed left half written; nobody else may be writing in the folder."""
    for part in folder.glob(f".*{PART}"):
        part.unlink(missing_ok=True)


def locked(file: int) -> bool:
    """Takes the lock on an open file, which ends with the process; False where another one has it."""
    try:
        import fcntl
    except ImportError:  # on Windows: nobody is kept out, and nobody knows what runs
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
