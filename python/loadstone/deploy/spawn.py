"""Starts a child inside its CPUs and control groups, and tells the moment from which its own time runs.

What the kernel needs to move a thread or a process between control groups, some milliseconds, is
nobody's start-up. So the clock begins when the child is where it belongs, and whoever waits for the
child is not kept waiting by the way back.
"""

import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, NamedTuple

from loadstone.deploy.confinement.interface import Confinement, Entry

_MOMENT_BYTES = 8


class Spawned(NamedTuple):
    """A child, and when it was spawned."""

    process: "subprocess.Popen[bytes]"
    spawned_ns: int
    """On the monotonic clock: before the fork, or before the exec of a child that enters its groups by
    itself.
    """


def spawn(
    words: list[str],
    *,
    directory: Path,
    environment: Mapping[str, str],
    log: IO[bytes],
    cpus: tuple[int, ...],
    pipe_output: bool,
    pipe_input: bool,
    confinement: Confinement | None,
) -> Spawned:
    """Start a program in a session of its own. Raises OSError where it cannot be run.

    The child inherits affinity and control groups of version 1 from the thread that starts it. That
    thread is made for it, and ends then: nothing of it has to be set back.
    """

    def start() -> Spawned:
        if cpus:
            os.sched_setaffinity(0, cpus)
        spawning = nullcontext() if confinement is None else confinement.spawning()
        with spawning as entry, _noting(entry) as (enter, entered_ns):
            spawned_ns = time.monotonic_ns()
            process = subprocess.Popen(
                words,
                cwd=directory,
                env=environment,
                stdin=subprocess.PIPE if pipe_input else subprocess.DEVNULL,
                stdout=subprocess.PIPE if pipe_output else log,
                stderr=log,
                start_new_session=True,
                preexec_fn=enter,
            )
            return Spawned(process, spawned_ns if enter is None else entered_ns())

    return _in_a_thread(start)


@contextmanager
def _noting(entry: Entry | None) -> Iterator[tuple[Entry | None, Callable[[], int]]]:
    """Give an entry that also notes its end, and what reads that moment once the child is started."""
    if entry is None:
        yield None, lambda: 0
        return
    reading, writing = os.pipe()

    def enter() -> None:
        entry()
        os.write(writing, time.monotonic_ns().to_bytes(_MOMENT_BYTES))

    try:
        yield enter, lambda: int.from_bytes(os.read(reading, _MOMENT_BYTES))
    finally:
        os.close(reading)
        os.close(writing)


def _in_a_thread(start: Callable[[], Spawned]) -> Spawned:
    outcome: Future[Spawned] = Future()

    def run() -> None:
        if not outcome.set_running_or_notify_cancel():
            return
        try:
            outcome.set_result(start())
        except BaseException as error:
            outcome.set_exception(error)

    thread = threading.Thread(target=run, name="spawn")
    try:
        thread.start()
        thread.join()
    except BaseException:  # a signal, in the main thread: the child must not be lost
        if not outcome.cancel() and outcome.exception() is None:
            outcome.result().process.kill()
            outcome.result().process.wait()
        raise
    return outcome.result()
