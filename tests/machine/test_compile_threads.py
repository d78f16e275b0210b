"""Totals of compile threads: of those alone, from their birth, and never falling."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from loadstone.machine.compile_threads import CompileThreads

MILLISECOND_NS = 1_000_000
COMPILER = "C2 CompilerThre"
OTHER = "HTTP-Dispatcher"


class NamedThreads:
    """The program beside this file, told what its threads do."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.pid = process.pid
        self._process = process

    def tell(self, command: str) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


@contextmanager
def named_threads() -> Iterator[NamedThreads]:
    program = Path(__file__).parent / "named_threads.py"
    with subprocess.Popen(
        [sys.executable, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield NamedThreads(process)
        assert process.stdin is not None
        process.stdin.close()


def test_totals_are_of_the_named_threads_alone_and_keep_what_ended_ones_ran() -> None:
    watched = CompileThreads([COMPILER])
    totals = []

    def look() -> int:
        times = watched.look([program.pid])
        if times is None:
            pytest.skip("this kernel does not tell how long a thread ran")
        totals.append(times)
        return times.run_ns

    with named_threads() as program:
        assert look() == 0
        program.tell(f"start first {COMPILER}")
        program.tell(f"start other {OTHER}")
        other_ns = program.tell(f"burn other {200 * MILLISECOND_NS}")
        burned_ns = program.tell(f"burn first {50 * MILLISECOND_NS}")
        while look() < burned_ns:  # the kernel counts a running thread by its ticks
            pass
        program.tell(f"start second {COMPILER}")
        second_ns = program.tell(f"burn second {30 * MILLISECOND_NS}")
        while look() < burned_ns + second_ns:
            pass
        program.tell("end second")
        after_end = look()
        again_ns = program.tell(f"burn first {20 * MILLISECOND_NS}")
        while look() < again_ns + 30 * MILLISECOND_NS:
            pass
        latest = look()
        at_most_ns = program.tell("total") - other_ns
    assert burned_ns + 30 * MILLISECOND_NS <= after_end <= latest <= at_most_ns
    for before, after in pairwise(totals):
        assert before.run_ns <= after.run_ns
        assert before.wait_ns <= after.wait_ns


def test_a_process_that_is_gone_adds_nothing() -> None:
    with subprocess.Popen(["true"]) as gone:
        pass
    times = CompileThreads([COMPILER]).look([gone.pid])
    assert times in (None, (0, 0))


class Kernel:
    """A folder in place of /proc, with the threads of one process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.told("thread-self", "me", "5 0 1")
        self.watched = CompileThreads([COMPILER], str(folder))

    def told(self, where: str, name: str, schedstat: str) -> None:
        thread = self.folder / where
        thread.mkdir(parents=True, exist_ok=True)
        (thread / "comm").write_text(f"{name}\n")
        (thread / "schedstat").write_text(f"{schedstat}\n")

    def thread(self, number: int, name: str, schedstat: str) -> None:
        self.told(f"1/task/{number}", name, schedstat)

    def end(self, number: int) -> None:
        thread = self.folder / "1" / "task" / str(number)
        for file in thread.iterdir():
            file.unlink()
        thread.rmdir()

    def look(self) -> tuple[int, int] | None:
        return self.watched.look([1])


@pytest.fixture
def kernel(tmp_path: Path) -> Kernel:
    return Kernel(tmp_path)


def test_each_thread_counts_from_its_birth(kernel: Kernel) -> None:
    kernel.thread(1, "java", "900 900 1")
    kernel.thread(2, COMPILER, "10 3 1")
    assert kernel.look() == (10, 3)
    kernel.thread(2, COMPILER, "15 4 2")
    kernel.thread(3, COMPILER, "100 50 1")
    assert kernel.look() == (115, 54)
    kernel.end(3)
    assert kernel.look() == (115, 54)


def test_a_thread_that_has_not_yet_named_itself_is_counted_when_it_has(kernel: Kernel) -> None:
    kernel.thread(2, "java", "10 3 1")
    assert kernel.look() == (0, 0)
    kernel.thread(2, COMPILER, "20 6 2")
    assert kernel.look() == (20, 6)


def test_a_thread_that_the_kernels_list_left_out_is_not_counted_twice(kernel: Kernel) -> None:
    kernel.thread(2, COMPILER, "10 3 1")
    kernel.look()
    kernel.end(2)
    kernel.look()
    kernel.thread(2, COMPILER, "12 3 1")
    assert kernel.look() == (12, 3)


@pytest.mark.parametrize(("name", "totals"), [(COMPILER, (17, 5)), (OTHER, (10, 3))])
def test_a_number_that_another_thread_has_got_begins_anew(
    kernel: Kernel, name: str, totals: tuple[int, int]
) -> None:
    kernel.thread(2, COMPILER, "10 3 1")
    kernel.look()
    kernel.look()
    kernel.thread(2, name, "7 2 1")
    assert kernel.look() == (10, 3)
    assert kernel.look() == totals


def test_a_thread_that_ends_while_it_is_read_is_left_out(kernel: Kernel) -> None:
    kernel.thread(2, COMPILER, "10 3 1")
    kernel.thread(3, COMPILER, "")
    assert kernel.look() == (10, 3)


@pytest.mark.parametrize("schedstat", ["0 0 0", "", None])
def test_a_kernel_that_does_not_count_tells_nothing(tmp_path: Path, schedstat: str | None) -> None:
    kernel = Kernel(tmp_path)
    kernel.thread(2, COMPILER, "0 0 0")
    kernel.told("thread-self", "me", schedstat or "")
    if schedstat is None:
        (tmp_path / "thread-self" / "schedstat").unlink()
    assert CompileThreads([COMPILER], str(tmp_path)).look([1]) is None
