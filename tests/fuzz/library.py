"""Cases of the library: odd columns in every public function, right numbers and laws."""

from __future__ import annotations

import csv
import json
import re
import sqlite3
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import deltalake
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import sklearn.metrics as peer
from backports import zstd

import rocwalk as rw
from fuzz.columns import TYPES, Arguments, Sample, draw_arguments, draw_sample, typed
from fuzz.draw import Draw
from rocwalk.errors import LabelError, OneClassError, RocwalkError, RocwalkWarning
from rocwalk.result import Result
from test_bad_input import FUNCTIONS

CLOSE = 1e-12  # to scikit-learn's numbers
_SUMMED = 1e-9  # where the same terms are added in another order
_DRAWN = ("band", "best_threshold")  # rows are drawn by their numbers, so their order matters


def answer(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Return a result of rocwalk, or its error; nothing else may come out, warnings included."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            found = function(*arguments, **options)
        except RocwalkError as error:
            found = error
    if isinstance(found, RocwalkError):
        assert re.search(r"\nHint: \S.*[.?)]$", str(found), re.DOTALL), str(found)
    for one in said:
        assert issubclass(one.category, RocwalkWarning), f"a foreign warning: {one.message!r}"
    return found


def as_peer(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Return what scikit-learn answers, or None if it refuses in any way."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*arguments, **options)
        except Exception:  # noqa: BLE001  # whatever it raises for such columns
            return None


def check_library(draw: Draw) -> None:
    """Check one case of the library."""
    kind = draw.rarely(check_columns, (check_laws, check_tables, check_others), 0.45)
    kind(draw)


# -- odd columns -----------------------------------------------------------------------------------


def check_columns(draw: Draw) -> None:
    """Odd columns in a function: a result or an error of rocwalk, and scikit-learn's numbers."""
    given = draw_arguments(draw)
    name = draw.pick(FUNCTIONS)
    with naming(given, name):
        shown(answer(FUNCTIONS[name], given.y_true, given.y_score, **given.options))
        if given.sample is not None:
            check_area(given)
        check_against_peer(given)


def check_area(given: Arguments) -> None:
    """The area of columns in any notation and container is that of the plain numbers."""
    sample = given.sample
    assert sample is not None
    right = area_of(sample)
    found = answer(rw.roc, given.y_true, given.y_score, **given.options)
    if right is None:
        assert isinstance(found, OneClassError | LabelError), found
    else:
        assert not isinstance(found, RocwalkError), found
        assert abs(found.area - right) <= CLOSE, (found.area, right)


def area_of(sample: Sample) -> float | None:
    """Return scikit-learn's area, of weights around 1; None if there is one class only."""
    weights = np.ones(len(sample.scores)) if sample.weights is None else sample.weights
    if not all(weights[rows].any() for rows in (sample.positive, ~sample.positive)):
        return None
    scaled = weights / weights.max()
    return float(peer.roc_auc_score(sample.positive, sample.scores, sample_weight=scaled))


def check_against_peer(given: Arguments) -> None:
    """Where scikit-learn takes the same columns, its numbers are ours, or we refuse them."""
    options = {k: v for k, v in given.options.items() if k in ("sample_weight", "pos_label")}
    weights = {k: v for k, v in options.items() if k == "sample_weight"}
    if given.options.keys() <= {"sample_weight"}:
        theirs = as_peer(peer.roc_auc_score, given.y_true, given.y_score, **weights)
        ours = answer(rw.metrics.roc_auc_score, given.y_true, given.y_score, **weights)
        if is_number(theirs) and not isinstance(ours, RocwalkError):
            assert np.allclose(ours, theirs, rtol=0, atol=CLOSE, equal_nan=True), (ours, theirs)
    if given.options.keys() <= {"sample_weight", "pos_label"}:
        options["drop_intermediate"] = False  # whether weights are on one line depends on rounding
        theirs = as_peer(peer.roc_curve, given.y_true, given.y_score, **options)
        ours = answer(rw.metrics.roc_curve, given.y_true, given.y_score, **options)
        if theirs is not None and is_number(theirs[:2]) and not isinstance(ours, RocwalkError):
            for one, other in zip(ours, theirs, strict=True):
                assert one.shape == other.shape, (ours, theirs)
                assert np.allclose(one, other, rtol=CLOSE, atol=CLOSE, equal_nan=True), (
                    ours,
                    theirs,
                )


def is_number(theirs: Any) -> bool:
    """Whether scikit-learn's answer is finite: the sum of its weights may not be."""
    return theirs is not None and bool(np.isfinite(theirs).all())


def shown(found: Any) -> None:
    """Look at a result in all the ways that results have."""
    if isinstance(found, Result):
        assert repr(found)
        assert found._repr_html_()
        json.loads(found.to_json())
        found.to_frame("pandas")


# -- laws ------------------------------------------------------------------------------------------


def check_laws(draw: Draw) -> None:
    """Neither the order of rows nor the unit of weights matters, and tallies of parts add up."""
    sample = draw_sample(draw)
    y, s, w = sample.positive, sample.scores, sample.weights
    name = draw.pick([name for name in FUNCTIONS if name not in _DRAWN])
    options = {} if w is None else {"sample_weight": w}
    with naming(Arguments(y, s, options, sample), name):
        found = answer(FUNCTIONS[name], y, s, **options)
        order = draw.rng.permutation(len(y))
        mixed = {key: column[order] for key, column in options.items()}
        agree(answer(FUNCTIONS[name], y[order], s[order], **mixed), found)
        if w is not None:
            scaled = {"sample_weight": w * 2.0 ** draw.whole(-40, 40)}
            again = answer(FUNCTIONS[name], y, s, **scaled)
            if isinstance(found, float):  # tables and tallies hold masses
                agree(again, found)
        whole = answer(rw.tally, y, s, **options)
        cut = draw.whole(0, len(y))
        parts = [
            answer(rw.tally, y[rows], s[rows], **{k: c[rows] for k, c in options.items()})
            for rows in (slice(None, cut), slice(cut, None))
        ]
        if not any(isinstance(one, RocwalkError) for one in (whole, *parts)):
            agree(parts[0] + parts[1], whole)
            agree(parts[1] + parts[0], whole)


def agree(one: Any, other: Any) -> None:
    """Two answers are the same: errors of one class, or numbers that differ by rounding."""
    if isinstance(one, RocwalkError) or isinstance(other, RocwalkError):
        assert type(one) is type(other), (one, other)
        return
    for a, b in zip(numbers(one), numbers(other), strict=True):
        assert np.isclose(a, b, rtol=_SUMMED, atol=_SUMMED, equal_nan=True), (one, other)


def numbers(value: Any) -> Iterator[float]:
    """Return all numbers of an answer, in their order."""
    if isinstance(value, Result):
        value = value.to_dict()
    if isinstance(value, dict):
        value = [value[key] for key in sorted(value)]
    if isinstance(value, list | tuple | np.ndarray):
        for one in value:
            yield from numbers(one)
    elif isinstance(value, float | int | np.number):
        yield float(value)


# -- tables ----------------------------------------------------------------------------------------

Columns = dict[str, list[Any]]


def _csv_file(columns: Columns, folder: Path) -> Path:
    path = folder / "table.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([columns, *zip(*columns.values(), strict=True)])
    return path


def _parquet_file(columns: Columns, folder: Path) -> Path:
    path = folder / "table.parquet"
    pq.write_table(pa.table(columns), path)
    return path


def _packed_file(columns: Columns, folder: Path) -> Path:
    path = folder / "table.csv.zst"
    path.write_bytes(zstd.compress(_csv_file(columns, folder).read_bytes()))
    return path


def _reader(columns: Columns, _: Path) -> Any:
    table = pa.table(columns)
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(7))


def _folder(columns: Columns, folder: Path) -> Path:
    """Two folders whose names are a column."""
    table = pa.table(columns)
    half = len(table) // 2
    for name, part in {"a": table.slice(0, half), "b": table.slice(half)}.items():
        (folder / "lake" / f"part={name}").mkdir(parents=True)
        pq.write_table(part, folder / "lake" / f"part={name}" / "x.parquet")
    return folder / "lake"


def _duckdb_file(columns: Columns, folder: Path) -> Path:
    path = folder / "table.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.register("given", pa.table(columns))
        connection.execute("CREATE TABLE rows AS SELECT * FROM given")
    return path


def _sqlite_file(columns: Columns, folder: Path) -> Path:
    path = folder / "table.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"CREATE TABLE rows ({', '.join(columns)})")
        rows = zip(*(pa.array(one).to_pylist() for one in columns.values()), strict=True)
        marks = ", ".join("?" * len(columns))
        connection.executemany(f"INSERT INTO rows VALUES ({marks})", rows)
    return path


def _delta(columns: Columns, folder: Path) -> Path:
    deltalake.write_deltalake(folder / "delta", pa.table(columns))
    return folder / "delta"


TABLES: dict[str, Callable[[Columns, Path], Any]] = {
    "dict": lambda columns, _: columns,
    "pandas": lambda columns, _: pd.DataFrame(columns),
    "pandas, nullable": lambda columns, _: pd.DataFrame(columns).convert_dtypes(),
    "polars": lambda columns, _: pl.DataFrame(columns),
    "polars, lazy": lambda columns, _: pl.LazyFrame(columns),
    "pyarrow": lambda columns, _: pa.table(columns),
    "CSV file": _csv_file,
    "Parquet file": _parquet_file,
    "Zstandard file": _packed_file,
    "dataset": lambda columns, folder: ds.dataset(_parquet_file(columns, folder)),
    "reader": _reader,
    "folder": _folder,
    "DuckDB file": _duckdb_file,
    "SQLite file": _sqlite_file,
    "Delta table": _delta,
}
_HOW = ({"by": "g"}, {"by": ["g"]}, {"limit": 4}, {"limit": 10_000}, {"label": "g"})


def check_tables(draw: Draw) -> None:
    """Tallies of the columns of any table, whole, in groups and in small parts, add up."""
    sample = draw_sample(draw)
    n = len(sample.positive)
    columns: Columns = {
        "y": sample.positive.astype(int).tolist(),
        "p": sample.scores.tolist(),
        "g": draw.rng.integers(0, 3, n).tolist(),
    }
    options: dict[str, Any] = {}
    if sample.weights is not None:
        columns["w"] = sample.weights.tolist()
        options["weight"] = "w"
    odd = draw.rarely(None, ("p", "y", "g", "w"), 0.3)
    if odd in columns:
        values = {"p": (None, np.nan, np.inf, -1.0), "w": (None, np.nan, np.inf, -1.0)}.get(
            odd, (None, 7)
        )
        columns[odd][draw.whole(0, n - 1)] = draw.pick(values)
        options["invalid"] = draw.pick(("raise", "drop"))
    options |= draw.rarely({}, _HOW, 0.5)
    engine = draw.pick(TABLES)
    if odd not in columns and engine in ("dict", "pandas"):  # the others know no such types
        scores = typed(sample.scores, draw.rarely("f8", TYPES, 0.5))
        columns["p"] = scores
        sample = replace(sample, scores=scores.astype(np.float64))
    given = Arguments(columns, None, options, sample, (engine,))
    with naming(given, "tallies"), tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        table = TABLES[engine](columns, Path(folder))
        found = answer(rw.tallies, table, **({"label": "y", "score": "p"} | options))
        right = area_of(sample)
        if odd in columns or "label" in options or right is None:
            return
        assert not isinstance(found, RocwalkError), found
        whole = sum(found.values())
        low, _, high = whole.auc_bounds
        assert low - CLOSE <= right <= high + CLOSE, (low, right, high)


# -- functions of several columns ------------------------------------------------------------------


def check_others(draw: Draw) -> None:
    """Functions of several samples or columns: results or errors of rocwalk."""
    name = draw.pick(OTHERS)
    first, second = draw_arguments(draw), draw_arguments(draw)
    with naming(first, name), naming(second, name):
        shown(answer(OTHERS[name], first, second))


def _tally(given: Arguments) -> rw.Tally:
    return rw.tally(given.y_true, given.y_score, **given.options)


def _of_samples(function: Callable[..., Any], **more: Any) -> Callable[[Arguments, Arguments], Any]:
    return lambda one, other: function(_tally(one), _tally(other), **more)


def _monitor(one: Arguments, other: Arguments) -> Any:
    monitor = rw.DriftMonitor(_tally(one), minimum=2)
    monitor.update(other.y_true, other.y_score, **other.options)
    return monitor.check()


def _in_turn(column: Any) -> list[int]:
    """Return three groups in turn, one for each value of a column, whatever it is."""
    return [k % 3 for k in range(len(column) if np.ndim(column) else 1)]


OTHERS: dict[str, Callable[[Arguments, Arguments], Any]] = {
    "compare": lambda one, other: rw.compare(
        one.y_true, {"a": one.y_score, "b": other.y_score}, n_resamples=20, rng=0, **one.options
    ),
    "compare, same scores": lambda one, other: rw.compare(
        one.y_true, {"a": one.y_score, "b": one.y_score}, n_resamples=20, rng=0, **one.options
    ),
    "compare_samples": _of_samples(rw.compare_samples),
    "subgroups": lambda one, other: rw.subgroups(
        one.y_true, one.y_score, other.y_true, **one.options
    ),
    "subgroups, in turn": lambda one, other: rw.subgroups(
        one.y_true, one.y_score, _in_turn(one.y_true), **one.options
    ),
    "compare_curves": lambda one, other: rw.compare_curves(
        one.y_true, {"a": one.y_score, "b": other.y_score}, n_resamples=20, rng=0, **one.options
    ),
    "compare_sample_curves": _of_samples(rw.compare_sample_curves, n_resamples=20, rng=0),
    "drift": _of_samples(rw.drift),
    "score_shift": _of_samples(rw.score_shift),
    "smooth_roc": lambda one, other: rw.smooth_roc(one.y_true, one.y_score, **one.options),
    "smooth_roc by kernels": lambda one, other: rw.smooth_roc(
        one.y_true, one.y_score, method="density", **one.options
    ),
    "smooth_roc of betas": lambda one, other: rw.smooth_roc(
        one.y_true, one.y_score, method="beta", **one.options
    ),
    "soft_curves": lambda one, other: rw.soft_curves(one.y_true, one.y_score, **one.options),
    "multiclass": lambda one, other: rw.multiclass(one.y_true, other.y_score),
    "multiclass of a matrix": lambda one, other: rw.multiclass(
        one.y_true, np.column_stack([np.ones(3), np.zeros(3)])
    ),
    "average and fold_band": lambda one, other: rw.fold_band(
        rw.average([rw.roc(each.y_true, each.y_score, **each.options) for each in (one, other)])
    ),
    "votes": lambda one, other: rw.votes({"a": one.y_true, "b": other.y_true}),
    "rater_table": lambda one, other: rw.rater_table(
        {"a": one.y_true, "b": other.y_true}, {"p": one.y_score}
    ),
    "monitor": _monitor,
    "interval of a rate": lambda one, other: rw.interval(
        one.y_true, one.y_score, statistic="tpr", threshold=0.5, **one.options
    ),
    "drift_over_time": lambda one, other: rw.drift_over_time(
        {"y": one.y_true, "p": one.y_score, "t": other.y_score}, label="y", score="p", time="t"
    ),
    "sum": lambda one, other: _tally(one) + _tally(other),
    "report": lambda one, other: rw.report(
        {"y": one.y_true, "p": one.y_score}, label="y", score="p"
    ),
}


# -- what a failure says ---------------------------------------------------------------------------


class naming:
    """Add what a function was called with to whatever goes wrong inside."""

    def __init__(self, given: Arguments, name: str) -> None:
        self.given, self.name = given, name

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: Any, error: BaseException | None, _: Any) -> None:
        if error is not None:
            error.add_note(
                f"{self.name}, {'; '.join(self.given.story)}\n  y_true={self.given.y_true!r}\n"
                f"  y_score={self.given.y_score!r}\n  options={self.given.options!r}"
            )
