"""What connects the driver with the lab of another machine: all that is known of it here."""

from pathlib import Path
from typing import NamedTuple, Protocol

from loadstone.errors import LoadstoneError


class WireLost(LoadstoneError):
    """The lab at the other end is gone, or cannot be reached any more; the message says how."""


class Places(NamedTuple):
    """Where a study's files are on the machine of a lab."""

    study: str
    """Path of the study's file."""
    results: str
    """Path of the folder that gets its logs and runs."""
    simulation: str | None
    cluster_pid: int | None = None
    """Of what joins the machine to the others; none where nothing does."""


class Wire(Protocol):
    """One machine, as the driver reaches it. Every method may take seconds, and raises WireLost where
    the machine or its lab is gone. `send` may be called while another thread waits in `receive`.
    """

    def start(self) -> Places:
        """Put the study's files there and start the lab. Raises LoadstoneError where that fails."""

    def clock(self) -> int:
        """Return the wall clock there, in nanoseconds since 1970."""

    def send(self, line: str) -> None:
        """Give the lab a command."""

    def receive(self) -> str:
        """Wait for the next line of the lab."""

    def fetch(self, name: str, into: Path) -> None:
        """Copy a folder below its results here, then remove it there. `into` does not exist yet."""

    def give(self, directory: Path, name: str) -> None:
        """Copy a folder from here to below the results there, where nothing has this name."""

    def take_builds(self, names: tuple[str, ...]) -> object:
        """Return builds that the lab has made, as what `give_builds` of another wire understands."""

    def give_builds(self, builds: object) -> None:
        """Put builds where the lab finds them."""

    def close(self) -> None:
        """End the lab, and wait until it has taken down what it started. Raises nothing."""
