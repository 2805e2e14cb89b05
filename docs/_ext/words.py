"""The glossary: every uncommon word with one sentence, from the library itself."""

from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from rocwalk.report.glossary import dictionary, vocabulary
from rocwalk.statistic import entries


def glossary_lines() -> list[str]:
    """Return all words as a glossary; numbers say by which name functions take them."""
    names = {entry.title: name for name, entry in entries().items()}
    lines = [".. glossary::", ""]
    for word, sentence in dictionary().items():
        name = f" Name: ``{names[word]}``." if word in names else ""
        lines += [f"   {escaped(word)}", f"      {escaped(sentence)}{name}", ""]
    return lines


def field_lines() -> list[str]:
    """Return the words that two fields say differently as a table."""
    lines = [
        ".. list-table::",
        "   :header-rows: 1",
        "",
        "   * - Machine learning",
        "     - Medicine",
    ]
    pairs = {(one["learning"], one["clinical"]) for one in vocabulary().values()}
    for learning, clinical in sorted(pairs, key=lambda pair: pair[0].casefold()):
        if learning != clinical:
            lines += [f"   * - {escaped(learning)}", f"     - {escaped(clinical)}"]
    return lines


def escaped(text: str) -> str:
    """Return a text in which nothing is markup."""
    return "".join(f"\\{sign}" if sign in "*`|_\\" else sign for sign in text)


class Words(SphinxDirective):
    """The glossary, or with the argument ``fields`` the words of two fields."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the list or the table."""
        lines = field_lines() if self.arguments else glossary_lines()
        node = nodes.container()
        source = StringList(lines, "rocwalk.report.glossary")
        self.state.nested_parse(source, self.content_offset, node)
        return node.children


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the directive known."""
    app.add_directive("words", Words)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
