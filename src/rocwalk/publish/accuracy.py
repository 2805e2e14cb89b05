"""The accuracy table: the confusion matrix and the accuracy of each model at its threshold."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import replace

from rocwalk.curves.accuracy import NUMBERS, RATIOS, AccuracyTable
from rocwalk.methods import Methods, methods_of
from rocwalk.publish.content import TableContent, distinct, with_interval
from rocwalk.report.accuracy import accuracy_at, ratio_text
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import count, decimals_of, level_words, threshold
from rocwalk.statistic import entries
from rocwalk.texts import joined

_CELLS = {
    "True positives": "true_positives",
    "False positives": "false_positives",
    "False negatives": "false_negatives",
    "True negatives": "true_negatives",
}
_NAMES = {
    "tp": "true_positives",
    "fp": "false_positives",
    "fn": "false_negatives",
    "tn": "true_negatives",
}


AFTER_STARD = "Accuracy is reported after STARD 2015 [@bossuyt2015]."


def accuracy_rows(findings: Findings) -> TableContent:
    """Return one column a model: its rule, the four counts, and every number with its interval."""
    tables = tables_of(findings)
    rows = [("Positive if score", *(rule_words(findings, k) for k in range(len(tables))))]
    for words, name in _CELLS.items():
        counted = [table.point.confusion for table in tables]
        cells = [count(getattr(one, name), decimals_of(one.total)) for one in counted]
        rows.append((words, *cells))
    for name, words in tables[0].words.items():
        rows.append((words, *(_number(table, name) for table in tables)))
    first, level = findings.tallies[0], level_words(findings.level)
    shown = count(first.total_up, decimals_of(first.total_up + first.total_right))
    return TableContent(
        title=f"Diagnostic accuracy: {size_words(findings)}, {shown} positive",
        headers=("", *distinct(findings.names)),
        rows=tuple(rows),
        notes=(f"In brackets: {level} confidence intervals. {chosen_words(findings)}",),
        methods=accuracy_methods(tables) + methods_of(AFTER_STARD),
    )


def tables_of(findings: Findings) -> list[AccuracyTable]:
    """Return the accuracy of each model at its threshold, with how that was chosen."""
    by = findings.rule.words if findings.rule.is_chosen else ""
    tables = [accuracy_at(findings, k) for k in range(len(findings.names))]
    return [replace(table, chosen_by=by) for table in tables]


def size_words(findings: Findings) -> str:
    """Say how many items there are; of models that lack some of them, of each."""
    used = [tally.total_count for tally in findings.tallies]
    if len(set(used)) == 1:
        return f"{used[0]:,} items"
    return joined([f"{one:,} items ({findings.names[k]})" for k, one in enumerate(used)])


def rule_words(findings: Findings, k: int) -> str:
    """Write from which score on a model calls an item positive.

    The digits decide as all digits of the threshold do.
    """
    choice = findings.summaries[k].choice
    if choice is None or math.isinf(choice.threshold):
        return "∞ (none is called positive)"
    return f"≥ {threshold(choice.threshold, choice.interval[0])}"


def chosen_words(findings: Findings) -> str:
    """Say whether the threshold was fixed before, or chosen on these data."""
    if not findings.rule.is_chosen:
        return "The threshold was given, not chosen on these data."
    return (
        f"The threshold has {findings.rule.words} on these data, which makes the accuracy look "
        "better than it is."
    )


def _number(table: AccuracyTable, name: str) -> str:
    """Write a number with its interval and, for a share of counts, which items it is of."""
    ends = table.numbers[name]
    if name in RATIOS:
        words = ratio_text(ends[0])
        if any(map(math.isnan, ends)):
            return words
        return f"{words} ({ratio_text(ends[1])} to {ratio_text(ends[2])})"
    words, share, cells = with_interval(ends), entries()[name].share, table.point.confusion
    if share is None or decimals_of(cells.total):
        return words
    hits, misses = (
        sum(getattr(cells, _NAMES[cell]) for cell in side) for side in (share.hits, share.misses)
    )
    return f"{words}, {hits:,}/{hits + misses:,}"


def accuracy_methods(tables: list[AccuracyTable], names: Collection[str] = NUMBERS) -> Methods:
    """Return the methods of these numbers of all models; thresholds that differ are not listed."""
    made = Methods(())
    for table in tables:
        used = {name: by for name, by in table.interval_methods.items() if name in names}
        made += replace(table, interval_methods=used).methods()
    if len({table.threshold for table in tables}) == 1:
        return made
    rules = {table.methods().sentences[0] for table in tables}
    others = [said for said in made.sentences if said not in rules]
    return methods_of("Each model has a threshold of its own (see the table).", *others)
