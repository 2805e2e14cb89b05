"""The study of selection and thresholds, reduced to three sets; benchmarks/study is the full one."""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.special import expit, logit
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

import rocwalk as rw
from commands import ROOT

FOLDER = ROOT / "benchmarks" / "study"


def _room(name):
    """Load a module of the study, which is no part of the package."""
    if "study" not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            "study", FOLDER / "__init__.py", submodule_search_locations=[str(FOLDER)]
        )
        sys.modules["study"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules["study"])
    return importlib.import_module(f"study.{name}")


conditions, criteria, datasets, pictures, regret = map(
    _room, ("conditions", "criteria", "datasets", "pictures", "regret")
)
running, sensible, splits, summary, thresholds = map(
    _room, ("run", "sensible", "splits", "summary", "thresholds")
)


def validation(n=80, seed=0, digits=2):
    """A validation part with tied scores, and conditions that are not its own prevalence."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.35).astype(int)
    p = np.round(expit(rng.normal(size=n) + 1.5 * y - 0.8), digits)
    return thresholds.Validation(y, p, conditions.Conditions(0.3), rng)


# -- the reduced study -----------------------------------------------------------------------------


def test_the_reduced_study_runs_stops_and_continues(tmp_path):
    said = []
    running.run(datasets.REDUCED, range(1), tmp_path, said=said.append)
    assert len(said) == 3
    running.run(datasets.REDUCED, range(1), tmp_path, said=said.append)
    assert len(said) == 3  # nothing was missing
    again = tmp_path / "thresholds" / "sklearn-diabetes.0.json"
    before = json.loads(again.read_text())["found"]
    again.unlink()
    assert summary.complete_splits(tmp_path, "thresholds", datasets.REDUCED) == 0
    running.run(datasets.REDUCED, range(1), tmp_path, said=said.append)
    assert len(said) == 4
    assert said[3].startswith("sklearn-diabetes, split 0: thresholds in")
    after = json.loads(again.read_text())["found"]
    for size, ways in before.items():
        for name, found in ways.items():
            assert found["each"] == after[size][name]["each"]
            assert min(found["each"]) >= 0  # no threshold loses less than the best one

    found = summary.summarise(tmp_path, datasets.REDUCED)
    selection, ways = found["selection"], found["thresholds"]
    assert selection["splits"] == ways["splits"] == found["sensible"]["splits"] == 1
    named = [row["name"] for row in selection["200 costs"]["rows"]]
    assert named == [*criteria.CRITERIA, "least_loss", "any"]
    assert all(row["mean"] >= 0 for row in selection["200 costs"]["rows"])
    rows = {row["name"]: row for row in ways["200 costs"]["rows"]}
    assert rows["uniform, d = 2"]["mean"] > 2 * rows["ROC hull"]["mean"]
    assert rows["uniform, d = 0.02"]["difference"] == pytest.approx(
        rows["uniform, d = 0.02"]["mean"] - rows["ROC hull"]["mean"]
    )
    assert {row["number"] for row in found["sensible"]["rows"]} == set(summary.NUMBERS)


def test_a_part_that_is_run_alone_leaves_the_other_tables(tmp_path):
    running.run(datasets.REDUCED[:1], range(1), tmp_path, ("scores", "beta"), lambda _: None)
    found = summary.summarise(tmp_path, datasets.REDUCED[:1], ("scores", "beta"))
    assert "selection" not in found
    both = summary.merged(FOUND, found)
    assert both["beta"] == found["beta"] != FOUND["beta"]
    assert both["beta"]["splits"] == 1
    assert list(both["cpu_seconds"]) == [*dict.fromkeys([*FOUND["cpu_seconds"], "scores", "beta"])]
    kept = ("selection", "thresholds", "conditions", "widths", "sensible")
    assert [both[name] for name in kept] == [FOUND[name] for name in kept]


def test_a_set_that_is_too_small_is_refused():
    y = np.arange(500) < 39
    small = datasets.Dataset("small", "small", "here", lambda: datasets.Data(y[:, None], y * 1))
    with pytest.raises(ValueError, match="small has too few rows"):
        small.load()


# -- splits ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "positives", "sizes"),
    [
        (900, 300, [60, 200]),
        (3_000, 1_000, [60, 200, 1_000]),
        (2_999, 60, [200]),
        (900, 860, [200]),
    ],
)
def test_parts_are_apart_nested_and_of_one_prevalence(n, positives, sizes):
    y = (np.arange(n) < positives).astype(int)
    data = datasets.Data(np.zeros((n, 1)), y)
    split = splits.draw(data, np.random.default_rng(1))
    assert list(split.validation) == sizes
    together = np.concatenate([split.pool, split.train, split.test])
    assert len(np.unique(together)) == len(together)
    for size, rows in split.validation.items():
        assert len(rows) == size
        assert np.array_equal(rows, split.pool[:size])
    for rows in (*split.validation.values(), split.train, split.test):
        assert abs(y[rows].sum() - len(rows) * positives / n) <= 1
    other = splits.draw(data, np.random.default_rng(2))
    assert not np.array_equal(split.pool, other.pool)


# -- conditions and regret -------------------------------------------------------------------------


def test_losses_count_the_mistakes():
    part = validation()
    world, curve = part.conditions, part.curve
    at = np.linspace(-0.1, 1.1, len(world.slopes))
    fpr = np.array([(part.p[part.y == 0] >= t).mean() for t in at])
    fnr = np.array([(part.p[part.y == 1] < t).mean() for t in at])
    c, pc = conditions.GRID, conditions.GRID
    np.testing.assert_allclose(
        world.losses(curve, at),
        np.concatenate([
            2 * (c * 0.7 * fpr[:9] + (1 - c) * 0.3 * fnr[:9]),
            2 * ((1 - pc) * fpr[9:] + pc * fnr[9:]),
        ]),
    )  # fmt: skip
    every = np.array([np.full(len(at), t) for t in curve.thresholds])
    losses = np.array([world.losses(curve, each) for each in every])
    np.testing.assert_allclose(world.least(curve), losses.min(axis=0))
    np.testing.assert_allclose(world.cuts[:9], c)


def test_regret_of_a_selection_is_against_the_best_and_ties_are_shared():
    y = np.tile([0, 0, 0, 1], 50)
    good, bad = np.where(y == 1, 0.9, 0.1), np.full(len(y), 0.5)
    noisy = np.where(np.arange(len(y)) % 16 < 2, 1 - good, good)
    p = np.array([good, noisy, bad, bad])
    scores = regret.Scores(("a", "b", "c", "d"), 0.25, {200: (y, p)}, (y, p), 0)
    table = regret.of_selection(scores)["200"]
    assert table["auc"]["costs"] == 0
    assert table["any"]["costs"] > 0
    # constant on the validation rows, where positives are called for c < 1/4 only; one is perfect after
    tied = regret.Scores(("c", "d"), 0.25, {200: (y, p[2:])}, (y, p[[0, 2]]), 0)
    lost = np.where(conditions.GRID < 0.25, 2 * conditions.GRID * 0.75, 0)
    assert regret.of_selection(tied)["200"]["auc"]["costs"] == pytest.approx(lost.mean() / 2)


# -- ways to a threshold ---------------------------------------------------------------------------


def test_thresholds_of_curves_are_those_of_the_library():
    part = validation()
    curves = {width: rw.smeared_roc(part.tally, width=width) for width in (0.2, 1.6)}
    found = {
        width: (thresholds.by_position(curve, part), thresholds.by_count(curve, part))
        for width, curve in curves.items()
    }
    hull = thresholds.by_hull(part)
    between = thresholds.by_hull_between(part)
    for k, slope in enumerate(part.conditions.slopes):
        choice = part.curve.best(slope=slope)
        assert hull[k] == choice.threshold
        low, high = choice.interval
        assert between[k] == (low + high) / 2 if np.isfinite(low + high) else np.isinf(between[k])
        for width, curve in curves.items():
            best = curve.best(slope=slope)
            positions, counted = found[width]
            assert positions[k] == best.point.position
            low, high = best.interval
            assert low <= counted[k] <= high
            called = (part.p >= counted[k]).sum()
            ties = (part.p == counted[k]).sum()
            assert abs(called - best.point.count) <= 0.5 + ties


def test_beta_thresholds_are_the_best_points_of_the_library():
    """All conditions at once, and one after the other; the hull on the same splits beside them."""
    part = validation()
    assert next(iter(thresholds.BETA)) == "ROC hull"
    assert np.array_equal(thresholds.BETA["ROC hull"](part), thresholds.by_hull(part))
    for k in thresholds.CONCENTRATIONS:
        curve = rw.smeared_roc(part.tally, kernel="beta", concentration=k)
        found = thresholds.BETA[f"beta, κ = {k:g}"](part)
        best = [curve.best(slope=slope).threshold for slope in part.conditions.slopes]
        np.testing.assert_allclose(found, best, rtol=1e-9)


def test_calibrated_thresholds_decide_as_calibrated_scores_do():
    part = validation(n=300, digits=3)
    p, cuts = np.linspace(0.001, 0.999, 997), part.conditions.cuts
    isotonic = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(part.p, part.y)
    odds = logit(part.p)[:, None]
    n = np.bincount(part.y)
    target = np.where(part.y == 1, (n[1] + 1) / (n[1] + 2), 1 / (n[0] + 2))
    platt = LogisticRegression(C=np.inf, tol=1e-10).fit(
        np.tile(odds, (2, 1)), np.repeat([1, 0], 300), np.concatenate([target, 1 - target])
    )
    calibrated = {
        thresholds.by_isotonic: isotonic.predict(p),
        thresholds.by_platt: platt.predict_proba(logit(p)[:, None])[:, 1],
    }
    for method, scores in calibrated.items():
        for cut, threshold in zip(cuts, method(part), strict=True):
            clear = np.abs(scores - cut) > 1e-4
            assert np.array_equal(scores[clear] >= cut, p[clear] >= threshold)


def test_a_constant_score_has_thresholds_by_every_way():
    rng = np.random.default_rng(0)
    y = np.tile([0, 0, 1], 20)
    part = thresholds.Validation(y, np.full(60, 0.4), conditions.Conditions(1 / 3), rng)
    for name, method in (thresholds.METHODS | thresholds.LOGIT | thresholds.BETA).items():
        found = method(part)
        assert found.shape == part.conditions.slopes.shape, name
        assert not np.isnan(found).any(), name


# -- sensibility in the loss -----------------------------------------------------------------------


@pytest.mark.parametrize("mu", [0.0, 0.5, 1.0])
def test_the_gradient_holds_the_midpoint(mu):
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(60, 3)), (rng.random(60) < 0.3).astype(int)
    loss = sensible.SensibleLoss(x, y, mu)
    weights = rng.normal(size=4)
    value, gradient = loss(weights)
    p = expit(x @ weights[:3] + weights[3])
    middle = rw.sensibility(y, p).midpoint
    smooth = expit(-(2 * y - 1) * (p - middle) / sensible.TAU).mean()
    plain = -np.where(y == 1, np.log(p), np.log1p(-p)).mean()
    shrunk = loss.penalty * (weights[:3] ** 2).sum() / 2
    assert value == pytest.approx((1 - mu) * plain + mu * smooth + shrunk)
    numeric = approx_fprime(weights, lambda w: loss(w)[0], 1e-7)
    np.testing.assert_allclose(gradient, numeric, atol=2e-7)


def test_without_sensibility_the_model_is_the_ordinary_one():
    rng = np.random.default_rng(4)
    x = rng.normal(size=(200, 3))
    y = (rng.random(200) < expit(x[:, 0] - 1)).astype(int)
    ours = sensible.fit(x, y, (0.0,))[0.0]
    theirs = LogisticRegression(C=1 / (200 * 1e-3), tol=1e-8).fit(x, y)
    np.testing.assert_allclose(ours[:3], theirs.coef_[0], atol=2e-3)
    assert ours[3] == pytest.approx(theirs.intercept_[0], abs=2e-3)


# -- tables ----------------------------------------------------------------------------------------


def test_families_are_the_units():
    sets = [datasets.Dataset(name, name[0], "here", None) for name in ("a1", "a2", "b1")]
    values = dict(zip(sets, ([1.0, 3.0], [4.0], [5.0]), strict=True))
    assert summary.family_means(values) == {"a": 3.0, "b": 5.0}


def test_differences_are_tested_over_families_and_adjusted():
    names = [str(k) for k in range(8)]
    base = dict.fromkeys(names, 0.5)
    worse = {name: 0.5 + 0.1 * (k + 1) for k, name in enumerate(names)}
    mixed = {name: 0.5 + (-1) ** k * 0.1 * (k + 1) for k, name in enumerate(names)}
    rows = summary.compared({"r": base, "w": worse, "m": mixed, "e": base, "any": worse}, "r")
    rows = {row["name"]: row for row in summary.adjusted(rows)}
    assert "p" not in rows["r"]
    assert "p" not in rows["any"]
    assert rows["w"]["p"] == pytest.approx(3 * 2 / 2**8)  # exact, Holm over three rows
    assert rows["m"]["p"] > 0.05
    assert rows["e"]["p"] == 1
    assert rows["w"]["difference"] == pytest.approx(0.45)
    assert 0 < rows["w"]["low"] < 0.45 < rows["w"]["high"]
    assert (rows["m"]["above"], rows["m"]["below"]) == (4, 4)


# -- what the documentation says ------------------------------------------------------------------


FOUND = json.loads((ROOT / "docs" / "study.json").read_text(encoding="utf-8"))


def rows_of(question, size, world="costs"):
    return {row["name"]: row for row in FOUND[question][f"{size} {world}"]["rows"]}


def test_the_stored_tables_are_those_of_the_study():
    assert [FOUND[part]["splits"] for part in ("selection", "thresholds", "sensible")] == [20] * 3
    assert [each["name"] for each in FOUND["sets"]] == [each.name for each in datasets.FULL]
    assert len({each.family for each in datasets.FULL}) == 45
    assert FOUND["seed"] == splits.SEED
    for size in splits.SIZES:
        for world in conditions.WORLDS:
            named = [*criteria.CRITERIA, "least_loss", "any"]
            assert list(rows_of("selection", size, world)) == named
            ways = [*thresholds.METHODS, *thresholds.LOGIT]
            assert list(rows_of("thresholds", size, world)) == ways
            assert list(rows_of("beta", size, world)) == [*thresholds.BETA]
    text = json.dumps(FOUND)
    assert "NaN" not in text
    assert "Infinity" not in text


def worse(row):
    return row["difference"] > 0 and row["p"] < 0.05


def better(row):
    return row["difference"] < 0 and row["p"] < 0.05


def test_what_the_page_says_of_selection():
    for size in splits.SIZES:
        rows = rows_of("selection", size)
        for name in ("probabilistic_auc", "scored_auc", "single", "blind"):
            assert worse(rows[name]), (size, name)
        assert worse(rows["both"]) == (size > 60)
        for name in ("brier", "log_loss", "h_measure", "struggle_ratio"):
            assert not worse(rows[name]), (size, name)
            assert better(rows[name]) == (size == 60 and name in ("brier", "log_loss"))
        ratio = rows["least_loss"]["mean"] / rows["auc"]["mean"]
        assert ratio > 1 if size < 1_000 else 0.7 < ratio < 1
        balanced = rows_of("selection", size, "balanced")
        assert worse(balanced["struggle_ratio"]) == (size == 1_000)
        assert balanced["least_loss"]["mean"] > balanced["auc"]["mean"]


def test_what_the_page_says_of_thresholds():
    for size in splits.SIZES:
        rows = rows_of("thresholds", size)
        hull = rows["ROC hull"]["mean"]
        for name in ("uniform, matched", "logit, matched"):
            assert worse(rows[name])
            assert 2 < rows[name]["mean"] / hull < 11
        assert rows["uniform, matched, by count"]["mean"] < rows["uniform, matched"]["mean"]
        assert worse(rows["uniform, d = 0.2"]) == (size == 1_000)
        assert better(rows["uniform, d = 0.2"]) == (size == 60)
        assert better(rows["uniform, cross-validated"]) == (size == 60)
        assert not worse(rows["uniform, cross-validated"])
        assert better(rows["uniform, rule of thumb"]) == (size == 60)
        assert worse(rows["uniform, rule of thumb"]) == (size == 1_000)
        assert not better(rows["logit, rule of thumb"])
        assert worse(rows["logit, rule of thumb"]) == (size == 1_000)
        assert worse(rows["raw score"]) == (size > 60)
        assert worse(rows["Platt"]) == (size == 1_000)
        assert FOUND["widths"][str(size)]["quartiles"][1] == pytest.approx(1.55, abs=0.05)
        logit_row = rows["logit, d = 1"]
        assert better(logit_row) == (size < 1_000)
        if size < 1_000:
            less = 1 / 7 if size == 60 else 1 / 10
            assert 1 - logit_row["mean"] / hull == pytest.approx(less, abs=0.01)
            assert logit_row["below"] > 0.9 * (logit_row["above"] + logit_row["below"])
            assert better(rows["logit, d = 2"])
            for k in ("30", "100", "300"):
                one = rows_of("beta", size)[f"beta, κ = {k}"]
                assert one["p"] > 0.05
                assert size == 60 or one["low"] > 0 < one["below"] - one["above"]
        else:
            assert all(worse(row) for row in list(rows_of("beta", size).values())[1:])
            assert abs(logit_row["difference"]) < 0.0003
            assert worse(rows["logit, d = 2"])
        assert worse(rows_of("beta", size)["beta, κ = 3"])
    few, many = rows_of("thresholds", 60), rows_of("thresholds", 200)
    assert few["isotonic"]["mean"] < few["ROC hull"]["mean"]
    assert few["ROC hull, between scores"]["mean"] < few["ROC hull"]["mean"]
    assert few["Platt"]["below"] > 2 * few["Platt"]["above"]
    assert many["raw score"]["mean"] > 2 * many["ROC hull"]["mean"]
    by_cost = FOUND["conditions"]
    assert by_cost["uniform, matched"][-1] < 2 * by_cost["ROC hull"][-1]
    assert by_cost["uniform, matched"][3] > 4 * by_cost["ROC hull"][3]


def test_what_the_page_says_of_learning():
    rows = {(row["number"], row["name"]): row for row in FOUND["sensible"]["rows"]}
    for mu in ("0.25", "0.5", "0.75", "0.9"):
        assert rows["struggle_ratio", mu]["p"] > 0.05
        assert worse(rows["brier", mu]) == (mu >= "0.5")
        assert worse(rows["regret_raw", mu]) == (mu >= "0.5")
        assert worse(rows["loss", mu]) == (mu == "0.9")
        assert better(rows["auc", mu]) == (mu >= "0.5")  # less of it
    assert rows["loss", "0.9"]["difference"] == pytest.approx(
        0.01 * rows["loss", "0.0"]["mean"], rel=0.3
    )


def test_what_was_expected_and_found():
    rows, few = rows_of("thresholds", 200), rows_of("thresholds", 60)
    for width in ("0.1", "0.2"):
        row = rows[f"uniform, d = {width}"]
        assert -0.005 < row["low"] < row["high"] < 0.005
    assert better(few["Platt"])
    for width, found in (("0.5", better), ("1", better), ("2", better), ("4", worse)):
        assert found(rows[f"logit, d = {width}"])
    smeared = rows_of("beta", 200)
    found = [name for name, row in list(smeared.items())[1:] if worse(row)]
    assert found == ["beta, κ = 3", "beta, κ = 10"]
    assert not any(better(row) for row in list(smeared.values())[1:])
