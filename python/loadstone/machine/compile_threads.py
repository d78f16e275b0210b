"""For how long the compile threads of a service ran, and for how long they waited for a CPU.

Documentation/scheduler/sched-stats.rst of the kernel: the first two numbers of a thread's schedstat.
Waiting includes the time in which a CPU quota holds a thread back (looked at on Linux 6.18).
A runtime ends compile threads that rest and starts others, so what its threads show now falls again;
the totals here do not.
"""

import os
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from loadstone.machine.procfs import read

NAME_LOOKS = 2
"""How often a thread's name is read. A thread begins with its creator's name and then names itself, so
that one look may come too early."""


KNOWN = ("C1 CompilerThre", "C2 CompilerThre", "JVMCI CompilerT", "JITWorker")
"""Of the JVMs and of JavaScriptCore: names by which a program that nobody described is known."""


def compiling(pid: int, proc: str = "/proc") -> tuple[str, ...]:
    """Return `KNOWN` where a process has such a thread; empty where nothing tells.

    A runtime keeps one of them from its start on.
    """
    names = set()
    with suppress(OSError), os.scandir(f"{proc}/{pid}/task") as threads:
        for found in threads:
            with suppress(OSError):
                names.add(read(f"{found.path}/comm").removesuffix(b"\n").decode(errors="replace"))
    return KNOWN if names & set(KNOWN) else ()


class CompileTimes(NamedTuple):
    """Totals over compile threads, each from its birth."""

    run_ns: int
    wait_ns: int


@dataclass
class _Thread:
    looks: int = 0
    compiles: bool = False
    run_ns: int = 0
    wait_ns: int = 0


class CompileThreads:
    """Adds up what the threads of some names have run and waited, those that have ended included."""

    def __init__(self, names: Collection[str], proc: str = "/proc") -> None:
        """Watch threads of these names, as the kernel has them."""
        self._names = frozenset(name.encode() for name in names)
        self._proc = proc
        # The kernel's list of threads may leave one out while others end, so a thread is forgotten
        # when two looks in a row did not show it: else it would be counted from its birth again.
        self._last: dict[int, _Thread] = {}
        self._before_last: dict[int, _Thread] = {}
        self._run_ns, self._wait_ns = 0, 0
        self._is_told = self._kernel_tells()

    def _kernel_tells(self) -> bool:
        """Whether it counts at all; where it is made not to, a thread's numbers are 0 for ever."""
        try:
            return int(read(f"{self._proc}/thread-self/schedstat").split()[0]) > 0
        except (OSError, IndexError):
            return False

    def look(self, pids: Iterable[int]) -> CompileTimes | None:
        """Return the totals, with the processes' threads as they are now.

        None where the kernel does not tell.
        """
        if not self._is_told:
            return None
        seen: dict[int, _Thread] = {}
        for pid in pids:
            with suppress(OSError), os.scandir(f"{self._proc}/{pid}/task") as threads:
                for found in threads:
                    with suppress(OSError, ValueError):  # it has ended
                        seen[int(found.name)] = self._looked_at(int(found.name), found.path)
        self._before_last, self._last = self._last, seen
        return CompileTimes(self._run_ns, self._wait_ns)

    def _looked_at(self, number: int, path: str) -> _Thread:
        thread = self._last.get(number) or self._before_last.get(number) or _Thread()
        if thread.looks < NAME_LOOKS:
            thread.compiles = self._is_named(path)
            thread.looks += 1
        if thread.compiles:
            run_ns, wait_ns = _times(path)
            if run_ns < thread.run_ns:
                return _Thread()  # another one has the number now: the next look reads its name
            self._run_ns += run_ns - thread.run_ns
            self._wait_ns += wait_ns - thread.wait_ns
            thread.run_ns, thread.wait_ns = run_ns, wait_ns
        return thread

    def _is_named(self, path: str) -> bool:
        return read(f"{path}/comm").removesuffix(b"\n") in self._names


def _times(path: str) -> tuple[int, int]:
    run_ns, wait_ns = read(f"{path}/schedstat").split()[:2]
    return int(run_ns), int(wait_ns)
