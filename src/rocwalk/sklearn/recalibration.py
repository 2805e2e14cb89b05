"""Recalibration in scikit-learn: a classifier with recalibrated probabilities, and a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    StratifiedGroupKFold,
    StratifiedKFold,
)
from sklearn.utils.validation import check_is_fitted

from rocwalk.checks import as_whole, one_of
from rocwalk.curves.recalibration_maps import MAPS, RecalibrationMap, recalibration_map
from rocwalk.curves.reliability import Calibration
from rocwalk.errors import InputError, RocwalkWarning, collecting
from rocwalk.evaluate.estimators import Split, method_of, splits_of
from rocwalk.inference.comparisons import Comparison, compare
from rocwalk.inference.items import cluster_codes, evidence_from
from rocwalk.read.arrays import Sample, as_array, evidence_of, tally
from rocwalk.result import Result
from rocwalk.sklearn.held_out import HeldOutClassifier
from rocwalk.typing import (
    AnyArray,
    ArrayLike,
    FloatArray,
    IntArray,
    Invalid,
    RecalibrationMethod,
    ResponseMethod,
    Truth,
)

NONE = "none"  # the scores as they are


class RecalibratedClassifier(HeldOutClassifier):
    """Wrap a classifier of two classes and recalibrate its probabilities.

    The map is fitted to scores of rows by models that have not seen them: by cross-validation, on
    rows held out, or on the rows of `fit` for a classifier that is fitted already.

    Parameters
    ----------
    estimator
        A classifier with `predict_proba` or `decision_function`. Decision values f are taken as
        log-odds, 1/(1 + e⁻ᶠ).
    method
        "platt", "beta", "isotonic" or "temperature".
    cv
        How to cross-validate: a number of folds (None is 5), a splitter, a list of splits; a share
        in (0, 1) holds out that share once; "prefit" takes the estimator as already fitted, and
        all rows of `fit` as the calibration set, which should be new to it.
    response_method
        "auto" (probabilities if there are any), "predict_proba" or "decision_function".
    pos_label
        The positive label. By default the greater one.
    n_jobs
        How many folds to fit at once; None is one, −1 as many as there are processors.
    random_state
        Which rows a share in `cv` holds out.

    Attributes
    ----------
    map_
        The fitted map: call it with scores; `map_.parameters` are its numbers.
    curve_
        The ROC curve of the held-out scores.
    estimator_, classes_, n_features_in_, feature_names_in_
        The fitted classifier, the labels, and what it saw.

    Notes
    -----
    Folds are pooled, and one map is fitted to all held-out scores, as
    ``CalibratedClassifierCV(ensemble=False)`` does. `fit` takes ``sample_weight``, and
    ``soft_truth``, to which the map is then fitted.

    References
    ----------
    Platt (1999); Zadrozny & Elkan (2002); Guo et al. (2017); Kull, Silva Filho & Flach (2017),
    Beyond sigmoids: how to obtain well-calibrated probabilities from binary classifiers with beta
    calibration, Electronic Journal of Statistics 11.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = make_classification(600, flip_y=0.2, random_state=0)
    >>> model = RecalibratedClassifier(GaussianNB(), method="beta", cv=3).fit(X, y)
    >>> model.predict_proba(X).shape
    (600, 2)
    """

    def __init__(
        self,
        estimator: Any,
        *,
        method: RecalibrationMethod = "platt",
        cv: Any = None,
        response_method: ResponseMethod = "auto",
        pos_label: Any = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.cv = cv
        self.response_method = response_method
        self.pos_label = pos_label
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike = None,
        soft_truth: ArrayLike = None,
        **params: Any,
    ) -> Self:
        """Fit the classifier, and the map to scores of rows that it has not seen.

        Parameters
        ----------
        X, y
            Rows and labels of two kinds.
        sample_weight
            A mass for each row: in the map, and in `fit` of the wrapped classifier.
        soft_truth
            For each row the probability that it is positive; the map is fitted to it in the place
            of the labels.
        params
            Metadata for the wrapped classifier and for the splitter; needs metadata routing.
        """
        one_of("method", self.method, MAPS)
        self.curve_ = self._fit_held_out(X, y, sample_weight, soft_truth, params)
        held_out = self.curve_.tally
        assert held_out is not None  # the curve is that of scores
        self.map_ = recalibration_map(held_out, self.method)
        return self

    def _read(self, scores: FloatArray) -> FloatArray:
        """Return probabilities; decision values are taken as log-odds."""
        if method_of(self.estimator, self.response_method) == "predict_proba":
            return scores
        found: FloatArray = 1 / (1 + np.exp(-np.clip(scores, -700, 700)))
        return found

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the recalibrated probabilities of the two classes."""
        check_is_fitted(self, "map_")
        scores, place = self._scores(X)
        found = self.map_(scores)
        columns = [1 - found, found] if place == 1 else [found, 1 - found]
        return np.column_stack(columns)

    def predict_log_proba(self, X: Any) -> FloatArray:
        """Return the logarithms of the recalibrated probabilities."""
        with np.errstate(divide="ignore"):
            found: FloatArray = np.log(self.predict_proba(X))
        return found

    def predict(self, X: Any) -> AnyArray:
        """Return the more probable label."""
        check_is_fitted(self, "map_")
        found: AnyArray = self.classes_[np.argmax(self.predict_proba(X), axis=1)]
        return found


# -- comparing maps --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class RecalibrationComparison(Result):
    """Recalibration maps beside the scores as they are, on rows that each map has not seen.

    Make one with `compare_recalibrations`. `probabilities` are the out-of-fold scores of each map,
    in the order of the rows; `maps` are fitted to all rows, for use on new ones.
    """

    y_true: AnyArray
    sample_weight: AnyArray | None
    truth: Truth
    probabilities: dict[str, FloatArray]
    maps: dict[str, RecalibrationMap]
    folds: int
    cluster: IntArray | None = None

    @cached_property
    def calibrations(self) -> dict[str, Calibration]:
        """The calibration of each: numbers, curves, bands, intervals."""
        found = {}
        for name, scores in self.probabilities.items():
            data = evidence_of(
                self.y_true, scores, self.sample_weight, None, self.truth, "raise",
                probabilities=True,
            )  # fmt: skip
            found[name] = Calibration(evidence_from(data, self.cluster))
        return found

    @cached_property
    def comparison(self) -> Comparison:
        """The maps in pairs by the Brier score, on the same rows."""
        return compare(
            self.y_true,
            self.probabilities,
            statistic="brier",
            cluster=self.cluster,
            sample_weight=self.sample_weight,
            truth=self.truth,
            rng=0,
        )

    @property
    def best(self) -> str:
        """The map of the least Brier score; "none" if no map improves on the scores."""
        losses = {name: float(one.brier) for name, one in self.calibrations.items()}
        return min(losses, key=lambda name: (losses[name], name != NONE))

    @property
    def sentence(self) -> str:
        """What the comparison says, in words."""
        losses = {name: float(one.brier) for name, one in self.calibrations.items()}
        if self.best == NONE:
            return (
                f"No map has a lower Brier score than the scores as they are, {losses[NONE]:.4f}."
            )
        return (
            f"{self.best} has the lowest Brier score on rows that it was not fitted to: "
            f"{losses[self.best]:.4f}, against {losses[NONE]:.4f} of the scores as they are."
        )

    def _headline(self) -> dict[str, Any]:
        return {"best": self.best, "folds": self.folds, "rows": len(self.y_true)}

    def _columns(self) -> dict[str, AnyArray]:
        with collecting(RocwalkWarning):  # a slope that does not exist is NaN here
            rows = {
                name: (
                    float(one.brier),
                    float(one.log_loss),
                    one.slope,
                    one.expected_observed,
                    one.ici,
                )
                for name, one in self.calibrations.items()
            }
        table = np.array(list(rows.values())).T
        titles = ("brier_loss", "log_loss", "slope", "expected_over_observed", "mean_distance")
        return {"method": np.array(list(rows))} | dict(zip(titles, table, strict=True))


def compare_recalibrations(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    methods: Sequence[RecalibrationMethod] = MAPS,
    cv: Any = None,
    random_state: Any = 0,
    cluster: ArrayLike = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> RecalibrationComparison:
    """Return recalibration maps beside each other, each judged on rows it was not fitted to.

    Every map is fitted to all folds but one and applied to the one left out (cross-fitting), so
    that a flexible map such as the isotonic one is not flattered.

    Parameters
    ----------
    y_true, y_prob
        Labels or soft truth, and probabilities of a calibration set that the model has not seen.
    methods
        Some of "platt", "beta", "isotonic", "temperature".
    cv
        A number of folds (None is 5), a splitter of scikit-learn, or a list of pairs of rows
        (train, test), which test every row once; a number is shuffled, and stratified by hard
        labels.
    random_state
        The shuffle of the folds.
    cluster
        The unit of each row, such as a patient: its rows are in one fold together, and intervals
        and comparisons are by cluster. A splitter gets it as `groups`.
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> logit = rng.normal(size=1000)
    >>> y = rng.random(1000) < 1 / (1 + np.exp(-logit))
    >>> found = compare_recalibrations(y, 1 / (1 + np.exp(-3 * logit)))
    >>> found.best != "none", list(found.probabilities)
    (True, ['none', 'platt', 'beta', 'isotonic', 'temperature'])
    """
    for method in methods:
        one_of("methods", method, MAPS)
    data = evidence_of(y_true, y_prob, sample_weight, pos_label, truth, invalid, probabilities=True)
    assert isinstance(data, Sample)  # arrays, not a tally
    labels, scores, weights = data.truth, data.scores, data.weights
    is_hard = bool(np.isin(labels, (0, 1)).all())
    kind: Truth = "hard" if is_hard else "soft"
    units = None if cluster is None else cluster_codes(cluster, data)
    splits = _folds(cv, random_state, scores, labels.astype(int) if is_hard else None, units)

    def part(rows: AnyArray) -> Any:
        own = None if weights is None else weights[rows]
        return tally(labels[rows], scores[rows], sample_weight=own, truth=kind)

    found = {NONE: scores}
    for method in methods:
        mapped = np.full(len(scores), np.nan)
        for train, test in splits:
            mapped[test] = recalibration_map(part(train), method)(scores[test])
        found[method] = mapped
    everything = part(np.arange(len(scores)))
    return RecalibrationComparison(
        as_array(labels, "y_true"),
        weights,
        kind,
        found,
        {method: recalibration_map(everything, method) for method in methods},
        len(splits),
        units,
    )


def _folds(
    cv: Any, random_state: Any, scores: FloatArray, labels: AnyArray | None, units: IntArray | None
) -> list[Split]:
    """Return the rows to fit to and to test, for each fold; `labels` are hard ones.

    Raise unless every row is tested once and no cluster is on both sides of a fold.
    """
    if cv is None or isinstance(cv, int):
        count = 5 if cv is None else as_whole("cv", cv, 2)
        if labels is None:
            kinds = KFold if units is None else GroupKFold
        else:
            kinds = StratifiedKFold if units is None else StratifiedGroupKFold
        cv = kinds(count, shuffle=True, random_state=random_state)
    metadata = {} if units is None else {"groups": units}
    kinds_of_rows = np.zeros(len(scores), dtype=np.int64) if labels is None else labels
    splits = splits_of(cv, scores[:, None], kinds_of_rows, random_state, metadata)
    tested = np.zeros(len(scores), dtype=np.int64)
    for _, test in splits:
        np.add.at(tested, test, 1)
    if not (tested == 1).all():
        hint = "pass a number of folds, or a splitter such as sklearn.model_selection.KFold."
        raise InputError("does not test every row once.", hint, argument="cv")
    if units is not None:
        for train, test in splits:
            if np.intersect1d(units[train], units[test]).size:
                hint = "pass a number of folds, or a splitter such as GroupKFold."
                raise InputError("splits a cluster over both sides of a fold.", hint, argument="cv")
    return splits
