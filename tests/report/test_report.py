"""`rw.report`: what it takes, what goes together, and what the page says of where it comes from."""

from __future__ import annotations

import json

import numpy as np
import pytest

import rocwalk as rw
from report.studies import made, section, twenty
from rocwalk.errors import OneClassError, OptionError

VOTES = {"item": ["a", "a", "b", "b"], "who": ["x", "y", "x", "y"], "v": [1, 0, 1, 1]}


def options():
    return {"label": "y", "score": "model"}


def two():
    return twenty() | {"other": [1 - one for one in twenty()["model"]]}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"margin": True}, "margin is of drift, and nothing is compared"),
        ({"calibration": True, "class_scores": {0: "model"}}, "calibration does not go together"),
        ({"smooth": "binorm"}, "smooth='binorm'"),
        ({"smooth": ["beta", "gauss"]}, "smooth='gauss'"),
        ({"confidence_level": 1}, "confidence_level=1"),
        ({"equivalence": 0.05}, "equivalence needs two models or more"),
        ({"curves": True}, "curves needs two models or more"),
        ({"threshold": 0.5, "metric": "f1"}, "threshold"),
        ({"window": "fortnight"}, "window='fortnight'"),
        ({"window": "month"}, "window is of windows of time, and no column of times is named"),
        ({"separator": ";"}, "separator=';' is for files, and the data are none"),
    ],
)
def test_what_does_not_go_together_is_refused_before_the_data_are_read(given, words):
    if "separator" not in given:  # which needs the data
        given = {"data": object()} | given
    with pytest.raises(OptionError, match=words):
        rw.report(**({"data": twenty()} | options() | given))


def test_a_reference_has_labels_of_two_classes_and_votes_of_its_own():
    classes = {"y": ["a", "b", "c"], "p": [1, 0, 0], "q": [0, 1, 0], "r": [0, 0, 1]}
    named = {"label": "y", "class_scores": {"a": "p", "b": "q", "c": "r"}}
    with pytest.raises(OptionError, match="A reference does not go together with several"):
        rw.report(classes, **named, reference=classes)
    scores = {"item": ["a", "b"], "s": [0.2, 0.9]}
    long = {"item": "item", "rater": "who", "vote": "v"}
    with pytest.raises(OptionError, match="votes is the table of the votes of one sample"):
        rw.report(scores, score="s", **long, votes=VOTES, reference=scores)


def test_the_page_lists_the_options_that_were_given_and_no_others():
    report = rw.report(twenty(), **options(), threshold=0.5, smooth=["beta"])
    assert report.options == {
        "label": "y", "score": "model", "threshold": 0.5, "smooth": ["beta"], "invalid": "raise",
    }  # fmt: skip
    text = section(report, "provenance")
    assert "threshold" in text
    assert "cluster" not in text


def test_costs_are_written_as_the_command_line_writes_them():
    costs = rw.Costs(false_positive=1, false_negative=5, prevalence=0.1)
    report = rw.report(twenty(), **options(), costs=costs)
    assert (report.options["costs"], report.options["prevalence"]) == ("1:5", 0.1)


def test_a_file_is_named_with_its_rows(tmp_path):
    path = tmp_path / "some <b>.csv"
    rows = zip(*twenty().values(), strict=True)
    path.write_text("y,model\n" + "".join(f"{y},{s}\n" for y, s in rows))
    html = rw.report(path, **options()).html
    assert "20 rows of some &lt;b&gt;.csv; label “y”" in html
    assert "20 rows of a dataframe; label “y”" in made(twenty(), **options()).html
    both = rw.report(twenty(), **options(), reference=path).html
    assert "20 rows of a dataframe; label “y”; against 20 rows of some &lt;b&gt;.csv" in both


def test_the_frame_has_one_row_a_model_with_the_ends_of_intervals():
    report = rw.report(two(), label="y", score=["model", "other"])
    frame = report.to_frame()
    assert frame["model"].to_list() == ["model", "other"]
    for name, scores in (("model", two()["model"]), ("other", two()["other"])):
        found = rw.interval(two()["y"], scores)
        (row,) = (k for k, one in enumerate(frame["model"]) if one == name)
        assert frame["auc"][row] == found.estimate
        assert (frame["auc_low"][row], frame["auc_high"][row]) == (found.low, found.high)


def test_the_plain_form_is_the_headline():
    report = made(twenty(), **options())
    known = json.loads(report.to_json())
    assert (known["title"], known["rows"], known["label"]) == ("ROC analysis", [20], "y")
    assert repr(report) == "Report(title='ROC analysis', rows=20, label='y', scores=('model',))"


def test_a_notebook_shows_what_is_wrong_in_place_of_a_page(monkeypatch):
    report = rw.report(twenty(), **options())
    assert report._repr_html_().startswith("<iframe srcdoc=")

    def fails(_):
        raise OptionError("is <wrong>.", "mend it.", option="x", value=1)

    monkeypatch.setattr(type(report), "html", property(fails))
    assert report._repr_html_() == "<pre>x=1 is &lt;wrong&gt;.\nHint: mend it.</pre>"


def test_figures_are_all_written_or_none(tmp_path):
    report = made(twenty(), **options())
    with pytest.raises(OptionError, match="words='latin'"):
        report.figures(tmp_path / "a", words="latin")
    assert not (tmp_path / "a").exists()
    paths = report.figures(tmp_path / "a")
    assert sorted(one.name for one in paths) == sorted(report.figure_writers())
    assert {one.suffix for one in paths} == {".svg", ".png", ".csv"}


def test_one_class_has_numbers_and_no_page():
    one = {"y": np.ones(20, dtype=int), "model": twenty()["model"]}
    report = rw.report(one, **options())
    assert not report.findings.has_curves
    with pytest.raises(OneClassError, match="There is no negative mass"):
        _ = report.html
