"""Hand's H-measure: the share of the largest expected loss that the best rules avoid.

The cost proportion c of a false positive has a beta distribution, the prior. H compares the mean
loss of the best rule for each c, which is the lower envelope of cost space, with the mean loss of
the better of the two trivial rules. See "Costs" in docs/mathematics.rst.
"""

from __future__ import annotations

import math
from typing import Any, get_args

import numpy as np

from rocwalk.curves.costs import Envelope, envelope
from rocwalk.errors import OptionError, UndefinedMetricWarning, as_number, nearest, warn
from rocwalk.statistic import UNIT, Places, Statistic, register
from rocwalk.tally.walk import Walk, on_walk, rising_on_walk
from rocwalk.typing import FloatArray, Prior, PriorName

PRIORS = get_args(PriorName)


def prior_of(prior: Any, prevalence: float) -> tuple[float, float]:
    """Return the parameters (a, b) of the beta prior of c.

    >>> prior_of("hand2014", 0.25), prior_of("hand2009", 0.25), prior_of("r", 0.25)
    ((1.25, 1.75), (2.0, 2.0), (2.0, 4.0))
    """
    if isinstance(prior, str):
        named = {
            "hand2014": (prevalence + 1, (1 - prevalence) + 1),
            "hand2009": (2.0, 2.0),
            "r": (2.0, 1 + (1 - prevalence) / prevalence),
        }
        if prior not in named:
            raise OptionError(f"prior={prior!r} is not known.", nearest(prior, PRIORS))
        return named[prior]
    if not isinstance(prior, tuple | list) or len(prior) != 2:
        raise OptionError(
            f"prior={prior!r} is neither a name nor a pair of numbers.",
            f"prior is one of {', '.join(map(repr, PRIORS))}, or (a, b) for Beta(a, b).",
        )
    a, b = (as_number("prior", each) for each in prior)
    if not (0 < a < np.inf and 0 < b < np.inf):
        raise OptionError(f"prior={prior!r} is not a beta distribution.", "a and b are positive.")
    return a, b


def h_measure(rules: Envelope, prior: Prior = "hand2014") -> float:
    """Return H = 1 − L / L_max.

    L is the mean over the prior of the loss of the best rule; L_max that of the better of "always"
    and "never positive". c weights the false positive. H is 1 for a perfect hull and 0 if and only
    if the hull is the diagonal.
    """
    share = rules.prevalence
    beta = prior_of(prior, share)
    vertices, cuts = rules.vertices, rules.cuts
    of_fp, of_fn = _moments(cuts, *beta)
    best = (1 - share) * vertices.fpr * of_fp + share * (1 - vertices.tpr) * of_fn
    trivial_fp, trivial_fn = _moments(np.array([1.0, share, 0.0]), *beta)
    worst = (1 - share) * trivial_fp[1] + share * trivial_fn[0]
    if not worst > 0:
        warn(
            UndefinedMetricWarning(
                "With this prior and prevalence no mistake costs anything, so H is undefined and "
                "NaN. Hint: use a less extreme prior or prevalence."
            )
        )
        return math.nan
    return float(min(max(1 - best.sum() / worst, 0.0), 1.0))


def _moments(cuts: FloatArray, a: float, b: float) -> tuple[FloatArray, FloatArray]:
    """Return ∫c·w and ∫(1 − c)·w between each two of the decreasing cuts, w = Beta(a, b)."""
    return a / (a + b) * _masses(cuts, a + 1, b), b / (a + b) * _masses(cuts, a, b + 1)


def _masses(cuts: FloatArray, a: float, b: float) -> FloatArray:
    """Return the probability of Beta(a, b) between each two of the cuts, from the nearer tail."""
    from scipy.special import betainc, betaincc

    below, above = betainc(a, b, cuts), betaincc(a, b, cuts)
    masses: FloatArray = np.where(below[1:] > 0.5, np.diff(above), -np.diff(below))
    return masses


def _h_measure(walk: Walk) -> float:
    both = walk.up[-1] > 0 and walk.right[-1] > 0
    return h_measure(envelope(walk)) if both else math.nan


H_MEASURE = register(
    Statistic(
        "h_measure",
        on_walk(_h_measure),
        title="H-measure",
        noun="H-measure",
        symbol="H",
        sentence="The share of the largest expected loss that the best thresholds avoid, averaged "
        "over cost ratios.",
        references=("Hand 2009", "Hand & Anagnostopoulos 2014"),
        range=UNIT,
        direction="higher",
        bounds=rising_on_walk(_h_measure),
        places=Places(summary=60, probabilities=50),
    )
)
