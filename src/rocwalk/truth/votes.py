"""Votes of several raters: the truth that they make, and how far they agree.

The truth of an item is its share of positive votes, or the mean of its ratings. The share of split
items, Fleiss' kappa and Krippendorff's alpha follow from counts; an item with fewer than two votes
has no pair of votes that could agree or not, and is left out of all three.

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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.checks import one_of
from rocwalk.errors import OptionError, UndefinedMetricWarning, warn
from rocwalk.read.ballots import Ballot
from rocwalk.read.frames import Name
from rocwalk.read.opening import opened
from rocwalk.read.scales import VoteRule
from rocwalk.read.text import TextFormat
from rocwalk.read.votes import read_ballot
from rocwalk.result import Result, numeral
from rocwalk.truth.chance_agreement import Counted, coefficients, comparable
from rocwalk.truth.rater_models import RaterModel, fit_raters, item_names, several
from rocwalk.typing import (
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
        NaN if all votes are alike. Alpha is nominal; of ratings without a cut it is the interval
        alpha, whose distances are those of the ratings.
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
        """The share of positive votes of each item; of ratings without a cut, the rescaled mean."""
        return self.ballot.truth

    @property
    def positives(self) -> AnyArray:
        """The number of positive votes of each item; of ratings without a cut, the rescaled sum."""
        return self.ballot.positives

    @property
    def counts(self) -> IntArray:
        """The number of votes of each item."""
        return self.ballot.totals

    @property
    def reading(self) -> str:
        """How votes became truth, in words; empty for votes of two kinds that weigh alike."""
        return self.ballot.words

    @property
    def alpha_title(self) -> str:
        """The name of the alpha that `krippendorff_alpha` is."""
        level = "interval " if self.ballot.scale.is_graded else ""
        return f"Krippendorff's {level}alpha"

    @property
    def sentence(self) -> str:
        """The votes in words, and how they became truth."""
        return f"{self._counted} {self.reading}".strip()

    @property
    def _counted(self) -> str:
        low, high = int(self.counts.min()), int(self.counts.max())
        each = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        by = "" if self.raters is None else f" by {several(len(self.raters), 'rater')}"
        what = f"{several(int(self.counts.sum()), 'vote')}{by} on "
        said = f"{what}{several(len(self.items), 'item')}, {each} on each"
        if math.isnan(self.split_share):
            return f"{said}; no item has two votes that could be compared."
        kappa = _or_undefined("Fleiss' kappa", self.fleiss_kappa)
        alpha = _or_undefined(self.alpha_title, self.krippendorff_alpha)
        return (
            f"{said}; {several(int((self.counts > 1).sum()), 'item')} with two votes or more, "
            f"{self.split_share:.1%} of them split, {kappa}, {alpha}."
        )

    def dawid_skene(
        self,
        *,
        max_iterations: int = 1000,
        tolerance: float = 1e-10,
        prior: Sequence[float] | Mapping[str, Sequence[float]] | None = None,
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
        prior
            (p, q) of a Beta prior of all rates, as in ``prior=(4, 2)``, or a mapping of
            "sensitivity" and "specificity" to such. It counts as p − 1 right and q − 1 wrong votes
            of each rater on a class, and keeps rates away from 0 and 1 where votes are few; rates
            are then modes of the posterior. None is maximum likelihood. `.sentence` says which.

        Weights of raters do not enter, and ratings need a cut.

        Nothing is flipped: the start from the votes keeps "positive" positive. If the fit ends with
        raters who are on average worse than chance (Σ(aⱼ + bⱼ − 1) < 0), `.sentence` mentions it.

        Raters who err alike break the model: items that are hard for all of them make it
        overconfident. Where no item has three votes, the votes do not identify the rates, and there
        is a `FitWarning`. There is another one, without a prior, if a rate comes from fewer than
        five votes on its class, or is 0 or 1 from fewer than twenty: hundreds of raters with eight
        votes each have rates of 0 and 1 by chance (`.weakly_identified` names them). In simulations
        of 300 such raters, five votes an item, the root mean squared error of the sensitivities was
        0.29 by maximum likelihood and 0.12 with ``prior=(4, 2)``. The raters are taken as fixed: a
        study in which readers are a sample of all readers (multi-reader, multi-case) needs another
        method.

        An AUC against the fitted truth is not that of the latent labels, but of labels that are
        uncertain: where scores and votes are independent given the latent label,
        AUC − ½ = `.attenuation`·(latent AUC − ½). In 200 simulations of 400 items and three raters
        who are right in 90, 80 and 70 % of cases, a latent AUC of 0.855 gave 0.761 against the
        fitted truth, and the 95 % interval contained 0.855 in one of them (docs/truth.rst).

        References
        ----------
        Dawid & Skene (1979), Applied Statistics 28, 20-28, Eqs. 2.3-2.5; Raykar et al. (2010),
        Journal of Machine Learning Research 11, 1297-1322, for the priors.

        Examples
        --------
        >>> import rocwalk as rw
        >>> kinds = [[1, 1, 1], [1, 1, 0], [1, 1, 0], [0, 0, 0], [0, 0, 1], [0, 0, 0], [0, 1, 0]]
        >>> model = rw.votes(kinds * 7).dawid_skene()
        >>> model.truth[:7].round(3)
        array([1., 1., 1., 0., 0., 0., 0.])
        >>> model.sensitivity.round(3), model.specificity.round(3)
        (array([1.   , 1.   , 0.333]), array([1.  , 0.75, 0.75]))
        """
        return fit_raters(
            self.ballot, max_iterations=max_iterations, tolerance=tolerance, prior=prior
        )

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw how many items have which share of positive votes, or which mean rating.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.truth.plot import draw_shares

        if self.ballot.scale.is_graded:
            options = {"xlabel": "Mean rating, rescaled"} | options
        return draw_shares(self.truth, ax, **options)

    def _headline(self) -> dict[str, Any]:
        return {
            "n_items": len(self.items),
            "n_votes": int(self.counts.sum()),
            "n_raters": None if self.raters is None else len(self.raters),
            "split_share": self.split_share,
            "fleiss_kappa": self.fleiss_kappa,
            "krippendorff_alpha": self.krippendorff_alpha,
            "reading": self.reading or None,
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
    cut: Any = None,
    scale: Sequence[Any] | None = None,
    rater_weight: Mapping[Any, float] | None = None,
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
        The vote that means "positive", when votes are not 0 and 1 or booleans. All other votes are
        negative: of several categories this is one against the rest, which `.sentence` says.
    cut
        For ratings: the lowest one that is a positive vote, as in ``cut=3``.
    scale
        The ends (low, high) of a scale of numbers, or all categories from the lowest to the
        highest; a vote outside it is an error. Without a cut the truth of an item is its mean
        rating, rescaled from the ends of the scale onto 0 to 1 (categories lie at equal distances).
        Three or more whole numbers in a row are taken for ratings from the lowest to the highest
        that occur, with a `RatingScaleWarning`; other numbers need a scale or a cut.
    rater_weight
        The weight of each rater's votes in the truth, as in ``{"ann": 2}``; 1 for the others. A
        rater of weight 0 is left out. Agreement is not weighted.
    invalid
        An item without a vote is an error that names its row; "drop" leaves such items out, and
        votes without a name of the item or rater, with a `DroppedRowsWarning`.
    decimal, thousands
        For files of separated text: the decimal separator ("." or ","), and the thousands
        separator (``,`` ``.`` ``_`` ``'`` or a space), if there is one. By default numbers have a
        decimal point, or, where commas do not separate values, a decimal comma throughout; a file
        in which every comma could stand between thousands is refused.
    separator, encoding
        For files of separated text: the separator of values, by default found from the first lines,
        and the encoding, by default UTF-8, or UTF-16 with a byte-order mark.

    Returns
    -------
    Votes
        `.truth` is the share of positive votes of each item, as soft `y_true` for every function of
        rocwalk; an item has mass 1 there however many votes it has. `.split_share`,
        `.fleiss_kappa` and `.krippendorff_alpha` measure how far the raters agree, over the items
        with two votes or more; `.dawid_skene()` fits a model of raters who differ in skill, and
        `.reading` says how votes other than 0 and 1 became truth.

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
    >>> ratings = [[1, 2], [4, 4], [3, 1]]
    >>> rw.votes(ratings, cut=3).truth, rw.votes(ratings, pos_label=4).truth
    (array([0. , 1. , 0.5]), array([0., 1., 0.]))
    >>> mean = rw.votes(ratings, scale=(1, 5))
    >>> mean.truth
    array([0.125, 0.75 , 0.25 ])
    >>> print(mean.reading)
    The votes are ratings without a cut: the truth of an item is its mean rating, rescaled from 1 \
to 5 onto 0 to 1.
    """
    rule = VoteRule(pos_label=pos_label, cut=cut, scale=scale, rater_weight=rater_weight)
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
            rule=rule,
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
    raters: Sequence[Name] | None = None,
    pos_label: Any = None,
    cut: Any = None,
    scale: Sequence[Any] | None = None,
    rater_weight: Mapping[Any, float] | None = None,
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
    raters
        The columns of votes, one for each rater, where there are other columns beside them.
    pos_label
        The vote that means "positive"; needed unless votes are 0 and 1 or booleans. All others are
        negative.
    cut
        For ratings: the lowest one that is a positive vote.
    scale
        The ends (low, high) of a scale of numbers, or all categories in their order. Without a cut
        the truth of an item is its mean rating, rescaled onto 0 to 1; see `rocwalk.votes`.
    rater_weight
        The weight of each rater's votes, 1 for raters without an entry. It does not enter
        method="dawid-skene".
    invalid
        "raise", or "drop" to leave out items without a vote, and votes without a name of the item
        or rater, with a warning.
    decimal, thousands
        For files of separated text: the decimal separator ("." or ","), and the thousands
        separator (``,`` ``.`` ``_`` ``'`` or a space), if there is one. By default numbers have a
        decimal point, or, where commas do not separate values, a decimal comma throughout; a file
        in which every comma could stand between thousands is refused.
    separator, encoding
        For files of separated text: the separator of values, by default found from the first lines,
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
    columns: dict[str, Any] = {"item": item, "rater": rater, "vote": vote, "raters": raters}
    columns |= {"positives": positives, "totals": totals}
    rule = {"pos_label": pos_label, "cut": cut, "scale": scale, "rater_weight": rater_weight}
    text = {
        "decimal": decimal,
        "thousands": thousands,
        "separator": separator,
        "encoding": encoding,
    }
    if not isinstance(votes, Votes):
        with opened(votes, TextFormat(**text)) as known:
            ballot = read_ballot(known, rule=VoteRule(**rule), invalid=invalid, **columns)
    else:
        refuse_reading(columns | rule | text, invalid)
        ballot = votes.ballot
    return ballot.truth if method == "mean" else fit_raters(ballot).truth


def refuse_reading(options: Mapping[str, Any], invalid: str) -> None:
    """Raise for options on how to read votes, which have no meaning once votes are read."""
    for name, value in options.items():
        if value is not None:
            raise OptionError(
                "is for reading votes, but these have been read.",
                f"leave {name} out, or pass the data themselves.",
                option=name,
                value=value,
            )
    one_of("invalid", invalid, ("raise", "drop"))


def votes_of(ballot: Ballot) -> Votes:
    """Return the votes with all summaries of agreement, and a warning where these are NaN."""
    counted = counted_votes(ballot)
    kappa = coefficient("fleiss", "nominal", counted)
    level = "interval" if ballot.scale.is_graded else "nominal"
    alpha = coefficient("krippendorff", level, counted)
    found = Votes(ballot, split_share(counted), kappa, alpha)
    if math.isnan(found.split_share):
        words = "No item has two votes, so agreement is not defined."
        warn(
            UndefinedMetricWarning(
                words, "the share of positive votes of each item is still defined."
            )
        )
    elif math.isnan(found.fleiss_kappa):
        words = (
            "All votes that could be compared are alike, so Fleiss' kappa and Krippendorff's alpha "
            "are not defined."
        )
        warn(UndefinedMetricWarning(words, "a coefficient needs votes of two categories or more."))
    return found


def counted_votes(ballot: Ballot) -> Counted:
    """Return votes as counts of each value of their scale, with the raters where they are known."""
    codes = None
    if ballot.signed is not None:
        codes = np.full((len(ballot.items), len(ballot.signed.raters)), -1)
        codes[ballot.signed.item, ballot.signed.rater] = ballot.signed.vote
    return Counted(ballot.counts, codes, ballot.scale.numbers)


def split_share(counted: Counted) -> float:
    """Return the share of items whose votes differ among those with two or more; NaN without."""
    counts = counted.counts[counted.counts.sum(axis=1) >= 2]
    return float(np.mean((counts > 0).sum(axis=1) > 1)) if len(counts) else math.nan


def coefficient(measure: str, level: str, counted: Counted) -> float:
    """Return a coefficient of counts; NaN if no item has two votes or if all votes are alike."""
    used = comparable(measure, counted)
    if not len(used.counts):
        return math.nan
    return float(coefficients(measure, level, used, np.ones((1, len(used.counts))))[0])


def _or_undefined(name: str, value: float) -> str:
    return f"{name} undefined" if math.isnan(value) else f"{name} {numeral(value)}"
