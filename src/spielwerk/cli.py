"""The command line: puts the commands together, and turns what goes wrong into one sentence."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import warnings
from typing import Annotated, Any

import typer

from spielwerk import memory
from spielwerk.commands import (
    agents,
    analyse,
    bench,
    dataset,
    engine,
    evolution,
    games,
    grade,
    imitation,
    match,
    play,
    rollout,
    runs,
    serve,
    solve,
    store,
    study,
    tournament,
    train,
)
from spielwerk.commands.shared import completion, panels
from spielwerk.commands.shared.stopping import INTERRUPTED, end, hearing_ctrl_c
from spielwerk.names import BadInput, printable

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False)
app.add_typer(play.app)
app.add_typer(serve.app)
app.add_typer(engine.app)
app.add_typer(match.app)
app.add_typer(tournament.app)
app.add_typer(grade.app)
app.add_typer(study.app, name="study", rich_help_panel=panels.MEASURE)
app.add_typer(bench.app, name="bench", rich_help_panel=panels.MEASURE)
app.add_typer(train.app)
app.add_typer(runs.app, name="runs", rich_help_panel=panels.LEARN)
app.add_typer(evolution.app, name="evolution", rich_help_panel=panels.LEARN)
app.add_typer(dataset.app)
app.add_typer(imitation.app, name="imitation", rich_help_panel=panels.LEARN)
app.add_typer(analyse.app)
app.add_typer(rollout.app)
app.add_typer(games.app)
app.add_typer(agents.app)
app.add_typer(store.app)
app.add_typer(solve.app)
USAGE: Any = typer.BadParameter.__mro__[
    1
]  # the error of which all wrong arguments are kinds; it has no name of its own


@app.callback(invoke_without_command=True)
def spielwerk(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    """A laboratory in which machines learn board games."""
    if version:
        from spielwerk.version import __version__

        print(f"spielwerk {__version__}")
        raise typer.Exit


def main() -> None:
    """The entry point: bad input is one sentence and exit code 2; so is Ctrl-C, with 130."""
    try:
        memory.obey()
        with hearing_ctrl_c():
            warnings.formatwarning = lambda message, *_, **__: f"{message}\n"  # where in the code does not matter here
            _prepare_streams()
            panels.plain_types()
            with completion.whole_words():
                code = app(standalone_mode=False, prog_name="spielwerk") or 0
            if code == INTERRUPTED:  # what typer makes of KeyboardInterrupt
                end()
            sys.stdout.flush()
            sys.exit(code)
    except KeyboardInterrupt:
        end()
    except BadInput as problem:
        print(problem, file=sys.stderr)
        sys.exit(2)
    except USAGE as problem:
        message = " ".join(problem.format_message().split()).rstrip(".")
        if message:  # there is none where the help has been printed instead
            print(message if message.endswith("?") else f"{message}.", file=sys.stderr)
        sys.exit(problem.exit_code)
    except typer.Abort:
        sys.exit(1)
    except UnicodeError:
        print("The input is not UTF-8 text.", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        _leave_stdout()  # the reader has gone, and knows it
    except (MemoryError, RuntimeError) as problem:
        if not memory.is_wanting(problem):
            raise
        print(memory.sentence(), file=sys.stderr)
        sys.exit(1)
    except OSError as problem:
        where = f"{problem.filename}: " if problem.filename else ""
        print(printable(f"{where}{problem.strerror or problem}."), file=sys.stderr)
        _leave_stdout()
        sys.exit(1)


def _prepare_streams() -> None:
    """Streams that were closed lead nowhere, so that no file gets their numbers; what cannot be coded is replaced."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w" if number else "r", encoding="utf-8"))  # noqa: SIM115 - to the end
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # A board is worth seeing even where some letters are not known. What has been read from stays as it is.
        with contextlib.suppress(io.UnsupportedOperation):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")


def _leave_stdout() -> None:
    """What was not written is forgotten: the end of the program must not try again."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
