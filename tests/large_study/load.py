"""Every request of one run: users who send their operations in turn, each after the last answer."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from corpus.service import Simulated
from large_study.plan import OPERATIONS, USERS
from loadstone.metrics.outcomes import Outcome
from loadstone.simulate.requests import Requests
from loadstone.simulate.sessions import Steps
from simulated_load import MILLISECOND_NS, SECOND_NS

MEDIAN_MS = 20.0
"""Of the service time, before what the arm's levels change of it."""
WORK_OF_OPERATIONS = (1.0, 0.6, 1.4)
SPREAD = 0.35
CPU_MS = 0.55
"""Of the service for each request: with `USERS` users its CPU is busy for some 80 %."""
LAG_MS = 0.03
COLD_FACTOR, COLD_SECONDS = 0.8, 1.5
"""How much slower the first requests are, and how fast that is over."""

TIMES_OF_LEVELS: Mapping[str, float] = {
    "express": 1.25,
    "netty": 1.06,
    "nginx": 0.96,
    "spring": 1.04,
    "previous": 1.05,
    "h1": 1.03,
    "h2": 1.08,
    "h2c": 1.02,
}
"""By what a level multiplies all times; by nothing where it is not named."""
FAILING_SHARES: Mapping[str, float] = {"express": 0.002}


@dataclass(frozen=True)
class Behaviour:
    """How one run goes."""

    factor: float
    """By which its times are longer."""
    failing_share: float


def behaviour_of(levels: Mapping[str, str], spread_factor: float) -> Behaviour:
    """What the levels of an arm come to, times what this run has by chance."""
    factor = np.prod([TIMES_OF_LEVELS.get(level, 1.0) for level in levels.values()])
    return Behaviour(
        factor=float(factor) * spread_factor,
        failing_share=max(FAILING_SHARES.get(level, 0.0) for level in levels.values()),
    )


def simulate(load_ns: int, behaviour: Behaviour, rng: np.random.Generator) -> Simulated:
    """Every request of the load, in the order of their ends."""
    intended, lags, ends = [], [], []
    now = rng.uniform(0, MILLISECOND_NS, USERS).astype(np.int64)
    step = 0
    while (now < load_ns).any():
        work = WORK_OF_OPERATIONS[step % len(OPERATIONS)]
        cold = 1 + COLD_FACTOR * np.exp(-now / (COLD_SECONDS * SECOND_NS))
        times = np.exp(SPREAD * rng.standard_normal(USERS))
        times = times * MEDIAN_MS * MILLISECOND_NS * behaviour.factor * work * cold
        lag = (rng.exponential(LAG_MS, USERS) * MILLISECOND_NS).astype(np.int64)
        intended.append(now)
        lags.append(lag)
        now = now + lag + times.astype(np.int64)
        ends.append(now)
        step += 1
    operation = np.repeat(np.arange(step) % len(OPERATIONS), USERS)
    user = np.tile(np.arange(USERS), step)
    begun, lag, done = (np.concatenate(each) for each in (intended, lags, ends))
    sent = begun < load_ns
    columns = (begun, lag, done, operation, user)
    begun, lag, done, operation, user = (each[sent] for each in columns)
    order = np.argsort(done, kind="stable")
    columns = (begun, lag, done, operation, user)
    begun, lag, done, operation, user = (each[order] for each in columns)
    failed = rng.random(len(done)) < behaviour.failing_share
    return Simulated(
        requests=Requests(
            intended_ns=begun,
            written_ns=begun + lag,
            done_ns=done,
            outcome=np.where(failed, Outcome.STATUS, Outcome.OK),
            waited_ns=np.zeros(len(done), dtype=np.int64),
        ),
        work_begin_ns=begun + lag,
        work_end_ns=done,
        cpu_ns=np.full(len(done), round(CPU_MS * behaviour.factor * MILLISECOND_NS)),
        group=np.zeros(len(done), dtype=np.int64),
        steps=Steps.alone(user, operation),
        planned=({},),
        paces=((0, 0),),
        exhausted_ns=None,
    )
