"""Where the `rocwalk` command starts: an interruption ends in one line even while it loads."""

from __future__ import annotations

import sys


def main() -> None:
    """Load the command line and run it."""
    try:
        from rocwalk.cli.main import main as run
    except KeyboardInterrupt:
        sys.stderr.write("Error: Stopped before the end; no file was left half-written.\n")
        sys.exit(130)
    run()
