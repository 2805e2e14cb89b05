"""Numbers at a point of the curve: a rate, F1, gains, lift, the net benefit, an expected cost.

The point is named by a threshold, or by its FPR, its TPR or its rate of calls ρ. A number there is
N = Σ a·S, a sum of shares S of the confusion matrix, such as TP/(TP + FN).

**Limits.** At a threshold c that does not depend on the data, each share has Wilson's limits. Where
the point is named by g, the FPR, TPR or rate of calls, the threshold is found in the data: the
threshold c with the true g₀ has the share g in the sample, which spreads about g₀ with the variance
g₀(1 − g₀)/n, so that it lies on the sample's curve between g₀ ± z·√{g₀(1 − g₀)/n}. What N is at
these two ends are the limits of a further term. The distances d from N to the limits of its terms
are combined by the method of variance estimates recovery (MOVER; Zou & Donner 2008), with the
correlations r of the terms: √{Σ r·d·d}. Nothing is differentiated, so no bandwidth is chosen. At an
FPR or a TPR the terms are the other rate, with limits of this kind, and the prevalence.

Of clusters, variances and correlations are those of the sums over clusters, Wilson's limits take
the number of independent items n = S(1 − S)/V(S) that a share S is worth (Kish 1965; Korn &
Graubard 1998), and the quantile is Student's. So it is of soft truth, with the variance over items:
a share of truths spreads less than one of labels.

**Influence.** ψ = ∂N − λ·∂g over the cells of the confusion matrix, where λ is the slope of N along
the curve between the same two ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from rocwalk.curves.choices import Costs
from rocwalk.curves.operating_points import (
    OperatingPoint,
    point_at_fpr,
    point_at_rate,
    point_at_threshold,
    point_at_tpr,
    rates_of_calls,
)
from rocwalk.errors import OneClassError, OptionError
from rocwalk.inference.closed_forms import Limited, rows_above, wilson
from rocwalk.inference.distributions import NOISE, above, normal_quantile, quantile
from rocwalk.inference.influence import Influence
from rocwalk.inference.items import Evidence, Items
from rocwalk.statistic import ANY, POSITIVE, UNIT, Share, Statistic, register
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import check_rate, index_at, refuse_buckets, walk_of
from rocwalk.typing import FloatArray, Range

POINTS = ("threshold", "fpr", "tpr", "rate")
CELLS = ("tp", "fp", "fn", "tn")
NAMED_BY = {
    "fpr": Share(("fp",), ("tn",)),
    "tpr": Share(("tp",), ("fn",)),
    "rate": Share(("tp", "fp"), ("fn", "tn")),
}
Terms = tuple[tuple[float, Share], ...]  # of a·S
TermsOf = Callable[..., Terms]  # for the values of the keywords


def point_of_tally(tally: Tally, **at: float) -> OperatingPoint:
    """Return the point that a threshold, an FPR, a TPR or a rate names."""
    ((name, value),) = at.items()
    walk = walk_of(tally)
    if name == "threshold":
        return point_at_threshold(walk, value)
    refuse_buckets(tally, f"A number at a given {name}")
    return {"fpr": point_at_fpr, "tpr": point_at_tpr, "rate": point_at_rate}[name](walk, value)


@dataclass(frozen=True, eq=False)
class Place:
    """The place of a point on the walk of a tally: so many rows are above it, the last in part.

    `items` are those of clusters.
    """

    tally: Tally
    above: float
    items: Items | None = None

    @cached_property
    def parts(self) -> FloatArray:
        """The part of each row that is above."""
        return np.clip(self.above - np.arange(len(self.tally)), 0.0, 1.0)

    def _split(self, mass: Any) -> Range:
        inside = float((self.parts * mass).sum())
        return inside, float(mass.sum()) - inside

    @cached_property
    def masses(self) -> FloatArray:
        """The masses of the four cells, in the order of `CELLS`."""
        (tp, fn), (fp, tn) = self._split(self.tally.up), self._split(self.tally.right)
        return np.array([tp, fp, fn, tn])

    @cached_property
    def moments(self) -> FloatArray:
        """Σ of the products of the masses that an item, or a cluster, has in each two cells."""
        if self.items is None:
            return self._item_moments
        count = self._sums.shape[1]
        found: FloatArray = self._sums @ self._sums.T * (count / max(count - 1, 1))
        return found

    @cached_property
    def _sums(self) -> FloatArray:
        """The masses of the four cells in each cluster, one row for each cell."""
        assert self.items is not None
        part, items = self.parts[self.items.rows], self.items
        masses = [each * mass for each in (part, 1 - part) for mass in (items.up, items.right)]
        return np.array([items.by_unit(mass) for mass in masses])

    @cached_property
    def _item_moments(self) -> FloatArray:
        (tp, fn), (fp, tn), (up, down) = (
            self._split(each)
            for each in (self.tally.up_squared, self.tally.right_squared, self.tally.up_right)
        )
        found = np.diag([tp, fp, fn, tn])
        found[0, 1] = found[1, 0] = up
        found[2, 3] = found[3, 2] = down
        return found

    def share(self, share: Share) -> tuple[float, float]:
        """Return the plain share of the hits, and the number of items that it is one of (Kish).

        Of clusters that of as many independent items as have its variance, but no more than there
        are; without variance, as of a share of 0 or 1, the number of clusters that have such items.
        Of soft truth that of as many labels as have its variance.
        """
        hit, counted = (
            np.array([float(cell in cells) for cell in CELLS])
            for cells in (share.hits, share.hits + share.misses)
        )
        mass = float(counted @ self.masses)
        if not mass > 0:
            raise OneClassError("No item counts at this point.", "choose another one.")
        plain = min(float(hit @ self.masses) / mass, 1.0)
        count = mass**2 / float(counted @ self._item_moments @ counted)
        own, of_labels = (hit - plain * counted) / mass, plain * (1 - plain)
        if self.items is not None:
            variance, units = self.covariance(own, own), float(np.sum(counted @ self._sums > 0))
            count = min(of_labels / variance if variance > 0 else units, count)
        elif self.is_soft and count > 1:
            variance = self.covariance(own, own) * count / (count - 1)
            if variance * count > NOISE * of_labels:  # else all truths are alike
                count = of_labels / variance
        return plain, count

    @cached_property
    def is_soft(self) -> bool:
        """Whether some item is neither wholly positive nor wholly negative."""
        return Evidence(self.tally).is_soft

    def limits(self, share: Share, z: float) -> Range:
        """Return Wilson's limits of a share.

        Of soft truth with Student's quantile in place of the normal z, and the effective number of
        the items that count, minus one, as degrees of freedom.
        """
        plain, count = self.share(share)
        if self.items is None and self.is_soft:
            counted = np.array([float(cell in share.hits + share.misses) for cell in CELLS])
            items = float(counted @ self.masses) ** 2 / float(counted @ self.moments @ counted)
            z = quantile(1 - above(z, None), max(items - 1, 1.0))
        return wilson(plain, count, z)

    def gradient(self, share: Share) -> FloatArray:
        """Return the derivatives of a share by the masses of the cells."""
        plain, _ = self.share(share)
        counted = share.hits + share.misses
        mass = sum(float(self.masses[CELLS.index(cell)]) for cell in counted)
        each = [
            0.0 if cell not in counted else (1.0 if cell in share.hits else 0.0) - plain
            for cell in CELLS
        ]
        return share.slope(plain) * np.array(each) / mass

    def covariance(self, one: FloatArray, other: FloatArray) -> float:
        """Return the covariance of two numbers with these derivatives."""
        return float(one @ self.moments @ other)


def place_of(tally: Tally, items: Items | None = None, **at: float) -> Place:
    """Return the place of a point on the walk; `items` are those of clusters."""
    ((name, value),) = at.items()
    walk = walk_of(tally)
    if name == "threshold":
        sure, possible = rows_above(tally, value)
        if sure < possible:
            refuse_buckets(tally, "A number at a threshold inside a bucket")
        return Place(tally, float(index_at(walk, np.asarray(value))), items)
    refuse_buckets(tally, f"A number at a given {name}")
    along, value = _along(tally, name), check_rate(name, value)
    if name == "tpr":  # the first of the points that have this TPR, else the last
        after = int(np.searchsorted(along, value, side="left"))
        before = after if along[after] == value else after - 1
    else:
        before = int(np.searchsorted(along, value, side="right")) - 1
    if before + 1 >= len(along):
        return Place(tally, float(before), items)
    gap = float(along[before + 1] - along[before])
    part = (value - float(along[before])) / gap if gap > 0 else 0.0
    return Place(tally, before + part, items)


def _along(tally: Tally, name: str) -> FloatArray:
    """Return the FPR, the TPR or the rate of calls at the points of the walk."""
    walk = walk_of(tally)
    return {"fpr": walk.fpr, "tpr": walk.tpr}[name] if name != "rate" else rates_of_calls(walk)


def _value(masses: FloatArray, terms: Terms) -> float:
    """Return Σ a·S; NaN where a share has no item."""
    total, mass_of = 0.0, dict(zip(CELLS, masses.tolist(), strict=True))
    for factor, share in terms:
        hits = share.worth * sum(mass_of[cell] for cell in share.hits)
        whole = hits + sum(mass_of[cell] for cell in share.misses)
        total += factor * hits / whole if whole > 0 else math.nan
    return total


@dataclass(frozen=True, slots=True)
class Location:
    """Where the named point may lie: what the number is at both ends, and its slope over g."""

    ends: Range
    slope: float


def _location(place: Place, terms: Terms, name: str, value: float, z: float) -> Location:
    """Return N at the ends g₀ ∓ z·√{g₀(1 − g₀)/n} of the curve, and the slope between them.

    The curve is the line through the middles of its points of one g: a step may be anywhere in the
    gap between two scores.
    """
    _, count = place.share(NAMED_BY[name])
    reach = z * math.sqrt(value * (1 - value) / count)
    ends = np.array([max(value - reach, 0.0), min(value + reach, 1.0)])
    walk, along = walk_of(place.tally), _along(place.tally, name)
    levels, first = np.unique(along, return_index=True)
    last = np.append(first[1:], len(along)) - 1
    up, right = (
        np.interp(ends, levels, (mass[first] + mass[last]) / 2) for mass in (walk.up, walk.right)
    )
    whole_up, whole_right = float(walk.up[-1]), float(walk.right[-1])
    low, high = (
        _value(np.array([u, r, whole_up - u, whole_right - r]), terms)
        for u, r in zip(up.tolist(), right.tolist(), strict=True)
    )
    middle = _value(place.masses, terms)
    low, high = (middle if math.isnan(each) else each for each in (low, high))
    gap = float(ends[1] - ends[0])
    return Location((low, high), (high - low) / gap if gap > 0 else 0.0)


def limits_of(evidence: Evidence, z: float, terms: TermsOf, **values: Any) -> Limited:
    """Return a number at a point with its limits by MOVER; see the head of this file."""
    (name,) = (each for each in POINTS if each in values)
    units = None if evidence.cluster is None else evidence.items
    place, parts = place_of(evidence.tally, units, **{name: values[name]}), terms(**values)
    estimate, slopes = _value(place.masses, parts), _slopes(place, parts, name, values[name])
    error = math.sqrt(max(place.covariance(slopes, slopes), 0.0))
    if name in ("threshold", "rate"):
        limits = _recovered(place, parts, name, values[name], z)
    else:
        limits = _at_class_rate(place, parts, name, values[name], z)
    return Limited(estimate, error, limits)


def _recovered(place: Place, parts: Terms, name: str, value: float, z: float) -> Range:
    """Return the limits that follow from those of the shares and from where the point may lie."""
    estimate = _value(place.masses, parts)
    below, above, gradients = [], [], []
    for factor, share in parts:
        low, high = (factor * share.of(end) for end in place.limits(share, z))
        own = factor * share.of(place.share(share)[0])
        below.append(own - min(low, high))
        above.append(max(low, high) - own)
        gradients.append(factor * place.gradient(share))
    if name != "threshold":
        location = _location(place, parts, name, value, z)
        below.append(max(estimate - min(location.ends), 0.0))
        above.append(max(max(location.ends) - estimate, 0.0))
        gradients.append(-location.slope * place.gradient(NAMED_BY[name]))
    return _combined(place, estimate, below, above, gradients)


_OTHER = {"fpr": "tpr", "tpr": "fpr"}


def _at_class_rate(place: Place, parts: Terms, name: str, value: float, z: float) -> Range:
    """Return the limits of a number at an FPR or a TPR.

    It is a function of the other rate, whose limits follow as in `_recovered`, and of the
    prevalence, which has Wilson's.
    """
    other, positives = NAMED_BY[_OTHER[name]], Share(("tp", "fn"), ("fp", "tn"))
    rate, share = place.share(other)[0], place.share(positives)[0]

    def number(x: float, prevalence: float) -> float:
        tpr, fpr = (x, value) if name == "fpr" else (value, x)
        up, right = prevalence, 1 - prevalence
        cells = [up * tpr, right * fpr, up * (1 - tpr), right * (1 - fpr)]
        return _value(np.array(cells), parts)

    estimate = _value(place.masses, parts)
    ends = (
        [number(end, share) for end in _recovered(place, ((1.0, other),), name, value, z)],
        [number(rate, end) for end in place.limits(positives, z)],
    )
    gradients = [
        _slopes(place, ((1.0, other),), name, value) * (each[1] - each[0])
        if each is ends[0]
        else place.gradient(positives) * (each[1] - each[0])
        for each in ends
    ]  # only their correlation counts
    below = [max(estimate - np.nanmin(each, initial=estimate), 0.0) for each in ends]
    above = [max(np.nanmax(each, initial=estimate) - estimate, 0.0) for each in ends]
    return _combined(place, estimate, below, above, gradients)


def _combined(
    place: Place,
    estimate: float,
    below: list[float],
    above: list[float],
    gradients: list[FloatArray],
) -> Range:
    """Return estimate − √{Σ r·d·d} and estimate + √{Σ r·d·d}, r the correlations of the terms."""
    spread = np.array([[place.covariance(one, other) for other in gradients] for one in gradients])
    errors = np.sqrt(np.maximum(np.diag(spread), 0.0))
    both = np.outer(errors, errors)
    together = np.divide(spread, both, out=np.eye(len(both)), where=both > 0)
    np.fill_diagonal(together, 1.0)
    low, high = (
        math.sqrt(max(float(np.array(arm) @ together @ np.array(arm)), 0.0))
        for arm in (below, above)
    )
    return estimate - low, estimate + high


_SPAN = normal_quantile(0.975)  # errors of g on either side between which the slope is taken


def _slopes(place: Place, parts: Terms, name: str, value: float) -> FloatArray:
    """Return ∂N − λ·∂g by the masses of the cells."""
    slopes: FloatArray = np.sum([a * place.gradient(share) for a, share in parts], axis=0)
    if name == "threshold":
        return slopes
    location = _location(place, parts, name, value, _SPAN)
    return slopes - location.slope * place.gradient(NAMED_BY[name])


def influence_at(tally: Tally, terms: TermsOf, **values: Any) -> Influence:
    """Return a number at a point with its influence function ∂N − λ·∂g."""
    (name,) = (each for each in POINTS if each in values)
    place, parts = place_of(tally, **{name: values[name]}), terms(**values)
    tp, fp, fn, tn = _slopes(place, parts, name, values[name]).tolist()
    up, right = (below + place.parts * (above - below) for above, below in ((tp, fn), (fp, tn)))
    classes = {"tp", "fn"}, {"fp", "tn"}
    of_all = name == "rate" or any({*one.hits, *one.misses} not in classes for _, one in parts)
    return Influence(_value(place.masses, parts), up, right, of_all=of_all)


# -- rates and F1 ----------------------------------------------------------------------------------


def _one(share: Share) -> TermsOf:
    return lambda **_: ((1.0, share),)


def _register_rate(
    name: str, title: str, share: Share, points: tuple[str, ...], sentence: str, **more: Any
) -> Statistic:
    of = more.pop("property", name)
    terms = _one(share)
    return register(
        Statistic(
            name,
            lambda tally, **at: float(getattr(point_of_tally(tally, **at), of)),
            title=title,
            sentence=sentence,
            range=UNIT,
            direction="higher",
            conditional=name in ("sensitivity", "specificity"),
            share=share,
            exact_from_buckets=True,  # at the end of a bucket; elsewhere `of` refuses
            influence=partial(influence_at, terms=terms),
            limits=partial(limits_of, terms=terms),
            points=points,
            **more,
        )
    )


RATES = tuple(
    _register_rate(*row).name
    for row in (
        (
            "sensitivity",
            "Sensitivity",
            NAMED_BY["tpr"],
            ("threshold", "fpr", "rate"),
            "The share of positives at or above the threshold.",
        ),
        (
            "specificity",
            "Specificity",
            Share(("tn",), ("fp",)),
            ("threshold", "tpr", "rate"),
            "The share of negatives below the threshold.",
        ),
        (
            "precision",
            "Precision",
            Share(("tp",), ("fp",)),
            POINTS,
            "The share of positives among the items called positive.",
        ),
        (
            "negative_predictive_value",
            "Negative predictive value",
            Share(("tn",), ("fn",)),
            POINTS,
            "The share of negatives among the items called negative.",
        ),
        (
            "accuracy",
            "Accuracy",
            Share(("tp", "tn"), ("fn", "fp")),
            POINTS,
            "The share of items on the right side of the threshold.",
        ),
    )
)

F1 = _register_rate(
    "f1",
    "F1",
    Share(("tp",), ("fp", "fn"), worth=2.0),
    POINTS,
    "The harmonic mean of precision and sensitivity at a threshold: 2·TP / (2·TP + FP + FN).",
    property="f_measure",
    noun="F1",
    references=("van Rijsbergen 1979",),
)

# -- budgets ---------------------------------------------------------------------------------------


GAINS = register(
    Statistic(
        "gains",
        lambda tally, rate: point_of_tally(tally, rate=rate).tpr,
        title="Gains",
        sentence="The share of positives that are found by calling a share of the items, those of "
        "the highest scores.",
        range=UNIT,
        direction="higher",
        influence=partial(influence_at, terms=_one(NAMED_BY["tpr"])),
        limits=partial(limits_of, terms=_one(NAMED_BY["tpr"])),
        parameters=("rate",),
    )
)


def _lift_terms(rate: float) -> Terms:
    if not rate > 0:
        raise OptionError(
            "predicts no item positive, so the lift is undefined.",
            "give a positive rate, such as 0.1.",
            option="rate",
            value=rate,
        )
    return ((1 / rate, NAMED_BY["tpr"]),)


def _lift(tally: Tally, rate: float) -> float:
    ((factor, _),) = _lift_terms(rate)
    return factor * point_of_tally(tally, rate=rate).tpr


LIFT = register(
    Statistic(
        "lift",
        _lift,
        title="Lift",
        sentence="How many times as many positives are found by calling a share of the items, "
        "those of the highest scores, as by calling as many at random.",
        range=POSITIVE,
        direction="higher",
        influence=partial(influence_at, terms=_lift_terms),
        limits=partial(limits_of, terms=_lift_terms),
        parameters=("rate",),
    )
)

# -- costs -----------------------------------------------------------------------------------------

_OF_ALL = {cell: Share((cell,), tuple(other for other in CELLS if other != cell)) for cell in CELLS}


def _benefit_terms(threshold: float) -> Terms:
    if not 0 <= threshold < 1:
        raise OptionError(
            "is not a probability below 1.",
            "the threshold of a net benefit is the probability at which to act, such as 0.2.",
            option="threshold",
            value=threshold,
        )
    return (1.0, _OF_ALL["tp"]), (-threshold / (1 - threshold), _OF_ALL["fp"])


def _cost_terms(costs: Costs, **_: float) -> Terms:
    """Return the expected cost of an item, at the prevalence of the data or that of the costs."""
    given: Any = costs
    if not isinstance(given, Costs):
        hint = "pass Costs(false_positive=…, false_negative=…)."
        raise OptionError("is not a Costs object.", hint, option="costs", value=given)
    prices = costs.false_positive, costs.false_negative
    if costs.prevalence is None:
        shares: Mapping[str, Share] = _OF_ALL
    else:
        shares = {"fp": NAMED_BY["fpr"], "fn": Share(("fn",), ("tp",))}
        prices = prices[0] * (1 - costs.prevalence), prices[1] * costs.prevalence
    terms = zip(prices, (shares["fp"], shares["fn"]), strict=True)
    return tuple((price, share) for price, share in terms if price > 0)


def _number(tally: Tally, terms: TermsOf, **values: Any) -> float:
    at = {name: values[name] for name in POINTS if name in values}
    return _value(place_of(tally, **at).masses, terms(**values))


NET_BENEFIT = register(
    Statistic(
        "net_benefit",
        partial(_number, terms=_benefit_terms),
        title="Net benefit",
        sentence="True positives minus false positives per item, a false positive at the price "
        "t/(1 − t) that acting from a probability of t implies.",
        references=("Vickers & Elkin 2006",),
        cited="vickers2006",
        range=ANY,
        direction="higher",
        needs_probabilities=True,
        influence=partial(influence_at, terms=_benefit_terms),
        limits=partial(limits_of, terms=_benefit_terms),
        parameters=("threshold",),
    )
)

EXPECTED_COST = register(
    Statistic(
        "expected_cost",
        partial(_number, terms=_cost_terms),
        title="Expected cost",
        sentence="What the mistakes of a rule cost per item.",
        references=("Drummond & Holte 2006",),
        range=POSITIVE,
        direction="lower",
        influence=partial(influence_at, terms=_cost_terms),
        limits=partial(limits_of, terms=_cost_terms),
        parameters=("costs",),
        points=POINTS,
    )
)

# -- sums of both rates, for the evaluation of a chosen threshold; not registered ------------------


def _linear(name: str, title: str, terms: Terms, low: float) -> Statistic:
    def of(**_: float) -> Terms:
        return terms

    return Statistic(
        name,
        partial(_number, terms=of),
        title=title,
        range=(low, 1.0),
        direction="higher",
        conditional=True,
        influence=partial(influence_at, terms=of),
        limits=partial(limits_of, terms=of),
        parameters=("threshold",),
    )


LINEAR = {
    one.name: one
    for one in (
        _linear("youden", "TPR − FPR", ((1.0, NAMED_BY["tpr"]), (-1.0, NAMED_BY["fpr"])), -1.0),
        _linear(
            "balanced_accuracy",
            "Balanced accuracy",
            ((0.5, NAMED_BY["tpr"]), (0.5, Share(("tn",), ("fp",)))),
            0.0,
        ),
    )
}
