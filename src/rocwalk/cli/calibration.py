"""Calibration on the terminal: every number with its interval, tests, and recalibrations."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rocwalk.cli.output import Row
from rocwalk.cli.terminal import print_folded, print_table
from rocwalk.curves.reliability import NUMBERS, SHOWN, Calibration, heading
from rocwalk.errors import RocwalkError
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import level_words, p_text, rate, with_ends
from rocwalk.report.rater_findings import noted
from rocwalk.report.recalibrations import RECALIBRATION_COLUMNS

_LOSSES = {"brier": "Brier", "log_loss": "Log"}
_PARTS = {
    "loss": "Loss",
    "uncertainty": "Uncertainty",
    "discrimination": "− Discrimination",
    "miscalibration": "+ Miscalibration",
}


def calibration_rows(findings: Findings) -> list[Row]:
    """Return the calibration of each model whose scores are probabilities, or why it has none."""
    rows: list[Row] = []
    for k, name in enumerate(findings.names):
        if k not in findings.calibrations:
            why = "Its scores reach outside 0 to 1, or are in buckets."
            rows.append({"model": name, "why_not": why})
            continue
        try:
            rows.append({"model": name, **_numbers(findings.calibrations[k])})
        except RocwalkError as error:
            rows.append({"model": name, "why_not": error.what})
            continue
        rows[-1]["recalibrations"] = _recalibrations(findings, k)
    return rows


def _numbers(found: Calibration) -> Row:
    """Return the numbers of a calibration with their ends, the tests, and what is left out."""
    intervals, notes = noted(lambda: found.intervals)
    row: Row = {"numbers": {}, "notes": notes, "left_out": found.left_out}
    for name in NUMBERS:
        one = intervals[name]
        ends = {"low": one.low, "high": one.high}
        known = {end: None if math.isnan(value) else value for end, value in ends.items()}
        row["numbers"][name] = {"estimate": one.estimate, **known, "method": one.method}
    tests = [found.spiegelhalter, found.hosmer_lemeshow()]
    row["tests"] = [
        {"test": one.name, "statistic": one.statistic, "df": one.df, "p_value": one.p_value}
        for one in tests
    ]
    return row


def _recalibrations(findings: Findings, k: int) -> Row:
    """Return recalibration maps judged on rows that they were not fitted to, or why not."""
    found = findings.recalibrations[k]
    if isinstance(found, str):
        return {"why_not": found}
    columns = found.to_dict()
    names = [name for name in columns if isinstance(columns[name], list)]
    rows = zip(*(columns[name] for name in names), strict=True)
    maps = [dict(zip(names, row, strict=True)) for row in rows]
    return {"maps": maps, "best": found.best, "folds": found.folds, "meaning": found.sentence}


def print_calibration(rows: Sequence[Row], level: float, *, quiet: bool) -> None:
    """Print the numbers of calibration, losses in their parts, tests and recalibrations."""
    held = [row for row in rows if "numbers" in row]
    if held:
        numbers = [
            {"model": row["model"], **{name: _written(row, name) for name in SHOWN}} for row in held
        ]
        headers = {"model": "Model"} | {name: heading(name) for name in SHOWN}
        print_table("Calibration", headers, numbers)
        _print_losses(held)
        _print_tests(held)
        _print_maps(held)
    if quiet:
        return
    for row in rows:
        said = [f"The calibration is not measured: {row['why_not']}"] if "why_not" in row else []
        if row.get("left_out"):
            said.append(
                f"Slope and intercept leave out {row['left_out']:,} items with a score of exactly "
                "0 or 1, which has no logit."
            )
        maps = row.get("recalibrations", {})
        said += [maps["meaning"]] if "meaning" in maps else []
        said += [f"No recalibrations: {maps['why_not']}"] if "why_not" in maps else []
        for words in said:
            print_folded(f"{row['model']}: {words}")
    if held:
        print_folded(
            f"In brackets: {level_words(level)} intervals. Chance makes distances (ICI to smooth "
            "ECE) of calibrated scores more than 0; an interval reaches 0 where chance explains "
            "the distance. A test says whether chance explains the distance, not how large it is."
        )


def _written(row: Row, name: str) -> str:
    """Write a number of a row with its ends, as far as it has any."""
    one = row["numbers"][name]
    return with_ends(one["estimate"], one["low"], one["high"])


def _print_losses(rows: Sequence[Row]) -> None:
    written = []
    for row in rows:
        for loss, title in _LOSSES.items():
            cells = {"loss": _written(row, loss)}
            cells |= {part: _written(row, f"{loss}_{part}") for part in _PARTS if part != "loss"}
            written.append({"model": row["model"], "score": title, **cells})
    print_table("Losses in their parts", {"model": "Model", "score": "Loss of", **_PARTS}, written)


def _print_tests(rows: Sequence[Row]) -> None:
    headers = {"model": "Model", "test": "Test", "statistic": "z or χ²", "df": "df", "p": "p"}
    written = [
        {"model": row["model"], **test}
        | {"statistic": rate(test["statistic"], 3), "p": p_text(test["p_value"])}
        for row in rows
        for test in row["tests"]
    ]
    print_table("Tests of calibration", headers, written)


def _print_maps(rows: Sequence[Row]) -> None:
    headers = {"model": "Model", "method": "Map", **RECALIBRATION_COLUMNS}
    written = [
        {"model": row["model"], "method": one["method"]}
        | {name: rate(one[name]) for name in RECALIBRATION_COLUMNS}
        for row in rows
        for one in row["recalibrations"].get("maps", ())
    ]
    if written:
        print_table("Recalibrations, on rows that a map was not fitted to", headers, written)
