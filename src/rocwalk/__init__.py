"""ROC analysis that keeps the probabilities: every ROC curve is a walk.

Everything loads on first use, so that ``import rocwalk`` stays light.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from rocwalk.version import __version__

if TYPE_CHECKING:
    from rocwalk import datasets, errors, metrics
    from rocwalk.front.average import AveragedCurve, average
    from rocwalk.front.classes import Multiclass, multiclass
    from rocwalk.front.curve import Curve, PrecisionRecall, ThinnedCurve, roc, tally
    from rocwalk.front.mix import Mix, mix
    from rocwalk.front.overlay import overlay
    from rocwalk.intake.tallies import Tallies, tallies
    from rocwalk.measure.choose import Choice
    from rocwalk.measure.costs import Costs
    from rocwalk.measure.point import Confusion, OperatingPoint
    from rocwalk.page.report import Report, report
    from rocwalk.walk.tally import Tally

_HOMES = {
    "AveragedCurve": "front.average",
    "Choice": "measure.choose",
    "Confusion": "measure.point",
    "Costs": "measure.costs",
    "Curve": "front.curve",
    "Mix": "front.mix",
    "Multiclass": "front.classes",
    "OperatingPoint": "measure.point",
    "PrecisionRecall": "front.curve",
    "Report": "page.report",
    "Tallies": "intake.tallies",
    "Tally": "walk.tally",
    "ThinnedCurve": "front.curve",
    "average": "front.average",
    "mix": "front.mix",
    "multiclass": "front.classes",
    "overlay": "front.overlay",
    "report": "page.report",
    "roc": "front.curve",
    "tallies": "intake.tallies",
    "tally": "front.curve",
}
_MODULES = ("datasets", "errors", "metrics")

__all__ = [
    "AveragedCurve",
    "Choice",
    "Confusion",
    "Costs",
    "Curve",
    "Mix",
    "Multiclass",
    "OperatingPoint",
    "PrecisionRecall",
    "Report",
    "Tallies",
    "Tally",
    "ThinnedCurve",
    "__version__",
    "average",
    "datasets",
    "errors",
    "metrics",
    "mix",
    "multiclass",
    "overlay",
    "report",
    "roc",
    "tallies",
    "tally",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"rocwalk.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'rocwalk' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"rocwalk.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
