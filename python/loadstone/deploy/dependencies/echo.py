"""The echo backend: answers any request with its own body, and keeps nothing."""

from collections.abc import Mapping
from pathlib import Path

from loadstone.deploy import process
from loadstone.deploy.binaries import find_binary
from loadstone.deploy.dependencies.interface import Leader, Place, Seed
from loadstone.errors import StepFailed
from loadstone.study.values.model import Protocol

READY_TIMEOUT_SECONDS = 10.0

_DELAY = "0ms"


class Echo:
    """A running echo backend."""

    def __init__(self, child: process.Child, address: str, protocol: Protocol, seed: Seed) -> None:
        self._child, self._protocol, self._seed = child, protocol, seed
        self.name, self.url = child.name, f"{protocol.scheme}://{address}"

    @property
    def settings(self) -> Mapping[str, str]:
        """What it speaks, and how long it waits before each answer."""
        return {"protocol": self._protocol.value, "delay": _DELAY}

    @property
    def leaders(self) -> tuple[Leader, ...]:
        """Its one process."""
        child = self._child
        return (Leader(self.name, child.command, child.pid, child.cpus()),)

    @property
    def killed_after_ns(self) -> int | None:
        """How long it was given to end before it was killed; none where it ended by itself."""
        return self._child.killed_after_ns

    def seed(self) -> None:
        """Do nothing: an echo keeps no data. Raises StepFailed('seed') where there is some for it."""
        if files := self._seed.files:
            raise StepFailed(
                "seed",
                f"{self.name} is an echo backend, which keeps no data, and {files[0].parent} holds "
                "some: take that folder out",
            )

    def services_stand(self) -> None:
        """Nothing: an echo keeps no data."""

    def reset(self) -> None:
        """Do nothing: every answer is made of its request alone."""

    def work(self) -> None:
        """Nothing: an echo counts nothing."""

    def rows(self) -> None:
        """Nothing: an echo has no tables."""

    def open_connections(self) -> None:
        """Nothing: a reset leaves them."""

    def store(self) -> None:
        """Nothing: an echo has no keys."""

    @property
    def hand(self) -> None:
        """Nothing: the recording upstream stands in its place where a check needs more."""

    def ending(self) -> str | None:
        """Return in words how it ended; none while it runs."""
        return self._child.ending()

    def log_tail(self) -> str:
        """Return the last lines of its log."""
        return self._child.log_tail()

    def stop(self) -> None:
        """End it."""
        self._child.stop()


def start_echo(place: Place) -> Echo:
    """Start an echo backend on a free port and wait until it accepts. Raises StepFailed('deploy')."""
    protocol = place.protocol.of_the_lab
    command = [
        str(find_binary("loadstone-echo")),
        *("--listen", f"{place.address}:0", "--protocol", protocol.value, "--delay", _DELAY),
    ]
    if protocol.is_tls:
        assert place.tls is not None, "a leg over TLS comes with its material"
        certificate, key = place.tls.certificate, place.tls.key
        command += ["--tls-certificate", str(certificate), "--tls-key", str(key)]
    child = process.start(
        place.name,
        command,
        directory=Path("/"),
        log_path=place.logs / f"{place.name}.log",
        cpus=place.cpus,
        pipe_output=True,
    )
    try:
        address = process.wait_for_line(child, "listening on ", READY_TIMEOUT_SECONDS)
    except (TimeoutError, ChildProcessError) as error:
        child.stop()
        raise StepFailed(
            "deploy", f"dependency {error}: `{child.command}`", child.log_tail()
        ) from error
    except BaseException:
        child.stop()
        raise
    return Echo(child, address, protocol, place.seed)
