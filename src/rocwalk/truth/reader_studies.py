"""Reader studies: several readers rate the same cases with several tests (MRMC).

Every reader rates every case with every test. The covariance of the numbers over cases is
`rocwalk.truth.reader_covariance`, the analysis of Obuchowski & Rockette with the degrees of freedom
of Hillis is `rocwalk.truth.obuchowski_rockette`, the power of a future study
`rocwalk.truth.reader_power`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from rocwalk.checks import one_of
from rocwalk.curves.averages import AveragedCurve, average
from rocwalk.curves.roc import Curve, curve_of
from rocwalk.errors import (
    InputError,
    Option,
    OptionError,
    ScoreError,
    UndefinedMetricWarning,
    collecting,
    lacking,
    warn,
)
from rocwalk.inference.comparisons import Pair, adjusted_pairs
from rocwalk.inference.differences import difference_of
from rocwalk.inference.distributions import p_words
from rocwalk.inference.items import Evidence, check_statistic, refuse_few
from rocwalk.inference.methods_words import adjusted_words, level_words, number_words
from rocwalk.inference.panel import panel_of
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
from rocwalk.truth.obuchowski_rockette import (
    METHOD,
    ReaderComponents,
    ReaderMean,
    components_of,
    error_of,
    global_test,
    mean_of,
    of_test,
)
from rocwalk.truth.rater_models import several
from rocwalk.truth.reader_covariance import covariance_of
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
        """Draw the curve of every reader thinly and the mean of each test.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
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
        For files of separated text: the decimal separator ("." or ","), and the thousands
        separator (``,`` ``.`` ``_`` ``'`` or a space), if there is one.
    separator, encoding
        For files of separated text: the separator of values, by default found from the first lines,
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
    0 − 1: difference in AUC −0.173, 95 % interval −0.253 to −0.093, p = 0.0046 \
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
            "Readers and cases cannot both be fixed: no source of sampling error would remain.",
            ("leave ", Option("readers", "random"), " or ", Option("cases", "random"), "."),
        )
    with lacking("fpr", "tpr", "rate"):
        asked = statistic_of(
            statistic, threshold=threshold, max_fpr=max_fpr, standardized=standardized
        )
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
    cells = np.ndindex(ratings.values.shape[:2])
    panel = panel_of(  # of each test and reader, test by test
        {(i, j): check(ratings.positive, ratings.values[i, j], with_advice=False) for i, j in cells}
    )
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
    _refuse_undefined(ratings, statistic, variances, "is undefined without one of the cases")
    components = components_of(areas, matrix)
    error, df = error_of(components, *shape, readers=readers, cases=cases)
    f, p_value = global_test(components.ms_test, error, shape[0] - 1, df)
    if math.isnan(f):
        words = "The estimated error is 0, so F, p and intervals are not defined."
        warn(
            UndefinedMetricWarning(words, "check that no reader's ratings are a copy of another's.")
        )
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
        found.append(difference_of(request, METHOD, gap, spread, df=df, **undefined))
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
            mean_of(
                ratings.tests[i],
                areas[i],
                of_test(matrix, i, shape[1]),
                request,
                readers=readers,
                cases=cases,
            )
            for i in range(shape[0])
        ),
        differences=adjusted_pairs(ratings.tests, found),
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
            "constant ratings have no sampling error; leave the reader out, and report it.",
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
            "take another statistic or threshold, or leave the reader out, and report it.",
        )
