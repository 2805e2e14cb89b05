"""A case by its number: every fourth one is a command, the others call the library."""

from __future__ import annotations

import sys
from pathlib import Path

from fuzz.command_line import check_command
from fuzz.draw import Draw
from fuzz.library import check_library

EVERY = 4


def check_case(seed: int, number: int) -> None:
    """Run a case; raise if rocwalk does something that it must not do, with how to repeat it."""
    draw = Draw(seed, number)
    try:
        (check_library if number % EVERY else check_command)(draw)
    except BaseException as error:
        run = Path(__file__).with_name("run.py")
        error.add_note(f"Repeat it: {sys.executable} {run} --seed {seed} --case {number}")
        raise
