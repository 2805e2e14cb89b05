"""What is asked of an analysis of drift, and the names of what it answers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rocwalk.checks import as_number
from rocwalk.errors import OptionError
from rocwalk.inference.resampling import Plan
from rocwalk.texts import nearest

DECIDING = ("auc", "midpoint", "struggle_ratio")
TESTS = {"midpoint": "level", "auc": "ranking", "struggle_ratio": "struggle"}  # by number

DRIFTED = ("prevalence", "estimation", "ranking", "both")  # the verdicts that call for a repair
FINE, DRIFT, UNDECIDABLE = "none", "drift", "undecidable"  # of a window of time


@dataclass(frozen=True, slots=True)
class DriftRequest:
    """The options: α, whether reference and prevalences are fixed, and the plan of a bootstrap."""

    alpha: float = 0.05
    fixed_reference: bool = False
    fixed_prevalence: bool = False
    plan: Plan | None = None
    margins: Mapping[str, float] | None = None  # of the tests

    def __post_init__(self) -> None:
        if not 0 < as_number("alpha", self.alpha) < 1:
            hint = "0.05 is usual."
            raise OptionError("is outside (0, 1).", hint, option="alpha", value=self.alpha)


MARGINS = {"level": math.log(1.1), "ranking": 0.02, "struggle": 0.05}


def margins_of(margin: Any) -> dict[str, float] | None:
    """Return the margin of each test, or None without margins; raise if one makes no sense."""
    if margin is None or margin is False:
        return None
    if margin is True:
        return dict(MARGINS)
    hint = f"pass True, or margins by name: {', '.join(TESTS)}."
    if not isinstance(margin, Mapping):
        raise OptionError("is neither True nor a mapping.", hint, option="margin", value=margin)
    found = dict(MARGINS)
    for key, value in margin.items():
        name = TESTS.get(key, key)
        if name not in MARGINS:
            raise OptionError(
                "is not a number that has a margin.",
                nearest(str(key), TESTS),
                option="margin",
                value=key,
            )
        if not 0 < as_number("margin", value) < math.inf:
            hint = f"a margin is positive and finite, such as {MARGINS[name]:.2g}."
            given = {key: value}
            raise OptionError("is not a positive number.", hint, option="margin", value=given)
        found[name] = float(value)
    return found
