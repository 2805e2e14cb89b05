"""Files written whole or not at all, and temporary folders; nothing of either is left behind.

A file is written under a temporary name in the folder of its target, and then renamed. Whoever
makes a temporary file or folder holds a lock on it, which the system releases when the process ends
in any way. What is not locked was left by a process that was killed, and is removed by the next one
of the same user on the same machine.

`exclusive` is the lock of a file that several processes or threads change.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import hashlib
import os
import platform
import re
import secrets
import shutil
import stat
import sys
import tempfile
import time
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from rocwalk.errors import File, FileError

Writer = Callable[[IO[bytes]], object]

_NO_FOLDER_SYNC = (errno.EINVAL, errno.ENOTSUP)  # what file systems say that have no such thing


def write_aside(path: str | Path, write: Writer) -> None:
    """Write one file whole; a failure leaves an older file at `path` untouched."""
    write_all_aside({path: write})


def write_all_aside(writers: Mapping[str | Path, Writer]) -> None:
    """Write several files, all of them or none: each aside, and renamed when all are written.

    Contents reach the disk before the names do, and the names before this returns, so that after a
    kill or a loss of power each file is the old one or the new one. If a name cannot be given, or
    the process is stopped meanwhile, the files that were renamed already become the old ones again.
    An existing file keeps its permissions; of a symbolic link the file that it points to is
    replaced; what is not a regular file is refused.
    """
    refuse_same(writers)
    staged: dict[Path, Path] = {}
    with ExitStack() as stack:
        for path, write in writers.items():
            with _writing(path):
                target = _target(path)
                staged[target] = stack.enter_context(_staged(target, write))
        kept: dict[Path, Path] = {}
        for target in list(staged)[:-1]:
            with _writing(target):
                if target.exists():
                    kept[target] = stack.enter_context(_kept(target))
        try:
            for target, aside in staged.items():
                with _writing(target):
                    aside.replace(target)
        except BaseException:
            for target, aside in staged.items():
                if aside.exists():  # not renamed yet
                    continue
                if target in kept:
                    kept[target].replace(target)
                else:
                    target.unlink(missing_ok=True)
            raise
        for folder in {target.parent for target in staged}:
            with _writing(folder):
                _sync_folder(folder)


def write_folder(folder: str | Path, writers: Mapping[str, Writer]) -> list[Path]:
    """Write several files by name into a folder, all of them or none; return their paths.

    A folder that is missing, and those above it, are made with the files in them under a temporary
    name, and then renamed. In a folder that exists other files are left alone.
    """
    files: dict[str | Path, Writer] = {Path(folder) / name: writers[name] for name in writers}
    refuse_same(files)
    try:
        whole = Path(os.path.realpath(folder))
        if whole.exists() or whole.is_symlink():
            if not stat.S_ISDIR(whole.stat().st_mode):
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
            write_all_aside(files)
            return [Path(path) for path in files]
        top = whole
        while not top.parent.exists():
            top = top.parent
        with _claimed(top.parent, _new_public_folder, ".part") as (aside, _):
            inner = aside / whole.relative_to(top)
            inner.mkdir(parents=True, exist_ok=True)
            for path, write in files.items():
                with _writing(path), (inner / Path(path).name).open("xb") as file:
                    _fill(file, write)
            _sync_folder(inner)
            aside.rename(top)
            _sync_folder(top.parent)
    except OSError as error:
        raise FileError(
            ("The folder ", File(str(folder)), f" could not be made: {error.strerror or error}."),
            "name a folder that you may write to, and that is not a file.",
            file=str(folder),
            subject=None,
        ) from error
    return [Path(path) for path in files]


def refuse_same(outputs: Iterable[str | Path], inputs: Iterable[str | Path] = ()) -> None:
    """Raise if two files that are to be written are one, or if one of them is an input.

    Names are compared with links followed, files that exist by their identity on the disk. Two
    outputs whose names differ only in case, or in how accents are composed, are one file on some
    systems and refused on all.
    """
    taken: dict[Hashable, str | Path] = {}
    for path in inputs:
        for key in _identities(path):
            taken.setdefault(key, path)
    for path in outputs:
        try:
            is_name = bool(Path(path).name) and b"\0" not in os.fsencode(path)
        except UnicodeEncodeError:
            is_name = False
        if not is_name:
            raise FileError("is not the name of a file.", "name a file to write.", file=str(path))
        folder, name = os.path.split(os.path.realpath(path))
        alike = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
        for key in (*_identities(path), (folder, alike)):
            if key in taken:
                raise FileError(
                    ("would be written over ", File(str(taken[key])), "."),
                    "give each file that is read or written a name of its own.",
                    file=str(path),
                )
        taken |= dict.fromkeys((*_identities(path), (folder, alike)), path)


def _identities(path: str | Path) -> list[Hashable]:
    """Return what a file is known by: its real path and, if it exists, its place on the disk."""
    found: list[Hashable] = [os.path.realpath(path)]
    with contextlib.suppress(OSError, ValueError):  # it is missing, or its name cannot be
        known = os.stat(path)  # noqa: PTH116
        found.append((known.st_dev, known.st_ino))
    return found


def text_writer(text: str) -> Writer:
    """Return a function that writes the text as UTF-8.

    Bytes of a file name that are no text, which Python keeps as lone surrogates, are escaped.
    """
    content = text.encode("utf-8", "backslashreplace")
    return lambda file: file.write(content)


def bytes_writer(content: bytes) -> Writer:
    """Return a function that writes these bytes."""
    return lambda file: file.write(content)


@contextmanager
def _writing(path: str | Path) -> Iterator[None]:
    """Let errors of the system name the file that was to be written."""
    try:
        yield
    except OSError as error:
        raise FileError(
            f"could not be written: {error.strerror or error}.",
            "check that the folder exists, that you may write there, and that the disk has room.",
            file=str(path),
        ) from error


def _target(path: str | Path) -> Path:
    """Return the file that a name stands for, links followed; raise if it cannot be written."""
    target = Path(os.path.realpath(path))
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return target
    if not stat.S_ISREG(mode):
        raise FileError(
            "is there, but it is not a regular file.",
            "name a file; folders, pipes and devices are not replaced.",
            file=str(path),
        )
    return target


@contextmanager
def _staged(target: Path, write: Writer) -> Iterator[Path]:
    """Fill a file beside the target, with the permissions of the one that it will replace."""
    with _claimed(target.parent, _new_file, ".part") as (aside, handle):
        if target.exists():
            aside.chmod(target.stat().st_mode & 0o777)
        with open(handle, "wb", closefd=False) as file:
            _fill(file, write)
        yield aside


def _fill(file: IO[bytes], write: Writer) -> None:
    """Write the content, and bring it to the disk."""
    write(file)
    file.flush()
    os.fsync(file.fileno())


@contextmanager
def _kept(target: Path) -> Iterator[Path]:
    """Keep the old file beside the target, until all new ones are in place."""

    def second_name(path: Path) -> int:
        try:
            path.hardlink_to(target)
        except OSError:  # not on every file system, and not for files of others
            shutil.copy2(target, path)
        return os.open(path, os.O_RDONLY)

    with _claimed(target.parent, second_name, ".part") as (path, _):
        yield path


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


# -- locks -----------------------------------------------------------------------------------------

TIMEOUT = 60.0  # seconds to wait for a lock
_PAUSES = (0.002, 0.03)  # seconds between two attempts: the first, and the longest


@contextmanager
def exclusive(path: str | Path, timeout: float = TIMEOUT) -> Iterator[None]:
    """Hold the lock of a file, which one thread of one process has at a time, or raise.

    The lock is on an empty file beside it, which is removed at the end. The system releases the
    lock of a process that was killed, and whoever has it next removes the file. One of those that
    wait is the next, by a lock of its own, so that whoever had the lock last cannot take it again
    and again while others wait.
    """
    with _writing(path):
        target = _target(path)
    last = time.monotonic() + timeout
    with ExitStack() as stack:
        with _locked(target, "next", last) as is_next:
            is_held = is_next and stack.enter_context(_locked(target, "lock", last))
        if not is_held:
            raise FileError(
                f"is in use by another process or thread, for more than {timeout:g} seconds.",
                "try again when it has finished, or allow more time.",
                file=str(path),
                problem="in_use",
            )
        yield


@contextmanager
def _locked(target: Path, suffix: str, last: float) -> Iterator[bool]:
    """Hold the lock on a file that is made for it; give False if that takes too long."""
    path, pause = target.with_name(f".{target.name}.{suffix}"), _PAUSES[0]
    while True:
        with _writing(target):
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            with _writing(target):
                is_held = _try_lock(handle) and _is_at(handle, path)
            if is_held:
                try:
                    yield True
                finally:
                    path.unlink(missing_ok=True)
                return
        finally:
            os.close(handle)
        if time.monotonic() >= last:
            break
        time.sleep(pause)
        pause = min(2 * pause, _PAUSES[1])
    yield False


def _is_at(handle: int, path: Path) -> bool:
    """Whether an open file is still the one of this name: its last holder may have removed it."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def _try_lock(handle: int) -> bool:
    """Lock an open file; return False if another one holds it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


# -- temporary files and folders -------------------------------------------------------------------


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Make a folder for temporary files, which is removed with all that is in it."""
    with ExitStack() as stack:
        try:
            parent = Path(tempfile.gettempdir())
            folder, _ = stack.enter_context(_claimed(parent, _new_private_folder))
        except OSError as error:
            raise FileError(
                f"No temporary folder could be made: {error.strerror or error}.",
                "set TMPDIR to a folder that you may write to and that has room.",
            ) from error
        yield folder


def remove_leftovers(folder: str | Path) -> None:
    """Remove temporary files and folders that killed processes of this user left in a folder.

    What a running process holds a lock on is left alone, and so is what belongs to another user or
    was made on another machine. Each folder is looked through once in a process.
    """
    with contextlib.suppress(OSError):
        _remove_leftovers(os.path.realpath(folder))


@functools.cache
def _remove_leftovers(folder: str) -> None:
    if sys.platform == "win32":  # has no such locks
        return
    import fcntl

    ours = re.compile(rf"{_prefix()}[0-9a-f]{{16}}|\.{_prefix()}[0-9a-f]{{16}}\.part")
    with os.scandir(folder) as entries:
        found = [Path(entry.path) for entry in entries if ours.fullmatch(entry.name)]
    for path in found:
        with contextlib.suppress(OSError), ExitStack() as stack:
            if path.lstat().st_uid != os.geteuid():
                continue
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            stack.callback(os.close, handle)
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(path)


@functools.cache
def _prefix() -> str:
    """Return how temporary names begin on this machine: a folder may be shared with others."""
    return f"rocwalk-{hashlib.sha256(platform.node().encode()).hexdigest()[:8]}-"


@contextmanager
def _claimed(
    folder: Path, make: Callable[[Path], int], suffix: str = ""
) -> Iterator[tuple[Path, int]]:
    """Make a temporary file or folder and hold a lock on it; remove it at the end.

    `make` makes it and returns an open handle. Another process may have taken it for a leftover
    before it was open, or before it was locked: then it is made again.
    """
    remove_leftovers(folder)
    while True:
        name = f"{_prefix()}{secrets.token_hex(8)}{suffix}"
        path = folder / (f".{name}" if suffix else name)
        with ExitStack() as stack:
            for _ in range(2):  # an interrupt that comes while it is removed does not leave it
                stack.callback(_remove, path)
            try:
                handle = make(path)
            except FileNotFoundError:
                if not folder.exists():
                    raise
                continue
            stack.callback(os.close, handle)
            if _lock(handle) and path.exists():
                yield path, handle
                return


def _lock(handle: int) -> bool:
    """Lock a file or a folder; return False if another process has it."""
    if sys.platform == "win32":
        return True
    try:
        return _try_lock(handle)
    except OSError:  # a file system without locks: then nobody can take it for a leftover
        return True


def _new_file(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)


def _new_public_folder(path: Path) -> int:
    path.mkdir()
    return os.open(path, os.O_RDONLY)


def _new_private_folder(path: Path) -> int:
    path.mkdir(mode=0o700)
    return os.open(path, os.O_RDONLY)


def _remove(path: Path) -> None:
    """Remove a file or a folder, if it is there; a failure here hides no other one."""
    with contextlib.suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
