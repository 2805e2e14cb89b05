"""Every row and figure of the papers, computed once for their tests."""

from __future__ import annotations

import dataclasses

import rocwalk as rw
from rocwalk.papers import all_figures, all_rows

EXAMPLES = rw.datasets.paper_examples()
ROWS = all_rows()
FIGURES = all_figures()
CLASSES = {"classic_class_a", "classic_class_b", "classic_class_c"}


def find(what, rows=ROWS):
    (row,) = [row for row in rows if row.what.startswith(what)]
    return row


def nudged(name):
    """Yield the examples with one row changed: its score moved, its label flipped, or dropped."""
    example = EXAMPLES[name]
    for i in range(len(example.y_true)):
        for score in (0.015, 0.415, 0.985):
            scores = (*example.y_prob[:i], score, *example.y_prob[i + 1 :])
            yield EXAMPLES | {name: dataclasses.replace(example, y_prob=scores)}
        if name in CLASSES:  # a row belongs to all three samples, so only its scores can move
            continue
        labels = (*example.y_true[:i], 1 - example.y_true[i], *example.y_true[i + 1 :])
        yield EXAMPLES | {name: dataclasses.replace(example, y_true=labels)}
        kept = {
            field: getattr(example, field)[:i] + getattr(example, field)[i + 1 :]
            for field in ("y_true", "y_prob")
        }
        yield EXAMPLES | {name: dataclasses.replace(example, **kept)}


def drawn(name, examples=None):
    (figure,) = [f for f in all_figures(examples) if f.name == name]
    return figure.draw(None)


def lines_of(ax):
    return [line for line in ax.lines if line.get_gid() == "curve"]


def lines(ax):
    return [line.get_ydata().tolist() for line in lines_of(ax)]
