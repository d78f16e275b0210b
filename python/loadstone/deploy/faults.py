"""What faults of a load do to the parts of a deployed system, and undo.

Of a service its process and all below it are meant; of a dependency what its hand reaches.
"""

import os
import signal
from collections.abc import Callable
from contextlib import suppress

from loadstone.contract.stand import Hand, HandFailed
from loadstone.deploy.deployed_system import DeployedSystem
from loadstone.deploy.deployment import Deployment
from loadstone.errors import StepFailed


class FaultHands:
    """Hands on every part of a system. Each raises StepFailed('load') where what it should do fails."""

    def __init__(self, deployed: DeployedSystem) -> None:
        self._deployed = deployed
        self._frozen: set[str] = set()
        self._stopped: set[str] = set()

    def kill(self, name: str) -> None:
        """End a process of a service at once, for good, and wait until it is gone."""
        self._deployed.away.add(name)
        child = self._deployed.here[name].child
        self._signal(name, signal.SIGKILL)
        child.process.wait()

    def remove(self, name: str) -> None:
        """Tell a process of a service to end, kill it where it does not, and wait until it is gone."""
        self._deployed.away.add(name)
        self._deployed.here[name].child.stop()

    def add(self, service: str, watch: Callable[[], None]) -> Deployment:
        """Start one more process of a service; `watch` is called until it is ready."""
        return self._deployed.add_process(service, watch)

    def freeze(self, name: str) -> None:
        """Let a part do nothing, and keep its connections open."""
        self._frozen.add(name)
        if name in self._deployed.services:
            self._signal(name, signal.SIGSTOP)
        else:
            self._told(name, lambda hand: hand.freeze())

    def thaw(self, name: str) -> None:
        """Let it go on."""
        if name in self._deployed.services:
            self._signal(name, signal.SIGCONT)
        else:
            self._told(name, lambda hand: hand.thaw())
        self._frozen.discard(name)

    def stop(self, name: str) -> None:
        """End a dependency in order."""
        self._deployed.away.add(name)
        self._stopped.add(name)
        self._told(name, lambda hand: hand.stop())

    def start(self, name: str) -> int:
        """Start it again, and wait until it accepts; return the id of its process."""
        self._told(name, lambda hand: hand.start())
        self._stopped.discard(name)
        self._deployed.away.discard(name)
        dependency = next(each for each in self._deployed.dependencies if each.name == name)
        return dependency.leaders[0].pid

    def undo(self) -> None:
        """Let everything go on that is frozen or stopped."""
        for name in tuple(self._frozen):
            self.thaw(name)
        for name in tuple(self._stopped):
            self.start(name)

    def _signal(self, name: str, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):  # it ended by itself, which is told elsewhere
            os.killpg(self._deployed.here[name].child.pid, number)

    def _told(self, name: str, act: Callable[[Hand], None]) -> None:
        hand = next(each.hand for each in self._deployed.dependencies if each.name == name)
        if hand is None:
            raise StepFailed("load", f"there is no hand on {name}")
        try:
            act(hand)
        except HandFailed as error:
            raise StepFailed("load", f"a fault of {name} failed: {error.message}") from error
