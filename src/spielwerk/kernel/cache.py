"""The folder of compiled kernels: numba's own cache files, found by digest and pruned by last use.

The digest in a kernel's name covers its whole source, so a file's date says nothing about staleness;
it says when the kernel was last used.
"""

from __future__ import annotations

import functools
import multiprocessing
import os
import time
import warnings
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

from spielwerk import folders

UNUSED_DAYS = 60
MOST_BYTES = 1 << 30


def folder() -> Path:
    """Where compiled kernels lie."""
    return folders.cache() / "kernels"


_Cache: Any = FunctionCache if TYPE_CHECKING else object  # what `Kept` is mixed into


class Locator(_CacheLocator):
    """Every kernel in one folder; its name alone tells whether it is current."""

    def get_cache_path(self) -> Any:
        """Our folder."""
        return str(folder())

    def get_source_stamp(self) -> Any:
        """The same for all."""
        return "the digest is in the name"

    def get_disambiguator(self) -> Any:
        """None: names differ already."""
        return None

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Locator:
        """Whatever the function."""
        return cls()


class Kept(_Cache):
    """What a cache of numba does more in our folder; to be named before the cache that does the work."""

    _cache_file: Any

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """As numba's, and notes the use."""
        with suppress(OSError):  # an unreadable cache is an empty one
            try:
                loaded = super().load_overload(sig, target_context)
            except (ImportError, AttributeError):  # it names a class of arguments that is no longer there
                self.flush()
                return None
            if loaded is not None:
                _touch(Path(self._cache_file._index_path))
            return loaded
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """As numba's; the first of a process prunes what has long been unused."""
        try:
            super().save_overload(sig, data)
        except OSError as problem:
            _warn(f"{folder()} cannot be written ({problem.strerror}): every process compiles for itself.")
        else:
            _prune_once(folder())

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        """As numba's, and the fields of named tuples, which numba reads by their places."""
        return (*super()._index_key(sig, codegen), *map(_fields, sig))


def _fields(kind: Any) -> tuple[Any, ...]:
    """The names of the fields of an argument's type, and of those within it."""
    return getattr(kind, "fields", ()), *map(_fields, getattr(kind, "types", ()))


class _Files(CompileResultCacheImpl):
    _locator_classes: ClassVar = [Locator]


class KernelCache(Kept, FunctionCache):
    """numba's cache of one function, in our folder."""

    _impl_class = _Files


@functools.cache
def _warn(sentence: str) -> None:
    """Says it once, and only where somebody reads it."""
    if multiprocessing.parent_process() is None:
        warnings.warn(sentence, stacklevel=3)


def _touch(path: Path) -> None:
    with suppress(OSError):  # a read-only or just pruned cache still works
        os.utime(path)


def prune(where: Path, days: float = UNUSED_DAYS, most_bytes: int = MOST_BYTES) -> int:
    """Deletes kernels unused for `days`, and the longest unused beyond `most_bytes`; how many."""
    kernels: dict[str, list[tuple[Path, os.stat_result]]] = defaultdict(list)
    for path in where.glob("*.nb?"):
        try:
            kernels[path.name.partition(".py3")[0]].append((path, path.stat()))
        except OSError:
            continue  # another process has just pruned it
    used = {name: max(stat.st_mtime for _, stat in files) for name, files in kernels.items()}
    size, pruned = 0, 0
    for name in sorted(kernels, key=lambda name: -used[name]):
        size += sum(stat.st_size for _, stat in kernels[name])
        if size > most_bytes or used[name] < time.time() - days * 86400:
            pruned += 1
            for path, _ in kernels[name]:
                path.unlink(missing_ok=True)
    return pruned


_prune_once = functools.cache(prune)
