"""The matched width: the smear that turns AUC into the probabilistic AUC (SPEC §3)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from rocwalk.errors import OneClassError, TallyError
from rocwalk.intake.arrays import Sample
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

    `widths` holds all of them as ascending (low, high) pairs: low = high for a point, a whole
    stretch otherwise, whose high may be infinite. Areas within 1e-12 are equal and widths within
    1e-9 are one.
    """

    sides: Sides
    kernel: Kernel
    pieces: Pieces
    widths: list[tuple[float, float]]
    nearest_width: float

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
        """What the width means, in words."""
        names = f"the AUC of {self.auc:.3f} into the probabilistic AUC of {self.target:.3f}"
        if self.width is None:
            return (
                f"No width turns {names}; the nearest, {self.nearest_width:.3g}, misses it by "
                f"{self.gap:+.2g}."
            )
        if self.width == 0:
            return f"No smearing is needed: the AUC and the probabilistic AUC are {self.auc:.3f}."
        if self.width == math.inf:
            return f"Only smearing without limit turns {names}: the class means are equal."
        return f"Smearing every score over a width of {self.width:.3g} turns {names}."

    def _headline(self) -> dict[str, Any]:
        return {
            "exists": self.exists,
            "width": self.width,
            "widths": tuple(self.widths),
            "target": self.target,
            "area": self.area,
            "gap": self.gap,
            "nearest_width": self.nearest_width,
            "auc": self.auc,
            "kernel": self.kernel.name,
            "sd_per_width": None if self.kernel.is_uniform else self.kernel.sd_per_width,
        }


def target_of(sides: Sides) -> float:
    """Return A_p = ½(1 + m⁺ − m⁻)."""
    return 0.5 * (1.0 + sides.gini)


def match(sides: Sides, kernel: Kernel) -> Match:
    """Find all widths at which Area(d) equals A_p, or the nearest one."""
    target = target_of(sides)
    pieces, exact = pieces_of(sides, kernel, target)
    search = Search(pieces, exact, cache(lambda width: kernel.sums(sides, width)), target)
    widths = search.widths()
    nearest = widths[0][0] if widths else search.nearest()
    return Match(sides, kernel, pieces, widths, nearest)


def sides_of(data: Sample | Tally) -> Sides | None:
    """Return the two classes of checked data or of a tally; None when a class has no mass."""
    if isinstance(data, Sample) and data.is_counts:
        positive = data.truth if data.truth.dtype == bool else data.truth == 1
        sides = sides_of_labels(positive, data.scores)
    else:
        tally = data if isinstance(data, Tally) else data.tally()
        _refuse_buckets(refuse_other_scores(tally))
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


def _refuse_buckets(tally: Tally) -> None:
    if tally.is_bucketed:
        raise TallyError(
            "Smearing needs every score, and this tally is bucketed.",
            "make the tally without buckets; the probabilistic AUC itself is exact from buckets.",
        )
