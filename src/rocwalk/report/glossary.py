"""Words of the page: one plain sentence for each uncommon one, and the words of two fields.

The sentence of a registered number is that of the registry; what is not a number stands here.
"""

from __future__ import annotations

from typing import Any

from rocwalk.statistic import entries

_COMMON = ("auc", "mean_score")  # numbers that every reader knows, beside shares of items
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
    "BPSN": "The AUC of the background’s positives against the subgroup’s negatives; low where "
    "negatives of the subgroup have too high scores.",
    "BNSP": "The AUC of the subgroup’s positives against the background’s negatives; low where "
    "positives of the subgroup have too low scores.",
    "Adjusted p": "The p-value after all comparisons made here are counted together (Holm).",
    "Youden’s index": "The true positive rate minus the false positive rate.",
    "F measure": "The harmonic mean of precision and recall.",
    "Decides alike above": "Every threshold above this number, up to the one before it, makes the "
    "same decisions.",
}

# words of the documents that the page does not need
_FIELD = {
    "Band": "A region around a curve that holds the true curve with a stated confidence: at each "
    "point (pointwise), or as a whole (simultaneous).",
    "BCa": "A bootstrap interval that is corrected for bias and for a spread that changes with the "
    "value.",
    "Binormal": "A model in which the scores of both classes, after some increasing change of "
    "scale, are normally distributed.",
    "Bootstrap": "Repeating the analysis on samples drawn with replacement from the data, to see "
    "how much a number varies.",
    "Bucket": "A range of scores whose items are counted together, so that a tally of any data "
    "stays small.",
    "Calibration": "The agreement of predicted probabilities with what happens: of the items with "
    "a score of 30 %, 30 in 100 are positive.",
    "Certificate": "A proof, computed with the number, of how far the number can be from the exact "
    "one.",
    "Change point": "The row of a stream after which a change has most likely begun.",
    "Cluster": "A group of rows that are not independent, such as the images of one patient.",
    "Convex hull": "The smallest curve without dents above a ROC curve; its corners are the "
    "thresholds that are best for some costs.",
    "Cost curve": "The expected cost of the best threshold, drawn over all ratios of costs and "
    "prevalences.",
    "Coverage": "How often an interval holds the true value when the study is repeated: a "
    "95 % interval should in 95 of 100.",
    "Dawid and Skene": "A model that estimates the sensitivity and specificity of each rater, and "
    "the truth, from votes alone.",
    "Decision curve": "The net benefit of acting on a model, drawn over the probabilities from "
    "which one would act.",
    "DeLong": "An exact estimate of how much an AUC varies, and of how two AUCs on the same rows "
    "vary together.",
    "Drift": "A change, since a reference sample, of what a model's scores mean.",
    "e-value": "A measure of evidence that may be looked at any time: 20 is as rare, where nothing "
    "has changed, as once in 20 streams.",
    "Estimation drift": "The probabilities are no longer right, while the order of the items is "
    "no worse.",
    "Hand and Till": "The mean of the AUCs of all pairs of classes.",
    "Hard label": "A label that is one of two classes, without doubt.",
    "Holm": "A way to correct p-values for the number of comparisons that were made.",
    "Influence function": "How much one item moves a number; its variance gives the standard "
    "error of the number.",
    "Isotonic regression": "The best increasing step function through the data; for labels it is "
    "the convex hull of the ROC curve.",
    "Kernel": "The shape over which a score is spread: uniform, normal or beta.",
    "Logit scale": "The logarithm of p / (1 − p): intervals made on it stay between 0 and 1.",
    "Misclassification front": "The rules for several classes of which none is worse than another "
    "in every kind of mistake.",
    "MOVER": "An interval for a difference, built from the intervals of its two parts.",
    "Mixture of rules": "A rule that picks one of two thresholds at random, and so reaches a point "
    "on the line between them.",
    "Newcombe": "An interval for the AUC that is right for few items and for perfect scores.",
    "Odds": "The probability of an event divided by the probability that it does not happen.",
    "Operating point": "The pair of rates of one threshold: one point of the ROC curve.",
    "Optimism": "By how much a number is too good because the rule was chosen on the same data.",
    "Perfect curve": "The ROC curve of the best order that uncertain truth allows.",
    "Population drift": "The scores are distributed differently than in the reference, while "
    "outcomes given the scores are the same.",
    "Price list": "The cheapest threshold, and its cost, for each of several costs of mistakes.",
    "Ranking drift": "The order of the items has become worse than in the reference.",
    "Reader study": "A study in which several readers rate the same cases with several tests "
    "(MRMC: multi-reader, multi-case).",
    "Reference": "The sample of the past that a deployed model is compared with.",
    "Reference truth": "A truth that is a probability for each item, such as the share of experts "
    "who say yes.",
    "Reliability diagram": "The share of positives drawn over the predicted probability; a "
    "calibrated model follows the diagonal.",
    "ROC curve": "The true positive rate drawn over the false positive rate, for all thresholds.",
    "Score shift": "A change of the distribution of scores, which is visible before labels arrive.",
    "Sensible item": "A positive above the midpoint, or a negative below it.",
    "Smeared curve": "The ROC curve of scores that are each spread over a range of values.",
    "Smearing": "Spreading every score over a range, to see how much of an area depends on small "
    "differences.",
    "Soft ROC curve": "A ROC curve in which the length of a step depends on the score.",
    "Soft truth": "Labels that are probabilities between 0 and 1 in place of classes.",
    "STARD": "A list of what a report on the accuracy of a diagnostic test must say.",
    "Tally": "The small table of a walk, the masses of positives and negatives at each score, from "
    "which every number here is computed.",
    "Threshold": "The score from which on items are called positive.",
    "Tie": "Two items with the same score; a positive and a negative that tie count one half in "
    "the AUC.",
    "TRIPOD+AI": "A list of what a report on a prediction model must say.",
    "True positive rate": "The share of positives that are called positive; in medicine, "
    "sensitivity.",
    "False positive rate": "The share of negatives that are called positive; in medicine, "
    "1 − specificity.",
    "Truth tally": "A tally of items with soft truth, which also keeps what perfect and worst "
    "curves need.",
    "Walk": "The ROC curve as steps: by decreasing score, up by the positive mass of an item and "
    "right by its negative mass.",
    "Watch": "A test of a stream that may be looked at after every row without raising more false "
    "alarms.",
    "Wilson": "An interval for a share that is right for few items and near 0 and 1.",
    "Window": "A stretch of time or of rows of a stream that is compared with the reference.",
    "Worst curve": "The ROC curve of the worst order that uncertain truth allows.",
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
    numbers = [one for one in entries().values() if one.share is None and one.name not in _COMMON]
    return {one.title: one.sentence for one in numbers} | _OTHERS


def dictionary() -> dict[str, str]:
    """Return a plain sentence for each word of the documents: all numbers, the page, the field.

    >>> dictionary()["Tie"][:31]
    'Two items with the same score; '
    """
    numbers = {one.title: one.sentence for one in entries().values()}
    words = numbers | _FIELD | glossary()
    return dict(sorted(words.items(), key=lambda one: one[0].casefold()))


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
