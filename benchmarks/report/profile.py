"""Where the CPU time goes: `python -m benchmarks.report.profile RESULTS OUT` samples the analysis and
the rendering of a study in one process, and writes seconds by module.
"""

import json
import os
import signal
import sys
import time
from collections import defaultdict
from pathlib import Path
from types import FrameType

import loadstone

SAMPLE_SECONDS = 0.005
"""Of CPU time, between two samples."""
PACKAGE = str(Path(loadstone.__file__).parent)


def main(results: Path, out: Path) -> None:
    """Write `{module: CPU seconds}` of the innermost module of the package in each sample."""
    # One CPU: a study is then read by this process, whose samples these are.
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    from loadstone.cli.conclude import conclude

    seconds: defaultdict[str, float] = defaultdict(float)
    until = time.process_time()

    def sample(_signal: int, frame: FrameType | None) -> None:
        # A signal is delivered when a call into a library returns: all since the last is that call's.
        nonlocal until
        now = time.process_time()
        seconds[_module_of(frame)] += now - until
        until = now

    signal.signal(signal.SIGPROF, sample)
    signal.setitimer(signal.ITIMER_PROF, SAMPLE_SECONDS, SAMPLE_SECONDS)
    try:
        conclude(results)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    out.write_text(
        json.dumps(dict(sorted(seconds.items(), key=lambda each: -each[1])), indent=1) + "\n"
    )


def _module_of(frame: FrameType | None) -> str:
    while frame is not None:
        path = frame.f_code.co_filename
        if path.startswith(PACKAGE):
            return path.removeprefix(PACKAGE).lstrip("/")
        frame = frame.f_back
    return "elsewhere"


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
