"""A server of a dependency's own, on a free port, for one run: a process, and all below it.

Many servers refuse to run as root. As root the lab gives their data to an unprivileged user, and starts
them as that one; else they run as whoever runs the lab. Either way nobody else can reach their data.
"""

import os
import pwd
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from loadstone.deploy import process
from loadstone.deploy.dependencies.interface import Leader, Place
from loadstone.errors import StepFailed
from loadstone.machine import procfs
from loadstone.machine.shared_memory import remove_segments_of

UNPRIVILEGED = "nobody"
"""The user of such a server where the lab is root's: every Linux has one of this name."""

INSTALL_SECONDS = 120.0
"""It takes half a second, and seconds on a machine that is overrun."""
ACCEPT_SECONDS = 30.0
"""From the start until it accepts: tenths of a second, and some seconds to recover data."""
END_SECONDS = 30.0
"""From SIGTERM to the end in order: a second or two, and more on a machine that is overrun."""
AT_ONCE_SECONDS = 5.0
"""Until a server has ended without order: tenths of a second."""
FREEZE_SECONDS = 5.0
"""Until all threads have stopped: milliseconds, and more on a machine that is overrun."""
_STEP_SECONDS = 0.01


def server_user() -> str | None:
    """Return the user whom a server is given to; none where it runs as the lab's own user."""
    return UNPRIVILEGED if os.geteuid() == 0 else None


def as_user(user: str | None, command: Sequence[str]) -> list[str]:
    """Return the command that does the same as another user, without any group of root's."""
    if user is None:
        return list(command)
    found = pwd.getpwnam(user)
    identity = (f"--reuid={found.pw_uid}", f"--regid={found.pw_gid}", "--clear-groups")
    return ["setpriv", *identity, *command]


def install(place: Place, command: Sequence[str], home: Path) -> None:
    """Run what makes an empty data directory. Raises StepFailed('deploy')."""
    child = process.start(
        f"installation of {place.name}",
        list(command),
        directory=home,
        log_path=place.logs / f"{place.name}-install.log",
        cpus=place.cpus,
    )
    with process.running(child):
        try:
            code = child.process.wait(INSTALL_SECONDS)
        except subprocess.TimeoutExpired:
            raise StepFailed(
                "deploy",
                f"`{child.command}` did not end within {INSTALL_SECONDS:g} s",
                child.log_tail(),
            ) from None
    if code != 0:
        raise StepFailed("deploy", f"`{child.command}` {child.ending()}", child.log_tail())


class PrivateServer:
    """The process, which may be ended and started again."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        directory: Path,
        log_path: Path,
        cpus: tuple[int, ...],
        connect: Callable[[], None],
        end_signal: signal.Signals = signal.SIGTERM,
        at_once_signal: signal.Signals | None = None,
    ) -> None:
        """`connect` raises ConnectionError for as long as the server does not accept.

        `end_signal` ends it in order. `at_once_signal` ends it without order, and yet without leaving
        anything in the kernel; none: nothing is left there after SIGKILL.
        """
        self._name, self._command, self._connect = name, list(command), connect
        self._directory, self._log_path, self._cpus = directory, log_path, cpus
        self._end_signal, self._at_once_signal = end_signal, at_once_signal
        self._child: process.Child | None = None

    def start(self) -> None:
        """Start it and wait until it accepts. Raises StepFailed('deploy'); then it does not run."""
        child = process.start(
            self._name,
            self._command,
            directory=self._directory,
            log_path=self._log_path,
            cpus=self._cpus,
        )
        self._child = child
        try:
            self._wait_until_it_accepts(child)
        except BaseException:
            self.kill()
            raise

    def _wait_until_it_accepts(self, child: process.Child) -> None:
        deadline = time.monotonic() + ACCEPT_SECONDS
        while (refusal := self._refusal()) is not None:
            ending = child.ending()
            if ending is None and time.monotonic() < deadline:
                time.sleep(_STEP_SECONDS)
                continue
            failed = ending or f"does not accept within {ACCEPT_SECONDS:g} s: {refusal}"
            raise StepFailed(
                "deploy", f"dependency {self._name} {failed}: `{child.command}`", child.log_tail()
            )

    def _refusal(self) -> str | None:
        """Return why it does not accept; none where it does."""
        try:
            self._connect()
        except ConnectionError as error:
            return str(error)
        return None

    @property
    def leader(self) -> Leader:
        """Its process."""
        child = self._running
        return Leader(self._name, child.command, child.pid, child.cpus())

    @property
    def is_ended(self) -> bool:
        """Whether it has been ended, or ended by itself."""
        return self._child is None or self._child.ending() is not None

    def ending(self) -> str | None:
        """Return in words how it ended of itself; none while it runs, or was ended."""
        return None if self._child is None else self._child.ending()

    def log_tail(self) -> str:
        """Return the last lines of its log."""
        return process.tail(self._log_path)

    def end(self) -> None:
        """End it in order, so that its data are whole; kill it where it does not end.

        Raises TimeoutError where it had to be killed.
        """
        child = self._running
        child.process.send_signal(self._end_signal)
        try:
            child.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            raise TimeoutError(
                f"{self._name} did not end within {END_SECONDS:g} s of {self._end_signal.name}"
            ) from None
        finally:
            self.kill()

    def kill(self) -> None:
        """End it at once, for good. It may have ended."""
        if self._child is not None:
            child, self._child = self._child, None
            if self._at_once_signal is not None and child.ending() is None:
                _signal(procfs.with_descendants(child.pid), signal.SIGCONT)  # it may be frozen
                child.process.send_signal(self._at_once_signal)
                with suppress(subprocess.TimeoutExpired):
                    child.process.wait(AT_ONCE_SECONDS)
            _signal(procfs.with_descendants(child.pid), signal.SIGKILL)
            child.stop()
            remove_segments_of((child.pid,))

    def freeze(self) -> None:
        """Let it do nothing, and keep its connections open.

        A signal is not carried out when `kill` returns: threads that run on other CPUs go on for a
        moment, and were seen to answer a request. Raises TimeoutError where one does not stop.
        """
        deadline = time.monotonic() + FREEZE_SECONDS
        frozen: set[int] = set()
        # From the leader on: once it has stopped, nothing new comes below it.
        while waking := {each for each in self._pids() if each not in frozen or not _stopped(each)}:
            _signal(waking - frozen, signal.SIGSTOP)
            frozen |= waking
            if time.monotonic() > deadline:
                raise TimeoutError(f"{self._name} did not stop within {FREEZE_SECONDS:g} s")
            time.sleep(_STEP_SECONDS)

    def thaw(self) -> None:
        """Let it go on; nothing where it is not frozen."""
        _signal(self._pids(), signal.SIGCONT)

    def _pids(self) -> tuple[int, ...]:
        """Return its process and all below it."""
        return tuple(procfs.with_descendants(self._running.pid))

    @property
    def _running(self) -> process.Child:
        if self._child is None:
            raise RuntimeError(f"{self._name} has been ended")
        return self._child


def _signal(pids: Iterable[int], number: signal.Signals) -> None:
    """Send a signal to those that are still there."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def _stopped(pid: int) -> bool:
    """Whether it does nothing: it has stopped, or has ended."""
    try:
        return procfs.is_stopped(pid)
    except OSError:
        return True
