"""The parts of the study, one file for each set and split, so that a run can be stopped and
continued."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from rocwalk.errors import HardScoresWarning, UndefinedMetricWarning

from .datasets import Data, Dataset
from .learners import LEARNERS, fitted, probabilities
from .regret import Scores, of_selection, of_thresholds, of_widths
from .sensible import of_sensible
from .splits import Split, draw, rng_of
from .thresholds import BETA, LOGIT, METHODS


def scores_of(data: Data, split: Split, seed: int) -> Scores:
    """Fit all learners to the training rows and return what they give to the other rows."""
    x, y = data.x[split.train], data.y[split.train]
    on_pool, on_test = [], []
    for name in LEARNERS:
        model = fitted(name, x, y, seed)
        on_pool.append(probabilities(model, data.x[split.pool]))
        on_test.append(probabilities(model, data.x[split.test]))
    pool = np.array(on_pool)
    parts = {size: (data.y[rows], pool[:, :size]) for size, rows in split.validation.items()}
    test = data.y[split.test], np.array(on_test)
    return Scores(tuple(LEARNERS), data.prevalence, parts, test, seed)


def save(scores: Scores, seconds: float, path: Path) -> None:
    largest = max(scores.validation)
    y, p = scores.validation[largest]
    np.savez_compressed(
        path,
        prevalence=scores.prevalence,
        sizes=list(scores.validation),
        y=y.astype(np.int8),
        p=p,
        test_y=scores.test[0].astype(np.int8),
        test_p=scores.test[1],
        seed=scores.seed,
        seconds=seconds,
    )


def load(path: Path) -> Scores:
    with np.load(path) as file:
        y, p = file["y"].astype(int), file["p"]
        parts = {int(size): (y[:size], p[:, :size]) for size in file["sizes"]}
        test = file["test_y"].astype(int), file["test_p"]
        prevalence, seed = float(file["prevalence"]), int(file["seed"])
    return Scores(tuple(LEARNERS), prevalence, parts, test, seed)


@dataclass(frozen=True)
class Task:
    """One split of one set; its parts are kept in files of a folder."""

    dataset: Dataset
    number: int
    folder: Path

    @cached_property
    def drawn(self) -> tuple[Data, Split, int]:
        """The data, the split, and a seed for everything else that is random."""
        data, rng = loaded(self.dataset), rng_of(self.dataset, self.number)
        return data, draw(data, rng), int(rng.integers(2**31))

    def file(self, part: str) -> Path:
        kind = "npz" if part == "scores" else "json"
        return self.folder / part / f"{self.dataset.name}.{self.number}.{kind}"

    def do(self, part: str) -> None:
        """Do one part and write its file whole or not at all."""
        path, begin = self.file(part), time.process_time()
        aside = path.with_name(f"_{path.name}")
        found = PARTS[part](self)
        seconds = time.process_time() - begin
        if isinstance(found, Scores):
            save(found, seconds, aside)
        else:
            aside.write_text(json.dumps({"seconds": seconds, "found": found}), encoding="utf-8")
        aside.rename(path)


@cache
def loaded(dataset: Dataset) -> Data:
    """Return the data of a set, read once."""
    return dataset.load()


PARTS: dict[str, Callable[[Task], Any]] = {
    "scores": lambda task: scores_of(*task.drawn),
    "selection": lambda task: of_selection(load(task.file("scores"))),
    "thresholds": lambda task: of_thresholds(load(task.file("scores")), METHODS),
    "logit": lambda task: of_thresholds(load(task.file("scores")), LOGIT),
    "beta": lambda task: of_thresholds(load(task.file("scores")), BETA),
    "widths": lambda task: of_widths(load(task.file("scores"))),
    "sensible": lambda task: of_sensible(*task.drawn),
}


def run(
    datasets: Iterable[Dataset],
    splits: Iterable[int],
    folder: Path,
    parts: Iterable[str] = tuple(PARTS),
    said: Callable[[str], None] = print,
) -> None:
    """Do every part of every set and split whose file is not there yet, split by split."""
    for part in parts:
        (folder / part).mkdir(parents=True, exist_ok=True)
    for number, dataset in product(splits, datasets):
        task, begin = Task(dataset, number, folder), time.perf_counter()
        missing = [part for part in parts if not task.file(part).exists()]
        with warnings.catch_warnings():
            for expected in (HardScoresWarning, UndefinedMetricWarning):
                warnings.simplefilter("ignore", expected)  # PLAN.md says what they lead to
            for part in missing:
                task.do(part)
        if missing:
            spent = time.perf_counter() - begin
            said(f"{dataset.name}, split {number}: {', '.join(missing)} in {spent:.1f} s")
