"""Dawid and Skene's model of raters: the probability of each item, and the rates of each rater.

Item i is positive with probability π. Rater j votes positive on a positive item with probability
aⱼ (sensitivity), negative on a negative one with probability bⱼ (specificity), each vote given
the truth independent of all others. The log-likelihood

    ℓ = Σᵢ log[π·Πⱼ aⱼ^v (1−aⱼ)^(1−v) + (1−π)·Πⱼ (1−bⱼ)^v bⱼ^(1−v)],

products over the votes v = vᵢⱼ of the item, is maximised by EM from the mean of the votes. With
Beta(p, q) priors of the rates ℓ has the additional terms (p − 1)·log a + (q − 1)·log(1 − a), and EM
finds the mode of the posterior.

References
----------
Dawid, Skene (1979). Maximum likelihood estimation of observer error-rates using the EM algorithm.
Applied Statistics 28, 20-28.
Raykar et al. (2010). Learning from crowds. Journal of Machine Learning Research 11, 1297-1322
(Beta priors of sensitivity and specificity, Section 2.5).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.checks import as_number, as_whole
from rocwalk.errors import FitWarning, InputError, Option, OptionError, warn
from rocwalk.methods import Methods, methods_of
from rocwalk.read.ballots import Ballot, SignedVotes
from rocwalk.result import Result, plain_value
from rocwalk.tally.tally import read_only
from rocwalk.typing import AnyArray, FloatArray, IntArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RaterModel(Result):
    """Dawid and Skene's model, fitted; make one with `Votes.dawid_skene`.

    Attributes
    ----------
    ballot
        The votes that it was fitted to.
    truth
        For each item the probability that it is positive, given its votes.
    prevalence
        π, the share of positive items.
    sensitivity
        aⱼ, each rater's probability of a positive vote on a positive item; NaN for a rater without
        a vote on a positive item, that is, whose items' probabilities add up to less than 1e-9.
    specificity
        bⱼ, each rater's probability of a negative vote on a negative item; NaN likewise.
    votes
        The number of votes that each rater has cast.
    positive_votes, negative_votes
        How much of them falls on positive, and on negative items: what a sensitivity, and a
        specificity, is estimated from.
    log_likelihood
        ℓ after each iteration, plus the priors' terms if there are any; it never falls.
    converged
        Whether the last gain in ℓ was within the tolerance.
    prior
        (p, q) of the Beta priors of sensitivities and of specificities; None for maximum
        likelihood.
    """

    ballot: Ballot
    truth: FloatArray
    prevalence: float
    sensitivity: FloatArray
    specificity: FloatArray
    votes: IntArray
    positive_votes: FloatArray
    negative_votes: FloatArray
    log_likelihood: FloatArray
    converged: bool
    prior: Priors | None = None

    def __post_init__(self) -> None:
        rates = ("sensitivity", "specificity", "votes", "positive_votes", "negative_votes")
        for name in ("truth", *rates, "log_likelihood"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    @property
    def items(self) -> AnyArray:
        """The items' names, or their rows in the data if they have none."""
        return self.ballot.items

    @property
    def raters(self) -> tuple[Any, ...]:
        """The raters' names."""
        return signed_votes(self.ballot).raters

    def methods(self) -> Methods:
        """Return how this was computed as a paragraph with citations; `.bibtex` has the entries."""
        by = "" if self.prior is None else f" with {self.estimate_words} [@raykar2010]"
        end = "" if self.converged else "; the iterations had not converged"
        return methods_of(
            f"The truth of {several(len(self.truth), 'item')} and the sensitivity and specificity "
            f"of {several(len(self.votes), 'rater')} were estimated by the model of Dawid and "
            f"Skene [@dawid1979]{by}{end}."
        )

    @property
    def weakly_identified(self) -> tuple[Any, ...]:
        """The raters with a rate from fewer than five votes, or of 0 or 1 from fewer than twenty.

        Votes on its class count. Raters without a vote have no rates and are not among them.
        """
        is_weak = np.zeros(len(self.raters), dtype=bool)
        known = (self.sensitivity, self.positive_votes), (self.specificity, self.negative_votes)
        for rates, mass in known:
            at_an_end = (rates < _END) | (rates > 1 - _END)
            is_weak |= (mass < FEW_VOTES) | (at_an_end & (mass < _FEW_AT_AN_END))
        is_weak &= self.votes > 0
        return tuple(name for name, weak in zip(self.raters, is_weak, strict=True) if weak)

    @property
    def estimate_words(self) -> str:
        """How the rates were estimated: by maximum likelihood, or with which priors."""
        if self.prior is None:
            return "maximum likelihood"
        (a, b), (c, d) = self.prior
        if self.prior[0] == self.prior[1]:
            return f"Beta({a:g}, {b:g}) priors"
        return f"Beta({a:g}, {b:g}) prior of sensitivity and Beta({c:g}, {d:g}) of specificity"

    @property
    def attenuation(self) -> float:
        """Var(truth) / (p(1 − p)) with the mean truth p: 1 where every item is certain.

        If the truths are calibrated, and scores and votes independent given the latent label, then
        AUC − ½ against this truth is this share of AUC − ½ against the latent labels. NaN where all
        items are positive, or none.
        """
        mean = float(self.truth.mean())
        most = mean * (1 - mean)
        return float(self.truth.var()) / most if most > 0 else math.nan

    @property
    def sentence(self) -> str:
        """The model in words."""
        end = "converged" if self.converged else "had not converged"
        skill = float(np.nansum(self.sensitivity + self.specificity - 1.0))
        doubt = "" if skill >= 0 else " On average the raters are worse than chance."
        steps, kept = several(len(self.log_likelihood), "iteration"), self.attenuation
        if kept < 1:
            doubt += (
                f" An AUC against this truth is not that of the latent labels: it keeps {kept:.2f} "
                "of the distance from one half if scores and votes are independent given the label."
            )
        return (
            f"{several(len(self.raters), 'rater')} on {several(len(self.items), 'item')}: "
            f"{self.prevalence:.1%} of the items are positive, sensitivity "
            f"{span(self.sensitivity)}, specificity {span(self.specificity)} (Dawid-Skene, "
            f"{self.estimate_words}, {end} after {steps}).{doubt}"
        )

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw each rater as a point in ROC space, (1 − specificity, sensitivity).

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.truth.plot import draw_raters

        return draw_raters(self.raters, self.sensitivity, self.specificity, ax, **options)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, with the truth by item and the likelihood by iteration."""
        more = {
            "item": item_names(self.items),
            "truth": self.truth,
            "log_likelihood": self.log_likelihood,
        }
        return Result.to_dict(self) | {name: plain_value(column) for name, column in more.items()}

    def _headline(self) -> dict[str, Any]:
        return {
            "n_items": len(self.items),
            "n_raters": len(self.raters),
            "prevalence": self.prevalence,
            "attenuation": self.attenuation,
            "final_log_likelihood": float(self.log_likelihood[-1]),
            "iterations": len(self.log_likelihood),
            "converged": self.converged,
            "prior": self.prior,
            "n_weakly_identified": len(self.weakly_identified),
        }

    def _columns(self) -> dict[str, AnyArray]:
        return {
            "rater": np.array([str(name) for name in self.raters]),
            "votes": self.votes,
            "positive_votes": self.positive_votes,
            "negative_votes": self.negative_votes,
            "sensitivity": self.sensitivity,
            "specificity": self.specificity,
        }


_ENOUGH_VOTES = 3
FEW_VOTES = 5  # on a class: a rate of fewer is weakly identified
_FEW_AT_AN_END = 20  # the same of a rate of 0 or 1
_END = 5e-4  # so near to 0 or 1 a rate is written as such
WEAK_PRIOR = (4, 2)  # as three right votes and a wrong one on each class
_NOTHING = 1e-9  # of a vote: EM comes near to none without reaching it

Shares = tuple[FloatArray, FloatArray]  # of the items: positive, negative
Rates = tuple[FloatArray, FloatArray]  # of both classes: the raters' probabilities of 0 and 1
Priors = tuple[tuple[float, float], tuple[float, float]]  # Beta's, of sensitivity and specificity


def fit_raters(
    ballot: Ballot,
    *,
    max_iterations: int = 1000,
    tolerance: float = 1e-10,
    prior: Sequence[float] | Mapping[str, Sequence[float]] | None = None,
) -> RaterModel:
    """Fit the model by EM, starting from the share of positive votes of each item.

    Parameters
    ----------
    ballot
        The votes on each item, with their raters.
    max_iterations, tolerance
        EM ends when ℓ gains no more than `tolerance` times its size, or with a `FitWarning` after
        `max_iterations`.
    prior
        (p, q) of a Beta prior of all rates, or a mapping of "sensitivity" and "specificity" to
        such; p and q are at least 1. It counts as p − 1 right and q − 1 wrong votes of each rater
        on a class.

    The start keeps the classes' names: nothing is flipped, even if the fit ends with raters who are
    worse than chance. Where no item has three votes, the votes do not identify the
    rates, and a `FitWarning` says that they depend on the start. Without a prior there is another
    one if a rater has a rate from fewer than five votes, or one of 0 or 1 from fewer than twenty.
    """
    hint = "EM needs at least one iteration; it usually settles within a few hundred."
    max_iterations = as_whole("max_iterations", max_iterations, 1, hint)
    if not 0 <= as_number("tolerance", tolerance) < np.inf:
        hint = "pass 0 or more."
        raise OptionError(
            "is not finite and at least 0.", hint, option="tolerance", value=tolerance
        )
    priors = None if prior is None else read_prior(prior)
    votes, totals = signed_votes(ballot), ballot.totals
    data = _Votes(votes.item, 2 * votes.rater + votes.vote, len(totals), len(votes.raters))
    voting = data.counts > 0
    truth = np.bincount(votes.item, votes.vote, len(totals)) / totals
    (p, q), (r, t) = ((1.0, 1.0), (1.0, 1.0)) if priors is None else priors
    # the votes 0 and 1 that the priors add on positive, and on negative items
    added = np.array([q - 1, p - 1]), np.array([r - 1, t - 1])
    shares, climb, converged = (truth, 1.0 - truth), list[float](), False
    while not converged and len(climb) < max_iterations:
        classes, rates = data.maximise(shares, added)
        shares, height = data.expect(classes, rates)
        for rate, votes_more in zip(rates, added, strict=True):
            for kind in np.flatnonzero(votes_more):  # else, where a rate is 0, 0·log 0 = 0
                height += float(votes_more[kind] * np.log(rate[voting, kind]).sum())
        climb.append(height)
        converged = len(climb) > 1 and climb[-1] - climb[-2] <= tolerance * abs(climb[-1])
    if not converged:
        words = f"EM has not converged after {len(climb):,} iterations."
        warn(FitWarning(words, "raise max_iterations, or the tolerance."))
    if totals.max() < _ENOUGH_VOTES:
        words = (
            "No item has three votes, so the rates are not identified: EM found one of many fits."
        )
        warn(FitWarning(words, "take the mean of the votes instead."))
    up, right = (data.by_rater(share).sum(axis=1) for share in shares)
    model = RaterModel(
        ballot,
        truth=shares[0],
        prevalence=classes[0],
        sensitivity=np.where(up < _NOTHING, np.nan, rates[0][:, 1]),
        specificity=np.where(right < _NOTHING, np.nan, rates[1][:, 0]),
        votes=data.counts,
        positive_votes=up,
        negative_votes=right,
        log_likelihood=np.array(climb),
        converged=converged,
        prior=priors,
    )
    weak = len(model.weakly_identified)
    if weak and priors is None:
        found = np.concatenate([model.sensitivity, model.specificity])
        words = (
            f"{weak:,} of {several(len(model.raters), 'rater')} {'has' if weak == 1 else 'have'} a "
            f"rate from fewer than {FEW_VOTES} votes on its class, or one of 0 or 1 from fewer "
            f"than {_FEW_AT_AN_END}: such rates (all reach from {span(found)}) are weakly "
            "identified."
        )
        hint = f"pass a Beta prior, as in prior={WEAK_PRIOR}; rocwalk.rater_table has intervals."
        warn(FitWarning(words, hint))
    return model


def read_prior(prior: Sequence[float] | Mapping[str, Sequence[float]]) -> Priors:
    """Return the (p, q) of both Beta priors, or raise unless each is two numbers from 1 on."""
    names = ("sensitivity", "specificity")
    given = prior if isinstance(prior, Mapping) else dict.fromkeys(names, prior)
    hint = "pass (p, q) such as (4, 2), or {'sensitivity': (p, q), 'specificity': (p, q)}."
    unknown = [name for name in given if name not in names]
    if unknown or not given:
        words = f"has {unknown[0]!r}." if unknown else "is empty."
        raise OptionError(words, hint, option="prior", value=prior)
    read = []
    for name in names:
        pair: Any = given.get(name, (1.0, 1.0))
        if isinstance(pair, str) or not hasattr(pair, "__len__") or len(pair) != 2:
            raise OptionError("is not two numbers.", hint, option="prior", value=prior)
        p, q = (as_number("prior", each) for each in pair)
        if not (1 <= p < math.inf and 1 <= q < math.inf):
            raise OptionError(
                "has a number below 1 or no finite one.",
                "(1, 1) is flat; p - 1 and q - 1 count as right and wrong votes.",
                option="prior",
                value=prior,
            )
        read.append((float(p), float(q)))
    return read[0], read[1]


@dataclass(frozen=True, slots=True)
class _Votes:
    """Votes as EM needs them; a cell 2j + v stands for rater j voting v."""

    item: IntArray
    cell: IntArray
    n_items: int
    n_raters: int

    @property
    def counts(self) -> IntArray:
        """How many votes each rater has cast."""
        return np.bincount(self.cell // 2, minlength=self.n_raters)

    def by_rater(self, shares: FloatArray) -> FloatArray:
        """Return for each rater how much of the votes 0 and 1 falls on items of these shares."""
        sums = np.bincount(self.cell, shares[self.item], 2 * self.n_raters)
        return np.asarray(sums, dtype=np.float64).reshape(-1, 2)

    def by_item(self, logs: FloatArray) -> FloatArray:
        """Return for each item the sum of the logarithms that its votes have in (rater, vote)."""
        sums = np.bincount(self.item, logs.ravel()[self.cell], self.n_items)
        return np.asarray(sums, dtype=np.float64)

    def maximise(self, shares: Shares, added: Rates) -> tuple[tuple[float, float], Rates]:
        """Return π, 1 − π and the rates, given the items (Dawid & Skene, Eqs. 2.3, 2.4).

        `added` are the votes of 0 and 1 that priors add on a class. A rater without votes on a
        class has NaN there.
        """
        rates = []
        for share, more in zip(shares, added, strict=True):
            weights = self.by_rater(share) + more
            total = weights.sum(axis=1, keepdims=True)
            rates.append(np.full_like(weights, np.nan))
            np.divide(weights, total, out=rates[-1], where=total > 0)
        up, right = (float(share.sum()) for share in shares)
        return (up / (up + right), right / (up + right)), (rates[0], rates[1])

    def expect(self, classes: tuple[float, float], rates: Rates) -> tuple[Shares, float]:
        """Return each item's probabilities of both classes, and ℓ (Dawid & Skene, Eq. 2.5).

        Where a rater has no votes on a class, the votes are taken to be as likely as in the other
        class, so that they do not count. No weight depends on that, so ℓ still rises.
        """
        known = [
            np.where(np.isnan(one), two, one) for one, two in zip(rates, rates[::-1], strict=True)
        ]
        with np.errstate(divide="ignore"):  # log 0 = −inf is meant: it rules the class out
            positive, negative = (
                self.by_item(np.log(rate)) + np.log(share)
                for rate, share in zip(known, classes, strict=True)
            )
        either = np.logaddexp(positive, negative)
        return (np.exp(positive - either), np.exp(negative - either)), float(either.sum())


def signed_votes(ballot: Ballot) -> SignedVotes:
    """Return the votes with their raters, or raise if only counts are known."""
    if ballot.signed is None:
        raise InputError(
            "Dawid and Skene's model needs to know who voted, which counts do not contain.",
            "pass one column per rater, or name the columns item, rater and vote.",
        )
    if ballot.scale.is_graded:
        raise InputError(
            "Dawid and Skene's model is of positive and negative votes, and these are ratings.",
            ("name the lowest positive rating with ", Option("cut"), "."),
        )
    return ballot.signed


def item_names(items: AnyArray) -> AnyArray:
    """Return names as a column that every dataframe library takes."""
    return items if items.dtype.kind in "biufUM" else np.array([str(name) for name in items])


def several(count: int, noun: str) -> str:
    """Return a count with its noun.

    >>> several(1, "vote"), several(1200, "item")
    ('1 vote', '1,200 items')
    """
    return f"{count:,} {noun}{'s' * (count != 1)}"


def span(rates: FloatArray) -> str:
    """Write the lowest and the highest of some rates.

    >>> span(np.array([0.5, np.nan, 0.75]))
    '0.500 to 0.750'
    """
    known = rates[~np.isnan(rates)]
    if not len(known):
        return "undefined"
    low, high = f"{known.min():.3f}", f"{known.max():.3f}"
    return low if low == high else f"{low} to {high}"
