"""The registry: what every entry says, and that one entry is all that a new number takes."""

from __future__ import annotations

import ast
import csv
import io
import json
import runpy
import subprocess
import sys
from dataclasses import fields, replace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import rocwalk as rw
from commands import EXAMPLE, MODELS, ROOT, example_column
from report.studies import section, tables
from rocwalk.drift.findings import estimates_of
from rocwalk.errors import OptionError
from rocwalk.evaluate.summary import summary
from rocwalk.inference.influence import auc_influence
from rocwalk.statistic import (
    ANY,
    UNIT,
    Places,
    Share,
    Statistic,
    entries,
    find,
    in_table,
    registered,
    statistic_of,
)
from rocwalk.tally.walk import walk_of
from samples import keywords_of

RNG = np.random.default_rng(7)
TRUTH = RNG.random(120) < 0.4
PROB = (1 / (1 + np.exp(-RNG.normal(2 * TRUTH - 1, 1.2)))).round(2)
SOFT = np.clip(0.7 * TRUTH + 0.3 * RNG.random(120), 0, 1)
TALLIES = {
    "hard": rw.tally(TRUTH, PROB),
    "soft": rw.tally(SOFT, PROB, truth="soft"),
    "weighted": rw.tally(TRUTH, PROB, sample_weight=RNG.integers(1, 5, 120)),
}
NAMES = sorted(entries())


def named(name):
    """The statistic of a name, with values for the parameters that it needs."""
    return statistic_of(name, **keywords_of(name))


# -- one entry -------------------------------------------------------------------------------------


def largest_youden(tally):
    walk = walk_of(tally)
    return float((walk.tpr - walk.fpr).max())


YOUDEN = Statistic(
    "youden",
    largest_youden,
    title="Youden's index",
    noun="Youden's index",
    symbol="J",
    sentence="The largest TPR − FPR of all thresholds.",
    references=("Youden 1950",),
    range=UNIT,
    direction="higher",
    conditional=True,
    places=Places(summary=90, models=90, page=90),
)


@pytest.fixture
def toy():
    with registered(YOUDEN) as entry:
        yield entry
    assert find("youden") is None


@pytest.fixture(scope="module")
def example():
    y = np.array(example_column("malignant"), dtype=int)
    return y, np.array(example_column("logistic"), dtype=float)


@pytest.fixture(scope="module")
def expected(example):
    curve = rw.roc(*example)
    return float((curve.tpr - curve.fpr).max())


@pytest.mark.usefixtures("toy")
def test_one_entry_has_an_interval_and_a_comparison(example, expected):
    y, p = example
    found = rw.interval(y, p, statistic="youden", rng=0, n_resamples=200)
    assert found.estimate == expected
    assert 0 < found.low < expected < found.high < 1
    assert found.method == "bca"
    pair = rw.compare(y, {"a": p, "b": 1 - p}, statistic="youden", rng=0, n_resamples=200).pairs[0]
    assert pair.difference == expected - largest_youden(rw.tally(y, 1 - p))
    with pytest.raises(OptionError, match="did you mean 'youden'"):
        rw.interval(y, p, statistic="yuden")


@pytest.mark.usefixtures("toy")
def test_one_entry_is_on_the_command_line(run, expected):
    _, out, _ = run("score", EXAMPLE, *MODELS, "--by", "size")
    assert out.count("Youden's index") >= 2  # of models and of subgroups
    assert f"{expected:.4g}" in out
    _, out, _ = run("score", EXAMPLE, *MODELS, "--format", "json")
    assert json.loads(out)["models"][0]["youden"] == expected
    _, out, _ = run("score", EXAMPLE, *MODELS, "--format", "csv")
    assert float(next(csv.DictReader(io.StringIO(out)))["youden"]) == expected
    arguments = ["--statistic", "youden", "--resamples", "50", "--format", "json"]
    code, out, _ = run("compare", EXAMPLE, *MODELS, *arguments)
    assert code == 0
    assert json.loads(out)["pairs"][0]["value"] == expected


@pytest.mark.usefixtures("toy")
def test_one_entry_is_measured_in_subgroups_and_for_several_models(run, example, expected):
    y, p = example
    found = rw.subgroups(y, p, np.arange(len(y)) % 2, statistic="youden", rng=0, n_resamples=100)
    assert [one.estimate for one in found.intervals] == [
        largest_youden(rw.tally(y[k::2], p[k::2])) for k in (0, 1)
    ]
    assert found.gap.statistic == "youden"
    columns = {"label": "y", "score": ["a", "b"], "statistics": ["youden"]}
    found = rw.evaluate({"y": y, "a": p, "b": 1 - p}, **columns, rng=0, n_resamples=100)
    assert found.numbers["a"]["youden"].estimate == expected
    assert found.to_frame()["youden"][0] == expected
    named = ["--statistic", "youden", "--format", "json"]
    code, out, _ = run("score", EXAMPLE, *MODELS, *named)
    assert code == 0
    assert json.loads(out)["statistics"][0]["estimate"] == expected


@pytest.mark.usefixtures("toy")
def test_one_entry_is_on_the_page(example, expected):
    y, p = example
    report = rw.report({"y": y, "p": p, "g": np.arange(len(y)) % 2}, label="y", score="p", by=["g"])
    ((headers, row),) = tables(report, "summary")
    assert dict(zip(headers, row, strict=True))["Youden's index"] == f"{expected:.4f}"
    (groups,) = (one for one in tables(report, "groups") if "Youden's index" in one[0])
    assert [row[groups[0].index("Youden's index")] for row in groups[1:]] == [
        f"{largest_youden(rw.tally(y[k::2], p[k::2])):.4f}" for k in (0, 1)
    ]


@pytest.mark.usefixtures("toy")
def test_one_entry_is_a_scorer(example):
    y, p = example
    model = LogisticRegression().fit(p[:, None], y)
    scorer = rw.sklearn.scorers["youden"]
    assert scorer(model, p[:, None], y) == largest_youden(
        rw.tally(y, model.decision_function(p[:, None]))
    )
    assert "youden" in repr(scorer)
    with pytest.raises(OptionError, match="youden has no option 'prior'"):
        rw.sklearn.make_scorer("youden", prior=1)
    with registered(replace(YOUDEN, direction="lower", needs_probabilities=True)):
        assert "youden" not in rw.sklearn.scorers
        assert rw.sklearn.scorers["neg_youden"](model, p[:, None], y) == -largest_youden(
            rw.tally(y, model.predict_proba(p[:, None])[:, 1])
        )


@pytest.mark.usefixtures("toy")
def test_one_entry_is_in_the_documentation():
    lines = runpy.run_path(str(ROOT / "docs" / "conf.py"))["statistics_lines"]()
    at = lines.index("   * - ``youden``")
    assert lines[at + 1] == "     - The largest TPR − FPR of all thresholds."
    assert "Youden 1950" in lines[at + 5]


def test_an_entry_that_is_removed_is_nowhere(run):
    assert "youden" not in entries()
    assert "youden" not in rw.sklearn.scorers
    assert "youden" not in summary(TALLIES["hard"]).to_dict()
    _, out, _ = run("score", EXAMPLE, *MODELS)
    assert "Youden" not in out
    with pytest.raises(OptionError, match="statistic='youden' is not known"):
        rw.interval(TRUTH, PROB, statistic="youden")


def test_an_influence_gives_intervals_in_tables_and_a_test_of_drift(run, example):
    places = Places(summary=90, models=90, page=90, drift=90)
    again = replace(find("auc"), name="again", title="Once more", noun="", places=places)
    with registered(again):
        _, out, _ = run("score", EXAMPLE, *MODELS, "--format", "json")
        row = json.loads(out)["models"][0]
        assert (row["again_low"], row["again_high"]) == (row["auc_low"], row["auc_high"])
        _, out, _ = run("score", EXAMPLE, *MODELS)
        assert "Once more" in out
        y, p = example
        html = section(rw.report({"y": y, "p": p}, label="y", score="p"), "summary")
        cell = f"{row['auc']:.4f} ({row['auc_low']:.3f}\xa0to\xa0{row['auc_high']:.3f})"
        assert html.count(f"<td>{cell}</td>") == 2
        found = rw.drift((y[:300], p[:300]), (y[300:], p[300:])).findings
        assert found["again"].words == "once more"
        assert found["again"].p_value == found["auc"].p_value
        assert np.isnan(found["again"].adjusted_p_value)  # it does not decide


def test_buckets_leave_out_what_has_no_bounds():
    coarse = TALLIES["hard"].bucketed(np.linspace(0, 1, 8))
    with registered(YOUDEN):
        assert summary(coarse)["youden"] is None
    bounded = replace(YOUDEN, bounds=lambda tally: (0.0, largest_youden(tally), 1.0))
    with registered(bounded):
        found = summary(coarse)
    assert found["youden"] == largest_youden(coarse)
    assert found.to_dict()["youden_bounds"] == [0.0, found["youden"], 1.0]


# -- every entry -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_an_entry_says_what_it_is(name):
    entry = find(name)
    assert entry.name == name
    assert entry.title
    assert entry.sentence[0].isupper()
    assert entry.sentence.endswith(".")
    assert entry.direction in ("higher", "lower", None)
    assert entry.range[0] < entry.range[1]
    assert entry.digits > 0
    assert entry.words[0].islower() or entry.noun
    assert entry.is_registered
    assert entry.metric in ("", *rw.metrics.__all__)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", TALLIES)
def test_a_value_lies_in_the_range(name, kind):
    statistic = named(name)
    value = statistic.of(TALLIES[kind])
    assert isinstance(value, float)
    assert statistic.range[0] <= value <= statistic.range[1]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", TALLIES)
def test_all_ways_to_a_number_agree(name, kind):
    """The value itself, that of its influence, that of many replicates, and that of its share."""
    statistic, tally = named(name), TALLIES[kind]
    value = pytest.approx(statistic.of(tally), rel=1e-12)
    soft_items = statistic.of_items is not None and kind == "soft"
    if statistic.influence is not None and not soft_items:
        assert statistic.influence(tally).estimate == value
    if statistic.estimate is not None:
        assert statistic.estimate(tally).value == value
    if statistic.together is not None:
        masses = (np.stack([mass, 2 * mass]) for mass in (tally.up, tally.right))
        assert statistic.together(tally.scores, *masses).tolist() == [value, value]
    if statistic.bounds is not None:
        assert statistic.bounds(tally) == (value,) * 3
    if statistic.share is not None:
        assert rw.interval(tally, statistic=statistic, method="wilson").estimate == value


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", TALLIES)
def test_bounds_from_buckets_hold_the_exact_number(name, kind):
    statistic, exact = named(name), TALLIES[kind]
    ends = np.array([0.2, 0.5, 0.8])
    if statistic.bounds is not None:
        low, middle, high = statistic.bounds(exact.bucketed(ends))
        assert low - 1e-12 <= statistic.of(exact) <= high + 1e-12
        assert low <= middle <= high
    if statistic.exact_from_buckets:
        assert statistic.of(exact.bucketed(ends)) == pytest.approx(statistic.of(exact), rel=1e-12)


def test_no_two_numbers_have_one_place():
    for table in (field.name for field in fields(Places)):
        places = [getattr(entry.places, table) for entry in in_table(table)]
        assert places == sorted(set(places))
        assert places


def test_every_statistic_with_a_direction_is_a_scorer():
    of_its_own = {"expected_cost"}  # of predicted labels
    for name, entry in entries().items():
        if name in of_its_own:
            continue
        scorer = f"neg_{name}" if entry.direction == "lower" else name
        is_metric = entry.direction is not None and not entry.keywords
        assert (scorer in rw.sklearn.scorers) == is_metric


def test_the_numbers_of_drift_are_registered():
    found = estimates_of(TALLIES["hard"], fixed=False)
    assert list(found) == [entry.name for entry in in_table("drift")]


def test_there_is_no_second_list_of_numbers():
    """Only the rates of one rule are a list of their own, and the choice of what a lesson shows."""
    rules = {"curves/choices.py", "curves/operating_points.py", "report/accuracy.py", "typing.py"}
    rules |= {"cli/thresholds.py", "report/playground.py", "cli/notes.py"}  # notes: of options
    source, names = ROOT / "src" / "rocwalk", set(entries())
    for path in source.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            items = getattr(node, "keys", None) or getattr(node, "elts", [])
            found = {item.value for item in items if isinstance(item, ast.Constant)} & names
            assert len(found) < 4 or path.relative_to(source).as_posix() in rules, (path, found)


# -- what an entry derives -------------------------------------------------------------------------


def test_words_headings_and_ratios():
    bare = Statistic("x", len, title="Mean Score")
    assert (bare.words, bare.heading) == ("mean Score", "Mean Score")
    assert replace(bare, noun="Mean", short="M").words == "Mean"
    assert replace(bare, short="M").heading == "M"
    assert not bare.is_ratio
    assert find("struggle_ratio").is_ratio
    assert bare.range == ANY
    assert Statistic("y", len, influence=auc_influence).threshold is None


def test_parameters_are_given_to_all_functions():
    partial = statistic_of("partial_auc", max_fpr=0.3)
    assert partial.values == {"max_fpr": 0.3}
    tally = TALLIES["hard"]
    assert partial.of(tally) == rw.roc(TRUTH, PROB).partial_area(0.3)
    assert partial.bounds(tally)[1] == partial.of(tally)
    assert statistic_of("sensitivity", threshold=0.4).threshold == 0.4
    assert find("sensitivity").share == Share(("tp",), ("fn",))


def test_no_module_with_an_entry_is_left_out():
    code = (
        "import importlib, pkgutil, rocwalk\nfrom rocwalk.statistic import entries\n"
        "before = list(entries())\n"
        "for module in pkgutil.walk_packages(rocwalk.__path__, 'rocwalk.'):\n"
        "    importlib.import_module(module.name)\n"
        "assert list(entries()) == before and len(before) > 10, set(entries()) - set(before)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
