"""A run as one file, to carry it to another machine and back: a zip archive of its data files, and nothing else.

What is unpacked is not trusted: only the files that its own config asks for, as plain files of a size that the disk has
room for, each of which is read before the run appears. The same run gives the same archive.
"""

from __future__ import annotations

import json
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from spielwerk import names
from spielwerk.data import check_plain, is_whole, parsed
from spielwerk.files import whole
from spielwerk.learn import checkpoint as checkpoints
from spielwerk.learn.config import RunConfig, read_config
from spielwerk.learn.export import check_place
from spielwerk.learn.kind import SAFETENSORS
from spielwerk.learn.registry import learner_kind
from spielwerk.learn.runs import (
    CHECKPOINT,
    CONFIG,
    LAST,
    MEASUREMENTS,
    METRICS,
    Run,
    appear,
    check_name,
    earlier_name,
    home,
    new_folder,
    open_run,
    seed_name,
)
from spielwerk.names import BadInput
from spielwerk.solvers.tables import need

ABOUT, FORMAT = "spielwerk.json", "spielwerk run 1"
LEVEL = 1  # of nine of deflate: saves most of what can be saved, and is quick
MOST_FILES = 2_000_000  # a thousand seeds with a thousand checkpoints each, and more
MOST_ABOUT, MOST_TEXT = 1_000_000, 64_000_000  # bytes of the first two files, and of the others that are text
PIECE = 1 << 20  # bytes that are copied at a time
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)  # by a bad archive


def pack(name: str, path: Path, replay: bool = True) -> int:
    """Writes a run into a file, in the place of one that was there; returns its size. Nobody may be training it.

    Without `replay` its checkpoints lose their replay buffers, which a resume fills anew.
    """
    run = open_run(name)
    check_place(path)
    left_out = "" if replay else _refilled(run)
    try:
        with run.alone(), whole(path) as part, _new_archive(part) as archive:
            files = [inside for inside in _files(run.config) if (run.folder / inside).exists()]
            with archive.open(ABOUT, "w") as about:  # not by `writestr`, which writes the time as well
                about.write(json.dumps({"format": FORMAT, "run": name, "files": len(files)}).encode())
            for inside in files:
                source = _open(run.folder / inside, left_out)
                with source as given, archive.open(inside, "w", force_zip64=True) as target:
                    shutil.copyfileobj(given, target, PIECE)
    except OSError as problem:
        raise BadInput(f"{path} cannot be written: {problem.strerror}.") from None
    return path.stat().st_size


def _refilled(run: Run) -> str:
    """Before the names of the arrays that make up replay buffers."""
    found = learner_kind(run.config.kind).refilled
    if not found:
        raise BadInput(f"A run of {run.config.kind} has no replay buffer that it could do without.")
    return found


@contextmanager
def _open(path: Path, left_out: str) -> Iterator[IO[bytes]]:
    """A file of a run; a checkpoint without the arrays whose names begin so, if anything is left out."""
    if not left_out or path.name != CHECKPOINT:
        with path.open("rb") as file:
            yield file
        return
    kept = checkpoints.read(path)
    arrays = {name: kept[name] for name in kept if not name.startswith(left_out)}
    with tempfile.TemporaryDirectory() as folder:
        checkpoints.write(Path(folder) / CHECKPOINT, arrays, kept.metadata)
        with (Path(folder) / CHECKPOINT).open("rb") as file:
            yield file


def unpack(path: Path, name: str = "") -> Run:
    """The run in a file, under the name that it had or another one; BadInput where it is damaged or something else.

    It appears whole or not at all, and never in the place of another run.
    """
    try:
        check_plain(path)
        with zipfile.ZipFile(path) as archive, new_folder() as part:
            chosen, config = _begun(archive, part, path, name)
            _extract(archive, part, path, config)
            appear(part, chosen)
    except BadInput:
        raise
    except FileNotFoundError:
        raise BadInput(f"There is no file {path}.") from None
    except OSError as problem:
        raise BadInput(f"{path} cannot be unpacked: {problem.strerror}.") from None
    except BROKEN:
        raise _damaged(path) from None
    run = open_run(chosen)
    for seed in config.seeds:
        run.store(seed, run.measurements(seed))
    return run


def _new_archive(path: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL)


def programs(run: Run) -> list[str]:
    """The opponents of a run that are programs in processes of their own."""
    found = [opponent for opponent, _ in run.config.evaluation.matches()]
    return [opponent for opponent in found if names.split(opponent)[0] == "engine"]


def _begun(archive: zipfile.ZipFile, part: Path, path: Path, name: str) -> tuple[str, RunConfig]:
    """The name that the run shall have, and its config, which is the first file of the folder `part`."""
    if not {ABOUT, CONFIG} <= set(archive.namelist()):
        raise _damaged(path)
    if len(archive.infolist()) > MOST_FILES:
        raise BadInput(f"{path} holds more than {MOST_FILES:,} files.")
    for inside in (ABOUT, CONFIG):
        if archive.getinfo(inside).file_size > MOST_ABOUT:
            raise _too_large(archive.getinfo(inside), path)
    about = parsed(archive.read(ABOUT))
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise BadInput(f"{path} is a packed run of another version.")
    if not is_whole(about.get("files", 0), 0, len(archive.infolist()) - 1):
        raise _damaged(path)  # the list of files in an archive has no checksum
    chosen = check_name(name or str(about.get("run", "")))
    if (home() / chosen).exists():
        raise BadInput(f"The run {chosen} exists already; add --name NAME to unpack {path} under another name.")
    (part / CONFIG).write_bytes(archive.read(CONFIG))
    with _named(path, part):
        return chosen, read_config(part / CONFIG)


def _extract(archive: zipfile.ZipFile, part: Path, path: Path, config: RunConfig) -> None:
    """Writes the other files of a run into the folder `part`, and reads them all."""
    entries = list(_entries(archive, path, config))
    need(home(), sum(entry.file_size for entry in entries))
    for entry in entries:
        target = part / entry.filename
        target.parent.mkdir(exist_ok=True)
        with archive.open(entry) as source, target.open("wb") as file:
            shutil.copyfileobj(source, file, PIECE)
    run = Run(part.name, config)
    with _named(path, part):
        for seed in config.seeds:
            run.measurements(seed)
            run.metrics(seed)
            for at in (LAST, *run.earlier(seed)):
                for _ in (run.checkpoint(seed, at) or {}).values():
                    pass  # each array is checked when it is looked at


def _entries(archive: zipfile.ZipFile, path: Path, config: RunConfig) -> Iterator[zipfile.ZipInfo]:
    """The files of an archive besides its first two; refuses whatever the run of this config does not have."""
    left = {ABOUT, *_files(config)}
    for entry in archive.infolist():
        plain = stat.S_IFMT(entry.external_attr >> 16) in (0, stat.S_IFREG)
        if entry.filename not in left or not plain:
            raise BadInput(f'{path} holds "{entry.filename}", which does not belong to its run.')
        left.remove(entry.filename)  # a second one of the same name is refused
        if not entry.filename.endswith(SAFETENSORS) and entry.file_size > MOST_TEXT:
            raise _too_large(entry, path)
        if entry.filename not in (ABOUT, CONFIG):
            yield entry


def _files(config: RunConfig) -> Iterator[str]:
    """The files that the folder of a run may have, as far as they are data that cannot be made again."""
    yield CONFIG
    for seed in config.seeds:
        for name in (CHECKPOINT, MEASUREMENTS, METRICS, *map(earlier_name, config.kept_at)):
            yield f"{seed_name(seed)}/{name}"


@contextmanager
def _named(path: Path, part: Path) -> Iterator[None]:
    """While this lasts, what is wrong is said of the archive, not of the folder that its files are in for now."""
    try:
        yield
    except BadInput as problem:
        raise BadInput(f"{path} cannot be unpacked: {str(problem).replace(f'{part}/', '')}") from None


def _too_large(entry: zipfile.ZipInfo, path: Path) -> BadInput:
    return BadInput(f"{path} holds {entry.filename} of {entry.file_size:,} bytes, more than it can have.")


def _damaged(path: Path) -> BadInput:
    return BadInput(f"{path} is damaged, truncated, or not a packed run.")
