"""The kinds of dependencies: how each is started, and whether a check can stand in for it."""

from collections.abc import Callable
from dataclasses import dataclass

from loadstone.deploy.dependencies.echo import start_echo
from loadstone.deploy.dependencies.interface import Start
from loadstone.deploy.dependencies.mariadb.programs import find_programs as find_mariadb
from loadstone.deploy.dependencies.mariadb.server import start_mariadb
from loadstone.deploy.dependencies.postgres.programs import find_programs as find_postgres
from loadstone.deploy.dependencies.postgres.server import start_postgres
from loadstone.study.values.manifest import DependencyKind, System


@dataclass(frozen=True)
class Kind:
    """What is known of a kind."""

    start: Start
    is_upstream: bool = False
    """Whether it is called by HTTP and answers by echo: the recording upstream of the contract then
    stands in its place.
    """
    version: Callable[[], str] | None = None
    """Tells the version of the server that it is, or raises Unavailable, with how to get one; none
    where it comes with the lab.
    """


KINDS: dict[DependencyKind, Kind] = {
    "echo": Kind(start_echo, is_upstream=True),
    "mariadb": Kind(start_mariadb, version=lambda: find_mariadb().version),
    "postgres": Kind(start_postgres, version=lambda: find_postgres().version),
}
"""A kind of `study/values/manifest.py` to how it is started."""


def require_servers(system: System) -> None:
    """Find the server of every dependency of a system. Raises Unavailable where one is not here."""
    for kind in system.dependencies.values():
        if (version := KINDS[kind].version) is not None:
            version()
