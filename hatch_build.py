"""Compile the optional kernel when rocwalk is built or installed from source.

A wheel with the kernel serves every CPython from 3.11 on of its platform (tag cp311-abi3-…). Where
it cannot be compiled (no compiler, no headers, an interpreter without the stable ABI), or where
ROCWALK_PURE=1 asks for it, the wheel is pure Python: everything works, by NumPy alone. Any reason
but the wish is printed. ROCWALK_CFLAGS adds flags, for instance those of a sanitizer.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = Path("src", "rocwalk", "tally", "kernel.c")
TARGET = Path("rocwalk", "tally")


class KernelHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the compiled kernel to a wheel, beside its driver; leaves it there in place."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Compile, and tag the wheel; an editable install finds the kernel in the source tree."""
        root = Path(self.root)
        for stale in (root / SOURCE).parent.glob("_kernel.*"):
            stale.unlink()
        if os.environ.get("ROCWALK_PURE", "") not in {"", "0"}:
            return
        try:
            built = compile_kernel(root)
        except (Exception, SystemExit) as reason:  # noqa: BLE001  # setuptools raises many kinds
            self.app.display_warning(f"rocwalk is installed without its kernel: {reason}")
            return
        build_data["pure_python"] = False
        build_data["tag"] = f"cp311-abi3-{platform_tag()}"
        build_data["artifacts"].append(built.relative_to(root).as_posix())


def compile_kernel(root: Path) -> Path:
    """Compile the kernel and return the extension, which lies beside its source."""
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise RuntimeError("this interpreter has no stable ABI")
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    flags = [] if sys.platform == "win32" else ["-O3", "-std=c99", "-g0"]
    flags += os.environ.get("ROCWALK_CFLAGS", "").split()
    extension = Extension(
        "rocwalk.tally._kernel",
        [str(root / SOURCE)],
        extra_compile_args=flags,
        extra_link_args=[flag for flag in flags if flag.startswith("-fsanitize")],
        py_limited_api=True,
    )
    command = build_ext(Distribution({"name": "rocwalk", "ext_modules": [extension]}))
    with tempfile.TemporaryDirectory() as folder:
        command.build_lib, command.build_temp = folder, str(Path(folder, "objects"))
        command.ensure_finalized()
        command.run()
        (made,) = Path(folder, TARGET).glob("_kernel.*")
        target = (root / SOURCE).parent / made.name
        target.write_bytes(made.read_bytes())
    target.chmod(0o755)
    return target


def platform_tag() -> str:
    """Return the tag of the platform that is compiled for."""
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")
