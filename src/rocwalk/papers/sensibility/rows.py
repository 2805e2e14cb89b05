"""What Klement, Japkowicz & Matwin (2009) print, section by section, beside what rocwalk computes.

Items of Table 1 are called by their numbers, from 1. Each data set of §3 exists twice: as one draw
like the paper's (`drawn`), and as endless data, the probabilities of all combinations (`endless`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import combinations
from typing import Any, get_args

import numpy as np

from rocwalk.curves.roc import Curve, roc
from rocwalk.datasets.flu import FluSample, flu, flu_probabilities, naive_bayes
from rocwalk.datasets.papers import PaperExample
from rocwalk.drift.drift import Drift, drift
from rocwalk.drift.findings import Finding
from rocwalk.drift.sensibility import Sensibility, midpoint, sensibility
from rocwalk.papers.examples import (
    Examples,
    class_means,
    class_scores,
    curve_of,
    moves_of,
    numbers,
    same_points,
)
from rocwalk.papers.row import Place, Row, text_of
from rocwalk.read.arrays import tally
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import highest_tpr
from rocwalk.typing import FluDomain

at = partial(Place, "Sensibility")

TABLE = "sensibility_table_1"
THRESHOLD = 0.35
PRINTED_MIDPOINT = 0.56


def sensibility_rows(examples: Examples) -> list[Row]:
    """Return every row of the paper, in its order."""
    example = examples[TABLE]
    return [
        *_sections_1_and_2_means(example),
        *_section_2_equation_1(example),
        *_section_2_table_1(example),
        *_section_2_ratios(example),
        *_section_2_laws(example),
        *_section_3_domains(),
        *_section_3_table_2_and_same_domain(),
        *_section_3_drift(),
        *_section_4(example),
    ]


def analysis_of(example: PaperExample) -> Sensibility:
    """Return the sensibility analysis of an example, split at its own midpoint."""
    return sensibility(example.y_true, example.y_prob)


def _tally_of(example: PaperExample) -> Tally:
    return tally(example.y_true, example.y_prob)


def numbered(example: PaperExample) -> list[tuple[int, int, float]]:
    """Return (i, label, score) of each item, counted from 1 as the table does."""
    pairs = zip(example.y_true, example.y_prob, strict=True)
    return [(i, int(label), score) for i, (label, score) in enumerate(pairs, start=1)]


def sensible_items(example: PaperExample, middle: float) -> list[int]:
    """Return the items that a midpoint decides rightly, with positives at or above it."""
    return [i for i, label, score in numbered(example) if (label == 1) == (score >= middle)]


def _words(items: list[int]) -> str:
    return " ".join(map(str, items)) or "none"


# -- §1: two positives on the same side of a threshold, one only just ----------------------------


def _sections_1_and_2_means(example: PaperExample) -> Iterator[Row]:
    """Yield the margins that a threshold ignores, and sums, means and calibration of Table 1."""
    labels, scores, threshold = (1, 1, 0), (0.9, 0.51, 0.1), 0.5
    curve = roc(labels, scores)
    point, ups = curve.at(threshold), moves_of(curve.tpr)
    yield at("§1").statement(
        f"0.9⁺ and 0.51⁺ at the threshold {threshold}",
        "both classified correctly; their margin is ignored",
        f"{text_of(point.confusion.true_positives)} of {text_of(curve.walk.up[-1])} classified "
        f"correctly; steps up {text_of(ups)}",
        holds=point.tpr == 1 and len(set(ups)) == 1,
        reason="A curve needs a negative too; it is ours, 0.1⁻. The midpoint of the three is "
        f"{text_of(midpoint(tally(labels, scores)))}; it does take the scores in.",
    )

    here, ours = at("§2, Table 1"), _tally_of(example)
    positive, negative = class_scores(example)
    up, right = float(ours.up_score.sum()), float(ours.right_score.sum())
    yield here.formula(
        "sums of scores: P⁺, P⁻ and P",
        "Σ pᵢ⁺, Σ pᵢ⁻, P⁺ + P⁻",
        (sum(positive), sum(negative), sum(example.y_prob)),
        (up, right, up + right),
    )
    yield here.formula(
        "mean scores m⁺ and m⁻",
        "P⁺ / n⁺, P⁻ / n⁻",
        class_means(example),
        (up / ours.total_up, right / ours.total_right),
    )
    yield here.formula(
        "class distribution d, as Eq. 1 needs it",
        "n⁺ / n",
        len(positive) / (len(positive) + len(negative)),
        float(ours.total_up / ours.total_right),
        "A slip: the lines that follow put n⁻ / n⁺ for 1/d, so d is the odds n⁺ / n⁻. And d = "
        "1, which they name as a special case, would leave no negatives at all.",
    )

    here = at("§2, calibrated scores")
    fitted = curve_of(example).calibration().calibrate(example.y_prob)
    doubled = 2 * midpoint(tally(example.y_true, fitted))
    yield here.statement(
        "m⁺ + m⁻ / d of Table 1, calibrated by isotonic regression",
        "1",
        f"{text_of(doubled)}; the scores become "
        f"{text_of(tuple(sorted(set(fitted.tolist()), reverse=True)))}",
        holds=abs(doubled - 1) < 1e-12,
        reason="So the midpoint of calibrated scores is ½, whatever the classes' shares; d is "
        "the odds.",
    )
    certain = PaperExample(example.y_true, example.y_true, example.source)
    (m_plus, m_minus), (n_plus, n_minus) = class_means(certain), map(len, class_scores(certain))
    yield here.statement(
        "the labels of Table 1 as scores, 0 or 1",
        "n⁺ m⁺ + n⁻ m⁻ = n⁺",
        f"{text_of(n_plus)} · {text_of(m_plus)} + {text_of(n_minus)} · {text_of(m_minus)} = "
        f"{text_of(sum(certain.y_prob))}",
        holds=n_plus * m_plus + n_minus * m_minus == n_plus,
    )


# -- §2: the midpoint, in both forms of Eq. 1, on the items of Table 1 ---------------------------


def _section_2_equation_1(example: PaperExample) -> Iterator[Row]:
    """Yield the midpoint, in both forms of Eq. 1."""
    here, found = at("§2, Eq. 1"), analysis_of(example)
    (m_plus, m_minus), (n_plus, n_minus) = class_means(example), map(len, class_scores(example))
    printed = (m_plus + m_minus * (n_plus + n_minus) / n_plus) / 2
    yield at("§2, Table 1").formula(
        "m⁺ + m⁻ / d, written out",
        "P⁺ / n⁺ + (n⁻ / n⁺) · P⁻ / n⁻ = P / n⁺",
        m_plus + n_minus / n_plus * m_minus,
        2 * midpoint(_tally_of(example)),
        "It holds with d = n⁺ / n⁻.",
    )
    yield here.formula(
        "t_s from the class means, d as printed",
        "½ (m⁺ + m⁻ / d) with d = n⁺ / n",
        printed,
        found.midpoint,
        f"This gives {text_of(printed)}, and the second form of the same equation does not.",
    )
    yield here.formula(
        "t_s from the class means, d the odds",
        "½ (m⁺ + m⁻ / d)",
        (m_plus + m_minus * n_minus / n_plus) / 2,
        found.midpoint,
        "With d = n⁺ / n⁻.",
    )
    yield here.formula(
        "t_s from the sum of all scores",
        "½ · P / n⁺",
        sum(example.y_prob) / (2 * n_plus),
        found.midpoint,
    )


# -- §2: Table 1, item by item -------------------------------------------------------------------


def _section_2_table_1(example: PaperExample) -> Iterator[Row]:
    """Yield the columns of Table 1, its midpoint, and the items that are sensible."""
    here, ours, items = at("§2, Table 1"), _tally_of(example), numbered(example)
    found = analysis_of(example)
    chosen = sensible_items(example, found.midpoint)
    yield here.number("examples", "10", len(items))
    yield here.column(
        "labels: the steps of the walk",
        "⁺ ⁺ ⁻ ⁺ ⁺ ⁻ ⁺ ⁻ ⁻ ⁻",
        " ".join("⁺" if up else "⁻" for up in ours.up),
    )
    yield here.column(
        "scores: the thresholds of the walk",
        "1.0 0.9 0.8 0.7 0.6 0.5 0.4 0.3 0.2 0.0",
        numbers(ours.scores),
    )
    yield here.column(
        f"predictions at the threshold {THRESHOLD}",
        "⁺ ⁺ ⁺ ⁺ ⁺ ⁺ ⁺ ⁻ ⁻ ⁻",
        " ".join("⁺" if score >= THRESHOLD else "⁻" for _, _, score in items),
    )
    yield here.column(
        "sensible?",
        "yes yes no yes yes yes no yes yes yes",
        " ".join("yes" if i in chosen else "no" for i, _, _ in items),
    )

    yield here.number(
        "midpoint t_s",
        f"{PRINTED_MIDPOINT}",
        found.midpoint,
        "Both forms of Eq. 1 give this: ten scores that add up to "
        f"{text_of(sum(example.y_prob))} over twice the number of positives.",
    )
    sensible = "1 2 4 5 6 8 9 10"
    as_printed, at_ours = _words(sensible_items(example, PRINTED_MIDPOINT)), _words(chosen)
    below = max((s for s in example.y_prob if s < found.midpoint), default=0.0)
    above = min((s for s in example.y_prob if s >= found.midpoint), default=1.0)
    yield here.statement(
        f"items that are sensible at {PRINTED_MIDPOINT}, and those at our t_s",
        sensible,
        f"{as_printed}; at {text_of(found.midpoint)} "
        f"{'the same' if as_printed == at_ours else at_ours}",
        holds=as_printed == at_ours == sensible,
        reason=f"Any midpoint above {text_of(below)}, up to {text_of(above)}, parts them so.",
    )

    for what, printed, side, rightly in (
        ("positives above the midpoint", "1 2 4 5", 1, True),
        ("negatives below the midpoint", "6 8 9 10", 0, True),
        ("positives below the midpoint: not sensible", "7", 1, False),
        ("negatives above the midpoint: not sensible", "3", 0, False),
    ):
        members = _words([i for i, label, _ in items if label == side and (i in chosen) is rightly])
        yield here.statement(what, printed, f"item {members}", holds=members == printed)
    yield here.number(
        "sensible examples, and the others",
        "8 2",
        (float(found.split.sensible), float(found.split.other)),
        "The text does not say where an item at the midpoint itself belongs; with us it counts as "
        "above.",
    )


# -- §2: struggle ratio, sensibility and capability, and what always holds of them ---------------


def _section_2_ratios(example: PaperExample) -> Iterator[Row]:
    """Yield the struggle ratio of Table 1, and sensibility and capability at its threshold."""
    here, found = at("§2, Table 1"), analysis_of(example)
    point, chosen = found.at(THRESHOLD), sensible_items(example, found.midpoint)
    right = sensible_items(example, THRESHOLD)
    every = [i for i, _, _ in numbered(example)]
    others = [i for i in every if i not in chosen]
    missed = [i for i in chosen if i not in right]
    failed = [i for i in others if i not in right]
    yield here.formula(
        "struggle ratio, counted",
        "non-sensible / sensible = 2 / 8",
        len(others) / len(chosen),
        found.struggle_ratio,
    )
    yield here.number("struggle ratio", "0.25", found.struggle_ratio)
    yield here.formula(
        f"sensibility at {THRESHOLD}, counted",
        "7 of 8 sensible examples",
        (len(chosen) - len(missed)) / len(chosen),
        point.sensibility,
    )
    yield here.number(f"sensibility at {THRESHOLD}, %", "87.5", 100 * point.sensibility)
    yield here.statement(
        "the sensible example that is classified incorrectly",
        "6",
        f"item {_words(missed)}",
        holds=missed == [6],
    )
    yield here.formula(
        f"capability at {THRESHOLD}, counted",
        "1 of 2 non-sensible examples",
        (len(others) - len(failed)) / len(others),
        point.capability,
    )
    yield here.number(f"capability at {THRESHOLD}, %", "50", 100 * point.capability)
    yield here.statement(
        "the non-sensible example that is classified incorrectly",
        "3",
        f"item {_words(failed)}",
        holds=failed == [3],
    )


def _section_2_laws(example: PaperExample) -> Iterator[Row]:
    """Yield sensibility and capability at all thresholds, and what always holds of them."""
    here, found, curve = at("§2, all thresholds"), analysis_of(example), curve_of(example)
    different = [len(np.unique(values)) for values in (found.sensibility, found.capability)]
    yield here.statement(
        "what depends on the threshold",
        "one midpoint and one struggle ratio; sensibility and capability vary",
        f"t_s {text_of(found.midpoint)}, struggle ratio {text_of(found.struggle_ratio)}; "
        f"{different[0]} and {different[1]} values over {len(found.thresholds)} thresholds",
        holds=min(different) > 1,
    )
    yield here.statement(
        "thresholds",
        "all, as for an ROC curve",
        numbers(found.thresholds[1:]),
        holds=np.array_equal(found.thresholds, curve.thresholds),
        reason="Those of the ROC curve, after ∞; between two of them nothing changes.",
    )
    generated = "The text says that they are generated; the numbers for Table 1 are ours."
    yield here.unprinted("sensibility at each, from ∞", numbers(found.sensibility), generated)
    yield here.unprinted("capability at each, from ∞", numbers(found.capability), generated)

    here, middle = at("§2, laws"), found.at(found.midpoint)
    yield here.unprinted(
        "sensibility and capability at the midpoint",
        f"{text_of(middle.sensibility)} and {text_of(middle.capability)}, at "
        f"{text_of(found.midpoint)}",
        "Always 1 and 0: the midpoint decides every sensible item rightly and no other.",
    )
    yield here.unprinted(
        "accuracy at the midpoint",
        curve.at(found.midpoint).accuracy,
        "Always 1 / (1 + struggle ratio), here "
        f"{text_of(1 / (1 + found.struggle_ratio))}: the struggle ratio says no more than the "
        "accuracy at t_s.",
    )
    point, sensible, other = found.at(THRESHOLD), found.split.sensible, found.split.other
    mixed = (sensible * point.sensibility + other * point.capability) / (sensible + other)
    yield here.unprinted(
        f"accuracy at {THRESHOLD}",
        curve.at(THRESHOLD).accuracy,
        "Always the mean of sensibility and capability, weighted by the numbers of items; here "
        f"{text_of(mixed)}.",
    )


# -- §3: the flu domains, re-created -------------------------------------------------------------

TRAIN = "NGP-Train"
DOMAINS: dict[str, FluDomain] = {TRAIN: "NGP", "NGP-Test": "NGP", "DP-Test": "DP", "FC-Test": "FC"}
_SIZE = 1000
_OURS = "Re-created with parameters of ours."


@dataclass(frozen=True, eq=False)
class Case:
    """A data set and the probabilities that the model trained on NGP gives it."""

    sample: FluSample
    scores: Any

    @cached_property
    def curve(self) -> Curve:
        """The ROC curve."""
        return roc(self.sample.y, self.scores, sample_weight=self.sample.mass)

    @cached_property
    def analysis(self) -> Sensibility:
        """The sensibility analysis, split at the midpoint of the data set itself."""
        return self.split_at(None)

    def split_at(self, middle: float | None) -> Sensibility:
        """Return the sensibility analysis, split at a midpoint from elsewhere."""
        mass = self.sample.mass
        return sensibility(self.sample.y, self.scores, midpoint=middle, sample_weight=mass)

    @property
    def numbers(self) -> dict[str, float]:
        """The three numbers of Table 2, by their headings."""
        return {
            _AUC: self.curve.area,
            _MIDDLE: self.analysis.midpoint,
            _STRUGGLE: self.analysis.struggle_ratio,
        }


@cache
def drawn() -> dict[str, Case]:
    """Return one draw of 1000 examples for each data set, the model trained on the first."""
    rng = np.random.default_rng(2009)  # the paper's year
    samples = {name: flu(domain, _SIZE, rng) for name, domain in DOMAINS.items()}
    model = naive_bayes(samples[TRAIN])
    return {name: Case(sample, model.predict(sample)) for name, sample in samples.items()}


@cache
def endless() -> dict[str, Case]:
    """Return the same for endless data: every combination with its probability."""
    samples = {name: flu_probabilities(domain) for name, domain in DOMAINS.items()}
    model = naive_bayes(samples[TRAIN], smoothing=0)
    return {name: Case(sample, model.predict(sample)) for name, sample in samples.items()}


@cache
def _drift_to(name: str) -> Drift:
    """Return the drift from the training draw to another."""
    old, new = drawn()[TRAIN], drawn()[name]
    return drift((old.sample.y, old.scores), (new.sample.y, new.scores))


# -- §3: what sets the domains apart -------------------------------------------------------------


def _section_3_domains() -> Iterator[Row]:
    """Yield the classes, the sizes, and the two ways in which NGP is modified."""
    here, samples = at("§3, re-created"), [case.sample for case in drawn().values()]
    classes = sorted({str(label) for sample in samples for label in sample.labels})
    sizes = {len(sample) for sample in samples}
    yield here.statement(
        "prognosis",
        "NormalRemission or Complication",
        " or ".join(reversed(classes)),
        holds=classes == ["Complication", "NormalRemission"],
        reason="The text names no positive class; with us it is Complication.",
    )
    yield here.statement(
        "examples in each data set",
        "1000",
        f"{len(samples)} data sets of {', '.join(map(str, sorted(sizes)))}",
        holds=sizes == {_SIZE},
        reason="One seeded draw. The tables of the paper's generator are not public. Ours is a "
        "re-creation with our own parameters, which were chosen to show the pattern.",
    )
    every = flu_probabilities("NGP")
    pairs = list(combinations(every.columns, 2))
    tied = [pair for pair in pairs if _dependence(every, *pair) > 0.01]
    yield at("§3, NGP re-created").statement(
        "pairs of attributes that depend on each other",
        "several",
        f"{len(tied)} of {len(pairs)}: " + ", ".join(" and ".join(pair) for pair in tied),
        holds=len(tied) > 1,
        reason="Naive Bayes takes all of them for independent within a class.",
    )

    # of each combination of attributes: its share of the patients, and its risk of a complication
    by_patient = [
        flu_probabilities(domain).probability.reshape(-1, 2) for domain in get_args(FluDomain)
    ]
    mass, moved_mass, same_mass = (pairs.sum(1) for pairs in by_patient)
    risk, moved_risk, new_risk = (pairs[:, 1] / pairs.sum(1) for pairs in by_patient)
    moved = float(np.abs(mass - moved_mass).sum() / 2)
    largest = float(np.abs(moved_risk - risk).max())
    yield at("§3, DP re-created").statement(
        "what changes from NGP",
        "the population",
        f"patients apart by {text_of(moved)} in total variation; the risk of each changes by "
        f"at most {text_of(round(largest, 12))}",
        holds=moved > 0.1 and largest < 1e-12,
        reason=_OURS,
    )
    stayed = float(np.abs(mass - same_mass).sum() / 2)
    old, new = float((mass * risk).sum()), float((same_mass * new_risk).sum())
    yield at("§3, FC re-created").statement(
        "what changes from NGP",
        "the definition of the class, with fewer complications",
        f"patients apart by {text_of(round(stayed, 12))} in total variation; complications "
        f"{text_of(old)} → {text_of(new)} of all, fewer for every patient",
        holds=stayed < 1e-12 and bool((new_risk < risk).all()),
        reason=_OURS,
    )


def _dependence(every: FluSample, one: str, other: str) -> float:
    """Return the total variation between two attributes as they are and as if independent."""
    first, second = (
        np.unique(every.columns[name], return_inverse=True)[1] for name in (one, other)
    )
    joint = np.zeros((first.max() + 1, second.max() + 1))
    np.add.at(joint, (first, second), every.mass)
    return float(np.abs(joint - np.outer(joint.sum(1), joint.sum(0))).sum() / 2)


# -- §3: Table 2 and what the text says of it and of Figures 1 to 3, beside the re-creation ------

_AUC, _MIDDLE, _STRUGGLE = "AUC", "midpoint t_s", "struggle ratio"
_TABLE_2 = {
    "NGP-Train": {_AUC: "0.815", _MIDDLE: "0.512", _STRUGGLE: "0.488"},
    "NGP-Test": {_AUC: "0.800", _MIDDLE: "0.518", _STRUGGLE: "0.486"},
    "DP-Test": {_AUC: "0.770", _MIDDLE: "0.338", _STRUGGLE: "0.691"},
    "FC-Test": {_AUC: "0.803", _MIDDLE: "0.681", _STRUGGLE: "0.351"},
}
_ALPHA = 0.05
_FINDINGS = {_AUC: "auc", _MIDDLE: "midpoint", _STRUGGLE: "struggle_ratio"}


def _section_3_table_2_and_same_domain() -> Iterator[Row]:
    """Yield Table 2 beside re-created data, and what the text says of NGP and Figure 1."""
    for name, line in _TABLE_2.items():
        for what, printed in line.items():
            yield at(f"§3, Table 2, {name}").recreated(
                f"{what}: one draw of {_SIZE}, endless data",
                printed,
                (drawn()[name].numbers[what], endless()[name].numbers[what]),
                _OURS,
            )
    here = at("§3, Table 2, from the printed numbers")
    in_text = ("DP-Test", _AUC), ("DP-Test", _STRUGGLE), ("FC-Test", _STRUGGLE)
    yield here.number(
        "AUC and struggle ratio of DP, struggle ratio of FC, in the text, %",
        "77 69 35",
        tuple(100 * float(_TABLE_2[name][what]) for name, what in in_text),
        "Text against table: both are the paper's.",
    )
    yield here.unprinted(
        "positives expected by the scores for each one that is there",
        tuple(2 * float(line[_MIDDLE]) for line in _TABLE_2.values()),
        "P / n⁺ = 2 t_s by Eq. 1, and 1 for calibrated scores. On DP the scores are a third "
        "too low in sum, on FC a third too high.",
    )
    yield here.unprinted(
        "accuracy at the midpoint",
        tuple(1 / (1 + float(line[_STRUGGLE])) for line in _TABLE_2.values()),
        "1 / (1 + struggle ratio).",
    )

    here, name = at("§3, NGP re-created"), "NGP-Test"
    yield here.recreated(
        f"AUC of training and testing, one draw of {_SIZE}, and of endless data",
        "over 80%",
        (*_moves(_AUC, name)[0], endless()[name].curve.area),
        f"Table 2 prints 0.800 for testing: over only before it was rounded, if at all. {_OURS}",
    )
    yield here.statement(
        "struggle ratio of training and testing",
        "under 50%",
        _moves_text(_STRUGGLE, name),
        holds=max(map(max, _moves(_STRUGGLE, name))) < 0.5,
    )
    yield _unchanged(_AUC, name)
    yield _unchanged(_STRUGGLE, name)
    yield _curves_apart(1, name, differ=False)
    old, new, (score, count) = drawn()[TRAIN], drawn()[name], crossed(name)
    thresholds = np.append(np.union1d(old.scores, new.scores), np.inf)
    curves = [case.analysis.split.at(thresholds) for case in (old, new)]
    gaps = [float(np.abs(a - b).max()) for a, b in zip(*curves, strict=True)]
    middles = " and ".join(f"{middle:.4f}" for middle in _moves(_MIDDLE, name)[0])
    yield at("§3, Figure 1 re-created").recreated(
        "the same gaps, each split at its own midpoint",
        "unchanged",
        f"sensibility {text_of(gaps[0])}, capability {text_of(gaps[1])}",
        f"{count} of {_SIZE} patients share the score {score:.4f}, which lies between the "
        f"midpoints {middles} of the two draws: sensible in one, not in the other. With few "
        "distinct scores a small move of t_s can turn many items over.",
    )
    yield _same_roc(1, name, "unchanged")


def _section_3_drift() -> Iterator[Row]:
    """Yield what the text says of another population (Figure 2) and class definition (Figure 3)."""
    name, finding = "DP-Test", _drift_to("DP-Test").findings["auc"]
    yield _moved(_AUC, name, "drops", -1)
    drop = endless()[TRAIN].curve.area - endless()[name].curve.area
    yield at("§3, DP re-created").unprinted(
        f"the drop of AUC, endless data, and the standard error of a difference at {_SIZE}",
        (drop, finding.standard_error),
        "Two samples of this size often differ as much by chance; midpoint and struggle ratio "
        "show this drift far more clearly.",
    )
    yield _moved(_MIDDLE, name, "lower", -1, _cause(name))
    yield _moved(_STRUGGLE, name, "increases", 1)
    yield _curves_apart(2, name, differ=True)
    yield at("§3, Figure 2 re-created").statement(
        "area between the ROC curves of training and testing",
        "visually different",
        _area_between_text(name),
        holds=_area_between(drawn(), name) > 3 * _area_between(drawn(), "NGP-Test"),
        reason=f"For NGP-Test it is {text_of(_area_between(drawn(), 'NGP-Test'))}.",
    )

    name, found = "FC-Test", _drift_to("FC-Test")
    yield _unchanged(_AUC, name)
    yield _moved(_MIDDLE, name, "higher", 1, _cause(name))
    weak = f"A draw of {_SIZE} need not show it; the midpoint does, "
    yield _moved(_STRUGGLE, name, "decreases", -1, f"{weak}{_p_text(found.findings['midpoint'])}.")
    yield _same_roc(3, name, "little to no effect")
    old, new = (endless()[one].curve.calibration().brier for one in (TRAIN, name))
    brier, expected = found.findings["brier"], 2 * float(_TABLE_2[name][_MIDDLE])
    yield at("§3, FC re-created").statement(
        "probabilities on FC against those on NGP, endless data",
        "better estimated, as the struggle ratio is lower",
        f"Brier score {text_of(old.loss)} → {text_of(new.loss)}, of it miscalibration "
        f"{text_of(old.miscalibration)} → {text_of(new.miscalibration)}",
        holds=new.loss < old.loss,
        reason="Worse, on our data: in the draws the Brier score rises from "
        f"{text_of(brier.reference)} to {text_of(brier.current)}, {_p_text(brier)}. Table 2 "
        f"says so too: by its t_s the scores of FC add up to {text_of(expected)} times the "
        "number of positives. The struggle ratio is the accuracy at t_s in other words, and "
        "t_s moves along with such an error.",
    )
    yield _curves_apart(3, name, differ=True)
    yield at("§3, Figure 3 re-created").statement(
        "a change that the ROC curve does not show and the probabilities do",
        "hidden from the ROC curve, shown by sensibility",
        f"drift seen by rocwalk: {found.verdict}",
        holds=found.verdict == "estimation",
    )


def _moves(what: str, name: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return a number of Table 2 in training and in another data set: of the draw, and endless."""
    draw, whole = (
        (cases[TRAIN].numbers[what], cases[name].numbers[what]) for cases in (drawn(), endless())
    )
    return draw, whole


def _moves_text(what: str, name: str) -> str:
    draw, whole = (" → ".join(map(text_of, pair)) for pair in _moves(what, name))
    return f"{draw}; endless data {whole}"


def _p_text(finding: Finding) -> str:
    p = finding.p_value
    return "p < 0.0001" if p < 1e-4 else f"p = {p:.2g}"


def _unchanged(what: str, name: str) -> Row:
    finding, (old, new) = _drift_to(name).findings[_FINDINGS[what]], _moves(what, name)[1]
    return at(f"§3, {DOMAINS[name]} re-created").statement(
        f"{what}, from training to testing",
        "unchanged",
        _moves_text(what, name),
        holds=finding.adjusted_p_value >= _ALPHA and abs(new - old) < 0.01,
        reason=f"The draws differ no more than by chance, {_p_text(finding)}.",
    )


def _moved(what: str, name: str, printed: str, sign: int, more: str = "") -> Row:
    finding = _drift_to(name).findings[_FINDINGS[what]]
    return at(f"§3, {DOMAINS[name]} re-created").statement(
        f"{what}, from training to testing",
        printed,
        _moves_text(what, name),
        holds=all(sign * (new - old) > 0 for old, new in _moves(what, name)),
        reason=f"For the draws {_p_text(finding)}. {more}".strip(),
    )


def _cause(name: str) -> str:
    found = _drift_to(name).findings
    shares, means = found["prevalence"], found["mean_score"]
    return (
        f"The mean score goes from {text_of(means.reference)} to {text_of(means.current)}, the "
        f"share of complications from {text_of(shares.reference)} to {text_of(shares.current)}."
    )


def _curves_apart(number: int, name: str, *, differ: bool) -> Row:
    """Return what is said of the sensibility and capability curves of training and testing."""
    found = _drift_to(name).findings
    gaps = {word: found[f"{word}_gap"] for word in ("sensibility", "capability")}
    return at(f"§3, Figure {number} re-created").statement(
        "largest gaps between the curves of training and testing",
        "visually different" if differ else "unchanged",
        ", ".join(
            f"{word} {text_of(gap.difference)}, bounds {text_of(gap.low)} to {text_of(gap.high)}"
            for word, gap in gaps.items()
        ),
        holds=all((gap.low > 0 or gap.high < 0) is differ for gap in gaps.values()),
        reason="Both split at the midpoint of training.",
    )


def crossed(name: str) -> tuple[float, int]:
    """Return the commonest score between the midpoints of training and a test set, and its count.

    Those who share it are on one side of the midpoint in training, on the other in the test set.
    """
    old, new = drawn()[TRAIN], drawn()[name]
    low, high = sorted((old.analysis.midpoint, new.analysis.midpoint))
    scores, counts = np.unique(new.scores, return_counts=True)
    inside = np.where((scores >= low) & (scores < high), counts, 0)
    k = int(inside.argmax())
    return float(scores[k]), int(inside[k])


def _area_between(cases: dict[str, Case], name: str) -> float:
    """Return the area between the ROC curves of training and of another data set."""
    rates = (np.arange(2000) + 0.5) / 2000
    old, new = (highest_tpr(cases[one].curve.walk, rates) for one in (TRAIN, name))
    return float(np.abs(old - new).mean())


def _area_between_text(name: str) -> str:
    draw, whole = (text_of(_area_between(cases, name)) for cases in (drawn(), endless()))
    return f"{draw}; endless data {whole}"


def _same_roc(number: int, name: str, printed: str) -> Row:
    other = _area_between(drawn(), "DP-Test")
    return at(f"§3, Figure {number} re-created").statement(
        "area between the ROC curves of training and testing",
        printed,
        _area_between_text(name),
        holds=_area_between(drawn(), name) < other / 3,
        reason=f"For DP-Test it is {text_of(other)}.",
    )


# -- §4: what the ROC curve cannot see, and what is left for later -------------------------------


def _section_4(example: PaperExample) -> Iterator[Row]:
    """Yield what the ROC curve cannot show, and the drift that rocwalk finds."""
    squared = PaperExample(example.y_true, tuple(s * s for s in example.y_prob), example.source)
    one, other = (curve_of(sample) for sample in (example, squared))
    found = [analysis_of(sample) for sample in (example, squared)]
    yield at("§4, Table 1").statement(
        "Table 1 with every score squared",
        "the ROC curve may miss a change in the probabilities",
        f"AUC {text_of((one.area, other.area))}; t_s "
        f"{text_of(tuple(each.midpoint for each in found))}; struggle ratio "
        f"{text_of(tuple(each.struggle_ratio for each in found))}",
        holds=same_points(one, other) and found[0].midpoint != found[1].midpoint,
        reason="The two ROC curves are the same, point by point. The change is ours.",
    )

    for name in DOMAINS:
        if name != TRAIN:
            drifted = _drift_to(name)
            moved = [
                heading
                for heading, number in _FINDINGS.items()
                if drifted.findings[number].adjusted_p_value < _ALPHA
            ]
            yield at("§4, later work, re-created").unprinted(
                f"change from {TRAIN} to {name} by the numbers of Table 2, at α = {_ALPHA}",
                ", ".join(moved) or "none",
                "Whether a test set still suits a model is left for later; here the three numbers "
                "of Table 2 are tested together. They move with the population, too.",
            )
            yield at("§4, later work, re-created").unprinted(
                f"change from {TRAIN} to {name} given the scores, at α = {_ALPHA}",
                drifted.verdict,
                "Whether outcomes are as before at the same score. Another population (DP) changes "
                "the numbers and not the model; another definition of the class (FC) is drift.",
            )
