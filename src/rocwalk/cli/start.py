"""Where the `rocwalk` command starts: an interruption ends in one line even while it loads."""

from __future__ import annotations

import gc
import sys

_OBJECTS = 100_000  # new ones between two searches for garbage; by default 700


def main() -> None:
    """Load the command line and run it.

    Loading makes hundreds of thousands of objects that stay: garbage is searched for rarely, and
    not among what is loaded by then.
    """
    gc.set_threshold(_OBJECTS)
    try:
        from rocwalk.cli.main import main as run
    except KeyboardInterrupt:
        sys.stderr.write("Error: Stopped before the end; no file was left half-written.\n")
        sys.exit(130)
    gc.freeze()
    run()
