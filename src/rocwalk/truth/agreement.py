"""Agreement of raters: one named coefficient with its interval.

The coefficients themselves are in `rocwalk.truth.chance_agreement`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.checks import one_of
from rocwalk.errors import InputError, Option, OptionError, UndefinedMetricWarning, warn
from rocwalk.inference.distributions import check_level, quantile
from rocwalk.inference.methods_words import level_words
from rocwalk.inference.resampling import (
    Plan,
    drawn_counts,
    existing,
    quantiles,
    run_blocks,
    spread_of,
)
from rocwalk.methods import Methods, methods_of
from rocwalk.read.frames import Name
from rocwalk.read.opening import opened
from rocwalk.read.text import TextFormat
from rocwalk.read.votes import read_categories
from rocwalk.result import Result, estimated
from rocwalk.texts import shown
from rocwalk.truth.chance_agreement import (
    BY_RATER,
    LEVELS,
    OF_TWO,
    TITLES,
    Counted,
    coefficients,
    comparable,
    has_closed_form,
    item_effects,
)
from rocwalk.truth.rater_models import several
from rocwalk.truth.votes import Votes, counted_votes, refuse_reading
from rocwalk.typing import (
    AgreementLevel,
    AgreementMeasure,
    AgreementMethod,
    ArrayLike,
    FloatArray,
    Invalid,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_CITED = {
    "cohen": " [@cohen1960]",
    "linear": " [@cohen1968]",
    "quadratic": " [@cohen1968]",
    "fleiss": " [@fleiss1971]",
    "conger": " [@conger1980]",
    "krippendorff": " [@krippendorff2004]",
    "ac1": " [@gwet2008]",
    "ac2": " [@gwet2008]",
}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Agreement(Result):
    """A coefficient of agreement with its interval; make one with `rocwalk.agreement`.

    Attributes
    ----------
    measure, level
        Which coefficient it is, and how far apart categories count.
    estimate, low, high, standard_error
        The coefficient, the ends of its interval, and its standard error over items.
    method
        "closed", or "bootstrap" over items.
    n_items, n_raters, categories
        The items with two votes or more, the raters (None if only counts are known), and the
        categories in their order.
    """

    measure: str
    level: str
    estimate: float
    low: float
    high: float
    standard_error: float
    method: str
    confidence_level: float
    n_items: int
    n_raters: int | None
    categories: tuple[Any, ...]
    n_resamples: int | None = None
    failed: int = 0

    @property
    def title(self) -> str:
        """The name of the coefficient, with its level where it has several."""
        name = TITLES[self.measure]
        return f"{name} ({self.level})" if len(LEVELS[self.measure]) > 1 else name

    @property
    def sentence(self) -> str:
        """The coefficient in words; they always say which one it is."""
        title = f"{self.title[:1].upper()}{self.title[1:]}"
        by = "" if self.n_raters is None else f" and {several(self.n_raters, 'rater')}"
        on = f"{several(self.n_items, 'item')}{by}, {len(self.categories)} categories"
        if math.isnan(self.estimate):
            return f"{title} is undefined: all votes that could be compared are alike ({on})."
        number = estimated(self.estimate, self.low, self.high, self.confidence_level)
        how = "closed form" if self.method == "closed" else "bootstrap over items"
        return f"{title} {number} ({on}; {how})."

    def methods(self) -> Methods:
        """Return how this was computed as a paragraph with citations; `.bibtex` has the entries."""
        cited, drawn = _CITED.get(self.measure, ""), self.n_resamples
        by = "its closed form" if self.method == "closed" else f"{drawn:,} resamples of the items"
        raters = "" if self.n_raters is None else f" of {several(self.n_raters, 'rater')}"
        return methods_of(
            f"Agreement{raters} on {several(self.n_items, 'item')} is {self.title}{cited}; its "
            f"{level_words(self.confidence_level)} confidence interval is by {by}."
        )

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the coefficient with its interval against agreement by chance.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.inference.plot import draw_forest

        words = f"{100 * self.confidence_level:g} % interval ({self.method})"
        line = (self.title, self.estimate, self.low, self.high)
        return draw_forest([line], words, ax, no_effect=0.0, **options)

    def _headline(self) -> dict[str, Any]:
        return {
            "measure": self.measure,
            "level": self.level,
            "estimate": self.estimate,
            "low": self.low,
            "high": self.high,
            "standard_error": self.standard_error,
            "method": self.method,
            "confidence_level": self.confidence_level,
            "n_items": self.n_items,
            "n_raters": self.n_raters,
            "categories": self.categories,
            "n_resamples": self.n_resamples,
            "failed": self.failed or None,
        }

    def __repr__(self) -> str:
        return (
            f"Agreement(measure={self.measure!r}, level={self.level!r}, "
            f"estimate={self.estimate:.6g}, low={self.low:.6g}, high={self.high:.6g}, "
            f"method={self.method!r}, n_items={self.n_items:,})"
        )


def agreement(
    votes: ArrayLike,
    *,
    measure: AgreementMeasure = "fleiss",
    level: AgreementLevel | None = None,
    item: Name | None = None,
    rater: Name | None = None,
    vote: Name | None = None,
    raters: Sequence[Name] | None = None,
    categories: Sequence[Any] | None = None,
    method: AgreementMethod = "auto",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: Any = None,
    invalid: Invalid = "raise",
) -> Agreement:
    """Return how far raters agree, by one named coefficient, with its interval.

    Parameters
    ----------
    votes
        Numbers or words: a 2-D array, a list of rows, a dataframe, a dict of columns or the path of
        a file, with one row per item and one column per rater; NaN and null are gaps. Or what
        `rocwalk.votes` returned.
    measure
        * "cohen", "linear", "quadratic": Cohen's κ of two raters, and weighted κ, where categories
          i and j of k are abs(i − j)/(k − 1) apart, or its square;
        * "fleiss": Fleiss' κ; chance draws from all votes pooled (for two raters Scott's π). Each
          item has its own number of votes; items weigh alike in the observed agreement;
        * "conger": Conger's κ; chance draws from each rater's own votes (for two raters Cohen's κ);
        * "krippendorff": Krippendorff's α; "nominal", "ordinal" or "interval";
        * "ac1", "ac2": Gwet's, where the agreement by chance is Σπ(1 − π)/(q − 1); AC2 weighs
          categories by their order ("ordinal", the default), or by the squares of their differences
          ("interval");
        * "percent": the share of pairs of votes on an item that agree, which chance enters.
    level
        How far apart categories count, for "krippendorff" ("nominal" by default) and "ac2"
        ("ordinal" by default). "interval" needs numbers.
    item, rater, vote
        Names of columns (positions in an array). All three: each row of the data is one vote.
        `item` alone: the column of the items' names.
    raters
        The columns of votes, one for each rater, where there are other columns beside them.
    categories
        All categories in their order, by default those that occur, sorted. Needed for the order of
        words, and where a category of the scale was never used.
    method
        "closed": the standard error from what each item adds; Fleiss, Cohen & Everitt's for two
        raters, with the normal distribution, and Gwet's for the others, with Student's and n − 1
        degrees of freedom. "bootstrap": items are resampled, percentile interval. "auto": "closed"
        where there is one, that is, for all but Krippendorff's ordinal α.
    confidence_level
        Between 0 and 1.
    n_resamples, rng
        The number of replicates of a bootstrap; a seed or a `numpy.random.Generator`.
    invalid
        An item without a vote is an error that names its row; "drop" leaves such items out, with a
        `DroppedRowsWarning`.

    Returns
    -------
    Agreement
        `.estimate .low .high .standard_error .measure .level .method`, and `.sentence`, which says
        which coefficient it is.

    An item with one vote has no pair of votes that could agree. It is left out, except from the
    margins of "conger", "ac1" and "ac2". Where all votes are alike the coefficients are NaN, with a
    warning; percent agreement is 1. Limits are clipped to 1. The raters are taken as fixed: the
    interval is about items like these. Which coefficient is large depends on the margins: on one
    table of two raters Scott's π may be .404 where Cohen's κ is .430, so report the name.

    References
    ----------
    Cohen (1960, 1968); Fleiss, Cohen & Everitt (1969); Fleiss (1971); Conger (1980); Krippendorff
    (2004); Gwet (2008), British Journal of Mathematical and Statistical Psychology 61, 29-48.

    Examples
    --------
    >>> import rocwalk as rw
    >>> ratings = {"ann": [1, 2, 3, 3, 2, 1, 4, 1, 2], "bob": [1, 2, 3, 3, 2, 2, 4, 1, 3]}
    >>> print(rw.agreement(ratings, measure="quadratic").sentence)
    Quadratically weighted Cohen's kappa 0.885, 95 % interval 0.715 to 1.000 (9 items and 2 \
raters, 4 categories; closed form).
    >>> rw.agreement(ratings, measure="krippendorff", level="ordinal", rng=0)
    Agreement(measure='krippendorff', level='ordinal', estimate=0.872029, low=0.501832, high=1, \
method='bootstrap', n_items=9)
    """
    one_of("measure", measure, tuple(TITLES))
    one_of("method", method, ("auto", "closed", "bootstrap"))
    scale: str = LEVELS[measure][0] if level is None else level
    if scale not in LEVELS[measure]:
        one_of("level", level, ("nominal", "ordinal", "interval"))
        raise OptionError(
            f"does not go together with {TITLES[measure]}.",
            f"leave level out, or use one of {', '.join(map(repr, _SCALED))}.",
            option="level",
            value=level,
        )
    check_level(confidence_level)
    plan = Plan(n_resamples, rng)
    known = {"item": item, "rater": rater, "vote": vote, "raters": raters, "categories": categories}
    counted, n_raters, names = _counted(votes, known, invalid)
    _refuse_raters(measure, counted, n_raters)
    if scale != "nominal" or measure in ("linear", "quadratic"):
        _refuse_unordered(scale, counted, names, categories)
    used = comparable(measure, counted)
    n_items = int(np.count_nonzero(used.votes >= 2))
    if n_items < 2:
        raise InputError(
            "Fewer than two items have two votes, so the standard error is undefined.",
            "agreement needs two items or more with two votes each.",
        )
    ones = np.ones((1, len(used.votes)))
    estimate = float(coefficients(measure, scale, used, ones)[0])
    if method == "closed" and not has_closed_form(measure, scale):
        raise OptionError(
            "has no closed form for Krippendorff's ordinal alpha, whose distances move with the "
            "votes.",
            "use 'bootstrap' or 'auto'.",
            option="method",
            value=method,
        )
    tails = (1 - confidence_level) / 2, (1 + confidence_level) / 2
    is_closed, failed = method != "bootstrap" and has_closed_form(measure, scale), 0
    if math.isnan(estimate):
        words = f"All votes that could be compared are alike, so {TITLES[measure]} is not defined."
        warn(UndefinedMetricWarning(words, "a coefficient needs votes of two categories or more."))
        error, low, high = math.nan, math.nan, math.nan
    elif is_closed:
        psi = item_effects(measure, scale, used)
        n, of_two = len(psi), measure in OF_TWO
        error = math.sqrt(float((psi**2).sum()) * (1.0 if of_two else n / (n - 1)))
        reach = quantile(tails[1], None if of_two else n - 1.0) * error
        low, high = estimate - reach, estimate + reach
    else:
        values = _replicates(measure, scale, used, plan)
        kept = existing(values, TITLES[measure])
        failed = len(values) - len(kept)
        error = spread_of(kept)
        low, high = quantiles(kept, tails)
    return Agreement(
        measure=measure,
        level=scale,
        estimate=estimate,
        low=low,
        high=high if math.isnan(high) else min(high, 1.0),
        standard_error=error,
        method="closed" if is_closed else "bootstrap",
        confidence_level=float(confidence_level),
        n_items=n_items,
        n_raters=n_raters,
        categories=names,
        n_resamples=None if is_closed else n_resamples,
        failed=failed,
    )


def usual_agreements(found: Votes, confidence_level: float = 0.95) -> list[Agreement]:
    """Return the usual coefficients of votes, by closed forms; none where they are undefined.

    Fleiss' κ, Krippendorff's α, Gwet's AC1 and percent agreement; of two raters Cohen's κ first. Of
    ratings without a cut α is of interval level, Gwet's is AC2, and κ is quadratically weighted.
    """
    if math.isnan(found.fleiss_kappa) or np.count_nonzero(found.counts >= 2) < 2:
        return []
    graded = found.ballot.scale.is_graded
    measures: list[tuple[AgreementMeasure, AgreementLevel | None]] = [
        ("fleiss", None),
        ("krippendorff", "interval" if graded else "nominal"),
        ("ac2", "ordinal") if graded else ("ac1", None),
        ("percent", None),
    ]
    if found.raters is not None and len(found.raters) == 2:
        both = np.bincount(found.ballot.counts.sum(axis=1).astype(np.int64), minlength=3)[2]
        if both >= 2:
            measures.insert(0, ("quadratic" if graded else "cohen", None))
    return [
        agreement(found, measure=measure, level=level, confidence_level=confidence_level)
        for measure, level in measures
    ]


_SCALED = tuple(name for name, levels in LEVELS.items() if len(levels) > 1)


def _counted(
    votes: Any, known: dict[str, Any], invalid: str
) -> tuple[Counted, int | None, tuple[Any, ...]]:
    """Return the votes as counts, the number of raters and the categories."""
    if not isinstance(votes, Votes):
        with opened(votes, TextFormat()) as data:
            found = read_categories(data, invalid=invalid, **known)
        codes, q = found.codes, len(found.categories)
        counts = np.stack([(codes == k).sum(axis=1) for k in range(q)], axis=1)
        numbers = [
            float(one) if isinstance(one, int | float) else math.nan for one in found.categories
        ]
        counted = Counted(counts.astype(np.float64), codes, np.array(numbers))
        return counted, len(found.raters), found.categories
    refuse_reading(known, invalid)
    ballot, n_raters = votes.ballot, None if votes.raters is None else len(votes.raters)
    return counted_votes(ballot), n_raters, ballot.scale.values


def _refuse_raters(measure: str, counted: Counted, n_raters: int | None) -> None:
    """Raise if a coefficient needs to know who voted, or two raters and no more."""
    if measure in BY_RATER and counted.codes is None:
        raise InputError(
            f"{TITLES[measure]} needs to know who voted, which counts do not contain.",
            "pass one column per rater, or take 'fleiss', 'krippendorff', 'ac1' or 'percent'.",
        )
    if measure in OF_TWO and n_raters != 2:
        raise OptionError(
            f"is for two raters, and there are {n_raters}.",
            "take 'fleiss', 'conger', 'krippendorff', 'ac1' or 'ac2', or name two raters.",
            option="measure",
            value=measure,
        )


def _refuse_unordered(
    level: str, counted: Counted, names: tuple[Any, ...], given: Sequence[Any] | None
) -> None:
    """Raise if categories are words whose order, or whose differences, nobody has named."""
    are_words = bool(np.isnan(counted.numbers).any())
    if level == "interval" and are_words:
        raise OptionError(
            "needs votes that are numbers.", "use 'ordinal' or 'nominal'.",
            option="level", value=level,
        )  # fmt: skip
    if are_words and given is None:
        raise OptionError(
            f"The order of the categories {shown(names)} is not known.",
            ("name them in their order with ", Option("categories"), "."),
        )


def _replicates(measure: str, level: str, counted: Counted, plan: Plan) -> FloatArray:
    """Return the coefficient of every replicate of the items."""
    n = len(counted.votes)

    def work(rng: np.random.Generator, times: int) -> FloatArray:
        drawn = drawn_counts(rng, n, times, n).astype(np.float64)
        return coefficients(measure, level, counted, drawn)

    return run_blocks(plan, n, work)
