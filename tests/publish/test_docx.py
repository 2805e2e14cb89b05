"""Word documents: every cell, valid XML, and a page that holds the columns."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET
import zipfile

import pytest

import rocwalk as rw
from publish.samples import odd_table

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


@pytest.mark.parametrize("kind", ["accuracy", "comparison", "subgroups", "stard", "tripod"])
def test_a_word_document_has_every_cell(page, kind):
    table = rw.table(page, kind)
    with zipfile.ZipFile(io.BytesIO(table.docx)) as archive:
        assert archive.testzip() is None
        for name in archive.namelist():
            ET.fromstring(archive.read(name))
        root = ET.fromstring(archive.read("word/document.xml"))
        types = archive.read("[Content_Types].xml").decode()
        assert all(f"/{name}" in types for name in ("word/document.xml", "word/styles.xml"))
    found = [
        tuple("".join(cell.itertext()) for cell in row.iter(f"{_W}tc"))
        for row in root.iter(f"{_W}tr")
    ]
    assert found == [table.headers, *table.rows]
    assert len(list(root.iter(f"{_W}tblHeader"))) == 1
    said = "".join(root.itertext())
    assert said.startswith(table.title)
    assert table.notes[0] in said
    grid = [int(one.get(f"{_W}w")) for one in root.iter(f"{_W}gridCol")]
    size = next(root.iter(f"{_W}pgSz"))
    assert sum(grid) <= int(size.get(f"{_W}w")) - 2 * 1134 + len(grid)
    assert (size.get(f"{_W}orient") == "landscape") == (len(table.headers) > 5)


def test_a_word_document_of_odd_names_is_still_xml():
    table = odd_table()
    with zipfile.ZipFile(io.BytesIO(table.docx)) as archive:
        root = ET.fromstring(archive.read("word/document.xml"))
    assert "<script>x" in "".join(root.itertext())
    assert table.docx == odd_table().docx
