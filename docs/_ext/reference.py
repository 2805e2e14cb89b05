"""The pages of the reference: one for each public name."""

import rocwalk
import rocwalk.datasets
import rocwalk.errors
import rocwalk.metrics
import rocwalk.sklearn

MODULES = (rocwalk, rocwalk.metrics, rocwalk.sklearn, rocwalk.datasets, rocwalk.errors)


def apart(names: list[str]) -> dict[str, str]:
    """Return other file names for classes that differ from a function in capitals only.

    Some file systems take ``rocwalk.Drift.html`` and ``rocwalk.drift.html`` for one file.
    """
    functions = {name for name in names if name == name.lower()}
    return {
        name: f"{name}-class"
        for name in names
        if name not in functions and name.lower() in functions
    }
