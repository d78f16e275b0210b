"""Defects: the engine is kept from its CPU for milliseconds, again and again; it reads answers late."""

from pathlib import Path

import numpy as np

from corpus.model import Clean, Defect
from corpus.runs import run_of
from corpus.scenario import Scenario
from corpus.service import Sender, Service, Spans
from corpus.workloads import SECONDS, load

PERIOD = 0.1
"""Seconds: that of a CPU quota."""


def at_ease(waits_ms: float = 5.0) -> Service:
    """Far from any limit of its own."""
    return Service(work_ms=0.2, workers=1000, waits_ms=waits_ms, cpu_share=0.5)


def quota(share: float) -> Spans:
    """An engine that needs all of a CPU and is given a part: it rests at the end of each period."""
    return (
        tuple(
            (at + PERIOD * (1 - share), at + PERIOD)
            for at in np.arange(0, SECONDS, PERIOD).tolist()
        )
        if share
        else ()
    )


def taken(seed: int, share: float) -> Spans:
    """Others on its CPU take their slices of 3 ms."""
    rng = np.random.default_rng([seed, 7])
    begins = np.cumsum(rng.exponential(0.003 * (1 - share) / share, 20_000) + 0.003) - 0.003
    return tuple((at, at + 0.003) for at in begins[begins < SECONDS].tolist())


def under_quota(seed: int, strength: float, directory: Path) -> Path:
    sender = Sender(rests=quota(strength), has_quota=True)
    return run_of(directory, seed, Scenario(service=at_ease(), sender=sender), load(4))


def starved(seed: int, strength: float, directory: Path) -> Path:
    sender = Sender(rests=taken(seed, strength) if strength else ())
    return run_of(directory, seed, Scenario(service=at_ease(2.0), sender=sender), load(2))


def waiting_a_little(seed: int, directory: Path) -> Path:
    """Each wake is late by what a kernel may take, which is a tenth of the time in all."""
    return run_of(directory, seed, Scenario(sender=Sender(wake_ms=0.9)))


def slices_of_a_slow_service(seed: int, directory: Path) -> Path:
    """Others take a slice now and then; an answer takes a hundred times as long."""
    return run_of(directory, seed, Scenario(sender=Sender(rests=taken(seed, 0.05))), load(30))


def rare_slices(seed: int, directory: Path) -> Path:
    """Others take a slice so seldom that hardly an answer meets one."""
    scenario = Scenario(service=at_ease(20.0), sender=Sender(rests=taken(seed, 0.0005)))
    return run_of(directory, seed, scenario, load(rate=80))


DEFECTS = (
    Defect(
        "engine under a CPU quota",
        ("engine-waited",),
        (0.0, 0.1, 0.3, 0.5),
        0.5,
        "share of each 100 ms that it is denied",
        under_quota,
    ),
    Defect(
        "engine whose CPU others use",
        ("engine-waited",),
        (0.0, 0.1, 0.3, 0.5),
        0.5,
        "share of its CPU that they take, in slices of 3 ms",
        starved,
    ),
)

CLEAN = (
    Clean("an engine that is woken late by a little", waiting_a_little),
    Clean("slices of others, short against the service", slices_of_a_slow_service),
    Clean("slices of others, seldom", rare_slices),
)
