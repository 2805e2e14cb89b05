"""`rocwalk readers`: the library's numbers in every form, plans, and refusals in one block."""

from __future__ import annotations

import csv
import io
import json

import pytest

import rocwalk as rw

HEADER = ["truth", "reader", "test", "case", "rating"]
OPTIONS = [word for name in HEADER for word in (f"--{name}", name)]
NAMES = {name: name for name in HEADER}


def rows_of(tests=2, readers=3, cases=20):
    """Ratings that are the same on every machine."""
    return [
        [
            case % 2,
            f"r{reader}",
            f"t{test}",
            case,
            round(
                (case % 2) * (1 + test) + (case * 37 % 101 + reader * 53 * case % 89) / 60
                + (test * 29 * case % 41) / 40, 3,
            ),
        ]
        for test in range(tests) for reader in range(readers) for case in range(cases)
    ]  # fmt: skip


@pytest.fixture
def ratings(table):
    return table(HEADER, *rows_of())


def test_the_numbers_are_those_of_the_library(run, ratings):
    code, out, err = run("readers", ratings, *OPTIONS, "--format", "json")
    assert (code, err) == (0, "")
    read = json.loads(out)
    found = rw.reader_study(ratings, **NAMES)
    assert read["study"] == json.loads(found.to_json())
    assert read["command"] == "readers"
    assert read["plans"] == []
    assert read["files"][0]["name"] == str(ratings)


def test_table_says_means_differences_and_what_they_mean(run, ratings):
    code, out, _ = run("readers", ratings, *OPTIONS)
    assert code == 0
    assert "AUC by test, mean and each reader" in out
    assert "Differences between tests" in out
    assert "3 readers, 2 tests, 10 positive and 10 negative cases" in out.replace("\n", " ")
    assert "To find" not in out
    _, quiet, _ = run("readers", ratings, *OPTIONS, "--quiet")
    assert "3 readers, 2 tests" not in quiet


def test_csv_has_a_line_for_each_number(run, table):
    file = table(HEADER, *rows_of(tests=3))
    code, out, _ = run("readers", file, *OPTIONS, "--format", "csv", "--alpha", "0.1")
    assert code == 0
    lines = list(csv.DictReader(io.StringIO(out)))
    assert [line["kind"] for line in lines] == ["mean"] * 3 + ["difference"] * 3 + ["f"]
    found = rw.reader_study(file, **NAMES, confidence_level=0.9)
    assert float(lines[3]["low"]) == pytest.approx(found.differences[0].low)
    assert float(lines[6]["p_value"]) == pytest.approx(found.p_value)


def test_options_reach_the_analysis(run, ratings):
    given = ["--readers", "fixed", "--covariance", "unbiased", "--format", "json"]
    _, out, _ = run("readers", ratings, *OPTIONS, *given)
    found = rw.reader_study(ratings, **NAMES, readers="fixed", covariance="unbiased")
    assert json.loads(out)["study"]["f"] == pytest.approx(found.f)
    assert json.loads(out)["study"]["df"] == [1.0, "inf"]
    given = ["--statistic", "sensitivity", "--threshold", "1.5", "--format", "json"]
    _, out, _ = run("readers", ratings, *OPTIONS, *given)
    found = rw.reader_study(ratings, **NAMES, statistic="sensitivity", threshold=1.5)
    assert json.loads(out)["study"]["value"] == pytest.approx(found.areas.ravel().tolist())


def test_a_plan(run, ratings):
    code, out, _ = run("readers", ratings, *OPTIONS, "--difference", "0.2", "--format", "json")
    assert code == 0
    found = rw.reader_study(ratings, **NAMES)
    plans = json.loads(out)["plans"]
    assert plans
    for plan in plans:
        expected = found.sample_size(0.2, readers=plan["n_readers"])
        assert plan["n_cases"] == expected.n_cases
        assert plan["power"] >= 0.8
    _, out, _ = run("readers", ratings, *OPTIONS, "--difference", "0.2")
    assert "To find a difference of 0.2" in out


def test_words_of_truth(run, table):
    rows = [["ill" if row[0] else "well", *row[1:]] for row in rows_of()]
    file = table(HEADER, *rows)
    code, out, _ = run("readers", file, *OPTIONS, "--positive", "ill", "--format", "json")
    assert code == 0
    assert json.loads(out)["study"]["n_positives"] == 10
    code, _, err = run("readers", file, *OPTIONS)
    assert code == 2
    assert "--positive" in err
    code, _, err = run("readers", file, *OPTIONS, "--positive", "sick")
    assert code == 2
    assert "'sick'" in err


def test_a_statistic_at_its_threshold(run, ratings):
    named = run("readers", ratings, *OPTIONS, "--statistic", "sensitivity@threshold=1")
    given = run("readers", ratings, *OPTIONS, "--statistic", "sensitivity", "--threshold", "1")
    assert named == given
    assert named[0] == 0


def test_refusals_are_one_block(run, table, ratings):
    code, out, err = run("readers", table(HEADER, *rows_of()[1:], name="gap.csv"), *OPTIONS)
    assert (code, out) == (2, "")
    assert "Case 0 by reader 'r0' with test 't0' has no rating" in err
    assert "Traceback" not in err
    code, _, err = run("readers", ratings, *OPTIONS, "--readers", "fixed", "--cases", "fixed")
    assert code == 2
    assert "--readers 'random'" in err
    given = ["--statistic", "sensitivity", "--threshold", "1", "--covariance", "unbiased"]
    code, _, err = run("readers", ratings, *OPTIONS, *given)
    assert code == 2
    assert "--covariance 'jackknife'" in err
    twice = [*OPTIONS, "--reader", "truth"]
    code, _, err = run("readers", ratings, *twice)
    assert (code, "--truth and --reader name the same column, 'truth'." in err) == (2, True)
    code, _, err = run("readers", ratings, *OPTIONS, "--statistic", "sensitivity")
    assert (code, "Hint: give --statistic sensitivity@threshold=0.2.\n" in err) == (2, True)
    code, _, err = run("readers", ratings, *OPTIONS, "--statistic", "sensitivity@fpr=0.2")
    assert (code, "'fpr' is not threshold or max_fpr" in err) == (2, True)
    code, _, err = run("readers", ratings, *OPTIONS, "--json", ratings)
    assert code == 2
    code, _, err = run("readers", ratings, *OPTIONS[:-2])
    assert code == 2
    assert "--rating" in err


def test_a_page_of_the_study(run, ratings, tmp_path):
    page = tmp_path / "readers.html"
    code, out, _ = run("readers", ratings, *OPTIONS, "-o", page, "--title", "Film or screen")
    assert code == 0
    assert f"The page: {page}" in out
    html = page.read_text(encoding="utf-8")
    assert "<h1>Film or screen</h1>" in html
    assert ratings.name in html
    _, out, _ = run("readers", ratings, *OPTIONS, "--format", "json")
    assert "page" not in json.loads(out)
    code, _, err = run("readers", ratings, *OPTIONS, "-o", ratings)
    assert code == 2
    assert "would be written over" in err
    code, _, _ = run("readers", tmp_path / "none.csv", *OPTIONS, "-o", tmp_path / "no.html")
    assert code == 2
    assert not (tmp_path / "no.html").exists()
