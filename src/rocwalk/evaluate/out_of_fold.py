"""Estimators, fitted to all folds but one in turn: a study of the scores of rows not seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.checks import as_whole
from rocwalk.errors import DroppedRowsWarning, InputError, OptionError, optional, warn
from rocwalk.evaluate.question import Question
from rocwalk.evaluate.study import Study, read_study
from rocwalk.progress import Progress
from rocwalk.read.arrays import as_array, check_weights
from rocwalk.read.labels import missing_labels
from rocwalk.tally.tally import read_only
from rocwalk.texts import shown
from rocwalk.typing import AnyArray, ArrayLike, FloatArray


@dataclass(frozen=True, eq=False)
class Turns:
    """What a table of scores does not say of its folds: their repeats, and the rows of repeats."""

    repeats: int
    columns: Mapping[Any, AnyArray]
    scores: Mapping[Any, FloatArray]
    question: Question


def study_out_of_fold(
    estimators: Any,
    X: Any,
    y: ArrayLike,
    *,
    cv: Any,
    repeats: int,
    groups: ArrayLike,
    sample_weight: ArrayLike,
    asked: tuple[str, Any],
    rng: Any,
    n_jobs: int | None,
    progress: Progress | None,
) -> tuple[Study, Turns]:
    """Return the study of the scores out of fold, with their repeats."""
    optional("sklearn", "sklearn", "rocwalk.evaluate of estimators", "scikit-learn")
    from sklearn.utils.validation import _num_samples

    from rocwalk.evaluate.estimators import out_of_fold, positive_label, repeated_splits

    if X is None or y is None:
        raise InputError("Estimators need rows and labels.", "pass both X and y.")
    if not isinstance(estimators, Mapping) or not estimators:
        raise OptionError(
            "is an empty dict." if estimators == {} else "is not a dict of estimators.",
            "pass {name: estimator}, as in {'logistic': LogisticRegression()}.",
            argument="models",
        )
    truth = as_array(y, "y")
    lost = np.flatnonzero(missing_labels(truth))
    if len(lost):
        hint = "estimators learn from labels; leave such rows out first."
        raise InputError("is missing (NaN or null).", hint, argument="y", row=int(lost[0]))
    rows = _num_samples(X)
    if rows != len(truth):
        hint = "pass the label of every row."
        raise InputError(f"The lengths differ: X has {rows:,} rows, y {len(truth):,}.", hint)
    given_weights = _column(sample_weight, "sample_weight", len(truth))
    weights = None if given_weights is None else check_weights(given_weights)
    labels = np.unique(truth)
    if len(labels) != 2:
        few = f": {shown(labels.tolist())}" if len(labels) < 10 else ""
        raise InputError(
            f"should have two classes, not {len(labels):,}{few}.",
            "estimators are evaluated on hard labels; for several classes, or a soft truth, pass "
            "their scores out of fold to rocwalk.multiclass, or as a table.",
            argument="y",
        )
    positive = positive_label(labels.tolist(), asked[1])
    times = as_whole("repeats", repeats, 1)
    units = _column(groups, "groups", len(truth))
    splits = repeated_splits(cv, X, truth, units, times, rng)
    turns = _turns_of([test for _, test in splits], len(truth))
    found = out_of_fold(
        estimators,
        X,
        truth,
        splits,
        weights=weights,
        asked=asked,
        n_jobs=n_jobs,
        progress=progress,
    )
    times = int(turns.max()) + 1
    scores = {name: np.full((times, len(truth)), np.nan) for name in estimators}
    fold = np.full((times, len(truth)), -1, dtype=np.int64)
    for k, (turn, (_, test)) in enumerate(zip(turns, splits, strict=True)):
        fold[turn, test] = k
        for name, parts in found.items():
            scores[name][turn, test] = parts[k]
    used = np.flatnonzero(fold[0] >= 0)
    if len(used) < len(truth):
        missed = np.flatnonzero(fold[0] < 0).tolist()
        warn(DroppedRowsWarning(len(truth), missed, because="no fold tests them"))
    label, named = _free("label", estimators), _free("fold", estimators)
    by_weight = None if weights is None else _free("weight", estimators)
    cluster = None if units is None else _free("group", estimators)
    question = Question(
        label=label, scores=tuple(estimators), fold=named, weight=by_weight, cluster=cluster
    )

    def columns(rows: int) -> dict[Any, AnyArray]:
        """Return the rows of so many repeats as a table."""
        table: dict[Any, AnyArray] = {
            label: np.tile((truth == positive)[used].astype(np.int64), rows),
            named: fold[:rows, used].ravel(),
            **{name: scores[name][:rows, used].ravel() for name in estimators},
        }
        for column, values in ((by_weight, weights), (cluster, units)):
            if values is not None:
                table[column] = np.tile(values[used], rows)
        return table

    study = read_study(columns(times), question, in_pairs=len(estimators) > 1 and times == 1)
    held = {name: read_only(each[0] if times == 1 else each) for name, each in scores.items()}
    return study, Turns(times, columns(1), held, question)


def _column(given: ArrayLike, name: str, rows: int) -> AnyArray | None:
    """Return a column of all rows, None if it was not given."""
    if given is None:
        return None
    column = as_array(given, name)
    if len(column) != rows:
        raise InputError(
            f"The lengths differ: {name} has {len(column):,} rows, y {rows:,}.",
            f"pass the {name} of every row.",
        )
    return column


def _turns_of(tests: Sequence[AnyArray], rows: int) -> AnyArray:
    """Return the repeat of each fold; raise unless every tested row is tested as often."""
    seen, turns = np.zeros(rows, dtype=np.int64), []
    for test in tests:
        before = seen[test]
        turns.append(int(before.max(initial=0)))
        if before.min(initial=turns[-1]) < turns[-1]:
            break
        seen[test] += 1
    times = np.unique(seen[seen > 0])
    if len(turns) < len(tests) or len(times) != 1 or len(tests) % int(times[0]):
        raise InputError(
            "makes folds that do not test every row as often as the others.",
            "take folds that divide the rows, such as StratifiedKFold or RepeatedStratifiedKFold; "
            "random splits test rows unequally.",
            argument="cv",
        )
    return np.array(turns)


def _free(name: str, taken: Mapping[Any, Any]) -> str:
    """Return the name, with underscores until no model has it."""
    while name in taken:
        name += "_"
    return name
