"""The loop of a machine's lab as a thread of this one: commands as they come, else a look."""

import queue
from typing import Protocol, TypeVar

Command = TypeVar("Command")
Taken = TypeVar("Taken", contravariant=True)


class Lab(Protocol[Taken]):
    """The part of a site that carries commands out."""

    def do(self, command: Taken) -> None:
        """Carry one out."""

    def look(self) -> None:
        """Tell what has happened since the last look."""

    def close(self) -> None:
        """End all."""


def carry_out(commands: queue.SimpleQueue[Command | None], lab: Lab[Command]) -> None:
    """Do what comes until nothing more is to come, which None says."""
    while True:
        try:
            command = commands.get(timeout=0.01)
        except queue.Empty:
            lab.look()
            continue
        if command is None:
            lab.close()
            return
        lab.do(command)
