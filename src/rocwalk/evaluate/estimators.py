"""Estimators of scikit-learn's kind: their scores, and the scores of rows that they have not seen.

Every function returns one column of scores for the positive class; higher means more positive. This
file needs scikit-learn and is loaded where estimators are given.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from multiprocessing import parent_process
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.model_selection import (
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    check_cv,
)
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _check_method_params as taken_of_each
from sklearn.utils.validation import _num_samples, check_is_fitted, has_fit_parameter

from rocwalk.checks import one_of
from rocwalk.errors import InputError, OptionError
from rocwalk.progress import Progress
from rocwalk.seeds import generator_of
from rocwalk.texts import shown
from rocwalk.typing import AnyArray, FloatArray
from sklearn import get_config

METHODS = ("predict_proba", "decision_function")


def check_method(response_method: str) -> None:
    """Raise unless it is the name of a response method, or "auto"."""
    one_of("response_method", response_method, ("auto", *METHODS))


def scores_of(
    estimator: Any, X: Any, response_method: str = "auto", pos_label: Any = None
) -> FloatArray:
    """Return the scores of a fitted classifier of two classes; higher means more positive.

    "auto" takes probabilities if there are any, else the decision function.
    """
    label = positive_class(estimator, pos_label)
    place = estimator.classes_.tolist().index(label)
    method = method_of(estimator, response_method)
    answer, rows = np.asarray(getattr(estimator, method)(X)), _num_samples(X)
    due = (rows, 2) if method == "predict_proba" else (rows,)
    if answer.shape != due:
        raise InputError(
            f"{method} of {type(estimator).__name__} gave an array of shape {answer.shape}, where "
            f"{due} is due.",
            "predict_proba gives one column a class, decision_function one number a row.",
        )
    if method == "predict_proba":
        return answer[:, place]
    return answer if place == 1 else -answer


def positive_class(estimator: Any, pos_label: Any = None) -> Any:
    """Return the positive class of a fitted classifier of two: the greater, unless it is named."""
    check_is_fitted(estimator)
    if not is_classifier(estimator):
        raise InputError(
            f"{type(estimator).__name__} is not a classifier.",
            "pass a fitted classifier, or a pipeline that ends in one.",
        )
    return positive_label(estimator.classes_.tolist(), pos_label)


def positive_label(classes: list[Any], pos_label: Any = None) -> Any:
    """Return the positive one of two labels: the greater, unless it is named."""
    if len(classes) != 2:
        raise InputError(
            f"There should be two classes, but the classifier knows {shown(classes)}.",
            "a ROC curve sets one class against another; each part of the data needs both.",
        )
    label = classes[-1] if pos_label is None else pos_label
    if label not in classes:
        hint = f"the classes are {shown(classes)}."
        raise OptionError("is not a class.", hint, option="pos_label", value=pos_label)
    return label


def method_of(estimator: Any, response_method: str) -> str:
    """Return the first of the methods asked for that the estimator has."""
    check_method(response_method)
    asked = METHODS if response_method == "auto" else (response_method,)
    for name in asked:
        if hasattr(estimator, name):
            return name
    raise InputError(
        f"{type(estimator).__name__} has no {' and no '.join(asked)}.",
        "a threshold or a curve needs scores: take another classifier, or wrap it in "
        "sklearn.calibration.CalibratedClassifierCV.",
    )


def rows_of(table: Any, places: AnyArray) -> Any:
    """Return some rows of a column or a table of any kind, as scikit-learn cuts its folds."""
    return _safe_indexing(table, places)


Split = tuple[AnyArray, AnyArray]


def splits_of(
    cv: Any, X: Any, y: AnyArray, random_state: Any, metadata: dict[str, Any]
) -> list[Split]:
    """Return the rows to fit to and the rows held out, for each fold; none for "prefit"."""
    if isinstance(cv, str):
        if cv == "prefit":
            return []
        hint = 'cv is a number, a splitter or "prefit".'
        raise OptionError("is not known.", hint, option="cv", value=cv)
    if isinstance(cv, float | np.floating) and 0 < cv < 1:
        cv = StratifiedShuffleSplit(n_splits=1, test_size=cv, random_state=random_state)
    return _split(check_cv(cv, y, classifier=True), X, y, metadata)


def _split(splitter: Any, X: Any, y: AnyArray, metadata: dict[str, Any]) -> list[Split]:
    """Return the rows of each fold by number, or raise as to `cv` where they cannot be."""
    hint = "pass a number of folds, a splitter of scikit-learn, or pairs of rows (train, test)."
    try:
        parts = [
            (np.asarray(train), np.asarray(test))
            for train, test in splitter.split(X, y, **metadata)
        ]
    except (TypeError, ValueError) as error:
        raise InputError(f"does not split these rows: {error}", hint, argument="cv") from error
    places = np.arange(_num_samples(X))
    try:
        return [(places[train], places[test]) for train, test in parts]
    except IndexError as error:
        raise InputError(f"names rows that do not exist: {error}.", hint, argument="cv") from error


def held_out(
    estimator: Any,
    X: Any,
    y: AnyArray,
    splits: list[Split],
    metadata: dict[str, Any],
    asked: tuple[str, Any],
    n_jobs: int | None,
) -> list[tuple[AnyArray, FloatArray]]:
    """Return for each fold which rows were held out, and their scores.

    `asked` are the method of the estimator and the positive label.
    """
    scores = Parallel(n_jobs=n_jobs)(
        delayed(_scores)("", estimator, X, y, (k, *split), metadata, asked)
        for k, split in enumerate(splits)
    )
    return [(test, found) for (_, test), found in zip(splits, scores, strict=True)]


def fitted(estimator: Any, X: Any, y: AnyArray, train: AnyArray, metadata: dict[str, Any]) -> Any:
    """Return a copy of the estimator, fitted to some rows."""
    own = taken_of_each(X, metadata, indices=train)
    return clone(estimator).fit(rows_of(X, train), rows_of(y, train), **own)


def _scores(
    name: str,
    estimator: Any,
    X: Any,
    y: AnyArray,
    fold: tuple[int, AnyArray, AnyArray],
    metadata: dict[str, Any],
    asked: tuple[str, Any],
) -> FloatArray:
    """Return the scores of the rows that a fold holds out; an error says where it happened.

    An error that cannot travel from a worker process is told in words, since joblib would lose it
    with everything that it says.
    """
    k, train, test = fold
    try:
        model = fitted(estimator, X, y, train, metadata)
        return scores_of(model, rows_of(X, test), *asked)
    except Exception as error:
        kind = type(estimator).__name__
        whose = f"{name} ({kind})" if name else kind
        note = f"In fold {k}, whose first row is {test[0]}, of {whose}."
        if parent_process() is not None and not _travels(error):
            told = RuntimeError(f"{type(error).__name__}: {error}")
            told.add_note(note)
            raise told from None
        error.add_note(note)
        raise


def _travels(error: Exception) -> bool:
    """Return whether an error is the same after it was sent to another process."""
    try:
        return str(pickle.loads(pickle.dumps(error))) == str(error)
    except Exception:  # noqa: BLE001 (whatever its class does then)
        return False


# -- several estimators over the same folds --------------------------------------------------------


def repeated_splits(
    cv: Any, X: Any, y: AnyArray, groups: AnyArray | None, repeats: int, rng: Any
) -> list[Split]:
    """Return the folds of all repeats.

    A number of folds is stratified by class, and keeps groups together where there are any. Rows
    are shuffled where there are repeats or an `rng`; a splitter does as it says itself.
    """
    if not isinstance(cv, int | np.integer) or isinstance(cv, bool):
        if repeats > 1:
            raise OptionError(
                "goes with a number of folds only.",
                "pass a splitter that repeats, such as RepeatedStratifiedKFold.",
                option="repeats",
                value=repeats,
            )
        if isinstance(cv, str | float | np.floating):
            hint = "pass a number of folds, a splitter, or pairs of rows (train, test)."
            raise OptionError("gives no folds.", hint, option="cv", value=cv)
        splits = splits_of(cv, X, y, None, {} if groups is None else {"groups": groups})
        _refuse_seen(splits, _num_samples(X))
        return splits
    if cv < 2:
        raise OptionError("is not a number of folds.", "pass 2 or more.", option="cv", value=cv)
    kind = StratifiedKFold if groups is None else StratifiedGroupKFold
    seeds = generator_of(rng).integers(2**31 - 1, size=repeats)
    shuffled = repeats > 1 or rng is not None
    splits = []
    for seed in seeds.tolist():
        splitter = kind(cv, shuffle=shuffled, random_state=seed if shuffled else None)
        splits += _split(splitter, X, y, {"groups": groups})
    return splits


def _refuse_seen(splits: list[Split], rows: int) -> None:
    """Raise if there are fewer than two folds, or if a fit has seen a row that it is tested on."""
    if len(splits) < 2:
        hint = "pass two or more; to evaluate one part, pass a table of its scores."
        raise InputError("gives one fold only.", hint, argument="cv")
    for k, (train, test) in enumerate(splits):
        is_seen = np.zeros(rows, dtype=bool)
        is_seen[train] = True
        seen = np.unique(test[is_seen[test]])
        if len(seen):
            raise InputError(
                f"tests {len(seen):,} rows in fold {k} that it was fitted to, the first row "
                f"{seen[0]}.",
                "the rows of train and test must differ.",
                argument="cv",
            )


def weights_for_fit(name: Any, estimator: Any, weights: AnyArray) -> dict[str, AnyArray]:
    """Return the keyword that passes weights to `fit`, or raise if the estimator takes none.

    In a pipeline they are passed to its last step.
    """
    prefix, last = "", estimator
    while isinstance(last, Pipeline) and not get_config()["enable_metadata_routing"]:
        step, last = last.steps[-1]
        prefix += f"{step}__"
    routed = isinstance(last, Pipeline)
    if routed or has_fit_parameter(last, "sample_weight"):
        return {f"{prefix}sample_weight": weights}
    raise InputError(
        f"The estimator {name!r} takes no weights: fit of {type(last).__name__} has no "
        "sample_weight.",
        "leave sample_weight out, or take an estimator that learns from weights.",
    )


def out_of_fold(
    estimators: Mapping[Any, Any],
    X: Any,
    y: AnyArray,
    splits: Sequence[Split],
    *,
    weights: AnyArray | None,
    asked: tuple[str, Any],
    n_jobs: int | None,
    progress: Progress | None,
) -> dict[Any, list[FloatArray]]:
    """Return the scores of the held-out rows of every fold, for each estimator.

    `asked` are the response method and the positive label.
    """
    work = []
    for name, estimator in estimators.items():
        if isinstance(estimator, type):
            hint = f"pass an instance, {estimator.__name__}(…)."
            raise OptionError(
                f"has a class, not an estimator, as {name!r}.", hint, argument="models"
            )
        for_fit = {} if weights is None else weights_for_fit(name, estimator, weights)
        try:
            own = method_of(estimator, asked[0]), asked[1]
        except InputError as error:
            raise error.at(remark=f"It is {name!r} of the models.") from None
        work += [
            (repr(name), estimator, X, y, (k, *split), for_fit, own)
            for k, split in enumerate(splits)
        ]
    results = Parallel(n_jobs=n_jobs, return_as="generator")(
        delayed(_scores)(*each) for each in work
    )
    found = []
    for done, scores in enumerate(results, 1):
        found.append(scores)
        if progress is not None:
            progress(done, len(work))
    folds = len(splits)
    return {name: found[k * folds : (k + 1) * folds] for k, name in enumerate(estimators)}
