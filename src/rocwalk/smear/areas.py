"""Areas that use the size of the scores: smeared, probabilistic and scored AUC.

Smearing turns each score into a distribution around it, its kernel (`rocwalk.smear.kernels`). Of
the normal kernel Ferri et al. call d "twice the standard deviation", hence `sd_per_width` is ½ by
default. See docs/mathematics.rst.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocwalk.errors import UndefinedMetricWarning, warn
from rocwalk.inference.influence import Influence, linear_blur, row_means
from rocwalk.read.arrays import Sample, evidence_of
from rocwalk.result import Result
from rocwalk.smear.kernels import Kernel, Uniform, amount_of, kernel_named
from rocwalk.statistic import UNIT, Places, Statistic, register
from rocwalk.tally.sums import class_moments, dot
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import refuse_buckets, walk_of
from rocwalk.typing import ArrayLike, FloatArray, Invalid, KernelName, Truth

_UNIFORM = Uniform()


class SmearedArea(Result, float):
    """The area of smeared scores: a float with its kernel, its amount and a bound on its error.

    The amount is `width`, `share` or `concentration`, as the kernel has it; the others are None.
    """

    shape: Kernel
    amount: Any
    error_bound: float

    def __new__(
        cls,
        value: float,
        shape: Kernel = _UNIFORM,
        amount: Any = 0.0,
        error_bound: float = 0.0,
    ) -> SmearedArea:
        """Make a float with three attributes."""
        self = super().__new__(cls, value)
        self.shape, self.amount, self.error_bound = shape, amount, error_bound
        return self

    def __str__(self) -> str:
        return float.__repr__(self)

    @property
    def kernel(self) -> str:
        """The name of the kernel."""
        return self.shape.name

    @property
    def width(self) -> float | None:
        """The width d, or None if the kernel has none."""
        return self.amount if self.shape.parameter == "width" else None

    @property
    def share(self) -> float | None:
        """The share λ of coins, or None."""
        return self.amount if self.shape.parameter == "share" else None

    @property
    def concentration(self) -> Any:
        """The concentration κ, a number or one for each row, or None."""
        return self.amount if self.shape.parameter == "concentration" else None

    def _headline(self) -> dict[str, Any]:
        return {
            "area": float(self),
            self.shape.parameter: shown_amount(self.amount),
            "kernel": self.kernel,
            "error_bound": self.error_bound,
        }


def shown_amount(amount: Any) -> Any:
    """Return an amount for a headline; of one for each row the range in words."""
    if isinstance(amount, np.ndarray):
        return f"{amount.min():g} to {amount.max():g}, by row"
    return amount


def smeared_area(
    y_true: ArrayLike,
    y_prob: ArrayLike = None,
    *,
    width: float | None = None,
    kernel: KernelName = "uniform",
    sd_per_width: float = 0.5,
    share: float | None = None,
    concentration: ArrayLike = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> SmearedArea:
    """Return the area under the ROC curve of smeared scores: to a width d, or inside [0, 1].

    Area(d) = Σ uᵢ·rⱼ·g(sᵢ − sⱼ, d) / (U·R), with g = ½ + h(D/d) for the uniform kernel, h odd,
    h(c) = c − c²/2 up to 1 and ½ beyond, and g = Φ(D/(σ√2)) for the normal, σ = sd_per_width·d.
    Area(0) is the AUC and Area(inf) is ½. The kernels "logit" and "logit-normal" do the same with
    D the difference of log-odds ln(s/(1−s)); pairs with a score of 0 or 1 are decided at any width.

    Two kernels keep the mean of each score and have other amounts. "coin": for a share λ of the
    mass s becomes 1 with probability s, else 0; λ = 0 gives the AUC, λ = 1 the probabilistic AUC.
    "beta": s becomes Beta(κs, κ(1−s)); κ = inf gives the AUC, κ = 0 stands for the limit of small
    κ, where a pair a over b counts a(1−b) + (1−a)(1−b)·a/(a+b) + ab(1−b)/(2−a−b).

    Parameters
    ----------
    y_true, y_prob
        Labels or soft truth, and probabilities in [0, 1]. Or one `Tally` that is not bucketed.
    width
        d, from 0 to infinity, for kernels that have a width; in log-odds for the logit kernels.
    kernel
        "uniform" (a segment of width d), "normal", "logit" (a segment in log-odds), "logit-normal",
        "coin" or "beta".
    sd_per_width
        The standard deviation of the normal kernels in widths; the paper's text says ½, its
        numbers agree better with 1/√12.
    share
        λ, from 0 to 1, for the kernel "coin" only; 1 by default.
    concentration
        κ, for the kernel "beta" only: a number from 0 to infinity, or one positive number for each
        row, such as the size of its leaf or the number of its votes.
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
        kernel; for "beta" about 1e-11 for few rows and moderate κ, 2e-7 at κ = 10¹², below 1e-6
        for many rows. NaN with a warning when a class has no mass.

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
    >>> round(rw.smeared_area([1, 0, 1, 1], [1, 0.1, 0, 0], kernel="coin"), 6)
    0.616667
    >>> round(rw.smeared_area([1, 0, 1, 0], [1, 0.51, 0.49, 0], kernel="beta", concentration=10), 4)
    0.8657
    """
    shape = kernel_named(kernel, sd_per_width)
    given = {"width": width, "share": share, "concentration": concentration}
    amount = amount_of(shape, given)
    data = evidence_of(y_true, y_prob, sample_weight, pos_label, truth, invalid)
    amount = shape.fitted(amount, data)
    sums = shape.area(data, amount)
    if sums is None:
        warn(
            UndefinedMetricWarning(
                "There is only one class, so the smeared area is undefined and NaN.",
                "an area compares positives with negatives.",
            )
        )
        return SmearedArea(math.nan, shape, amount, math.nan)
    return SmearedArea(sums.area, shape, amount, sums.error)


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
        cited="ferri2005",
        range=UNIT,
        direction="higher",
        conditional=True,
        influence=probabilistic_auc_influence,
        exact_from_buckets=True,
        together=lambda scores, up, right: 0.5 * (1 + _ginis(scores, up, right)),
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
