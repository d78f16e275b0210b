"""What every dependency offers, whatever its kind.

A run starts it, seeds it, starts the services that need it, checks them, resets it, loads, and stops
it. Left out: limits. A dependency is held by the affinity of its CPUs alone, since it belongs to what
measures and not to what is measured; where one has a control group, that is to leave nothing of it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from loadstone.contract.stand import Hand
from loadstone.deploy.confinement.interface import Confine
from loadstone.deploy.ports import LOOPBACK
from loadstone.machine.tls_material import TlsMaterial
from loadstone.results.database_work import DatabaseWork
from loadstone.results.store_work import StoreReading
from loadstone.study.values.dependency import DependencyOptions
from loadstone.study.values.model import Protocol as HttpProtocol


@dataclass(frozen=True)
class Seed:
    """What a dependency begins with."""

    files: tuple[Path, ...] = ()
    """What makes its tables and whatever stays, in the order in which they are taken."""
    levels: Mapping[str, Path] = field(default_factory=dict)
    """By level: what brings the data to it, from whatever state they are in."""
    level: str | None = None
    """The one that holds; none where no setting chooses it."""


@dataclass(frozen=True)
class Place:
    """Where a dependency is to stand."""

    name: str
    """Its name in the system."""
    cpus: tuple[int, ...]
    """The CPUs that it may use."""
    logs: Path
    """Folder for its logs, which are kept; they begin with its name."""
    protocol: HttpProtocol = HttpProtocol.H1C
    """What is spoken on the leg to it, where it is called by HTTP."""
    tls: TlsMaterial | None = None
    """What it shows on a leg over TLS."""
    cache: Path = field(kw_only=True)
    """Folder for what is made once and kept by content, such as a template of its data."""
    seed: Seed = Seed()
    """Of the system."""
    options: DependencyOptions = field(default_factory=DependencyOptions)
    """What the system's file says of it beside its kind."""
    directory: Path = Path("/")
    """The system's, in which commands of its file are run."""
    confine: Confine | None = None
    """Makes a control group for a server that may leave its session; none where none is wanted."""
    address: str = LOOPBACK
    """Of this machine: where it listens, and nowhere else."""


@dataclass(frozen=True)
class Leader:
    """One of its processes that has no parent among the others: it is measured with all below it."""

    name: str
    """The dependency's name, or `<name>-<part>` for what it starts beside itself."""
    command: str
    pid: int
    cpus: tuple[int, ...]
    """What the kernel lets it use."""
    machine: str | None = None
    """That it is on, where that is not this one."""


class RestorableHand(Hand, Protocol):
    """A check's hand that can undo what the check did."""

    def restore(self) -> None:
        """Let the dependency run and accept, and hold no lock of it. Raises HandFailed."""


class Dependency(Protocol):
    """A dependency that accepts; whoever started it stops it."""

    @property
    def name(self) -> str:
        """Its name in the system."""

    @property
    def url(self) -> str:
        """What stands for it in a service's variables: all that a client needs to reach it."""

    @property
    def settings(self) -> Mapping[str, str]:
        """What it was started with, for the record: version, durability, sizes, as it calls them."""

    @property
    def leaders(self) -> tuple[Leader, ...]:
        """Its processes."""

    @property
    def killed_after_ns(self) -> int | None:
        """How long it was given to end before it was killed; none where it ended by itself."""

    def seed(self) -> None:
        """Bring it to the state that every load begins with; called once, before any service is there.

        Raises StepFailed('seed'), as for a seed that it has no use for.
        """

    def services_stand(self) -> None:
        """Note what services have made in it when they started; called once, when all of them stand.

        Raises StepFailed('start-up') where it cannot be asked.
        """

    def reset(self) -> None:
        """Bring it back to what `seed` left, while the services are connected to it. Where services
        have made tables when they started, to what it was then.

        Raises StepFailed('reset').
        """

    def open_connections(self) -> int | None:
        """Return how many connections services have to it; none where nothing counts them.

        Raises StepFailed('reset') where it cannot be asked.
        """

    def work(self) -> DatabaseWork | None:
        """Return what all but the lab have asked of it since its start; none where nothing counts.

        Raises StepFailed('load') where it cannot be asked.
        """

    def rows(self) -> dict[str, int] | None:
        """Return the rows of each of its tables now; none where it has no tables.

        Raises StepFailed('load') where it cannot be asked.
        """

    def store(self) -> StoreReading | None:
        """Return what it has done since its start and what it holds, where it keeps keys; else none.

        Raises StepFailed('load') where it cannot be asked.
        """

    @property
    def hand(self) -> RestorableHand | None:
        """What a check may do to it; none where it is a server that no check disturbs."""

    def ending(self) -> str | None:
        """Return in words how it ended of itself; none while it runs."""

    def log_tail(self) -> str:
        """Return the last lines of its log."""

    def stop(self) -> None:
        """End all that it started, and remove its data. It may have ended, and may be called twice."""


Start = Callable[[Place], Dependency]
"""Starts a dependency and waits until it accepts.

Raises StepFailed('deploy'), or StepFailed('seed') where its seed cannot be taken; then nothing of it is
left.
"""
