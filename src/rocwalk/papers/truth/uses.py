"""Advantages, disadvantages, future work and conclusion: what the curve is good for."""

from __future__ import annotations

import numpy as np

from rocwalk.curves.mixing import mix
from rocwalk.curves.operating_points import Costs
from rocwalk.curves.roc import Curve, roc
from rocwalk.papers.examples import Examples
from rocwalk.papers.row import Row, point_text, text_of
from rocwalk.papers.truth.place import SOFT, at, columns_of, numbers, truth_of
from rocwalk.tally.walk import highest_tpr
from rocwalk.truth.reference_truth import ReferenceTruth

_SKEW = 10
_COSTS = (0.2, 1.0, 5.0)
_PRIORS = ("hand2014", "hand2009")


def rows(examples: Examples) -> list[Row]:
    """Return what the closing sections say, computed on Figure 3."""
    found = truth_of(examples[SOFT])
    return [
        _skew(examples, found),
        _dominated(found),
        *_lines(found.curve),
        *_other_numbers(found.curve),
        _conclusion(found),
    ]


def _skew(examples: Examples, found: ReferenceTruth) -> Row:
    truth, scores = columns_of(examples[SOFT])
    weight = truth / _SKEW + 1 - truth  # positive mass a tenth, negative mass as it was
    rarer = roc(truth / _SKEW / weight, scores, sample_weight=weight)
    return at("Advantages, skew").statement(
        f"the curve when the positive class is {_SKEW} times as rare",
        "not affected by a skewed distribution of f",
        f"prevalence {text_of(found.prevalence)} and {text_of(rarer.prevalence or 0.0)}, AUC "
        f"{text_of(found.auc)} and {text_of(rarer.area)}",
        holds=np.allclose(rarer.fpr, found.curve.fpr) and np.allclose(rarer.tpr, found.curve.tpr),
        reason="The mass of one class alone is changed; the rates of each class stay as they were.",
    )


def _dominated(found: ReferenceTruth) -> Row:
    rates = np.unique([*found.curve.fpr, *found.perfect.fpr])
    lead = highest_tpr(found.perfect.walk, rates) - highest_tpr(found.curve.walk, rates)
    both = {"perfect": found.perfect, "classifier": found.curve}  # shared vertices: the first
    used = {rule.model for x in rates[1:-1] for rule in mix(both, fpr=float(x)).rules}
    return at("Advantages, hull").statement(
        "is the classifier of Figure 3 dominated, here by the perfect one?",
        "the hull can tell",
        f"TPR lower by {text_of(float(lead.min()))} to {text_of(float(lead.max()))}; the common "
        f"hull uses {', '.join(sorted(used))}",
        holds=bool((lead >= -1e-12).all()) and used == {"perfect"},
    )


def _lines(curve: Curve) -> list[Row]:
    found = []
    for ratio in _COSTS:
        best = curve.best(Costs(false_positive=1, false_negative=ratio))
        found.append(
            at("Advantages, iso-performance lines").unprinted(
                f"best threshold when a miss costs {text_of(ratio)} times a false alarm",
                f"{text_of(best.threshold)}, at {point_text(best.fpr, best.tpr)}, slope "
                f"{text_of(best.slope)}",
                "The text says that such lines find the threshold; the example is ours.",
            )
        )
    return found


def _other_numbers(curve: Curve) -> list[Row]:
    here, ours = at("Future work"), "Named, not computed, in the paper."
    envelope, brier = curve.cost_curve(), curve.brier_curve()
    return [
        here.unprinted("H-measure, prior of Hand & Anagnostopoulos 2014", _h(curve, 0), ours),
        here.unprinted("H-measure, prior of Hand 2009", _h(curve, 1), ours),
        here.unprinted("area under the cost curve", envelope.area, ours),
        here.unprinted("area under the Brier curve", brier.area, ours),
    ]


def _h(curve: Curve, prior: int) -> float:
    return curve.h_measure(_PRIORS[prior])


def _conclusion(found: ReferenceTruth) -> Row:
    best = numbers([found.perfect.area])[0]
    return at("Conclusion").statement(
        "AUC of a perfect classifier, Figure 3", "does not reach 1", best, holds=best < 1
    )
