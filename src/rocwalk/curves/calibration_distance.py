"""Distances from calibration: ICI, E50, E90, Emax, ECE and its corrected form, smooth ECE.

All are means, quantiles or the greatest of |observed share − score|, with three ways to find the
observed share of a score:

* along the smooth calibration curve (`cells`): the integrated calibration index ICI is the mean,
  E50 and E90 are quantiles over the items, Emax is the greatest (Austin & Steyerberg 2019);
* in bins: the expected calibration error ECE (Naeini, Cooper & Hauskrecht 2015). A bin of few items
  is away from its mean by chance, so that the ECE is too great; the corrected form subtracts what
  chance adds, E|N(δ, σ²)| − |δ| in a bin with difference δ and standard error σ (the debiased
  estimate of Kumar, Liang & Ma 2019, with the mean in closed form);
* by a reflected Gaussian kernel as wide as the error itself: the smooth ECE is the fixed point of
  σ = ∫|Σᵢ wᵢ(yᵢ − sᵢ)·K_σ(t, sᵢ)| dt / Σw (Błasiok & Nakkiran 2023).

A distance is never negative, and of scores that are perfectly calibrated it is above 0 by chance.
So neither an error nor a bootstrap of the items gives an interval. Here outcomes are drawn twice:
around the smooth curve, which gives the spread (Davison & Hinkley 1997, section 7.2), and
around the scores themselves; the interval reaches down to 0 unless the distance is greater than
what calibrated scores have by chance, at the same level. Measured at 95 % with 200 items and scores
that are too extreme (2,000 runs, docs/coverage.json): ICI 98.6 %, E50 99.4, E90 97.7, Emax 99.2,
ECE 99.2, smooth ECE 96.9, the discrimination parts of the losses 94.4 and 94.6.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, get_args

import numpy as np

from rocwalk.checks import as_whole, one_of
from rocwalk.curves.calibration import entropy, scores_of
from rocwalk.curves.cells import (
    SPAN,
    Cells,
    cells_of,
    isotonic,
    isotonic_counts,
    weighted_quantile,
)
from rocwalk.errors import OptionError
from rocwalk.inference.interval_result import Interval, made_interval
from rocwalk.inference.items import Evidence, check_statistic, refuse_few
from rocwalk.inference.request import Request
from rocwalk.inference.resampling import Plan
from rocwalk.statistic import POSITIVE, UNIT, Places, Statistic, register
from rocwalk.tally.tally import Tally
from rocwalk.typing import BinStrategy, FloatArray, IntArray

BINS = 10
_GRID, _COARSE_GRID = 4096, 256  # of the smooth ECE: of a tally, and of draws
_HALVINGS = 40
_QUANTILE: Final = "weibull"  # the (R + 1)p-th of R draws
_RANGES = {"log_loss_miscalibration": POSITIVE}


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Observed shares of the cells, one row for each draw, and their smooth curves if known."""

    cells: Cells
    observed: FloatArray
    known: FloatArray | None = None

    @classmethod
    def own(cls, cells: Cells) -> Outcomes:
        """Return the outcomes of the sample itself."""
        return cls(cells, cells.observed[None], cells.smooth[None])

    @cached_property
    def residual(self) -> FloatArray:
        """The observed shares minus the scores."""
        return self.observed - self.cells.scores

    @cached_property
    def gaps(self) -> FloatArray:
        """|smooth curve − score| at the cells."""
        smooth = self.known
        if smooth is None:
            smooth = self.cells.scores + self.residual @ self.cells.smoother.T
        gaps: FloatArray = np.abs(np.clip(smooth, 0.0, 1.0) - self.cells.scores)
        return gaps

    @cached_property
    def isotonic(self) -> FloatArray:
        """The isotonic regression of the shares, of counts by integers; within 0 and 1."""
        cells = self.cells
        if cells.evidence.is_counts and len(self.observed) > 1:
            return isotonic_counts(self.observed, cells.mass)
        return np.clip(isotonic(self.observed, cells.mass), 0.0, 1.0)


Distance = Callable[[Outcomes], FloatArray]  # one number for each draw


# -- along the smooth curve ------------------------------------------------------------------------


def ici_of(drawn: Outcomes) -> FloatArray:
    """Return the mean distance of the smooth curve from the score."""
    means: FloatArray = drawn.gaps @ drawn.cells.share
    return means


def e50_of(drawn: Outcomes) -> FloatArray:
    """Return the median distance of the smooth curve from the score."""
    return weighted_quantile(drawn.gaps, drawn.cells.share, 0.5)


def e90_of(drawn: Outcomes) -> FloatArray:
    """Return the distance that nine in ten items do not exceed."""
    return weighted_quantile(drawn.gaps, drawn.cells.share, 0.9)


def emax_of(drawn: Outcomes) -> FloatArray:
    """Return the greatest distance of the smooth curve from a score."""
    most: FloatArray = drawn.gaps.max(axis=1)
    return most


OF_CURVE: dict[str, Distance] = {"ici": ici_of, "e50": e50_of, "e90": e90_of, "emax": emax_of}


def curve_distances(cells: Cells) -> dict[str, float]:
    """Return ICI, E50, E90 and Emax."""
    own = Outcomes.own(cells)
    return {name: float(of(own)[0]) for name, of in OF_CURVE.items()}


def ici(tally: Tally, span: float = SPAN) -> float:
    """Return the integrated calibration index, the mean of |smooth curve − score| over the items.

    Of more than 768 distinct scores it is that of cells, which changes it by less than 0.001.
    """
    return float(ici_of(Outcomes.own(cells_of(Evidence(tally), span)))[0])


# -- in bins ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bins:
    """How scores are put into bins: `count` of them, of equal width or of equal mass."""

    count: int = BINS
    strategy: BinStrategy = "uniform"

    def __post_init__(self) -> None:
        as_whole("bins", self.count, 1)
        one_of("strategy", self.strategy, get_args(BinStrategy))

    def places(self, scores: FloatArray, mass: FloatArray) -> tuple[IntArray, int]:
        """Return the bin of each of the increasing scores; one on an edge is in the lower bin."""
        if self.strategy == "uniform":
            edges = np.linspace(0.0, 1.0, self.count + 1)[1:-1]
            return np.searchsorted(edges, scores, side="left"), self.count
        middle = (np.cumsum(mass) - mass / 2) / mass.sum()
        return np.minimum((middle * self.count).astype(np.int64), self.count - 1), self.count


_TEN = Bins()


def ece(tally: Tally, bins: int = BINS, strategy: BinStrategy = "uniform") -> float:
    """Return Σ (W_b/W)·|observed share − mean score| over the bins."""
    return _binned(tally, Bins(bins, strategy))[0]


def corrected_ece(tally: Tally, bins: int = BINS, strategy: BinStrategy = "uniform") -> float:
    """Return the ECE without what chance adds to it; at least 0."""
    return _binned(tally, Bins(bins, strategy))[1]


def _binned(tally: Tally, bins: Bins) -> tuple[float, float]:
    scores = scores_of(tally, "The expected calibration error")[::-1]
    up, right, uu, ur, rr = (
        column[::-1].astype(np.float64)
        for column in (tally.up, tally.right, tally.up_squared, tally.up_right, tally.right_squared)
    )
    mass = up + right
    place, count = bins.places(scores, mass)

    def summed(column: FloatArray) -> FloatArray:
        return np.bincount(place, column, count).astype(np.float64)

    whole = summed(mass)
    held = whole > 0
    whole = whole[held]
    positive = summed(up)[held]
    difference = positive / whole - summed(mass * scores)[held] / whole
    at = positive / whole
    variance = (1 - at) ** 2 * summed(uu)[held] - 2 * at * (1 - at) * summed(ur)[held]
    variance = np.maximum(variance + at**2 * summed(rr)[held], 0.0) / whole**2
    # one item has no spread of its own: it tells nothing of what chance adds
    share = whole / whole.sum()
    plain = float(share @ np.abs(difference))
    expected = folded_mean(difference, np.sqrt(variance))
    return plain, max(float(share @ (2 * np.abs(difference) - expected)), 0.0)


def folded_mean(mean: FloatArray, error: FloatArray) -> FloatArray:
    """Return E|N(mean, error²)| = error·√(2/π)·exp(−mean²/2error²) + |mean|·erf(|mean|/√2error).

    >>> folded_mean(np.array([0.0, 3.0]), np.array([1.0, 0.0])).round(4).tolist()
    [0.7979, 3.0]
    """
    distance = np.abs(mean)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(error > 0, distance / error, np.inf)
    erf = np.array([math.erf(each / math.sqrt(2)) for each in ratio.ravel()]).reshape(ratio.shape)
    found: FloatArray = error * math.sqrt(2 / math.pi) * np.exp(-(ratio**2) / 2) + distance * erf
    return found


def ece_of(drawn: Outcomes, bins: Bins = _TEN) -> FloatArray:
    """Return the ECE of draws."""
    cells = drawn.cells
    place, count = bins.places(cells.scores, cells.mass)
    into = np.zeros((len(place), count))
    into[np.arange(len(place)), place] = cells.share
    sums: FloatArray = np.abs(drawn.residual @ into).sum(axis=1)
    return sums


# -- by a kernel -----------------------------------------------------------------------------------


def smooth_ece(tally: Tally) -> float:
    """Return the smooth ECE, the fixed point of σ = smECE_σ.

    Scores are put on a grid of 4096 cells, each between its two nearest centres in proportion, and
    the reflected kernel is a product of cosine transforms. A score moves by less than 1/8192 on
    the mean, so that the error is less than 10⁻⁴/σ of the value.
    """
    scores = scores_of(tally, "The smooth calibration error")
    mass = (tally.up + tally.right).astype(np.float64)
    residual = (tally.up - mass * scores) / mass.sum()
    return float(_fixed_points(_on_grid(scores, residual[None], _GRID))[0])


def smooth_ece_of(drawn: Outcomes) -> FloatArray:
    """Return the smooth ECE of draws, on a coarser grid."""
    cells = drawn.cells
    return _fixed_points(_on_grid(cells.scores, drawn.residual * cells.share, _COARSE_GRID))


def _on_grid(scores: FloatArray, residual: FloatArray, size: int) -> FloatArray:
    """Return the residual mass of each row at the centres of `size` cells of [0, 1]."""
    place = np.clip(scores * size - 0.5, 0.0, size - 1.0)
    left = np.minimum(place.astype(np.int64), size - 2)
    right = place - left
    return np.array(
        [
            np.bincount(left, row * (1 - right), size) + np.bincount(left + 1, row * right, size)
            for row in residual
        ]
    )


def _fixed_points(masses: FloatArray) -> FloatArray:
    """Return for each row the σ at which its smoothed mass has the norm σ, by halving.

    The reflected Gaussian kernel multiplies the k-th cosine of a function on [0, 1] by
    exp(−(πkσ)²/2). The norm does not grow with σ, so there is one fixed point. Cosines k and N − k
    of N cells are the real and the imaginary part of one number, by a Fourier transform of the
    cells in the order 0, 2, …, 3, 1 (Makhoul 1980); the norm does not depend on the order.
    """
    size = masses.shape[1]
    turn = np.exp(-0.5j * math.pi / size * np.arange(size // 2 + 1))
    waves = np.fft.rfft(np.concatenate((masses[:, ::2], masses[:, ::-2]), axis=1)) * turn
    rates = (math.pi * np.arange(size + 1)) ** 2 / 2
    low, high = np.zeros(len(masses)), np.ones(len(masses))
    for _ in range(_HALVINGS if size == _GRID else _HALVINGS // 3):
        sigma = (low + high) / 2
        left = np.exp(-rates * sigma[:, None] ** 2)
        kept = (
            waves.real * left[:, : size // 2 + 1] + 1j * waves.imag * left[:, size // 2 :][:, ::-1]
        )
        above = np.abs(np.fft.irfft(kept * turn.conj(), size)).sum(axis=1) > sigma
        low, high = np.where(above, sigma, low), np.where(above, high, sigma)
    middle: FloatArray = (low + high) / 2
    return middle


# -- intervals -------------------------------------------------------------------------------------


def miscalibration_of(drawn: Outcomes) -> FloatArray:
    """Return what the Brier score loses against the isotonic curve, in draws."""
    lost: FloatArray = drawn.residual**2 @ drawn.cells.share
    lost -= (drawn.isotonic - drawn.observed) ** 2 @ drawn.cells.share
    return np.maximum(lost, 0.0)


def log_miscalibration_of(drawn: Outcomes) -> FloatArray:
    """Return what the log loss of scores inside (0, 1) loses against the isotonic curve."""
    cells, observed = drawn.cells, drawn.observed
    loss = -(observed * np.log(cells.scores) + (1 - observed) * np.log1p(-cells.scores))
    lost: FloatArray = (loss - entropy(drawn.isotonic)) @ cells.share
    return np.maximum(lost, 0.0)


def distance_intervals(
    cells: Cells, request: Request, distances: dict[str, tuple[float, Distance]]
) -> dict[str, Interval]:
    """Return the intervals of distances, by name (estimate and function), from the same draws.

    Draws around the smooth curve g have distances θ*, and g itself the distance θ(g). The interval
    is the conservative union of the basic and the percentile bootstrap, estimate ∓ the quantiles of
    θ* − θ(g): the one takes off what chance adds, the other does not. `low` is that of the estimate
    or of θ(g), whichever is lower: part of what chance adds to the estimate is smoothed away in
    θ(g). The draws keep the scores as they are, so the quantiles are stretched (`drawn_ends`) by
    the variance of |g − score| over the units. `low` is 0 unless the estimate is greater than the
    quantile of draws around the scores.
    """
    names = list(distances)

    def of(observed: FloatArray) -> FloatArray:
        drawn = Outcomes(cells, observed)
        return np.column_stack([distances[name][1](drawn) for name in names])

    plans = request.plan.spawn(2)
    own = of(cells.smooth[None])
    around = cells.drawn(cells.smooth, plans[0], of) - own
    null = cells.drawn(cells.scores, plans[1], of)
    of_scores = _variance_of_mean(cells, np.abs(cells.smooth - cells.scores))
    found = {}
    for k, name in enumerate(names):
        value = distances[name][0]
        lower, upper = drawn_ends(around[:, k], of_scores, request.tails)
        is_chance = value <= np.quantile(null[:, k], request.tails[1], method=_QUANTILE)
        reach = max(upper, -lower)
        low = 0.0 if is_chance else max(min(value, float(own[0, k])) - reach, 0.0)
        one = made_interval(
            cells.evidence,
            replace(request, statistic=Statistic(name, float, range=_RANGES.get(name, UNIT))),
            "curve-draws",
            value,
            math.sqrt(float(around[:, k].var(ddof=1)) + of_scores),
            (low, value + reach),
        )
        found[name] = replace(one, n_resamples=int(request.plan.n_resamples))
    return found


def drawn_ends(
    drawn: FloatArray, variance: float, tails: tuple[float, float]
) -> tuple[float, float]:
    """Return the quantiles of draws, stretched around their mean by a further variance.

    The draws keep the scores as they are; `variance` is what the choice of scores adds. Quantiles
    are the (R + 1)p-th of R draws (Davison & Hinkley 1997, section 5.2), which a new draw exceeds
    with probability 1 − p for any R; those of numpy's default do so too often where R is small.
    """
    middle, error = float(drawn.mean()), float(drawn.std(ddof=1))
    more = math.sqrt(1 + variance / error**2) if error > 0 else 1.0
    low, high = np.quantile(drawn, tails, method=_QUANTILE).tolist()
    return middle + more * (low - middle), middle + more * (high - middle)


def _variance_of_mean(cells: Cells, values: FloatArray) -> float:
    """Return the variance of the mean of values at the scores, if the units are drawn again."""
    units = sum(cells.evidence.effective_sizes)
    return float((values - values @ cells.share) ** 2 @ cells.share) / units


def discriminations(cells: Cells, plan: Plan) -> tuple[FloatArray, tuple[float, float]]:
    """Return by how much drawn discriminations exceed that of the curve they are drawn from.

    One row a draw, for the Brier score and the log loss. Outcomes are drawn from the smooth curve
    made monotone; the mean is the optimism of the isotonic fit. With the variances that the choice
    of the scores adds, those of the divergence of the curve from its mean.
    """

    def of(observed: FloatArray) -> FloatArray:
        best, share = Outcomes(cells, observed).isotonic, cells.share
        whole = np.clip(observed @ share, 0.0, 1.0)
        left = (best * (1 - best)) @ share, entropy(best) @ share
        return np.column_stack([whole * (1 - whole) - left[0], entropy(whole) - left[1]])

    centre = np.clip(isotonic(cells.smooth, cells.mass)[0], 0.0, 1.0)
    found: FloatArray = cells.drawn(centre, plan, of) - of(centre[None])
    mean = float(np.clip(centre @ cells.share, 1e-12, 1 - 1e-12))
    of_log = centre * math.log((1 - mean) / mean) - entropy(centre)
    divergences = (centre - mean) ** 2, of_log
    brier, log_loss = (_variance_of_mean(cells, values) for values in divergences)
    return found, (brier, log_loss)


def interval_by(distance: Distance) -> Callable[[Evidence, Request], Interval]:
    """Return the function that makes the interval of a registered distance."""

    def made(evidence: Evidence, request: Request) -> Interval:
        check_statistic(request.statistic, evidence.tally)
        refuse_few(evidence)
        cells, statistic = cells_of(evidence), request.statistic
        value = float(statistic.of(evidence.tally))
        return distance_intervals(cells, request, {statistic.name: (value, distance)})[
            statistic.name
        ]

    return made


def refuse_no_name(name: str, known: list[str]) -> None:
    """Raise unless a calibration has a number of this name."""
    if name not in known:
        from rocwalk.texts import nearest

        raise OptionError("is not known.", nearest(name, known), option="name", value=name)


ICI = register(
    Statistic(
        "ici",
        ici,
        title="Integrated calibration index",
        short="ICI",
        noun="ICI",
        symbol="ICI",
        sentence="The mean distance between the score and the smooth calibration curve; 0 is "
        "perfect.",
        references=("Austin & Steyerberg 2019",),
        range=UNIT,
        direction="lower",
        own_interval=interval_by(ici_of),
        needs_probabilities=True,
        places=Places(summary=78, probabilities=46),
    )
)

ECE = register(
    Statistic(
        "ece",
        ece,
        title="Expected calibration error",
        short="ECE",
        noun="ECE",
        symbol="ECE",
        sentence="The mean distance between the mean score and the share of positives in ten bins "
        "of equal width; 0 is perfect, and chance adds to it.",
        references=("Naeini, Cooper & Hauskrecht 2015",),
        range=UNIT,
        direction="lower",
        own_interval=interval_by(ece_of),
        needs_probabilities=True,
    )
)

SMOOTH_ECE = register(
    Statistic(
        "smooth_ece",
        smooth_ece,
        title="Smooth calibration error",
        short="smooth ECE",
        noun="smooth ECE",
        symbol="smECE",
        sentence="The mean distance between score and truth after smoothing by a kernel as wide "
        "as the distance itself; 0 is perfect.",
        references=("Błasiok & Nakkiran 2023",),
        range=UNIT,
        direction="lower",
        own_interval=interval_by(smooth_ece_of),
        needs_probabilities=True,
    )
)
