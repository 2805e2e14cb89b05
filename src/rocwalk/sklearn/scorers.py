"""`scorers` and `make_scorer`: every number of `rocwalk.metrics` for scikit-learn's `scoring=`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Any

from sklearn.metrics import make_scorer as make_theirs

from rocwalk import metrics
from rocwalk.errors import OptionError, nearest
from rocwalk.sklearn.cost import expected_cost
from rocwalk.sklearn.measure import Measure

Response = str | tuple[str, ...]
_SCORES: Response = ("decision_function", "predict_proba")  # only the order of the scores counts
_PROBABILITIES: Response = "predict_proba"
_PER_ROW = ("sample_weight", "soft_truth")  # metadata, cut into folds by scikit-learn


@dataclass(frozen=True)
class Recipe:
    """A metric, what it wants from an estimator, and whether more is better."""

    function: Callable[..., Any]
    response: Response = _PROBABILITIES
    greater_is_better: bool = True


_RECIPES = {
    "auc": Recipe(metrics.roc_auc_score, _SCORES),
    "auc_prt": Recipe(metrics.auc_prt_score, _SCORES),
    "capability": Recipe(metrics.capability_score),
    "h_measure": Recipe(metrics.h_measure_score, _SCORES),
    "hand_till_auc": Recipe(metrics.hand_till_auc_score),
    "neg_expected_cost": Recipe(expected_cost, "predict", greater_is_better=False),
    "neg_struggle_ratio": Recipe(metrics.struggle_ratio, greater_is_better=False),
    "probabilistic_auc": Recipe(metrics.probabilistic_auc_score),
    "probabilistic_gini": Recipe(metrics.probabilistic_gini_score),
    "provost_domingos_auc": Recipe(metrics.provost_domingos_auc_score),
    "scored_auc": Recipe(metrics.scored_auc_score),
    "sensibility": Recipe(metrics.sensibility_score),
    "soft_auc": Recipe(metrics.soft_auc_score),
}


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
        A name of `scorers`, or a function of (y_true, y_score).
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
    recipe = _recipe_of(metric)
    _refuse_unknown(recipe.function, options)
    better = recipe.greater_is_better if greater_is_better is None else greater_is_better
    return make_theirs(
        Measure(recipe.function),
        response_method=response_method or recipe.response,
        greater_is_better=better,
        **options,
    )


def _recipe_of(metric: str | Callable[..., Any]) -> Recipe:
    if isinstance(metric, str):
        if metric not in _RECIPES:
            raise UnknownScorerError(f"There is no scorer {metric!r}.", nearest(metric, _RECIPES))
        return _RECIPES[metric]
    if not callable(metric):
        raise OptionError(
            f"metric={metric!r} is neither a name nor a function.",
            "pass a name of rocwalk.sklearn.scorers, or a function of (y_true, y_score).",
        )
    bare = metric.func if isinstance(metric, functools.partial) else metric
    known = (recipe for recipe in _RECIPES.values() if recipe.function is bare)
    recipe = next(known, Recipe(metric))
    return Recipe(metric, recipe.response, recipe.greater_is_better)


def _refuse_unknown(function: Callable[..., Any], options: Mapping[str, Any]) -> None:
    """Raise for keywords that the metric does not have, and for those that go by row."""
    known = signature(function).parameters
    anything = any(one.kind is Parameter.VAR_KEYWORD for one in known.values())
    name = getattr(function, "__name__", "the metric")
    for option in options:
        if option in _PER_ROW:
            raise OptionError(
                f"{option} has a value for each row, and the rows of a scorer change.",
                f"enable metadata routing and call scorer.set_score_request({option}=True).",
            )
        if option not in known and not anything:
            keywords = list(known)[2:]
            raise OptionError(f"{name} has no option {option!r}.", nearest(option, keywords))


class Scorers(Mapping[str, Any]):
    """Scorers by name. Each look gives a new one, so that requests for metadata stay its own."""

    def __getitem__(self, name: str) -> Any:
        return make_scorer(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_RECIPES)

    def __len__(self) -> int:
        return len(_RECIPES)

    def __repr__(self) -> str:
        return f"Scorers({', '.join(self)})"


scorers = Scorers()
