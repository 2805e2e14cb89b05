"""Smearing: each score becomes a distribution around it, of one width for all.

Uniform: a segment of width d centred on the score. Normal: standard deviation `sd_per_width`·d;
Ferri et al. call d "twice the standard deviation", hence ½ by default.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from rocwalk.errors import OptionError, as_number, one_of
from rocwalk.walk.bells import normal_sums
from rocwalk.walk.sides import Sides
from rocwalk.walk.windows import Sums, uniform_sums

KERNELS = ("uniform", "normal")
_WIDEST = 1e150  # an area is ½ from here on
_LEAST_SHARE = 1e-9


@dataclass(frozen=True, slots=True)
class Kernel:
    """The shape that a score is smeared to."""

    name: str = "uniform"
    sd_per_width: float = 0.5

    def __post_init__(self) -> None:
        one_of("kernel", self.name, KERNELS)
        share = as_number("sd_per_width", self.sd_per_width)
        if not _LEAST_SHARE <= share <= 1 / _LEAST_SHARE:
            raise OptionError(
                f"sd_per_width={self.sd_per_width!r} is not a positive number of a usual size.",
                "0.5 makes the width twice the standard deviation, 1/√12 gives the normal kernel "
                "the variance of the uniform segment.",
            )

    @property
    def is_uniform(self) -> bool:
        """Whether scores become segments."""
        return self.name == "uniform"

    def spread(self, width: float) -> float:
        """Return the standard deviation of the difference of two normal scores, σ·√2."""
        return self.sd_per_width * width * math.sqrt(2)

    def sums(self, sides: Sides, width: float) -> Sums:
        """Return Area(d) with its slope and bend, for any d from 0 to infinity."""
        if width >= _WIDEST:
            return Sums(0.5, 0.0, 0.0, 2.0**-53)
        sides = sides.collapsed
        spread = width if self.is_uniform else self.spread(width)
        if spread == 0:
            return Sums(sides.auc, 0.0, 0.0, 2.0**-52)
        return uniform_sums(sides, width) if self.is_uniform else normal_sums(sides, spread)


def check_width(width: float) -> float:
    """Raise unless the width is a number from 0 to infinity."""
    value = as_number("width", width)
    if value < 0:
        raise OptionError(
            f"width={width!r} is negative.",
            "a width is 0 (the bare curve) or more; inf gives the diagonal.",
        )
    return value
