"""The flu domains of §3, re-created: one draw like the paper's, and endless data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from rocwalk.curves.roc import Curve, roc
from rocwalk.datasets.flu import FluSample, flu, flu_probabilities, naive_bayes
from rocwalk.drift.drift import Drift, drift
from rocwalk.drift.sensibility import Sensibility, sensibility
from rocwalk.papers.row import text_of
from rocwalk.tally.walk import highest_tpr

TRAIN = "NGP-Train"
DOMAINS = {TRAIN: "NGP", "NGP-Test": "NGP", "DP-Test": "DP", "FC-Test": "FC"}
SIZE = 1000
SEED = 2009  # the paper's year
OURS = "Re-created with parameters of ours."
WHOLLY_OURS = (
    "The tables of the paper's generator are not public. Ours is a re-creation with our own "
    "parameters, which were chosen to show the pattern."
)
_GRID = (np.arange(2000) + 0.5) / 2000


@dataclass(frozen=True, eq=False)
class Case:
    """A data set and the probabilities that the model trained on NGP gives it."""

    sample: FluSample
    scores: Any

    @cached_property
    def curve(self) -> Curve:
        """The ROC curve."""
        return roc(self.sample.y, self.scores, sample_weight=self.sample.mass)

    @cached_property
    def analysis(self) -> Sensibility:
        """The sensibility analysis, split at the midpoint of the data set itself."""
        return sensibility(self.sample.y, self.scores, sample_weight=self.sample.mass)

    def split_at(self, midpoint: float) -> Sensibility:
        """Return the sensibility analysis, split at a midpoint from elsewhere."""
        mass = self.sample.mass
        return sensibility(self.sample.y, self.scores, midpoint=midpoint, sample_weight=mass)

    @property
    def numbers(self) -> dict[str, float]:
        """The three numbers of Table 2, by their headings."""
        return {
            "AUC": self.curve.area,
            "midpoint t_s": self.analysis.midpoint,
            "struggle ratio": self.analysis.struggle_ratio,
        }


@cache
def drawn() -> dict[str, Case]:
    """Return one draw of 1000 examples for each data set, the model trained on the first."""
    rng = np.random.default_rng(SEED)
    samples = {name: flu(domain, SIZE, rng) for name, domain in DOMAINS.items()}
    model = naive_bayes(samples[TRAIN])
    return {name: Case(sample, model.predict(sample)) for name, sample in samples.items()}


@cache
def endless() -> dict[str, Case]:
    """Return the same for endless data: every combination with its probability."""
    samples = {name: flu_probabilities(domain) for name, domain in DOMAINS.items()}
    model = naive_bayes(samples[TRAIN], smoothing=0)
    return {name: Case(sample, model.predict(sample)) for name, sample in samples.items()}


@cache
def drift_to(name: str) -> Drift:
    """Return the drift from the training draw to another."""
    old, new = drawn()[TRAIN], drawn()[name]
    return drift((old.sample.y, old.scores), (new.sample.y, new.scores))


def between(one: Curve, other: Curve) -> float:
    """Return the area between two ROC curves."""
    gaps = highest_tpr(one.walk, _GRID) - highest_tpr(other.walk, _GRID)
    return float(np.abs(gaps).mean())


def gaps_between(one: Case, other: Case) -> tuple[float, float]:
    """Return the largest gaps of sensibility and capability, each split at its own midpoint."""
    thresholds = np.append(np.union1d(one.scores, other.scores), np.inf)
    curves = [case.analysis.split.at(thresholds) for case in (one, other)]
    first, second = (float(np.abs(a - b).max()) for a, b in zip(*curves, strict=True))
    return first, second


def crossed(name: str) -> tuple[float, int]:
    """Return the commonest score between the midpoints of training and a test set, and its count.

    Those who share it are on one side of the midpoint in training, on the other in the test set.
    """
    old, new = drawn()[TRAIN], drawn()[name]
    low, high = sorted((old.analysis.midpoint, new.analysis.midpoint))
    scores, counts = np.unique(new.scores, return_counts=True)
    inside = np.where((scores >= low) & (scores < high), counts, 0)
    k = int(inside.argmax())
    return float(scores[k]), int(inside[k])


def moves(what: str, name: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return a number of Table 2 in training and in another data set: of the draw, and endless."""
    draw, whole = (
        (cases[TRAIN].numbers[what], cases[name].numbers[what]) for cases in (drawn(), endless())
    )
    return draw, whole


def moves_text(what: str, name: str) -> str:
    """Write how a number of Table 2 changes."""
    draw, whole = (" → ".join(map(text_of, pair)) for pair in moves(what, name))
    return f"{draw}; endless data {whole}"
