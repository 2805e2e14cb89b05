"""Areas of several classes with their errors: each class against the rest, and both summaries.

A(i|j) is the AUC of column i, items of class i against those of class j. Hand & Till's number is
the mean of A(i|j) over all ordered pairs, a sum of U-statistics; Provost & Domingos' is Σ p(c)·A(c)
over the areas of the classes against the rest, with their shares p(c). So what an item adds to
either is a sum of DeLong's placements, and variances are sums of ψ² over items: for Hand & Till,
which depends on each class alone, with n/(n − 1) for each class.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

import numpy as np

from rocwalk.checks import one_of
from rocwalk.errors import InputError, OneClassError, OptionError
from rocwalk.inference.closed_forms import logit_limits, newcombe
from rocwalk.inference.comparisons import Comparison, adjusted_pairs
from rocwalk.inference.differences import Difference, difference_of
from rocwalk.inference.distributions import NOISE, quantile, welch_degrees
from rocwalk.inference.influence import auc_influence
from rocwalk.inference.interval_result import Interval
from rocwalk.inference.items import Evidence, Items, codes_of, evidence_from
from rocwalk.inference.panel import Part
from rocwalk.inference.request import Request
from rocwalk.read.arrays import as_array
from rocwalk.read.matrices import (
    ClassSample,
    check_classes,
    clean_sample,
    refuse_binary_options,
    warn_of_absent,
)
from rocwalk.statistic import UNIT, Statistic
from rocwalk.tally.tally import read_only
from rocwalk.typing import ArrayLike, BoolArray, FloatArray, IntArray, Range


def _of_tally(_: Any) -> float:
    raise OptionError(
        "Areas of several classes cannot be computed from one tally.",
        "pass y_true and a matrix with one column per class.",
    )


CLASS_AREAS = {
    name: Statistic(name, _of_tally, title=title, range=UNIT, direction="higher")
    for name, title in (
        ("hand_till", "Hand & Till's area"),
        ("provost_domingos", "Provost & Domingos' area"),
    )
}


@dataclass(frozen=True, eq=False)
class ClassArea:
    """A number of several classes, ψ of every item, and the areas that it is made of."""

    estimate: float
    psi: FloatArray
    pairs: tuple[PairArea, ...]


@dataclass(frozen=True, slots=True)
class PairArea:
    """The area of one class against another, or the rest: their sizes, its weight and its error."""

    area: float
    sizes: Range
    weight: float
    error: float


def _psi(sample: ClassSample, column: int, rows: IntArray, out: FloatArray, factor: float) -> Range:
    """Add factor·ψ of the AUC of a column, its class against the other items of some rows.

    Return the AUC and its standard error.
    """
    weights = None if sample.weights is None else sample.weights[rows]
    truth = sample.codes[rows] == column
    scores = sample.scores[rows, column]
    found = auc_influence(clean_sample(truth, scores, weights).tally())
    items = Items.from_truth(truth, weights, scores)
    places = items.rows
    own = items.up * found.up[places] + items.right * found.right[places]
    out[rows] += factor * own
    squares = [np.count_nonzero(of) * np.var(own[of], ddof=1) for of in (truth, ~truth)]
    return found.estimate, math.sqrt(sum(squares))


def hand_till_area(sample: ClassSample) -> ClassArea:
    """Return Hand & Till's number with ψ, over the classes that are present."""
    present, sizes = _present(sample)
    psi, pairs = np.zeros(len(sample.codes)), []
    factor = 1 / (len(present) * (len(present) - 1))
    for i, j in permutations(present, 2):
        rows = np.flatnonzero((sample.codes == i) | (sample.codes == j))
        area, error = _psi(sample, i, rows, psi, factor)
        pairs.append(PairArea(area, (sizes[i], sizes[j]), factor, error))
    return ClassArea(float(np.mean([pair.area for pair in pairs])), psi, tuple(pairs))


def provost_domingos_area(sample: ClassSample) -> ClassArea:
    """Return Provost & Domingos' number with ψ; the shares of the classes vary, too."""
    present, sizes = _present(sample)
    whole, psi = np.arange(len(sample.codes)), np.zeros(len(sample.codes))
    weight = np.ones(len(whole)) if sample.weights is None else sample.weights
    pairs, total = [], 0.0
    for k in present:
        share = float(sample.shares[k])
        area, error = _psi(sample, k, whole, psi, share)
        psi += area * weight * ((sample.codes == k) - share) / weight.sum()
        both = sizes[k], sum(sizes.values()) - sizes[k]
        pairs.append(PairArea(area, both, share, error))
        total += share * area
    return ClassArea(total, psi, tuple(pairs))


AREAS: dict[str, Callable[[ClassSample], ClassArea]] = {
    "hand_till": hand_till_area,
    "provost_domingos": provost_domingos_area,
}


def _present(sample: ClassSample) -> tuple[list[int], dict[int, float]]:
    """Return the classes that have items, and their effective numbers; raise for too few."""
    weights = np.ones(len(sample.codes)) if sample.weights is None else sample.weights
    count = len(sample.labels)
    masses = np.bincount(sample.codes, weights, count)
    squares = np.bincount(sample.codes, weights**2, count)
    items = np.bincount(sample.codes, minlength=count)
    present = np.flatnonzero(items).tolist()
    few = [sample.labels[k] for k in present if items[k] < 2]
    if len(present) < 2 or few:
        why = f"the class {few[0]!r} has one item" if few else "there are fewer than two classes"
        raise OneClassError(
            f"The standard error is undefined: {why}.", "each class needs at least two items."
        )
    return present, {k: float(masses[k] ** 2 / squares[k]) for k in present}


def _parts(sample: ClassSample, psi: FloatArray, name: str, cluster: IntArray | None) -> list[Part]:
    """Return the parts of the covariance, by class where the number depends on each class alone.

    `psi` has one row a model.
    """
    if cluster is not None:
        n = int(cluster.max()) + 1
        sums = np.stack([np.bincount(cluster, row, n) for row in psi]).astype(np.float64)
        return [Part(n / (n - 1), sums)]
    codes = sample.codes
    whole = len(codes) / (len(codes) - 1)
    by_class = name == "hand_till" and sample.weights is None
    sides = [np.flatnonzero(codes == k) for k in np.unique(codes)]
    return [Part(len(s) / (len(s) - 1) if by_class else whole, psi[:, s]) for s in sides]


def _degrees(
    sample: ClassSample, variances: Sequence[float], cluster: IntArray | None
) -> float | None:
    """Return the degrees of freedom: Welch's over the classes, or the number of clusters − 1."""
    if cluster is not None:
        return float(cluster.max())
    _, sizes = _present(sample)
    return welch_degrees([(each, each) for each in variances], list(sizes.values()))


FEW_MISPLACED = 2.0  # of the smaller class of some pair; the pairs lend each other precision


def class_interval(
    sample: ClassSample, request: Request, cluster: IntArray | None = None
) -> Interval:
    """Return the interval of a number of several classes, symmetric on the logit scale.

    Where items of some pair of classes are few, it is the union with MOVER's limits of the mean of
    the areas (`_recovered`), which are the whole where the areas show no spread.
    """
    name, level = request.statistic.name, request.level
    found = AREAS[name](sample)
    variances = [part.covariance.item() for part in _parts(sample, found.psi[None], name, cluster)]
    error, estimate = math.sqrt(max(sum(variances), 0.0)), found.estimate
    misplaced = [min(one.sizes) * min(one.area, 1 - one.area) for one in found.pairs]
    few = min(misplaced) < FEW_MISPLACED
    limits, method = [], []
    if error > NOISE:
        reach = quantile(request.tails[1], _degrees(sample, variances, cluster)) * error
        limits.append(logit_limits((estimate, estimate), reach, math.inf))
        method.append("influence")
    if few or not error > NOISE:
        limits.append(_recovered(found, request.z, error if cluster is None else None))
        method.append("newcombe")
    return Interval(
        statistic=name,
        estimate=estimate,
        low=max(min(estimate, *(low for low, _ in limits)), 0.0),
        high=min(max(estimate, *(high for _, high in limits)), 1.0),
        standard_error=error,
        method="-".join([*method, "logit"] if method == ["influence"] else method),
        confidence_level=level,
    )


def _recovered(found: ClassArea, z: float, error: float | None) -> Range:
    """Return limits of Σ w·A from Newcombe's limits of each area A (MOVER; Zou & Donner 2008).

    Its distances d from them are √{Σ w²d² + r·Σ w·d·w′·d′} over different areas, with the one
    correlation r at which the `error` of the sum follows in this way from those of the areas; r is
    1 where that is unknown.
    """
    weights, errors = (
        np.array([getattr(one, each) for one in found.pairs]) for each in ("weight", "error")
    )
    apart, together = float(np.sum((weights * errors) ** 2)), float(weights @ errors) ** 2
    correlation = 1.0
    if error is not None and together - apart > NOISE**2:
        correlation = min(max((error**2 - apart) / (together - apart), 0.0), 1.0)
    ends = [newcombe((one.area, one.area), one.sizes, z) for one in found.pairs]
    below = weights * [one.area - low for one, (low, _) in zip(found.pairs, ends, strict=True)]
    above = weights * [high - one.area for one, (_, high) in zip(found.pairs, ends, strict=True)]
    low, high = (
        math.sqrt(float((1 - correlation) * (arm @ arm) + correlation * arm.sum() ** 2))
        for arm in (below, above)
    )
    return found.estimate - low, found.estimate + high


def interval_of_classes(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    request: Request,
    cluster: ArrayLike,
    options: Mapping[str, Any],
) -> Interval:
    """Return the interval of a number of several classes; options as in `check_classes`."""
    one_of("method", request.method, ("auto", "influence"))
    sample, codes = _checked(y_true, y_prob, cluster, dict(options))
    return class_interval(sample, request, codes)


def _checked(
    y_true: ArrayLike, y_prob: ArrayLike, cluster: ArrayLike, options: dict[str, Any]
) -> tuple[ClassSample, IntArray | None]:
    refuse_binary_options(options.pop("pos_label", None), options.pop("truth", "auto"))
    sample = check_classes(y_true, y_prob, **options)
    warn_of_absent(sample)
    if cluster is None:
        return sample, None
    column = as_array(cluster, "cluster")
    if len(column) != len(sample.codes):
        raise InputError(
            f"The lengths differ: cluster has {len(column):,} rows, of {len(sample.codes):,} used.",
            "name the cluster of every row, and leave unusable rows out first.",
        )
    return sample, codes_of(column)


def evidence_of_class(
    y_true: ArrayLike, y_prob: ArrayLike, label: Any, cluster: ArrayLike, options: dict[str, Any]
) -> Evidence:
    """Return the evidence on one class against the rest, by its own column of a matrix."""
    sample = check_classes(y_true, y_prob, **options)
    own = _column_of(sample, label)
    truth = sample.codes == own
    part = clean_sample(truth, np.ascontiguousarray(sample.scores[:, own]), sample.weights)
    return evidence_from(part, cluster)


def _column_of(sample: ClassSample, label: Any) -> int:
    if label not in sample.labels:
        raise OptionError(
            "is not a class of y_true.",
            f"the classes are {', '.join(map(repr, sample.labels))}.",
            option="pos_label",
            value=label,
        )
    return sample.labels.index(label)


def columns_of_class(
    y_true: ArrayLike, models: Mapping[Any, ArrayLike], label: Any, invalid: str
) -> tuple[BoolArray, dict[Any, FloatArray]]:
    """Return which rows are of a class, and the column of this class in each model's matrix."""
    _refuse_drop(invalid)
    own: BoolArray = np.zeros(0, dtype=bool)
    columns = {}
    for name, scores in models.items():
        sample = check_classes(y_true, scores)
        place = _column_of(sample, label)
        own = sample.codes == place
        columns[name] = np.ascontiguousarray(sample.scores[:, place])
    return own, columns


def _refuse_drop(invalid: Any) -> None:
    if invalid == "drop":
        raise OptionError(
            "is not for matrices of several classes.",
            "leave the rows out that one model lacks.",
            option="invalid",
            value="drop",
        )


def compare_classes(
    y_true: ArrayLike,
    models: Mapping[Any, ArrayLike],
    request: Request,
    cluster: ArrayLike,
    options: Mapping[str, Any],
) -> Comparison:
    """Return the comparison of several matrices of the same rows by a number of several classes."""
    one_of("method", request.method, ("auto", "influence"))
    _refuse_drop(options.get("invalid"))
    name, found, psi, sample, codes = request.statistic.name, [], [], None, None
    for scores in models.values():
        sample, codes = _checked(y_true, scores, cluster, dict(options))
        found.append(AREAS[name](sample))
        psi.append(found[-1].psi)
    if sample is None or len(found) < 2:
        raise InputError(
            "There are fewer than two models.", "a comparison needs two models or more, by name."
        )
    parts, names = _parts(sample, np.stack(psi), name, codes), tuple(models)
    places = list(combinations(range(len(names)), 2))
    differences: list[Difference] = []
    for a, b in places:
        variances = [part.of_difference(a, b) for part in parts]
        error, df = math.sqrt(max(sum(variances), 0.0)), _degrees(sample, variances, codes)
        gap = found[a].estimate - found[b].estimate
        differences.append(difference_of(request, "influence", gap, error, df=df))
    traces = [float(np.trace(part.covariance)) for part in parts]
    return Comparison(
        statistic=name,
        method="influence",
        names=names,
        estimates={k: one.estimate for k, one in zip(names, found, strict=True)},
        covariance=read_only(np.sum([part.covariance for part in parts], axis=0)),
        pairs=adjusted_pairs(names, differences),
        confidence_level=float(request.level),
        error_degrees=_degrees(sample, traces, codes) or float(len(sample.codes) - 1),
        margin=None if request.margin is None else float(request.margin),
    )
