"""Models on the same rows: every pair, and the covariance of all (SPEC §9)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.result import Result
from rocwalk.typing import AnyArray, FloatArray
from rocwalk.uncertainty.closed import mass_degrees
from rocwalk.uncertainty.difference import (
    CLOSED,
    Difference,
    Gap,
    Request,
    Spread,
    bootstrap_gap,
    closed_method,
    holm,
    influence_of,
    newcombe_gap,
    plain_gap,
    plans,
    plot_differences,
    refuse_unfit,
    tests_of,
    welch,
)
from rocwalk.uncertainty.evidence import check_statistic, refuse_lost_truth, Evidence, refuse_few
from rocwalk.uncertainty.paired import exchanged_differences, model_replicates
from rocwalk.uncertainty.panel import (
    Name,
    Panel,
    Part,
    parts_of,
    psi_of,
)
from rocwalk.uncertainty.statistic import (
    Statistic,
)
from rocwalk.walk.tally import read_only

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SLACK = 1e-12  # differences of areas that are closer are equal


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Pair(Difference):
    """Two models on the same rows: a less b. `adjusted_p_value` is Holm's over all pairs."""

    a: Any
    b: Any
    adjusted_p_value: float = math.nan

    @property
    def sentence(self) -> str:
        """The comparison in words."""
        return f"{self.a} less {self.b}: {self._words()}"

    @property
    def _name(self) -> str:
        return f"{self.a} − {self.b}"

    def _headline(self) -> dict[str, Any]:
        return {
            "a": self.a,
            "b": self.b,
            **self._tests(),
            "adjusted_p_value": self.adjusted_p_value,
            **self._margins(),
            "failed": self.failed or None,
        }

    def __repr__(self) -> str:
        shown = {key: getattr(self, key) for key in ("difference", "low", "high", "p_value")}
        numbers = ", ".join(f"{key}={value:.6g}" for key, value in shown.items())
        return f"Pair(a={self.a!r}, b={self.b!r}, {numbers}, method={self.method!r})"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Comparison(Result):
    """Models on the same rows: their estimates, the covariance of these, and every pair.

    `covariance` has one row and one column a model, in the order of `names`.
    """

    statistic: str
    method: str
    names: tuple[Any, ...]
    estimates: Mapping[Any, float]
    covariance: FloatArray
    pairs: tuple[Pair, ...]
    confidence_level: float
    margin: float | None = None
    n_resamples: int | None = None
    spread: Spread | None = None

    @property
    def sentence(self) -> str:
        """All pairs in words."""
        return " ".join(pair.sentence for pair in self.pairs)

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the difference of every pair with its interval against none; a margin is shaded."""
        return plot_differences(self.pairs, ax, **options)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, with the estimates and their covariance."""
        estimates = {str(name): float(value) for name, value in self.estimates.items()}
        more = {"estimates": estimates, "covariance": self.covariance.tolist()}
        return Result.to_dict(self) | more

    def _headline(self) -> dict[str, Any]:
        return {
            "statistic": self.statistic,
            "method": self.method,
            "models": len(self.names),
            "pairs": len(self.pairs),
            "confidence_level": self.confidence_level,
            "n_resamples": self.n_resamples,
        }

    def _columns(self) -> dict[str, AnyArray]:
        rows = [pair._headline() for pair in self.pairs]  # noqa: SLF001
        held = [key for key in rows[0] if any(row[key] is not None for row in rows)]
        rows = [row | {"a": str(row["a"]), "b": str(row["b"])} for row in rows]
        columns = {key: np.array([_number(row[key]) for row in rows]) for key in held}
        columns["pair_method"] = columns.pop("method")
        return columns


def _number(value: Any) -> Any:
    return math.nan if value is None else value


# -- models on the same rows ---------------------------------------------------------------------


def compare_panel(panel: Panel, request: Request) -> Comparison:
    """Return the comparison of all models of a panel, by the method asked for or that suits."""
    statistic = request.statistic
    _refuse_panel(panel, statistic)
    method = _chosen(panel, request)
    way = _resampled if method == "bootstrap" else _closed
    estimates, covariance, gap_of, spread = way(panel, request, method)
    places = list(combinations(range(len(panel.names)), 2))
    gaps = [_mended(gap_of(a, b), panel, request, a, b) for a, b in places]
    if method == "permutation":
        gaps = _permuted(panel, request, places, gaps)
    return Comparison(
        statistic=statistic.name,
        method=method,
        names=panel.names,
        estimates=dict(zip(panel.names, estimates, strict=True)),
        covariance=read_only(covariance),
        pairs=_pairs(panel.names, places, gaps, request),
        confidence_level=float(request.level),
        margin=None if request.margin is None else float(request.margin),
        n_resamples=None if method in CLOSED else int(request.plan.n_resamples),
        spread=spread,
    )


def _refuse_panel(panel: Panel, statistic: Statistic) -> None:
    """Raise unless there are two units of each class, and probabilities where they are needed."""
    with np.errstate(invalid="ignore"):  # no mass at all of one class
        refuse_few(Evidence(panel.models[0].tally))
    for model in panel.models:
        check_statistic(statistic, model.tally)
        refuse_lost_truth(statistic, model.tally)


def _pairs(
    names: Sequence[Name],
    places: Sequence[tuple[int, int]],
    gaps: Sequence[Gap],
    request: Request,
) -> tuple[Pair, ...]:
    tests = [tests_of(gap, request) for gap in gaps]
    adjusted = holm([test["p_value"] for test in tests])
    return tuple(
        Pair(a=names[a], b=names[b], adjusted_p_value=p, **test)
        for (a, b), p, test in zip(places, adjusted, tests, strict=True)
    )


def _chosen(panel: Panel, request: Request) -> str:
    """Return the method to use; "auto" takes the closed form where there is one."""
    hard, clustered = panel.even_weight is not None, panel.cluster is not None
    closed = closed_method(request.statistic, hard=hard, clustered=clustered)
    if request.method == "auto":
        return closed or "bootstrap"
    refuse_unfit(request, hard=hard, clustered=clustered)
    return request.method


Way = tuple[list[float], FloatArray, Callable[[int, int], Gap], Spread | None]


def _closed(panel: Panel, request: Request, method: str) -> Way:
    """Return estimates, covariance and gaps from ψ, without resampling."""
    of = influence_of(request.statistic)
    estimates, psi = psi_of(panel, of, request.plan.threads)
    parts = parts_of(panel, psi)

    def gap_of(a: int, b: int) -> Gap:
        variances = [part.of_difference(a, b) for part in parts]
        error = math.sqrt(max(sum(variances), 0.0))
        means = method == "delong-t" or not request.statistic.is_area
        df = _df(panel, variances, of_means=means)
        return plain_gap(estimates[a] - estimates[b], error, request, method, df)

    covariance = np.sum([part.covariance for part in parts], axis=0)
    return estimates, covariance, gap_of, _spread_of(panel, request.statistic, parts)


def _df(panel: Panel, variances: Sequence[float], *, of_means: bool) -> float | None:
    """Return the clusters less one, or Welch's over the two classes; None for the normal."""
    if panel.cluster is not None:
        return panel.units - 1.0
    if panel.even_weight is None:
        return mass_degrees(Evidence(panel.models[0].tally))
    if not of_means:
        return None
    positives = int(np.count_nonzero(panel.positive))
    return welch(variances, (positives, len(panel) - positives))


def _spread_of(panel: Panel, statistic: Statistic, parts: Sequence[Part]) -> Spread | None:
    if not statistic.is_area or panel.even_weight is None or panel.cluster is not None:
        return None
    positives = int(np.count_nonzero(panel.positive))
    negatives = len(panel) - positives
    up, right = parts[0].covariance * positives, parts[1].covariance * negatives
    return Spread(up, right, positives, negatives)


def _resampled(panel: Panel, request: Request, method: str) -> Way:
    """Return estimates, covariance and gaps from replicates that all models share.

    Stratified for hard labels where the statistic depends on each class alone (SPEC §9). The
    interval is of percentiles; the p-value is the normal's, with the error of the replicates.
    """
    statistic = request.statistic
    hard = panel.even_weight is not None and panel.cluster is None
    stratified = statistic.conditional and hard
    values = model_replicates(panel, statistic, request.plan, stratified=stratified)
    estimates = [float(statistic.of(model.tally)) for model in panel.models]

    def gap_of(a: int, b: int) -> Gap:
        with np.errstate(invalid="ignore"):  # infinite in both models
            gaps = values[:, a] - values[:, b]
        return bootstrap_gap(estimates[a] - estimates[b], gaps, request, method)

    whole = values[np.isfinite(values).all(axis=1)]
    size = len(estimates)
    covariance = np.cov(whole, rowvar=False) if len(whole) > 1 else np.full((size, size), np.nan)
    return estimates, covariance, gap_of, None


def _permuted(
    panel: Panel, request: Request, places: Sequence[tuple[int, int]], gaps: Sequence[Gap]
) -> list[Gap]:
    """Return the gaps with p = (1 + replicates at least as far apart) / (1 + replicates)."""
    done = []
    for (a, b), gap, plan in zip(places, gaps, plans(request.plan, len(places)), strict=True):
        found = np.abs(exchanged_differences(panel, a, b, plan))
        extreme = int(np.count_nonzero(found >= abs(gap.difference) - _SLACK))
        p_value = (1 + extreme) / (1 + len(found))
        done.append(replace(gap, method="permutation", p_value=p_value))
    return done


def _mended(gap: Gap, panel: Panel, request: Request, a: int, b: int) -> Gap:
    """Return another gap where areas show no spread, although the models differ."""
    if not request.statistic.is_area or gap.standard_error > _SLACK:
        return gap
    if np.array_equal(panel.models[a].mid_ranks, panel.models[b].mid_ranks):
        return gap
    return newcombe_gap(panel.evidence(a), panel.evidence(b), request)
