"""Causes of drift: what of a change is the population's, what the odds', and what the model's.

AUC, midpoint and struggle ratio move with the population even where every score is a true
probability. If the model is unchanged, P(y | p) is still the calibration map g of the reference,
whatever the population. So each change is a chain

    T(reference) → T(g) [population] → T(g_θ) [odds] → T(current) [model]

where T(g) is the number of the current scores with soft truth g(p), and g_θ has its odds multiplied
by the one factor θ that gives the number of positives observed. Whether P(y | p) has changed is
decided by three score tests of the map of both samples together: of its level, of the ranking and
of the struggle ratio, the last two given θ. See docs/mathematics.rst, Drift given the scores.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from rocwalk.drift.calibration_map import (
    FLAT,
    LOOSE,
    Fit,
    Grouped,
    MapRows,
    cell_spread,
    cells_of,
    design_of,
    expit,
    fit_of,
    grouped,
    squared_residuals,
)
from rocwalk.drift.findings import Part, estimates_of, fields_of
from rocwalk.drift.request import TESTS, DriftRequest
from rocwalk.drift.sensibility import midpoint
from rocwalk.inference.distributions import above, holm, normal_quantile
from rocwalk.inference.influence import Estimate, class_sizes
from rocwalk.inference.items import Evidence
from rocwalk.result import Result
from rocwalk.tally.tally import Tally
from rocwalk.truth.reference_truth import expected_auc
from rocwalk.typing import FloatArray, Range

Pair = tuple[FloatArray, FloatArray]  # of coefficients and of cells

_KNOWN = 1e6  # how often a reference that is the whole population is counted
_LEAST_SIDE = 0.05  # of the information that either side of the midpoint holds, to be tested
_LEAST_CLASS = 5  # items of each class that the tests given θ need


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CauseTest(Result):
    """Whether P(y | p) has changed in one respect: the level, the ranking or the struggle ratio.

    `effect` is log(observed/expected) for the level, and else the change that the model made, given
    θ, with its interval (low, high); for the struggle ratio as a share of what is expected.
    `p_value` is that of the score test. `equivalent` compares the effect with the margin: True
    within, False beyond, None if neither is shown or there is no margin. `reason` says why there is
    no test.
    """

    name: str
    effect: float
    low: float
    high: float
    standard_error: float
    reference_error: float
    z: float
    p_value: float
    adjusted_p_value: float = math.nan
    margin: float | None = None
    equivalent: bool | None = None
    reason: str | None = None

    @property
    def reference_share(self) -> float:
        """The share of the variance that the reference makes."""
        return self.reference_error**2 / self.standard_error**2 if self.standard_error else 0.0

    def _headline(self) -> dict[str, Any]:
        names = ("name", "effect", "low", "high", "standard_error", "z", "p_value")
        margin = () if self.margin is None else ("margin", "equivalent")
        reason = () if self.reason is None else ("reason",)
        return fields_of(self, *names, "adjusted_p_value", *margin, *reason)


@dataclass(frozen=True, slots=True)
class Causes:
    """The tests, the parts of each change, θ, and whether the ranking test holds without θ.

    `parts` maps a number to its population's, odds' and model's part. `beyond_level` says that the
    ranking differs from the map of both samples also if θ is 1, in the same direction. `expected`
    are the positives and negatives that the map of the reference expects of the current scores.
    """

    tests: Mapping[str, CauseTest]
    parts: Mapping[str, tuple[Part, Part, Part]]
    odds: Part
    beyond_level: bool
    expected: tuple[float, float]

    def found(self, name: str, alpha: float) -> bool:
        """Whether a test found a change that is not within its margin."""
        test = self.tests[name]
        return test.adjusted_p_value < alpha and test.equivalent is not True

    def verdict(self, alpha: float) -> str:
        """Return "none", "prevalence", "estimation", "ranking" or "both"."""
        level, ranking, struggle = (self.found(name, alpha) for name in TESTS.values())
        is_tested = not math.isnan(self.tests["ranking"].p_value)
        if level and is_tested and not ranking and not struggle:
            return "prevalence"
        is_order = ranking and self.beyond_level
        is_estimation = level or struggle or (ranking and not is_order)
        if is_order:
            return "both" if is_estimation else "ranking"
        return "estimation" if is_estimation else "none"

    @property
    def suitable(self) -> bool | None:
        """Whether all tested effects are within their margins; False if one is beyond."""
        known = [t.equivalent for t in self.tests.values() if not math.isnan(t.p_value)]
        if any(each is False for each in known):
            return False
        return True if known and all(known) else None


# -- both samples as rows of one map ---------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Samples:
    """Both samples on common groups, the rows of their map, and how their residuals vary."""

    evidence: tuple[Evidence, Evidence]
    data: Grouped
    rows: tuple[MapRows, MapRows]
    precisions: FloatArray
    cells: int
    is_hard: bool
    known: float = field(default=1.0)

    @property
    def current(self) -> Tally:
        return self.data.tallies[1]

    @cached_property
    def pooled(self) -> MapRows:
        """The rows of both samples, those of the reference first."""
        one, other = self.rows
        cells = None
        if one.cells is not None and other.cells is not None:
            cells = np.concatenate([one.cells, other.cells])
        return MapRows(
            np.concatenate([one.columns, other.columns]),
            np.concatenate([one.offset, other.offset]),
            cells,
            np.concatenate([one.mass, other.mass]),
            np.concatenate([one.up, other.up]),
        )

    @property
    def now(self) -> FloatArray:
        """A column that is 1 in the current sample and 0 in the reference."""
        return self.on_current(np.ones(len(self.current)))

    def on_current(self, values: FloatArray) -> FloatArray:
        """Return a column of both samples that is 0 in the reference."""
        return np.concatenate([np.zeros(len(self.rows[0].mass)), values])

    @cached_property
    def is_few(self) -> bool:
        """Whether the current sample has too few items of a class for the tests given θ."""
        return min(class_sizes(self.evidence[1].tally)) < _LEAST_CLASS

    def variances(self, which: int, g: FloatArray) -> FloatArray:
        """Return Σw²(y − g)² over the items of each row: what the model expects, or as observed.

        With the variance of the noise of shared counts, v·[(1 − g)² + g²]. Hard truth has the
        variance of its model, g(1 − g), the most that a truth in [0, 1] can have. Soft truth has
        what is observed, unless few items of a class would show too little.
        """
        tally, times = self.data.tallies[which], 1.0 if which else self.known
        if self.is_hard or (which and self.is_few):
            squares = tally.up_squared + 2 * tally.up_right + tally.right_squared
            noise = tally.noise * ((1 - g) ** 2 + g**2)
            expected: FloatArray = times * (squares * g * (1 - g) + noise)
            return expected
        return times * squared_residuals(tally, g)

    def variance(self, g: FloatArray, times: FloatArray) -> float:
        """Return the variance of Σ times·w(y − g) over both samples, items as drawn one by one."""
        split = len(self.rows[0].mass)
        both = np.concatenate([self.variances(0, g[:split]), self.variances(1, g[split:])])
        return float((both * times**2).sum())

    @property
    def is_clustered(self) -> bool:
        return any(one.cluster is not None for one in self.evidence)

    def unit_variance(self, which: int, up: FloatArray, right: FloatArray) -> float:
        """Return Σ(Σ u·up + r·right)² over the units of a sample: its items, or its clusters."""
        tally, evidence = self.data.tallies[which], self.evidence[which]
        if evidence.items is None or evidence.cluster is None:
            squares = tally.up_squared * up**2 + tally.right_squared * right**2
            squares = squares + tally.noise * (up**2 + right**2)
            return float((squares + 2 * tally.up_right * up * right).sum())
        items = evidence.items
        rows = self.data.row_of[which][items.rows]
        scale = len(items) / float(items.weight.sum())
        units = items.by_unit(scale * (items.up * up[rows] + items.right * right[rows]))
        return float((units**2).sum())

    def clustered_variance(self, g: FloatArray, times: FloatArray) -> float:
        """Return the variance of Σ times·w(y − g), with the items of a cluster drawn together."""
        split = len(self.rows[0].mass)
        parts = [
            self.unit_variance(which, values * (1 - own), -values * own)
            for which, (own, values) in enumerate(
                ((g[:split], times[:split]), (g[split:], times[split:]))
            )
        ]
        return self.known * parts[0] + parts[1]


def _samples_of(both: tuple[Evidence, Evidence], data: Grouped, *, known: bool) -> _Samples:
    design, cells = design_of(data), cells_of(data)
    times = (_KNOWN if known else 1.0, 1.0)
    first, second = (
        MapRows(
            design.columns(tally.scores, groups),
            design.offset(tally.scores),
            None if cells is None else cells[groups],
            factor * (tally.up + tally.right),
            factor * tally.up,
        )
        for tally, groups, factor in zip(data.tallies, data.groups, times, strict=True)
    )
    is_hard = not (both[0].is_soft or both[1].is_soft)
    number = 0 if cells is None else int(cells.max()) + 1
    return _Samples(both, data, (first, second), design.precisions, number, is_hard, times[0])


def _reference_spread(samples: _Samples) -> float:
    """Return τ² of the cells, from the spline of the reference alone."""
    rows = samples.rows[0]
    if rows.cells is None:
        return 0.0
    spline = fit_of(rows, samples.precisions, 0.0, 0)
    variances = samples.variances(0, spline.probabilities)
    return cell_spread(spline, rows.cells, samples.cells, variances)


# -- score tests -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _ScoreTest:
    """z of a score test, the inflation of its variance by clusters, and why there is no test.

    `least` is what the p-value is at least: few items of a class are no normal sum.
    """

    z: float
    inflation: float = 1.0
    least: float = 0.0
    reason: str | None = None

    @property
    def p_value(self) -> float:
        if self.reason is not None or math.isnan(self.z):
            return math.nan
        return min(max(2 * above(abs(self.z), None), self.least), 1.0)


def _score_test(samples: _Samples, fit: Fit, column: FloatArray) -> _ScoreTest:
    """Return the score test for one more column of the map.

    S = Σz·w(y − g) has the variance Σw²g(1 − g)R² + A′ΛA, with R what the columns of the map leave
    of z, A their coefficients and Λ the precisions of the prior. The pull of the prior on the
    coefficients, A′Λb, is no evidence and is subtracted. Clusters and soft truth have the
    squares that are observed in place of the first term.
    """
    rows, g = fit.rows, fit.probabilities
    weights = fit.solve(*fit.along(fit.weights * column, rows))
    rest = column - fit.at(rows, weights)
    score = float((column * (rows.up - rows.mass * g)).sum())
    score -= float((fit.precisions * fit.coefficients * weights[0]).sum())
    prior = fit.prior_variance(weights)
    single = samples.variance(g, rest) + prior
    variance = samples.clustered_variance(g, rest) + prior if samples.is_clustered else single
    variance = max(variance, single) if samples.is_few else variance
    if not (variance > 0 and single > 0):
        return _ScoreTest(math.nan)
    return _ScoreTest(score / math.sqrt(variance), variance / single)


def _few_chance(samples: _Samples, log_odds: FloatArray) -> float:
    """Return Chernoff's bound (1952) on twice the probability of as many or as few positives.

    Independent y in [0, 1] with means g exceed a sum with a probability of at most e^−L, where L is
    the gain in log-likelihood of the factor θ that expects this sum; so do they fall below it.
    Units of the mass u, items or clusters, have L/u. Without positives e^−L is the product of
    1 − g: that of hard labels, exactly.
    """
    rows = samples.rows[1]
    shift, everywhere = _log_factor(log_odds, rows), np.ones(len(log_odds))
    if math.isinf(shift):
        gain = float((rows.mass * np.logaddexp(0.0, math.copysign(1.0, -shift) * log_odds)).sum())
    else:
        growth = np.logaddexp(0.0, log_odds + shift) - np.logaddexp(0.0, log_odds)
        gain = shift * float(rows.up.sum()) - float((rows.mass * growth).sum())
    unit = samples.unit_variance(1, everywhere, everywhere) / float(rows.mass.sum())
    return min(2 * math.exp(-max(gain, 0.0) / unit), 1.0)


def causes_of(
    both: tuple[Evidence, Evidence],
    request: DriftRequest,
    data: Grouped,
    values: Mapping[str, tuple[float, float]],
) -> Causes:
    """Return the causes of drift between a reference and a current sample of probabilities.

    `data` are both on common groups of scores, `values` their AUC, midpoint and struggle ratio. Of
    few items of a class the level is tested, even if there are none; the rest needs them.
    """
    samples = _samples_of(both, data, known=request.fixed_reference)
    spread = _reference_spread(samples)
    together = fit_of(samples.pooled, samples.precisions, spread, samples.cells)
    level = _score_test(samples, together, samples.now)
    if request.fixed_prevalence:
        level = replace(level, reason="the prevalence was fixed by design")
    alone = math.nan
    if samples.is_few:
        few = f"the current sample has fewer than {_LEAST_CLASS} items of a class"
        level = replace(level, least=_few_chance(samples, together.log_odds(samples.rows[1])))
        ranking = struggle = _ScoreTest(math.nan, reason=few)
    else:
        ranking, struggle, alone = _given_odds(samples, spread, together)
    found = {"level": level, "ranking": ranking, "struggle": struggle}
    chain = _Chain(samples, spread, values, request)
    tests = {name: chain.test(number, name, found[name]) for number, name in TESTS.items()}
    tested = [name for name, one in tests.items() if not math.isnan(one.p_value)]
    for name, p_value in zip(tested, holm([tests[name].p_value for name in tested]), strict=True):
        tests[name] = replace(tests[name], adjusted_p_value=p_value)
    expected = float((samples.rows[1].mass * chain.g).sum())
    return Causes(
        tests=tests,
        parts={number: chain.parts(number, tests[name]) for number, name in TESTS.items()},
        odds=chain.odds(level.inflation),
        beyond_level=_ScoreTest(alone).p_value < request.alpha and alone * ranking.z > 0,
        expected=(expected, float(samples.rows[1].mass.sum()) - expected),
    )


def _given_odds(
    samples: _Samples, spread: float, together: Fit
) -> tuple[_ScoreTest, _ScoreTest, float]:
    """Return the tests of ranking and struggle ratio given θ, and z of the ranking without θ."""
    pooled, split, now = samples.pooled, len(samples.rows[0].mass), samples.now
    shifted = fit_of(  # the same with θ: a column that is 1 in the current sample
        replace(pooled, columns=np.column_stack([pooled.columns, now])),
        np.append(samples.precisions, FLAT),
        spread,
        samples.cells,
    )
    expected = _expected(samples.current, shifted.probabilities[split:])
    order, middle = _slope(_estimates(expected)["auc"]), midpoint(expected)
    sides = [np.where(one.scores >= middle, 1.0, -1.0) for one in samples.data.tallies]
    sided = fit_of(  # a step at the midpoint that both samples share is no change
        replace(pooled, columns=np.column_stack([pooled.columns, now, np.concatenate(sides)])),
        np.append(samples.precisions, (FLAT, LOOSE)),
        spread,
        samples.cells,
    )
    ranking = _score_test(samples, shifted, samples.on_current(order))
    struggle = _score_test(samples, sided, samples.on_current(sides[1]))
    weights = shifted.weights[split:]
    share = float(weights[sides[1] > 0].sum()) / float(weights.sum())
    if not _LEAST_SIDE <= share <= 1 - _LEAST_SIDE:
        why = "nearly all of the evidence on it lies on one side of the midpoint"
        struggle = replace(struggle, reason=why)
    return ranking, struggle, _score_test(samples, together, samples.on_current(order)).z


# -- the chain of expected numbers -----------------------------------------------------------------


def _expected(tally: Tally, truth: FloatArray) -> Tally:
    """Return a sample with its truth replaced by probabilities, one for each row."""
    mass = tally.up + tally.right
    squares = tally.up_squared + 2 * tally.up_right + tally.right_squared
    stored = {
        "count": tally.count,
        "up_squared": squares * truth**2,
        "up_right": squares * truth * (1 - truth),
        "right_squared": squares * (1 - truth) ** 2,
    }
    return Tally(tally.scores, mass * truth, mass * (1 - truth), stored=stored)


def _estimates(tally: Tally) -> dict[str, Estimate]:
    return estimates_of(tally, fixed=False, deciding=True)


def _slope(estimate: Estimate) -> FloatArray:
    """Return ∂T/∂y by row: how a number grows with the truth of an item of weight 1."""
    return estimate.influence.up - estimate.influence.right


class _Implied:
    """The numbers that the map of the reference implies for the current scores, with errors.

    `g` is the map at the current scores. The reference enters through the coefficients b of its
    map: a number with the gradient d in b has the influence a·B·w(y − g), a = P⁻¹d, of each of its
    items, and the variance a′Λa of the prior.
    """

    def __init__(self, samples: _Samples, spread: float, request: DriftRequest) -> None:
        self.samples, self.request = samples, request
        self.base = fit_of(samples.rows[0], samples.precisions, spread, samples.cells)
        self.log_odds = self.base.log_odds(samples.rows[1])
        self.g = expit(self.log_odds)
        self.expected = _expected(samples.current, self.g)
        self.implied = _estimates(self.expected)

    def gradient(self, slope: FloatArray, g: FloatArray) -> Pair:
        """Return the gradient of a number in the coefficients of the map."""
        rows = self.samples.rows[1]
        return self.base.along(rows.mass * slope * g * (1 - g), rows)

    def reference_variance(
        self, gradient: Pair, less: tuple[FloatArray, FloatArray] | None = None
    ) -> float:
        """Return the variance that the reference adds; `less` is the influence of its own number.

        Without `less` the residuals have the variance of their model, with it as observed.
        """
        if self.request.fixed_reference:
            return 0.0
        values = self.base.solve(*gradient)
        times, g = self.base.at(self.base.rows, values), self.base.probabilities
        prior = self.base.prior_variance(values)
        if less is None:
            return float((self.samples.variances(0, g) * times**2).sum()) + prior
        up, right = times * (1 - g) - less[0], -times * g - less[1]
        return self.samples.unit_variance(0, up, right) + prior

    def part(self, value: float, variance: float) -> Part:
        """Return a number with the interval of its variance."""
        error = math.sqrt(variance)
        reach = normal_quantile(1 - self.request.alpha / 2) * error
        return Part(value=value, low=value - reach, high=value + reach, standard_error=error)


class _Chain(_Implied):
    """The numbers implied, and those with their odds multiplied by one factor θ = e^`shift`.

    `moved` is the map with these odds, so that as many positives are expected as were observed. An
    error has two sources, the current sample and the reference.
    """

    def __init__(
        self,
        samples: _Samples,
        spread: float,
        values: Mapping[str, tuple[float, float]],
        request: DriftRequest,
    ) -> None:
        super().__init__(samples, spread, request)
        self.values, self.shift = values, _log_factor(self.log_odds, samples.rows[1])
        self.moved = expit(self.log_odds + self.shift)
        self.before = _estimates(samples.data.tallies[0])
        self.adjusted = _estimates(_expected(samples.current, self.moved))

    def test(self, number: str, name: str, found: _ScoreTest) -> CauseTest:
        """Return a test with its effect, the interval of the effect, and its margin.

        The interval of log(observed/expected) is that of the ratio itself where there are few items
        of a class: without positives its lower end is −∞, and the upper one is known.
        """
        rows, inflation = self.samples.rows[1], found.inflation
        if name == "level":
            expected = float((rows.mass * self.g).sum())
            ratio = float(rows.up.sum()) / expected
            effect = _log(ratio)
            slope, g = np.full(len(rows.mass), 1 / expected), self.g
        else:
            estimate, g = self.adjusted[number], self.moved
            scale = estimate.value if name == "struggle" else 1.0
            effect = (self.values[number][1] - estimate.value) / scale
            weights = rows.mass * g * (1 - g)
            slope = _slope(estimate) / scale
            slope = slope - float((weights * slope).sum()) / (float(weights.sum()) or math.nan)
        own = float((self.samples.variances(1, g) * slope**2).sum()) * inflation
        known = self.reference_variance(self.gradient(slope, g)) * inflation
        error = math.sqrt(own + known) if found.reason is None or name == "level" else math.nan
        reach = normal_quantile(1 - self.request.alpha / 2) * error
        margin = None if self.request.margins is None else self.request.margins.get(name)
        low, high = effect - reach, effect + reach
        if name == "level" and self.samples.is_few:
            low, high = _log(ratio - reach), _log(ratio + reach)
        return CauseTest(
            name=name,
            effect=effect,
            low=low,
            high=high,
            standard_error=error,
            reference_error=math.sqrt(known),
            z=found.z if found.reason is None else math.nan,
            p_value=found.p_value,
            margin=margin,
            equivalent=None if margin is None else self.within(effect, error, (low, high), margin),
            reason=found.reason,
        )

    def within(self, effect: float, error: float, ends: Range, margin: float) -> bool | None:
        """Whether an effect is within its margin: True, False, or None if neither is shown."""
        if abs(effect) + normal_quantile(1 - self.request.alpha) * error < margin:
            return True
        return False if ends[0] > margin or ends[1] < -margin else None

    def odds(self, inflation: float) -> Part:
        """Return θ, by which the odds of all scores are multiplied, with its interval."""
        rows, nothing = self.samples.rows[1], np.ones(len(self.g))
        information = float((rows.mass * self.moved * (1 - self.moved)).sum())
        own = float(self.samples.variances(1, self.moved).sum())
        known = self.reference_variance(self.gradient(nothing, self.moved))
        error = math.sqrt((own + known) * inflation) / information if information > 0 else math.nan
        reach = normal_quantile(1 - self.request.alpha / 2) * error
        with np.errstate(over="ignore"):
            low, value, high = np.exp(self.shift + np.array([-reach, 0.0, reach])).tolist()
        return Part(value=value, low=low, high=high, standard_error=value * error)

    def parts(self, number: str, test: CauseTest) -> tuple[Part, Part, Part]:
        """Return the parts of a change that population, odds and model have."""
        before, now = self.values[number]
        implied, adjusted = self.implied[number], self.adjusted[number]
        scale = adjusted.value if test.name == "struggle" else 1.0
        reached, error = adjusted.value, test.standard_error * scale
        if test.name == "level":  # with θ as many positives are expected as observed: no rounding
            reached, error = now, 0.0
        model = self.part(now - reached, error**2)
        return (
            self.part(implied.value - before, self.population_variance(number)),
            self.part(reached - implied.value, self.odds_variance(number)),
            replace(model, p_value=test.p_value, adjusted_p_value=test.adjusted_p_value),
        )

    def population_variance(self, number: str) -> float:
        """Return the variance of T(g) − T(reference): new scores, the map, and the old number."""
        implied, before = self.implied[number], self.before[number]
        mean = self.g * implied.influence.up + (1 - self.g) * implied.influence.right
        gradient = self.gradient(_slope(implied), self.g)
        less = before.influence.up, before.influence.right
        known = self.reference_variance(gradient, less)
        extra = 0.0 if self.request.fixed_reference else before.more
        return self.samples.unit_variance(1, mean, mean) + implied.more + known + extra

    def odds_variance(self, number: str) -> float:
        """Return the variance of T(g_θ) − T(g): θ, the scores, and the map."""
        implied, adjusted = self.implied[number], self.adjusted[number]
        weights = self.samples.rows[1].mass * self.moved * (1 - self.moved)
        if not weights.any():  # one class alone: θ is 0 or infinite
            return math.nan
        along = float((weights * _slope(adjusted)).sum()) / float(weights.sum())  # ∂T/∂ log θ
        mean = self.moved * adjusted.influence.up + (1 - self.moved) * adjusted.influence.right
        mean -= self.g * implied.influence.up + (1 - self.g) * implied.influence.right
        own = self.samples.unit_variance(
            1, along * (1 - self.moved) + mean, mean - along * self.moved
        )
        one = self.gradient(_slope(adjusted) - along, self.moved)
        other = self.gradient(_slope(implied), self.g)
        return own + self.reference_variance((one[0] - other[0], one[1] - other[1]))


def _log(ratio: float) -> float:
    """Return the logarithm of a ratio, −∞ for one that is not positive."""
    return math.log(ratio) if ratio > 0 else -math.inf


def _log_factor(log_odds: FloatArray, rows: MapRows) -> float:
    """Return log θ: what must be added to all log-odds to expect the positives observed."""
    total, observed = float(rows.mass.sum()), float(rows.up.sum())
    if not 0 < observed < total:
        return math.inf if observed else -math.inf
    shift = 0.0
    low, high = -745.0 - float(log_odds.max()), 745.0 - float(log_odds.min())
    for _ in range(100):
        g = expit(log_odds + shift)
        excess = float((rows.mass * g).sum()) - observed
        low, high = (shift, high) if excess < 0 else (low, shift)
        information = float((rows.mass * g * (1 - g)).sum())
        step = excess / information if information > 0 else math.inf
        moved = shift - step if low < shift - step < high else (low + high) / 2
        if abs(moved - shift) <= 1e-12 * max(1.0, abs(shift)):
            break
        shift = moved
    return shift


# -- before labels come ----------------------------------------------------------------------------


def expected_of(
    reference: Evidence,
    scores: Tally,
    request: DriftRequest,
    costs: tuple[float, float] | None = None,
    threshold: float = 0.5,
) -> dict[str, Part]:
    """Return what the map of a reference expects of scores without labels, with intervals.

    That is the AUC of drawn labels, the number and the share of positives, midpoint and struggle
    ratio; and, with the costs of a false positive and a false negative, the mean cost of the rule
    "score ≥ threshold". The intervals hold what the reference does not know of its map.
    """
    both = reference, Evidence(scores)
    samples = _samples_of(both, grouped((reference.tally, scores)), known=request.fixed_reference)
    found = _Implied(samples, _reference_spread(samples), request)
    mass, count = samples.rows[1].mass, float(samples.rows[1].mass.sum())
    numbers = {name: (one.value, _slope(one)) for name, one in found.implied.items()}
    numbers["auc"] = expected_auc(found.expected), numbers["auc"][1]
    positives = float(found.expected.total_up)
    numbers["positives"] = positives, np.ones(len(mass))
    numbers["prevalence"] = positives / count, np.full(len(mass), 1 / count)
    if costs is not None:
        is_called = samples.current.scores >= threshold
        slope = np.where(is_called, -costs[0], costs[1]) / count
        alarms = costs[0] * float(found.expected.right[is_called].sum())
        missed = costs[1] * float(found.expected.up[~is_called].sum())
        numbers["cost"] = (alarms + missed) / count, slope
    return {
        name: found.part(value, found.reference_variance(found.gradient(slope, found.g)))
        for name, (value, slope) in numbers.items()
    }
