"""Hypothesis strategies for labels, scores and weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st

import rocwalk as rw
from rocwalk.statistic import find

# Random small samples look like mistakes now and then; the advice about them is tested elsewhere.
NO_ADVICE = [
    pytest.mark.filterwarnings("ignore::rocwalk.errors.SwappedArgumentsWarning"),
    pytest.mark.filterwarnings("ignore::rocwalk.errors.HardScoresWarning"),
]
TENTHS = st.integers(0, 10).map(lambda k: k / 10)
SCORES = st.one_of(TENTHS, st.floats(0, 1, allow_subnormal=False))
WEIGHTS = st.one_of(st.integers(1, 4).map(float), st.floats(0.125, 8))


@st.composite
def hard_samples(draw, min_size=2, max_size=25):
    """0/1 labels with both classes, and scores in [0, 1] with many ties."""
    n = draw(st.integers(min_size, max_size))
    labels = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    labels[0], labels[1] = 0, 1
    scores = draw(st.lists(SCORES, min_size=n, max_size=n))
    order = draw(st.permutations(range(n)))
    return np.array(labels)[order], np.array(scores)[order]


@st.composite
def soft_samples(draw, min_size=2, max_size=25):
    """Truth in [0, 1], not all 0 and not all 1, and scores in [0, 1]."""
    n = draw(st.integers(min_size, max_size))
    truth = draw(st.lists(TENTHS, min_size=n, max_size=n))
    truth[0], truth[1] = 0.25, 0.75
    scores = draw(st.lists(SCORES, min_size=n, max_size=n))
    return np.array(truth), np.array(scores)


@st.composite
def weighted_samples(draw):
    """Hard or soft truth, scores and positive weights."""
    truth, scores = draw(st.one_of(hard_samples(), soft_samples()))
    weights = draw(st.lists(WEIGHTS, min_size=len(truth), max_size=len(truth)))
    return truth, scores, np.array(weights)


KEYWORDS = {
    "threshold": 0.5,
    "max_fpr": 0.3,
    "rate": 0.2,
    "costs": rw.Costs(false_positive=1, false_negative=5),
}


def keywords_of(name):
    """Return values for the keywords that a statistic needs, by name; the first of its points."""
    entry = find(name)
    return {each: KEYWORDS[each] for each in (*entry.parameters, *entry.points[:1])}
