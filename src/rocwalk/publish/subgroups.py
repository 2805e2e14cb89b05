"""The subgroup table: the area, sensitivity and specificity of each model in each subgroup."""

from __future__ import annotations

import math
from functools import partial

from rocwalk.curves.accuracy import AccuracyTable, accuracy_of
from rocwalk.errors import Argument, OptionError, RocwalkError
from rocwalk.inference.items import Evidence
from rocwalk.methods import Methods
from rocwalk.publish.accuracy import accuracy_methods, chosen_words, rule_words, tables_of
from rocwalk.publish.content import TableContent, with_interval
from rocwalk.report.findings import Findings
from rocwalk.report.groups import group_words
from rocwalk.report.numbers import count, decimals_of, level_words, shown
from rocwalk.report.rater_findings import noted

_NUMBERS = {"auc": "AUC", "sensitivity": "Sensitivity", "specificity": "Specificity"}
_UNDEFINED = "not estimable"
Group = tuple[str, Evidence, AccuracyTable | None]  # its name, and its accuracy if it has one


def subgroup_rows(findings: Findings) -> TableContent:
    """Return one row a model and subgroup, after the row of all items."""
    parts = findings.study.subgroups
    if parts is None:
        raise OptionError(
            "There are no subgroups.", ("name the column that makes them by ", Argument("by"), ".")
        )
    several, level = len(findings.names) > 1, level_words(findings.level)
    whole, rows, tables = tables_of(findings), [], []
    for k, (model, _) in enumerate(findings.study.models or {}):
        groups: list[Group] = [("All", findings.evidence[k], whole[k])]
        for key in parts:
            if key[0] == model:
                evidence = findings.groups.evidence(key)[0]
                name = ", ".join(map(shown, key[1]))
                try:
                    cut = whole[k].threshold
                    found, _ = noted(partial(accuracy_of, evidence, cut, findings.level))
                except RocwalkError:  # of one class
                    found = None
                groups.append((name, evidence, found))
        tables += [found for _, _, found in groups if found is not None]
        for name, evidence, found in groups:
            tally = evidence.tally
            positive = count(tally.total_up, decimals_of(tally.total_up + tally.total_right))
            cells = (
                _UNDEFINED
                if found is None or math.isnan(found.numbers[number][0])
                else with_interval(found.numbers[number])
                for number in _NUMBERS
            )
            row = (name, f"{tally.total_count:,}", positive, *cells)
            rows.append((findings.names[k], *row) if several else row)
    by = ", ".join(f"“{shown(name)}”" for name in parts.by)
    headers = (
        "Subgroup",
        "Items",
        "Positive",
        *(f"{title} ({level} CI)" for title in _NUMBERS.values()),
    )
    rules = "; ".join(
        f"{name}: score {rule_words(findings, k)}" for k, name in enumerate(findings.names)
    )
    tests = [group_words(shown(m), one, findings.level) for m, one in findings.groups.tests.items()]
    methods = accuracy_methods(tables, _NUMBERS)
    for test in findings.groups.tests.values():
        methods += Methods(()) if test is None else test.methods()
    return TableContent(
        title=f"Accuracy in subgroups by {by}",
        headers=("Model", *headers) if several else headers,
        rows=tuple(rows),
        notes=(
            f"CI: confidence interval. Positive if: {rules}. {chosen_words(findings)}",
            *tests,
        ),
        methods=methods,
    )
