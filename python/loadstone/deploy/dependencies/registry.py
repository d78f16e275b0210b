"""The kinds of dependencies: how each is started, and whether a check can stand in for it."""

from collections.abc import Callable
from dataclasses import dataclass

from loadstone.deploy.dependencies.command import start_command
from loadstone.deploy.dependencies.echo import start_echo
from loadstone.deploy.dependencies.interface import Start
from loadstone.deploy.dependencies.mariadb.programs import find_programs as find_mariadb
from loadstone.deploy.dependencies.mariadb.server import start_mariadb
from loadstone.deploy.dependencies.postgres.programs import find_programs as find_postgres
from loadstone.deploy.dependencies.postgres.server import start_postgres
from loadstone.deploy.dependencies.redis.program import find_program as find_redis
from loadstone.deploy.dependencies.redis.server import start_redis
from loadstone.errors import Unavailable
from loadstone.study.systems.command_line import found_program, missing_program
from loadstone.study.values.dependency import DependencyKind
from loadstone.study.values.manifest import System


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
    "command": Kind(start_command),
    "echo": Kind(start_echo, is_upstream=True),
    "mariadb": Kind(start_mariadb, version=lambda: find_mariadb().version),
    "postgres": Kind(start_postgres, version=lambda: find_postgres().version),
    "redis": Kind(start_redis, version=lambda: find_redis().version),
}
"""A kind of `study/values/dependency.py` to how it is started."""


def require_servers(system: System) -> None:
    """Find the server of every dependency of a system. Raises Unavailable where one is not here."""
    for name, kind in system.dependencies.items():
        if (version := KINDS[kind].version) is not None:
            version()
        commands = system.options_of(name).commands
        if commands is None:
            continue
        if found_program(commands.start, system.directory) is None:
            problem, _ = missing_program(commands.start, system.directory)
            raise Unavailable(
                f"the start of the dependency {name}: {problem}",
                "Install it, or correct `start` in system.yaml: a path is seen from its folder.",
            )
