"""Studies that the tests of the page look at."""

from __future__ import annotations

import json
import math
import pickle
from functools import lru_cache
from html.parser import HTMLParser

import numpy as np

import rocwalk as rw


def sample(kind, rows=400):
    """Return the columns of a study of two models: hard, soft (and weighted) or many rows."""
    rng = np.random.default_rng(3)
    rows = 20_000 if kind == "many" else rows
    truth = rng.random(rows)
    label = truth.round(3) if kind == "soft" else (truth > 0.7).astype(int)
    data = {"y": label, "plain": truth + rng.normal(0, 0.4, rows)}
    data["tied"] = np.round(truth + rng.normal(0, 0.3, rows), 1)
    if kind == "soft":
        data["w"] = rng.random(rows) * 3
    return data


def study(kind, **options):
    data = sample(kind)
    weight = "w" if kind == "soft" else None
    return data, made(data, label="y", score=["plain", "tied"], weight=weight, **options)


def made(data, **options):
    """Return a report, which cannot be changed: the same one for all tests that ask for it.

    Of rows that are dropped it warns each time.
    """
    if "invalid" in options:
        return rw.report(data, **options)
    return _made(pickle.dumps((data, options)))


@lru_cache(64)
def _made(asked):
    data, options = pickle.loads(asked)
    return rw.report(data, **options)


def curves(data):
    return [rw.roc(data["y"], data[m], sample_weight=data.get("w")) for m in ("plain", "tied")]


def grouped(rows=300, seed=5):
    """Return the columns of two models of probabilities, three groups and five folds."""
    rng = np.random.default_rng(seed)
    y = (rng.random(rows) < 0.4).astype(int)
    columns = {name: rng.normal(1.5 * y - 1, 1 + 0.5 * k) for k, name in enumerate("ab")}
    scores = {name: (1 / (1 + np.exp(-one))).round(3) for name, one in columns.items()}
    return {"y": y} | scores | {"g": np.arange(rows) % 3, "f": np.arange(rows) % 5}


def twenty():
    """Return Fawcett's twenty instances."""
    example = rw.datasets.paper_examples()["classic_table_1"]
    return {"y": example.y_true, "model": example.y_prob}


HOSTILE = (
    '"><script>alert(1)</script>',
    "</script>",
    "<img src=x onerror=alert(1)>",
    "a\u2028b",
    "[/bad]",
    "__proto__",
    "constructor",
    " ",
    "10",
    "2",
    "\u202eturned",
    "long " + "x" * 500,
)


def hostile():
    """Return a report whose every name is meant to harm."""
    rng = np.random.default_rng(8)
    truth = rng.integers(0, 2, 200)
    groups = np.array(["<b>bold</b>", "</script>", "__proto__"])
    data = {"y'\"<i>": truth, "<u>fold": rng.integers(0, 3, 200)}
    data["<u>group"] = groups[rng.integers(0, 3, 200)]
    data |= {name: truth + rng.normal(0, 1, 200) for name in HOSTILE}
    return rw.report(
        data,
        label="y'\"<i>",
        score=list(HOSTILE),
        fold="<u>fold",
        by="<u>group",
        title="</title><script>alert(2)</script>",
    )


def agrees(shown, value):
    """Say whether the digits shown are those of the value."""
    if shown == "undefined" or math.isnan(value):
        return shown == "undefined" and math.isnan(value)
    if math.isinf(value):
        return shown == "∞"
    plain = shown.replace(",", "")
    decimals = len(plain.partition(".")[2])
    return abs(float(plain) - value) <= 0.5 * 10**-decimals * (1 + 1e-6)


def number(shown):
    """Read a threshold as it is shown."""
    return float(shown.replace("≥ ", "").replace("∞", "inf").replace("−", "-"))


def embedded(report, section):
    """Return what the page carries for a section's script."""
    text = report.html.split('id="rocwalk-data">')[1].split("</script>")[0]
    return json.loads(text)["sections"].get(section)


def section(report, name):
    """Return the HTML of a section."""
    return report.html.split(f'<section id="{name}"')[1].split("</section>")[0]


class _Cells(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tables, self.open = [], False

    def handle_starttag(self, tag, attrs):
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("td", "th"):
            self.tables[-1][-1].append("")
            self.open = True

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.open = False

    def handle_data(self, data):
        if self.open:
            self.tables[-1][-1][-1] += data


def tables(report, name):
    """Return the cells of the tables of a section, without those that scripts fill."""
    cells = _Cells()
    cells.feed(section(report, name))
    return cells.tables


def probabilities(kind):
    """Return the columns of two models that give probabilities: hard, soft or of many rows."""
    rng = np.random.default_rng(9)
    rows = 20_000 if kind == "many" else 400
    truth = rng.random(rows)
    data = {"y": truth.round(3) if kind == "soft" else (truth > 0.7).astype(int)}
    logit = 3 * truth - 2 + rng.normal(0, 1, rows)
    data["smooth"] = 1 / (1 + np.exp(-logit))
    data["tied"] = (data["smooth"] ** 3).round(2)
    if kind == "soft":
        data["w"] = rng.random(rows) * 3
    return data


def report_on(data, **options):
    """Return a report on all columns that are not known for something else."""
    known = {"weight": "w" if "w" in data else None}
    known["cluster"] = "patient" if "patient" in data else None
    scores = [name for name in data if name not in ("y", "w", "patient", "fold")]
    return made(data, label="y", score=scores, **known, **options)


def read(shown):
    """Read numbers as they are shown: "0.8 (0.7 to 0.9)" is three."""
    words = shown.replace("\xa0", " ").replace("∞", "inf").replace("−", "-").replace(",", "")
    return [float(one) for one in words.replace("(", "").replace(")", "").split() if one != "to"]


def full_study():
    data, _ = study("hard")
    rng = np.random.default_rng(4)
    data |= {
        "fold": rng.integers(0, 4, 400),
        "site": np.array(["north", "south"])[rng.integers(0, 2, 400)],
    }
    return data, made(data, label="y", score=["plain", "tied"], fold="fold", by="site")


def classes():
    rng = np.random.default_rng(5)
    labels = rng.integers(0, 3, 90)
    scores = (rng.random((90, 3)) + np.eye(3)[labels]) / 2
    names = ["ape", "bee", "cat"]
    data = {"y": [names[k] for k in labels]} | {f"p{k}": scores[:, k] for k in range(3)}
    columns = {name: f"p{k}" for k, name in enumerate(names)}
    return data, scores, made(data, label="y", class_scores=columns)


READERS = ["ann", "bob", "cy", "di"]


def votes(rows=200, gaps=0.1):
    """Return the columns of four readers and of two models."""
    rng = np.random.default_rng(3)
    positive = rng.random(rows) < 0.4
    data = {}
    for name, a, b in zip(READERS, (0.9, 0.8, 0.7, 0.9), (0.9, 0.95, 0.8, 0.6), strict=True):
        said = (rng.random(rows) < np.where(positive, a, 1 - b)).astype(float)
        data[name] = np.where(rng.random(rows) < gaps, np.nan, said)
    data["ann"] = np.nan_to_num(data["ann"])
    data["net"] = 1 / (1 + np.exp(-2 * positive - rng.normal(size=rows)))
    data["raw"] = positive + rng.normal(size=rows)
    return data


def on_votes(data, **options):
    return made(data, raters=READERS, score=["net", "raw"], **options)


def ballots(data):
    return rw.votes({name: data[name] for name in READERS})
