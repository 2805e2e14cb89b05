"""The page on a reader study: the tests compared, the readers' curves, and a future study."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rocwalk.report.document import template
from rocwalk.report.embedded import points_of
from rocwalk.report.numbers import (
    few_digits,
    level_words,
    p_text,
    p_words,
    rate,
    shown,
    signed,
    unbroken,
    with_ends,
)
from rocwalk.report.page import ALWAYS, put_together
from rocwalk.result import numeral
from rocwalk.statistic import words_of
from rocwalk.truth.reader_power import ReaderPower
from rocwalk.truth.reader_studies import ReaderStudy

_SECTION = "readers"
_POINTS = 200  # of a drawn curve
_MOST_PAIRS = 40
_COMPONENTS = {
    "var": ("Var", "of a reader with a test, over cases"),
    "cov1": ("Cov1", "same reader, other test"),
    "cov2": ("Cov2", "same test, other reader"),
    "cov3": ("Cov3", "other reader and other test"),
    "ms_test": ("MS(T)", "mean square of tests"),
    "ms_test_reader": ("MS(TR)", "mean square of tests by readers"),
}


def readers_page(
    study: ReaderStudy,
    plans: Sequence[ReaderPower] = (),
    *,
    title: str,
    subtitle: str,
    notes: Sequence[str] = (),
) -> str:
    """Return a page on a reader study as one self-contained HTML document.

    Its words are clinical at first: sensitivity and 1 − specificity. `plans` are future studies
    that find a difference, by their numbers of readers.
    """
    noun = words_of(study.statistic)
    who = "readers like these" if study.random_readers else "these readers alone"
    what = "cases like these" if study.random_cases else "these cases alone"
    body = template("readers").render(
        sentence=study.sentence,
        notes=notes,
        noun=noun,
        level=level_words(study.confidence_level),
        readers=[shown(name) for name in study.readers],
        means=_means(study),
        pairs=_pairs(study),
        adjusted=len(study.differences) > 1,
        alpha=f"{1 - study.confidence_level:.3g}",
        conclusions=f"The conclusions are about {who} and {what}.",
    )
    more = template("planning").render(
        noun=noun,
        plans=[[f"{one.n_readers:,}", f"{one.n_cases:,}", rate(one.power, 3)] for one in plans],
        difference="" if not plans else f"{plans[0].difference:g}",
        components=[
            [title, words, numeral(getattr(study.components, name), ".4g")]
            for name, (title, words) in _COMPONENTS.items()
        ],
        covariance=study.covariance,
        random=study.random_readers and study.random_cases,
        methods=study.methods().text,
    )
    sections = [
        {"name": _SECTION, "title": "The tests", "question": None, "body": body},
        {"name": "planning", "title": "The next study", "question": None, "body": more},
    ]
    data: dict[str, Any] = {
        "models": [],
        "sections": {_SECTION: _drawn(study)},
        "rule": {"vocabulary": "clinical"},
    }
    return put_together(shown(title), shown(subtitle), sections, data, [*ALWAYS, f"{_SECTION}.js"])


def _means(study: ReaderStudy) -> list[list[str]]:
    """Return each test with its mean over readers and the number of each reader."""
    return [
        [
            shown(mean.test),
            unbroken(with_ends(mean.estimate, mean.low, mean.high)),
            "∞" if mean.df is None else rate(mean.df, 1),
            *(rate(value) for value in values),
        ]
        for mean, values in zip(study.means, study.areas, strict=True)
    ]


def _pairs(study: ReaderStudy) -> list[list[str]]:
    return [
        [
            shown(pair.a),
            shown(pair.b),
            unbroken(with_ends(pair.difference, pair.low, pair.high, signed)),
            "∞" if pair.df is None else rate(pair.df, 1),
            unbroken(p_text(pair.p_value)),
            unbroken(p_text(pair.adjusted_p_value)),
        ]
        for pair in study.differences
    ]


def _drawn(study: ReaderStudy) -> dict[str, Any]:
    """Return the curves and the charts of means and differences, as the script draws them."""
    noun = words_of(study.statistic)
    tests = []
    for test, mean in study.mean_curves.items():
        tests.append(
            {
                "name": shown(test),
                "area": rate(mean.area),
                "mean": points_of(mean.walk, _POINTS),
                "readers": [
                    {
                        "name": shown(reader),
                        "area": rate(curve.area),
                        "line": points_of(curve.walk, _POINTS),
                    }
                    for reader, curve in study.curves[test].items()
                ],
            }
        )
    alpha = 1 - study.confidence_level
    pairs = [
        {
            "a": shown(pair.a),
            "b": shown(pair.b),
            "difference": pair.difference,
            "low": pair.low,
            "high": pair.high,
            "apart": bool(pair.adjusted_p_value < alpha),
            "numbers": f"{with_ends(pair.difference, pair.low, pair.high, signed)}, "
            f"{p_words(pair.adjusted_p_value)}",
        }
        for pair in study.differences[:_MOST_PAIRS]
        if not math.isnan(pair.low)
    ]
    means = [
        {
            "name": shown(mean.test),
            "value": mean.estimate,
            "low": mean.low,
            "high": mean.high,
            "apart": True,
            "numbers": with_ends(mean.estimate, mean.low, mean.high),
            "dots": few_digits(values),
        }
        for mean, values in zip(study.means, study.areas, strict=True)
        if not math.isnan(mean.low)
    ]
    return {
        "description": "ROC curves of every reader, and the mean of each test",
        "tests": tests,
        "means": {
            "description": f"Mean {noun} of each test with its interval",
            "axis": f"Mean {noun} over readers",
            "none": None,
            "rows": means,
        },
        "differences": {
            "name": f"mean {noun}",
            "description": f"Differences in mean {noun} with their intervals",
            "pairs": pairs,
        },
    }
