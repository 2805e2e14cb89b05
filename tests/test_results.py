"""What every result can do, checked for every result there is."""

from __future__ import annotations

import html
import json
import pickle
import tempfile

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from matplotlib.axes import Axes

import rocwalk as rw
from rocwalk.errors import OptionError
from rocwalk.result import Result, json_text, short, strict_value

Y, S = [1, 0, 1, 0, 1], [0.9, 0.8, 0.7, 0.1, 0.4]
FOLD = [1, 1, 2, 2, 2]
VOTES = [[1, 1, 1], [0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 0, 1]]
TRUTH = [0.9, 0.2, 0.6, 0.5, 0.5]
CURVE = rw.roc(Y, S)
READERS = rw.reader_study(
    {
        "y": [1, 0, 1, 0, 1] * 4,
        "who": list("aaaaabbbbb") * 2,
        "how": [1] * 10 + [2] * 10,
        "case": list(range(5)) * 4,
        "rating": [0.9, 0.8, 0.7, 0.1, 0.4, 0.8, 0.1, 0.9, 0.3, 0.2, 5, 3, 4, 1, 2, 3, 1, 2, 4, 5],
    },
    truth="y", reader="who", test="how", case="case", rating="rating",
)  # fmt: skip
TIMELINE = rw.drift_over_time(
    {"y": Y * 4, "s": S * 4, "t": list(range(20))},
    label="y", score="s", time="t", window=10, minimum=2,
)  # fmt: skip
FOLDER = tempfile.TemporaryDirectory()
STORE = rw.MonitorStore.create(f"{FOLDER.name}/store.duckdb")
STORE.add_model("m", minimum=2, reference={"score": S * 4, "label": Y * 4})
STORE.add(
    {"id": range(5), "time": [f"2026-0{k}-01" for k in (1, 1, 1, 1, 3)], "score": S, "label": Y}
)
STATUS = STORE.status()
MONITOR = rw.DriftMonitor((Y * 4, S * 4), minimum=2, window=10).update(Y * 4, S * 4)
WATCH = rw.DriftWatch((Y * 4, S * 4))
WATCH.update([1] * 200, [0.1] * 200)
GROUPS = rw.subgroups([1, 0, 1, 0] * 3, np.sin(np.arange(12)), ["a"] * 6 + ["b"] * 6)
RESULTS = {
    "tally": CURVE.tally,
    "shared tally": rw.share(CURVE.tally, buckets=4, minimum=2),
    "shared calibration": rw.shared_calibration(rw.share(CURVE.tally, buckets=4, minimum=2)),
    "shared interval": rw.interval(rw.share(CURVE.tally, buckets=4, minimum=2)),
    "curve": CURVE,
    "hull": CURVE.hull,
    "thinned": CURVE.thinned(4),
    "averaged": rw.average([CURVE, CURVE]),
    "point": CURVE.at(0.5),
    "mixed point": CURVE.at(fpr=0.2),
    "confusion": CURVE.at(0.5).confusion,
    "choice": CURVE.best(),
    "tied choice": CURVE.best(slope=0),
    "costs": rw.Costs(false_positive=1, false_negative=2),
    "gains": CURVE.gains,
    "choice within a budget": CURVE.best(rate=0.5),
    "mix": rw.mix({"a": CURVE}, fpr=0.2),
    "precision recall": CURVE.precision_recall(),
    "multiclass": rw.multiclass([0, 1, 2, 1], np.eye(4, 3) * 0.6 + 0.1),
    "front": rw.misclassification_front(Y, np.column_stack([1 - np.array(S), S])),
    "tallies": rw.tallies({"y": Y, "s": S}, label="y", score="s"),
    "interval": rw.interval(Y, S),
    "band": rw.band(Y, S, rng=0, n_resamples=50),
    "comparison": rw.compare(Y, {"a": S, "b": S[::-1]}),
    "pair": rw.compare(Y, {"a": S, "b": S[::-1]}).pairs[0],
    "omnibus": rw.compare(Y, {"a": S, "b": S[::-1]}).omnibus,
    "cross-validation": rw.cross_validation(Y, {"a": S, "b": S[::-1]}, FOLD),
    "fold mean": rw.cross_validation(Y, S, FOLD).models[0],
    "fold pair": rw.cross_validation(Y, {"a": S, "b": S[::-1]}, FOLD).pairs[0],
    "whole curves": rw.compare_curves(Y, {"a": S, "b": S[::-1]}, n_resamples=20, rng=0),
    "whole curves of samples": rw.compare_sample_curves((Y, S), (Y, S), n_resamples=20, rng=0),
    "two samples": rw.compare_samples((Y, S), (Y, S[::-1])),
    "subgroups": GROUPS,
    "gap between subgroups": GROUPS.gap,
    "test over subgroups": GROUPS.equality,
    "subgroup against the rest": GROUPS.against_rest[0],
    "background areas": GROUPS.background[0],
    "power": rw.auc_sample_size(0.8),
    "accuracy size": rw.accuracy_sample_size(sensitivity=0.9, prevalence=0.2),
    "smooth": rw.smooth_roc(Y, S, method="density"),
    "smeared area": rw.smeared_area(Y, S, width=0.3),
    "area of coins": rw.smeared_area(Y, S, kernel="coin"),
    "width": rw.matched_width(Y, S),
    "concentration": rw.matched_concentration(Y, S),
    "smeared, beta": rw.smeared_roc(Y, S, kernel="beta", concentration=5),
    "score noise": rw.smeared_roc(Y, S, kernel="logit", width=1).band(),
    "certificate": rw.matched_width(Y, S).certificate,
    "smeared": rw.smeared_roc(Y, S),
    "smeared choice": rw.smeared_roc(Y, S).best(),
    "smeared point": rw.smeared_roc(Y, S).at(0.5),
    "truth tally": rw.truth_tally(TRUTH, S),
    "reference truth": rw.reference_truth(TRUTH, S),
    "accuracy table": rw.accuracy_table(Y, S),
    "best threshold": rw.best_threshold(Y, S, rng=0, n_resamples=50),
    "rule on a sample": rw.best_threshold(Y, S, rng=0, n_resamples=50).on(Y, S),
    "sensibility": rw.sensibility(Y, S),
    "sensibility point": rw.sensibility(Y, S).at(0.5),
    "drift": rw.drift((Y, S), (Y, S)),
    "finding": rw.drift((Y, S), (Y, S)).findings["auc"],
    "shift": rw.score_shift(S, S),
    "monitor": MONITOR,
    "monitor status": STATUS,
    "monitor window": STATUS.windows[0],
    "monitor check": MONITOR.check(),
    "closed window": MONITOR.windows[0],
    "watch": WATCH,
    "watch state": WATCH.state,
    "change point": WATCH.change_point,
    "timeline": TIMELINE,
    "window": TIMELINE.windows[0],
    "votes": rw.votes(VOTES),
    "agreement": rw.agreement(VOTES),
    "rater model": rw.votes(VOTES).dawid_skene(prior=(4, 2)),
    "rater table": rw.rater_table(VOTES, {"a": S}),
    "rater effect": rw.rater_table(VOTES, {"a": S}).effects[0],
    "reader study": READERS,
    "reader components": READERS.components,
    "reader mean": READERS.means[0],
    "reader power": READERS.power(0.2),
    "soft curves": rw.soft_curves(Y, S),
    "cost curve": CURVE.cost_curve(),
    "loss curve": CURVE.brier_curve(),
    "decision curve": CURVE.decision_curve(),
    "prices": CURVE.price(rw.Costs(false_positive=1, false_negative=2)),
    "calibration": CURVE.calibration(),
    "smooth calibration": rw.calibration(Y, S, method="smooth", rng=0, n_resamples=50),
    "calibration test": CURVE.calibration().spiegelhalter,
    "report": rw.report({"y": Y, "s": S}, label="y", score="s"),
    "methods": CURVE.methods(),
    "paper table": rw.table({"y": Y, "s": S}, label="y", score="s"),
    "paper figure": rw.figure({"y": Y, "s": S}, label="y", score="s"),
    "evaluation": rw.evaluate(
        {"y": Y, "s": S, "t": S[::-1]}, label="y", score=["s", "t"], n_resamples=0
    ),
    "evaluation over folds": rw.evaluate(
        {"y": Y, "s": S, "t": S[::-1], "f": [1, 1, 2, 2, 2]}, label="y", score=["s", "t"], fold="f"
    ),
}
every_result = pytest.mark.parametrize("result", RESULTS.values(), ids=list(RESULTS))


def test_no_kind_of_result_is_forgotten():
    public = {getattr(rw, name) for name in rw.__all__}
    kinds = {kind for kind in public if isinstance(kind, type) and issubclass(kind, Result)}
    assert kinds == {type(result) for result in RESULTS.values()}


@every_result
def test_one_line_repr(result):
    text = repr(result)
    assert "\n" not in text
    assert text.startswith(type(result).__name__ + "(")
    assert len(text) < 250


@every_result
def test_notebook_view(result):
    view = result._repr_html_()
    assert view.startswith(("<b>rocwalk ", "<iframe srcdoc="))
    assert "table" in view


@every_result
def test_dict_and_strict_json(result):
    plain = result.to_dict()
    assert plain["kind"] == type(result).__name__
    assert plain["schema_version"] == 1

    def refuse(name):
        raise AssertionError(f"{name} is not JSON")

    read = json.loads(result.to_json(), parse_constant=refuse)
    assert read.keys() == plain.keys()


@every_result
@pytest.mark.parametrize(
    ("library", "kind"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame), ("pyarrow", pa.Table)]
)
def test_frames(result, library, kind):
    frame = result.to_frame(library)
    assert isinstance(frame, kind)
    assert len(frame) >= 1


@every_result
def test_results_pickle(result):
    again = pickle.loads(pickle.dumps(result))
    assert repr(again) == repr(result)


PICTURES = [name for name, result in RESULTS.items() if hasattr(result, "plot")]


@pytest.mark.parametrize(
    "name", [name for name in PICTURES if name not in ("soft curves", "timeline")]
)
def test_results_with_something_to_see_plot_themselves(name):
    assert isinstance(RESULTS[name].plot(), Axes)


def test_frames_of_the_library_at_hand():
    assert isinstance(CURVE.to_frame(), pd.DataFrame)  # loaded by this module
    with pytest.raises(OptionError, match="library='excel' is not known"):
        CURVE.to_frame("excel")


def test_markup_in_names_is_shown_as_text():
    rule = rw.mix({"<script>alert(1)</script>": CURVE}, fpr=0.2)
    assert "<script>" not in rule._repr_html_()
    assert "&lt;script&gt;" in rule._repr_html_()


@pytest.mark.parametrize(
    "sign", ["\u200b", "\u200e", "\u202e", "\u2066", "\ufeff", "\u2028", "\x1b", "\U000e0041"]
)
def test_hidden_characters_of_names_are_spelled_out(sign):
    name, spelled = f"a{sign}b", repr(f"a{sign}b")[1:-1]
    assert sign not in spelled
    rule = rw.mix({name: CURVE}, fpr=0.2)
    frame = rw.compare(Y, {name: S, "other": S[::-1]})
    for result in (rule, frame):
        assert sign not in repr(result)
        assert sign not in result._repr_html_()
        assert spelled in result._repr_html_()
    for result in (rule, frame):
        assert sign not in result.to_json()
    text = json_text({"names": [name, "é"]}, indent=2)
    assert sign not in text
    assert "é" in text
    assert json.loads(text) == {"names": [name, "é"]}


def test_a_notebook_view_is_for_the_eye(rng):
    y = rng.integers(0, 2, 60)
    curve = rw.roc(y, y + rng.normal(size=60))
    view = curve._repr_html_()
    assert f"<td style='text-align:left'>{curve.area:.4g}</td>" in view
    assert "<details><summary>The first 12 of 61 rows of .to_frame()</summary>" in view
    assert "<td>∞</td>" in view  # the threshold of the first point
    drift = RESULTS["drift"]
    view = drift._repr_html_()
    assert html.escape(drift.summary) in view
    assert "Reference items" in view
    assert "reference_items" not in view
    assert "<details open>" in view
    assert "<td>–</td>" in view
    assert "nan" not in view


def test_short_values():
    assert [short(v) for v in (True, np.True_, 12345, 0.1 + 0.2, None, "a")] == [
        "True", "True", "12,345", "0.3", "None", "'a'",
    ]  # fmt: skip
    assert strict_value([float("nan"), float("inf"), -float("inf"), {"a": 1.5}]) == [
        None, "inf", "-inf", {"a": 1.5},
    ]  # fmt: skip


def test_errors_pickle():
    for error in (OptionError("what", "hint"), rw.errors.FileError("a", "b")):
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again)) == (type(error), str(error))
