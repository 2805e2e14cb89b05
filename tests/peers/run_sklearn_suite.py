"""Run scikit-learn's own tests of its ROC functions on rocwalk's functions.

    python tests/peers/run_sklearn_suite.py          # with rocwalk's roc_curve and roc_auc_score
    python tests/peers/run_sklearn_suite.py --own    # with scikit-learn's, to see that they pass

The tests are those of the installed `sklearn/metrics/tests/test_ranking.py` whose names mention
"roc" or "auc". `sklearn.metrics.roc_curve` and `sklearn.metrics.roc_auc_score` are replaced before
that file is imported, because its parametrised tests take hold of the functions on import.
"""

from __future__ import annotations

import argparse
import functools
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

NAMES = ("roc_curve", "roc_auc_score")
SELECTION = "roc or auc"
FEWEST_TESTS = 60
MOST_DESELECTED = 5

# test name (with its parameters in brackets): why it cannot pass
DESELECTED: dict[str, str] = {}


class Suite:
    """A pytest plugin that deselects, counts, and looks at what the tests have in hand."""

    def __init__(self, functions: dict[str, Callable[..., Any]]) -> None:
        self.functions = functions
        self.outcomes: Counter[str] = Counter()
        self.deselected: list[str] = []
        self.strangers: set[str] = set()

    @pytest.hookimpl(trylast=True)  # after -k
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[Any]) -> None:
        out = [item for item in items if item.name in DESELECTED]
        self.deselected = [item.name for item in out]
        items[:] = [item for item in items if item.name not in DESELECTED]
        for item in items:
            self.strangers |= {
                name for name in NAMES if getattr(item.module, name) is not self.functions[name]
            }

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or report.outcome != "passed":
            self.outcomes[report.outcome] += 1


def counted(function: Callable[..., Any], calls: Counter[str]) -> Callable[..., Any]:
    """Return the function with every call counted under its name."""

    @functools.wraps(function)  # the name shows in the names of the tests
    def wrapper(*args: Any, **keywords: Any) -> Any:
        calls[function.__name__] += 1
        return function(*args, **keywords)

    return wrapper


def problems(
    outcomes: Counter[str], deselected: list[str], strangers: set[str], calls: Counter[str]
) -> list[str]:
    """Return what speaks against this run, in words; nothing if it counts."""
    found = [f"{n} tests {kind}" for kind, n in outcomes.items() if kind != "passed"]
    if sum(outcomes.values()) < FEWEST_TESTS:
        found.append(f"only {sum(outcomes.values())} tests ran; there must be {FEWEST_TESTS}")
    if len(DESELECTED) > MOST_DESELECTED:
        found.append(f"more than {MOST_DESELECTED} tests are deselected")
    found += [f"there is no test {name} to deselect" for name in DESELECTED.keys() - deselected]
    found += [f"the tests have another {name} in hand" for name in sorted(strangers)]
    found += [f"{name} was never called" for name in NAMES if not calls[name]]
    return found


def run(own: bool) -> int:
    """Run the tests, print the counts, and return 0 if all is well."""
    import sklearn.metrics

    import rocwalk.metrics

    calls: Counter[str] = Counter()
    source = sklearn.metrics if own else rocwalk.metrics
    functions = {name: counted(getattr(source, name), calls) for name in NAMES}
    for name, function in functions.items():
        setattr(sklearn.metrics, name, function)
    suite = Suite(functions)
    status = run_pytest(Path(sklearn.metrics.__file__).parent / "tests/test_ranking.py", suite)
    say(
        f"functions of {source.__name__.split('.')[0]}, tests of scikit-learn {sklearn.__version__}"
    )
    say(f"passed: {suite.outcomes['passed']}, failed: {suite.outcomes['failed']}")
    say(f"calls: {', '.join(f'{name} {calls[name]}' for name in NAMES)}")
    say(f"deselected: {len(suite.deselected)}")
    for name in suite.deselected:
        say(f"  {name}: {DESELECTED[name]}")
    against = problems(suite.outcomes, suite.deselected, suite.strangers, calls)
    for words in against:
        say(f"PROBLEM: {words}")
    return int(bool(status or against))


def run_pytest(path: Path, suite: Suite) -> int:
    """Run pytest in this process, away from the settings of this repository."""
    os.environ.pop("PYTEST_ADDOPTS", None)
    sys.dont_write_bytecode = True  # scikit-learn's folder is not ours to write to
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "pytest.ini"
        settings.write_text("[pytest]\n", encoding="utf-8")
        arguments = ["-c", str(settings), "--rootdir", folder, "-p", "no:cacheprovider"]
        quiet = ["-q", "--no-header", "--disable-warnings", "-k", SELECTION]
        return int(pytest.main([*arguments, *quiet, str(path)], plugins=[suite]))


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--own", action="store_true", help="use scikit-learn's own functions")
    sys.exit(run(parser.parse_args().own))
