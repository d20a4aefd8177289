"""Where the trainings of studies compute: one after the other where they share a GPU, or where their time counts."""

from __future__ import annotations

import threading
from importlib.util import find_spec

from spielwerk.learn.kind import CPU, CUDA
from spielwerk.learn.learner import Learner
from spielwerk.names import BadInput, printable
from spielwerk.studies.recipe import Form

ALONE = threading.Lock()  # held by a training that others beside it would only be in the way of


def use(learner: Learner, device: str, recipe: str = "", threads: int = 1) -> None:
    """Puts a learner on a device; where there is no GPU, BadInput names the form of the recipe that needs none."""
    try:
        learner.use(device, threads)
    except BadInput:
        raise BadInput(
            f"{recipe or 'This recipe'} trains on a GPU that torch can use, and there is none here. A small form for "
            f"the CPU: spielwerk study run {recipe or '…'} --quick"
        ) from None


def form_here(quick: bool = False, seed: int = 1, device: str | None = None) -> Form:
    """The form that this machine can carry out, where nothing else is asked for."""
    if device not in (None, CPU, CUDA):
        raise BadInput(f"There is no device {printable(device)}; there are {CPU} and {CUDA}.")
    return Form(quick, seed, device or (CUDA if gpu_here() else CPU))


def gpu_here() -> bool:
    """Whether there is a GPU for games and networks; torch itself is not asked, since it takes seconds to load."""
    try:
        from spielwerk.kernel import cuda
    except ImportError:
        return False
    return find_spec("torch") is not None and cuda.available() and not cuda.simulated()
