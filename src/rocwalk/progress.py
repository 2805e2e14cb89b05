"""Progress of long work: a function of the caller's, or a line on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable

from rocwalk.errors import OptionError

Progress = Callable[[int, int], None]  # of (done, all)


def progress_of(progress: Progress | bool | None) -> Progress | None:
    """Return what is called with (done, all), or None; True prints a line on standard error.

    >>> progress_of(None) is None, progress_of(False) is None, progress_of(print) is print
    (True, True, True)
    """
    if progress is None or progress is False:
        return None
    if progress is True:
        return _printed
    if not callable(progress):
        raise OptionError(
            "is neither True nor a function.",
            "pass True, or a function of (done, all).",
            option="progress",
            value=progress,
        )
    return progress


def _printed(done: int, total: int) -> None:
    """Write how much is done over what was written before; the last call ends the line."""
    if sys.stderr is not None:
        end = "\n" if done >= total else ""
        sys.stderr.write(f"\r{done:,} of {total:,} done{end}")
        sys.stderr.flush()
