"""Ctrl-C ends whatever takes long, says what is kept and how to go on, and loses nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import spielwerk as sw
from marks import slow
from signals import hear_all
from spielwerk.arena.agent import Agent
from spielwerk.arena.matches.match import play_match
from spielwerk.arena.playing.plan import Plan
from spielwerk.arena.records.played import PlayedGames
from spielwerk.arena.records.store import Store
from spielwerk.kernel.random import streams
from spielwerk.search.stop import Stop

GAME = "othello"
ENDLESS = "mcts:iterations=1000000000"
QUICK = {  # by the endless search, one that compiles the same
    ENDLESS: "mcts:iterations=1",
    f"{ENDLESS},threads=2": "mcts:iterations=2,threads=2",
    "mc:iterations=1000000000": "mc:iterations=1",
    "expectimax:depth=40": "expectimax:depth=1",
}
SEARCHES = list(QUICK)
COMMAND = [sys.executable, "-c", "from spielwerk.cli import main; print('begun', flush=True); main()"]
INTO_IT = 1.5  # seconds after which a command is at what takes long
LATEST = 60.0  # seconds that a test waits for an end that should come within one
ONLY = "Stopped."  # of a command that keeps nothing
NOT_YET = "Nothing new is kept."
SAME = "the same command"


def begun(*arguments: str) -> subprocess.Popen[str]:
    """A command that runs, in a process group of its own, as a terminal starts it."""
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=hear_all,
    )
    assert process.stdout
    assert process.stdout.readline() == "begun\n"
    return process


def press(process: subprocess.Popen[str], times: int = 1) -> None:
    """Presses Ctrl-C, which reaches the whole group."""
    time.sleep(INTO_IT)
    for _ in range(times):
        os.killpg(process.pid, signal.SIGINT)


def ended(process: subprocess.Popen[str]) -> tuple[int, list[str]]:
    """The exit code and the lines of errors."""
    try:
        errors = process.communicate(timeout=LATEST)[1]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    return process.returncode, errors.splitlines()


ENDED = [
    (("analyse", GAME, "--agent", SEARCHES[0]), ONLY),
    (("match", GAME, ENDLESS, "random"), "What was played is kept; to resume: spielwerk match --resume 1"),
    (("tournament", GAME, ENDLESS, "random"), "to resume: spielwerk tournament --resume 1"),
    (("grade", "einstein:board=3", "mc:iterations=1000000000"), ONLY),
    (("solve", "othello:size=6"), SAME),
    (("perft", GAME, "20"), ONLY),
    (("bench", "rules", "--rounds", "1000000"), ONLY),
    (("train", "td", "einstein:board=3", "episodes=1000000000"), "to resume: spielwerk runs resume td-einstein"),
    (("study", "run", "einstein/table-16", "--quick"), SAME),
    *slow(
        *((("analyse", GAME, "--agent", name), ONLY) for name in SEARCHES[1:]),
        (("analyse", "morris", "--agent", "alphabeta:depth=40"), ONLY),
        (("train", "evolution", "nim", "generations=1000000"), "to resume: spielwerk runs resume evolution-nim"),
        (("solve", "morris", "up_to=6-6", "keep=nothing"), SAME),
    ),
]


@pytest.mark.parametrize("case", ENDED)
def test_ctrl_c_ends_a_command_with_one_line_that_says_what_is_kept(
    case: tuple[tuple[str, ...], str], home: Path
) -> None:
    arguments, says = case
    process = begun(*arguments)
    press(process)
    one_line(process, says, sure=arguments[0] in ("analyse", "grade", "perft", "bench"))


def test_ctrl_c_during_an_import_keeps_none_of_its_games(home: Path) -> None:
    (home / "games").write_text("f5d6c3d3c4\n" * 500_000)
    process = begun("import", str(home / "games"))
    press(process)
    one_line(process, "Nothing of the file is stored.", sure=False)
    with Store() as store:
        assert not store.matches()


@pytest.mark.slow
def test_ctrl_c_during_a_review_keeps_the_game(home: Path) -> None:
    (home / "game").write_text("f5d6c3d3c4\n")
    process = begun("review", str(home / "game"), "--judge", ENDLESS)
    press(process)
    one_line(process, "The review is not kept; the game is.", sure=False)


@pytest.mark.slow
def test_ctrl_c_ends_a_run_that_was_resumed(home: Path) -> None:
    sw.train("td", "nim", name="short", episodes=10, evaluation={"games": 2, "grade": "no"})
    process = begun("runs", "resume", "short", "--episodes", "1000000000")
    press(process)
    one_line(process, "to resume: spielwerk runs resume short", sure=False)


def one_line(process: subprocess.Popen[str], says: str, sure: bool) -> None:
    """The command ends with what it should say; unless that is sure, it may not have begun yet on a slow machine."""
    code, lines = ended(process)
    assert code == 130
    stopped = [line for line in lines if line.startswith("Stopped.")]
    assert lines[-1:] == stopped
    said = stopped[0] == says if says == ONLY else says in stopped[0]
    assert said or (not sure and stopped[0] in (ONLY, f"{ONLY} {NOT_YET}"))
    assert not any("Traceback" in line for line in lines)


WAITS = (4.0, 12.0, 40.0)  # seconds before Ctrl-C: the more, the less is left to compile
WITHIN = 1.0  # seconds


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("analyse", GAME, "--agent", ENDLESS),
        ("grade", "einstein:board=3", "mc:iterations=1000000000"),
        ("solve", "othello:size=6"),
        ("study", "run", "einstein/table-16", "--quick"),
    ],
)
def test_ctrl_c_ends_what_is_long_within_a_second(arguments: tuple[str, ...], home: Path) -> None:
    taken = []
    for wait in WAITS:
        process = begun(*arguments)
        time.sleep(wait)
        pressed = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        process.wait(LATEST)
        taken.append(time.monotonic() - pressed)
        assert ended(process)[0] == 130
        if taken[-1] < WITHIN:
            return
    pytest.fail(f"The seconds that it took to end: {taken}")


LOADING = """
import os, signal, sys
import spielwerk.__main__ as program

module = sys.argv.pop()

class Press:
    def find_spec(name, *_):
        if name == module:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Press)
program.main()
"""


@pytest.mark.parametrize("module", ["spielwerk.cli", "numpy", *slow("typer.core", "numba", "llvmlite.binding")])
def test_ctrl_c_while_the_program_loads_is_one_line_too(module: str) -> None:
    command = [sys.executable, "-c", LOADING, "show", "nim", module]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=hear_all)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", f"{ONLY}\n")


def test_ctrl_c_pressed_again_and_again_is_one_line(home: Path) -> None:
    process = begun("analyse", GAME, "--agent", ENDLESS)
    press(process, times=5)
    assert ended(process) == (130, [ONLY])


def test_ctrl_c_while_the_opponent_thinks_keeps_the_game(home: Path) -> None:
    process = begun("play", "othello", "--against", ENDLESS)
    assert process.stdin
    process.stdin.write("f5\n")
    process.stdin.flush()
    latest = time.monotonic() + LATEST
    while not moves_kept() and time.monotonic() < latest:
        time.sleep(0.1)
    press(process)
    assert ended(process) == (130, ["Stopped. Kept as game 1; to resume it: spielwerk play --resume 1"])
    assert moves_kept() == ["f5"]


def moves_kept() -> list[str]:
    """Those of the game that was begun last."""
    with PlayedGames() as games:
        return [line.move for game in games.games()[-1:] for line in game.record.turns]


@pytest.mark.slow  # on a busy machine the search may not have begun, where Ctrl-C ends the program
def test_ctrl_c_while_one_waits_for_a_hint_ends_only_that(home: Path) -> None:
    takes(sw.agent(QUICK[ENDLESS], GAME), sw.game(GAME).start())  # so that nothing is left to compile
    process = begun("play", "othello", "--against", ENDLESS)
    assert process.stdin
    process.stdin.write("hint\n")
    process.stdin.flush()
    time.sleep(3 * INTO_IT)
    press(process)
    out, errors = process.communicate("text\nquit\n", timeout=LATEST)
    assert (process.returncode, errors) == (0, "")
    assert "Stopped." in out
    assert "No turn was played" in out


@contextmanager
def pressed_soon() -> Iterator[None]:
    """Ctrl-C comes to this process in a moment."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's job may ignore
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)


def many(agent: Agent, position: sw.Position) -> np.ndarray:
    return agent.choose_many(agent.game.batch([position] * 2, threads=1), streams(1, "many", 2))


def plays(agent: Agent, position: sw.Position) -> object:
    return play_match(Plan(GAME, ("a", "b"), 2), lambda name, game: agent)


def thinks(agent: Agent, position: sw.Position) -> object:
    return agent.analyse(position)


def takes(agent: Agent, position: sw.Position) -> object:
    return agent.turn(position)


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("ask", [takes, many, *slow(thinks, plays)])
def test_ctrl_c_ends_a_search_in_a_script(name: str, ask: Callable[[Agent, sw.Position], object]) -> None:
    agent, position = sw.agent(name, GAME), sw.game(GAME).start()
    ask(sw.agent(QUICK[name], GAME), position)
    with pytest.raises(KeyboardInterrupt), pressed_soon():
        ask(agent, position)


def test_ctrl_c_that_python_lost_is_raised_after_the_search() -> None:
    stop = Stop()
    stop.set()
    stop.check()  # whoever else sets it wants what was found
    stop.interrupted = True
    with pytest.raises(KeyboardInterrupt):
        sw.agent(ENDLESS, GAME).turn(sw.game(GAME).start(), stop=stop)  # pyright: ignore


def test_a_search_after_one_that_was_stopped_is_whole() -> None:
    game = sw.game(GAME)
    position = game.start()
    fresh, agent = sw.agent("mcts:iterations=3000", game), sw.agent(ENDLESS, game)
    with pytest.raises(KeyboardInterrupt), pressed_soon():
        agent.turn(position)
    again = sw.agent("mcts:iterations=3000", game)
    assert again.analyse(position) == fresh.analyse(position)
    assert again.turn(position) == fresh.turn(position)


@pytest.mark.parametrize("name", ["mc:iterations=1000000000", "expectimax:depth=40"])
def test_a_search_that_is_stopped_plays_what_it_has_found(name: str) -> None:
    agent, position = sw.agent(name, GAME), sw.game(GAME).start()
    agent.ready()
    stop = Stop()
    threading.Timer(0.2, stop.set).start()
    assert agent.turn(position, stop=stop).text in position.moves()  # pyright: ignore
    assert agent.turn(position, stop=stop).text in position.moves()  # pyright: ignore (at once)


def test_alphabeta_that_is_stopped_plays_what_it_has_found() -> None:
    agent, position = sw.agent("alphabeta:depth=40", "morris"), sw.game("morris").start()
    stop = Stop()
    stop.set()
    assert agent.turn(position, stop=stop).text in position.moves()  # pyright: ignore


def test_ctrl_c_ends_no_search_of_another_thread() -> None:
    made: list[Stop] = []
    thread = threading.Thread(target=lambda: made.append(Stop()))
    thread.start()
    thread.join()
    own = Stop()
    with pressed_soon():
        with pytest.raises(KeyboardInterrupt):
            time.sleep(LATEST)
        time.sleep(0.2)
    assert (own.is_set, made[0].is_set) == (True, False)
