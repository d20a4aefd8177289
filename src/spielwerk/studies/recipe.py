"""A recipe: one published table or figure, measured again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from spielwerk.learn.kind import CPU, CUDA
from spielwerk.studies.job import Job
from spielwerk.studies.job_pool import distinct
from spielwerk.studies.report import Report
from spielwerk.studies.results import Results

ON_GPU, QUICK, TWO_CORES = range(3)  # which of three sizes: the full form, the quick one, the full one without a GPU


@dataclass(frozen=True)
class Form:
    """How a recipe is to be carried out: as published, or in minutes; and the seed of everything that is drawn.

    `device` says where trainings of the full form compute; the quick form needs no GPU.
    """

    quick: bool = False
    seed: int = 1
    device: str = CUDA

    @property
    def scale(self) -> int:
        """Which of three sizes is meant."""
        return QUICK if self.quick else TWO_CORES if self.device == CPU else ON_GPU

    @property
    def place(self) -> str:
        """The device of its trainings."""
        return CPU if self.quick else self.device

    @property
    def threads(self) -> int:
        """The cores of its trainings, where they have no GPU."""
        return 2 if self.scale == TWO_CORES else 1

    def seeds(self, count: int) -> range:
        """Seeds for so many agents or measurements, never shared by two forms of different seeds."""
        return range(1000 * self.seed, 1000 * self.seed + count)


@dataclass(frozen=True)
class Recipe:
    """`jobs` lists what is to be measured, `report` says what came out; `less` is what the quick form leaves out.

    Where that is nothing, the quick form is the full one. `section` says where in its source it stands, `without_gpu`
    what is different about the full form where there is no GPU; a recipe that says nothing has one full form.
    """

    name: str
    about: str
    jobs: Callable[[Form], Sequence[Job]]
    report: Callable[[Form, Results], Report]
    less: str = ""
    section: str = ""
    without_gpu: str = ""

    def meant(self, form: Form) -> Form:
        """The form that is carried out where this one is asked for."""
        if not self.without_gpu:
            form = replace(form, device=CUDA)
        return form if self.less else replace(form, quick=False)

    def stem(self, form: Form) -> str:
        """What the files of its report are called."""
        scale = self.meant(form).scale
        return self.name.replace("/", "-") + {QUICK: "-quick", TWO_CORES: "-two-cores"}.get(scale, "")

    def seconds(self, form: Form, cores: int) -> float:
        """About how long it takes if nothing was measured before."""
        return spent(distinct(self.jobs(form)), cores)


def spent(jobs: Sequence[Job], cores: int) -> float:
    """About how long so many cores take: never less than the longest job, or than those that wait for each other."""
    alone = sum(job.seconds / job.lanes for job in jobs if job.alone)
    shared = sum(job.seconds / max(cores, job.lanes) for job in jobs)
    return max([shared, alone, *(job.seconds for job in jobs)])


def duration(seconds: float) -> str:
    """A time for people, such as 2 min or 1.5 h."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"
