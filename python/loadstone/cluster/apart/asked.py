"""What a part of the system needs of the lab that leads, to ask something of its machine."""

from pathlib import Path
from typing import Protocol, TypeVar

from loadstone.cluster.apart.messages import PartAnswer, PartCommand, PartEnded, PartsAt
from loadstone.measure.loading.probe import GroupTick
from loadstone.results.environment import ClockOffset

Answer = TypeVar("Answer", bound=PartAnswer)


class Asked(Protocol):
    """A machine that has parts; see `remote_parts.py`."""

    @property
    def at(self) -> PartsAt:
        """Its name, its address, and what it is there for."""

    def next_call(self) -> int:
        """Return a number for a call."""

    def ask(self, command: PartCommand, wanted: type[Answer], step: str) -> Answer:
        """Let it do something, and return its answer. Raises StepFailed."""

    def ended(self, name: str) -> PartEnded | None:
        """Return how a part has ended of itself, as far as that was told; returns at once."""

    def seen(self, name: str) -> list[GroupTick]:
        """Return what was told so far of a process since it is watched; returns at once."""

    def take(self, name: str, into: Path) -> None:
        """Move the files of a folder that came from there into one of a run."""

    def time_there(self, port: int, key: bytes) -> ClockOffset:
        """Ask its clock."""
