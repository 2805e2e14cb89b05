"""Promises on `rocwalk report` for the bundled example: what is computed once, and its CPU time."""

from __future__ import annotations

import contextlib
import csv
import functools
import importlib
import io
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from promises import promise

import rocwalk as rw

EXAMPLE = Path(__file__).parents[1] / "examples" / "breast_cancer.csv"
ROWS = 569
MODELS = ("logistic", "naive_bayes", "forest")
ARGUMENTS = ["report", str(EXAMPLE), "--label", "malignant", "--fold", "fold", "--by", "size"]
ARGUMENTS += [word for model in MODELS for word in ("--score", model)]
START = "from rocwalk.cli.start import main; main()"

# What the page and the terminal need in any case: the interpreter, NumPy, and the packages that
# read the file and print; and pyarrow and scipy.special, which are needed no more, so that the
# multiple can be compared with earlier ones.
IMPORTS = "import click, duckdb, jinja2, numpy, pyarrow.compute, rich.table, scipy.special"


@contextlib.contextmanager
def counted(module: str, name: str, is_whole: Callable[..., bool]) -> Iterator[list[int]]:
    """Count the calls of a function, wherever it was imported to, that take a whole column."""
    original = getattr(importlib.import_module(module), name)
    calls = [0]

    @functools.wraps(original)
    def counting(*arguments: Any, **options: Any) -> Any:
        calls[0] += is_whole(*arguments)
        return original(*arguments, **options)

    places = [
        (vars(loaded), key)
        for title, loaded in list(sys.modules.items())
        if title.startswith("rocwalk")
        for key, value in vars(loaded).items()
        if value is original
    ]
    for names, key in places:
        names[key] = counting
    try:
        yield calls
    finally:
        for names, key in places:
            names[key] = original


def calls_a_model(*functions: tuple[str, str, Callable[..., bool]]) -> float:
    """Return how often the functions are called for the whole column of a model in one report."""
    run = importlib.import_module("rocwalk.cli.main").cli
    with contextlib.ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        found = [stack.enter_context(counted(*function)) for function in functions]
        stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
        page = ["-o", str(Path(folder) / "page.html"), "--quiet"]
        run.main(args=[*ARGUMENTS, *page], standalone_mode=False)
    return sum(calls for (calls,) in found) / len(MODELS)


def of_scores(_: Any, scores: Any, *_more: Any) -> bool:
    return len(scores) == ROWS


@promise("report, bundled example: sorts of a model's column", at_most=1)
def sorts() -> float:
    return calls_a_model(
        ("rocwalk.tally.order", "labelled_keys", of_scores),
        ("rocwalk.tally.order", "descending_order", lambda scores, *_: len(scores) == ROWS),
    )


@promise("report, bundled example: checks of a model's column", at_most=1)
def checks() -> float:
    return calls_a_model(("rocwalk.read.arrays", "check", of_scores))


@promise("report, bundled example: summaries of a model", at_most=1)
def summaries() -> float:
    return calls_a_model(
        ("rocwalk.evaluate.summary", "summary", lambda tally: tally.total_count == ROWS)
    )


@promise("report, bundled example: hulls of a model", at_most=1)
def hulls() -> float:
    """Hulls of drawn outcomes, of which the consistency band is made, are not the model's."""
    with EXAMPLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    y_true = [int(row["malignant"]) for row in rows]
    curves = [rw.roc(y_true, [float(row[model]) for row in rows]) for model in MODELS]
    own = [curve.walk.up.tolist() for curve in curves]
    return calls_a_model(("rocwalk.curves.hull", "hull_index", lambda up, _: up.tolist() in own))


def processor_time(command: list[str], environment: dict[str, str]) -> float:
    """Return the CPU seconds that a process takes, in user and system mode together."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


# Before each finding was computed once the multiple was 3.3, and 2.0 afterwards. The page has since
# gained intervals of chosen thresholds, consistency bands, gaps of subgroups, areas and curves of
# four more kernels; with these it was 4.8, and 2.7 since no more points are drawn than are seen. It
# is 1.5 to 1.9 since the page computes score noise and most smeared curves itself, nothing of SciPy
# is loaded and what a command loads is not searched for garbage.
@promise("report, bundled example: CPU time as a multiple of its imports", at_most=2.0)
def processor_time_of_report() -> float:
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"PYTHONPYCACHEPREFIX": folder}  # bytecode is written once
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        page = ["-o", str(Path(folder) / "page.html"), "--quiet"]
        commands = (
            [sys.executable, "-c", START, *ARGUMENTS, *page],
            [sys.executable, "-c", IMPORTS],
        )
        times = [[processor_time(one, environment) for one in commands] for _ in range(8)][1:]
    ours, imports = (statistics.median(column) for column in zip(*times, strict=True))
    return ours / imports
