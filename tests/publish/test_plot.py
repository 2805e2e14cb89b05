"""How figures are drawn: lines, widths, and what stands where."""

from __future__ import annotations

import io
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from PIL import Image

import rocwalk as rw
from commands import EXAMPLE, example_column
from rocwalk.publish.plot import MOST_LINES, Look

COLUMNS = {"label": "malignant", "score": ["logistic", "naive_bayes", "forest"]}
Y = np.array(example_column("malignant"), int)


@pytest.fixture(scope="module")
def page():
    return rw.report(EXAMPLE, **COLUMNS, threshold=0.4)


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def test_no_two_lines_are_alike_in_grey():
    look = Look("journal", 3.5, "clinical")
    lines = [look.line(k) for k in range(MOST_LINES)]

    def grey(line):
        return float(np.dot(to_rgb(line["color"]), (0.2126, 0.7152, 0.0722)))

    for one, other in itertools.combinations(lines, 2):
        if one["linestyle"] == other["linestyle"]:
            assert abs(grey(one) - grey(other)) > 0.1


def test_a_decision_figure_draws_the_net_benefit(page):
    ax = rw.figure(page, "decision").plot()
    curves = [line for line in ax.lines if line.get_gid() == "curve"]
    known = rw.roc(Y, np.array(example_column("logistic"), float)).decision_curve()
    at = np.array([0.1, 0.3, 0.6])
    x, y = curves[0].get_data()
    assert np.interp(at, x, y) == pytest.approx(known.at(at), abs=2e-3)
    thin = [line.get_linewidth() for line in ax.lines if line.get_gid() == "trivial"]
    assert max(thin) < min(line.get_linewidth() for line in curves)
    trivial = {line.get_linestyle() for line in ax.lines if line.get_gid() == "trivial"}
    assert len(trivial) == 2  # treating all and none differ in the legend


def test_a_comparison_figure_draws_every_pair(page):
    ax = rw.figure(page, "comparison").plot()
    assert [text.get_text() for text in ax.get_yticklabels()] == [
        "logistic − naive_bayes", "logistic − forest", "naive_bayes − forest",
    ]  # fmt: skip
    values = [line.get_xdata()[0] for line in ax.lines if line.get_gid() == "value"]
    models = {name: np.array(example_column(name), float) for name in COLUMNS["score"]}
    expected = [pair.difference for pair in rw.compare(Y, models).pairs]
    assert values == pytest.approx(expected)


@pytest.mark.parametrize(("width", "millimetres"), [("single", 89), ("double", 183)])
def test_a_figure_is_as_wide_as_the_columns_of_a_journal(page, width, millimetres):
    found = rw.figure(page, "comparison", width=width)
    image = Image.open(io.BytesIO(found.encoded("f.png", dots_per_inch=300)))
    assert image.width == pytest.approx(millimetres / 25.4 * 300, abs=2)
    assert image.info["dpi"][0] == pytest.approx(300, abs=0.5)
