"""The page of `rocwalk papers`: complete, quiet, closed, and filtered by paper and verdict."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from axe_playwright_python.sync_playwright import Axe

from paper_rows import FIGURES, ROWS
from rocwalk.papers import PAPERS, counts_of
from rocwalk.papers.row import text_of
from rocwalk.report.papers import papers_page

SIGNS = {"✓ agrees": "✓", "✗ differs": "✗", "– not checked": "–"}


class Page:
    """The page, as something that the fixture can save."""

    def __init__(self):
        self.html = papers_page(ROWS, FIGURES)

    def save(self, path):
        path.write_text(self.html, encoding="utf-8")


@pytest.fixture(scope="module")
def made():
    return Page()


def press(page, *names):
    for name in names:
        page.get_by_role("button", name=name, exact=True).click()


def shown(page):
    """Return (paper, sign) of every row that can be seen, and the names of the pictures."""
    rows = page.locator("main li[data-sign]:visible").evaluate_all(
        "(all) => all.map((one) => [one.closest('section').id, one.dataset.sign])"
    )
    figures = page.locator("main figure:visible").evaluate_all("(all) => all.map((one) => one.id)")
    return [tuple(row) for row in rows], figures


def expected(papers=(), signs=""):
    return [
        (row.paper.lower(), row.sign)
        for row in sorted_rows()
        if (not papers or row.paper in papers) and (not signs or row.sign in signs)
    ]


def sorted_rows():
    """Return the rows as the page has them: by paper and by place, in the order of the first row."""
    places = list(dict.fromkeys((row.paper, row.place) for row in ROWS))
    return sorted(ROWS, key=lambda row: places.index((row.paper, row.place)))


# -- the file ------------------------------------------------------------------------------------


def test_the_page_needs_nothing_else(made):
    assert not re.search(r"\bstyle=|<(link|iframe|object|embed|base)\b|url\(|@import", made.html)
    assert not re.search(r"\beval\(|innerHTML|new Function|fetch\(|XMLHttpRequest", made.html)
    assert set(re.findall(r'\bsrc="(.{22})', made.html)) == {"data:image/png;base64,"}
    assert re.search(
        r"default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; "
        "img-src data:; base-uri 'none'; form-action 'none'",
        made.html.replace("&#39;", "'"),
    )
    assert len(made.html.encode()) < 6_000_000


def test_every_row_is_there_with_what_is_printed_and_computed(visit, made):
    page = visit(made).page
    found = page.locator("main li[data-sign]").evaluate_all(
        """(all) => all.map((one) => [
          one.closest("section").querySelector("h2").textContent,
          one.closest("article").querySelector("h3").textContent,
          one.querySelector(".what").textContent,
          ...[...one.querySelectorAll("dd")].map((cell) => cell.textContent),
          one.querySelector(".verdict-of").textContent.trim(),
        ])"""
    )
    words = {sign: word for word, sign in SIGNS.items()}
    assert found == [
        [
            *(row.paper, row.place, row.what, row.printed, text_of(row.computed)),
            f"{words[row.sign]} {row.reason}".strip(),
        ]
        for row in sorted_rows()
    ]


def test_every_picture_is_there_at_its_place_and_drawn(visit, made):
    page = visit(made).page
    found = page.locator("main figure").evaluate_all(
        """(all) => all.map((one) => {
          const image = one.querySelector("img");
          return [one.id, one.closest("article").querySelector("h3").textContent,
            one.querySelector("figcaption").textContent, image.alt.endsWith(`: ${one.querySelector("figcaption").textContent}`),
            image.complete && image.naturalWidth > 500];
        })"""
    )
    assert sorted(found) == sorted([f.name, f.place, f.caption, True, True] for f in FIGURES)


def test_totals_per_paper_and_overall(visit, made):
    page = visit(made).page
    table = page.locator(".totals tr").evaluate_all(
        "(all) => all.map((row) => [...row.cells].slice(0, 6).map((cell) => cell.textContent))"
    )

    def line(name, rows, figures):
        return [name, *(str(n) for n in (*counts_of(rows).values(), len(rows), len(figures)))]

    assert table[1:] == [
        *(
            line(
                paper.name,
                [row for row in ROWS if row.paper == paper.name],
                [figure for figure in FIGURES if figure.paper == paper.name],
            )
            for paper in PAPERS
        ),
        line("All papers", ROWS, FIGURES),
    ]
    said = page.locator("#totals > p").inner_text()
    assert said.startswith("Of 384 rows, 286 can be checked: 251 agree and 35 differ,")
    for paper in PAPERS:
        agree, differ, unchecked = counts_of([r for r in ROWS if r.paper == paper.name]).values()
        words = f"✓ {agree} agree, ✗ {differ} differ, – {unchecked} not checked"
        assert words in page.locator(f"#{paper.name.lower()} > p").inner_text()


# -- filters -------------------------------------------------------------------------------------


def test_without_a_filter_everything_is_shown(visit, made):
    page = visit(made)
    rows, figures = shown(page.page)
    assert rows == expected()
    assert len(figures) == len(FIGURES)
    status = page.page.get_by_role("status")
    assert status.inner_text() == "384 of 384 rows and 31 of 31 pictures are shown."
    assert not page.page.get_by_role("button", name="Show all").is_visible()


@pytest.mark.parametrize(
    ("papers", "verdicts"),
    [
        (["Ferri"], []),
        ([], ["✗ differs"]),
        (["Soft", "Truth"], ["✓ agrees", "– not checked"]),
        (["Sensibility"], ["✗ differs"]),
    ],
)
def test_filters_by_paper_and_verdict(visit, made, papers, verdicts):
    page = visit(made).page
    press(page, *papers, *verdicts)
    rows, figures = shown(page)
    assert rows == expected(papers, [SIGNS[verdict] for verdict in verdicts])
    places = page.locator("article:visible h3").all_inner_texts()
    assert all(f.place in places for f in FIGURES if f.name in figures)
    assert page.get_by_role("status").inner_text() == (
        f"{len(rows)} of 384 rows and {len(figures)} of 31 pictures are shown."
    )
    assert page.locator("section.paper:visible").count() == len({paper for paper, _ in rows})
    page.get_by_role("button", name="Show all").click()
    assert shown(page)[0] == expected()
    assert page.locator("[aria-pressed=true]").count() == 0


def test_a_second_press_takes_a_filter_back(visit, made):
    page = visit(made).page
    press(page, "✗ differs", "Classic")
    pressed = page.locator("[aria-pressed=true]").all_inner_texts()
    assert pressed == ["Classic", "✗ differs"]
    press(page, "✗ differs")
    assert shown(page)[0] == expected(["Classic"])


def test_filters_by_keyboard(visit, made):
    page = visit(made).page
    page.get_by_role("group", name="Papers").get_by_role("button", name="Truth").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")  # Sensibility
    page.keyboard.press("Space")
    assert shown(page)[0] == expected(["Truth", "Sensibility"])
    page.get_by_role("group", name="Verdicts").get_by_role("button", name="✗ differs").focus()
    page.keyboard.press("Space")
    assert shown(page)[0] == expected(["Truth", "Sensibility"], "✗")
    page.get_by_role("button", name="Show all").focus()
    page.keyboard.press("Enter")
    assert shown(page)[0] == expected()
    assert page.evaluate("document.activeElement.textContent") == "Classic"


def test_a_filter_far_down_the_page_shows_the_first_rows_that_are_left(visit, made):
    page = visit(made).page
    page.locator("#sensibility-figure-3").scroll_into_view_if_needed()
    press(page, "Classic")
    bar, first = (page.locator(one).bounding_box() for one in (".filters", "#classic"))
    assert 0 <= bar["y"] < 60
    assert bar["y"] < first["y"] < 300


@pytest.mark.parametrize("width", [390, 1280])
def test_a_link_shows_its_paper_below_the_filters_whatever_is_chosen(visit, made, width):
    page = visit(made, width=width).page
    press(page, "Ferri", "✗ differs")
    page.locator(".totals").get_by_role("link", name="Soft").click()
    assert shown(page)[0] == expected(signs="✗")  # the filter by verdict is kept
    assert is_first_below_the_filters(page, "#soft-title")
    press(page, "Ferri")
    page.evaluate("location.hash = 'soft'")  # the address has not changed: nothing to do
    assert shown(page)[0] == expected(["Ferri"], "✗")
    page.locator(".totals").get_by_role("link", name="Soft").click()  # the same link again
    assert shown(page)[0] == expected(signs="✗")


def test_an_address_shows_its_figure_though_its_verdict_is_filtered_out(visit, made):
    page = visit(made).page
    press(page, "Sensibility", "✗ differs")
    assert not page.locator("#sensibility-figure-3").is_visible()
    page.evaluate("location.hash = 'sensibility-figure-3'")
    page.locator("#sensibility-figure-3").wait_for(state="visible")
    assert shown(page)[0] == expected()
    assert page.locator("[aria-pressed=true]").count() == 0
    assert is_first_below_the_filters(page, "#sensibility-figure-3")


def is_first_below_the_filters(page, selector):
    """Whether, once scrolling has ended, an element starts a little below the row of filters."""
    page.wait_for_function(
        """([selector]) => {
          const gap = document.querySelector(selector).getBoundingClientRect().top
            - document.querySelector(".filters").getBoundingClientRect().bottom;
          return gap >= 0 && gap < 100;
        }""",
        arg=[selector],
        timeout=5000,
    )
    return True


def test_without_scripts_everything_can_be_read(browser, made, tmp_path):
    path = tmp_path / "page.html"
    made.save(path)
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    assert page.locator("main li[data-sign]:visible").count() == len(ROWS)
    assert not page.locator(".filters").is_visible()
    context.close()


# -- for everyone --------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [390, 800, 1280])
def test_no_sideways_scrolling(visit, made, width):
    page = visit(made, width=width).page
    assert page.evaluate("document.documentElement.scrollWidth") == width
    table = page.locator("#totals .scroll")
    assert table.evaluate("(one) => one.scrollWidth <= one.clientWidth")


@pytest.mark.parametrize(
    ("scheme", "width", "papers"),
    [
        ("light", 1280, []),
        ("light", 390, ["Classic"]),  # a paper with rows of all verdicts, with and without pictures
        ("dark", 1280, ["Classic"]),
        ("dark", 390, ["Classic"]),
    ],
)
def test_axe_finds_nothing(visit, made, scheme, width, papers):
    page = visit(made, scheme=scheme, width=width).page
    press(page, *papers)
    found = Axe().run(page).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found] == []


def test_headings_are_in_order(visit, made):
    page = visit(made).page
    levels = page.locator("h1, h2, h3").evaluate_all(
        "(all) => all.map((one) => Number(one.localName[1]))"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))
