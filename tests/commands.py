"""What the tests of the command line share: the bundled example, and commands as processes."""

from __future__ import annotations

import csv
import functools
import importlib
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "breast_cancer.csv"
MODEL_NAMES = ("logistic", "naive_bayes", "forest")
MODELS = ["--label", "malignant", "--score", "logistic", "--score", "naive_bayes"]
COMMAND = [sys.executable, "-c", "from rocwalk.cli.start import main; main()"]


def example_column(name):
    with EXAMPLE.open() as file:
        return [row[name] for row in csv.DictReader(file)]


def process(*arguments, **options):
    """Run a command as a process of its own."""
    return subprocess.run(
        [*COMMAND, *map(str, arguments)], capture_output=True, text=True, check=False, **options
    )


# every command that reads data, by what it is called with; `{data}` and `{more}` are files with the
# columns y, a, b, and `{page}` is a file to write
COMMANDS = {
    "score": "score {data} --label y --score a --by g --fold f",
    "report": "report {data} --label y --score a --score b --by g --fold f -o {page}",
    "compare": "compare {data} --label y --score a --score b",
    "drift": "drift {data} {more} --label y --score a --score b",
}


def sample_rows(n=60):
    """Return rows of label, two scores, group and fold, which every command can use."""
    rows = []
    for k in range(n):
        y, noise = k % 2, (k * 37 % 101) / 101
        rows.append(
            [y, round(0.5 * y + 0.5 * noise, 4), round(0.3 * y + 0.6 * noise, 4), k % 3 % 2, k % 4]
        )
    return rows


def filled(command, **words):
    """Return the arguments of a command in which placeholders are filled in."""
    return [words.get(w[1:-1], w) if w[:1] == "{" else w for w in COMMANDS[command].split()]


def count_calls(monkeypatch, module, name):
    """Count the calls of a function, wherever it was imported to; return the list they fill."""
    original, calls = getattr(importlib.import_module(module), name), []

    @functools.wraps(original)
    def counting(*arguments, **options):
        calls.append(arguments)
        return original(*arguments, **options)

    for title, loaded in list(sys.modules.items()):
        if title.startswith("rocwalk"):
            for key, value in list(vars(loaded).items()):
                if value is original:
                    monkeypatch.setitem(vars(loaded), key, counting)
    return calls
