"""What the lab that leads a site says to a machine that has parts of the system, and that to it, by way
of the driver.

A call is answered once. What ends of itself, and what a probe has seen, is told without being asked.
"""

from typing import Annotated, Literal

from pydantic import Field

from loadstone.frozen import Frozen
from loadstone.measure.loading.probe import GroupTick
from loadstone.results.database_work import DatabaseWork
from loadstone.results.engine_load import NetworkFacts
from loadstone.results.record import ProcessFacts
from loadstone.results.resource_facts import ProbeFacts
from loadstone.results.runtime_figures import RuntimeFigures
from loadstone.results.service_facts import ConfinementFacts
from loadstone.results.store_work import StoreReading


class PartsAt(Frozen):
    """A machine that has dependencies or services of a site."""

    machine: str
    address: str
    """As the others reach it."""
    has: str
    """In words: `the dependencies`, or `the services users and discovery`."""


class LeaderFacts(Frozen):
    """See `Leader` of `deploy/dependencies/interface.py`."""

    name: str
    command: str
    pid: int
    cpus: tuple[int, ...]


class _Call(Frozen):
    call: int
    """The number of the call, which its answer has, too."""


class StartDependency(_Call):
    """Start one, and wait until it accepts."""

    do: Literal["start-dependency"] = "start-dependency"
    name: str
    settings: dict[str, str]
    """Setting of the system to its level."""


class AskDependency(_Call):
    """Let one do something of its own."""

    do: Literal["ask-dependency"] = "ask-dependency"
    name: str
    what: Literal["seed", "services_stand", "reset", "open_connections", "work", "rows", "store"]
    """A method of `Dependency`."""


class StartService(_Call):
    """Start a process of a service, and wait for its first correct response."""

    do: Literal["start-service"] = "start-service"
    name: str
    """Of the process."""
    service: str
    arm: str
    """The arm's id."""
    urls: dict[str, str]
    """Of what it needs, by name."""
    is_watched: bool
    """Whether the lab sees when its warm-up is over."""


class AskService(_Call):
    """Let one tell something, or be told."""

    do: Literal["ask-service"] = "ask-service"
    name: str
    what: Literal["ask", "end_warm_up", "confinement_facts", "runtime_figures"]
    """A method of `ServiceElsewhere`."""
    window_unix_ns: tuple[int, int] | None = None
    """Of runtime figures: begin and end by the clock of that machine; none: the run has no window."""


class StopPart(_Call):
    """End a dependency or a process of a service, and remove its data."""

    do: Literal["stop-part"] = "stop-part"
    name: str


class WatchParts(_Call):
    """Begin to probe them and the machine, and tell the time."""

    do: Literal["watch-parts"] = "watch-parts"
    key: str
    """In hexadecimal digits: who knows it is told the time."""


class LeaveParts(_Call):
    """End that."""

    do: Literal["leave-parts"] = "leave-parts"


PartCommand = (
    StartDependency | AskDependency | StartService | AskService | StopPart | WatchParts | LeaveParts
)


class DependencyStarted(_Call):
    """It accepts."""

    told: Literal["dependency-started"] = "dependency-started"
    url: str
    settings: dict[str, str]
    leaders: tuple[LeaderFacts, ...]


class DependencyDid(_Call):
    """It did what it was asked for."""

    told: Literal["dependency-did"] = "dependency-did"
    leaders: tuple[LeaderFacts, ...]
    """As they are now: a reset may have started some anew."""
    work: DatabaseWork | None = None
    rows: dict[str, int] | None = None
    store: StoreReading | None = None
    open_connections: int | None = None


class ServiceStarted(_Call):
    """It gave its first correct response."""

    told: Literal["service-started"] = "service-started"
    base_url: str
    facts: ProcessFacts


class ServiceDid(_Call):
    """It did what it was asked for."""

    told: Literal["service-did"] = "service-did"
    has_other_cpus: bool = False
    """Whether the end of the warm-up changed its CPUs."""
    confinement: ConfinementFacts | None = None
    runtime_figures: RuntimeFigures | None = None


class PartFailed(_Call):
    """It could not."""

    told: Literal["part-failed"] = "part-failed"
    step: str
    reason: str
    log_tail: str = ""


class PartStopped(_Call):
    """Nothing of it is left but its logs, which follow as a folder."""

    told: Literal["part-stopped"] = "part-stopped"
    folder: str
    """Below the results of that lab."""
    killed_after_ns: int | None


class PartEnded(_Call):
    """It has ended of itself. Answers no call."""

    told: Literal["part-ended"] = "part-ended"
    name: str
    ending: str
    """In words."""
    log_tail: str


class PartsWatched(_Call):
    """They are probed, and these are they."""

    told: Literal["parts-watched"] = "parts-watched"
    processes: tuple[ProcessFacts, ...]
    """What is probed beside them: the lab, and what joins the machine to the others."""
    port: int
    """Where datagrams are told the time."""


class PartsSeen(_Call):
    """What the probe saw of services since it was told last. Answers no call."""

    told: Literal["parts-seen"] = "parts-seen"
    ticks: dict[str, tuple[GroupTick, ...]]
    """By the name of the process, by the clock of that machine."""


class PartsLeft(_Call):
    """What the probe saw follows as a folder."""

    told: Literal["parts-left"] = "parts-left"
    folder: str
    """Below the results of that lab."""
    probe: ProbeFacts
    network: NetworkFacts | None


PartAnswer = (
    DependencyStarted
    | DependencyDid
    | ServiceStarted
    | ServiceDid
    | PartFailed
    | PartStopped
    | PartEnded
    | PartsWatched
    | PartsSeen
    | PartsLeft
)


class ToParts(Frozen):
    """The lab that leads wants this to be passed on to a machine that has parts."""

    told: Literal["to-parts"] = "to-parts"
    machine: str
    command: Annotated[PartCommand, Field(discriminator="do")]


class FromParts(Frozen):
    """Passed on to the lab that leads, from a machine that has parts."""

    do: Literal["from-parts"] = "from-parts"
    machine: str
    answer: Annotated[PartAnswer, Field(discriminator="told")]


def folder_from(name: str, machine: str) -> str:
    """Return where the lab that leads finds a folder of that machine, below its own results."""
    return f"from-{machine}-{name}"
