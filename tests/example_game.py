"""The game of `examples/own_game`, as an installation of it leaves it behind."""

from __future__ import annotations

import tomllib
from pathlib import Path

EXAMPLE = Path(__file__).parents[1] / "examples" / "own_game"


def installed(folder: Path) -> list[Path]:
    """Writes what tells of the package into a folder; the folders that belong on the path."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    points = [f"{name} = {module}" for name, module in project["entry-points"]["spielwerk.games"].items()]
    about = folder / f"spielwerk_chomp-{project['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    (about / "entry_points.txt").write_text("\n".join(["[spielwerk.games]", *points, ""]))
    return [folder, EXAMPLE / "src"]
