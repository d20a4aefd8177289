"""Plots as PNG or SVG: how they look, and the rating plot, a dot and its interval for each agent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spielwerk.files import named_by_user
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.arena.matches.ratings import Rating

FORMATS = (".png", ".svg")
LIGHT, DARK = THEMES = ("light", "dark")
INK, QUIET, GRID, DOT, BAR = "#222222", "#777777", "#e6e6e6", "#2a6fb0", "#b4cbe3"
PAPER = "#15191e"  # of dark pictures
IN_THE_DARK = {  # what colours become on it; others stay
    **{"#ffffff": PAPER, "#000000": "#e8eaed", INK: "#e8eaed", QUIET: "#9aa0a6", GRID: "#2b3138", DOT: "#5ea9ea"},
    **{BAR: "#2c4a66", "#c9c9c9": "#565d65", "#cccccc": "#454b52", "#555555": "#b4b9bf", "#f0cdb6": "#5c3b26"},
    **{"#c2571a": "#ef8a4c", "#3f8f4f": "#69bd79", "#8a4f9e": "#c08ad3", "#b08a1e": "#d9b548", "#4f9ea8": "#72c4ce"},
    **{"#a83a4f": "#e2728a", "#c0392b": "#ef6b5c"},
}
ROW = 0.36  # inches
LONGEST = 48  # letters of a name
FONT = ["DejaVu Sans"]  # comes with matplotlib: the same picture everywhere


def check_path(path: Path) -> None:
    """Refuses a file that a plot cannot be written to; called before the games are played."""
    if path.suffix.lower() not in FORMATS:
        raise BadInput(f'A plot is a .png or .svg file, not "{path.name}".')
    if not path.parent.is_dir():
        raise BadInput(f"{path} cannot be written: there is no folder {path.parent}.")


@contextmanager
def drawn() -> Iterator[None]:
    """While this lasts, figures are drawn in the same hand as all our pictures."""
    import matplotlib

    hand: Any = {"font.family": FONT, "svg.hashsalt": "spielwerk", "text.color": INK, "text.parse_math": False}
    with matplotlib.rc_context(hand):
        yield


def check_theme(theme: str) -> None:
    """Refuses a theme that pictures do not have."""
    if theme not in THEMES:
        raise BadInput(f'There is no theme "{theme}"; possible: {", ".join(THEMES)}.')


def save(draw: Callable[[], Any], path: Path, theme: str = LIGHT) -> None:
    """Writes the figure that `draw` makes, in the same hand as all our pictures."""
    check_path(path)
    check_theme(theme)
    with drawn():
        figure = draw()
        if theme == DARK:
            darken(figure)
        try:
            with named_by_user(path) as part:
                form = path.suffix.lower().lstrip(".")
                figure.savefig(part, dpi=160, format=form, metadata={"Date": None} if form == "svg" else None)
        except OSError as problem:
            raise BadInput(f"{path} cannot be written: {problem.strerror}.") from None


def darken(figure: Any) -> None:
    """Turns a light figure into a dark one: the same, with other colours."""
    kinds = ("color", "facecolor", "edgecolor", "markerfacecolor", "markeredgecolor")
    for axes in figure.axes:  # whose ticks are made anew when it is drawn
        axes.tick_params(grid_color=IN_THE_DARK[GRID], labelcolor=IN_THE_DARK[INK])
    found = figure.findobj()
    boxes = [artist.get_bbox_patch() for artist in found if hasattr(artist, "get_bbox_patch")]  # behind texts
    for artist in (*found, *filter(None, boxes)):
        known = [kind for kind in kinds if hasattr(artist, f"get_{kind}") and hasattr(artist, f"set_{kind}")]
        for kind, colour in {kind: getattr(artist, f"get_{kind}")() for kind in known}.items():
            changed = _in_the_dark(colour)
            if changed is not None:
                getattr(artist, f"set_{kind}")(changed)


def _in_the_dark(colour: Any) -> Any:
    """A colour, or several, on dark paper; None where it stays."""
    from matplotlib.colors import to_hex, to_rgba, to_rgba_array

    if isinstance(colour, str) and colour in ("none", "auto"):
        return None
    found = to_rgba_array(colour)
    changed = [to_rgba(IN_THE_DARK.get(to_hex(one[:3]), to_hex(one[:3])), one[3]) for one in found]
    if len(changed) == 0 or (found == changed).all():
        return None
    return changed[0] if len(changed) == 1 else changed


def rating_figure(rated: Sequence[Rating], title: str) -> Any:
    """A matplotlib figure of ratings that have the same anchor, the best on top."""
    from matplotlib.figure import Figure

    rows = range(len(rated))
    figure = Figure(figsize=(8, 1.2 + ROW * len(rated)), layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", fontsize=12)
    axes = figure.add_subplot()
    axes.axvline(0, color=QUIET, linewidth=1)
    for row, rating in zip(rows, rated, strict=True):
        axes.plot(rating.interval, (row, row), color=BAR, linewidth=5, solid_capstyle="round")
    axes.plot([rating.rating for rating in rated], rows, "o", color=DOT, markersize=7, markeredgecolor="white")
    axes.set_yticks(rows, [short(rating.agent) for rating in rated])
    axes.set_xlabel(f"Elo above {short(rated[0].anchor)}, with 95 % intervals", color=INK)
    figures = axes.twinx()
    figures.set_yticks(rows, [_figures(rating) for rating in rated])
    for one in (axes, figures):
        one.set_ylim(len(rated) - 0.4, -0.6)
        quiet(one)
    axes.grid(axis="x", color=GRID)
    return figure


def _figures(rating: Rating) -> str:
    half = rating.interval[1] - rating.rating
    return f"{rating.rating:.0f} ± {half:.0f}" if half else f"{rating.rating:.0f}"


def short(name: str) -> str:
    """The name of an agent, cut where it is too long."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def quiet(axes: Any) -> None:
    """Only what is read: no frame, no ticks."""
    axes.spines[:].set_visible(False)
    axes.set_axisbelow(True)
    axes.tick_params(length=0, colors=INK)
