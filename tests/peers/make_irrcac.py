"""Write the numbers of irrCAC (PyPI, 0.4.4) that tests/truth/test_chance_agreement.py keeps.

    pip install irrCAC    # in an environment of its own
    python tests/peers/make_irrcac.py

The data are the complete rows of the twelve units and four observers of Krippendorff (2011). With gaps
irrCAC counts the gap as a category.
"""

from __future__ import annotations

import json
import sys

import numpy as np
import pandas as pd
from irrCAC.raw import CAC

NAN = float("nan")
GAPS = [
    [1, 1, NAN, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [NAN, 5, 5, 5], [NAN, NAN, 1, 1], [NAN, NAN, 3, NAN],
]  # fmt: skip


def numbers(table):
    found = {}
    for weights in ("identity", "ordinal", "quadratic"):
        cac = CAC(pd.DataFrame(table), weights=weights, digits=10)
        for name in ("fleiss", "conger", "krippendorff", "gwet"):
            est = getattr(cac, name)()["est"]
            found[f"{name} {weights}"] = [
                est["coefficient_value"], est["se"], *map(float, est["confidence_interval"]),
            ]  # fmt: skip
    return found


if __name__ == "__main__":
    full = [row for row in GAPS if not np.isnan(row).any()]
    sys.stdout.write(json.dumps(numbers(full), indent=1))
