"""The session server of the workbench, for one run; what it counted is the truth about both sides."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.engine.certificate import make_certificate
from benchmarks.engine.servers import ListeningServer, workbench_server
from loadstone.errors import LoadstoneError
from loadstone.machine import ownership

STEPS = ("logins", "lists", "inserts")
REFUSALS = ("unauthorized", "malformed", "unknown")


@dataclass(frozen=True)
class Counted:
    """What the server counted."""

    logins: int
    lists: int
    inserts: int

    @property
    def steps(self) -> int:
        """All of them."""
        return self.logins + self.lists + self.inserts


@contextmanager
def session_server(workbench: Path, protocol: str) -> Iterator[ListeningServer]:
    """Run it for the length of the block; over TLS with a certificate of its own."""
    words = ["serve", "--session", "--protocol", protocol]
    with ownership.scratch_directory() as scratch:
        if protocol == "h2":
            made = make_certificate(scratch)
            words += ["--tls-certificate", str(made.chain), "--tls-key", str(made.key)]
        with workbench_server(workbench, *words) as running:
            yield running


def counted(running: ListeningServer) -> Counted:
    """End the server and return its counts. Raises LoadstoneError where it refused anything."""
    told = running.finish()
    if refused := {name: told[name] for name in REFUSALS if told[name]}:
        raise LoadstoneError(f"the session server refused requests: {refused}")
    return Counted(*(told[name] for name in STEPS))
