"""Raters in `rocwalk score`: how far they agree, and the accuracy of each."""

from __future__ import annotations

import math

import numpy as np

from rocwalk.cli.output import Row
from rocwalk.report.findings import Findings
from rocwalk.truth.agreement import Agreement, agreement
from rocwalk.truth.votes import Votes
from rocwalk.typing import AgreementLevel

_NAMES = ("n_items", "n_votes", "n_raters", "split_share", "fleiss_kappa", "krippendorff_alpha")
RATER_HEADERS = {
    "rater": "Rater",
    "votes": "Votes",
    "sensitivity": "Sensitivity",
    "specificity": "Specificity",
}
_HINT = "Hint: the models are held against the share of votes, which these rates do not enter."


def agreements(found: Votes) -> list[Agreement]:
    """Return Fleiss' and Krippendorff's coefficients with intervals; none where they are undefined.

    A coefficient of one item has no interval.
    """
    if math.isnan(found.fleiss_kappa) or np.count_nonzero(found.counts >= 2) < 2:
        return []
    level: AgreementLevel = "interval" if found.ballot.scale.is_graded else "nominal"
    return [
        agreement(found, measure="fleiss"),
        agreement(found, measure="krippendorff", level=level),
    ]


def votes_result(findings: Findings) -> tuple[Row, list[str]]:
    """Return agreement and Dawid and Skene's rates as data, and notes on doubtful fits.

    Without raters there is nothing to say. A single rater has no rates, because there is nobody to
    compare with.
    """
    if findings.votes is None:
        return {}, []
    found = findings.votes[0]
    numbers = found.to_dict()
    words, raters = [found.sentence], []
    measured = agreements(found)
    words += [one.sentence for one in measured]
    doubts: list[str] = []
    if len(found.raters or ()) > 1 and findings.rater_model is not None:
        model, doubts = findings.rater_model
        words.append(model.sentence)
        columns = (model.raters, model.votes, model.sensitivity, model.specificity)
        raters = [
            {"rater": str(name), "votes": int(n), "sensitivity": float(a), "specificity": float(b)}
            for name, n, a, b in zip(*columns, strict=True)
        ]
    votes = {name: numbers[name] for name in _NAMES} | {"reading": found.reading or None}
    votes |= {"agreement": [one.to_dict() for one in measured]}
    votes |= {"raters": raters, "meaning": words}
    return votes, [f"{doubt} {_HINT}" for doubt in doubts]
