"""What Ctrl-C does to a command: it ends within a second, and one line says what is kept and how to go on.

Where the main thread is in Python, or in a search that looks at its `Stop`, KeyboardInterrupt ends the command as ever.
Where it is not heard for a moment, since a kernel has no place to end at, the program ends all the same: what is stored
is stored by then, as after a kill.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn

from spielwerk.kernel import interrupts

INTERRUPTED = 130  # the exit code after Ctrl-C, as shells have it
PATIENCE = 0.6  # seconds in which the main thread should hear Ctrl-C
LOOK = 0.02  # seconds between two looks whether it did
TOGETHER = 0.1  # seconds in which presses are one
NOTHING = "Nothing new is kept."  # what a command says that keeps something, but not yet
COMPILER = "llvmlite"  # the package
CLEARED = "\r\033[2K\033[?25h"  # an empty line, and the cursor that a progress bar hides


class _Now:
    """What is known of the command that runs; without locks, since the main thread may be interrupted anywhere."""

    kept = ""  # a sentence; most commands keep nothing, and need none
    pressed = False  # Ctrl-C, at least once
    heard = False  # by the main thread


def if_stopped(sentence: str) -> None:
    """What Ctrl-C says from now on: what is kept, and how to go on."""
    _Now.kept = sentence


@contextmanager
def hearing_ctrl_c() -> Iterator[None]:
    """Hears Ctrl-C while this lasts, unless it is ignored, as in a shell's background jobs."""
    _Now.kept, _Now.pressed, _Now.heard = "", False, False
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    interrupts.RAISING.append(_hear)
    signal.signal(signal.SIGINT, _hear)
    interrupts.CALLBACKS.append(_end_unheard)
    interrupts.listen()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        interrupts.CALLBACKS.remove(_end_unheard)
        interrupts.RAISING.remove(_hear)


@contextmanager
def ending_at_once() -> Iterator[None]:
    """Ctrl-C ends the program at once while this lasts, since nothing has begun."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _end_now)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def end() -> NoReturn:
    """Says what is kept, and ends the program; at once where Ctrl-C was pressed, whatever threads still do."""
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        said = f"Stopped. {_Now.kept}".rstrip()
        print(f"{CLEARED if sys.stderr.isatty() else ''}{said}", file=sys.stderr, flush=True)
    if _Now.pressed:
        os._exit(INTERRUPTED)
    sys.exit(INTERRUPTED)


def _hear(number: int, frame: FrameType | None) -> None:
    if _in_compiler(frame):
        return  # which would lose the exception: the program ends by `_end_unheard`
    _Now.pressed = _Now.heard = True
    signal.default_int_handler(number, frame)


def _end_now(number: int, frame: FrameType | None) -> None:
    _Now.pressed = True
    end()


def _in_compiler(frame: FrameType | None) -> bool:
    """Whether LLVM works, which calls Python back."""
    while frame is not None:
        if COMPILER in Path(frame.f_code.co_filename).parts:
            return True
        frame = frame.f_back
    return False


def _end_unheard() -> None:
    """Called beside the main thread at Ctrl-C."""
    latest = time.monotonic() + PATIENCE
    while not _Now.heard:
        if time.monotonic() > latest:
            _Now.pressed = True
            end()
        time.sleep(LOOK)
    time.sleep(TOGETHER)
    _Now.heard = False
