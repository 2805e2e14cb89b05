"""The charts of a report as files, drawn by matplotlib without a browser."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from rocwalk.curves.area import area
from rocwalk.curves.averages import average
from rocwalk.curves.costs import brier_losses, envelope, useful_end
from rocwalk.curves.plot import (
    draw_band,
    draw_benefit,
    draw_benefit_difference,
    draw_calibration,
    draw_costs,
    draw_losses,
    draw_overlay,
    draw_panels,
    draw_precision_recall,
    draw_roc,
)
from rocwalk.curves.precision import precision_walk
from rocwalk.curves.roc import Curve
from rocwalk.drift.drift import Drift
from rocwalk.drift.plot import draw_sensibility
from rocwalk.drift.sensibility import sensibility
from rocwalk.drift.timeline import DriftTimeline
from rocwalk.errors import RocwalkError, RocwalkWarning, collecting
from rocwalk.inference.plot import draw_forest
from rocwalk.plot import (
    PALETTE,
    QUIET,
    WORDS,
    square_axes,
    with_legend,
    wording,
    write_png,
    write_svg,
)
from rocwalk.report.distributions import distributions_section
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import level_words, shown
from rocwalk.smear.plot import draw_areas
from rocwalk.statistic import statistic_of
from rocwalk.tally.steps import step_rule, turn_masses
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import Walk, refuse_buckets, walk_of

Charts = Iterator[tuple[str, Callable[[], Any]]]  # names, and what draws and returns axes
_MOST_GROUPS = 12


def figure_files(findings: Findings, words: str = WORDS[0]) -> dict[str, bytes]:
    """Return every chart as SVG and as PNG, by the names of files."""
    files: dict[str, bytes] = {}
    for name, draw in charts_of(findings):
        try:
            with collecting(RocwalkWarning), wording(words):
                ax = np.ravel(draw())[0]
        except RocwalkError:  # the page leaves such a section out, too
            continue
        for kind, write in (("svg", write_svg), ("png", write_png)):  # the last closes the figure
            stream = io.BytesIO()
            write(ax, stream)
            files[f"{name}.{kind}"] = stream.getvalue()
    return files


def charts_of(findings: Findings) -> Charts:
    """Give the name of each chart and what draws it; equal names are numbered."""
    seen: dict[str, int] = {}
    for charts in (_of_all, _of_each, _of_parts, _of_truth, _of_change):
        for name, draw in charts(findings):
            count = seen[name] = seen.get(name, 0) + 1
            yield name if count == 1 else f"{name}-{count}", draw


def file_name(*parts: str) -> str:
    """Return parts of a name as that of a file, with plain letters only.

    >>> file_name("calibration", "Net v2/α")
    'calibration-net-v2'
    """
    words = [re.sub(r"[^a-z0-9]+", "-", part.lower()).strip("-") for part in parts]
    return "-".join(word for word in words if word)


# -- all models ------------------------------------------------------------------------------------


def _of_all(findings: Findings) -> Charts:
    """Charts that hold all models."""
    if findings.models:
        models, alone = findings.models, len(findings.models) == 1
        yield (
            "roc",
            _overlaid(models, lambda one, ax: draw_roc(one.exact, one.area, ax, name=one.name)),
        )
        yield (
            "precision-recall",
            _overlaid(
                models,
                lambda one, ax: draw_precision_recall(precision_walk(one.exact), ax, name=one.name),
            ),
        )
        yield (
            "cost-curves",
            _overlaid(
                models,
                lambda one, ax: draw_costs(envelope(one.exact), ax, name=one.name, lines=alone),
            ),
        )
    if findings.probabilities:
        yield "net-benefit", partial(_benefit, findings)
    yield from _benefit_differences(findings)
    for found in () if isinstance(findings.comparisons, str) else findings.comparisons:
        title = statistic_of(found.statistic).title
        lines = [
            (f"{findings.names[p.a]} − {findings.names[p.b]}", p.difference, p.low, p.high)
            for p in found.pairs
        ]
        label = f"Difference in {title}, {level_words(findings.level)} intervals"
        yield file_name("comparison", title), partial(draw_forest, lines, label, no_effect=0.0)


def _overlaid(items: Iterable[Any], draw_one: Callable[[Any, Any], Any]) -> Callable[[], Any]:
    """Return a function that draws all items into one chart."""

    def draw() -> Any:
        ax = None
        for one in items:
            ax = draw_one(one, ax)
        return ax

    return draw


def _benefit(findings: Findings) -> Any:
    """Draw the net benefit up to four times the prevalence."""
    ax, places = None, findings.probabilities
    far = max(useful_end(findings.summaries[k].prevalence) for k in places)
    for k in places:
        losses = brier_losses(findings.models[k].exact, findings.tallies[k])
        ax = draw_benefit(losses, ax, name=findings.names[k], end=far)
    return ax


def _benefit_differences(findings: Findings) -> Charts:
    """Differences in net benefit up to four times the prevalence, one chart a pair."""
    found = findings.benefits
    if found is None or isinstance(found, str):
        return
    far = max(useful_end(findings.summaries[k].prevalence) for k in findings.probabilities)
    for pairs in zip(*(one.pairs for one in found.values()), strict=True):
        values = [(pair.difference, pair.low, pair.high) for pair in pairs]
        difference, *ends = np.array(values).T
        words = f"{findings.names[pairs[0].a]} − {findings.names[pairs[0].b]}"
        drawn = partial(
            draw_benefit_difference,
            np.array(list(found)),
            difference,
            (ends[0], ends[1]),
            f"{level_words(findings.level)} intervals",
            name=words,
            end=far,
        )
        yield file_name("net-benefit-difference", words), drawn


# -- each model ------------------------------------------------------------------------------------


def _of_each(findings: Findings) -> Charts:
    """Charts of one model each."""
    section = distributions_section(findings)
    bins = [] if section is None or section.data is None else section.data["models"]
    label = f"{level_words(findings.level)} simultaneous band"
    for k, one in enumerate(findings.models):
        band = findings.bands[k]
        if not isinstance(band, str):
            edges = (band.lower, band.upper)
            drawn = partial(draw_band, one.exact, one.area, edges, label, name=one.name)
            yield file_name("band", one.name), drawn
        if bins[k] is not None:
            yield file_name("scores", one.name), partial(_histogram, bins[k])
        if k in findings.probabilities:
            yield from _of_probabilities(findings, k)


def _of_probabilities(findings: Findings, k: int) -> Charts:
    """Charts of a model whose scores are probabilities."""
    name, tally, match = findings.names[k], findings.tallies[k], findings.summaries[k].match
    exact = findings.models[k].exact
    yield file_name("calibration", name), partial(_reliability, findings, k)
    yield (
        file_name("brier-curve", name),
        lambda: draw_losses(brier_losses(exact, tally), "score", name=name),
    )
    yield (
        file_name("sensibility", name),
        lambda: draw_sensibility(sensibility(tally).split, name=name),
    )
    if match is not None:
        yield file_name("smeared-area", name), partial(draw_areas, match)
    yield file_name("soft-roc", name), partial(_soft, tally, name)


def _reliability(findings: Findings, k: int) -> Any:
    refuse_buckets(findings.tallies[k], "Calibration")
    found = findings.calibrations[k]
    return draw_calibration(found, name=findings.names[k], band="consistency")


def _soft(tally: Tally, name: str) -> Any:
    """Draw the curves of three step rules side by side."""
    refuse_buckets(tally, "A soft curve")
    curves = {}
    for steps, at in (("truth", None), ("single", None), ("both", 0.5)):
        up, right = turn_masses(step_rule(steps), at, tally.scores, tally.up, tally.right)
        one = Tally(tally.scores, up, right, steps, at)
        curves[name, steps] = (walk_of(one), one.area)
    return draw_panels(curves)


def _histogram(bins: dict[str, Any]) -> Any:
    """Draw the shares of the classes by score, positives up and negatives down."""
    ax = square_axes(None, "Score", "Share of the class")
    ax.set_aspect("auto")
    edges, up, down = (np.array(bins[side]) for side in ("edges", "up", "right"))
    ax.stairs(up, edges, fill=True, alpha=0.7, color=PALETTE[1], label="positives")
    ax.stairs(-down, edges, fill=True, alpha=0.7, color=QUIET, label="negatives")
    ax.axhline(0, color=QUIET, linewidth=1)
    ax.set(xlim=(edges[0], edges[-1]), ylim=(-1.1 * down.max(), 1.1 * up.max()))
    ax.yaxis.set_major_formatter(lambda tick, _: f"{abs(tick):g}")
    return with_legend(ax, "upper right")


# -- parts, truth and change -----------------------------------------------------------------------


def _of_parts(findings: Findings) -> Charts:
    """Charts of classes, folds and subgroups."""
    if findings.classes is not None:
        yield "classes", findings.classes.plot
    for model, walks in _by_model(findings.study.folds).items():
        if len(walks) > 1:
            yield file_name("folds", model), partial(_mean, list(walks.values()))
    for model, walks in _by_model(findings.study.subgroups).items():
        if len(walks) <= _MOST_GROUPS:
            curves = {group: (walk, area(walk)) for group, walk in walks.items()}
            yield file_name("subgroups", model), partial(draw_overlay, curves)


def _by_model(parts: Mapping[Any, Tally] | None) -> dict[str, dict[str, Walk]]:
    """Return the walks of folds or subgroups that have both classes, by model."""
    found: dict[str, dict[str, Walk]] = {}
    for (model, group), tally in (parts or {}).items():
        if tally.total_up > 0 and tally.total_right > 0:
            name = ", ".join(map(shown, group))
            found.setdefault(shown(model), {})[name] = walk_of(tally)
    return found


def _mean(walks: list[Walk]) -> Any:
    """Draw the mean curve of folds, with the standard deviation about it."""
    return average([Curve(walk) for walk in walks], grid=np.linspace(0, 1, 101)).plot()


def _of_truth(findings: Findings) -> Charts:
    """Charts of soft truth and of raters."""
    if findings.places:
        named = list(zip(findings.names, findings.places, strict=True))
        yield "reference-truth", _overlaid(named, lambda one, ax: one[1][0].plot(ax, name=one[0]))
    if findings.raters.votes is not None:
        yield "votes", findings.raters.votes[0].plot
    if findings.raters.table is not None:
        yield "raters", findings.raters.table[0].plot
    if findings.raters.model is not None:
        yield "rater-model", findings.raters.model[0].plot


def _of_change(findings: Findings) -> Charts:
    """Charts of drift, against the reference and over time."""
    for k, one in findings.drift.models.items():
        if isinstance(one, Drift) and one.splits:
            yield file_name("drift", findings.names[k]), one.plot
    for name, line in zip(findings.names, findings.drift.timelines, strict=False):
        if isinstance(line, DriftTimeline) and line.windows:
            yield file_name("over-time", name), line.plot
