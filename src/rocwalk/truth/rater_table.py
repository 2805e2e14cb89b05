"""Raters looked at one by one: each against the rest, and what each does to AUC_PRT.

Rater j is held against the others on the items that j and another rater voted on. With vᵢ the vote
of j on item i and gᵢ the share of positive votes of the others,

    sensitivity = Σ gᵢvᵢ / Σ gᵢ,  specificity = Σ (1 − gᵢ)(1 − vᵢ) / Σ (1 − gᵢ),
    κ = 1 − Σ(disagreement with another vote on the item) / Σ(disagreement by chance).

The sensitivity is the probability that j votes positive on an item on which another rater, drawn at
random, did. κ is Schouten's, of one rater with the others: Cohen's of two raters, and of ratings
without a cut the quadratically weighted one, with distances (x − y)² between worths x, y in [0, 1].

References
----------
Schouten (1982). Measuring pairwise interobserver agreement when all subjects are judged by the same
observers. Statistica Neerlandica 36, 45-61.
Vanbelle, Albert (2009). Agreement between an isolated rater and a group of raters. Statistica
Neerlandica 63, 82-100.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from rocwalk.checks import one_of
from rocwalk.errors import Argument, InputError, RocwalkError, UndefinedMetricWarning, lacking, warn
from rocwalk.inference.closed_forms import wilson
from rocwalk.inference.distributions import NOISE, check_level, quantile
from rocwalk.inference.influence import item_error
from rocwalk.inference.items import Items, cluster_codes
from rocwalk.inference.methods_words import level_words
from rocwalk.methods import Methods
from rocwalk.read.arrays import (
    as_array,
    check,
)
from rocwalk.read.ballots import Ballot, SignedVotes
from rocwalk.result import Result, estimated, numeral, plain_value
from rocwalk.tally.order import descending_order
from rocwalk.tally.tally import read_only
from rocwalk.truth.rater_models import several, span
from rocwalk.truth.truth_statistics import auc_prt_of_items, auc_prt_psi
from rocwalk.truth.votes import Votes
from rocwalk.truth.votes import votes as read_votes
from rocwalk.typing import AnyArray, ArrayLike, FloatArray, IntArray, RaterReference

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RaterEffect(Result):
    """What leaving each rater out does to the AUC_PRT of a model, from `rocwalk.rater_table`.

    Attributes
    ----------
    model
        The name of the model.
    auc_prt
        With the votes of all raters.
    raters
        Their names.
    without
        AUC_PRT without the votes of each rater in turn; NaN where the others leave one truth.
    change
        `without` − `auc_prt`.
    change_interval
        (low, high) of each change, one row a rater.
    """

    model: Any
    auc_prt: float
    raters: tuple[Any, ...]
    without: FloatArray
    change: FloatArray
    change_interval: FloatArray

    def __post_init__(self) -> None:
        for name in ("without", "change", "change_interval"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    @property
    def sentence(self) -> str:
        """The rater who changes most, in words."""
        if np.isnan(self.change).all():
            return f"{self.model}: AUC_PRT without a rater is undefined."
        place = int(np.nanargmax(np.abs(self.change)))
        ends = (self.change[place], *self.change_interval[place])
        change, low, high = (numeral(each, "+.3f") for each in ends)
        return (
            f"{self.model}: AUC_PRT {self.auc_prt:.3f} with all raters; it changes most without "
            f"{self.raters[place]}, by {change} ({low} to {high})."
        )

    def _headline(self) -> dict[str, Any]:
        return {"model": self.model, "auc_prt": self.auc_prt, "n_raters": len(self.raters)}

    def _columns(self) -> dict[str, AnyArray]:
        return {
            "rater": np.array([str(name) for name in self.raters]),
            "without": self.without,
            "change": self.change,
            "change_low": self.change_interval[:, 0],
            "change_high": self.change_interval[:, 1],
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RaterTable(Result):
    """Each rater against the rest; make one with `rocwalk.rater_table`.

    Attributes
    ----------
    raters
        Their names; all arrays have one entry, or one row (low, high), for each.
    reference
        What the rest is: "share" or "majority" of the other votes.
    votes
        How many votes the rater has cast.
    items
        On how many items the rater is held against others.
    positive_share
        The share of the rater's votes that are positive, or the mean rating on [0, 1].
    sensitivity, sensitivity_interval, specificity, specificity_interval
        Against the rest. NaN without positive, or without negative, votes of the rest, and of
        ratings without a cut.
    kappa, kappa_interval
        Agreement with the rest beyond chance; NaN where all votes are alike.
    confidence_level
        Of the intervals.
    effects
        For each model what leaving a rater out does to its AUC_PRT.
    """

    raters: tuple[Any, ...]
    reference: str
    votes: IntArray
    items: IntArray
    positive_share: FloatArray
    sensitivity: FloatArray
    sensitivity_interval: FloatArray
    specificity: FloatArray
    specificity_interval: FloatArray
    kappa: FloatArray
    kappa_interval: FloatArray
    confidence_level: float
    effects: tuple[RaterEffect, ...] = ()

    def __post_init__(self) -> None:
        for name in (*_ARRAYS, *(f"{rate}_interval" for rate in _RATES)):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    @property
    def sentence(self) -> str:
        """The raters in words: the range of their rates, and who agrees least with the rest."""
        rest = "share" if self.reference == "share" else "majority"
        said = f"{several(len(self.raters), 'rater')}, each against the {rest} of the others' votes"
        if not np.isnan(self.sensitivity).all() or not np.isnan(self.specificity).all():
            said += f": sensitivity {span(self.sensitivity)}, specificity {span(self.specificity)}"
        if np.isnan(self.kappa).all():
            return f"{said}; no agreement can be computed."
        place = int(np.nanargmin(self.kappa))
        low, high = self.kappa_interval[place]
        kappa = estimated(self.kappa[place], low, high, self.confidence_level)
        said += f"; {self.raters[place]} agrees least with the rest (Schouten's kappa {kappa})."
        return " ".join([said, *(effect.sentence for effect in self.effects)])

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw each rater as a point (1 − specificity, sensitivity) with intervals as a cross.

        Of ratings without a cut, which have no rates, draw each κ with its interval.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        if np.isnan(self.sensitivity).all():
            from rocwalk.inference.plot import draw_forest

            words = f"Schouten's kappa with the rest, {100 * self.confidence_level:g} % interval"
            rows = zip(self.raters, self.kappa, *self.kappa_interval.T, strict=True)
            lines = [(str(name), *map(float, numbers)) for name, *numbers in rows]
            return draw_forest(lines, words, ax, no_effect=0.0, **options)  # type: ignore[arg-type]
        from rocwalk.truth.plot import draw_raters

        ends = self.sensitivity_interval, self.specificity_interval
        return draw_raters(
            self.raters, self.sensitivity, self.specificity, ax, ends=ends, **options
        )

    def methods(self) -> Methods:
        """Return how this was computed as a paragraph with citations; `.bibtex` has the entries."""
        rest = "share" if self.reference == "share" else "majority"
        said = (
            f"Each of {several(len(self.raters), 'rater')} was held against the {rest} of the "
            "votes of the others by sensitivity and specificity, with Wilson's "
            f"{level_words(self.confidence_level)} intervals [@wilson1927], and by "
            "Schouten's kappa [@schouten1982]."
        )
        more = (
            "The change of AUC_PRT [@gredlics] without each rater has an interval by influence "
            "functions."
        )
        return Methods((said, more) if self.effects else (said,))

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, with what leaving each rater out does to each model."""
        return Result.to_dict(self) | {"effects": plain_value(self.effects)}

    def _headline(self) -> dict[str, Any]:
        return {
            "n_raters": len(self.raters),
            "reference": self.reference,
            "models": len(self.effects),
            "confidence_level": self.confidence_level,
        }

    def _columns(self) -> dict[str, AnyArray]:
        columns: dict[str, AnyArray] = {
            "rater": np.array([str(name) for name in self.raters]),
            "votes": self.votes,
            "items": self.items,
            "positive_share": self.positive_share,
        }
        for rate in _RATES:
            columns[rate] = getattr(self, rate)
            columns[f"{rate}_low"], columns[f"{rate}_high"] = getattr(self, f"{rate}_interval").T
        for effect in self.effects:
            columns[f"auc_prt_without:{effect.model}"] = effect.without
        return columns


_RATES = ("sensitivity", "specificity", "kappa")
_ARRAYS = ("votes", "items", "positive_share", *_RATES)


def rater_table(
    votes: ArrayLike,
    scores: Mapping[Any, ArrayLike] | ArrayLike = None,
    *,
    reference: RaterReference = "share",
    cluster: ArrayLike = None,
    confidence_level: float = 0.95,
) -> RaterTable:
    """Return each rater against the rest, with intervals, and what each does to AUC_PRT.

    Parameters
    ----------
    votes
        What `rocwalk.votes` returned, or votes that it reads without further options: one row per
        item, one column per rater.
    scores
        A dict from the name of each model to its scores, one for each item in the order of the
        votes; or the scores of one model. The table then says what leaving a rater out does to
        their AUC_PRT.
    reference
        What a rater is held against. "share": the share of positive votes of the others, so that an
        item on which they are split counts partly as positive and partly as negative. "majority":
        what more of the others say; items on which they are even are left out.
    cluster
        The unit that each item belongs to, such as a patient, in the order of the votes.
    confidence_level
        Between 0 and 1.

    Returns
    -------
    RaterTable
        `.raters .votes .items .sensitivity .specificity .kappa`, each rate with its intervals, and
        `.effects`, one for each model.

    The rest is no gold standard. Where the others are split, no rater reaches a sensitivity and a
    specificity of 1 against their share; raters who err alike agree with each other. Intervals of
    sensitivity and specificity are Wilson's with the effective number of items, the smaller one of
    Kish's (Σg)²/Σg² and s(1 − s)/V, where V is the variance of the ratio s over items; with
    clusters it is the second, with V over clusters. Those of κ are of the delta method, and those
    of changes of AUC_PRT by influence functions. Over m clusters Student's quantile with m − 1
    degrees of freedom takes the place of the normal one. With 30 items the interval of κ at 95 %
    holds the value of many items in 92.7 % of samples, with 100 in 94.7 % (docs/coverage.json).
    AUC_PRT itself depends on the number of
    raters, and all values without a rater have one rater less: compare raters with each other
    rather than with 0. An item on which nobody else voted has no truth without the rater, and is
    left out there.

    Weights of raters enter the share of the others and the truth. The raters are taken as fixed.

    References
    ----------
    Schouten (1982), Statistica Neerlandica 36, 45-61; Vanbelle & Albert (2009), Statistica
    Neerlandica 63, 82-100; Wilson (1927), Journal of the American Statistical Association 22,
    209-212.

    Examples
    --------
    >>> import rocwalk as rw
    >>> table = {
    ...     "ann": [1, 1, 1, 0, 0, 0, 1, 0], "bob": [1, 1, 0, 0, 0, 0, 1, 1],
    ...     "cy": [1, 1, 1, 0, 0, 1, 1, 0], "dan": [0, 1, 0, 1, 0, 1, 0, 1],
    ... }
    >>> found = rw.rater_table(table, {"net": [0.9, 0.8, 0.6, 0.3, 0.1, 0.4, 0.7, 0.2]})
    >>> found.sensitivity.round(3)
    array([0.615, 0.615, 0.75 , 0.385])
    >>> found.effects[0].without.round(3)
    array([0.862, 0.966, 0.867, 0.977])
    >>> print(found.effects[0].sentence)
    net: AUC_PRT 0.951 with all raters; it changes most without ann, by −0.089 (−0.238 to +0.060).
    """
    one_of("reference", reference, get_args(RaterReference))
    level = check_level(confidence_level)
    read = votes if isinstance(votes, Votes) else read_votes(votes)
    codes: IntArray | None = None
    if cluster is not None:
        codes = cluster_codes(cluster, check(read.truth, read.truth, truth="soft"))
    models: Mapping[Any, ArrayLike] = {}
    if scores is not None:
        models = scores if isinstance(scores, Mapping) else {"model": scores}
    names = {} if isinstance(scores, Mapping) else {"scores['model']": Argument("scores")}
    try:
        with lacking("invalid"):
            return table_of(read.ballot, models, reference, codes, level)
    except RocwalkError as error:
        raise error.at(names=names) from None


def table_of(
    ballot: Ballot,
    models: Mapping[Any, ArrayLike],
    reference: str,
    cluster: IntArray | None,
    level: float,
) -> RaterTable:
    """Return each rater of clean votes against the rest; `cluster` numbers that of each item."""
    signed = ballot.signed
    if signed is None or len(signed.raters) < 2:
        words = "to know who voted, which counts do not contain" if signed is None else "two raters"
        raise InputError(
            f"Raters one by one need {words}.",
            "pass one column per rater, or name the columns item, rater and vote.",
        )
    is_graded = ballot.scale.is_graded
    worth = np.array(ballot.scale.worth)[signed.vote]
    weight = np.ones(len(signed.raters)) if ballot.rater_weights is None else ballot.rater_weights
    others = _Others.of(signed, worth, weight, len(ballot.items))
    order = np.argsort(signed.rater, kind="stable")
    ends = np.cumsum(np.bincount(signed.rater, minlength=len(signed.raters)))
    by_rater = np.split(order, ends[:-1])  # the places of each rater's votes
    rows = []
    for own in by_rater:
        held = own[others.count[own] > 0]
        v, g, squares = worth[held], others.share[held], others.squares[held]
        if reference == "majority" and not is_graded:
            decided = np.abs(g - 0.5) > NOISE
            held, v = held[decided], v[decided]
            g = squares = np.round(g[decided])
        units = None if cluster is None else cluster[signed.item[held]]
        rates = [_UNKNOWN, _UNKNOWN]
        if not is_graded:
            rates = [_rate(g, v, units, level), _rate(1 - g, 1 - v, units, level)]
        share = float(worth[own].mean()) if len(own) else math.nan
        rows.append((len(own), len(held), share, *rates, _kappa(v, g, squares, units, level)))
    counts, items, shares, sensitivity, specificity, kappa = zip(*rows, strict=True)
    found = [np.array(each) for each in (sensitivity, specificity, kappa)]
    if not is_graded:
        _warn_undefined(signed.raters, found[0], found[1])
    return RaterTable(
        raters=signed.raters,
        reference=reference,
        votes=np.array(counts),
        items=np.array(items),
        positive_share=np.array(shares),
        sensitivity=found[0][:, 0],
        sensitivity_interval=found[0][:, 1:],
        specificity=found[1][:, 0],
        specificity_interval=found[1][:, 1:],
        kappa=found[2][:, 0],
        kappa_interval=found[2][:, 1:],
        confidence_level=level,
        effects=tuple(
            _effect(name, ballot, (worth, weight), by_rater, column, cluster, level)
            for name, column in models.items()
        ),
    )


_DIGITS = 12  # of a truth by weights or ratings

Estimate = tuple[float, float, float]  # with both ends of its interval
_UNKNOWN: Estimate = (math.nan, math.nan, math.nan)


@dataclass(frozen=True, slots=True)
class _Others:
    """For each vote: how many others there are on its item, their share, their mean square."""

    count: IntArray
    share: FloatArray
    squares: FloatArray

    @classmethod
    def of(
        cls, signed: SignedVotes, worth: FloatArray, weight: FloatArray, n_items: int
    ) -> _Others:
        """Return what the other raters said on the item of each vote; NaN where there is nobody."""
        own = weight[signed.rater]
        count = np.bincount(signed.item, minlength=n_items)[signed.item] - 1
        means = []
        for values in (worth, worth**2):
            total = np.bincount(signed.item, own * values, n_items)[signed.item] - own * values
            mass = np.bincount(signed.item, own, n_items)[signed.item] - own
            mean = np.full(len(own), np.nan)
            np.divide(total, mass, out=mean, where=count > 0)
            means.append(np.clip(mean, 0.0, 1.0))
        return cls(count, means[0], means[1])


def _quantile(level: float, units: IntArray | None) -> float:
    """Return the normal quantile of a level; over m clusters Student's with m − 1."""
    return quantile(0.5 + level / 2, None if units is None else max(len(np.unique(units)) - 1, 1))


def _rate(g: FloatArray, v: FloatArray, units: IntArray | None, level: float) -> Estimate:
    """Return Σgv/Σg with Wilson's interval of the effective number of items.

    It is the smaller one of (Σg)²/Σg² and s(1 − s)/V, over clusters the second; of a rate of 0 or
    1, which has no variance, the first over units.
    """
    mass = float(g.sum())
    if not mass > NOISE:
        return _UNKNOWN
    rate = min(float((g * v).sum()) / mass, 1.0)
    items = Items(g, 1 - g, v, units)
    variance = item_error(items, g * (v - rate) / mass) ** 2
    count = mass**2 / float((items.by_unit(g) ** 2).sum())
    if variance > NOISE:
        by_spread = rate * (1 - rate) / variance
        count = min(count, by_spread) if units is None else by_spread
    low, high = wilson(rate, count, _quantile(level, units))
    return rate, low, high


def _kappa(
    v: FloatArray, g: FloatArray, squares: FloatArray, units: IntArray | None, level: float
) -> Estimate:
    """Return κ = 2C/D with C = cov(v, g), D the disagreement by chance; delta method over items.

    `squares` is the mean of the others' squares: D = E(v²) + E(squares) − 2·E(v)E(g).
    """
    n = len(v)
    if n < 2:
        return _UNKNOWN
    both = v.mean() * g.mean()
    covariance = float((v * g).mean() - both)
    chance = float((v**2).mean() + squares.mean() - 2 * both)
    if not chance > NOISE:
        return _UNKNOWN
    kappa = 2 * covariance / chance
    margins = v * g.mean() + v.mean() * g
    psi = 2 * (v * g - margins) - kappa * (v**2 + squares - 2 * margins)
    psi = (psi - psi.mean()) / chance / n
    reach = _quantile(level, units) * item_error(Items(v, g, v, units), psi)
    return kappa, max(kappa - reach, -1.0), min(kappa + reach, 1.0)


def _effect(
    name: Any,
    ballot: Ballot,
    weighed: tuple[FloatArray, FloatArray],
    by_rater: list[IntArray],
    scores: ArrayLike,
    cluster: IntArray | None,
    level: float,
) -> RaterEffect:
    """Return AUC_PRT with all raters and without each, and the change with its interval.

    `weighed` are what each vote is worth and what a vote of each rater weighs.
    """
    assert ballot.signed is not None
    (worth, weight), signed, n = weighed, ballot.signed, len(ballot.items)
    known = {"score_name": name, "is_share_of_votes": True, "with_advice": False}
    argument = f"scores[{name!r}]"
    column = as_array(scores, argument)
    if len(column) != n:
        raise InputError(
            f"has {len(column):,} rows, but there are votes on {n:,} items.",
            "pass one score for each item, in the order of the items in the votes.",
            argument=argument,
        )
    try:
        sample = check(ballot.truth, column, truth="soft", **known)
    except RocwalkError as error:
        raise error.at(subject=Argument(argument)) from None
    added = worth * weight[signed.rater]
    up = np.bincount(signed.item, added, n).astype(np.float64, copy=False)
    mass = np.bincount(signed.item, weight[signed.rater], n).astype(np.float64, copy=False)
    count = np.bincount(signed.item, minlength=n)
    z = _quantile(level, cluster)
    is_exact = ballot.rater_weights is None and not ballot.scale.is_graded
    order = descending_order(sample.scores)
    truth = up / mass
    whole = Items(truth, 1 - truth, sample.scores, cluster, order)
    estimate = auc_prt_of_items(whole)
    psi = np.full(n, math.nan) if math.isnan(estimate) else auc_prt_psi(whole)
    without = np.full(len(signed.raters), math.nan)
    ends = np.full((len(without), 2), math.nan)
    for j, own in enumerate(by_rater):
        mine = signed.item[own]
        rest, rest_mass, left = up.copy(), mass.copy(), count.copy()
        rest[mine] -= added[own]
        rest_mass[mine] -= weight[j]
        left[mine] -= 1
        kept = left > 0
        if not kept.any():
            continue
        truth = np.clip(rest[kept] / rest_mass[kept], 0.0, 1.0)
        if not is_exact:  # the same truths, whatever the order of sums
            truth = np.round(truth, _DIGITS)
        items = Items(truth, 1 - truth, sample.scores[kept], order=order if kept.all() else None)
        without[j] = auc_prt_of_items(items)
        if not math.isnan(without[j]):
            change = -psi
            change[kept] += auc_prt_psi(items)
            middle, reach = without[j] - estimate, z * item_error(whole, change)
            ends[j] = middle - reach, middle + reach
    return RaterEffect(
        model=name,
        auc_prt=estimate,
        raters=signed.raters,
        without=without,
        change=without - estimate,
        change_interval=ends,
    )


def _warn_undefined(
    raters: tuple[Any, ...], sensitivity: FloatArray, specificity: FloatArray
) -> None:
    """Warn of raters whose rates are NaN because the rest never votes positive, or negative."""
    for rates, noun in ((sensitivity, "sensitivity"), (specificity, "specificity")):
        lost = [str(name) for name, row in zip(raters, rates, strict=True) if math.isnan(row[0])]
        if lost:
            kind = "positive" if noun == "sensitivity" else "negative"
            names = ", ".join(lost[:3]) + (f" and {len(lost) - 3:,} more" if len(lost) > 3 else "")
            words = (
                f"The {noun} of {names} is not defined: no other rater votes {kind} on their items."
            )
            warn(
                UndefinedMetricWarning(
                    words, "leave such raters out, or collect more votes on their items."
                )
            )
