"""A team's own service that is running already: asked whether it answers, never started or stopped."""

import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from loadstone.deploy.confinement.interface import Confinement
from loadstone.deploy.listener import Listener, NoListener, find_listener
from loadstone.deploy.speaker import speaker
from loadstone.deploy.startup_clock import ANSWER_TIMEOUT_SECONDS, ask
from loadstone.deploy.target_address import resolve_target
from loadstone.errors import StepFailed
from loadstone.results.service_facts import AddressFacts
from loadstone.study.values.manifest import Ready, Service
from loadstone.study.values.model import Protocol
from loadstone.study.values.service_choice import OwnAddress


@dataclass(frozen=True)
class Attached:
    """A service by its address, and its process where it can be seen."""

    service: str
    base_url: str
    listener: Listener | None
    not_found: str | None
    """Why there is no `listener`."""

    @property
    def authority(self) -> Path | None:
        """None: it is asked in cleartext."""
        return None

    @property
    def confined(self) -> Mapping[str, Confinement]:
        """Nothing: what the lab did not start, it does not hold."""
        return {}

    def refuse_ended(self, step: str, when: str) -> None:
        """Raise StepFailed where the process has ended; `when` says in what."""
        if self.listener is not None and not self.listener.lives():
            raise StepFailed(
                step, f"{self.service} (process {self.listener.pid}) was gone {when}; {_RESTART}"
            )

    def reset(self) -> None:
        """Nothing: what is behind it is not the lab's."""

    def log_tail(self) -> str:
        """Nothing: its log is its own."""
        return ""

    def facts(self, service: Service) -> AddressFacts:
        """Return what the record says of it."""
        return AddressFacts(url=self.base_url, not_found=self.not_found, not_started=service.needs)


_RESTART = "it is for its owner to start it again"


def attach(choice: OwnAddress, service: Service, allowed: tuple[str, ...]) -> Attached:
    """Find a running service and ask it once. Raises StepFailed('deploy') where it is not ready.

    Raises TargetRefused before anything is sent.
    """
    parts, address = resolve_target(choice.url, allowed)
    _require_answer(choice, parts.hostname or "", int(address.rpartition(":")[2]), service.ready)
    found = find_listener(address)
    if isinstance(found, NoListener):
        return Attached(service.service, choice.url, None, found.reason)
    return Attached(service.service, choice.url, found, None)


def _require_answer(choice: OwnAddress, host: str, port: int, ready: Ready) -> None:
    try:
        with socket.create_connection((host, port), ANSWER_TIMEOUT_SECONDS) as connection:
            wrong = ask(connection, f"{host}:{port}", ready, speaker(Protocol.H1C))
    except ConnectionRefusedError:
        raise StepFailed(
            "deploy", f"nothing listens at {choice.url}: start {choice.label} first"
        ) from None
    except OSError as error:
        wrong = f"{type(error).__name__}: {error}"
    if wrong is not None:
        raise StepFailed(
            "deploy", f"{choice.label} does not answer correctly at {choice.url}: {wrong}"
        )
