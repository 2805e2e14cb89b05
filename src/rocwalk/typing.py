"""The types that annotations share: arrays, and the words that options take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
MassArray = NDArray[Any]  # int64 for exact counts, float64 for soft or weighted masses
AnyArray = NDArray[Any]
Range = tuple[float, float]  # the least and the most
Bounds = tuple[float, float, float]  # the lowest, the middle and the highest value
ArrayLike = Any  # a list, or a NumPy, pandas, polars or pyarrow column

Truth = Literal["auto", "hard", "soft"]
Invalid = Literal["raise", "drop"]
Decimal = Literal[".", ","]
Thousands = Literal[",", ".", "_", "'", " "]
Steps = Literal["truth", "single", "both", "blind"]
SoftSteps = Literal["single", "both", "blind"]
StepThreshold = float | Literal["mean"]
AverageDirection = Literal["vertical", "horizontal", "threshold"]
BandKind = Literal["simultaneous", "pointwise"]
BandMethod = Literal["auto", "fixed-width", "dkw", "percentile"]
IntervalMethod = Literal[
    "auto",
    "delong",
    "influence",
    "jackknife",
    "obuchowski",
    "newcombe",
    "wilson",
    "half-sample",
    "percentile",
    "basic",
    "bca",
]
Scale = Literal["plain", "logit", "log"]
ComparisonMethod = Literal[
    "auto",
    "delong",
    "delong-t",
    "mover",
    "influence",
    "jackknife",
    "obuchowski",
    "bootstrap",
    "permutation",
]
SmoothMethod = Literal["binormal", "density", "beta"]
CalibrationMethod = Literal["isotonic", "smooth"]
CalibrationBandKind = Literal["consistency", "confidence"]
BinStrategy = Literal["uniform", "quantile"]
RecalibrationMethod = Literal["platt", "beta", "isotonic", "temperature"]
BatchKind = Literal["predictions", "labels"]
BestMetric = Literal[
    "youden",
    "closest",
    "accuracy",
    "balanced_accuracy",
    "f1",
    "fbeta",
    "mcc",
    "sensitivity",
    "specificity",
]
Words = Literal["learning", "clinical"]
PaperTableKind = Literal["accuracy", "comparison", "subgroups", "stard", "tripod"]
PaperFigureKind = Literal["roc", "calibration", "decision", "comparison", "readers"]
PaperStyle = Literal["journal", "colour"]
PaperWidth = Literal["single", "double"]
Alternative = Literal["two-sided", "greater"]
PowerFormula = Literal["placements", "obuchowski"]
NullVariance = Literal["same", "first"]
DriftMethod = Literal["analytic", "bootstrap"]
Adjustment = Literal["holm", "bonferroni", "none"]
Season = Literal["last year", "earlier years"]
Calendar = Literal["hour", "day", "week", "month", "quarter", "year"]
WidthKernelName = Literal["uniform", "normal", "logit", "logit-normal"]
KernelName = WidthKernelName | Literal["coin", "beta"]
PriorName = Literal["hand2014", "hand2009", "r"]
Prior = PriorName | Sequence[float]  # a name, or (a, b) for Beta(a, b)
ResponseMethod = Literal["auto", "predict_proba", "decision_function"]
VoteMethod = Literal["mean", "dawid-skene"]
AgreementMeasure = Literal[
    "cohen",
    "linear",
    "quadratic",
    "fleiss",
    "conger",
    "krippendorff",
    "ac1",
    "ac2",
    "percent",
]
RaterReference = Literal["share", "majority"]
AgreementLevel = Literal["nominal", "ordinal", "interval"]
AgreementMethod = Literal["auto", "closed", "bootstrap"]
Effect = Literal["random", "fixed"]
ReaderCovariance = Literal["auto", "delong", "jackknife", "unbiased"]
ClassAverage = Literal["micro", "macro", "samples", "weighted"]
MultiClass = Literal["raise", "ovr", "ovo"]
FrameLibrary = Literal["pandas", "polars", "pyarrow"]
FluDomain = Literal["NGP", "DP", "FC"]
