"""What a type checker sees of the package: real names, the words of options, results."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import rocwalk as rw

SNIPPET = """\
from typing import assert_type

import rocwalk as rw
from rocwalk.typing import FloatArray

y_true, y_score = [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]
tally = rw.tally(y_true, y_score, steps="both", threshold="mean", truth="hard", invalid="drop")
assert_type(tally, rw.Tally)
assert_type(rw.roc(tally), rw.Curve)
assert_type(rw.drift(tally, tally, method="analytic"), rw.Drift)
assert_type(rw.interval(y_true, y_score, method="delong", scale="logit"), rw.Interval)
assert_type(rw.report({}), rw.Report)
assert_type(rw.metrics.roc_auc_score(y_true, y_score), float)
assert_type(rw.metrics.roc_auc_score(y_true, y_score, average=None), float | FloatArray)
assert_type(rw.roc(tally).cost_curve().at(0.5), float)
assert_type(rw.roc(tally).cost_curve().at([0.25, 0.5]), FloatArray)
assert_type(rw.roc(tally).brier_curve().at_bounds(0.5), tuple[float, float, float])
print(rw.sklearn.RocDisplay, rw.datasets, rw.errors.TallyError)

rw.rock  # wrong
rw.metrics.rock  # wrong
rw.sklearn.rock  # wrong
rw.roc(y_true, y_score, steps="treu")  # wrong
rw.roc(y_true, y_score, threshold="median")  # wrong
rw.soft_roc(y_true, y_score, steps="truth")  # wrong
rw.tally(y_true, y_score, invalid="ignore")  # wrong
rw.interval(y_true, y_score, method="delonng")  # wrong
rw.band(y_true, y_score, kind="point")  # wrong
rw.smeared_roc(y_true, y_score, kernel="gauss")  # wrong
rw.calibration(y_true, y_score, method="smoth")  # wrong
rw.calibration(y_true, y_score, strategy="even")  # wrong
rw.calibration(y_true, y_score).plot(band="confident")  # wrong
rw.sklearn.RecalibratedClassifier(None, method="plat")  # wrong
rw.metrics.roc_auc_score(y_true, y_score, multi_class="ovx")  # wrong
rw.datasets.flu("NPG")  # wrong
"""


def test_a_type_checker_knows_the_names_and_the_words(tmp_path):
    file = tmp_path / "snippet.py"
    file.write_text(SNIPPET)
    source = Path(rw.__file__).parents[1]
    command = [sys.executable, "-m", "mypy", "--config-file=", "--follow-imports=silent"]
    done = subprocess.run(
        [*command, "--ignore-missing-imports", "--cache-dir", str(tmp_path / "cache"), str(file)],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | {"MYPYPATH": str(source)},
    )
    found = {int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error:" in line}
    lines = SNIPPET.splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}
    assert found == wrong, done.stdout + done.stderr


def test_completion_lists_real_names_only():
    for module in (rw.metrics, rw.sklearn, rw.datasets):
        assert dir(module) == sorted(module.__all__)
    assert {"sklearn", "roc", "metrics"} <= set(dir(rw))
    assert dir(rw.errors) == sorted(rw.errors.__all__)
    kinds = (rw.errors.RocwalkError, rw.errors.RocwalkWarning)
    defined = {name for name, one in vars(rw.errors).items() if isinstance(one, type)}
    assert set(dir(rw.errors)) == {n for n in defined if issubclass(getattr(rw.errors, n), kinds)}
