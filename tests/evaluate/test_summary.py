"""The summary of a model: every number of it is that of the registry, or is left out."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.evaluate.summary import interval_numbers, summary, summary_intervals
from rocwalk.inference.items import Evidence
from rocwalk.statistic import in_table

RNG = np.random.default_rng(4)
Y = RNG.integers(0, 2, 80)
P = np.clip(0.5 + 0.2 * (2 * Y - 1) + RNG.normal(0, 0.2, 80), 0.01, 0.99)
SUMMARISED = [
    entry for entry in in_table("summary") if not entry.parameters and entry.of_items is None
]


@pytest.mark.parametrize("entry", SUMMARISED, ids=lambda entry: entry.name)
def test_a_number_is_that_of_the_registry(entry):
    of_probabilities, of_scores = summary(rw.tally(Y, P)), summary(rw.tally(Y, 3 * P))
    assert of_probabilities[entry.name] == entry.of(rw.tally(Y, P))
    if entry.needs_probabilities:
        assert of_scores[entry.name] is None
    else:
        assert of_scores[entry.name] == entry.of(rw.tally(Y, 3 * P))


def test_intervals_are_those_of_the_library():
    evidence = Evidence(rw.tally(Y, P))
    one = summary(evidence.tally)
    found = interval_numbers(summary_intervals(evidence, one, 0.9))
    for name in ("auc", "probabilistic_auc"):
        direct = rw.interval(Y, P, statistic=name, confidence_level=0.9)
        assert (found[f"{name}_low"], found[f"{name}_high"]) == (direct.low, direct.high)
    rate = rw.interval(
        Y, P, statistic="specificity", threshold=one.choice.threshold, confidence_level=0.9
    )
    assert (found["fpr_low"], found["fpr_high"]) == (1 - rate.high, 1 - rate.low)
    assert found["interval_method"] == "delong-newcombe"
