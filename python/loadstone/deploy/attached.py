"""A team's own service that is running already: asked whether it answers, never started or stopped."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from loadstone.deploy.confinement.interface import Confinement
from loadstone.deploy.listener import Listener, ListenerNotFound, find_listener
from loadstone.errors import StepFailed
from loadstone.measure.engine_plan import resolve_target
from loadstone.measure.startup import ask
from loadstone.results.service_facts import AddressFacts
from loadstone.study.manifest import Service
from loadstone.study.service_choice import OwnAddress


@dataclass(frozen=True)
class Attached:
    """A service by its address, and its process where it can be seen."""

    service: str
    base_url: str
    listener: Listener | None
    not_found: str | None
    """Why there is no `listener`."""

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
    _, address = resolve_target(choice.url, allowed)
    parts = urlsplit(choice.url)
    assert parts.hostname is not None
    assert parts.port is not None
    wrong = ask(parts.hostname, parts.port, service.ready)
    if wrong is not None:
        raise StepFailed(
            "deploy",
            f"{choice.label} does not answer correctly at {choice.url}: {wrong}"
            if wrong
            else f"nothing listens at {choice.url}: start {choice.label} first",
        )
    try:
        return Attached(service.service, choice.url, find_listener(address), None)
    except ListenerNotFound as error:
        return Attached(service.service, choice.url, None, str(error))
