"""The section on the votes: what they make of the items, and how far the raters agree."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rocwalk.report.document import Content
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import (
    few_digits,
    level_words,
    percent,
    unbroken,
    with_ends,
)
from rocwalk.typing import FloatArray

if TYPE_CHECKING:
    from rocwalk.truth.agreement import Agreement

_MOST_BARS = 41
SHARE, MEAN = "share of positive votes", "mean rating, rescaled"
_CHANCE = {
    "cohen": "each rater’s own votes",
    "quadratic": "each rater’s own ratings",
    "fleiss": "all votes pooled",
    "krippendorff": "all votes pooled, without replacement",
    "ac1": "the categories, the more the rarer each is",
    "ac2": "the categories, the more the rarer each is",
    "percent": "not corrected",
}


def agreement_section(findings: Findings) -> Content | None:
    """The items by their votes, and the usual coefficients of agreement with intervals."""
    if findings.raters.votes is None:
        return None
    votes, notes = findings.raters.votes
    is_graded = votes.ballot.scale.is_graded
    found = findings.raters.agreements
    rows = [[_title(one), unbroken(_ends(one)), _CHANCE[one.measure]] for one in found]
    return Content(
        {
            "sentence": votes.sentence,
            "split": "undefined" if math.isnan(votes.split_share) else percent(votes.split_share),
            "truth": "mean rating, rescaled onto 0 to 1" if is_graded else SHARE,
            "notes": notes,
            "rows": rows,
            "level": level_words(findings.level),
        },
        {
            "votes": {
                "description": f"Items by their {MEAN if is_graded else SHARE}",
                "axis": MEAN.capitalize() if is_graded else SHARE.capitalize(),
                "bars": _bars(votes.ballot.truth),
            },
            "coefficients": {
                "description": "Coefficients of agreement with their intervals",
                "axis": "Agreement: 1 is full, 0 is as by chance",
                "none": 0.0,
                "rows": [
                    {
                        "name": _title(one),
                        "value": one.estimate,
                        "low": one.low,
                        "high": one.high,
                        "apart": bool(one.low > 0),
                        "numbers": _ends(one),
                    }
                    for one in found
                    if one.measure != "percent"
                ],
            },
        },
    )


def _title(one: Agreement) -> str:
    """Return the name of a coefficient as the page writes it."""
    title = one.title.replace("'", "’")
    return title[:1].upper() + title[1:]


def _ends(one: Agreement) -> str:
    return with_ends(one.estimate, one.low, one.high)


def _bars(truth: FloatArray) -> list[list[float]]:
    """Return bars (from, to, items): one for each share, or bins where there are many shares."""
    shares, items = np.unique(truth, return_counts=True)
    if len(shares) > _MOST_BARS:
        edges = np.linspace(0, 1, _MOST_BARS)
        items = np.histogram(truth, edges)[0]
        ends = np.column_stack([edges[:-1], edges[1:]])
    else:
        half = min(0.04, 0.45 * float(np.diff(shares).min())) if len(shares) > 1 else 0.04
        ends = np.column_stack([shares - half, shares + half])
    return [[*few_digits(pair), int(n)] for pair, n in zip(ends, items, strict=True)]
