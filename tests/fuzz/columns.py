"""Columns of labels, scores and weights: what they mean, how they are written, what is wrong.

A sample is drawn as plain numbers first. Then its labels are written in some notation, its numbers
in some type, and each column in some container; what the columns mean stays known, unless a fault
is put into one of them. So the right answer is computed from the plain numbers, not from what
rocwalk is given.
"""

from __future__ import annotations

import array
import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

from fuzz.draw import Draw


@dataclass(frozen=True)
class Sample:
    """What the rows mean: which are positive, their scores and weights."""

    positive: np.ndarray
    scores: np.ndarray
    weights: np.ndarray | None


@dataclass(frozen=True)
class Arguments:
    """What a function of (y_true, y_score) is called with, and what it means.

    `sample` is None if something is wrong with the columns or the options, or if the truth is soft.
    """

    y_true: Any
    y_score: Any
    options: dict[str, Any]
    sample: Sample | None
    story: tuple[str, ...] = field(default=())


def draw_sample(draw: Draw) -> Sample:
    """Draw rows of two classes, usually both present."""
    rows = draw.rarely(draw.whole(4, 40), (1, 2, 3, 200))
    positive = draw.rng.random(rows) < draw.rarely(0.5, (0.0, 0.05, 0.95, 1.0))
    if not draw.chance(0.05) and rows > 1:
        positive[:2] = [True, False]
        positive = draw.rng.permutation(positive)
    scores = SCORES[draw.pick(SCORES)](draw.rng, positive)
    return Sample(positive, scores, WEIGHTS[draw.rarely("none", WEIGHTS, 0.4)](draw.rng, rows))


Numbers = Callable[[np.random.Generator, Any], Any]

SCORES: dict[str, Numbers] = {
    "probabilities": lambda rng, y: np.clip(0.2 * y + rng.random(len(y)) * 0.8, 0, 1),
    "probabilities with ties": lambda rng, y: np.round(0.3 * y + rng.random(len(y)) * 0.7, 1),
    "probabilities near 0": lambda rng, y: 10.0 ** -rng.integers(0, 300, len(y)),
    "probabilities near 1": lambda rng, y: 1 - 2.0 ** -rng.integers(1, 53, len(y)),
    "only 0 and 1": lambda rng, y: (rng.random(len(y)) < 0.3 + 0.4 * y).astype(float),
    "constant": lambda rng, y: np.full(len(y), rng.choice([0.0, 0.3, -5.0, 1e300])),
    "separated": lambda rng, y: y + 0.5 * rng.random(len(y)),
    "logits": lambda rng, y: rng.normal(y, 1),
    "large": lambda rng, y: rng.normal(y, 1) * 10.0 ** rng.integers(250, 307),
    "subnormal": lambda rng, y: rng.integers(-5, 9, len(y)) * 5e-324,
    "any exponent": lambda rng, y: rng.normal(y, 1) * 10.0 ** rng.integers(-307, 307, len(y)),
    "neighbours": lambda rng, y: 1 + rng.integers(0, 4, len(y)) * 2.0**-52,
    "zeros of both signs": lambda rng, y: rng.choice([-0.0, 0.0, 0.5], len(y)),
    "counts": lambda rng, y: rng.integers(-3, 12, len(y)).astype(float) + y,
    "large integers": lambda rng, y: 2.0**53 - rng.integers(0, 50, len(y)),
}

WEIGHTS: dict[str, Numbers] = {
    "none": lambda rng, n: None,
    "ones": lambda rng, n: np.ones(n),
    "counts": lambda rng, n: rng.integers(1, 6, n).astype(float),
    "around 1": lambda rng, n: rng.uniform(0.1, 3, n),
    "any scale": lambda rng, n: rng.uniform(0.1, 3, n) * 10.0 ** rng.integers(-300, 300),
    "many scales": lambda rng, n: rng.uniform(0.1, 3, n) * 10.0 ** rng.integers(-8, 8, n),
    "some zero": lambda rng, n: np.where(np.arange(n) % 4 == 3, 0.0, rng.uniform(0.5, 2, n)),
}

# how two classes are written: the positive and the negative label, and whether the positive one
# must be named
NOTATIONS: dict[str, tuple[Any, Any, bool]] = {
    "1 and 0": (1, 0, False),
    "booleans": (True, False, False),
    "1 and -1": (1, -1, False),
    "floats": (1.0, 0.0, False),
    "text": ("yes", "no", True),
    "text of digits": ("1", "0", True),
    "text of booleans": ("True", "False", True),
    "hostile text": ("\x1b[31m[/red]<b>", "", True),
    "long text": ("ä" * 300, "\u202eb", True),
    "1 and 2": (1, 2, True),
    "large integers": (2**62, 2**62 + 1, True),
    "fractions": (0.25, 0.75, True),
    "dates": (dt.date(2026, 1, 1), dt.date(2026, 1, 2), True),
    "bytes": (b"yes", b"no", True),
    "text and a number": ("yes", 0, True),
}

# types that hold numbers; what a type cannot hold exactly is rounded before the sample is made
TYPES = ("f8", "f4", "f2", ">f8", ">f4", "i8", ">i4", "i2", "u1", "longdouble", "bool")


def _strided(values: np.ndarray) -> np.ndarray:
    return np.repeat(values, 2)[::2]


def _read_only(values: np.ndarray) -> np.ndarray:
    values = values.copy()
    values.flags.writeable = False
    return values


def _native(values: np.ndarray) -> np.ndarray:
    """Return numbers in the byte order and the types that dataframes know."""
    if values.dtype.kind == "f" and values.dtype.itemsize not in (4, 8):
        return values.astype(np.float64)
    return values.astype(values.dtype.newbyteorder("="))


def _exactly(values: np.ndarray, make: Callable[[list[Any]], Any]) -> Any:
    """Return numbers as decimals in a container; as floats where that takes too many digits."""
    plain = _native(values).tolist()
    exact = [Decimal(one) for one in plain] if values.dtype.kind in "iuf" else []
    if any(len(one.as_tuple().digits) > 30 or abs(one.adjusted()) > 30 for one in exact):
        return make(plain)
    return make(exact or plain)


CONTAINERS: dict[str, Callable[[np.ndarray], Any]] = {
    "array": lambda values: values,
    "list": lambda values: values.tolist(),
    "tuple": lambda values: tuple(values.tolist()),
    "list of scalars": list,
    "objects": lambda values: np.array([*values.tolist(), None], dtype=object)[:-1],
    "strided": _strided,
    "backwards": lambda values: values[::-1].copy()[::-1],
    "read-only": _read_only,
    "masked, nothing masked": np.ma.array,
    "pandas": lambda values: pd.Series(_native(values)),
    "pandas, odd index": lambda values: pd.Series(_native(values), index=[7] * len(values)),
    "pandas, named": lambda values: pd.Series(_native(values), name="\x1b[2J<b>"),
    "pandas, nullable": lambda values: pd.Series(_native(values)).convert_dtypes(),
    "pandas, pyarrow": lambda values: pd.Series(pa.array(_native(values)).to_pandas()),
    "pandas, categorical": lambda values: pd.Series(_native(values)).astype("category"),
    "pandas, index": lambda values: pd.Index(_native(values)),
    "polars": lambda values: pl.Series(_native(values)),
    "pyarrow": lambda values: pa.array(_native(values)),
    "pyarrow, chunks": lambda values: pa.chunked_array(
        [_native(values)[:1], _native(values)[1:]], type=pa.array(_native(values)).type
    ),
    "pyarrow, dictionary": lambda values: pa.array(_native(values)).dictionary_encode(),
    "memoryview": lambda values: memoryview(np.ascontiguousarray(_native(values))),
    "decimals": lambda values: _exactly(values, list),
    "pandas, decimals": lambda values: _exactly(values, pd.Series),
    "pyarrow, decimals": lambda values: _exactly(values, pa.array),
    "polars, 128 bits": lambda values: pl.Series(
        _native(values), dtype=pl.Int128 if values.dtype.kind in "iu" else None
    ),
    "array.array": lambda values: array.array("d", values.astype(np.float64).tolist()),
}
_OF_NUMBERS = ("memoryview", "array.array")
_PLAIN = ("array", "list", "tuple", "list of scalars", "objects", "masked, nothing masked")
_NO_SCORES = ("pandas, categorical", "pyarrow, dictionary")  # a category is no number

# things that are no column at all
NO_COLUMNS: dict[str, Callable[[Any], Any]] = {
    "nothing": lambda values: None,
    "a number": lambda values: 0.5,
    "text": lambda values: "score",
    "bytes": lambda values: b"score",
    "a set": lambda values: set(values.tolist()),
    "a dict": lambda values: dict(enumerate(values.tolist())),
    "a generator": lambda values: (value for value in values.tolist()),
    "an iterator": lambda values: iter(values.tolist()),
    "a table": lambda values: pd.DataFrame({"a": values, "b": values}),
    "a polars table": lambda values: pl.DataFrame({"a": values.tolist(), "b": values.tolist()}),
    "a pyarrow table": lambda values: pa.table({"a": values.tolist(), "b": values.tolist()}),
    "a lazy polars table": lambda values: pl.LazyFrame({"a": values.tolist()}),
    "a matrix of one column": lambda values: values.reshape(-1, 1),
    "a matrix of one row": lambda values: values.reshape(1, -1),
    "a matrix of two columns": lambda values: np.column_stack([values, values]),
    "a cube": lambda values: values.reshape(-1, 1, 1),
    "an array of no dimension": lambda values: np.array(0.5),
    "ragged rows": lambda values: [[value] * (k % 3) for k, value in enumerate(values.tolist())],
    "structured": lambda values: np.zeros(len(values), dtype=[("a", "f8"), ("b", "i4")]),
    "a type": lambda values: float,
    "a range": lambda values: range(len(values)),
}

# values that do not belong into a column of scores or labels
ODD_VALUES: dict[str, Any] = {
    "NaN": float("nan"),
    "infinity": float("inf"),
    "minus infinity": float("-inf"),
    "None": None,
    "NA": pd.NA,
    "NaT": pd.NaT,
    "text": "x",
    "empty text": "",
    "a numeral": "0.5",
    "a thousand": "1,000",
    "bytes": b"0.5",
    "a huge integer": 10**400,
    "an odd integer": 2**53 + 1,
    "complex": 1j,
    "a list": [1],
    "an empty list": [],
    "an array": np.array([1, 2]),
    "an array of no dimension": np.array(0.5),
    "a date": dt.date(2026, 1, 1),
    "a time": np.datetime64("2026-01-01"),
    "no time": np.datetime64("NaT"),
    "a span": np.timedelta64(1, "D"),
    "an object": object(),
    "a boolean": True,
    "a NumPy boolean": np.True_,
    "half": np.float16(0.5),
    "long": np.longdouble("1e4000"),
    "minus zero": -0.0,
    "2": 2,
    "-1": -1,
    "a set": frozenset({1}),
    "dots": ...,
}


def draw_arguments(draw: Draw) -> Arguments:
    """Draw the arguments of a function of (y_true, y_score)."""
    sample = draw_sample(draw)
    story = []
    kind = draw.rarely("f8", TYPES, 0.35)
    scores, weights = typed(sample.scores, kind), sample.weights
    exact = scores.astype(np.float64)
    sample = replace(sample, scores=exact)
    notation = draw.rarely("1 and 0", NOTATIONS, 0.5)
    yes, no, named = NOTATIONS[notation]
    labels = written(sample.positive, yes, no)
    options = {"pos_label": yes} if named or draw.chance(0.1) else {}
    place = draw.pick(CONTAINERS)
    y_true = contained(labels, place)
    other = draw.rarely("array", CONTAINERS, 0.5)
    y_score = scores if other in _NO_SCORES else CONTAINERS[other](scores)
    story += [f"labels {notation} as {place}", f"scores {kind} as {other}"]
    if weights is not None:
        how = draw.rarely("array", [name for name in CONTAINERS if name not in _NO_SCORES])
        options["sample_weight"] = CONTAINERS[how](weights)
        story.append(f"weights as {how}")
    given = Arguments(y_true, y_score, options, sample, tuple(story))
    while draw.chance(0.4):
        fault = draw.pick(FAULTS)
        given = FAULTS[fault](draw, given)
        given = replace(given, sample=None, story=(*given.story, f"with {fault}"))
    return given


def typed(numbers: np.ndarray, kind: str) -> np.ndarray:
    """Return numbers in a type, rounded and clipped to what it holds."""
    if kind == "bool":
        return numbers > np.median(numbers)
    dtype = np.dtype(kind)
    limits = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
    with np.errstate(over="ignore", under="ignore"):
        low, high = max(float(limits.min), -(2.0**1023)), min(float(limits.max), 2.0**1023)
        if dtype.kind == "i" and dtype.itemsize == 8:
            low, high = -(2.0**53), 2.0**53
        return np.clip(numbers, low, high).astype(dtype)


def written(positive: np.ndarray, yes: Any, no: Any) -> np.ndarray:
    """Return labels as an array: of their own type if they have one, else of objects."""
    if type(yes) is type(no) and isinstance(yes, bool | int | float | str | bytes):
        return np.array([yes if one else no for one in positive])
    labels = np.empty(len(positive), dtype=object)
    labels[:] = [yes if one else no for one in positive]
    return labels


def contained(labels: np.ndarray, place: str) -> Any:
    """Return labels in a container; those that cannot be there in a list."""
    if labels.dtype.kind not in "biuf" and place in _OF_NUMBERS:
        return labels.tolist()
    if labels.dtype.kind == "i" and abs(labels).max() > 2**53 and place == "array.array":
        return labels.tolist()
    is_mixed = labels.dtype.kind == "O" and len(set(map(type, labels.tolist()))) > 1
    if (labels.dtype.kind in "OS" or is_mixed) and place not in _PLAIN:
        return labels.tolist()
    return CONTAINERS[place](labels)


# -- faults: each returns arguments that are wrong in one way, or that mean something else -----------


def _listed(column: Any) -> list[Any]:
    try:
        return list(column)
    except TypeError:  # no column any more
        return [column]


def _odd_value(draw: Draw, given: Arguments, name: str) -> Arguments:
    values = _listed(getattr(given, name) if name != "sample_weight" else given.options[name])
    for _ in range(draw.whole(1, 2)):
        if values:
            values[draw.whole(0, len(values) - 1)] = ODD_VALUES[draw.pick(ODD_VALUES)]
    column: Any = values
    if draw.chance(0.5):
        column = np.empty(len(values), dtype=object)
        for k, value in enumerate(values):
            column[k] = value
    return _with(given, name, column)


def _with(given: Arguments, name: str, column: Any) -> Arguments:
    if name == "sample_weight":
        return replace(given, options=given.options | {name: column})
    return replace(given, **{name: column})


def _odd_label(draw: Draw, given: Arguments) -> Arguments:
    return _odd_value(draw, given, "y_true")


def _odd_score(draw: Draw, given: Arguments) -> Arguments:
    return _odd_value(draw, given, "y_score")


def _odd_weight(draw: Draw, given: Arguments) -> Arguments:
    if given.options.get("sample_weight") is None:
        given = _with(given, "sample_weight", np.ones(len(_listed(given.y_true))))
    return _odd_value(draw, given, "sample_weight")


def _nan_scores(draw: Draw, given: Arguments) -> Arguments:
    """Return scores of a usual type with gaps."""
    values = [value for value in _listed(given.y_score) if isinstance(value, float)]
    if not values:
        return given
    gaps = draw.rng.random(len(values)) < draw.pick((0.1, 0.5, 1.0))
    with_gaps = [None if gap else float(value) for gap, value in zip(gaps, values, strict=True)]
    make = draw.pick(
        [
            lambda: np.array(with_gaps, dtype=np.float64),
            lambda: np.ma.masked_invalid(np.array(with_gaps, dtype=np.float64)),
            lambda: pd.Series(with_gaps, dtype="Float64"),
            lambda: pd.Series(with_gaps, dtype="float64[pyarrow]"),
            lambda: pl.Series(with_gaps, dtype=pl.Float64),
            lambda: pa.array(with_gaps, pa.float64()),
            lambda: with_gaps,
        ]
    )
    return replace(given, y_score=make())


def _swapped(draw: Draw, given: Arguments) -> Arguments:
    return replace(given, y_true=given.y_score, y_score=given.y_true)


def _no_column(draw: Draw, given: Arguments) -> Arguments:
    name = draw.pick(("y_true", "y_score", "sample_weight"))
    plain = given.sample.scores if given.sample else np.array([0.5, 0.25, 1.0])
    return _with(given, name, NO_COLUMNS[draw.pick(NO_COLUMNS)](plain))


def _cut(draw: Draw, given: Arguments) -> Arguments:
    name = draw.pick(("y_true", "y_score"))
    values = _listed(getattr(given, name))
    return _with(given, name, values[: draw.whole(0, len(values))])


def _empty(draw: Draw, given: Arguments) -> Arguments:
    make = draw.pick(
        [list, tuple, lambda: np.array([]), lambda: pd.Series([], dtype=float), pl.Series]
    )
    return replace(given, y_true=make(), y_score=make(), options={})


def _soft(draw: Draw, given: Arguments) -> Arguments:
    truth = draw.rng.random(len(_listed(given.y_score)))
    return replace(given, y_true=np.round(truth, draw.whole(1, 3)), options={})


def _third_label(draw: Draw, given: Arguments) -> Arguments:
    values = _listed(given.y_true)
    if values:
        values[draw.whole(0, len(values) - 1)] = draw.pick((3, "maybe", 0.5, -7, True, 1e300))
    return replace(given, y_true=values)


def _other_positive(draw: Draw, given: Arguments) -> Arguments:
    odd = (0, 1, "1", "yes", "Yes", True, 1.0, -1, float("nan"), None, [1], b"1", 2**70, 1j, pd.NA)
    return replace(given, options=given.options | {"pos_label": draw.pick(odd)})


def _odd_option(draw: Draw, given: Arguments) -> Arguments:
    name = draw.pick(("truth", "invalid"))
    value = draw.pick(("auto", "hard", "soft", "raise", "drop", "skip", "", None, 1, ["drop"]))
    return replace(given, options=given.options | {name: value})


def _dropping(draw: Draw, given: Arguments) -> Arguments:
    return replace(given, options=given.options | {"invalid": "drop"})


def _bad_weights(draw: Draw, given: Arguments) -> Arguments:
    n = len(_listed(given.y_true))
    weights = draw.pick(
        [
            np.zeros(n),
            -np.ones(n),
            np.full(n, np.nan),
            np.full(n, np.inf),
            np.full(n, 5e-324),
            np.full(n, 1.7e308),
            np.arange(n) - 1.0,
            np.ones(n, dtype=bool),
            np.array(["1"] * n),
            np.ones((n, 1)),
            np.ones(n + 1),
            2.0,
        ]
    )
    return _with(given, "sample_weight", weights)


FAULTS: dict[str, Callable[[Draw, Arguments], Arguments]] = {
    "an odd label": _odd_label,
    "an odd score": _odd_score,
    "an odd weight": _odd_weight,
    "gaps in the scores": _nan_scores,
    "swapped arguments": _swapped,
    "no column": _no_column,
    "unequal lengths": _cut,
    "no rows": _empty,
    "soft truth": _soft,
    "a third label": _third_label,
    "another pos_label": _other_positive,
    "an odd option": _odd_option,
    "invalid rows dropped": _dropping,
    "bad weights": _bad_weights,
}
