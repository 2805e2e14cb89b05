"""Run scikit-learn's own tests of what uses ROC curves on rocwalk's functions.

    python tests/peers/run_sklearn_suite.py          # with rocwalk's roc_curve and roc_auc_score
    python tests/peers/run_sklearn_suite.py --own    # with scikit-learn's, to see that they pass
    python tests/peers/run_sklearn_suite.py metrics/tests/test_ranking.py    # one file

The tests are those of the installed scikit-learn, in the files of `FILES`, that mention `roc_curve`,
`roc_auc` or `RocCurveDisplay` in their name, their parameters or their source. The two functions are
replaced in all modules of scikit-learn and in its scorers before a test file is imported, because
files and parametrised tests take hold of the functions on import.
"""

from __future__ import annotations

import argparse
import functools
import inspect
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

import pytest

NAMES = ("roc_curve", "roc_auc_score")
MENTION = re.compile("roc_curve|roc_auc|RocCurveDisplay")

# file: the fewest of its tests that must call one of the functions, of the lowest and the newest version
FILES = {
    "metrics/tests/test_ranking.py": 65,
    "metrics/tests/test_common.py": 81,
    "metrics/tests/test_score_objects.py": 21,
    "metrics/_plot/tests/test_roc_curve_display.py": 146,
    "metrics/_plot/tests/test_common_curve_display.py": 5,
    "model_selection/tests/test_search.py": 2,
    "tests/test_calibration.py": 1,
    "tests/test_public_functions.py": 0,
    "ensemble/tests/test_bagging.py": 1,
    "ensemble/tests/test_iforest.py": 1,
    "neighbors/tests/test_lof.py": 1,
    "neural_network/tests/test_mlp.py": 1,
}

MOST_DESELECTED = 3
# file::test (with its parameters in brackets): why it cannot pass
_PRIVATE = "looks for the private attribute _skl_parameter_constraints of scikit-learn's functions"
DESELECTED: dict[str, str] = {
    "metrics/tests/test_score_objects.py::test_scoring_is_not_metric": (
        "scikit-learn knows its metrics by the name of their module, sklearn.metrics; rocwalk's metrics "
        "are refused as scorers when they are called (tests/sklearn/test_scorers.py)"
    ),
    **{
        f"tests/test_public_functions.py::test_function_param_validation[sklearn.metrics.{name}]": _PRIVATE
        for name in NAMES
    },
}


class Suite:
    """A pytest plugin that selects, counts, and looks at what the tests have in hand."""

    def __init__(self, functions: dict[str, Callable[..., Any]], calls: Counter[str]) -> None:
        self.functions = functions
        self.calls = calls
        self.outcomes: Counter[str] = Counter()
        self.reached: Counter[str] = Counter()
        self.deselected: list[str] = []
        self.strangers: set[str] = set()

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[Any]) -> None:
        del config
        chosen = [item for item in items if is_of_roc(item)]
        self.deselected = [name_of(item) for item in chosen if name_of(item) in DESELECTED]
        items[:] = [item for item in chosen if name_of(item) not in DESELECTED]
        for item in items:
            held = {name: vars(item.module).get(name) for name in NAMES}
            self.strangers |= {
                name for name, one in held.items() if one not in (None, self.functions[name])
            }

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        before = self.calls.total()
        try:
            yield
        finally:
            self.reached[file_of(item)] += self.calls.total() > before

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or report.outcome != "passed":
            self.outcomes[report.outcome] += 1


def is_of_roc(item: Any) -> bool:
    """Whether a test mentions the functions; one that is parametrised with a display, in its name."""
    if MENTION.search(item.name) or "Display" in item.name:
        return bool(MENTION.search(item.name))
    return bool(MENTION.search(inspect.getsource(inspect.unwrap(item.function))))


def file_of(item: Any) -> str:
    """Return the file of a test, relative to scikit-learn's folder."""
    import sklearn

    return item.path.relative_to(Path(sklearn.__file__).parent).as_posix()


def name_of(item: Any) -> str:
    return f"{file_of(item)}::{item.name}"


def counted(function: Callable[..., Any], calls: Counter[str]) -> Callable[..., Any]:
    """Return the function with every call counted under its name."""

    @functools.wraps(function)  # the name shows in the names of the tests
    def wrapper(*args: Any, **keywords: Any) -> Any:
        calls[function.__name__] += 1
        return function(*args, **keywords)

    return wrapper


def replace_everywhere(functions: dict[str, Callable[..., Any]]) -> None:
    """Put the functions in place of scikit-learn's in its modules and its scorers."""
    from sklearn.metrics import _ranking, _scorer

    theirs = {name: getattr(_ranking, name) for name in NAMES}
    for module in list(sys.modules.values()):
        for name, function in theirs.items():
            if module.__name__.startswith("sklearn.") and vars(module).get(name) is function:
                setattr(module, name, functions[name])
    for scorer in (*_scorer._SCORERS.values(), *vars(_scorer).values()):
        if getattr(scorer, "_score_func", None) is theirs["roc_auc_score"]:
            scorer._score_func = functions["roc_auc_score"]


def problems(
    files: Collection[str],
    outcomes: Counter[str],
    reached: Counter[str],
    deselected: list[str],
    strangers: set[str],
) -> list[str]:
    """Return what speaks against this run, in words; nothing if it counts."""
    found = [f"{n} tests {kind}" for kind, n in outcomes.items() if kind == "failed"]
    found += [
        f"only {reached[file]} tests of {file} call the functions; there must be {fewest}"
        for file, fewest in FILES.items()
        if file in files and reached[file] < fewest
    ]
    if len(DESELECTED) > MOST_DESELECTED:
        found.append(f"more than {MOST_DESELECTED} tests are deselected")
    missing = {name for name in DESELECTED if name.split("::")[0] in files}.difference(deselected)
    found += [f"there is no test {name} to deselect" for name in sorted(missing)]
    found += [f"the tests have another {name} in hand" for name in sorted(strangers)]
    return found


def run(files: Collection[str], own: bool) -> int:
    """Run the tests, print the counts, and return 0 if all is well."""
    import sklearn.metrics

    import rocwalk.metrics
    import sklearn

    calls: Counter[str] = Counter()
    package = sklearn.metrics if own else rocwalk.metrics
    functions = {name: counted(getattr(package, name), calls) for name in NAMES}
    replace_everywhere(functions)
    suite = Suite(functions, calls)
    status = run_pytest([Path(sklearn.__file__).parent / file for file in files], suite)
    say(
        f"functions of {package.__name__.split('.')[0]}, tests of scikit-learn {sklearn.__version__}"
    )
    say(", ".join(f"{kind}: {suite.outcomes[kind]}" for kind in ("passed", "failed", "skipped")))
    say(f"call the functions: {suite.reached.total()}")
    for file in files:
        say(f"  {file}: {suite.reached[file]}")
    say(f"calls: {', '.join(f'{name} {calls[name]}' for name in NAMES)}")
    say(f"deselected: {len(suite.deselected)}")
    for name in suite.deselected:
        say(f"  {name}: {DESELECTED[name]}")
    against = problems(files, suite.outcomes, suite.reached, suite.deselected, suite.strangers)
    for words in against:
        say(f"PROBLEM: {words}")
    return int(bool(status or against))


def run_pytest(paths: list[Path], suite: Suite) -> int:
    """Run pytest in this process, away from the settings of this repository."""
    os.environ.pop("PYTEST_ADDOPTS", None)
    os.environ["MPLBACKEND"] = "Agg"
    sys.dont_write_bytecode = True  # scikit-learn's folder is not ours to write to
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "pytest.ini"
        settings.write_text("[pytest]\n", encoding="utf-8")
        arguments = ["-c", str(settings), "--rootdir", folder, "-p", "no:cacheprovider"]
        quiet = ["-q", "--no-header", "--disable-warnings"]
        return int(pytest.main([*arguments, *quiet, *map(str, paths)], plugins=[suite]))


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--own", action="store_true", help="use scikit-learn's own functions")
    parser.add_argument("files", nargs="*", help="of those in FILES; default: all")
    given = parser.parse_args()
    sys.exit(run(given.files or list(FILES), given.own))
