"""The matched width: the smear that turns AUC into the probabilistic AUC (SPEC §3)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from rocwalk.errors import OneClassError
from rocwalk.intake.arrays import Sample
from rocwalk.measure.bounds import refuse_buckets
from rocwalk.measure.matching import Search
from rocwalk.measure.pieces import Pieces, pieces_of
from rocwalk.measure.probabilistic import refuse_other_scores
from rocwalk.measure.proof import Certificate, certificate
from rocwalk.result import Result
from rocwalk.typing import AnyArray, FloatArray
from rocwalk.walk.sides import Sides, sides_of_labels, sides_of_tally
from rocwalk.walk.smear import Kernel
from rocwalk.walk.tally import Tally


@dataclass(frozen=True, eq=False, repr=False)
class Match(Result):
    """The widths d at which Area(d) equals the probabilistic AUC, if there are any.

    `widths` has all of them as (low, high) pairs: low = high for a point, a whole stretch
    otherwise, whose high may be infinite. Areas within 1e-12 are equal and widths within
    1e-9 are one.
    """

    sides: Sides
    kernel: Kernel
    pieces: Pieces
    matches: tuple[tuple[float, float], ...]
    nearest_width: float
    doubts: tuple[tuple[float, float], ...] = ()

    @property
    def complete(self) -> bool:
        """Whether it is proved that no match was missed; `doubts` has the stretches where not."""
        return not self.doubts

    @property
    def widths(self) -> list[tuple[float, float]]:
        """All widths that match, as ascending (low, high) pairs."""
        return list(self.matches)

    @property
    def exists(self) -> bool:
        """Whether any width matches."""
        return bool(self.widths)

    @property
    def width(self) -> float | None:
        """The smallest width that matches, or None."""
        return self.widths[0][0] if self.widths else None

    @property
    def auc(self) -> float:
        """Area(0)."""
        return self.sides.auc

    @property
    def target(self) -> float:
        """The probabilistic AUC, A_p."""
        return target_of(self.sides)

    @cached_property
    def area(self) -> float:
        """Area at the width, or at the nearest one."""
        return self.kernel.sums(self.sides, self.nearest_width).area

    @property
    def gap(self) -> float:
        """The area at the width (or the nearest one) less the target."""
        return self.area - self.target

    @cached_property
    def certificate(self) -> Certificate:
        """The proof, in rows, that no smaller width matches; or no width at all."""
        return certificate(
            self.sides, self.kernel, self.target, math.inf if self.width is None else self.width
        )

    def areas(self, widths: AnyArray, *, within: float = 1e-6) -> FloatArray:
        """Return Area(d) at many widths at once; none is further off than `within`.

        Most come from the parabolas that the search used; the others are summed one by one.
        """
        asked = np.asarray(widths, dtype=np.float64)
        areas = self.target + self.pieces.gaps(asked)
        slack = self.pieces.slack[np.searchsorted(self.pieces.high, asked, "left")]
        for k in np.flatnonzero(slack > within):
            areas[k] = self.kernel.sums(self.sides, float(asked[k])).area
        return areas

    @property
    def sentence(self) -> str:
        """What the widths are and what they mean, in words."""
        names = f"the AUC of {self.auc:.4g} into the probabilistic AUC of {self.target:.4g}"
        if self.width is None:
            side = "falls short of it" if self.gap < 0 else "exceeds it"
            return (
                f"No width turns {names}; the nearest, {width_text(self.nearest_width)}, {side} "
                f"by {abs(self.gap):.2g}."
            )
        if self.width == math.inf:
            return (
                f"Only smearing without limit turns {names}: the class means are equal, or nearly."
            )
        if self.matches[0] == (0.0, 0.0):
            start = f"The AUC and the probabilistic AUC are both {self.auc:.4g} without smearing"
        else:
            start = f"Smearing every score over {width_words(*self.matches[0])} turns {names}"
        return f"{start}{self._others}{self._scale}.{self._doubt}"

    @property
    def _doubt(self) -> str:
        if self.complete:
            return ""
        low, high = self.doubts[0]
        return f" Others from {width_text(low)} to {width_text(high)} are not ruled out."

    @property
    def _others(self) -> str:
        others = [width_words(*pair) for pair in self.matches[1:4]]
        more = f" and {len(self.matches) - 4} more" if len(self.matches) > 4 else ""
        return f"; so does {', '.join(others)}{more}" if others else ""

    @property
    def _scale(self) -> str:
        """Whether that is much: what holds of a single width on its side of 1."""
        low, high = self.matches[0]
        if len(self.matches) > 1 or low != high or low == 0:
            return ""
        if low < 1:
            return "; only pairs closer than that are touched"
        return " (1: scores far apart, 2: close together)" if low <= 2 else ""

    def _headline(self) -> dict[str, Any]:
        return {
            "exists": self.exists,
            "width": self.width,
            "widths": self.matches,
            "target": self.target,
            "area": self.area,
            "gap": self.gap,
            "nearest_width": self.nearest_width,
            "complete": self.complete,
            "auc": self.auc,
            "kernel": self.kernel.name,
            "sd_per_width": None if self.kernel.is_uniform else self.kernel.sd_per_width,
        }


_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def width_text(width: float) -> str:
    """Write a width in four digits, powers of ten as people write them.

    >>> width_text(1.66094), width_text(6.82678e-5), width_text(float("inf"))
    ('1.661', '6.827·10⁻⁵', '∞')
    """
    if math.isinf(width):
        return "∞"
    digits, _, power = f"{width:.4g}".partition("e")
    return f"{digits}·10{str(int(power)).translate(_SUPERSCRIPTS)}" if power else digits


def width_words(low: float, high: float) -> str:
    """Write one width, or a stretch of them.

    >>> width_words(0.5, 0.5), width_words(0, 1), width_words(2, float("inf"))
    ('a width of 0.5', 'any width from 0 to 1', 'any width from 2 on')
    """
    if low == high:
        return f"a width of {width_text(low)}"
    end = "on" if high == math.inf else f"to {width_text(high)}"
    return f"any width from {width_text(low)} {end}"


def target_of(sides: Sides) -> float:
    """Return A_p = ½(1 + m⁺ − m⁻)."""
    return 0.5 * (1.0 + sides.gini)


def match(sides: Sides, kernel: Kernel) -> Match:
    """Find all widths at which Area(d) equals A_p, or the nearest one."""
    target = target_of(sides)
    pieces, exact = pieces_of(sides, kernel, target)
    search = Search(pieces, exact, cache(lambda width: kernel.sums(sides, width)), target)
    widths = search.widths()
    doubts = tuple(search.doubts)
    nearest = widths[0][0] if widths else search.nearest()
    return Match(sides, kernel, pieces, tuple(widths), nearest, doubts)


def sides_of(data: Sample | Tally) -> Sides | None:
    """Return the two classes of checked data or of a tally; None when a class has no mass."""
    if isinstance(data, Sample) and data.is_counts:
        positive = data.truth if data.truth.dtype == bool else data.truth == 1
        sides = sides_of_labels(positive, data.scores)
    else:
        tally = data if isinstance(data, Tally) else data.tally()
        refuse_buckets(refuse_other_scores(tally), "Smearing")
        sides = sides_of_tally(tally)
    return sides if len(sides.positive) and len(sides.negative) else None


def both_sides_of(data: Sample | Tally) -> Sides:
    """Return the two classes, or raise if one has no mass."""
    sides = sides_of(data)
    if sides is None:
        raise OneClassError(
            "There is only one class, so there is no area to match.",
            "both classes are needed: check y_true and pos_label, or the filter before this.",
        )
    return sides
