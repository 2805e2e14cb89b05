"""Write a file whole or not at all: aside first, then renamed."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import IO

from rocwalk.errors import FileError


def write_aside(path: str | Path, write: Callable[[IO[bytes]], None]) -> None:
    """Let `write` fill a file beside `path` and rename it; a failure leaves the old file alone."""
    target = Path(path)
    if not target.name:
        raise FileError(f"{str(path)!r} is no name of a file.", "name a file to write.")
    try:
        _write_and_rename(target, write)
    except OSError as error:
        raise FileError(
            f"{str(target)!r} could not be written: {error.strerror or error}.",
            "check that the folder exists, that you may write there, and that the disk has room.",
        ) from error


def _write_and_rename(target: Path, write: Callable[[IO[bytes]], None]) -> None:
    aside = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with aside.open("xb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(target)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise
