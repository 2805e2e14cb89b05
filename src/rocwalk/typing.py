"""The array types that annotations share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
MassArray = NDArray[Any]  # int64 for exact counts, float64 for soft or weighted masses
AnyArray = NDArray[Any]
Bounds = tuple[float, float, float]  # the lowest, the middle and the highest value
ArrayLike = Any  # a list, or a NumPy, pandas, polars or pyarrow column
