"""The power and the size of a future reader study, from the components of one that is known.

References
----------
Hillis, Obuchowski, Berbaum (2011). Power estimation for multireader ROC methods: an updated and
unified approach. Academic Radiology 18, 129-142.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rocwalk.checks import as_number, as_whole
from rocwalk.errors import Option, OptionError
from rocwalk.inference.study_design import share
from rocwalk.methods import Methods, methods_of
from rocwalk.result import Result, numeral
from rocwalk.statistic import words_of

if TYPE_CHECKING:
    from rocwalk.truth.obuchowski_rockette import ReaderComponents
    from rocwalk.truth.reader_studies import ReaderStudy


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReaderPower(Result):
    """The power of a future reader study; make one with `ReaderStudy.power` or `.sample_size`.

    `f_noncentrality` and `df` are those of its F under the difference; `asked_power` is what was
    asked for where the size was, and `power` what the whole numbers give.
    """

    statistic: str
    difference: float
    n_readers: int
    n_cases: int
    power: float
    alpha: float
    f_noncentrality: float
    df: tuple[float, float]
    asked_power: float | None = None

    @property
    def sentence(self) -> str:
        """The power in words."""
        difference = numeral(self.difference, "+.3f")
        return (
            f"{self.n_readers:,} readers and {self.n_cases:,} cases find a difference of "
            f"{difference} in mean {words_of(self.statistic)} with probability "
            f"{self.power:.3f} (test of level {self.alpha:g}, random readers and cases)."
        )

    def methods(self) -> Methods:
        """Return how this was computed as a paragraph with citations; `.bibtex` has the entries."""
        return methods_of(
            f"The power of {self.n_readers:,} readers and {self.n_cases:,} cases to find a "
            f"difference of {self.difference:g} in mean {words_of(self.statistic)} at level "
            f"{self.alpha:g} was projected from a pilot study [@hillis2011]."
        )

    def _headline(self) -> dict[str, Any]:
        return {
            "n_readers": self.n_readers,
            "n_cases": self.n_cases,
            "power": self.power,
            "difference": self.difference,
            "statistic": self.statistic,
            "alpha": self.alpha,
            "f_noncentrality": self.f_noncentrality,
            "df": self.df,
            "asked_power": self.asked_power,
        }


def future_power(
    components: ReaderComponents,
    *,
    tests: int,
    readers: int,
    case_ratio: float,
    spread: float,
    alpha: float,
) -> tuple[float, float, float]:
    """Return the power, the noncentrality of F, and the degrees of freedom of its error.

    `case_ratio` is c/c′, old cases over new ones; `spread` is Σ(τ_i − τ̄)².
    """
    from scipy.special import fdtri, ncfdtr

    apart = components.readers_apart
    own = components.var - components.cov1 - apart
    interaction = max(components.ms_test_reader - own, 0.0)
    error = interaction + case_ratio * (components.var - components.cov1 + (readers - 1) * apart)
    mean_square = interaction + case_ratio * own
    freedom = (tests - 1) * (readers - 1)
    if not error > 0 or not mean_square > 0:
        raise OptionError(
            "The estimated error of this study is 0, so the power of another one is unknown.",
            "plan from a study in which readers differ.",
        )
    df = error**2 / (mean_square**2 / freedom)
    noncentrality = readers * spread / error
    critical = float(fdtri(tests - 1, df, 1 - alpha))
    return 1 - float(ncfdtr(tests - 1, df, noncentrality, critical)), noncentrality, df


def power_of(
    study: ReaderStudy, difference: float, *, readers: int | None, cases: int | None, alpha: float
) -> ReaderPower:
    """Return the power of a study with these numbers of readers and cases."""
    if not (study.random_readers and study.random_cases):
        raise OptionError(
            "The power of a future study is known for random readers and cases only.",
            (
                "analyse the study with ",
                *(Option("readers", "random"), " and ", Option("cases", "random"), "."),
            ),
        )
    if not 0 < abs(as_number("difference", difference)) < math.inf:
        hint = "pass the difference of two means that is to be found, such as 0.05."
        raise OptionError(
            "is not a finite number other than 0.", hint, option="difference", value=difference
        )
    level = share("alpha", alpha)
    known = study.n_positives + study.n_negatives
    n_readers = len(study.readers) if readers is None else as_whole("readers", readers, 2)
    n_cases = known if cases is None else as_whole("cases", cases, 4)
    tests = len(study.tests)
    power, noncentrality, df = future_power(
        study.components,
        tests=tests,
        readers=n_readers,
        case_ratio=known / n_cases,
        spread=float(difference) ** 2 / 2,
        alpha=level,
    )
    return ReaderPower(
        statistic=study.statistic,
        difference=float(difference),
        n_readers=n_readers,
        n_cases=n_cases,
        power=power,
        alpha=level,
        f_noncentrality=noncentrality,
        df=(tests - 1.0, df),
    )


_MOST_CASES = 10**7
_MOST_READERS = 1000


def size_of(
    study: ReaderStudy, difference: float, *, readers: int | None, power: float, alpha: float
) -> ReaderPower:
    """Return the smallest number of cases that reaches the power, by halving."""
    asked = share("power", power)

    def at(cases: int, n_readers: int | None = readers) -> ReaderPower:
        return power_of(study, difference, readers=n_readers, cases=cases, alpha=alpha)

    low, high = 4, _MOST_CASES
    if at(high).power < asked:
        enough = (r for r in range(at(high).n_readers, _MOST_READERS) if at(high, r).power >= asked)
        more = next(enough, None)
        raise OptionError(
            f"is not reached by any number of cases with {at(high).n_readers} readers, who differ "
            "too much in how they use the tests.",
            "ask for less power or a larger difference."
            if more is None
            else f"{more} readers at least are needed.",
            option="power",
            value=power,
        )
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if at(middle).power >= asked else (middle + 1, high)
    return replace(at(low), asked_power=asked)
