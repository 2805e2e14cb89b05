"""Samples, monitors and watches that the tests of drift share."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

import rocwalk as rw
from rocwalk.drift.likelihood_ratios import SHIFTS, SLOPES

ALTERNATIVES = list(zip(SHIFTS, SLOPES, strict=True))


def expit(x):
    return 1 / (1 + np.exp(-x))


def pair_sample(rng, n=800, prevalence=0.3, shift=1.2, ties=None):
    y = (rng.random(n) < prevalence).astype(int)
    p = expit(rng.normal(size=n) + shift * y - 0.9)
    return y, p if ties is None else np.round(p * ties) / ties


def batch(seed, n=600, power=1.0, digits=None):
    """Return labels and scores of a monitor's batch; a power other than 1 turns the scores."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    p = expit(rng.normal(2 * y - 1.5)) ** power
    return y, p if digits is None else np.round(p, digits)


MONITORED = batch(0, 1000)


def monitor(**options):
    return rw.DriftMonitor(MONITORED, **options)


def state(one):
    """Return all that a monitor holds, in a form that is equal only if every bit is."""
    tallies = (one.reference, one.current, one._stream.kept)
    arrays = [
        {
            name: (column.dtype.str, column.tobytes())
            for name, column in [
                ("scores", tally.scores), ("up", tally.up), ("right", tally.right),
                *tally.stored.items(),
            ]
        }
        for tally in tallies
        if tally is not None
    ]  # fmt: skip
    windows = [window.to_json() for window in one.windows]
    return [one.settings, arrays, windows, sorted(one.batches)]


def stream(seed, n, *, change=None, odds=1.0, shift=0.0):
    """Return calibrated scores; from row `change` on, y has other odds than the scores say."""
    rng = np.random.default_rng(seed)
    x = rng.normal(shift - 1, 1.2, n)
    factor = np.where(np.arange(n) < (n if change is None else change), 0.0, math.log(odds))
    return (rng.random(n) < expit(x + factor)).astype(int), expit(x)


WATCHED = stream(0, 2000)


def watch(**options):
    return rw.DriftWatch(WATCHED, **options)


def dated(n=3000):
    """Return rows of 150 days; from April on, the scores are turned."""
    rng = np.random.default_rng(1)
    y = (rng.random(n) < 0.4).astype(int)
    p = expit(rng.normal(2 * y - 1))
    day = np.datetime64("2024-01-01") + np.sort(rng.integers(0, 150, n))
    p[day >= np.datetime64("2024-04-01")] **= 2
    return {"y": y, "p": p, "day": day}


def look(data, **options):
    return rw.drift_over_time(data, label="y", score="p", time="day", **options)


N = 2400
FIRST = np.datetime64("2026-01-01")


def rows(power=2.5, n=N, days=120):
    """Return calibrated predictions of four months; a power spoils those of the last two."""
    rng = np.random.default_rng(8)
    logit = rng.normal(-0.3, 1.5, n)
    p = 1 / (1 + np.exp(-logit))
    y = (rng.random(n) < p).astype(int)
    time = FIRST + np.arange(n) * days // n
    p[time >= np.datetime64("2026-03-01")] **= power
    site = np.where(np.arange(n) % 3 == 0, "north", "south")
    known = time + np.timedelta64(6, "D")
    columns = {"id": np.arange(n), "time": time, "score": p, "label": y, "site": site}
    return pd.DataFrame(columns | {"known": known})


MODEL = {"segments": ["site"], "label_time": "known"}
PERIOD = {"reference_period": ("2026-01-01", "2026-02-01")}
