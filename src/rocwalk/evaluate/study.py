"""A study: everything that one command or report reads from its data, read once."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.drift.request import DriftRequest
from rocwalk.errors import (
    Argument,
    Column,
    ColumnError,
    LabelError,
    OptionError,
    RocwalkError,
    RocwalkWarning,
    WeightError,
    collecting,
    together,
    warn,
)
from rocwalk.evaluate.question import Question
from rocwalk.inference.items import Evidence, Items, codes_of, refuse_few
from rocwalk.inference.jackknife import FEW_CLUSTERS, few_clusters_words
from rocwalk.read.arrays import Sample, as_floats, nothing_left
from rocwalk.read.ballots import Ballot
from rocwalk.read.frames import (
    Name,
    Opened,
    Table,
    match_label,
    objects,
    read_table,
)
from rocwalk.read.labels import is_missing, missing_labels
from rocwalk.read.lazy import MEMORY_LIMIT, LazySource, Progress, is_large, open_lazy
from rocwalk.read.long_votes import (
    by_item,
    categories_by_item,
    digests_of,
    votes_table,
)
from rocwalk.read.matrices import ClassSample, check_classes, warn_of_absent
from rocwalk.read.opening import opened
from rocwalk.read.roles import Reading, Roles
from rocwalk.read.scales import weights_of
from rocwalk.read.tallies import (
    Tallies,
    check_columns,
    of_gathered,
    score_names,
    tallies_of,
)
from rocwalk.read.text import FOUND, TextFormat
from rocwalk.read.times import times_of
from rocwalk.read.votes import TRUTH, VOTES, Categories, read_categories, with_truth
from rocwalk.result import plain_value
from rocwalk.tally.sharing import SharedTally
from rocwalk.tally.steps import step_rule
from rocwalk.tally.tally import Tally, refuse_other_scores
from rocwalk.typing import AnyArray, FloatArray, IntArray

if TYPE_CHECKING:
    from rocwalk.drift.timeline import DriftTimeline

LARGE = "larger_than_memory"  # the problem that a warning names
_RULE = step_rule("truth")
_NOWHERE: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True, eq=False)
class Paired:
    """The rows that every model can use, item by item: for comparisons and for clusters.

    `samples` are those of the models on these rows; labels and weights are the same in all.
    """

    samples: dict[Name, Sample]
    cluster: AnyArray | None = None
    votes: IntArray | None = None
    times: AnyArray | None = None
    groups: tuple[AnyArray, ...] = ()  # the columns that subgroups are made by
    fold: AnyArray | None = None

    @property
    def first(self) -> Sample:
        """The sample of the first model."""
        return next(iter(self.samples.values()))

    @property
    def truth(self) -> AnyArray:
        """The labels, or the soft truth."""
        return self.first.truth

    @property
    def is_hard(self) -> bool:
        """Whether the labels are hard."""
        return self.first.is_hard

    @property
    def weights(self) -> FloatArray | None:
        """The weights, if there are any."""
        return self.first.weights

    @property
    def scores(self) -> dict[Name, FloatArray]:
        """The scores of each model."""
        return {name: sample.scores for name, sample in self.samples.items()}

    @cached_property
    def cluster_codes(self) -> IntArray | None:
        """The cluster of each row as a number from 0, if there are clusters."""
        return None if self.cluster is None else codes_of(self.cluster)

    def items(self, model: Name) -> Items:
        """Return the masses and scores of a model, item by item."""
        one = self.samples[model]
        return Items.from_truth(one.truth, one.weights, one.scores, self.cluster_codes, one.order)

    def items_of_group(self, model: Name, group: tuple[Any, ...]) -> tuple[Items, IntArray | None]:
        """Return the items of a model in a subgroup, and the cluster of each among all clusters."""
        inside = np.ones(len(self.truth), dtype=bool)
        for column, value in zip(self.groups, group, strict=True):
            inside &= np.array([plain_value(one) == plain_value(value) for one in column])
        one, codes = self.samples[model], self.cluster_codes
        weights = None if one.weights is None else one.weights[inside]
        units = None if codes is None else codes[inside]
        own = None if units is None else np.unique(units, return_inverse=True)[1]
        return Items.from_truth(one.truth[inside], weights, one.scores[inside], own), units

    @cached_property
    def _rows_of_folds(self) -> dict[Any, IntArray]:
        """The places of the rows of each fold, which are the same for all models."""
        rows: dict[Any, list[int]] = {}
        for row, value in enumerate(() if self.fold is None else self.fold):
            rows.setdefault(_comparable(value), []).append(row)
        return {value: np.array(places) for value, places in rows.items()}

    def items_of_folds(self, model: Name) -> dict[tuple[Any, ...], Items] | None:
        """Return the items of a model in each fold, in clusters; None without clusters."""
        if self.fold is None or self.cluster_codes is None:
            return None
        one, found = self.samples[model], {}
        for value, rows in self._rows_of_folds.items():
            weights = None if one.weights is None else one.weights[rows]
            units = self.cluster_codes[rows]
            found[(value,)] = Items.from_truth(one.truth[rows], weights, one.scores[rows], units)
        return found

    def group_codes(self, groups: Sequence[tuple[Any, ...]]) -> IntArray:
        """Return the place of each row's subgroup among these; each row must have one."""
        places = {tuple(map(_comparable, group)): k for k, group in enumerate(groups)}
        columns = [[_comparable(one) for one in column] for column in self.groups]
        return np.array([places[row] for row in zip(*columns, strict=True)], dtype=np.int64)

    @property
    def options(self) -> dict[str, Any]:
        """What the columns are, as the keywords of every function of two columns."""
        return {
            "sample_weight": self.weights,
            "cluster": self.cluster,
            "truth": "hard" if self.is_hard else "soft",
        }


def _comparable(value: Any) -> Any:
    """Return a value of a subgroup that equals itself; None if it is missing."""
    return None if is_missing(value) else plain_value(value)


@dataclass(frozen=True, kw_only=True, eq=False)
class Study:
    """The evidence that answers a question, and where it came from."""

    question: Question
    models: Tallies | None
    subgroups: Tallies | None
    folds: Tallies | None
    classes: ClassSample | None
    paired: Paired | None
    ballot: Ballot | None
    rows_read: int
    files: tuple[tuple[str, str], ...]  # names and SHA-256 hashes
    categories: Categories | None = None  # the votes, where they are of several classes
    noticed: tuple[RocwalkWarning, ...] = ()
    notes: tuple[str, ...] = ()  # the same in words
    is_in_memory: bool = True  # else there are tallies only, and no rows to pair
    is_large: bool = False  # larger than the memory limit
    shared: Mapping[str, SharedTally] | None = None  # by sites that keep their rows

    @property
    def is_noised(self) -> bool:
        """Whether the counts have noise for privacy."""
        return self.shared is not None and any(one.is_noised for one in self.shared.values())

    @property
    def why_unpaired(self) -> str:
        """Why models cannot be compared item by item, if they cannot."""
        if self.is_in_memory:
            return "There is no row that every model can use."
        if self.shared is not None:
            return "Shared tallies have no rows, and pairs need every row."
        if not self.is_large:
            return "The rows stayed in the database, and pairs need every row."
        return "The data are larger than the memory limit, and pairs need every row."

    def clusters_of(self, model: Name, folds: Sequence[tuple[Any, ...]]) -> list[Items] | None:
        """Return the items of a model in each of these folds; None without clusters."""
        found = None if self.paired is None else self.paired.items_of_folds(model)
        if found is None:
            return None
        return [found[tuple(map(_comparable, fold))] for fold in folds]

    @property
    def rows(self) -> dict[str, dict[str, int]]:
        """The rows used and dropped, for each model."""
        if self.models is None:
            count = 0 if self.classes is None else self.classes.n_items
            return {"classes": {"used": count, "dropped": self.rows_read - count}}
        used, dropped = self.models.rows, self.models.dropped
        return {str(k[0]): {"used": used[k], "dropped": dropped[k]} for k in self.models}


def read_study(
    data: Any,
    question: Question,
    *,
    same_rows: bool = False,
    in_pairs: bool = False,
    by_tallies: bool = False,
    memory_limit: str | None = None,
    form: TextFormat = FOUND,
    progress: Progress | None = None,
) -> Study:
    """Return the tallies and samples of the columns that a question names.

    Each column is read, checked and sorted once. With `same_rows`, a row that is dropped for one
    score is dropped for all, as paired comparisons need; with `in_pairs`, the order of the rows is
    kept for them. With `by_tallies`, tallies are all that is needed: an engine that holds the rows
    groups them by score, if labels are hard and nothing else of the question needs items. What the
    reading warns of is given as warnings and kept as notes. Files that need
    more than `memory_limit` stay where they are, and only their tallies are read. `form` is what
    the user says of separated text.
    """
    apart = None if question.long is None else question.long.data
    with (
        collecting(RocwalkWarning) as given,
        opened(data, form) as source,
        nullcontext() if apart is None else opened(apart, form) as votes,
    ):
        if is_large(source, question.roles(), memory_limit):
            study = read_large(source, question, memory_limit, progress)
        elif by_tallies and isinstance(source, Opened) and source.stays:
            study = _read_grouped(source, question, memory_limit, progress) or _read(
                source, votes, question, same_rows=same_rows, in_pairs=in_pairs
            )
        else:
            study = _read(source, votes, question, same_rows=same_rows, in_pairs=in_pairs)
    for each in given:
        warn(each)
    noticed = together(given)
    return replace(study, noticed=tuple(noticed), notes=tuple(map(str, noticed)))


def _read(data: Any, votes: Any, question: Question, *, same_rows: bool, in_pairs: bool) -> Study:
    table, ballot = read_table(data, question.roles()), None
    classes: ClassSample | None = None
    categories: Categories | None = None
    if question.has_votes and question.class_scores:
        table, categories = _voted_categories(table, votes, question)
        classes = _voted_classes(table, categories, question)
        question = question.with_label(TRUTH)
    elif question.class_scores:
        labels = table[question.label]
        weights = None if question.weight is None else table[question.weight]
        classes = _checked_classes(table, question, labels, weights, Column(question.label))
    elif question.has_votes:
        table, ballot = _by_votes(table, votes, question)
        question = question.with_label(TRUTH)
    count = len(table)
    roles = Roles(
        scores=score_names(question.scores) if question.scores else (),
        label=question.label,
        raters=(),
        weight=question.weight,
        groups=(),
    )
    if same_rows and question.invalid == "drop":
        table = _usable_for_all(table, question, roles)
    samples = check_columns(table, roles, _RULE, _options(table, question))
    for sample in samples.values():
        if in_pairs or question.cluster is not None or not sample.is_hard:
            sample.order  # noqa: B018  # kept by the sample; its tally is made from it

    def tallied(*by: Name) -> Tallies:
        return tallies_of(table, samples, replace(roles, groups=by), _RULE)

    models = tallied() if samples else None
    paired = _paired(table, question, roles, samples)
    if paired is not None and question.cluster is not None:
        _warn_of_few_clusters(paired)
    return Study(
        question=question,
        models=models,
        ballot=ballot,
        paired=paired,
        subgroups=tallied(*question.by) if question.by else None,
        folds=None if question.fold is None else tallied(question.fold),
        classes=classes,
        categories=categories,
        rows_read=count,
        files=digests_of(data) + digests_of(votes),
    )


def read_large(
    data: Any, question: Question, memory_limit: str | None, progress: Progress | None
) -> Study:
    """Read only tallies of files that are larger than memory; what needs every row is refused."""
    needs = {"class_scores": question.class_scores, "cluster": question.cluster}
    rule = question.votes
    needs |= {"time": question.time, "vote": question.long is not None, "cut": rule.cut is not None}
    needs |= {"scale": rule.scale is not None, "rater_weight": rule.rater_weight is not None}
    for name, given in needs.items():
        if given:
            raise OptionError(
                f"needs every row in memory, and the data are larger than the limit of "
                f"{memory_limit or MEMORY_LIMIT}.",
                ("raise ", Argument("memory_limit"), ", or leave it out."),
                argument=name,
            )
    found = _tallied(data, question, Reading(), memory_limit, progress)
    if question.raters:
        question = question.with_label(TRUTH)
    text = f"is larger than the memory limit of {memory_limit or MEMORY_LIMIT}, so it was tallied "
    text += "where it is" if len(question.scores) < 2 else "where it is, without pairs of models"
    if found.models is not None and found.models.certificate:
        text += f": scores share buckets, and an AUC is exact to ± {found.models.certificate:.2g}"
    warn(RocwalkWarning(f"{text}.", subject="The table", problem=LARGE))
    return replace(found, question=question, is_large=True)


def _read_grouped(
    data: Opened, question: Question, memory_limit: str | None, progress: Progress | None
) -> Study | None:
    """Read exact tallies of a table that its engine groups; None if there have to be items."""
    of_items = (question.class_scores, question.cluster, question.time, question.weight)
    if any(one is not None for one in of_items) or question.has_votes or question.by:
        return None
    with collecting(RocwalkWarning) as given:
        found = _tallied(data, question, Reading(limit=sys.maxsize), memory_limit, progress)
    if not all(one.is_counts for one in (found.models or {}).values()):
        return None
    for each in given:
        warn(each)
    return found


def _tallied(
    data: Any,
    question: Question,
    reading: Reading,
    memory_limit: str | None,
    progress: Progress | None,
) -> Study:
    """Return the study of tallies that an engine makes of the rows."""
    from rocwalk.read.lazy_tallies import gather

    with open_lazy(data, question.roles(), memory_limit, progress) as source:
        positive = _positive_of(source, question)
        reading = replace(reading, pos_label=positive, invalid=question.invalid)

        def tallied(by: tuple[Name, ...]) -> tuple[Tallies, int]:
            roles = Roles(
                scores=question.scores,
                label=question.label,
                raters=question.raters,
                weight=question.weight,
                groups=by,
            )
            gathered = gather(source, roles, reading)
            return of_gathered(gathered, roles, _RULE), gathered.rows

        models, count = tallied(())
        subgroups = tallied(question.by)[0] if question.by else None
        folds = tallied((question.fold,))[0] if question.fold is not None else None
        if folds is not None and any(is_missing(value) for _, (value,) in folds):
            raise ColumnError(
                "is missing, so the fold of the row is not known.",
                "name the fold of every row, or leave such rows out first.",
                column=question.fold,
            )
    return Study(
        question=question,
        models=models,
        ballot=None,
        paired=None,
        subgroups=subgroups,
        folds=folds,
        classes=None,
        rows_read=count,
        files=digests_of(data),
        is_in_memory=False,
    )


def study_of_shared(
    shared: Mapping[str, SharedTally], files: Sequence[tuple[str, str]], notes: Sequence[str]
) -> Study:
    """Return the study of tallies that sites have shared, by the names of their scores."""
    parts: dict[tuple[Name, tuple[Any, ...]], Tally] = {
        (name, ()): one.tally() for name, one in shared.items()
    }
    return Study(
        question=Question(label="label", scores=tuple(shared)),
        models=Tallies(parts),
        subgroups=None,
        folds=None,
        classes=None,
        paired=None,
        ballot=None,
        rows_read=max(tally.total_count for tally in parts.values()),
        files=tuple(files),
        notes=tuple(notes),
        is_in_memory=False,
        shared=shared,
    )


def _positive_of(source: LazySource, question: Question) -> Any:
    """Return the positive label of a lazy table, found among its labels if it is given as text."""
    if question.positive is None:
        return question.pos_label
    from rocwalk.read.lazy_tallies import labels_of

    names = question.raters or (question.label,)
    said = [labels_of(source, name) for name in names]
    return _matched(objects([label for one in said for label in one]), question.positive, names)


def _matched(
    labels: AnyArray, text: str, columns: Sequence[Name | None], where: Mapping[str, Any] = _NOWHERE
) -> Any:
    """Return the label of these columns that a text means."""
    try:
        return match_label(labels, text)
    except LabelError as error:
        first, *others = columns
        raise error.at(names={"y_true": Column(first, tuple(others))}, **where) from None


def _options(table: Table, question: Question) -> dict[str, Any]:
    """Return how labels are read, as the keywords of `check`."""
    positive = question.pos_label
    if question.positive is not None:
        names = (question.label,)
        positive = _matched(table[question.label], question.positive, names, table.where())
    return {"pos_label": positive, "invalid": question.invalid}


def _by_votes(table: Table, apart: Any, question: Question) -> tuple[Table, Ballot]:
    """Return the table with the truth that the raters' votes make, one row an item, and the votes.

    Votes that stand one a row are in the table itself, or `apart` from it.
    """
    long = question.long
    votes = None if long is None or apart is None else votes_table(apart, long)
    source, columns = table if votes is None else votes, question.raters
    if long is not None:
        columns = (long.vote,)
    positive = question.pos_label
    if question.positive is not None:
        said = np.concatenate([source[name].astype(object) for name in columns])
        positive = _matched(said, question.positive, columns, source.where())
    rule = replace(question.votes, pos_label=positive)
    if long is None:
        return with_truth(table, question.raters, rule, question.invalid)
    return by_item(table, votes, long, rule, question.invalid)


def _paired(
    table: Table, question: Question, roles: Roles, samples: dict[Name, Sample]
) -> Paired | None:
    """Return the rows that no model had to leave out, item by item; None if there are none."""
    lost = _lost(samples)
    kept = np.delete(np.arange(len(table)), lost)
    if not samples or not len(kept):
        return None
    if len(lost):  # fewer rows may have other labels: they are read again
        rest = table.taken(kept)
        with collecting():  # given already, when the models were checked
            samples = check_columns(rest, roles, _RULE, _options(table, question))
    named = {"cluster": (question.cluster, "unit"), "fold": (question.fold, "fold")}
    for role, (name, what) in named.items():
        unnamed = kept[:0] if name is None else kept[missing_labels(table[name][kept])]
        if name is not None and len(unnamed):
            raise ColumnError(
                f"is missing, so the {what} of the row is not known.",
                f"name the {role} of every row, or leave such rows out first.",
                column=name,
                **table.where(int(unnamed[0])),
            )
    columns = {
        "cluster": None if question.cluster is None else table[question.cluster],
        "votes": table[VOTES] if VOTES in table.columns else None,
        "times": None if question.time is None else times_of(table, question.time),
        "fold": None if question.fold is None else table[question.fold],
    }
    rows = next(iter(samples.values())).rows
    used = kept if rows is None else kept[rows]
    found = {name: None if column is None else column[used] for name, column in columns.items()}
    return Paired(samples=samples, **found, groups=tuple(table[name][used] for name in question.by))


def _warn_of_few_clusters(paired: Paired) -> None:
    """Warn once of all numbers if there are too few clusters for intervals and tests."""
    words = few_clusters_words(paired.items(next(iter(paired.samples))))
    if words is not None:
        warn(
            RocwalkWarning(
                f"Intervals and tests are not reliable here: {words}.",
                f"at least {FEW_CLUSTERS} clusters of about equal size are needed.",
            )
        )


def _lost(samples: Mapping[Name, Sample]) -> IntArray:
    """Return the rows that some model cannot use."""
    dropped = [sample.dropped for sample in samples.values()]
    return np.unique(np.concatenate([*dropped, np.empty(0, dtype=np.int64)]))


def _usable_for_all(table: Table, question: Question, roles: Roles) -> Table:
    """Leave out the rows that some score column cannot use."""
    with collecting():
        samples = check_columns(table, roles, _RULE, _options(table, question))
    lost = _lost(samples)
    if not len(lost):
        return table
    if len(lost) == len(table):
        causes = [
            ((Column(name), " cannot be used"), len(sample.dropped))
            for name, sample in samples.items()
            if len(sample.dropped)
        ]
        raise nothing_left(len(table), causes).at(**table.where())
    words = "row lacks" if len(lost) == 1 else "rows lack"
    left = "is" if len(lost) == 1 else "are"
    warn(
        RocwalkWarning(f"{len(lost):,} {words} a usable value for some model and {left} left out.")
    )
    return table.taken(np.delete(np.arange(len(table)), lost))


def _checked_classes(
    table: Table,
    question: Question,
    labels: AnyArray,
    weights: AnyArray | None,
    label: Column,
    units: IntArray | None = None,
) -> ClassSample:
    """Return the classes of rows, checked; errors name the columns of the table."""
    pairs = question.class_scores or {}
    known = {str(one) for one in set(labels.tolist())}
    names = [match_label(labels, str(one)) if str(one) in known else one for one in pairs]
    try:
        sample = check_classes(
            labels,
            np.column_stack([table[column] for column in pairs.values()]),
            labels=names,
            sample_weight=weights,
            invalid=question.invalid,
            units=units,
        )
    except RocwalkError as error:
        first, *others = pairs.values()
        arguments = {"y_true": label, "y_prob": Column(first, tuple(others))}
        raise error.at(names=arguments, **table.where(error.fields.row)) from None
    warn_of_absent(sample, {"y_true": label})
    return sample


def _voted_categories(table: Table, apart: Any, question: Question) -> tuple[Table, Categories]:
    """Return one row for each item, and the votes of any categories on these rows."""
    long = question.long
    if long is None:
        return table, read_categories(table, raters=question.raters, invalid=question.invalid)
    votes = None if apart is None else votes_table(apart, long)
    return categories_by_item(table, votes, long, question.invalid)


def _voted_classes(table: Table, found: Categories, question: Question) -> ClassSample:
    """Return each vote as a row of its class, with its share of the weight of its item."""
    raters = weights_of(found.raters, question.votes.rater_weight)
    own = np.ones(len(found.raters)) if raters is None else raters
    cast = (found.codes >= 0) & (own > 0)
    item, rater = np.nonzero(cast)
    units, shares = found.items[item], own[rater]
    shares = shares / np.bincount(item, shares, len(found.items))[item]
    if question.weight is not None:
        shares = shares * as_floats(table[question.weight][units], "sample_weight", WeightError)
    labels = objects([found.categories[code] for code in found.codes[item, rater]])
    numbers = [one for one in found.categories if isinstance(one, int | float)]
    if len(numbers) == len(found.categories) and all(float(one).is_integer() for one in numbers):
        labels = labels.astype(np.int64)  # gaps make floats of whole numbers
    columns = question.raters if question.long is None else (question.long.vote,)
    return _checked_classes(
        table.taken(units), question, labels, shares, Column(columns[0], columns[1:]), units
    )


def timeline_on(
    paired: Paired,
    model: Name,
    window: int | str,
    request: DriftRequest,
    reference: Evidence | None,
) -> DriftTimeline:
    """Return the timeline of a model of a study that has times, as `drift_over_time` does."""
    from rocwalk.drift.seasons import first_window, windows_of
    from rocwalk.drift.timeline import MINIMUM, timeline_of

    if paired.times is None:
        raise OptionError("The study has no times.", "name the column of times.")
    sample = paired.samples[model]
    refuse_other_scores(sample.tally())
    windows = windows_of(sample, paired.times, window, paired.cluster_codes)
    notes: tuple[str, ...] = ()
    if reference is None:
        reference, windows, notes = first_window(windows, paired.times, window)
    refuse_few(reference)
    return timeline_of(reference, windows, request, minimum=MINIMUM, adjustment="holm", notes=notes)
