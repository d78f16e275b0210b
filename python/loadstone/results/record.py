"""The run record, `run.json`: observed facts of one run, versioned.

History of `RECORD_VERSION`:
1  first version
2  what was spoken, streams, first byte, causes of lag, connecting and TLS, stop rules, what limited
   the engine; the arrivals and the think time of the plan
3  kinds of run: starts and footprints; control groups; what a start cost; marks; runs that another
   tool made, which lack what it does not tell
4  site and attempt of a run that was done on one of several machines; Ray among the processes; the
   machine of a process and the loads of engines elsewhere. Read as one of version 3 where they are
   absent
"""

from datetime import UTC, datetime
from typing import Final, Literal, NamedTuple

from pydantic import Field

from loadstone.frozen import Frozen
from loadstone.results.asked import AskedGroup
from loadstone.results.background import Background
from loadstone.results.database_work import DatabaseWork
from loadstone.results.engine_load import EngineLoad, MachineLoad, NetworkFacts
from loadstone.results.fault_facts import FaultFacts
from loadstone.results.imported_from import ImportedFrom, IterationFacts
from loadstone.results.load_facts import LoadFacts, OperationFacts, Outcomes
from loadstone.results.resource_facts import CpuBusy, MachineFacts, ProbeFacts, ResourceFacts
from loadstone.results.runtime_figures import RuntimeFigures
from loadstone.results.second_step import SecondStep
from loadstone.results.service_facts import (
    AddressFacts,
    BuildFacts,
    ConfinementFacts,
    JvmLimits,
    MarkFacts,
    StartupFacts,
)
from loadstone.results.single_requests import SingleRequests
from loadstone.results.store_work import StoreWork
from loadstone.study.values.arrivals import Rate, Think, Users
from loadstone.study.values.held_to import NotHeld, not_held_in_words

RECORD_VERSION: Final = 4
READ_RECORD_VERSIONS: Final = (3, RECORD_VERSION)
"""What `run.json` may be of."""


def now_utc() -> str:
    """Return the time as a record has it: UTC, ISO 8601, milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


SteadyBy = Literal["idle", "level", "no-sign", "cap"]
"""Why a warm-up that was watched ended: nothing compiled any more, or ever does; its level held;
nothing told of a warm-up for long; or it had lasted as long as it may, whatever was seen."""


class Window(Frozen):
    """The part of the run that is measured, nanoseconds since the load began."""

    start_ns: int
    """Its first nanosecond."""
    end_ns: int
    """The first nanosecond behind it."""
    warm_up: Literal["fixed", "none", "detected", "not found", "steady"]
    """How the part before it was chosen: set, empty, what came before the service's level, where it
    never came to one the first half, or ended while it went on, as `steady_by` says."""
    steady_by: SteadyBy | None = None
    """Why the warm-up ended when it did; none of one that was not watched."""
    late_look_ns: int = 0
    """How long the load went on behind it, to look for a late step; 0 where it ended with it."""


class WarmedFacts(Frozen):
    """The load that made the services warm before the one that is measured."""

    steady_by: SteadyBy
    """Why it ended when it did."""
    length_ns: int
    """How long it lasted until then."""
    ok: int
    """Its ok requests."""


ASKED_ROLES: Final = ("dependency", "bench")
"""Of processes that the services of an arm ask: they stand with what measures, and do a part of its
work."""


class ProcessFacts(Frozen):
    """One process group of the run: the lab started it, unless the record has an `address`."""

    role: Literal["service", "bench", "dependency", "engine", "probe", "cluster"]
    """What it is for. `bench`: a service of the system that stands with what measures; `cluster`: what
    joins the machine to others."""
    name: str
    """The service's or dependency's name in the system; `users.2` of the second instance of users. What
    stands on a machine of engines is named with it, as `probe@a`."""
    machine: str | None = None
    """The machine that it is on; none of the one that the service is on, or of the only one."""
    instance_of: str | None = None
    """The service that it is a further instance of; none of a first one, which has that name."""
    kind: str | None = None
    """What a dependency is."""
    settings: dict[str, str] = Field(default_factory=dict)
    """What a dependency was started with, as it calls it."""
    stack: str | None = None
    """The stack, for a service."""
    runtime: str | None = None
    """The runtime, for a service."""
    runtime_version: str | None = None
    """What the runtime says of itself."""
    compiles: bool | None = None
    """Whether a service's runtime compiles while it runs; none where it is not known."""
    label: str | None = None
    """The arm's level."""
    command: str
    """Its command line."""
    pid: int
    """Its process id."""
    nice: int = 0
    """How far it gives way to others on its CPUs, from 0 to 19."""
    oom_score: int | None = None
    """By how much the kernel would rather end it when memory is short; none where it was not read."""
    cpus: tuple[int, ...]
    """The CPUs it could run on, read back from the kernel."""
    confinement: ConfinementFacts | None = None
    """What held a service; the others are held by the affinity of `cpus` alone."""
    build: BuildFacts | None = None
    """The build that it runs."""
    startup: StartupFacts | None = None
    """The start-up clock."""
    jvm_limits: JvmLimits | None = None
    """What a JVM took for its machine; none for anything else."""
    killed_after_ns: int | None = None
    """How long it was given after SIGTERM until it was killed; none where it ended by itself."""
    runtime_figures: RuntimeFigures | None = None
    """What a service's runtime tells of itself; none where it was not asked."""
    database_work: DatabaseWork | None = None
    """What a database did from the reset to the end of the load; none where no counter tells."""
    rows_before: dict[str, int] | None = None
    """Rows by table of a database, behind the reset."""
    rows_after: dict[str, int] | None = None
    """Rows by table behind the load."""
    store_work: StoreWork | None = None
    """What a store of keys did from the reset to the end of the load; none where no counter tells."""

    @property
    def of_service(self) -> str:
        """The service, or whatever else, that it is a process of."""
        return self.instance_of or self.name


class CheckFacts(Frozen):
    """One hold of the contract: before or after the load, or over the sampled responses."""

    when: Literal["before", "after", "samples"]
    """Before or after the load, or over responses sampled under load."""
    checked: int
    """Checks, or samples, that were held against the contract."""
    failed: tuple[str, ...]
    """`CLAUSE: what was seen` for each that did not hold."""
    not_held: tuple[str, ...] = ()
    """`CLAUSE: operation: why` for each operation of which samples could not be held against it."""
    deviated: int = 0
    """How many did not hold, as was declared; of samples, checks of them."""


class Failure(Frozen):
    """Why a run has no figures."""

    step: str
    """The step that failed."""
    reason: str
    """What was seen."""
    log_tail: str
    """The last lines of the log."""


class RunIdentity(Frozen):
    """Which run of which plan this is."""

    index: int
    """From 1, in the order in which runs were done."""
    id: str
    """Folder name: `001-<arm>-<workload>`."""
    study: str
    """The study's name."""
    arm: str
    """The arm's id."""
    factors: dict[str, str]
    """Factor to level."""
    settings: dict[str, str] = Field(default_factory=dict)
    """Every setting of the system to the level that held, also those that the study does not name."""
    workload: str
    """The workload's name."""
    block: int
    """From 1."""
    seed: int | None
    """The engine's seed; none of a run that another tool made."""
    site: str | None = None
    """The site that did it; none where there was only one."""
    attempt: int = 1
    """How often its block was begun, this time included."""


class Place(NamedTuple):
    """Where a run is done, and for the how-many-eth time its block was begun then."""

    site: str | None = None
    """None where there is only one."""
    attempt: int = 1


ONE_MACHINE: Final = Place()
"""Of every run of a study that is measured where the lab itself is."""


class RunRecord(Frozen):
    """Everything observed in one run. Figures and findings are rebuilt from it, never in it."""

    record_version: Literal[3, 4] = RECORD_VERSION
    """Of this format."""
    run: RunIdentity
    """Which run it is."""
    kind: Literal["load", "startup", "footprint"] = "load"
    """Of its workload."""
    status: Literal["completed", "failed", "interrupted"]
    """Whether it has figures."""
    failure: Failure | None = None
    """Why it has none."""
    simulated: bool = False
    """Whether nothing was started or loaded: its figures are made up, and never ranked."""
    started_at: str
    """UTC, ISO 8601."""
    finished_at: str
    """UTC, ISO 8601."""
    phases_ns: dict[str, int] = Field(default_factory=dict)
    """Wall time of each step: deploy, startup (of all services that are measured, in turn), check,
    warming, reset, load, runtime_figures, teardown."""
    outcomes: Outcomes = Field(default_factory=dict)
    """Totals of the whole load; zero outcomes are present too."""
    operations: dict[str, OperationFacts] = Field(default_factory=dict)
    """What the engine saw, by operation."""
    groups: dict[str, AskedGroup] = Field(default_factory=dict)
    """What the plan asked of each group, by name; empty where it is not known."""
    arrivals: Users | Rate | None = None
    """What the plan asked of its only group; none of several, and where it is not known."""
    think: Think | None = None
    """The think time of its only group."""
    purpose: str | None = None
    """The operation that the plan's sessions are for; none where it names none."""
    mean_limit_ns: int | None = None
    """The limit of the mean response time that a stop rule of the plan has; none without one."""
    stops_from_window: bool = False
    """Whether the stop rules of the plan hold from the begin of the window on alone."""
    new_connections: bool | None = None
    """Whether the plan gives every request a connection of its own; none where it is not known."""
    source: ImportedFrom | None = None
    """Where the run comes from; none where the lab did it."""
    iterations: IterationFacts | None = None
    """What the users of another tool did; none where the lab did the run, or it is not told."""
    warmed: WarmedFacts | None = None
    """What came before the load; none where nothing did."""
    load: LoadFacts | None = None
    """The engine's whole summary."""
    window: Window | None = None
    """What is measured."""
    processes: tuple[ProcessFacts, ...] = ()
    """What the lab started: dependencies, services (of those that are measured the one that is called
    first), engine, probe; and a service that was running already."""
    second_step: SecondStep | None = None
    """With fewer users, after a load by `bench` in which they waited for an idle service."""
    background: Background | None = None
    """Before and after a load by `bench` that may change something; none where nobody looked."""
    single_requests: SingleRequests | None = None
    """After a load by `bench`; none where they may not be sent, or were not answered."""
    address: AddressFacts | None = None
    """Of a service that was running already; none where the lab started it."""
    resources: dict[str, ResourceFacts] = Field(default_factory=dict)
    """By process name (`gateway`, `users`, `users.2`, `backend`, `engine`, `probe`)."""
    cpus: tuple[CpuBusy, ...] = ()
    """The machine's CPUs over the window: those of the service's, as of all that is not in `loads` or
    `beside`."""
    machine: MachineFacts | None = None
    """The machine as a whole over the window."""
    loads: dict[str, EngineLoad] = Field(default_factory=dict)
    """By machine with an engine, where these are not the service's: `load` is then of all together."""
    network: NetworkFacts | None = None
    """What went over the network of the service's machine; none without an engine elsewhere."""
    beside: dict[str, MachineLoad] = Field(default_factory=dict)
    """By machine of services or dependencies beside the one that leads: what it did in the load."""
    probe: ProbeFacts | None = None
    """What probing it all took."""
    first_requests: int | None = None
    """How many requests the service of a footprint had before its load; none where it is not told."""
    marks: tuple[MarkFacts, ...] = ()
    """Memory at the moments of a footprint."""
    checks: tuple[CheckFacts, ...] = ()
    """The contract, held before, after and over the samples."""
    faults: tuple[FaultFacts, ...] = ()
    """What was done to the system while it was loaded."""
    not_held: dict[str, NotHeld] = Field(default_factory=dict)
    """Service to what of the contract it is not held to; one that is held to all of it is not here."""
    versions: dict[str, str] = Field(default_factory=dict)
    """Tool to version."""

    @property
    def service_names(self) -> tuple[str, ...]:
        """Names of its services, those that stood with what measured among them."""
        return tuple(
            dict.fromkeys(
                each.of_service for each in self.processes if each.role in ("service", "bench")
            )
        )

    @property
    def not_held_text(self) -> str:
        """What of the contract its services are not held to, in words; empty where they are to all."""
        return not_held_in_words(
            self.not_held, is_loaded=self.kind != "startup", is_named=len(self.service_names) > 1
        )

    @property
    def asked_groups(self) -> dict[str, AskedGroup]:
        """What the plan asked of each group, by name; in a record that names none it is empty."""
        if self.groups or self.arrivals is None:
            return self.groups
        return {"": AskedGroup(arrivals=self.arrivals, think=self.think)}

    @property
    def changes_ns(self) -> int:
        """From when on users and rates of all groups stay the same; 0 where that is not known."""
        return max((each.changes_ns for each in self.asked_groups.values()), default=0)

    @property
    def here(self) -> tuple[ProcessFacts, ...]:
        """The processes on the service's machine, whose CPUs are `cpus`."""
        return tuple(each for each in self.processes if each.machine is None)

    def at(self, machine: str) -> tuple[ProcessFacts, ...]:
        """The processes on another machine of the site."""
        return tuple(each for each in self.processes if each.machine == machine)

    def beside_each(self, process: ProcessFacts) -> tuple[ProcessFacts, ...]:
        """The processes on the machine of one of them, itself included."""
        return tuple(each for each in self.processes if each.machine == process.machine)

    def cpus_of(self, process: ProcessFacts) -> tuple[CpuBusy, ...]:
        """How busy the CPUs were that a process could use, on its machine; those that are known."""
        cpus = self.cpus
        if process.machine is not None:
            seen = {**self.loads, **self.beside}.get(process.machine)
            cpus = () if seen is None else seen.cpus
        return tuple(each for each in cpus if each.cpu in process.cpus)

    @property
    def services(self) -> tuple[ProcessFacts, ...]:
        """Every process of the services that were measured, that of the one that was called first."""
        return tuple(each for each in self.processes if each.role == "service")

    @property
    def bench_services(self) -> tuple[ProcessFacts, ...]:
        """Every process of the services that stood with what measured."""
        return tuple(each for each in self.processes if each.role == "bench")

    @property
    def service(self) -> ProcessFacts | None:
        """The service that was called; none where the run had only an address."""
        return next(iter(self.services), None)
