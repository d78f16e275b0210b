"""Examines the cells of a study: one after the other, or, of a large study, several at a time.

What comes of it is the same: each cell is examined by itself, and they come in their order.
"""

import gc
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from threading import Thread, current_thread, main_thread
from typing import NamedTuple

from loadstone.analysis.cells.cell import ExaminedCell, examine_cell
from loadstone.analysis.model import ApdexThresholds
from loadstone.findings.model import Finding
from loadstone.metrics.model import WorkloadKind
from loadstone.results.read import StoredRun

FEWEST_RUNS = 120
"""From here on processes pay: each takes a second until it has loaded the libraries, in which twenty
runs of a minute are read."""
MOST_PROCESSES = 4
"""Each takes some 250 MB, and all together with this one are to stay below 1 GB or so."""


class CellTask(NamedTuple):
    """What is needed to examine one cell."""

    stored: Sequence[StoredRun]
    kind: WorkloadKind
    study_findings: Sequence[Finding]
    apdex: ApdexThresholds
    may_fail: bool

    def examine(self) -> ExaminedCell:
        """Do it."""
        return examine_cell(
            self.stored, self.kind, self.study_findings, self.apdex, may_fail=self.may_fail
        )


OnRead = Callable[[int, int], None]
"""Told how many of how many runs have been read. Must not raise and must return at once."""


def unseen(_read: int, _runs: int) -> None:
    """An `OnRead` that does nothing."""


def examine_cells(tasks: Sequence[CellTask], on_read: OnRead = unseen) -> Iterator[ExaminedCell]:
    """Each cell, in the order of the tasks. `InputError` of the first that cannot be read."""
    runs = sum(len(task.stored) for task in tasks)
    read = 0
    for task, cell in zip(tasks, _examined(tasks, runs), strict=True):
        read += len(task.stored)
        on_read(read, runs)
        yield cell


def _examined(tasks: Sequence[CellTask], runs: int) -> Iterator[ExaminedCell]:
    processes = min(len(os.sched_getaffinity(0)), len(tasks), MOST_PROCESSES)
    done = 0
    if runs >= FEWEST_RUNS and processes > 1:
        try:
            for cell in _in_processes(tasks, processes):
                yield cell
                done += 1
        except (BrokenProcessPool, OSError):  # no room for processes: one after the other, then
            pass
    for task in tasks[done:]:
        yield task.examine()


def _in_processes(tasks: Sequence[CellTask], processes: int) -> Iterator[ExaminedCell]:
    # A fork would copy the locks of threads that are not in the copy, those of polars among them.
    with ProcessPoolExecutor(processes, get_context("spawn"), _begin) as pool:
        try:
            # A terminal interrupts every process of the command: this one alone judges it.
            with _interrupts_blocked():
                cells = pool.map(CellTask.examine, tasks)
            yield from cells
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """What is started in the block is never interrupted; this process is behind it.

    The mask is for what is started. Other threads of this process may take the signal all the same, and
    have its handler run in the main one: so that is put off, too.
    """
    is_main = current_thread() is main_thread()
    came: list[int] = []
    handler = (
        signal.signal(signal.SIGINT, lambda number, _: came.append(number)) if is_main else None
    )
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if is_main:
            signal.signal(signal.SIGINT, handler)
        if came:
            signal.raise_signal(signal.SIGINT)


def _begin() -> None:
    """Set up a process. Whatever ends its parent, nobody waits for it any more."""
    gc.disable()  # as in the parent: see `uncollected`
    parent = parent_process()
    assert parent is not None

    def end() -> None:
        parent.join()
        os._exit(1)

    Thread(target=end, name="end with parent", daemon=True).start()
