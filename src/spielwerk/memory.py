"""How much memory a program may take: a limit that comes from outside, and one sentence where it is not enough.

`SPIELWERK_MEMORY` is a number of gigabytes for each process of a command. What would go beyond it gets no memory,
as on a machine that has no more; the rest of the machine notices nothing.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

LIMIT = "SPIELWERK_MEMORY"
GIGABYTE = 1 << 30
GROUP = Path("/sys/fs/cgroup/memory.max")  # what a container has
FIRST_TO_GO = Path("/proc/self/oom_score_adj")  # 1000: where memory runs out, the system ends it before all others
NO_MEMORY = ("can't allocate memory", "not enough memory", "out of memory", "can't start new thread")  # torch's words


def of_machine() -> int:
    """The bytes of memory of this machine, or of the container."""
    found = 8 * GIGABYTE
    with suppress(OSError, ValueError, AttributeError):
        found = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with suppress(OSError, ValueError):
        found = min(found, int(GROUP.read_text()))
    return found


def limit() -> float:
    """The gigabytes that a process of this program may take; 0: whatever there is."""
    with suppress(ValueError):
        return max(0.0, float(os.environ.get(LIMIT, "0")))
    return 0.0


def obey() -> None:
    """Takes no more memory than the limit, from now on, nor do processes that are started; then nobody else suffers."""
    if not limit() or sys.platform == "win32":
        return
    import resource

    most = int(limit() * GIGABYTE)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    with suppress(OSError):
        FIRST_TO_GO.write_text("1000")


def is_wanting(problem: BaseException) -> bool:
    """Whether a fault means that there was not enough memory."""
    said = isinstance(problem, RuntimeError) and any(words in str(problem) for words in NO_MEMORY)
    return said or isinstance(problem, MemoryError)


def sentence() -> str:
    """What is then said."""
    here = f"the {limit():.1f} GB that it may have" if limit() else "there is here"
    return f"This needs more memory than {here}; take smaller settings."
