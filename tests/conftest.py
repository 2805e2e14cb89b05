"""Shared strategies and fixtures."""

from __future__ import annotations

import csv
import gc
import os
import shutil
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import HealthCheck, settings

import rocwalk as rw

mpl.use("Agg")
settings.register_profile(
    "rocwalk", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
settings.load_profile("rocwalk")


ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
]


# Tests that share something slow to start run in one process, where it is started once: these
# groups, and the tests of a file that has fixtures for the whole file.
TOGETHER = {
    "spark": "spark",
    "tests/papers": "papers",
    "report/test_papers": "papers",
    "cli/test_papers": "papers",
    "tests/test_site": "site",
}


def pytest_configure():
    """Let no terminal of whoever runs the tests decide how wide output is."""
    os.environ.pop("COLUMNS", None)


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items):
    for item in items:
        group = next((group for part, group in TOGETHER.items() if part in item.nodeid), None)
        if group is None and any(one.scope == "module" for one in fixtures_of(item)):
            group = item.nodeid.partition("::")[0]
        if group is not None:
            item.add_marker(pytest.mark.xdist_group(group))


def pytest_collection_finish(session):
    """Groups are honoured only if their names are part of the tests' own (pytest 9.2 has none)."""
    gc.freeze()  # thousands of tests are kept to the end: the garbage collector need not walk them
    if getattr(session.config.option, "loadgroup", False):
        lost = [one.nodeid for one in session.items if one.get_closest_marker("xdist_group")]
        lost = [name for name in lost if "@" not in name.rpartition("]")[2]]
        assert not lost, f"pytest-xdist does not see the groups of {len(lost)} tests"


def fixtures_of(item):
    """Return the definitions of the fixtures that a test takes, those of its fixtures too."""
    info = getattr(item, "_fixtureinfo", None)
    return [] if info is None else [found[-1] for found in info.name2fixturedefs.values()]


@pytest.fixture(scope="session")
def browser():
    """One real browser for all tests of a process: Playwright allows no second one beside it."""
    usual = Path("/usr/bin/chromium")
    path = str(usual) if usual.exists() else shutil.which("chromium")
    if path is None:
        pytest.fail("The page is tested in Chromium, which is missing. Run: make browser")
    from playwright.sync_api import sync_playwright  # only here: old versions are tested without it

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def postgresql():
    """A real server for all tests of a process: a function that makes a database, its address."""
    from postgres_server import server  # only here: old versions are tested without it

    with server() as database:
        yield database


@pytest.fixture
def fawcett():
    """The curve of Fawcett's 20 instances."""
    sample = rw.datasets.paper_examples()["classic_table_1"]
    return rw.roc(sample.y_true, sample.y_prob)


@pytest.fixture(autouse=True)
def _no_open_pictures():
    yield
    plt.close("all")


@pytest.fixture
def rng():
    return np.random.default_rng(20260101)


@pytest.fixture
def run(capsys):
    """Run a command in this process; return its exit code, stdout and stderr."""

    def run(*arguments):
        from rocwalk.cli.main import main

        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return ended.value.code, printed.out, printed.err

    return run


@pytest.fixture
def table(tmp_path):
    """Write rows to a CSV file and return its path."""

    def table(header, *rows, name="data.csv"):
        path = tmp_path / name
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([header, *rows])
        return path

    return table
