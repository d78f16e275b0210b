"""Where what machines with parts say waits for the run at hand: a queue for each machine."""

import queue
from threading import Lock

from loadstone.cluster.apart.messages import FromParts

Inbox = queue.SimpleQueue[FromParts | None]
"""None is the end: nobody says anything any more."""


class Inboxes:
    """All of them. A thread fills them while another reads."""

    def __init__(self) -> None:
        self._by_machine: dict[str, Inbox] = {}
        self._using = Lock()
        self._is_over = False

    def of(self, machine: str) -> Inbox:
        """Return that of a machine."""
        with self._using:
            if machine not in self._by_machine:
                self._by_machine[machine] = queue.SimpleQueue()
                if self._is_over:
                    self._by_machine[machine].put(None)
            return self._by_machine[machine]

    def put(self, said: FromParts) -> None:
        """Put what a machine said where it waits."""
        self.of(said.machine).put(said)

    def end(self) -> None:
        """Say to all that nothing comes any more."""
        with self._using:
            self._is_over = True
            for inbox in self._by_machine.values():
                inbox.put(None)
