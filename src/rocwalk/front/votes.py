"""`rocwalk.votes`: what raters said, how far they agree, and the truth that follows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.errors import InputError, OptionError, one_of
from rocwalk.intake.frames import Name
from rocwalk.intake.votes import Ballot, SignedVotes, read_ballot
from rocwalk.measure.agreement import Agreement, agreement_of
from rocwalk.measure.dawid_skene import RaterFit, fit_raters
from rocwalk.result import Result, plain_value
from rocwalk.typing import AnyArray, ArrayLike, FloatArray, IntArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Votes(Result):
    """The votes on each item and how far they agree; make one with `rocwalk.votes`."""

    ballot: Ballot
    agreement: Agreement

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
    def split_share(self) -> float:
        """The share of items whose votes differ, among the items with two votes or more."""
        return self.agreement.split_share

    @property
    def fleiss_kappa(self) -> float:
        """Fleiss' kappa, over the items with two votes or more; NaN if all votes are alike."""
        return self.agreement.fleiss_kappa

    @property
    def krippendorff_alpha(self) -> float:
        """Krippendorff's alpha for nominal values; NaN if all votes are alike."""
        return self.agreement.krippendorff_alpha

    @property
    def sentence(self) -> str:
        """The votes in words."""
        by = "" if self.raters is None else f" by {_several(len(self.raters), 'rater')}"
        what = f"{_several(int(self.counts.sum()), 'vote')}{by} on "
        said = f"{what}{_several(len(self.items), 'item')}, {_range(self.counts)} on each"
        if math.isnan(self.split_share):
            return f"{said}; no item has two votes that could be compared."
        return (
            f"{said}; {_several(int((self.counts > 1).sum()), 'item')} with two votes or more, "
            f"{self.split_share:.1%} of them split, {_or_undefined('kappa', self.fleiss_kappa)}, "
            f"{_or_undefined('alpha', self.krippendorff_alpha)}."
        )

    def dawid_skene(
        self, *, max_iterations: int = 1000, tolerance: float = 1e-10, smoothing: float = 0.0
    ) -> RaterModel:
        """Return the truth that allows for raters of unlike skill, and each rater's rates.

        Item i is positive with probability π. Rater j says so of a positive item with probability
        aⱼ (sensitivity), denies it of a negative one with probability bⱼ (specificity), and given
        the truth votes are independent. EM starts from the share of positive votes and climbs the
        likelihood, which never falls.

        Parameters
        ----------
        max_iterations, tolerance
            EM ends when the log-likelihood gains no more than `tolerance` times its size, or with
            a `FitWarning` after `max_iterations`.
        smoothing
            So many imagined votes of either kind are added for each rater and each class, which
            keeps rates off 0 and 1 where votes are few.

        Nothing is flipped: the start from the votes keeps "positive" positive. If the fit ends with
        raters who are on average worse than chance (Σ(aⱼ + bⱼ − 1) < 0), `.sentence` says so.

        Raters who err alike break the model: items that are hard for all of them make it too sure
        of itself. Where no item has three votes the rates cannot be told from the votes, and a
        `FitWarning` says so. The raters are these raters: a study of readers who stand for all
        readers (multi-reader, multi-case) needs another method, in which readers are sampled too.

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
        fit = fit_raters(
            _signed(self.ballot),
            self.counts,
            max_iterations=max_iterations,
            tolerance=tolerance,
            smoothing=smoothing,
        )
        return RaterModel(self.ballot, fit)

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw how many items have which share of positive votes."""
        from rocwalk.draw.raters import draw_shares

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
            "item": _names(self.items),
            "truth": self.truth,
            "positives": self.positives,
            "counts": self.counts,
        }


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RaterModel(Result):
    """Dawid and Skene's model, fitted; make one with `Votes.dawid_skene`."""

    ballot: Ballot
    fit: RaterFit

    @property
    def items(self) -> AnyArray:
        """The items' names, or their rows in the data if they have none."""
        return self.ballot.items

    @property
    def raters(self) -> tuple[Any, ...]:
        """The raters' names."""
        return _signed(self.ballot).raters

    @property
    def truth(self) -> FloatArray:
        """For each item the probability that it is positive, given its votes."""
        return self.fit.truth

    @property
    def prevalence(self) -> float:
        """The share of positive items, π."""
        return self.fit.prevalence

    @property
    def sensitivity(self) -> FloatArray:
        """Each rater's probability of a positive vote on a positive item, aⱼ.

        NaN for a rater without a vote on a positive item (whose items' probabilities add up to less
        than 1e-9); so for `specificity` and negative items.
        """
        return self.fit.sensitivity

    @property
    def specificity(self) -> FloatArray:
        """Each rater's probability of a negative vote on a negative item, bⱼ."""
        return self.fit.specificity

    @property
    def votes(self) -> IntArray:
        """The number of votes that each rater has cast."""
        return self.fit.votes

    @property
    def log_likelihood(self) -> FloatArray:
        """The log-likelihood after each iteration, plus the smoothing's term if there is one."""
        return self.fit.log_likelihood

    @property
    def converged(self) -> bool:
        """Whether the last gain in log-likelihood was within the tolerance."""
        return self.fit.converged

    @property
    def sentence(self) -> str:
        """The model in words."""
        end = "settled" if self.converged else "had not settled"
        doubt = "" if self._skill >= 0 else " On average the raters are worse than chance."
        return (
            f"{_several(len(self.raters), 'rater')} on {_several(len(self.items), 'item')}: "
            f"{self.prevalence:.1%} of the items are positive, sensitivity "
            f"{_span(self.sensitivity)}, specificity {_span(self.specificity)} (Dawid-Skene, "
            f"{end} after {_several(len(self.log_likelihood), 'iteration')}).{doubt}"
        )

    @property
    def _skill(self) -> float:
        """Σ(aⱼ + bⱼ − 1) over the raters of whom both rates are known."""
        return float(np.nansum(self.sensitivity + self.specificity - 1.0))

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw each rater as a point in ROC space, (1 − specificity, sensitivity)."""
        from rocwalk.draw.raters import draw_raters

        return draw_raters(self.raters, self.sensitivity, self.specificity, ax, **options)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, with the truth by item and the likelihood by iteration."""
        more = {
            "item": _names(self.items),
            "truth": self.truth,
            "log_likelihood": self.log_likelihood,
        }
        return Result.to_dict(self) | {name: plain_value(column) for name, column in more.items()}

    def _headline(self) -> dict[str, Any]:
        return {
            "n_items": len(self.items),
            "n_raters": len(self.raters),
            "prevalence": self.prevalence,
            "final_log_likelihood": float(self.log_likelihood[-1]),
            "iterations": len(self.log_likelihood),
            "converged": self.converged,
        }

    def _columns(self) -> dict[str, AnyArray]:
        return {
            "rater": np.array([str(name) for name in self.raters]),
            "votes": self.votes,
            "sensitivity": self.sensitivity,
            "specificity": self.specificity,
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
    invalid: str = "raise",
) -> Votes:
    """Read the votes of several raters, and say how far they agree.

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

    Returns
    -------
    Votes
        `.truth` is the share of positive votes of each item, as soft `y_true` for every function of
        rocwalk; an item has mass 1 there however many votes it has. `.split_share`,
        `.fleiss_kappa` and `.krippendorff_alpha` say how far the raters agree, over the items with
        two votes or more; `.dawid_skene()` allows for raters of unlike skill.

    Kappa and alpha are NaN, with a warning, where all votes are alike. Kappa is Fleiss' with each
    item's own number of votes: items weigh alike in the observed agreement, votes alike in the
    agreement by chance.

    These are the votes of these raters. A study in which readers stand for all readers
    (multi-reader, multi-case) is another method; this is not one.

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
    ballot = read_ballot(
        data,
        item=item,
        rater=rater,
        vote=vote,
        positives=positives,
        totals=totals,
        raters=raters,
        pos_label=pos_label,
        invalid=invalid,
    )
    return Votes(ballot, agreement_of(ballot.positives, ballot.totals))


def votes_to_truth(
    votes: ArrayLike,
    *,
    method: str = "mean",
    item: Name | None = None,
    rater: Name | None = None,
    vote: Name | None = None,
    positives: Name | None = None,
    totals: Name | None = None,
    pos_label: Any = None,
    invalid: str = "raise",
) -> FloatArray:
    """Return the probability that each item is positive, from the votes of several raters.

    Parameters
    ----------
    votes
        Votes in any form that `rocwalk.votes` takes, or what it returned.
    method
        "mean": the share of positive votes. "dawid-skene": the probability under a model in which
        each rater has a sensitivity and a specificity; see `Votes.dawid_skene`.
    item, rater, vote, positives, totals, pos_label, invalid
        As for `rocwalk.votes`.

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
    ballot = _ballot(votes, invalid, options)
    if method == "mean":
        return ballot.truth
    return fit_raters(_signed(ballot), ballot.totals).truth


def _ballot(votes: Any, invalid: str, options: dict[str, Any]) -> Ballot:
    if not isinstance(votes, Votes):
        return read_ballot(votes, invalid=invalid, **options)
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise OptionError(
            f"{given[0]}={options[given[0]]!r} says how to read votes, but these are read.",
            f"leave {given[0]} out, or pass the data themselves.",
        )
    one_of("invalid", invalid, ("raise", "drop"))
    return votes.ballot


def _signed(ballot: Ballot) -> SignedVotes:
    if ballot.signed is None:
        raise InputError(
            "Dawid and Skene's model needs to know who voted, and counts do not say.",
            "pass one column per rater, or name the columns item, rater and vote.",
        )
    return ballot.signed


# -- words ---------------------------------------------------------------------------------------


def _names(items: AnyArray) -> AnyArray:
    """Return names as a column that every dataframe library takes."""
    return items if items.dtype.kind in "biufUM" else np.array([str(name) for name in items])


def _several(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'s' * (count != 1)}"


def _range(counts: IntArray) -> str:
    low, high = int(counts.min()), int(counts.max())
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _span(rates: FloatArray) -> str:
    known = rates[~np.isnan(rates)]
    if not len(known):
        return "undefined"
    low, high = f"{known.min():.3f}", f"{known.max():.3f}"
    return low if low == high else f"{low} to {high}"


def _or_undefined(name: str, value: float) -> str:
    return f"{name} undefined" if math.isnan(value) else f"{name} {value:.3f}"
