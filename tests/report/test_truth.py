"""The section on a truth that is a probability, against fresh calls of the library."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from report.studies import (
    agrees,
    embedded,
    probabilities,
    read,
    report_on,
    section,
    study,
    tables,
)
from rocwalk.errors import DroppedRowsWarning


@pytest.mark.parametrize("kind", ["soft", "clusters"])
def test_the_region_and_its_numbers_are_the_library_s(kind):
    data = probabilities("soft")
    options = {"sample_weight": data["w"]}
    if kind == "clusters":
        data["patient"] = np.arange(400) // 8
        options["cluster"] = data["patient"]
    report = report_on(data)
    carried, html = embedded(report, "truth")["region"], section(report, "truth")
    for k, (name, auc, expected, prt, above) in enumerate(tables(report, "truth")[0][1:]):
        found = rw.reference_truth(data["y"], data[name], sample_weight=data["w"])
        assert all(
            map(agrees, (auc, expected, above), (found.auc, found.expected_auc, found.aapcc))
        )
        ends = rw.interval(data["y"], data[name], statistic="auc_prt", **options)
        assert read(prt) == pytest.approx([ends.estimate, ends.low, ends.high], abs=6e-4)
        assert agrees(read(prt)[0].__format__(".4f"), found.auc_prt)
        assert f"{found.auc_prt_printed:.4f} for {name}" in html
        costs = (found.h_measure, found.h_prt, found.cost_area, found.cost_area_prt)
        row = tables(report, "truth")[1][k + 1]
        assert row[0] == name
        assert all(agrees(*pair) for pair in zip(row[1:], costs, strict=True))
        lines = ((carried["curves"][k], found.curve), (carried["perfect"], found.perfect))
        for (fpr, tpr), curve in (*lines, (carried["worst"], found.worst)):
            assert len(fpr) <= 300
            way = np.add(fpr, tpr)
            exact = np.interp(way, curve.fpr + curve.tpr, curve.tpr - curve.fpr)
            assert np.allclose(exact, np.subtract(tpr, fpr), atol=2e-5)
    assert f"above {1 - found.aapcc:.4f} or below {found.auwcc:.4f}" in html


def test_hard_labels_have_no_such_section():
    assert embedded(study("hard")[1], "truth") is None


def test_the_worst_order_is_at_zero():
    report = report_on({"y": [0.25, 0.25, 0.5, 0.5], "s": [4, 3, 2, 1]})
    assert tables(report, "truth")[0][1][3].startswith("0.0000")


@pytest.mark.filterwarnings("ignore:(divide by zero|invalid value):RuntimeWarning")
def test_one_truth_for_all_leaves_auc_prt_undefined():
    report = report_on({"y": [0.5] * 6, "s": [6, 5, 4, 3, 2, 1]})
    assert "All items have the same truth" in section(report, "truth")
    assert tables(report, "truth")[0][1] == ["s", "0.5000", "0.5000", "undefined", "0.5000"]


def test_models_on_unlike_rows_are_set_on_common_ones():
    data = probabilities("soft")
    data["smooth"][:30] = np.nan
    with pytest.warns(DroppedRowsWarning):
        report = report_on(data, invalid="drop")
    assert "This section looks at 370 of 400 rows" in section(report, "truth")
    name, auc, *_ = tables(report, "truth")[0][2]
    rest = {key: column[30:] for key, column in data.items()}
    assert agrees(auc, rw.roc(rest["y"], rest[name], sample_weight=rest["w"]).area)


def test_raters_who_agree_leave_no_region():
    data = {"a": [1, 0, 1, 0], "b": [1, 0, 1, 0], "c": [1, 0, 1, 0], "s": [4, 3, 2, 1]}
    report = rw.report(data, raters=["a", "b", "c"], score="s")
    assert embedded(report, "truth")["region"] is None
    assert "They agree on every item that is used here" in section(report, "truth")
