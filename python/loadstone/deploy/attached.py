"""A team's own service that is running already: asked whether it answers, never started or stopped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from loadstone.deploy.confinement.interface import Confinement
from loadstone.deploy.dependencies.interface import Leader
from loadstone.deploy.deployed_system import Reading
from loadstone.deploy.listener import Listener, NoListener, find_listener
from loadstone.deploy.speaker import speaker
from loadstone.deploy.startup_clock import ANSWER_TIMEOUT_SECONDS, ask
from loadstone.deploy.target_address import Target, connect, resolve_targets
from loadstone.errors import LoadstoneError, StepFailed, TargetRefused
from loadstone.results.service_facts import AddressFacts
from loadstone.study.values.manifest import Ready, Service
from loadstone.study.values.model import Protocol
from loadstone.study.values.service_choice import OwnAddress


@dataclass(frozen=True)
class Attached:
    """A service by its address, and its process where it can be seen."""

    service: str
    target: Target
    """The address that answered."""
    listener: Listener | None
    not_found: str | None
    """Why there is no `listener`."""

    @property
    def base_url(self) -> str:
        """Scheme, host and port, as its owner calls it."""
        return self.target.url

    @property
    def authority(self) -> Path | None:
        """None: it is asked in cleartext."""
        return None

    @property
    def confined(self) -> Mapping[str, Confinement]:
        """Nothing: what the lab did not start, it does not hold."""
        return {}

    def end_warm_up(self) -> bool:
        """Nothing: what the lab did not start, it does not hold."""
        return False

    def refuse_ended(self, step: str, when: str) -> None:
        """Raise StepFailed where the process has ended; `when` says in what."""
        if self.listener is not None and not self.listener.lives():
            raise StepFailed(
                step, f"{self.service} (process {self.listener.pid}) was gone {when}; {_RESTART}"
            )

    def reset(self) -> None:
        """Nothing: what is behind it is not the lab's."""

    def leaders(self) -> tuple[Leader, ...]:
        """Nothing: what is behind it is not the lab's."""
        return ()

    def read_counts(self) -> dict[str, Reading]:
        """Nothing: what is behind it is not asked."""
        return {}

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
    try:
        targets = resolve_targets(choice.url, allowed)
    except TargetRefused:
        raise
    except LoadstoneError as error:  # its name may be known again by the next run
        raise StepFailed("deploy", error.message) from error
    target = _answering(choice, targets, service.ready)
    found = find_listener(target.address)
    if isinstance(found, NoListener):
        return Attached(service.service, target, None, found.reason)
    return Attached(service.service, target, found, None)


def _answering(choice: OwnAddress, targets: Sequence[Target], ready: Ready) -> Target:
    """Return the target that takes a connection. Raises StepFailed where the answer there is wrong."""
    try:
        target, connection = connect(targets, ANSWER_TIMEOUT_SECONDS)
        with connection:
            wrong = ask(connection, target.host, ready, speaker(Protocol.H1C))
        if wrong is None:
            return target
    except ConnectionRefusedError:
        raise StepFailed(
            "deploy", f"nothing listens at {choice.url}: start {choice.label} first"
        ) from None
    except OSError as error:
        wrong = f"{type(error).__name__}: {error}"
    raise StepFailed("deploy", f"{choice.label} does not answer correctly at {choice.url}: {wrong}")
