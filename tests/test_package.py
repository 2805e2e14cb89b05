"""The package as a whole: what it exports, what it loads, and when."""

from __future__ import annotations

import subprocess
import sys

import pytest

import rocwalk as rw


def run(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_importing_rocwalk_loads_nothing_heavy():
    code = "import rocwalk, sys; print(*[m for m in sys.modules if '.' not in m])"
    heavy = {"numpy", "scipy", "narwhals", "matplotlib", "duckdb", "pyarrow", "click", "rich"}
    assert heavy.isdisjoint(run(code))


def test_numbers_from_numpy_arrays_need_numpy_only():
    code = (
        "import numpy as np, rocwalk as rw, sys\n"
        "y, s = np.array([1, 0, 1, 0]), np.array([.9, .8, .7, .1])\n"
        "rw.roc(y, s).hull; rw.roc(y, s).best(); rw.metrics.roc_auc_score(y, s)\n"
        "print(*[m for m in sys.modules if '.' not in m])"
    )
    heavy = {"scipy", "narwhals", "matplotlib", "duckdb", "pyarrow", "click", "rich", "pandas"}
    assert heavy.isdisjoint(run(code))


def test_intervals_and_the_h_measure_do_not_import_scipy():
    code = (
        "import numpy as np, rocwalk as rw, sys\n"
        "y, s = np.tile([1, 0, 1, 0], 20), np.linspace(0, 1, 80) ** 2\n"
        "rw.interval(y, s); rw.compare(y, {'a': s, 'b': s[::-1]}); rw.roc(y, s).h_measure()\n"
        "print(*[m for m in sys.modules if '.' not in m])"
    )
    assert "scipy" not in run(code)


def test_everything_exported_exists():
    assert set(dir(rw)) == {*rw.__all__, "sklearn"}  # which needs scikit-learn
    for name in rw.__all__:
        assert getattr(rw, name) is not None
    with pytest.raises(AttributeError, match="module 'rocwalk' has no attribute 'rocc'"):
        _ = rw.rocc


def test_exported_names_have_docstrings():
    for name in rw.__all__:
        if name != "__version__":
            assert getattr(rw, name).__doc__, name


def test_rooms_do_not_hide_the_functions_of_their_names():
    code = (
        "import importlib, pkgutil, rocwalk as rw\n"
        "for module in pkgutil.walk_packages(rw.__path__, 'rocwalk.'):\n"
        "    importlib.import_module(module.name)\n"
        "print(*[type(getattr(rw, name)).__name__ for name in ('tally', 'drift', 'report')])\n"
        "print(*[name for name in rw.__all__ if type(getattr(rw, name)).__name__ == 'module'])\n"
        "print(rw.metrics.__name__, rw.tally([1, 0], [0.9, 0.1]).area)"
    )
    functions = ["function"] * 3
    assert run(code) == [*functions, "datasets", "errors", "metrics", "rocwalk.metrics", "1.0"]
