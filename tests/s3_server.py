"""An S3 server for the tests: moto's, on the loopback, in an environment of its own.

Its libraries want other versions than those of the gate, so they are installed apart (make s3).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import urllib.request
from contextlib import contextmanager
from pathlib import Path

PACKAGES = Path(__file__).parents[1] / ".s3"


@contextmanager
def s3_server():
    """Start a server; give its address and the settings by which clients find it."""
    if not (PACKAGES / "moto").is_dir():
        raise RuntimeError("Buckets are tested with moto, which is missing. Run: make s3")
    run = [sys.executable, "-u", "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"]
    process = subprocess.Popen(
        run,
        env=os.environ | {"PYTHONPATH": str(PACKAGES)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        port = None
        for line in process.stdout:
            found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
            if found:
                port = int(found[1])
                break
        assert port is not None, "The server has ended."
        address = f"http://127.0.0.1:{port}"
        made = urllib.request.Request(f"{address}/bucket", method="PUT")
        urllib.request.urlopen(made, timeout=60).close()
        yield {
            "AWS_ENDPOINT_URL": address,
            "AWS_ALLOW_HTTP": "true",
            "AWS_ACCESS_KEY_ID": "ann",
            "AWS_SECRET_ACCESS_KEY": "hush-hush",
            "AWS_REGION": "us-east-1",
        }
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
