"""Other programs as agents: how they are asked, and what bad ones do to a match."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import spielwerk as sw
from signals import hear_all
from spielwerk.arena.agent import Forfeit
from spielwerk.arena.matches.match import play_match
from spielwerk.arena.playing.block import Block, play_block
from spielwerk.arena.playing.plan import Plan
from spielwerk.arena.records.store import Store
from spielwerk.kernel.random import stream

ROOT = Path(__file__).parents[1]
PYTHON = shlex.quote(sys.executable)
SPIELWERK = shlex.quote(str(Path(sys.executable).parent / "spielwerk"))
BOT = f"{PYTHON} {shlex.quote(str(ROOT / 'examples' / 'engine_bot.py'))}"
NIM = "nim:stacks=2-3"
START = str(sw.game(NIM).start())

# A sound engine, but for what it does when it begins a game.
ENGINE = f"""
import os, subprocess, sys, time
say = lambda line: print(line, flush=True)
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word in ("spielwerk", "game"):
        say("ready")
    elif word == "position":
        begins = rest == "{START}"
    elif word == "moves":
        moves = rest.split(" | ")
    elif word == "quit":
        break
    elif word == "go" and begins:
        %s
    elif word == "go":
        say("bestmove " + moves[-1])
"""
BAD = {
    "dies": ('sys.exit("out of\\nideas")', "ended with exit code 1: ideas"),
    "is killed": ("os.kill(os.getpid(), 9)", "was ended by signal 9"),
    "leaves": ("sys.exit()", "ended with exit code 0"),
    "hangs": ("time.sleep(1000)", "did not answer within 1,000 ms"),
    "plays illegally": ('say("bestmove zz")', 'played "zz", which is not legal here'),
    "plays nothing": ('say("bestmove")', 'played "", which is not legal here'),
    "writes garbage": (r'os.write(1, b"\xff\x1b[2J\n")', 'answered "�\\x1b[2J" instead of "bestmove"'),
    "refuses": ('say("error no idea")', 'answered "error no idea"'),
    "floods with lines": ('while True: say("info " + "x" * 1000)', "did not answer within 1,000 ms"),
    "floods with one line": ('while True: sys.stdout.write("x" * 10**6)', "wrote a line without end"),
    "floods with errors": ('while True: sys.stderr.write("x" * 10**6)', "did not answer within 1,000 ms"),
    "closes its output": ("os.close(1); time.sleep(1000)", "closed its output"),
}

Make = Callable[..., sw.Agent]


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Make]:
    """Makes an agent of a program's text, and ends it after the test."""
    agents = []

    def make(text: str, more: str = "", game: str = NIM) -> sw.Agent:
        (tmp_path / "engine.py").write_text(text)
        agents.append(sw.agent(f'engine:"{PYTHON} {tmp_path / "engine.py"}"{more}', game))
        return agents[-1]

    yield make
    for agent in agents:
        agent.close()


def _match(agent: sw.Agent, games: int = 4, seed: int = 1) -> Block:
    plan = Plan(agent.game.name, (agent.name, "random"), games, seed)
    return play_block(plan, agent.game, [agent, sw.agent("random", agent.game)], 0, games, keep=True)


def _runs(pid: int) -> bool:
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
    return state != "" and not state.startswith("Z")


def _wait_for(happened: Callable[[], bool]) -> bool:
    for _ in range(600):
        if happened():
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_engine_loses_that_game_and_the_match_goes_on(made: Make, kind: str) -> None:
    deed, reason = BAD[kind]
    agent = made(ENGINE % deed, ",milliseconds=1000" if "1,000" in reason else "")
    block = _match(agent)
    assert block.faults == {0: (0, reason), 2: (0, reason)}  # the games in which it begins
    assert block.scores[[0, 2]].tolist() == [[-1, 1], [-1, 1]]
    assert all(len(block.traces[game]) > 1 for game in (1, 3))


def test_an_engine_that_never_gets_ready_loses_all_its_games_and_is_started_once(made: Make, tmp_path: Path) -> None:
    agent = made(f'open("{tmp_path}/starts", "a").write("x"); import sys; sys.exit("No module named chess")')
    reason = "ended with exit code 1: No module named chess"
    assert _match(agent).faults == {0: (0, reason), 1: (1, reason), 2: (0, reason), 3: (1, reason)}
    assert (tmp_path / "starts").read_text() == "x"


def test_an_engine_that_does_not_get_ready_in_time_forfeits(made: Make) -> None:
    agent = made("input(); input()", ",startup=200")
    assert _match(agent, 1).faults == {0: (0, "did not answer within 200 ms")}


def test_a_program_that_the_system_cannot_start_forfeits(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_bytes(b"\x7fELF is not all that it takes")
    program.chmod(0o755)
    assert _match(sw.agent(f"engine:{program}", NIM), 1).faults == {0: (0, "could not be started: Exec format error")}


def test_an_engine_that_refuses_the_game_is_bad_input(made: Make) -> None:
    agent = made('input(); print("ready", flush=True); input(); print("error only chess", flush=True); input()')
    with pytest.raises(sw.BadInput, match=f"does not play {NIM}: only chess"):
        _match(agent, 1)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('input(); print("error only chess", flush=True); input()', f"does not play {NIM}: only chess"),
        ('import sys; sys.exit("No module named chess")', "ended with exit code 1: No module named chess."),
    ],
)
def test_a_match_with_an_engine_that_cannot_play_is_not_begun(
    made: Make, tmp_path: Path, text: str, sentence: str
) -> None:
    name = made(text).name
    with Store(tmp_path / "arena.db") as store:
        with pytest.raises(sw.BadInput, match=sentence):
            play_match(Plan(NIM, (name, "random"), 4), sw.agent, store=store)
        assert store.matches() == []


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("engine", 'engine needs a program to run, such as engine:"python bot.py".'),
        ('engine:" "', "engine needs a program to run"),
        ("engine:no-such-program -x", 'engine: there is no executable program "no-such-program".'),
        ("engine:/", 'engine: there is no executable program "/".'),
        ("engine:python 'bot.py", "engine: python 'bot.py cannot be run: no closing quotation."),
        ('engine:"python\nbot.py"', "it contains unprintable characters"),
        ("engine:python,milliseconds=0", "engine: milliseconds must be 1 to 86400000, not 0."),
        ("engine:python,startup=-1", "engine: startup must be 1 to 86400000, not -1."),
        ("engine:python,milisecond=1", 'engine has no setting "milisecond". Did you mean "milliseconds"?'),
        ("engine:python bot.py k=1", """a command with equals signs or commas is written 'engine:"COMMAND"'."""),
    ],
)
def test_an_engine_that_cannot_be_is_refused_in_one_sentence(name: str, sentence: str) -> None:
    with pytest.raises(sw.BadInput) as refusal:
        sw.agent(name, NIM)
    assert sentence in str(refusal.value)


def test_an_engine_has_a_canonical_name_that_starts_it_again() -> None:
    name = f'engine:run="{SPIELWERK} engine RANDOM",milliseconds=10000,startup=9000'
    agent = sw.agent(name, NIM)
    assert agent.name == f"engine:{SPIELWERK} engine RANDOM,startup=9000"
    assert sw.agent(agent.name, NIM).settings == agent.settings


@pytest.mark.parametrize(
    ("game", "inner"), [("backgammon", "random"), ("morris", "random"), (NIM, "mcts:iterations=100")]
)
def test_our_own_agent_chooses_the_same_through_the_pipe(game: str, inner: str) -> None:
    engine, agent = sw.agent(f'engine:"{SPIELWERK} engine {inner}"', game), sw.agent(inner, game)
    position = engine.game.start()
    for turn in range(12):
        while position.chance:
            position = position.roll(position.outcomes()[turn % 5][0])
        if position.over:
            break
        here, there = stream(1, "test", turn), stream(1, "test", turn)
        chosen = agent.choose(position, here)
        assert engine.choose(position, there) == chosen
        assert engine.analyse(position, stream(2, "test")) == agent.analyse(position, stream(2, "test"))
        assert there != stream(1, "test", turn)  # so that the next choice is another
        position = position.play(chosen)
    engine.close()


def test_the_same_seed_gives_the_same_match() -> None:
    agent = sw.agent(f"engine:{BOT}", NIM)
    one, again, other = _match(agent, 20), _match(agent, 20), _match(agent, 20, seed=2)
    agent.close()
    assert one.traces == again.traces
    assert one.traces != other.traces
    assert not one.faults


@pytest.mark.parametrize("game", ["backgammon:checkers=3", "morris", "einstein:board=6,players=4"])
def test_the_example_plays_games_whose_rules_it_does_not_know(game: str) -> None:
    agent = sw.agent(f"engine:{BOT}", game)
    assert not _match(agent, 2).faults
    position = agent.game.start()
    while position.chance:
        position = position.roll(position.rolls()[0])
    analysis = agent.analyse(position, stream(5, "test"))  # which the example does not offer
    agent.close()
    assert [judged.probability for judged in analysis.moves] == [1]
    assert analysis.moves[0].move in position.moves()


def test_the_example_needs_nothing_but_python_and_stays_small() -> None:
    lines = (ROOT / "examples" / "engine_bot.py").read_text().splitlines()
    assert len(lines) <= 60
    assert [line for line in lines if line.startswith(("import", "from"))] == ["import random", "import sys"]


@pytest.mark.parametrize(
    "answer",
    [
        *("", "{", "[]", '{"value": 1}', '{"value": "x", "moves": []}', '{"value": NaN, "moves": []}', "[" * 5000),
        *('{"value": 0, "moves": ["1:1"]}', '{"value": 0, "moves": [{"move": "1:1", "visits": 1.5}]}'),
    ],
)
def test_an_analysis_that_cannot_be_read_is_a_fault(made: Make, answer: str) -> None:
    say = f"print({'analysis ' + answer!r} if line == 'analyse\\n' else 'ready', flush=True)"
    agent = made(
        f"import sys\nfor line in sys.stdin:\n    if line.split()[0] in ('spielwerk', 'game', 'analyse'): {say}"
    )
    with pytest.raises(Forfeit, match="gave an analysis that cannot be read"):
        agent.analyse(agent.game.start())


def test_an_engine_may_say_more_than_was_asked(made: Make) -> None:
    text = (ENGINE % "say(moves[0])").replace('say("ready")', 'say("name X\\nauthor Y\\n\\ninfo hello\\nready")')
    agent = made(text.replace("say(moves[0])", r'say("info thinking\r\n\r\nbestmove   " + moves[0] + " \r")'))
    assert not _match(agent).faults


def test_an_engine_and_all_that_it_starts_end_with_the_agent(made: Make, tmp_path: Path) -> None:
    starts = f"""child = subprocess.Popen(["sleep", "1000"])
        open("{tmp_path}/pids", "w").write(str(os.getpid()) + " " + str(child.pid))
        say("bestmove " + moves[0])"""
    agent = made(ENGINE % starts)
    agent.choose(agent.game.start())
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    assert all(_runs(pid) for pid in pids)
    agent.close()
    assert _wait_for(lambda: not any(_runs(pid) for pid in pids))


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, None])
def test_an_engine_does_not_outlive_our_own_process(made: Make, tmp_path: Path, how: signal.Signals | None) -> None:
    think = f'open("{tmp_path}/pid", "w").write(str(os.getpid())); say("bestmove " + moves[0])'
    name = made(ENGINE % think).name
    asks = f"import spielwerk as sw; agent = sw.agent({name!r}, {NIM!r}); agent.choose(agent.game.start())"
    program = f"{asks}; print(1, flush=True); {'input()' if how else 'pass'}"
    ours = subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        preexec_fn=hear_all,
    )
    assert ours.stdout
    assert ours.stdout.readline() == b"1\n"
    if how:
        ours.send_signal(how)
    ours.wait()
    ours.communicate()
    pid = int((tmp_path / "pid").read_text())
    assert _wait_for(lambda: not _runs(pid))
