"""From labels and columns of scores to a panel: every row checked for all models."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from rocwalk.errors import (
    DroppedRowsWarning,
    InputError,
    RocwalkError,
    RocwalkWarning,
    TallyError,
    warn,
)
from rocwalk.intake.arrays import Sample, as_array, check
from rocwalk.typing import AnyArray, ArrayLike, IntArray, MassArray
from rocwalk.uncertainty.evidence import cluster_codes
from rocwalk.uncertainty.panel import Model, Panel, model_of, side_by_side
from rocwalk.walk.tally import Tally

Name = Hashable
_NAMES_SHOWN = 5


def panel_from(
    y_true: ArrayLike,
    scores: Any,
    cluster: ArrayLike = None,
    *,
    threads: int | None = None,
    **options: Any,
) -> Panel:
    """Return the panel of labels and a dict of scores; options as for `intake.arrays.check`."""
    refuse_no_models(y_true, scores)
    samples = _samples_of(y_true, scores, **options)
    first = samples[0]
    codes = None if cluster is None else cluster_codes(cluster, first)
    if first.is_counts:
        up: MassArray = first.truth.astype(bool)
        right: MassArray = ~up
    else:
        weight = 1.0 if first.weights is None else first.weights
        up = weight * first.truth.astype(np.float64)
        right = weight - up

    def work(k: int) -> Model:
        return model_of(samples[k].scores, up, right)

    models = side_by_side(work, range(len(samples)), len(up), threads)
    return Panel(tuple(scores), tuple(models), up, right, codes)


def refuse_no_models(y_true: Any, scores: Any) -> None:
    """Raise unless there are items and two models at least."""
    held = scores.values() if isinstance(scores, Mapping) else (scores,)
    if any(isinstance(one, Tally) for one in (y_true, *held)):
        raise TallyError(
            "A paired comparison needs the items, and a tally does not say which row of one model "
            "is which row of the other.",
            "pass y_true and a dict of scores; for separate samples use rocwalk.compare_samples.",
        )
    if not isinstance(scores, Mapping):
        raise InputError(
            f"scores is a {type(scores).__name__}.",
            "pass a dataframe, or a dict with the scores of each model, such as "
            '{"a": scores_a, "b": scores_b}.',
        )
    if len(scores) < 2:
        raise InputError(
            f"There are the scores of {len(scores)} model{'s' * (len(scores) != 1)} only.",
            "a comparison needs two models or more, by name, on the same rows.",
        )


def _samples_of(
    y_true: ArrayLike,
    scores: Mapping[Name, ArrayLike],
    *,
    sample_weight: ArrayLike = None,
    invalid: str = "raise",
    **options: Any,
) -> list[Sample]:
    """Check every model's column against the labels; what one cannot use is dropped for all."""
    labels = as_array(y_true, "y_true")
    weights = None if sample_weight is None else as_array(sample_weight, "sample_weight")
    columns = {name: as_array(one, f"scores[{name!r}]") for name, one in scores.items()}
    length, kept = len(labels), None
    if invalid == "drop":
        kept = _usable_for_all(labels, columns, weights, options)
    if kept is None:
        return [_checked(n, labels, c, weights, invalid, options) for n, c in columns.items()]
    weights = None if weights is None else weights[kept]
    samples = [
        _checked(name, labels[kept], column[kept], weights, "raise", options)
        for name, column in columns.items()
    ]
    return [
        replace(one, rows=kept if one.rows is None else kept[one.rows], length=length)
        for one in samples
    ]


def _usable_for_all(
    labels: AnyArray,
    columns: Mapping[Name, AnyArray],
    weights: AnyArray | None,
    options: Mapping[str, Any],
) -> IntArray | None:
    """Return the rows that every model can use, with one warning; None if these are all."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RocwalkWarning)
        samples = [_checked(n, labels, c, weights, "drop", options) for n, c in columns.items()]
    lost = np.unique(np.concatenate([sample.dropped for sample in samples]))
    if not len(lost):
        return None
    if len(lost) == len(labels):
        raise InputError(
            "No row has a usable label, weight and score of every model.",
            "compare models on rows that all of them score.",
        )
    first = ", ".join(str(row) for row in lost[:_NAMES_SHOWN])
    more = ", …" if len(lost) > _NAMES_SHOWN else ""
    message = (
        f"{len(lost):,} of {len(labels):,} rows were left out for all models because a label, "
        f"weight or some model's score was missing or not usable: rows {first}{more}."
    )
    warn(DroppedRowsWarning(message, tuple(lost.tolist())))
    return np.setdiff1d(np.arange(len(labels)), lost)


def _checked(
    name: Name,
    labels: AnyArray,
    column: AnyArray,
    weights: AnyArray | None,
    invalid: str,
    options: Mapping[str, Any],
) -> Sample:
    """Check one model; errors name it in place of y_score."""
    try:
        return check(labels, column, sample_weight=weights, invalid=invalid, **options)
    except RocwalkError as error:
        what = error.what.replace("y_score", f"scores[{name!r}]")
        raise type(error)(what.replace("y_prob", f"scores[{name!r}]"), error.hint) from None
