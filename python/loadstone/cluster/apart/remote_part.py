"""A part of the system on another machine, whatever it is: ended there, with its logs fetched."""

from pathlib import Path

from loadstone.cluster.apart.asked import Asked
from loadstone.cluster.apart.messages import PartStopped, StopPart
from loadstone.errors import LoadstoneError


class RemotePart:
    """A dependency, or a process of a service."""

    def __init__(self, asked: Asked, name: str, logs: Path) -> None:
        """Its logs come into a folder at its end."""
        self.name = name
        self.killed_after_ns: int | None = None
        self._asked, self._logs, self._is_stopped = asked, logs, False

    def stop(self) -> None:
        """End it, and fetch its logs. Where nobody answers its machine ends it with its lab."""
        if self._is_stopped:
            return
        self._is_stopped = True
        command = StopPart(call=self._asked.next_call(), name=self.name)
        try:
            stopped = self._asked.ask(command, PartStopped, "teardown")
            self.killed_after_ns = stopped.killed_after_ns
            self._asked.take(stopped.folder, self._logs)
        except LoadstoneError:
            return
