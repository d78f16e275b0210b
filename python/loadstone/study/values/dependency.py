"""What a dependency can be, and what a system's file says of one beside its kind."""

from typing import Final, Literal

from pydantic import Field

from loadstone.frozen import Frozen

DependencyKind = Literal["command", "echo", "mariadb", "postgres", "redis"]
"""How each is started is `deploy/dependencies/`."""

WITHOUT_DATA: Final[frozenset[DependencyKind]] = frozenset({"echo"})
"""Kinds that keep no data, so that nothing can be seeded into them."""
WITHOUT_HANDS: Final[frozenset[DependencyKind]] = frozenset({"command", "echo"})
"""Kinds that no check and no fault of a load lays hands on: they are neither frozen nor stopped."""
DATABASES: Final[frozenset[DependencyKind]] = frozenset({"mariadb", "postgres"})
"""Kinds that count statements and rows."""


class Account(Frozen):
    """The user of a database whom the lab makes, and whose the data are."""

    user: str
    password: str


PORT: Final = "{port}"
DATA: Final = "{data}"
USUAL_URL: Final = f"http://127.0.0.1:{PORT}"


class ServerCommands(Frozen):
    """How a server of one's own is started, asked, filled and ended. `{port}` in each is its port, and
    `{data}` an empty folder."""

    start: str
    """Command line, run without a shell in the system's folder; it stays in the foreground."""
    ready_path: str | None = None
    """It is ready when a GET of this path is answered by 2xx."""
    ready_command: str | None = None
    """Or when this shell command ends with 0. With neither, when it accepts a connection."""
    seed: str | None = None
    """Shell command that fills it."""
    reset: str | None = None
    """Shell command that brings it back to what the seed left; there is one where there is a seed."""
    stop_signal: str = "SIGTERM"
    """What ends it in order."""
    url: str = USUAL_URL
    """What stands for it in a service's variables."""

    @property
    def wants_data(self) -> bool:
        """Whether it is given a folder."""
        told = (self.start, self.ready_command, self.seed, self.reset)
        return any(DATA in each for each in told if each is not None)


class DependencyOptions(Frozen):
    """What is said of a dependency beside its kind."""

    account: Account | None = None
    """Of a database; none: its seed makes its users."""
    settings: dict[str, str] = Field(default_factory=dict)
    """Of a Redis, as in a `redis.conf`."""
    commands: ServerCommands | None = None
    """Of a server of one's own; no other kind has them."""
