"""What the tests of the command line share: the bundled example, and commands as processes."""

from __future__ import annotations

import csv
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
