"""Reader studies that several tests look at."""

from __future__ import annotations

from itertools import product

import numpy as np

import rocwalk as rw
from rocwalk.truth.obuchowski_rockette import components_of, error_of, global_test

NAMES = {"truth": "y", "reader": "who", "test": "how", "case": "case", "rating": "rating"}


def ratings_of(seed=0, tests=2, readers=4, positives=12, negatives=15, gap=0.6, levels=None):
    """Return a complete study as columns, and the ratings by test, reader and case."""
    rng = np.random.default_rng(seed)
    truth = np.repeat([1, 0], [positives, negatives])
    shape = tests, readers, len(truth)
    values = truth * (1 + gap * np.arange(tests)[:, None, None])
    values = values + rng.normal(size=len(truth)) + rng.normal(size=(1, readers, len(truth)))
    values = values + rng.normal(size=shape)
    if levels is not None:
        values = np.digitize(values, levels).astype(float)
    test, reader, case = (axis.ravel() for axis in np.indices(shape))
    table = {
        "y": truth[case],
        "who": np.array([f"reader {k}" for k in range(readers)])[reader],
        "how": np.array([f"test {k}" for k in range(tests)])[test],
        "case": case + 100,
        "rating": values.ravel(),
    }
    return table, truth, values


def study_of(table, **options):
    return rw.reader_study(table, **NAMES, **options)


def slow_area(truth, scores):
    """The area by counting pairs."""
    up, right = scores[truth == 1], scores[truth == 0]
    return np.mean([(a > b) + 0.5 * (a == b) for a, b in product(up, right)])


# The data of Van Dyke et al. (1993), 5 readers, 2 tests, 45 + 69 cases, which R's MRMCaov and
# RJafroc carry: the areas, and the covariance components of their cases.
VAN_DYKE = np.array(
    [[0.91964573, 0.85877617, 0.90386473, 0.97310789, 0.82979066],
     [0.94782609, 0.90531401, 0.92173913, 0.99935588, 0.92995169]]
)  # fmt: skip


def matrix_of(var, cov1, cov2, cov3, tests=2, readers=5):
    """A covariance that is constant within each of its four parts."""
    one, many = np.eye(tests), np.eye(readers)
    return (
        var * np.kron(one, many)
        + cov1 * np.kron(1 - one, many)
        + cov2 * np.kron(one, 1 - many)
        + cov3 * np.kron(1 - one, 1 - many)
    )


def analysed(areas, matrix, readers="random", cases="random"):
    found = components_of(areas, matrix)
    error, df = error_of(found, *areas.shape, readers=readers, cases=cases)
    return found, error, df, *global_test(found.ms_test, error, len(areas) - 1, df)
