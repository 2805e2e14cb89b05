"""The page of `rocwalk papers`: what the papers print beside what is computed, with pictures."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from typing import Any

from rocwalk.papers.comparison import PAPERS, counts_of
from rocwalk.papers.figure import Figure
from rocwalk.papers.row import Row, text_of
from rocwalk.plot import write_png
from rocwalk.report.document import policy, static, template
from rocwalk.version import __version__

_DOTS_PER_INCH = 144
_POINTS_PER_INCH = 96  # of a screen, as CSS counts them
_WIDE = 1.3  # pictures of this ratio of width to height stand above their rows, others beside them


def papers_page(rows: Sequence[Row], figures: Sequence[Figure]) -> str:
    """Return the comparison as one self-contained HTML document.

    Rows are grouped by their place in the paper; the pictures of a place stand with its rows.
    """
    style = f"{static('page.css')}\n{static('papers.css')}"
    script = static("papers.js")
    pictures = [(figure, _picture(figure)) for figure in figures]
    papers = []
    for paper in PAPERS:
        own = [row for row in rows if row.paper == paper.name]
        places = [
            {
                "name": place,
                "pictures": [
                    shown for f, shown in pictures if (f.paper, f.place) == (paper.name, place)
                ],
                "rows": [row for row in own if row.place == place],
            }
            for place in dict.fromkeys(row.place for row in own)
        ]
        papers.append(
            {
                "id": paper.name.lower(),
                "name": paper.name,
                "title": paper.title,
                "rows": len(own),
                "counts": counts_of(own),
                "pictures": sum(len(place["pictures"]) for place in places),
                "places": places,
            }
        )
    page: str = template("papers").render(
        version=__version__,
        policy=policy(style, script, images=True),
        style=style,
        script=script,
        papers=papers,
        rows=len(rows),
        counts=counts_of(rows),
        pictures=len(pictures),
        text_of=text_of,
    )
    return page


def _picture(figure: Figure) -> dict[str, Any]:
    """Return a figure as a data URI, with its size on a screen."""
    file = io.BytesIO()
    write_png(figure.draw(None), file, _DOTS_PER_INCH)
    content = file.getvalue()
    pixels = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))  # of PNG's IHDR
    width, height = (round(n * _POINTS_PER_INCH / _DOTS_PER_INCH) for n in pixels)
    return {
        "name": figure.name,
        "caption": figure.caption,
        "heading": figure.name.removeprefix(f"{figure.paper.lower()}-"),
        "source": f"data:image/png;base64,{base64.b64encode(content).decode('ascii')}",
        "width": width,
        "height": height,
        "wide": width > _WIDE * height,
    }
