"""Run cases of the fuzz in several processes: `make fuzz CASES=100000 SEED=0`.

A case is drawn from the seed and its number alone. The first that fails is shown with the command
that repeats it, and ends the run with exit code 1; with --keep-going all that fail are shown.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

TESTS = str(Path(__file__).parents[1])
AT_ONCE = 200  # cases of a process before it reports
LONGEST = 120  # seconds of a case, after which it is taken to hang


class Hanging(BaseException):
    """A case that does not end; no `except Exception` may take it for something else."""


def _hangs(*_: object) -> None:
    raise Hanging(f"not finished after {LONGEST} s")


def failures_in(seed: int, numbers: range, *, keep_going: bool) -> dict[int, str]:
    """Run cases; return those that fail, or only the first of them, and how."""
    sys.path[:0] = [TESTS] if TESTS not in sys.path else []
    from fuzz.cases import check_case

    found: dict[int, str] = {}
    signal.signal(signal.SIGALRM, _hangs)
    for number in numbers:
        signal.alarm(LONGEST)
        try:
            check_case(seed, number)
        except (Exception, Hanging):  # noqa: BLE001  # whatever comes out is the finding
            found[number] = traceback.format_exc()
            if not keep_going:
                break
        finally:
            signal.alarm(0)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000, help="how many cases to run")
    parser.add_argument("--seed", type=int, default=0, help="another seed draws other cases")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--case", type=int, help="run the case of this number only")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many processes")
    parser.add_argument("--keep-going", action="store_true", help="do not stop at a failure")
    asked = parser.parse_args()
    first, cases = (asked.first, asked.cases) if asked.case is None else (asked.case, 1)
    end, started, done, failed = first + cases, time.monotonic(), 0, 0
    parts = [range(start, min(start + AT_ONCE, end)) for start in range(first, end, AT_ONCE)]
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
        running = {
            pool.submit(failures_in, asked.seed, part, keep_going=asked.keep_going): part
            for part in parts
        }
        for future in as_completed(running):
            found = future.result()
            for number, how in found.items():
                sys.stdout.write(f"\nCase {number} of seed {asked.seed} fails:\n{how}\n")
            done, failed = done + len(running[future]), failed + len(found)
            if found and not asked.keep_going:
                pool.shutdown(wait=False, cancel_futures=True)
                break
            spent = time.monotonic() - started
            sys.stdout.write(f"{done:,} of {cases:,} cases, {spent:.0f} s, {failed} failed\n")
            sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
