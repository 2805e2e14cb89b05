"""Areas that use the size of the scores: smeared, probabilistic and scored AUC.

Smearing turns each score into a distribution around it, of one width d for all scores. Uniform: a
segment of width d centred on the score. Normal: standard deviation `sd_per_width`·d; Ferri et al.
call d "twice the standard deviation", hence ½ by default. See docs/mathematics.rst.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.errors import OptionError, UndefinedMetricWarning, as_number, one_of, warn
from rocwalk.inference.influence import Influence, linear_blur, row_means
from rocwalk.read.arrays import Sample, evidence_of
from rocwalk.result import Result
from rocwalk.smear.normal import normal_sums
from rocwalk.smear.sides import EPS, Sides, sides_of
from rocwalk.smear.uniform import Sums, uniform_sums
from rocwalk.statistic import UNIT, Places, Statistic, register
from rocwalk.tally.sums import class_moments, dot
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import refuse_buckets, walk_of
from rocwalk.typing import ArrayLike, FloatArray, Invalid, KernelName, Truth

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
                "is not a positive number of a usual size.",
                "0.5 makes the width twice the standard deviation, 1/√12 gives the normal kernel "
                "the variance of the uniform segment.",
                option="sd_per_width",
                value=self.sd_per_width,
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
            return Sums(0.5, 0.0, 0.0, EPS)
        sides = sides.collapsed
        spread = width if self.is_uniform else self.spread(width)
        if spread == 0:
            return Sums(sides.auc, 0.0, 0.0, 2 * EPS)
        return uniform_sums(sides, width) if self.is_uniform else normal_sums(sides, spread)


def check_width(width: float) -> float:
    """Raise unless the width is a number from 0 to infinity."""
    value = as_number("width", width)
    if value < 0:
        hint = "a width is 0 (the bare curve) or more; inf gives the diagonal."
        raise OptionError("is negative.", hint, option="width", value=width)
    return value


class SmearedArea(Result, float):
    """Area(d): a float with its width, its kernel and a bound on its error."""

    width: float
    kernel: str
    error_bound: float

    def __new__(
        cls, value: float, width: float = 0.0, kernel: str = "uniform", error_bound: float = 0.0
    ) -> SmearedArea:
        """Make a float with three attributes."""
        self = super().__new__(cls, value)
        self.width, self.kernel, self.error_bound = width, kernel, error_bound
        return self

    __str__ = float.__repr__

    def _headline(self) -> dict[str, Any]:
        return {
            "area": float(self),
            "width": self.width,
            "kernel": self.kernel,
            "error_bound": self.error_bound,
        }


def smeared_area(
    y_true: ArrayLike,
    y_prob: ArrayLike = None,
    *,
    width: float,
    kernel: KernelName = "uniform",
    sd_per_width: float = 0.5,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> SmearedArea:
    """Return Area(d), the area under the ROC curve of scores smeared to a width d.

    Area(d) = Σ uᵢ·rⱼ·g(sᵢ − sⱼ, d) / (U·R), with g = ½ + h(D/d) for the uniform kernel, h odd,
    h(c) = c − c²/2 up to 1 and ½ beyond, and g = Φ(D/(σ√2)) for the normal, σ = sd_per_width·d.
    Area(0) is the AUC and Area(inf) is ½.

    Parameters
    ----------
    y_true, y_prob
        Labels or soft truth, and probabilities in [0, 1]. Or one `Tally` that is not bucketed.
    width
        d, from 0 to infinity.
    kernel
        "uniform" (a segment of width d) or "normal".
    sd_per_width
        The standard deviation of the normal kernel in widths; the paper's text says ½, its
        numbers agree better with 1/√12.
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    Returns
    -------
    SmearedArea
        A float; its `error_bound` is proved: below 1e-12 for the uniform and 1e-10 for the normal
        kernel. NaN with a warning when a class has no mass.

    References
    ----------
    Ferri, Flach, Hernández-Orallo, Senad (2005), section 2.1, the formula of Area(d).

    Examples
    --------
    >>> import rocwalk as rw
    >>> area = rw.smeared_area([1, 0, 1, 0], [1, 0.51, 0.49, 0], width=0.2)
    >>> round(area, 10)
    0.85125
    >>> area.error_bound < 1e-12
    True
    """
    shape, d = Kernel(kernel, sd_per_width), check_width(width)
    data = evidence_of(y_true, y_prob, sample_weight, pos_label, truth, invalid)
    sides = sides_of(data)
    if sides is None:
        warn(
            UndefinedMetricWarning(
                "There is only one class, so the smeared area is undefined and NaN.",
                "an area compares positives with negatives.",
            )
        )
        return SmearedArea(math.nan, d, kernel, math.nan)
    sums = shape.sums(sides, d)
    return SmearedArea(sums.area, d, kernel, sums.error)


# -- probabilistic and scored AUC ------------------------------------------------------------------


def probabilistic_gini(data: Sample | Tally) -> float:
    """Return m⁺ − m⁻, m⁺ = Σ u·s / U, m⁻ = Σ r·s / R; NaN when a class has no mass.

    Exact even from buckets, because a tally keeps Σ u·s and Σ r·s.
    """
    if isinstance(data, Tally):
        up, right = data.total_up, data.total_right
        up_score, right_score = float(data.up_score.sum()), float(data.right_score.sum())
    elif data.is_counts:
        up, up_score, total = class_moments(data.truth, data.scores)
        right, right_score = len(data.scores) - up, total - up_score
        if up > right:  # the moment of the larger class by difference: nothing cancels
            right, right_score, _ = class_moments(data.truth == 0, data.scores)
            up_score = total - right_score
    else:
        weight = 1.0 if data.weights is None else data.weights
        masses = weight * data.truth, weight * (1 - data.truth.astype(np.float64))
        up, right = float(masses[0].sum()), float(masses[1].sum())
        up_score, right_score = dot(masses[0], data.scores), dot(masses[1], data.scores)
    if not (up > 0 and right > 0):
        return math.nan
    return float(up_score / up - right_score / right)


def probabilistic_auc(data: Sample | Tally) -> float:
    """Return A_p = ½(1 + m⁺ − m⁻) (Ferri et al., section 2: pAUC)."""
    return 0.5 * (1.0 + probabilistic_gini(data))


def scored_auc(tally: Tally) -> float:
    """Return the weighted mean over pairs of (sᵢ − sⱼ)₊ (Wu & Flach's scored AUC).

    Between two neighbouring scores every positive above beats every negative below by at least
    the distance, so the mean is Σ (s_k − s_{k+1})·TPR_k·(1 − FPR_k) along the walk.
    """
    refuse_buckets(tally, "Scored AUC", "the order of all scores")
    walk = walk_of(tally)
    if not (walk.up[-1] > 0 and walk.right[-1] > 0):
        return math.nan
    distance = -np.diff(tally.scores)
    return float((distance * (walk.tpr * (1.0 - walk.fpr))[1:-1]).sum())


def probabilistic_auc_influence(tally: Tally) -> Influence:
    """Return A_p with ψ = ½[u(s − m⁺)/U − r(s − m⁻)/R]; exact even from buckets, ψ by row."""
    total_up, total_right = float(tally.total_up), float(tally.total_right)
    means = [float(tally.up_score.sum()) / total_up, float(tally.right_score.sum()) / total_right]
    value = 0.5 * (1 + means[0] - means[1])
    up, right = row_means(tally)
    return Influence(
        value,
        0.5 * (up - means[0]) / total_up,
        -0.5 * (right - means[1]) / total_right,
        linear_blur(tally, value, (0.5 / total_up, 0.5 / total_right)),
    )


def _ginis(scores: FloatArray, up: FloatArray, right: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        ginis: FloatArray = (up @ scores) / up.sum(axis=1) - (right @ scores) / right.sum(axis=1)
    return ginis


def _probabilistic_aucs(scores: FloatArray, up: FloatArray, right: FloatArray) -> FloatArray:
    return 0.5 * (1 + _ginis(scores, up, right))


PROBABILISTIC_AUC = register(
    Statistic(
        "probabilistic_auc",
        probabilistic_auc,
        title="Probabilistic AUC",
        short="Prob. AUC",
        symbol="A_p",
        sentence="One half plus half the difference between the mean scores of positives and "
        "negatives.",
        references=("Ferri, Flach, Hernández-Orallo & Senad 2005",),
        range=UNIT,
        direction="higher",
        conditional=True,
        influence=probabilistic_auc_influence,
        exact_from_buckets=True,
        together=_probabilistic_aucs,
        needs_probabilities=True,
        places=Places(summary=50, probabilities=30, subgroups=10, page=40, drift=20),
    )
)


def _gini_influence(tally: Tally) -> Influence:
    half = probabilistic_auc_influence(tally)
    value = 2 * half.estimate - 1
    blur = None if half.blur is None else half.blur.times(2, (value, value))
    return Influence(value, 2 * half.up, 2 * half.right, blur)


PROBABILISTIC_GINI = register(
    Statistic(
        "probabilistic_gini",
        probabilistic_gini,
        title="Probabilistic Gini",
        sentence="The mean score of positives minus the mean score of negatives.",
        references=("Ferri, Flach, Hernández-Orallo & Senad 2005",),
        range=(-1.0, 1.0),
        direction="higher",
        conditional=True,
        influence=_gini_influence,
        exact_from_buckets=True,
        together=_ginis,
        needs_probabilities=True,
    )
)


SCORED_AUC = register(
    Statistic(
        "scored_auc",
        scored_auc,
        title="Scored AUC",
        symbol="sAUC",
        sentence="The mean margin by which positives outscore negatives, over all pairs.",
        references=("Wu, Flach & Ferri 2007",),
        range=UNIT,
        direction="higher",
        conditional=True,
        needs_probabilities=True,
    )
)
