"""What a check may do to the parts that stand around a service: stop its database, start it anew.

Only for checks declared with `needs_stand`. Whatever they leave frozen, stopped or locked is brought
back behind each of them, and every process that they started is ended.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from loadstone.errors import LoadstoneError
from loadstone.results.database_work import DatabaseWork

if TYPE_CHECKING:
    from loadstone.contract.subject import Subject


@dataclass(frozen=True)
class Session:
    """A connection of the application to its database, as the database sees it."""

    id: int
    """By which `KILL` ends it."""
    user: str
    host: str
    """Address and port of its other end."""
    command: str
    """What it does: `Sleep` where it waits for the application."""
    seconds: int
    """For how long it has done so."""
    in_transaction: bool
    """Whether a transaction of it is open."""
    statement: str | None
    """What it runs; none where it waits."""


class Hand(Protocol):
    """A check's hand on one dependency. Each method raises `HandFailed` where it does not succeed."""

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Run one statement over the lab's own connection as its root; return the rows.

        `%s` stands for a parameter. The connection stays the same, so it can hold a lock. It counts in
        no `work`, but `SHOW STATUS` does: ask `work` instead.
        """

    def work(self) -> DatabaseWork:
        """Return what it was asked to do since its start, the lab's own statements left out."""

    def to_level(self, level: str) -> None:
        """Bring its data to a level of the system's seed, while services are connected."""

    def stop(self) -> None:
        """End it in order; its data stay."""

    def start(self) -> None:
        """Start it again with its data on the same port, and wait until it accepts."""

    def freeze(self) -> None:
        """Let it do nothing at all, and yet keep its connections open."""

    def thaw(self) -> None:
        """Let it go on."""

    def sessions(self) -> tuple[Session, ...]:
        """Return the connections of all but the lab, by id."""


class HandFailed(LoadstoneError):
    """What a check wanted done to a dependency was not done; the message says what was seen."""


class ServiceProcess(Protocol):
    """The process of a service."""

    @property
    def pid(self) -> int:
        """Its process id."""

    def terminate(self) -> None:
        """Send SIGTERM, and do not wait."""

    def kill(self) -> None:
        """Send SIGKILL to it and its children, and wait until it is gone."""

    def wait(self, seconds: float) -> int:
        """Wait for its end and return its exit code, -9 for SIGKILL.

        Raises AssertionError where it still runs after that time.
        """

    def is_running(self) -> bool:
        """Whether it has not ended."""

    def rss_bytes(self) -> int:
        """Return its resident memory, with that of its children; 0 where it has ended."""

    def log(self) -> str:
        """Return what it has printed so far."""


@dataclass(frozen=True)
class RefusedStart:
    """A service that ended by itself instead of starting."""

    exit_code: int
    stdout: str
    stderr: str


@dataclass(frozen=True)
class Restarted:
    """Another process of the service under test."""

    base_url: str
    process: ServiceProcess


class Surroundings(Protocol):
    """What stands around the service under test; whoever deployed it offers it to the checks."""

    @property
    def process(self) -> ServiceProcess:
        """Of the service under test."""

    def dependency(self, name: str) -> Hand:
        """Return the hand on a dependency. Raises RuntimeError where a check has none on it."""

    def url_of(self, name: str) -> str:
        """See `Stand`."""

    def restarted(
        self, variables: Mapping[str, str], *, unready: bool
    ) -> AbstractContextManager[Restarted]:
        """See `Stand`."""

    def refused_start(self, variables: Mapping[str, str]) -> RefusedStart:
        """See `Stand`."""

    def restore(self) -> None:
        """Bring back what a check left frozen, stopped or locked. Raises StepFailed('check')."""


class Stand:
    """What stands around the service under test, for the time of one check."""

    def __init__(self, around: Surroundings, subject: "Subject") -> None:
        self._around, self._subject = around, subject

    @property
    def process(self) -> ServiceProcess:
        """Of the service under test itself: later checks need it, so do not end it."""
        return self._around.process

    def dependency(self, name: str) -> Hand:
        """Return the hand on a dependency. Raises RuntimeError where a check has none on it."""
        return self._around.dependency(name)

    def url_of(self, name: str) -> str:
        """Return where a part is that the service needs, as `{name}` has it in the system's file.

        It is the recording upstream's base URL where that stands in for the part. Raises RuntimeError
        where the service does not need it.
        """
        return self._around.url_of(name)

    @contextmanager
    def restarted(
        self, variables: Mapping[str, str] | None = None, *, unready: bool = False
    ) -> Iterator["Subject"]:
        """Have another process of the service for the length of the block, on a port of its own.

        It has these variables beside its own, and the same dependencies and recording upstream;
        `{database}` stands in them for what it does in the system's file, so a brace is written twice.
        With `unready` it need only accept connections, and not answer correctly. Raises AssertionError
        where it does not come so far.
        """
        with self._around.restarted(variables or {}, unready=unready) as other:
            yield self._subject.beside(other.base_url, other.process)

    def refused_start(self, variables: Mapping[str, str]) -> RefusedStart:
        """Start another process with these variables, which it should refuse, and return how it ended.

        They are written as for `restarted`. Raises AssertionError where it still runs when it should
        long have ended.
        """
        return self._around.refused_start(variables)
