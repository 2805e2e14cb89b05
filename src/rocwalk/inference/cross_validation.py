"""Numbers over the folds of a cross-validation: their mean, its interval, and models compared.

A score is out of fold: the model that gave it was fitted without its row. Scores of different folds
come from different fits and are never ranked against each other.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.checks import as_number
from rocwalk.errors import (
    DroppedRowsWarning,
    InputError,
    OneClassError,
    OptionError,
    RocwalkWarning,
    warn,
)
from rocwalk.inference.distributions import (
    above,
    check_level,
    holm,
    p_words,
    quantile,
)
from rocwalk.inference.fold_means import MEANS, FoldMean, deviation, fold_factor, fold_mean
from rocwalk.inference.items import Items
from rocwalk.inference.methods_words import (
    adjusted_words,
    by_size_words,
    level_words,
    number_words,
)
from rocwalk.inference.panel import samples_of
from rocwalk.methods import Methods
from rocwalk.read.arrays import Sample, as_array
from rocwalk.read.labels import missing_labels
from rocwalk.result import Result, estimated
from rocwalk.statistic import Statistic, statistic_of, words_of
from rocwalk.tally.tally import Tally
from rocwalk.typing import AnyArray, ArrayLike, IntArray, Invalid, Truth

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROPE = 0.01  # a difference that does not matter, unless another is named
# -- results ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FoldPair(Result):
    """The difference a − b of two models over the same folds.

    `t` is the corrected resampled one of Nadeau and Bengio, with `df` degrees of freedom;
    `adjusted_p_value` is Holm's over all pairs. The three probabilities are those of the posterior
    of the difference: below −rope, within ±rope, above rope. They add up to 1.
    """

    a: Any
    b: Any
    statistic: str
    difference: float
    low: float
    high: float
    standard_error: float
    t: float
    df: float
    p_value: float
    adjusted_p_value: float
    rope: float
    probability_below: float
    probability_equivalent: float
    probability_above: float
    confidence_level: float
    comparisons: int = 1

    @property
    def sentence(self) -> str:
        """The comparison in words, as a test and as a statement of probability."""
        chance = p_words(self.p_value)
        if self.comparisons > 1:
            chance = f"adjusted {p_words(self.adjusted_p_value)} (Holm, {self.comparisons} pairs)"
        if math.isnan(self.standard_error):
            return (
                f"{self.a} − {self.b}: {words_of(self.statistic)} is infinite or undefined in some "
                "fold, so there is no test."
            )
        if math.isnan(self.probability_above):
            return f"{self.a} − {self.b}: the folds show no spread, so there is no test."
        number = estimated(self.difference, self.low, self.high, self.confidence_level, "+.3f")
        return (
            f"{self.a} − {self.b}: difference in {words_of(self.statistic)} {number}, {chance}. "
            f"Probability that it is above {self.rope:g}: "
            f"{self.probability_above:.2f}, within ±{self.rope:g}: "
            f"{self.probability_equivalent:.2f}, below −{self.rope:g}: "
            f"{self.probability_below:.2f}."
        )

    def _headline(self) -> dict[str, Any]:
        return {
            name: getattr(self, name)
            for name in (
                "a", "b", "difference", "low", "high", "t", "df", "p_value", "adjusted_p_value",
                "probability_below", "probability_equivalent", "probability_above", "rope",
                "standard_error", "statistic",
            )
        }  # fmt: skip

    def __repr__(self) -> str:
        names = ("difference", "low", "high", "p_value", "adjusted_p_value")
        inside = ", ".join(f"{name}={getattr(self, name):.6g}" for name in names)
        return f"FoldPair(a={self.a!r}, b={self.b!r}, {inside})"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CrossValidation(Result):
    """Models over the folds of one or several cross-validations, and every pair of them."""

    statistic: str
    folds: int
    repeats: int
    models: tuple[FoldMean, ...]
    pairs: tuple[FoldPair, ...]
    confidence_level: float

    @property
    def sentence(self) -> str:
        """All models and pairs in words."""
        means = [model.sentence for model in self.models]
        return " ".join(means + [pair.sentence for pair in self.pairs])

    def methods(self) -> Methods:
        """Return how this was computed as a paragraph with citations; `.bibtex` has the entries."""
        level, words = level_words(self.confidence_level), number_words(self.statistic)
        again = "" if self.repeats == 1 else f", {self.repeats} times"
        by = by_size_words([MEANS[one.method] for one in self.models])
        said = (
            f"The {words} was computed in each of {self.folds} folds of a cross-validation{again}, "
            f"and averaged; the {level} confidence interval of the mean uses {by}."
        )
        made = [said, *adjusted_words(len(self.pairs))]
        if self.pairs:
            tested = "Models were compared by the corrected t-test of their differences over folds"
            made.insert(1, f"{tested} [@nadeau2003].")
        return Methods(tuple(made))

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the mean of each model with its interval, one row each.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.inference.plot import draw_forest

        level = f"{100 * self.confidence_level:g} %"
        words = f"{words_of(self.statistic)} over {self.folds} folds, {level} intervals"
        lines = [(str(one.name), one.estimate, one.low, one.high) for one in self.models]
        return draw_forest(lines, words, ax, **options)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, with the pairs and the value of every fold."""
        more = {
            "values": {str(one.name): one.values.tolist() for one in self.models},
            "pairs": [pair.to_dict() for pair in self.pairs],
        }
        return Result.to_dict(self) | more

    def _headline(self) -> dict[str, Any]:
        return {
            "statistic": self.statistic,
            "folds": self.folds,
            "repeats": self.repeats,
            "confidence_level": self.confidence_level,
        }

    def _columns(self) -> dict[str, AnyArray]:
        names = ("estimate", "low", "high", "standard_error", "method")
        columns = {name: np.array([getattr(one, name) for one in self.models]) for name in names}
        return {"model": np.array([str(one.name) for one in self.models]), **columns}


# -- the public function ---------------------------------------------------------------------------


def cross_validation(
    y_true: ArrayLike,
    scores: Any,
    fold: ArrayLike,
    *,
    repeat: ArrayLike = None,
    cluster: ArrayLike = None,
    statistic: Any = "auc",
    confidence_level: float = 0.95,
    rope: float = ROPE,
    threshold: float | None = None,
    max_fpr: float | None = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> CrossValidation:
    """Return a statistic over folds with its interval, and every two models compared.

    Parameters
    ----------
    y_true
        Labels or soft truth, row by row. With repeats, a row is listed once for each repeat.
    scores
        Out-of-fold scores: one column, or a dict from the name of each model to its column.
    fold
        The fold of each row. A fold that lacks a class is left out with a warning.
    repeat
        The repeat of each row, where the same items were split several times. A repeat adds no
        items: the interval has the mean of the variances of the repeats.
    cluster
        The unit that each row belongs to, such as a patient. Units should be whole in a fold: where
        one has rows in several, the fits have seen other rows of the units that they are tested on,
        which is a warning.
    statistic
        A name such as "auc" or "probabilistic_auc", or a function of a `Tally`.
    confidence_level
        Between 0 and 1.
    rope
        The region of practical equivalence: a difference of at most ±rope does not matter.
    threshold
        For rates such as "sensitivity": the score from which an item is predicted positive.
    max_fpr
        For "partial_auc": the false positive rate up to which the area is taken.
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    Returns
    -------
    CrossValidation
        `.models`, each with `.estimate` (the mean over folds), `.low`, `.high`, `.values`;
        `.pairs`, each with `.difference .low .high .t .df .p_value .adjusted_p_value` and
        `.probability_below .probability_equivalent .probability_above`.

    The interval of a mean AUC is by influence curves (`.method` "influence"): with Â_v the area of
    fold v, V⁺ the share of the fold's negatives below a positive and V⁻ the share of its positives
    above a negative, item i of fold v has IC = (V⁺ − Â_v)/π̂ if positive, (V⁻ − Â_v)/(1 − π̂) if
    negative, and the variance is the mean of IC² over n. That is cvAUC's; here IC² of hard labels
    is multiplied by m/(m − 1) for m items of the class in the fold (the only item of its class in
    a fold is measured against the mean of all folds, since it shows no spread there), Student's
    quantile with Welch's degrees of freedom is taken, and numbers in [0, 1] have their limits on
    the logit scale. Areas of few hard labels have the union with Newcombe's interval
    ("influence-newcombe"), which `rocwalk.interval` describes. Other statistics with an influence
    function of each class likewise; all others by the spread over folds ("nadeau-bengio", see
    `rocwalk.fold_band`). With clusters the variance is that of a jackknife, which leaves out one
    cluster at a time in its fold ("jackknife"), with k less than the effective number of clusters
    as degrees of freedom for k folds. Where a fold has a class in one cluster only, such as a fold
    for each hospital, it is the spread over folds.

    Pairs are compared by the corrected resampled t-test over k folds and r repeats,
    t = d̄/√{(1/(kr) + 1/(k − 1))·s²} with kr − 1 degrees of freedom. The posterior of the difference
    is Student's with the same centre, scale and degrees of freedom.

    References
    ----------
    LeDell, Petersen & van der Laan (2015), Computationally efficient confidence intervals for
    cross-validated area under the ROC curve estimates; Nadeau & Bengio (2003), Inference for the
    generalization error; Benavoli, Corani, Demšar & Zaffalon (2017), Time for a change: a tutorial
    for comparing multiple classifiers through Bayesian analysis.

    Examples
    --------
    >>> import rocwalk as rw
    >>> y = [1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0]
    >>> s = [0.9, 0.1, 0.4, 0.6, 0.8, 0.3, 0.7, 0.2, 0.3, 0.6, 0.9, 0.4]
    >>> found = rw.cross_validation(y, s, fold=[1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3])
    >>> found.models[0]
    FoldMean(name='model', statistic='auc', estimate=0.75, low=0.132348, high=0.983334, \
standard_error=0.204124, method='influence-newcombe', folds=3)
    """
    asked = statistic_of(statistic, threshold=threshold, max_fpr=max_fpr)
    level, wide = check_level(confidence_level), check_rope(rope)
    columns = scores if isinstance(scores, Mapping) else {"model": scores}
    samples = samples_of(
        y_true,
        columns,
        sample_weight=sample_weight,
        pos_label=pos_label,
        truth=truth,
        invalid=invalid,
        probabilities=asked.needs_probabilities,
    )
    first = samples[0]
    split = _Split.of(first, fold, repeat)
    tallies = {
        name: [sample.take(rows).tally() for rows in split.rows]
        for name, sample in zip(columns, samples, strict=True)
    }
    clusters = None
    if cluster is not None:
        codes = _codes(first, "cluster", cluster)
        warn_of_parted([codes[rows] for rows in split.rows], split.repeats)
        clusters = {
            name: [_clustered(sample, rows, codes) for rows in split.rows]
            for name, sample in zip(columns, samples, strict=True)
        }
    return cross_validation_of(asked, tallies, level, wide, split.repeats, clusters)


def _clustered(sample: Sample, rows: IntArray, codes: IntArray) -> Items:
    """Return some rows of a sample as items of clusters."""
    weights = None if sample.weights is None else sample.weights[rows]
    return Items.from_truth(sample.truth[rows], weights, sample.scores[rows], codes[rows])


def warn_of_parted(folds: Sequence[IntArray], repeats: int) -> None:
    """Warn if clusters have rows in several folds of a repeat; the codes of each fold's rows."""
    words = parted_words(folds[: len(folds) // repeats])
    if words is not None:
        warn(RocwalkWarning(words, "keep the rows of a cluster in one fold, as GroupKFold does."))


def parted_words(folds: Sequence[IntArray]) -> str | None:
    """Return that clusters have rows in several folds, if they do; the codes of each fold's rows.

    >>> parted_words([np.array([0, 0, 1]), np.array([2, 3])]) is None
    True
    """
    places = np.concatenate([np.unique(codes) for codes in folds])
    parted = int(np.count_nonzero(np.bincount(places) > 1))
    if not parted:
        return None
    have = "cluster has" if parted == 1 else "clusters have"
    return (
        f"{parted:,} {have} rows in several folds: unless these are repeats, fits have seen rows "
        "of the clusters that they are tested on, and the numbers are too good."
    )


def check_rope(rope: float) -> float:
    """Return the region of practical equivalence as a number, or raise."""
    if not 0 <= as_number("rope", rope) < math.inf:
        raise OptionError(
            "is not a finite number of 0 or more.",
            "it is the largest difference that does not matter, such as 0.01.",
            option="rope",
            value=rope,
        )
    return float(rope)


def cross_validation_of(
    asked: Statistic,
    tallies: Mapping[Any, Sequence[Tally]],
    level: float,
    rope: float,
    repeats: int,
    clusters: Mapping[Any, Sequence[Items]] | None = None,
) -> CrossValidation:
    """Return a statistic over folds from the tallies of each model, in the same order of folds."""
    models = [
        fold_mean(
            name,
            asked,
            parts,
            level,
            repeats=repeats,
            clusters=None if clusters is None else clusters[name],
        )
        for name, parts in tallies.items()
    ]
    places = list(combinations(range(len(models)), 2))
    widest = asked.range[1] - asked.range[0]
    pairs = [_pair(models[a], models[b], level, rope, repeats, widest) for a, b in places]
    adjusted = holm([pair.p_value for pair in pairs]) if pairs else []
    return CrossValidation(
        statistic=asked.name,
        folds=len(models[0].values),
        repeats=repeats,
        models=tuple(models),
        pairs=tuple(
            replace(pair, adjusted_p_value=p, comparisons=len(pairs))
            for pair, p in zip(pairs, adjusted, strict=True)
        ),
        confidence_level=level,
    )


@dataclass(frozen=True, eq=False)
class _Split:
    """The rows of each fold that has both classes, and the number of repeats."""

    rows: list[IntArray]
    repeats: int

    @classmethod
    def of(cls, sample: Sample, fold: ArrayLike, repeat: ArrayLike) -> _Split:
        """Return the split; folds of different repeats are different folds."""
        folds = _codes(sample, "fold", fold)
        turns = np.zeros_like(folds) if repeat is None else _codes(sample, "repeat", repeat)
        repeats = int(turns.max()) + 1
        parts = turns * (int(folds.max()) + 1) + folds
        rows = [np.flatnonzero(parts == part) for part in np.unique(parts)]
        both = [each for each in rows if 0 < sample.truth[each].mean() < 1]
        if len(both) < 2:
            raise OneClassError(
                f"Folds with items of both classes: {len(both)} of {len(rows)}.",
                "a cross-validation needs two folds or more with both classes.",
            )
        if len(both) < len(rows):
            lost = np.concatenate([each for each in rows if not 0 < sample.truth[each].mean() < 1])
            why = "their fold has items of one class only"
            warn(DroppedRowsWarning(len(folds), lost.tolist(), because=why, scope=""))
        if len(both) % repeats:
            raise InputError(
                f"{len(both)} folds do not divide into {repeats} repeats of as many folds each.",
                "every repeat needs the same number of folds, each with both classes.",
            )
        return cls(both, repeats)


def _codes(sample: Sample, name: str, column: ArrayLike) -> IntArray:
    """Return a column that names groups as numbers from 0, for the rows that are left."""
    given = as_array(column, name)
    if len(given) != sample.length:
        raise InputError(
            f"The lengths differ: {name} has {len(given):,} rows, y_true {sample.length:,}.",
            f"name the {name} of every row.",
        )
    kept = given if sample.rows is None else given[sample.rows]
    lost = np.flatnonzero(missing_labels(kept))
    if len(lost):
        row = lost[0] if sample.rows is None else sample.rows[lost[0]]
        hint = f"name the {name} of every row, or leave such rows out first."
        raise InputError("is missing (NaN or null).", hint, argument=name, row=int(row))
    return np.unique(kept.astype(str), return_inverse=True)[1].reshape(-1).astype(np.int64)


def _pair(
    one: FoldMean, other: FoldMean, level: float, rope: float, repeats: int, widest: float
) -> FoldPair:
    """Return the corrected resampled t-test of two models, and the posterior of the difference."""
    with np.errstate(invalid="ignore"):  # infinite in both models
        apart = one.values - other.values
        difference, df = float(apart.mean()), len(apart) - 1.0
    error = fold_factor(len(apart), repeats) * deviation(apart)
    reach = math.nan if math.isnan(error) else 0.0
    if error > 0:
        reach = quantile(0.5 + level / 2, df) * error
        below, over = above((difference + rope) / error, df), above((rope - difference) / error, df)
        t, p_value = difference / error, 2 * above(abs(difference) / error, df)
    elif difference == 0:
        t, p_value, below, over = 0.0, 1.0, math.nan, math.nan
    else:
        t, p_value, below, over = math.nan, math.nan, math.nan, math.nan
    return FoldPair(
        a=one.name,
        b=other.name,
        statistic=one.statistic,
        difference=difference,
        low=float(np.maximum(difference - reach, -widest)),
        high=float(np.minimum(difference + reach, widest)),
        standard_error=error,
        t=t,
        df=df,
        p_value=p_value,
        adjusted_p_value=p_value,
        rope=rope,
        probability_below=below,
        probability_equivalent=1 - below - over,
        probability_above=over,
        confidence_level=level,
    )
