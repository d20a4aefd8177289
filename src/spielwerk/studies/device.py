"""Where the trainings of studies compute: one after the other where they share a GPU, or where their time counts."""

from __future__ import annotations

import threading

from spielwerk.learn.learner import Learner
from spielwerk.names import BadInput

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


def gpu_here() -> bool:
    """Whether torch is installed and can use a GPU."""
    try:
        import torch
    except ModuleNotFoundError:
        return False
    return torch.cuda.is_available()
