"""Kill writers of a store at random moments, and count what is lost, doubled or left behind.

    python benchmarks/store_kills.py [KILLS [ADDRESS]]

In each round two processes add batches of predictions and labels, one after the other, and say so
when a batch is acknowledged; both are killed (SIGKILL) at random moments, in every other round not
before each has acknowledged a batch. Then everything that was
acknowledged must be there, every batch whole or not at all, and none twice. At the end the batches
that were interrupted are added again, and no file but the store is left. Without an address the
store is a DuckDB file in a temporary folder. Prints one line of JSON; fails at the first fault.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import sys
import tempfile
import time
from pathlib import Path

import duckdb  # noqa: F401  # loaded before processes are forked
import narwhals.stable.v2  # noqa: F401
import numpy as np
import pyarrow.compute  # noqa: F401

import rocwalk as rw
import rocwalk.drift.store

ROWS = 20  # of a batch
LONGEST = 0.8  # seconds until a kill
WRITERS = 2
DAY = np.datetime64("2026-01-05")


def add(store, number):
    """Add a batch of predictions and labels, all of them known by the number of the batch."""
    ids = [f"{number}-{i}" for i in range(ROWS)]
    times, scores = [DAY + number % 30] * ROWS, [0.5] * ROWS
    rows = {"id": ids, "time": times, "score": scores, "label": [number % 2] * ROWS}
    return store.add(rows, batch=str(number)).done


def in_a_process(work):
    """Fork, and do some work there; return the process and where it writes.

    This process never opens the store, so that nothing of a database is forked.
    """
    source, target = os.pipe()
    process = os.fork()
    if not process:
        os.close(source)
        try:
            work(lambda text: os.write(target, f"{text}\n".encode()))
        except Exception as error:  # noqa: BLE001  # told to the other process
            os.write(target, f"failed: {error}\n".encode())
            os._exit(1)
        os._exit(0)
    os.close(target)
    return process, source


def said_by(process, source):
    """Wait for the end of a process; return what it has said, and raise if it has failed."""
    with os.fdopen(source) as file:
        lines = file.read().splitlines()
    os.waitpid(process, 0)
    failed = [line for line in lines if line.startswith("failed")]
    if failed:
        raise AssertionError(failed[0])
    return lines


def inspect(address):
    """Return the names of the batches by kind, and the number of rows and of labelled ones."""

    def work(say):
        store = rw.MonitorStore(address)
        names = {"predictions": [], "labels": []}
        for one in store.batches:
            names[one.kind].append(int(one.name))
        (items,) = store._store.snapshot().items.values()  # noqa: SLF001
        say(json.dumps([names, len(items), int((~np.isnan(items.label)).sum())]))

    return json.loads(said_by(*in_a_process(work))[0])


def run(address, kills, seed=20260101):
    """Kill writers; return how many batches were acknowledged and how many are there at the end."""

    def start(_):
        rw.MonitorStore.create(address).add_model("m", window="day")

    def writer(first):
        def work(say):
            store = rw.MonitorStore(address)
            for number in range(first, first + 1000):
                add(store, number)
                say(number)

        return work

    said_by(*in_a_process(start))
    moments, acknowledged, killed = random.Random(seed), set(), 0
    while killed < kills:
        running = [in_a_process(writer(1000 * (killed + k))) for k in range(WRITERS)]
        for process, source in running:
            if killed // WRITERS % 2:
                select.select([source], [], [])  # until it has acknowledged a batch
            time.sleep(moments.uniform(0, LONGEST))
            os.kill(process, signal.SIGKILL)
        for process, source in running:
            acknowledged |= set(map(int, said_by(process, source)))
        killed += WRITERS
        names, rows, labelled = inspect(address)
        there = names["predictions"]
        assert len(set(there)) == len(there), "a batch is doubled"
        assert sorted(there) == sorted(names["labels"]), "a batch is half there"
        assert acknowledged <= set(there), "an acknowledged batch is lost"
        assert rows == labelled == ROWS * len(there), "a batch is not whole"

    def again(say):
        store = rw.MonitorStore(address)
        for number in sorted({1000 * k for k in range(killed)}):
            say(json.dumps(add(store, number)))

    said_by(*in_a_process(again))
    names, rows, _ = inspect(address)
    assert {1000 * k for k in range(killed)} <= set(names["predictions"]), "a batch is not there"
    assert len(set(names["predictions"])) == len(names["predictions"]), "a batch is doubled"
    assert rows == ROWS * len(names["predictions"]), "a batch is not whole"
    return {"kills": killed, "acknowledged": len(acknowledged), "batches": rows // ROWS}


def main():
    """Run with the arguments of the command line."""
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    if len(sys.argv) > 2:
        print(json.dumps(run(sys.argv[2], kills)))
        return
    with tempfile.TemporaryDirectory() as folder:
        found = run(Path(folder) / "store.duckdb", kills)
        left = sorted(path.name for path in Path(folder).iterdir())
        assert left == ["store.duckdb"], f"left behind: {left}"
        print(json.dumps(found))


if __name__ == "__main__":
    main()
