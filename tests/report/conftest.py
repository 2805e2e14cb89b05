"""Pages to open in the browser of the tests."""

from __future__ import annotations

import pytest


class Visit:
    """An open page that remembers what it said and what it asked for."""

    def __init__(self, page):
        self.page, self.said, self.requests, self.dialogs = page, [], [], []
        page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.said.append(f"error: {error}"))
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("dialog", lambda dialog: (self.dialogs.append(dialog.message), dialog.dismiss()))

    def text(self, section, role):
        return self.page.locator(f'#{section} [data-role="{role}"]').inner_text()

    def stops(self, slider, positions, roles, model=None):
        """Put a slider to positions in turn; return the texts of the roles of its section."""
        return self.page.evaluate(
            """([id, positions, roles, model]) => {
              const slider = document.getElementById(id), host = slider.closest("section");
              const pick = (role) => host.querySelector(`[data-role="${role}"]`);
              if (model !== null) { pick("model").value = model; pick("model").dispatchEvent(new Event("change")); }
              return positions.map((at) => {
                slider.value = at;
                slider.dispatchEvent(new Event("input"));
                const said = Object.fromEntries(roles.map((role) => [role, pick(role).textContent]));
                const rows = [...(pick("rows")?.children ?? [])];
                said.rows = rows.map((row) => [...row.children].map((cell) => cell.textContent));
                said.spoken = slider.getAttribute("aria-valuetext");
                return said;
              });
            }""",
            [slider, positions, roles, model],
        )

    def range_of(self, slider):
        found = self.page.locator(f"#{slider}")
        return int(found.get_attribute("min")), int(found.get_attribute("max"))


@pytest.fixture
def visit(browser, tmp_path):
    """Return a function that opens a report from a file and checks, at the end, that it was quiet."""
    yield from visits_of(browser, tmp_path)


@pytest.fixture(scope="module")
def visit_once(browser, tmp_path_factory):
    """Like `visit`, for pages that the tests of a module share."""
    yield from visits_of(browser, tmp_path_factory.mktemp("pages"))


def visits_of(browser, folder):
    contexts, visits = [], []

    def open_(report, *, width=1280, height=900, scheme="light", quiet=True, unfold=True, at=""):
        path = folder / f"{len(contexts)}.html"
        report.save(path)
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            reduced_motion="reduce",
        )
        contexts.append(context)
        one = Visit(context.new_page())
        one.address = path.as_uri()
        one.page.goto(one.address + at)
        one.page.wait_for_selector("html[data-ready=yes]", state="attached")
        if unfold:  # sections for specialists are folded until opened
            one.page.evaluate("typeof rocwalk === 'object' && rocwalk.ways.unfoldAll()")
        if quiet:
            visits.append(one)
        return one

    yield open_
    for context in contexts:
        context.close()
    for one in visits:
        assert one.said == []
        assert one.dialogs == []
        assert {address.partition("#")[0] for address in one.requests} == {one.address}
