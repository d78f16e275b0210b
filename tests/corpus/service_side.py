"""Defects: services that stop, leak, or are held back."""

from pathlib import Path

import numpy as np

from corpus.machine import Machine
from corpus.model import Defect
from corpus.runs import run_of
from corpus.scenario import Scenario
from corpus.service import Service
from corpus.workloads import load
from loadstone.metrics.outcomes import Outcome

PERIOD_SECONDS = 0.1
"""In which the kernel gives out a CPU quota."""


def stalls(seed: int, strength: float, directory: Path) -> Path:
    spans = tuple((at, at + strength) for at in range(8, 40, 10)) if strength else ()
    return run_of(
        directory, seed, Scenario(service=Service(work_ms=3, stands_still=spans)), load(rate=80)
    )


def leak(seed: int, strength: float, directory: Path) -> Path:
    machine = Machine(rss_mib=lambda second: 64 + strength * max(0.0, second))
    return run_of(directory, seed, Scenario(machine=machine))


def throttled(seed: int, strength: float, directory: Path) -> Path:
    """A quota that bursts of each period use up before its end."""
    spans = tuple(
        ((number + 1 - strength) * PERIOD_SECONDS, (number + 1) * PERIOD_SECONDS)
        for number in range(420)
        if strength
    )
    scenario = Scenario(
        service=Service(work_ms=4, stands_still=spans),
        machine=Machine(throttled=spans),
        confinement={"cpus": 1 - strength, "throttled_ns": round(strength * 40e9)},
    )
    return run_of(directory, seed, scenario, load(rate=80))


def waits_for_a_lock(seed: int, strength: float, directory: Path) -> Path:
    """Users that are there to fill a CPU, and a service that rests a share of each request."""
    return run_of(directory, seed, Scenario(service=Service(cpu_share=1 - strength)))


def shut_down(seed: int, strength: float, directory: Path) -> Path:
    """The service ends in mid-load: nobody listens any more."""

    def ends(second: float, _: float) -> Outcome:
        return Outcome.CONNECT if second >= 40 * (1 - strength) else Outcome.OK

    return run_of(directory, seed, Scenario(service=Service(ends=ends)), load(rate=80))


def restarted(seed: int, strength: float, directory: Path) -> Path:
    """A supervisor starts the worker anew; it keeps the port, so that no request fails."""
    began = 15 + 10 * float(np.random.default_rng([seed, 5]).random())
    down = ((began, began + strength),) if strength else ()
    scenario = Scenario(
        service=Service(work_ms=3, stands_still=down), machine=Machine(service_down=down)
    )
    return run_of(directory, seed, scenario, load(rate=80))


def killed_for_memory(seed: int, strength: float, directory: Path) -> Path:
    """A worker that grows beyond the limit is killed, and started anew."""
    kills = round(strength)
    every = 36 / (kills + 1)
    down = tuple((every * (number + 1), every * (number + 1) + 0.5) for number in range(kills))

    def rss_mib(second: float) -> float:
        return 32 + (90 * (second % every) / every if kills else 0)

    scenario = Scenario(
        service=Service(stands_still=down),
        machine=Machine(rss_mib=rss_mib, service_down=down),
        confinement={
            "memory_bytes": 128 << 20,
            "memory_peak_bytes": (128 << 20) if kills else 40 << 20,
            "out_of_memory_kills": kills,
        },
    )
    return run_of(directory, seed, scenario)


DEFECTS = (
    Defect(
        "stall every 10 s",
        ("service-stalls", "periodic-stalls"),
        (0.0, 0.2, 0.5, 1.0, 2.0),
        1.0,
        "seconds of each stall",
        stalls,
    ),
    Defect("memory leak", ("memory-grows",), (0.0, 0.5, 2.0, 8.0), 2.0, "MiB a second", leak),
    Defect(
        "throttled service",
        ("throttled",),
        (0.0, 0.02, 0.1, 0.3, 0.6),
        0.3,
        "share of the time",
        throttled,
    ),
    Defect(
        "service that waits for a lock",
        ("service-not-saturated", "waits-not-on-cpu"),
        (0.0, 0.2, 0.5),
        0.2,
        "share of the time",
        waits_for_a_lock,
    ),
    Defect(
        "service that ends in mid-load",
        ("failures",),
        (0.0, 0.05, 0.3),
        0.05,
        "share of the load",
        shut_down,
    ),
    Defect(
        "service that was started anew",
        ("service-restarted",),
        (0.0, 0.5, 2.0),
        0.5,
        "seconds until it is back",
        restarted,
    ),
    Defect(
        "worker killed for memory",
        ("out-of-memory",),
        (0.0, 1.0, 3.0),
        1.0,
        "kills",
        killed_for_memory,
    ),
)
