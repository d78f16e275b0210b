"""Real servers under the real engine, wrong in what no quantile over requests shows."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from corpus.live import NOISE, healthy, loaded, running, under, users
from corpus.model import Clean, Defect

SPIN = "while True: pass"


@contextmanager
def spinning(count: int) -> Iterator[None]:
    """So many programs on the CPU of the engine, which never wait."""
    first = min(os.sched_getaffinity(0))
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", SPIN], preexec_fn=lambda: os.sched_setaffinity(0, {first})
        )
        for _ in range(count)
    ]
    try:
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()


def starved(_: int, strength: float, directory: Path) -> Path:
    with running("waits", 2.0) as url, spinning(round(strength)):
        return loaded(directory, url, users(10))


DEFECTS = (
    Defect(
        "live: users served unequally",
        ("unequal-users",),
        (0.0, 5.0, 30.0),
        30.0,
        "times as slow, one user in twenty",
        under("serves_unequally", users(20)),
        live=True,
    ),
    Defect(
        "live: answers of other callers",
        ("answers-differ",),
        (0.0, 0.002, 0.02),
        0.002,
        "share of the answers with others in flight",
        under("mixes_up", users(10)),
        live=True,
    ),
    Defect(
        "live: programs on the engine's CPU",
        ("engine-waited",),
        (1.0, 3.0),
        3.0,
        "programs that never wait",
        starved,
        live=True,
    ),
)

CLEAN = (
    Clean(
        "live: users who pause",
        healthy("waits", users(20, think_ms=50), 2.0),
        {**NOISE, "pinned-throughput": "its users pause most of the time"},
        live=True,
    ),
)
