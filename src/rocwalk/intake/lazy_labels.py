"""Labels of a lazy table: what they mean, and the expression that says so to the engine.

What labels mean is decided by `read_labels`, from a few values that stand for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from rocwalk.errors import LabelError, sentence
from rocwalk.intake.columns import objects
from rocwalk.intake.frames import Name
from rocwalk.intake.labels import read_labels
from rocwalk.intake.lazy_source import LazySource
from rocwalk.intake.profile import GAP, Facts, Run, Where, is_gap, is_number, number, rows_words

_NAMES_SHOWN = 5
_MOST_LABELS = 1000
_WRITTEN_BOOLEANS = {"True", "False"}  # Dask turns truth values with gaps into text


def truth_of_label(
    name: Name, dtype: Any, facts: Facts | None, options: Any, distinct: Sequence[Any]
) -> tuple[Any, bool]:
    """Return the truth of column ``label`` as an expression, −1 for a gap; and whether it is hard.

    `facts` are those of a column of numbers, else `distinct` holds some of the labels.
    """
    pos_label, truth = options["pos_label"], options["truth"]
    if facts is None and _WRITTEN_BOOLEANS.issuperset(distinct):
        pos_label = _written(pos_label)
    witnesses = _witnesses(dtype, facts, pos_label, distinct)
    try:
        is_hard = read_labels(witnesses, pos_label, truth)[1]
    except LabelError as error:
        what, hint = (_renamed(text, name) for text in (error.what, error.hint))
        raise LabelError(sentence(what), hint) from None
    if facts is not None and not facts.wrong and is_hard:
        return _is_one(dtype, pos_label, set(facts.witnesses)), True
    return (_is_positive(dtype, pos_label) if is_hard else _share(dtype)), is_hard


def _written(pos_label: Any) -> Any:
    """Return the positive one of truth values as text; other labels stay as they are."""
    if pos_label is None:
        return "True"
    return str(pos_label) if isinstance(pos_label, bool) else pos_label


def _witnesses(dtype: Any, facts: Facts | None, pos_label: Any, distinct: Sequence[Any]) -> Any:
    if facts is None:
        return objects(list(distinct) or [""])
    if pos_label is not None:
        return np.zeros(1)
    values = np.array(facts.witnesses or [0.0])
    return values if dtype.is_float() or dtype.is_decimal() else values.astype(np.int64)


def _renamed(text: str, name: Name) -> str:
    """Put the column's name in the place of the argument's, and leave out the number of the row."""
    return re.sub(r"y_true(?: at row \d+)?", f"column {name!r}", text)


def _is_one(dtype: Any, pos_label: Any, witnesses: set[float]) -> Any:
    """Return 1 for the positive label and 0 for others: the short way, if none is missing."""
    import narwhals.stable.v2 as nw

    if pos_label is None and witnesses <= {0.0, 1.0}:
        return nw.col("label").cast(nw.Int64)
    return (number("label", dtype) == (1.0 if pos_label is None else float(pos_label))).cast(
        nw.Int64
    )


def _is_positive(dtype: Any, pos_label: Any) -> Any:
    """Return 1 for the positive label (1 unless it has a name), 0 for others, −1 for gaps."""
    import narwhals.stable.v2 as nw

    column = nw.col("label")
    if is_number(dtype):
        value = number("label", dtype)
        is_positive = value == (1.0 if pos_label is None else float(pos_label))
        gap = ~value.is_finite()
    else:
        column = column.cast(nw.String) if isinstance(pos_label, str) else column
        is_positive = (column == pos_label).fill_null(value=False)  # Dask casts no gaps
        gap = nw.col("label").is_null()
    return nw.when(gap).then(nw.lit(-1)).otherwise(is_positive.cast(nw.Int64)).cast(nw.Int64)


def _share(dtype: Any) -> Any:
    import narwhals.stable.v2 as nw

    value = number("label", dtype)
    return nw.when(value.is_finite()).then(value).otherwise(nw.lit(-1.0))


# -- votes ---------------------------------------------------------------------------------------


def truth_of_votes(dtypes: Sequence[Any], pos_label: Any) -> Any:
    """Return the share of positive votes as an expression, −1 where there is no vote.

    The columns of votes are ``r0``, ``r1``, …. An infinite vote makes the share so.
    """
    import narwhals.stable.v2 as nw

    cast, positive = [], []
    for place, dtype in enumerate(dtypes):
        there, is_positive = _vote(f"r{place}", dtype, pos_label)
        cast.append(there.cast(nw.Int64))
        positive.append((there & is_positive).cast(nw.Int64))
    total, share = sum(cast[1:], cast[0]), sum(positive[1:], positive[0])
    ratio = share.cast(nw.Float64) / nw.when(total > 0).then(total).otherwise(1).cast(nw.Float64)
    ratio = nw.when(total > 0).then(ratio).otherwise(nw.lit(-1.0))
    for place, dtype in enumerate(dtypes):
        if dtype.is_float():
            fine = is_gap(f"r{place}", dtype) | number(f"r{place}", dtype).is_finite()
            ratio = nw.when(fine).then(ratio).otherwise(nw.lit(GAP))
    return ratio


def _vote(own: str, dtype: Any, pos_label: Any) -> tuple[Any, Any]:
    """Return whether there is a vote, and whether it is the positive one, which is 1 by itself."""
    import narwhals.stable.v2 as nw

    if is_number(dtype):
        value = number(own, dtype)
        is_positive = value == (1.0 if pos_label is None else float(pos_label))
        return ~is_gap(own, dtype), is_positive
    there = ~nw.col(own).is_null()
    wanted = _written(pos_label)
    column = nw.col(own).cast(nw.String) if isinstance(wanted, str) else nw.col(own)
    return there, (column == wanted).fill_null(value=False)


def refuse_strange_votes(
    names: Sequence[Name],
    facts: Sequence[Facts | None],
    distinct: Sequence[Sequence[Any]],
    pos_label: Any,
) -> None:
    """Raise unless all votes are 0 and 1, or `pos_label` and exactly one other."""
    allowed: set[Any] = {0, 1, *_WRITTEN_BOOLEANS} if pos_label is None else {pos_label}
    for name, fact, values in zip(names, facts, distinct, strict=True):
        if fact is None and isinstance(pos_label, bool) and _WRITTEN_BOOLEANS.issuperset(values):
            continue
        for value in values if fact is None else fact.witnesses:
            if pos_label is not None and len(allowed) == 1:
                allowed.add(value)
            if value not in allowed:
                raise _strange_vote(name, value, pos_label)


def refuse_infinite_votes(count: int, rows: int) -> None:
    """Raise if a vote is neither a gap nor finite."""
    if count:
        raise LabelError(
            f"A vote is infinite in {rows_words(count, rows)}.",
            "votes are 0 and 1, or booleans; a rater who did not vote leaves a gap (NaN or null).",
        )


def _strange_vote(name: Name, value: Any, pos_label: Any) -> LabelError:
    what = "0 nor 1" if pos_label is None else f"pos_label={pos_label!r} nor the one other value"
    return LabelError(
        f"A vote in column {name!r} is {value!r}, which is neither {what}.",
        "votes are 0 and 1, or booleans; for others name the positive one with pos_label=. "
        "A rater who did not vote leaves a gap (NaN or null).",
    )


def refuse_missing_labels(name: Name | None, count: int, rows: int, where: Where) -> None:
    """Raise if labels, or all votes of a row, are missing, and count them."""
    if count:
        what = "There is no vote" if name is None else f"Column {name!r} is missing"
        place = "" if name is None else where(name, "v IS NULL")
        raise LabelError(
            f"{what} in {rows_words(count, rows)}{place}.",
            'every row needs a label; invalid="drop" leaves such rows out and says so.',
        )


def labels_of(source: LazySource, name: Name) -> list[Any]:
    """Return the labels of a lazy table, as many as there may be classes."""
    return distinct_values(source.frame, source.column(name), source.run, _MOST_LABELS)


def distinct_values(frame: Any, own: str, run: Run, most: int = _NAMES_SHOWN + 1) -> list[Any]:
    """Return some of the values that a column takes, sorted; gaps are none."""
    import narwhals.stable.v2 as nw

    column = nw.col(own)
    some = frame.select(column).filter(~column.is_null()).unique().head(most)
    return sorted(run(some).column(own).to_pylist(), key=str)
