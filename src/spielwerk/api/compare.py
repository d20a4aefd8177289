"""`sw.compare`: training runs of one game side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from spielwerk.api.runs import RunResult, run
from spielwerk.arena.plots import drawn
from spielwerk.arena.result import Result, Rows
from spielwerk.learn.curves import curve_figure
from spielwerk.learn.figures import figures
from spielwerk.learn.registry import length_names
from spielwerk.learn.run_settings import USUAL, differing, setting_text
from spielwerk.names import BadInput

LONGEST = 25  # letters of a setting that is compared: a figure and its interval


@dataclass(frozen=True)
class Comparison(Result):
    """Runs of one game: their last figures, and the settings in which they differ."""

    runs: Sequence[RunResult]

    @property
    def game(self) -> str:
        """What all of them play."""
        return self.runs[0].run.config.game

    def differing(self) -> dict[str, list[Any]]:
        """The settings in which the runs differ: of each, every run's value (see `learn/run_settings.py`)."""
        return differing([one.run.config for one in self.runs])

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {"runs": [one.facts() for one in self.runs], "differing": self.differing()}

    def table(self) -> tuple[Sequence[str], Rows]:
        """A column for each run: how far it is, its last figures, and the settings in which it differs."""
        rows = [[length_names(one.run.config.kind for one in self.runs), *map(_measured_text, self.runs)]]
        rows.append(["seeds", *(str(len(one.run.config.seeds)) for one in self.runs)])
        found = [figures(one.run) for one in self.runs]
        shown = dict.fromkeys(what for one in self.runs for what in one.curves())
        rows += [[what, *(ones[what].text if what in ones else "" for ones in found)] for what in shown]
        rows += [[name, *map(_cell, values)] for name, values in self.differing().items()]
        return (self.game, *(f">{one.name}" for one in self.runs)), rows

    def plot(self) -> Any:
        """The learning curves of all runs in the same panels."""
        with drawn():
            return curve_figure([one.run for one in self.runs], self.game)


def compare(*names: str) -> Comparison:
    """Compares two or more training runs of one game, of which something was measured."""
    found = side_by_side(names)
    if not any(one.curves() for one in found.runs):
        raise BadInput(f"Nothing has been measured yet for {', '.join(names)}.")
    return found


def side_by_side(names: Sequence[str]) -> Comparison:
    """Two or more runs that can be compared, since their game is the same."""
    if len(set(names)) < max(2, len(names)):
        raise BadInput("Name two or more different runs.")
    found = Comparison([run(name) for name in names])
    other = next((one for one in found.runs if one.run.config.game != found.game), None)
    if other:
        raise BadInput(
            f"Runs of different games cannot be compared: {found.runs[0].name} plays {found.game}, "
            f"{other.name} plays {other.run.config.game}."
        )
    return found


def _measured_text(result: RunResult) -> str:
    """After how long a run was last measured, and of how long a training where it is not finished."""
    measured, planned = result.measured, result.run.config.episodes
    return f"{planned:,}" if measured == planned else f"{measured:,} of {planned:,}"


def _cell(value: Any) -> str:
    """A setting of a run, not wider than a figure; a dash where its learner has none of this name."""
    if value is None:
        return "–"
    text = setting_text(value)
    return (text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…") or USUAL
