"""Arms that were not warm in any of their runs, and their healthy twins.

A run alone says little of a warm-up, so each kind is a study: the runs of an arm warm up alike.
"""

import math
from dataclasses import replace
from pathlib import Path

from corpus.machine import Course, Machine, flat
from corpus.model import Clean, Defect
from corpus.runs import same, study_of
from corpus.scenario import Scenario
from corpus.service import Sender, Service
from corpus.workloads import load
from loadstone.results.record import RunRecord

WORK_MS = 4
"""Of a request: so many answers a second that points of one or two seconds tell."""
COLDER = 2.0
"""By which share of its work a service takes longer at first."""


def approaching(time_constant: float) -> Course:
    """What a service takes longer by, at a second of the load."""
    if not time_constant:
        return lambda _: 1.0
    return lambda second: 1 + COLDER * math.exp(-second / time_constant)


def fixed_warm_up(seed: int, time_constant: float, directory: Path) -> Path:
    """Windows from 10 to 30 s."""
    spring = Scenario(service=Service(work_ms=WORK_MS, pace=approaching(time_constant)))
    workload = load(8, seconds=30, warm_up=10)
    return study_of(directory, seed, {"spring": same(spring)}, workload=workload)


def starved(seed: int, demand: float, directory: Path) -> Path:
    """A service that is slow all the time, since its compilers hardly ever run."""
    machine = Machine(compilers=flat(demand))
    spring = Scenario(service=Service(work_ms=14), machine=machine)
    return study_of(directory, seed, {"spring": same(spring)})


def done_early(seed: int, directory: Path) -> Path:
    """Warm after 4 s, with compilers that seldom have something to do from there on."""
    machine = Machine(compilers=lambda second: 1.0 if second < 4 else 0.05)
    service = Service(work_ms=WORK_MS, pace=approaching(0.8))
    workload = load(8, seconds=30, warm_up=10)
    spring = same(Scenario(service=service, machine=machine))
    return study_of(directory, seed, {"spring": spring}, workload=workload)


def a_little_dearer(seed: int, directory: Path) -> Path:
    """An answer that takes a little longer in the second half: dearer later is no warm-up."""
    service = Service(work_ms=WORK_MS, pace=lambda second: 1.0 if second < 20 else 1.04)
    workload = load(8, seconds=30, warm_up=10)
    return study_of(directory, seed, {"spring": same(Scenario(service=service))}, workload=workload)


WARM_UP, WINDOW, LATE_LOOK = 10, 20, 120
STEP_AT = WARM_UP + WINDOW + 40
"""Forty seconds behind the window: nothing in it tells of the step."""


def late_step(seed: int, share: float, directory: Path) -> Path:
    """A service that is level in its windows and becomes cheaper behind them."""
    stepping = Service(work_ms=WORK_MS, pace=lambda second: 1.0 if second < STEP_AT else 1 - share)
    return _looked_at(seed, directory, Scenario(service=stepping))


def slower_cpu_at_first(seed: int, directory: Path) -> Path:
    """A CPU that is slower by a fifth until forty seconds behind the window: for all that run on it."""

    def slower(second: float) -> float:
        return 1.2 if second < STEP_AT else 1.0

    service = Service(work_ms=WORK_MS, pace=slower)
    return _looked_at(seed, directory, Scenario(service=service, sender=Sender(pace=slower)))


def _looked_at(seed: int, directory: Path, scenario: Scenario) -> Path:
    def told(record: RunRecord) -> RunRecord:
        assert record.window is not None
        window = record.window.model_copy(update={"warm_up": "steady", "steady_by": "level"})
        return record.model_copy(update={"window": window})

    arm = same(replace(scenario, told=told))
    workload = load(8, seconds=WARM_UP + WINDOW, warm_up=WARM_UP)
    return study_of(directory, seed, {"spring": arm}, workload=workload, late_look=LATE_LOOK)


DEFECTS = (
    Defect(
        "still warming",
        ("still-warming",),
        (0.0, 4.0, 10.0, 40.0),
        10.0,
        "seconds of the warm-up's time constant, in windows from 10 s on",
        fixed_warm_up,
        is_study=True,
    ),
    Defect(
        "starved compilers under a flat series",
        ("compiling",),
        (0.0, 0.2, 0.5, 1.0),
        1.0,
        "CPUs that they want",
        starved,
        is_study=True,
    ),
    Defect(
        "late-step behind a level window",
        ("late-step",),
        (0.0, 0.05, 0.1, 0.2),
        0.2,
        "share of its cost by which a service becomes cheaper, 40 s behind its windows",
        late_step,
        is_study=True,
    ),
)
CLEAN = (
    Clean("compilers that are done", done_early, is_study=True),
    Clean("a little dearer in mid-window", a_little_dearer, is_study=True),
    Clean("late-step of the CPU, not the service", slower_cpu_at_first, is_study=True),
)
