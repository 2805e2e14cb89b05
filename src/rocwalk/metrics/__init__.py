"""Numbers and tuples shaped like scikit-learn's, ready for `make_scorer`.

`roc_curve` and `roc_auc_score` stand in for scikit-learn's functions of the same names: the same
defaults, labels, warnings and phrases, and in addition soft truth (`y_true` as probabilities),
missing values that can be dropped, and a `Tally` in place of the two columns. scikit-learn itself
is not needed.

What this package settles is what scikit-learn's users rely on. The numbers come from the same
tallies and walks as everything else in rocwalk.

A bucketed `Tally` leaves some numbers open. A float cannot carry its bounds, so it is the middle of
them and comes with a `rocwalk.errors.BucketedWarning` that has them.
"""

from __future__ import annotations

from rocwalk.metrics import areas, classes, curve, probabilities, sensibility, truth
from rocwalk.metrics.evidence import as_metric

auc_prt_score = as_metric(truth.auc_prt_score)
capability_score = as_metric(sensibility.capability_score)
h_measure_score = as_metric(truth.h_measure_score)
hand_till_auc_score = as_metric(classes.hand_till_auc_score)
probabilistic_auc_score = as_metric(probabilities.probabilistic_auc_score)
probabilistic_gini_score = as_metric(probabilities.probabilistic_gini_score)
provost_domingos_auc_score = as_metric(classes.provost_domingos_auc_score)
roc_auc_score = as_metric(areas.roc_auc_score)
roc_curve = as_metric(curve.roc_curve)
scored_auc_score = as_metric(probabilities.scored_auc_score)
sensibility_score = as_metric(sensibility.sensibility_score)
soft_auc_score = as_metric(truth.soft_auc_score)
struggle_ratio = as_metric(sensibility.struggle_ratio)

__all__ = [
    "auc_prt_score",
    "capability_score",
    "h_measure_score",
    "hand_till_auc_score",
    "probabilistic_auc_score",
    "probabilistic_gini_score",
    "provost_domingos_auc_score",
    "roc_auc_score",
    "roc_curve",
    "scored_auc_score",
    "sensibility_score",
    "soft_auc_score",
    "struggle_ratio",
]


def __dir__() -> list[str]:
    return __all__
