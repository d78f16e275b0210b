"""A dependency on another machine, as the lab that leads the site sees it."""

from pathlib import Path

from loadstone.cluster.apart.asked import Asked
from loadstone.cluster.apart.messages import (
    AskDependency,
    DependencyDid,
    DependencyStarted,
)
from loadstone.cluster.apart.remote_part import RemotePart
from loadstone.deploy.dependencies.interface import Leader
from loadstone.results.database_work import DatabaseWork
from loadstone.results.store_work import StoreReading


class RemoteDependency(RemotePart):
    """See `deploy/dependencies/interface.py`."""

    def __init__(self, asked: Asked, name: str, started: DependencyStarted, logs: Path) -> None:
        super().__init__(asked, name, logs)
        self.url, self.settings, self._leaders = started.url, started.settings, started.leaders

    @property
    def leaders(self) -> tuple[Leader, ...]:
        """Its processes, on that machine."""
        return tuple(
            Leader(each.name, each.command, each.pid, each.cpus, self._asked.at.machine)
            for each in self._leaders
        )

    @property
    def hand(self) -> None:
        """Nothing: it is not on this machine."""

    def seed(self) -> None:
        """Bring it to its seed."""
        self._ask("seed", "seed")

    def services_stand(self) -> None:
        """Note what services have made in it."""
        self._ask("services_stand", "start-up")

    def reset(self) -> None:
        """Bring it back to its seed."""
        self._ask("reset", "reset")

    def open_connections(self) -> int | None:
        """How many connections services have to it."""
        return self._ask("open_connections", "reset").open_connections

    def work(self) -> DatabaseWork | None:
        """What all but the lab have asked of it."""
        return self._ask("work", "load").work

    def rows(self) -> dict[str, int] | None:
        """The rows of its tables."""
        return self._ask("rows", "load").rows

    def store(self) -> StoreReading | None:
        """What it has done, where it keeps keys."""
        return self._ask("store", "load").store

    def ending(self) -> str | None:
        """How it ended of itself."""
        ended = self._asked.ended(self.name)
        return None if ended is None else f"{ended.ending} on {self._asked.at.machine}"

    def log_tail(self) -> str:
        """The last lines of its log, where it has ended of itself; else they are on that machine."""
        ended = self._asked.ended(self.name)
        return "" if ended is None else ended.log_tail

    def _ask(self, what: str, step: str) -> DependencyDid:
        command = AskDependency.model_validate(
            {"call": self._asked.next_call(), "name": self.name, "what": what}
        )
        did = self._asked.ask(command, DependencyDid, step)
        self._leaders = did.leaders
        return did
