"""Classifiers that learn from scores of rows which the wrapped classifier has not seen."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted, column_or_1d, has_fit_parameter

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
from rocwalk.typing import AnyArray, ArrayLike, FloatArray, Truth
from sklearn import get_config


class HeldOutClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A wrapped classifier of two classes, and the ROC curve of rows that it has not seen.

    A subclass has the parameters `estimator`, `cv`, `response_method`, `pos_label`, `n_jobs` and
    `random_state`; without a parameter `refit` the classifier is fitted to all rows at the end.
    """

    refit = True

    def _fit_held_out(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike,
        soft_truth: ArrayLike,
        params: dict[str, Any],
    ) -> Curve:
        """Fit the classifier; return the ROC curve of scores by models that had not seen the rows.

        Decision values are left as they are, unless `_read` of a subclass reads them otherwise.
        """
        check_method(self.response_method)
        X, y, sample_weight, soft_truth = indexable(X, y, sample_weight, soft_truth)
        y = self._checked_labels(y)
        for_fit, for_split = self._routed(sample_weight, soft_truth, params)
        splits = splits_of(self.cv, X, y, self.random_state, for_split)
        if not self.refit and len(splits) > 1:
            raise OptionError(
                f"needs a single split, but there are {len(splits)} folds, each with a classifier.",
                "use refit=True, or a single split such as cv=0.2.",
                option="refit",
                value=self.refit,
            )
        parts = self._held_out(X, y, splits, for_fit)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        positive = positive_label(self.classes_.tolist(), self.pos_label)
        truth = y == positive if soft_truth is None else as_array(soft_truth, "soft_truth")
        weights = None if sample_weight is None else as_array(sample_weight, "sample_weight")
        rows = Rows.pooled(
            Rows(truth[test], self._read(scores), None if weights is None else weights[test])
            for test, scores in parts
        )
        kind: Truth = "hard" if soft_truth is None else "soft"
        return roc(rows.truth, rows.scores, sample_weight=rows.weights, truth=kind)

    def _read(self, scores: FloatArray) -> FloatArray:
        """Return the scores of the wrapped classifier as the curve takes them."""
        return scores

    def _scores(self, X: Any) -> tuple[FloatArray, int]:
        """Return the scores of new rows, and the place of the positive label in `classes_`."""
        classes = self.classes_.tolist()
        positive = positive_label(classes, self.pos_label)
        scores = scores_of(self.estimator_, X, self.response_method, positive)
        return self._read(scores), classes.index(positive)

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
            raise LabelError(f"y has one class only, {classes[0]!r}.", "pass rows of two classes.")
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
