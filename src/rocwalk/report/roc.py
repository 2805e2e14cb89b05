"""The section on the ROC curves of all models, with their bands and hulls."""

from __future__ import annotations

from typing import Any

from rocwalk.curves.bands import Edges
from rocwalk.curves.smooth import SmoothCurve
from rocwalk.report.document import Content
from rocwalk.report.embedded import MAX_ROWS, Embedded, band_rows, drawn, ribbon
from rocwalk.report.findings import POINTWISE, Findings, replicates_on
from rocwalk.report.numbers import level_words, rate, rounded_up, with_ends
from rocwalk.typing import SmoothMethod

_METHODS = {
    "binormal": "binormal, by maximum likelihood",
    "density": "kernel densities of both classes",
    "beta": "beta distributions of both classes",
}
_MOST_HULLS = 3  # more hulls or ribbons than this hide the curves; boxes show them


def roc_section(findings: Findings) -> Content | None:
    """The curves of all models with their bands and hulls."""
    models = findings.models
    if not models:
        return None
    bands, words = list(zip(models, findings.bands, strict=True)), _band_words(findings)
    smooth = _smooth(findings)
    areas = [one.auc for one in findings.summaries]
    named = ", ".join(f"{one.name} {rate(area)}" for one, area in zip(models, areas, strict=True))
    exactness = "Exact: every point of every curve is in this page."
    if any(one.is_bucketed for one in findings.tallies):
        exactness = (
            "A curve is known at the ends of its buckets, and straight lines join them. The ribbon "
            "has room for every order inside the buckets"
            f"{' and for the noise' * findings.study.is_noised}."
        )
    elif any(len(one.walk) < len(one.exact) for one in models):
        hidden = max(one.area_hidden for one in models)
        carried = max(len(one.walk) for one in models)
        exactness = (
            f"The curves have up to {max(len(one.exact) for one in models):,} points; this page "
            f"carries at most {carried:,} of each, with the corners of the hulls. Counts, "
            "rates, thresholds and areas are exact; only the drawn lines are not, and they hide an "
            f"area of at most {rounded_up(hidden)}."
        )
    pointwise = (
        f"The ribbons are pointwise {level_words(findings.level)} bands: at each false positive "
        "rate by itself the true positive rate lies inside with this confidence; the whole curve "
        f"seldom does. They are percentiles of {POINTWISE:,} resampled curves (seed "
        f"{findings.seed})."
    )
    return Content(
        {
            "exactness": exactness,
            "banded": [
                (k, one.name) for k, (one, band) in enumerate(bands) if isinstance(band, Edges)
            ],
            "pointwise": pointwise
            if any(isinstance(band, Edges) for band in findings.pointwise_bands)
            else None,
            "few": len(models) <= _MOST_HULLS,
            "bands": words,
            "bare": [
                f"{one.name} has no band: {band}" for one, band in bands if isinstance(band, str)
            ],
            "smooth": {method: _METHODS[method] for method in smooth},
            "unsmooth": [words for one in smooth.values() for words in one["why_not"]],
            "level": level_words(findings.level),
        },
        {
            "description": f"ROC curves; areas: {named}",
            "areas": [
                with_ends(area, ends["auc_low"], ends["auc_high"])
                for area, ends in zip(areas, findings.intervals, strict=True)
            ],
            "bands": list(map(_drawn, models, findings.bands)),
            "pointwise": list(map(_drawn, models, findings.pointwise_bands)),
            "smooth": {method: one["models"] for method, one in smooth.items()},
        },
    )


def _smooth(findings: Findings) -> dict[str, dict[str, Any]]:
    """Return smooth curves by method: of each model what is drawn and said, or why there is none.

    A method that fits no model is left out, unless it was asked for.
    """
    asked = findings.smooth_methods
    few = all(len(tally) <= MAX_ROWS for tally in findings.tallies)
    found: dict[str, dict[str, Any]] = {}
    usual: tuple[SmoothMethod, ...] = ("binormal",) if few else ()
    for method in dict.fromkeys((*usual, *asked)):
        curves = findings.smooth(method)
        if method not in asked and any(isinstance(one, str) for one in curves):
            continue
        found[method] = {
            "models": [None if isinstance(one, str) else _modelled(one) for one in curves],
            "why_not": [
                f"{name} has no {method} curve: {one}"
                for name, one in zip(findings.names, curves, strict=True)
                if isinstance(one, str)
            ],
        }
    return found


def _modelled(one: SmoothCurve) -> dict[str, Any]:
    """Return a smooth curve for drawing, its band, and its area in words."""
    return {
        **drawn(one.walk),
        "area": with_ends(one.area, *one.interval),
        "parameters": ", ".join(
            f"{name.replace('_', ' ')} {value:.4g}" for name, value in one.parameters.items()
        ),
    }


def _drawn(one: Embedded, band: Edges | str) -> dict[str, Any] | None:
    """Return a band as a ribbon and in numbers."""
    if isinstance(band, str):
        return None
    rows = band_rows(one.exact, band.lower, band.upper)
    return ribbon(band.lower, band.upper) | {"rows": rows}


def _band_words(findings: Findings) -> str | None:
    """Say what the ribbons mean and how they were found."""
    study, bands = findings.study, zip(findings.bands, findings.tallies, strict=True)
    counts = [replicates_on(study, tally) for band, tally in bands if isinstance(band, Edges)]
    if not counts:
        return None
    level = level_words(findings.level)
    means = (
        f"The ribbons are simultaneous {level} bands: with this confidence the whole true curve "
        "of a model lies inside its ribbon."
    )
    alike = "Ribbons that overlap do not show that models are alike."
    if any(isinstance(band, Edges) and band.method == "dkw" for band in findings.bands):
        return f"{means} They are those of Dvoretzky, Kiefer & Wolfowitz, a guarantee. {alike}"
    units = "items" if study.question.cluster is None else "clusters"
    return (
        f"{means} A curve is slid to either side until {level} of "
        f"{min(counts):,} curves of resampled {units} lie inside, and a little further where "
        f"{units} are few (fixed width, seed {findings.seed}). {alike}"
    )
