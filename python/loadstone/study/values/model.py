"""The frozen values that the rest of Loadstone sees: nothing here is still to be parsed.

Durations are nanoseconds, sizes bytes, shares fractions. Field order is file order.
"""

from collections.abc import Mapping
from typing import Final, Literal

from pydantic import Field

from loadstone.frozen import Frozen
from loadstone.study.values.claim import Claim
from loadstone.study.values.held_to import NotHeld, not_held_in_words
from loadstone.study.values.operation import Check as Check
from loadstone.study.values.operation import Operation as Operation
from loadstone.study.values.protocol import Protocol as Protocol
from loadstone.study.values.service_choice import ServiceChoice
from loadstone.study.values.workload import AnyWorkload as AnyWorkload
from loadstone.study.values.workload import StartupWorkload as StartupWorkload
from loadstone.study.values.workload import Workload as Workload

PLAN_VERSION: Final = 4
"""1: first version. 2: stages, Poisson arrivals, think time, streams, redirects, stop rules. 3: limits,
placement, the page cache of an arm, kinds of workload; since then, with defaults: looks, order, the
workloads of an arm, the arms of a question, late looks. 4: groups of users, and their sessions' steps;
a plan of version 3 is read as one of a group each. Since then, with a default: settings
and bench services of an arm, a further analysis, an entry of its own, what an arm is not held to.
"""
READ_PLAN_VERSIONS: Final = (3, PLAN_VERSION)
"""What `plan.json` may be of."""


DEFAULT_STEADY_WITHIN_NS: Final = 180 * 10**9
"""A warm-up until steady lasts as long at most where nothing is said: by simulation nine of ten that
end at all end by then.
"""
LEAST_STEADY_WITHIN_NS: Final = 15 * 10**9
"""Before that nothing can be told: idle compilers are looked at for 12 s."""
LEAST_LATE_LOOK_NS: Final = 60 * 10**9
"""Of a look behind a window: its last minute is what the window is held against."""


Order = Literal["random", "as-listed"]
"""Of the runs in a block: by the seed, or as the study's file has arms and workloads."""


FurtherAnalysis = Literal["per-request"]
"""What a report shows beside the answers, where a study asks for it: its arms as a published procedure
compares them, by single requests of one run a side."""


class Limits(Frozen):
    """What a service may use at most."""

    cpus: float | None = None
    """CPU time a second, in CPUs; none: all of the CPUs of its role."""
    memory_bytes: int | None = None
    """Memory; none: all of the machine's."""
    warm_up_cpus: float | None = None
    """CPU time a second until a warm-up that is watched is over; none: `cpus` from the start on."""

    @property
    def first_cpus(self) -> float | None:
        """What a service is started with."""
        return self.cpus if self.warm_up_cpus is None else self.warm_up_cpus

    def without_warm_up(self) -> "Limits":
        """The same from the start on, as where nothing tells when a warm-up is over."""
        return self.model_copy(update={"warm_up_cpus": None})


class PlacementWish(Frozen):
    """CPUs by role, as a study's author wants them."""

    service: tuple[int, ...]
    """Of the services under test."""
    bench: tuple[int, ...]
    """Of engine, probe, dependencies and bench services."""


PAGE_CACHE: Final = "page-cache"
"""The factor of that name, which every system has."""

WORKLOAD: Final = "workload"
"""Stands for a workload among the factors of `only` and `except`."""

OPERATION: Final = "operation"
"""Stands there for the operations of a workload's session."""

PageCache = Literal["warm", "cold"]


class Arm(Frozen):
    """One complete configuration. `id` lists the factors that vary, joined by `-`."""

    id: str
    """The levels of the factors that vary; unique in the study."""
    factors: dict[str, str]
    """Factor to level, also those that do not vary: services by label, legs by protocol, settings as
    the study names them."""
    services: tuple[ServiceChoice, ...]
    """What stands for each service, the entry first."""
    legs: dict[str, Protocol]
    """Leg to the protocol that it speaks."""
    page_cache: PageCache | None = None
    """What the kernel keeps of files when a service is started; none: whatever it happens to."""
    settings: dict[str, str] = Field(default_factory=dict)
    """Every setting of the system to its level, also those that the study does not name."""
    bench_services: tuple[str, ...] = ()
    """Names of those of its services that stand with what measures."""
    not_held: dict[str, NotHeld] = Field(default_factory=dict)
    """Service to what of the contract it is not held to; one that is held to all of it is not here."""
    workloads: tuple[str, ...] | None = None
    """The workloads that it is run under; none: all of the study's."""

    @property
    def measured(self) -> tuple[ServiceChoice, ...]:
        """What stands for each service that is measured, the entry first."""
        return tuple(each for each in self.services if each.service not in self.bench_services)

    def not_held_text(self, *, is_loaded: bool = True) -> str:
        """What of the contract its services are not held to, in words; empty where they are to all."""
        return not_held_in_words(
            self.not_held, is_loaded=is_loaded, is_named=len(self.services) > 1
        )

    def is_under(self, workload: str) -> bool:
        """Whether it is run under a workload."""
        return self.workloads is None or workload in self.workloads


class Question(Frozen):
    """Goal-question-metric: the factor whose levels are compared, by which metrics and margin."""

    question: str
    """The question, for people; unique in the study."""
    compare: str
    """A factor with at least two levels."""
    metrics: tuple[str, ...]
    """Catalogue names; the first is primary."""
    margin: float
    """A fraction: 0.03 is 3 %."""
    workloads: tuple[str, ...]
    """Workloads that the question is asked of."""
    where: dict[str, str | tuple[str, ...]] = Field(default_factory=dict)
    """Factor to levels: it is asked of the arms that have one of each; empty: of all."""
    operation: str | None = None
    """The operation that it is about; none: all together."""
    group: str | None = None
    """The group that it is about; none: all together."""

    def is_about(self, factors: Mapping[str, str]) -> bool:
        """Whether it is asked of an arm with these factors."""
        return all(
            factors.get(factor) in ((level,) if isinstance(level, str) else level)
            for factor, level in self.where.items()
        )


DEFAULT_PROFILE: Final = "default"
"""The profile that is run where none is named."""


class Profile(Frozen):
    """What one profile changes; none where the study's own value holds."""

    blocks: int | None = None
    """Repetitions, at most."""
    looks: tuple[int, ...] = ()
    """Goes with `blocks`, as in a study."""
    duration_ns: int | None = None
    """Of every workload."""
    warm_up_ns: int | None = None
    """Of every workload; none keeps its own."""
    steady_within_ns: int | None = None
    """Of every workload: its warm-up lasts until steady."""
    warmed_within_ns: int | None = None
    """Of every workload: how long a load that makes the service warm comes before it, at most."""
    window_ns: int | None = None
    """Of every workload: how long it is measured, behind its warm-up."""
    ramp_ns: int | None = None
    """Over which closed users come that would begin at once."""
    time_share: float = 1.0
    """Of the times of every workload's stages, delays and stop rules, and of a duration of its own."""
    users_share: float = 1.0
    """Of the closed users of every workload."""
    workloads: tuple[str, ...] | None = None
    """The workloads that are left."""
    drop: tuple[dict[str, tuple[str, ...]], ...] = ()
    """Factor to levels: arms that fit one of these are left out, under the workloads that it names."""
    seed: int | None = None
    """Of the order and of the engine's draws."""
    starts: int | None = None
    """Of every arm, under a workload of starts."""


class Study(Frozen):
    """A study as its file means it, every profile checked. `plan.py` makes a plan of it."""

    study: str
    """Its name."""
    goal: str
    """What it is to find out, in a sentence."""
    system: str
    """The system's name."""
    entry: str | None = None
    """The service that is loaded in place of the entry of the system; none: that entry."""
    arms: tuple[Arm, ...]
    """What is compared, after `only` and `except`."""
    workloads: tuple[AnyWorkload, ...]
    """What every arm is measured under."""
    limits: dict[str, Limits] = Field(default_factory=dict)
    """What each service may use at most; none for a service that is not in it."""
    placement: PlacementWish | None = None
    """The CPUs of each role, where the author chose them."""
    blocks: int
    """Repetitions of the whole, at most: each is one run of every arm under every workload."""
    looks: tuple[int, ...] = ()
    """Blocks after which it may end, the last of them `blocks`; empty: it does all blocks."""
    order: Order = "random"
    """Of the runs in a block."""
    seed: int
    """Of the order and of the engine's draws."""
    allow_target: tuple[str, ...]
    """Hosts, or hosts with a port, that are the author's own. Loopback needs no entry."""
    questions: tuple[Question, ...]
    """What it must answer."""
    claims: tuple[Claim, ...] = ()
    """What others claimed, to be held against its figures."""
    analysis: FurtherAnalysis | None = None
    """What its report shows beside the answers; none: nothing further."""
    late_look_ns: int = 0
    """How long the first watched run of the same services goes on behind its window; 0: none does."""
    profiles: dict[str, Profile]
    """Shorter forms of it, by name."""


class PlannedRun(Frozen):
    """One cell of the plan."""

    index: int
    """From 1, in the order in which they are run."""
    id: str
    """`001-<arm>-<workload>`: the run's folder."""
    arm: str
    """The arm's id."""
    workload: str
    """The workload's name."""
    block: int
    """From 1; starts have blocks of their own."""
    seed: int
    """Of the engine, for whatever it draws."""
    late_look_ns: int = 0
    """How long its load goes on behind its window, where the lab looks for a late step."""


class Plan(Frozen):
    """`plan.json`: everything that `run` will do and `compare` will ask, resolved."""

    plan_version: Literal[3, 4] = PLAN_VERSION
    """Of this form."""
    study: str
    """The study's name."""
    goal: str
    """What the study is to find out, in a sentence."""
    system: str
    """The system's name."""
    entry: str | None = None
    """The service that is loaded in place of the entry of the system; none: that entry."""
    profile: str | None
    """The profile that shortened it, if any."""
    seed: int
    """Of the order and of the engine's draws."""
    blocks: int = Field(ge=1)
    """Repetitions of the whole, at most."""
    looks: tuple[int, ...] = ()
    """Blocks after which the study may end, the last of them `blocks`; empty: it does all blocks."""
    order: Order = "random"
    """Of the runs in a block."""
    allow_target: tuple[str, ...]
    """Hosts, or hosts with a port, that are the author's own."""
    arms: tuple[Arm, ...]
    """What is compared."""
    workloads: tuple[AnyWorkload, ...]
    """What every arm is measured under."""
    limits: dict[str, Limits] = Field(default_factory=dict)
    """What each service may use at most; none for a service that is not in it."""
    placement: PlacementWish | None = None
    """The CPUs of each role, where the author chose them."""
    questions: tuple[Question, ...]
    """What it must answer."""
    claims: tuple[Claim, ...] = ()
    """What others claimed, to be held against its figures."""
    analysis: FurtherAnalysis | None = None
    """What the report shows beside the answers; none: nothing further."""
    likely_warm_up_ns: dict[str, int] = Field(default_factory=dict)
    """Arm to how long its warm-up until steady will likely last, for the estimate of the time."""
    runs: tuple[PlannedRun, ...]
    """In the order in which they are run."""

    def run_id(self, run: PlannedRun) -> str:
        """What tells the values of a run from those of the others, as long for all: `b2-07`."""
        blocks, runs = len(str(max(each.block for each in self.runs))), len(str(len(self.runs)))
        return f"b{run.block:0{blocks}}-{run.index:0{runs}}"
