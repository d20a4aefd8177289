"""The source's tables and figures: all six orders, in both forms, in its own protocol and in a clean one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from spielwerk.learn.imitation.measures.plots import reliability_figure
from spielwerk.studies import plots
from spielwerk.studies.job import Job
from spielwerk.studies.nnmm.arms import POSITIONS, SIZES, Arm
from spielwerk.studies.nnmm.published import published
from spielwerk.studies.nnmm.rows import broken_rows, lowest, share_row, trained
from spielwerk.studies.recipe import TWO_CORES, Form, Recipe
from spielwerk.studies.report import Report, Row
from spielwerk.studies.results import Results

ORDERS = ("TFR", "FTR", "RFT", "TRF", "FRT", "RTF")
CODE, TEXT = "code", "text"
SECONDS = {CODE: (90.0, 60.0, 120.0), TEXT: (150.0, 60.0, 600.0)}  # of a training, at most
EVERY = (0, *POSITIONS[1:])  # positions of what the source prints are all measured on a GPU
MEASURING = (60.0, 8.0, 12.0)
SPLITS = ("training", "validation", "test")
PAPER = "paper"
PROTOCOLS = {PAPER: {"expand": "paper", "split": "paper"}, "clean": {"expand": "symmetries", "split": "clean"}}
ACROSS = 4  # panels of a plot beside each other
QUICK: dict[str, Any] = {"units": 1}  # of both forms, since thirty units take hours on two cores


def arms(form: Form) -> list[tuple[str, str, str, Arm]]:
    """Each order in each protocol, those of the source in both of its forms; the quick form has fewer."""
    found = []
    for order, kind, protocol in product(ORDERS, SECONDS, PROTOCOLS):
        small = form.quick and order != "FTR"
        if (kind == TEXT and (small or order not in published()["table-IV"])) or (small and protocol != PAPER):
            continue
        found.append((order, kind, protocol, _arm(order, kind, protocol, form.quick)))
    return found


def _arm(order: str, kind: str, protocol: str, quick: bool) -> Arm:
    """One training; what the source prints is measured on all positions."""
    given = {"order": order, "form": kind, **PROTOCOLS[protocol], **(QUICK if quick else {})}
    printed = order in published()["table-IV"] and protocol == PAPER
    effort = {"positions": EVERY, "measuring": MEASURING} if printed else {}
    return Arm(f"{order}, {kind}, {protocol}", given, seconds=SECONDS[kind], graded=False, **effort)


def jobs(form: Form) -> list[Job]:
    """All trainings."""
    return [arm.job(form) for *_, arm in arms(form)]


def _found(form: Form, results: Results) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """The order, the name, the protocol and what came out, of each training."""
    for order, _, protocol, arm in arms(form):
        yield order, arm.name, protocol, arm.result(form, results)


NOTES = (
    "code and text are the two forms of the source: its published code, which made its figures, and its text. paper "
    "is its protocol, whose test positions mostly have a symmetric twin among the learned ones; clean keeps twins "
    "together.",
)


def accuracy(form: Form, results: Results) -> Report:
    """Tables III and IV."""
    rows: list[Row] = []
    by_part, by_phase = published()["table-III"], published()["table-IV"]
    for order, name, protocol, result in _found(form, results):
        theirs = by_part.get(order, {}) if protocol == PAPER else {}
        for part in ("to", "from", "remove"):
            for i, split in enumerate(SPLITS):
                known = theirs[part][i] if part in theirs else None
                share, count = result["parts"][split][part], result["moves"][split]
                rows.append(share_row(f"{part} ({split}): {name}", known, share, count))
        whole = by_phase.get(order, [None] * 4) if protocol == PAPER else [None] * 4
        said = result["matches"]
        rows.append(share_row(f"whole move: {name}", whole[0], said["accuracy"], said["positions"], trained(result)))
        for i, phase in enumerate(("placing", "moving", "jumping"), 1):
            if count := said["positions_by_phase"].get(phase, 0):
                rows.append(share_row(f"{phase}: {name}", whole[i], said["accuracy_by_phase"][phase], count))
    draw = partial(
        plots.beside, "Whole moves as the teacher's", [one for one in rows if "whole" in one.name], "accuracy"
    )
    return Report(rows, NOTES, {"whole": draw})


def legality(form: Form, results: Results) -> Report:
    """Table V, and which rule illegal moves break."""
    rows, broken = list[Row](), list[Row]()
    for order, name, protocol, result in _found(form, results):
        for where in ("matches", "test", "states"):
            theirs = published()["table-V"].get(order, {}).get(where) if protocol == PAPER else None
            said = result[where]
            known = theirs or [None] * 4
            label = f"whole move ({where}): {name}"
            rows.append(share_row(label, known[0], said["legality"], said["positions"], trained(result)))
            for i, part in enumerate(("to", "from", "remove"), 1):
                share = said["legality_of_parts"][part]
                rows.append(share_row(f"{part} ({where}): {name}", known[i], share, said["positions"]))
        broken += broken_rows(name, result["states"])
    draw = partial(plots.beside, "Legal moves", [one for one in rows if "whole" in one.name], "legality")
    said = "A part is legal where it occurs in any legal move of the position."
    return Report([*rows, *broken], [*NOTES, said], {"whole": draw})


def reliability(form: Form, results: Results) -> Report:
    """Figure 5."""
    rows, panels = list[Row](), defaultdict[str, dict[str, Any]](dict)
    for order, kind, protocol, arm in arms(form):
        result = arm.result(form, results)
        for where in ("matches", "states"):
            known = published()["figure-5"].get(order) if protocol == PAPER else None
            rows.append(Row(f"lowest precision ({where}): {arm.name}", known, lowest(result[where])))
            panels[f"{kind}-{where}"][arm.name] = result[where]["reliability"]
    said = "The precision of legal decisions is the mean over positions, at 25 levels of recall; the lowest is shown."
    drawn = {name: partial(reliability_figure, some, ACROSS) for name, some in panels.items()}
    return Report(rows, [*NOTES, said], drawn)


def curve(form: Form, results: Results) -> Report:
    """Figure 4."""
    rows, lines = list[Row](), list[plots.Curve]()
    for order, name, protocol, result in _found(form, results):
        if order == "TFR" and protocol == PAPER:
            course = result["course"]
            for what, label in (("trained_to", "learned moves"), ("accuracy_to", "validation")):
                values = np.array([[one[what] for one in course]])
                lines.append(plots.Curve(f"{name}: {label}", [one["epoch"] for one in course], values))
                rows.append(Row(f"to, after the last epoch ({label}): {name}", None, float(values[0, -1])))
    draw = partial(plots.curves, "The network of TO, first of the order TFR", lines, ("epochs", "accuracy"))
    return Report(rows, NOTES, {"curve": draw})


SLOWER = (
    f"{SECONDS[CODE][TWO_CORES]:.0f} s of each training on one core, {SECONDS[TEXT][TWO_CORES]:.0f} s in the text's "
    f"form, steps of {SIZES[TWO_CORES]['batch']:,} moves, {POSITIONS[TWO_CORES]:,} positions of each set"
)
LESS = f"1/16 of the data, small networks of one unit, {SIZES[1]['epochs']} epochs, one form and protocol but for FTR"
RECIPES = (
    Recipe(
        "nnmm/accuracy",
        "tables III and IV: accuracy by part, whole move and phase",
        jobs,
        accuracy,
        LESS,
        without_gpu=SLOWER,
    ),
    Recipe(
        "nnmm/legality",
        "table V: legality by part and whole move, and which rules are broken",
        jobs,
        legality,
        LESS,
        without_gpu=SLOWER,
    ),
    Recipe(
        "nnmm/reliability",
        "figure 5: precision of legal decisions at every recall",
        jobs,
        reliability,
        LESS,
        without_gpu=SLOWER,
    ),
    Recipe("nnmm/curve", "figure 4: the learning curve of TO in the order TFR", jobs, curve, LESS, without_gpu=SLOWER),
)
