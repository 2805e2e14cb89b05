"""scikit-learn's own tests pass with rocwalk's functions in place of its own."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("run_sklearn_suite.py")


def run_suite(*options):
    command = [sys.executable, str(SCRIPT), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)


def count(words, text):
    return int(re.search(rf"^{words}: (\d+)", text, re.MULTILINE)[1])


@pytest.fixture(scope="module")
def ours():
    return run_suite()


@pytest.fixture(scope="module")
def theirs():
    return run_suite("--own")


@pytest.mark.slow
def test_all_pass_with_the_functions_of_rocwalk(ours):
    assert ours.returncode == 0, ours.stdout + ours.stderr
    assert "functions of rocwalk" in ours.stdout
    assert count("passed", ours.stdout) >= 60
    assert count("deselected", ours.stdout) == 0


@pytest.mark.slow
def test_all_pass_with_the_functions_of_scikit_learn(theirs):
    assert theirs.returncode == 0, theirs.stdout + theirs.stderr
    assert "functions of sklearn" in theirs.stdout


@pytest.mark.slow
def test_both_runs_are_the_same_tests_and_calls(ours, theirs):
    for line in (r"^passed: .*$", r"^calls: .*$"):
        assert re.search(line, ours.stdout, re.M)[0] == re.search(line, theirs.stdout, re.M)[0]


@pytest.mark.parametrize(
    ("outcomes", "strangers", "calls", "words"),
    [
        ({"passed": 59}, set(), {"roc_curve": 1, "roc_auc_score": 1}, "only 59 tests ran"),
        (
            {"passed": 67, "failed": 1},
            set(),
            {"roc_curve": 1, "roc_auc_score": 1},
            "1 tests failed",
        ),
        (
            {"passed": 68},
            {"roc_curve"},
            {"roc_curve": 1, "roc_auc_score": 1},
            "the tests have another roc_curve in hand",
        ),
        ({"passed": 68}, set(), {"roc_curve": 1}, "roc_auc_score was never called"),
    ],
)
def test_a_run_that_proves_nothing_fails(outcomes, strangers, calls, words):
    problems = runpy.run_path(str(SCRIPT))["problems"]
    assert problems(Counter(outcomes), [], strangers, Counter(calls))[0].startswith(words)


def test_more_than_five_deselected_tests_fail():
    script = runpy.run_path(str(SCRIPT))
    names = [f"test_{i}" for i in range(6)]
    script["DESELECTED"].update(dict.fromkeys(names, "why"))
    calls = Counter({"roc_curve": 1, "roc_auc_score": 1})
    found = script["problems"](Counter(passed=68), names[:5], set(), calls)
    assert found == ["more than 5 tests are deselected", "there is no test test_5 to deselect"]
