"""Healthy runs that look unusual: the audit has nothing against them."""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.machine import Machine, flat
from corpus.model import Clean
from corpus.runs import run_of
from corpus.scenario import Scenario
from corpus.service import Draws, Sender, Service
from corpus.unsteady import ar1
from corpus.workloads import load
from loadstone.study.values.arrivals import Stage
from loadstone.study.values.model import Workload
from simulated_load import SECOND_NS

WAITING = Service(work_ms=1, workers=1000, waits_ms=20, cpu_share=0.5)
"""A service that mostly waits for others, under a rate: its CPU need not be full."""
Make = Callable[[int, Path], Path]


def run(scenario: Scenario | None = None, workload: Workload | None = None) -> Make:
    return lambda seed, directory: run_of(directory, seed, scenario or Scenario(), workload)


def served(workload: Workload | None = None, **service: object) -> Make:
    """A CPU-bound service with one change."""
    return run(Scenario(service=Service(**service)), workload)  # type: ignore[arg-type]


def drawn(draws: Draws) -> Make:
    """A service whose own time is of another form, under a rate."""
    return served(load(rate=80), work_ms=20, workers=1000, cpu_share=0.05, draws=draws)


def two_kinds(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    """One request in ten takes ten times as long."""
    return np.where(rng.random(count) < 0.1, 10.0, 1.0) * np.exp(0.1 * rng.standard_normal(count))


def pareto(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    """At most 4 s, so that none outlasts the grace period."""
    return np.minimum(1 + rng.pareto(2.5, count), 200)


def none_like_another(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    return np.ones(count)


def resembling(seed: int, directory: Path) -> Path:
    """Each second is like the one before it (AR(1), 0.7), by some percent."""
    pace = [math.exp(0.03 * level) for level in ar1(seed, 80, 0.7)]
    scenario = Scenario(service=Service(pace=lambda second: pace[int(second)]))
    return run_of(directory, seed, scenario, load(8, seconds=60))


def bursts(seed: int, directory: Path) -> Path:
    """A rate whose seconds have a mood: the service has room for all of them."""
    scenario = Scenario(service=WAITING, sender=Sender(in_bursts=0.03))
    return run_of(directory, seed, scenario, load(rate=80, poisson=True))


def settling(tau: float, extra: float) -> Callable[[float], float]:
    return lambda second: 1 + extra * math.exp(-second / tau)


PAUSES = tuple((second + 0.45, second + 0.55) for second in range(41))
RAMP = (Stage(to=8, over_ns=30 * SECOND_NS), Stage(to=8, over_ns=10 * SECOND_NS))
RATE_RAMP = (Stage(to=150, over_ns=30 * SECOND_NS), Stage(to=150, over_ns=10 * SECOND_NS))

CLEAN = (
    Clean("usual", run()),
    Clean("bimodal", drawn(two_kinds)),
    Clean("lognormal, sigma 1", drawn(lambda rng, count: np.exp(rng.standard_normal(count)))),
    Clean("Pareto, alpha 2.5", drawn(pareto)),
    Clean("the same time for every request", drawn(none_like_another)),
    Clean(
        "slow but correct, 900 ms",
        served(load(rate=20), work_ms=1, workers=1000, waits_ms=900),
    ),
    Clean(
        "pauses of 100 ms each second",
        served(stands_still=PAUSES, collects_garbage=True),
        {"periodic-stalls": "its pauses have a period"},
    ),
    Clean("seconds that resemble each other", resembling),
    Clean("arrivals in slight moods", bursts),
    Clean("one user", served(load(1), work_ms=6)),
    Clean("500 users", served(load(500), work_ms=5)),
    Clean("Poisson rate", run(Scenario(service=WAITING), load(rate=80, poisson=True))),
    Clean("constant rate", run(Scenario(service=WAITING), load(rate=80))),
    Clean("low rate", run(Scenario(service=WAITING), load(rate=5))),
    Clean("ramp of users", served(load(ramp=RAMP))),
    Clean("ramp of a rate", run(Scenario(service=WAITING), load(rate=80, ramp=RATE_RAMP))),
    Clean("pauses that matter little", served(load(20, think_ms=8), work_ms=10)),
    Clean("tiny requests", served(load(2, seconds=32, warm_up=1), work_ms=2)),
    Clean("streams of HTTP/2", served(load(2, streams=8))),
    Clean("short run of 10 s", served(load(8, seconds=10, warm_up=2))),
    Clean(
        "long run, early warm-up left out",
        served(load(rate=20, seconds=300, warm_up=60), work_ms=20, pace=settling(12, 1.5)),
    ),
    Clean(
        "compiled before the window", served(load(8, seconds=60, warm_up=20), pace=settling(4, 2))
    ),
    Clean(
        "cold connections in the warm-up",
        served(pace=lambda second: 2.0 if second < 2 else 1.0),
    ),
    Clean(
        "memory like a saw",
        run(Scenario(machine=Machine(rss_mib=lambda second: 200 + 80 * (second / 4 % 1)))),
    ),
    Clean(
        "memory that found its level",
        run(Scenario(machine=Machine(rss_mib=lambda second: 300 - 200 * math.exp(-second / 3)))),
    ),
    Clean(
        "quota that is not reached",
        run(
            Scenario(service=WAITING, confinement={"cpus": 0.8, "memory_bytes": 512 << 20}),
            load(rate=80),
        ),
    ),
    Clean(
        "dependency slower than the service",
        served(load(rate=80), work_ms=0.5, workers=1000, waits_ms=120),
    ),
    Clean(
        "noisy machine within limits",
        run(
            Scenario(
                service=Service(held_back=lambda _: 1.05),
                machine=Machine(neighbour=flat(0.02), steal=flat(0.03), cpu_pressure=flat(0.1)),
            )
        ),
    ),
    Clean(
        "two operations of very different cost",
        served(load(8, operations=("read", "report")), operations=(1.0, 20.0), work_ms=1),
    ),
    Clean(
        "a connection for each request, as planned",
        run(Scenario(requests_a_connection=1), load(8, new_connections=True)),
    ),
)
