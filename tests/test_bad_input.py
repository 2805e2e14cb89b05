"""Bad input × every function: each error is pinned, names the place and ends in a hint."""

from __future__ import annotations

import inspect
import math
import re
from decimal import Decimal
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rocwalk as rw
from rocwalk.errors import (
    DroppedRowsWarning,
    HardScoresWarning,
    InputError,
    LabelError,
    OneClassError,
    OptionError,
    RocwalkError,
    ScoreError,
    ScoreKindWarning,
    SwappedArgumentsWarning,
    WeightError,
)
from rocwalk.evaluate.question import Question
from rocwalk.evaluate.study import read_study

Y, S = [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]
NAN, INF = float("nan"), float("inf")
NAN_SCORE = r"y_score at row 2 is NaN \(or missing\)"
NOTHING_LEFT = (
    "invalid='drop' leaves none of 4 rows: y_score is (NaN, missing or infinite|missing or outside "
    r"\[0, 1\]) in 4\.\nHint: no row can be used: are these the right columns"
)
NOT_A_COLUMN = "is {}, not a column"


def objects(*values):
    """Return values as a column of objects."""
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


class ByArray:
    """A column that has `__array__` only."""

    def __init__(self, values):
        self.values = np.asarray(values)

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype=dtype)


class ByDLPack:
    """A column that has DLPack only."""

    def __init__(self, values):
        self.values = np.asarray(values)

    def __dlpack__(self, **options):
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


class Strict(ByDLPack):
    """A column that refuses `__array__`, as libraries do that forbid implicit conversions."""

    def __array__(self, dtype=None, copy=None):
        raise ValueError("Conversion to a NumPy array is not supported")


class Tensor:
    """A column that refuses as torch's tensors do."""

    def __init__(self, values, dtype="torch.float32", device="cpu", *, requires_grad=False):
        self.values, self.dtype, self.device = values, dtype, device
        self.requires_grad = requires_grad

    def __len__(self):
        return len(self.values)

    def __array__(self, dtype=None, copy=None):
        if self.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")
        raise TypeError(f"Got unsupported {self.dtype} on {self.device}")

    def __dlpack__(self, **options):
        raise BufferError("Can't export tensors like this one")

    def __dlpack_device__(self):
        return (1, 0)


# what goes in (y_true, y_score, options), and the error that comes out of rw.tally and rw.roc
BAD = {
    "nan score": ((Y, [0.9, 0.8, NAN, 0.1], {}), ScoreError, NAN_SCORE),
    "two nan scores": (
        (Y, [0.9, NAN, NAN, 0.1], {}),
        ScoreError,
        r"y_score at row 1 \(the first of 2\) is NaN",
    ),
    "inf score": ((Y, [0.9, INF, 0.2, 0.1], {}), ScoreError, "y_score at row 1 is inf"),
    "-inf score": ((Y, [0.9, 0.5, 0.2, -INF], {}), ScoreError, "y_score at row 3 is -inf"),
    "None score": ((Y, [0.9, 0.8, None, 0.1], {}), ScoreError, NAN_SCORE),
    "null in polars": ((Y, pl.Series([0.9, 0.8, None, 0.1]), {}), ScoreError, NAN_SCORE),
    "null in pyarrow": ((Y, pa.array([0.9, 0.8, None, 0.1]), {}), ScoreError, NAN_SCORE),
    "NA in pandas": (
        (Y, pd.Series([1, 0, pd.NA, 1], dtype="Int64"), {}),
        ScoreError,
        NAN_SCORE,
    ),
    "NA in an object array": (
        (Y, np.array([1, 0, pd.NA, 1], dtype=object), {}),
        ScoreError,
        NAN_SCORE,
    ),
    "NA label": (
        (np.array([1, 0, pd.NA, 1], dtype=object), S, {}),
        LabelError,
        "y_true at row 2 is missing",
    ),
    "a table for a column": (
        (Y, pa.table({"a": S, "b": S}), {}),
        InputError,
        r"y_score has 2 dimensions, shape \(4, 2\)",
    ),
    "masked in numpy": (
        (Y, np.ma.masked_equal([0.9, 0.8, 0.7, 0.1], 0.7), {}),
        ScoreError,
        NAN_SCORE,
    ),
    "nan label": (([1, 0, NAN, 0], S, {}), LabelError, r"y_true at row 2 is missing \(NaN or null"),
    "null label": ((pl.Series([1, 0, 1, None]), S, {}), LabelError, "y_true at row 3 is missing"),
    "None label": (
        (["a", None, "b", "a"], S, {"pos_label": "a"}),
        LabelError,
        "y_true at row 1 is",
    ),
    "empty": (([], [], {}), InputError, "y_true and y_score are empty"),
    "unequal lengths": (
        (Y, S[:3], {}),
        InputError,
        "lengths differ: y_true has 4 rows, y_score 3",
    ),
    "unequal weights": (
        (Y, S, {"sample_weight": [1]}),
        InputError,
        "lengths differ: .* sample_weight 1",
    ),
    "two-dimensional score": (
        (Y, np.ones((4, 2)), {}),
        InputError,
        r"y_score has 2 dimensions, shape \(4, 2\)",
    ),
    "predict_proba": (
        (Y, np.column_stack([1 - np.array(S), S]), {}),
        InputError,
        r"y_score has 2 dim(.|\n)*Hint: use \[:, 1\], the .*: pass y_score\[:, 1\]\.",
    ),
    "a tensor that requires a gradient": (
        (Y, Tensor(S, requires_grad=True), {}),
        InputError,
        r"y_score is a Tensor, which cannot .*\nHint: call \.detach\(\) on it first: pass y_score\.det",
    ),
    "a tensor of labels that requires a gradient": (
        (Tensor(S, requires_grad=True), S, {}),
        InputError,
        r"y_true is a Tensor, which cannot .*\nHint: call \.detach\(\) on it first: pass y_true\.deta",
    ),
    "a tensor of bfloat16": (
        (Y, Tensor(S, "torch.bfloat16"), {}),
        InputError,
        r"Hint: call \.float\(\) on it first: pass y_score\.float\(\)\.",
    ),
    "a tensor that needs three calls": (
        (Y, Tensor(S, "torch.bfloat16", "cuda:0", requires_grad=True), {}),
        InputError,
        r"Hint: call \.detach\(\)\.cpu\(\)\.float\(\) on it first",
    ),
    "a tensor that refuses for another reason": (
        (Y, Tensor(S), {}),
        InputError,
        "which cannot be read as a column.\nHint: pass a list, or a NumPy",
    ),
    "three-dimensional score": (
        (Y, np.ones((4, 1, 1)), {}),
        InputError,
        "y_score has 3 dimensions",
    ),
    "two-dimensional label": (
        (np.ones((4, 2)), S, {}),
        InputError,
        r"y_true has 2 dimensions, shape \(4, 2\)",
    ),
    "ragged list": ((Y, [[1], [1, 2], [3], [4]], {}), InputError, "nested list of unequal lengths"),
    "three labels": (
        ([0, 1, 2, 1], S, {}),
        LabelError,
        (
            "labels 0, 1, 2, which do not say which one is positive.\n"
            "Hint: map each label to one of two classes, and name the positive label with pos_label="
        ),
    ),
    "many labels": (
        (list(range(9)), [0.1] * 9, {}),
        LabelError,
        "labels 0, 1, 2, 3, 4, …, which do not say",
    ),
    "labels 1 and 2": (([1, 2, 1, 2], S, {}), LabelError, "labels 1, 2, which do not say"),
    "labels -1, 0, 1": (([-1, 0, 1, 1], S, {}), LabelError, "labels -1, 0, 1, which do not"),
    "text labels": (
        (["yes", "no", "yes", "no"], S, {}),
        LabelError,
        "labels no, yes, which do not",
    ),
    "object labels": (([1, "no", 1, "no"], S, {}), LabelError, "labels 1, no, which do not say"),
    "a list among labels": (
        (objects(1, 0, [1], 0), S, {}),
        LabelError,
        r"y_true at row 2 is \[1\], not one label.\nHint: pass one label per row as y_true",
    ),
    "an array among text labels": (
        (objects("yes", "no", "yes", np.array([1, 2])), S, {"pos_label": "yes"}),
        LabelError,
        r"y_true at row 3 is array\(\[1, 2\]\), not one label",
    ),
    "text pos_label that no row has": (
        (["yes", "no", "yes", "no"], S, {"pos_label": "7"}),
        LabelError,
        "No row has the label '7' in y_true.\nHint: there are: 'no', 'yes'\\.",
    ),
    "text scores": (
        (Y, ["0.9", "0.8", "0.7", "x"], {}),
        ScoreError,
        "y_score at row 0 is .*0.9.*, not a",
    ),
    "mixed scores": (
        (Y, [0.9, "x", 0.7, 0.1], {}),
        ScoreError,
        "y_score at row 1 is 'x', not a number",
    ),
    "complex scores": (
        (Y, [0.9, 0.8j, 0.7, 0.1], {}),
        ScoreError,
        "y_score at row 0 is .*, not a number",
    ),
    "dates as scores": (
        (Y, np.array(["2026-01-01"] * 4, dtype="datetime64[D]"), {}),
        ScoreError,
        "not a number",
    ),
    "a scalar": ((1, S, {}), InputError, "y_true is an int, not a column"),
    "a string": ((Y, "score", {}), InputError, "y_score is a str, not a column"),
    "a dict": ((Y, {"a": 1}, {}), InputError, "y_score is a dict, not a column"),
    "None": ((None, S, {}), InputError, "y_true is None, not a column"),
    "negative weight": (
        (Y, S, {"sample_weight": [1, -1, 1, 1]}),
        WeightError,
        "sample_weight at row 1 is -1",
    ),
    "nan weight": (
        (Y, S, {"sample_weight": [1, 1, NAN, 1]}),
        WeightError,
        "sample_weight at row 2 is nan",
    ),
    "infinite weight": (
        (Y, S, {"sample_weight": [1, 1, 1, INF]}),
        WeightError,
        "sample_weight at row 3 is inf",
    ),
    "all weights zero": (
        (Y, S, {"sample_weight": [0] * 4}),
        WeightError,
        "sample_weight is zero in all rows",
    ),
    "text weights": (
        (Y, S, {"sample_weight": list("abcd")}),
        WeightError,
        "sample_weight at row 0 is 'a', not a",
    ),
    "truth above 1": (
        ([0.5, 1.5, 0.2, 0.1], S, {}),
        LabelError,
        r"y_true at row 1 is 1.5, outside \[0, 1\]",
    ),
    "truth below 0": (
        ([0.5, -0.5, 0.2, 0.1], S, {"truth": "soft"}),
        LabelError,
        r"row 1 is -0.5, outside",
    ),
    "soft truth where hard is asked": (
        ([0.5, 1, 0, 1], S, {"truth": "hard"}),
        LabelError,
        'row 0 is 0.5, but truth="hard" allows',
    ),
    "pos_label with soft truth": (
        (Y, S, {"truth": "soft", "pos_label": 1}),
        LabelError,
        "pos_label=1 names a class, but",
    ),
    "text for a number": (
        (Y, S, {"pos_label": "1"}),
        LabelError,
        "pos_label='1' is text, but y_true holds numbers",
    ),
    "a number for text": (
        (list("abab"), S, {"pos_label": 1}),
        LabelError,
        "pos_label=1 is not text, but y_true holds",
    ),
    "pos_label in another case": (
        (["yes", "no", "yes", "no"], S, {"pos_label": "Yes"}),
        LabelError,
        "No row has the label 'Yes' in y_true.\nHint: did you mean 'yes'\\?",
    ),
    "pos_label in another case than the only label": (
        (["yes"] * 4, S, {"pos_label": "YES "}),
        LabelError,
        "No row has the label 'YES ' in y_true.\nHint: did you mean 'yes'\\?",
    ),
    "pos_label that no row has": (
        ([1, 2, 1, 2], S, {"pos_label": 3}),
        LabelError,
        "No row has the label 3 in y_true.\nHint: there are: 1, 2\\.",
    ),
    "pos_label that is missing": (
        (Y, S, {"pos_label": NAN}),
        LabelError,
        "pos_label=nan is not one label",
    ),
    "a third label": (
        (["yes", "no", "unknown", "no"], S, {"pos_label": "yes"}),
        LabelError,
        "y_true at row 2 has the label 'unknown' beside pos_label='yes' and 'no'",
    ),
    "a third number": (
        ([1, 0, 2, 2], S, {"pos_label": 1}),
        LabelError,
        "y_true at row 1 has the label 0 beside pos_label=1 and 2",
    ),
    "a third label, misspelt": (
        (["yes", "no", "Yes", "no"], S, {"pos_label": "yes"}),
        LabelError,
        "row 2 has the label 'Yes' beside pos_label='yes' and 'no'.\nHint: did you mean 'yes'",
    ),
    "probabilities with pos_label": (
        ([1, 0.5, 0, 0], S, {"pos_label": 1}),
        LabelError,
        "y_true at row 1 has the label 0.5 beside pos_label=1 and 0.0",
    ),
    "huge integers": (
        (Y, [2**53, 2**53 + 1, 0, 1], {}),
        ScoreError,
        "row 1 is the integer 9007199254740993, which",
    ),
    "huge unsigned integers": (
        (Y, np.array([2**64 - 1, 0, 1, 2], dtype=np.uint64), {}),
        ScoreError,
        "row 0 is the integer 18446744073709551615, which float64 cannot hold",
    ),
    "integers beyond 64 bits": (
        (Y, [10**400, 0, 1, 2], {}),
        ScoreError,
        r"row 0 is the integer ≈10\*\*400, which float64 cannot",
    ),
    "integers that Python does not write": (
        (Y, [10**5000, 0, 1, 2], {}),
        ScoreError,
        r"row 0 is the integer ≈10\*\*5000, which float64 cannot",
    ),
    "labels that Python does not write": (
        ([10**5000, 0, 1, 0], S, {}),
        LabelError,
        r"y_true has the labels 0, 1, ≈10\*\*5000, which",
    ),
    "integers of 128 bits": (
        (Y, pl.Series([10**30 + 1, 0, 1, 2], dtype=pl.Int128), {}),
        ScoreError,
        "row 0 is the integer 1000000000000000000000000000001, which float64 cannot",
    ),
    "labels beyond float64": (
        ([10**400, 0, 1, 0], S, {}),
        LabelError,
        r"y_true has the labels 0, 1, ≈10\*\*400, which",
    ),
    "a lazy table for a column": (
        (Y, pl.LazyFrame({"p": S}), {}),
        InputError,
        "y_score is a LazyFrame, not a column",
    ),
    "records for a column": (
        (Y, np.array([(1, 2)] * 4, dtype=[("a", int), ("b", int)]), {}),
        InputError,
        "y_score holds records, not single values",
    ),
    "a signalling NaN": (
        (Y, [Decimal("0.5"), Decimal("sNaN"), Decimal("0.25"), Decimal("0.1")], {}),
        ScoreError,
        "y_score at row 1 is NaN",
    ),
    "nan behind a row of weight zero": (
        (Y, [0.9, NAN, NAN, 0.1], {"sample_weight": [1, 0, 1, 1]}),
        ScoreError,
        NAN_SCORE,
    ),
    "unknown truth": ((Y, S, {"truth": "firm"}), OptionError, "truth='firm' is not known"),
    "unknown invalid": ((Y, S, {"invalid": "skip"}), OptionError, "invalid='skip' is not known"),
    "all rows invalid": (
        (Y, [NAN] * 4, {"invalid": "drop"}),
        ScoreError,
        NOTHING_LEFT,
    ),
}

if np.finfo(np.longdouble).nmant > np.finfo(np.float64).nmant:  # else they are the same numbers
    NEAR = np.longdouble(2) ** -60
    BAD |= {
        "long doubles that float64 cannot hold apart": (
            (Y, np.array([1 + NEAR, 1, 1, 1 - NEAR], dtype=np.longdouble) / 2, {}),
            ScoreError,
            r"which float64 cannot hold exactly",
        ),
        "a long double beyond float64": (
            (Y, np.array(["1e4000", "1", "0.5", "0.1"], dtype=np.longdouble), {}),
            ScoreError,
            r"y_score at row 0 is (1e\+4000, which float64 cannot hold exactly|inf)",
        ),
    }

FUNCTIONS = {
    "tally": rw.tally,
    "roc": rw.roc,
    "metrics.roc_auc_score": rw.metrics.roc_auc_score,
    "metrics.roc_curve": rw.metrics.roc_curve,
    "smeared_area": partial(rw.smeared_area, width=0.5),
    "matched_width": rw.matched_width,
    "matched_concentration": rw.matched_concentration,
    "smeared_roc": partial(rw.smeared_roc, width=0.5),
    "metrics.probabilistic_auc_score": rw.metrics.probabilistic_auc_score,
    "metrics.probabilistic_gini_score": rw.metrics.probabilistic_gini_score,
    "metrics.scored_auc_score": rw.metrics.scored_auc_score,
    "soft_roc": rw.soft_roc,
    "reference_truth": rw.reference_truth,
    "truth_tally": rw.truth_tally,
    "accuracy_table": rw.accuracy_table,
    "sensibility": rw.sensibility,
    "calibration": rw.calibration,
    "metrics.sensibility_score": rw.metrics.sensibility_score,
    "metrics.capability_score": rw.metrics.capability_score,
    "metrics.struggle_ratio": rw.metrics.struggle_ratio,
    "metrics.soft_auc_score": rw.metrics.soft_auc_score,
    "metrics.auc_prt_score": rw.metrics.auc_prt_score,
    "metrics.h_measure_score": rw.metrics.h_measure_score,
    "interval": rw.interval,
    "band": partial(rw.band, rng=0, n_resamples=20),
    "best_threshold": partial(rw.best_threshold, rng=0, n_resamples=20),
    "smooth_roc": partial(rw.smooth_roc, method="density", bandwidth=0.2),
}
OF_PROBABILITIES = set(FUNCTIONS) - {
    "tally", "roc", "metrics.roc_auc_score", "metrics.roc_curve", "interval", "band", "best_threshold", "smooth_roc",
    "reference_truth", "truth_tally", "accuracy_table", "metrics.auc_prt_score", "metrics.h_measure_score",
}  # fmt: skip
# Where scikit-learn's conventions win: these inputs are fine there, or said in its own phrases.
SKLEARN_ACCEPTS = {
    (name, bad)
    for name in FUNCTIONS
    for bad in ("labels 1 and 2", "text labels")
    if name.startswith("metrics.") and name != "metrics.roc_curve"
} | {("metrics.roc_auc_score", "two-dimensional score")}
SKLEARN_ACCEPTS |= {
    (f"metrics.{name}", bad)
    for name in ("roc_auc_score", "roc_curve")
    for bad in (
        "huge integers",
        "huge unsigned integers",
        "integers of 128 bits",
        "long doubles that float64 cannot hold apart",
    )
}
# Its drop-ins take all labels but the positive one for negative, and none need be positive.
SKLEARN_ACCEPTS |= {
    (name, bad)
    for name in ("metrics.roc_auc_score", "metrics.roc_curve")
    for bad in BAD
    if bad.startswith(("pos_label in", "a third", "probabilities with"))
    or "pos_label that no" in bad
}
SKLEARN_PHRASES = {
    "labels beyond float64": r"has the labels 0, 1, ≈10\*\*4|multi_class must be in|multiclass format",
    "labels that Python does not write": "multi_class must be in|multiclass format is not supported",
    "three labels": r"multi_class must be in \('ovo', 'ovr'\)|multiclass format is not supported",
    "many labels": r"multi_class must be in \('ovo', 'ovr'\)|multiclass format is not supported",
    "labels -1, 0, 1": r"multi_class must be in \('ovo', 'ovr'\)|multiclass format is not supported",
    "labels 1 and 2": "pos_label is not specified",
    "text labels": "pos_label is not specified",
}


def scores_of(name):
    """Return what a function calls its argument of scores."""
    _, scores, *_ = inspect.signature(FUNCTIONS[name]).parameters
    return scores


def is_scored(name, function):
    """Whether a public function takes (y_true, y_score) or (y_true, y_prob)."""
    parameters = list(inspect.signature(function).parameters)[:2]
    return parameters in (["y_true", "y_score"], ["y_true", "y_prob"])


OF_SEVERAL_CLASSES = {
    "multiclass",
    "misclassification_front",
    "metrics.hand_till_auc_score",
    "metrics.provost_domingos_auc_score",
}


OF_MORE_COLUMNS = {"subgroups"}  # with tests of their own below


def test_every_function_has_its_rows():
    public = {name: getattr(rw, name) for name in rw.__all__ if not name.startswith("_")}
    public |= {f"metrics.{name}": getattr(rw.metrics, name) for name in rw.metrics.__all__}
    scored = {n for n, f in public.items() if inspect.isfunction(f) and is_scored(n, f)}
    assert scored == set(FUNCTIONS) | OF_SEVERAL_CLASSES | OF_MORE_COLUMNS


@pytest.mark.parametrize("bad", BAD)
def test_bad_input_with_subgroups_is_refused(bad):
    (y_true, y_score, options), kind, message = BAD[bad]
    with pytest.raises(kind, match=message) as caught:
        rw.subgroups(y_true, y_score, ["a", "b"] * 2, **options)
    assert re.search(r"\nHint: \S.*[.?)]$", str(caught.value)), str(caught.value)


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_bad_input_is_refused(name, bad):
    (y_true, y_score, options), kind, message = BAD[bad]
    if (name, bad) in SKLEARN_ACCEPTS:
        return
    if name.startswith("metrics."):
        message, kind = SKLEARN_PHRASES.get(bad, message), ValueError
    message = message.replace("y_score", scores_of(name))
    with pytest.raises(kind, match=message) as caught:
        FUNCTIONS[name](y_true, y_score, **options)
    assert isinstance(caught.value, RocwalkError), caught.value
    assert re.search(r"\nHint: \S.*[.?)]$", str(caught.value)), str(caught.value)


@pytest.mark.parametrize("kind", [ByArray, ByDLPack, Strict])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_columns_of_array_protocols_are_read(name, kind):
    y, s, w = [1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.1, 0.3], [1.0, 2, 1, 1, 3]
    function = FUNCTIONS[name]
    given = function(kind(y), kind(s), sample_weight=kind(w))
    assert repr(given) == repr(function(y, s, sample_weight=w))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_arrays_of_no_dimension_are_numbers(name):
    y, s, w = [1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.1, 0.3], [1.0, 2, 1, 1, 3]
    given = FUNCTIONS[name](
        *([np.array(v) for v in c] for c in (y, s)), sample_weight=[*map(np.array, w)]
    )
    assert repr(given) == repr(FUNCTIONS[name](y, s, sample_weight=w))


NAMED = {  # what the caller calls the column that has the NaN, where it is no argument of its own
    "compare": (lambda s: rw.compare(Y, {"a": S, "b": s}), r"scores\['b'\]"),
    "compare_curves": (lambda s: rw.compare_curves(Y, {"a": S, "b": s}), r"scores\['b'\]"),
    "soft_curves": (lambda s: rw.soft_curves(Y, {"a": S, "b": s}), r"models\['b'\]"),
    "soft_curves of one": (lambda s: rw.soft_curves(Y, s), "models"),
    "compare_samples": (lambda s: rw.compare_samples((Y, S), (Y, s)), "y_score of sample_2"),
    "compare_sample_curves": (
        lambda s: rw.compare_sample_curves((Y, s), (Y, S)),
        "y_score of sample_1",
    ),
    "drift of the reference": (lambda s: rw.drift((Y, s), (Y, S)), "y_prob of reference"),
    "drift of the current sample": (lambda s: rw.drift((Y, S), (Y, s)), "y_prob of current"),
    "the reference of a monitor": (lambda s: rw.DriftMonitor((Y, s)), "y_prob of reference"),
    "the reference of a watch": (lambda s: rw.DriftWatch((Y, s)), "y_prob of reference"),
    "a monitor": (lambda s: rw.DriftMonitor(rw.tally(Y * 20, S * 20)).update(Y, s), "y_prob"),
    "a watch": (lambda s: rw.DriftWatch(rw.tally(Y * 20, S * 20)).update(Y, s), "y_prob"),
    "subgroups": (lambda s: rw.subgroups(Y, s, list("abab")), "y_score"),
    "hand_till": (lambda s: rw.metrics.hand_till_auc_score(Y, s), "y_prob"),
    "multiclass": (lambda s: rw.multiclass(Y, np.column_stack([S, s])), "y_prob"),
}


@pytest.mark.parametrize("name", NAMED)
def test_a_missing_score_is_named_as_the_caller_calls_it(name):
    function, called = NAMED[name]
    with pytest.raises(ScoreError, match=rf"^{called} at row 2(, column 1)? is NaN \(or missing\)"):
        function([0.9, 0.8, NAN, 0.1])


# Functions of probabilities, and what they call them; a new one adds its row.
PROBABILITY_FUNCTIONS = {
    f"{name} with steps={steps}": (partial(FUNCTIONS[name], steps=steps), "y_score")
    for name in ("tally", "roc")
    for steps in ("single", "both", "blind")
} | {name: (FUNCTIONS[name], scores_of(name)) for name in sorted(OF_PROBABILITIES)}


@pytest.mark.parametrize(
    ("function", "name"), PROBABILITY_FUNCTIONS.values(), ids=list(PROBABILITY_FUNCTIONS)
)
def test_scores_that_are_no_probabilities(function, name):
    outside = name + r" at row 1 is 1.5, outside \[0, 1\]\.\nHint: this"
    with pytest.raises(ScoreError, match=outside):
        function(Y, [0.9, 1.5, 0.7, 0.1])
    with pytest.raises(ScoreError, match=name + r" at row 0 \(the first of 2\) is -0.1, outside"):
        function(Y, [-0.1, 0.5, 0.7, 3])
    with pytest.warns(DroppedRowsWarning, match=r"1 of 5 rows was left out .*: row 1\."):
        function([1, 0, 1, 0, 1], [0.9, 1.5, 0.7, 0.1, 0.2], invalid="drop")
    function(Y, [1, 0, -0.0, 0.5])


@pytest.mark.parametrize(
    "function",
    [partial(rw.interval, statistic="brier"), partial(rw.smooth_roc, method="beta")],
    ids=["interval of a Brier score", "smooth_roc by beta"],
)
def test_scores_that_an_option_needs_to_be_probabilities_keep_their_name(function):
    with pytest.raises(
        ScoreError, match=r"^y_score at row 1 is 1.5, outside \[0, 1\]\.\nHint: this"
    ):
        function(Y, [0.9, 1.5, 0.7, 0.1])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_one_class(name):
    for y in ([0, 0, 0, 0], [1, 1, 1, 1], [False] * 4):
        if name == "tally":
            with pytest.warns(
                rw.errors.UndefinedMetricWarning, match="mass, so the area is undefined"
            ):
                assert math.isnan(rw.tally(y, S).auc_bounds[1])
        elif name in (
            "roc", "smeared_roc", "smooth_roc", "soft_roc", "reference_truth", "sensibility",
            "calibration",
        ):  # fmt: skip
            lost = f"{name} to measure" if name in ("sensibility", "calibration") else "ROC curve"
            with pytest.raises(OneClassError, match=f"mass, so there is no {lost}"):
                FUNCTIONS[name](y, S)
        elif name in ("interval", "band", "accuracy_table", "best_threshold"):
            words = "fewer than two (positive|negative) items|mass, so there is no ROC curve"
            with pytest.raises(OneClassError, match=words):
                FUNCTIONS[name](y, S)
        elif name == "truth_tally":
            assert len(rw.truth_tally(y, S).by_truth) == 1
        elif name in ("matched_width", "matched_concentration"):
            with pytest.raises(OneClassError, match="only one class, so there is no area to match"):
                FUNCTIONS[name](y, S)
        else:
            with pytest.warns(rw.errors.UndefinedMetricWarning):
                FUNCTIONS[name](y, S)


# -- dropping ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FUNCTIONS)
def test_dropping_says_how_many_and_which(name):
    y = [1, 0, NAN, 0, 1, 0, 0]
    s = [0.9, NAN, 0.7, 0.1, 0.3, INF, 0.2]
    with pytest.warns(
        DroppedRowsWarning, match="3 of 7 rows were left out .* rows 1, 2, 5"
    ) as said:
        FUNCTIONS[name](y, s, invalid="drop")
    assert said[0].message.rows == (1, 2, 5)


GONE = [NAN, NAN, None, NAN]
ALL_DROPPED = {
    "labels": lambda: rw.tally(GONE, S, invalid="drop"),
    "labels and scores": lambda: rw.tally([1, 0, NAN, NAN], [NAN, NAN, 1, 1], invalid="drop"),
    "weights": lambda: rw.tally(Y, S, sample_weight=[NAN] * 4, invalid="drop"),
    "classes": lambda: rw.multiclass(list("abab"), np.full((4, 2), NAN), invalid="drop"),
    "hand_till": lambda: rw.metrics.hand_till_auc_score(
        list("abab"), np.full((4, 2), NAN), invalid="drop"
    ),
    "roc_auc_score": lambda: rw.metrics.roc_auc_score(
        np.eye(4, 2), np.full((4, 2), NAN), invalid="drop"
    ),
    "tallies": lambda: rw.tallies({"y": Y, "p": GONE}, label="y", score="p", invalid="drop"),
    "large": lambda: rw.tallies(
        pl.LazyFrame({"y": Y, "p": [NAN] * 4}), label="y", score="p", invalid="drop"
    ),
    "report": lambda: rw.report({"y": Y, "p": GONE}, label="y", score="p", invalid="drop"),
    "votes": lambda: rw.votes({"ann": GONE, "bob": GONE}, invalid="drop"),
    "raters": lambda: rw.tallies(
        {"a": GONE, "b": GONE, "p": S}, raters=["a", "b"], score="p", invalid="drop"
    ),
    "compare": lambda: rw.compare(Y, {"a": GONE, "b": S}, invalid="drop"),
    "compare_curves": lambda: rw.compare_curves(Y, {"a": GONE, "b": S}, invalid="drop"),
    "a monitor": lambda: rw.DriftMonitor(rw.tally(Y * 20, S * 20)).update(Y, GONE, invalid="drop"),
    "a watch": lambda: rw.DriftWatch(rw.tally(Y * 20, S * 20)).update(Y, GONE, invalid="drop"),
}


@pytest.mark.parametrize("ask", ALL_DROPPED.values(), ids=list(ALL_DROPPED))
def test_what_drops_all_rows_is_not_told_to_drop_them(ask):
    with pytest.raises(RocwalkError) as caught:
        ask()
    text = str(caught.value)
    assert re.search(r"invalid='drop' leaves none of 4 rows: .* in [24]", text), text
    assert "invalid" not in caught.value.hint
    assert caught.value.fields.counts[0] == 4


def test_models_that_share_no_row():
    data = {"y": Y, "a": [0.1, NAN, 0.2, NAN], "b": [NAN, 0.3, NAN, 0.4]}
    question = Question(label="y", scores=("a", "b"), invalid="drop")
    words = (
        "leaves none of 4 rows: column 'a' cannot be used in 2 and column 'b' cannot be used in 2"
    )
    with pytest.raises(InputError, match=words):
        read_study(data, question, same_rows=True)


def test_dropping_equals_leaving_out():
    with pytest.warns(DroppedRowsWarning):
        dropped = rw.roc([1, 0, 1, 0, 1], [0.9, NAN, 0.7, 0.1, 0.3], invalid="drop")
    assert dropped.area == rw.roc([1, 1, 0, 1], [0.9, 0.7, 0.1, 0.3]).area


def test_dropped_rows_count_from_the_callers_first_row():
    with pytest.warns(DroppedRowsWarning, match="row 2") as said:
        rw.tally(Y, [0.9, 0.8, NAN, 0.1], sample_weight=[0, 1, 1, 1], invalid="drop")
    assert said[0].message.rows == (2,)


# -- mistakes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FUNCTIONS)
def test_swapped_arguments_are_noticed(name):
    with pytest.warns(
        SwappedArgumentsWarning, match=rf"order is \(y_true, {scores_of(name)}\); were they swapped"
    ):
        FUNCTIONS[name]([0.9, 0.8, 0.7, 0.1, 0.3], [1, 0, 1, 0, 1])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_predicted_classes_are_noticed(name):
    with pytest.warns(HardScoresWarning, match="pass predict_proba or decision_function"):
        FUNCTIONS[name](Y, [1, 0, 0, 1])


LONG_Y = [0, 1] * 15
COUNTING = {
    "row numbers": range(30),
    "from 1": range(1, 31),
    "downwards": range(30, 0, -1),
    "with gaps": [i + i // 6 for i in range(30)],
    "by name": pd.Series([907, 11, 52] * 10, name="patient_id"),
    "by a name in polars": pl.Series("PatientID", [907, 11, 52] * 10),
    "raters": pd.Series([1, 2, 3] * 10, name="reader"),
}
RANKING = {
    "ranks": [(7 * i) % 30 for i in range(30)],
    "few rows": range(19),
    "ranks in their order": pd.Series(range(30), name="rank"),
    "sorted, with ties": [i // 2 for i in range(30)],
    "sorted, far apart": [3 * i for i in range(30)],
    "fractions": [i + 0.5 * (i % 2) for i in range(30)],
    "an identifier with fractions": pd.Series([0.5, 0.25, 0.125] * 10, name="id"),
    "ratings of a rater": pd.Series([1, 2, 3] * 10, name="reader_1"),
    "a name that ends likewise": pd.Series([1, 2, 3] * 10, name="covid"),
}
OF_ANY_SCORE = [name for name in FUNCTIONS if name not in OF_PROBABILITIES]


@pytest.mark.parametrize("scores", COUNTING.values(), ids=list(COUNTING))
@pytest.mark.parametrize("name", OF_ANY_SCORE)
def test_identifiers_are_noticed(name, scores):
    if name.startswith("metrics.") and hasattr(scores, "name"):
        return  # in scikit-learn's manner columns are arrays, without names
    with pytest.warns(
        ScoreKindWarning, match=r"y_score looks like numbers of .* no order\."
    ) as said:
        FUNCTIONS[name](LONG_Y, scores)
    assert said[0].filename == __file__


@pytest.mark.parametrize("scores", RANKING.values(), ids=list(RANKING))
@pytest.mark.parametrize("name", OF_ANY_SCORE)
def test_scores_are_not_taken_for_identifiers(name, scores):
    if name.startswith("metrics.") and hasattr(scores, "name"):
        return
    FUNCTIONS[name](LONG_Y[: len(scores)], scores)


def test_tables_know_the_name_of_an_identifier():
    data = {"y": LONG_Y, "case id": [17, 3, 8] * 10, "rater": [3, 1, 2] * 10, "p": [0.1, 0.2] * 15}
    for table in (data, pl.LazyFrame(data)):
        with pytest.warns(ScoreKindWarning) as said:
            rw.tallies(table, label="y", score=["case id", "rater", "p"])
        assert [one.message.what for one in said] == [
            "Column 'case id' looks like numbers of items, which have no order.",
            "Column 'rater' looks like numbers of raters, which have no order.",
        ]


def test_votes_cannot_be_swapped_with_scores():
    data = {"a": [1, 0, 1, 0, 1], "b": [0, 0, 1, 1, 1], "p": [0.2, 0.9, 0.9, 0.2, 0.2]}
    for table in (data, pl.LazyFrame(data)):
        rw.tallies(table, raters=["a", "b"], score="p")
        with pytest.warns(HardScoresWarning, match="Column 'h': The scores are all 0 or 1"):
            rw.tallies({**data, "h": data["a"]}, raters=["a", "b"], score="h")


def test_no_advice_without_reason():
    rw.roc(Y, [0.0, 1.0, 0.5, 0.25])
    rw.roc(Y, [0.3, 0.3, 0.3, 0.3])
    rw.roc([0.5, 0.25, 0.5, 1.0], [0.3, 0.3, 0.3, 0.3])
    rw.roc([0.5, 0.25, 0.5, 1.0], [0.3, 0.1, 0.2, 0.3])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_warnings_point_at_the_caller(name):
    with pytest.warns(HardScoresWarning) as said:
        FUNCTIONS[name](Y, [1, 0, 0, 1])
    assert said[0].filename == __file__
    with pytest.warns(DroppedRowsWarning) as said:
        FUNCTIONS[name]([*Y, 1], [0.9, 0.5, NAN, 0.2, 0.4], invalid="drop")
    assert said[0].filename == __file__


# -- kinds of columns ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(
    "column",
    [
        list, tuple, np.array, pd.Series, pl.Series, pa.array,
        lambda values: pa.chunked_array([values[:1], values[1:]]),
        lambda values: np.array(values, dtype=object),
        lambda values: np.array(values, dtype=np.float32),
        lambda values: np.array(values)[::-1][::-1],
        lambda values: np.asfortranarray(np.tile(np.array(values)[:, None], 3))[:, 1],
        lambda values: pd.Series(values, index=[3, 1, 1, 0]),
        lambda values: pd.Series(values, dtype="Float64"),
        lambda values: pd.array(values, dtype="Float64"),
    ],
    ids=range(14),
)  # fmt: skip
def test_columns_of_every_kind(name, column):
    scores = [0.75, 0.5, 0.25, 0.125]
    plain = FUNCTIONS[name](Y, scores)
    given = FUNCTIONS[name](column(Y), column(scores))
    assert repr(given) == repr(plain)


ODD = {
    "big-endian": np.array(S, dtype=">f8"),
    "big-endian, single": np.array([0.75, 0.5, 0.25, 0.125], dtype=">f4"),
    "half": np.array([0.75, 0.5, 0.25, 0.125], dtype=np.float16),
    "big-endian, half": np.array([0.75, 0.5, 0.25, 0.125], dtype=">f2"),
    "half of pyarrow": pa.array(np.array([0.75, 0.5, 0.25, 0.125], dtype=np.float16)),
    "128 bits": pl.Series([9, 8, 7, 1], dtype=pl.Int128),
    "decimals": [Decimal("0.9"), Decimal("0.8"), Decimal("0.7"), Decimal("0.1")],
    "decimals of pandas": pd.Series([Decimal("0.9"), Decimal("0.8"), Decimal("0.7"), Decimal("0.1")]),
    "long double": np.array([0.75, 0.5, 0.25, 0.125], dtype=np.longdouble),
}  # fmt: skip


@pytest.mark.parametrize("limit", [None, 0], ids=["in memory", "in an engine"])
@pytest.mark.parametrize("column", ODD.values(), ids=list(ODD))
def test_odd_types_of_numbers(column, limit):
    data = {"y": Y, "p": column, "w": column}
    assert rw.tally(Y, column).area == 0.75
    assert rw.tallies(data, label="y", score="p", limit=limit).only.area == 0.75
    weighted = rw.tallies(data, label="y", score="p", weight="w", limit=limit).only
    plain = rw.tally(Y, column, sample_weight=[float(one) for one in list(column)] if not isinstance(column, pa.Array) else column)  # fmt: skip
    assert weighted.area == pytest.approx(plain.area, abs=1e-12)
    by = rw.tallies(data | {"q": S}, label="y", score="q", by="p", limit=limit)
    assert len(by) == 4


NO_LABELS = {
    "lists": pa.array([[1], [2], [1], [2]]),
    "records": pa.array([{"a": 1}] * 4),
    "mixed": [1, "a", None, 2.5],
    "complex": np.array([1j, 0, 1j, 0]),
    "dates": pa.array([1, 2, 1, 2], pa.date32()),
    "durations": pa.array([1, 2, 1, 2], pa.duration("s")),
    "bytes": [b"a", b"b", b"a", b"b"],
}


@pytest.mark.parametrize("pos_label", [None, 1, "a"])
@pytest.mark.parametrize("limit", [None, 0], ids=["in memory", "in an engine"])
@pytest.mark.parametrize("name", NO_LABELS)
def test_columns_that_hold_no_labels(name, limit, pos_label):
    data = {"y": NO_LABELS[name], "p": S}
    tables = [data] if isinstance(data["y"], list | np.ndarray) else [data, pa.table(data)]
    for table in tables:
        with pytest.raises(RocwalkError, match=r"\nHint: [a-z]"):
            rw.tallies(table, label="y", score="p", limit=limit, pos_label=pos_label)


@pytest.mark.parametrize("kind", ["bool", "boolean", "Int64", "category", "string"])
def test_pandas_labels_of_every_kind(kind):
    labels = pd.Series(Y).astype(bool if kind == "boolean" else object).astype(kind)
    option = {"pos_label": "1"} if kind == "string" else {}
    option |= {"pos_label": 1} if kind == "category" else {}
    assert rw.roc(labels, S, **option).area == 0.75


@pytest.mark.parametrize("dtype", ["int8", "uint8", "uint16", "int32", "uint64", "float16", "bool"])
def test_integer_labels_of_every_width(dtype):
    assert rw.roc(np.array(Y, dtype=dtype), S).area == 0.75
    assert rw.roc(Y, (np.array(S) * 100).astype("uint8")).area == 0.75


def test_scores_of_unsigned_integers_do_not_wrap():
    assert rw.roc(Y, np.array([200, 100, 50, 0], dtype=np.uint8)).area == 0.75
    assert rw.roc(Y, np.array([2**60, 2**59, 2**58, 0], dtype=np.uint64)).area == 0.75


# -- thresholds, steps, tallies ------------------------------------------------------------------


@pytest.mark.parametrize("function", [rw.tally, rw.roc])
def test_bad_steps_and_thresholds(function):
    with pytest.raises(
        OptionError, match="steps='soft' is not known.\nHint: steps is one of 'truth'"
    ):
        function(Y, S, steps="soft")
    for bad in ("median", NAN, b"mean", [0.5]):
        with pytest.raises(OptionError, match="threshold=.* is not known"):
            function(Y, S, steps="both", threshold=bad)
    default, half = (function(Y, S, steps="both", threshold=each) for each in (None, 0.5))
    assert default.to_dict() == half.to_dict()
    with pytest.raises(OptionError, match="y_score is missing"):
        function(Y)
    for options in ({"y_score": S}, {"sample_weight": S}, {"pos_label": 1}, {"truth": "soft"}):
        with pytest.raises(OptionError, match="cannot be given together with a Tally"):
            function(rw.tally(Y, S), **options)


def test_soft_walks_without_mass():
    # every positive has score 0: in the "single" walk nothing climbs
    with pytest.raises(OneClassError, match="steps='single' no item steps up"):
        rw.roc([1, 0, 1, 0], [0.0, 0.5, 0.0, 0.25], steps="single")
