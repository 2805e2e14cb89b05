"""Bands: the formulas by hand, their promises by simulation, their laws and their errors."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from scipy.stats import norm, t

import rocwalk as rw
from rocwalk.curves import bands
from rocwalk.curves.bands import band, fold_band
from rocwalk.errors import InputError, OneClassError, OptionError, TallyError
from rocwalk.inference import resampling as resample
from rocwalk.inference.items import evidence_from
from rocwalk.inference.resampling import Plan
from rocwalk.read.arrays import check
from rocwalk.tally.walk import highest_tpr

KINDS = [("simultaneous", "dkw"), ("simultaneous", "fixed-width"), ("pointwise", "percentile")]
BOOTSTRAPS = KINDS[1:]
GRID = np.linspace(0, 1, 1001)


def binormal(rng, n_up=50, n_right=50, shift=1.0):
    y = np.repeat([1, 0], [n_up, n_right])
    return y, rng.normal(shift * y)


def true_curve(shift=1.0):
    """The curve of two normals: FPR and TPR of score ≥ t."""
    cuts = np.linspace(-8, 8 + shift, 2001)[::-1]
    return np.r_[0, norm.sf(cuts), 1], np.r_[0, norm.sf(cuts - shift), 1]


def samples(rng):
    """Samples of many kinds: (y, s, options)."""
    y, s = binormal(rng, 30, 40)
    soft = np.clip(0.5 + 0.3 * rng.normal(2 * y - 1), 0, 1)
    return {
        "untied": (y, s, {}),
        "tied": (y, np.round(s), {}),
        "all tied": (y, 0 * s, {}),
        "perfect": (y, y + 0.1 * s / np.abs(s).max(), {}),
        "worst": (1 - y, y + 0.1 * s / np.abs(s).max(), {}),
        "few": ([1, 0, 1, 0], [0.9, 0.8, 0.8, 0.1], {}),
        "many": (*binormal(rng, 300, 400), {}),
        "soft": (soft, s, {"truth": "soft"}),
        "soft and tied": (np.round(soft, 1), np.round(s), {"truth": "soft"}),
        "weighted": (y, s, {"sample_weight": rng.random(70) + 0.1}),
        "clustered": (y, s, {"cluster": np.arange(70) % 14}),
    }


CASES = [
    (name, kind, method)
    for name in samples(np.random.default_rng(0))
    for kind, method in KINDS
    if method != "dkw" or name not in ("soft", "soft and tied", "weighted", "clustered")
]


def made(name, kind, method, rng, **more):
    y, s, options = samples(rng)[name]
    return band(y, s, kind=kind, method=method, n_resamples=200, rng=1, **options, **more)


# -- DKW by hand ---------------------------------------------------------------------------------


def tpr_at(curve, x):
    """TPR(x), the highest there; 0 on the left of the square and 1 on the right of it."""
    inside = highest_tpr(curve.walk, np.clip(x, 0, 1))
    return np.where(x < 0, -np.inf, np.where(x > 1, np.inf, inside))


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("name", ["untied", "tied", "perfect", "few", "many"])
def test_dkw_is_the_formula(name, level, rng):
    made_band = made(name, "simultaneous", "dkw", rng, confidence_level=level)
    y, s, _ = samples(np.random.default_rng(20260101))[name]
    curve, n_up = rw.roc(y, s), int(np.sum(y))
    alpha = 1 - math.sqrt(level)
    up, right = (math.sqrt(math.log(2 / alpha) / (2 * n)) for n in (n_up, len(y) - n_up))
    assert made_band.reach == pytest.approx((right, up), rel=1e-12)
    x = np.random.default_rng(1).random(500)  # almost surely at no jump
    lower = np.clip(tpr_at(curve, x - right) - up, 0, 1)
    upper = np.clip(tpr_at(curve, x + right) + up, 0, 1)
    np.testing.assert_allclose(highest_tpr(made_band.lower.walk, x), lower, atol=1e-12)
    np.testing.assert_allclose(highest_tpr(made_band.upper.walk, x), upper, atol=1e-12)


def test_dkw_at_places_worked_out_with_pencil():
    """Eight of each class: e = √(ln(2/(1 − √.5))/16) = 0.346476…; steps of an eighth."""
    y, s = [1] * 4 + [0] * 4 + [1] * 4 + [0] * 4, np.arange(16, 0, -1)
    got = band(y, s, method="dkw", confidence_level=0.5)
    e = math.sqrt(math.log(2 / (1 - math.sqrt(0.5))) / 16)
    assert got.reach == pytest.approx((e, e))
    at = {0.0: (0, 0.5 + e), 0.1: (0, 0.5 + e), 0.2: (0, 1), 0.4: (0.5 - e, 1), 0.9: (1 - e, 1)}
    for x, (low, high) in at.items():
        assert highest_tpr(got.lower.walk, np.array([x]))[0] == pytest.approx(low)
        assert highest_tpr(got.upper.walk, np.array([x]))[0] == pytest.approx(high)


# -- fixed width against the geometry ------------------------------------------------------------


@pytest.mark.parametrize("name", ["untied", "tied", "soft", "weighted", "clustered"])
def test_the_distance_is_the_smallest_slide_that_takes_a_replicate_in(name, rng):
    y, s, options = samples(rng)[name]
    cluster = options.pop("cluster", None)
    evidence = evidence_from(check(y, s, **options), cluster)
    seen, plan = [], Plan(40, 5, 1)

    def keep(fpr, tpr):
        seen.extend(zip(fpr, tpr, strict=True))
        return np.zeros(len(fpr))

    bands._replicated(evidence, plan, keep)
    distances = bands._distances(evidence, plan)
    assert len(seen) == len(distances) == 40
    for (fpr, tpr), distance in zip(seen, distances, strict=True):
        for factor, inside in ((1 + 1e-7, True), (1 - 1e-7, False)):
            edges = bands._slid_edges(evidence, factor * distance, "")
            assert bands.lies_inside(edges.lower, edges.upper, fpr, tpr) is inside


def test_the_width_is_the_quantile_with_half_an_item_and_at_least_the_rule_of_three(rng):
    y, s = binormal(rng, 30, 60)
    evidence = evidence_from(check(y, s))
    distances = np.sort(bands._distances(evidence, Plan(400, 3)))
    got = band(y, s, n_resamples=400, rng=3, confidence_level=0.9)
    far = distances[359] + 0.5 / math.sqrt(30)
    assert got.reach == pytest.approx((far / math.sqrt(60), far / math.sqrt(30)), rel=1e-12)
    perfect = band(y, 2.0 * y, n_resamples=50, rng=3)
    assert perfect.reach[1] == pytest.approx(1 - 0.05 ** (1 / 30), rel=1e-12)


def test_hardness_fades_with_soft_truth(rng):
    y, s = binormal(rng)
    for truth, expected in ((y, 1), (0 * y + 0.5, 0), (0.25 + 0.5 * y, 0.25)):
        evidence = evidence_from(check(truth, s, truth="soft"))
        assert bands.hardness(evidence) == pytest.approx(expected)


# -- promises ------------------------------------------------------------------------------------


def covered(runs, rng, **options):
    """Which of the runs hold the whole true curve, and its TPR at each of three FPRs."""
    fpr, tpr = true_curve()
    at = np.array([0.1, 0.3, 0.5])
    truth = np.interp(at, fpr, tpr)
    rows = []
    for k in range(runs):
        got = band(*binormal(rng), rng=k, n_resamples=400, threads=1, **options)
        low, high = (highest_tpr(edge.walk, at) for edge in (got.lower, got.upper))
        rows.append([got.contains(fpr, tpr), *((low <= truth) & (truth <= high))])
    return np.mean(rows, axis=0)


def four_errors(share, runs):
    return 4 * math.sqrt(share * (1 - share) / runs)


def test_dkw_covers_the_whole_curve(rng):
    assert covered(200, rng, method="dkw")[0] >= 0.95 - four_errors(0.95, 200)


def test_fixed_width_covers_as_measured_and_is_narrower(rng):
    """Found in 1,000 runs: 0.990, mean width 0.435 where DKW has 0.581."""
    assert abs(covered(200, rng)[0] - 0.990) <= four_errors(0.990, 200)
    pairs = [[band(*binormal(rng), method=method, rng=1, n_resamples=400) for method in
              ("fixed-width", "dkw")] for _ in range(10)]  # fmt: skip
    widths = np.array([[b.upper.area - b.lower.area for b in pair] for pair in pairs]).mean(axis=0)
    assert widths == pytest.approx([0.435, 0.581], abs=0.03)


def test_pointwise_covers_each_rate_and_not_the_whole_curve(rng):
    """Found in 1,000 runs: 0.960, 0.966 and 0.974 at FPR 0.1, 0.3 and 0.5; the whole curve 0.249."""
    whole, *shares = covered(200, rng, kind="pointwise")
    for share, expected in zip(shares, (0.960, 0.966, 0.974), strict=True):
        assert abs(share - expected) <= four_errors(expected, 200)
    assert abs(whole - 0.249) <= four_errors(0.249, 200)


# -- laws ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "kind", "method"), CASES)
def test_the_curve_lies_inside_and_the_edges_are_curves(name, kind, method, rng):
    got = made(name, kind, method, rng)
    assert got.contains(got.curve.fpr, got.curve.tpr)
    for edge in (got.lower, got.upper):
        assert (edge.fpr[0], edge.tpr[0], edge.fpr[-1], edge.tpr[-1]) == (0, 0, 1, 1)
        assert np.all(np.diff(edge.fpr) >= 0)
        assert np.all(np.diff(edge.tpr) >= 0)
        assert np.isnan(edge.thresholds).all()
        assert edge.prevalence is None
    frame = got.to_frame("pandas")
    assert list(frame.columns) == ["fpr", "lower", "tpr", "upper"]
    assert (frame.lower <= frame.tpr + 1e-12).all()
    assert (frame.tpr <= frame.upper + 1e-12).all()
    assert got.lower.area <= got.curve.area <= got.upper.area
    assert got.lower.area < got.upper.area - 0.05


@pytest.mark.parametrize(("kind", "method"), KINDS)
def test_more_confidence_is_a_wider_band(kind, method, rng):
    narrow, wide = (made("untied", kind, method, rng_, confidence_level=level) for rng_, level in
                    ((np.random.default_rng(2), 0.8), (np.random.default_rng(2), 0.99)))  # fmt: skip
    assert wide.contains(narrow.lower.fpr, narrow.lower.tpr)
    assert wide.contains(narrow.upper.fpr, narrow.upper.tpr)
    assert not narrow.contains(wide.upper.fpr, wide.upper.tpr)


def bits(got):
    return [column.tobytes() for column in got._columns().values()] + [got.lower.tpr.tobytes()]


@pytest.mark.parametrize(("kind", "method"), BOOTSTRAPS)
@pytest.mark.parametrize("name", ["many", "soft", "clustered"])
def test_the_same_seed_gives_the_same_bits_on_any_number_of_threads(name, kind, method):
    one, two, other = (
        made(name, kind, method, np.random.default_rng(1), threads=threads, progress=progress)
        for threads, progress in ((1, None), (3, None), (1, lambda done, of: None))
    )
    assert bits(one) == bits(two) == bits(other)
    y, s, options = samples(np.random.default_rng(1))["many" if name == "clustered" else name]
    options |= {"cluster": np.arange(len(y)) % 100} if name == "clustered" else {}
    first, second = (
        band(y, s, kind=kind, method=method, n_resamples=200, rng=seed, **options)
        for seed in (1, 2)
    )
    assert bits(first) != bits(second)


@pytest.mark.parametrize(("kind", "method"), KINDS)
def test_soft_truth_of_zeros_and_ones_and_one_weight_for_all_change_nothing(kind, method, rng):
    y, s = binormal(rng)
    s = np.round(s, 1)
    plain = band(y, s, kind=kind, method=method, n_resamples=100, rng=1)
    same = (
        band(y, s, truth="soft", kind=kind, method=method, n_resamples=100, rng=1),
        band(
            y, s, sample_weight=np.full(100, 0.3), kind=kind, method=method, n_resamples=100, rng=1
        ),
        band(rw.tally(y, s), kind=kind, method=method, n_resamples=100, rng=1),
        band(
            rw.tally(y, s, sample_weight=np.full(100, 7.0)),
            kind=kind,
            method=method,
            n_resamples=100,
            rng=1,
        ),
        band(y[::-1], 3 * s[::-1] - 1, kind=kind, method=method, n_resamples=100, rng=1),
    )
    for other in same:
        np.testing.assert_array_equal(other.lower.tpr, plain.lower.tpr)
        np.testing.assert_array_equal(other.upper.fpr, plain.upper.fpr)


@pytest.mark.parametrize(("kind", "method"), BOOTSTRAPS)
def test_scaled_weights_change_nothing(kind, method, rng):
    y, s = binormal(rng)
    w = rng.random(100) + 0.1
    one, scaled = (
        band(y, s, sample_weight=c * w, kind=kind, method=method, n_resamples=100, rng=1)
        for c in (1, 3.3)
    )
    x = rng.random(200)
    for edge in ("lower", "upper"):
        a, b = (highest_tpr(getattr(each, edge).walk, x) for each in (one, scaled))
        np.testing.assert_allclose(a, b, atol=1e-9)


def test_clusters_of_one_item_are_items_and_large_clusters_widen(rng):
    y, s = binormal(rng, 60, 60)
    alone = band(y, s, cluster=np.arange(120), rng=1, n_resamples=300)
    pairs = band(np.tile(y, 2), np.tile(s, 2), cluster=np.tile(np.arange(120), 2), rng=1,
                 n_resamples=300)  # fmt: skip
    assert pairs.reach == pytest.approx(alone.reach, rel=1e-9)
    blind = band(np.tile(y, 2), np.tile(s, 2), rng=1, n_resamples=300)
    assert blind.reach[1] < 0.85 * alone.reach[1]


# -- very many rows ------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "method"), BOOTSTRAPS)
@pytest.mark.parametrize("name", ["many", "soft", "weighted", "clustered"])
def test_replicates_of_coarse_rows_make_the_same_band(name, kind, method, monkeypatch):
    exact = made(name, kind, method, np.random.default_rng(4))
    monkeypatch.setattr(resample, "_MOST_ROWS", 40)
    coarse = made(name, kind, method, np.random.default_rng(4))
    assert coarse.contains(coarse.curve.fpr, coarse.curve.tpr)
    x = np.linspace(0, 1, 101)
    for edge in ("lower", "upper"):
        a, b = (highest_tpr(getattr(each, edge).walk, x) for each in (exact, coarse))
        assert np.abs(a - b).mean() < 0.025


def test_a_coarse_curve_stays_close(rng):
    y, s = binormal(rng, 6_000, 9_000)
    exact = evidence_from(check(y, s))
    coarse = resample.coarse(exact)
    assert len(coarse.tally) <= 4_096
    walk, rough = rw.roc(exact.tally).walk, rw.roc(coarse.tally).walk
    edges = bands.slid(walk, 1 / 2048, -1 / 2048), bands.slid(walk, -1 / 2048, 1 / 2048)
    assert bands.lies_inside(*edges, rough.fpr, rough.tpr)
    assert resample.coarse(coarse) is coarse


# -- what lies inside ----------------------------------------------------------------------------


def test_contains_looks_between_the_points_and_at_jumps():
    y, s = [1] * 4 + [0] * 4 + [1] * 4 + [0] * 4, np.arange(16, 0, -1)
    got = band(y, s, method="dkw", confidence_level=0.5)
    e = got.reach[0]
    assert got.contains([0, 1], [0, 1])
    assert got.contains([0.1, 0.1], [0.0, 0.5 + e])  # a piece, which touches
    assert not got.contains([0.1, 0.1], [0.0, 0.5001 + e])
    assert got.contains(got.upper.fpr, got.upper.tpr)
    assert got.contains(got.lower.fpr, got.lower.tpr)
    assert got.contains([0.1], [0.8])
    assert got.contains([0.2], [1.0])
    assert not got.contains([0.1, 0.2], [0.8, 1.0])  # over the corner at (1/2 − e, 1/2 + e)
    assert got.contains([0, 0.5 - e, 0.5 - e, 1], [0, 0.5, 0.9, 1])
    assert not got.contains([0, 0, 1], [0, 0.8, 1]) or 0.5 + e > 0.8
    assert not got.contains([0, 0, 1], [0, 0.9, 1])
    assert not got.contains([0, 1, 1], [0, 0.1, 1])
    assert got.contains([0.5], [0.5])
    assert not got.contains([0.05], [0.99])


@pytest.mark.parametrize(
    ("fpr", "tpr", "words"),
    [
        ([0, 1], [0, 0.5, 1], "fpr has 2 points and tpr 3"),
        ([], [], "fpr has 0 points"),
        ([0, 0.5, 0.4], [0, 0.5, 1], "fpr falls somewhere"),
        ([0, 1], [0, 1.5], r"tpr falls somewhere, or leaves \[0, 1\]"),
        ([0, float("nan")], [0, 1], "fpr falls somewhere"),
    ],
)
def test_what_is_no_curve_is_not_asked_for(fpr, tpr, words):
    with pytest.raises(InputError, match=words):
        band([1, 0, 1, 0], [4, 3, 2, 1], method="dkw").contains(fpr, tpr)


# -- over folds ----------------------------------------------------------------------------------


def folds(rng, k=5):
    return [rw.roc(*binormal(rng, 20, 20)) for _ in range(k)]


def test_the_interval_over_folds_is_nadeau_and_bengio_s_at_each_rate(rng):
    curves = folds(rng)
    mean = rw.average(curves, grid=np.linspace(0, 1, 11))
    got = fold_band(mean, 0.9)
    values = np.array([highest_tpr(curve.walk, np.array([0.3])) for curve in curves])[:, 0]
    reach = t.ppf(0.95, 4) * values.std(ddof=1) * math.sqrt(1 / 5 + 1 / 4)
    low, high = (highest_tpr(edge.walk, np.array([0.3]))[0] for edge in (got.lower, got.upper))
    assert (low, high) == pytest.approx((values.mean() - reach, values.mean() + reach))
    assert (got.kind, got.method, got.confidence_level, got.curve) == (
        "folds",
        "nadeau-bengio",
        0.9,
        mean,
    )


@pytest.mark.parametrize("how", ["vertical", "horizontal"])
def test_the_interval_over_folds_holds_the_mean(how, rng):
    mean = rw.average(folds(rng, 3), how=how)
    got = fold_band(mean)
    assert got.contains(mean.fpr, mean.tpr)
    for edge in (got.lower, got.upper):
        assert np.all(np.diff(edge.tpr) >= 0)
        assert np.all(np.diff(edge.fpr) >= 0)
    assert got.lower.area < mean.area < got.upper.area
    assert not fold_band(mean, 0.5).contains(got.upper.fpr, got.upper.tpr)


def test_folds_that_cannot_be_used(rng):
    curves = folds(rng, 2)
    with pytest.raises(OptionError, match="One curve has no spread over folds"):
        fold_band(rw.average(curves[:1]))
    with pytest.raises(OptionError, match="A mean by threshold varies in both rates at once"):
        fold_band(rw.average(curves, how="threshold"))
    with pytest.raises(InputError, match="average is a Curve"):
        fold_band(curves[0])
    with pytest.raises(OptionError, match="confidence_level=1 is outside"):
        fold_band(rw.average(curves), 1)


# -- pictures and results ------------------------------------------------------------------------


def ribbons(ax):
    return [patch for patch in ax.patches if patch.get_gid() == "band"]


@pytest.mark.parametrize(("kind", "method"), KINDS)
def test_a_band_is_drawn_as_a_ribbon_under_its_curve(kind, method, rng):
    got = made("untied", kind, method, rng)
    ax = got.plot(name="model")
    (ribbon,) = ribbons(ax)
    (line,) = [line for line in ax.lines if line.get_gid() == "curve"]
    edges = [line for line in ax.lines if line.get_gid() == "edge"]
    drawn = ribbon.get_xy()
    assert drawn[: len(got.lower.fpr)].tolist() == np.c_[got.lower.fpr, got.lower.tpr].tolist()
    assert line.get_xdata().tolist() == got.curve.fpr.tolist()
    assert [edge.get_ydata().tolist() for edge in edges] == [
        got.lower.tpr.tolist(),
        got.upper.tpr.tolist(),
    ]
    assert ribbon.get_zorder() < line.get_zorder()
    assert ribbon.get_alpha() < 0.3
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == [f"model (AUC = {got.curve.area:.3f})", f"{kind} 95 % band"]


def test_ribbons_have_the_colours_of_their_curves_and_long_ones_are_thinned(rng):
    long = band(*binormal(rng, 5_000, 5_000), method="dkw", confidence_level=0.999)
    other = fold_band(rw.average(folds(rng)))
    ax = other.plot(long.plot())
    lines = [line.get_color() for line in ax.lines if line.get_gid() == "curve"]
    edges = [line.get_color() for line in ax.lines if line.get_gid() == "edge"]
    assert lines == [edges[0], edges[2]] == [edges[1], edges[3]]
    assert lines[0] != lines[1]
    assert len(ribbons(ax)[0].get_xy()) < 4_500
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels[1] == "simultaneous 99.9 % band"
    assert labels[3] == "95 % interval of the mean over folds"


def test_a_band_is_a_result(rng):
    got = made("untied", "simultaneous", "fixed-width", rng)
    assert repr(got).startswith("Band(band='simultaneous', method='fixed-width', confidence_level=")
    plain = json.loads(got.to_json())
    assert plain["kind"] == "Band"
    assert plain["lower"] == pytest.approx(got.to_frame("pandas")["lower"].tolist())
    assert "rocwalk Band" in got._repr_html_()
    assert (got.n_resamples, got.failed) == (200, 0)
    assert made("untied", "simultaneous", "dkw", rng).n_resamples is None


# -- errors --------------------------------------------------------------------------------------

Y, S = [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]
BAD = [
    ({"kind": "both"}, OptionError, "kind='both' is not known"),
    ({"method": "delong"}, OptionError, "method='delong' is not known"),
    ({"method": "percentile"}, OptionError, "method='percentile' does not make a simultaneous band"),
    ({"kind": "pointwise", "method": "dkw"}, OptionError, "method='dkw' does not make a pointwise band"),
    ({"confidence_level": 95}, OptionError, r"confidence_level=95 is outside \(0, 1\)"),
    ({"confidence_level": "x"}, OptionError, "confidence_level='x' is not a number"),
    ({"n_resamples": 0}, OptionError, "n_resamples=0 is smaller than 1"),
    ({"n_resamples": 1}, OneClassError, "Fewer than two replicates have a curve"),
    ({"cluster": [1, 1, 1, 1]}, InputError, "All rows belong to one cluster"),
    ({"cluster": [1, 2]}, InputError, "cluster has 2 rows"),
    ({"method": "dkw", "cluster": [1, 1, 2, 2]}, OptionError, "method='dkw' is for hard labels"),
    ({"method": "dkw", "sample_weight": [1, 2, 1, 1]}, OptionError, "method='dkw' is for hard labels"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "error", "words"), BAD)
def test_bad_options(options, error, words):
    with pytest.raises(error, match=words) as raised:
        band(Y, S, **options)
    assert raised.value.hint


def test_bad_data():
    with pytest.raises(OneClassError, match="There is no positive mass"):
        band([0, 0, 0], [1, 2, 3])
    with pytest.raises(OneClassError, match="fewer than two positive items"):
        band([1, 0, 0], [1, 2, 3])
    with pytest.raises(OptionError, match="use 'fixed-width', which takes soft truth"):
        band([0.2, 0.5, 0.9], [1, 2, 3], method="dkw")
    masses = rw.tally([0.2, 0.5, 0.9], [1, 2, 3])
    with pytest.raises(TallyError, match="The bootstrap of this band needs the items"):
        band(masses)
    with pytest.raises(TallyError, match="The bootstrap of this band needs the items"):
        band(masses, kind="pointwise")
    counts = rw.tally(Y, S)
    with pytest.raises(TallyError, match="Clusters need the items"):
        band(counts, cluster=[1, 2, 1, 2])
    with pytest.raises(TallyError, match="this tally is bucketed"):
        band(counts.bucketed([0.75]), method="fixed-width")
    with pytest.raises(OptionError, match="y_score is missing"):
        band(Y)


def test_replicates_without_a_class_are_left_out_and_counted(rng):
    y, s = binormal(rng, 3, 30)
    got = band(y, s, sample_weight=rng.random(33) + 0.5, n_resamples=400, rng=1)
    assert 0 < got.failed < 60
    assert np.isfinite(got.reach).all()
