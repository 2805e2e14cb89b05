"""What `make bench` has measured: docs/benchmarks.json, row by row, and the tables of README.md."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from dataclasses import dataclass
from typing import Any

import numpy as np
import readme
from promises import is_slow_sort, is_switched, sort_path

import rocwalk as rw


@dataclass
class Run:
    """The rows of docs/benchmarks.json of one kind of machine, each with its commit.

    Runs in which some of the instructions are switched off, and runs by NumPy alone, are kept
    apart, as "switched" and "pure".
    """

    machine: dict[str, Any]
    commit: str

    @staticmethod
    def of_this_machine() -> Run:
        machine = {
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "numpy": np.__version__,
            **{name: rw.show_versions()[name] for name in ("kernel", "threads")},
            "numpy_sort": sort_path() + (" (slow)" if is_slow_sort() else ""),
        }
        asked = ["git", "rev-parse", "--short", "HEAD"]
        found = subprocess.run(
            asked, cwd=readme.MEASURED.parent, capture_output=True, text=True, check=False
        )
        return Run(machine, found.stdout.strip())

    def _kept(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return all that is kept, and the part of it that is of this run."""
        kept = {"machine": {}, "promises": []}
        if readme.MEASURED.exists():
            kept |= json.loads(readme.MEASURED.read_text(encoding="utf-8"))
        if not self.machine.get("kernel", True):
            part = "pure"
        elif is_switched():
            part = "switched"
        else:
            return kept, kept
        return kept, kept.setdefault(part, {"machine": {}, "promises": []})

    def measured_before(self, name: str) -> dict[str, Any] | None:
        """Return what this commit has measured, in a run that was stopped."""
        _, own = self._kept()
        if own["machine"] != self.machine:
            return None
        rows = (row for row in own["promises"] if row["name"] == name)
        return next((row for row in rows if row.get("commit") == self.commit), None)

    def write(self, row: dict[str, Any]) -> None:
        """Keep what was measured, in the place of what an earlier run has found."""
        kept, own = self._kept()
        own["machine"] = self.machine
        rows = {one["name"]: one for one in own["promises"]} | {row["name"]: row}
        own["promises"] = list(rows.values())
        _save(kept)

    def finish(self, names: list[str]) -> None:
        """Drop promises that are no more, put the others in order, and write README.md."""
        kept, own = self._kept()
        rows = {row["name"]: row for row in own["promises"]}
        own["promises"] = [rows[name] for name in names if name in rows]
        _save(kept)
        readme.main()


def _save(kept: dict[str, Any]) -> None:
    """Write the file in one step, so that a run can be stopped at any moment."""
    text = json.dumps(kept, indent=1, ensure_ascii=False)
    beside = readme.MEASURED.with_suffix(".new")
    beside.write_text(text + "\n", encoding="utf-8")
    beside.replace(readme.MEASURED)
