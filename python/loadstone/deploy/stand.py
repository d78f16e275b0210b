"""What stands around a deployed service, as checks of its contract may lay hands on it."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from itertools import count

from loadstone.contract.stand import Hand, HandFailed, RefusedStart, Restarted
from loadstone.deploy import process
from loadstone.deploy.dependencies.interface import RestorableHand
from loadstone.deploy.deployed_system import DeployedSystem
from loadstone.deploy.deployment import ServiceStart, deploy
from loadstone.deploy.ports import free_port
from loadstone.errors import StepFailed
from loadstone.machine import procfs

LISTEN_SECONDS = 60.0
"""Until a service that need not be ready accepts: what a start may take."""
REFUSE_SECONDS = 20.0
"""Until a service ends that is told what it cannot take: a cold JVM needs some seconds to see it."""
_STEP_SECONDS = 0.01


class ChildProcess:
    """The process of a service; see `contract/stand.py`."""

    def __init__(self, child: process.Child) -> None:
        self._child = child

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._child.pid

    def terminate(self) -> None:
        """Send SIGTERM to it and its children."""
        self._child.terminate()

    def kill(self) -> None:
        """Kill it and its children, and wait until it is gone."""
        with suppress(ProcessLookupError):
            os.killpg(self._child.pid, signal.SIGKILL)
        self._child.process.wait()

    def wait(self, seconds: float) -> int:
        """Wait for its end and return its exit code. Raises AssertionError where it still runs."""
        try:
            return self._child.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self._child.name} still runs after {seconds:g} s") from None

    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._child.ending() is None

    def rss_bytes(self) -> int:
        """Return its resident memory, with that of its children."""
        counters = procfs.group_counters(
            tuple(procfs.with_descendants(self.pid)), with_children=False
        )
        return 0 if counters is None else counters.rss_bytes

    def log(self) -> str:
        """Return what it has printed so far."""
        return self._child.log_path.read_text(errors="replace")


class SystemStand:
    """The surroundings of the service that a deployed system is called at."""

    def __init__(self, deployed: DeployedSystem) -> None:
        self._deployed = deployed
        self._called = deployed.here[deployed.entry]
        self._numbers = count(1)

    @property
    def process(self) -> ChildProcess:
        """Of the service that is called."""
        return ChildProcess(self._called.child)

    def dependency(self, name: str) -> Hand:
        """Return the hand on a dependency. Raises RuntimeError where a check has none on it."""
        hands = self._hands()
        if name not in hands:
            known = ", ".join(hands) or "none"
            raise RuntimeError(f"a check has no hand on {name}, only on: {known}")
        return hands[name]

    def url_of(self, name: str) -> str:
        """Return where a part is that the service needs; see `contract/stand.py`."""
        urls = self._called.start.urls
        if name not in urls:
            known = ", ".join(urls) or "nothing"
            raise RuntimeError(f"{self._called.name} is told of {known}, not of {name}")
        return urls[name]

    @contextmanager
    def restarted(self, variables: Mapping[str, str], *, unready: bool) -> Iterator[Restarted]:
        """Have another process of the service; see `contract/stand.py`."""
        start = self._start(variables)
        with _listening(start) if unready else _ready(start) as other:
            yield other

    def refused_start(self, variables: Mapping[str, str]) -> RefusedStart:
        """Start another process that should end by itself; see `contract/stand.py`."""
        start = self._start(variables)
        with (
            start.confined() as confinement,
            process.running(start.begin(free_port(), confinement, pipe_output=True)) as child,
        ):
            try:
                stdout, _ = child.process.communicate(timeout=REFUSE_SECONDS)
            except subprocess.TimeoutExpired:
                told = " ".join(f"{name}={value}" for name, value in variables.items())
                raise AssertionError(
                    f"{child.name} still runs with {told} after {REFUSE_SECONDS:g} s"
                ) from None
            return RefusedStart(
                child.process.returncode,
                _of_stack(start, stdout.decode(errors="replace")),
                _of_stack(start, start.log_path.read_text(errors="replace")),
            )

    def restore(self) -> None:
        """Let every dependency run and accept again. Raises StepFailed('check')."""
        for name, hand in self._hands().items():
            try:
                hand.restore()
            except HandFailed as error:
                raise StepFailed(
                    "check", f"{name} could not be brought back behind a check: {error.message}"
                ) from error

    def _hands(self) -> dict[str, RestorableHand]:
        return {
            each.name: each.hand for each in self._deployed.dependencies if each.hand is not None
        }

    def _start(self, variables: Mapping[str, str]) -> ServiceStart:
        return self._called.start.with_variables(variables).with_logs(
            f"restarted-{next(self._numbers)}"
        )


def _of_stack(start: ServiceStart, printed: str) -> str:
    """Leave out what the runtime says of itself: a compiler does so only if it comes to compile."""
    runtime = start.launch.runtime
    return printed if runtime is None else runtime.without_proof(printed)


@contextmanager
def _ready(start: ServiceStart) -> Iterator[Restarted]:
    with ExitStack() as life:
        try:
            other = life.enter_context(deploy(start))
        except StepFailed as error:  # of the service, and no error of the check
            raise AssertionError(error.message) from error
        yield Restarted(other.base_url, ChildProcess(other.child))


@contextmanager
def _listening(start: ServiceStart) -> Iterator[Restarted]:
    port = free_port()
    with (
        start.confined() as confinement,
        process.running(start.begin(port, confinement)) as child,
    ):
        _wait_until_it_listens(child, port)
        yield Restarted(start.url(port), ChildProcess(child))


def _wait_until_it_listens(child: process.Child, port: int) -> None:
    deadline = time.monotonic() + LISTEN_SECONDS
    while True:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), LISTEN_SECONDS):
            return
        if (ending := child.ending()) is not None:
            raise AssertionError(f"{child.name} {ending} before it listened: {child.log_tail()}")
        if time.monotonic() > deadline:
            raise AssertionError(f"{child.name} does not listen after {LISTEN_SECONDS:g} s")
        time.sleep(_STEP_SECONDS)
