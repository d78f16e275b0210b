"""How steady this machine is right now: equal work, timed again and again where it will matter.

Two kinds of work: a fixed loop on the service's CPU, which shows what takes the CPU away or slows it
down; and round trips over loopback between the engine's CPU and the service's, which also show how
evenly the kernel wakes up who waits. Both are probed in turn, so that they see the same seconds.
Left out: what a service adds by itself from start to start.
"""

import math
import socket
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from loadstone.deploy import process
from loadstone.deploy.placement import Placement
from loadstone.doctor import answerer
from loadstone.errors import StepFailed
from loadstone.frozen import Frozen
from loadstone.machine import ownership
from loadstone.machine.procfs import cpu_times
from loadstone.stats.values.qn_scale import qn_scale

PROBES = 15
"""Of each kind. The Qn of 15 normal values varies by a quarter of itself (simulated)."""
PROBE_SECONDS = 0.1
"""Dozens of turns of the scheduler each; both kinds together take three seconds."""
LOOP_ITERATIONS = 10_000
"""About half a millisecond of pure computation between two looks at the clock."""
CONNECT_SECONDS = 5.0
"""An interpreter starts in a tenth of a second, more slowly on a busy machine."""

Work = Callable[[], None]


class Spread(Frozen):
    """Times of equal work, each the mean over one probe."""

    median_ns: int
    """The middle one of the probes."""
    deviation: float
    """Standard deviation of the logarithm between probes, by Qn: a single disturbed probe does not
    decide it."""

    @property
    def variation(self) -> float:
        """The coefficient of variation that goes with it, as of a log-normal distribution."""
        return math.sqrt(math.expm1(self.deviation**2))


class Noise(Frozen):
    """How much equal work varied."""

    probes: int
    """Of each kind."""
    probe_ns: int
    """How long each took."""
    cpu: int
    """The CPU that the service would have, or the first of them."""
    loop: Spread
    """A fixed loop on that CPU."""
    round_trip: Spread
    """Messages over loopback between that CPU and those of the engine."""
    waited_share: float
    """Share of the loop's time in which it did not run: others had the CPU."""
    steal_share: float
    """Share of the whole time in which the hypervisor gave that CPU to somebody else."""


@dataclass
class _Ticks:
    """What the probes of one kind took."""

    mean_ns: list[float] = field(default_factory=list)
    wall_ns: int = 0
    cpu_ns: int = 0


def measure_noise(placement: Placement) -> Noise:
    """Probe for about `2 * PROBES * PROBE_SECONDS`.

    Raises StepFailed('probe') or OSError where no round trip can be made.
    """
    cpu = placement.service[0]
    loop, round_trip = _Ticks(), _Ticks()
    before, began_ns = cpu_times(), time.monotonic_ns()
    with _answers(cpu) as ask:
        for _ in range(1 + PROBES):
            with process.affinity((cpu,)):
                _probe(_compute, loop)
            with process.affinity(placement.bench):
                _probe(ask, round_trip)
    elapsed_ns = time.monotonic_ns() - began_ns
    return Noise(
        probes=PROBES,
        probe_ns=round(PROBE_SECONDS * 1e9),
        cpu=cpu,
        # The first of each warms caches and frequencies up.
        loop=spread(loop.mean_ns[1:]),
        round_trip=spread(round_trip.mean_ns[1:]),
        waited_share=max(0.0, 1 - loop.cpu_ns / loop.wall_ns),
        steal_share=(cpu_times()[cpu].steal_ns - before[cpu].steal_ns) / elapsed_ns,
    )


def spread(mean_ns: Sequence[float]) -> Spread:
    """Return middle and spread of the probes' times. `ValueError` for fewer than ten."""
    return Spread(
        median_ns=round(statistics.median(mean_ns)),
        deviation=qn_scale([math.log(each) for each in mean_ns]),
    )


def mean_time_ns(work: Work, limit_ns: int, now_ns: Callable[[], int]) -> float:
    """Do the work until `limit_ns` have passed, and return the mean time of one."""
    began_ns, count = now_ns(), 0
    while True:
        work()
        count += 1
        elapsed_ns = now_ns() - began_ns
        if elapsed_ns >= limit_ns:
            return elapsed_ns / count


def _probe(work: Work, ticks: _Ticks) -> None:
    wall_ns, cpu_ns = time.perf_counter_ns(), time.thread_time_ns()
    mean_ns = mean_time_ns(work, round(PROBE_SECONDS * 1e9), time.perf_counter_ns)
    ticks.cpu_ns += time.thread_time_ns() - cpu_ns
    ticks.wall_ns += time.perf_counter_ns() - wall_ns
    ticks.mean_ns.append(mean_ns)


def _compute() -> None:
    total = 0
    for number in range(LOOP_ITERATIONS):
        total += number


@contextmanager
def _answers(cpu: int) -> Iterator[Work]:
    """Start the far end on a CPU, and give the work of one round trip."""
    with ownership.scratch_directory() as logs, socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(CONNECT_SECONDS)
        # Isolated and without site packages: an interpreter that is there in an instant.
        program = [sys.executable, "-I", "-S", answerer.__file__, str(server.getsockname()[1])]
        with process.running(_started(program, cpu, logs)) as child:
            try:
                peer, _ = server.accept()
            except TimeoutError:
                raise StepFailed(
                    "probe", "no connection over 127.0.0.1", child.log_tail()
                ) from None
            with peer:
                peer.settimeout(CONNECT_SECONDS)
                peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                yield lambda: _round_trip(peer)


def _started(program: list[str], cpu: int, logs: Path) -> process.Child:
    return process.start(
        "answerer", program, directory=logs, log_path=logs / "answerer.log", cpus=(cpu,)
    )


def _round_trip(peer: socket.socket) -> None:
    peer.sendall(bytes(answerer.MESSAGE_BYTES))
    missing = answerer.MESSAGE_BYTES
    while missing:
        received = len(peer.recv(missing))
        if not received:
            raise StepFailed("probe", "the far end of the round trips is gone")
        missing -= received
