"""The promises of intervals, measured: two cells of the committed table, drawn anew each time."""

from __future__ import annotations

import importlib.util
import json
import math
import secrets
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parent.parent
TABLE = json.loads((ROOT / "docs" / "coverage.json").read_text(encoding="utf-8"))
RUNS = 400


def simulation():
    """Load benchmarks/coverage.py, which is no part of the package."""
    spec = importlib.util.spec_from_file_location(
        "simulated_coverage", ROOT / "benchmarks" / "coverage.py"
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


SIMULATION = simulation()
NAMED = {(row["setting"], row["statistic"], row["method"]): row for row in TABLE["cells"]}


def test_the_table_is_that_of_the_simulation():
    cells = {(cell.setting, cell.statistic, cell.method): cell for cell in SIMULATION.CELLS}
    assert NAMED.keys() == cells.keys()
    for key, row in NAMED.items():
        assert row["promise"] == cells[key].promise
        assert SIMULATION.kept(cells[key], row["coverage"]), row
        least = SIMULATION.BOOTSTRAP_RUNS if cells[key].is_bootstrap else SIMULATION.ANALYTIC_RUNS
        assert row["runs"] >= least


@pytest.mark.slow
@pytest.mark.parametrize("nth", [0, 1])
def test_a_cell_drawn_at_random_covers_as_the_table_says(nth):
    """With a fresh seed, so that a table that was true by luck does not stay; 4 standard errors."""
    seed = secrets.randbits(64)
    cell = SIMULATION.CELLS[seed % len(SIMULATION.CELLS)]
    row = NAMED[cell.setting, cell.statistic, cell.method]
    found = SIMULATION.simulate(cell, RUNS, seed)["coverage"]
    error = math.sqrt(row["coverage"] * (1 - row["coverage"]) * (1 / RUNS + 1 / row["runs"]))
    assert abs(found - row["coverage"]) <= 4 * error, (cell.name, seed, found, row["coverage"])


@pytest.mark.parametrize("name", SIMULATION.SETTINGS)
def test_the_truth_of_a_setting_is_true(name):
    """A very large sample of each setting comes near what the simulation holds for the truth."""
    import rocwalk as rw

    setting, rng = SIMULATION.SETTINGS[name], np.random.default_rng(1)
    parts = [setting.draw(rng) for _ in range(400)]
    joined = {key: np.concatenate([part[key] for part in parts]) for key in ("y_true", "y_score")}
    kind = "soft" if name == "soft" else "hard"
    for statistic in ("auc", "probabilistic_auc"):
        found = rw.interval(**joined, truth=kind, statistic=statistic, method="influence")
        spread = 5 if name == "clustered" else 4
        assert abs(found.estimate - setting.truth[statistic]) <= spread * found.standard_error
