"""`rocwalk readers`: tests that several readers applied to the same cases."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import click

from rocwalk.cli.asking import FORM, at_hand, options_given
from rocwalk.cli.notes import (
    COMMAND_LINE,
    STANDARD_INPUT,
    naming_options,
)
from rocwalk.cli.options import (
    ALPHA,
    FILES,
    FORMAT,
    JSON_FILE,
    QUIET,
    Command,
    parse_statistic,
    refuse_overwriting,
    text_options,
)
from rocwalk.cli.output import Row, deliver, quietly
from rocwalk.cli.terminal import print_folded, print_line, print_table
from rocwalk.errors import Column, LabelError, RocwalkWarning, collecting
from rocwalk.read.frames import LABEL, Opened, match_label, read_table
from rocwalk.read.opening import open_named
from rocwalk.read.text import TextFormat
from rocwalk.report.numbers import p_text, rate, signed, with_ends
from rocwalk.report.readers import readers_page
from rocwalk.result import SCHEMA_VERSION
from rocwalk.statistic import words_of
from rocwalk.truth.reader_power import ReaderPower
from rocwalk.truth.reader_studies import ReaderStudy, reader_study
from rocwalk.typing import Effect, ReaderCovariance
from rocwalk.version import __version__

_PAIRS = {
    "a": "Test",
    "b": "Against",
    "difference": "Difference",
    "p_value": "p",
    "adjusted_p_value": "Adjusted p",
}
_PLAN = {"n_readers": "Readers", "n_cases": "Cases", "power": "Power"}
_COLUMNS = ("truth", "reader", "test", "case", "rating")

_STUDY = (
    click.option("--truth", required=True, metavar="COL", help="The true class of the case."),
    click.option("--reader", required=True, metavar="COL", help="Who read the case."),
    click.option("--test", required=True, metavar="COL", help="The test, modality or treatment."),
    click.option("--case", required=True, metavar="COL", help="The case, such as a patient."),
    click.option(
        "--rating", required=True, metavar="COL", help="The rating; higher is more positive."
    ),
    click.option("--positive", metavar="VALUE", help="The truth that counts as positive."),
    click.option(
        "--readers",
        type=click.Choice(get_args(Effect)),
        default="random",
        show_default=True,
        help="Whether conclusions are about all readers like these, or these alone.",
    ),
    click.option(
        "--cases",
        type=click.Choice(get_args(Effect)),
        default="random",
        show_default=True,
        help="Whether conclusions are about all cases like these, or these alone.",
    ),
    click.option(
        "--covariance",
        type=click.Choice(get_args(ReaderCovariance)),
        default="auto",
        show_default=True,
        help="How the covariance over cases is found; auto is delong where the statistic has it.",
    ),
    click.option(
        "--statistic",
        default="auc",
        show_default=True,
        metavar="NAME",
        help="What is compared, such as auc or sensitivity@threshold=3.",
    ),
    click.option(
        "--threshold", type=float, metavar="X", help="For rates: positive from this rating."
    ),
    click.option("--max-fpr", type=float, metavar="X", help="For partial_auc: up to this FPR."),
)


def study_options(command: Command) -> Command:
    """Add the files and columns of a reader study, and how it is analysed."""
    for option in reversed((FILES, *_STUDY)):
        command = option(command)
    return command


@click.command()
@study_options
@click.option(
    "--difference",
    type=float,
    metavar="X",
    help="Also plan a study that finds this difference: cases for several numbers of readers.",
)
@click.option(
    "--power",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.8,
    show_default=True,
    help="With --difference: the probability with which it is to be found.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write a page: means, differences, the curves of all readers, the next study.",
)
@click.option("--title", default="Reader study", show_default=True, help="The title of the page.")
@text_options
@JSON_FILE
@FORMAT
@ALPHA
@QUIET
def readers(**given: Any) -> None:
    """Compare tests that several readers applied to the same cases of FILE... (MRMC).

    A row is one rating. Every reader rates every case with every test; anything else is refused,
    with the reader, the case and the test. The analysis is Obuchowski and Rockette's with the
    degrees of freedom of Hillis.

    \b
    Example:
      rocwalk readers ratings.csv --truth disease --reader reader --test modality \\
        --case patient --rating score -o readers.html
    """
    study, source = read_readers("readers", given)
    plans = [] if given["difference"] is None else plans_of(study, given)
    results = source | {"study": study.to_dict(), "plans": [plan.to_dict() for plan in plans]}
    pages: dict[Path, str] = {}
    if given["output"] is not None:
        read = ", ".join(Path(one["name"]).name for one in source["files"])
        pages[given["output"]] = readers_page(
            study, plans, title=given["title"], subtitle=f"from {read}", notes=source["notes"]
        )
        results["page"] = str(given["output"])

    def show() -> None:
        _show(study, plans, given["quiet"])
        if pages:
            print_line(f"The page: {given['output']}")

    deliver(results, given, _csv_rows(study, plans), show, pages)


def read_readers(command: str, given: dict[str, Any]) -> tuple[ReaderStudy, Row]:
    """Analyse the ratings that the options name; return the study and where it comes from."""
    refuse_overwriting(given)
    form = TextFormat(**{key: given[key] for key in FORM})
    with (
        collecting(RocwalkWarning) as noticed,
        open_named([at_hand(name) for name in given["files"]], form) as files,
    ):
        study = quietly("Reading…", lambda _: _study(files, given))
        spooled = {STANDARD_INPUT.get(): "standard input"}
        digests = [
            {"name": spooled.get(str(name), str(name)), "sha256": digest}
            for name, digest in files.digests()
        ]
    worded = [one.worded(COMMAND_LINE) for one in noticed]
    return study, {
        "rocwalk": __version__,
        "schema_version": SCHEMA_VERSION,
        "command": command,
        "options": options_given(given),
        "files": digests,
        "notes": [f"{what} Hint: {hint}" if hint else what for what, hint in worded],
    }


def _study(files: Opened, given: dict[str, Any]) -> ReaderStudy:
    """Analyse the ratings of opened files."""
    positive = given["positive"]
    if positive is not None:
        table = read_table(files, {given["truth"]: LABEL})
        try:
            positive = match_label(table[given["truth"]], positive)
        except LabelError as error:
            names = {"y_true": Column(given["truth"])}
            raise error.at(names=names, **table.where()) from None
    name, told = parse_statistic(given["statistic"])
    odd = [key for key in told if key not in ("threshold", "max_fpr")]
    if odd:
        raise click.BadParameter(
            f"{odd[0]!r} is not threshold or max_fpr.", param_hint="--statistic"
        )
    point = {"threshold": given["threshold"], "max_fpr": given["max_fpr"]} | told
    with naming_options("truth"):
        return reader_study(
            files,
            **{name: given[name] for name in _COLUMNS},
            readers=given["readers"],
            cases=given["cases"],
            covariance=given["covariance"],
            statistic=name,
            **point,
            confidence_level=1 - given["alpha"],
            pos_label=positive,
        )


def plans_of(study: ReaderStudy, given: dict[str, Any]) -> list[ReaderPower]:
    """Return the cases that are needed with as many readers as here, and with more and more.

    The first number of readers is the smallest from this study's on that can reach the power.
    """
    asked = {"power": given["power"], "alpha": given["alpha"]}
    known, plans = len(study.readers), []
    for n_readers in (known, known + 1, known + 2, 2 * known, 3 * known):
        reachable = study.power(given["difference"], readers=n_readers, cases=10**7)
        if reachable.power >= given["power"]:
            plans.append(study.sample_size(given["difference"], readers=n_readers, **asked))
    return plans or [study.sample_size(given["difference"], **asked)]


def _csv_rows(study: ReaderStudy, plans: list[ReaderPower]) -> list[Row]:
    """Return means, differences, the test of equal tests and plans, one line each."""
    means: list[Row] = [
        {
            "kind": "mean",
            "test": mean.test,
            "value": mean.estimate,
            "low": mean.low,
            "high": mean.high,
            "df": mean.df,
        }
        for mean in study.means
    ]
    pairs: list[Row] = [
        {
            "kind": "difference",
            "test": pair.a,
            "against": pair.b,
            "value": pair.difference,
            "low": pair.low,
            "high": pair.high,
            "df": pair.df,
            "p_value": pair.p_value,
            "adjusted_p_value": pair.adjusted_p_value,
        }
        for pair in study.differences
    ]
    whole: Row = {"kind": "f", "value": study.f, "df": study.df[1], "p_value": study.p_value}
    sizes: list[Row] = [
        {"kind": "plan", "value": plan.power, "readers": plan.n_readers, "cases": plan.n_cases}
        for plan in plans
    ]
    columns = ("kind", "test", "against", "value", "low", "high", "df", "p_value")
    rows = [*means, *pairs, whole, *sizes]
    return [dict.fromkeys(columns) | row for row in rows]


def _show(study: ReaderStudy, plans: list[ReaderPower], quiet: bool) -> None:
    """Print the means by test, the differences, and what they mean."""
    noun = words_of(study.statistic)
    headers = {"test": "Test", "mean": "Mean", "df": "df"}
    headers |= {f"reader {k}": str(name) for k, name in enumerate(study.readers)}
    rows = []
    for mean, values in zip(study.means, study.areas, strict=True):
        row: Row = {"test": str(mean.test), "mean": with_ends(mean.estimate, mean.low, mean.high)}
        row["df"] = "∞" if mean.df is None else f"{mean.df:.1f}"
        rows.append(row | {f"reader {k}": rate(value) for k, value in enumerate(values)})
    print_table(f"{noun[:1].upper()}{noun[1:]} by test, mean and each reader", headers, rows)
    pairs = []
    for pair in study.differences:
        ends = with_ends(pair.difference, pair.low, pair.high, signed)
        words: Row = {"a": str(pair.a), "b": str(pair.b), "difference": ends}
        words["p_value"] = p_text(pair.p_value)
        if len(study.differences) > 1:
            words["adjusted_p_value"] = p_text(pair.adjusted_p_value)
        pairs.append(words)
    print_table("Differences between tests", _PAIRS, pairs)
    if plans:
        print_plans(plans)
    if quiet:
        return
    print_folded(study.sentence)
    print_folded(f"In brackets: {100 * study.confidence_level:g} % intervals.")


def print_plans(plans: list[ReaderPower]) -> None:
    """Print the cases that a future study needs, by its number of readers."""
    title = (
        f"To find a difference of {plans[0].difference:g} in mean {words_of(plans[0].statistic)}"
    )
    sizes = [plan.to_dict() | {"power": rate(plan.power, 3)} for plan in plans]
    print_table(title, _PLAN, sizes)
