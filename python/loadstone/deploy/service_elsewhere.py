"""A process of a service on a machine of its own: what the lab that leads needs of it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol, runtime_checkable

from loadstone.results.record import ProcessFacts
from loadstone.results.runtime_figures import RuntimeFigures
from loadstone.results.service_facts import ConfinementFacts
from loadstone.study.values.manifest import Service


@runtime_checkable
class ServiceElsewhere(Protocol):
    """A process that has given its first correct response; whoever started it stops it."""

    @property
    def name(self) -> str:
        """Of the process: its service's, or `users.2` for the second instance of users."""

    @property
    def service(self) -> str:
        """The service's name in the system."""

    @property
    def is_bench(self) -> bool:
        """Whether it stands with what measures: never, since that stands with the lab that leads."""

    @property
    def base_url(self) -> str:
        """Where it is called, from any machine of the site."""

    @property
    def facts(self) -> ProcessFacts:
        """What the record says of it, its machine included."""

    @property
    def killed_after_ns(self) -> int | None:
        """How long it was given to end before it was killed; none where it ended by itself."""

    def needs(self, name: str) -> bool:
        """Whether its service calls a part of the system."""

    def ask(self) -> None:
        """Ask once what it was asked when it started, whatever comes of it."""

    def end_warm_up(self) -> bool:
        """Hold it to the CPUs of the window, and return whether that changed something.

        Raises StepFailed('load').
        """

    def confinement_facts(self) -> ConfinementFacts | None:
        """Return what held it, and what the kernel has counted so far; its machine may not answer."""

    def runtime_figures(self, window_unix_ns: tuple[int, int] | None) -> RuntimeFigures:
        """Return what its runtime tells of a window, which is by the clock of its machine.

        Raises StepFailed('runtime_figures').
        """

    def refuse_ended(self, step: str, when: str) -> None:
        """Raise StepFailed where it has ended; `when` says in what."""

    def stop(self) -> None:
        """End it, and fetch its logs. It may have ended, and may be called twice."""


StartServiceElsewhere = Callable[[str, Service, Mapping[str, str], Path], ServiceElsewhere]
"""Starts a process by its name, of a service, with the URLs of what that needs; its logs come into a
folder at its end. Raises StepFailed as `deploy`."""
