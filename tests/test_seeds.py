"""Seeds: every public function with ``rng=`` refuses what is neither a seed nor a generator."""

from __future__ import annotations

import inspect
import re

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import rocwalk as rw
from rocwalk.errors import OptionError
from rocwalk.seeds import generator_of

RNG = np.random.default_rng(3)
Y = np.tile([1, 0, 1, 0, 0], 12)
P, Q = RNG.random((2, 60)).round(2)
THREE, SHARES = np.arange(60) % 3, RNG.dirichlet(np.ones(3), 60)
PAIR = {"a": P, "b": Q}
CALLS = {
    "BestThreshold.on": lambda rng: rw.best_threshold(Y, P, rng=0, n_resamples=20).on(
        Y, Q, rng=rng, cluster=np.arange(60) // 2
    ),
    "Mix.decide": lambda rng: rw.mix({"a": rw.roc(Y, P)}, fpr=0.3).decide({"a": P}, rng=rng),
    "agreement": lambda rng: rw.agreement(
        {"x": Y, "z": Y[::-1]}, raters=["x", "z"], method="bootstrap", rng=rng
    ),
    "band": lambda rng: rw.band(Y, P, rng=rng),
    "best_threshold": lambda rng: rw.best_threshold(Y, P, rng=rng),
    "calibration": lambda rng: rw.calibration(Y, P, rng=rng),
    "compare": lambda rng: rw.compare(Y, PAIR, rng=rng),
    "compare_curves": lambda rng: rw.compare_curves(Y, PAIR, rng=rng),
    "compare_sample_curves": lambda rng: rw.compare_sample_curves((Y, P), (Y, Q), rng=rng),
    "compare_samples": lambda rng: rw.compare_samples((Y, P), (Y, Q), rng=rng),
    "datasets.flu": lambda rng: rw.datasets.flu(n=3, rng=rng),
    "drift": lambda rng: rw.drift((Y, P), (Y, Q), method="bootstrap", rng=rng),
    "evaluate": lambda rng: rw.evaluate({"a": LogisticRegression()}, P[:, None], Y, rng=rng),
    "interval": lambda rng: rw.interval(Y, P, rng=rng),
    "misclassification_front": lambda rng: rw.misclassification_front(THREE, SHARES, rng=rng),
    "share": lambda rng: rw.share(rw.tally(Y, P), buckets=4, epsilon=1, rng=rng),
    "subgroups": lambda rng: rw.subgroups(Y, P, THREE, rng=rng),
}


def takers():
    """Return the names of all public functions and methods that take ``rng=``."""
    found = set()
    for prefix, module in (("", rw), ("metrics.", rw.metrics), ("datasets.", rw.datasets)):
        for name in module.__all__:
            one = getattr(module, name)
            members = vars(one) if inspect.isclass(one) else {}
            named = {name: one} | {f"{name}.{k}": v for k, v in members.items() if k[0] != "_"}
            for known, function in named.items():
                if inspect.isfunction(function) and "rng" in inspect.signature(function).parameters:
                    found.add(prefix + known)
    return found


def test_every_function_that_draws_is_tried_here():
    assert takers() == set(CALLS)


@pytest.mark.parametrize("rng", ["seven", -1, 1.5])
@pytest.mark.parametrize("name", CALLS)
def test_what_is_neither_a_seed_nor_a_generator_is_refused(name, rng):
    words = f"^rng={re.escape(repr(rng))} is neither a seed nor a generator"
    with pytest.raises(OptionError, match=words):
        CALLS[name](rng)


def test_a_generator_is_used_as_it_is():
    given = np.random.default_rng(0)
    assert generator_of(given) is given
