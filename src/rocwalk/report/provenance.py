"""The section on provenance: version, files, rows and options."""

from __future__ import annotations

from collections.abc import Mapping

from rocwalk.errors import visible
from rocwalk.evaluate.study import Study
from rocwalk.report.document import Content
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import shown
from rocwalk.version import __version__


def provenance_section(findings: Findings) -> Content:
    """Where the numbers come from: version, files, rows, options."""
    entries = [("rocwalk", __version__), ("Seed", str(findings.seed))]
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


def _read_from(study: Study) -> list[tuple[str, str]]:
    """Say which files and rows a study was read from."""
    entries = [
        (f"File {visible(name)}", f"SHA-256 {digest}")
        if digest
        else ("Table", visible(name))  # of a database: it has no bytes of its own
        for name, digest in study.files
    ]
    entries += [("Rows read", f"{study.rows_read:,}")]
    return entries + [
        (f"Rows of {shown(name)}", f"{rows['used']:,} used, {rows['dropped']:,} dropped")
        for name, rows in study.rows.items()
    ]
