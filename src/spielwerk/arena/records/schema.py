"""The store's file: its tables, how it is opened, and what is said when it cannot be used."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 30.0  # seconds to wait for another process that is writing
LITTLE = 1 << 16  # bytes left on a disk that is as good as full

TABLES = """
CREATE TABLE tournament (
    number INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL, agents TEXT NOT NULL, settings TEXT NOT NULL,
    started TEXT NOT NULL, finished INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE match (
    number INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL, plan TEXT NOT NULL,
    tournament INTEGER REFERENCES tournament, imported INTEGER NOT NULL, started TEXT NOT NULL,
    finished INTEGER NOT NULL DEFAULT 0, version TEXT NOT NULL
);
CREATE TABLE block (
    match INTEGER NOT NULL REFERENCES match ON DELETE CASCADE, first INTEGER NOT NULL, games INTEGER NOT NULL,
    scores BLOB NOT NULL, seats BLOB
);
CREATE TABLE fault (
    match INTEGER NOT NULL REFERENCES match ON DELETE CASCADE, game INTEGER NOT NULL,
    player INTEGER NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (match, game)
);
CREATE TABLE record (
    match INTEGER NOT NULL REFERENCES match ON DELETE CASCADE, game INTEGER NOT NULL,
    text TEXT NOT NULL, PRIMARY KEY (match, game)
);
CREATE INDEX match_game ON match (game);
CREATE INDEX match_tournament ON match (tournament);
CREATE INDEX block_match ON block (match, first);
"""
CURVES = """
CREATE TABLE measurement (
    run TEXT NOT NULL, seed INTEGER NOT NULL, episode INTEGER NOT NULL, what TEXT NOT NULL, value REAL NOT NULL,
    low REAL NOT NULL, high REAL NOT NULL, games INTEGER NOT NULL, PRIMARY KEY (run, seed, episode, what)
);
"""
PLAYED = """
CREATE TABLE played (
    number INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL, settings TEXT NOT NULL, record TEXT NOT NULL,
    streams TEXT NOT NULL, started TEXT NOT NULL
);
"""
LESSONS = """
CREATE TABLE lesson (
    number INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL, position TEXT NOT NULL, played TEXT NOT NULL,
    better TEXT NOT NULL, judge TEXT NOT NULL, regret REAL NOT NULL, box INTEGER NOT NULL, due REAL NOT NULL,
    UNIQUE (game, position)
);
"""
STEPS = (TABLES, CURVES, PLAYED, LESSONS)  # what each version added
VERSION = len(STEPS)  # of the tables; kept in the file as `user_version`


class StoreProblem(OSError):
    """The store cannot be used; `strerror` is one sentence (without its full stop) that says why."""

    def __str__(self) -> str:
        return f"{self.strerror}."


def problem(sentence: str) -> StoreProblem:
    """The error that says `sentence`."""
    return StoreProblem(errno.EIO, sentence)


def connect(path: Path, patience: float = PATIENCE) -> sqlite3.Connection:
    """Opens the file, which is made where it does not exist."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as failed:
        reason = (failed.strerror or "").lower()
        raise problem(f"The store's folder {path.parent} cannot be made: {reason}") from None
    with explained_errors(path, patience):
        connection = _opened(path, patience)
        connection.text_factory = lambda data: data.decode("utf-8", "replace")  # one row must not hide the others
        try:
            _prepare(connection, path, patience)
        except BaseException:
            connection.close()
            raise
    return connection


def _opened(path: Path, patience: float) -> sqlite3.Connection:
    """The connection; where nobody may write, one that only reads."""
    if path.exists() and not _writable(path):
        only_read = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        return sqlite3.connect(only_read, timeout=patience, isolation_level=None, uri=True)
    return sqlite3.connect(path, timeout=patience, isolation_level=None)


def _writable(path: Path) -> bool:
    return os.access(path.parent, os.W_OK)


@contextmanager
def explained_errors(path: Path, patience: float) -> Iterator[None]:
    """Says in one sentence what SQLite could not do."""
    try:
        yield
    except sqlite3.DatabaseError as failed:
        code = getattr(failed, "sqlite_errorcode", 0) & 0xFF
        raise problem(_sentence(path, patience, code, str(failed))) from failed


def _sentence(path: Path, patience: float, code: int, what: str) -> str:
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _crowded(path)):
        return f"The disk of {path} is full; the games stored before are kept"
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"{path} has been locked by another program for {patience:g} seconds; the games stored before are kept"
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return f"{path} is no store of Spielwerk, or it is damaged ({what})"
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return f"{path} cannot be opened for writing ({what})"
    return f"{path} cannot be used ({what})"


def _crowded(path: Path) -> bool:
    return shutil.disk_usage(path.parent).free < LITTLE


def _prepare(connection: sqlite3.Connection, path: Path, patience: float) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = NORMAL")  # a killed process loses nothing that was committed
    version = _version(connection, path)
    if version == 0:
        _write_ahead(connection, patience)
    if version < VERSION and (version == 0 or (_writable(path) and os.access(path, os.W_OK))):
        _upgrade(connection, path)


def _version(connection: sqlite3.Connection, path: Path) -> int:
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]  # asked last: it comes together with tables
    if version > VERSION:
        raise problem(f"{path} was written by a newer Spielwerk (tables {version}; this one knows {VERSION})")
    if version == 0 and tables:
        raise problem(f"{path} is a database of another program")
    return version


def _write_ahead(connection: sqlite3.Connection, patience: float) -> None:
    """Readers and a writer at once. SQLite does not wait for others here, so this does."""
    until = time.monotonic() + patience
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as failed:
            if failed.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)


def _upgrade(connection: sqlite3.Connection, path: Path) -> None:
    """Adds the tables that an older file, or a new one, does not have."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in STEPS[_version(connection, path) :]:  # asked again: somebody else may have been quicker
            for statement in step.split(";"):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
