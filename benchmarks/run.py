"""Measure rocwalk against its peers and against the physical limit, side by side in one run.

Every promise is a ratio of two times (or of memory to input) taken in turns, so that a busy machine
slows both sides alike. Prints a table; exits with 1 if a promise is missed.

    python benchmarks/run.py            # everything, kept in docs/benchmarks.json
    python benchmarks/run.py --resume   # the same, without what this commit has measured already
    python benchmarks/run.py memory     # only the promises whose name contains the word; kept
                                        # with --write

NumPy sorts with the widest instructions that the machine has, which on some machines are not the
fastest. `make bench-switched` switches AVX-512 off, by NPY_DISABLE_CPU_FEATURES in the environment;
a whole run of that kind is kept beside the other, in docs/benchmarks.json, docs/rivals.json and the
README, and so is one of `make bench-pure`, by ROCWALK_PURE=1, without the compiled kernel, of which
less is promised.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import kernel  # noqa: F401  # its promises come first
import numpy as np
from first import processor_time, touched
from kept import Run
from promises import MANY, PROMISES, Promise, best_of, data, promise, sort_path, sort_time

import rocwalk as rw
from sklearn import metrics as sk


@promise("roc_auc_score, 100 rows: times faster than scikit-learn", at_least=30)
def auc_of_a_hundred() -> float:
    y, s = data(100)
    ours, theirs = best_of(
        lambda: [rw.metrics.roc_auc_score(y, s) for _ in range(100)],
        lambda: [sk.roc_auc_score(y, s) for _ in range(100)],
    )
    return theirs / ours


def peak_share(call: Callable[[], object], *inputs: np.ndarray) -> float:
    """Return the peak of memory that a call adds, as a multiple of its input."""
    tracemalloc.start()
    kept = call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    del kept
    return peak / sum(column.nbytes for column in inputs)


@promise("peak memory of roc_auc_score, 10⁷: multiple of the input", at_most=4)
def memory_of_auc() -> float:
    y, s = data()
    return peak_share(lambda: rw.metrics.roc_auc_score(y, s), y, s)


@promise("peak memory of roc, 10⁷: multiple of the input", at_most=8)
def memory_of_curve() -> float:
    y, s = data()
    return peak_share(lambda: touched(rw.roc(y, s)), y, s)


@promise("peak memory of roc, soft truth, 10⁷: multiple of the input", at_most=8)
def memory_of_soft_curve() -> float:
    _, s = data()
    f = np.random.default_rng(3).random(MANY)
    return peak_share(lambda: touched(rw.roc(f, s)), f, s)


@promise("import rocwalk: multiple of import numpy", at_most=1.5)
def import_time() -> float:
    def fresh(module: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, "-c", f"import {module}"], check=True)

    ours, numpy, nothing = best_of(fresh("rocwalk"), fresh("numpy"), fresh("sys"), rounds=7)
    return (ours - nothing) / (numpy - nothing)


# -- smearing: n = 10⁶, multiples of numpy.sort ----------------------------------------------------

SOME = 10**6


def hard_case(n: int = SOME):
    """A half of the positives at .9, a half at .45, negatives at .5, noise .02."""
    labels = np.random.default_rng(1).random(n) < 0.1
    half = np.random.default_rng(2).random(n) < 0.5
    noise = np.random.default_rng(3).normal(0, 0.02, n)
    middle = np.where(labels, np.where(half, 0.9, 0.45), 0.5)
    return labels.astype(np.int64), np.clip(middle + noise, 0, 1)


def tangent_case(n: int = SOME):
    """{1⁺, .1⁻, 0⁺} in noise, moved until the area misses the target by about 1e-10."""
    labels = np.random.default_rng(1).random(n) < 0.1
    half = np.random.default_rng(2).random(n) < 0.45
    noise = np.random.default_rng(3).normal(0, 0.004, n)

    def moved(shift: float):
        middle = np.where(labels, np.where(half, 0.98, 0.02 + shift), 0.1)
        return np.clip(middle + noise, 0, 1)

    def excess(shift: float) -> float:
        scores = moved(shift)
        gini = rw.metrics.probabilistic_gini_score(labels, scores)
        return 2 * (0.5 + gini - rw.smeared_area(labels, scores, width=1)) / gini - 1

    low, high = -0.02, 0.05
    while high - low > 1e-10:
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return labels.astype(np.int64), moved(high)


def in_sorts(call: Callable[[], object], scores: np.ndarray, rounds: int = 5) -> float:
    """Return the time of a call as a multiple of sorting the scores."""
    ours, limit = best_of(call, lambda: np.sort(scores), rounds=rounds)
    return ours / limit


@promise("calibration with bands, 10⁶: multiple of numpy.sort", at_most=30)
def calibration_with_bands() -> float:
    y, s = data(SOME)

    def bands(method: str) -> None:
        found = rw.calibration(y, s, method=method, rng=0)
        touched_bands = found.consistency_band, found.confidence_band
        assert all(len(band.scores) for band in touched_bands)

    return max(in_sorts(partial(bands, method), s, 3) for method in ("isotonic", "smooth"))


WIDTHS = (1e-6, 1e-3, 0.1, 2.0)


def slowest_width(y: np.ndarray, s: np.ndarray, widths, **options) -> float:
    """Return the time of the slowest width as a multiple of sorting the scores."""
    calls = [partial(rw.smeared_area, y, s, width=width, **options) for width in widths]
    return max(in_sorts(call, s, 3) for call in calls)


@promise("smeared_area, uniform, 10 % positives: multiple of numpy.sort", at_most=12)
def uniform_area() -> float:
    return slowest_width(*data(SOME), WIDTHS)


@promise("smeared_area, uniform, 50 % positives: multiple of numpy.sort", at_most=30)
def uniform_area_of_half() -> float:
    _, s = data(SOME)
    y = (np.random.default_rng(4).random(SOME) < 0.5).astype(np.int64)
    return slowest_width(y, s, WIDTHS)


@promise("smeared_area, uniform, soft truth: multiple of numpy.sort", at_most=45)
def uniform_area_of_soft_truth() -> float:
    _, s = data(SOME)
    f = np.random.default_rng(4).random(SOME)
    return slowest_width(f, s, WIDTHS)


@promise("smeared_area, normal, width 0.1: multiple of numpy.sort", at_most=8)
def normal_area() -> float:
    y, s = data(SOME)
    return in_sorts(lambda: rw.smeared_area(y, s, width=0.1, kernel="normal"), s)


@promise("smeared_area, normal, any width: multiple of numpy.sort", at_most=120)
def normal_area_at_any_width() -> float:
    return slowest_width(*data(SOME), 10.0 ** np.arange(-8, 2.5, 0.5), kernel="normal")


@promise("matched_width, ordinary scores: multiple of numpy.sort", at_most=35)
def width_of_ordinary_scores() -> float:
    y, s = data(SOME)
    return in_sorts(lambda: rw.matched_width(y, s), s)


@promise("matched_width, the hard case: multiple of numpy.sort", at_most=80)
def width_of_the_hard_case() -> float:
    y, s = hard_case()
    return in_sorts(lambda: rw.matched_width(y, s), s)


@promise("matched_width, near a tangent: multiple of numpy.sort", at_most=150)
def width_near_a_tangent() -> float:
    y, s = tangent_case()
    return in_sorts(lambda: rw.matched_width(y, s), s)


@promise("matched_width, normal, ordinary scores: multiple of numpy.sort", at_most=25)
def normal_width_of_ordinary_scores() -> float:
    y, s = data(SOME)
    return in_sorts(lambda: rw.matched_width(y, s, kernel="normal"), s)


def growth(call: Callable[[np.ndarray, np.ndarray], object]) -> float:
    """Return the exponent of n with which the CPU time grows from 10⁵ to 10⁷ rows.

    What else runs takes the caches from the many rows and not from the few, so times on the clock,
    and the few and the many one after the other, would measure the machine's other work.
    """
    samples = [data(n) for n in (10**5, 10**7)]
    times = [[processor_time(partial(call, *one), rounds=1) for one in samples] for _ in range(7)]
    few, many = np.min(times, axis=0)
    return float(np.log10(many / few) / 2)


@promise("smeared_area, uniform: exponent of n from 10⁵ to 10⁷", at_most=1.15)
def growth_of_area() -> float:
    return growth(lambda y, s: rw.smeared_area(y, s, width=0.1))


@promise("matched_width, uniform: exponent of n from 10⁵ to 10⁷", at_most=1.15)
def growth_of_width() -> float:
    return growth(rw.matched_width)


@promise("probabilistic_auc_score, 10⁶: multiple of two passes of numpy.mean", at_most=4)
def probabilistic_auc() -> float:
    y, s = data(SOME)
    ours, means = best_of(
        lambda: rw.metrics.probabilistic_auc_score(y, s),
        lambda: (np.mean(s), np.mean(s)),
        rounds=50,
    )
    return ours / means


# -- soft truth and cost space ---------------------------------------------------------------------


def soft_truth(n: int = SOME):
    _, s = data(n)
    return np.random.default_rng(4).random(n), s


@promise("h_measure, 10⁶ hard labels: multiple of numpy.sort", at_most=6)
def h_of_labels() -> float:
    y, s = data(SOME)
    return in_sorts(lambda: rw.roc(y, s).h_measure(), s)


@promise("cost_curve, 10⁶ hard labels: multiple of numpy.sort", at_most=6)
def costs_of_labels() -> float:
    y, s = data(SOME)
    return in_sorts(lambda: rw.roc(y, s).cost_curve().expected_cost, s)


@promise("h_measure, 10⁶ soft truths: multiple of numpy.sort", at_most=12)
def h_of_soft_truth() -> float:
    f, s = soft_truth()
    return in_sorts(lambda: rw.roc(f, s).h_measure(), s)


@promise("cost_curve, 10⁶ soft truths: multiple of numpy.sort", at_most=12)
def costs_of_soft_truth() -> float:
    f, s = soft_truth()
    return in_sorts(lambda: rw.roc(f, s).cost_curve().expected_cost, s)


@promise("reference_truth, 10⁶: multiple of numpy.argsort", at_most=4)
def truth_against_argsort() -> float:
    f, s = soft_truth()

    def ours() -> object:
        found = rw.reference_truth(f, s)
        return found.auc_prt, found.expected_auc, found.auwcc

    mine, limit = best_of(ours, lambda: np.argsort(s))
    return mine / limit


# -- sensibility and drift -------------------------------------------------------------------------


@promise("sensibility curves, 10⁶: multiple of numpy.sort", at_most=4.5)
def sensibility_curves() -> float:
    y, s = data(SOME)

    def ours() -> object:
        found = rw.sensibility(y, s)
        return found.sensibility, found.capability

    return in_sorts(ours, s)


@promise("drift, 10⁶ rows each, analytic: multiple of numpy.sort", at_most=40)
def analytic_drift() -> float:
    """The scores of both samples are sorted for comparison."""
    y, s = data(2 * SOME)
    pair = (y[:SOME], s[:SOME]), (y[SOME:], s[SOME:])
    ours, sorts = best_of(lambda: rw.drift(*pair), lambda: [np.sort(one) for _, one in pair])
    return ours / sorts


@promise("drift, 2·10⁵ rows each, 2,000 resamples: multiple of one roc of each", at_most=1000)
def resampled_drift() -> float:
    y, s = data(4 * 10**5)
    half = len(y) // 2
    pair = (y[:half], s[:half]), (y[half:], s[half:])
    ours, curves = best_of(
        lambda: rw.drift(*pair, method="bootstrap", rng=0),
        lambda: [touched(rw.roc(*one)) for one in pair],
        rounds=2,
    )
    return ours / curves


# -- uncertainty -----------------------------------------------------------------------------------


@promise("interval of AUC by DeLong, 10⁶: multiple of numpy.argsort", at_most=3)
def delong_against_argsort() -> float:
    y, s = data(SOME)
    ours, limit = best_of(lambda: rw.interval(y, s), lambda: np.argsort(s))
    return ours / limit


@promise("interval of AUC by DeLong, 10⁶: times faster than confidenceinterval", at_least=15)
def delong_against_confidenceinterval() -> float:
    from confidenceinterval import roc_auc_score

    y, s = data(SOME)
    ours, theirs = best_of(lambda: rw.interval(y, s), lambda: roc_auc_score(y, s), rounds=2)
    return theirs / ours


def two_models(n: int):
    y, s = data(n)
    return y, s, np.clip(s + np.random.default_rng(5).normal(0, 0.2, n), 0, 1)


@promise("compare two models by DeLong, 10⁶: multiple of numpy.argsort", at_most=6)
def pair_against_argsort() -> float:
    y, s, other = two_models(SOME)
    ours, limit = best_of(
        lambda: rw.compare(y, {"a": s, "b": other}), lambda: np.argsort(s), rounds=3
    )
    return ours / limit


@promise("compare two models by DeLong, 10⁶: times faster than MLstatkit", at_least=15)
def pair_against_mlstatkit() -> float:
    from MLstatkit import Delong_test

    y, s, other = two_models(SOME)
    ours, theirs = best_of(
        lambda: rw.compare(y, {"a": s, "b": other}), lambda: Delong_test(y, s, other), rounds=2
    )
    return theirs / ours


def bootstrap_against_loop(n: int, tries: int) -> float:
    """Return 2,000 replicates of ours as a multiple of a loop over scikit-learn's AUC."""
    y, s = data(n)
    classes, rng = [np.flatnonzero(y == k) for k in (1, 0)], np.random.default_rng(0)

    def loop() -> None:
        for _ in range(tries):
            rows = np.concatenate([rng.choice(part, len(part)) for part in classes])
            sk.roc_auc_score(y[rows], s[rows])

    ours, theirs = best_of(
        lambda: rw.interval(y, s, method="percentile", rng=0, n_resamples=2_000), loop, rounds=2
    )
    return theirs / tries * 2_000 / ours


@promise("2,000 bootstrap replicates of AUC, 10⁵: times faster than a loop", at_least=30)
def bootstrap_of_many() -> float:
    return bootstrap_against_loop(10**5, 20)


@promise("2,000 bootstrap replicates of AUC, 500 rows: times faster than a loop", at_least=80)
def bootstrap_of_few() -> float:
    return bootstrap_against_loop(500, 200)


@promise("100,000 replicates of 500 rows: multiple of 2,000 replicates", at_most=60)
def growth_of_bootstrap() -> float:
    y, s = data(500)
    few, many = (
        best_of(
            partial(rw.interval, y, s, method="percentile", rng=0, n_resamples=count), rounds=3
        )[0]
        for count in (2_000, 100_000)
    )
    return many / few


def million_rows() -> dict[str, np.ndarray]:
    """Return labels and three models on 10⁶ rows."""
    y, s = data(SOME)
    noise = np.random.default_rng(5).normal(0, 0.1, (2, len(s)))
    return {
        "y": y, "a": s, "b": np.clip(s + noise[0], 0, 1), "c": np.clip(s + 3 * noise[1], 0, 1)
    }  # fmt: skip


def million_row_page(folder: str) -> Path:
    """Write the page of three models on 10⁶ rows."""
    path = Path(folder) / "page.html"
    rw.report(million_rows(), label="y", score=["a", "b", "c"]).save(path)
    return path


@promise("report on 3 models, 10⁶ rows: multiple of score without intervals", at_most=30)
def report_against_score() -> float:
    from rocwalk.evaluate.study import Question, read_study
    from rocwalk.evaluate.summary import summary

    columns = million_rows()

    def score() -> None:
        study = read_study(columns, Question(label="y", scores=("a", "b", "c")))
        for tally in study.models.values():
            summary(tally)

    def report() -> str:
        return rw.report(columns, label="y", score=["a", "b", "c"]).html

    ours, limit = best_of(report, score, rounds=2)
    return ours / limit


@promise("page of 3 models on 10⁶ rows: megabytes", at_most=1.5)
def size_of_page() -> float:
    with tempfile.TemporaryDirectory() as folder:
        return million_row_page(folder).stat().st_size / 1e6


TIMES = """() => {
  const host = document.createElement("div");
  document.body.append(host);
  const chart = new rocwalk.Chart(host, {});
  const lines = rocwalk.models.map((_, k) => chart.line([0], [0], `curve k${k}`));
  const slider = document.querySelector('#threshold [data-role="threshold"]');
  const timed = (act) => {
    const start = performance.now();
    for (let k = 0; k < 200; k++) { act(k); document.body.offsetHeight; }
    return performance.now() - start;
  };
  const draw = ({ fpr, tpr }, k) => lines[k].setAttribute("d", chart.path(fpr, tpr));
  const redraw = () => rocwalk.models.forEach(draw);
  const step = (k) => { slider.value = 10 * k; slider.dispatchEvent(new Event("input")); };
  redraw(); step(1);
  return Math.min(timed(step), timed(step)) / Math.min(timed(redraw), timed(redraw));
}"""


@promise("page of 3 models on 10⁶ rows: slider step in redraws of its curves", at_most=2.0)
def slider_step() -> float:
    """A step moves every section that follows the operating rule, not one chart."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page()
        page.goto(million_row_page(folder).as_uri())
        page.wait_for_selector("html[data-ready=yes]")
        ratio = page.evaluate(TIMES)
        browser.close()
    return ratio


import databases  # noqa: E402, F401  # rows that a server groups
import kernels  # noqa: E402, F401  # of the kernels that stay inside [0, 1]
import large  # noqa: E402, F401  # its promises come last: they need files and a cluster
import once  # noqa: E402, F401  # promises on one command line
import startup  # noqa: E402, F401  # promises on start-up and small data

import evaluate  # noqa: E402, F401  # what rw.evaluate adds to fits


def main(arguments: list[str]) -> int:
    words = [one for one in arguments if not one.startswith("--")]
    options = set(arguments) - set(words)
    if options - {"--resume", "--write"}:
        print(f"The options are --resume and --write, not {' '.join(sorted(options))}.")
        return 2
    run = Run.of_this_machine()
    here = rw.show_versions()
    compiled = f"kernel {here['kernel']}, threads {here['threads']}"
    sorts = f"sorts with {sort_path()}, {sort_time() * 1e9:.1f} ns a row"
    print(f"NumPy {np.__version__} {sorts}; {compiled}.")
    print("Times are on the clock, with all threads, where a promise does not say otherwise.\n")
    print(f"{'':4}{'promise':68}{'measured':>10}{'promised':>10}{'took':>10}")
    rows = []
    for each in PROMISES:
        if words and not any(word in each.name for word in words):
            continue
        row = run.measured_before(each.name) if "--resume" in options else None
        if row is None:
            row = measured(each) | {"commit": run.commit}
            if not words or options:
                run.write(row)
        rows.append(row)
        sign = "≥" if each.at_least else "≤"
        mark = "ok" if row["kept"] else "MISS"
        print(
            f"{mark:<4} {each.name:67}{row['ratio']:10.3g}{sign:>5}{each.bound:5g}"
            f"{row['seconds']:8.0f} s",
            flush=True,
        )
    missed = sum(not row["kept"] for row in rows)
    print(f"\n{missed} missed" if missed else "\nall kept")
    print(f"{sum(row['seconds'] for row in rows) / 60:.1f} minutes")
    if not words or options:
        run.finish([each.name for each in PROMISES])
    return int(missed > 0)


def measured(each: Promise) -> dict[str, Any]:
    """Return what a promise and its measurement are, as docs/benchmarks.json has them."""
    start = time.perf_counter()
    value = each.measure()
    return {
        "name": each.name,
        "ratio": float(f"{value:.3g}"),
        "limit": each.bound,
        "kept": bool(each.kept(value)),
        "detail": "at least" if each.at_least else "at most",
        "seconds": round(time.perf_counter() - start, 1),
    }


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
