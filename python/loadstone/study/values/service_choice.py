"""What can stand for a service in an arm. Which of the three it is, is told by its keys."""

from pathlib import Path

from loadstone.frozen import Frozen
from loadstone.study.values.held_to import HeldTo


class StackChoice(Frozen):
    """A stack of the system, built and started by the lab."""

    service: str
    """The service's name in the system."""
    label: str
    """The factor's level: the study's label, else the stack's name, else `<stack>-<runtime>`."""
    stack: str
    """The stack's name."""
    runtime: str
    """The runtime's name: the stack's first one unless the study names another."""
    revision: str | None = None
    """What is built of the repository that it is in: a revision or `working-tree`; none: its folder."""


class OwnCommand(Frozen):
    """A team's own service, started by the lab as a stack is, and built by the team."""

    service: str
    """The service's name in the system."""
    label: str
    """The factor's level."""
    command: str
    """Its command line, run without a shell."""
    directory: Path
    """The folder where it is run."""
    held_to: HeldTo = HeldTo()
    """What of the system's contract it is held to."""


class OwnAddress(Frozen):
    """A team's own service that is running already: nothing of it is started, reset or stopped."""

    service: str
    """The service's name in the system."""
    label: str
    """The factor's level."""
    url: str
    """Scheme, host and port."""
    held_to: HeldTo = HeldTo()
    """What of the system's contract it is held to: of the quick checks, since others may change it."""


ServiceChoice = StackChoice | OwnCommand | OwnAddress
"""The shapes are closed and their keys differ, so that a value fits exactly one of them."""
