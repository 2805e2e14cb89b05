"""A table as a Word document: the few parts of Office Open XML that one table needs.

References
----------
ECMA-376, Office Open XML file formats, part 1: WordprocessingML.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from xml.sax.saxutils import escape

from rocwalk.texts import visible

_MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_KIND = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

_TYPES = (
    f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types">'
    f'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.'
    'relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/word/document.xml" ContentType="{_KIND}.document.main+xml"/>'
    f'<Override PartName="/word/styles.xml" ContentType="{_KIND}.styles+xml"/></Types>'
)
_ROOT = (
    f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
    f'Type="{_OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>'
)
_PARTS = (
    f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
    f'Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>'
)
_STYLES = (
    f'{_HEAD}<w:styles xmlns:w="{_MAIN}"><w:docDefaults><w:rPrDefault><w:rPr>'
    '<w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:cs="Arial"/><w:sz w:val="18"/></w:rPr>'
    '</w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:before="0" w:after="40"/></w:pPr>'
    '</w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal">'
    '<w:name w:val="Normal"/></w:style><w:style w:type="paragraph" w:styleId="Caption">'
    '<w:name w:val="caption"/><w:basedOn w:val="Normal"/><w:pPr><w:keepNext/>'
    '<w:spacing w:after="120"/></w:pPr><w:rPr><w:b/></w:rPr></w:style></w:styles>'
)

_TALL, _WIDE = (11906, 16838), (16838, 11906)  # A4 in twentieths of a point
_MARGIN = 1134  # 2 cm
_MOST_UPRIGHT = 5  # columns on an upright page


def docx_bytes(
    title: str,
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    notes: Sequence[str],
    widths: Sequence[float],
) -> bytes:
    """Return a document of one table: title above, notes below; the header row repeats on pages.

    `widths` are the shares of the columns, which add to 1. The same table gives the same bytes.
    """
    page = _TALL if len(headers) <= _MOST_UPRIGHT else _WIDE
    inside = page[0] - 2 * _MARGIN
    columns = [round(inside * share) for share in widths]
    grid = "".join(f'<w:gridCol w:w="{width}"/>' for width in columns)
    last = len(rows) - 1
    body = "".join(_row(row, columns, bottom=place == last) for place, row in enumerate(rows))
    table = (
        f'<w:tbl><w:tblPr><w:tblW w:w="{sum(columns)}" w:type="dxa"/>'
        '<w:tblLayout w:type="fixed"/></w:tblPr>'
        f"<w:tblGrid>{grid}</w:tblGrid>{_row(headers, columns, header=True)}{body}</w:tbl>"
    )
    wide = ' w:orient="landscape"' if page is _WIDE else ""
    section = (
        f'<w:sectPr><w:pgSz w:w="{page[0]}" w:h="{page[1]}"{wide}/><w:pgMar w:top="{_MARGIN}" '
        f'w:right="{_MARGIN}" w:bottom="{_MARGIN}" w:left="{_MARGIN}" w:header="567" '
        'w:footer="567" w:gutter="0"/></w:sectPr>'
    )
    said = "".join(_paragraph(note, size=16) for note in notes) or _paragraph("")
    document = (
        f'{_HEAD}<w:document xmlns:w="{_MAIN}"><w:body>{_paragraph(title, style="Caption")}'
        f"{table}{_paragraph('')}{said}{section}</w:body></w:document>"
    )
    return _zipped(
        {
            "[Content_Types].xml": _TYPES,
            "_rels/.rels": _ROOT,
            "word/document.xml": document,
            "word/styles.xml": _STYLES,
            "word/_rels/document.xml.rels": _PARTS,
        }
    )


def _row(
    cells: Sequence[str], widths: Sequence[int], *, header: bool = False, bottom: bool = False
) -> str:
    """Return a row; the lines of the table are above and below its header, and at its end."""
    line = '<w:{side} w:val="single" w:sz="8" w:space="0" w:color="000000"/>'
    sides = [side for side, on in (("top", header), ("bottom", header or bottom)) if on]
    drawn = "".join(line.format(side=side) for side in sides)
    borders = f"<w:tcBorders>{drawn}</w:tcBorders>" if drawn else ""
    made = "".join(
        f'<w:tc><w:tcPr><w:tcW w:w="{width}" w:type="dxa"/>{borders}</w:tcPr>'
        f"{_paragraph(cell, bold=header)}</w:tc>"
        for cell, width in zip(cells, widths, strict=True)
    )
    repeated = "<w:cantSplit/><w:tblHeader/>" if header else "<w:cantSplit/>"
    return f"<w:tr><w:trPr>{repeated}</w:trPr>{made}</w:tr>"


def _paragraph(text: str, *, style: str = "", bold: bool = False, size: int = 0) -> str:
    """Return a paragraph; what XML cannot hold is spelled out."""
    look = ("<w:b/>" if bold else "") + (f'<w:sz w:val="{size}"/>' if size else "")
    own = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    run = f"<w:rPr>{look}</w:rPr>" if look else ""
    words = escape(visible(text))
    return f'<w:p>{own}<w:r>{run}<w:t xml:space="preserve">{words}</w:t></w:r></w:p>'


def _zipped(parts: dict[str, str]) -> bytes:
    """Return the parts as one file, the same bytes whenever it is made."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, text.encode("utf-8"))
    return stream.getvalue()
