"""`rocwalk score`: the numbers of one or several models."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import click
import numpy as np

from rocwalk.cli.options import costs_options, parse_costs, shared_options
from rocwalk.cli.output import Row, asked, deliver, print_seed, quietly
from rocwalk.cli.raters import votes_result
from rocwalk.cli.terminal import print_folded, print_sentences, print_table
from rocwalk.curves.bands import mean_interval
from rocwalk.curves.classes import measure_classes
from rocwalk.curves.operating_points import Costs
from rocwalk.evaluate.study import Study
from rocwalk.evaluate.summary import (
    Summary,
    evidence_on,
    interval_numbers,
    summary,
    summary_intervals,
)
from rocwalk.inference.interval import Interval
from rocwalk.read.tallies import Tallies
from rocwalk.report.numbers import threshold, with_ends
from rocwalk.result import plain_value
from rocwalk.smear.widths import width_text
from rocwalk.tally.tally import Tally
from rocwalk.truth.reference_truth import reference_truth
from rocwalk.typing import FloatArray

HEADERS = {
    "model": "Model",
    "rows": "Rows",
    "positives": "Positives",
    "prevalence": "Prevalence",
    "auc": "AUC",
    "partial_auc": "Partial AUC",
    "hull_area": "Hull area",
    "threshold": "Best threshold ≥",
    "tpr": "TPR there",
    "fpr": "FPR there",
    "expected_cost": "Expected cost",
}
MORE_HEADERS = {
    "model": "Model",
    "auc_ceiling": "AUC ceiling",
    "auc_prt": "AUC_PRT",
    "expected_auc": "Expected AUC",
    "probabilistic_auc": "Prob. AUC",
    "matched_width": "Width",
    "brier": "Brier",
    "h_measure": "H-measure",
}
_RATER_HEADERS = {
    "rater": "Rater",
    "votes": "Votes",
    "sensitivity": "Sensitivity",
    "specificity": "Specificity",
}
_LISTS = ("meaning", "matched_widths")  # not for a table of one line a model
_SUMMARIES = ("hand_till", "provost_domingos")
_FOLD_HEADERS = {
    "model": "Model",
    "folds": "Folds",
    "mean_auc": "Mean AUC (interval)",
    "spread": "Standard deviation",
    "lowest": "Lowest",
    "highest": "Highest",
}


@click.command(short_help="The numbers of one or several models.")
@shared_options
@click.option(
    "--max-fpr", type=float, metavar="X", help="Add the standardised partial AUC up to this FPR."
)
@costs_options
def score(**given: Any) -> None:
    """Print areas and the best threshold of the models whose scores are in FILE...

    The best threshold is that of the largest TPR − FPR, or with --costs or --prevalence that of the
    least expected cost.

    Files are CSV, TSV, Parquet or JSON lines; several files are read as one; - is CSV on standard
    input.

    \b
    Example:
      rocwalk score predictions.csv --label y --score model_a --score model_b
    """
    costs = parse_costs(given["costs"], given["prevalence"])
    study, source = asked("score", given, same_rows=given["cluster"] is not None)
    scores = quietly(
        "Measuring…", lambda _: score_study(study, costs, given["max_fpr"], 1 - given["alpha"])
    )
    results = source | scores | {"notes": source["notes"] + scores["notes"]}
    rows = csv_rows(results)

    def show() -> None:
        print_scores(results, study, quiet=given["quiet"])
        print_seed(given)

    deliver(results, given, rows, show)


def score_study(
    study: Study, costs: Costs | None = None, max_fpr: float | None = None, level: float = 0.95
) -> Row:
    """Return the numbers of a study as plain data, with notes on them."""
    if study.models is None:
        return _class_results(study) | {"notes": []}
    results: Row = {"confidence_level": level, "notes": []}
    results["models"] = _model_rows(study, study.models, costs, max_fpr, level)
    if study.ballot is not None:
        results["votes"], results["notes"] = votes_result(study.ballot)
    if study.subgroups is not None:
        results["subgroups"] = _model_rows(study, study.subgroups, costs, max_fpr, level)
    if study.folds is not None:
        results["folds"] = _fold_rows(study.folds, level)
    results["notes"] += _backward_notes(results) + _fold_notes(results)
    return results


def _backward_notes(results: Row) -> list[str]:
    """Return a remark for each model whose AUC is surely below one half."""
    return [
        f"{row['model']}: the scores rank backwards, the whole interval of the AUC lies below 0.5. "
        "Hint: is the other label the positive one (--positive), or do high scores mean negative? "
        "Then turn them, as in 1 − score."
        for row in results["models"]
        if row["auc_high"] is not None and row["auc_high"] < 0.5
    ]


def _fold_notes(results: Row) -> list[str]:
    """Return a remark for each model some of whose folds have no area."""
    return [
        f"{row['model']}: {row['undefined']} folds have one class only and are left out."
        for row in results.get("folds", [])
        if row["undefined"]
    ]


def csv_rows(results: Row) -> list[Row]:
    """Return all results as rows of one table: models, then subgroups and folds; or classes."""
    if "classes" in results:
        summaries = [{"class": name, "auc": results[name]} for name in _SUMMARIES]
        return [*results["classes"], *results["pairs"], *summaries]
    folds = {row["model"]: row for row in results.get("folds", [])}
    rows = results["models"] + results.get("subgroups", [])
    rows = [{k: v for k, v in row.items() if k not in _LISTS} for row in rows]
    for row in rows[: len(results["models"])]:
        fold = folds.get(row["model"], {})
        row |= {f"fold_{name}": fold[name] for name in fold if name != "model"}
    return rows


# -- two classes ---------------------------------------------------------------------------------


def _model_rows(
    study: Study, parts: Tallies, costs: Costs | None, max_fpr: float | None, level: float
) -> list[Row]:
    rows = []
    for (model, group), tally in parts.items():
        sums = summary(tally, costs=costs, max_fpr=max_fpr)
        intervals = _intervals(study, model, group, tally, sums, level)
        groups = {_group_key(n): plain_value(g) for n, g in zip(parts.by, group, strict=True)}
        numbers = {k: v for k, v in sums.to_dict().items() if k not in ("kind", "schema_version")}
        ends = interval_numbers(intervals)
        ends["auc_ceiling"] = None if ends["auc_prt"] is None else _ceiling(study, model)
        meaning = [*sums.sentences, *_against_truth(ends)]
        rows.append({"model": str(model), **groups, **numbers, **ends, "meaning": meaning})
    return rows


def _ceiling(study: Study, model: Any) -> float | None:
    """Return 1 − AAPCC, the largest AUC that any order of the items has against their truth."""
    if study.paired is None:
        return None
    paired = study.paired
    found = reference_truth(
        paired.truth, paired.scores[model], sample_weight=paired.weights, truth="soft"
    )
    return 1 - found.aapcc


def _against_truth(ends: Row) -> list[str]:
    if ends["auc_ceiling"] is None:
        return []
    words = "so far on the way from the worst order that this truth allows (0) to the best (1)"
    ceiling = f"which has the AUC {ends['auc_ceiling']:.3f}, the ceiling of all orders"
    return [f"AUC_PRT {ends['auc_prt']:.3f}: {words}, {ceiling}."]


def _intervals(
    study: Study, model: Any, group: Any, tally: Tally, sums: Summary, level: float
) -> dict[str, Interval]:
    """Return the intervals of a model; a subgroup's clusters are not known, so it has none."""
    clustered = study.question.cluster is not None
    if clustered and group:
        return {}
    return summary_intervals(evidence_on(study, model, tally), sums, level)


def _group_key(name: Any) -> str:
    """Return the key of a subgroup's value, which no other key of a row can be."""
    return f"by {name}"


def _fold_rows(parts: Tallies, level: float) -> list[Row]:
    """Return the mean of the AUC over the folds with its interval and spread, for each model."""
    areas: dict[str, list[float]] = {}
    for (model, _), tally in parts.items():
        areas.setdefault(str(model), []).append(tally.area)
    return [_fold_row(model, np.array(values), level) for model, values in areas.items()]


def _fold_row(model: str, areas: FloatArray, level: float) -> Row:
    defined = areas[~np.isnan(areas)]
    if not len(defined):
        defined = np.array([np.nan])
    low, high = mean_interval(defined, level)
    return {
        "model": model,
        "folds": int(np.count_nonzero(~np.isnan(areas))),
        "undefined": int(np.count_nonzero(np.isnan(areas))),
        "mean_auc": float(defined.mean()),
        "mean_auc_low": low,
        "mean_auc_high": high,
        "spread": float(defined.std(ddof=1)) if len(defined) > 1 else float("nan"),
        "lowest": float(defined.min()),
        "highest": float(defined.max()),
    }


# -- several classes -----------------------------------------------------------------------------


def _class_results(study: Study) -> Row:
    if study.classes is None:
        return {}
    areas = measure_classes(study.classes)
    classes = [
        {"class": str(name), "prevalence": areas.prevalence[name], "auc": areas.areas[name]}
        for name in areas.labels
    ]
    pairs = [{"one": str(i), "other": str(j), "auc": a} for (i, j), a in areas.pairwise.items()]
    summaries = {"hand_till": areas.hand_till, "provost_domingos": areas.provost_domingos}
    return {"classes": classes, "pairs": pairs, **summaries}


# -- printing ------------------------------------------------------------------------------------


def print_scores(results: Row, study: Study, *, quiet: bool) -> None:
    """Print the numbers of a study as tables, with sentences that say what they mean."""
    if "classes" in results:
        _print_classes(results)
        return
    by, fold = study.question.by, study.question.fold
    print_table("Models", HEADERS, _written(results["models"]))
    print_table("Probabilities and costs", MORE_HEADERS, _written(results["models"]))
    if len(results.get("votes", {}).get("raters", ())) > 1:
        print_table("Raters, by Dawid and Skene", _RATER_HEADERS, results["votes"]["raters"])
    if "subgroups" in results:
        headers = {"model": "Model"} | {_group_key(n): str(n) for n in by} | HEADERS
        headers |= {"probabilistic_auc": "Prob. AUC", "brier": "Brier"}
        title = f"Subgroups by {', '.join(map(str, by))}"
        print_table(title, headers, _written(results["subgroups"]))
    if "folds" in results:
        print_table(f"Folds of {fold}", _FOLD_HEADERS, _written_folds(results["folds"]))
    if not quiet:
        print_folded(_about_intervals(results))
        print_folded(_about_thresholds(results["models"]))
        for sentence in results.get("votes", {}).get("meaning", ()):
            print_folded(sentence)
        if "folds" in results:
            print_folded(
                "The interval of a mean over folds is Student's. It tends to be too narrow for new "
                "data: folds share most of the rows that their models learnt from."
            )
        for row in results["models"]:
            print_sentences(row["model"], row["meaning"])


def _about_intervals(results: Row) -> str:
    """Say what stands in brackets."""
    methods = sorted(
        {row["interval_method"] for row in results["models"] if row["interval_method"]}
    )
    level = f"{100 * results['confidence_level']:g} %"
    if not methods:
        return "There are too few items of a class for intervals."
    return (
        f"In brackets: {level} intervals ({', '.join(methods)} for AUC). The rates are those of a "
        "threshold chosen on the same data, so they are a little too good."
    )


def _about_thresholds(rows: list[Row]) -> str:
    """Say what the best threshold is best for."""
    costly = any(row["expected_cost"] is not None for row in rows)
    words = f"Best threshold: the {'least expected cost' if costly else 'largest TPR − FPR'}."
    if any(row["threshold"] == math.inf for row in rows):
        words += " A threshold of ∞ calls no item positive: no other threshold is better than that."
    return words


def _written(rows: list[Row]) -> list[Row]:
    """Return rows whose thresholds are written in few digits that decide as all of them do.

    A width that does not exist is "none", which is not the same as no probabilities.
    """
    written = []
    for row in rows:
        words: Row = {}
        if row["threshold"] is not None:
            words["threshold"] = threshold(row["threshold"], row["threshold_above"])
        for name in ("auc", "probabilistic_auc", "auc_prt", "tpr", "fpr"):
            if row.get(f"{name}_low") is not None:
                words[name] = with_ends(row[name], row[f"{name}_low"], row[f"{name}_high"])
        if row["matched_widths"] is not None:
            width = row["matched_width"]
            words["matched_width"] = "none" if width is None else width_text(width)
        written.append(row | words)
    return written


def _written_folds(rows: list[Row]) -> list[Row]:
    """Return rows whose mean carries its interval, where there is one."""
    ends = [[row[f"mean_auc_{end}"] for end in ("low", "high")] for row in rows]
    return [
        row if math.isnan(low) else row | {"mean_auc": with_ends(row["mean_auc"], low, high)}
        for row, (low, high) in zip(rows, ends, strict=True)
    ]


def _print_classes(results: Mapping[str, Any]) -> None:
    headers = {"class": "Class", "prevalence": "Share", "auc": "AUC against the rest"}
    print_table("Classes", headers, results["classes"])
    headers = {"one": "Class", "other": "Class", "auc": "AUC of the pair"}
    print_table("Pairs", headers, results["pairs"])
    click.echo(f"Hand & Till: {results['hand_till']:.6g} (mean over pairs)")
    click.echo(f"Provost & Domingos: {results['provost_domingos']:.6g} (mean weighted by share)")
