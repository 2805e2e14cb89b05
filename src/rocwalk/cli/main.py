"""The `rocwalk` command: its subcommands, and how failures end.

Exit codes: 0 fine, 1 a finding that the user asked to fail on, 2 no answer: bad usage, bad data, or
too few data where the user asked to fail.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

import click

from rocwalk.cli.notes import COMMAND_LINE
from rocwalk.cli.terminal import print_error
from rocwalk.errors import RocwalkError
from rocwalk.version import __version__


class Commands(dict[str, Any]):
    """The subcommands by name; each is imported when it is asked for, not with the others.

    A command is the function of its name in the module of its name.
    """

    def __getitem__(self, name: str) -> click.Command:
        command: click.Command = getattr(import_module(f"rocwalk.cli.{name}"), name)
        return command

    def get(self, name: str, default: Any = None) -> Any:
        """Return a command, or the default if there is none of this name."""
        if name in self:
            return self[name]
        return default


@click.group(
    commands=Commands.fromkeys(("report", "score", "compare", "drift", "papers")),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="rocwalk")
def cli() -> None:
    """ROC analysis that keeps the probabilities."""


_ELSEWHERE = {"--pos-label": "--positive", "--pos_label": "--positive"}  # by their names in Python


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; failures end in one readable block, never in a traceback."""
    try:
        code = int(cli.main(args=arguments, prog_name="rocwalk", standalone_mode=False) or 0)
    except click.exceptions.Abort:
        print_error("Stopped before the end; no file was left half-written.", None)
        code = 130
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        code = 2
    except Exception as error:
        if os.environ.get("ROCWALK_TRACEBACK"):
            raise
        print_error(*_words(error))
        code = 2
    except SystemExit as ended:
        code = int(ended.code or 0)
        if code == 1:  # so click and rich end when the reader of our output has gone
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            code = 0
    sys.exit(code)


def _words(error: Exception) -> tuple[str, str]:
    """Return what went wrong, and a hint."""
    if isinstance(error, RocwalkError):
        return error.worded(COMMAND_LINE)
    if isinstance(error, click.NoSuchOption) and error.option_name in _ELSEWHERE:
        name = error.option_name
        return f"No such option {name!r}.", f"did you mean {_ELSEWHERE[name]!r}?"
    if isinstance(error, click.ClickException):
        context = getattr(error, "ctx", None)
        command = context.command_path if context is not None else "rocwalk"
        return error.format_message(), f"'{command} --help' lists the options."
    if isinstance(error, MemoryError):
        return "The memory does not suffice.", "read fewer columns or fewer rows at a time."
    return (
        f"rocwalk failed unexpectedly: {type(error).__name__}: {error}",
        "this is a bug; ROCWALK_TRACEBACK=1 in the environment shows where, please report it.",
    )
