"""What a run has logged and measured, for other programs: as rows, as CSV, and as event files of TensorBoard."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from spielwerk.learn.runs import Run, seed_name
from spielwerk.names import BadInput

FIRST = ("seed", "episode")  # columns, before what was logged and measured


def rows_of(run: Run) -> list[dict[str, Any]]:
    """A row for each seed and episode at which something was logged or measured, with all that is known there."""
    return [{"seed": seed, **row} for seed in run.config.seeds for row in _rows(run, seed)]


def _rows(run: Run, seed: int) -> list[dict[str, Any]]:
    """The rows of one seed, in the order of episodes."""
    found = {line["episode"]: dict(line) for line in run.metrics(seed)}
    for one in run.measurements(seed):
        found.setdefault(one.episode, {"episode": one.episode})[one.what] = one.value
    return [found[episode] for episode in sorted(found)]


def csv_text(run: Run) -> str:
    """The rows as CSV, with a column for each figure; a cell is empty where there is nothing."""
    rows = rows_of(run)
    columns = dict.fromkeys([*FIRST, *(name for row in rows for name in row)])
    text = io.StringIO()
    writer = csv.DictWriter(text, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def write_events(run: Run, folder: Path) -> list[Path]:
    """Writes event files for TensorBoard, in a folder for each seed, which are returned; replaces earlier ones."""
    try:
        from tensorboard.compat.proto.event_pb2 import Event  # pyright: ignore[reportMissingImports]
        from tensorboard.compat.proto.summary_pb2 import Summary  # pyright: ignore[reportMissingImports]
        from tensorboard.summary.writer.event_file_writer import (  # pyright: ignore[reportMissingImports]
            EventFileWriter,
        )
    except ImportError:
        raise BadInput("TensorBoard is not installed: pip install 'spielwerk[tensorboard]'.") from None
    written = []
    for seed in run.config.seeds:
        path = folder / run.name / seed_name(seed)
        for old in path.glob("events.out.tfevents.*"):
            old.unlink()
        writer = EventFileWriter(str(path))
        for when, episode, tag, value in _scalars(run, seed):
            shown = Summary(value=[Summary.Value(tag=tag, simple_value=value)])
            writer.add_event(Event(wall_time=when, step=episode, summary=shown))
        writer.close()
        written.append(path)
    return written


def _scalars(run: Run, seed: int) -> Iterator[tuple[float, int, str, float]]:
    """Each figure of a seed: when it was taken, at which episode, what it is, and its value."""
    begun = seconds = 0.0
    with suppress(ValueError):
        begun = datetime.fromisoformat(run.config.started).timestamp()
    measured = {one.what for one in run.measurements(seed)}
    for row in _rows(run, seed):
        seconds = row.get("seconds", seconds)
        for name, value in row.items():
            if name not in ("episode", "seconds"):
                yield begun + seconds, row["episode"], f"{'strength' if name in measured else 'training'}/{name}", value
