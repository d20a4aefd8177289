"""A server in a process of its own, and a real browser before it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")
REQUIRED = os.environ.get("SPIELWERK_BROWSER_TESTS") == "required"
DESKTOP, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 844}


class Server:
    """`spielwerk serve` in a process, which can be killed and started again on the same store and port."""

    def __init__(self, home: Path, *options: str) -> None:
        self.options = options
        self.environment = {**os.environ, "SPIELWERK_HOME": str(home), "PYTHONUNBUFFERED": "1"}
        self.port = 0
        self.start()

    def start(self) -> None:
        """Starts it, and waits until it says its address."""
        command = [sys.executable, "-m", "spielwerk", "serve", "--no-browser", "--port", str(self.port)]
        command += self.options
        self.process = subprocess.Popen(command, env=self.environment, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        printed = urlsplit(self.process.stdout.readline().split(" is at ")[1].strip())
        self.address, self.token = f"{printed.scheme}://{printed.netloc}", printed.query
        self.port = printed.port or 0

    def kill(self) -> None:
        """As `kill -9` does."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()


@contextmanager
def served(home: Path, *options: str) -> Iterator[Server]:
    """A server while this lasts."""
    server = Server(home, *options)
    try:
        yield server
    finally:
        server.kill()


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser; where there is none, tests are skipped, except where they are required."""
    if not CHROMIUM and not REQUIRED:
        pytest.skip("no Chromium is here: the page is not tested in a browser")
    assert CHROMIUM, "the browser tests are required, but there is no Chromium"
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()
