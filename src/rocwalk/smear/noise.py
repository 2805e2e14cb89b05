"""The band of score noise: how far the rates at a threshold move if the scores are drawn anew.

With independent kernels the rate Σ w·1(X ≥ t)/Σw has the mean of the smeared curve and, given the
items, the variance Σ w²·q(1−q)/(Σw)², q = P(X ≥ t). Beside it stands the sampling error of the mean
itself, Σ w²·(q − q̄)²/(Σw)². For equal weights both add up to q̄(1−q̄)/n, the variance of one draw of
the items and of their scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.inference.distributions import normal_quantile
from rocwalk.read.arrays import Sample
from rocwalk.result import Result
from rocwalk.smear.kernels import Kernel
from rocwalk.tally.tally import Tally, read_only
from rocwalk.typing import AnyArray, FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CHUNK = 2**22


@dataclass(frozen=True, eq=False, repr=False)
class ScoreNoiseBand(Result):
    """Rates of a smeared curve at thresholds, with their score noise and their sampling error.

    Make one with `SmearedCurve.band`. `tpr_low` … `fpr_high` are pointwise limits of score noise at
    `confidence_level`: where a rate would be if the scores had come out otherwise, for these items.
    `tpr_sampling` and `fpr_sampling` are the standard errors of the rates for other items.
    """

    thresholds: FloatArray
    tpr: FloatArray
    fpr: FloatArray
    tpr_noise: FloatArray
    fpr_noise: FloatArray
    tpr_sampling: FloatArray
    fpr_sampling: FloatArray
    confidence_level: float
    kernel: str

    def __post_init__(self) -> None:
        for name in _COLUMNS:
            object.__setattr__(self, name, read_only(getattr(self, name)))

    @property
    def tpr_low(self) -> FloatArray:
        """The lower limits of TPR."""
        return self._moved(self.tpr, self.tpr_noise, -1)

    @property
    def tpr_high(self) -> FloatArray:
        """The upper limits of TPR."""
        return self._moved(self.tpr, self.tpr_noise, 1)

    @property
    def fpr_low(self) -> FloatArray:
        """The lower limits of FPR."""
        return self._moved(self.fpr, self.fpr_noise, -1)

    @property
    def fpr_high(self) -> FloatArray:
        """The upper limits of FPR."""
        return self._moved(self.fpr, self.fpr_noise, 1)

    def _moved(self, rate: FloatArray, error: FloatArray, side: int) -> FloatArray:
        z = side * normal_quantile(0.5 + self.confidence_level / 2)
        return np.clip(rate + z * error, 0.0, 1.0)

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw TPR and FPR against the threshold, each with score noise and sampling error.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.smear.plot import draw_noise

        return draw_noise(self, ax, **options)

    def _headline(self) -> dict[str, Any]:
        return {
            "kernel": self.kernel,
            "confidence_level": self.confidence_level,
            "largest_tpr_noise": float(self.tpr_noise.max()),
            "largest_fpr_noise": float(self.fpr_noise.max()),
            "largest_tpr_sampling": float(self.tpr_sampling.max()),
            "largest_fpr_sampling": float(self.fpr_sampling.max()),
        }

    def _columns(self) -> dict[str, AnyArray]:
        columns = {name: getattr(self, name) for name in _COLUMNS}
        limits = ("tpr_low", "tpr_high", "fpr_low", "fpr_high")
        return columns | {name: getattr(self, name) for name in limits}


_COLUMNS = (
    "thresholds", "tpr", "fpr", "tpr_noise", "fpr_noise", "tpr_sampling", "fpr_sampling",
)  # fmt: skip


def noise_band(
    data: Sample | Tally, kernel: Kernel, amount: Any, positions: FloatArray, level: float
) -> ScoreNoiseBand:
    """Return the band at positions on the score axis."""
    if isinstance(amount, np.ndarray):
        assert isinstance(data, Sample)
        weights = np.ones(len(data.scores)) if data.weights is None else data.weights
        masses = np.stack([weights * data.truth, weights * (1.0 - data.truth)])
        scores, squares = data.scores, masses**2
    else:
        tally = data if isinstance(data, Tally) else data.tally()
        scores, masses = tally.scores, np.stack([tally.up, tally.right]).astype(np.float64)
        squares = np.stack([tally.up_squared, tally.right_squared]).astype(np.float64)
    mean, noise, sampling = rates_with_errors(kernel, amount, scores, (masses, squares), positions)
    return ScoreNoiseBand(
        positions,
        mean[0],
        mean[1],
        noise[0],
        noise[1],
        sampling[0],
        sampling[1],
        level,
        kernel.name,
    )


def rates_with_errors(
    kernel: Kernel,
    amount: Any,
    scores: FloatArray,
    classes: tuple[FloatArray, FloatArray],
    positions: FloatArray,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the rates at positions, their score noise and their sampling error: TPR, FPR by row.

    The two are Σw and Σw² of the items of each score, a row for each class (up, right).
    """
    masses, squares = classes
    totals = masses.sum(axis=1)
    moments = np.concatenate((masses, squares))
    scores, columns = kernel.compact(scores, moments, amount, positions)
    sums = np.empty((3, 2, len(positions)))  # Σ w·q, Σ w²·q, Σ w²·q²
    step = max(_CHUNK // max(len(scores), 1), 1)
    for at in range(0, len(positions), step):
        part = slice(at, at + step)
        q = kernel.survival(scores, positions[part], amount)
        sums[0, :, part], sums[1, :, part] = columns[:2] @ q, columns[2:] @ q
        sums[2, :, part] = columns[2:] @ q**2
    mean = np.clip(sums[0] / totals[:, None], 0.0, 1.0)
    whole = squares.sum(axis=1)[:, None]
    noise = np.sqrt(np.maximum(sums[1] - sums[2], 0.0)) / totals[:, None]
    spread = sums[2] - 2 * mean * sums[1] + mean**2 * whole
    sampling = np.sqrt(np.maximum(spread, 0.0)) / totals[:, None]
    return mean, noise, sampling
