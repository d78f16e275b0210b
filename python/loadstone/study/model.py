"""The frozen values that the rest of Loadstone sees: nothing here is still to be parsed.

Durations are nanoseconds, sizes bytes, shares fractions. Field order is file order.
"""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from loadstone.frozen import Frozen

PLAN_VERSION = 1


class Protocol(StrEnum):
    """What one leg speaks. Later: h1, h2c, h2, h2-downgrade."""

    H1C = "h1c"


class ServiceChoice(Frozen):
    """What stands for one service in one arm."""

    service: str
    label: str
    """The factor's level: the stack's name unless the study gives a label."""
    stack: str
    runtime: str


class Arm(Frozen):
    """One complete configuration. `id` lists the factors that vary, joined by `-`."""

    id: str
    factors: dict[str, str]
    """Factor to level, also those that do not vary: services by label, legs by protocol."""
    services: tuple[ServiceChoice, ...]
    legs: dict[str, Protocol]


class Check(Frozen):
    """What an answer must be for its request to be ok. Status defaults to any 2xx."""

    status: int | None = None
    body_contains: str | None = None
    """Literal text that the body must contain."""


class Operation(Frozen):
    """One named request of a session, ready to be written."""

    operation: str
    method: str
    path: str
    headers: tuple[tuple[str, str], ...] = ()
    """Without Host and Content-Length, which the engine writes."""
    body: str = ""
    """UTF-8 text; empty is no body."""
    check: Check = Check()


class Users(Frozen):
    """Closed: so many users, each with its own connection, each next request after its answer."""

    users: int = Field(ge=1)


class Rate(Frozen):
    """Open: sessions started a second at constant distance, over a shared pool of connections."""

    rate_per_second: float = Field(gt=0)
    connections: int = Field(ge=1)


class Workload(Frozen):
    """Who loads, with what, for how long."""

    workload: str
    kind: Literal["load"] = "load"
    group: str
    arrivals: Users | Rate
    session: tuple[Operation, ...]
    duration_ns: int
    warm_up_ns: int
    """The first part of `duration_ns`, left out of the window."""
    connect_timeout_ns: int
    timeout_ns: int
    grace_ns: int


class Question(Frozen):
    """Goal-question-metric: the factor whose levels are compared, by which metrics and margin."""

    question: str
    compare: str
    metrics: tuple[str, ...]
    """Catalogue names; the first is primary."""
    margin: float
    """A fraction: 0.03 is 3 %."""
    workloads: tuple[str, ...]
    """Workloads that the question is asked of."""


class PlannedRun(Frozen):
    """One cell of the plan."""

    index: int
    """From 1, in the order in which they are run."""
    id: str
    """`001-<arm>-<workload>`: the run's folder."""
    arm: str
    workload: str
    block: int
    """From 1."""
    seed: int
    """Of the engine, for whatever it draws."""


class Plan(Frozen):
    """`plan.json`: everything that `run` will do and `compare` will ask, resolved."""

    plan_version: Literal[1] = PLAN_VERSION
    study: str
    goal: str
    system: str
    profile: str | None
    seed: int
    blocks: int
    allow_target: tuple[str, ...]
    arms: tuple[Arm, ...]
    workloads: tuple[Workload, ...]
    questions: tuple[Question, ...]
    runs: tuple[PlannedRun, ...]
