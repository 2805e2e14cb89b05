"""Several classes on the page: which pairs are shown."""

from __future__ import annotations

import re

import numpy as np

import rocwalk as rw
from report.studies import (
    agrees,
    classes,
)


def test_several_classes(visit):
    data, scores, report = classes()
    page, result = visit(report).page, rw.multiclass(data["y"], scores)
    words = page.locator("#summary [data-claim=classes]").inner_text()
    words = words.replace("\xa0", " ")
    assert words.startswith(f"AUC {result.hand_till:.4f}")
    assert f"{result.provost_domingos:.4f} of a class against the rest" in words
    legend = page.locator("#classes .legend .value").all_inner_texts()
    assert all(agrees(w[4:], a) for w, a in zip(legend, result.areas.values(), strict=True))


def test_the_areas_of_classes_have_the_library_s_intervals():
    data, scores, report = classes()
    table = report.html.partition("<caption>Each class against the rest</caption>")[2]
    rows = re.findall(r"<tr><th scope=\"row\">(.*?)</th><td>.*?</td><td>(.*?)</td></tr>", table)
    labels = rw.multiclass(data["y"], scores).labels
    assert [name for name, _ in rows[: len(labels)]] == [str(label) for label in labels]
    for label, (_, words) in zip(labels, rows, strict=False):
        known = rw.interval(data["y"], scores, pos_label=label)
        area, low, high = re.findall(r"[\d.]+", words)
        assert agrees(area, known.estimate)
        assert agrees(low, known.low)
        assert agrees(high, known.high)


def many_classes(count):
    rng = np.random.default_rng(6)
    labels = np.arange(2 * count) % count
    scores = rng.random((2 * count, count))
    scores[np.arange(2 * count), labels] += 0.3
    scores /= 2
    data = {"y": labels} | {f"p{k}": scores[:, k] for k in range(count)}
    columns = {k: f"p{k}" for k in range(count)}
    return rw.multiclass(labels, scores), rw.report(data, label="y", class_scores=columns).html


def test_of_many_classes_those_hardest_to_tell_are_shown():
    result, page = many_classes(30)
    assert "Of 30 curves the 12 of the smallest AUC are drawn." in page
    assert "Of 435 pairs the 300 of the smallest AUC are listed." in page
    table = page.partition("<caption>Pairs of classes</caption>")[2].partition("</table>")[0]
    listed = re.findall(r"<tr><td>(.*?)</td><td>(.*?)</td><td>(.*?)</td></tr>", table)
    smallest = sorted(result.pairwise.values())[:300]
    assert len(listed) == 300
    assert all(agrees(words, x) for (*_, words), x in zip(listed, smallest, strict=True))
    data = page.partition('"ROC curve of each class against the rest"')[2]
    drawn = re.findall(r'"name":"(\d+)","auc":"(.*?)"', data.partition("</script>")[0])
    hardest = sorted(sorted(result.areas, key=result.areas.get)[:12])
    assert [int(name) for name, _ in drawn] == hardest
    assert all(agrees(words, result.areas[int(name)]) for name, words in drawn)
    classes = page.partition("<caption>Each class against the rest</caption>")[2]
    assert classes.partition("</table>")[0].count('<th scope="row">') == 30


def test_few_classes_are_all_shown():
    result, page = many_classes(12)
    assert len(result.pairwise) == 66
    assert "of the smallest AUC" not in page


def test_the_page_does_not_grow_with_the_pairs_of_classes():
    sizes = [len(many_classes(count)[1]) for count in (100, 200)]
    assert sizes[1] - sizes[0] < 100 * 250  # a row of the table of classes each
