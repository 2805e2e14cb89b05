"""`CostThresholdClassifier`: a classifier whose threshold minimises the expected cost."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted, column_or_1d, has_fit_parameter

from rocwalk.curves.choices import Costs, slope_of
from rocwalk.curves.roc import Curve, roc
from rocwalk.errors import LabelError, OptionError
from rocwalk.evaluate.estimators import (
    Split,
    check_method,
    fitted,
    held_out,
    method_of,
    positive_label,
    rows_of,
    scores_of,
    splits_of,
)
from rocwalk.read.arrays import as_array
from rocwalk.sklearn.rows import Rows
from rocwalk.typing import AnyArray, ArrayLike, FloatArray, ResponseMethod, Truth
from sklearn import get_config


def _if_it_has(name: str) -> Callable[[Any], bool]:
    """Return a test whether the wrapped estimator has a method."""

    def test(self: Any) -> bool:
        getattr(getattr(self, "estimator_", self.estimator), name)  # or an AttributeError says why
        return True

    return test


class CostThresholdClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Wrap a classifier of two classes and cut its scores where mistakes cost least.

    The wrapped classifier is cross-validated. The scores of all rows by models that have not seen
    them make one ROC curve; the threshold is that of the vertex of its hull which is cheapest. No
    grid of thresholds is needed: no threshold at all does better on these scores. Then the
    classifier is fitted to all rows.

    Parameters
    ----------
    estimator
        A classifier with `predict_proba` or `decision_function`.
    costs
        `rocwalk.Costs` of the two mistakes, and the prevalence where the rule will be used if that
        is not the one of the data. None maximises Youden's index TPR − FPR, which is what
        scikit-learn's `TunedThresholdClassifierCV` does by default (its balanced accuracy).
    cv
        How to cross-validate: a number of folds (None is 5), a splitter, a list of splits; a share
        in (0, 1) holds out that share once; "prefit" takes the estimator as already fitted,
        and all rows of `fit` to choose by, which should be new to it.
    refit
        Whether to fit the classifier to all rows in the end. False is allowed with a single split
        only, whose classifier is kept then. Nothing is fitted with ``cv="prefit"``.
    response_method
        "auto" (probabilities if there are any), "predict_proba" or "decision_function".
    pos_label
        The positive label, to which the costs refer. By default the greater one.
    n_jobs
        How many folds to fit at once; None is one, −1 as many as there are processors.
    random_state
        Which rows a share in `cv` holds out.

    Attributes
    ----------
    best_threshold_
        Predicted positive is a score of at least this. It is +inf if it is cheapest to call
        nothing positive, and −inf if everything.
    choice_
        The chosen point: its rates, its interval of equally good thresholds, and what is tied.
    expected_cost_
        The mean cost of one item there; None without costs. It is the least of many on the same
        scores, so a little too good: for an honest number cross-validate the whole classifier
        with the scorer "neg_expected_cost".
    curve_
        The ROC curve of the held-out scores.
    estimator_, classes_, n_features_in_, feature_names_in_
        The fitted classifier, the labels, and what it saw.

    Notes
    -----
    Folds are pooled, not averaged as curves: at each threshold the pooled counts are the sum of the
    counts of the folds, and the threshold has to serve one model. This needs scores that mean the
    same in each fold, as probabilities do. Pooling weighs every row the same; with a splitter
    that tests rows several times they count as often.

    With metadata routing, `fit` takes ``sample_weight`` (request it here and at the wrapped
    classifier) and ``soft_truth``. Soft truth are probabilities that the row is positive: the
    classifier is fitted to the labels, and the threshold chosen by the soft truth.

    References
    ----------
    Provost & Fawcett (2001), Robust classification for imprecise environments, Machine Learning 42.

    Examples
    --------
    >>> import rocwalk as rw
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> forest = RandomForestClassifier(20, random_state=0)
    >>> costs = rw.Costs(false_positive=20, false_negative=1)
    >>> chooser = CostThresholdClassifier(forest, costs=costs, cv=3).fit(X, y)
    >>> chooser.best_threshold_ > 0.5
    True
    """

    def __init__(
        self,
        estimator: Any,
        *,
        costs: Costs | None = None,
        cv: Any = None,
        refit: bool = True,
        response_method: ResponseMethod = "auto",
        pos_label: Any = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.cv = cv
        self.refit = refit
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
        """Choose the threshold and fit the classifier.

        Parameters
        ----------
        X, y
            Rows and labels of two kinds.
        sample_weight
            A mass for each row: in the curve, and in `fit` of the wrapped classifier.
        soft_truth
            For each row the probability that it is positive; the curve is made of it in the place
            of the labels.
        params
            Metadata for the wrapped classifier and for the splitter; needs metadata routing.
        """
        slope_of(self.costs, None, 0.5)  # refuses what are no costs
        check_method(self.response_method)
        X, y, sample_weight, soft_truth = indexable(X, y, sample_weight, soft_truth)
        y = self._checked_labels(y)
        for_fit, for_split = self._routed(sample_weight, soft_truth, params)
        splits = splits_of(self.cv, X, y, self.random_state, for_split)
        self._refuse_no_refit(splits)
        rows = self._held_out(X, y, splits, for_fit)
        self._remember_features()
        self.curve_ = self._curve(y, sample_weight, soft_truth, rows)
        self.choice_ = self.curve_.best(self.costs)
        takes_all = self.choice_.interval[0] == -inf  # then it takes every other row, too
        self.best_threshold_ = -inf if takes_all else self.choice_.threshold
        self.expected_cost_ = self.choice_.expected_cost
        return self

    def predict(self, X: Any) -> AnyArray:
        """Return the labels: positive where the score is at least the threshold."""
        check_is_fitted(self, "best_threshold_")
        positive = positive_label(self.classes_.tolist(), self.pos_label)
        place = self.classes_.tolist().index(positive)
        scores = scores_of(self.estimator_, X, self.response_method, positive)
        found: AnyArray = self.classes_[np.where(scores >= self.best_threshold_, place, 1 - place)]
        return found

    @available_if(_if_it_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:
        """Return the probabilities of the wrapped classifier."""
        check_is_fitted(self, "best_threshold_")
        return self.estimator_.predict_proba(X)

    @available_if(_if_it_has("predict_log_proba"))  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> Any:
        """Return the logarithms of the probabilities of the wrapped classifier."""
        check_is_fitted(self, "best_threshold_")
        return self.estimator_.predict_log_proba(X)

    @available_if(_if_it_has("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Any:
        """Return the decision function of the wrapped classifier."""
        check_is_fitted(self, "best_threshold_")
        return self.estimator_.decision_function(X)

    @property
    def classes_(self) -> AnyArray:
        """The two labels, sorted."""
        found: AnyArray = self.estimator_.classes_
        return found

    def get_metadata_routing(self) -> Any:
        """Return who wants which metadata: this classifier, the wrapped one and the splitter."""
        fit, split = (MethodMapping().add(caller="fit", callee=name) for name in ("fit", "split"))
        return (
            MetadataRouter(owner=self)
            .add_self_request(self)
            .add(estimator=self.estimator, method_mapping=fit)
            .add(splitter=self.cv, method_mapping=split)
        )

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import get_tags

        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = get_tags(self.estimator).input_tags.sparse
        return tags

    def _checked_labels(self, y: ArrayLike) -> AnyArray:
        """Return labels of two kinds, or raise."""
        labels: AnyArray = column_or_1d(y, warn=True)
        kind = type_of_target(labels, input_name="y", raise_unknown=True)
        if kind != "binary":
            raise LabelError(
                f"Only binary classification is supported. The type of the target is {kind}.",
                "pass hard labels of two kinds; probabilities of truth go in as soft_truth.",
            )
        classes = np.unique(labels).tolist()
        if len(classes) == 1:
            raise LabelError(
                f"y has one class only, {classes[0]!r}.", "a threshold is chosen between two."
            )
        positive_label(classes, self.pos_label)
        return labels

    def _routed(
        self, sample_weight: ArrayLike, soft_truth: ArrayLike, params: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the metadata for `fit` of the wrapped classifier, and those for the splitter."""
        if get_config()["enable_metadata_routing"]:
            own = {"sample_weight": sample_weight, "soft_truth": soft_truth}
            given = {name: value for name, value in own.items() if value is not None}
            routed = process_routing(self, "fit", **given, **params)
            return routed.estimator.fit, routed.splitter.split
        if params:
            raise OptionError(
                f"The metadata {', '.join(params)} need metadata routing.",
                "call sklearn.set_config(enable_metadata_routing=True), and request them with "
                "set_fit_request.",
            )
        return self._weights_to_pass(sample_weight), {}

    def _weights_to_pass(self, sample_weight: ArrayLike) -> dict[str, Any]:
        if sample_weight is None or self.cv == "prefit":
            return {}
        if not has_fit_parameter(self.estimator, "sample_weight"):
            raise OptionError(
                f"{type(self.estimator).__name__}.fit has no sample_weight.",
                "call sklearn.set_config(enable_metadata_routing=True): a pipeline then passes "
                "weights on to the steps that request them, and what takes none gets none.",
            )
        return {"sample_weight": sample_weight}

    def _refuse_no_refit(self, splits: list[Split]) -> None:
        if not self.refit and len(splits) > 1:
            raise OptionError(
                f"needs a single split, but there are {len(splits)} folds, each with a classifier.",
                "use refit=True, or a single split such as cv=0.2.",
                option="refit",
                value=self.refit,
            )

    def _held_out(
        self, X: Any, y: AnyArray, splits: list[Split], for_fit: dict[str, Any]
    ) -> list[tuple[AnyArray, FloatArray]]:
        """Fit; return the places and the scores of rows by models that have not seen them."""
        asked = method_of(self.estimator, self.response_method), self.pos_label
        if self.refit and splits:
            found = held_out(self.estimator, X, y, splits, for_fit, asked, self.n_jobs)
            self.estimator_ = clone(self.estimator).fit(X, y, **for_fit)
            return found
        if splits:
            train, test = splits[0]
            self.estimator_ = fitted(self.estimator, X, y, train, for_fit)
        else:
            check_is_fitted(self.estimator)
            self.estimator_, test = self.estimator, np.arange(len(y))
        return [(test, scores_of(self.estimator_, rows_of(X, test), *asked))]

    def _remember_features(self) -> None:
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))

    def _curve(
        self,
        y: AnyArray,
        sample_weight: ArrayLike,
        soft_truth: ArrayLike,
        parts: list[tuple[AnyArray, FloatArray]],
    ) -> Curve:
        """Return the ROC curve of the held-out rows."""
        positive = positive_label(self.classes_.tolist(), self.pos_label)
        truth = y == positive if soft_truth is None else as_array(soft_truth, "soft_truth")
        weights = None if sample_weight is None else as_array(sample_weight, "sample_weight")
        rows = Rows.pooled(
            Rows(truth[test], scores, None if weights is None else weights[test])
            for test, scores in parts
        )
        kind: Truth = "hard" if soft_truth is None else "soft"
        return roc(rows.truth, rows.scores, sample_weight=rows.weights, truth=kind)
