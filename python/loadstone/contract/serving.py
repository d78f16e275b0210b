"""One connection of the recording upstream, whatever is spoken on it."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from loadstone.contract.channel import Channel, Handshake
from loadstone.contract.exchange import Exchange
from loadstone.contract.scripts import Script


@dataclass(frozen=True)
class Accepted:
    """A connection that was accepted, and whom to tell what comes on it."""

    channel: Channel
    number: int
    """From 1."""
    handshake: Handshake | None
    record: Callable[[Exchange], Script]
    """Take a request whose head has come; returns how it is answered once it is whole."""
    note_fault: Callable[[str], None]
    """Take what the other side did against its protocol."""


class Serving(ABC):
    """Reads the requests of a connection and has them answered."""

    @abstractmethod
    def serve(self) -> None:
        """Do so until either side ends it. Raises OSError and BrokenMessage where it ends badly."""

    @abstractmethod
    def finish_sending(self) -> None:
        """Say that nothing more comes; the other side is expected to close."""
