"""Ferri et al. on scored AUC and smeared curves: golden numbers and the formulas behind the rows."""

from __future__ import annotations

import pytest

import rocwalk as rw
from paper_rows import ROWS, find
from rocwalk.papers.ferri.rows import closed_width, match_of


def test_golden_numbers_of_ferri():
    # exact arithmetic: docs/mathematics.rst, "Smearing", "The matched width" and the errors of Ferri et al.
    at = {(row.place, row.what): row.computed for row in ROWS if row.paper == "Ferri"}
    for place, what, golden in [
        ("§1, Figure 1", "AUC, rounded", 5 / 6),
        ("§2, Figure 4", "d with Area(d) = pAUC", 1.66094031898739),
        ("§2.1, after Proposition 3", "Area(0.2)", 0.85125),
        ("§2.1, Example", "pAUC", 0.670002),
        ("§2.1, Example", "Area(0.05)", 0.6600159984),
        ("§2.1, Example", "Area(0.4)", 0.74438025),
        (
            "§2.1, Figures 5 and 6",
            "all d with Area(d) = pAUC",
            (6.82677891210774e-5, 0.0999499944975479, 1.50468726818474),
        ),
        ("§2.3, Figure 7", "d of Example 1 with σ = d/2", 1.0186394610302),
        ("§3.1", "d", 1.89442719099992),
        ("§3.1, in general", "d of Example 1 in closed form", 1.66094031898739),
        ("§3.2, Example 1", "d of the normal pROC curve", 1.7643353010989),
        ("§3.2, Example 2", "d of the uniform pROC curve", 1.72605784893492),
        ("§3.2, Example 2", "d of the normal pROC curve", 1.8181346515169),
    ]:
        assert at[place, what] == pytest.approx(golden, rel=1e-12), what
    for number, widths in {1: (1.65, 1.76), 2: (1.71, 1.8)}.items():
        for kernel, width in zip(("uniform", "normal"), widths, strict=True):
            what = f"the paper's search re-run, {kernel}, ε = 0.01 (ours; none printed)"
            assert at[f"§3.2, Example {number}", what] == width
    table = "§3.3, table, pROC curve"
    assert at[table, "60°: FPR / TPR, %"] == pytest.approx((10.0345, 27.0931), abs=1e-4)
    assert at[table, "45°: FPR / TPR, %"] == pytest.approx((14.0483, 33.1138), abs=1e-4)
    assert at[table, "30°: FPR / TPR, %"] == pytest.approx((85.9517, 100), abs=1e-4)
    other_end = at[table, "45°: FPR / TPR at the other end of the edge, %"]
    assert other_end == pytest.approx((71.9035, 90.9690), abs=1e-4)
    for degrees, count in [(60, "0.65"), (45, "2.36"), (30, "4.18")]:
        row = find(f"{degrees}°: threshold, from the printed rates")
        assert row.agrees is True
        assert row.reason.startswith(f"They predict {count} positives")


def test_the_closed_form_is_what_the_search_finds(rng):
    for _ in range(20):
        example = rw.datasets.PaperExample((1, 0, 1, 0, 0), tuple(rng.random(5)), "random")
        closed, match = closed_width(example), match_of(example)
        if closed == "none":
            assert not any(low > 1 for low, _ in match.widths)
        else:
            assert match.widths[-1][0] == pytest.approx(closed, rel=1e-9)
