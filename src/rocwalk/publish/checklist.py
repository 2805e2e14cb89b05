"""The check-lists of STARD 2015 and TRIPOD+AI, filled where the data can fill them.

The wording of the items is ours and short; the lists themselves say more.

References
----------
Bossuyt et al. (2015), STARD 2015, BMJ 351, h5527; Collins et al. (2024), TRIPOD+AI statement, BMJ
385, e078378.
"""

from __future__ import annotations

from collections.abc import Callable

from rocwalk.curves.accuracy import AccuracyTable
from rocwalk.methods import Methods, by_author, methods_of
from rocwalk.publish.accuracy import accuracy_methods, chosen_words, rule_words, tables_of
from rocwalk.publish.content import TableContent, with_interval
from rocwalk.report.findings import Findings
from rocwalk.report.groups import group_words
from rocwalk.report.numbers import count, decimals_of, level_words, shown
from rocwalk.texts import joined

Item = tuple[str, str, str]  # section, number, what to report

STARD: tuple[Item, ...] = (
    ("Title, abstract", "1", "Names the study as one of diagnostic accuracy"),
    ("Title, abstract", "2", "Structured abstract"),
    ("Introduction", "3", "Background, intended use and role of the index test"),
    ("Introduction", "4", "Objectives and hypotheses"),
    ("Methods: design", "5", "Data collected before or after the tests were done"),
    ("Methods: participants", "6", "Eligibility"),
    ("Methods: participants", "7", "How eligible participants were found"),
    ("Methods: participants", "8", "Where and when they were found"),
    ("Methods: participants", "9", "Consecutive, random or convenience series"),
    ("Methods: tests", "10a", "Index test, so that it can be repeated"),
    ("Methods: tests", "10b", "Reference standard, so that it can be repeated"),
    ("Methods: tests", "11", "Why this reference standard"),
    ("Methods: tests", "12a", "Threshold of the index test: fixed before, or explored"),
    ("Methods: tests", "12b", "Threshold of the reference standard: fixed before, or explored"),
    ("Methods: tests", "13a", "What readers of the index test knew"),
    ("Methods: tests", "13b", "What assessors of the reference standard knew"),
    ("Methods: analysis", "14", "How accuracy was estimated or compared"),
    ("Methods: analysis", "15", "Indeterminate results"),
    ("Methods: analysis", "16", "Missing results"),
    ("Methods: analysis", "17", "Variability, such as subgroups: planned or explored"),
    ("Methods: analysis", "18", "Intended sample size and its reason"),
    ("Results: participants", "19", "Flow of participants"),
    ("Results: participants", "20", "Baseline characteristics"),
    ("Results: participants", "21a", "Severity among those with the condition"),
    ("Results: participants", "21b", "Other diagnoses among those without it"),
    ("Results: participants", "22", "Time and treatment between the two tests"),
    ("Results: tests", "23", "Index test by reference standard, in counts"),
    ("Results: tests", "24", "Accuracy with its precision"),
    ("Results: tests", "25", "Adverse events"),
    ("Discussion", "26", "Limitations"),
    ("Discussion", "27", "Implications for practice"),
    ("Other", "28", "Registration"),
    ("Other", "29", "Protocol"),
    ("Other", "30", "Funding"),
)
TRIPOD: tuple[Item, ...] = (
    ("Title, abstract", "1", "Names the study as developing or evaluating a prediction model"),
    ("Title, abstract", "2", "Abstract by TRIPOD+AI for abstracts"),
    ("Introduction", "3a", "Health context, reason for the model, existing models"),
    ("Introduction", "3b", "Target population and purpose in the care pathway"),
    ("Introduction", "3c", "Known health inequalities"),
    ("Introduction", "4", "Objectives: development, evaluation or both"),
    ("Methods: data", "5a", "Sources of data, and how representative they are"),
    ("Methods: data", "5b", "Dates"),
    ("Methods: participants", "6a", "Setting and centres"),
    ("Methods: participants", "6b", "Eligibility"),
    ("Methods: participants", "6c", "Treatments"),
    ("Methods: data", "7", "Preparation and quality checks of data"),
    ("Methods: outcome", "8a", "Outcome and when it is assessed, in all groups alike"),
    ("Methods: outcome", "8b", "Who assesses it, where judgement is needed"),
    ("Methods: outcome", "8c", "What assessors knew"),
    ("Methods: predictors", "9a", "Choice of predictors"),
    ("Methods: predictors", "9b", "Definition and time of predictors"),
    ("Methods: predictors", "9c", "Who assesses them, where judgement is needed"),
    ("Methods: size", "10", "Sample size and its reason"),
    ("Methods: missing", "11", "Missing data"),
    ("Methods: analysis", "12a", "Which data served development and evaluation"),
    ("Methods: analysis", "12b", "How predictors enter the model"),
    ("Methods: analysis", "12c", "Type of model, building, tuning, internal validation"),
    ("Methods: analysis", "12d", "Heterogeneity between clusters"),
    ("Methods: analysis", "12e", "Measures and plots of performance"),
    ("Methods: analysis", "12f", "Updating of the model"),
    ("Methods: analysis", "12g", "How predictions were computed for the evaluation"),
    ("Methods: imbalance", "13", "Whether and how class imbalance was treated"),
    ("Methods: fairness", "14", "Approach to fairness"),
    ("Methods: output", "15", "Output of the model, and thresholds"),
    ("Methods: evaluation", "16", "Differences between development and evaluation data"),
    ("Methods: ethics", "17", "Ethical approval and consent"),
    ("Open science", "18a", "Funding"),
    ("Open science", "18b", "Conflicts of interest"),
    ("Open science", "18c", "Protocol"),
    ("Open science", "18d", "Registration"),
    ("Open science", "18e", "Availability of data"),
    ("Open science", "18f", "Availability of code"),
    ("Involvement", "19", "Involvement of patients and the public"),
    ("Results: participants", "20a", "Flow of participants, with and without the outcome"),
    ("Results: participants", "20b", "Characteristics of participants"),
    ("Results: participants", "20c", "Predictors and outcome against the development data"),
    ("Results: model", "21", "Participants and events of each analysis"),
    ("Results: model", "22", "The full model"),
    ("Results: performance", "23a", "Performance with intervals, also in key subgroups"),
    ("Results: performance", "23b", "Heterogeneity of performance between clusters"),
    ("Results: updating", "24", "Results of updating"),
    ("Discussion", "25", "Interpretation, including fairness"),
    ("Discussion", "26", "Limitations"),
    ("Discussion", "27a", "Poor or missing inputs in use"),
    ("Discussion", "27b", "What users must do and know"),
    ("Discussion", "27c", "Next steps of research"),
)
BLANK = "to be written: not in the data"
_LISTS = {
    "stard": ("STARD 2015", STARD, "[@bossuyt2015]"),
    "tripod": ("TRIPOD+AI", TRIPOD, "[@collins2024]"),
}
_NOTE = (
    "The items are abridged in our own words; the published list is the standard. What stands here "
    "are facts to start from: whether they answer the item is for the authors."
)
_WIDTHS = (0.18, 0.07, 0.30, 0.45)


def checklist_rows(findings: Findings, name: str) -> TableContent:
    """Return the items of a list, with what the data say on those that they can answer."""
    title, items, cited = _LISTS[name]
    tables = tables_of(findings)
    fill = _of_stard(findings, tables) if name == "stard" else _of_tripod(findings, tables)
    rows = []
    for section, number, what in items:
        words = fill[number]() if number in fill else ""
        rows.append((section, number, what, words or BLANK))
    filled = sum(row[3] != BLANK for row in rows)
    return TableContent(
        title=f"{title}: {filled} of {len(rows)} items have something from the data",
        headers=("Section", "Item", "What to report", "From the data"),
        rows=tuple(rows),
        notes=(_NOTE,),
        methods=methods_of(f"The report follows {title} {cited}."),
        widths=_WIDTHS,
    )


Fill = dict[str, Callable[[], str]]


def _of_stard(findings: Findings, tables: list[AccuracyTable]) -> Fill:
    """Return what fills the items of STARD, by their numbers."""
    return {
        "12a": lambda: f"{_rules(findings)} {chosen_words(findings)}",
        "14": lambda: by_author(" ".join(_analysis(findings, tables).sentences)),
        "16": lambda: _missing(findings),
        "17": lambda: _groups(findings),
        "19": lambda: _flow(findings),
        "23": lambda: _counts(findings, tables),
        "24": lambda: _accuracy(findings, tables),
    }


def _of_tripod(findings: Findings, tables: list[AccuracyTable]) -> Fill:
    """Return what fills the items of TRIPOD+AI, by their numbers."""
    return {
        "11": lambda: _missing(findings),
        "12d": lambda: _clusters(findings),
        "12e": lambda: by_author(" ".join(_analysis(findings, tables).sentences)),
        "14": lambda: _groups(findings),
        "15": lambda: f"{_outputs(findings)} {_rules(findings)} {chosen_words(findings)}",
        "20a": lambda: _flow(findings),
        "21": lambda: (
            "; ".join(f"{name}: {_classes(findings, k)}" for k, name in enumerate(findings.names))
            + "."
        ),
        "23a": lambda: _accuracy(findings, tables) + _calibrated(findings),
        "23b": lambda: _heterogeneity(findings),
    }


def _analysis(findings: Findings, tables: list[AccuracyTable]) -> Methods:
    """Return the methods of the accuracy, and of the comparison where there is one."""
    made = accuracy_methods(tables)
    for one in () if isinstance(findings.comparisons, str) else findings.comparisons:
        if one.statistic == "auc":
            made += one.methods()
    return made


def _rules(findings: Findings) -> str:
    rules = [
        f"{name}: positive if score {rule_words(findings, k)}"
        for k, name in enumerate(findings.names)
    ]
    return "; ".join(rules) + "."


def _missing(findings: Findings) -> str:
    """Say how many rows were left out, for each model that lacks some."""
    read, rows = findings.study.rows_read, findings.study.rows
    lost = [f"{one['dropped']:,} ({name})" for name, one in rows.items() if one["dropped"]]
    if not lost:
        return f"Of {read:,} rows none was left out: every label and score is there."
    return (
        f"Of {read:,} rows some were left out because a value is missing or unusable: "
        f"{joined(lost)}. Only complete rows were analysed."
    )


def _flow(findings: Findings) -> str:
    """Say how rows become items with and without the condition."""
    used = []
    for k, name in enumerate(findings.names):
        tally = findings.tallies[k]
        used.append(f"{name}: {tally.total_count:,} analysed, {_classes(findings, k)}")
    return f"{findings.study.rows_read:,} rows read. {'; '.join(used)}."


def _classes(findings: Findings, k: int) -> str:
    tally = findings.tallies[k]
    decimals = decimals_of(tally.total_up + tally.total_right)
    up, right = (count(mass, decimals) for mass in (tally.total_up, tally.total_right))
    return f"{up} positive and {right} negative"


def _counts(findings: Findings, tables: list[AccuracyTable]) -> str:
    """Say the four counts of each model."""
    said = []
    for name, table in zip(findings.names, tables, strict=True):
        cells = table.point.confusion
        decimals = decimals_of(cells.total)
        numbers = (
            f"{count(mass, decimals)} {words}"
            for mass, words in (
                (cells.true_positives, "true positives"),
                (cells.false_positives, "false positives"),
                (cells.false_negatives, "false negatives"),
                (cells.true_negatives, "true negatives"),
            )
        )
        said.append(f"{name}: {', '.join(numbers)}")
    return "; ".join(said) + "."


def _accuracy(findings: Findings, tables: list[AccuracyTable]) -> str:
    """Say area, sensitivity and specificity of each model with their intervals."""
    said = []
    for name, table in zip(findings.names, tables, strict=True):
        numbers = (
            f"{words} {with_interval(table.numbers[number])}"
            for words, number in (
                ("AUC", "auc"),
                ("sensitivity", "sensitivity"),
                ("specificity", "specificity"),
            )
        )
        said.append(f"{name}: {', '.join(numbers)}")
    return f"{'; '.join(said)} ({level_words(findings.level)} confidence intervals)."


def _calibrated(findings: Findings) -> str:
    """Say the calibration slope of the models that give probabilities."""
    said = []
    for k in findings.probabilities:
        made = findings.promises[k].recalibration
        if made is not None:
            said.append(f"{findings.names[k]} {with_interval(made.slope)}")
    return f" Calibration slope: {'; '.join(said)}." if said else ""


def _outputs(findings: Findings) -> str:
    said = [
        f"{name}: {'probabilities' if k in findings.probabilities else 'scores'}"
        for k, name in enumerate(findings.names)
    ]
    return "; ".join(said) + "."


def _groups(findings: Findings) -> str:
    parts = findings.study.subgroups
    if parts is None:
        return ""
    by, keys = parts.by, {key[1] for key in parts}
    return (
        f"AUC, sensitivity and specificity in {len(keys)} subgroups by "
        f"{joined([shown(name) for name in by])}."
    )


def _clusters(findings: Findings) -> str:
    cluster = findings.study.question.cluster
    if cluster is None:
        return ""
    return f"Intervals respect the clusters of rows by {shown(cluster)}."


def _heterogeneity(findings: Findings) -> str:
    """Say whether the area differs between subgroups, where there are any."""
    if findings.study.subgroups is None:
        return ""
    tests = findings.groups.tests.items()
    return " ".join(group_words(shown(name), one, findings.level) for name, one in tests)
