"""What a page carries of a model: its walk, through fewer points where it has too many.

Every point that the page can stop at is a point of the exact walk: its counts, rates and thresholds
are exact. The vertices of the hull are kept, so the best threshold for given costs is exact too.
Only the lines between the points are not; `area_hidden` bounds what they hide. A hull of thousands
of vertices is thinned as well; `regret` then bounds what that can cost.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from unicodedata import bidirectional, category

import numpy as np

from rocwalk.curves.area import area
from rocwalk.curves.bands import Edges, edges_of, sides
from rocwalk.curves.classes import Multiclass, measure_classes
from rocwalk.curves.hull import area_hidden, vertices_of
from rocwalk.drift.drift import Drift, drift
from rocwalk.drift.timeline import DriftTimeline
from rocwalk.errors import OneClassError, RocwalkError, RocwalkWarning
from rocwalk.evaluate.study import Paired, Study, timeline_on
from rocwalk.evaluate.summary import (
    Ends,
    Summary,
    evidence_on,
    interval_numbers,
    summary,
    summary_intervals,
)
from rocwalk.inference.comparisons import Comparison, compare
from rocwalk.inference.intervals import interval
from rocwalk.inference.items import Evidence, Items
from rocwalk.inference.resampling import Plan
from rocwalk.read.arrays import Sample, check
from rocwalk.report.numbers import decimals_of, few_digits, noted, rate, unbroken, with_ends
from rocwalk.tally.tally import Tally
from rocwalk.tally.truth import TruthTally, tally_by_truth
from rocwalk.tally.walk import Walk, highest_tpr, refuse_one_class, spread, walk_of
from rocwalk.truth.agreement import Votes, votes_of
from rocwalk.truth.reference_truth import ReferenceTruth
from rocwalk.typing import FloatArray, IntArray

MAX_ROWS = 4_000


_MAX_CORNERS = 2_000


@dataclass(frozen=True, eq=False)
class Embedded:
    """One model in a page.

    `tally` is exact up to `MAX_ROWS` scores, else its rows are buckets with their moments. `walk`
    goes through the points of `exact` that are carried, `hull` indexes its vertices.
    `regret` bounds TPR − m·FPR of the best vertex over the best one that is carried.
    """

    name: str
    exact: Walk
    tally: Tally
    walk: Walk
    hull: IntArray
    area_hidden: float
    regret: float

    @property
    def area(self) -> float:
        """The exact area, from all points."""
        return area(self.exact)

    @property
    def decimals(self) -> int:
        """The decimals of its masses that are shown."""
        return decimals_of((self.exact.up[-1] + self.exact.right[-1]).item())

    def to_json(self) -> dict[str, Any]:
        """Return what the page's script needs."""
        walk = self.walk
        rows: dict[str, Any] = {
            "name": self.name,
            "auc": rate(self.area),
            "decimals": self.decimals,
            "scores": walk.thresholds[1:].tolist(),
            "up": walk.up.tolist(),
            "right": walk.right.tolist(),
            "hull": self.hull.tolist(),
        }
        if walk.highest is not None:
            rows["highest"] = walk.highest[1:].tolist()
        if self.tally.is_bucketed:  # else the moments follow from the scores
            rows["up_score"] = self.tally.up_score.tolist()
            rows["right_score"] = self.tally.right_score.tolist()
        return rows


def embed(name: str, tally: Tally) -> Embedded:
    """Return a model as a page carries it: all points up to `MAX_ROWS` scores, else fewer."""
    exact = walk_of(tally)
    refuse_one_class(exact)
    vertices = vertices_of(exact)
    if len(tally) <= MAX_ROWS:
        return Embedded(name, exact, tally, exact, vertices, 0.0, 0.0)
    corners = _corners(exact, vertices)
    even = spread(exact.fpr + exact.tpr, MAX_ROWS + 1 - len(corners))
    index = np.union1d(corners, even)
    return Embedded(
        name,
        exact,
        tally.coarsened(index[:-1]),
        exact.take(index),
        np.searchsorted(index, corners),
        area_hidden(exact, index),
        _regret(exact, vertices, corners) if len(corners) < len(vertices) else 0.0,
    )


def _corners(walk: Walk, vertices: IntArray) -> IntArray:
    """Return the vertices to carry: all, or as many as a page can hold, spread evenly."""
    if len(vertices) <= _MAX_CORNERS:
        return vertices
    way = (walk.fpr + walk.tpr)[vertices]
    return vertices[np.unique(spread(way, _MAX_CORNERS))]


def _regret(walk: Walk, vertices: IntArray, corners: IntArray) -> float:
    """Return the most that TPR − m·FPR of a left-out vertex exceeds that of the best corner.

    Between two corners the better one loses most for the slope of their chord; there the loss is
    the height of the vertex above the chord.
    """
    chord = np.interp(walk.fpr[vertices], walk.fpr[corners], walk.tpr[corners])
    return max(float((walk.tpr[vertices] - chord).max()), 0.0)


# -- bands as a page carries them ------------------------------------------------------------------


_POINTS = 300  # of each edge


_ROWS = np.linspace(0, 1, 101)  # the rates of the tables


_REPLICATES = 2_000


_FEWEST_REPLICATES = 200


_DRAWS = 2 * 10**8  # of single items, in all replicates, where they allow it


_GRAIN = 1e6  # edges are rounded outward to so many parts of one


# -- edges ---------------------------------------------------------------------------------------


def band_on(study: Study, model: Any, tally: Tally, level: float, seed: int) -> Edges | str:
    """Return the simultaneous band of a model, or say why there is none."""
    evidence = _with_items(study, model, tally)
    if evidence is None:
        return (
            "with soft truth or weights it needs the rows one by one, and other models lack some "
            "of them."
        )
    plan = Plan(replicates_on(study, tally), seed)
    try:
        return edges_of(evidence, "simultaneous", level=level, plan=plan)
    except OneClassError as error:
        return f"{error.what[:1].lower()}{error.what[1:]}"


def _with_items(study: Study, model: Any, tally: Tally) -> Evidence | None:
    """Return the evidence, with the items where the tally is not enough; None if they lack."""
    evidence, paired = evidence_on(study, model, tally), study.paired
    if evidence.items is not None or evidence.even_weight is not None:
        return evidence
    if paired is None or len(paired.truth) != tally.total_count:
        return None
    items = Items.from_truth(paired.truth, paired.weights, paired.scores[model])
    return Evidence(tally, items)


def replicates_on(study: Study, tally: Tally) -> int:
    """Return how many curves are resampled: fewer where very many items are drawn one by one."""
    if study.question.cluster is None and Evidence(tally).even_weight is not None:
        return _REPLICATES
    return min(max(_DRAWS // tally.total_count, _FEWEST_REPLICATES), _REPLICATES)


# -- ribbons -------------------------------------------------------------------------------------


def ribbon(lower: Walk, upper: Walk) -> dict[str, Any]:
    """Return the edges for drawing: two lists of FPR and TPR."""
    return {"lower": outward(lower, -1), "upper": outward(upper, 1)}


def band_rows(curve: Walk, lower: Walk, upper: Walk) -> dict[str, list[float]]:
    """Return the band in numbers at even rates, exactly: at a jump the outer end of each edge."""
    return {
        "fpr": few_digits(_ROWS),
        "low": few_digits(sides(lower.fpr, lower.tpr, _ROWS)[0]),
        "tpr": few_digits(highest_tpr(curve, _ROWS)),
        "high": few_digits(highest_tpr(upper, _ROWS)),
    }


def outward(edge: Walk, side: int) -> list[list[float]]:
    """Return FPR and TPR of few points; the line through them lies on the edge or outside it.

    `side` is 1 for an upper edge, −1 for a lower one. Each line of slope −1 meets an edge once:
    w = FPR + TPR tells where, h = ±(TPR − FPR) how far out. Between two points that are kept, the
    line is pushed out by as much as the edge bulges over it; what leaves the square is cut.
    """
    way, out = edge.fpr + edge.tpr, side * (edge.tpr - edge.fpr)
    if len(edge) > _POINTS:
        kept = np.unique(spread(way, _POINTS))
        bulge = np.maximum.reduceat(out - np.interp(way, way[kept], out[kept]), kept[:-1])
        push = np.maximum(np.append(bulge, 0.0), np.append(0.0, bulge))
        way, out = _cut(way[kept], out[kept] + push)
    fpr, tpr = (way - side * out) / 2, (way + side * out) / 2
    return [_rounded(fpr, -side), _rounded(tpr, side)]


def _cut(way: FloatArray, out: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the line inside the unit square, where h is at most w and at most 2 − w."""
    corners = [way, np.ones(1)]
    for bound in (way, 2 - way):
        beyond = out - bound
        i = np.flatnonzero(beyond[:-1] * beyond[1:] < 0)
        corners.append(way[i] + np.diff(way)[i] * beyond[i] / (beyond[i] - beyond[i + 1]))
    places = np.unique(np.concatenate(corners))
    return places, np.minimum(np.interp(places, way, out), np.minimum(places, 2 - places))


def _rounded(rates: FloatArray, side: int) -> list[float]:
    """Return the rates, rounded up (1) or down (−1), and moved that way until none falls."""
    grains = side * np.ceil(side * rates * _GRAIN)
    if side > 0:
        grains = np.maximum.accumulate(grains)
    else:
        grains = np.minimum.accumulate(grains[::-1])[::-1]
    return [float(rate) for rate in np.clip(grains / _GRAIN, 0.0, 1.0)]


# -- models between the worst and the best order that a soft truth allows --------------------------


TruthEnds = tuple[float | None, float | None]


Placed = tuple[ReferenceTruth, TruthEnds]


def placed_on(
    paired: Paired, tallies: Sequence[Tally], intervals: Sequence[Ends], level: float
) -> list[Placed]:
    """Return each model against its truth, and the ends of the interval of its AUC_PRT."""
    by_truth = tally_by_truth(paired.truth, paired.weights)
    whole = len(by_truth) > 1
    found = []
    for tally, known, scores in zip(tallies, intervals, paired.scores.values(), strict=True):
        own, ends = tally, (known["auc_prt_low"], known["auc_prt_high"])
        if len(paired.truth) != tally.total_count:  # other models lack some of its rows
            own = sample_on(paired, paired.truth, scores).tally()
            ends = _ends(paired, scores, level)
        found.append((ReferenceTruth(TruthTally(own, by_truth)), ends if whole else (None, None)))
    return found


def _ends(paired: Paired, scores: FloatArray, level: float) -> TruthEnds:
    """Return the interval on the rows that all models use, if these are not too few."""
    known: dict[str, Any] = {**paired.options, "truth": "soft", "confidence_level": level}
    try:
        ends, _ = noted(lambda: interval(paired.truth, scores, statistic="auc_prt", **known))
    except RocwalkError:
        return None, None
    return ends.low, ends.high


def sample_on(paired: Paired, truth: FloatArray, scores: FloatArray) -> Sample:
    """Return the items with soft truth; what they are warned of was said when they were read."""
    return noted(lambda: check(truth, scores, sample_weight=paired.weights, truth="soft"))[0]


def prt_words(one: ReferenceTruth, ends: TruthEnds) -> str:
    """Write AUC_PRT with its interval, if there is one."""
    prt, gap, brackets = with_ends(one.auc_prt, *ends).partition(" ")
    return f"{prt}{gap}{unbroken(brackets)}"


# -- what the sections of a page are made from, and what they are made into ------------------------


_LONGEST_NAME = 80


# signs that break lines, turn the direction of reading or are half of a character
_UNSEEN = {"Cc", "Zl", "Zp", "Cs"}


_TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@dataclass(frozen=True)
class Content:
    """What a section shows (`context`, for its template) and draws (`data`, for its script).

    The template is that of the section, unless another one is named.
    """

    context: Mapping[str, Any] = field(default_factory=dict)
    data: Mapping[str, Any] | None = None
    template: str | None = None


@dataclass(frozen=True, eq=False)
class Material:
    """A study, and what several sections need of it, computed once.

    Models are lists, never keyed by name: two columns may be shown by the same words. With a
    reference, `known_drifts` may hold what has been found already, by the names of the columns.
    """

    study: Study
    options: Mapping[str, Any]
    seed: int
    level: float = 0.95
    reference: Study | None = None
    known_drifts: Mapping[Any, Drift] = field(default_factory=dict)
    window: int | str = "month"

    @cached_property
    def names(self) -> list[str]:
        """The names of the models, as they are shown."""
        return [shown(name) for name, _ in self.study.models or ()]

    @cached_property
    def tallies(self) -> list[Tally]:
        """The evidence on each model."""
        return list((self.study.models or {}).values())

    @cached_property
    def models(self) -> list[Embedded]:
        """The models as the page carries them."""
        return [embed(name, t) for name, t in zip(self.names, self.tallies, strict=True)]

    @cached_property
    def summaries(self) -> list[Summary]:
        """The numbers of each model."""
        return [summary(tally) for tally in self.tallies]

    @cached_property
    def intervals(self) -> list[Ends]:
        """The ends of the intervals of each model's numbers."""
        named = zip(self.study.models or {}, self.tallies, self.summaries, strict=True)
        return [
            self.ends(evidence_on(self.study, name, tally), one) for (name, _), tally, one in named
        ]

    def ends(self, evidence: Evidence, one: Summary) -> Ends:
        """Return the ends of the intervals of a summary's numbers."""
        return interval_numbers(summary_intervals(evidence, one, self.level))

    @cached_property
    def timelines(self) -> list[DriftTimeline | str]:
        """Each model over time, against the reference or the first window; or why not."""
        paired = self.study.paired
        if paired is None or paired.times is None:
            return []
        models = None if self.reference is None else self.reference.models
        before: dict[Any, Tally] = {} if models is None else dict(models.parts)
        found: list[DriftTimeline | str] = []
        for key in self.study.models or {}:
            try:
                base = before.get(key)
                found.append(timeline_on(paired, key[0], self.window, 1 - self.level, base))
            except RocwalkError as error:
                found.append(f"{error.what[:1].lower()}{error.what[1:]}")
        return found

    @cached_property
    def places(self) -> list[Placed]:
        """Each model between the worst and the best order that a soft truth allows; else none."""
        paired = self.study.paired
        if paired is None or paired.is_hard or not self.models:
            return []
        return placed_on(paired, self.tallies, self.intervals, self.level)

    @cached_property
    def votes(self) -> tuple[Votes, list[str]] | None:
        """The votes of the raters with what is to be said of them, if there are any."""
        ballot = self.study.ballot
        if ballot is None:
            return None
        return noted(lambda: votes_of(ballot))

    @cached_property
    def bands(self) -> list[Edges | str]:
        """The simultaneous band of each model's curve, or why there is none."""
        named = zip(self.study.models or {}, self.tallies, strict=True)
        return [
            band_on(self.study, name, tally, self.level, self.seed) for (name, _), tally in named
        ]

    @cached_property
    def comparisons(self) -> list[Comparison] | str:
        """The models in pairs, on the rows that all can use; or why they are not compared.

        In AUC, and where all scores are probabilities in probabilistic AUC. The names in a
        comparison are the places of the models.
        """
        paired = self.study.paired
        if len(self.names) < 2:
            return "there is one model only."
        if paired is None:
            return self.study.why_unpaired
        probabilities = all(one.has_probabilities for one in self.summaries)
        try:
            return [
                self._compared(paired, statistic)
                for statistic in ("auc", "probabilistic_auc")[: 1 + probabilities]
            ]
        except RocwalkError as error:
            return f"{error.what[:1].lower()}{error.what[1:]}"

    def _compared(self, paired: Paired, statistic: str) -> Comparison:
        scores = dict(enumerate(paired.scores.values()))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RocwalkWarning)  # said when the data were read
            return compare(
                paired.truth,
                scores,
                statistic=statistic,
                confidence_level=self.level,
                **paired.options,
            )

    @cached_property
    def drifts(self) -> dict[int, Drift | str]:
        """What has changed since the reference, by the places of the models; or why not."""
        if self.reference is None or self.reference.models is None:
            return {}
        before = {name: tally for (name, _), tally in self.reference.models.items()}
        named = [name for name, _ in self.study.models or ()]
        return {k: self._drift(name, before[name], self.tallies[k]) for k, name in enumerate(named)}

    def _drift(self, name: Any, before: Tally, now: Tally) -> Drift | str:
        if name in self.known_drifts:
            return self.known_drifts[name]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RocwalkWarning)  # said when the data were read
                return drift(before, now, alpha=round(1 - self.level, 12))
        except RocwalkError as error:
            return f"{error.what[:1].lower()}{error.what[1:]}"

    @cached_property
    def probabilities(self) -> list[int]:
        """The places of the models whose scores are probabilities."""
        return [k for k, one in enumerate(self.summaries) if one.has_probabilities]

    @property
    def others(self) -> list[str]:
        """The names of the models whose scores reach outside [0, 1]."""
        return [name for k, name in enumerate(self.names) if k not in self.probabilities]

    @cached_property
    def classes(self) -> Multiclass | None:
        """The areas of several classes."""
        return None if self.study.classes is None else measure_classes(self.study.classes)


def shown(name: Any) -> str:
    r"""Return a name as it is shown: never blank, never endless, signs that are unseen spelled out.

    >>> shown("forest"), shown(" "), shown("a\u2028b"), len(shown("x" * 10_000))
    ('forest', '“ ”', 'a\\u2028b', 80)
    """
    words = "".join(map(_seen, "missing" if name is None else str(name)))
    if len(words) > _LONGEST_NAME:
        words = f"{words[:54]}…{words[-25:]}"
    visible = any(sign.isprintable() and not sign.isspace() for sign in words)
    return words if visible else f"“{words}”"


def _seen(sign: str) -> str:
    unseen = category(sign) in _UNSEEN or bidirectional(sign) in _TURNING
    return f"\\u{ord(sign):04x}" if unseen else sign
