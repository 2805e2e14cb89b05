"""The page on a reader study, against the study itself, and in the browser."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from axe_playwright_python.sync_playwright import Axe

from report.studies import embedded, read, section, tables
from rocwalk.report.readers import readers_page
from truth.reader_tables import ratings_of, study_of


def page_of(study, plans=(), **options):
    """Return the page as the tests of pages take it."""
    told = {"title": "Film or screen", "subtitle": "from ratings.csv"} | options
    html = readers_page(study, plans, **told)
    return SimpleNamespace(html=html, save=lambda path: path.write_text(html, encoding="utf-8"))


def test_the_numbers_are_the_studys():
    study = study_of(ratings_of(tests=3)[0], confidence_level=0.9)
    page = page_of(study)
    means, pairs = tables(page, "readers")
    assert means[0][3:] == list(study.readers)
    for row, mean, values in zip(means[1:], study.means, study.areas, strict=True):
        assert row[0] == mean.test
        assert read(row[1]) == pytest.approx([mean.estimate, mean.low, mean.high], abs=6e-4)
        assert [float(cell) for cell in row[3:]] == pytest.approx(values.tolist(), abs=6e-5)
    for row, pair in zip(pairs[1:], study.differences, strict=True):
        assert row[:2] == [pair.a, pair.b]
        assert read(row[2]) == pytest.approx([pair.difference, pair.low, pair.high], abs=6e-4)
        assert len(row) == 6  # with the adjusted p-value
    assert f"F = {study.f:.3f} with 2 and" in section(page, "readers")
    drawn = embedded(page, "readers")
    for test, of_test in zip(drawn["tests"], study.tests, strict=True):
        assert float(test["area"]) == pytest.approx(study.mean_curves[of_test].area, abs=6e-5)
        assert [one["name"] for one in test["readers"]] == list(study.readers)
    components = {row[0]: float(row[2]) for row in tables(page, "planning")[0][1:]}
    assert components["Cov2"] == pytest.approx(study.components.cov2, rel=1e-3)
    assert components["MS(TR)"] == pytest.approx(study.components.ms_test_reader, rel=1e-3)


def test_what_is_said_and_what_is_not():
    table = ratings_of(positives=30, negatives=30)[0]
    study = study_of(table)
    plain = page_of(study)
    assert "readers like these and cases like these" in plain.html
    assert "With <code>--difference</code>" in plain.html
    assert "Adjusted p" not in plain.html
    plans = [study.sample_size(0.2, readers=r) for r in (6, 9)]
    planned = page_of(study, plans)
    assert "To find a difference of 0.2 in mean AUC" in planned.html
    assert "--difference" not in planned.html
    rows = tables(planned, "planning")[0][1:]
    assert [int(row[1].replace(",", "")) for row in rows] == [plan.n_cases for plan in plans]
    fixed = page_of(study_of(table, readers="fixed"))
    assert "these readers alone and cases like these" in fixed.html
    assert "is known for random readers and cases only" in fixed.html


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 390)])
def test_in_the_browser(visit, scheme, width):
    study = study_of(ratings_of()[0])
    page = visit(page_of(study, [study.sample_size(0.4)]), scheme=scheme, width=width).page
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator("#readers path.curve.reader").count() == 8
    assert page.locator("#readers path.curve.whole").count() == 2
    assert page.locator('#readers [data-role="means"] .one').count() == 8
    names = page.locator('#readers [data-role="means"] text.pair').all_text_contents()
    assert names == ["test 0", "test 1"]
    assert "1 − specificity" in page.inner_text('#readers [data-role="curves"]')
    found = Axe().run(page).response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []


def test_names_of_one_letter_are_drawn(visit):
    table = ratings_of()[0]
    table["how"] = [name[-1] for name in table["how"]]
    page = visit(page_of(study_of(table))).page
    names = page.locator('#readers [data-role="means"] text.pair').all_text_contents()
    assert names == ["0", "1"]


def test_hostile_names_are_text(visit):
    table = ratings_of()[0]
    table["who"] = [f"<script>alert(1)</script>{name}" for name in table["who"]]
    one = visit(page_of(study_of(table), title="</title><script>alert(2)</script>"))
    assert "<script>alert(1)" in one.page.inner_text("#readers table")
