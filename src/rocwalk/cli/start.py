"""Where the `rocwalk` command starts; it ends in one line and an exit code even while it loads."""

from __future__ import annotations

import gc
import os
import signal
import sys
from types import FrameType

NO_ANSWER, INTERRUPTED = 2, 130
ENDED_BY_SIGNAL = (129, 143)  # hangup and termination
STOPPED = "Stopped before the end; no file was left half-written."

_OBJECTS = 100_000  # new ones between two searches for garbage; by default 700
_BLOCK = 2**25 - 2**16  # bytes; see mallopt(3) on M_MMAP_THRESHOLD


def main() -> None:
    """Load the command line and run it.

    Loading makes hundreds of thousands of objects that stay: garbage is searched for rarely, and
    not among what is loaded by then. The C library keeps freed memory for the next array of a
    block's size once such a block was freed. Work is divided among threads of ours, so that threads
    of the linear algebra would only be in their way.
    """
    _fill_closed_streams()
    _end_in_order()
    gc.set_threshold(_OBJECTS)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _ = bytes(_BLOCK)
    del _
    try:
        from rocwalk.cli.main import command_named
        from rocwalk.cli.main import main as run

        command_named("".join(sys.argv[1:2]))  # so that it is not searched, either
    except KeyboardInterrupt:
        _end(STOPPED, INTERRUPTED)
    except Exception as error:  # noqa: BLE001  # whatever an incomplete installation raises
        _end(f"rocwalk could not be loaded: {type(error).__name__}: {error}", NO_ANSWER)
    gc.freeze()
    try:
        run()
    except ImportError as error:  # of what is loaded on use
        _end(f"rocwalk could not be loaded: {type(error).__name__}: {error}", NO_ANSWER)


def _end(words: str, code: int) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"Error: {words}\n")
    sys.exit(code)


def _fill_closed_streams() -> None:
    """Open the null device in place of standard streams that are closed.

    Otherwise the next file that is opened would get the number of such a stream, and with it all
    that a library prints there.
    """
    while (handle := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(handle)


def _end_in_order() -> None:
    """Let a signal that ends the process do so through all cleaning up, once."""

    def end(number: int, _: FrameType | None) -> None:
        signal.signal(number, signal.SIG_IGN)
        sys.exit(128 + number)

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # not every system has both
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:  # else as by nohup
            signal.signal(number, end)
