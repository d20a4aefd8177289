"""Stop: ends searches from another thread."""

from __future__ import annotations

import numpy as np


class Stop:
    """A flag that any thread may set; a search that was given it looks at it between simulations."""

    def __init__(self) -> None:
        self.flag = np.zeros(1, np.int64)  # as kernels read it

    def set(self) -> None:
        """Ends the searches; what they have found so far counts."""
        self.flag[0] = 1

    @property
    def is_set(self) -> bool:
        """Whether it was set."""
        return bool(self.flag[0])
