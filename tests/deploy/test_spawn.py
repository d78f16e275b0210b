"""A child's time runs from when it is in its place, however long the way there was."""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from loadstone.deploy import process
from loadstone.deploy.confinement.interface import Applied, Entry, Usage


class Slow:
    """A confinement that notes when the child, or the thread that starts it, was in its place."""

    applied = Applied("cgroup v1", None, None)

    def __init__(self, note: Path, *, by_the_child: bool) -> None:
        self._note, self._by_the_child = note, by_the_child
        self.thread = 0

    @contextmanager
    def spawning(self) -> Iterator[Entry | None]:
        self.thread = threading.get_native_id()
        if not self._by_the_child:
            self._enter()
        yield self._enter if self._by_the_child else None

    def _enter(self) -> None:
        self._note.write_text(str(time.monotonic_ns()))

    def in_place_ns(self) -> int:
        return int(self._note.read_text())

    def started(self, pid: int) -> None:
        pass

    def usage(self) -> Usage:
        return Usage()

    def out_of_memory_kills(self) -> int | None:
        return None

    def remove(self) -> None:
        pass


def start(directory: Path, confinement: Slow, *words: str) -> process.Child:
    return process.start(
        "child",
        [*words],
        directory=directory,
        log_path=directory / "child.log",
        cpus=(),
        confinement=confinement,
    )


@pytest.mark.parametrize("by_the_child", [False, True])
def test_the_way_into_the_groups_is_not_part_of_a_start(tmp_path: Path, by_the_child: bool) -> None:
    confinement = Slow(tmp_path / "note", by_the_child=by_the_child)
    began_ns = time.monotonic_ns()
    child = start(tmp_path, confinement, "true")
    child.stop()
    assert began_ns < confinement.in_place_ns() <= child.spawned_ns < time.monotonic_ns()


def test_the_thread_that_goes_into_the_groups_is_none_of_the_labs_others(tmp_path: Path) -> None:
    confinement = Slow(tmp_path / "note", by_the_child=False)
    others = {each.id for each in psutil.Process().threads()}
    start(tmp_path, confinement, "true").stop()
    assert confinement.thread not in others


def test_a_program_that_is_not_there_is_told_to_whoever_asked_for_it(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        start(tmp_path, Slow(tmp_path / "note", by_the_child=False), "./nothing")


def test_a_signal_during_the_spawn_loses_no_child(tmp_path: Path) -> None:
    class Signalled(Slow):
        def _enter(self) -> None:
            os.kill(os.getpid(), signal.SIGUSR1)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGUSR1, stop)
    try:
        with pytest.raises(KeyboardInterrupt):
            start(
                tmp_path,
                Signalled(tmp_path / "note", by_the_child=False),
                sys.executable,
                "-c",
                "import time; time.sleep(60)",
            )
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert [
        each for each in psutil.Process().children() if "time.sleep(60)" in each.cmdline()
    ] == []
