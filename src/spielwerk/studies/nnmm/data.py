"""Section V-A: how small the space of legal moves is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from spielwerk.games.registry import game as game_of
from spielwerk.learn.imitation.data.analysis import FREQUENT, in_common, legal_in, parts_of_codes
from spielwerk.learn.imitation.data.folder import dataset
from spielwerk.studies.job import Job, JobProgress, Result
from spielwerk.studies.nnmm.published import published
from spielwerk.studies.nnmm.sources import published_folder
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import NUMBER, VALUE, Report, Row
from spielwerk.studies.results import Results

SETS = ("matches", "states")


def count(given: Mapping[str, Any], callback: JobProgress) -> Result:
    """Counts the legal moves of all positions, expanded as the source did."""
    game = game_of("morris")
    found = dataset(str(published_folder()), game, "paper")
    assert found.states is not None
    sets = dict(zip(SETS, map(legal_in, (found.pairs, found.states)), strict=True))
    callback(0.9)
    both = np.flatnonzero(np.all([one.shares > FREQUENT for one in sets.values()], axis=0))
    never = int(np.sum(np.all([one.legal == 0 for one in sets.values()], axis=0)))
    written = game.move_parts.moves - game.move_parts.possible  # TO is never none
    common = in_common(game, parts_of_codes(game, both))
    facts = {
        name: {key: one.facts()[key] for key in ("positions", "legal", "mean_share")} for name, one in sets.items()
    }
    highest = max(float(one.shares.max()) for one in sets.values())
    return {"sets": facts, "never": never - written, "frequent": len(both), "in_common": common, "highest": highest}


def jobs(form: Form) -> list[Job]:
    """One count."""
    return [Job("nnmm.data:count", {}, 30.0)]


def report(form: Form, results: Results) -> Report:
    """Published and counted."""
    result, theirs = results[jobs(form)[0]], published()["section-V-A"]
    rows: list[Row] = []
    for name, said in result["sets"].items():
        known = theirs[name]
        rows.append(Row(f"positions ({name})", known["pairs"], said["positions"], unit=NUMBER))
        for what in ("least", "most", "mean"):
            rows.append(Row(f"legal moves, {what} ({name})", known[what], said["legal"][what], unit=VALUE))
        rows.append(Row(f"positions in which a move is legal, mean ({name})", known["mean_share"], said["mean_share"]))
    rows.append(Row("moves legal nowhere in both", theirs["both"]["never"], result["never"], unit=NUMBER))
    rows.append(Row("moves legal in over 10 % of both", theirs["both"]["frequent"], result["frequent"], unit=NUMBER))
    rows.append(Row("most often legal", theirs["both"]["highest"], result["highest"], note="published: less than this"))
    said = [
        f"{part}: {', '.join(f'{one} {n}' for one, n in values.items())}"
        for part, values in result["in_common"].items()
    ]
    return Report(rows, [f"What the frequent moves have in common, value and count; {'; '.join(said)}."])


RECIPES = (Recipe("nnmm/data", "section V-A: how many moves are legal, and how often each", jobs, report),)
