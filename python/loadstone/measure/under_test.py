"""What a run needs of the service that it measures, whoever started it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from loadstone.deploy.confinement.interface import Confinement


class UnderTest(Protocol):
    """A system that answers: let stand by the lab, or attached to while it runs."""

    @property
    def base_url(self) -> str:
        """Scheme, host and port."""

    @property
    def authority(self) -> Path | None:
        """The PEM file by which its callers verify it; none: it is called in cleartext."""

    @property
    def confined(self) -> Mapping[str, Confinement]:
        """What the kernel counts of it, by process name."""

    def refuse_ended(self, step: str, when: str) -> None:
        """Raise StepFailed where it has ended; `when` says in what."""

    def reset(self) -> None:
        """Bring the data behind it back to the seed, as far as that is the lab's. Raises StepFailed."""

    def log_tail(self) -> str:
        """Return the last lines of its log, where that is known."""
