"""The score tests and the chain of drift against a slow reference, and the laws they obey.

The reference works item by item with dense matrices: every cell is a column of one design, the
information is inverted whole, and derivatives of AUC and of the map are numerical where that is
practical.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize, stats

import rocwalk as rw
from rocwalk.drift.request import DECIDING

NUMBERS = {"level": "midpoint", "ranking": "auc", "struggle": "struggle_ratio"}

# -- the reference ---------------------------------------------------------------------------------


def inverse_cdf(values, weights, share):
    """Return the least value with at least this share of the weight at or below it."""
    distinct, place = np.unique(values, return_inverse=True)
    below = np.cumsum(np.bincount(place, weights))
    return float(distinct[below >= share * below[-1] * (1 - 1e-12)][0])


def minority(y, w):
    return min((w * y).sum(), (w * (1 - y)).sum())


class Slow:
    """Both samples item by item: labels y, scores p, weights w (mean 1), cluster, group."""

    def __init__(self, reference, current, weights=(None, None), cluster=(None, None), edges=None):
        parts = []
        for k, (y, scores) in enumerate((reference, current)):
            p, group = scores.copy(), scores
            w = np.ones(len(y)) if weights[k] is None else weights[k] * len(y) / weights[k].sum()
            unit = np.arange(len(y)) if cluster[k] is None else cluster[k]
            if edges is not None:
                group = np.searchsorted(edges, scores, "right").astype(float)
                for one in np.unique(group):
                    own = group == one
                    p[own] = (w * scores)[own].sum() / w[own].sum()
            parts.append((y, p, w, unit + k * 10**6, group))
        self.split = len(parts[0][0])
        self.y, self.p, self.w, self.unit, self.group = map(
            np.concatenate, zip(*parts, strict=True)
        )
        self.now = (np.arange(len(self.y)) >= self.split).astype(float)
        self.is_hard = bool(np.isin(self.y, (0, 1)).all())
        self.clustered = any(one is not None for one in cluster)
        self.centre = self.log_odds()
        self.smooth, self.prior = self.spline()
        self.cells = self.cell_columns()
        self.spread = self.paule_mandel()
        if self.spread > 0:
            number = self.cells.shape[1]
            self.design = np.hstack([self.smooth, self.cells])
            self.precision = np.append(self.prior, np.full(number, 1 / self.spread))
        else:
            self.design, self.precision = self.smooth, self.prior

    def log_odds(self):
        inside = (self.p > 0) & (self.p < 1)
        with np.errstate(divide="ignore"):
            x = np.log(self.p / (1 - self.p))
        low, high = (inverse_cdf(x[inside], self.w[inside], q) for q in (0.001, 0.999))
        return np.minimum(np.maximum(x, low), high)

    def spline(self):
        scores = np.unique(self.group)
        if len(scores) <= 10:
            return (self.group[:, None] == scores).astype(float), np.full(len(scores), 1 / 9)
        old = self.now == 0
        w = self.w[old]

        def standard(column):
            mean = np.average(column[old], weights=w)
            return mean, math.sqrt(np.average((column[old] - mean) ** 2, weights=w))

        mean, spread = standard(self.centre)
        x = (self.centre - mean) / spread
        few = minority(self.y[old], w)
        shares = (0.1, 0.5, 0.9) if few < 40 else (0.05, 0.35, 0.65, 0.95)
        shares = shares if few < 60 else (0.05, 0.275, 0.5, 0.725, 0.95)
        knots = sorted({inverse_cdf(x[old], w, share) for share in shares})
        columns = [np.ones(len(x)), x]
        if len(knots) >= 3:
            end = knots[-1]

            def ramp(knot):
                """Return a cubic that is linear beyond the last knot, by divided differences."""
                cubes = np.clip(x - knot, 0, None) ** 3 - np.clip(x - end, 0, None) ** 3
                return cubes / (end - knot)

            for knot in knots[:-2]:
                column = ramp(knot) - ramp(knots[-2])
                columns.append(column / standard(column)[1])
        known = [mark for mark in (0.0, 1.0) if (self.p[old] == mark).any()]
        columns += [(self.p == mark).astype(float) for mark in known]
        return np.column_stack(columns), np.array([1e-6] + [1 / 9] * (len(columns) - 1))

    def cell_columns(self):
        scores = np.unique(self.group)
        if len(scores) <= 10:
            return np.zeros((len(self.p), 0))
        if len(scores) <= 100:
            return (self.group[:, None] == scores).astype(float)
        old = self.now == 0
        number = min(max(round(minority(self.y[old], self.w[old]) / 3), 10), 100)
        middle = [
            self.w[self.group < one].sum() + self.w[self.group == one].sum() / 2
            for one in self.group
        ]
        place = np.floor(np.array(middle) / self.w.sum() * number)
        return (place[:, None] == np.unique(place)).astype(float)

    def fitted(self, rows, columns, precision):
        """Return coefficients and probabilities by a general optimiser and Newton's method."""
        y, w, centre, b = self.y[rows], self.w[rows], self.centre[rows], columns[rows]

        def gradient(beta):
            g = 1 / (1 + np.exp(-(centre + b @ beta)))
            return precision * beta - b.T @ (w * (y - g))

        def hessian(beta):
            g = 1 / (1 + np.exp(-(centre + b @ beta)))
            return b.T @ (b * (w * g * (1 - g))[:, None]) + np.diag(precision)

        def loss(beta):
            e = centre + b @ beta
            return 0.5 * (precision * beta**2).sum() - (w * (y * e - np.logaddexp(0, e))).sum()

        start = np.zeros(columns.shape[1])
        found = optimize.minimize(loss, start, jac=gradient, hess=hessian, method="trust-exact")
        beta = found.x
        for _ in range(4):
            beta = beta - np.linalg.solve(hessian(beta), gradient(beta))
        return beta, 1 / (1 + np.exp(-(self.centre + columns @ beta)))

    def paule_mandel(self):
        if not self.cells.shape[1]:
            return 0.0
        old = self.now == 0
        _, g = self.fitted(old, self.smooth, self.prior)
        r = self.cells[old].T @ (self.w * (self.y - g))[old]
        v = self.cells[old].T @ self.squares(g)[old]
        i = self.cells[old].T @ (self.w * g * (1 - g))[old]
        r, v, i = r[v > 0], v[v > 0], i[v > 0]
        df = len(r) - self.smooth.shape[1]

        def excess(tau2):
            return (r**2 / (v + tau2 * i**2)).sum() - df

        if df < 3 or excess(0.0) <= 0:
            return 0.0
        return 16.0 if excess(16.0) > 0 else optimize.brentq(excess, 0, 16, xtol=1e-14)

    def squares(self, g):
        return self.w**2 * (g * (1 - g) if self.is_hard else (self.y - g) ** 2)

    def score(self, columns, precision, z):
        """Return z = S/√Cov of one more column, with the full information matrix inverted.

        The pull of the prior on the smooth columns is no evidence, and subtracted.
        """
        beta, g = self.fitted(np.ones(len(self.y), bool), columns, precision)
        v = self.w * g * (1 - g)
        inverse = np.linalg.inv(columns.T @ np.diag(v) @ columns + np.diag(precision))
        a = inverse @ columns.T @ (v * z)
        rest = z - columns @ a
        prior = a @ np.diag(precision) @ a
        number = self.smooth.shape[1]
        of_cells = np.zeros(len(beta), bool)
        of_cells[number : number + self.cells.shape[1]] = self.spread > 0
        s = (z * self.w * (self.y - g)).sum() - (a * precision * beta)[~of_cells].sum()
        if not self.clustered:
            return s / math.sqrt((self.squares(g) * rest**2).sum() + prior)
        sums = {}
        for unit, each in zip(self.unit, rest * self.w * (self.y - g), strict=True):
            sums[unit] = sums.get(unit, 0.0) + each
        return s / math.sqrt(sum(each**2 for each in sums.values()) + prior)

    def area_slopes(self, truth):
        """Return AUC of the current scores with soft truth, and ∂AUC/∂y of each item."""
        p, w = self.p[self.split :], self.w[self.split :]
        wins = (p[:, None] > p) + 0.5 * (p[:, None] == p)
        up, right = w * truth, w * (1 - truth)
        area = up @ wins @ right / up.sum() / right.sum()
        slope = (wins @ right - up @ wins) / (up.sum() * right.sum())
        return area, slope - area / up.sum() + area / right.sum()

    def tests(self):
        wide, precision = np.column_stack([self.design, self.now]), np.append(self.precision, 1e-6)
        _, shifted = self.fitted(np.ones(len(self.y), bool), wide, precision)
        own = self.now == 1
        _, slope = self.area_slopes(shifted[own])
        order = np.zeros(len(self.y))
        order[own] = slope
        middle = (self.w * self.p)[own].sum() / (2 * (self.w * shifted)[own].sum())
        side = np.sign(self.p - middle)
        sided = np.column_stack([wide, side])
        return {
            "level": self.score(self.design, self.precision, self.now),
            "ranking": self.score(wide, precision, order),
            "struggle": self.score(sided, np.append(precision, 1 / 9), self.now * side),
            "alone": self.score(self.design, self.precision, order),
        }

    def chain(self):
        """Return the numbers that g and g_θ imply, θ, errors of effects, and log O/E."""
        old, own = self.now == 0, self.now == 1
        beta, base = self.fitted(old, self.design, self.precision)
        odds = (self.centre + self.design @ beta)[own]
        w, p, y = self.w[own], self.p[own], self.y[own]

        def expected(shift):
            return 1 / (1 + np.exp(-(odds + shift)))

        shift = optimize.brentq(lambda s: (w * (expected(s) - y)).sum(), -30, 30, xtol=1e-13)
        numbers = {}
        for name, truth in (("implied", expected(0.0)), ("adjusted", expected(shift))):
            middle = (w * p).sum() / (2 * (w * truth).sum())
            right_side = (w * np.where(p >= middle, truth, 1 - truth)).sum()
            ratio = (w.sum() - right_side) / right_side
            area = self.area_slopes(truth)[0]
            numbers[name] = {"auc": area, "midpoint": middle, "struggle_ratio": ratio}
        v = (self.w * base * (1 - base))[old]
        columns = self.design[old]
        inverse = np.linalg.inv(columns.T @ np.diag(v) @ columns + np.diag(self.precision))

        def error(truth, slope):
            gradient = self.design[own].T @ (w * slope * truth * (1 - truth))
            influence = columns @ (inverse @ gradient)
            known = (self.squares(base)[old] * influence**2).sum()
            known += (self.precision * (inverse @ gradient) ** 2).sum()
            residual = truth * (1 - truth) if self.is_hard else (y - truth) ** 2
            return math.sqrt((w**2 * slope**2 * residual).sum() + known), math.sqrt(known)

        g, moved = expected(0.0), expected(shift)
        _, slope = self.area_slopes(moved)
        slope = slope - np.average(slope, weights=w * moved * (1 - moved))
        information = (w * moved * (1 - moved)).sum()
        errors = {
            "level": error(g, np.full(len(w), 1 / (w * g).sum())),
            "ranking": error(moved, slope),
            "odds": error(moved, np.full(len(w), 1 / information)),
        }
        return numbers, math.exp(shift), errors, math.log((w * y).sum() / (w * g).sum())


# -- samples ---------------------------------------------------------------------------------------


def expit(x):
    return 1 / (1 + np.exp(-x))


def sample(seed, n, shift=0.0, ties=None, noise=0.0, middle=-1.0, soft=False):
    """Overconfident scores; soft truth is a label mixed with a guess."""
    rng = np.random.default_rng(seed)
    odds = middle + 1.2 * rng.normal(size=n) + shift
    p = expit(1.5 * odds + 0.3 + noise * rng.normal(size=n))
    y = (rng.random(n) < expit(odds)).astype(float)
    y = 0.75 * y + 0.25 * rng.random(n) if soft else y
    return y, p if ties is None else np.round(p * ties) / ties


def rough(seed, n, shift=0.0):
    """Scores in 41 clumps whose truth jumps up and down by one unit of log-odds."""
    _, p = sample(seed, n, shift, ties=40)
    up = np.random.default_rng(0).random(41) < 0.5
    truth = expit(
        np.log((p + 0.1) / (1.1 - p)) + np.where(up, 1.0, -1.0)[np.rint(40 * p).astype(int)]
    )
    return (np.random.default_rng(seed + 1000).random(n) < truth).astype(float), p


def weights(n):
    return np.random.default_rng(n).gamma(2.0, size=n)


CLUSTERS = np.repeat(np.arange(100), 3), np.repeat(np.arange(50), 4)
WEIGHTS = weights(300), weights(200)
EDGES = np.linspace(0, 1, 21)
SAMPLES = {  # two samples, and the options of both implementations
    "hard": (sample(1, 300), sample(2, 200, 0.3, noise=0.5), {}),
    "small current": (sample(3, 900), sample(4, 100, 0.3), {}),
    "random cells": (rough(5, 600), rough(6, 200, 0.8), {}),
    "few scores": (sample(7, 300, ties=5), sample(8, 150, 0.5, ties=5), {}),
    "scores of 0 and 1": (sample(9, 500, ties=200), sample(10, 250, -0.5, ties=200), {}),
    "soft": (sample(11, 300, soft=True), sample(12, 200, 0.3, soft=True), {}),
    "weighted": (sample(13, 300), sample(14, 200, 0.3), {"weights": WEIGHTS}),
    "clustered": (sample(15, 300), sample(16, 200, 0.3), {"cluster": CLUSTERS}),
    "weighted clusters": (
        sample(17, 300), sample(18, 200), {"weights": WEIGHTS, "cluster": CLUSTERS},
    ),
    "one sample in clusters": (
        sample(19, 300), sample(20, 200, 0.3), {"cluster": (None, CLUSTERS[1])},
    ),
    "soft and weighted": (
        sample(21, 300, ties=50, soft=True),
        sample(22, 200, 0.3, ties=50, soft=True),
        {"weights": WEIGHTS},
    ),
    "rare": (sample(23, 300, middle=-3.0), sample(24, 200, middle=-2.0), {}),
    "four knots": (sample(25, 150), sample(26, 150), {}),
    "buckets": (sample(27, 500), sample(28, 300, 0.3), {"edges": EDGES}),
    "few buckets": (sample(29, 500), sample(30, 300, 0.3), {"edges": EDGES[::3]}),
}  # fmt: skip


def drift(reference, current, *, weights=None, cluster=None, edges=None):
    if edges is not None:
        reference, current = (rw.tally(*one).bucketed(edges) for one in (reference, current))
    options = {"sample_weight": weights, "cluster": cluster}
    return rw.drift(
        reference, current, **{key: each for key, each in options.items() if each is not None}
    )


def zs(found):
    return [test.z for test in found.tests.values()]


# -- against the reference -------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::rocwalk.errors.UndefinedMetricWarning")  # too coarse buckets
@pytest.mark.parametrize("name", SAMPLES)
def test_tests_and_chain_are_those_of_the_reference(name):
    reference, current, options = SAMPLES[name]
    found, slow = drift(reference, current, **options), Slow(reference, current, **options)
    tests = slow.tests()
    assert zs(found) == pytest.approx([tests[key] for key in NUMBERS], abs=1e-6)
    p_values = [one.p_value for one in found.tests.values()]
    assert p_values == pytest.approx([2 * stats.norm.sf(abs(tests[key])) for key in NUMBERS])
    alone = 2 * stats.norm.sf(abs(tests["alone"])) < 0.05
    assert found.causes.beyond_level == (alone and tests["alone"] * tests["ranking"] > 0)
    numbers, odds, errors, level = slow.chain()
    assert found.odds.value == pytest.approx(odds, abs=1e-6)
    assert found.tests["level"].effect == pytest.approx(level, abs=1e-6)
    for number in DECIDING:
        one = found.findings[number]
        implied, adjusted = numbers["implied"][number], numbers["adjusted"][number]
        assert one.population.value == pytest.approx(implied - one.reference, abs=1e-6)
        assert one.odds.value == pytest.approx(adjusted - implied, abs=1e-6)
        assert one.model.value == pytest.approx(one.current - adjusted, abs=1e-6)
    if "cluster" not in options:  # whose errors are inflated
        assert found.odds.standard_error == pytest.approx(odds * errors["odds"][0], abs=1e-6)
        for key in ("level", "ranking"):
            test = found.tests[key]
            shown = test.standard_error, test.reference_error
            assert shown == pytest.approx(errors[key], abs=1e-6)


def test_the_samples_reach_every_part_of_the_map():
    """Random cells or none; three, four or five knots; indicators of 0 and 1; one column each."""
    spread, columns = {}, {}
    for name, (reference, current, options) in SAMPLES.items():
        slow = Slow(reference, current, **options)
        spread[name], columns[name] = slow.spread, slow.smooth.shape[1]
    assert spread["random cells"] > 0.3
    assert min(spread.values()) == spread["few scores"] == 0
    assert (columns["rare"], columns["four knots"], columns["hard"]) == (3, 4, 5)
    assert columns["scores of 0 and 1"] > 5
    assert columns["few scores"] == 6
    assert columns["few buckets"] == len(EDGES[::3])


def test_many_scores_are_grouped_at_little_cost():
    """With more than 2,048 distinct scores of a sample, neighbours share a row."""
    reference, current = sample(31, 2100), sample(32, 200, 0.3)
    found, slow = drift(reference, current), Slow(reference, current)
    tests = slow.tests()
    assert zs(found) == pytest.approx([tests[key] for key in NUMBERS], abs=0.02)


def test_clusters_inflate_errors_as_they_inflate_the_variance_of_the_score():
    reference, current, _ = SAMPLES["clustered"]
    every = tuple(np.arange(len(one[0])) for one in (reference, current))
    plain, alone = drift(reference, current), drift(reference, current, cluster=every)
    doubled = [tuple(np.tile(column, 2) for column in one) for one in (reference, current)]
    pairs = tuple(np.tile(one, 2) for one in every)
    twice = drift(*doubled, cluster=pairs)
    for key in NUMBERS:
        one, other, both = (found.tests[key] for found in (plain, alone, twice))
        inflation = (one.z / other.z) ** 2
        assert other.standard_error == pytest.approx(
            one.standard_error * math.sqrt(inflation), rel=1e-9
        )
        assert abs(both.z) < 1.1 * abs(other.z)  # copies in a cluster are no evidence


# -- laws ------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::rocwalk.errors.UndefinedMetricWarning")
@pytest.mark.parametrize("name", SAMPLES)
def test_the_parts_add_up(name):
    reference, current, options = SAMPLES[name]
    found = drift(reference, current, **options).findings
    for number in DECIDING:
        one = found[number]
        parts = one.population.value + one.odds.value + one.model.value
        assert parts == pytest.approx(one.difference, abs=1e-12)
    assert found["midpoint"].model.value == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("name", ["hard", "few scores", "soft", "weighted", "clustered"])
def test_the_order_of_rows_does_not_matter(name):
    reference, current, options = SAMPLES[name]
    orders = [np.random.default_rng(n).permutation(n) for n in map(len, (reference[0], current[0]))]
    mixed = [tuple(column[order] for column in one) for one, order in
             zip((reference, current), orders, strict=True)]  # fmt: skip
    moved = {
        key: tuple(column[order] for column, order in zip(both, orders, strict=True))
        for key, both in options.items()
    }
    one, other = drift(reference, current, **options), drift(*mixed, **moved)
    assert zs(other) == pytest.approx(zs(one), abs=1e-9)
    assert other.odds.value == pytest.approx(one.odds.value, abs=1e-9)


@pytest.mark.parametrize("name", ["weighted", "soft and weighted"])
def test_the_weights_of_a_sample_have_no_unit(name):
    reference, current, options = SAMPLES[name]
    first, second = options["weights"]
    one = drift(reference, current, weights=(first, second))
    other = drift(reference, current, weights=(7 * first, second / 3))
    assert zs(other) == pytest.approx(zs(one), abs=1e-9)
    for number in DECIDING:
        assert other.findings[number].population.standard_error == pytest.approx(
            one.findings[number].population.standard_error, rel=1e-9
        )


@pytest.mark.parametrize("name", ["hard", "random cells", "few scores", "scores of 0 and 1"])
def test_a_tally_is_as_good_as_its_rows(name):
    reference, current, _ = SAMPLES[name]
    halves = [
        [rw.tally(y[part], p[part]) for part in (slice(0, None, 2), slice(1, None, 2))]
        for y, p in (reference, current)
    ]
    merged = [rw.Tally.merge(each) for each in halves]
    assert rw.drift(*merged).to_json() == drift(reference, current).to_json()


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.filterwarnings("ignore::rocwalk.errors.UndefinedMetricWarning")
def test_a_sample_does_not_differ_from_itself(name):
    """The level is that of the map; what the smooth map leaves of order and sides is noise."""
    reference, _, options = SAMPLES[name]
    options = {key: both if key == "edges" else (both[0], both[0]) for key, both in options.items()}
    found = drift(reference, reference, **options)
    assert zs(found) == pytest.approx([0, 0, 0], abs=1.3)
    assert found.tests["level"].z == pytest.approx(0, abs=0.02)
    assert found.verdict == "none"
    assert found.odds.value == pytest.approx(1, abs=0.05)


def test_other_labels_flip_the_level_and_keep_the_ranking():
    """With one column for each score the map is the same upside down."""
    reference, current, _ = SAMPLES["few scores"]
    turned = [(1 - y, 1 - p) for y, p in (reference, current)]
    one, other = drift(reference, current), drift(*turned)
    assert other.tests["level"].z == pytest.approx(-one.tests["level"].z, abs=1e-9)
    assert other.tests["ranking"].z == pytest.approx(one.tests["ranking"].z, abs=1e-9)
    assert other.odds.value == pytest.approx(1 / one.odds.value, rel=1e-9)


@pytest.mark.parametrize("name", ["hard", "small current", "random cells", "soft"])
def test_other_labels_nearly_flip_a_spline(name):
    """The knots are at quantiles and the prior is on its columns: nearly the same map."""
    reference, current, _ = SAMPLES[name]
    turned = [(1 - y, 1 - p) for y, p in (reference, current)]
    one, other = drift(reference, current), drift(*turned)
    assert other.tests["level"].z == pytest.approx(-one.tests["level"].z, abs=0.15)
    assert other.tests["ranking"].z == pytest.approx(one.tests["ranking"].z, abs=0.15)


def test_a_known_reference_has_no_error():
    reference, current, _ = SAMPLES["small current"]
    found = rw.drift(reference, current, fixed_reference=True)
    assert all(test.reference_error == 0 for test in found.tests.values())
    sampled = rw.drift(reference, current)
    for key in NUMBERS:
        assert found.tests[key].standard_error <= sampled.tests[key].standard_error * 1.02


@pytest.mark.parametrize(
    "risk", [lambda p: p > 0.5, lambda p: np.where(p > 0.5, 0.95, 0.05), lambda p: expit(20 * np.log(p / (1 - p)))],
    ids=["separated", "a step", "steep"],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore::rocwalk.errors.UndefinedMetricWarning")
def test_a_map_that_is_far_from_the_prior_is_no_drift(risk):
    rng, alarms = np.random.default_rng(1), 0
    for _ in range(20):
        both = [rng.random(n) for n in (1000, 500)]
        samples = [((rng.random(len(p)) < risk(p)).astype(int), p) for p in both]
        alarms += rw.drift(*samples).drifted
    assert alarms <= 4
