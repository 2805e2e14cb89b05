"""§3: the flu domains, and what sets them apart."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from rocwalk.datasets.flu import FluSample, flu_probabilities
from rocwalk.papers.examples import Examples
from rocwalk.papers.row import Row, text_of
from rocwalk.papers.sensibility.flu import OURS, SIZE, WHOLLY_OURS, drawn
from rocwalk.papers.sensibility.place import at
from rocwalk.typing import FloatArray


def rows(_: Examples) -> list[Row]:
    """Return the classes, the sizes, and the two ways in which NGP is modified."""
    return [*_generator(), _dependencies(flu_probabilities("NGP")), _population(), _definition()]


def _generator() -> list[Row]:
    here, samples = at("§3, re-created"), [case.sample for case in drawn().values()]
    classes = sorted({str(label) for sample in samples for label in sample.labels})
    sizes = {len(sample) for sample in samples}
    return [
        here.statement(
            "prognosis",
            "NormalRemission or Complication",
            " or ".join(reversed(classes)),
            holds=classes == ["Complication", "NormalRemission"],
            reason="The text names no positive class; with us it is Complication.",
        ),
        here.statement(
            "examples in each data set",
            "1000",
            f"{len(samples)} data sets of {', '.join(map(str, sorted(sizes)))}",
            holds=sizes == {SIZE},
            reason=f"One seeded draw. {WHOLLY_OURS}",
        ),
    ]


def _dependencies(every: FluSample) -> Row:
    pairs = list(combinations(every.columns, 2))
    tied = [pair for pair in pairs if _dependence(every, *pair) > 0.01]
    return at("§3, NGP re-created").statement(
        "pairs of attributes that depend on each other",
        "several",
        f"{len(tied)} of {len(pairs)}: " + ", ".join(" and ".join(pair) for pair in tied),
        holds=len(tied) > 1,
        reason="Naive Bayes takes all of them for independent within a class.",
    )


def _dependence(every: FluSample, one: str, other: str) -> float:
    """Return the total variation between two attributes as they are and as if independent."""
    first, second = (
        np.unique(every.columns[name], return_inverse=True)[1] for name in (one, other)
    )
    joint = np.zeros((first.max() + 1, second.max() + 1))
    np.add.at(joint, (first, second), every.mass)
    return float(np.abs(joint - np.outer(joint.sum(1), joint.sum(0))).sum() / 2)


def _by_patient(domain: str) -> tuple[FloatArray, FloatArray]:
    """Return the share of each combination of attributes, and its risk of a complication."""
    pairs = flu_probabilities(domain).probability.reshape(-1, 2)
    return pairs.sum(1), pairs[:, 1] / pairs.sum(1)


def _compared(domain: str) -> tuple[float, FloatArray]:
    """Return how far the patients differ from NGP's, and the change of risk of each."""
    (here, risk), (there, new) = _by_patient("NGP"), _by_patient(domain)
    return float(np.abs(here - there).sum() / 2), new - risk


def _population() -> Row:
    moved, change = _compared("DP")
    return at("§3, DP re-created").statement(
        "what changes from NGP",
        "the population",
        f"patients apart by {text_of(moved)} in total variation; the risk of each changes by at "
        f"most {text_of(round(float(np.abs(change).max()), 12))}",
        holds=moved > 0.1 and np.abs(change).max() < 1e-12,
        reason=OURS,
    )


def _definition() -> Row:
    moved, change = _compared("FC")
    old, new = (float(np.prod(_by_patient(domain), axis=0).sum()) for domain in ("NGP", "FC"))
    return at("§3, FC re-created").statement(
        "what changes from NGP",
        "the definition of the class, with fewer complications",
        f"patients apart by {text_of(round(moved, 12))} in total variation; complications "
        f"{text_of(old)} → {text_of(new)} of all, fewer for every patient",
        holds=moved < 1e-12 and bool((change < 0).all()),
        reason=OURS,
    )
