"""`rocwalk play`: an interactive page, for teaching and self-study."""

from __future__ import annotations

from pathlib import Path

import click

from rocwalk.cli.terminal import print_line
from rocwalk.report.playground import play_page
from rocwalk.writing import text_writer, write_aside


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("play.html"),
    show_default=True,
    metavar="FILE",
    help="The page to write.",
)
@click.option("--title", default="A place to play", show_default=True, help="Its title.")
def play(output: Path, title: str) -> None:
    """Write one offline page with examples to move and numbers that follow.

    Nine short lessons, one idea each, for a projector (full screen, keys) or for self-study.

    \b
    Example:
      rocwalk play -o play.html
    """
    write_aside(output, text_writer(play_page(title)))
    print_line(f"The page: {output}")
