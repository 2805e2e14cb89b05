"""§2: the midpoint, in both forms of Eq. 1, on the items of Table 1."""

from __future__ import annotations

from rocwalk.datasets.papers import PaperExample
from rocwalk.drift.sensibility import midpoint as midpoint_of
from rocwalk.papers.examples import Examples, class_means, class_scores, curve_of
from rocwalk.papers.row import Row, text_of
from rocwalk.papers.sensibility.place import TABLE, analysis_of, at, tally_of
from rocwalk.read.arrays import tally


def rows(examples: Examples) -> list[Row]:
    """Return the sums, the class distribution, calibrated scores, and Eq. 1."""
    example = examples[TABLE]
    return [
        *_sums(example),
        _distribution(example),
        *_calibrated(example),
        _written_out(example),
        *_equation(example),
    ]


def _sums(example: PaperExample) -> list[Row]:
    here, ours = at("§2, Table 1"), tally_of(example)
    positive, negative = class_scores(example)
    up, right = float(ours.up_score.sum()), float(ours.right_score.sum())
    return [
        here.formula(
            "sums of scores: P⁺, P⁻ and P",
            "Σ pᵢ⁺, Σ pᵢ⁻, P⁺ + P⁻",
            (sum(positive), sum(negative), sum(example.y_prob)),
            (up, right, up + right),
        ),
        here.formula(
            "mean scores m⁺ and m⁻",
            "P⁺ / n⁺, P⁻ / n⁻",
            class_means(example),
            (up / ours.total_up, right / ours.total_right),
        ),
    ]


def _distribution(example: PaperExample) -> Row:
    ours = tally_of(example)
    n_plus, n_minus = map(len, class_scores(example))
    return at("§2, Table 1").formula(
        "class distribution d, as Eq. 1 needs it",
        "n⁺ / n",
        n_plus / (n_plus + n_minus),
        float(ours.total_up / ours.total_right),
        "A slip: the lines that follow put n⁻ / n⁺ for 1/d, so d is the odds n⁺ / n⁻. And d = "
        "1, which they name as a special case, would leave no negatives at all.",
    )


def _calibrated(example: PaperExample) -> list[Row]:
    here = at("§2, calibrated scores")
    fitted = curve_of(example).calibration().calibrate(example.y_prob)
    calibrated = tally(example.y_true, fitted)
    certain = PaperExample(example.y_true, example.y_true, example.source)
    (m_plus, m_minus), (n_plus, n_minus) = class_means(certain), map(len, class_scores(certain))
    return [
        here.statement(
            "m⁺ + m⁻ / d of Table 1, calibrated by isotonic regression",
            "1",
            f"{text_of(2 * midpoint_of(calibrated))}; the scores become "
            f"{text_of(tuple(sorted(set(fitted.tolist()), reverse=True)))}",
            holds=abs(2 * midpoint_of(calibrated) - 1) < 1e-12,
            reason="So the midpoint of calibrated scores is ½, whatever the classes' shares; d is "
            "the odds.",
        ),
        here.statement(
            "the labels of Table 1 as scores, 0 or 1",
            "n⁺ m⁺ + n⁻ m⁻ = n⁺",
            f"{text_of(n_plus)} · {text_of(m_plus)} + {text_of(n_minus)} · {text_of(m_minus)} = "
            f"{text_of(sum(certain.y_prob))}",
            holds=n_plus * m_plus + n_minus * m_minus == n_plus,
        ),
    ]


def _written_out(example: PaperExample) -> Row:
    (m_plus, m_minus), (n_plus, n_minus) = class_means(example), map(len, class_scores(example))
    return at("§2, Table 1").formula(
        "m⁺ + m⁻ / d, written out",
        "P⁺ / n⁺ + (n⁻ / n⁺) · P⁻ / n⁻ = P / n⁺",
        m_plus + n_minus / n_plus * m_minus,
        2 * midpoint_of(tally_of(example)),
        "It holds with d = n⁺ / n⁻.",
    )


def _equation(example: PaperExample) -> list[Row]:
    here, found = at("§2, Eq. 1"), analysis_of(example)
    (m_plus, m_minus), (n_plus, n_minus) = class_means(example), map(len, class_scores(example))
    printed = (m_plus + m_minus * (n_plus + n_minus) / n_plus) / 2
    return [
        here.formula(
            "t_s from the class means, d as printed",
            "½ (m⁺ + m⁻ / d) with d = n⁺ / n",
            printed,
            found.midpoint,
            f"This gives {text_of(printed)}, and the second form of the same equation does not.",
        ),
        here.formula(
            "t_s from the class means, d the odds",
            "½ (m⁺ + m⁻ / d)",
            (m_plus + m_minus * n_minus / n_plus) / 2,
            found.midpoint,
            "With d = n⁺ / n⁻.",
        ),
        here.formula(
            "t_s from the sum of all scores",
            "½ · P / n⁺",
            sum(example.y_prob) / (2 * n_plus),
            found.midpoint,
        ),
    ]
