"""Words of the page: one plain sentence for each uncommon one, and the words of two fields.

The sentence of a registered number is that of the registry; what is not a number stands here.
"""

from __future__ import annotations

from typing import Any

from rocwalk.statistic import entries

# numbers of the registry that not every reader knows
_NUMBERS = (
    "hull_area",
    "probabilistic_auc",
    "scored_auc",
    "midpoint",
    "struggle_ratio",
    "auc_prt",
    "expected_auc",
    "h_measure",
    "brier",
    "average_precision",
)
_OTHERS = {
    "Matched width": "How far the scores must be smeared for the area under the ROC curve to fall "
    "to the probabilistic AUC.",
    "Area(d)": "The area under the ROC curve after every score is spread evenly over a segment of "
    "width d.",
    "Capability": "The accuracy of a threshold on the items that lie on the wrong side of the "
    "midpoint.",
    "Sensibility": "The accuracy of a threshold on the items that lie on the right side of the "
    "midpoint.",
    "PC(+)": "The share of misses in all that mistakes can cost: the prevalence, if both mistakes "
    "cost the same.",
    "Cost proportion": "The cost of a false alarm, divided by the sum of the costs of both "
    "mistakes.",
    "Net benefit": "True positives per item minus false positives per item, each of which counts "
    "as the odds of the threshold.",
    "Ceiling": "The highest AUC that any order of these items can have, as their truth is "
    "uncertain.",
    "Miscalibration": "What the loss would fall by if every score were replaced by the share of "
    "positives that it goes with.",
    "Discrimination": "What the loss falls by because items with different scores have different "
    "shares of positives.",
    "Uncertainty": "The loss of predicting the prevalence for every item.",
    "Positive likelihood ratio": "By how much the odds of being positive rise when an item is "
    "called positive.",
    "Negative likelihood ratio": "By how much the odds of being positive fall when an item is "
    "called negative.",
    "Single steps": "A ROC curve in which a positive climbs by its score and a negative goes right "
    "by the rest.",
    "Both ways": "A ROC curve in which an item climbs by its score and goes right by the rest if "
    "it is decided rightly, and the other way round if wrongly.",
    "Blind": "The area of a soft curve that knows the scores but not the labels: how sharp the "
    "scores are.",
    "Fleiss’ kappa": "How far raters agree beyond chance: 1 is agreement, 0 as much as by chance.",
    "Krippendorff’s alpha": "How far raters agree beyond chance, with missing votes allowed: 1 is "
    "agreement, 0 as much as by chance.",
    "Log O/E": "The logarithm of observed to expected positives: 0 where there are as many as the "
    "scores expect.",
    "Adjusted p": "The p-value after all comparisons made here are counted together (Holm).",
    "Youden’s index": "The true positive rate minus the false positive rate.",
    "F measure": "The harmonic mean of precision and recall.",
    "Decides alike above": "Every threshold above this number, up to the one before it, makes the "
    "same decisions.",
}

# a phrase, as machine learning and as medicine say it
_WORDS = (
    ("tpr − fpr", "TPR − FPR", "sensitivity + specificity − 1"),
    ("true positive rate", "true positive rate", "sensitivity"),
    ("false positive rate", "false positive rate", "1 − specificity"),
    ("positive predictive value", "precision", "positive predictive value"),
    ("average precision", "average precision", "average positive predictive value"),
    ("sensitivity", "true positive rate", "sensitivity"),
    ("specificity", "true negative rate", "specificity"),
    ("precision", "precision", "positive predictive value"),
    ("recall", "recall", "sensitivity"),
    ("tpr", "TPR", "sensitivity"),
    ("fpr", "FPR", "1 − specificity"),
    ("fnr", "FNR", "1 − sensitivity"),
)


def glossary() -> dict[str, str]:
    """Return a plain sentence for each uncommon word of the page.

    >>> glossary()["Struggle ratio"][:43]
    'Items on the wrong side of the midpoint for'
    """
    known = entries()
    numbers = {known[name].title: known[name].sentence for name in _NUMBERS}
    return numbers | _OTHERS


def vocabulary() -> dict[str, Any]:
    """Return the words of both fields by phrase, for the script.

    >>> vocabulary()["fpr"]
    {'learning': 'FPR', 'clinical': '1 − specificity'}
    """
    return {phrase: {"learning": one, "clinical": other} for phrase, one, other in _WORDS}


def has_words(text: str) -> bool:
    """Say whether a text has words that two fields say differently.

    >>> has_words("TPR there"), has_words("Rows")
    (True, False)
    """
    low = text.lower()
    return any(phrase in low for phrase, _, _ in _WORDS)
