"""Bands around a calibration curve, isotonic or smooth; they hold at each score alone.

A *consistency* band is where the curve would lie at each score if every score were a true
probability (Bröcker & Smith 2007); a *confidence* band is where the true calibration curve lies.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rocwalk.curves.cells import SPAN, Cells, cells_of, exact_band, isotonic, isotonic_counts
from rocwalk.inference.items import Evidence
from rocwalk.inference.resampling import Plan
from rocwalk.tally.tally import read_only
from rocwalk.typing import AnyArray, CalibrationMethod, FloatArray

RESAMPLES = 500
_MOST_SCORES = 200


@dataclass(frozen=True, eq=False)
class CalibrationBand:
    """The low and the high end of a calibration curve at some scores, pointwise."""

    scores: FloatArray
    low: FloatArray
    high: FloatArray


def consistency_band(
    evidence: Evidence,
    level: float = 0.95,
    *,
    method: CalibrationMethod = "isotonic",
    span: float = SPAN,
    plan: Plan | None = None,
) -> CalibrationBand:
    """Return where the curve would lie if every score were a true probability.

    Outcomes are drawn from the scores, and the curve is fitted anew to each draw.
    """
    cells = cells_of(evidence, span)
    places = np.arange(len(cells.scores)) if method == "smooth" else _places(cells)

    def fitted(observed: FloatArray) -> FloatArray:
        if method == "smooth":
            smooth: FloatArray = cells.scores + (observed - cells.scores) @ cells.smoother.T
            return np.clip(smooth, 0.0, 1.0)
        return _fits(cells)(observed, cells.mass)[:, places]

    values = cells.drawn(cells.scores, plan or Plan(RESAMPLES, 0), fitted)
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return _band(cells, low, high, places)


def confidence_band(
    evidence: Evidence,
    level: float = 0.95,
    *,
    method: CalibrationMethod = "isotonic",
    span: float = SPAN,
    plan: Plan | None = None,
) -> CalibrationBand:
    """Return where the true calibration curve lies, at each score.

    Smooth: Clopper and Pearson's limits, by the number of items that a point is worth. Isotonic:
    outcomes are drawn from the smooth curve made monotone, and the curve is fitted anew; its
    distance from the curve that was drawn from is taken off the observed one. Draws from the
    isotonic curve itself would not do (Sen, Banerjee & Woodroofe 2010). Near the ends of the scores
    the isotonic curve sticks to 0 or 1, so the band is the conservative union with the smooth one.
    """
    cells = cells_of(evidence, span)
    plain = cells.smoother**2 @ (sum(cells.squares) / cells.mass**2)
    smooth = exact_band(cells.smooth, cells.smooth_variance(cells.smooth), plain, level)
    if method == "smooth":
        return _band(cells, *smooth)
    centre = np.clip(isotonic(cells.smooth, cells.mass)[0], 0.0, 1.0)
    own = isotonic(cells.observed, cells.mass)[0]
    places = _places(cells)
    values = cells.drawn(
        centre,
        plan or Plan(RESAMPLES, 0),
        lambda observed: _fits(cells)(observed, cells.mass)[:, places] - centre[places],
    )
    upper, lower = np.quantile(values, [(1 + level) / 2, (1 - level) / 2], axis=0)
    low = np.minimum(own[places] - upper, smooth[0][places])
    high = np.maximum(own[places] - lower, smooth[1][places])
    return _band(cells, np.maximum.accumulate(low), np.maximum.accumulate(high), places)


def _fits(cells: Cells) -> Callable[[FloatArray, FloatArray], FloatArray]:
    """Return the isotonic regression of drawn shares, of counts by integers."""
    return isotonic_counts if cells.evidence.is_counts else isotonic


def _places(cells: Cells) -> AnyArray:
    """Return the cells at which a band is known: all, or 200 of them."""
    count = len(cells.scores)
    return np.unique(np.linspace(0, count - 1, min(count, _MOST_SCORES)).astype(int))


def _band(
    cells: Cells, low: FloatArray, high: FloatArray, places: AnyArray | None = None
) -> CalibrationBand:
    scores = cells.scores if places is None else cells.scores[places]
    return CalibrationBand(
        read_only(scores), read_only(np.clip(low, 0, 1)), read_only(np.clip(high, 0, 1))
    )
