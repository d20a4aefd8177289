"""Whole command lines, drawn at random: none may end in a traceback, or not at all. `verify.py` runs this too.

    python benchmarks/fuzz.py --count 300 --seed 1

Commands run in this process with a data folder of their own, in which runs, a match and a record lie, some of them
damaged on the way, and made whole again now and then. What ends in anything but an exit code is printed with its
command line.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import shlex
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

SECONDS = 20  # that a command line may take
WHOLE = 50  # command lines after which all files are as they were
GAMES = ("nim", "nim:stacks=1-2", "einstein:board=3", "othello:size=4", "morris:rules=six", "backgammon:checkers=3")
AGENTS = (
    "random",
    "mc:iterations=2",
    "mcts:iterations=5",
    "td:one",
    "td:one/1",
    "td:one,at=5",
    "td",
    "oracle",
    "engine:cat",
)
WORDS = (
    *(
        "",
        "-",
        "--",
        "-1",
        "0",
        "1",
        "2",
        "9" * 25,
        "9" * 5000,
        "1e999",
        "nan",
        "0.5",
        "true",
        "x",
        "é",
        "\x1b[2J",
        "a\nb",
    ),
    *(
        "\udcff",
        "~nobody",
        "/dev/null",
        "/dev/zero",
        ".",
        "/",
        "one",
        "one/1",
        "last",
        "1,2",
        "5,1",
        "a=b",
        'a="',
        "[" * 50,
    ),
)
COMMANDS = {  # each with kinds of words; one behind "!" is always said, as it keeps the command short
    "games": (),
    "info": (),
    "agents": ("AGENT",),
    "show": ("GAME", "POSITION"),
    "perft": ("GAME", "1"),
    "laws": ("GAME", "!--games", "!1"),
    "analyse": ("GAME", "POSITION", "--agent", "AGENT"),
    "analyse --roll": ("ROLL", "DICE", "--agent", "AGENT"),
    "engine": ("AGENT",),
    "solve": ("SMALL", "SETTING"),
    "match": ("GAME", "AGENT", "AGENT", "-n", "2", "--processes", "1"),
    "tournament": ("GAME", "AGENT", "AGENT", "-n", "2"),
    "ladder": ("GAME",),
    "matches": (),
    "replay": ("NUMBER", "NUMBER"),
    "export": ("NUMBER", "FILE"),
    "export --format": ("FORMAT", "NUMBER", "OUTPUT"),
    "import": ("FILE",),
    "played": (),
    "play": ("GAME", "--seed", "1"),
    "review": ("FILE", "--judge", "mcts:iterations=5"),
    "grade": ("GAME", "AGENT", "--judged", "FILE"),
    "train td": ("TINY", "!episodes=3", "!--games", "!2", "SETTING"),
    "train evolution": ("TINY", "!generations=1", "!population=4", "!--games", "!2", "SETTING"),
    "train --settings": ("FILE", "--name", "RUN"),
    "runs": (),
    "runs show": ("RUN",),
    "runs compare": ("RUN", "RUN"),
    "runs curves": ("RUN", "--plot", "OUTPUT"),
    "runs metrics": ("RUN",),
    "runs metrics --csv": ("OUTPUT", "RUN"),
    "runs resume": ("RUN",),
    "runs resume --episodes": ("12", "RUN"),
    "runs export": ("RUN", "FILE"),
    "runs pack": ("RUN", "FILE"),
    "runs unpack": ("FILE",),
    "runs delete": ("RUN", "--yes"),
    "evolution history": ("BRED",),
    "evolution history --csv": ("OUTPUT", "BRED"),
    "evolution games": ("BRED", "--generation", "NUMBER"),
    "evolution draw": ("BRED", "PICTURE", "--generation", "NUMBER"),
    "evolution grow": ("BRED", "PICTURE"),
    "study list": (),
    "study run": ("STUDY", "!--quick", "!--seed", "!1"),  # said last, so that no other seed is measured
}
LISTS = {
    "GAME": GAMES,
    "TINY": ("nim:stacks=1-2",),
    "SMALL": ("nim:stacks=1-2", "einstein:board=3", "othello:size=4"),
    "DICE": ("einstein:board=3", "backgammon:checkers=3", "nim"),
    "AGENT": AGENTS,
    "RUN": ("one", "one", "bred", "two", "one/1"),
    "BRED": ("bred", "bred", "bred/1", "one", "two"),
    "PICTURE": ("new.svg", "new.svg", "new.png", "no/such.svg"),
    "NUMBER": ("0", "1", "2"),
    "ROLL": ("1", "3-1", "66", "7-7"),
    "FORMAT": ("mat", "transcript"),
    "SETTING": ("--json",) * 8 + ("alpha=0.5", "stones=1", "fitness=x", "alpha=nan", "--list", "memory=1e-9"),
    "POSITION": ("1-2 A", "x", "********/******** w p p 0 6 0 6", "XGID=-a------B-:0:0:1:31:0:0:0:0:10"),
    "OUTPUT": ("-", "new.svg", "new.png", "new.csv", "no/such.svg", "/dev/full"),
    "STUDY": ("einstein/table-1", "einstein/table-2", "einstein/figure-16", "einstein"),
}
OPTIONS = (
    "--json",
    "--seed",
    "--games",
    "--game",
    "--plot",
    "--svg",
    "--resume",
    "--name",
    "--help",
    "--boards",
    "--jsonl",
    "--roll",
    "--format",
    "--csv",
    "--theme",
    "--all",
)
TYPED = b"\xff\nhelp\nspielwerk 1\ngame nim:stacks=1-2\nposition 1-2 A\ngo\nanalyse\nposition\ngo\nquit\n"


ENDS: Counter[object] = Counter()  # exit codes


class TooLong(BaseException):
    """A command line took more seconds than it may."""


def furnish(home: Path) -> list[Path]:
    """A home with two runs, a match, a study and a game, and files beside it; all of them."""
    import spielwerk as sw
    from spielwerk.arena.records.store import Store
    from spielwerk.studies.recipe import Form
    from spielwerk.studies.registry import recipe
    from spielwerk.studies.results import keep

    game, options = "nim:stacks=1-2", {"threads": 1, "evaluation": {"games": 2, "grade": "no"}}
    sw.train("td", game, name="one", episodes=10, keep=1, **options)
    sw.train("evolution", game, name="bred", generations=2, population=6, **options)
    for job in recipe("einstein/figure-16").jobs(Form(quick=True)):
        keep(job, {"rates": [0.5, 0.6], "perfect": 0.9, "ceiling": 0.95}, 1.0)
    with Store() as store:
        sw.match(game, "random", "random", games=4, store=store, processes=1)
    record = '[Game "nim:stacks=1-2"]\n[Agents "a" "b"]\n[Result "-1 +1"]\n\n  1. A 1:1\n  2. B 2:1\n  3. A 2:1\n'
    (home / "game.txt").write_text(record)
    (home / "game.json").write_text('{"game": "nim"}\n')
    (home / "empty").write_text("")
    return [path for path in home.rglob("*") if path.is_file() and path.name != "lock"]


def word(draw: random.Random, kind: str, files: list[Path]) -> str:
    """A word in the place of a kind of them, seldom the right one."""
    if kind.startswith("!"):
        return kind[1:]
    if draw.random() < 0.1:
        return draw.choice(WORDS)
    found = draw.choice((LISTS | {"FILE": tuple(map(str, files))}).get(kind, (kind,)))
    return found + draw.choice(WORDS) if draw.random() < 0.05 else found


def line(draw: random.Random, files: list[Path]) -> list[str]:
    """A command line."""
    command = draw.choice(list(COMMANDS))
    kinds = list(COMMANDS[command])
    for _ in range(draw.choice((0, 0, 0, 0, 1, 2))):
        kinds.insert(draw.randint(0, len(kinds)), draw.choice((*OPTIONS, *WORDS)))
    words = [word(draw, kind, files) for kind in kinds]
    if draw.random() < 0.1 and not any(kind.startswith("!") for kind in kinds):
        del words[draw.randint(0, len(words)) :]
    return [*command.split(), *words]


def spoil(draw: random.Random, path: Path) -> None:
    """Damages a file: bits, pieces, or an end."""
    data = bytearray(path.read_bytes()) if path.exists() else bytearray()
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(data) + 1)
        data[at : at + draw.randint(0, 20)] = draw.choice(
            (b"", b"\x00", b"\xff", b"NaN", b"[" * 999, draw.randbytes(4))
        )
    with contextlib.suppress(OSError):
        path.write_bytes(data)


@contextlib.contextmanager
def limited() -> Iterator[None]:
    """Ends what takes too long."""

    def stop(_: int, __: FrameType | None) -> None:
        raise TooLong

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)


def outcome(words: list[str]) -> str:
    """What a command line does that it must not; nothing where all is well."""
    from spielwerk import cli

    sys.argv = ["spielwerk", *words]
    said = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="replace")
    sys.stdin = io.TextIOWrapper(io.BytesIO(TYPED), encoding="utf-8", errors="replace")
    try:
        with limited(), contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            cli.main()
    except SystemExit as end:
        ENDS[end.code] += 1
        return "" if end.code in (None, 0, 1, 2, 130) else f"exit code {end.code}"
    except TooLong:
        return f"more than {SECONDS} seconds"
    except BaseException:
        return traceback.format_exc()
    return ""


def run(count: int, seed: int) -> tuple[int, list[str]]:
    """How many command lines were run, and what went wrong with each that it did with."""
    draw, wrong = random.Random(seed), []
    before = sys.argv, sys.stdin, os.getcwd()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        home, good = Path(folder) / "home", Path(folder) / "good"
        home.mkdir()
        os.environ["SPIELWERK_HOME"] = str(home)
        os.chdir(folder)
        files = furnish(home)
        shutil.copytree(home, good)
        for number in range(count):
            if number % WHOLE == WHOLE - 1:
                shutil.rmtree(home)
                shutil.copytree(good, home)
            if number % 10 == 9:
                spoil(draw, draw.choice(files))
            words = line(draw, files)
            if problem := outcome(words):
                wrong.append(f"spielwerk {shlex.join(words)[:300]}\n{problem[-3000:]}")
        sys.argv, sys.stdin = before[:2]
        os.chdir(before[2])
    return count, wrong


def main() -> int:
    """Runs so many command lines and prints what went wrong."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=300)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    begun = time.perf_counter()
    count, wrong = run(given.count, given.seed)
    print("\n".join(wrong))
    print(f"{count} command lines in {time.perf_counter() - begun:.0f} s, exit codes {dict(ENDS)}; {len(wrong)} wrong.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
