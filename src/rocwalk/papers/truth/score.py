"""Discussion: AUC_PRT as printed (Eq. 6) and as meant (Figure 7)."""

from __future__ import annotations

from rocwalk.papers.examples import Examples
from rocwalk.papers.row import Row, text_of
from rocwalk.papers.truth.place import DRAWN, HARD, SOFT, at, columns_of, truth_of
from rocwalk.truth.reference_truth import ReferenceTruth, reference_truth

_MEANT = "(AUC − AUWCC) / (1 − AUWCC − AAPCC)"


def rows(examples: Examples) -> list[Row]:
    """Return both forms, what each gives the best and the worst order, and Figure 7."""
    found = truth_of(examples[SOFT])
    return [
        *_printed(found),
        *_ends(examples),
        *_figure_7(found),
        _of_known_truth(examples),
        at("AUC_PRT, beside it").unprinted(
            "AUC without the pairs of an instance with itself",
            found.expected_auc,
            "Those pairs count half and pull the AUC towards ½, the more the fewer instances.",
        ),
    ]


def _printed(found: ReferenceTruth) -> list[Row]:
    here, auc, auwcc = at("AUC_PRT, Eq. 6"), found.auc, found.auwcc
    printed = (auc - auwcc) / (1 - auwcc)
    return [
        here.formula(
            "AUC_PRT of Figure 3",
            "(AUC − AUWCC) / (1 − AUWCC)",
            printed,
            found.auc_prt,
            f"AAPCC is missing below the line: this gives {text_of(printed)}. The caption of "
            "Figure 7 divides by the region between the worst and the perfect curve, "
            f"{_MEANT}, and only so is a perfect classifier worth 1, as the text says.",
        ),
        here.formula(
            "AUC_PRT of Figure 3, as printed",
            "(AUC − AUWCC) / (1 − AUWCC)",
            printed,
            found.auc_prt_printed,
            "Kept as auc_prt_printed.",
        ),
    ]


def _ends(examples: Examples) -> list[Row]:
    truth, _ = columns_of(examples[SOFT])
    best, worst = reference_truth(truth, truth), reference_truth(truth, -truth)
    return [
        at("AUC_PRT, text").statement(
            "a perfect classifier, by Eq. 6 as printed",
            "1",
            best.auc_prt_printed,
            holds=abs(best.auc_prt_printed - 1) < 1e-12,
            reason="Eq. 6 falls short of what the text says of it wherever experts disagree.",
        ),
        _end("a perfect classifier", "1", best),
        _end("the worst possible classifier", "0", worst),
    ]


def _end(who: str, printed: str, found: ReferenceTruth) -> Row:
    return at("AUC_PRT, text").statement(
        f"{who}, by the region",
        printed,
        f"{text_of(round(found.auc_prt, 12) + 0.0)}, with an AUC of {text_of(found.auc)}",
        holds=abs(found.auc_prt - float(printed)) < 1e-12,
    )


def _figure_7(found: ReferenceTruth) -> list[Row]:
    here, above, below = at("AUC_PRT, Figure 7"), found.auc - found.auwcc, found.auwcc
    region = 1 - found.auwcc - found.aapcc
    return [
        here.unprinted("numerator: area between the curve and the worst one", above, DRAWN),
        here.formula(
            "denominator: area between the worst and the perfect curve",
            "the region between AUWCC and AAPCC",
            found.perfect.area - below,
            region,
        ),
        here.formula("AUC_PRT of Figure 3, by the caption", _MEANT, above / region, found.auc_prt),
    ]


def _of_known_truth(examples: Examples) -> Row:
    found = truth_of(examples[HARD])
    return at("AUC_PRT, truth 0 or 1").unprinted(
        "AUC_PRT of Figure 1",
        found.auc_prt,
        f"Its AUC is {text_of(found.auc)}: where the truth is known the two are the same.",
    )
