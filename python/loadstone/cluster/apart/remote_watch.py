"""What is seen in one load of a machine that has parts of the system."""

from pathlib import Path

import polars as pl

from loadstone.cluster.apart.asked import Asked
from loadstone.cluster.apart.messages import LeaveParts, PartsLeft, PartsWatched
from loadstone.errors import StepFailed
from loadstone.measure.loading.load import Beside
from loadstone.measure.loading.probe import GroupTick
from loadstone.results import folder
from loadstone.results.environment import ClockOffset
from loadstone.results.record import ProcessFacts
from loadstone.results.ticks import read_ticks


class RemoteWatch:
    """See `Watch` of `measure/loading/load.py`."""

    def __init__(self, asked: Asked, watched: PartsWatched, key: bytes) -> None:
        self._asked, self._watched, self._key = asked, watched, key
        self._before: ClockOffset | None = None

    @property
    def processes(self) -> tuple[ProcessFacts, ...]:
        """What is probed there beside the parts."""
        machine = self._asked.at.machine
        return tuple(
            each.model_copy(update={"name": f"{each.name}@{machine}", "machine": machine})
            for each in self._watched.processes
        )

    def begin(self) -> None:
        """Ask its clock, before the load. Raises StepFailed('load')."""
        self._before = self._asked.time_there(self._watched.port, self._key)

    def counters(self, name: str) -> list[GroupTick]:
        """Return what was told so far of a process there, its wall clock as this machine's."""
        assert self._before is not None, "a load begins before anything is asked of it"
        offset_ns = self._before.offset_ns
        return [tick._replace(unix_ns=tick.unix_ns - offset_ns) for tick in self._asked.seen(name)]

    def left(self, started_unix_ns: int, directory: Path) -> dict[str, Beside]:
        """End the probe, and return what it saw, by machine; its files come into a run's folder.

        `started_unix_ns` is when the load began by this machine's clock. Raises StepFailed('load').
        """
        assert self._before is not None, "a load begins before it ends"
        at = self._asked.at
        after = self._asked.time_there(self._watched.port, self._key)
        command = LeaveParts(call=self._asked.next_call())
        left = self._asked.ask(command, PartsLeft, "load")
        kept = directory / folder.APART / at.machine
        self._asked.take(left.folder, kept)
        ticks = read_ticks(kept / folder.RESOURCES)
        if ticks is None:
            raise StepFailed("load", f"{at.machine} sent no file of its probe")
        names = {each.name: f"{each.name}@{at.machine}" for each in self._watched.processes}
        return {
            at.machine: Beside(
                started_unix_ns=started_unix_ns + self._before.offset_ns,
                ticks=ticks.with_columns(pl.col("name").replace(names)),
                probe=left.probe,
                clock_before=self._before,
                clock_after=after,
                network=left.network,
            )
        }
