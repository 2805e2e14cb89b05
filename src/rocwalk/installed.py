"""What is installed: versions, and whether the compiled kernel is in force."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from rocwalk.version import __version__

_PACKAGES = (
    "numpy", "scipy", "narwhals", "duckdb", "pyarrow", "matplotlib", "pandas", "polars",
    "scikit-learn",
)  # fmt: skip


class Versions(dict[str, Any]):
    """Names and versions, shown one a line."""

    def __repr__(self) -> str:
        width = max(map(len, self)) + 2
        return "\n".join(f"{name + ':':{width}}{value}" for name, value in self.items())


def show_versions() -> Versions:
    """Return the versions of rocwalk and of what it uses, and how it computes here.

    Returns
    -------
    Versions
        A dict that shows itself as a list. ``kernel`` is True where the compiled kernel is in
        force; without it (not built, or switched off by ``ROCWALK_PURE=1``) the same numbers are
        computed by NumPy. ``threads`` is how many threads the kernel may use (``ROCWALK_THREADS``),
        ``numpy_simd`` which instructions NumPy found, which decides how fast numpy.sort is. A
        package that is not installed has the version None.

    Examples
    --------
    >>> import rocwalk as rw
    >>> versions = rw.show_versions()
    >>> versions["rocwalk"] == rw.__version__, versions["kernel"] in (True, False)
    (True, True)
    """
    import numpy as np

    from rocwalk.tally import kernel
    from rocwalk.tally.threads import thread_limit

    config: Any = np.show_config(mode="dicts")
    simd = config.get("SIMD Extensions", {})
    return Versions(
        {
            "rocwalk": __version__,
            "python": platform.python_version(),
            "platform": platform.platform(),
            "kernel": kernel.is_used(),
            "threads": thread_limit(),
            "numpy_simd": ", ".join(simd.get("found", simd.get("baseline", []))),
            **{name: _version(name) for name in _PACKAGES},
        }
    )


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
