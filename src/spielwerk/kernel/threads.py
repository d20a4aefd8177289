"""Threads that work on portions; whoever is interrupted does not wait for them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager


@contextmanager
def thread_pool(threads: int) -> Iterator[ThreadPoolExecutor]:
    """So many threads; after Ctrl-C or an error they begin nothing more, and nobody waits for what they are at."""
    pool = ThreadPoolExecutor(threads)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()
