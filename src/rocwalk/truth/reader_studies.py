"""Reader studies: several readers rate the same cases with several tests (MRMC).

The analysis of Obuchowski & Rockette with the degrees of freedom of Hillis. θ_ij is the AUC, or
another statistic, of test i and reader j; S is the covariance of the θ_ij over cases. Its averages

    Var (the diagonal), Cov1 (same reader, other test), Cov2 (same test, other reader),
    Cov3 (other test and other reader)

and the mean squares of a two-way table of t tests and r readers

    MS(T) = r·Σ(θ_i· − θ··)²/(t − 1),  MS(TR) = ΣΣ(θ_ij − θ_i· − θ_·j + θ··)²/((t − 1)(r − 1))

give one test of equal tests, the mean of each test and the difference of every pair of them.

References
----------
Obuchowski, Rockette (1995). Hypothesis testing of diagnostic accuracy for multiple readers and
multiple tests: an ANOVA approach with dependent observations. Communications in Statistics -
Simulation and Computation 24, 285-308.
Hillis (2007). A comparison of denominator degrees of freedom methods for multiple observer ROC
analysis. Statistics in Medicine 26, 596-619.
Gallas, Bandos, Samuelson, Wagner (2009). A framework for random-effects ROC analysis: biases with
the bootstrap and other variance estimators. Communications in Statistics - Theory and Methods 38,
2586-2603.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from rocwalk.curves.averages import AveragedCurve, average
from rocwalk.curves.roc import Curve, curve_of
from rocwalk.errors import (
    InputError,
    Option,
    OptionError,
    ScoreError,
    UndefinedMetricWarning,
    collecting,
    one_of,
    warn,
)
from rocwalk.inference.comparisons import Pair
from rocwalk.inference.differences import difference_of, fields_of
from rocwalk.inference.distributions import NOISE, chi_squared_above, holm, p_words, quantile
from rocwalk.inference.interval_result import Interval
from rocwalk.inference.items import Evidence, check_statistic, refuse_few
from rocwalk.inference.methods_words import adjusted_words, level_words, number_words
from rocwalk.inference.panel import Panel, jackknife_parts, panel_of, parts_of, psi_of
from rocwalk.inference.request import Request
from rocwalk.inference.resampling import Plan
from rocwalk.methods import Methods
from rocwalk.read.arrays import check
from rocwalk.read.frames import Name
from rocwalk.read.opening import opened
from rocwalk.read.ratings import Ratings, read_ratings
from rocwalk.read.text import TextFormat
from rocwalk.result import Result, plain_value
from rocwalk.statistic import Statistic, statistic_of, value_of, words_of
from rocwalk.tally.tally import Tally, read_only
from rocwalk.truth.rater_models import several
from rocwalk.truth.reader_power import ReaderPower, power_of, size_of
from rocwalk.typing import (
    AnyArray,
    ArrayLike,
    Decimal,
    Effect,
    FloatArray,
    ReaderCovariance,
    Thousands,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

METHOD = "obuchowski-rockette"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReaderComponents(Result):
    """The components of variance of a reader study.

    Attributes
    ----------
    var, cov1, cov2, cov3
        Averages of the covariance over cases: of a reader and test with itself, of the same reader
        and two tests, of the same test and two readers, and where both differ.
    ms_test, ms_test_reader
        The mean squares of tests, and of tests by readers.
    """

    var: float
    cov1: float
    cov2: float
    cov3: float
    ms_test: float
    ms_test_reader: float

    @property
    def readers_apart(self) -> float:
        """max(Cov2 − Cov3, 0): what readers share of a test beyond what they share of the cases."""
        return max(self.cov2 - self.cov3, 0.0)

    def _headline(self) -> dict[str, Any]:
        names = ("var", "cov1", "cov2", "cov3", "ms_test", "ms_test_reader")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReaderMean(Interval):
    """The mean of a test over readers, with its interval; `df` is None for the normal's."""

    test: Any
    df: float | None = None

    @property
    def sentence(self) -> str:
        """The mean in words."""
        return f"{self.test}: mean {Interval.sentence.fget(self)}"  # type: ignore[attr-defined]

    def _headline(self) -> dict[str, Any]:
        return {"test": self.test, **Interval._headline(self), "df": self.df}  # noqa: SLF001


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ReaderStudy(Result):
    """A reader study, analysed; make one with `rocwalk.reader_study`.

    Attributes
    ----------
    statistic
        The name of the number that is analysed, "auc" by default.
    tests, readers
        Their names, in the order in which they first appear in the data.
    areas
        θ_ij: the statistic of each test (rows) and reader (columns).
    covariance
        How the covariance was estimated: "delong", "jackknife" or "unbiased".
    matrix
        S, the covariance of the θ_ij over cases; test by test, and reader by reader within it.
    components
        Averages of S, and mean squares: `.var .cov1 .cov2 .cov3 .ms_test .ms_test_reader`.
    random_readers, random_cases
        Whether conclusions are about all readers, and all cases, like these.
    f, df, p_value
        The test of equal tests: F, its degrees of freedom (of tests, of error; the latter infinite
        for fixed readers, where (t − 1)·F is χ²), and its p-value.
    means
        For each test its mean over readers: `.test .estimate .low .high .standard_error .df`.
    differences
        For each pair of tests: `.a .b .difference .low .high .p_value .adjusted_p_value .df`.
    n_positives, n_negatives
        The numbers of cases.
    """

    statistic: str
    tests: tuple[Any, ...]
    readers: tuple[Any, ...]
    areas: FloatArray
    covariance: str
    matrix: FloatArray
    components: ReaderComponents
    random_readers: bool
    random_cases: bool
    f: float
    df: tuple[float, float]
    p_value: float
    means: tuple[ReaderMean, ...]
    differences: tuple[Pair, ...]
    n_positives: int
    n_negatives: int
    confidence_level: float
    tallies: tuple[tuple[Tally, ...], ...]

    def __post_init__(self) -> None:
        for name in ("areas", "matrix"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    @cached_property
    def curves(self) -> dict[Any, dict[Any, Curve]]:
        """The ROC curve of each test and reader: ``study.curves[test][reader]``."""
        return {
            test: {
                reader: curve_of(tally) for reader, tally in zip(self.readers, of_test, strict=True)
            }
            for test, of_test in zip(self.tests, self.tallies, strict=True)
        }

    @cached_property
    def mean_curves(self) -> dict[Any, AveragedCurve]:
        """The vertical mean of the readers' curves, by test; its area is the mean of the areas."""
        return {test: average(curves) for test, curves in self.curves.items()}

    @property
    def sentence(self) -> str:
        """The study in words."""
        noun = words_of(self.statistic)
        means = ", ".join(f"{mean.estimate:.3f} ({mean.test})" for mean in self.means)
        who = "random" if self.random_readers else "fixed"
        what = "random" if self.random_cases else "fixed"
        size = (
            f"{several(len(self.readers), 'reader')}, {several(len(self.tests), 'test')}, "
            f"{self.n_positives:,} positive and {self.n_negatives:,} negative cases"
        )
        how = f"{who} readers, {what} cases, {self.covariance} covariance"
        if math.isnan(self.f):
            return f"{size}: mean {noun} {means}; the test of equal tests is undefined ({how})."
        second = "∞" if math.isinf(self.df[1]) else f"{self.df[1]:.1f}"
        said = (
            f"{size}: mean {noun} {means}; F = {self.f:.3f} with {self.df[0]:g} and {second} "
            f"degrees of freedom, {p_words(self.p_value)} for equal tests ({how})."
        )
        if self.p_value < 1 - self.confidence_level:
            return said
        return f"{said} Chance could have made this difference; that does not make the tests equal."

    def power(
        self,
        difference: float,
        *,
        readers: int | None = None,
        cases: int | None = None,
        alpha: float = 0.05,
    ) -> ReaderPower:
        """Return the power of a future study like this one, with other numbers.

        Parameters
        ----------
        difference
            The difference between the means of two tests that is to be found; further tests lie
            midway between these two.
        readers, cases
            The numbers of readers and of cases of the future study, by default those of this one.
            The share of positive cases stays the same.
        alpha
            The level of the test of equal tests.

        With c/c′ the ratio of old to new cases, σ² = max(0, MS(TR) − (Var − Cov1 − k)) and
        k = max(Cov2 − Cov3, 0), the error is B = σ² + (c/c′)·[Var − Cov1 + (r′ − 1)·k], F has the
        noncentrality r′·Σ(τ_i − τ̄)²/B, and the degrees of freedom of its error are
        B²/{[σ² + (c/c′)·(Var − Cov1 − k)]²/((t − 1)(r′ − 1))}. For random readers and cases.

        References
        ----------
        Hillis, Obuchowski & Berbaum (2011), Academic Radiology 18, 129-142.
        """
        return power_of(self, difference, readers=readers, cases=cases, alpha=alpha)

    def sample_size(
        self,
        difference: float,
        *,
        readers: int | None = None,
        power: float = 0.8,
        alpha: float = 0.05,
    ) -> ReaderPower:
        """Return the smallest number of cases with which a future study reaches a power.

        Parameters
        ----------
        difference
            The difference between the means of two tests that is to be found.
        readers
            The number of readers of the future study, by default that of this one.
        power
            The probability with which the difference is to be found.
        alpha
            The level of the test of equal tests.

        Readers who differ in how they use the tests limit the power: where no number of cases
        reaches it with so few readers, there is an error that says how many readers would.

        References
        ----------
        Hillis, Obuchowski & Berbaum (2011), Academic Radiology 18, 129-142.
        """
        return size_of(self, difference, readers=readers, power=power, alpha=alpha)

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the curve of every reader thinly and the mean of each test."""
        from rocwalk.truth.plot import draw_readers

        return draw_readers(self, ax, **options)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, with components, means, differences and the covariance."""
        more = {
            "components": self.components.to_dict(),
            "means": self.means,
            "differences": self.differences,
            "matrix": self.matrix,
        }
        return Result.to_dict(self) | {name: plain_value(value) for name, value in more.items()}

    def methods(self) -> Methods:
        """Return how this was computed as a paragraph with citations; `.bibtex` has the entries."""
        readers, cases = (
            "random" if one else "fixed" for one in (self.random_readers, self.random_cases)
        )
        by = {
            "delong": "DeLong's method [@delong1988]",
            "jackknife": "the jackknife [@tukey1958]",
            "unbiased": "the unbiased one-shot estimate [@gallas2009]",
        }[self.covariance]
        said = (
            f"The {number_words(self.statistic)} of {len(self.readers)} readers and "
            f"{len(self.tests)} tests was analysed by the method of Obuchowski and Rockette "
            f"[@obuchowski1995] with the degrees of freedom of Hillis [@hillis2007], for {readers} "
            f"readers and {cases} cases; the covariance over cases is by {by}. "
            f"Intervals have a level of {level_words(self.confidence_level)}."
        )
        return Methods((said, *adjusted_words(len(self.differences))))

    def _headline(self) -> dict[str, Any]:
        return {
            "statistic": self.statistic,
            "n_readers": len(self.readers),
            "n_tests": len(self.tests),
            "n_positives": self.n_positives,
            "n_negatives": self.n_negatives,
            "f": self.f,
            "df": self.df,
            "p_value": self.p_value,
            "random_readers": self.random_readers,
            "random_cases": self.random_cases,
            "covariance": self.covariance,
            "confidence_level": self.confidence_level,
        }

    def __repr__(self) -> str:
        numbers = (
            f"f={self.f:.6g}, df=({self.df[0]:g}, {self.df[1]:.6g}), p_value={self.p_value:.6g}"
        )
        return (
            f"ReaderStudy(statistic={self.statistic!r}, n_readers={len(self.readers)}, "
            f"n_tests={len(self.tests)}, n_cases={self.n_positives + self.n_negatives:,}, "
            f"{numbers}, covariance={self.covariance!r})"
        )

    def _columns(self) -> dict[str, AnyArray]:
        return {
            "test": np.repeat([str(name) for name in self.tests], len(self.readers)),
            "reader": np.tile([str(name) for name in self.readers], len(self.tests)),
            "value": self.areas.ravel(),
        }


def reader_study(
    data: ArrayLike,
    *,
    truth: Name,
    reader: Name,
    test: Name,
    case: Name,
    rating: Name,
    readers: Effect = "random",
    cases: Effect = "random",
    covariance: ReaderCovariance = "auto",
    statistic: Any = "auc",
    threshold: float | None = None,
    max_fpr: float | None = None,
    standardized: bool = False,
    confidence_level: float = 0.95,
    pos_label: Any = None,
    decimal: Decimal | None = None,
    thousands: Thousands | None = None,
    separator: str | None = None,
    encoding: str | None = None,
) -> ReaderStudy:
    """Compare tests that several readers have applied to the same cases (MRMC).

    Every reader rates every case with every test: a factorial design. What is not one is refused,
    with the reader, the test and the case that are missing or there twice. There are two readers,
    two tests, and two positive and two negative cases at least.

    Parameters
    ----------
    data
        A dataframe, a dict of columns, or the path of a file, with one row for each rating.
    truth, reader, test, case, rating
        Names of its columns. The truth of a case is hard, and the same in all of its rows; ratings
        are numbers, and higher means more positive.
    readers, cases
        "random": conclusions are about all readers, or cases, of which these are a sample. "fixed":
        they are about these readers, or cases, alone. Not both can be fixed.
    covariance
        Of the statistics over cases. "delong": DeLong's, by what each case adds to a statistic.
        "jackknife": from the statistics without each case in turn. "unbiased": A·B minus the
        unbiased estimate of E(A)·E(B), for the AUC. "auto": "delong" where the statistic has an
        influence function, as the AUC has, else "jackknife"; `.covariance` is the one used.
    statistic
        A name such as "auc", "partial_auc" with `max_fpr`, "sensitivity" and other rates with
        `threshold`, or a function of a `Tally`.
    threshold, max_fpr, standardized
        Parameters of the statistic: the rating from which a case is called positive; the false
        positive rate up to which the partial area is taken, and whether it is standardized by
        McClish.
    confidence_level
        Of the intervals of means and differences.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    decimal, thousands
        For files of separated text: the sign before decimals ("." or ","), and the sign between
        thousands (``,`` ``.`` ``_`` ``'`` or a space), if there is one.
    separator, encoding
        For files of separated text: the sign between values, by default found from the first lines,
        and the encoding, by default UTF-8, or UTF-16 with a byte-order mark.

    Returns
    -------
    ReaderStudy
        `.areas` (tests by readers), `.components`, `.f .df .p_value` of equal tests, `.means` of
        the tests and `.differences` of every pair with intervals; p-values of pairs are also
        adjusted by Holm. `.curves` and `.mean_curves`; `.power` and `.sample_size` of a future
        study.

    With t tests, r readers and k = max(Cov2 − Cov3, 0):

    * random readers and cases: F = MS(T)/E, E = MS(TR) + r·k, with t − 1 and
      E²/{MS(TR)²/((t − 1)(r − 1))} degrees of freedom; differences ± t·√(2E/r). The mean of test i
      has the variance {MS(R)ᵢ + max(r·Cov2ᵢ, 0)}/r and the degrees of freedom
      {MS(R)ᵢ + max(r·Cov2ᵢ, 0)}²/{MS(R)ᵢ²/(r − 1)}, from its own readers alone;
    * fixed readers: E = Var − Cov1 + (r − 1)·k, and (t − 1)·F is χ² with t − 1 degrees of freedom;
    * fixed cases: E = MS(TR), with (t − 1)(r − 1) degrees of freedom.

    A reader who gives every case the same rating with a test ranks nothing, and is refused by name.
    Where the error is 0, F and p are NaN with a warning.

    References
    ----------
    Obuchowski & Rockette (1995), Communications in Statistics - Simulation and Computation 24,
    285-308; Hillis (2007), Statistics in Medicine 26, 596-619; DeLong, DeLong, Clarke-Pearson
    (1988); Gallas et al. (2009) for the unbiased covariance.

    Examples
    --------
    >>> import numpy as np
    >>> import rocwalk as rw
    >>> rng = np.random.default_rng(1)
    >>> case, reader, test = (axis.ravel() for axis in np.mgrid[:60, :4, :2])
    >>> truth = case % 2
    >>> shared, own = rng.normal(size=60), rng.normal(size=case.size)
    >>> rating = truth * (1 + 0.8 * test) + shared[case] + own
    >>> table = {"y": truth, "who": reader, "how": test, "case": case, "rating": rating}
    >>> study = rw.reader_study(
    ...     table, truth="y", reader="who", test="how", case="case", rating="rating"
    ... )
    >>> study.areas.round(3)
    array([[0.657, 0.696, 0.669, 0.666],
           [0.884, 0.819, 0.801, 0.874]])
    >>> print(study.differences[0].sentence)
    0 − 1: difference in AUC -0.173, 95 % interval -0.253 to -0.093, p = 0.0046 \
(obuchowski-rockette).

    Measured: of 2,000 studies simulated after Roe & Metz (5 readers, 50 + 50 cases, two tests
    alike), "delong" finds a difference at the 5 % level in 3.9 %, "jackknife" in 4.3 % and
    "unbiased" in 4.9 % (docs/coverage.json).
    """
    one_of("readers", readers, get_args(Effect))
    one_of("cases", cases, get_args(Effect))
    one_of("covariance", covariance, get_args(ReaderCovariance))
    if readers == cases == "fixed":
        raise OptionError(
            "Readers and cases cannot both be fixed: nothing would be left to chance.",
            ("leave ", Option("readers", "random"), " or ", Option("cases", "random"), "."),
        )
    asked = statistic_of(statistic, threshold=threshold, max_fpr=max_fpr, standardized=standardized)
    request = Request(asked, confidence_level, METHOD, Plan(1))
    form = TextFormat(decimal=decimal, thousands=thousands, separator=separator, encoding=encoding)
    with opened(data, form) as known:
        ratings = read_ratings(
            known,
            truth=truth,
            reader=reader,
            test=test,
            case=case,
            rating=rating,
            pos_label=pos_label,
        )
    return study_of(ratings, request, covariance, readers=readers, cases=cases)


def study_of(
    ratings: Ratings, request: Request, covariance: str, *, readers: str, cases: str
) -> ReaderStudy:
    """Return the analysis of complete ratings."""
    _refuse_small(ratings)
    statistic = request.statistic
    panel = _panel(ratings)
    refuse_few(Evidence(panel.models[0].tally))
    for model in panel.models:
        check_statistic(statistic, model.tally)
    if covariance == "auto":
        covariance = "jackknife" if statistic.influence is None else "delong"
    shape = len(ratings.tests), len(ratings.readers)
    with collecting(UndefinedMetricWarning):  # what is undefined is refused by name
        areas = np.reshape([value_of(statistic, model.tally) for model in panel.models], shape)
        _refuse_undefined(ratings, statistic, areas, "is undefined")
        matrix = covariance_of(panel, statistic, covariance)
    variances = np.diag(matrix).reshape(shape)
    _refuse_undefined(ratings, statistic, variances, "is undefined without some case")
    components = components_of(areas, matrix)
    error, df = error_of(components, *shape, readers=readers, cases=cases)
    f, p_value = global_test(components.ms_test, error, shape[0] - 1, df)
    if math.isnan(f):
        words = "The readers show no error at all, so F, p and intervals are not defined."
        warn(UndefinedMetricWarning(words, "check that ratings of readers are not copies."))
    means = areas.mean(axis=1)
    found = []
    for a, b in combinations(range(shape[0]), 2):
        spread = math.sqrt(2 * error / shape[1])
        undefined: dict[str, Any] = (
            {"limits": (math.nan, math.nan), "z": math.nan, "p_value": math.nan}
            if math.isnan(f)
            else {}
        )
        gap = float(means[a] - means[b])
        found.append((a, b, difference_of(request, METHOD, gap, spread, df=df, **undefined)))
    adjusted = holm([each.p_value for *_, each in found])
    tallies = [model.tally for model in panel.models]
    return ReaderStudy(
        statistic=statistic.name,
        tests=ratings.tests,
        readers=ratings.readers,
        areas=areas,
        covariance=covariance,
        matrix=matrix,
        components=components,
        random_readers=readers == "random",
        random_cases=cases == "random",
        f=f,
        df=(shape[0] - 1.0, math.inf if df is None else df),
        p_value=p_value,
        means=tuple(
            _mean(
                ratings.tests[i],
                areas[i],
                _of_test(matrix, i, shape[1]),
                request,
                readers=readers,
                cases=cases,
            )
            for i in range(shape[0])
        ),
        differences=tuple(
            Pair(
                a=ratings.tests[a],
                b=ratings.tests[b],
                adjusted_p_value=p,
                comparisons=len(found),
                **fields_of(each),
            )
            for (a, b, each), p in zip(found, adjusted, strict=True)
        ),
        n_positives=int(ratings.positive.sum()),
        n_negatives=int((~ratings.positive).sum()),
        confidence_level=float(request.level),
        tallies=tuple(tuple(tallies[i * shape[1] : (i + 1) * shape[1]]) for i in range(shape[0])),
    )


def _refuse_small(ratings: Ratings) -> None:
    """Raise if there is one reader or one test, or a reader who gives one rating throughout."""
    if len(ratings.readers) < 2:
        raise InputError(
            f"There is one reader only, {ratings.readers[0]!r}.",
            "a reader study needs two readers at least; the tests of one reader are models on the "
            "same rows, see rocwalk.compare.",
        )
    if len(ratings.tests) < 2:
        raise InputError(
            f"There is one test only, {ratings.tests[0]!r}.",
            "a reader study compares two tests at least.",
        )
    constant = np.argwhere(np.ptp(ratings.values, axis=2) == 0)
    if len(constant):
        test, reader = constant[0]
        raise ScoreError(
            f"Reader {ratings.readers[reader]!r} gives all cases the same rating, "
            f"{ratings.values[test, reader, 0]:g}, with test {ratings.tests[test]!r}.",
            "such ratings rank nothing and have no error; leave the reader out, and say so.",
        )


def _refuse_undefined(
    ratings: Ratings, statistic: Statistic, numbers: FloatArray, words: str
) -> None:
    """Raise if a number of the statistic does not exist for a reader and test."""
    found = np.argwhere(~np.isfinite(numbers))
    if len(found):
        test, reader = found[0]
        raise InputError(
            f"{statistic.title or statistic.name} of reader {ratings.readers[reader]!r} with "
            f"test {ratings.tests[test]!r} {words}.",
            "take another statistic or threshold, or leave the reader out, and say so.",
        )


def _panel(ratings: Ratings) -> Panel:
    """Return the ratings of each test and reader as the models of a panel, test by test."""
    cells = np.ndindex(ratings.values.shape[:2])
    return panel_of(
        {(i, j): check(ratings.positive, ratings.values[i, j], with_advice=False) for i, j in cells}
    )


# -- covariance over cases -------------------------------------------------------------------------


def covariance_of(panel: Panel, statistic: Statistic, method: str) -> FloatArray:
    """Return the covariance of the statistics of all models over cases."""
    if method == "unbiased":
        if not statistic.is_area:
            raise OptionError(
                "is for the AUC.",
                ("use ", Option("covariance", "jackknife"), "."),
                option="covariance",
                value=method,
            )
        return unbiased_covariance(panel)
    if method == "delong":
        if statistic.influence is None:
            raise OptionError(
                f"needs what each case adds to a number, which {statistic.name} does not say.",
                ("use ", Option("covariance", "jackknife"), "."),
                option="covariance",
                value=method,
            )
        parts = parts_of(panel, psi_of(panel, statistic.influence)[1])
        return np.asarray(np.sum([part.covariance for part in parts], axis=0))
    if statistic.is_area and statistic.influence is not None:  # exact for areas, not for ratios
        (part,) = jackknife_parts(panel, statistic.influence)
        return part.covariance
    without = _without_each_case(panel, statistic)
    centred = without - without.mean(axis=1, keepdims=True)
    matrix: FloatArray = (1 - 1 / len(panel)) * (centred @ centred.T)
    return matrix


def _without_each_case(panel: Panel, statistic: Statistic) -> FloatArray:
    """Return the statistic of each model (rows) without each case in turn.

    Cases of one class and one rating of a model leave the same tally, so it is made once.
    """
    values = np.empty((len(panel.models), len(panel)))
    for k, model in enumerate(panel.models):
        tally = model.tally
        row = np.empty(len(panel), dtype=np.int64)
        row[model.order] = model.by_item(np.arange(len(tally)))
        for positive in (True, False):
            mass = tally.up if positive else tally.right
            for place in np.flatnonzero(mass):
                less = mass.copy()
                less[place] -= 1
                up, right = (less, tally.right) if positive else (tally.up, less)
                kept = (up > 0) | (right > 0)
                left = Tally(tally.scores[kept], up[kept], right[kept])
                there = (row == place) & (panel.positive == positive)
                values[k, there] = value_of(statistic, left)
    return values


_BLOCK = 2**22  # numbers of a block of pairs


def unbiased_covariance(panel: Panel) -> FloatArray:
    """Return A·B − M for every two areas, M the unbiased estimate of E(A)·E(B).

    With ψ_ij and φ_ij what the pair of positive i and negative j adds to each area, M is the mean
    of ψ_ij·φ_kl over i ≠ k, j ≠ l: from the sums over all, over a positive, over a negative, and
    over a pair.
    """
    positive = np.flatnonzero(panel.positive)
    negative = np.flatnonzero(~panel.positive)
    scores = np.stack([model.scores for model in panel.models])
    n, m, size = len(positive), len(negative), len(scores)
    same = np.zeros((size, size))  # Σ ψφ over pairs
    by_positive, by_negative = np.zeros((size, n)), np.zeros((size, m))
    step = max(_BLOCK // (size * m), 1)
    below = scores[:, None, negative]
    for start in range(0, n, step):
        block = slice(start, start + step)
        above = scores[:, positive[block], None]
        pairs = (above > below) + 0.5 * (above == below)
        flat = pairs.reshape(size, -1)
        same += flat @ flat.T
        by_positive[:, block] = pairs.sum(axis=2)
        by_negative += pairs.sum(axis=1)
    total = by_positive.sum(axis=1)
    other = np.outer(total, total) + same
    other -= by_positive @ by_positive.T + by_negative @ by_negative.T
    matrix: FloatArray = np.outer(total, total) / (n * m) ** 2
    matrix -= other / (n * (n - 1) * m * (m - 1))
    return matrix


# -- Obuchowski & Rockette's analysis --------------------------------------------------------------


def components_of(areas: FloatArray, matrix: FloatArray) -> ReaderComponents:
    """Return the averages of the covariance, and the mean squares of tests and of tests by readers.

    `areas` has one row a test and one column a reader; `matrix` has the same order, row by row.
    """
    tests, readers = areas.shape
    test, reader = (axis.ravel() for axis in np.indices(areas.shape))
    same_test, same_reader = test[:, None] == test, reader[:, None] == reader
    of_test, of_reader = areas.mean(axis=1), areas.mean(axis=0)
    rest = areas - of_test[:, None] - of_reader + areas.mean()
    return ReaderComponents(
        var=float(matrix[same_test & same_reader].mean()),
        cov1=float(matrix[~same_test & same_reader].mean()),
        cov2=float(matrix[same_test & ~same_reader].mean()),
        cov3=float(matrix[~same_test & ~same_reader].mean()),
        ms_test=float(readers * ((of_test - areas.mean()) ** 2).sum() / (tests - 1)),
        ms_test_reader=float((rest**2).sum() / ((tests - 1) * (readers - 1))),
    )


def error_of(
    components: ReaderComponents, tests: int, r: int, *, readers: str, cases: str
) -> tuple[float, float | None]:
    """Return the error of tests E, the denominator of F, and its degrees of freedom (Hillis 2007).

    None is infinite.
    """
    freedom = float((tests - 1) * (r - 1))
    apart = components.readers_apart
    if readers == "fixed":
        return components.var - components.cov1 + (r - 1) * apart, None
    if cases == "fixed":
        return components.ms_test_reader, freedom
    error = components.ms_test_reader + r * apart
    if components.ms_test_reader <= NOISE * error:
        return error, None
    return error, error**2 / (components.ms_test_reader**2 / freedom)


def global_test(
    ms_test: float, error: float, df_test: int, df: float | None
) -> tuple[float, float]:
    """Return F = MS(T)/E and its p-value; NaN where the error is 0."""
    if not error > NOISE**2:
        return math.nan, math.nan
    f = ms_test / error
    return f, chi_squared_above(df_test * f, df_test, df)


def _of_test(matrix: FloatArray, i: int, readers: int) -> FloatArray:
    """Return the covariance of the readers of one test."""
    place = slice(i * readers, (i + 1) * readers)
    return matrix[place, place]


def _mean(
    test: Any,
    areas: FloatArray,
    matrix: FloatArray,
    request: Request,
    *,
    readers: str,
    cases: str,
) -> ReaderMean:
    """Return the mean of one test over its readers, with its interval."""
    r = len(areas)
    var = float(np.trace(matrix)) / r
    cov2 = max((float(matrix.sum()) - r * var) / (r * (r - 1)), 0.0)
    ms_reader = float(areas.var(ddof=1))
    df: float | None
    if readers == "fixed":
        square, df = (var + (r - 1) * cov2) / r, None
    elif cases == "fixed":
        square, df = ms_reader / r, r - 1.0
    else:
        both = ms_reader + r * cov2
        square, df = both / r, None
        if ms_reader > NOISE * both:
            df = both**2 / (ms_reader**2 / (r - 1))
    error, mean = math.sqrt(max(square, 0.0)), float(areas.mean())
    reach = quantile(request.tails[1], df) * error if error > NOISE else math.nan
    lowest, highest = request.statistic.range
    return ReaderMean(
        test=test,
        statistic=request.statistic.name,
        estimate=mean,
        low=min(max(mean - reach, lowest), highest),
        high=max(min(mean + reach, highest), lowest),
        standard_error=error,
        method=METHOD,
        confidence_level=float(request.level),
        df=df,
    )
