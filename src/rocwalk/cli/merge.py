"""`rocwalk merge`: the tallies of several sites added up."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import click

from rocwalk.cli.asking import options_given
from rocwalk.cli.options import ALPHA, FILES, FORMAT, JSON_FILE, QUIET, refuse_overwriting
from rocwalk.cli.output import Row, deliver, quietly
from rocwalk.cli.terminal import print_folded, print_line, print_table
from rocwalk.errors import File, FileError, TallyError
from rocwalk.evaluate.study import study_of_shared
from rocwalk.inference.intervals import interval
from rocwalk.inference.shared_intervals import SharedInterval
from rocwalk.read.sources import find_files
from rocwalk.report.numbers import with_ends
from rocwalk.report.provenance import sites
from rocwalk.report.report import Report
from rocwalk.result import SCHEMA_VERSION
from rocwalk.tally.sharing import SharedTally, load_shared, shared_text
from rocwalk.texts import shown
from rocwalk.version import __version__

_HEADERS = {
    "score": "Score",
    "sites": "Sites",
    "positives": "Positives",
    "negatives": "Negatives",
    "auc": "AUC",
    "sampling_error": "Sampling",
    "bucket_error": "Buckets ±",
    "privacy_error": "Privacy",
}


@click.command()
@FILES
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write the page of `rocwalk report` (FILE.html), or the sum of all sites as a tally "
    "that can be merged again (FILE.tally).",
)
@click.option("--title", default="ROC analysis", show_default=True, help="The title of the page.")
@JSON_FILE
@FORMAT
@ALPHA
@QUIET
def merge(**given: Any) -> None:
    """Add up the tallies that several sites wrote with `rocwalk tally`: one report, no rows.

    The interval of an AUC includes three errors: sampling, the order inside the buckets, and the
    noise added for privacy, if any.

    \b
    Example:
      rocwalk merge site_*.tally -o all.html
    """
    refuse_overwriting(given)
    output: Path | None = given["output"]
    if output is not None and output.suffix.lower() not in (".html", ".htm", ".tally"):
        raise click.BadParameter(
            f"{output.name!r} ends neither in .html nor in .tally.", param_hint="--output"
        )
    paths = find_files(given["files"])
    merged = _summed(paths)
    files = [(str(path), hashlib.sha256(path.read_bytes()).hexdigest()) for path in paths]
    _refuse_copies(files)
    level = 1 - given["alpha"]
    found: dict[str, SharedInterval] = {}
    for name, one in merged.items():
        measured = interval(one, confidence_level=level)
        assert isinstance(measured, SharedInterval)  # of a shared tally
        found[name] = measured
    notes = _notes(merged)
    results: Row = {
        "rocwalk": __version__,
        "schema_version": SCHEMA_VERSION,
        "command": "merge",
        "options": options_given(given),
        "files": [{"name": name, "sha256": digest} for name, digest in files],
        "notes": notes,
        "scores": [
            {"score": name} | merged[name].to_dict() | {"auc": one.to_dict()}
            for name, one in found.items()
        ],
    }
    pages: dict[Path, str] = {}
    if output is not None and output.suffix.lower() == ".tally":
        pages[output] = shared_text(merged)
    elif output is not None:
        study = study_of_shared(merged, files, notes)
        page = Report(study, given["title"], options_given(given), 0, level)
        pages[output] = quietly("Drawing the page…", lambda _: page.html)

    def show() -> None:
        rows = [
            {
                "score": name,
                "sites": str(merged[name].sites),
                "positives": f"{merged[name].total_up:,}",
                "negatives": f"{merged[name].total_right:,}",
                "auc": with_ends(one.estimate, one.low, one.high),
                "sampling_error": f"{one.sampling_error:.2g}",
                "bucket_error": f"{one.bucket_error:.2g}",
                "privacy_error": f"{one.privacy_error:.2g}" if merged[name].is_noised else "none",
            }
            for name, one in found.items()
        ]
        print_table("All sites together", _HEADERS, rows)
        if not given["quiet"]:
            print_folded(
                f"In brackets: {100 * level:g} % intervals with all errors: sampling and privacy "
                "in quadrature, and the buckets’ added to both."
            )
        if output is not None:
            print_line(f"{'The tally' if output.suffix == '.tally' else 'The page'}: {output}")

    csv = [
        {"score": name, "sites": merged[name].sites} | one.to_dict() for name, one in found.items()
    ]
    deliver(results, given, csv, show, pages)


def _refuse_copies(files: list[tuple[str, str]]) -> None:
    """Raise if two files have the same content, because a site would count double."""
    seen: dict[str, str] = {}
    for name, digest in files:
        if digest in seen:
            raise FileError(
                ("is a copy of ", File(seen[digest]), "."),
                "name the file of each site once, else its rows would count double.",
                file=name,
            )
        seen[digest] = name


def _summed(paths: list[Path]) -> dict[str, SharedTally]:
    """Return the sums of all sites by score; every file must hold the same scores."""
    sites = [load_shared(path) for path in paths]
    for path, site in zip(paths, sites, strict=True):
        if set(site) != set(sites[0]):
            raise TallyError(
                f"{str(path)!r} has the scores {shown(sorted(site), 6)}, and {str(paths[0])!r} "
                f"has {shown(sorted(sites[0]), 6)}.",
                "write the tallies of all sites with the same --score.",
            )
    sums: dict[str, SharedTally] = {}
    for name in sites[0]:
        total = sites[0][name]
        for path, site in zip(paths[1:], sites[1:], strict=True):
            try:
                total = total + site[name]
            except TallyError as error:
                raise error.at(file=str(path)) from None
        sums[name] = total
    return sums


def _notes(merged: dict[str, SharedTally]) -> list[str]:
    """Say what the page cannot know."""
    first = next(iter(merged.values()))
    error = max(one.score_error for one in merged.values())
    middle = f"Scores count as the middle of their bucket, on average within {error:.2g} of them."
    notes = [f"The rows stayed at {sites(first)}; here are counts in buckets. {middle}"]
    if first.is_noised:
        spread = max(one.noise_variance for one in merged.values()) ** 0.5
        notes.append(
            f"The counts have noise for privacy, ± {spread:.2g} (standard deviation) in each. "
            "Every interval includes it. Curves are of buckets that were merged until the noise is "
            "small beside their counts; the AUC is of all buckets."
        )
    return notes
