"""Defects: services that stand still as if by a clock; and others that stand still without a period."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from corpus.model import Clean, Defect
from corpus.runs import run_of
from corpus.scenario import Scenario
from corpus.service import Sender, Service, Spans
from corpus.workloads import load
from loadstone.study.values.model import Workload

WORK_MS = 2
"""Of each request: 20 users then wait for 40 ms."""
JITTER = 0.01
"""Of a period, by which each beat is late: timers are."""
RARE_SECONDS, USUAL_SECONDS, LONG_SECONDS = 60, 40, 130
STILL = {
    "service-stalls": "it stands still again and again, without a period",
    "no-steady-state": "some of its seconds are those of a stall",
    "warm-up-too-short": "some of its seconds are those of a stall",
}

STILL_OFTEN = {**STILL, "service-not-saturated": "its CPU rests while it stands still"}


def beats(seed: int, period: float, length: float, seconds: int) -> Spans:
    """Stalls of a length with a period, from a moment on that is drawn."""
    if not length:
        return ()
    rng = np.random.default_rng([seed, 11])
    begin = 1 + rng.random() * period + period * np.arange(seconds / period + 1)
    begin = begin + JITTER * period * rng.random(len(begin))
    return tuple((float(at), float(at) + length) for at in begin if at < seconds)


def at_random(seed: int, every: float, length: float, seconds: int) -> Spans:
    """Stalls as far apart as by chance, at the mean by `every`."""
    rng = np.random.default_rng([seed, 12])
    begin = np.cumsum(length + rng.exponential(every, round(3 * seconds / every)))
    return tuple((float(at), float(at) + length) for at in begin if at < seconds)


def by_clock(period: float, workload: Workload) -> Callable[[int, float, Path], Path]:
    seconds = workload.duration_ns // 10**9

    def make(seed: int, strength: float, directory: Path) -> Path:
        service = Service(work_ms=WORK_MS, stands_still=beats(seed, period, strength, seconds))
        return run_of(directory, seed, Scenario(service=service), workload)

    return make


def by_chance(every: float, length: float, workload: Workload) -> Callable[[int, Path], Path]:
    seconds = workload.duration_ns // 10**9

    def make(seed: int, directory: Path) -> Path:
        service = Service(work_ms=WORK_MS, stands_still=at_random(seed, every, length, seconds))
        return run_of(directory, seed, Scenario(service=service), workload)

    return make


def collector(seed: int, directory: Path) -> Path:
    """Pauses of 10 to 60 ms as often as a collector finds it right."""
    rng = np.random.default_rng([seed, 13])
    begin = np.cumsum(0.2 + rng.exponential(0.6, 80))
    length = rng.uniform(0.01, 0.06, len(begin))
    spans = tuple(
        (float(at), float(at + each)) for at, each in zip(begin, length, strict=True) if at < 40
    )
    service = Service(work_ms=1, stands_still=spans, collects_garbage=True)
    return run_of(directory, seed, Scenario(service=service), load(rate=200))


def engine_stalls(seed: int, directory: Path) -> Path:
    """The engine is kept from running every 5 s."""
    sender = Sender(stalls=beats(seed, 5, 0.4, USUAL_SECONDS))
    return run_of(
        directory, seed, Scenario(service=Service(work_ms=1), sender=sender), load(rate=80)
    )


def users(seconds: int) -> Workload:
    return load(20, seconds=seconds)


def rate(seconds: int) -> Workload:
    return load(rate=80, seconds=seconds)


def kind(name: str, period: float, length: float, workload: Workload) -> Defect:
    return Defect(
        name,
        ("periodic-stalls",),
        (0.0, length),
        length,
        "seconds of each stall",
        by_clock(period, workload),
    )


DEFECTS = (
    kind("users, still every 10 s", 10, 0.4, users(RARE_SECONDS)),
    kind("rate, still every 10 s", 10, 0.4, rate(RARE_SECONDS)),
    kind("users, still every second", 1, 0.1, users(USUAL_SECONDS)),
    kind("rate, still every second", 1, 0.1, load(rate=200, seconds=USUAL_SECONDS)),
    kind("users, still every 1.1 s", 1.1, 0.1, users(USUAL_SECONDS)),
    kind("rate, still every 3 s", 3, 0.2, rate(USUAL_SECONDS)),
    kind("users, still every 30 s", 30, 2.0, load(4, seconds=LONG_SECONDS)),
    kind("rate, still every 30 s", 30, 2.0, rate(LONG_SECONDS)),
)

CLEAN = (
    Clean("users, still without a period", by_chance(7, 0.4, users(USUAL_SECONDS)), STILL),
    Clean("rate, still without a period", by_chance(7, 0.4, rate(USUAL_SECONDS)), STILL),
    Clean("users, still each second or so", by_chance(1, 0.1, users(USUAL_SECONDS)), STILL_OFTEN),
    Clean("rate, still each second or so", by_chance(1, 0.1, rate(USUAL_SECONDS)), STILL),
    Clean(
        "users, still for 200 ms without a period",
        by_chance(4, 0.2, users(USUAL_SECONDS)),
        STILL,
    ),
    Clean("pauses of a collector", collector),
    Clean(
        "generator kept from running every 5 s",
        engine_stalls,
        {
            "generator-stalled": "it is",
            "generator-late": "it writes late then",
        },
    ),
)
