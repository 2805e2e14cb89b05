"""The section on provenance: version, files, rows and options."""

from __future__ import annotations

from collections.abc import Mapping

from rocwalk.evaluate.study import Study
from rocwalk.report.document import Content
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import shown
from rocwalk.tally.sharing import SharedTally
from rocwalk.texts import visible
from rocwalk.version import __version__


def provenance_section(findings: Findings) -> Content:
    """Where the numbers come from: version, files, rows, options."""
    seed = "Seed" if findings.study.shared is None else "Seed of resampling, not of the noise"
    entries = [("rocwalk", __version__), (seed, str(findings.seed))]
    entries += _read_from(findings.study)
    if findings.reference is not None:
        entries += [(f"Reference: {what}", words) for what, words in _read_from(findings.reference)]
    for name, value in findings.options.items():
        words = shown(value)
        if isinstance(value, Mapping):
            words = ", ".join(f"{shown(key)} = {shown(item)}" for key, item in value.items())
        elif isinstance(value, list | tuple):
            words = ", ".join(map(shown, value))
        entries.append((f"Option {name}", words))
    return Content({"entries": entries})


def sites(shared: SharedTally) -> str:
    """Say how many sites were added up.

    >>> import rocwalk as rw
    >>> sites(rw.share(rw.tally([0, 1], [0.2, 0.8]), minimum=1))
    '1 site'
    """
    return f"{shared.sites:,} site{'s' if shared.sites > 1 else ''}"


def _read_from(study: Study) -> list[tuple[str, str]]:
    """Say which files and rows a study was read from."""
    entries = [
        (f"File {visible(name)}", f"SHA-256 {digest}")
        if digest
        else ("Table", visible(name))  # of a database: it has no bytes of its own
        for name, digest in study.files
    ]
    if study.shared is not None:  # whose rows were read elsewhere
        about = "about " if study.is_noised else ""
        return entries + [
            (
                f"Counts of {shown(name)}",
                f"{about}{one.total_up + one.total_right:,} of {sites(one)}",
            )
            for name, one in study.shared.items()
        ]
    entries += [("Rows read", f"{study.rows_read:,}")]
    return entries + [
        (f"Rows of {shown(name)}", f"{rows['used']:,} used, {rows['dropped']:,} dropped")
        for name, rows in study.rows.items()
    ]
