"""The comparison table: differences from the first model."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from commands import EXAMPLE, example_column
from publish.samples import FOREST, LOGISTIC, Y


def test_differences_are_those_from_the_first_model(page):
    table = rw.table(page, "comparison")
    pair = rw.compare(Y, {"logistic": LOGISTIC, "forest": FOREST}).pairs[0]
    first, second = table.rows
    assert first[2] == "reference"
    assert second[2] == f"+{-pair.difference:.4f} (+{-pair.high:.4f} to +{-pair.low:.4f})"
    assert second[3] == "0.0455"
    assert "Adjusted p" not in table.headers
    three = rw.table(
        EXAMPLE, "comparison", label="malignant", score=["logistic", "naive_bayes", "forest"]
    )
    all_pairs = rw.compare(
        Y, {"l": LOGISTIC, "n": np.array(example_column("naive_bayes"), float), "f": FOREST}
    )
    assert "Adjusted p" in three.headers
    found = next(one for one in all_pairs.pairs if (one.a, one.b) == ("l", "f"))
    assert float(three.rows[2][4]) == pytest.approx(found.adjusted_p_value, abs=1e-4)
    assert "holm1979" in three.methods().keys
    assert "holm1979" not in table.methods().keys


def test_scores_that_are_no_probabilities_have_no_brier_score():
    data = {"y": Y, "a": LOGISTIC * 10, "b": FOREST}
    table = rw.table(data, "comparison", label="y", score=["a", "b"])
    assert not any("Brier" in name for name in table.headers)
    assert "brier1950" not in table.methods().keys
