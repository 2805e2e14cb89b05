"""`rocwalk score`: the numbers of one or several models."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import click
import numpy as np

from rocwalk.cli.options import (
    CALIBRATION,
    SMOOTH,
    parse_rule,
    rule_options,
    shared_options,
    statistic_named,
)
from rocwalk.cli.output import Row, asked, deliver, quietly
from rocwalk.cli.raters import print_raters, votes_result
from rocwalk.cli.smooth import print_smooth, smooth_rows
from rocwalk.cli.terminal import minus, print_folded, print_line, print_sentences, print_table
from rocwalk.cli.thresholds import chosen_rows, print_chosen, print_second, second_rows
from rocwalk.curves.area import AUC
from rocwalk.curves.classes import Multiclass
from rocwalk.evaluate.study import Study
from rocwalk.evaluate.summary import Numbers
from rocwalk.inference.fold_means import fold_mean
from rocwalk.inference.intervals import interval_of
from rocwalk.inference.request import Request
from rocwalk.inference.resampling import Plan
from rocwalk.read.tallies import Key, Tallies
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import (
    level_words,
    p_text,
    rate,
    signed,
    threshold,
    with_ends,
)
from rocwalk.report.summary import WEIGHTED, rates_words, threshold_title
from rocwalk.result import plain_value
from rocwalk.smear.areas import PROBABILISTIC_AUC
from rocwalk.smear.widths import width_text
from rocwalk.statistic import Statistic, entries, in_table
from rocwalk.tally.tally import Tally

_RATES = ("tpr", "fpr", "expected_cost", "auc_ceiling")  # written in four decimals
_LISTS = ("meaning", "matched_widths")  # not for a table of one line a model
_SUMMARIES = ("hand_till", "provost_domingos")
_OF_A_TABLE = (  # keys of results that are lists, or words
    *("model", "meaning", "number", "estimate", "low", "high"),
    *("apparent", "optimism", "corrected"),
)


@click.command()
@shared_options
@click.option(
    "--max-fpr",
    type=float,
    metavar="X",
    help="Add the partial AUC up to this FPR; JSON and CSV also have it standardized (McClish).",
)
@click.option(
    "--statistic",
    "statistics",
    multiple=True,
    metavar="NAME",
    help="Add a number with its interval; repeatable. Numbers at a point of the curve name it, as "
    "in sensitivity@fpr=0.1, precision@rate=0.05, net_benefit@threshold=0.2 or "
    "expected_cost@costs=1:5,threshold=0.3.",
)
@click.option(
    "--resamples",
    type=click.IntRange(min=2),
    metavar="N",
    help="Also choose the threshold anew in N bootstrap replicates: the interval of the threshold, "
    "and its rates on new data without the optimism of the choice.",
)
@click.option(
    "--on",
    "second",
    metavar="FILE",
    help="A second sample with the same columns: apply the thresholds chosen in FILE... to it.",
)
@CALIBRATION
@SMOOTH
@rule_options
def score(**given: Any) -> None:
    """Print areas and the best threshold of the models whose scores are in FILE...

    The best threshold is that of the largest TPR − FPR, or with --costs or --prevalence that of the
    least expected cost; with --metric closest that of the point closest to (0, 1). With --threshold
    it is fixed, and with --rate the best that keeps to a budget.

    Files are CSV, TSV, Parquet or JSON lines; several files are read as one; - is CSV on standard
    input.

    \b
    Example:
      rocwalk score predictions.csv --label y --score model_a --score model_b
    """
    rule = parse_rule(given)
    wanted = {}
    for text in given["statistics"]:
        wanted[text] = statistic_named(text)
    study, source = asked(
        "score",
        given,
        same_rows=given["cluster"] is not None,
        in_pairs=given["calibration"],
        by_tallies=not given["calibration"],
    )
    findings = Findings(
        study,
        1 - given["alpha"],
        given["seed"],
        max_fpr=given["max_fpr"],
        rule=rule,
        smooth_methods=given["smooth_methods"],
    )
    scores = quietly("Measuring…", lambda _: score_study(findings))
    results = source | scores | {"notes": source["notes"] + scores["notes"]}
    if wanted:
        results["statistics"] = quietly(
            "Measuring…", lambda _: _asked_rows(findings, wanted, given["seed"])
        )
    _add_asked(results, findings, given)
    rows = csv_rows(results)

    def show() -> None:
        quiet = given["quiet"]
        print_scores(results, study, quiet=quiet)
        if "chosen" in results:
            print_chosen(results["chosen"], quiet=quiet)
        if "second" in results:
            print_second(results["second"], given["second"], quiet=quiet)
        if "calibration" in results:
            from rocwalk.cli.calibration import print_calibration

            print_calibration(results["calibration"], results["confidence_level"], quiet=quiet)

    deliver(results, given, rows, show)


def _add_asked(results: Row, findings: Findings, given: dict[str, Any]) -> None:
    """Add what options ask for beside the numbers of every model."""
    asked_for = {
        "--resamples": given["resamples"],
        "--on": given["second"],
        "--calibration": given["calibration"],
        "--smooth": given["smooth_methods"],
    }
    for option, value in asked_for.items():
        if value and findings.classes is not None:
            raise click.UsageError(f"{option} does not go together with --class-score.")
    seed = given["seed"]
    if given["resamples"] is not None:
        results["chosen"] = quietly(
            "Choosing…", lambda bar: chosen_rows(findings, given["resamples"], seed, bar)
        )
    if given["second"] is not None:
        from rocwalk.cli.drift import like

        file = given["second"]
        unread = {"by": (), "fold": None, "files": (file,)}
        other, read = asked(
            "score",
            like(findings.study, given) | unread,
            file=file,
            same_rows=given["cluster"] is not None,
            by_tallies=True,
        )
        results |= {key: results[key] + read[key] for key in ("files", "notes")}
        second = Findings(other, findings.level, seed)
        results["second"] = quietly("Measuring…", lambda _: second_rows(findings, second, seed))
    if given["calibration"]:
        from rocwalk.cli.calibration import calibration_rows

        results["calibration"] = quietly("Calibrating…", lambda _: calibration_rows(findings))


def score_study(findings: Findings) -> Row:
    """Return the numbers of a study as plain data, with notes on them."""
    study, level = findings.study, findings.level
    if findings.classes is not None:
        low, high = findings.class_interval
        ends = {"low": low, "high": high}
        known = {f"hand_till_{k}": None if math.isnan(x) else x for k, x in ends.items()}
        return _class_results(findings, findings.classes) | known | {"notes": []}
    metric = findings.rule.criterion
    results: Row = {"confidence_level": level, "metric": metric, "notes": []}
    results |= {"rule": findings.rule.state, "rule_words": findings.rule.words}
    results["threshold_title"] = threshold_title(findings.rule)
    results["rates_words"] = rates_words(findings.rule)
    models = zip(study.models or {}, findings.numbers, strict=True)
    results["models"] = [_model_row(findings, key, one) for key, one in models]
    if study.ballot is not None:
        results["votes"], results["notes"] = votes_result(findings)
    if study.subgroups is not None:
        results["subgroups"] = [
            _model_row(findings, key, findings.groups.numbers(key)) for key in study.subgroups
        ]
        hidden = ("kind", "schema_version", "statistic", "confidence_level")
        tests = findings.groups.tests
        results["subgroup_gaps"] = [
            {"model": str(name)}
            | {key: value for key, value in one.to_dict().items() if key not in hidden}
            | {"meaning": [one.gap.sentence, (tests.get(name) or one.equality).sentence]}
            for name, one in findings.groups.gaps.items()
        ]
    if findings.smooth_methods:
        results["smooth"] = smooth_rows(findings)
    if study.folds is not None:
        results["folds"] = _fold_rows(study, study.folds, level)
        results["fold_pairs"] = _fold_pairs(findings)
    for row in results["models"]:
        if row["auc_high"] is not None and row["auc_high"] < 0.5:
            results["notes"].append(
                f"{row['model']}: the scores rank backwards, the whole interval of the AUC lies "
                "below 0.5. Hint: is the other label the positive one (--positive), or do high "
                "scores mean negative? Then turn them, as in 1 − score."
            )
    for row, words in zip(results["models"], findings.left_out, strict=True):
        row["meaning"] += [] if words is None else [words]
    if findings.parted is not None:
        results["notes"].append(findings.parted)
    for row in results.get("folds", []):
        if row["undefined"]:
            results["notes"].append(
                f"{row['model']}: {row['undefined']} folds have one class only and are left out."
            )
    return results


def _asked_rows(findings: Findings, wanted: Mapping[str, Statistic], seed: int) -> list[Row]:
    """Return the numbers that were asked for by name, of each model."""
    if findings.classes is not None:
        raise click.UsageError("--statistic does not go together with --class-score.")
    rows = []
    for name, evidence in zip(findings.names, findings.evidence, strict=True):
        for text, statistic in wanted.items():
            request = Request(statistic, findings.level, "auto", Plan(2000, seed))
            found = interval_of(evidence, request).to_dict()
            keys = ("estimate", "low", "high", "standard_error", "method", "n_resamples")
            rows.append({"model": name, "statistic": text, **{key: found[key] for key in keys}})
    return rows


def csv_rows(results: Row) -> list[Row]:
    """Return all results as rows of one table: models, then subgroups and folds; or classes."""
    if "classes" in results:
        summaries = [{"class": name, "auc": results[name]} for name in _SUMMARIES]
        return [*results["classes"], *results["pairs"], *summaries]
    folds = {row["model"]: row for row in results.get("folds", [])}
    rows = results["models"] + results.get("subgroups", [])
    rows = [{k: v for k, v in row.items() if k not in _LISTS} for row in rows]
    for row in rows[: len(results["models"])]:
        for one in results.get("statistics", []):
            if one["model"] == row["model"]:
                ends = {f"_{end}": one[end] for end in ("low", "high")}
                row |= {
                    f"{one['statistic']}{end}": v
                    for end, v in {"": one["estimate"], **ends}.items()
                }
        row.update(_columns_asked(results, row["model"]))
        fold = folds.get(row["model"], {})
        row |= {f"fold_{name}": fold[name] for name in fold if name != "model"}
    return rows


def _columns_asked(results: Row, model: str) -> Row:
    """Return what options asked for of a model, as columns of its row."""
    columns: Row = {}
    for part, prefix in (("chosen", "chosen"), ("second", "on")):
        for row in results.get(part, ()):
            if row["model"] == model:
                columns |= {f"{prefix}_{k}": v for k, v in row.items() if k not in _OF_A_TABLE}
    for row in results.get("calibration", ()):
        if row["model"] == model:
            for name, one in row.get("numbers", {}).items():
                ends = {"": one["estimate"], "_low": one["low"], "_high": one["high"]}
                columns |= {f"calibration_{name}{end}": value for end, value in ends.items()}
            for one in row.get("tests", ()):
                columns[f"{one['test'].lower().replace('–', '_')}_p_value"] = one["p_value"]
    for row in results.get("smooth", ()):
        if row["model"] == model:
            ends = {"": "area", "_low": "low", "_high": "high"}
            columns |= {f"smooth_{row['method']}{end}": row.get(k) for end, k in ends.items()}
    return columns


def _model_row(findings: Findings, key: Key, one: Numbers) -> Row:
    """Return the numbers of a model, or of a model in a subgroup."""
    model, group = key
    meaning, ceiling = one.summary.sentences, None
    if one.ends["auc_prt"] is not None and findings.places:
        ceiling = 1 - findings.places[0][0].aapcc
        meaning.append(
            f"AUC_PRT {one.ends['auc_prt']:.3f}: the position of the AUC between the lowest (0) "
            "and the highest (1) that any order can have against this truth; the highest is "
            f"{ceiling:.3f}."
        )
    by = findings.study.question.by if group else ()
    groups = {_group_key(n): plain_value(g) for n, g in zip(by, group, strict=True)}
    numbers = one.summary.to_dict()
    return {
        "model": str(model),
        **groups,
        **{name: numbers[name] for name in numbers if name not in ("kind", "schema_version")},
        **one.ends,
        "auc_ceiling": ceiling,
        "meaning": meaning,
    }


def _print_gaps(rows: list[Row]) -> None:
    """Print each subgroup against the rest, and the areas against the background."""
    headers = _MODEL | {"group": "Group", "apart": "AUC − that of the rest", "p": "Adjusted p"}
    written = [
        {
            "model": row["model"],
            "group": group,
            "apart": with_ends(
                row["difference"][k], row["difference_low"][k], row["difference_high"][k], signed
            ),
            "p": p_text(row["adjusted_p_value"][k]),
            **{
                area: with_ends(row[area][k], row[f"{area}_low"][k], row[f"{area}_high"][k])
                for area in ("bpsn", "bnsp")
            },
        }
        for row in rows
        for k, group in enumerate(row["group"])
    ]
    print_table("Subgroups against the rest", headers | {"bpsn": "BPSN", "bnsp": "BNSP"}, written)


def _group_key(name: Any) -> str:
    """Return the key of a subgroup's value, which no other key of a row can be."""
    return f"by {name}"


def _fold_rows(study: Study, parts: Tallies, level: float) -> list[Row]:
    """Return the mean of the AUC over the folds with its interval and spread, for each model."""
    by_model: dict[Any, dict[tuple[Any, ...], Tally]] = {}
    for (model, fold), tally in parts.items():
        by_model.setdefault(model, {})[fold] = tally
    rows = []
    for model, tallies in by_model.items():
        areas = np.array([tally.area for tally in tallies.values()])
        undefined = int(np.count_nonzero(np.isnan(areas)))
        defined = areas[~np.isnan(areas)] if undefined < len(areas) else np.array([np.nan])
        low, high, method = math.nan, math.nan, None
        if len(defined) > 1:
            whole = {
                fold: tallies[fold]
                for fold, area in zip(tallies, areas, strict=True)
                if not np.isnan(area)
            }
            units = study.clusters_of(model, list(whole))
            found = fold_mean(model, AUC, list(whole.values()), level, clusters=units)
            low, high, method = found.low, found.high, found.method
        rows.append(
            {
                "model": str(model),
                "folds": len(areas) - undefined,
                "undefined": undefined,
                "mean_auc": float(defined.mean()),
                "mean_auc_low": low,
                "mean_auc_high": high,
                "interval_method": method,
                "spread": float(defined.std(ddof=1)) if len(defined) > 1 else float("nan"),
                "lowest": float(defined.min()),
                "highest": float(defined.max()),
            }
        )
    return rows


def _fold_pairs(findings: Findings) -> list[Row]:
    """Return every pair of models over the folds, with a sentence."""
    found = findings.cross_validation
    if found is None:
        return []
    names = [str(name) for name, _ in findings.study.models or ()]
    pairs = [replace(pair, a=names[pair.a], b=names[pair.b]) for pair in found.pairs]
    hidden = ("kind", "schema_version")
    return [
        {k: v for k, v in pair.to_dict().items() if k not in hidden} | {"meaning": pair.sentence}
        for pair in pairs
    ]


def _class_results(findings: Findings, areas: Multiclass) -> Row:
    """Return the areas of each class against the rest and of all pairs, and their means."""
    classes = []
    for name in areas.labels:
        row = {"class": str(name), "prevalence": areas.prevalence[name], "auc": areas.areas[name]}
        low, high = findings.class_ends[name]
        classes.append(row | {"auc_low": low, "auc_high": high})
    pairs = [{"one": str(i), "other": str(j), "auc": a} for (i, j), a in areas.pairwise.items()]
    summaries = {"hand_till": areas.hand_till, "provost_domingos": areas.provost_domingos}
    return {"classes": classes, "pairs": pairs, **summaries}


# -- printing ------------------------------------------------------------------------------------


def print_scores(results: Row, study: Study, *, quiet: bool) -> None:
    """Print the numbers of a study as tables, with sentences that say what they mean."""
    if "classes" in results:
        _print_classes(results)
        return
    _print_tables(results, study, quiet=quiet)
    if not quiet:
        if study.question.weight is not None:
            print_folded(WEIGHTED)
        _print_meaning(results)


def _print_tables(results: Row, study: Study, *, quiet: bool) -> None:
    """Print the tables of models, raters, subgroups, folds and what was asked for by name."""
    models, by, votes = results["models"], study.question.by, results.get("votes", {})
    counts = {"rows": "Rows", "positives": "Positives"}
    choice = {"threshold": results["threshold_title"], "tpr": "TPR there", "fpr": "FPR there"}
    budget = {"tpr_at_rate": "TPR at the rate", "lift": "Lift there"}
    numbers = counts | _headers("models") | choice | {"expected_cost": "Expected cost"} | budget
    more = {"auc_ceiling": "AUC ceiling"} | _headers("probabilities")
    upright = print_table("Models", _MODEL | numbers, _written(models))
    print_table("Probabilities and costs", _MODEL | more, _written(models), upright=upright)
    print_raters(votes)
    if "subgroups" in results:
        headers = _MODEL | {_group_key(n): str(n) for n in by} | numbers | _headers("subgroups")
        title = f"Subgroups by {', '.join(map(str, by))}"
        print_table(title, headers, _written(results["subgroups"]))
        if results["subgroup_gaps"]:
            _print_gaps(results["subgroup_gaps"])
    if "folds" in results:
        _print_folds(study.question.fold, results["folds"])
    if "statistics" in results:
        headers = {"statistic": "Statistic", "value": "Value (interval)", "method": "Method"}
        written = [
            row | {"value": with_ends(row["estimate"], row["low"], row["high"])}
            for row in results["statistics"]
        ]
        print_table("Numbers by name", _MODEL | headers, written)
    if "smooth" in results:
        print_smooth(results["smooth"], quiet=quiet)


def _print_meaning(results: Row) -> None:
    """Print what the intervals, the threshold, the folds and the numbers of each model mean."""
    models = results["models"]
    methods = sorted({row["interval_method"] for row in models if row["interval_method"]})
    print_folded(
        f"In brackets: {level_words(results['confidence_level'])} intervals ({', '.join(methods)} "
        f"for AUC). {results['rates_words']}"
        if methods
        else "There are too few items of a class for intervals."
    )
    best = f"{results['threshold_title'].removesuffix(' ≥')}: {results['rule_words']}."
    if any(row["threshold"] == math.inf for row in models):
        within = "" if results["rule"]["rate"] is None else " within the budget"
        best += (
            " A threshold of ∞ calls no item positive: no other threshold"
            f"{within} is better than that."
        )
    print_folded(best)
    for sentence in results.get("votes", {}).get("meaning", ()):
        print_folded(sentence)
    if "folds" in results:
        print_folded(
            "The interval of a mean over folds is by influence curves, of clusters by a jackknife, "
            "of buckets by the spread over folds. Of repeats of the same rows it is too narrow."
        )
        for pair in results["fold_pairs"]:
            print_folded(f"Over the folds, {pair['meaning']}")
    for row in models:
        print_sentences(row["model"], row["meaning"])
    gaps = results.get("subgroup_gaps", [])
    for row in gaps:
        print_sentences(row["model"], row["meaning"])
    if gaps:
        print_folded(
            "BPSN: the AUC of all other positives against the negatives of the subgroup; low where "
            "these score too high. BNSP: the AUC of its positives against all other negatives; low "
            "where these score too low."
        )


_MODEL = {"model": "Model"}


def _headers(table: str) -> dict[str, str]:
    """Return the headings of the registered numbers of a table, with the width that matches."""
    headers = {}
    for entry in in_table(table):
        headers[entry.name] = entry.heading
        if entry is PROBABILISTIC_AUC and table == "probabilities":
            headers["matched_width"] = "Width"
    return headers


def _written(rows: list[Row]) -> list[Row]:
    """Return rows for a table: numbers with their intervals, thresholds in the fewest digits.

    A width that does not exist is "none", which is not the same as no probabilities.
    """
    written, digits = [], {entry.name: entry.digits for entry in entries().values()}
    for row in rows:
        words: Row = {
            name: with_ends(row[name], row[f"{name}_low"], row[f"{name}_high"])
            if row.get(f"{name}_low") is not None
            else rate(row[name], digits.get(name, 4))
            for name in (*digits, *_RATES)
            if row.get(name) is not None
        }
        if row["threshold"] is not None:
            words["threshold"] = minus(threshold(row["threshold"], row["threshold_above"]))
        if row["matched_widths"] is not None:
            width = row["matched_width"]
            words["matched_width"] = "none" if width is None else width_text(width)
        written.append(row | words)
    return written


def _print_folds(fold: Any, rows: list[Row]) -> None:
    headers = {
        "model": "Model",
        "folds": "Folds",
        "mean_auc": "Mean AUC (interval)",
        "spread": "Standard deviation",
        "lowest": "Lowest",
        "highest": "Highest",
    }
    written = []
    for row in rows:
        low, high = row["mean_auc_low"], row["mean_auc_high"]
        mean = with_ends(row["mean_auc"], low, high) if not math.isnan(low) else row["mean_auc"]
        written.append(row | {"mean_auc": mean})
    print_table(f"Folds of {fold}", headers, written)


def _print_classes(results: Mapping[str, Any]) -> None:
    headers = {"class": "Class", "prevalence": "Share", "auc": "AUC against the rest"}
    classes = [
        row
        | {"prevalence": rate(row["prevalence"])}
        | {"auc": with_ends(row["auc"], row["auc_low"], row["auc_high"])}
        for row in results["classes"]
    ]
    print_table("Classes", headers, classes)
    headers = {"one": "Class", "other": "Class", "auc": "AUC of the pair"}
    pairs = [row | {"auc": rate(row["auc"])} for row in results["pairs"]]
    print_table("Pairs", headers, pairs)
    low, high = (results[f"hand_till_{end}"] for end in ("low", "high"))
    mean = with_ends(results["hand_till"], low, high)
    print_line(f"Hand & Till: {mean} (mean over pairs)")
    print_line(f"Provost & Domingos: {rate(results['provost_domingos'])} (mean weighted by share)")
