"""Simulate how often intervals, comparisons and bands hold the truth, and how wide they are.

    python benchmarks/coverage.py                 # everything: writes docs/coverage.json
    python benchmarks/coverage.py tiny auc        # only the cells whose name has all the words;
                                                  # the other rows of the table stay
    python benchmarks/coverage.py hard auc 8+392  # "hard" is in the name of the cells of hard
                                                  # settings: few items, areas near 1, …

Exits with 1 if a promise is missed (`PROMISES`): a method that is documented as nominal covers
outside [93, 97] %, one that is documented as conservative less than 94 %, or one that is documented
as not reliable misses the truth in more than 7 % of the runs without a `SmallSampleWarning`. Cells
that are documented otherwise, with their number in the docstring of the function, are reported and
not judged. A test has no interval: its coverage is the share of runs in which it does not reject a
hypothesis that is true, p ≥ 0.05.
"""

from __future__ import annotations

import json
import math
import sys
import time
import warnings
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from multiprocessing import Pool
from pathlib import Path

import numpy as np
from decisions import (
    DRAWS,
    REPLICATES,
    run_best_threshold,
    run_calibration,
    run_calibration_test,
)
from scipy.special import betainc, betaincinv, ndtr, ndtri

import rocwalk as rw
from rocwalk.errors import InputError, SmallSampleWarning
from rocwalk.inference.background_areas import Divided
from rocwalk.inference.intervals import interval_of
from rocwalk.inference.items import cluster_codes
from rocwalk.inference.request import Request
from rocwalk.inference.resampling import Plan
from rocwalk.inference.subgroups import Measured
from rocwalk.read.arrays import check
from rocwalk.statistic import statistic_of

TABLE = Path(__file__).parent.parent / "docs" / "coverage.json"
LEVEL = 0.95
ANALYTIC_RUNS, RESAMPLED_RUNS = 10_000, 2_000
RESAMPLED = (
    *("percentile", "basic", "bca", "half-sample", "bootstrap", "permutation", "fixed-width"),
)
DRAWN = {"calibration": DRAWS, "best_threshold": REPLICATES}  # draws, whatever the method
Rng = np.random.Generator
STRONG, WEAK = math.sqrt(2) * ndtri(0.8), math.sqrt(2) * ndtri(0.7)  # areas of 0.8 and of 0.7
ALIKE = 0.6  # the correlation of two models' noise
MAX_FPR, AT_FPR = 0.2, 0.3  # where a partial area ends, and where a pointwise band is read
MANY = 2_000_000  # rows of the sample whose value is the truth where there is no closed form


# -- settings: how a sample is drawn ---------------------------------------------------------------


def own_noise(rng: Rng, items: dict) -> np.ndarray:
    """Every item has noise of its own."""
    return rng.normal(size=len(items["y_true"]))


def patient_noise(rng: Rng, items: dict) -> np.ndarray:
    """Half of the variance is the patient's, who shifts all scores of its units alike."""
    cluster, spread = items["cluster"], math.sqrt(0.5)
    return rng.normal(0, spread, cluster[-1] + 1)[cluster] + rng.normal(0, spread, len(cluster))


@dataclass(frozen=True, eq=False)
class Setting:
    """Items whose truth is one of `votes`, with probabilities `shares`, and noise of variance 1.

    The score of a model is Φ(z), which changes no rank, of z = strength·(truth − ½) + noise; or
    the number of `levels` that z is above, over all of them. The second model has the second
    strength, and separate samples have `second` items where it is given. `weigh` draws the weights
    of scored items.

    Hard settings are those in which an interval easily fails: few items of a class, areas near 1,
    coarse levels, samples or clusters of very unequal size, weights that go with the score.
    """

    name: str
    items: Callable[[Rng], dict]
    noise: Callable[[Rng, dict], np.ndarray] = own_noise
    second: Callable[[Rng], dict] | None = None
    weigh: Callable[[Rng, dict], np.ndarray] | None = None
    is_hard: bool = False
    levels: np.ndarray | None = None
    votes: tuple[float, ...] = (0.0, 1.0)
    shares: tuple[float, ...] = (0.5, 0.5)
    strengths: tuple[float, float] = (STRONG, WEAK)

    def score(self, strength: float, truth: np.ndarray, noise: np.ndarray) -> np.ndarray:
        z = noise + strength * (truth - 0.5)
        if self.levels is None:
            return ndtr(z)
        return np.searchsorted(self.levels, z) / len(self.levels)

    def draw(self, rng: Rng, which: int = 0) -> dict:
        """Return the arguments of `rocwalk.interval` for a sample scored by one of the models."""
        items = (self.items if which == 0 or self.second is None else self.second)(rng)
        noise = self.noise(rng, items)
        items |= {"y_score": self.score(self.strengths[which], items["y_true"], noise)}
        return items if self.weigh is None else items | {"sample_weight": self.weigh(rng, items)}

    def draw_pair(self, rng: Rng, strengths: tuple[float, float]) -> dict:
        """Return the arguments of `rocwalk.compare` for two models of the same items."""
        items = self.items(rng)
        one, fresh = self.noise(rng, items), self.noise(rng, items)
        noises = (one, ALIKE * one + math.sqrt(1 - ALIKE**2) * fresh)
        scores = {
            name: self.score(strength, items["y_true"], noise)
            for name, strength, noise in zip("ab", strengths, noises, strict=True)
        }
        return items | {"scores": scores}

    def draw_samples(self, rng: Rng) -> dict:
        """Return the arguments of `rocwalk.compare_samples`, one sample for each model."""
        one, other = (self.draw(rng, which) for which in (0, 1))
        told = {
            f"sample_{k}": (sample.pop("y_true"), sample.pop("y_score"))
            for k, sample in ((1, one), (2, other))
        }
        for key in ("cluster", "sample_weight"):
            if key in one:
                one[key] = (one[key], other[key])
        return told | one

    @cached_property
    def middles(self) -> np.ndarray:
        """The mean of z at each vote, for a strength of 1."""
        return np.array(self.votes) - 0.5

    @cached_property
    def masses(self) -> tuple[np.ndarray, np.ndarray]:
        """The shares of the positive and of the negative mass that each vote has."""
        votes, shares = np.array(self.votes), np.array(self.shares)
        up, right = shares * votes, shares * (1 - votes)
        return up / up.sum(), right / right.sum()


def hard(n_up: int, n_right: int) -> Callable[[Rng], dict]:
    labels = np.repeat([1, 0], [n_up, n_right])
    return lambda _: {"y_true": labels}


def patients(rng: Rng) -> dict:
    """Fifty patients of one to six units each."""
    sizes = rng.integers(1, 7, 50)
    cluster = np.repeat(np.arange(50), sizes)
    labels = (rng.random(len(cluster)) < np.repeat(rng.choice([0.3, 0.7], 50), sizes)).astype(int)
    return {"y_true": labels, "cluster": cluster}


def clustered(draw_sizes: Callable[[Rng], np.ndarray]) -> Callable[[Rng], dict]:
    """Patients with as many units as are drawn; at least two have each class."""

    def items(rng: Rng) -> dict:
        while True:
            sizes = draw_sizes(rng)
            cluster = np.repeat(np.arange(len(sizes)), sizes)
            shares = rng.choice([0.3, 0.7], len(sizes))[cluster]
            labels = (rng.random(len(cluster)) < shares).astype(int)
            if all(len(set(cluster[labels == one])) > 1 for one in (0, 1)):
                return {"y_true": labels, "cluster": cluster}

    return items


def one_to_fifty(rng: Rng) -> np.ndarray:
    return rng.integers(1, 51, 10)


def heavy_tailed(rng: Rng) -> np.ndarray:
    """Forty sizes of Pareto's distribution with index 1: half are 1, and a few above 20."""
    return np.minimum(np.ceil(rng.pareto(1.0, 40) + 1e-9), 400).astype(int)


def against_score(_: Rng, items: dict) -> np.ndarray:
    """The weight falls with the score, e^{−z}."""
    return np.exp(-ndtri(items["y_score"]))


def lognormal(rng: Rng, items: dict) -> np.ndarray:
    return np.exp(rng.normal(size=len(items["y_true"])))


def sampled(count: int, share: float = 0.5) -> Callable[[Rng], dict]:
    """Items that are positive by chance; at least two are, and two are not."""

    def items(rng: Rng) -> dict:
        while True:
            labels = (rng.random(count) < share).astype(int)
            if 2 <= labels.sum() <= count - 2:
                return {"y_true": labels}

    return items


def of_areas(name: str, items: Callable[[Rng], dict], area: float, **more) -> Setting:
    """Return a hard setting of two models with the same area."""
    both = strength_of(area), strength_of(area)
    return Setting(name, items, strengths=both, is_hard=True, **more)


LIKERT = np.array([-1.5, -0.5, 0.5, 1.5])
VOTES = (0.0, 0.25, 0.5, 0.75, 1.0)
SHARES = (0.3, 0.2, 0.15, 0.15, 0.2)


def judged_items(count: int) -> Callable[[Rng], dict]:
    """Items judged by four raters, who do not say the same of all."""

    def items(rng: Rng) -> dict:
        while True:
            truth = rng.choice(VOTES, count, p=SHARES)
            if len(set(truth)) > 2:
                return {"y_true": truth, "truth": "soft"}

    return items


judged = judged_items(200)


def judged_patients(rng: Rng) -> dict:
    """Forty patients of one to six items, each judged by four raters."""
    cluster = np.repeat(np.arange(40), rng.integers(1, 7, 40))
    return {
        "y_true": rng.choice(VOTES, len(cluster), p=SHARES),
        "truth": "soft",
        "cluster": cluster,
    }


def judged_setting(name: str, items: Callable[[Rng], dict], *strengths: float, **more) -> Setting:
    """Return a hard setting of soft truth; two models of one strength are alike."""
    both = strengths[0], strengths[-1]
    return Setting(name, items, votes=VOTES, shares=SHARES, strengths=both, is_hard=True, **more)


def strength_of(area: float) -> float:
    """Return the strength at which hard labels have this area."""
    return math.sqrt(2) * float(ndtri(area))


def few(sizes: str, *areas: float, **more) -> Setting:
    """Return a hard setting such as "8+392" items, named with the areas: "8+392@.95".

    Two areas are those of the two models, one is that of both. "5+200/300+300" are the sizes of two
    separate samples.
    """
    one, *second = (hard(*map(int, both.split("+"))) for both in sizes.split("/"))
    named = "/".join(f"{area:g}".removeprefix("0") for area in areas)
    strengths = strength_of(areas[0]), strength_of(areas[-1])
    return Setting(
        f"{sizes}@{named}",
        one,
        second=second[0] if second else None,
        strengths=strengths,
        is_hard=True,
        **more,
    )


SETTINGS = {
    one.name: one
    for one in (
        Setting("binormal", hard(100, 100)),
        Setting("tied", hard(60, 90), levels=ndtri(np.array([0.2, 0.45, 0.7, 0.9]))),
        Setting("tiny", hard(20, 20)),
        Setting("imbalanced", hard(20, 1980)),
        Setting("clustered", patients, patient_noise),
        Setting("soft", judged, votes=VOTES, shares=SHARES, strengths=(2.0, 1.2)),
        judged_setting("soft-10", judged_items(10), 2.0, 1.2),
        judged_setting("soft-20", judged_items(20), 2.0, 1.2),
        judged_setting("soft-30", judged_items(30), 2.0, 1.2),
        judged_setting("soft-20-alike", judged_items(20), 1.2),
        judged_setting("soft-30-near-perfect", judged_items(30), 5.0, 3.5),
        judged_setting("soft-clustered", judged_patients, 2.0, 1.2, noise=patient_noise),
        # hard settings: AUC of few positives, and near 1
        few("8+392", 0.95),
        few("10+1000", 0.98),
        few("5+200", 0.7),
        few("20+200", 0.9),
        few("30+1000", 0.95),
        few("40+40", 0.95),
        Setting(
            "5-levels-40+40@.967",
            hard(40, 40),
            levels=LIKERT,
            strengths=(2.811, 2.811),
            is_hard=True,
        ),
        few("100+100", 0.99),
        few("200+200", 0.999),
        few("400+400", 0.98),
        # two models of few items, and separate samples of very unequal sizes
        few("8+392", 0.8),
        few("8+392", 0.9, 0.8),
        few("15+300", 0.9, 0.8),
        few("40+40", 0.95, 0.9),
        few("40+40", 0.98, 0.95),
        few("5+200/300+300", 0.8),
        few("5+200/300+300", 0.9),
        few("20+200/1000+5000", 0.8),
        few("20+200/1000+5000", 0.95),
        few("60+60/6000+6000", 0.9),
        few("50+50/200+200", 0.99),
        of_areas(
            "lognormal-weights-5+200/300+300@.9",
            hard(5, 200),
            0.9,
            second=hard(300, 300),
            weigh=lognormal,
        ),
        # clusters of very unequal size
        of_areas("10x1-50@.8", clustered(one_to_fifty), 0.8, noise=patient_noise),
        of_areas("10x1-50@.9", clustered(one_to_fifty), 0.9, noise=patient_noise),
        of_areas("40heavy@.8", clustered(heavy_tailed), 0.8, noise=patient_noise),
        of_areas("40heavy@.9", clustered(heavy_tailed), 0.9, noise=patient_noise),
        # weights that go with the score, and that vary much
        of_areas("exp-weights@.8", hard(100, 100), 0.8, weigh=against_score),
        of_areas("exp-weights@.95", hard(100, 100), 0.95, weigh=against_score),
        of_areas("lognormal-weights@.8", hard(100, 100), 0.8, weigh=lognormal),
        of_areas("lognormal-weights@.97", hard(100, 100), 0.97, weigh=lognormal),
        # numbers of the hull, and numbers that depend on the prevalence
        few("40+40", 0.6),
        few("40+40", 0.8),
        of_areas("100@.8", sampled(100), 0.8),
        of_areas("100@.98", sampled(100), 0.98),
        of_areas("200@.8", sampled(200), 0.8),
        of_areas("200@.95", sampled(200), 0.95),
        Setting("200@.8/.7", sampled(200), is_hard=True),
        # probabilities of rare positives, see `run_calibration`
        of_areas("500-rare@.8", sampled(500, 0.05), 0.8, shares=(0.95, 0.05)),
        # thresholds that are chosen, see `run_best_threshold`
        few("30+70", 0.8),
        few("10+200", 0.8),
        # three classes, see `run_classes`
        Setting("3x40@.8/.7", hard(40, 80), is_hard=True),
        of_areas("3x15@.95", hard(15, 30), 0.95),
        # cross-validations of 50 + 50 items, see `run_fold_band` and `plan_of`
        of_areas("1x5-folds", hard(50, 50), 0.8),
        of_areas("20x5-folds", hard(50, 50), 0.8),
        of_areas("20+20-1x5-folds", hard(20, 20), 0.8),
        of_areas("50+50-1x5-folds", hard(50, 50), 0.8),
        of_areas("50+50-10x5-folds", hard(50, 50), 0.8),
        of_areas("15+150-1x5-folds", hard(15, 150), 0.8),
        of_areas("200+200-1x10-folds", hard(200, 200), 0.8),
        # 5 readers of 50 + 50 cases with 2 tests alike, see `run_reader_study`
        of_areas("5-readers-50+50", hard(50, 50), 0.855),
        # ratings from 1 to 4 of 30 and of 100 items, see `run_agreement`
        of_areas("30-items", hard(15, 15), 0.8),
        of_areas("100-items", hard(50, 50), 0.8),
    )
}


# -- the truth, in closed form ---------------------------------------------------------------------


@cache
def true_curve(setting: Setting, strength: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the points of the true curve; between levels it is straight."""
    cuts = np.linspace(-8, 8, 2_001) if setting.levels is None else setting.levels
    cuts = np.concatenate(([np.inf], cuts[::-1], [-np.inf]))
    above = ndtr(np.subtract.outer(strength * setting.middles, cuts))
    tpr, fpr = (mass @ above for mass in setting.masses)
    return np.minimum(fpr, 1.0), np.minimum(tpr, 1.0)


def true_auc(setting: Setting, strength: float) -> float:
    """P(positive above negative): z of votes v and w differs by N(strength·(v − w), 2)."""
    if setting.levels is not None:
        fpr, tpr = true_curve(setting, strength)
        return float(np.trapezoid(tpr, fpr))
    up, right = setting.masses
    wins = ndtr(strength * np.subtract.outer(setting.middles, setting.middles) / math.sqrt(2))
    return float(up @ wins @ right)


def true_auc_prt(setting: Setting, strength: float) -> float:
    """½ + (A − ½)/(2P − 1), P the area of the order of the votes themselves."""
    up, right = setting.masses
    perfect = float(up @ (0.5 + 0.5 * np.sign(np.subtract.outer(VOTES, VOTES))) @ right)
    return 0.5 + (true_auc(setting, strength) - 0.5) / (2 * perfect - 1)


def true_probabilistic_auc(setting: Setting, strength: float) -> float:
    """½(1 + the difference of the mean scores); E Φ(N(m, 1)) = Φ(m/√2)."""
    middle = strength * setting.middles
    if setting.levels is None:
        means = ndtr(middle / math.sqrt(2))
    else:
        means = ndtr(np.subtract.outer(middle, setting.levels)).mean(axis=1)
    up, right = setting.masses
    return float(0.5 * (1 + (up - right) @ means))


def true_sensitivity(setting: Setting, strength: float) -> float:
    """P(Φ(z) ≥ ½) of a positive."""
    return float(setting.masses[0] @ ndtr(strength * setting.middles))


def true_specificity(setting: Setting, strength: float) -> float:
    """P(Φ(z) < ½) of a negative."""
    return float(setting.masses[1] @ ndtr(-strength * setting.middles))


# the points of numbers at a point, and where a partial area begins
AT = {"fpr": 0.1, "tpr": 0.9, "rate": 0.3, "threshold": 0.5, "min_tpr": 0.7}
COSTS = rw.Costs(false_positive=1, false_negative=5)


def true_at(setting: Setting, strength: float, point: str) -> tuple[float, float, float]:
    """Return the true FPR, TPR and share of positives at a point that is named as in `AT`."""
    fpr, tpr = true_curve(setting, strength)
    share = float(np.array(setting.shares) @ np.array(setting.votes))
    along = {"fpr": fpr, "tpr": tpr, "rate": share * tpr + (1 - share) * fpr}
    if point == "threshold":
        masses = setting.masses
        tops = ndtr(strength * setting.middles - ndtri(AT[point]))
        return float(masses[1] @ tops), float(masses[0] @ tops), share
    where = AT[point]
    return (
        float(np.interp(where, along[point], fpr)),
        float(np.interp(where, along[point], tpr)),
        share,
    )


def true_number(setting: Setting, strength: float, name: str) -> float:
    """Return a number at a point, such as "precision@rate"; labels are positive one in two."""
    statistic, _, point = name.partition("@")
    if statistic == "partial_auc":
        return true_partial_auc(setting, strength, AT[point])
    fpr, tpr, share = true_at(setting, strength, point)
    tp, fp = share * tpr, (1 - share) * fpr
    odds = AT["threshold"] / (1 - AT["threshold"])
    return {
        "sensitivity": tpr,
        "specificity": 1 - fpr,
        "accuracy": tp + (1 - share) - fp,
        "negative_predictive_value": (1 - share - fp) / (1 - tp - fp),
        "precision": tp / (tp + fp),
        "f1": 2 * tp / (tp + fp + share),
        "gains": tpr,
        "lift": tpr / AT["rate"],
        "net_benefit": tp - odds * fp,
        "expected_cost": COSTS.expected(fpr, tpr, share),
    }[statistic]


def true_partial_auc(setting: Setting, strength: float, above: float | None = None) -> float:
    """The partial area, by trapezoids under the true curve; or that above a TPR."""
    fpr, tpr = true_curve(setting, strength)
    if above is not None:
        x = np.linspace(np.interp(above, tpr, fpr), 1, 200_001)
        return float(np.trapezoid(np.interp(x, fpr, tpr) - above, x))
    x = np.union1d(np.linspace(0, MAX_FPR, 200_001), fpr[fpr < MAX_FPR])
    return float(np.trapezoid(np.interp(x, fpr, tpr), x))


TRUE = {
    "auc": true_auc,
    "auc_prt": true_auc_prt,
    "expected_auc": true_auc,
    "probabilistic_auc": true_probabilistic_auc,
    "sensitivity": true_sensitivity,
    "specificity": true_specificity,
    "partial_auc": true_partial_auc,
}


@cache
def truth_of(setting: Setting, statistic: str) -> tuple[float, float]:
    """Return the true values of the two models: in closed form, or those of a very large sample.

    The weights of the settings shift the normal z of both classes alike, or do not depend on it, so
    that they do not change the area.
    """
    if "@" in statistic:
        one, other = (true_number(setting, strength, statistic) for strength in setting.strengths)
        return one, other
    if statistic in TRUE and (setting.weigh is None or statistic == "auc"):
        one, other = (TRUE[statistic](setting, strength) for strength in setting.strengths)
        return one, other
    one, other = (value_of_many(setting, statistic, which) for which in (0, 1))
    return one, other


def value_of_many(setting: Setting, statistic: str, which: int) -> float:
    """Return the value of a statistic in a sample of `MANY` rows; its error is about 1/√MANY."""
    rng, parts, rows = np.random.default_rng(MANY), [], 0
    while rows < MANY:
        parts.append(setting.draw(rng, which))
        rows += len(parts[-1]["y_true"])
    columns = {
        key: np.concatenate([part[key] for part in parts])
        for key in ("y_true", "y_score", "sample_weight")
        if key in parts[0]
    }
    truth = {"truth": parts[0]["truth"]} if "truth" in parts[0] else {}
    if statistic == "h_prt":
        return rw.reference_truth(**columns, **truth).h_prt
    return float(statistic_of(statistic).of(rw.tally(**columns, **truth)))


# -- cells: a function, a setting, a statistic, a method, and what is promised ---------------------


@dataclass(frozen=True)
class Cell:
    """One use of a function in one setting, and what is promised of it: one of `PROMISES`."""

    function: str
    setting: str
    statistic: str
    method: str
    promise: str = "nominal"
    resamples: int | None = None
    options: tuple[tuple[str, object], ...] = ()

    @property
    def key(self) -> tuple[str, str, str, str]:
        return self.function, self.setting, self.statistic, self.method

    @property
    def runs(self) -> int:
        """How often it is simulated for the table."""
        return ANALYTIC_RUNS if self.resamples is None else RESAMPLED_RUNS

    @property
    def sample(self) -> tuple[str, ...]:
        """What the cells have in common that are measured in the same samples."""
        if self.function in DRAWN:
            return self.function, self.setting, self.method
        return self.key

    @property
    def seed(self) -> int:
        """The seed of its samples; the same for all that is measured in them together."""
        shared = " ".join(self.sample) if self.function in DRAWN else self.name
        return zlib.crc32(shared.encode())

    @property
    def name(self) -> str:
        """What the words of a command line are looked for in."""
        return " ".join((*self.key, *(["hard"] if SETTINGS[self.setting].is_hard else [])))

    def arguments(self, rng: Rng) -> dict:
        """Return the method, and what else is passed beside the sample."""
        method, _, scale = self.method.partition("-")
        if scale not in ("plain", "logit"):  # as in "half-sample"
            method, scale = self.method, ""
        told = dict(self.options) | {"method": method} | ({"scale": scale} if scale else {})
        if self.resamples is not None:
            told |= {"n_resamples": self.resamples, "rng": rng, "threads": 1}
        return told

    def run(self, rng: Rng) -> tuple[bool, float]:
        """Return whether the truth is held in a sample drawn now, and the width."""
        return RUNS_OF[self.function](self, SETTINGS[self.setting], rng)


def held_by(found: rw.Interval, truth: float) -> tuple[bool, float]:
    """Whether an interval holds the truth, and its width."""
    return found.low <= truth <= found.high, found.high - found.low


def named(cell: Cell) -> dict:
    """Return the arguments that name a statistic, and the point of one such as "f1@rate"."""
    name, _, point = cell.statistic.partition("@")
    costs = {"costs": COSTS} if name == "expected_cost" else {}
    return {"statistic": name} | costs | ({point: AT[point]} if point else {})


def run_interval(cell: Cell, setting: Setting, rng: Rng) -> tuple[bool, float]:
    sample, truth = setting.draw(rng), truth_of(setting, cell.statistic)[0]
    found = rw.interval(**sample, **named(cell), **cell.arguments(rng))
    return held_by(found, truth)


def run_compare(cell: Cell, setting: Setting, rng: Rng) -> tuple[bool, float]:
    """A permutation test has no width; what it holds is that two models alike do not differ."""
    is_test, (one, other) = cell.method == "permutation", truth_of(setting, cell.statistic)
    sample = setting.draw_pair(rng, setting.strengths[:1] * 2 if is_test else setting.strengths)
    (found,) = rw.compare(**sample, **named(cell), **cell.arguments(rng)).pairs
    return (found.p_value >= 1 - LEVEL, math.nan) if is_test else held_by(found, one - other)


def run_compare_samples(cell: Cell, setting: Setting, rng: Rng) -> tuple[bool, float]:
    sample, (one, other) = setting.draw_samples(rng), truth_of(setting, cell.statistic)
    found = rw.compare_samples(**sample, statistic=cell.statistic, **cell.arguments(rng))
    return held_by(found, one - other)


def run_non_inferiority(cell: Cell, setting: Setting, rng: Rng) -> tuple[bool, float]:
    """The second model is worse by exactly the margin, so that non-inferiority must not be found.

    It is found at 1 − level, one-sided.
    """
    one, other = truth_of(setting, cell.statistic)
    sample, told = setting.draw_pair(rng, setting.strengths[::-1]), cell.arguments(rng)
    found = rw.compare(**sample, statistic=cell.statistic, margin=one - other, **told)
    return not found.pairs[0].non_inferior, math.nan


def run_equivalence(cell: Cell, setting: Setting, rng: Rng) -> tuple[bool, float]:
    """The two models differ by exactly the margin, so that equivalence must not be found."""
    one, other = truth_of(setting, cell.statistic)
    sample, told = setting.draw_pair(rng, setting.strengths), cell.arguments(rng)
    found = rw.compare(**sample, statistic=cell.statistic, margin=one - other, **told)
    return not found.pairs[0].equivalent, math.nan


def tested(cell: Cell, rng: Rng) -> dict:
    """Return what a test of whole curves takes beside the sample: it has one method."""
    told = cell.arguments(rng)
    told.pop("method")
    return told


def run_compare_curves(cell: Cell, setting: Setting, rng: Rng) -> tuple[bool, float]:
    """Two models of the same curve on the same rows: the test must not find a difference."""
    sample = setting.draw_pair(rng, setting.strengths[:1] * 2)
    (found,) = rw.compare_curves(**sample, **tested(cell, rng)).pairs
    return not found.differ, math.nan


def run_compare_sample_curves(cell: Cell, setting: Setting, rng: Rng) -> tuple[bool, float]:
    """Two samples of the same curve: the test must not find a difference."""
    sample = replace(setting, strengths=setting.strengths[:1] * 2).draw_samples(rng)
    return not rw.compare_sample_curves(**sample, **tested(cell, rng)).differ, math.nan


def run_crossing_curves(cell: Cell, setting: Setting, rng: Rng) -> tuple[bool, float]:
    """Equal areas of curves that cross: positives of the second model have the deviation 2.

    Whether the test of whole curves, or that of the areas, finds no difference.
    """
    items = setting.items(rng)
    y, one, fresh = items["y_true"], setting.noise(rng, items), setting.noise(rng, items)
    other = ALIKE * one + math.sqrt(1 - ALIKE**2) * fresh
    strength = setting.strengths[0]
    wide = np.where(y == 1, 2 * other + strength * math.sqrt(2.5), other)
    scores = {"a": one + strength * y, "b": wide}
    if cell.statistic == "auc":
        (pair,) = rw.compare(**items, scores=scores, **cell.arguments(rng)).pairs
        return pair.p_value >= 1 - LEVEL, math.nan
    (test,) = rw.compare_curves(**items, scores=scores, **tested(cell, rng)).pairs
    return not test.differ, math.nan


BETAS = np.array([(1.5, 3.0), (3.0, 2.0)])  # of the scores of negatives and of positives


def beta_scores(setting: Setting, rng: Rng) -> dict:
    """Return the items of a setting with scores from the beta distribution of their class."""
    items = setting.items(rng)
    shapes = BETAS[items["y_true"].astype(int)].T
    return items | {"y_score": betaincinv(*shapes, ndtr(setting.noise(rng, items)))}


@cache
def true_smooth(method: str, strength: float) -> dict[str, float]:
    """Return the area and the TPR at one FPR of the latent normal scores, or of the beta ones."""
    at = np.array([AT_FPR])
    if method != "beta":
        area, tpr = ndtr(strength / math.sqrt(2)), ndtr(strength + ndtri(at))[0]
    else:
        x = np.linspace(0, 1, 200_001)
        above = 1 - betainc(*BETAS[1], x)
        area = np.trapezoid(above, betainc(*BETAS[0], x))
        tpr = 1 - betainc(*BETAS[1], betaincinv(*BETAS[0], 1 - at))[0]
    return {"area": float(area), f"TPR at {AT_FPR}": float(tpr)}


def run_smooth_roc(cell: Cell, setting: Setting, rng: Rng) -> tuple[bool, float]:
    """The area of the latent scores, also where they are read in levels; or their TPR at one FPR.

    A sample whose likelihood has no maximum is refused, and another is drawn.
    """
    found = None
    while found is None:
        sample = beta_scores(setting, rng) if cell.method == "beta" else setting.draw(rng)
        with suppress(InputError):
            found = rw.smooth_roc(**sample, **cell.arguments(rng))
    if cell.statistic == "area":
        low, high = found.interval
    else:
        band = found.band
        low, high = (np.interp(AT_FPR, edge.fpr, edge.tpr) for edge in (band.lower, band.upper))
    truth = true_smooth(cell.method, setting.strengths[0])[cell.statistic]
    return bool(low <= truth <= high), high - low


MODELS = 4  # of equal area, whose noise has the correlation ALIKE²


def run_omnibus(cell: Cell, setting: Setting, rng: Rng) -> tuple[bool, float]:
    """Several models alike: the test of all at once must not find a difference."""
    items = setting.items(rng)
    shared, rest = setting.noise(rng, items), math.sqrt(1 - ALIKE**2)
    noises = [ALIKE * shared + rest * setting.noise(rng, items) for _ in range(MODELS)]
    scores = {
        k: setting.score(setting.strengths[0], items["y_true"], noise)
        for k, noise in enumerate(noises)
    }
    found = rw.compare(**items, scores=scores, statistic=cell.statistic, **cell.arguments(rng))
    return found.omnibus.p_value >= 1 - LEVEL, math.nan


GROUPS = (0, 1, 0)  # the model whose strength each subgroup has


def divided(setting: Setting, rng: Rng) -> tuple[dict, np.ndarray]:
    """Return the arguments of `rocwalk.subgroups`, and the subgroup of each row, one of three.

    Patients have rows in all of them, at random, and the first strength in all.
    """
    if "cluster" in (sample := setting.draw(rng)):
        while True:
            groups = rng.integers(0, len(GROUPS), len(sample["y_true"]))
            if all(
                len(set(sample["cluster"][(groups == k) & (sample["y_true"] == one)])) > 1
                for k in range(len(GROUPS))
                for one in (0, 1)
            ):
                return sample, groups
            sample = setting.draw(rng)
    parts = [setting.draw(rng, which) for which in GROUPS]
    joined = {key: np.concatenate([part[key] for part in parts]) for key in ("y_true", "y_score")}
    more = {key: value for key, value in sample.items() if key == "truth"}
    sizes = [len(part["y_true"]) for part in parts]
    return joined | more, np.repeat(np.arange(len(GROUPS)), sizes)


def measured_groups(cell: Cell, setting: Setting, rng: Rng) -> Measured:
    """Return what `rocwalk.subgroups` measures before gap and test, without its other results."""
    sample, groups = divided(setting, rng)
    told = dict(cell.options)
    asked = statistic_of(cell.statistic, **{k: told[k] for k in told if k != "method"})
    data = check(sample["y_true"], sample["y_score"], truth=sample.get("truth", "auto"))
    units = cluster_codes(sample["cluster"], data) if "cluster" in sample else None
    plan = Plan(cell.resamples or 1, rng, 1)
    return Measured.of(Divided.by(data, groups, units), Request(asked, LEVEL, "auto", plan))


def group_values(cell: Cell, setting: Setting) -> list[float]:
    """Return the true value in each subgroup."""
    truths = truth_of(setting, cell.statistic)
    is_clustered = setting.noise is patient_noise
    return [truths[0 if is_clustered else which] for which in GROUPS]


def run_subgroup_gap(cell: Cell, setting: Setting, rng: Rng) -> tuple[bool, float]:
    found, values = measured_groups(cell, setting, rng).gap(), group_values(cell, setting)
    truth = max(values) - min(values)
    return found.low <= truth <= found.high, found.high - found.low


def run_subgroup_test(cell: Cell, setting: Setting, rng: Rng) -> tuple[bool, float]:
    """Subgroups alike: the test must not find a difference."""
    alike = replace(setting, strengths=(setting.strengths[0],) * 2)
    return measured_groups(cell, alike, rng).equality().p_value >= 1 - LEVEL, math.nan


def run_subgroup_rest(cell: Cell, setting: Setting, rng: Rng) -> tuple[bool, float]:
    """The first subgroup minus the rest, alike."""
    sample, groups = divided(replace(setting, strengths=(setting.strengths[0],) * 2), rng)
    first = rw.subgroups(**sample, by=groups, statistic=cell.statistic).against_rest[0]
    return first.low <= 0 <= first.high, first.high - first.low


def run_background_area(_: Cell, setting: Setting, rng: Rng) -> tuple[bool, float]:
    """Background positives against the negatives of the second subgroup."""
    one, other = (setting.draw(rng, which) for which in (0, 1))
    up, right = one["y_true"] == 1, other["y_true"] == 0
    y_true = np.concatenate((one["y_true"], other["y_true"]))
    y_score = np.concatenate((one["y_score"], other["y_score"]))
    groups = np.repeat([0, 1], [len(up), len(right)])
    parts = Divided.by(check(y_true, y_score), groups)
    request = Request(statistic_of("auc"), LEVEL, "auto", Plan(1))
    area = interval_of(parts.crossed(groups == 0, groups == 1)[0], request)
    return held_by(area, float(ndtr(sum(setting.strengths) / 2 / math.sqrt(2))))


def run_band(cell: Cell, setting: Setting, rng: Rng) -> tuple[bool, float]:
    """The whole true curve; or for a pointwise band its TPR at one FPR. The width is the area."""
    fpr, tpr = true_curve(setting, setting.strengths[0])
    band = rw.band(**setting.draw(rng), **cell.arguments(rng))
    if band.kind == "simultaneous":
        held = band.contains(fpr, tpr)
    else:
        low, high = (np.interp(AT_FPR, edge.fpr, edge.tpr) for edge in (band.lower, band.upper))
        held = bool(low <= np.interp(AT_FPR, fpr, tpr) <= high)
    return held, band.upper.area - band.lower.area


CROSS_VALIDATIONS = 4_000  # whose mean is the truth of folds
FEATURES, APART_BY = 5, 1.2  # of which the first differs between the classes, in deviations
WEAKER = 0.9  # the same of a second model, which has features of its own


@dataclass(frozen=True, eq=False)
class Folds:
    """The rows of all repeats of a cross-validation, and the area that each fit has on new data."""

    columns: dict
    scores: np.ndarray
    areas: np.ndarray


def discriminants(
    rng: Rng, sizes: tuple[int, int], repeats: int, folds: int, *apart_by: float
) -> list[Folds]:
    """Return cross-validations of linear discriminants on the same rows, one for each distance."""
    n, truth = sum(sizes), np.repeat([1, 0], sizes)
    tables = rng.normal(size=(len(apart_by), n, FEATURES))
    tables[:, : sizes[0], 0] += np.array(apart_by)[:, None]
    parts = [
        np.concatenate([rng.permutation(np.arange(size) % folds) for size in sizes])
        for _ in range(repeats)
    ]
    columns = {
        "y_true": np.tile(truth, repeats),
        "fold": np.concatenate(parts),
        "repeat": np.repeat(np.arange(repeats), n),
    }
    found = []
    for table, apart in zip(tables, apart_by, strict=True):
        scores, areas = np.empty((repeats, n)), []
        for turn, part in enumerate(parts):
            for k in range(folds):
                test, train = part == k, part != k
                means = [table[train & (truth == one)].mean(axis=0) for one in (1, 0)]
                centred = table[train] - np.where(truth[train, None], *means)
                slope = np.linalg.solve(centred.T @ centred, means[0] - means[1])
                scores[turn, test] = table[test] @ slope
                areas.append(ndtr(slope[0] * apart / (math.sqrt(2) * np.linalg.norm(slope))))
        found.append(Folds(columns, scores.ravel(), np.array(areas)))
    return found


def plan_of(setting: Setting) -> tuple[tuple[int, int], int, int]:
    """Return sizes, repeats and folds of a setting such as "20+20-1x5-folds"; 50 + 50 if unsaid."""
    sizes, _, plan = setting.name.removesuffix("-folds").rpartition("-")
    repeats, folds = map(int, plan.split("x"))
    up, right = map(int, (sizes or "50+50").split("+"))
    return (up, right), repeats, folds


def fold_curves(rng: Rng, repeats: int) -> list[rw.Curve]:
    """Return the curves of repeats of five folds of a linear discriminant, on 50 + 50 rows."""
    (found,) = discriminants(rng, (50, 50), repeats, 5, APART_BY)
    turn, fold, truth = (found.columns[name] for name in ("repeat", "fold", "y_true"))
    parts = [(turn == r) & (fold == k) for r in range(repeats) for k in range(5)]
    return [rw.roc(truth[part], found.scores[part]) for part in parts]


def tpr_of(curve: rw.Curve) -> float:
    return float(np.interp(AT_FPR, curve.fpr, curve.tpr))


@cache
def true_fold_tpr() -> float:
    """Return the expected TPR of a fold, as the mean over many cross-validations."""
    rng = np.random.default_rng(1)
    many = [fold_curves(rng, 1) for _ in range(CROSS_VALIDATIONS)]
    return float(np.mean([[tpr_of(one) for one in folds] for folds in many]))


def run_fold_band(_: Cell, setting: Setting, rng: Rng) -> tuple[bool, float]:
    """The expected TPR at one FPR of models that are fitted to folds and tested on new rows."""
    repeats = int(setting.name.split("x")[0])
    band = rw.fold_band(rw.average(fold_curves(rng, repeats), repeats=repeats), LEVEL)
    low, high = (tpr_of(edge) for edge in (band.lower, band.upper))
    return low <= true_fold_tpr() <= high, band.upper.area - band.lower.area


def run_classes(cell: Cell, setting: Setting, rng: Rng) -> tuple[bool, float]:
    """Three classes of equal size; every column has its own class as far above as `strengths`.

    Of two models, with the noise of a pair, the difference. Each area A(i|j) and A(c) is then that
    of two classes; "auc" is that of the first class against the rest.
    """
    size = int(setting.name.split("x")[1].split("@")[0])
    codes = np.repeat(np.arange(3), size)
    own = np.eye(3)[codes]
    one, fresh = rng.normal(size=own.shape), rng.normal(size=own.shape)
    noises = one, ALIKE * one + math.sqrt(1 - ALIKE**2) * fresh
    a, b = (ndtr(s * own + noise) for s, noise in zip(setting.strengths, noises, strict=True))
    truths = [true_auc(setting, strength) for strength in setting.strengths]
    told = {"statistic": cell.statistic} | ({"pos_label": 0} if cell.statistic == "auc" else {})
    if cell.function == "class_interval":
        return held_by(rw.interval(codes, a, **told), truths[0])
    (found,) = rw.compare(codes, {"a": a, "b": b}, **told).pairs
    return held_by(found, truths[0] - truths[1])


def run_cross_validation(cell: Cell, setting: Setting, rng: Rng) -> tuple[bool, float]:
    """The mean area that the models of the folds have on new data."""
    (one,) = discriminants(rng, *plan_of(setting), APART_BY)
    found = rw.cross_validation(**one.columns, scores=one.scores, statistic=cell.statistic)
    return held_by(found.models[0], float(one.areas.mean()))


def run_fold_clusters(cell: Cell, setting: Setting, rng: Rng) -> tuple[bool, float]:
    """The mean area over five folds of whole patients, of scores that need no fit."""
    sample, truth = setting.draw(rng), truth_of(setting, cell.statistic)[0]
    sample["scores"] = sample.pop("y_score")
    folds = sample["cluster"] % 5
    found = rw.cross_validation(**sample, fold=folds, statistic=cell.statistic)
    return held_by(found.models[0], truth)


@cache
def true_fold_difference(setting: str) -> float:
    """Return the expected difference of the areas on new data, over many cross-validations."""
    rng, plan = np.random.default_rng(2), plan_of(SETTINGS[setting])
    pairs = (discriminants(rng, *plan, APART_BY, WEAKER) for _ in range(CROSS_VALIDATIONS))
    return float(np.mean([one.areas.mean() - other.areas.mean() for one, other in pairs]))


def run_fold_pair(cell: Cell, setting: Setting, rng: Rng) -> tuple[bool, float]:
    """Two models with features of their own: alike, or the second one weaker ("unlike")."""
    alike = cell.method == "alike"
    both = discriminants(rng, *plan_of(setting), APART_BY, APART_BY if alike else WEAKER)
    scores = {name: one.scores for name, one in zip("ab", both, strict=True)}
    (pair,) = rw.cross_validation(**both[0].columns, scores=scores, statistic=cell.statistic).pairs
    return held_by(pair, 0.0 if alike else true_fold_difference(setting.name))


READERS, TESTS = 5, 2
SEPARATION = 1.5  # between the classes, where a case has variance 1: an area of 0.855
OF_CASES = {"case": 0.3, "test": 0.3, "reader": 0.2, "rest": 0.2}  # variances (Roe & Metz 1997)
OF_READERS = 0.011  # the variance of readers, and of readers by tests, in each class


def run_reader_study(cell: Cell, setting: Setting, rng: Rng) -> tuple[bool, float]:
    """Two tests alike in the hands of readers of Roe & Metz: the difference 0 must be held."""
    truth = setting.items(rng)["y_true"]
    n = len(truth)
    spread = {name: math.sqrt(variance) for name, variance in OF_CASES.items()}
    ratings = SEPARATION * truth + rng.normal(0, spread["case"], n)
    ratings = ratings + rng.normal(0, spread["test"], (TESTS, 1, n))
    ratings = ratings + rng.normal(0, spread["reader"], (1, READERS, n))
    ratings = ratings + rng.normal(0, spread["rest"], (TESTS, READERS, n))
    for shape in ((1, READERS, 2), (TESTS, READERS, 2)):
        ratings = ratings + rng.normal(0, math.sqrt(OF_READERS), shape)[..., truth]
    test, reader, case = (axis.ravel() for axis in np.indices(ratings.shape))
    table = {"truth": truth[case], "reader": reader, "test": test, "case": case}
    names = {name: name for name in (*table, "rating")}
    table |= {"rating": ratings.ravel()}
    (found,) = rw.reader_study(table, **names, covariance=cell.method).differences
    return held_by(found, 0.0)


GRADES = (0.4, 0.3, 0.2, 0.1)  # the shares of the ratings that items deserve
OF_TWO = ("cohen", "linear", "quadratic")


def rated(rng: Rng, items: int, statistic: str) -> np.ndarray:
    """Ratings by two raters, or four: right with probability 0.7, else by chance."""
    deserved = rng.choice(4, items, p=GRADES)[:, None]
    shape = items, 2 if statistic in OF_TWO else 4
    return np.where(rng.random(shape) < 0.7, deserved, rng.choice(4, shape, p=GRADES))


@cache
def true_agreement(statistic: str) -> float:
    """Return a coefficient as the value of many items."""
    measure, _, level = statistic.partition("-")
    many = rated(np.random.default_rng(1), MANY // 10, statistic)
    told = {"level": level or None, "method": "auto", "n_resamples": 2, "categories": range(4)}
    return rw.agreement(many, measure=measure, **told).estimate


def run_agreement(cell: Cell, setting: Setting, rng: Rng) -> tuple[bool, float]:
    """The interval of a coefficient over items, against the value of many items."""
    measure, _, level = cell.statistic.partition("-")
    table = rated(rng, len(setting.items(rng)["y_true"]), cell.statistic)
    told = {"level": level or None, "method": cell.method, "categories": range(4)}
    if cell.resamples is not None:
        told |= {"n_resamples": cell.resamples, "rng": rng}
    return held_by(rw.agreement(table, measure=measure, **told), true_agreement(cell.statistic))


OF_RATERS = np.linspace(0.65, 0.9, 5)  # how often five raters are right of an easy item
OF_PATIENTS = 4  # items of a patient, where there are clusters


def voted(rng: Rng, items: int, statistic: str, method: str) -> dict:
    """Votes of five raters on items of which some are hard for all of them; 40 % are positive."""
    units = np.arange(items) // (OF_PATIENTS if method == "clusters" else 1)
    positive = rng.random(units[-1] + 1)[units] < 0.4
    hardness = rng.normal(0, 1, units[-1] + 1)[units]
    logit = np.log(OF_RATERS / (1 - OF_RATERS)) - hardness[:, None]
    right = rng.random(logit.shape) < 1 / (1 + np.exp(-logit))
    table = np.where(right, positive[:, None], ~positive[:, None]).astype(int)
    sample = {"votes": table}
    if statistic == "auc_prt":
        sample["scores"] = positive + rng.normal(size=items)
    return sample | ({"cluster": units} if method == "clusters" else {})


def first_rater(found: rw.RaterTable, statistic: str) -> tuple[float, float, float]:
    """Return a number of the first rater with both ends of its interval."""
    if statistic == "auc_prt":
        (effect,) = found.effects
        return float(effect.change[0]), *map(float, effect.change_interval[0])
    return float(getattr(found, statistic)[0]), *map(
        float, getattr(found, f"{statistic}_interval")[0]
    )


@cache
def true_of_rater(statistic: str, method: str) -> float:
    """Return a number of the first rater as the value of many items."""
    many = voted(np.random.default_rng(1), MANY // 5, statistic, method) | {"cluster": None}
    told = {"reference": "majority" if method == "majority" else "share"}
    return first_rater(rw.rater_table(**many, **told), statistic)[0]


def run_rater_table(cell: Cell, setting: Setting, rng: Rng) -> tuple[bool, float]:
    """A rater against the rest, against the value of many items."""
    items = voted(rng, len(setting.items(rng)["y_true"]), cell.statistic, cell.method)
    told = {"reference": "majority" if cell.method == "majority" else "share"}
    _, low, high = first_rater(rw.rater_table(**items, **told), cell.statistic)
    return low <= true_of_rater(cell.statistic, cell.method) <= high, high - low


def run_compare_votes(cell: Cell, setting: Setting, rng: Rng) -> tuple[bool, float]:
    """A comparison in which the four votes on each item are drawn again."""
    sample, (one, other) = (
        setting.draw_pair(rng, setting.strengths),
        truth_of(setting, cell.statistic),
    )
    votes = np.full(len(sample["y_true"]), len(VOTES) - 1)
    (found,) = rw.compare(**sample, votes=votes, **named(cell), **cell.arguments(rng)).pairs
    return held_by(found, one - other)


RUNS_OF = {
    "agreement": run_agreement,
    "best_threshold": run_best_threshold,
    "calibration": run_calibration,
    "calibration_test": run_calibration_test,
    "compare_votes": run_compare_votes,
    "rater_table": run_rater_table,
    "class_interval": run_classes,
    "class_compare": run_classes,
    "fold_band": run_fold_band,
    "cross_validation": run_cross_validation,
    "fold_clusters": run_fold_clusters,
    "fold_pair": run_fold_pair,
    "interval": run_interval,
    "compare": run_compare,
    "compare_samples": run_compare_samples,
    "compare_curves": run_compare_curves,
    "compare_sample_curves": run_compare_sample_curves,
    "crossing_curves": run_crossing_curves,
    "smooth_roc": run_smooth_roc,
    "non_inferiority": run_non_inferiority,
    "equivalence": run_equivalence,
    "omnibus": run_omnibus,
    "subgroup_gap": run_subgroup_gap,
    "subgroup_test": run_subgroup_test,
    "subgroup_rest": run_subgroup_rest,
    "background_area": run_background_area,
    "band": run_band,
    "reader_study": run_reader_study,
}


def cells(
    function: str,
    settings: str,
    statistic: str,
    methods: str,
    promise: str = "nominal",
    resamples: int = 1_000,
    **options,
) -> list[Cell]:
    """Return a cell for each of the settings and methods."""
    return [
        Cell(
            function,
            setting,
            statistic,
            method,
            promise,
            DRAWN.get(function, resamples if method in RESAMPLED else None),
            tuple(options.items()),
        )
        for setting in settings.split()
        for method in methods.split()
    ]


CALIBRATIONS = [  # settings, and how the scores are off
    (name, "extreme") for name in ("200@.8", "500-rare@.8", "soft", "clustered")
]
CALIBRATION_NUMBERS = {  # and what is promised of their intervals
    "slope": "nominal",
    "expected_observed": "nominal",
    **dict.fromkeys(
        ("ici", "e50", "e90", "emax", "ece", "ece_corrected", "smooth_ece"), "conservative"
    ),
    **{
        f"{loss}_{part}": "conservative" if part == "miscalibration" else "nominal"
        for loss in ("brier", "log_loss")
        for part in ("miscalibration", "discrimination", "uncertainty")
    },
    **{
        f"{method} confidence band, {place}": "conservative"
        for method in ("isotonic", "smooth")
        for place in ("low", "middle", "high")
    },
}
CHOSEN = {  # rules, and what is said of their thresholds
    "youden": ("threshold", "tpr", "fpr", "precision", "gain"),
    "costs": ("threshold", "tpr", "fpr", "expected_cost"),
    "rate": ("threshold", "tpr", "fpr", "precision"),
    "f1": ("threshold", "tpr", "fpr", "f1"),
    "min_tpr": ("threshold", "tpr", "fpr"),
    "min_precision": ("threshold", "tpr", "fpr", "precision"),
    **{
        name: ("threshold", "tpr", "fpr", "precision", name)
        for name in ("mcc", "accuracy", "balanced_accuracy", "closest", "fbeta")
    },
}
CHOSEN_OTHERWISE = {  # all else is conservative
    ("10+200@.8", "youden", "threshold"): "nominal",
    ("10+200@.8", "min_precision", "threshold"): "nominal",
    ("10+200@.8", "accuracy", "threshold"): "noted",
    ("10+200@.8", "closest", "threshold"): "noted",
}
EVERY = " ".join(name for name, setting in SETTINGS.items() if not setting.is_hard)
CELLS = [
    *cells("interval", "binormal tied clustered soft", "auc", "auto"),
    *cells("interval", "tiny imbalanced", "auc", "auto", "conservative"),
    *cells("interval", "binormal tied", "auc", "delong-plain"),
    *cells("interval", "tiny imbalanced", "auc", "delong-plain", "noted"),
    *cells("interval", "binormal tied tiny", "auc", "newcombe", "conservative"),
    *cells("interval", "imbalanced", "auc", "newcombe", "noted"),
    *cells("interval", EVERY, "probabilistic_auc", "auto"),
    *cells("interval", "binormal tiny imbalanced", "sensitivity", "wilson", threshold=0.5),
    *cells("interval", "binormal tiny imbalanced", "specificity", "wilson", threshold=0.5),
    *cells("interval", "binormal tied soft", "auc", "percentile basic bca"),
    *cells("interval", "clustered", "auc", "percentile"),
    *cells("interval", "clustered", "auc", "basic", "noted"),
    *cells("interval", "clustered", "auc", "bca"),
    *cells("interval", "tiny imbalanced", "auc", "percentile basic bca", "noted"),
    *cells("interval", "binormal", "partial_auc", "percentile", max_fpr=MAX_FPR),
    *cells("compare", "binormal tied clustered soft", "auc", "auto"),
    *cells("compare", "tiny imbalanced", "auc", "auto", "conservative"),
    *cells("compare", "imbalanced", "auc", "delong", "noted"),
    *cells(
        "compare", "soft soft-20 soft-30 soft-20-alike soft-clustered", "auc_prt", "auto",
        "conservative",
    ),
    *cells("compare", "soft-10 soft-30-near-perfect", "auc_prt", "auto", "noted"),
    *cells("compare", "soft-30", "expected_auc", "auto"),
    *cells("compare", "soft-clustered", "expected_auc", "auto", "conservative"),
    *cells(
        "compare_votes", "soft soft-30 soft-clustered", "auc_prt", "bootstrap", "conservative",
        resamples=300
    ),
    *cells("compare", "binormal tiny imbalanced", "auc", "delong-t"),
    *cells("compare", EVERY, "probabilistic_auc", "auto"),
    *cells("compare", "binormal clustered", "auc", "bootstrap"),
    *cells("compare", EVERY, "auc", "permutation", resamples=200),
    *cells("omnibus", EVERY, "auc", "auto"),
    *cells(
        "compare_curves", "binormal tied tiny clustered soft", "curve", "permutation", resamples=100
    ),
    *cells("compare_curves", "imbalanced", "curve", "permutation", resamples=100),
    *cells(
        "compare_sample_curves", "binormal tied tiny", "curve", "permutation", resamples=100
    ),
    *cells("crossing_curves", "binormal", "curve", "permutation", "noted", resamples=200),
    *cells("crossing_curves", "binormal", "auc", "delong", "noted"),
    *cells("equivalence", "binormal", "auc", "auto"),
    *(
        cell
        for statistic in ("area", f"TPR at {AT_FPR}")
        for cell in (
            *cells("smooth_roc", "binormal tied", statistic, "binormal"),
            *cells("smooth_roc", "binormal", statistic, "density", "conservative"),
            *cells("smooth_roc", "binormal tiny", statistic, "beta"),
        )
    ),
    *cells("smooth_roc", "tiny", "area", "binormal"),
    *cells("smooth_roc", "tiny", f"TPR at {AT_FPR}", "binormal", "conservative"),
    *cells("compare_samples", EVERY, "auc", "auto"),
    *cells("compare_samples", EVERY, "probabilistic_auc", "auto"),
    *cells("compare_samples", "binormal soft", "auc", "bootstrap"),
    *cells("band", EVERY, "curve", "fixed-width", "conservative", 500),
    *cells("band", "binormal tied tiny imbalanced", "curve", "dkw", "conservative"),
    *cells(
        "band", EVERY, f"TPR at {AT_FPR}", "percentile", "conservative", 500, kind="pointwise"
    ),
    # numbers at a point of the curve
    *cells(
        "interval", "binormal tiny imbalanced soft", "sensitivity@fpr", "auto", "conservative"
    ),
    *cells("interval", "binormal tiny", "specificity@tpr", "auto", "conservative"),
    *cells(
        "interval", "200@.8 200@.95", "sensitivity@rate", "auto", "conservative"
    ),
    *cells("interval", "200@.8", "precision@rate", "auto", "conservative"),
    *cells("interval", "200@.8", "precision@fpr", "auto", "conservative"),
    *cells("interval", "200@.8 200@.95", "f1@threshold", "auto"),
    *cells("interval", "200@.8", "f1@rate", "auto", "conservative"),
    *cells("interval", "200@.8", "lift@rate", "auto", "conservative"),
    *cells("interval", "200@.8 200@.95", "net_benefit@threshold", "auto"),
    *cells("interval", "200@.8 200@.95", "expected_cost@threshold", "auto"),
    *(
        cell
        for name in ("accuracy", "negative_predictive_value")
        for cell in (
            *cells("interval", "200@.8 200@.95 500-rare@.8 soft", f"{name}@threshold", "auto"),
            *cells("compare", "200@.8/.7", f"{name}@threshold", "auto"),
        )
    ),
    *(
        cell
        for name in ("precision", "f1", "net_benefit", "expected_cost")
        for cell in cells("interval", "500-rare@.8", f"{name}@threshold", "auto")
    ),
    *(
        cell
        for name in ("sensitivity@fpr", "specificity@tpr", "precision@rate", "lift@rate")
        for cell in cells("interval", "500-rare@.8 clustered", name, "auto", "conservative")
    ),
    *(
        cell
        for name in (
            *("sensitivity", "precision", "negative_predictive_value", "accuracy", "f1"),
            *("net_benefit", "expected_cost"),
        )
        for cell in cells("interval", "clustered", f"{name}@threshold", "auto")
    ),
    *(
        cell
        for name in ("sensitivity@threshold", "precision@threshold", "sensitivity@fpr")
        for cell in cells("interval", "10x1-50@.8 40heavy@.8", name, "auto", "not reliable")
    ),
    *(
        cell
        for name in ("precision", "f1", "net_benefit")
        for cell in cells("interval", "soft", f"{name}@threshold", "auto")
    ),
    *cells("interval", "clustered", "accuracy@threshold", "percentile"),
    *cells("interval", "clustered", "precision@threshold", "percentile"),
    *cells("interval", "binormal", "partial_auc", "bca", max_fpr=MAX_FPR),
    *cells("interval", "binormal tiny", "partial_auc@min_tpr", "bca"),
    *cells("compare", "binormal", "partial_auc", "bootstrap", max_fpr=MAX_FPR),
    *cells("compare", "200@.8/.7 soft", "brier", "bootstrap"),
    *cells("compare", "200@.8/.7 soft", "log_loss", "bootstrap"),
    *cells("compare", "clustered", "brier", "bootstrap"),
    *cells("compare", "clustered", "log_loss", "bootstrap"),
    *cells("compare", "clustered", "precision@threshold", "auto", "conservative"),
    *cells("compare", "clustered", "sensitivity@fpr", "auto", "conservative"),
    *cells("compare", "tiny imbalanced", "sensitivity@fpr", "auto", "conservative"),
    *cells("compare", "8+392@.9/.8", "sensitivity@threshold", "auto", "conservative"),
    *cells("compare", "8+392@.9/.8", "sensitivity@fpr", "auto", "noted"),
    *cells("compare", "binormal", "sensitivity@fpr", "auto"),
    *cells("compare", "binormal soft", "sensitivity@threshold", "auto"),
    *cells("compare", "200@.8/.7", "precision@rate", "auto"),
    *cells("compare", "200@.8/.7", "f1@threshold", "auto"),
    *cells("compare", "200@.8/.7", "net_benefit@threshold", "auto"),
    *cells("compare", "200@.8/.7", "expected_cost@threshold", "auto"),
    # several classes
    *cells("class_interval", "3x40@.8/.7", "hand_till", "auto"),
    *cells("class_interval", "3x40@.8/.7", "provost_domingos", "auto"),
    *cells("class_interval", "3x15@.95", "hand_till", "auto", "conservative"),
    *cells("class_interval", "3x40@.8/.7 3x15@.95", "auc", "auto", "conservative"),
    *cells("class_compare", "3x40@.8/.7", "auc", "auto"),
    *cells("class_compare", "3x40@.8/.7", "hand_till", "auto"),
    *cells("class_compare", "3x40@.8/.7", "provost_domingos", "auto"),
    # hard settings: clusters, weights, numbers of the hull, ratios, folds
    *cells("interval", "10x1-50@.8 10x1-50@.9", "auc", "auto", "not reliable"),
    *cells("interval", "40heavy@.8 40heavy@.9", "auc", "auto", "conservative"),
    *cells("interval", "10x1-50@.8 40heavy@.8", "auc", "obuchowski", "not reliable"),
    *cells("compare", "10x1-50@.8 40heavy@.8", "auc", "auto", "conservative"),
    *cells("compare", "40heavy@.8", "auc", "obuchowski", "not reliable"),
    *cells("interval", "exp-weights@.8 exp-weights@.95", "auc", "auto", "not reliable"),
    *cells(
        "interval", "lognormal-weights@.8 lognormal-weights@.97", "auc", "auto", "conservative"
    ),
    *cells(
        "interval", "40+40@.6 40+40@.8", "h_measure", "half-sample", "conservative", 150
    ),
    *cells("interval", "40+40@.95", "h_measure", "half-sample", "conservative", 150),
    *cells("interval", "40+40@.8", "hull_area", "half-sample", "nominal", 150),
    *cells("interval", "40+40@.6", "h_measure", "bca", "not reliable", 150),
    *cells("interval", "100@.8 100@.98", "struggle_ratio", "auto"),
    *cells("interval", "100@.8 100@.98", "midpoint", "auto"),
    *cells("interval", "tiny 100@.8 100@.98 200@.8 500-rare@.8 soft", "brier", "auto"),
    *cells("interval", "imbalanced", "brier", "auto", "conservative"),
    *cells("interval", "100@.8 200@.8 500-rare@.8 soft", "log_loss", "auto"),
    # numbers of calibration; where the classes have fixed sizes, the level does not vary
    *cells("interval", "binormal 100@.8 clustered soft", "calibration_slope", "auto"),
    *cells("interval", "binormal", "calibration_intercept", "auto", "conservative"),
    *cells("interval", "binormal", "expected_observed", "auto", "conservative"),
    *cells("interval", "100@.8 clustered soft", "calibration_intercept", "auto"),
    *cells("interval", "100@.8 clustered soft", "expected_observed", "auto"),
    *(
        cell
        for setting, scores in CALIBRATIONS
        for statistic, promise in CALIBRATION_NUMBERS.items()
        for cell in cells("calibration", setting, statistic, scores, promise)
    ),
    *(
        cell
        for test in ("spiegelhalter", "hosmer_lemeshow")
        for cell in (
            *cells("calibration_test", "binormal tiny 200@.8", test, "calibrated"),
            *cells(
                "calibration_test", "500-rare@.8 100@.98 soft", test, "calibrated",
                "nominal" if test == "spiegelhalter" else "noted",
            ),
            *cells(
                "calibration_test", "clustered", test, "calibrated",
                "nominal" if test == "spiegelhalter" else "conservative",
            ),
        )
    ),
    *(
        cell
        for setting in ("30+70@.8", "10+200@.8")
        for rule, numbers in CHOSEN.items()
        for statistic in numbers
        for promise in [CHOSEN_OTHERWISE.get((setting, rule, statistic), "conservative")]
        for cell in cells("best_threshold", setting, statistic, rule, promise)
    ),
    *cells(
        "fold_band", "1x5-folds 20x5-folds", f"TPR at {AT_FPR}", "auto", "conservative"
    ),
    *cells("cross_validation", "200+200-1x10-folds", "auc", "auto"),
    *cells(
        "cross_validation",
        "20+20-1x5-folds 50+50-1x5-folds 15+150-1x5-folds 50+50-10x5-folds",
        "auc", "auto"
    ),
    *cells("fold_clusters", "clustered", "auc", "auto", "conservative"),
    *cells("fold_pair", "20+20-1x5-folds", "auc", "alike unlike", "conservative"),
    *cells("fold_pair", "50+50-1x5-folds", "auc", "alike", "conservative"),
    *cells("fold_pair", "50+50-1x5-folds", "auc", "unlike", "conservative"),
    *cells(
        "fold_pair", "15+150-1x5-folds 200+200-1x10-folds 50+50-10x5-folds", "auc", "alike",
        "conservative"
    ),
    *cells(
        "reader_study", "5-readers-50+50", "auc", "delong jackknife unbiased"
    ),
    *(
        cell
        for statistic in ["cohen", "quadratic", "conger", "fleiss", "krippendorff", "ac1", "ac2"]
        for cell in cells("agreement", "100-items", statistic, "closed")
    ),
    *cells("agreement", "30-items", "cohen", "closed", "noted"),
    *cells("agreement", "30-items", "fleiss", "closed", "noted"),
    *cells(
        "agreement", "100-items", "krippendorff-ordinal", "bootstrap", resamples=500
    ),
    *(
        cell
        for statistic in ("sensitivity", "specificity", "kappa", "auc_prt")
        for cell in (
            *cells(
                "rater_table", "30-items", statistic, "share",
                "noted" if statistic == "kappa" else "nominal",
            ),
            *cells("rater_table", "100-items", statistic, "share majority clusters"),
        )
        if not (statistic == "auc_prt" and cell.method == "majority")
    ),
    # hard settings: few items and areas near 1
    *cells(
        "interval",
        "8+392@.95 10+1000@.98 5+200@.7 20+200@.9 30+1000@.95 40+40@.95 5-levels-40+40@.967 "
        "100+100@.99 200+200@.999 400+400@.98",
        "auc", "auto", "conservative"
    ),
    *cells(
        "interval", "8+392@.95 10+1000@.98 200+200@.999", "auc", "delong-logit", "noted"
    ),
    *cells("interval", "8+392@.95", "auc", "newcombe", "conservative"),
    *cells(
        "compare", "8+392@.8 8+392@.95 8+392@.9/.8 40+40@.98/.95", "auc", "auto", "conservative"
    ),
    *cells("compare", "8+392@.8", "auc", "delong", "noted"),
    *cells("omnibus", "8+392@.8 8+392@.95", "auc", "auto", "conservative"),
    *cells(
        "non_inferiority", "15+300@.9/.8 40+40@.95/.9 40+40@.98/.95", "auc", "auto"
    ),
    *cells(
        "non_inferiority", "15+300@.9/.8 40+40@.98/.95", "auc", "delong", "noted"
    ),
    *cells(
        "equivalence", "15+300@.9/.8 40+40@.95/.9 40+40@.98/.95", "auc", "auto", "conservative"
    ),
    *cells(
        "compare_sample_curves", "5+200/300+300@.8 50+50/200+200@.99", "curve", "permutation",
        resamples=100
    ),
    *cells(
        "compare_samples",
        "5+200/300+300@.8 5+200/300+300@.9 20+200/1000+5000@.8 20+200/1000+5000@.95 "
        "60+60/6000+6000@.9 50+50/200+200@.99",
        "auc", "auto", "conservative"
    ),
    *cells(
        "compare_samples", "lognormal-weights-5+200/300+300@.9", "auc", "auto", "conservative"
    ),
    *cells(
        "compare_samples", "lognormal-weights-5+200/300+300@.9", "auc", "influence", "noted"
    ),
    *cells(
        "compare_samples", "5+200/300+300@.9 20+200/1000+5000@.95", "auc", "delong", "noted"
    ),
    *cells(
        "subgroup_gap", "binormal tied clustered soft", "auc", "auto", "conservative"
    ),
    *cells(
        "subgroup_gap", "tiny imbalanced 5+200/300+300@.9 50+50/200+200@.99", "auc", "auto",
        "conservative"
    ),
    *cells(
        "subgroup_gap", "binormal tiny", "sensitivity", "auto", "conservative",
        threshold=0.5,
    ),
    *cells("subgroup_test", "binormal tied clustered soft", "auc", "auto", "conservative"),
    *cells(
        "subgroup_test", "tiny imbalanced 5+200/300+300@.9 50+50/200+200@.99", "auc", "auto",
        "conservative"
    ),
    *cells("subgroup_rest", "clustered", "auc", "auto", "conservative"),
    *cells(
        "background_area", "binormal tiny imbalanced 5+200/300+300@.9 50+50/200+200@.99", "auc",
        "auto", "conservative",
    ),
]  # fmt: skip


def simulate(cell: Cell, runs: int, seed: object) -> dict[str, float | None]:
    """Return the coverage and the mean width of a cell.

    In hard settings also the share of runs with a `SmallSampleWarning`, and of those that miss the
    truth without one.
    """
    rng = np.random.default_rng(seed)
    held, width, warned, silent = 0, 0.0, 0, 0
    for _ in range(runs):
        with warnings.catch_warnings(record=True) as given:
            warnings.simplefilter("always", SmallSampleWarning)
            inside, wide = cell.run(rng)
        is_warned = any(issubclass(one.category, SmallSampleWarning) for one in given)
        held, width = held + bool(inside), width + wide
        warned, silent = warned + is_warned, silent + (not inside and not is_warned)
    mean = width / runs if math.isfinite(width) else None
    found = {"coverage": held / runs, "mean_width": mean, "runs": runs}
    if SETTINGS[cell.setting].is_hard:
        found |= {"warned": warned / runs, "missed_silently": silent / runs}
    return found


PROMISES = {
    "nominal": lambda row: 0.93 <= row["coverage"] <= 0.97,
    "conservative": lambda row: row["coverage"] >= 0.94,
    "not reliable": lambda row: row["missed_silently"] <= 0.07,
    "noted": lambda _: True,
}


def kept(cell: Cell, row: dict) -> bool:
    """Whether a row of the table is as promised."""
    return PROMISES[cell.promise](row)


# -- the table -------------------------------------------------------------------------------------


def row_of(cell: Cell, result: dict) -> dict:
    return {
        "function": cell.function,
        "setting": cell.setting,
        "statistic": cell.statistic,
        "method": cell.method,
        "promise": cell.promise,
        "resamples": cell.resamples,
        **({"hard": True} if SETTINGS[cell.setting].is_hard else {}),
    } | result


def key_of(row: dict) -> tuple[str, str, str, str]:
    return row["function"], row["setting"], row["statistic"], row["method"]


def measured(together: list[Cell]) -> list[tuple[Cell, dict, float]]:
    """Simulate cells of the same samples; return their rows, and the seconds each took."""
    found = []
    for cell in together:
        start = time.perf_counter()
        row = row_of(cell, simulate(cell, cell.runs, [2026, cell.seed]))
        found.append((cell, row, time.perf_counter() - start))
    return found


def main(words: list[str]) -> int:
    old = json.loads(TABLE.read_text(encoding="utf-8"))["cells"] if words else []
    rows, missed = {key_of(row): row for row in old}, 0
    together: dict[tuple[str, ...], list[Cell]] = {}
    for cell in CELLS:
        if all(word in cell.name for word in words):
            together.setdefault(cell.sample, []).append(cell)
    with Pool() as pool:
        for found in pool.imap_unordered(measured, together.values()):
            for cell, row, seconds in found:
                rows[cell.key], good = row, kept(cell, row)
                missed += not good
                print(
                    f"{'ok' if good else 'MISS':<5}{cell.name:52}{100 * row['coverage']:7.2f} %"
                    f"{row['mean_width'] or math.nan:9.4f}  {cell.promise:13}{seconds:6.1f} s",
                    flush=True,
                )
            table = [rows[one.key] for one in CELLS if one.key in rows]
            text = json.dumps({"level": LEVEL, "cells": table}, indent=1)
            TABLE.write_text(text + "\n", encoding="utf-8")  # what is measured stays if stopped
    print(f"\n{missed} missed" if missed else "\nall kept")
    return int(missed > 0)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
