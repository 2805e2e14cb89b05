"""`CostThresholdClassifier`: a classifier whose threshold minimises the expected cost."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, Self

import numpy as np
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from rocwalk.curves.choices import Costs, slope_of
from rocwalk.sklearn.held_out import HeldOutClassifier
from rocwalk.typing import AnyArray, ArrayLike, ResponseMethod


def _if_it_has(name: str) -> Callable[[Any], bool]:
    """Return a test whether the wrapped estimator has a method."""

    def test(self: Any) -> bool:
        getattr(getattr(self, "estimator_", self.estimator), name)  # or an AttributeError says why
        return True

    return test


class CostThresholdClassifier(HeldOutClassifier):
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
        slope_of(self.costs, None, 0.5)  # raises unless they are costs
        self.curve_ = self._fit_held_out(X, y, sample_weight, soft_truth, params)
        self.choice_ = self.curve_.best(self.costs)
        takes_all = self.choice_.interval[0] == -inf  # then it takes every other row, too
        self.best_threshold_ = -inf if takes_all else self.choice_.threshold
        self.expected_cost_ = self.choice_.expected_cost
        return self

    def predict(self, X: Any) -> AnyArray:
        """Return the labels: positive where the score is at least the threshold."""
        check_is_fitted(self, "best_threshold_")
        scores, place = self._scores(X)
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
