"""Defects: figures of a state that did not last, and studies that cannot tell."""

import math
from pathlib import Path

import numpy as np

from corpus.machine import Course
from corpus.model import Defect
from corpus.runs import Arm, run_of, same, study_of
from corpus.scenario import Scenario
from corpus.service import Service
from corpus.workloads import load
from loadstone.results.record import Failure
from loadstone.study.values.model import PlannedRun

SETTLING = ("warm-up-too-short", "no-steady-state")


SECONDS = 60


def paced(seed: int, pace: Course, directory: Path) -> Path:
    """A minute of users who fill a service that does not always need as long."""
    return run_of(directory, seed, Scenario(service=Service(pace=pace)), load(8, seconds=SECONDS))


def out_of_credit(seed: int, strength: float, directory: Path) -> Path:
    """A load that is too short for levels to be told by change points."""
    service = Service(work_ms=5, pace=lambda second: strength if second >= 16 else 1.0)
    return run_of(directory, seed, Scenario(service=service), load(8, seconds=24, warm_up=0))


def slower_and_slower(seed: int, strength: float, directory: Path) -> Path:
    return paced(seed, lambda second: 1 + strength * second / SECONDS, directory)


def compiling(seed: int, strength: float, directory: Path) -> Path:
    """A compiler beside the service's work: three times as slow at first, and less by and by."""
    return paced(
        seed, lambda second: 1 + 2 * math.exp(-second / strength) if strength else 1.0, directory
    )


def faster_to_the_end(seed: int, strength: float, directory: Path) -> Path:
    return paced(seed, lambda second: 1 + strength * (1 - second / SECONDS), directory)


def two_states(seed: int, strength: float, directory: Path) -> Path:
    """Back and forth every 9 s."""
    return paced(seed, lambda second: 1 + strength * (int(second / 9) % 2), directory)


def in_lock_step(seed: int, strength: float, directory: Path) -> Path:
    """Something makes all requests of a second slow together, and of the seconds after it."""
    levels = ar1(seed, 60, 0.9)
    pace = [math.exp(strength * level) for level in levels]
    service = Service(
        work_ms=1, workers=1000, waits_ms=0, cpu_share=0.5, pace=lambda s: pace[int(s)]
    )
    return run_of(directory, seed, Scenario(service=service), load(rate=80, poisson=True))


def ar1(seed: int, count: int, correlation: float) -> list[float]:
    """Numbers with a variance of 1, each like the one before it."""
    rng = np.random.default_rng([seed, 6])
    levels = [float(rng.standard_normal())]
    while len(levels) < count:
        drawn = math.sqrt(1 - correlation**2) * float(rng.standard_normal())
        levels.append(correlation * levels[-1] + drawn)
    return levels


def two_arms(**changes: object) -> dict[str, Arm]:
    usual = Scenario(service=Service(**changes))  # type: ignore[arg-type]
    return {"go": same(usual), "node": same(usual)}


def few_runs(seed: int, strength: float, directory: Path) -> Path:
    return study_of(directory, seed, two_arms(), blocks=6 - round(strength))


def failing_starts(seed: int, strength: float, directory: Path) -> Path:
    """A service that did not start in some blocks: what is left is a selection."""
    broken = Failure(step="start-up", reason="it exited with 3", log_tail="no such file")

    def arm(planned: PlannedRun, _: int) -> Scenario:
        return Scenario(failure=broken if planned.block <= strength else None)

    return study_of(directory, seed, {"go": arm, "node": same(Scenario())}, blocks=8)


def in_one_order(seed: int, strength: float, directory: Path) -> Path:
    return study_of(directory, seed, two_arms(), shuffled=not strength)


def drifting(seed: int, strength: float, directory: Path) -> Path:
    """A machine that becomes slower with every run of 24."""

    def arm(planned: PlannedRun, runs: int) -> Scenario:
        return Scenario(service=Service(work_ms=10 * (1 + strength * planned.index / runs)))

    return study_of(directory, seed, {"go": arm, "node": arm}, blocks=12)


DEFECTS = (
    Defect(
        "slower and slower",
        SETTLING,
        (0.0, 0.1, 0.3, 1.0),
        0.3,
        "slower at the end, of the beginning",
        slower_and_slower,
    ),
    Defect("compiling into the window", SETTLING, (0.0, 2.0, 5.0, 10.0), 5.0, "seconds", compiling),
    Defect(
        "still becoming faster at the end",
        SETTLING,
        (0.0, 0.1, 0.3, 1.0),
        0.3,
        "slower at the beginning, of the end",
        faster_to_the_end,
    ),
    Defect(
        "a credit that is used up",
        ("no-steady-state",),
        (1.0, 1.5, 4.0),
        4.0,
        "times as slow for the last third",
        out_of_credit,
    ),
    Defect(
        "two states in turn",
        ("no-steady-state",),
        (0.0, 0.1, 0.3, 1.0),
        0.3,
        "slower in one of them",
        two_states,
    ),
    Defect(
        "requests in lock-step",
        ("correlated-requests",),
        (0.0, 0.1, 0.3, 0.8),
        0.8,
        "deviation of the logarithm of the seconds",
        in_lock_step,
    ),
    Defect(
        "too few runs",
        ("too-few-runs",),
        (0.0, 1.0, 3.0, 4.0),
        3.0,
        "fewer than 6",
        few_runs,
        is_study=True,
    ),
    Defect(
        "runs that failed",
        ("failed-run",),
        (0.0, 1.0, 2.0),
        1.0,
        "of 8 runs of one arm",
        failing_starts,
        is_study=True,
    ),
    Defect(
        "fixed order",
        ("fixed-order",),
        (0.0, 1.0),
        1.0,
        "whether it is",
        in_one_order,
        is_study=True,
    ),
    Defect(
        "drift over the study",
        ("drift",),
        (0.0, 0.03, 0.1, 0.2),
        0.1,
        "slower in the last run, of the first",
        drifting,
        is_study=True,
    ),
)
