"""What the lab of a service says to the engines of its site, and they to it, by way of the driver.

Every message names its load: what is still on its way of one that was given up is told by that.
"""

from typing import Annotated, Any, Literal

from pydantic import Field

from loadstone.frozen import Frozen
from loadstone.results.engine_load import NetworkFacts
from loadstone.results.engine_summary import EngineSummary
from loadstone.results.record import ProcessFacts
from loadstone.results.resource_facts import ProbeFacts


class EngineAt(Frozen):
    """A machine with an engine of the site."""

    address: str
    """As the others reach it."""
    cpus: tuple[int, ...]
    """Those that its engine may use, in the order in which it takes them."""


class _OfLoad(Frozen):
    load: str
    """Names the load; also a folder below the results of the engine's lab."""


class PrepareLoad(_OfLoad):
    """Start the engine, and let it wait for the last byte of its plan."""

    do: Literal["prepare-load"] = "prepare-load"
    workload: str
    """Whose feeds it takes rows from."""
    plan: dict[str, Any]
    key: str
    """In hexadecimal digits: who knows it is told the time."""


class BeginLoad(_OfLoad):
    """Give the engine that byte."""

    do: Literal["begin-load"] = "begin-load"


class BeginWindow(_OfLoad):
    """End the warm-up."""

    do: Literal["begin-window"] = "begin-window"
    not_before_ns: int
    """Since the load began."""


class StopLoad(_OfLoad):
    """Let the engine end its load before its time, as by a signal."""

    do: Literal["stop-load"] = "stop-load"


class LeaveLoad(_OfLoad):
    """End whatever there still is of the load, and tell the time no more."""

    do: Literal["leave-load"] = "leave-load"


EngineCommand = PrepareLoad | BeginLoad | BeginWindow | StopLoad | LeaveLoad


class LoadPrepared(_OfLoad):
    """The engine waits; this is what is probed there."""

    told: Literal["load-prepared"] = "load-prepared"
    processes: tuple[ProcessFacts, ...]
    port: int
    """Where datagrams are told the time."""


class EngineSaid(_OfLoad):
    """A line of the engine."""

    told: Literal["engine-said"] = "engine-said"
    event: dict[str, Any]


class LoadLeft(_OfLoad):
    """The engine has ended; its files follow as a folder."""

    told: Literal["load-left"] = "load-left"
    summary: EngineSummary
    probe: ProbeFacts
    network: NetworkFacts | None


class LoadFailed(_OfLoad):
    """There is no load, or none that can be trusted."""

    told: Literal["load-failed"] = "load-failed"
    reason: str
    log_tail: str = ""
    no_room: bool = False
    """Whether the disk there took no more."""


EngineAnswer = LoadPrepared | EngineSaid | LoadLeft | LoadFailed


class ToEngine(Frozen):
    """The lab of the service wants this to be passed on to a machine of engines."""

    told: Literal["to-engine"] = "to-engine"
    machine: str
    command: Annotated[EngineCommand, Field(discriminator="do")]


class FromEngine(Frozen):
    """Passed on to the lab of the service, from a machine of engines."""

    do: Literal["from-engine"] = "from-engine"
    machine: str
    answer: Annotated[EngineAnswer, Field(discriminator="told")]


def folder_of(load: str) -> str:
    """Return where a machine keeps the files of a load, below its results."""
    return f"loads/{load}"


def folder_from(load: str, machine: str) -> str:
    """Return where the lab of the service finds what came from a machine, below its results."""
    return f"{folder_of(load)}-from-{machine}"
