"""How far a process gives way to others: of its CPU, and when memory is short. Source: proc(5)."""

import os
from pathlib import Path


def nice_of(pid: int) -> int:
    """Return the nice value of a process's first thread; 0 where it is gone."""
    try:
        return os.getpriority(os.PRIO_PROCESS, pid)
    except OSError:
        return 0


def oom_score_of(pid: int) -> int | None:
    """Return by how much the kernel would rather end it when memory is short; none where it is gone."""
    try:
        return int(Path(f"/proc/{pid}/oom_score_adj").read_text())
    except (OSError, ValueError):
        return None
