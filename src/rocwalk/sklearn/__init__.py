"""rocwalk inside scikit-learn: scorers, displays, and a classifier that chooses its threshold.

* `scorers` and `make_scorer`: every number of `rocwalk.metrics` for `scoring=`;
* `RocDisplay` and its like: pictures `from_predictions`, `from_estimator`, `from_cv_results`;
* `CostThresholdClassifier`: wraps a classifier and chooses the threshold of least expected cost;
* `RecalibratedClassifier`: wraps a classifier and recalibrates its probabilities (Platt, beta,
  isotonic, temperature), and `compare_recalibrations` judges such maps on rows they have not seen.

Scorers and the classifier take soft truth as metadata named ``soft_truth``. This package needs
scikit-learn, which nothing else in rocwalk does: ``pip install "rocwalk[sklearn]"``.
"""

from __future__ import annotations

from rocwalk.errors import MissingLibraryError, optional

optional("sklearn", "sklearn", "rocwalk.sklearn", "scikit-learn")

# only where scikit-learn is installed
from rocwalk.sklearn.displays import (  # noqa: E402
    BandDisplay,
    BrierDisplay,
    CalibrationDisplay,
    CostDisplay,
    Display,
    NetBenefitDisplay,
    PrecisionRecallDisplay,
    ReferenceTruthDisplay,
    RocDisplay,
    SensibilityDisplay,
    SmearedRocDisplay,
)
from rocwalk.sklearn.recalibration import (  # noqa: E402
    RecalibratedClassifier,
    RecalibrationComparison,
    compare_recalibrations,
)
from rocwalk.sklearn.scorers import expected_cost, make_scorer, scorers  # noqa: E402
from rocwalk.sklearn.threshold import CostThresholdClassifier  # noqa: E402

__all__ = [
    "BandDisplay",
    "BrierDisplay",
    "CalibrationDisplay",
    "CostDisplay",
    "CostThresholdClassifier",
    "Display",
    "MissingLibraryError",
    "NetBenefitDisplay",
    "PrecisionRecallDisplay",
    "RecalibratedClassifier",
    "RecalibrationComparison",
    "ReferenceTruthDisplay",
    "RocDisplay",
    "SensibilityDisplay",
    "SmearedRocDisplay",
    "compare_recalibrations",
    "expected_cost",
    "make_scorer",
    "scorers",
]


def __dir__() -> list[str]:
    return __all__
