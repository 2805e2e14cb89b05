"""What coverage.py simulates of decisions: calibration, and thresholds that were chosen.

The scores of its settings are Φ(z) of z with a normal distribution around each truth, so that the
calibration curve, P(y | z), and the rates of every threshold are known in closed form.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import cache, lru_cache

import numpy as np
from scipy.fft import dct, idct
from scipy.special import expit, logit, ndtr, ndtri

import rocwalk as rw
from rocwalk.errors import OptionError, SmallSampleWarning
from rocwalk.tally.walk import check_prevalence

DRAWS = 100  # of intervals and bands of calibration
REPLICATES = 200  # of the choice of a threshold
Z = np.linspace(-9, 9, 20_001)

# how the log-odds of the scores differ from those of the truth
SCORES: dict[str, Callable] = {
    "calibrated": lambda odds: odds,
    "extreme": lambda odds: 1.6 * odds,
    "shifted": lambda odds: odds + 0.5,
    "both": lambda odds: 1.3 * odds - 0.4,
}
SLOPES = {"calibrated": 1.0, "extreme": 1 / 1.6, "shifted": 1.0, "both": 1 / 1.3}
PLACES = {"low": 0.1, "middle": 0.5, "high": 0.9}  # shares of the scores below which a band is read


# -- calibration -----------------------------------------------------------------------------------


def true_share(setting, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return P(y | z), or the mean soft truth there, and the density of z up to a factor."""
    middles = setting.strengths[0] * setting.middles
    near = np.array(setting.shares)[:, None] * np.exp(-((z - middles[:, None]) ** 2) / 2)
    return np.array(setting.votes) @ near / near.sum(axis=0), near.sum(axis=0)


def entropy(p: np.ndarray) -> np.ndarray:
    return -p * np.log(p) - (1 - p) * np.log1p(-p)


@cache
def true_calibration(setting, kind: str) -> dict[str, float]:
    """Return the numbers of calibration of endless data, by sums over a fine grid of z."""
    truth, density = true_share(setting, Z)
    mass = density / density.sum()
    scores = expit(SCORES[kind](logit(truth)))
    gaps, share = np.abs(truth - scores), float(mass @ truth)
    order = np.argsort(gaps)
    below = np.cumsum(mass[order])
    bins = np.searchsorted(np.arange(1, 10) / 10, scores)
    brier = mass @ (truth * (1 - scores) ** 2 + (1 - truth) * scores**2)
    log_loss = -mass @ (truth * np.log(scores) + (1 - truth) * np.log1p(-scores))
    found = {
        "slope": SLOPES[kind],
        "intercept": {"calibrated": 0.0, "shifted": -0.5}.get(kind, math.nan),
        "expected_observed": mass @ scores / share,
        "ici": mass @ gaps,
        "e50": gaps[order][np.searchsorted(below, 0.5)],
        "e90": gaps[order][np.searchsorted(below, 0.9)],
        "emax": gaps[(np.cumsum(mass) > 1e-6) & (np.cumsum(mass) < 1 - 1e-6)].max(),
        "ece": np.abs(np.bincount(bins, mass * (truth - scores), 10)).sum(),
        "smooth_ece": smooth_error(scores, mass * (truth - scores)),
        "brier": brier,
        "log_loss": log_loss,
        "brier_uncertainty": share * (1 - share),
        "brier_discrimination": mass @ (truth - share) ** 2,
        "brier_miscalibration": mass @ (truth - scores) ** 2,
        "log_loss_uncertainty": float(entropy(np.array(share))),
        "log_loss_discrimination": float(entropy(np.array(share))) - mass @ entropy(truth),
        "log_loss_miscalibration": log_loss - mass @ entropy(truth),
    }
    found["ece_corrected"] = found["ece"]
    places = np.searchsorted(np.cumsum(mass), list(PLACES.values()))
    for name, place in zip(PLACES, places, strict=True):
        found[f"score {name}"], found[f"share {name}"] = scores[place], truth[place]
    return {name: float(value) for name, value in found.items()}


def smooth_error(scores: np.ndarray, residual: np.ndarray) -> float:
    """Return the smooth ECE: the σ at which the smoothed residual has the norm σ."""
    size = 2_000
    waves = dct(np.histogram(scores, size, (0, 1), weights=residual)[0], type=2)
    rates = (math.pi * np.arange(size)) ** 2 / 2
    low, high = 0.0, 1.0
    for _ in range(40):
        sigma = (low + high) / 2
        norm = np.abs(idct(waves * np.exp(-rates * sigma**2), type=2)).sum()
        low, high = (sigma, high) if norm > sigma else (low, sigma)
    return (low + high) / 2


@lru_cache(maxsize=20_000)
def calibrated(setting, kind: str, seed: int) -> tuple[dict[str, tuple[float, float]], bool]:
    """Return both ends of every number and band in one sample, and whether it was warned of."""
    rng = np.random.default_rng(seed)
    sample = setting.draw(rng)
    truth, _ = true_share(setting, ndtri(sample.pop("y_score")))
    scores, known = expit(SCORES[kind](logit(truth))), true_calibration(setting, kind)
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        ends: dict[str, tuple[float, float]] = {}
        for method in ("isotonic", "smooth"):
            told = {"method": method, "n_resamples": DRAWS, "rng": seed, "threads": 1}
            found = rw.calibration(**sample, y_prob=scores, **told)
            if method == "isotonic":
                ends |= {name: (one.low, one.high) for name, one in found.intervals.items()}
            for band in ("confidence", "consistency"):
                edges = getattr(found, f"{band}_band")
                for name in PLACES:
                    at = known[f"score {name}"]
                    low, high = (np.interp(at, edges.scores, e) for e in (edges.low, edges.high))
                    ends[f"{method} {band} band, {name}"] = float(low), float(high)
                    ends[f"{method} curve, {name}"] = (float(found.calibrate([at])[0]),) * 2
    return ends, any(issubclass(one.category, SmallSampleWarning) for one in given)


def run_calibration(cell, setting, rng: np.random.Generator) -> tuple[bool, float]:
    """A number of calibration; a confidence band at a score holds the true curve there.

    A consistency band of calibrated scores holds the curve of the sample. The scores are as the
    method says, one of `SCORES`; all statistics of a setting and a method see the same samples.
    """
    ends, is_warned = calibrated(setting, cell.method, int(rng.integers(2**62)))
    if is_warned:
        warnings.warn("Few items.", SmallSampleWarning, stacklevel=2)
    low, high = ends[cell.statistic]
    known = true_calibration(setting, cell.method)
    if "consistency" in cell.statistic:
        truth = ends[cell.statistic.replace("consistency band", "curve")][0]
    elif "confidence" in cell.statistic:
        truth = known[f"share {cell.statistic.rpartition(' ')[2]}"]
    else:
        truth = known[cell.statistic]
    return low - 1e-12 <= truth <= high + 1e-12, high - low


def run_calibration_test(cell, setting, rng: np.random.Generator) -> tuple[bool, float]:
    """Scores that are calibrated: the test must not find that they are not."""
    sample = setting.draw(rng)
    scores, _ = true_share(setting, ndtri(sample.pop("y_score")))
    found = rw.calibration(**sample, y_prob=scores, n_resamples=1)
    test = found.spiegelhalter if cell.statistic == "spiegelhalter" else found.hosmer_lemeshow()
    return test.p_value >= 0.05, math.nan


# -- chosen thresholds -----------------------------------------------------------------------------

COSTS = rw.Costs(false_positive=1, false_negative=5)
RULES: dict[str, dict] = {
    "youden": {},
    "costs": {"costs": COSTS},
    "rate": {"rate": 0.1},
    "f1": {"metric": "f1"},
    "min_tpr": {"min_tpr": 0.9},
    "min_precision": {"min_precision": 0.5},
    "mcc": {"metric": "mcc"},
    "accuracy": {"metric": "accuracy"},
    "balanced_accuracy": {"metric": "balanced_accuracy"},
    "closest": {"metric": "closest"},
    "fbeta": {"metric": "fbeta"},
}
METRICS = ("f1", "mcc", "accuracy", "balanced_accuracy", "closest", "fbeta")


def at_threshold(setting, z: np.ndarray) -> dict[str, np.ndarray]:
    """Return the numbers of the rule z ≥ threshold on new data; classes as in the samples."""
    labels = setting.items(np.random.default_rng(0))["y_true"]
    share = check_prevalence(float(np.mean(labels)))
    half = setting.strengths[0] / 2
    tpr, fpr = ndtr(half - z), ndtr(-half - z)
    calls = share * tpr + (1 - share) * fpr
    with np.errstate(invalid="ignore", divide="ignore"):
        return {
            "tpr": tpr,
            "fpr": fpr,
            "rate": calls,
            "gain": tpr - fpr,
            "precision": share * tpr / calls,
            "expected_cost": (1 - share) * fpr + 5 * share * (1 - tpr),
            "f1": 2 * share * tpr / (calls + share),
            "fbeta": 5 * share * tpr / (calls + 4 * share),
            "mcc": (tpr - fpr) * np.sqrt(share * (1 - share) / (calls * (1 - calls))),
            "accuracy": share * tpr + (1 - share) * (1 - fpr),
            "balanced_accuracy": (tpr + 1 - fpr) / 2,
            "closest": np.hypot(1 - tpr, fpr),
        }


@cache
def true_threshold(setting, rule: str) -> float:
    """Return the threshold that is best in endless data."""
    known = at_threshold(setting, Z)
    good = {
        "youden": known["gain"],
        "costs": -known["expected_cost"],
        "rate": np.where(known["rate"] <= 0.1, known["tpr"], -1),
        **{name: known[name] for name in METRICS},
        "closest": -known["closest"],
        "min_tpr": np.where(known["tpr"] >= 0.9, -known["fpr"], -2),
        "min_precision": np.where(known["precision"] >= 0.5, known["tpr"], -1),
    }[rule]
    good = np.nan_to_num(good, nan=-2.0)
    return float(ndtr(Z[np.argmax(good)]))


@lru_cache(maxsize=20_000)
def chosen(setting, rule: str, seed: int) -> dict[str, tuple[float, float, float]]:
    """Return truth and both ends of what is said of a chosen threshold."""
    rng = np.random.default_rng(seed)
    told = {"n_resamples": REPLICATES, "rng": seed, "threads": 1}
    try:
        found = rw.best_threshold(**setting.draw(rng), **RULES[rule], **told)
    except OptionError:  # no threshold keeps to the floor
        return {}
    known = at_threshold(setting, np.array(ndtri(min(found.threshold, 1.0))))  # ∞: none is called
    numbers = {"tpr": found.tpr, "fpr": found.fpr, "precision": found.precision}
    if rule == "costs":
        numbers["expected_cost"] = found.expected_cost
    else:
        numbers["gain"] = found.over_no_one
    if rule in METRICS:
        numbers[rule] = found.value
    ends = {
        name: (float(known[name]), one.low, one.high)
        for name, one in numbers.items()
        if one is not None
    }
    return ends | {"threshold": (true_threshold(setting, rule), *found.threshold_interval)}


def run_best_threshold(cell, setting, rng: np.random.Generator) -> tuple[bool, float]:
    """What the threshold of a rule, which the method names, achieves on new data; or the best one.

    Nothing is called positive in a sample now and then, or no threshold keeps to a floor: another
    one is then drawn.
    """
    while True:
        ends = chosen(setting, cell.method, int(rng.integers(2**62)))
        if cell.statistic in ends:
            truth, low, high = ends[cell.statistic]
            return low <= truth <= high, high - low
