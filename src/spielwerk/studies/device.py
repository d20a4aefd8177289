"""Where the trainings of studies compute: one after the other where they share a GPU, or where their time counts."""

from __future__ import annotations

import threading
from dataclasses import replace

from spielwerk.kernel.arrays import DEVICES, has_gpu
from spielwerk.learn.kind import CPU, CUDA
from spielwerk.learn.learner import Learner
from spielwerk.names import BadInput, printable
from spielwerk.studies.job_pool import missing
from spielwerk.studies.recipe import Form, Recipe

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


def form_here(recipe: Recipe, quick: bool = False, seed: int = 1, device: str | None = None) -> Form:
    """The form of a recipe that this machine can carry out, where no device is asked for; nothing is loaded for it."""
    if device not in (None, *DEVICES):
        raise BadInput(f'There is no device "{printable(device)}"; possible: {", ".join(DEVICES)}.')
    without = bool(recipe.without_gpu) and not quick
    return recipe.meant(Form(quick, seed, device or (CPU if without and not has_gpu() else CUDA)))


def form_asked_for(recipe: Recipe, quick: bool, seed: int, device: str | None) -> Form:
    """The form to carry out; BadInput where a recipe has none for a device, or the device is needed and not here."""
    form = form_here(recipe, quick, seed, device)
    if device and (quick or not recipe.without_gpu):
        kind = "Quick forms compute on the CPU" if quick else f"{recipe.name} has one full form"
        raise BadInput(f"{kind}; leave out --device.")
    if recipe.without_gpu and form.place == CUDA and not torch_sees_gpu():
        if not device:
            return replace(form, device=CPU)
        if missing(recipe.jobs(form)):  # what was measured elsewhere needs no GPU
            raise BadInput(f"torch can use no GPU here; without one: spielwerk study run {recipe.name} --device {CPU}")
    return form


def torch_sees_gpu() -> bool:
    """Whether torch is installed and can use a GPU."""
    try:
        import torch
    except ModuleNotFoundError:
        return False
    return torch.cuda.is_available()
