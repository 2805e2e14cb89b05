"""The built site, as a reader sees it: in a browser, wide and on a phone, without a network.

It is built once; its pages are files.
"""

from __future__ import annotations

import inspect
import re
import runpy
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

import rocwalk as rw
from rocwalk.report.glossary import dictionary

DOCS = Path(__file__).parents[1] / "docs"
MODULES = (rw, rw.metrics, rw.sklearn, rw.datasets, rw.errors)
WIDTHS = (1280, 390)
pytestmark = pytest.mark.slow


class Page(HTMLParser):
    """The links and the names of places of one page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.places, self.loaded, self.inside = [], set(), [], 0
        self.own = []  # links of the text itself, not of menus
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if tag == "article":
            self.inside += 1
        self.places |= {found[name] for name in ("id", "name") if found.get(name)}
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])
            if self.inside:
                self.own.append(found["href"])
        if tag in ("script", "link", "img", "iframe"):
            self.loaded += [found[name] for name in ("src", "href") if found.get(name)]

    def handle_endtag(self, tag):
        self.inside -= tag == "article"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the built pages; a warning is an error."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
    places = ["-d", folder / "doctrees", DOCS, folder / "html"]
    done = subprocess.run([*command, *places], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "html"


@pytest.fixture(scope="module")
def pages(site):
    """Every page by its path, with its links."""
    others = ("live", "_static")  # reports in frames, templates of the theme
    paths = [path for path in site.rglob("*.html") if path.relative_to(site).parts[0] not in others]
    return {path: Page(path) for path in sorted(paths)}


@pytest.fixture
def visit(browser):
    """Open pages without a network; remember what they say and ask for."""
    context = browser.new_context(offline=True, viewport={"width": WIDTHS[0], "height": 900})
    page = context.new_page()
    page.asked, page.said = [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("console", lambda told: told.type != "log" and page.said.append(told.text))
    page.on("pageerror", lambda error: page.said.append(str(error)))
    yield page
    context.close()


def target_of(path, link):
    """Return the file and the place that a link leads to; None for addresses elsewhere."""
    if re.match(r"[a-z]+:", link):
        return None
    file, _, place = unquote(link).partition("#")
    return ((path.parent / file.partition("?")[0]).resolve() if file else path), place


# -- links and sources -----------------------------------------------------------------------------


def test_every_link_leads_to_a_page_and_a_place(pages):
    broken = []
    for path, page in pages.items():
        for link in page.links:
            target = target_of(path, link)
            if target is None:
                continue
            file, place = target
            known = pages[file].places if file in pages else {place}
            if not file.is_file() or (place and place not in known):
                broken.append((path.name, link))
    assert broken == []


def test_no_page_loads_anything_from_elsewhere(pages):
    for path, page in pages.items():
        for address in page.loaded:
            assert not re.match(r"(https?:)?//", address), (path, address)
            assert target_of(path, address)[0].exists() or address.startswith("data:")


# -- in the browser --------------------------------------------------------------------------------


def test_every_page_fits_is_quiet_and_needs_no_network(site, pages, visit):
    """At both widths: nothing is wider than the window, no picture is missing, nothing complains.

    Pages are opened wide and on a phone by turns, and checked again at the other width.
    """
    spare = "document.documentElement.clientWidth - document.documentElement.scrollWidth"
    drawn = "all => all.every((one) => one.naturalWidth > 0)"
    wrong, widths = [], WIDTHS
    visit.route("**/live/*.html", lambda route: route.fulfill(body="<!doctype html>"))
    for path in pages:
        visit.goto(path.as_uri())
        for width in widths:
            if visit.viewport_size["width"] != width:
                visit.set_viewport_size({"width": width, "height": 900})
            if visit.evaluate(spare) < 0:
                wrong.append((path.name, width, visit.evaluate(spare)))
        if not visit.locator(".bd-article img").evaluate_all(drawn):
            wrong.append((path.name, "a picture is missing"))
        wrong += [(path.name, said) for said in visit.said]
        visit.said.clear()
        widths = widths[::-1]
    assert wrong == []
    assert len(pages) > 200
    assert all(url.startswith(("file://", "data:")) for url in visit.asked)


# one page of each kind
KINDS = (
    "index", "play", "guides", "guide-teaching", "guide-paper", "gallery/index", "gallery/prices", "questions", "glossary",
    "notebooks/experts-and-drift", "reference/rocwalk.roc", "reference/rocwalk.Curve", "api",
    "recipes/figures", "coming-from", "mathematics", "measured", "search", "genindex",
)  # fmt: skip


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_of_each_kind_is_accessible(site, browser, scheme):
    context = browser.new_context(offline=True, color_scheme=scheme)
    page = context.new_page()
    page.route("**/live/*.html", lambda route: route.fulfill(body=FRAME, content_type="text/html"))
    found = {}
    for kind in KINDS if scheme == "light" else KINDS[:10]:
        page.goto((site / f"{kind}.html").as_uri())
        page.wait_for_timeout(200)  # colours fade in
        result = Axe().run(page)
        if result.violations_count:
            found[kind] = [
                (one["id"], one["nodes"][0]["html"][:200]) for one in result.response["violations"]
            ]
    context.close()
    assert found == {}


FRAME = (
    '<!doctype html><html lang="en"><title>A report</title><main><h1>A report</h1></main></html>'
)


def test_the_frame_of_the_start_page_is_a_report_that_works(site, visit):
    visit.goto((site / "index.html").as_uri())
    visit.locator("figure.live").scroll_into_view_if_needed()
    frame = visit.frame_locator("figure.live iframe")
    assert "569 breast tumours" in frame.locator("h1").inner_text()
    assert frame.locator("#summary svg.chart").first.is_visible()
    assert visit.said == []
    for name in ("models", "experts", "deployed"):
        assert (site / "live" / f"{name}.html").stat().st_size > 100_000


def test_the_playground_works_inside_the_site(site, visit):
    visit.goto((site / "play.html").as_uri())
    frame = visit.frame_locator("figure.live iframe")
    auc = frame.locator('[data-number="auc"] dd')
    before = auc.inner_text()
    for _ in range(4):  # pressed where the item is, though the page may be drawn anew meanwhile
        frame.locator(".item.positive").last.press("PageDown")
    expect(auc).not_to_have_text(before)  # waits, as long as a busy machine needs
    assert float(auc.inner_text()) < float(before)
    frame.get_by_role("button", name="Lesson 3").click()
    assert frame.locator("[data-role=title]").inner_text() == "Same AUC, different promises"
    assert visit.said == []


def test_no_page_is_an_orphan(pages, site):
    """Every page can be reached from the start page by links."""
    seen, open_ = set(), [site / "index.html"]
    while open_:
        path = open_.pop()
        if path not in seen:
            seen.add(path)
            found = [target_of(path, link) for link in pages[path].links]
            open_ += [target[0] for target in found if target and target[0] in pages]
    assert {path.name for path in set(pages) - seen} <= {"search.html", "genindex.html"}


def test_names_in_docstrings_lead_to_their_pages(pages, site):
    page = pages[site / "reference" / "rocwalk.roc.html"]
    assert any("rocwalk.Tally" in link for link in page.own)
    assert any("rocwalk.soft_roc.html" in link for link in page.own)
    text = (site / "reference" / "rocwalk.roc.html").read_text(encoding="utf-8")
    assert (
        '<code class="docutils literal notranslate"><span class="pre">y_true</span></code>' in text
    )


def test_equations_are_drawn_and_numbered(site, visit):
    visit.goto((site / "mathematics.html").as_uri())
    visit.wait_for_function("document.querySelectorAll('mjx-container').length > 200")
    visit.evaluate("MathJax.startup.promise")
    assert visit.locator(".math mjx-container > svg").count() == visit.locator(".math").count()
    assert visit.locator("[data-mml-node=merror]").count() == 0
    width = "all => Math.max(...all.map((one) => one.getBoundingClientRect().width))"
    assert visit.locator("div.math mjx-container > svg").evaluate_all(width) < 800
    height = "all => Math.min(...all.map((one) => one.getBoundingClientRect().height))"
    assert visit.locator("div.math mjx-container > svg").evaluate_all(height) > 10
    numbers = [text.split(")")[0] for text in visit.locator("span.eqno").all_inner_texts()]
    assert len(numbers) > 30
    assert numbers == [f"({k}" for k in range(1, len(numbers) + 1)]


def test_search_finds_a_function_and_a_word(site, visit):
    for query, wanted in (("matched_width", "rocwalk.matched_width"), ("struggle", "drift")):
        visit.goto((site / "search.html").as_uri() + f"?q={query}")
        visit.locator("#search-results li a").first.wait_for()
        links = visit.locator("#search-results li a").evaluate_all("all => all.map((a) => a.href)")
        assert any(wanted in link for link in links)


def test_dark_and_light_are_a_button(site, visit):
    visit.goto((site / "guides.html").as_uri())
    background = "getComputedStyle(document.body).backgroundColor"
    light = visit.evaluate(background)
    visit.evaluate("document.documentElement.dataset.theme = 'dark'")
    visit.wait_for_timeout(400)
    assert visit.evaluate(background) != light
    assert visit.locator(".theme-switch-button").count() >= 1


def test_blocks_of_code_have_a_button_that_copies_without_prompts(site, visit):
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit.goto((site / "reference" / "rocwalk.roc.html").as_uri())
    visit.locator("div.highlight").first.hover()
    visit.locator("button.copybtn").first.click()
    copied = visit.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("import rocwalk as rw\ncurve = rw.roc(")


# -- what must be there ----------------------------------------------------------------------------


def test_every_public_name_has_a_page(site):
    for module in MODULES:
        for name in module.__all__:
            if inspect.ismodule(getattr(module, name)) or name == "__version__":
                continue
            files = [f"{module.__name__}.{name}{end}.html" for end in ("-class", "")]
            (text,) = (
                found.read_text(encoding="utf-8")
                for found in [
                    site / "reference" / file
                    for file in files
                    if (site / "reference" / file).exists()
                ]
            )
            assert f'id="{module.__name__}.{name}"' in text


def test_no_two_pages_differ_in_capitals_only(site):
    names = [path.relative_to(site).as_posix().lower() for path in site.rglob("*.html")]
    assert len(set(names)) == len(names)


def test_what_draws_has_its_picture(site):
    drawings = runpy.run_path(str(DOCS / "_ext" / "drawings.py"))["DRAWINGS"]
    for module in (rw, rw.sklearn):
        for name in module.__all__:
            found = getattr(module, name)
            if inspect.isclass(found) and hasattr(found, "plot"):
                assert f"{module.__name__}.{name}" in drawings
    for name in (
        "rocwalk.roc",
        "rocwalk.band",
        "rocwalk.Drift-class",
        "rocwalk.sklearn.RocDisplay",
    ):
        assert "<img" in (site / "reference" / f"{name}.html").read_text(encoding="utf-8")


def test_every_parameter_of_a_function_is_on_its_page(site):
    for name in rw.__all__:
        found = getattr(rw, name)
        if not inspect.isfunction(found):
            continue
        text = (site / "reference" / f"rocwalk.{name}.html").read_text(encoding="utf-8")
        for parameter in inspect.signature(found).parameters.values():
            if parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
                assert f"<strong>{parameter.name}</strong>" in text, (name, parameter.name)


def test_the_gallery_has_a_thumbnail_of_every_script(site):
    text = (site / "gallery" / "index.html").read_text(encoding="utf-8")
    for script in (DOCS / "gallery").glob("*.py"):
        assert re.search(rf"/{script.stem}(-panel)?\.png", text), (
            script
        )  # a wide one: its last panel
        assert f'href="{script.stem}.html"' in text


def test_notebooks_are_pages_with_their_outputs(site):
    for notebook in (DOCS / "notebooks").glob("*.ipynb"):
        text = (site / "notebooks" / f"{notebook.stem}.html").read_text(encoding="utf-8")
        stored = notebook.read_text(encoding="utf-8")
        assert text.count(f"notebooks-{notebook.stem}-") >= stored.count('"image/png"') > 0
        assert text.count('class="output-box"') == stored.count('"text/html"') > 0


def test_the_glossary_has_one_sentence_for_every_word(site):
    text = (site / "glossary.html").read_text(encoding="utf-8")
    assert len(dictionary()) > 100
    for word, sentence in dictionary().items():
        assert sentence.endswith("."), word
        assert sentence.count(". ") == 0, word
        assert re.search(rf"<dt[^>]*>{re.escape(word).replace('&', '&amp;')}<", text), word


# -- the first questions of four users, within two clicks ------------------------------------------


def questions():
    """Return the questions by user, each with the address of its answer."""
    text = (DOCS / "questions.rst").read_text(encoding="utf-8")
    parts = re.split(r"^(.+)\n-{5,}\n", text, flags=re.MULTILINE)[1:]
    row = re.compile(r"^   \* - (.+\?)\n     - .+\n     - `.+ <(\S+)>`__$", re.MULTILINE)
    return {user: row.findall(part) for user, part in zip(parts[::2], parts[1::2], strict=True)}


def test_four_users_have_ten_questions_each():
    found = questions()
    doors = re.findall(r"grid-item-card:: (I .+|My .+)", (DOCS / "index.rst").read_text("utf-8"))
    assert list(found) == doors
    assert [len(rows) for rows in found.values()] == [10] * 4


def test_every_first_question_is_answered_within_two_clicks(site, visit):
    visit.route("**/live/*.html", lambda route: route.fulfill(body="<!doctype html>"))
    visit.goto((site / "index.html").as_uri())
    visit.get_by_role("link", name="Ten first questions").click()
    for question, address in [row for rows in questions().values() for row in rows]:
        visit.wait_for_url("**/questions.html")
        visit.locator("tr", has_text=question).get_by_role("link").click()
        visit.wait_for_url(f"**/{address}")
        place = address.partition("#")[2]
        answer = visit.locator(f'[id="{place}"]' if place else "article h1").first
        assert answer.is_visible(), question
        assert answer.bounding_box()["y"] < 900, question  # on the first screen
        visit.go_back()
    assert visit.said == []


def test_doors_lead_to_most_answers_without_the_list(pages, site):
    """From the start page by its own links and those of the page after it, never by the list."""
    start, seen = site / "index.html", set()
    for link in pages[start].own:
        first = target_of(start, link)
        if first and first[0] in pages and first[0].name != "questions.html":
            seen |= {
                target_of(first[0], one)[0]
                for one in pages[first[0]].own
                if target_of(first[0], one)
            }
            seen.add(first[0])
    answers = {
        (site / address.partition("#")[0]) for rows in questions().values() for _, address in rows
    }
    assert answers <= seen
