"""§4: what the ROC curve cannot see, and what is left for later."""

from __future__ import annotations

import numpy as np

from rocwalk.datasets.papers import PaperExample
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.row import Row, text_of
from rocwalk.papers.sensibility.flu import DOMAINS, TRAIN, drift_to
from rocwalk.papers.sensibility.place import TABLE, analysis_of, at


def rows(examples: Examples) -> list[Row]:
    """Return the conclusion on Table 1, and drift in the re-created domains."""
    return [_unseen(examples[TABLE]), *_suitable()]


def _unseen(example: PaperExample) -> Row:
    squared = PaperExample(example.y_true, tuple(s * s for s in example.y_prob), example.source)
    curves = [curve_of(one) for one in (example, squared)]
    found = [analysis_of(one) for one in (example, squared)]
    same = np.array_equal(curves[0].fpr, curves[1].fpr) and np.array_equal(
        curves[0].tpr, curves[1].tpr
    )
    return at("§4, Table 1").statement(
        "Table 1 with every score squared",
        "the ROC curve may miss a change in the probabilities",
        f"AUC {text_of(tuple(curve.area for curve in curves))}; t_s "
        f"{text_of(tuple(one.midpoint for one in found))}; struggle ratio "
        f"{text_of(tuple(one.struggle_ratio for one in found))}",
        holds=same and found[0].midpoint != found[1].midpoint,
        reason="The two ROC curves are the same, point by point. The change is ours.",
    )


def _suitable() -> list[Row]:
    return [
        at("§4, later work, re-created").unprinted(
            f"drift from {TRAIN} to {name}, at α = 0.05",
            drift_to(name).verdict,
            "Whether a test set still suits a model is left for later; rocwalk tests the three "
            "numbers of Table 2 together.",
        )
        for name in DOMAINS
        if name != TRAIN
    ]
