"""Advice on columns that can be read but look like a mistake, as warnings with a hint.

Scores may be predicted classes, or numbers of rows, items or raters; labels and scores may be
swapped.
"""

from __future__ import annotations

import re
from collections.abc import Hashable

import numpy as np

from rocwalk.errors import (
    Argument,
    HardScoresWarning,
    RocwalkWarning,
    ScoreKindWarning,
    SwappedArgumentsWarning,
)
from rocwalk.typing import FloatArray

FEWEST_ROWS, _DENSITY = 20, 1.25  # below these, scores may count up by chance
_OF_ITEMS = re.compile(
    r"(?:^|[\W_])(?:id|ids|identifier|uuid)$|(?<=[a-z])I[dD]$"
    r"|^(?:item|case|patient|subject|participant)$"
    r"|^(?:index|idx|row|(?:row|record)[\W_]?(?:no|nr|num|number|index)|unnamed: \d+)$",
)
_OF_RATERS = re.compile(
    r"(?:^|[\W_])(?:rater|reader|annotator|observer|assessor|grader)"
    r"(?:[\W_]?(?:id|no|nr|num|number|code))?$"
)


def mistake_in(low: float, high: float, count: int, *, is_swap: bool) -> RocwalkWarning | None:
    """Return the warning for scores that are all `low` or `high`, if that looks like a mistake.

    The scores may be predicted classes; or the columns of labels and scores may be swapped, where
    that is possible: where the truth is soft and not the share of votes.
    """
    if not is_swap and (low, high) == (0.0, 1.0):
        return HardScoresWarning(
            "The scores are all 0 or 1, so the curve has one corner.",
            "pass predict_proba or decision_function, not predict.",
        )
    if is_swap and low < high and count > 3:
        y_true, y_score = Argument("y_true"), Argument("y_score")
        return SwappedArgumentsWarning(
            (y_true, " looks like probabilities and ", y_score, " takes only two values."),
            ("the order is (", y_true, ", ", y_score, "); were they swapped?"),
        )
    return None


def kind_of_name(name: Hashable) -> str | None:
    """Return what whole numbers in a column of this name are, if they are no scores.

    >>> kind_of_name("patient_id"), kind_of_name("item"), kind_of_name("reader")
    ('items', 'items', 'raters')
    >>> kind_of_name("reader_1"), kind_of_name("case_score")
    (None, None)
    """
    if not isinstance(name, str):
        return None
    if _OF_RATERS.search(name.strip().casefold()):
        return "raters"
    is_item = _OF_ITEMS.search(name.strip()) or _OF_ITEMS.search(name.strip().casefold())
    return "items" if is_item else None


def kind_mistake(scores: FloatArray, span: float, name: Hashable) -> ScoreKindWarning | None:
    """Return the warning for scores that are numbers of rows, of items or of raters.

    `span` is the distance of the highest score from the lowest.

    By name: three or more whole numbers in a column that is called an identifier or a rater. By
    value: from 20 rows on, whole numbers that count up or down in the order of the rows, with
    gaps of at most a fifth; a column whose name says "rank" may do so.
    """
    kind = kind_of_name(name)
    if kind is not None and span > 1 and bool(np.all(scores == np.round(scores))):
        return no_order(kind)
    count = len(scores)
    if not (count >= FEWEST_ROWS and count - 1 <= span <= _DENSITY * count):
        return None
    steps = np.diff(scores)
    is_one_way = bool(np.all(steps > 0) or np.all(steps < 0))
    if not is_one_way or bool(np.any(scores != np.round(scores))):
        return None
    return None if "rank" in str(name).casefold() else no_order("rows")


def no_order(kind: str) -> ScoreKindWarning:
    """Return the warning for scores that are the numbers of rows, items or raters."""
    return ScoreKindWarning(
        (Argument("y_score"), f" looks like numbers of {kind}, which have no order."),
        "pass scores, of which a higher one means more positive; an identifier ranks nothing.",
    )
