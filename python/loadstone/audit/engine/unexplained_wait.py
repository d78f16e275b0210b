"""Users who wait for a service that hardly computes, while nothing else that is watched is full."""

from typing import NamedTuple

from loadstone.audit.engine import busy_generator
from loadstone.audit.engine.bottleneck import FULL_SHARE, NOTHING, limit_of
from loadstone.audit.figures.user_cycle import Cycle, cycle
from loadstone.errors import WrongValueError
from loadstone.results.window import WindowedRun
from loadstone.text.typed_units import duration_ns

IDLE_SHARE = 0.5
"""Of the CPU time that the service could use. With more, a queue for its CPU is a good part of what
users wait for."""
LEAST_RESPONSE_NS = 2_000_000
"""Below, much of a response time is the network and the waking of threads, of which no CPU is full."""
LEAST_COMPLETED = 20
OK_SHARE = 0.99
"""Of what ended. Users whose requests fail may wait for the failure, which is told by itself."""
EXPLAINED_SHARE = 0.5
"""Of the response time. A dependency that waits as long by its settings is why the service is idle."""


class Wait(NamedTuple):
    """What a run shows of it."""

    cpu_share: float
    """Of the CPU time that the service could use."""
    seen: Cycle


def unexplained_wait(run: WindowedRun) -> Wait | None:
    """The wait of closed users who ask again at once; none where something explains it."""
    used, seen = run.service_resources, cycle(run)
    if used is None or used.cpu_share is None or used.cpu_share >= IDLE_SHARE:
        return None
    if seen is None or seen.completed < LEAST_COMPLETED or seen.response_ns < LEAST_RESPONSE_NS:
        return None
    if run.ok_inside() < OK_SHARE * seen.completed:
        return None
    if _is_one_thread_held_back(run) or busy_generator.is_nearly_busy(run):
        return None
    if _delay_ns(run) >= EXPLAINED_SHARE * seen.response_ns or limit_of(run) != NOTHING:
        return None
    return Wait(used.cpu_share, seen)


def _is_one_thread_held_back(run: WindowedRun) -> bool:
    """Whether several CPUs did the work of about one thread, which others may have kept waiting."""
    used = run.service_resources
    if used is None or used.cpu_ns is None or run.service_cpus < 2:
        return False
    return IDLE_SHARE <= used.cpu_ns / (run.window.end_ns - run.window.start_ns) <= 1 / FULL_SHARE


def _delay_ns(run: WindowedRun) -> int:
    """The longest delay that a dependency was started with."""
    told = (
        each.settings.get("delay", "") for each in run.record.processes if each.role == "dependency"
    )
    return max(map(_read_ns, told), default=0)


def _read_ns(text: str) -> int:
    try:
        return duration_ns(text)
    except WrongValueError:
        return 0  # none, or of zero
