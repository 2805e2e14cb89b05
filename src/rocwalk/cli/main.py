"""The `rocwalk` command: its subcommands, and how failures end.

Exit codes: 0 fine, 1 a finding that the user asked to fail on and nothing else, 2 no answer: bad
usage, bad data, a result that could not be written, or too few data where the user asked to fail;
128 and the number of a signal where one ended the command.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import traceback
import warnings
from importlib import import_module

import click

from rocwalk.cli.notes import COMMAND_LINE
from rocwalk.cli.start import ENDED_BY_SIGNAL, INTERRUPTED, NO_ANSWER, STOPPED
from rocwalk.cli.terminal import discard, open_output, print_error, print_text
from rocwalk.errors import InputError, RocwalkError
from rocwalk.texts import nearest
from rocwalk.version import __version__
from rocwalk.writing import remove_leftovers

# the subcommands, each with its line in the help
COMMANDS = {
    "report": "The main job: one interactive HTML page, and a summary.",
    "score": "The numbers of one or several models.",
    "compare": "Models on the same rows, in pairs, with paired tests.",
    "readers": "Tests that several readers applied to the same cases (MRMC).",
    "drift": "Sensibility analysis between two samples; can fail a build.",
    "shift": "Scores without labels: what a labelled reference expects of them.",
    "monitor": "Watch models in use from a store of predictions and labels.",
    "tally": "Buckets and counts of FILE, to share in place of its rows.",
    "merge": "Tallies of several sites added up: numbers and one page, no rows.",
    "play": "An interactive page for teaching: move examples, see the numbers.",
    "figure": "A figure for a paper: PDF, SVG, PNG or TIFF.",
    "table": "A table or check-list for a paper: Markdown, LaTeX, HTML, DOCX or CSV.",
    "plan": "Sample size and power of a study that is still to be done.",
    "papers": "Every printed figure of the papers beside the computed one.",
}


def command_named(name: str) -> click.Command | None:
    """Load a command and return it, or None if there is none of this name."""
    if name not in COMMANDS:
        return None
    command: click.Command = getattr(import_module(f"rocwalk.cli.{name}"), name)
    return command


class Commands(click.Group):
    """The subcommands; each is imported when it runs, not for the list of them.

    A command is the function of its name in the module of its name.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return a command, or None if there is none of this name."""
        return command_named(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of the first argument, or raise with one that is spelled alike."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            raise InputError(f"There is no command {name!r}.", nearest(name, COMMANDS))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write what each command is for."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="rocwalk")
def cli() -> None:
    """ROC analysis that keeps the probabilities."""


_ELSEWHERE = {"--pos-label": "--positive", "--pos_label": "--positive"}  # by their names in Python


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; failures end in one readable block, never in a traceback."""
    with contextlib.suppress(OSError):  # no temporary folder: said when one is needed
        remove_leftovers(tempfile.gettempdir())
    if arguments is None and not sys.warnoptions:  # the process is ours: ours are shown as notes
        warnings.simplefilter("ignore")
    try:
        open_output()
        code = int(cli.main(args=arguments, prog_name="rocwalk", standalone_mode=False) or 0)
    except click.exceptions.Abort:
        print_error(STOPPED, None)
        code = INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as error:
        print_text(f"{error.format_message()}\n")
        code = NO_ANSWER
    except Exception as error:  # noqa: BLE001  # the last resort, which says so
        if os.environ.get("ROCWALK_TRACEBACK"):
            traceback.print_exception(error)
        print_error(*_words(error))
        code = NO_ANSWER
    except SystemExit as ended:
        code = int(ended.code or 0)
        if code in ENDED_BY_SIGNAL:
            print_error(STOPPED, None)
        elif code == 1:  # so click ends when the reader of its help has gone
            discard(sys.stdout)
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
    if isinstance(error, OSError):
        where = "" if error.filename is None else f"{str(error.filename)!r}: "
        return (
            f"{where}{error.strerror or error}.",
            "check that the file or folder exists, that you may use it, and that there is room.",
        )
    if isinstance(error, MemoryError):
        return "The memory does not suffice.", "read fewer columns or fewer rows at a time."
    return (
        f"rocwalk failed unexpectedly: {type(error).__name__}: {error}",
        "this is a bug; ROCWALK_TRACEBACK=1 in the environment shows where, please report it.",
    )
