"""Hand's H-measure: the share of the largest expected loss that the best rules avoid.

The cost proportion c of a false positive has a beta distribution, the prior. H compares the mean
loss of the best rule for each c, which is the lower envelope of cost space, with the mean loss of
the better of the two trivial rules. See "Costs" in docs/mathematics.rst.
"""

from __future__ import annotations

import math
from typing import Any, get_args

import numpy as np

from rocwalk.checks import as_number
from rocwalk.curves.costs import Envelope, envelope
from rocwalk.errors import OptionError, UndefinedMetricWarning, warn
from rocwalk.statistic import UNIT, Places, Statistic, register
from rocwalk.tally.walk import Walk, on_walk, rising_on_walk
from rocwalk.texts import nearest
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
            hint = nearest(prior, PRIORS)
            raise OptionError("is not known.", hint, option="prior", value=prior)
        return named[prior]
    if not isinstance(prior, tuple | list) or len(prior) != 2:
        raise OptionError(
            "is neither a name nor a pair of numbers.",
            f"prior is one of {', '.join(map(repr, PRIORS))}, or (a, b) for Beta(a, b).",
            option="prior",
            value=prior,
        )
    a, b = (as_number("prior", each) for each in prior)
    if not (0 < a < np.inf and 0 < b < np.inf):
        hint = "a and b are positive."
        raise OptionError("is not a beta distribution.", hint, option="prior", value=prior)
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
                "NaN.",
                "use a less extreme prior or prevalence.",
            )
        )
        return math.nan
    return float(min(max(1 - best.sum() / worst, 0.0), 1.0))


def _moments(cuts: FloatArray, a: float, b: float) -> tuple[FloatArray, FloatArray]:
    """Return ∫c·w and ∫(1 − c)·w between each two of the decreasing cuts, w = Beta(a, b).

    They are a/(a + b) and b/(a + b) times masses of Beta(a + 1, b) and Beta(a, b + 1), each as a
    difference of the probabilities of the nearer tail.
    """
    low = cuts <= 0.5
    below_fp, below_fn = _tails(np.where(low, cuts, 0.0), a, b)
    above_fn, above_fp = _tails(np.where(low, 0.0, 1 - cuts), b, a)
    middle = np.diff(low).astype(np.float64)  # all but two tails lies between these two cuts
    of_fp = middle + np.diff(above_fp) - np.diff(below_fp)
    of_fn = middle + np.diff(above_fn) - np.diff(below_fn)
    return a / (a + b) * of_fp, b / (a + b) * of_fn


_TERMS = np.arange(1.0, 96.0)
_MOST_CONCENTRATED = 12.0  # up to this a + b the terms give all digits for x ≤ ½


def _tails(x: FloatArray, a: float, b: float) -> tuple[FloatArray, FloatArray]:
    """Return the probabilities of at most x ≤ ½ under Beta(a + 1, b) and Beta(a, b + 1).

    I_x(a, b) = x^a·(1 − x)^b / (a·B(a, b)) · Σ (a + b)_k / (a + 1)_k · x^k, whose terms are all
    positive; and I_x(a, b + 1) = I_x(a + 1, b) + x^a·(1 − x)^b·(a + b) / (a·b·B(a, b)) (DLMF 8.17).
    More concentrated priors take SciPy's function, which is slow to import.
    """
    if a + b > _MOST_CONCENTRATED:
        from scipy.special import betainc

        return betainc(a + 1, b, x), betainc(a, b + 1, x)
    whole = math.exp(math.lgamma(a + b + 1) - math.lgamma(a + 1) - math.lgamma(b + 1))
    edge = whole * x**a * (1 - x) ** b
    terms = np.cumprod((a + b + _TERMS) / (a + 1 + _TERMS))
    powers = np.vander(x, len(terms) + 1, increasing=True)
    first = edge * x * b / (a + 1) * (powers[:, 0] + powers[:, 1:] @ terms)
    return first, first + edge


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
        cited="hand2014",
        range=UNIT,
        direction="higher",
        of_hull=True,
        bounds=rising_on_walk(_h_measure),
        places=Places(summary=60, probabilities=50),
    )
)
