"""Program: another process, spoken to in lines, that is never waited for longer than it may take."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
import weakref
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import IO

from spielwerk.arena.agent import Forfeit
from spielwerk.names import printable

LONGEST_LINE = 1 << 20  # bytes
KEPT = 2000  # bytes of what it last said on stderr
CHUNK = 1 << 16  # bytes read at once
Pipes = tuple[IO[bytes], IO[bytes], IO[bytes]]
GRACE = 1.0  # seconds between a polite end and a forced one


class Program:
    """A process in a group of its own, which ends with this object, at the latest with our own process.

    It may die, hang, or write without end: all that happens is a Forfeit that says so.
    """

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self.process = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as problem:
            raise Forfeit(f"could not be started: {problem.strerror}") from None
        self._stdin, self._stdout, self._stderr = pipes = _pipes(self.process)
        self._end = weakref.finalize(self, _end, self.process, pipes)
        self._unsaid, self._heard, self._noted = bytearray(), bytearray(), b""
        self._milliseconds, self._until = 0, 0.0
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._stdout, selectors.EVENT_READ, self._hear)
        self._selector.register(self._stderr, selectors.EVENT_READ, self._note)

    def say(self, lines: Iterable[str], milliseconds: int) -> None:
        """Sends some lines; from now on the program has so many milliseconds to answer."""
        if b"bestmove" in self._heard:  # or it would be taken for the answer to the next question
            raise Forfeit("answered more than once")
        if not self._unsaid:
            self._selector.register(self._stdin, selectors.EVENT_WRITE, self._write)
        self._unsaid += "".join(f"{line}\n" for line in lines).encode()
        self._milliseconds, self._until = milliseconds, time.monotonic() + milliseconds / 1000

    def hear(self) -> str:
        """The next line of the answer."""
        while (end := self._heard.find(b"\n")) < 0:
            if len(self._heard) > LONGEST_LINE:
                raise Forfeit("wrote a line without end")
            left = self._until - time.monotonic()
            if left <= 0:
                raise Forfeit(self._ended() or f"did not answer within {self._milliseconds:,} ms")
            for key, _ in self._selector.select(left):
                key.data()
        line = bytes(self._heard[:end])
        del self._heard[: end + 1]
        return line.decode("utf-8", "replace").strip()

    def close(self) -> None:
        """Asks the program to end, and makes it."""
        self._selector.close()
        self._end()

    def kill(self) -> None:
        """Ends the program at once."""
        _kill(self.process)
        self.close()

    def _write(self) -> None:
        try:
            del self._unsaid[: os.write(self._stdin.fileno(), self._unsaid)]
        except BrokenPipeError:
            self._unsaid.clear()  # why nobody reads any more shows when its answer is awaited
        if not self._unsaid:
            self._selector.unregister(self._stdin)

    def _hear(self) -> None:
        data = os.read(self._stdout.fileno(), CHUNK)
        self._heard += data
        if not data:
            raise Forfeit(self._ended(wait=GRACE) or "closed its output")

    def _note(self) -> None:
        data = os.read(self._stderr.fileno(), CHUNK)
        self._noted = (self._noted + data)[-KEPT:]
        if not data:
            self._selector.unregister(self._stderr)

    def _ended(self, wait: float = 0.0) -> str:
        """How the program has ended, with the last line of its errors; nothing while it runs."""
        try:
            code = self.process.wait(wait)
        except subprocess.TimeoutExpired:
            return ""
        with suppress(OSError):
            while data := os.read(self._stderr.fileno(), CHUNK):
                self._noted = (self._noted + data)[-KEPT:]
        how = f"ended with exit code {code}" if code >= 0 else f"was ended by signal {-code}"
        said = self._noted.decode("utf-8", "replace").strip().splitlines()[-1:]
        return how + "".join(f": {printable(line)}" for line in said)


def _pipes(process: subprocess.Popen[bytes]) -> Pipes:
    """Our ends of what the program reads and writes, none of which may keep us waiting."""
    pipes = [pipe for pipe in (process.stdin, process.stdout, process.stderr) if pipe]
    for pipe in pipes:
        os.set_blocking(pipe.fileno(), False)
    stdin, stdout, stderr = pipes
    return stdin, stdout, stderr


def _end(process: subprocess.Popen[bytes], pipes: Pipes) -> None:
    """Asks the program to end, and makes it."""
    stdin, *_ = pipes
    with suppress(OSError):
        stdin.write(b"quit\n")
    for pipe in pipes:
        pipe.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(GRACE)
    _kill(process)
    process.wait()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Ends all processes of the program's group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
