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
RANKING = "metrics/tests/test_ranking.py"


def run_suite(*options):
    command = [sys.executable, str(SCRIPT), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=1800)


def count(words, text):
    return int(re.search(rf"{words}: (\d+)", text)[1])


@pytest.mark.slow
def test_all_pass_with_the_functions_of_rocwalk():
    done = run_suite()
    assert done.returncode == 0, done.stdout + done.stderr
    assert "functions of rocwalk" in done.stdout
    assert (count("failed", done.stdout), count("deselected", done.stdout)) == (0, 3)
    assert count("call the functions", done.stdout) >= 340


@pytest.mark.slow
def test_the_same_tests_pass_with_the_functions_of_scikit_learn():
    ours, theirs = run_suite(RANKING), run_suite("--own", RANKING)
    assert ours.returncode == theirs.returncode == 0, ours.stdout + theirs.stdout
    assert "functions of sklearn" in theirs.stdout
    for words in ("passed", "skipped", RANKING):
        assert count(words, ours.stdout) == count(words, theirs.stdout)
    calls = r"roc_auc_score (\d+)"  # scikit-learn's calls roc_curve itself
    assert re.search(calls, ours.stdout)[1] == re.search(calls, theirs.stdout)[1]


def script():
    return runpy.run_path(str(SCRIPT))


@pytest.mark.parametrize(
    ("outcomes", "reached", "strangers", "words"),
    [
        (
            {"passed": 64},
            64,
            set(),
            f"only 64 tests of {RANKING} call the functions; there must be",
        ),
        ({"passed": 67, "failed": 1}, 68, set(), "1 tests failed"),
        ({"passed": 68}, 68, {"roc_curve"}, "the tests have another roc_curve in hand"),
        ({"passed": 68}, 0, set(), f"only 0 tests of {RANKING} call the functions"),
    ],
)
def test_a_run_that_proves_nothing_fails(outcomes, reached, strangers, words):
    found = script()["problems"](
        [RANKING], Counter(outcomes), Counter({RANKING: reached}), [], strangers
    )
    assert len(found) == 1
    assert found[0].startswith(words)


def test_more_deselected_tests_or_absent_ones_fail():
    names = script()
    names["DESELECTED"][f"{RANKING}::test_a"] = "why"
    found = names["problems"]([RANKING], Counter(passed=68), Counter({RANKING: 68}), [], set())
    assert found == [
        "more than 3 tests are deselected",
        f"there is no test {RANKING}::test_a to deselect",
    ]
    assert all(len(reason) > 40 for reason in script()["DESELECTED"].values())
