"""The paper on reference truth: golden numbers and the formulas behind the rows."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from paper_rows import ROWS, find
from rocwalk.papers.truth.rows import mirrored


def test_golden_numbers_of_truth():
    # exact arithmetic: docs/mathematics.rst, "Reference truth" and "Costs"
    at = {(row.place, row.what): row.computed for row in ROWS if row.paper == "Truth"}
    figure_4, lost = "Methodology, Figure 4", 0.190109059376772
    for place, what, golden in [
        ("Background, Figure 1", "AUC", 7 / 9),
        ("AUC_PRT, truth 0 or 1", "AUC_PRT of Figure 1", 7 / 9),
        ("Methodology, Eq. 4", "positive classes", 6.14),
        ("Methodology, Eq. 5", "negative classes", 5.86),
        (figure_4, "AUC", 121601 / 179902),
        (
            figure_4,
            "FPR of the hull",
            (0, 27 / 586, 55 / 586, 155 / 293, 421 / 586, 501 / 586, 1),
        ),
        (
            figure_4,
            "TPR of the hull",
            (0, 173 / 614, 245 / 614, 245 / 307, 579 / 614, 599 / 614, 1),
        ),
        (figure_4, "thresholds of the hull, after ∞", (0.75, 0.7, 0.18, 0.16, 0.11, 0.1)),
        ("Discussion, Figure 5", "AAPCC", lost),
        ("Discussion, Figure 6", "AUWCC", lost),
        ("AUC_PRT, Eq. 6", "AUC_PRT of Figure 3", 874 / 1115),
        ("AUC_PRT, Eq. 6", "AUC_PRT of Figure 3, as printed", 0.599858614559955),
        ("AUC_PRT, beside it", "AUC without the pairs of an instance with itself", 23267 / 33874),
        ("Future work", "H-measure, prior of Hand & Anagnostopoulos 2014", 0.188597797697787),
        ("Future work", "H-measure, prior of Hand 2009", 0.196777952547174),
        ("Future work", "area under the Brier curve", 0.2601833333333333),
    ]:
        assert at[place, what] == pytest.approx(golden, rel=1e-12), what
    assert find("a perfect classifier, by Eq. 6").computed == pytest.approx(0.765, abs=5e-4)
    assert find("a perfect classifier, by the region").computed.startswith("1, ")
    assert find("the worst possible classifier").computed.startswith("0, ")


@pytest.mark.parametrize(
    ("truth", "same"),
    [
        ([1, 1, 0, 1], True),
        ([0.1, 0.3, 0.7, 0.9], True),
        ([0.2, 0.3, 0.9], False),
    ],
)
def test_when_the_worst_curve_is_the_mirror_image(truth, same):
    found = rw.reference_truth(truth, [0.1, 0.2, 0.3, 0.4][: len(truth)])
    x, y = mirrored(found)
    assert np.allclose([x, y], [found.worst.fpr, found.worst.tpr]) is same
    assert np.trapezoid(y, x) == pytest.approx(found.auwcc)
