"""Paths: which files are meant, whether they can be read, and what is said if they cannot."""

from __future__ import annotations

import glob
import gzip
import io
import os
import stat
import zlib
from pathlib import Path
from typing import Any

from rocwalk.errors import FileError, nearest

READ_ERRORS = (OSError, EOFError, zlib.error)
_BYTES_PEEKED = 65_536


# -- finding files -------------------------------------------------------------------------------


def find_files(data: Any) -> list[Path]:
    """Return the files that a path, a pattern, or a list of them names, sorted."""
    given = list(data) if isinstance(data, list | tuple) else [data]
    found = sorted(path for one in given for path in _expanded(os.fsdecode(one)))
    seen: set[str] = set()
    for path in found:
        real = os.path.realpath(path)
        if real in seen:
            raise FileError(
                f"The file {str(path)!r} is named twice.",
                "name each file once, else its rows would count double.",
            )
        seen.add(real)
    return found


def _expanded(given: str) -> list[Path]:
    text = os.path.expanduser(given)  # noqa: PTH111
    if "\0" in text:
        raise FileError(f"There is no file {text!r}.", "a name cannot contain a zero byte.")
    # A file that exists is meant itself, even if it is called data[1].csv.
    if os.path.exists(text) or not any(sign in text for sign in "*?["):  # noqa: PTH110
        return [Path(text)]
    found = [path for path in map(Path, glob.glob(text, recursive=True)) if path.is_file()]  # noqa: PTH207
    if not found:
        raise FileError(f"No file matches {text!r}.", "check the folder and the pattern.")
    return found


def ending(path: Path) -> str:
    """Return the ending that tells the format, in lower case.

    >>> ending(Path("scores.CSV.gz"))
    '.csv'
    """
    return Path(path.name.lower().removesuffix(".gz")).suffix


def is_packed(path: Path) -> bool:
    """Whether the file is compressed with gzip, by its name."""
    return path.name.lower().endswith(".gz")


# -- opening files -------------------------------------------------------------------------------


def open_bytes(path: Path) -> gzip.GzipFile | io.BufferedReader:
    """Open the file for reading, unpacked if it is packed."""
    return gzip.open(path) if is_packed(path) else path.open("rb")


def first_bytes(path: Path) -> bytes:
    """Return as much of the file as tells whether there is something, and whether it is text."""
    with open_bytes(path) as file:
        return file.read(_BYTES_PEEKED)


def refuse_unreadable(path: Path) -> None:
    """Raise unless the path is a file with something in it that may be read."""
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise _is_folder(path)
        if not stat.S_ISREG(status.st_mode):  # opening a pipe would wait for ever
            raise FileError(
                f"{str(path)!r} is a pipe or a device, not a file.", "write the data to a file."
            )
        if not status.st_size or not first_bytes(path):
            raise FileError(
                f"The file {str(path)!r} is empty.", "check that writing it was finished."
            )
    except (FileNotFoundError, NotADirectoryError):
        raise _no_such_file(path) from None
    except READ_ERRORS as error:
        raise unreadable(path, error) from None


def _is_folder(path: Path) -> FileError:
    return FileError(
        f"{str(path)!r} is a folder, not a file.",
        f"name a file in it, or a pattern such as {str(path / '*.csv')!r}.",
    )


def _no_such_file(path: Path) -> FileError:
    try:
        others = sorted(other.name for other in path.parent.iterdir())
    except OSError:
        return FileError(f"There is no file {str(path)!r}.", "check the name of the folder.")
    hint = nearest(path.name, others) if others else "the folder is empty."
    return FileError(f"There is no file {str(path)!r}.", hint)


def unreadable(path: Path, error: Exception) -> FileError:
    """Say in our words why a file that is there could not be read."""
    if isinstance(error, PermissionError):
        return FileError(
            f"The file {str(path)!r} may not be read: permission denied.",
            "ask its owner for the right to read it.",
        )
    if isinstance(error, gzip.BadGzipFile | EOFError | zlib.error):
        return FileError(
            f"The file {str(path)!r} is not gzip, or was cut short.",
            "copy or compress it again; a name ends in .gz only if the file is compressed.",
        )
    words = getattr(error, "strerror", None) or error
    return FileError(f"The file {str(path)!r} cannot be read: {words}.", "check the file.")
