"""Scorers: the registered statistics and `rocwalk.metrics` for scikit-learn's `scoring=`.

A statistic that has a direction gets its scorer from its entry in the registry: the function of
`rocwalk.metrics` of its name, or else the entry itself; scores or probabilities as it needs them;
and ``neg_`` before its name where lower is better.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, ItemsView, Iterator, KeysView, ValuesView
from dataclasses import dataclass, replace
from inspect import Parameter, signature
from math import nan
from typing import Any

import numpy as np
from sklearn.metrics import make_scorer as make_theirs

from rocwalk import metrics
from rocwalk.curves.choices import Costs, slope_of
from rocwalk.errors import LabelError, OptionError
from rocwalk.inference.items import evidence_from
from rocwalk.metrics.evidence import (
    are_standard,
    evidence_of,
    kind_of_labels,
    refuse_unnamed,
    said_if_open,
    said_if_undefined,
)
from rocwalk.read.arrays import as_array, check
from rocwalk.statistic import Statistic, entries, find, statistic_of
from rocwalk.tally.tally import Tally
from rocwalk.texts import nearest
from rocwalk.typing import ArrayLike, FloatArray, Invalid, Truth

# -- what decisions cost ---------------------------------------------------------------------------

EQUAL = Costs(false_positive=1, false_negative=1)


def expected_cost(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    costs: Costs | None = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> float:
    """Return the mean cost of one item, given the predicted classes.

    c_FP·π⁻·FPR + c_FN·π⁺·FNR; lower is better.

    Parameters
    ----------
    y_true
        Labels, or probabilities of truth.
    y_pred
        Predicted labels.
    costs
        `rocwalk.Costs`, by default 1 for either mistake: the share of mistakes. Its own
        prevalence, if it has one, takes the place of that of the data.
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    One class is fine, unless the costs have a prevalence of their own: then NaN with an
    `UndefinedMetricWarning`.

    Examples
    --------
    >>> import rocwalk as rw
    >>> costs = rw.Costs(false_positive=1, false_negative=10)
    >>> expected_cost([1, 1, 0, 0], [1, 0, 1, 0], costs=costs)
    2.75
    """
    prices = EQUAL if costs is None else costs
    slope_of(prices, None, 0.5)  # raises unless they are costs
    is_soft = truth == "soft" or kind_of_labels(y_true)[0] == "continuous"
    decided = _decided(y_pred, pos_label)
    if pos_label is None and not is_soft:
        refuse_unnamed(*kind_of_labels(y_true))
    sample = check(
        y_true,
        decided,
        sample_weight=sample_weight,
        pos_label=None if is_soft else pos_label,
        truth=truth,
        invalid=invalid,
        with_advice=False,  # decisions are no scores
    )
    weights = np.ones(len(sample.scores)) if sample.weights is None else sample.weights
    up, right = weights * sample.truth, weights * (1.0 - sample.truth)
    positive = sample.scores > 0
    false_positives, false_negatives = float(right[positive].sum()), float(up[~positive].sum())
    if prices.prevalence is None:
        paid = prices.false_positive * false_positives + prices.false_negative * false_negatives
        return paid / float(weights.sum())
    if not (up.sum() > 0 and right.sum() > 0):
        return said_if_undefined(nan, "expected cost at another prevalence")
    return prices.expected(false_positives / right.sum(), 1 - false_negatives / up.sum(), None)


def _decided(y_pred: ArrayLike, pos_label: Any) -> FloatArray:
    """Return positive numbers for what is predicted positive and negative ones for the rest.

    They are all different: scores of two values would be taken for a mistake.
    """
    labels = as_array(y_pred, "y_pred")
    kind, classes = kind_of_labels(labels)
    if kind == "continuous":
        raise LabelError(
            "y_pred holds scores, but costs are those of decisions.",
            'pass predicted labels; make a scorer with response_method="predict".',
        )
    if pos_label is None:
        refuse_unnamed(kind, classes)
    places = np.arange(1.0, len(labels) + 1)
    return np.where(labels == (1 if pos_label is None else pos_label), places, -places)


# -- metrics ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Registered:
    """A statistic of the registry as a function of labels and scores, as the metrics are.

    `parameters` are those that it needs, such as a threshold.
    """

    name: str
    parameters: tuple[tuple[str, Any], ...] = ()

    @property
    def __name__(self) -> str:  # what errors and the repr of a scorer say
        return self.name

    def __call__(
        self,
        y_true: ArrayLike | Tally,
        y_score: ArrayLike = None,
        *,
        sample_weight: ArrayLike = None,
        pos_label: Any = None,
        truth: Truth = "auto",
        invalid: Invalid = "raise",
    ) -> float:
        """Return the number; NaN with a warning where it needs a class that is missing."""
        given: dict[str, Any] = dict(self.parameters)
        entry = statistic_of(self.name, **given)
        data = evidence_of(
            y_true,
            y_score,
            sample_weight,
            pos_label,
            truth,
            invalid,
            probabilities=entry.needs_probabilities,
            argument="y_score",
        )
        evidence = evidence_from(data)
        tally = evidence.tally
        if entry.needs_both and not (tally.total_up > 0 and tally.total_right > 0):
            return said_if_undefined(nan, entry.words)
        if entry.of_items is not None and evidence.is_soft and evidence.items is not None:
            return entry.of_items.of(evidence.items)
        if entry.bounds is not None and tally.is_bucketed:
            return said_if_open(entry.bounds(tally), entry.words)
        return entry.of(tally)


@dataclass(frozen=True)
class Measure:
    """A function of (y_true, y_pred) that takes the metadata `soft_truth` and `sample_weight`.

    Where soft truth is given, it stands in the place of the labels. It can be pickled if the
    function can.
    """

    function: Callable[..., Any]

    @property
    def __name__(self) -> str:  # what scikit-learn writes in the repr of a scorer
        return str(getattr(self.function, "__name__", repr(self.function)))

    def __call__(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        soft_truth: ArrayLike = None,
        sample_weight: ArrayLike = None,
        pos_label: Any = None,
        **options: Any,
    ) -> Any:
        """Return the number for labels, or for probabilities of truth if these are given."""
        if sample_weight is not None:
            options["sample_weight"] = sample_weight
        if pos_label is None and "y_pred" in signature(self.function).parameters:
            pos_label = _greater(y_true, y_pred)
        if soft_truth is not None:
            return self.function(soft_truth, y_pred, **(self._soft(pos_label) | options))
        if pos_label is not None:
            options["pos_label"] = pos_label
        return self.function(y_true, y_pred, **options)

    def _soft(self, pos_label: Any) -> dict[str, Any]:
        """Return the keywords that say that the truth is soft.

        The positive label has done its work then: it chose the column of probabilities. Predicted
        labels still need it.
        """
        known = signature(self.function).parameters
        soft: dict[str, Any] = {"truth": "soft"} if "truth" in known else {}
        if pos_label is not None and "y_pred" in known:
            soft["pos_label"] = pos_label
        return soft


def _greater(y_true: ArrayLike, y_pred: ArrayLike) -> Any:
    """Return the greater of two labels that do not say themselves which is positive; else None.

    It is the class whose scores scikit-learn passes to the other scorers.
    """
    both = np.concatenate([as_array(y_true, "y_true"), as_array(y_pred, "y_pred")])
    kind, classes = kind_of_labels(both)
    if kind == "multiclass":
        refuse_unnamed(kind, classes)
    named = kind == "binary" and len(classes) == 2 and not are_standard(classes)
    return classes[1] if named else None


# -- scorers ---------------------------------------------------------------------------------------

Response = str | tuple[str, ...]
_SCORES: Response = ("decision_function", "predict_proba")  # only the order of the scores counts
_PROBABILITIES: Response = "predict_proba"
_PER_ROW = ("sample_weight", "soft_truth")  # metadata, cut into folds by scikit-learn


@dataclass(frozen=True)
class Recipe:
    """A metric, what it needs from an estimator, and whether greater is better."""

    function: Callable[..., Any]
    response: Response = _PROBABILITIES
    greater_is_better: bool = True


def _recipes() -> dict[str, Recipe]:
    """Return what each scorer is made of, by name.

    Statistics with a direction and without parameters come from the registry. The other metrics
    are no number of one tally: they need several classes, or options of their own.
    """
    functions = {name: getattr(metrics, name) for name in metrics.__all__ if name != "roc_curve"}
    found = {"neg_expected_cost": Recipe(expected_cost, "predict", greater_is_better=False)}
    for entry in entries().values():
        if entry.direction is None or entry.keywords:
            continue
        function: Callable[..., Any] = Registered(entry.name)
        for name in (entry.metric, f"{entry.name}_score", entry.name):
            function = functions.pop(name, function)
        lower = entry.direction == "lower"
        found[f"neg_{entry.name}" if lower else entry.name] = _recipe_of(entry, function)
    found |= {name.removesuffix("_score"): Recipe(one) for name, one in functions.items()}
    return dict(sorted(found.items()))


def _recipe_of(entry: Statistic, function: Callable[..., Any]) -> Recipe:
    """Return the recipe of a registered statistic; a threshold is one of probabilities."""
    needs = entry.needs_probabilities or "threshold" in entry.values
    response = _PROBABILITIES if needs else _SCORES
    return Recipe(function, response, greater_is_better=entry.direction != "lower")


class UnknownScorerError(OptionError, KeyError):
    """A name that no scorer has."""

    __str__ = Exception.__str__  # a KeyError alone would show its message in quotes


def make_scorer(
    metric: str | Callable[..., Any],
    *,
    response_method: Response | None = None,
    greater_is_better: bool | None = None,
    **options: Any,
) -> Any:
    """Return a scorer for scikit-learn's `scoring=`: greater is better.

    Parameters
    ----------
    metric
        A name of `scorers`; a registered statistic with parameters, such as "sensitivity" with
        `threshold` or "partial_auc" with `max_fpr`; or a function of (y_true, y_score).
    response_method
        What to ask the estimator for: "predict_proba", "decision_function", "predict", or a tuple
        of which the first that it has is taken. By default what the metric needs; for a function
        that is not of rocwalk, "predict_proba".
    greater_is_better
        False to turn the sign. By default as the metric is.
    options
        Keywords of the metric, the same for every fold.

    With metadata routing, ``scorer.set_score_request(sample_weight=True, soft_truth=True)`` makes
    the scorer take weights, and probabilities of truth in the place of the labels, row by row.

    Examples
    --------
    >>> make_scorer("h_measure", prior=(2, 2))
    make_scorer(h_measure_score, response_method=('decision_function', 'predict_proba'), \
prior=(2, 2))
    """
    recipes = _recipes()
    if isinstance(metric, str):
        entry = find(metric)
        if entry is not None and (entry.parameters or entry.points) and entry.direction:
            given = {name: options.pop(name) for name in entry.keywords if name in options}
            own = statistic_of(metric, **given)  # raises where one is missing
            recipes[metric] = _recipe_of(own, Registered(metric, tuple(given.items())))
        if metric not in recipes:
            raise UnknownScorerError(f"There is no scorer {metric!r}.", nearest(metric, recipes))
        recipe = recipes[metric]
    elif callable(metric):
        bare = metric.func if isinstance(metric, functools.partial) else metric
        known = (one for one in recipes.values() if one.function is bare)
        recipe = replace(next(known, Recipe(metric)), function=metric)
    else:
        raise OptionError(
            "is neither a name nor a function.",
            "pass a name of rocwalk.sklearn.scorers, or a function of (y_true, y_score).",
            option="metric",
            value=metric,
        )
    keywords = signature(recipe.function).parameters
    anything = any(one.kind is Parameter.VAR_KEYWORD for one in keywords.values())
    for option in options:
        if option in _PER_ROW:
            raise OptionError(
                f"{option} has a value for each row, and the rows of a scorer change.",
                f"enable metadata routing and call scorer.set_score_request({option}=True).",
            )
        if option not in keywords and not anything:
            name = getattr(recipe.function, "__name__", "the metric")
            raise OptionError(
                f"{name} has no option {option!r}.", nearest(option, list(keywords)[2:])
            )
    better = recipe.greater_is_better if greater_is_better is None else greater_is_better
    return make_theirs(
        Measure(recipe.function),
        response_method=response_method or recipe.response,
        greater_is_better=better,
        **options,
    )


class Scorers(dict[str, Any]):
    """Scorers by name, as scikit-learn's `scoring=` takes them: a dict that cannot be changed.

    Each access makes a new scorer, so that requests for metadata stay its own. The names are those
    of the registry at that moment.
    """

    def __getitem__(self, name: str) -> Any:
        return make_scorer(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_recipes())

    def __len__(self) -> int:
        return len(_recipes())

    def __contains__(self, name: object) -> bool:
        return name in _recipes()

    def __reduce__(self) -> tuple[type[Scorers], tuple[()]]:
        return Scorers, ()

    def keys(self) -> KeysView[str]:  # type: ignore[override]
        """Return the names."""
        return KeysView(self)

    def values(self) -> ValuesView[Any]:  # type: ignore[override]
        """Return a new scorer for each name."""
        return ValuesView(self)

    def items(self) -> ItemsView[str, Any]:  # type: ignore[override]
        """Return the names, each with a new scorer."""
        return ItemsView(self)

    def get(self, name: str, default: Any = None) -> Any:
        """Return a new scorer of this name, or the default."""
        return self[name] if name in self else default  # noqa: SIM401

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise TypeError("scorers cannot be changed; they are those of the registry of statistics.")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __repr__(self) -> str:
        return f"Scorers({', '.join(self)})"


scorers = Scorers()
