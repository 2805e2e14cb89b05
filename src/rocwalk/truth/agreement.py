"""Agreement of raters: the share of split items, Fleiss' kappa and Krippendorff's alpha.

All three follow from counts: item i has nᵢ votes, kᵢ of them positive. An item with fewer than two
votes has no pair of votes that could agree or not, and is left out of all three.

References
----------
Fleiss (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76,
378-382.
Krippendorff (2004). Reliability in content analysis: some common misconceptions and
recommendations. Human Communication Research 30, 411-433; and Content Analysis, 2nd edition,
chapter 11.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.errors import (
    InputError,
    Option,
    OptionError,
    UndefinedMetricWarning,
    one_of,
    shown,
    warn,
)
from rocwalk.inference.distributions import check_level, quantile
from rocwalk.inference.resampling import (
    Plan,
    drawn_counts,
    existing,
    quantiles,
    run_blocks,
    spread_of,
)
from rocwalk.read.files import opened
from rocwalk.read.frames import Name
from rocwalk.read.text import TextFormat
from rocwalk.read.votes import Ballot, read_ballot, read_categories
from rocwalk.result import Result
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
from rocwalk.truth.rater_models import RaterModel, fit_raters, item_names, several
from rocwalk.typing import (
    AgreementLevel,
    AgreementMeasure,
    AgreementMethod,
    AnyArray,
    ArrayLike,
    Decimal,
    FloatArray,
    IntArray,
    Invalid,
    Thousands,
    VoteMethod,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Votes(Result):
    """The votes on each item and how far they agree; make one with `rocwalk.votes`.

    Attributes
    ----------
    ballot
        The votes.
    split_share
        The share of items whose votes differ, among the items with two votes or more.
    fleiss_kappa, krippendorff_alpha
        1 if all raters agree on every item, about 0 if they agree as by chance, below 0 if less;
        NaN if all votes are alike.
    """

    ballot: Ballot
    split_share: float
    fleiss_kappa: float
    krippendorff_alpha: float

    @property
    def items(self) -> AnyArray:
        """The items' names, or their rows in the data if they have none."""
        return self.ballot.items

    @property
    def raters(self) -> tuple[Any, ...] | None:
        """The raters' names; None if only counts are known."""
        return None if self.ballot.signed is None else self.ballot.signed.raters

    @property
    def truth(self) -> FloatArray:
        """The share of positive votes of each item."""
        return self.ballot.truth

    @property
    def positives(self) -> IntArray:
        """The number of positive votes of each item."""
        return self.ballot.positives

    @property
    def counts(self) -> IntArray:
        """The number of votes of each item."""
        return self.ballot.totals

    @property
    def sentence(self) -> str:
        """The votes in words."""
        low, high = int(self.counts.min()), int(self.counts.max())
        each = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        by = "" if self.raters is None else f" by {several(len(self.raters), 'rater')}"
        what = f"{several(int(self.counts.sum()), 'vote')}{by} on "
        said = f"{what}{several(len(self.items), 'item')}, {each} on each"
        if math.isnan(self.split_share):
            return f"{said}; no item has two votes that could be compared."
        kappa = _or_undefined("Fleiss' kappa", self.fleiss_kappa)
        alpha = _or_undefined("Krippendorff's alpha", self.krippendorff_alpha)
        return (
            f"{said}; {several(int((self.counts > 1).sum()), 'item')} with two votes or more, "
            f"{self.split_share:.1%} of them split, {kappa}, {alpha}."
        )

    def dawid_skene(
        self, *, max_iterations: int = 1000, tolerance: float = 1e-10, smoothing: float = 0.0
    ) -> RaterModel:
        """Return the truth under a model in which raters differ in skill, and each rater's rates.

        Item i is positive with probability π. Rater j votes positive on a positive item with
        probability aⱼ (sensitivity), and negative on a negative one with probability bⱼ
        (specificity); given the truth, votes are independent. EM starts from the share of positive
        votes and increases the likelihood in every iteration.

        Parameters
        ----------
        max_iterations, tolerance
            EM ends when the log-likelihood gains no more than `tolerance` times its size, or with
            a `FitWarning` after `max_iterations`.
        smoothing
            The number of imagined votes of either kind that are added for each rater and class;
            they keep rates away from 0 and 1 where votes are few.

        Nothing is flipped: the start from the votes keeps "positive" positive. If the fit ends with
        raters who are on average worse than chance (Σ(aⱼ + bⱼ − 1) < 0), `.sentence` mentions it.

        Raters who err alike break the model: items that are hard for all of them make it
        overconfident. Where no item has three votes, the votes do not identify the rates, and there
        is a `FitWarning`. The raters are taken as fixed: a study in which readers are a sample of
        all readers (multi-reader, multi-case) needs another method.

        An AUC against the fitted truth is not that of the latent labels, but of labels that are
        uncertain: where scores and votes are independent given the latent label,
        AUC − ½ = `.attenuation`·(latent AUC − ½). In 200 simulations of 400 items and three raters
        who are right in 90, 80 and 70 % of cases, a latent AUC of 0.855 gave 0.761 against the
        fitted truth, and the 95 % interval contained 0.855 in one of them (docs/truth.rst).

        References
        ----------
        Dawid & Skene (1979), Applied Statistics 28, 20-28, Eqs. 2.3-2.5.

        Examples
        --------
        >>> import rocwalk as rw
        >>> table = [[1, 1, 1], [1, 1, 0], [1, 1, 0], [0, 0, 0], [0, 0, 1], [0, 0, 0], [0, 1, 0]]
        >>> model = rw.votes(table).dawid_skene()
        >>> model.truth.round(3)
        array([1., 1., 1., 0., 0., 0., 0.])
        >>> model.sensitivity.round(3), model.specificity.round(3)
        (array([1.   , 1.   , 0.333]), array([1.  , 0.75, 0.75]))
        """
        return fit_raters(
            self.ballot, max_iterations=max_iterations, tolerance=tolerance, smoothing=smoothing
        )

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw how many items have which share of positive votes."""
        from rocwalk.truth.plot import draw_shares

        return draw_shares(self.truth, ax, **options)

    def _headline(self) -> dict[str, Any]:
        return {
            "n_items": len(self.items),
            "n_votes": int(self.counts.sum()),
            "n_raters": None if self.raters is None else len(self.raters),
            "split_share": self.split_share,
            "fleiss_kappa": self.fleiss_kappa,
            "krippendorff_alpha": self.krippendorff_alpha,
        }

    def _columns(self) -> dict[str, AnyArray]:
        return {
            "item": item_names(self.items),
            "truth": self.truth,
            "positives": self.positives,
            "counts": self.counts,
        }


def votes(
    data: ArrayLike,
    *,
    item: Name | None = None,
    rater: Name | None = None,
    vote: Name | None = None,
    positives: Name | None = None,
    totals: Name | None = None,
    raters: Sequence[Name] | None = None,
    pos_label: Any = None,
    invalid: Invalid = "raise",
    decimal: Decimal | None = None,
    thousands: Thousands | None = None,
    separator: str | None = None,
    encoding: str | None = None,
) -> Votes:
    """Return the votes of several raters, and how far they agree.

    Parameters
    ----------
    data
        A 2-D array, a list of rows, a dataframe, a dict of columns, or the path of a file. By
        default it has one row per item and one column per rater; NaN and null are gaps, where a
        rater did not vote.
    item, rater, vote
        Names of columns (positions in an array). All three: each row of the data is one vote;
        items and raters come in the order in which they first appear, and a rater who votes twice
        on an item is an error. `item` alone: the column of the items' names.
    positives, totals
        Names of columns: how many votes of each item are positive, and how many there are.
    raters
        The columns of votes, one for each rater, where there are other columns beside them.
    pos_label
        The vote that means "positive", when votes are not 0 and 1 or booleans. Exactly one other
        value may occur beside it.
    invalid
        An item without a vote is an error that names its row; "drop" leaves such items out, and
        votes without a name of the item or rater, with a `DroppedRowsWarning`.
    decimal, thousands
        For files of separated text: the sign before decimals ("." or ","), and the sign between
        thousands (``,`` ``.`` ``_`` ``'`` or a space), if there is one. By default numbers have a
        decimal point, or, where commas do not separate values, a decimal comma throughout; a file
        in which every comma could stand between thousands is refused.
    separator, encoding
        For files of separated text: the sign between values, by default found from the first lines,
        and the encoding, by default UTF-8, or UTF-16 with a byte-order mark.

    Returns
    -------
    Votes
        `.truth` is the share of positive votes of each item, as soft `y_true` for every function of
        rocwalk; an item has mass 1 there however many votes it has. `.split_share`,
        `.fleiss_kappa` and `.krippendorff_alpha` measure how far the raters agree, over the items
        with two votes or more; `.dawid_skene()` fits a model of raters who differ in skill.

    Kappa and alpha are NaN, with a warning, where all votes are alike. Kappa is Fleiss' with each
    item's own number of votes: items weigh alike in the observed agreement, votes alike in the
    agreement by chance.

    The raters are taken as fixed. A study in which readers are a sample of all readers
    (multi-reader, multi-case) needs another method.

    References
    ----------
    Fleiss (1971), Psychological Bulletin 76, 378-382; Krippendorff (2004), Human Communication
    Research 30, 411-433; Dawid & Skene (1979), Applied Statistics 28, 20-28.

    Examples
    --------
    >>> import rocwalk as rw
    >>> result = rw.votes({"ann": [1, 1, 0, 0], "bob": [1, 0, 0, None], "cy": [1, 1, 0, 0]})
    >>> result
    Votes(n_items=4, n_votes=11, n_raters=3, split_share=0.25, fleiss_kappa=0.663889, \
krippendorff_alpha=0.666667)
    >>> result.truth
    array([1.        , 0.66666667, 0.        , 0.        ])
    >>> long = {"case": ["x", "x", "y"], "reader": ["ann", "bob", "ann"], "said": ["+", "-", "+"]}
    >>> rw.votes(long, item="case", rater="reader", vote="said", pos_label="+").truth
    array([0.5, 1. ])
    >>> rw.votes({"yes": [3, 0], "of": [4, 5]}, positives="yes", totals="of").truth
    array([0.75, 0.  ])
    """
    form = TextFormat(decimal=decimal, thousands=thousands, separator=separator, encoding=encoding)
    with opened(data, form) as known:
        ballot = read_ballot(
            known,
            item=item,
            rater=rater,
            vote=vote,
            positives=positives,
            totals=totals,
            raters=raters,
            pos_label=pos_label,
            invalid=invalid,
        )
    return votes_of(ballot)


def votes_to_truth(
    votes: ArrayLike,
    *,
    method: VoteMethod = "mean",
    item: Name | None = None,
    rater: Name | None = None,
    vote: Name | None = None,
    positives: Name | None = None,
    totals: Name | None = None,
    pos_label: Any = None,
    invalid: Invalid = "raise",
    decimal: Decimal | None = None,
    thousands: Thousands | None = None,
    separator: str | None = None,
    encoding: str | None = None,
) -> FloatArray:
    """Return the probability that each item is positive, from the votes of several raters.

    Parameters
    ----------
    votes
        Votes in any form that `rocwalk.votes` takes, or what it returned.
    method
        "mean": the share of positive votes. "dawid-skene": the probability under a model in which
        each rater has a sensitivity and a specificity; see `Votes.dawid_skene`.
    item, rater, vote
        Names of columns (positions in an array). All three: each row of the data is one vote.
        `item` alone: the column of the items' names.
    positives, totals
        Names of columns: how many votes of each item are positive, and how many there are.
    pos_label
        The vote that means "positive"; needed unless votes are 0 and 1 or booleans.
    invalid
        "raise", or "drop" to leave out items without a vote, and votes without a name of the item
        or rater, with a warning.
    decimal, thousands
        For files of separated text: the sign before decimals ("." or ","), and the sign between
        thousands (``,`` ``.`` ``_`` ``'`` or a space), if there is one. By default numbers have a
        decimal point, or, where commas do not separate values, a decimal comma throughout; a file
        in which every comma could stand between thousands is refused.
    separator, encoding
        For files of separated text: the sign between values, by default found from the first lines,
        and the encoding, by default UTF-8, or UTF-16 with a byte-order mark.

    Returns
    -------
    ndarray
        One number in [0, 1] per item, in the order of the items, as soft `y_true`.

    References
    ----------
    Dawid & Skene (1979), Applied Statistics 28, 20-28.

    Examples
    --------
    >>> import rocwalk as rw
    >>> truth = rw.votes_to_truth([[1, 1, None], [1, 0, 1], [0, 0, 1], [0, 0, 0]])
    >>> truth
    array([1.        , 0.66666667, 0.33333333, 0.        ])
    >>> round(rw.roc(truth, [0.9, 0.6, 0.7, 0.2]).area, 6)
    0.833333
    """
    one_of("method", method, ("mean", "dawid-skene"))
    options = {
        "item": item,
        "rater": rater,
        "vote": vote,
        "positives": positives,
        "totals": totals,
        "pos_label": pos_label,
    }
    if not isinstance(votes, Votes):
        form = TextFormat(
            decimal=decimal, thousands=thousands, separator=separator, encoding=encoding
        )
        with opened(votes, form) as known:
            ballot = read_ballot(known, invalid=invalid, **options)
    else:
        options |= {
            "decimal": decimal,
            "thousands": thousands,
            "separator": separator,
            "encoding": encoding,
        }
        given = [name for name, value in options.items() if value is not None]
        if given:
            raise OptionError(
                "is for reading votes, but these have been read.",
                f"leave {given[0]} out, or pass the data themselves.",
                option=given[0],
                value=options[given[0]],
            )
        one_of("invalid", invalid, ("raise", "drop"))
        ballot = votes.ballot
    return ballot.truth if method == "mean" else fit_raters(ballot).truth


def votes_of(ballot: Ballot) -> Votes:
    """Return the votes with all summaries of agreement, and a warning where these are NaN."""
    counts = ballot.positives, ballot.totals
    found = Votes(ballot, split_share(*counts), fleiss_kappa(*counts), krippendorff_alpha(*counts))
    if math.isnan(found.split_share):
        words = "No item has two votes, so agreement is not defined."
        warn(UndefinedMetricWarning(words, "the share of positive votes is."))
    elif math.isnan(found.fleiss_kappa):
        words = (
            "All votes that could be compared are alike, so Fleiss' kappa and Krippendorff's alpha "
            "are not defined."
        )
        warn(UndefinedMetricWarning(words, "chance alone would agree as well."))
    return found


def split_share(positives: IntArray, totals: IntArray) -> float:
    """Return the share of items with 0 < kᵢ < nᵢ among those with nᵢ ≥ 2; NaN without one."""
    k, n = _comparable(positives, totals)
    return float(np.mean((k > 0) & (k < n))) if len(n) else math.nan


def fleiss_kappa(positives: IntArray, totals: IntArray) -> float:
    """Return Fleiss' κ of votes of two kinds: see `rocwalk.truth.chance_agreement`."""
    return _of_two_kinds("fleiss", positives, totals)


def krippendorff_alpha(positives: IntArray, totals: IntArray) -> float:
    """Return Krippendorff's nominal α of votes of two kinds."""
    return _of_two_kinds("krippendorff", positives, totals)


def _of_two_kinds(measure: str, positives: IntArray, totals: IntArray) -> float:
    """Return a coefficient of counts; NaN if no item has two votes or if all votes are alike."""
    counted = comparable(measure, _counted_of_ballot(positives, totals, None))
    if not len(counted.counts):
        return math.nan
    ones = np.ones((1, len(counted.counts)))
    return float(coefficients(measure, "nominal", counted, ones)[0])


def _counted_of_ballot(positives: IntArray, totals: IntArray, codes: IntArray | None) -> Counted:
    up, all_votes = positives.astype(np.float64), totals.astype(np.float64)
    return Counted(np.column_stack([all_votes - up, up]), codes, np.array([0.0, 1.0]))


def _comparable(positives: IntArray, totals: IntArray) -> tuple[IntArray, IntArray]:
    """Return the counts of the items with two votes or more."""
    several = totals >= 2
    return positives[several], totals[several]


def _or_undefined(name: str, value: float) -> str:
    return f"{name} undefined" if math.isnan(value) else f"{name} {value:.3f}"


# -- one coefficient with its interval -------------------------------------------------------------


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
        level = f"{100 * self.confidence_level:g} %"
        how = "closed form" if self.method == "closed" else "bootstrap over items"
        return (
            f"{title} {self.estimate:.3f}, {level} interval {self.low:.3f} to {self.high:.3f} "
            f"({on}; {how})."
        )

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the coefficient with its interval against agreement by chance."""
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
            "Fewer than two items have two votes, so agreement has no spread.",
            "agreement is about pairs of votes on the same items.",
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
        warn(UndefinedMetricWarning(words, "chance alone would agree as well."))
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
    given = [name for name, value in known.items() if value is not None]
    if given:
        raise OptionError(
            "is for reading votes, but these have been read.",
            f"leave {given[0]} out, or pass the data themselves.",
            option=given[0],
            value=known[given[0]],
        )
    one_of("invalid", invalid, ("raise", "drop"))
    ballot, matrix = votes.ballot, None
    if ballot.signed is not None:
        matrix = np.full((len(ballot.items), len(ballot.signed.raters)), -1)
        matrix[ballot.signed.item, ballot.signed.rater] = ballot.signed.vote
    counted = _counted_of_ballot(ballot.positives, ballot.totals, matrix)
    return counted, None if votes.raters is None else len(votes.raters), (0, 1)


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
