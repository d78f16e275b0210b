"""A command with everything below it: how long it took, its CPU time, its memory at most."""

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Event, Thread

import psutil

LOOK_SECONDS = 0.05
"""Between two looks at the memory: what is kept for a shorter time is missed."""


@dataclass(frozen=True)
class Cost:
    """Of one command."""

    wall_seconds: float
    cpu_seconds: float
    """User and system, of all its processes."""
    peak_bytes: int
    """Resident memory of all its processes together; what they share is counted in each."""
    exit_code: int


def cost_of(command: Sequence[str], environment: Mapping[str, str]) -> Cost:
    """Run a command to its end; its output goes nowhere."""
    began = time.monotonic()
    process = subprocess.Popen(
        command,
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    peak_bytes, over = [0], Event()

    def watch() -> None:
        while not over.wait(LOOK_SECONDS):
            peak_bytes.append(_resident_bytes(process.pid))

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    assert process.stderr is not None
    process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall_seconds = time.monotonic() - began
    over.set()
    watcher.join()
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    return Cost(
        wall_seconds=wall_seconds,
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        peak_bytes=max(peak_bytes),
        exit_code=process.returncode,
    )


def _resident_bytes(pid: int) -> int:
    total = 0
    try:
        leader = psutil.Process(pid)
        for each in (leader, *leader.children(recursive=True)):
            total += each.memory_info().rss
    except psutil.Error:  # one has ended: the next look sees the others
        return 0
    return total
