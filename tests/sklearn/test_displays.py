"""Displays: what rocwalk finds, drawn as scikit-learn draws it."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression, Perceptron
from sklearn.metrics import RocCurveDisplay
from sklearn.model_selection import (
    cross_val_predict,
    cross_validate,
)
from sklearn.svm import LinearSVC

import rocwalk as rw
from estimators import FOLDS, MODEL, TRUTH, WEIGHTS, WORDS, X, Y, validated
from rocwalk.errors import RocwalkError
from rocwalk.sklearn import CostThresholdClassifier

# how each picture is made of truth and probabilities, and what its first line shows
DISPLAYS = {
    "RocDisplay": (rw.roc, {"steps": "both"}, lambda r: (r.fpr, r.tpr)),
    "SmearedRocDisplay": (rw.smeared_roc, {"width": 0.3}, lambda r: (r.fpr, r.tpr)),
    "BandDisplay": (rw.band, {"method": "dkw"}, lambda r: (r.curve.fpr, r.curve.tpr)),
    "PrecisionRecallDisplay": (lambda y, p, **o: rw.roc(y, p).precision_recall(**o), {"prevalence": 0.1}, None),
    "CostDisplay": (lambda y, p, **o: rw.roc(y, p).cost_curve(**o), {"prevalence": 0.2}, lambda r: (r.probability_cost, r.expected_cost)),
    "BrierDisplay": (lambda y, p, **o: rw.roc(y, p).brier_curve(**o), {"prevalence": 0.2}, None),
    "NetBenefitDisplay": (lambda y, p, **o: rw.roc(y, p).decision_curve(**o), {"prevalence": 0.2}, None),
    "CalibrationDisplay": (lambda y, p: rw.roc(y, p).calibration(), {}, None),
    "SensibilityDisplay": (rw.sensibility, {"midpoint": 0.4}, None),
    "ReferenceTruthDisplay": (rw.reference_truth, {}, lambda r: (r.curve.fpr, r.curve.tpr)),
}  # fmt: skip


def display_of(name):
    return getattr(rw.sklearn, name)


def curves(ax):
    return [line for line in ax.lines if line.get_gid() == "curve"]


def test_every_display_is_tested():
    assert set(DISPLAYS) == {n for n in rw.sklearn.__all__ if n.endswith("Display")} - {"Display"}


@pytest.mark.parametrize("name", DISPLAYS)
def test_a_display_draws_what_rocwalk_finds(name):
    make, options, shown = DISPLAYS[name]
    model = clone(MODEL).fit(X, Y)
    p = model.predict_proba(X)[:, 1]
    display = display_of(name).from_estimator(model, X, Y, **options)
    assert display.result.to_json() == make(Y, p, **options).to_json()
    assert display.ax_.figure is display.figure_
    lines = display.line_ if isinstance(display.line_, list) else [display.line_]
    plain = curves(display.result.plot())
    for line, other in zip(lines, plain, strict=True):
        np.testing.assert_array_equal(line.get_xydata(), other.get_xydata())
    if shown is not None:
        np.testing.assert_array_equal(lines[0].get_xydata(), np.column_stack(shown(display.result)))
    if name not in ("BandDisplay", "ReferenceTruthDisplay"):
        assert "LogisticRegression" in lines[0].get_label()
    assert repr(display) == f"{name}({display.result!r})"


@pytest.mark.parametrize("name", DISPLAYS)
def test_predictions_and_an_estimator_draw_the_same(name):
    model = clone(MODEL).fit(X, WORDS)
    options = DISPLAYS[name][1]
    for pos_label, column in ((None, 1), ("healthy", 0)):
        keywords = options | {"pos_label": pos_label, "sample_weight": None}
        one = display_of(name).from_estimator(
            model, X, WORDS, response_method="predict_proba", **keywords
        )
        other = display_of(name).from_predictions(
            WORDS, model.predict_proba(X)[:, column], **keywords
        )
        assert one.result.to_json() == other.result.to_json()


@pytest.mark.parametrize("name", DISPLAYS)
def test_folds_are_thin_and_all_of_them_bold(name, results):
    options = {} if name == "BandDisplay" else DISPLAYS[name][1]
    display = display_of(name).from_cv_results(results, X, Y, name="model", **options)
    assert len(display.folds) == 3
    bold = display.line_ if isinstance(display.line_, list) else [display.line_]
    assert len(display.fold_lines_) == 3 * len(bold)
    assert {line.get_color() for line in display.fold_lines_} == {bold[0].get_color()}
    assert max(line.get_linewidth() for line in display.fold_lines_) < bold[0].get_linewidth()
    assert curves(display.ax_) == bold
    words = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert len(set(words)) == len(words)
    assert any("model" in word for word in words)
    assert repr(display).endswith(", folds=3)")


def test_the_bold_curve_is_the_average_and_the_thin_ones_the_folds(results):
    display = rw.sklearn.RocDisplay.from_cv_results(results, X, Y)
    folds = [
        rw.roc(Y[test], model.predict_proba(X[test])[:, 1])
        for model, test in zip(results["estimator"], results["indices"]["test"], strict=True)
    ]
    mean = rw.average(folds)
    np.testing.assert_array_equal(display.fpr, mean.fpr)
    np.testing.assert_array_equal(display.tpr, mean.tpr)
    assert display.roc_auc == pytest.approx(np.mean(results["test_auc"]))
    for line, fold in zip(display.fold_lines_, folds, strict=True):
        np.testing.assert_array_equal(line.get_xydata(), np.column_stack([fold.fpr, fold.tpr]))
    band = rw.sklearn.BandDisplay.from_cv_results(results, X, Y, confidence_level=0.9)
    assert band.result.to_json() == rw.fold_band(mean, confidence_level=0.9).to_json()


def test_other_pictures_pool_the_folds(results):
    p = cross_val_predict(MODEL, X, Y, cv=FOLDS, method="predict_proba")[:, 1]
    display = rw.sklearn.CalibrationDisplay.from_cv_results(results, X, Y, sample_weight=WEIGHTS)
    pooled = rw.roc(Y, p, sample_weight=WEIGHTS).calibration()
    assert display.result.brier.loss == pytest.approx(pooled.brier.loss)
    test = results["indices"]["test"][1]
    fold = rw.roc(Y[test], p[test], sample_weight=WEIGHTS[test]).calibration()
    assert display.folds[1].to_json() == fold.to_json()


def test_displays_of_soft_truth(results):
    model = clone(MODEL).fit(X, WORDS)
    p = model.predict_proba(X)[:, 1]
    display = rw.sklearn.RocDisplay.from_estimator(model, X, TRUTH)
    assert display.result.area == rw.roc(TRUTH, p).area
    hard = rw.sklearn.RocDisplay.from_estimator(model, X, Y.astype(float), truth="soft")
    assert hard.result.area == pytest.approx(rw.roc(Y, p).area)
    folds = rw.sklearn.ReferenceTruthDisplay.from_cv_results(results, X, TRUTH)
    out = cross_val_predict(MODEL, X, Y, cv=FOLDS, method="predict_proba")[:, 1]
    assert folds.result.auc_prt == pytest.approx(rw.reference_truth(TRUTH, out).auc_prt)


def test_a_decision_function_will_do_for_curves():
    model = LinearSVC().fit(X, Y)
    display = rw.sklearn.RocDisplay.from_estimator(model, X, Y)
    assert display.roc_auc == rw.roc(Y, model.decision_function(X)).area
    turned = rw.sklearn.RocDisplay.from_estimator(model, X, Y, pos_label=0)
    assert turned.roc_auc == display.roc_auc
    asked = rw.sklearn.RocDisplay.from_estimator(
        clone(MODEL).fit(X, Y), X, Y, response_method="decision_function"
    )
    assert asked.result.thresholds.min() < 0


def test_displays_share_axes_and_are_drawn_again(results):
    _, ax = plt.subplots()
    one = rw.sklearn.RocDisplay.from_cv_results(results, X, Y, name="a", ax=ax)
    two = rw.sklearn.RocDisplay.from_predictions(
        Y, X[:, 0], name="b", ax=ax, curve_kwargs={"hull": True}
    )
    assert one.ax_ is two.ax_ is ax
    assert one.line_.get_color() != two.line_.get_color()
    assert [line.get_label()[0] for line in curves(ax)] == ["a", "b"]
    assert one.chance_level_ is two.chance_level_
    again = two.plot(name="c", curve_kwargs={"color": "red", "chance": False})
    assert again is two
    assert (two.line_.get_color(), two.line_.get_label()[0]) == ("red", "c")
    assert two.chance_level_ is None
    thick = one.plot(fold_kwargs={"linewidth": 3})
    assert thick.fold_lines_[0].get_linewidth() == 3


@pytest.mark.parametrize("drop", [True, False])
def test_the_points_of_scikit_learns_display(drop, results):
    model = clone(MODEL).fit(X, Y)
    for weights in (None, WEIGHTS):
        options = {"sample_weight": weights, "drop_intermediate": drop}
        theirs = RocCurveDisplay.from_estimator(model, X, Y, **options)
        ours = rw.sklearn.RocDisplay.from_estimator(model, X, Y, **options)
        np.testing.assert_allclose(ours.fpr, theirs.fpr, atol=1e-15)
        np.testing.assert_allclose(ours.tpr, theirs.tpr, atol=1e-15)
        np.testing.assert_array_equal(
            ours.line_.get_xydata(), np.column_stack([ours.fpr, ours.tpr])
        )
        assert len(ours.result.fpr) == len(Y) + 1  # the curve keeps its points
    theirs = RocCurveDisplay.from_cv_results(results, X, Y, drop_intermediate=drop)
    ours = rw.sklearn.RocDisplay.from_cv_results(results, X, Y, drop_intermediate=drop)
    for line, fpr, tpr in zip(ours.fold_lines_, theirs.fpr, theirs.tpr, strict=True):
        np.testing.assert_allclose(line.get_xydata(), np.column_stack([fpr, tpr]), atol=1e-15)
    np.testing.assert_array_equal(ours.line_.get_xydata(), np.column_stack([ours.fpr, ours.tpr]))
    with pytest.raises(TypeError, match="'drop_intermediate' parameter of RocDisplay must be"):
        rw.sklearn.RocDisplay.from_estimator(model, X, Y, drop_intermediate="no")


def look_of(display):
    """What scikit-learn's keywords change in a picture."""
    chance, spines = display.chance_level_, display.ax_.spines
    legend = display.ax_.get_legend()
    return {
        "chance": chance if chance is None else (chance.get_color(), chance.get_linestyle()),
        "points": None if chance is None else np.array(chance.get_xydata()).tolist(),
        "labelled": chance is not None
        and chance.get_label() in {text.get_text() for text in legend.get_texts()},
        "edges": [spines[side].get_visible() for side in ("top", "right")],
        "bounds": [spines[side].get_bounds() for side in ("left", "bottom")],
    }


CHANCE = {"color": "red", "linestyle": ":", "label": "chance"}


@pytest.mark.parametrize("chance", [True, False])
def test_the_keywords_of_scikit_learns_display(chance, results):
    model = clone(MODEL).fit(X, Y)
    p = model.predict_proba(X)[:, 1]
    plain = {"plot_chance_level": chance, "despine": True}
    keywords = plain | {"chance_level_kw": CHANCE}
    ways = {
        "from_estimator": ((model, X, Y), keywords),
        "from_predictions": ((Y, p), keywords),
        "from_cv_results": ((results, X, Y), plain | {"chance_level_kwargs": CHANCE}),
    }
    for way, (arguments, options) in ways.items():
        ours, theirs = (
            getattr(display, way)(*arguments, **options)
            for display in (rw.sklearn.RocDisplay, RocCurveDisplay)
        )
        assert look_of(ours) == look_of(theirs), way
        assert look_of(ours.plot(**keywords)) == look_of(theirs.plot(**keywords)), way
    assert rw.sklearn.RocDisplay.from_predictions(Y, p).chance_level_ is not None


@pytest.mark.parametrize("name", DISPLAYS)
def test_opacity_and_the_chance_line_of_every_display(name, results):
    p = cross_val_predict(MODEL, X, Y, cv=FOLDS, method="predict_proba")[:, 1]
    keywords = {"alpha": 0.3, "plot_chance_level": False, "despine": True}
    for display in (
        display_of(name).from_predictions(Y, p, **keywords),
        display_of(name).from_cv_results(results, X, Y, **keywords),
    ):
        lines = display.line_ if isinstance(display.line_, list) else [display.line_]
        assert {line.get_alpha() for line in lines} == {0.3}
        assert display.chance_level_ is None
        assert not [line for line in display.ax_.lines if line.get_gid() == "chance"]


def test_a_chance_line_of_another_display_stays():
    one = rw.sklearn.RocDisplay.from_predictions(Y, X[:, 0])
    two = rw.sklearn.RocDisplay.from_predictions(Y, X[:, 1], ax=one.ax_, plot_chance_level=False)
    assert two.chance_level_ is None
    assert one.chance_level_ in one.ax_.lines


def test_data_frames_and_splits_that_overlap():
    frame = pd.DataFrame(X).add_prefix("x")
    y = pd.Series(WORDS, index=range(1000, 1000 + len(Y)))
    found = cross_validate(MODEL, frame, y, cv=FOLDS, return_estimator=True, return_indices=True)
    display = rw.sklearn.RocDisplay.from_cv_results(found, frame, y)
    assert display.roc_auc == pytest.approx(np.mean(validated(MODEL)["test_auc"]))


REGRESSION = LinearRegression().fit(X, Y)
BAD_DISPLAYS = {
    "no estimators": (lambda d: d.from_cv_results({"indices": {}}, X, Y), "cv_results has no 'estimator'.\nHint: call cross_validate"),
    "neither": (lambda d: d.from_cv_results({}, X, Y), "no 'estimator' and no 'indices'"),
    "no mapping": (lambda d: d.from_cv_results(3, X, Y), "cv_results is an int"),
    "other rows": (lambda d: d.from_cv_results(validated(MODEL), X[:200], Y[:200]), "Row 2.. was tested in a fold, but y has 200 rows only"),
    "a regression": (lambda d: d.from_estimator(REGRESSION, X, Y), "LinearRegression is not a classifier"),
    "an unknown label": (lambda d: d.from_estimator(clone(MODEL).fit(X, Y), X, Y, pos_label=2), "pos_label=2 is not a class.\nHint: the classes are 0, 1"),
    "no scores": (lambda d: d.from_estimator(Perceptron().fit(X, Y), X, Y, response_method="predict_proba"), "Perceptron has no predict_proba.\nHint: .*CalibratedClassifierCV"),
    "an unknown method": (lambda d: d.from_estimator(clone(MODEL).fit(X, Y), X, Y, response_method="predict"), "response_method='predict' is not known"),
    "three classes": (lambda d: d.from_estimator(MODEL.__class__(max_iter=900).fit(X, Y + (X[:, 0] > 1)), X, Y), "There should be two classes, but the classifier knows 0, 1, 2"),
    "three labels": (lambda d: d.from_predictions([0, 1, 2], [0.1, 0.2, 0.3]), "multiclass format is not supported: y_true has the labels 0, 1, 2"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_DISPLAYS)
def test_bad_displays(case):
    call, words = BAD_DISPLAYS[case]
    with pytest.raises(RocwalkError, match=words):
        call(rw.sklearn.RocDisplay)


def test_an_unfitted_estimator_is_called_so():
    with pytest.raises(NotFittedError):
        rw.sklearn.RocDisplay.from_estimator(LogisticRegression(), X, Y)


def test_the_lowest_score_is_no_bound_if_everything_is_positive():
    model = clone(MODEL).fit(X, Y)
    p = model.predict_proba(X)[:, 1]
    above = p >= np.min(p[Y == 1])  # so the lowest score is that of a positive
    found = CostThresholdClassifier(
        model, costs=rw.Costs(false_positive=1, false_negative=10_000), cv="prefit"
    )
    assert (found.fit(X[above], Y[above]).predict(X) == 1).all()


def test_everything_exported_has_a_docstring():
    for name in rw.sklearn.__all__:
        assert getattr(rw.sklearn, name).__doc__, name
