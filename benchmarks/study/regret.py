"""Regret: by how much a choice made on a validation part costs more than the best one, on held-back
rows."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

import rocwalk as rw

from .conditions import WORLDS, Conditions, by_world
from .criteria import CRITERIA, least_loss
from .thresholds import Method, Validation, by_hull


@dataclass(frozen=True)
class Scores:
    """What the models of one split give: labels and one row of probabilities per learner."""

    learners: tuple[str, ...]
    prevalence: float
    validation: dict[int, tuple[np.ndarray, np.ndarray]]
    test: tuple[np.ndarray, np.ndarray]
    seed: int

    @property
    def conditions(self) -> Conditions:
        return Conditions(self.prevalence)

    def part(self, size: int, learner: int) -> Validation:
        """Return a validation part of one learner, with random numbers of its own."""
        y, p = self.validation[size]
        rng = np.random.default_rng([self.seed, size, learner])
        return Validation(y, p[learner], self.conditions, rng)

    def test_curve(self, learner: int) -> rw.Curve:
        y, p = self.test
        return rw.roc(y, p[learner])


def of_selection(scores: Scores) -> dict[str, dict[str, dict[str, float]]]:
    """Return the regret of selecting by each criterion, by size and world.

    A model costs what it costs on the test rows with the thresholds of its validation hull; the
    regret is that cost − the cost of the best model, as means over the conditions of a world. Of
    tied models the mean counts.
    """
    conditions = scores.conditions
    models = range(len(scores.learners))
    curves = [scores.test_curve(model) for model in models]
    found = {}
    for size in scores.validation:
        parts = [scores.part(size, model) for model in models]
        losses = np.array(
            [conditions.losses(curves[k], by_hull(parts[k])).reshape(2, -1) for k in models]
        ).mean(axis=2)
        tallies = [part.tally for part in parts]
        chosen = {name: [each.chosen(tallies)] * 2 for name, each in CRITERIA.items()}
        chosen["least_loss"] = [least_loss(conditions, world).chosen(tallies) for world in (0, 1)]
        chosen["any"] = [np.arange(len(models))] * 2
        found[str(size)] = {
            name: {
                world: float(losses[which[k], k].mean() - losses[:, k].min())
                for k, world in enumerate(WORLDS)
            }
            for name, which in chosen.items()
        }
    return found


def of_thresholds(scores: Scores, methods: dict[str, Method]) -> dict[str, dict[str, object]]:
    """Return the regret of each way to a threshold, by size, as means over learners.

    The regret of a threshold is its loss on the test rows − that of the best threshold there.
    """
    conditions = scores.conditions
    curves = [scores.test_curve(model) for model in range(len(scores.learners))]
    least = np.array([conditions.least(curve) for curve in curves])
    found: dict[str, dict[str, object]] = {}
    for size in scores.validation:
        parts = [scores.part(size, model) for model in range(len(curves))]
        found[str(size)] = {}
        for name, method in methods.items():
            begin = time.perf_counter()
            losses = [
                conditions.losses(curve, method(part))
                for curve, part in zip(curves, parts, strict=True)
            ]
            regrets = np.array(losses) - least
            found[str(size)][name] = {
                **by_world(regrets.mean(axis=0)),
                "each": regrets.mean(axis=0).tolist(),
                "seconds": time.perf_counter() - begin,
            }
    return found


def of_widths(scores: Scores) -> dict[str, dict[str, list[float | bool]]]:
    """Return the matched widths of the models by size, and whether they exist."""
    found = {}
    for size in scores.validation:
        matches = [scores.part(size, k).matched for k in range(len(scores.learners))]
        found[str(size)] = {
            "width": [float(match.nearest_width) for match in matches],
            "exists": [bool(match.exists) for match in matches],
        }
    return found
