"""The package as a whole: what it exports, what it loads, and when."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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


EXAMPLE = Path(__file__).parents[1] / "examples" / "breast_cancer.csv"
OF_THE_EXAMPLE = [str(EXAMPLE), "--label", "malignant", "--score", "forest", "--score", "logistic"]
EXTRAS = ("matplotlib", "pandas", "polars", "psycopg", "pyarrow", "sklearn")


def command(*words, without=()):
    """Run a command in a process in which some libraries cannot be imported.

    Return its exit code, what it prints on stderr, and the libraries that it has loaded.
    """
    code = (
        f"import atexit, sys\nfor name in {without!r}: sys.modules[name] = None\n"
        "loaded = lambda: [m for m in sys.modules if '.' not in m and sys.modules[m] is not None]\n"
        "atexit.register(lambda: print('LOADED', *loaded(), file=sys.stderr))\n"
        "from rocwalk.cli.start import main\nmain()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=False
    )
    said, _, loaded = done.stderr.rpartition("LOADED")
    return done.returncode, said, set(loaded.split())


def test_the_help_loads_no_numbers_no_table_and_no_subcommand():
    for words in (["--help"], ["--version"]):
        code, _, loaded = command(*words)
        assert code == 0
        assert loaded.isdisjoint({"numpy", "rich", "duckdb", "narwhals", "scipy", *EXTRAS})


def test_commands_on_a_file_load_no_dataframe_library_and_no_scipy(tmp_path):
    page = tmp_path / "page.html"
    for words in (["score"], ["score", "--fold", "fold", "--by", "size"], ["report", "-o", page]):
        code, said, loaded = command(words[0], *OF_THE_EXAMPLE, *map(str, words[1:]))
        assert (code, said) == (0, "")
        needless = {"narwhals", *EXTRAS} if words[0] == "report" else {"narwhals", "scipy", *EXTRAS}
        assert loaded.isdisjoint(needless)  # the page's beta distributions are scipy's


def test_the_page_loads_what_it_shows(tmp_path):
    said = ["report", *OF_THE_EXAMPLE, "-o", str(tmp_path / "page.html"), "--quiet"]
    code = (
        f"import sys\nfrom rocwalk.cli.main import cli\ncli.main({said!r}, standalone_mode=False)\n"
    )
    code += "print(*sys.modules)"
    needless = {"drift.causes", "drift.timeline", "truth.rater_table", "read.lazy_tallies"}
    loaded = set(run(code))
    assert "rocwalk.report.page" in loaded
    assert loaded.isdisjoint(f"rocwalk.{name}" for name in needless)


@pytest.mark.slow
def test_every_command_runs_without_the_extras(tmp_path):
    gaps = tmp_path / "gaps.csv"
    gaps.write_text("y,p,g\n" + "1,0.9,a\n0,0.2,\n1,0.6,b\n0,0.3,a\n" * 20)
    large = tmp_path / "large.csv"
    large.write_text("y,p,g\n" + "1,0.9,a\n0,0.2,\n1,0.6,b\n0,0.3,a\n" * 600_000)
    store = str(tmp_path / "store.duckdb")
    log = tmp_path / "log.csv"
    log.write_text(
        "id,time,score,label\n"
        + "".join(f"{k},2026-01-{k % 28 + 1:02},0.{k % 9 + 1},{k % 2}\n" for k in range(90))
    )
    columns = [str(gaps), "--label", "y", "--score", "p"]
    for words in (
        ["compare", *OF_THE_EXAMPLE],
        ["score", *columns, "--by", "g"],
        ["score", str(large), *columns[1:], "--by", "g", "--memory-limit", "110MB"],
        ["drift", str(gaps), str(gaps), "--label", "y", "--score", "p"],
        ["monitor", "init", store, "--reference", str(log)],
        ["monitor", "add", store, str(log)],
        ["monitor", "status", store],
    ):
        code, said, loaded = command(*words, without=EXTRAS)
        assert code in (0, 1), said
        assert "needs" not in said
        assert loaded.isdisjoint(EXTRAS)


def test_a_part_that_is_not_installed_names_its_extra():
    code, said, _ = command("monitor", "status", "postgresql://one@host/base", without=EXTRAS)
    assert code == 2
    assert said == (
        "Error: A store in PostgreSQL needs psycopg, which is not installed.\n"
        'Hint: install it with: pip install "rocwalk[postgresql]"\n'
    )
    asked = {
        "plot()": ("A picture needs matplotlib", "plot"),
        "to_frame()": ("This table needs pandas", "pandas"),
    }
    for call, (words, extra) in asked.items():
        code = (
            f"import sys\nfor name in {EXTRAS!r}: sys.modules[name] = None\n"
            f"import rocwalk as rw\ntry: rw.roc([1, 0], [0.9, 0.1]).{call}\n"
            "except rw.errors.MissingLibraryError as error: print(isinstance(error, ImportError), error)"
        )
        assert " ".join(run(code)) == (
            f"True {words}, which is not installed. Hint: install it with: pip install "
            f'"rocwalk[{extra}]"'
        )


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
