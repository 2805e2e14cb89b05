"""How many items sensitivity and specificity need to be known precisely: `accuracy_sample_size`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.errors import Argument, OptionError
from rocwalk.inference.closed_forms import wilson
from rocwalk.inference.distributions import check_level, normal_quantile
from rocwalk.inference.methods_words import interval_words, level_words
from rocwalk.inference.study_design import share
from rocwalk.methods import Methods, methods_of
from rocwalk.result import Result
from rocwalk.texts import joined

_MOST = 10**9  # items of a class


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AccuracySize(Result):
    """How many items a study of sensitivity, of specificity or of both needs.

    Make one with `rocwalk.accuracy_sample_size`. `n_positives` is None without a sensitivity,
    `n_negatives` without a specificity, `n_subjects` without a prevalence. The half-widths are
    those of Wilson's interval where the share is as expected; `sensitivity_chance` and
    `specificity_chance` are the probabilities that the interval of the study is as narrow as asked.
    """

    half_width: float
    confidence_level: float
    sensitivity: float | None = None
    specificity: float | None = None
    prevalence: float | None = None
    n_positives: int | None = None
    n_negatives: int | None = None
    n_subjects: int | None = None
    sensitivity_chance: float | None = None
    specificity_chance: float | None = None

    @property
    def sentence(self) -> str:
        """The numbers in words."""
        level = f"{100 * self.confidence_level:g} %"
        known = [
            f"{count:,} {noun} for a {name} of {value:g}"
            for count, noun, name, value in (
                (self.n_positives, "positives", "sensitivity", self.sensitivity),
                (self.n_negatives, "negatives", "specificity", self.specificity),
            )
            if count is not None
        ]
        words = (
            f"{' and '.join(known)} give Wilson's {level} interval a half-width of "
            f"{self.half_width:g} or less, where the share is as expected."
        )
        if self.n_subjects is not None:
            words += (
                f" With a prevalence of {self.prevalence:g}, {self.n_subjects:,} subjects are "
                "expected to include them."
            )
        return words

    def methods(self) -> Methods:
        """Return how this was computed as a paragraph with citations; `.bibtex` has the entries."""
        level = level_words(self.confidence_level)
        known = [
            f"{count:,} {noun} (expected {name} {value:g})"
            for count, noun, name, value in (
                (self.n_positives, "positives", "sensitivity", self.sensitivity),
                (self.n_negatives, "negatives", "specificity", self.specificity),
            )
            if count is not None
        ]
        subjects = ""
        if self.n_subjects is not None:
            subjects = (
                f"; with a prevalence of {self.prevalence:g} these are expected among "
                f"{self.n_subjects:,} subjects [@buderer1996]"
            )
        return methods_of(
            f"The size of the study was chosen for a {level} confidence interval by "
            f"{interval_words('wilson')} with a half-width of {self.half_width:g}: "
            f"{joined(known)}{subjects}."
        )

    def _headline(self) -> dict[str, Any]:
        return {
            "n_positives": self.n_positives,
            "n_negatives": self.n_negatives,
            "n_subjects": self.n_subjects,
            "sensitivity": self.sensitivity,
            "specificity": self.specificity,
            "half_width": self.half_width,
            "prevalence": self.prevalence,
            "confidence_level": self.confidence_level,
            "sensitivity_chance": self.sensitivity_chance,
            "specificity_chance": self.specificity_chance,
        }


def accuracy_sample_size(
    *,
    sensitivity: float | None = None,
    specificity: float | None = None,
    half_width: float = 0.05,
    prevalence: float | None = None,
    confidence_level: float = 0.95,
) -> AccuracySize:
    """Return how many items make the intervals of sensitivity and specificity narrow enough.

    Parameters
    ----------
    sensitivity, specificity
        The shares that are expected, strictly between 0 and 1; one of them or both.
    half_width
        Half of the width that the interval may have, below 0.5.
    prevalence
        The share of positives among the subjects, where they are taken as they come: the number of
        subjects is then given, too.
    confidence_level
        Of the intervals.

    The number is the smallest n at which Wilson's interval, that of `rocwalk.accuracy_table`, has a
    width of at most twice `half_width` where the observed share is the expected one:
    z·√{p(1 − p)/n + z²/4n²} / (1 + z²/n) ≤ half_width. A study whose observed share lies nearer to
    one half has a wider interval: `.sensitivity_chance` and `.specificity_chance` are the
    probabilities, by the binomial distribution, that it is as narrow as asked. The subjects are
    max(⌈n⁺/π⌉, ⌈n⁻/(1 − π)⌉) for the prevalence π, as in Buderer (1996), whose n is Wald's.

    References
    ----------
    Wilson (1927), Probable inference; Buderer (1996), Statistical methodology: I. Incorporating the
    prevalence of disease into the sample size calculation for sensitivity and specificity.

    Examples
    --------
    >>> import rocwalk as rw
    >>> found = rw.accuracy_sample_size(sensitivity=0.9, specificity=0.8, prevalence=0.2)
    >>> found.n_positives, found.n_negatives, found.n_subjects
    (141, 245, 705)
    """
    level, half = check_level(confidence_level), share("half_width", half_width)
    if half >= 0.5:
        hint = "an interval of a share is never wider than 1."
        raise OptionError("is not below 0.5.", hint, option="half_width", value=half_width)
    if sensitivity is None and specificity is None:
        raise OptionError(
            ("Neither ", Argument("sensitivity"), " nor ", Argument("specificity"), " is given."),
            "give the one that you expect, or both.",
        )
    z = normal_quantile((1 + level) / 2)
    known: dict[str, Any] = {}
    for name, value, noun in (
        ("sensitivity", sensitivity, "n_positives"),
        ("specificity", specificity, "n_negatives"),
    ):
        if value is not None:
            expected = share(name, value)
            size = _size(expected, half, z)
            known |= {name: expected, noun: size}
            known[f"{name}_chance"] = _chance(expected, size, half, z)
    if prevalence is not None:
        part = known["prevalence"] = share("prevalence", prevalence)
        shares = {"n_positives": part, "n_negatives": 1 - part}
        needed = max(known[noun] / of for noun, of in shares.items() if noun in known)
        # rounding may lift a quotient above a whole number: 100/(1 − 0.8) is 500.0…01
        known["n_subjects"] = math.ceil(needed * (1 - 1e-12))
    return AccuracySize(half_width=half, confidence_level=level, **known)


def _size(expected: float, half_width: float, z: float) -> int:
    """Return the smallest number of items with a narrow interval; its width falls with n."""

    def is_narrow(count: int) -> bool:
        low, high = wilson(expected, count, z)
        return high - low <= 2 * half_width

    low, high = 1, 1
    while not is_narrow(high):
        low, high = high + 1, 2 * high
        if high > _MOST:
            raise OptionError(
                f"needs more than {_MOST:,} items.",
                ("pass a larger ", Argument("half_width"), "."),
                option="half_width",
                value=half_width,
            )
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if is_narrow(middle) else (middle + 1, high)
    return low


def _chance(expected: float, size: int, half_width: float, z: float) -> float:
    """Return the probability that the interval is narrow: of a share far enough from one half."""
    from scipy.special import bdtr

    def is_wide(hits: int) -> bool:
        low, high = wilson(hits / size, size, z)
        return high - low > 2 * half_width

    low, high = 0, size // 2  # the fewest hits with a wide interval; symmetric about one half
    if not is_wide(high):
        return 1.0
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if is_wide(middle) else (middle + 1, high)
    below = float(bdtr(low - 1, size, expected)) if low > 0 else 0.0
    above = float(bdtr(low - 1, size, 1 - expected)) if low > 0 else 0.0
    return float(np.clip(below + above, 0.0, 1.0))
