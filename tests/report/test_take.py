"""Take away: charts as SVG and PNG that stand alone, tables as CSV, hover and legends of charts."""

from __future__ import annotations

import csv
import io
import struct
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import rocwalk as rw
from report.studies import probabilities
from rocwalk.curves.bands import sides

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = ("=1+1", "@sum", "-2+3", "+cmd|' /C calc'!A0")


def columns():
    data, rng = probabilities("hard"), np.random.default_rng(2)
    data["fold"] = rng.integers(0, 4, 400)
    data["site"] = np.array(HOSTILE)[rng.integers(0, 4, 400)]
    return data


@pytest.fixture(scope="module")
def page(visit_once):
    report = rw.report(columns(), label="y", score=["smooth", "tied"], fold="fold", by="site")
    return visit_once(report, scheme="dark").page


def taken(page, button):
    with page.expect_download() as waiting:
        button.click()
    return waiting.value.suggested_filename, waiting.value.path().read_bytes()


def test_a_chart_as_svg_stands_alone(page):
    name, content = taken(page, page.locator("#roc").get_by_role("button", name="as SVG"))
    assert name.startswith("roc-curves-areas-smooth")
    assert name.endswith(".svg")
    root = ET.fromstring(content)
    assert root.tag == f"{SVG}svg"
    assert root.find(f"{SVG}title").text.startswith("ROC curves")
    nodes = list(root.iter())
    assert not any("class" in node.attrib or "style" in node.attrib for node in nodes)
    assert b"var(--" not in content
    inks = {node.get("stroke") for node in nodes if node.tag == f"{SVG}path"}
    assert "rgb(0, 114, 178)" in inks  # as on paper, though the page is dark
    ground = root.find(f"{SVG}rect")
    assert ground.get("fill") == "rgb(255, 255, 255)"
    assert float(ground.get("height")) == float(root.get("height"))
    texts = [node.text for node in root.iter(f"{SVG}text")]
    assert "True positive rate" in texts
    assert any(words.startswith("smooth AUC ") for words in texts)  # its legend goes with it
    assert page.evaluate("document.documentElement.dataset.paper") is None


def test_a_chart_as_png_has_twice_the_pixels_and_is_what_the_svg_shows(page):
    chart = page.locator("#roc svg.chart")
    _, content = taken(page, page.locator("#roc").get_by_role("button", name="as PNG"))
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", content[16:24])
    box = [float(x) for x in chart.get_attribute("viewBox").split()]
    assert width == round(2 * box[2])
    assert height > 2 * box[3]  # with its legend
    # the painter against the browser's own rendering of the same file
    _, svg = taken(page, page.locator("#roc").get_by_role("button", name="as SVG"))
    other = page.context.new_page()
    shares = other.evaluate(
        """async ([png, svg]) => {
          const read = async (bytes, type) => {
            const image = new Image();
            image.src = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type }));
            await image.decode();
            const canvas = document.createElement("canvas");
            [canvas.width, canvas.height] = [WIDTH, HEIGHT];
            const pen = canvas.getContext("2d");
            pen.drawImage(image, 0, 0, WIDTH, HEIGHT);
            return pen.getImageData(0, 0, WIDTH, HEIGHT).data;
          };
          const [a, b] = [await read(png, "image/png"), await read(svg, "image/svg+xml")];
          let apart = 0, inked = 0;
          for (let i = 0; i < a.length; i += 4) {
            if (Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]) > 150) apart++;
            if (b[i] + b[i + 1] + b[i + 2] < 700) inked++;
          }
          return [apart / inked, inked / (a.length / 4)];
        }""".replace("WIDTH", str(width)).replace("HEIGHT", str(height)),
        [list(content), list(svg)],
    )
    other.close()
    assert shares[0] < 0.05
    assert shares[1] > 0.02


def test_every_chart_and_every_table_can_be_taken(page):
    charts = page.locator("svg.chart").count()
    assert charts > 15
    assert page.get_by_role("button", name="Download this chart as SVG").count() == charts
    tables = page.locator("main table:not(.provenance table)").count()
    assert page.locator("main [aria-label^='Download as CSV']").count() == tables


def test_a_table_as_csv_with_names_made_harmless(page):
    button = page.locator("#groups .take [aria-label='Download as CSV: Subgroups in numbers']")
    name, content = taken(page, button)
    assert name == "subgroups-in-numbers.csv"
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    assert rows[0][:4] == ["Model", "Group", "Rows", "Positives"]
    groups = {row[1] for row in rows[1:]}
    assert groups == {f"'{name}" for name in HOSTILE}
    assert all(len(row) == len(rows[0]) for row in rows)


@pytest.mark.parametrize(
    ("words", "cell"),
    [
        ("−0.0123", "-0.0123"), ("-5", "-5"), ("+0.5", "0.5"), ("1,230", "1230"), ("2e−98", "2e-98"),
        ("=1+1", "'=1+1"), ("−x", "'−x"), ("-2+3", "'-2+3"), ("@a", "'@a"), ("+1 (0 to 2)", "'+1 (0 to 2)"),
        ("≥ 0.5", "≥ 0.5"), ("0.8 (0.7 to 0.9)", "0.8 (0.7 to 0.9)"),
    ],
)  # fmt: skip
def test_cells_are_numbers_or_harmless(page, words, cell):
    assert page.evaluate("(words) => rocwalk.take.cell(words)", words) == cell


def test_a_table_is_copied(page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    button = page.locator("#costs [aria-label^='Copy the table']")
    button.click()
    page.wait_for_function("(one) => one.textContent === 'Copied'", arg=button.element_handle())
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.splitlines()[0].split("\t")[:2] == ["Model", "Threshold ≥"]
    assert text.splitlines()[1].startswith("smooth\t0.")


def test_what_is_taken_follows_the_rule(page):
    def first_mark():
        _, content = taken(page, page.locator("#roc").get_by_role("button", name="as SVG"))
        circles = ET.fromstring(content).iter(f"{SVG}circle")
        return [(one.get("cx"), one.get("cy")) for one in circles]

    before = first_mark()
    page.evaluate("rocwalk.rule.set({kind: 'threshold', threshold: 0.9})")
    assert first_mark() != before
    page.evaluate("rocwalk.rule.set(rocwalk.rule.first)")


def test_every_chart_says_its_values_under_the_pointer(page):
    silent = page.evaluate(
        """() => [...document.querySelectorAll("svg.chart")].filter((svg) => {
          const plot = svg.querySelector(".plot").getBoundingClientRect(), tip = svg.parentNode.querySelector(".tip");
          for (let x = 0.02; x < 1; x += 0.04) for (let y = 0.02; y < 1; y += 0.04) {
            svg.dispatchEvent(new PointerEvent("pointermove", { clientX: plot.left + x * plot.width, clientY: plot.top + y * plot.height, bubbles: true }));
            if (tip && !tip.hidden && /\\d/.test(tip.textContent)) { svg.dispatchEvent(new PointerEvent("pointerleave")); return false; }
          }
          return true;
        }).map((svg) => svg.getAttribute("aria-label"))"""
    )
    assert silent == []


def test_a_legend_entry_brings_its_curve_forward(page):
    entry = page.locator("#roc .legend .entry").first
    curves = page.locator("#roc svg.chart .curve")

    def faded():
        return curves.evaluate_all(
            "(all) => all.map((one) => [one.classList.contains('k0'), one.classList.contains('behind')])"
        )

    assert [behind for _, behind in faded()] == [False, False]
    entry.focus()
    assert sorted(faded()) == [[False, True], [True, False]]
    assert faded()[-1] == [True, False]  # drawn last, so it lies on top
    entry.blur()
    assert [behind for _, behind in faded()] == [False, False]
    entry.click()
    page.locator("#precision h2").click()
    assert sorted(faded()) == [[False, True], [True, False]]  # pressed, it stays
    assert entry.get_attribute("aria-pressed") == "true"
    entry.click()
    entry.blur()
    page.mouse.move(2, 2)


def test_bands_of_one_model_at_a_time_and_of_two_kinds(page):
    def seen():
        return page.locator("#roc .ribbon").evaluate_all(
            "(all) => all.map((one) => getComputedStyle(one).visibility === 'visible')"
        )

    assert seen() == [True, False]
    page.select_option("#roc-bands", "1")
    assert seen() == [False, True]
    simultaneous = page.locator("#roc .ribbon").nth(1).get_attribute("d")
    assert "the whole true curve of a model lies inside" in page.locator("#roc").inner_text()
    page.select_option("#roc-kind", "pointwise")
    pointwise = page.locator("#roc .ribbon").nth(1).get_attribute("d")
    assert pointwise != simultaneous
    assert "at each false positive rate by itself" in page.locator("#roc").inner_text()
    data = columns()
    band = rw.band(data["y"], data["tied"], kind="pointwise", n_resamples=500, rng=0)
    low = np.array(page.evaluate("rocwalk.data.sections.roc.pointwise[1].rows.low"))
    assert low[30] == pytest.approx(sides(band.lower.fpr, band.lower.tpr, np.array([0.3]))[0][0], abs=1e-6)  # fmt: skip
    plot = page.locator("#roc .plot").first
    corner = [float(plot.get_attribute(k)) for k in ("x", "width", "y")]
    closes = f"{corner[0] + corner[1]:.2f},{corner[2]:.2f}"
    assert pointwise.count(closes) >= 2  # both edges end at (1, 1)
    assert simultaneous.count(closes) >= 2
    page.select_option("#roc-bands", "all")
    assert seen() == [True, True]
    page.select_option("#roc-bands", "none")
    assert seen() == [False, False]


def test_net_benefit_over_the_useful_range(page):
    assert page.locator("#pricing [data-role=benefit] .legend .name").all_inner_texts() == [
        "smooth", "tied", "treat all", "treat none",
    ]  # fmt: skip
    share = columns()["y"].mean()
    field = page.locator("#pricing-range")
    assert float(field.input_value().removesuffix(" %")) == pytest.approx(min(99, 400 * share), abs=1)  # fmt: skip
    field.fill("20 %")
    field.press("Enter")
    labels = page.locator("#pricing [data-role=benefit] svg.chart text").all_text_contents()
    assert "0.2" in labels
    assert "0.4" not in labels[:6]
    assert page.locator("#pricing [data-role=benefit] svg.chart").count() == 1
