"""Files written whole or not at all: into a file beside the target, which is then renamed."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO

from rocwalk.errors import FileError

Writer = Callable[[IO[bytes]], object]

_NO_FOLDER_SYNC = (errno.EINVAL, errno.ENOTSUP)  # what file systems say that have no such thing


def write_aside(path: str | Path, write: Writer) -> None:
    """Write one file whole; a failure leaves an older file at `path` untouched."""
    write_all_aside({path: write})


def write_all_aside(writers: Mapping[str | Path, Writer]) -> None:
    """Write several files, all of them or none: each aside, and renamed when all are written.

    Contents reach the disk before the names do, and the names before this returns, so that after a
    kill or a loss of power each file is the old one or the new one. An existing file keeps its
    permissions; of a symbolic link the file that it points to is replaced; what is not a regular
    file is refused.
    """
    staged: dict[Path, Path] = {}
    try:
        for path, write in writers.items():
            given = Path(path)
            if not given.name:
                raise FileError(f"{str(path)!r} is no name of a file.", "name a file to write.")
            target = given.resolve() if given.is_symlink() else given
            if target.exists() and not target.is_file():
                raise FileError(
                    f"{str(path)!r} is there, but it is not a regular file.",
                    "name a file; folders, pipes and devices are not replaced.",
                )
            staged[target] = _staged(target, write)
        for target, aside in staged.items():
            aside.replace(target)
        for folder in {target.parent for target in staged}:
            _sync_folder(folder)
    except OSError as error:
        raise FileError(
            f"{str(path)!r} could not be written: {error.strerror or error}.",
            "check that the folder exists, that you may write there, and that the disk has room.",
        ) from error
    finally:
        for aside in staged.values():
            aside.unlink(missing_ok=True)


def text_writer(text: str) -> Writer:
    """Return a function that writes the text as UTF-8."""
    content = text.encode("utf-8")
    return lambda file: file.write(content)


def _staged(target: Path, write: Writer) -> Path:
    """Fill a file beside the target, with the permissions of the one that it will replace."""
    aside = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with aside.open("xb") as file:
            if target.exists():
                aside.chmod(target.stat().st_mode & 0o777)
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        aside.unlink(missing_ok=True)
        raise
    return aside


def _sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk, where the system has a way to do so."""
    if os.name != "posix":
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
    except PermissionError:  # a folder that may be written to but not listed
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise
    finally:
        os.close(handle)
