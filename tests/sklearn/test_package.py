"""`rocwalk.sklearn` as a package: loaded on use, and refused with a hint without scikit-learn."""

from __future__ import annotations

import subprocess
import sys


def run(code):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout


def test_scikit_learn_is_loaded_on_use_only():
    code = "import rocwalk, sys; rocwalk.metrics; print('sklearn' in sys.modules); rocwalk.sklearn.scorers; print('sklearn' in sys.modules, 'matplotlib' in sys.modules)"
    assert run(code).split() == ["False", "True", "False"]


def test_without_scikit_learn_there_is_a_hint():
    code = (
        "import sys; sys.modules['sklearn'] = None\n"
        "import rocwalk as rw\n"
        "rw.roc([1, 0], [.9, .1])\n"
        "try:\n    rw.sklearn\n"
        "except ImportError as error:\n    print(isinstance(error, ValueError), error)"
    )
    printed = run(code)
    assert printed.startswith("True rocwalk.sklearn needs scikit-learn, which is not installed.")
    assert 'pip install "rocwalk[sklearn]"' in printed
