"""The `rocwalk` command: its subcommands, and how failures end.

Exit codes: 0 fine, 1 a finding that the user asked to fail on, 2 bad usage or bad data.
"""

from __future__ import annotations

import os
import sys

import click

from rocwalk.cli.score import score
from rocwalk.cli.terminal import print_error
from rocwalk.errors import RocwalkError
from rocwalk.version import __version__


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="rocwalk")
def cli() -> None:
    """ROC analysis that keeps the probabilities."""


cli.add_command(score)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; failures end in one readable block, never in a traceback."""
    sys.exit(_run(arguments))


def _run(arguments: list[str] | None) -> int:
    try:
        return int(cli.main(args=arguments, standalone_mode=False) or 0)
    except click.exceptions.Abort:
        print_error("Stopped before the end; nothing was written.", None)
        return 130
    except click.ClickException as error:
        print_error(error.format_message(), _usage_hint(error))
        return 2
    except RocwalkError as error:
        print_error(error.what, error.hint)
        return 2
    except (
        SystemExit
    ):  # click and rich end so when the reader of our output has gone, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except MemoryError:
        print_error("The memory does not suffice.", "read fewer columns or fewer rows at a time.")
        return 2


def _usage_hint(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "rocwalk"
    return f"'{command} --help' lists the options."
