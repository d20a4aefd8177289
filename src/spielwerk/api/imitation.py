"""`sw.imitation`: how well a run of imitation has learned, measured as its source does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from spielwerk.arena.figures import percent
from spielwerk.arena.result import Result, Rows
from spielwerk.learn.imitation.settings import KIND
from spielwerk.learn.kind import CPU
from spielwerk.learn.registry import learner_of, settings_of
from spielwerk.learn.resolve import of_run
from spielwerk.learn.runs import open_run
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.learn.imitation.learner import ImitationLearner

SPLITS = ("training", "validation", "test")


@dataclass(frozen=True)
class ImitationResult(Result):
    """All measures of one training."""

    run: str
    found: dict[str, Any]
    notes: tuple[str, ...] = ()  # what could not be read of the data

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {"run": self.run, **self.found, "notes": list(self.notes)}

    @property
    def sets(self) -> dict[str, Any]:
        """What was found in each set of positions."""
        return {name: one for name, one in self.found.items() if name not in ("parts", "moves")}

    def table(self) -> tuple[Sequence[str], Rows]:
        """A row for each figure, a column for each set of positions."""
        sets = list(self.sets.values())
        rows = [["positions", *(f"{one['positions']:,}" for one in sets)]]
        rows += [_row("legal whole moves", [one["legality"] for one in sets])]
        for part in sets[0]["legality_of_parts"]:
            rows += [_row(f"legal: {part} alone", [one["legality_of_parts"][part] for one in sets])]
        rows += [_row("accuracy of whole moves", [one.get("accuracy") for one in sets])]
        for phase in next((one["accuracy_by_phase"] for one in sets if "accuracy_by_phase" in one), {}):
            rows += [_row(f"accuracy: {phase}", [one.get("accuracy_by_phase", {}).get(phase) for one in sets])]
        rows += (
            [_row("among the best moves", [one["best"] for one in sets])] if all("best" in one for one in sets) else []
        )
        for name in sets[0]["reliability"]:
            last = [one["reliability"][name]["precision"][-1] for one in sets]
            rows += [_row(f"precision of {name} at full recall", last)]
        for rule in dict.fromkeys(rule for one in sets for rule in one["broken"]):
            rows += [[f"broken: {rule}", *(f"{one['broken'].get(rule, 0):,}" for one in sets)]]
        return ("", *(f">{name}" for name in self.sets)), rows

    def parts_table(self) -> tuple[Sequence[str], Rows]:
        """The accuracy of each network, given the true parts before it."""
        by = self.found["parts"]
        rows = [_row(part, [by[split][part] for split in SPLITS]) for part in by[SPLITS[0]]]
        return ("accuracy of the network", *(f">{split}" for split in SPLITS)), rows

    def plot(self) -> Any:
        """Precision over recall, in each set of positions."""
        from spielwerk.learn.imitation.measures.plots import reliability_figure

        return reliability_figure({name: one["reliability"] for name, one in self.sets.items()})


def measure(
    run: str,
    *,
    sets: Sequence[str] = ("matches", "test", "states"),
    positions: int = 0,
    data: str = "",
    device: str = CPU,
    threads: int = 1,
    callback: Callable[[float], None] = lambda share: None,
) -> ImitationResult:
    """Measures a run of imitation (NAME, or NAME/SEED) on its own data, or on those of another folder.

    `sets` are all observed moves ("matches"), those that were never learned ("test"), and further "states"; of each,
    `positions` are looked at (0: all).
    """
    learner = _learner(run, data, device, threads)  # says what is missing where torch is not installed
    from spielwerk.learn.imitation.measures.whole import measure as measured

    return ImitationResult(run, measured(learner, sets, positions, callback), learner.notes)


def _learner(run: str, data: str, device: str, threads: int) -> ImitationLearner:
    """The learner of a run as its last checkpoint has it."""
    from spielwerk.games.registry import game as game_of

    kept = of_run(KIND, run)
    config = open_run(run.partition("/")[0]).config
    settings = settings_of(KIND, {**config.settings, **({"data": data} if data else {})})
    seed = kept.metadata.get("seed", "")
    if not seed.isdecimal():
        raise BadInput(f"{kept.path} does not say which seed it has.")
    learner: Any = learner_of(KIND, game_of(config.game), settings, int(seed))
    learner.use(device, threads)
    learner.restore(kept)
    return learner


def _row(name: str, shares: Sequence[float | None]) -> list[str]:
    return [name, *("" if share is None else _fine(share) for share in shares)]


def _fine(share: float) -> str:
    """With two digits, since what matters is close to all."""
    return percent(share) if share < 0.9 else f"{100 * share:.2f} %"
