"""The kinds of dependencies: how each is started, and whether a check can stand in for it."""

from dataclasses import dataclass

from loadstone.deploy.dependencies.echo import start_echo
from loadstone.deploy.dependencies.interface import Start
from loadstone.study.values.manifest import DependencyKind


@dataclass(frozen=True)
class Kind:
    """What is known of a kind."""

    start: Start
    is_upstream: bool = False
    """Whether it is called by HTTP and answers by echo: the recording upstream of the contract then
    stands in its place.
    """


KINDS: dict[DependencyKind, Kind] = {"echo": Kind(start_echo, is_upstream=True)}
"""A kind of `study/values/manifest.py` to how it is started."""
