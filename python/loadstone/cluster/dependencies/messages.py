"""What the lab of a service says to the machine of its dependencies, and that to it, by way of the
driver.

A call is answered once. A dependency that ends of itself is told without being asked.
"""

from typing import Annotated, Literal

from pydantic import Field

from loadstone.frozen import Frozen
from loadstone.results.database_work import DatabaseWork
from loadstone.results.engine_load import NetworkFacts
from loadstone.results.record import ProcessFacts
from loadstone.results.resource_facts import ProbeFacts
from loadstone.results.store_work import StoreReading


class DependenciesAt(Frozen):
    """The machine of a site's dependencies."""

    machine: str
    address: str
    """As the others reach it."""


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


class StopDependency(_Call):
    """End one, and remove its data."""

    do: Literal["stop-dependency"] = "stop-dependency"
    name: str


class WatchDependencies(_Call):
    """Begin to probe them and the machine, and tell the time."""

    do: Literal["watch-dependencies"] = "watch-dependencies"
    key: str
    """In hexadecimal digits: who knows it is told the time."""


class LeaveDependencies(_Call):
    """End that."""

    do: Literal["leave-dependencies"] = "leave-dependencies"


DependencyCommand = (
    StartDependency | AskDependency | StopDependency | WatchDependencies | LeaveDependencies
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


class DependencyFailed(_Call):
    """It could not."""

    told: Literal["dependency-failed"] = "dependency-failed"
    step: str
    reason: str
    log_tail: str = ""


class DependencyStopped(_Call):
    """Nothing of it is left but its logs, which follow as a folder."""

    told: Literal["dependency-stopped"] = "dependency-stopped"
    folder: str
    """Below the results of that lab."""
    killed_after_ns: int | None


class DependencyEnded(_Call):
    """It has ended of itself. Answers no call."""

    told: Literal["dependency-ended"] = "dependency-ended"
    name: str
    ending: str
    """In words."""
    log_tail: str


class DependenciesWatched(_Call):
    """They are probed, and these are they."""

    told: Literal["dependencies-watched"] = "dependencies-watched"
    processes: tuple[ProcessFacts, ...]
    """What is probed beside them: the lab, and what joins the machine to the others."""
    port: int
    """Where datagrams are told the time."""


class DependenciesLeft(_Call):
    """What the probe saw follows as a folder."""

    told: Literal["dependencies-left"] = "dependencies-left"
    folder: str
    """Below the results of that lab."""
    probe: ProbeFacts
    network: NetworkFacts | None


DependencyAnswer = (
    DependencyStarted
    | DependencyDid
    | DependencyFailed
    | DependencyStopped
    | DependencyEnded
    | DependenciesWatched
    | DependenciesLeft
)


class ToDependencies(Frozen):
    """The lab of the service wants this to be passed on to the machine of its dependencies."""

    told: Literal["to-dependencies"] = "to-dependencies"
    machine: str
    command: Annotated[DependencyCommand, Field(discriminator="do")]


class FromDependencies(Frozen):
    """Passed on to the lab of the service, from the machine of its dependencies."""

    do: Literal["from-dependencies"] = "from-dependencies"
    answer: Annotated[DependencyAnswer, Field(discriminator="told")]


def folder_from(name: str) -> str:
    """Return where the lab of the service finds a folder of that machine, below its own results."""
    return f"from-{name}"
