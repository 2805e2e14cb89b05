"""Figures of a paper: what is drawn, in which size and format, and what the caption claims."""

from __future__ import annotations

import io

import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

import rocwalk as rw
from commands import EXAMPLE, example_column
from rocwalk.errors import FileError, OptionError
from test_methods import STUDY

COLUMNS = {"label": "malignant", "score": ["logistic", "naive_bayes", "forest"]}
Y = np.array(example_column("malignant"), int)


@pytest.fixture(scope="module")
def page():
    return rw.report(EXAMPLE, **COLUMNS, threshold=0.4)


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def labels(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_a_roc_figure_has_clinical_words_areas_and_operating_points(page):
    ax = rw.figure(page, "roc").plot()
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("1 − specificity", "Sensitivity")
    found = rw.interval(Y, np.array(example_column("forest"), float))
    assert f"forest: AUC {found.estimate:.3f} ({found.low:.3f} to {found.high:.3f})" in labels(ax)
    points = [line for line in ax.lines if line.get_gid() == "point"]
    rule = rw.roc(Y, np.array(example_column("logistic"), float)).at(threshold=0.4)
    assert (points[0].get_xdata()[0], points[0].get_ydata()[0]) == pytest.approx(
        (rule.fpr, rule.tpr)
    )
    assert len(points) == 3
    assert labels(ax).count("operating point") == 1
    plain = rw.figure(page, "roc", words="learning", style="colour").plot()
    assert plain.get_xlabel() == "False positive rate"


def test_the_caption_says_how_the_threshold_was_found(page):
    given = rw.figure(page, "roc").caption
    assert given.startswith(
        "ROC curves of logistic, naive_bayes and forest; 569 items, 212 positive."
    )
    assert "given, not chosen on these data" in given
    chosen = rw.figure(EXAMPLE, "roc", label="malignant", score="forest").caption
    assert "largest TPR − FPR on these data" in chosen
    assert "given" not in chosen


def test_one_model_has_a_band_of_calibration_and_several_have_none(page):
    alone = rw.figure(EXAMPLE, "calibration", label="malignant", score="forest")
    assert "confidence band" in alone.caption
    assert "confidence band" in alone.methods().text
    assert any(one.get_gid() == "confidence" for one in alone.plot().collections)
    several = rw.figure(page, "calibration")
    assert "band" not in several.caption + several.methods().text
    ax = several.plot()
    assert not any(one.get_gid() == "confidence" for one in ax.collections)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Predicted probability", "Observed share")


def test_a_figure_of_readers_draws_all_of_them():
    found = rw.figure(STUDY, "readers")
    ax = found.plot()
    assert sum(line.get_gid() == "reader" for line in ax.lines) == 4
    mean = STUDY.means[0]
    assert f"film: mean AUC {mean.estimate:.3f} ({mean.low:.3f} to {mean.high:.3f})" in labels(ax)
    assert "2 readers (thin)" in found.caption
    assert "obuchowski1995" in found.methods().keys


@pytest.mark.parametrize(("name", "start"), [
    ("f.pdf", b"%PDF"), ("f.SVG", b"<?xml"), ("f.png", b"\x89PNG"), ("f.tif", b"II*"), ("f.tiff", b"II*"),
])  # fmt: skip
def test_files_are_written_by_their_ending_with_the_same_bytes(page, tmp_path, name, start):
    found = rw.figure(page, "comparison")
    found.save(tmp_path / name, dots_per_inch=300)
    written = (tmp_path / name).read_bytes()
    assert written.startswith(start)
    assert written == found.encoded(name, dots_per_inch=300)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    if name == "f.tif":
        image = Image.open(io.BytesIO(written))
        assert image.info["compression"] == "tiff_lzw"
        assert image.mode == "RGB"  # journals refuse an alpha channel
        assert image.info["dpi"][0] == pytest.approx(300, abs=0.5)
    if name == "f.pdf":
        assert b"/Type3" not in written  # TrueType, which journals accept
        assert b"/FontFile2" in written  # embedded
    assert not plt.get_fignums()


def test_what_has_no_figure_is_refused(page, tmp_path):
    found = rw.figure(page, "roc")
    with pytest.raises(
        FileError, match=r"has the ending '\.jpg', which is not a format of a figure"
    ):
        found.save(tmp_path / "f.jpg")
    with pytest.raises(FileError, match="could not be written"):
        found.save(tmp_path / "no" / "f.pdf")
    with pytest.raises(OptionError, match="dots_per_inch=10"):
        found.save(tmp_path / "f.png", dots_per_inch=10)
    with pytest.raises(OptionError, match="dots_per_inch=9999 is too fine"):
        found.save(tmp_path / "f.png", dots_per_inch=9999)
    assert not list(tmp_path.iterdir())
    for wrong in ({"kind": "pie"}, {"style": "nature"}, {"width": "half"}, {"words": "plain"}):
        with pytest.raises(OptionError, match=next(iter(wrong))):
            rw.figure(page, **wrong)
    with pytest.raises(OptionError, match="score does not go together with a report"):
        rw.figure(page, score="forest")
    for own in ({"confidence_level": 0.9}, {"confidence_level": 0.95}, {"invalid": "drop"}):
        with pytest.raises(OptionError, match=f"{next(iter(own))} does not go together with a rep"):
            rw.figure(page, **own)
        with pytest.raises(OptionError, match=f"{next(iter(own))} does not go together with a rea"):
            rw.figure(STUDY, "readers", **own)
    with pytest.raises(OptionError, match="A reader study and the kind"):
        rw.figure(page, "readers")
    with pytest.raises(OptionError, match="A reader study and the kind"):
        rw.figure(STUDY, "roc")
    with pytest.raises(OptionError, match="threshold does not go together with a reader study"):
        rw.figure(STUDY, "readers", threshold=3)


@pytest.mark.parametrize("kind", ["roc", "calibration", "decision", "comparison"])
@pytest.mark.parametrize("names", [
    [f"A deep convolutional network with augmentation, version {k}" for k in range(6)],
    ["_hidden", r"$\frac{$"],
])  # fmt: skip
def test_names_are_whole_and_hide_nothing(kind, names):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 60)
    data = {"y": y} | {name: np.clip(0.3 * y + 0.7 * rng.random(120), 0, 1) for name in names}
    ax = rw.figure(data, kind, label="y", score=names).plot()
    figure = ax.figure
    figure.draw_without_rendering()
    texts = ax.get_yticklabels() if kind == "comparison" else ax.get_legend().get_texts()
    said = [" ".join(text.get_text().split()) for text in texts]
    assert all(any(name in words for words in said) for name in names)
    labels = [ax.xaxis.label] if kind == "comparison" else [ax.xaxis.label, ax.yaxis.label]
    for text in [*texts, *labels]:
        box = text.get_window_extent()
        assert min(box.x0, box.y0) >= 0
        assert box.x1 <= figure.bbox.x1
        assert box.y1 <= figure.bbox.y1
    if kind == "comparison":
        return
    box = ax.get_legend().get_window_extent()
    assert not box.overlaps(ax.xaxis.label.get_window_extent())
    for line in ax.lines:
        if line.get_gid() == "curve":
            path = line.get_path().transformed(line.get_transform())
            assert not path.intersects_bbox(box, filled=False)


@pytest.mark.parametrize("kind", ["calibration", "decision"])
def test_scores_that_are_no_probabilities_have_no_such_figure(kind):
    data = {"y": [1, 0] * 20, "s": np.arange(40) / 10}
    with pytest.raises(OptionError, match="is of probabilities, and scores of s are not all"):
        rw.figure(data, kind, label="y", score="s")


def test_more_lines_than_can_be_told_apart_are_refused():
    data = {"y": [1, 0] * 10} | {f"m{k}": np.arange(20) / 20 for k in range(9)}
    with pytest.raises(OptionError, match="cannot be told apart in grey"):
        rw.figure(data, "roc", label="y", score=[f"m{k}" for k in range(9)])
