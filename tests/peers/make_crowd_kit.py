"""Write tests/peers/crowd_kit.json: what crowd-kit's DawidSkene makes of a few simulated votes.

crowd-kit needs transformers and some twenty packages more, so the tests read the file only. To make
it again, in an environment of its own, from the project's root:

    pip install -c constraints.txt crowd-kit==1.4.2
    python tests/peers/make_crowd_kit.py

Its DawidSkene starts from the share of each vote, as rocwalk does. It runs a fixed number of
iterations here, because its own rule for stopping weighs the prior once for each vote.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd

ITERATIONS = 600
# items, prevalence, each rater's sensitivity and specificity, share of votes that are cast
STUDIES = {
    "five raters, no gaps": (60, 0.4, [(0.9, 0.85), (0.8, 0.9), (0.7, 0.75), (0.85, 0.8), (0.75, 0.9)], 1.0),
    "nine raters, half of the votes": (120, 0.3, [(0.9, 0.8), (0.75, 0.95)] * 4 + [(0.8, 0.8)], 0.5),
    "one rater mostly wrong": (80, 0.5, [(0.9, 0.9), (0.85, 0.8), (0.8, 0.85), (0.25, 0.3), (0.7, 0.8)], 0.9),
    "rare positives": (150, 0.1, [(0.8, 0.97), (0.7, 0.95), (0.9, 0.9), (0.75, 0.96)], 0.85),
}  # fmt: skip


def simulated(rng, n_items, prevalence, raters, cast):
    """Return votes, one row per item: 0, 1, or −1 where there is none."""
    positive = rng.random(n_items) < prevalence
    chances = np.where(positive[:, None], *np.array([(a, 1 - b) for a, b in raters]).T[:, None])
    votes = (rng.random(chances.shape) < chances).astype(int)
    votes[rng.random(chances.shape) >= cast] = -1
    return votes[(votes >= 0).any(axis=1)]


def fitted(votes):
    """Return crowd-kit's result as lists: truth by item, rates by rater, prevalence."""
    from crowdkit.aggregation import DawidSkene

    item, rater = np.nonzero(votes >= 0)
    data = pd.DataFrame({"task": item, "worker": rater, "label": votes[item, rater]})
    model = DawidSkene(n_iter=ITERATIONS, tol=-np.inf).fit(data)
    rates = model.errors_.sort_index()
    return {
        "truth": model.probas_.sort_index()[1].tolist(),
        "sensitivity": rates.xs(1, level="label")[1].tolist(),
        "specificity": rates.xs(0, level="label")[0].tolist(),
        "prevalence": float(model.priors_[1]),
    }


def main():
    rng = np.random.default_rng(20260101)
    names = ("crowd-kit", "numpy", "pandas")
    studies = {}
    for name, study in STUDIES.items():
        votes = simulated(rng, *study)
        rows = ["".join("-" if vote < 0 else str(vote) for vote in row) for row in votes]
        studies[name] = {"votes": rows, **fitted(votes)}
    about = {
        "what": "Made by tests/peers/make_crowd_kit.py; a row is an item, a letter a rater's vote.",
        "call": f"DawidSkene(n_iter={ITERATIONS}, tol=-inf).fit(data)",
        "versions": {name: version(name) for name in names},
    }
    text = json.dumps({"about": about, "studies": studies}, indent=1, ensure_ascii=False)
    Path(__file__).with_name("crowd_kit.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
