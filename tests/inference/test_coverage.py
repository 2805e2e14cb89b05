"""What intervals, comparisons and bands promise, measured: two cells of the committed table anew."""

from __future__ import annotations

import importlib.util
import json
import math
import secrets
import sys

import numpy as np
import pytest

import rocwalk as rw
from commands import ROOT

TABLE = json.loads((ROOT / "docs" / "coverage.json").read_text(encoding="utf-8"))
RUNS = 400


def simulation(name):
    """Load a file of benchmarks, which is no part of the package."""
    spec = importlib.util.spec_from_file_location(
        f"simulated_{name}", ROOT / "benchmarks" / f"{name}.py"
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(ROOT / "benchmarks"))  # one file of benchmarks imports another
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(ROOT / "benchmarks"))
    return module


SIMULATION = simulation("coverage")
DRIFT = simulation("false_alarms")
ALARMS = json.loads((ROOT / "docs" / "false_alarms.json").read_text(encoding="utf-8"))
NAMED = {SIMULATION.key_of(row): row for row in TABLE["cells"]}
FIRST, SECOND = 0, 1


def test_the_table_is_that_of_the_simulation():
    assert list(NAMED) == [cell.key for cell in SIMULATION.CELLS]
    for cell in SIMULATION.CELLS:
        row = NAMED[cell.key]
        assert (row["promise"], row["resamples"]) == (cell.promise, cell.resamples)
        assert SIMULATION.kept(cell, row), row
        assert row["runs"] == cell.runs


@pytest.mark.slow
@pytest.mark.parametrize("nth", [0, 1])
def test_a_cell_drawn_at_random_covers_as_the_table_says(nth):
    """With a fresh seed, so that a table that was true by luck does not stay; 4 standard errors.

    The share is kept one run away from 0 and 1, where the error would vanish.
    """
    seed = secrets.randbits(64)
    cell = SIMULATION.CELLS[seed % len(SIMULATION.CELLS)]
    row = NAMED[cell.key]
    found = SIMULATION.simulate(cell, RUNS, seed)["coverage"]
    share = min(max(row["coverage"], 1 / RUNS), 1 - 1 / RUNS)
    error = math.sqrt(share * (1 - share) * (1 / RUNS + 1 / row["runs"]))
    assert abs(found - row["coverage"]) <= 4 * error, (cell.name, seed, found, row["coverage"])


@pytest.mark.parametrize("which", [FIRST, SECOND])
@pytest.mark.parametrize("name", SIMULATION.SETTINGS)
@pytest.mark.filterwarnings("ignore::rocwalk.errors.SmallSampleWarning")  # weights and scores
def test_the_truth_of_a_setting_is_true(name, which):
    """A very large sample of each setting comes near what the simulation holds for the truth."""
    setting = SIMULATION.SETTINGS[name]
    joined = joined_sample(setting, which)
    kind = "hard" if setting.votes == (0.0, 1.0) else "soft"
    for statistic in ("auc", "probabilistic_auc") if setting.weigh is None else ("auc",):
        found = rw.interval(**joined, truth=kind, statistic=statistic, method="influence")
        truth = SIMULATION.truth_of(setting, statistic)[which]
        assert abs(found.estimate - truth) <= 4 * found.standard_error
    if setting.weigh is not None:  # which may shift the thresholds
        joined.pop("sample_weight")
    cluster = joined.pop("cluster", np.arange(len(joined["y_true"])))
    curve = rw.roc(**joined, truth=kind)
    fpr, tpr = SIMULATION.true_curve(setting, setting.strengths[which])
    gaps = np.interp(fpr, curve.fpr, curve.tpr) - tpr
    masses = [np.bincount(cluster, each) for each in (joined["y_true"], 1 - joined["y_true"])]
    worth = min(mass.sum() ** 2 / (mass**2).sum() for mass in masses)
    assert np.abs(gaps[(fpr > 0.02) & (fpr < 0.98)]).max() <= 3 / math.sqrt(worth)


def joined_sample(setting, which):
    """Four hundred samples as one, fewer if they are large; the clusters of each are its own."""
    rng = np.random.default_rng(1)
    parts = [setting.draw(rng, which)]
    parts += [setting.draw(rng, which) for _ in range(min(400, 10**6 // len(parts[0]["y_true"])))]
    for k, part in enumerate(parts):
        if "cluster" in part:
            part["cluster"] = 1_000 * k + part["cluster"]
    keys = ("y_true", "y_score", "cluster", "sample_weight")
    joined = {key: np.concatenate([part[key] for part in parts]) for key in keys if key in parts[0]}
    if "cluster" in joined:
        joined["cluster"] = np.unique(joined["cluster"], return_inverse=True)[1]
    return joined


@pytest.mark.parametrize("name", SIMULATION.SETTINGS)
def test_two_models_are_as_alike_as_is_said(name):
    """The noise of the two models of a pair is of one kind, and correlates."""
    setting, rng = SIMULATION.SETTINGS[name], np.random.default_rng(2)
    both = [setting.draw_pair(rng, (0.0, 0.0))["scores"] for _ in range(200)]
    a, b = (np.concatenate([pair[model] for pair in both]) for model in "ab")
    least = 0.5 if setting.levels is None else 0.45  # Φ and levels take a little of 0.6
    assert least < np.corrcoef(a, b)[0, 1] < 0.65
    assert abs(a.mean() - b.mean()) < 0.02


# -- clusters, weights, numbers of the hull, ratios, folds and few items, in small ----------------

SMALL = [  # function, setting, statistic, method, runs, the least share that holds the truth
    ("interval", "40heavy@.8", "auc", "auto", 200, 0.94),
    ("interval", "10x1-50@.8", "auc", "auto", 200, 0.90),
    ("compare", "40heavy@.8", "auc", "auto", 200, 0.94),
    ("interval", "lognormal-weights@.97", "auc", "auto", 200, 0.93),
    ("interval", "40+40@.8", "h_measure", "half-sample", 40, 0.90),
    ("interval", "40+40@.6", "h_measure", "half-sample", 40, 0.90),
    ("interval", "100@.8", "struggle_ratio", "auto", 200, 0.91),
    ("interval", "100@.98", "midpoint", "auto", 200, 0.92),
    ("fold_band", "1x5-folds", "TPR at 0.3", "auto", 40, 0.90),
    ("interval", "8+392@.95", "auc", "auto", 200, 0.95),
    ("interval", "10+1000@.98", "auc", "auto", 100, 0.94),
    ("interval", "200+200@.999", "auc", "auto", 200, 0.96),
    ("compare", "8+392@.9/.8", "auc", "auto", 200, 0.93),
    ("non_inferiority", "40+40@.98/.95", "auc", "auto", 200, 0.94),
    ("compare_samples", "5+200/300+300@.9", "auc", "auto", 100, 0.92),
    ("compare_samples", "20+200/1000+5000@.95", "auc", "auto", 100, 0.91),
    ("compare_samples", "lognormal-weights-5+200/300+300@.9", "auc", "auto", 60, 0.92),
    ("best_threshold", "30+70@.8", "gain", "youden", 100, 0.92),
    ("best_threshold", "10+200@.8", "precision", "rate", 100, 0.92),
    ("calibration", "500-rare@.8", "smooth consistency band, low", "calibrated", 40, 0.9),
]


@pytest.mark.parametrize("cell", SMALL, ids=lambda cell: " ".join(cell[:4]))
def test_a_hard_setting_in_small(cell, monkeypatch):
    """With a fixed seed; what these methods replaced holds 60 to 90 % here."""
    monkeypatch.setattr(SIMULATION, "MANY", 200_000)
    monkeypatch.setattr(SIMULATION, "CROSS_VALIDATIONS", 300)
    *named, runs, least = cell
    (one,) = SIMULATION.cells(*named, resamples=100)
    assert SIMULATION.simulate(one, runs, 2026)["coverage"] >= least


@pytest.mark.parametrize("setting", ["10x1-50@.8", "exp-weights@.95"])
def test_what_cannot_be_mended_is_said(setting):
    (one,) = SIMULATION.cells("interval", setting, "auc", "auto")
    assert SIMULATION.simulate(one, 40, 2026)["warned"] >= 0.9


# -- drift ---------------------------------------------------------------------------------------


def test_the_table_of_false_alarms_is_that_of_the_simulation():
    assert [row["cell"] for row in ALARMS["rows"]] == [cell.name for cell in DRIFT.CELLS]
    for row, cell in zip(ALARMS["rows"], DRIFT.CELLS, strict=True):
        assert (row["promise"], row["runs"]) == (cell.promise, cell.runs), cell.name
        assert cell.kept(row), cell.name


@pytest.mark.slow
def test_a_cell_of_drift_anew():
    seed = secrets.randbits(32)
    cells = [cell for cell in DRIFT.CELLS if cell.runs >= DRIFT.RUNS]
    cell = cells[int(np.random.default_rng(seed).integers(len(cells)))]
    row = next(row for row in ALARMS["rows"] if row["cell"] == cell.name)
    share, runs = row["drifted"] / row["runs"], 200
    found = DRIFT.simulate(cell, runs, seed)["drifted"] / runs
    held = min(max(share, 1 / runs), 1 - 1 / runs)
    error = math.sqrt(held * (1 - held) * (1 / runs + 1 / row["runs"]))
    assert abs(found - share) <= 4 * error, (cell.name, seed)


REDRAWN = [  # words of the cell, runs, the least and the most runs that call drift
    ("no change, 1,000 and 1,000", 100, 0, 12),
    ("season ±1.5, trees, 3,000 and 1,000", 100, 0, 12),
    ("five scores with 0 and 1", 100, 0, 12),
    ("odds × 2, 3,000 and 1,000", 20, 19, 20),
    ("noise 0.8, 3,000 and 1,000", 20, 17, 20),
    ("flu, FC, 1,000 and 1,000", 20, 19, 20),
]


@pytest.mark.parametrize(("words", "runs", "least", "most"), REDRAWN)
def test_a_cell_of_drift_in_small(words, runs, least, most):
    """With a fixed seed. Of 100 runs at a level of 5 %, 13 or more have a probability of 0.1 %."""
    (cell,) = (cell for cell in DRIFT.CELLS if words in cell.name)
    found = DRIFT.simulate(cell, runs, 2026)
    assert least <= found["drifted"] <= most
    if most < runs:  # the mix may change the numbers, and does in seasons
        assert found["changed"] >= (40 if "season ±1.5" in words else 0)


def test_the_simulation_judges_what_it_promises():
    """A cell that calls drift too often, too rarely, or whose intervals miss is not kept."""
    level = DRIFT.level("a level", DRIFT.mix(DRIFT.calibrated, (10, 10)), judged=True)
    row = {"runs": 2000, "drifted": 130, "significant": 130, "missed": {"θ": [140, 2000]}}
    assert level.kept(row)
    assert not level.kept(row | {"drifted": 131})
    assert not level.kept(row | {"missed": {"θ": [141, 2000]}})
    power = DRIFT.Cell("a power", level.draw, at_least=0.5)
    assert power.kept(row | {"drifted": 1000})
    assert not power.kept(row | {"drifted": 999})
    both = DRIFT.added(row | {"changed": 1, "verdicts": {"none": 3}},
                       row | {"changed": 2, "verdicts": {"none": 1, "both": 1}})  # fmt: skip
    assert both["missed"] == {"θ": [280, 4000]}
    assert both["verdicts"] == {"both": 1, "none": 4}
    assert (both["runs"], both["changed"]) == (4000, 3)
