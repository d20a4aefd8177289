"""How strong TD learning becomes: several seeds of each config, trained, then matched and graded.

    python benchmarks/td.py [CONFIG …] [--seeds 3] [--json]      all configs: about two hours on two cores

Every step is a command that anybody can give (they are printed), so that this file is only their list: `train` makes
the run `strength-CONFIG` in the data folder, or goes on with it; `match` and `grade` measure each seed. A bar is met
where the 95 % interval over all seeds' games reaches it; a regret of 0 is met by none at all. The exit code is 1 if
one is not met.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from spielwerk.games.registry import game as game_of
from spielwerk.learn.registry import settings_of
from spielwerk.learn.runs import Run, names_of_runs, open_run


@dataclass(frozen=True)
class Against:
    """A match of each seed against one opponent."""

    opponent: str
    games: int
    bar: float
    seating: str = "teams"


@dataclass(frozen=True)
class Config:
    """What is trained, and what must come out."""

    game: str
    settings: tuple[str, ...]
    matches: tuple[Against, ...]
    regret: float | None = None  # the most score lost a decision
    seeds: int = 3


CONFIGS = {
    "einstein-4x4": Config(
        "einstein:board=4",
        ("episodes=3000000", "alpha_end=0.005", "epsilon=0.5"),
        (Against("random", 20_000, 0.905),),
        regret=0.01,
    ),
    "einstein-5x5": Config(
        "einstein",
        ("episodes=5000000", "coding=owner"),
        (Against("random", 20_000, 0.94), Against("mctse:iterations=2000", 600, 0.5)),
    ),
    "einstein-4x4-four": Config(
        "einstein:board=4,players=4",
        ("episodes=500000",),
        (Against("random", 20_000, 0.8), Against("random", 20_000, 0.499, "mixed")),
    ),
    "einstein-6x6-four": Config(
        "einstein:board=6,players=4",
        ("episodes=300000", "coding=owner"),
        (Against("random", 20_000, 0.8), Against("random", 20_000, 0.503, "mixed")),
    ),
    "nim": Config(
        "nim:stacks=1-3-5-7",
        ("episodes=200000", "gamma=0.8", "alpha_end=0.1", "epsilon=0.5", "epsilon_end=0.05"),
        (Against("random", 20_000, 0.99),),
        regret=0.0,
    ),
    "othello": Config("othello", ("episodes=50000",), (Against("random", 20_000, 0.95),)),
    "morris": Config("morris", ("episodes=20000",), (Against("random", 2_000, 0.95),)),
}


@dataclass(frozen=True)
class Row:
    """One figure."""

    config: str
    what: str
    value: float
    low: float
    high: float
    bar: float
    met: bool
    seeds: list[float]  # each seed's own figure


def spielwerk(*words: str) -> Any:
    """What a command prints with --json; the command itself goes to standard error."""
    print(f"spielwerk {' '.join(words)}", file=sys.stderr, flush=True)
    command = [str(Path(sys.executable).with_name("spielwerk")), *words, "--json"]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def trained(name: str, config: Config, seeds: int) -> str:
    """The name of the run, which is then finished."""
    run = f"strength-{name}"
    if run not in names_of_runs():
        spielwerk("train", "td", config.game, *config.settings, "--seeds", str(seeds), "--name", run)
        return run
    check_same(open_run(run), config, seeds)
    if not all(map(open_run(run).finished, range(1, seeds + 1))):
        spielwerk("runs", "resume", run)
    return run


def check_same(run: Run, config: Config, seeds: int) -> None:
    """Stops where a run of this name was made from something else."""
    settings = asdict(settings_of("td", dict(word.split("=") for word in config.settings)))
    wanted, made = ("td", game_of(config.game).name, settings), run.config
    if (made.kind, made.game, made.settings) != wanted or not set(range(1, seeds + 1)) <= set(made.seeds):
        again = f"to train it anew: spielwerk runs delete {run.name}"
        sys.exit(f"The run {run.name} was made with other settings, or with fewer than {seeds} seeds; {again}")


def measured(name: str, config: Config, seeds: int) -> Iterator[Row]:
    """The figures of a config, each over all seeds."""
    run = trained(name, config, seeds)
    agents = {seed: f"td:{run}/{seed}" for seed in range(1, seeds + 1)}  # each has games and dice of its own
    for match in config.matches:
        options = ("-n", str(match.games), "--seating", match.seating)
        found = [
            spielwerk("match", config.game, agent, match.opponent, *options, "--seed", str(seed))
            for seed, agent in agents.items()
        ]
        what = f"rate against {match.opponent}" + (" (mixed)" if match.seating == "mixed" else "")
        yield row(name, what, "rate", found, match.bar)
    if config.regret is not None:
        found = [spielwerk("grade", config.game, agent, "--seed", str(seed)) for seed, agent in agents.items()]
        yield row(name, "regret a decision", "regret", found, config.regret)


def row(config: str, what: str, key: str, found: list[Any], bar: float) -> Row:
    """The mean over seeds; its interval is that of all their games, which are as many from each."""
    values, intervals = [one[key] for one in found], [one[f"{key}_interval"] for one in found]
    mean = sum(values) / len(values)
    apart = [
        sum((value - ends[side]) ** 2 for value, ends in zip(values, intervals, strict=True)) ** 0.5 / len(values)
        for side in (0, 1)
    ]
    low, high = mean - apart[0], mean + apart[1]
    return Row(config, what, mean, low, high, bar, _met(key, mean, low, high, bar), values)


def _met(key: str, mean: float, low: float, high: float, bar: float) -> bool:
    """Whether a figure reaches its bar, in doubt in its favour; but no regret at all means none."""
    if key == "regret":
        return low <= bar if bar else mean == 0
    return high >= bar


def main() -> int:
    """Trains and measures the configs that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("configs", nargs="*", choices=[*CONFIGS, []], metavar="CONFIG", help=", ".join(CONFIGS))
    parser.add_argument("--seeds", type=int, default=0, help="of each config; by default its own number")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    rows: list[Row] = []
    for name in chosen.configs or CONFIGS:
        for one in measured(name, CONFIGS[name], chosen.seeds or CONFIGS[name].seeds):
            rows.append(one)
            if not chosen.json:
                seeds = ", ".join(f"{value:.4f}" for value in one.seeds)
                figure = f"{one.value:.4f} ({one.low:.4f} to {one.high:.4f}), bar {one.bar:g}; seeds {seeds}"
                print(f"{'met' if one.met else 'NOT MET':8} {one.config:20} {one.what:40} {figure}", flush=True)
    if chosen.json:
        print(json.dumps({"rows": [vars(one) for one in rows]}, indent=2))
    return 0 if all(one.met for one in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
