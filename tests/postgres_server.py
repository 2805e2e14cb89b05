"""A PostgreSQL server for the tests: Debian's, on a socket in a folder of its own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path


def programs():
    """Return the folder of the server's programs, or None if there is no server."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    path = found[-1] if found else shutil.which("initdb")
    return None if path is None else Path(path).parent


@contextmanager
def server():
    """Start a server; give a function that makes a new database and returns its address.

    What the server logs is in the file ``log`` of its folder, the host of the address.
    """
    import psycopg

    tools = programs()
    if tools is None:
        raise RuntimeError(
            "The store is tested in PostgreSQL, which is missing. Run: make postgresql"
        )
    with tempfile.TemporaryDirectory(prefix="rocwalk-pg-") as name:
        folder = Path(name)
        other = {}
        if os.geteuid() == 0:  # it refuses to run as root
            shutil.chown(folder, "postgres", "postgres")
            other = {"user": "postgres", "group": "postgres", "extra_groups": []}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, **other}
        made = [
            tools / "initdb",
            "-D",
            folder / "data",
            "-A",
            "trust",
            "-U",
            "rocwalk",
            "-E",
            "UTF8",
        ]
        subprocess.run([*made, "--no-sync"], check=True, **quiet)
        options = ["-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=50"]
        run = [tools / "postgres", "-D", folder / "data", "-k", folder, *options]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(run, **(quiet | {"stderr": log}))
        try:
            last = time.monotonic() + 60
            while True:
                try:
                    admin = psycopg.connect(_address(folder, "postgres"), autocommit=True)
                    break
                except psycopg.OperationalError:
                    if time.monotonic() > last or process.poll() is not None:
                        raise
                    time.sleep(0.05)
            count = 0

            def database():
                nonlocal count
                count += 1
                admin.execute(f"CREATE DATABASE store{count}")
                return _address(folder, f"store{count}")

            with admin:
                yield database
        finally:
            process.send_signal(signal.SIGINT)  # ends sessions too
            process.wait(30)


def _address(folder, database):
    return f"postgresql://rocwalk@/{database}?host={folder}"
