"""`rocwalk score`: the numbers of one or several models."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np

from rocwalk.cli.options import parse_class_scores, parse_costs, shared_options
from rocwalk.cli.terminal import plain, print_csv, print_note, print_table
from rocwalk.errors import RocwalkWarning
from rocwalk.intake.frames import GROUP, LABEL, NUMBER, Table, match_label, read_table
from rocwalk.intake.tallies import Tallies, tallies
from rocwalk.measure.classes import compare_classes
from rocwalk.measure.costs import Costs
from rocwalk.measure.summary import summary
from rocwalk.result import plain_value, strict_value
from rocwalk.version import __version__
from rocwalk.writing import write_aside

Row = dict[str, Any]

_HEADERS = {
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


@dataclass(frozen=True, kw_only=True)
class Request:
    """What the user asked for."""

    files: tuple[str, ...]
    label: str | None
    scores: tuple[str, ...]
    weight: str | None
    fold: str | None
    by: tuple[str, ...]
    class_scores: tuple[str, ...]
    positive: str | None
    invalid: str
    max_fpr: float | None
    costs: str | None
    prevalence: float | None
    json_file: Path | None
    form: str
    quiet: bool

    def options(self) -> Row:
        """Return the options that were given, for the provenance."""
        given = {k: v for k, v in vars(self).items() if v not in (None, (), False)}
        return {k: str(v) if isinstance(v, Path) else plain_value(v) for k, v in given.items()}

    def parsed_costs(self) -> Costs | None:
        """Return the costs with the prevalence; with a prevalence alone, equal costs."""
        pair = parse_costs(self.costs)
        if pair is None and self.prevalence is None:
            return None
        false_positive, false_negative = pair or (1.0, 1.0)
        return Costs(
            false_positive=false_positive,
            false_negative=false_negative,
            prevalence=self.prevalence,
        )


@click.command(short_help="The numbers of one or several models.")
@shared_options
@click.option(
    "--max-fpr", type=float, metavar="X", help="Add the standardised partial AUC up to this FPR."
)
@click.option(
    "--costs",
    metavar="FP:FN",
    help="Costs of a false positive and a false negative, for the best threshold.",
)
@click.option(
    "--prevalence", type=float, metavar="X", help="Share of positives where the rule will be used."
)
def score(**given: Any) -> None:
    r"""Print areas and the best threshold of the models whose scores are in FILE...

    Files are CSV, TSV, Parquet or JSON lines; several files are read as one.

    \b
    Example:
      rocwalk score predictions.csv --label y --score model_a --score model_b
    """
    request = Request(**given)
    notes, results = _with_notes(lambda: _results(request))
    results["notes"] = notes
    if request.json_file is not None:
        _write_json(request.json_file, results)
    _print(request, results)


def _results(request: Request) -> Row:
    """Return everything that is printed, as plain data with its provenance."""
    if request.label is None:
        raise click.UsageError("--label is missing: name the column of labels.")
    if bool(request.scores) == bool(request.class_scores):
        raise click.UsageError("Give --score, once or more, or --class-score for several classes.")
    provenance: Row = {"rocwalk": __version__, "command": "score", "options": request.options()}
    work = _score_classes if request.class_scores else _score_models
    return provenance | work(request)


# -- two classes ---------------------------------------------------------------------------------


def _score_models(request: Request) -> Row:
    table = _read(request, request.scores)
    whole = _tallied(request, table, ())
    results: Row = {"rows": _row_counts(whole), "models": _model_rows(request, whole)}
    if request.by:
        results["subgroups"] = _model_rows(request, _tallied(request, table, request.by))
    if request.fold is not None:
        results["folds"] = _fold_rows(_tallied(request, table, (request.fold,)))
    return results


def _read(request: Request, scores: Iterable[str]) -> Table:
    """Read all the columns that the request names, once."""
    groups = (*request.by, request.fold) if request.fold is not None else request.by
    numbers = (*scores, request.weight) if request.weight is not None else tuple(scores)
    roles = dict.fromkeys(groups, GROUP) | {str(request.label): LABEL}
    return read_table(list(request.files), roles | dict.fromkeys(numbers, NUMBER))


def _tallied(request: Request, table: Table, by: tuple[str, ...]) -> Tallies:
    labels, text = table[str(request.label)], request.positive
    return tallies(
        table,
        score=list(request.scores),
        label=request.label,
        weight=request.weight,
        by=list(by) or None,
        pos_label=None if text is None else match_label(labels, text),
        invalid=request.invalid,
    )


def _model_rows(request: Request, parts: Tallies) -> list[Row]:
    costs = request.parsed_costs()
    rows = []
    for (model, group), tally in parts.items():
        sums = summary(tally, costs=costs, max_fpr=request.max_fpr)
        groups = {_group_key(n): plain_value(g) for n, g in zip(parts.by, group, strict=True)}
        numbers = {k: v for k, v in sums.to_dict().items() if k not in ("kind", "schema_version")}
        rows.append({"model": str(model), **groups, **numbers, "meaning": sums.sentence})
    return rows


def _group_key(name: Any) -> str:
    """Return the key of a subgroup's value, which no other key of a row can be."""
    return f"by {name}"


def _fold_rows(parts: Tallies) -> list[Row]:
    """Return the mean and the spread of the AUC over the folds, for each model."""
    areas: dict[str, list[float]] = {}
    for (model, _), tally in parts.items():
        areas.setdefault(str(model), []).append(tally.auc_bounds[1])
    return [
        {
            "model": model,
            "folds": len(values),
            "mean_auc": float(np.mean(values)),
            "spread": float(np.std(values, ddof=1)) if len(values) > 1 else float("nan"),
            "lowest": min(values),
            "highest": max(values),
        }
        for model, values in areas.items()
    ]


def _row_counts(parts: Tallies) -> Row:
    used, dropped = parts.rows, parts.dropped
    return {
        str(model): {"used": used[model, group], "dropped": dropped[model, group]}
        for model, group in parts
    }


# -- several classes -----------------------------------------------------------------------------


def _score_classes(request: Request) -> Row:
    columns = parse_class_scores(request.class_scores)
    table = _read(request, columns.values())
    labels = table[str(request.label)]
    names = [match_label(labels, text) if _occurs(labels, text) else text for text in columns]
    areas = compare_classes(
        labels,
        np.column_stack([table[column] for column in columns.values()]),
        labels=names,
        sample_weight=None if request.weight is None else table[request.weight],
        invalid=request.invalid,
    )
    classes = [
        {"class": str(name), "prevalence": areas.prevalence[name], "auc": areas.areas[name]}
        for name in areas.labels
    ]
    pairs = [{"one": str(i), "other": str(j), "auc": a} for (i, j), a in areas.pairwise.items()]
    summaries = {"hand_till": areas.hand_till, "provost_domingos": areas.provost_domingos}
    return {"rows": {"read": len(table)}, "classes": classes, "pairs": pairs, **summaries}


def _occurs(labels: Any, text: str) -> bool:
    return any(str(label) == text for label in set(labels.tolist()))


# -- printing ------------------------------------------------------------------------------------


def _with_notes(work: Callable[[], Row]) -> tuple[list[str], Row]:
    """Do the work and return what it warned of, each remark once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", RocwalkWarning)
        results = work()
    return list(dict.fromkeys(str(warning.message) for warning in caught)), results


def _write_json(path: Path, results: Row) -> None:
    text = json.dumps(strict_value(results), indent=2, ensure_ascii=False) + "\n"
    write_aside(path, lambda file: _write_text(file, text))


def _write_text(file: Any, text: str) -> None:
    file.write(text.encode("utf-8"))


def _print(request: Request, results: Row) -> None:
    if not request.quiet:
        for note in results["notes"]:
            print_note(note)
    if request.form == "json":
        click.echo(json.dumps(strict_value(results), indent=2, ensure_ascii=False))
    elif request.form == "csv":
        rows = results.get("classes") or results["models"] + results.get("subgroups", [])
        print_csv([{k: v for k, v in row.items() if k != "meaning"} for row in rows])
    elif "classes" in results:
        _print_classes(results)
    else:
        _print_models(request, results)


def _print_models(request: Request, results: Row) -> None:
    print_table("Models", _HEADERS, results["models"])
    if "subgroups" in results:
        headers = {"model": "Model"} | {_group_key(name): name for name in request.by} | _HEADERS
        print_table(f"Subgroups by {', '.join(request.by)}", headers, results["subgroups"])
    if "folds" in results:
        print_table(f"Folds of {request.fold}", _FOLD_HEADERS, results["folds"])
    if not request.quiet:
        for row in results["models"]:
            click.echo(f"{plain(row['model'])}: {row['meaning']}")


_FOLD_HEADERS = {
    "model": "Model",
    "folds": "Folds",
    "mean_auc": "Mean AUC",
    "spread": "Standard deviation",
    "lowest": "Lowest",
    "highest": "Highest",
}


def _print_classes(results: Mapping[str, Any]) -> None:
    headers = {"class": "Class", "prevalence": "Share", "auc": "AUC against the rest"}
    print_table("Classes", headers, results["classes"])
    headers = {"one": "Class", "other": "Class", "auc": "AUC of the pair"}
    print_table("Pairs", headers, results["pairs"])
    click.echo(f"Hand & Till: {results['hand_till']:.6g} (mean over pairs)")
    click.echo(f"Provost & Domingos: {results['provost_domingos']:.6g} (mean weighted by share)")
