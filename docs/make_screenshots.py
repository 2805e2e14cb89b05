"""Make the pictures of the report that the README and the documents show.

    python docs/make_screenshots.py

Chromium is needed, as for the tests of the page: make browser.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

import rocwalk as rw

HERE = Path(__file__).parent
EXAMPLE = HERE.parent / "examples" / "breast_cancer.csv"
LARGEST = 250_000  # bytes


def main() -> None:
    """Write docs/images/report-light.png, report-dark.png and report-steps.png."""
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
        browser.close()


def shoot(browser: Browser, page: Path, scheme: str) -> None:
    """Take the top of the page in light or dark."""
    tab = browser.new_page(viewport={"width": 1180, "height": 1460}, color_scheme=scheme)
    tab.goto(page.as_uri())
    tab.screenshot(path=keep(f"report-{scheme}.png"))
    check(f"report-{scheme}.png")


def shoot_steps(browser: Browser, page: Path) -> None:
    """Take the step-by-step section in the middle of the walk."""
    tab = browser.new_page(viewport={"width": 1180, "height": 900})
    tab.goto(page.as_uri())
    for _ in range(9):
        tab.click("#steps [data-role=on]")
    tab.locator("#steps .card").screenshot(path=keep("report-steps.png"))
    check("report-steps.png")


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
