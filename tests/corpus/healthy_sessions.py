"""Healthy loads of several groups, and of sessions, that a careless rule would accuse."""

from collections.abc import Callable
from pathlib import Path

from corpus.healthy import WAITING
from corpus.model import Clean
from corpus.runs import run_of, same, study_of
from corpus.scenario import Scenario
from corpus.service import Service
from corpus.sessions import booking, rows
from loadstone.study.values.arrivals import ExponentialThink, Stage
from loadstone.study.values.groups import Group
from loadstone.study.values.steps import Alternative, Choose, Repeat
from simulated_load import MILLISECOND_NS, SECOND_NS, group, grouped, step

Make = Callable[[int, Path], Path]
BUSY = Service(work_ms=4)
"""A service that a few users fill."""


def loaded(*groups: Group, service: Service = BUSY, seconds: int = 40) -> Make:
    scenario = Scenario(service=service)
    return lambda seed, directory: run_of(
        directory, seed, scenario, booking(*groups, seconds=seconds)
    )


PAUSE = ExponentialThink(exponential_ns=300 * MILLISECOND_NS)
DRAWN = Choose(
    choose=(
        Alternative(weight=80, steps=(step("list"),)),
        Alternative(weight=20, steps=(step("book"), step("pay"))),
    )
)


def drawn_mix(seed: int, directory: Path) -> Path:
    """Two equal arms whose few users draw what they do: the parts differ by chance."""
    workload = grouped(
        group("visitors", step("log-in"), DRAWN, per_second=6, poisson=True),
        seconds=12,
        warm_up=2,
        name="load",
    )
    arms = {"go": same(Scenario(service=WAITING)), "again": same(Scenario(service=WAITING))}
    return study_of(directory, seed, arms, workload=workload)


def equal_groups(seed: int, directory: Path) -> Path:
    """Two equal arms under groups of different speed."""
    workload = grouped(
        group("bookers", step("log-in"), step("book"), users=3),
        group("browsers", step("list", think_ms=50), users=3),
        seconds=12,
        warm_up=2,
        name="load",
    )
    arms = {name: same(Scenario()) for name in ("go", "again")}
    return study_of(directory, seed, arms, workload=workload)


RAMP = (Stage(to=10, over_ns=15 * SECOND_NS), Stage(to=10, over_ns=25 * SECOND_NS))
UP_AND_DOWN = (
    Stage(to=20, over_ns=10 * SECOND_NS),
    Stage(to=20, over_ns=15 * SECOND_NS),
    Stage(to=4, over_ns=10 * SECOND_NS),
)
CLEAN = (
    Clean(
        "two groups of which one pauses",
        loaded(group("bookers", users=4), group("browsers", step("list"), users=20, think=PAUSE)),
    ),
    Clean(
        "steps that pause for different times",
        loaded(
            group("bookers", step("log-in", think_ms=5), step("list", think_ms=60), users=12),
            service=Service(work_ms=3),
        ),
    ),
    Clean(
        "a group that comes later",
        loaded(
            group("bookers", users=4),
            group("late", users=4, start_ns=12 * SECOND_NS),
        ),
    ),
    Clean(
        "groups over ramps",
        loaded(group("bookers", ramp=RAMP), group("browsers", step("list"), ramp=RAMP)),
    ),
    Clean(
        "users who come and go after their requests",
        loaded(
            group("bookers", ramp=UP_AND_DOWN, leave="after_request"), service=Service(work_ms=2)
        ),
    ),
    Clean(
        "a pace that is held",
        loaded(
            group("bookers", step("log-in"), step("list"), users=10, pace_ns=SECOND_NS),
            service=Service(work_ms=10, workers=4),
        ),
        {"pinned-throughput": "its users wait for their pace most of the time"},
    ),
    Clean(
        "sessions at a rate",
        loaded(
            group("bookers", step("log-in", think_ms=50), step("list"), per_second=20),
            group("browsers", step("list"), per_second=30, poisson=True),
            service=WAITING,
        ),
    ),
    Clean(
        "users beside a rate",
        loaded(group("bookers", users=4), group("raters", per_second=10), service=WAITING),
    ),
    Clean(
        "a log-in once for each user",
        loaded(group("bookers", step("list"), step("show"), users=8, once=(step("log-in"),))),
    ),
    Clean(
        "a race that is seldom lost",
        loaded(group("bookers", users=6), service=Service(work_ms=5, things=2_000_000)),
    ),
    Clean(
        "a feed with rows for all",
        loaded(
            group("raters", per_second=20, feeds=rows(2_000, "once")),
            service=WAITING,
        ),
    ),
    Clean(
        "sessions of very different length",
        loaded(
            group(
                "bookers",
                step("log-in"),
                Choose(
                    choose=(
                        Alternative(weight=3, steps=(step("list"),)),
                        Alternative(weight=1, steps=(Repeat(repeat=12, steps=(step("show"),)),)),
                    )
                ),
                users=8,
            ),
            service=Service(work_ms=2),
        ),
    ),
    Clean(
        "one session in a load is cut",
        loaded(
            group("bookers", step("log-in", think_ms=300), step("book"), users=3),
            service=Service(work_ms=1, workers=1000, waits_ms=10),
        ),
    ),
    Clean("drawn steps in both of two equal arms", drawn_mix, is_study=True),
    Clean("groups of different speed in both of two equal arms", equal_groups, is_study=True),
)
