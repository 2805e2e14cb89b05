"""The worked examples of the five papers, as data, with where each stands."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PaperExample:
    """Labels (or soft truth) and scores as a paper prints them, and where it prints them."""

    y_true: tuple[float, ...]
    y_prob: tuple[float, ...]
    source: str


_FERRI = "Ferri, Flach, Hernández-Orallo & Senad (2005)"
_SOFT = "Klement & Flach (2008)"
_TRUTH = "Gredlics, Raicu & Furst"
_CLASSIC = "Castro da Silva (2006), after Fawcett (2006)"
_SENSIBILITY = "Klement, Japkowicz & Matwin (2009)"

_TRUTH_SCORES = (0.8, 0.75, 0.7, 0.6, 0.4, 0.33, 0.3, 0.18, 0.17, 0.16, 0.11, 0.1)


def paper_examples() -> dict[str, PaperExample]:
    """Return the samples that the papers work with, by name.

    >>> example = paper_examples()["ferri_figure_1"]
    >>> example.y_prob
    (0.9, 0.6, 0.55, 0.2, 0.1)
    """
    return dict(_EXAMPLES)


def _signed(source: str, *signed: str) -> PaperExample:
    """Read scores written as the papers do, each with the sign of its class: "0.9+"."""
    labels = tuple(1 if text.endswith("+") else 0 for text in signed)
    return PaperExample(labels, tuple(float(text[:-1]) for text in signed), source)


_EXAMPLES = {
    "classic_table_1": _signed(
        f"{_CLASSIC}, Tabela 1 (Fawcett's 20 instances)",
        "0.9+", "0.8+", "0.7-", "0.6+", "0.55+", "0.54+", "0.53-", "0.52-", "0.51+", "0.505-",
        "0.4+", "0.39-", "0.38+", "0.37-", "0.36-", "0.35-", "0.34+", "0.33-", "0.30+", "0.1-",
    ),
    "ferri_figure_1": _signed(f"{_FERRI}, §1, Figure 1", "0.9+", "0.6-", "0.55+", "0.2-", "0.1-"),
    "ferri_figure_2a": _signed(f"{_FERRI}, §1, Figure 2, left", "0.501+", "0.5-"),
    "ferri_figure_2b": _signed(f"{_FERRI}, §1, Figure 2, right", "0.5-", "0.499+"),
    "ferri_figure_4": _signed(
        f"{_FERRI}, §2, Figure 4, and §3.2, Example 1", "0.9+", "0.8-", "0.6+", "0.3-", "0.2-"
    ),
    "ferri_example_2": _signed(
        f"{_FERRI}, §3.2, Example 2",
        "0.85+", "0.78+", "0.7-", "0.55+", "0.52+", "0.5-", "0.4-", "0.3+", "0.25-", "0.15-",
    ),
    "ferri_figure_5": _signed(
        f"{_FERRI}, §2.1, Figures 5 and 6",
        "1+", "1+", "0.6-", "0.6-", "0.50001+", "0.49999-", "0.45+", "0.45+", "0-", "0-",
    ),
    "ferri_proposition_3": _signed(
        f"{_FERRI}, §2.1, after Proposition 3", "1+", "0.51-", "0.49+", "0-"
    ),
    "ferri_two_points": _signed(f"{_FERRI}, §3.1", "0.6+", "0.4-"),
    "ferri_auc_above": _signed(f"{_FERRI}, §2", "0.65+", "0.55-", "0.45-", "0.35-"),
    "ferri_auc_below": _signed(f"{_FERRI}, §2", "1+", "0.1-", "0+"),
    "ferri_no_width": _signed(
        "A counterexample to Theorem 4 of Ferri et al. (2005); ours", "1+", "0.1-", "0+", "0+"
    ),
    "soft_c1": _signed(
        f"{_SOFT}, Table 1, model C1", "0.80+", "0.70+", "0.60-", "0.40+", "0.30-", "0.20-"
    ),
    "soft_c2": _signed(
        f"{_SOFT}, Table 1, model C2", "0.99+", "0.78+", "0.68-", "0.58+", "0.38-", "0.01-"
    ),
    "soft_margin": _signed(
        f"{_SOFT}, §2, two positives in the text; the negative is ours", "0.9+", "0.51+", "0.1-"
    ),
    "soft_bound": _signed(
        f"A counterexample to the bound of {_SOFT}, §4.2; ours", "0.9+", "0.6-"
    ),
    "truth_figure_1": PaperExample(
        (1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 0, 0), _TRUTH_SCORES, f"{_TRUTH}, Figure 1"
    ),
    "truth_figure_3": PaperExample(
        (0.83, 0.9, 0.72, 0.25, 0.34, 0.5, 0.4, 0.96, 0.29, 0.6, 0.2, 0.15),
        _TRUTH_SCORES,
        f"{_TRUTH}, Figure 3",
    ),
    "sensibility_table_1": _signed(
        f"{_SENSIBILITY}, Table 1",
        "1+", "0.9+", "0.8-", "0.7+", "0.6+", "0.5-", "0.4+", "0.3-", "0.2-", "0-",
    ),
    "classic_figure_4_a": _signed(
        f"A sample for curve A of {_CLASSIC}, Figuras 4 and 5, which prints none; ours",
        "0.97+", "0.93-", "0.88+", "0.84+", "0.79-", "0.75+", "0.70-", "0.66+", "0.61+", "0.57-",
        "0.52+", "0.48-", "0.43+", "0.39+", "0.34-", "0.30+", "0.25-", "0.21-", "0.16-", "0.12-",
    ),
    "classic_figure_4_b": _signed(
        f"A sample for curve B of {_CLASSIC}, Figuras 4 and 5, which prints none; ours",
        "0.99+", "0.94+", "0.90+", "0.85-", "0.80+", "0.74+", "0.69-", "0.65+", "0.60+", "0.54-",
        "0.49+", "0.45-", "0.40-", "0.35+", "0.29-", "0.24-", "0.20-", "0.15+", "0.10-", "0.05-",
    ),
    "classic_class_a": _signed(
        f"Twelve rows of three classes for {_CLASSIC}, Eqs. 2 to 5: a against the rest; ours",
        "0.8+", "0.7+", "0.6+", "0.5+", "0.3+", "0.4+",
        "0.1-", "0.2-", "0.5-", "0.35-", "0.1-", "0.3-",
    ),
    "classic_class_b": _signed(
        f"Twelve rows of three classes for {_CLASSIC}, Eqs. 2 to 5: b against the rest; ours",
        "0.1-", "0.2-", "0.3-", "0.2-", "0.6-", "0.3-",
        "0.8+", "0.6+", "0.4+", "0.25+", "0.2-", "0.4-",
    ),
    "classic_class_c": _signed(
        f"Twelve rows of three classes for {_CLASSIC}, Eqs. 2 to 5: c against the rest; ours",
        "0.1-", "0.1-", "0.1-", "0.3-", "0.1-", "0.3-",
        "0.1-", "0.2-", "0.1-", "0.4-", "0.7+", "0.3+",
    ),
}  # fmt: skip
