"""Users whom the service serves more slowly than the others, and healthy kinds that look like it."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from corpus.healthy import served
from corpus.model import Clean, Defect
from corpus.runs import run_of
from corpus.scenario import Scenario
from corpus.service import Service
from corpus.workloads import load
from loadstone.study.values.arrivals import Stage
from simulated_load import SECOND_NS

USERS, SLOW_SHARE, WAITS_MS = 20, 0.05, 10.0


def slow_users(seed: int, times: float) -> Callable[[int], float]:
    """One user in twenty is bound to something that takes `times` as long as that of the others."""
    rng = np.random.default_rng([seed, 6])
    slow = set(rng.permutation(USERS)[: round(SLOW_SHARE * USERS)].tolist())
    return lambda user: WAITS_MS * (times - 1) if user in slow and times else 0.0


def unequal(seed: int, strength: float, directory: Path) -> Path:
    service = Service(
        work_ms=0.3, workers=1000, waits_ms=WAITS_MS, waits_more_ms=slow_users(seed, strength)
    )
    return run_of(directory, seed, Scenario(service=service), load(USERS, think_ms=20, seconds=30))


RAMP = (Stage(to=4, over_ns=0), Stage(to=24, over_ns=30 * SECOND_NS), Stage(to=24, over_ns=10**9))
"""Those who come late meet a service that is busier."""

CLEAN = (
    Clean("users that come over a ramp", served(load(ramp=RAMP))),
    Clean("users who pause for random times", served(load(30, think_ms=30), work_ms=8)),
    Clean("many connections of many streams", served(load(6, streams=20, seconds=20), work_ms=3)),
    Clean(
        "requests in turn, some of which take very long",
        served(
            load(12),
            work_ms=4,
            draws=lambda rng, count: np.minimum(1 + rng.pareto(1.2, count), 20),
        ),
    ),
    Clean(
        "few requests of each user, some of which take very long",
        served(
            load(30, seconds=20),
            work_ms=300,
            workers=1000,
            cpu_share=0.01,
            draws=lambda rng, count: np.minimum(1 + rng.pareto(1.2, count), 12),
        ),
        {"waits-not-on-cpu": "it waits for others, and its CPU is idle"},
    ),
)

DEFECTS = (
    Defect(
        "users served unequally",
        ("unequal-users",),
        (0.0, 3.0, 10.0, 30.0),
        30.0,
        "times as slow, one user in twenty",
        unequal,
    ),
)
