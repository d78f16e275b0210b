"""What a machine that takes part in a load tells of itself: its processes, network and clock."""

import os
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from loadstone.cluster.engines.datagrams import telling_time
from loadstone.deploy.confinement.interface import Confinement
from loadstone.measure.loading.network_watch import NetworkWatch
from loadstone.measure.loading.probe import GroupTick, Probe
from loadstone.measure.process_facts import probe_facts
from loadstone.results import folder
from loadstone.results.engine_load import NetworkFacts
from loadstone.results.record import ProcessFacts
from loadstone.results.resource_facts import ProbeFacts


class MachineWatch:
    """The probe of a load, and beside it the clock that answers whoever leads the load."""

    def __init__(
        self,
        address: str,
        key: str,
        leaders: dict[str, int],
        beside: tuple[ProcessFacts, ...],
        all_cpus: tuple[int, ...],
        confined: Mapping[str, Confinement] | None = None,
        compile_threads: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        """`key` is in hexadecimal; who asks the clock has it, too. `leaders` are processes by their
        names; `beside` and this one are probed with them. The last two are as in `Probe`.
        Raises OSError.
        """
        self.beside = (*beside, probe_facts(sorted(os.sched_getaffinity(0))))
        with ExitStack() as held:
            self.port = held.enter_context(telling_time(address, bytes.fromhex(key)))
            own = {each.name: each.pid for each in self.beside}
            self._probe = Probe({**leaders, **own}, all_cpus, confined, compile_threads)
            self._ticking = held.enter_context(ExitStack())
            self._ticking.enter_context(self._probe.ticking())
            self._network = NetworkWatch()
            self._held = held.pop_all()

    def counters(self, name: str) -> list[GroupTick]:
        """Return what was seen so far of one of the processes."""
        return self._probe.counters(name)

    def leave(self, directory: Path) -> tuple[ProbeFacts, NetworkFacts | None]:
        """End the probe, write what it saw there, and return its facts and those of the network.

        Raises what ended the probe before.
        """
        network = self._network.facts()
        self._ticking.close()
        self._probe.tick()
        self._probe.table()  # raises what ended the probe
        self._probe.write(directory / folder.RESOURCES)
        return self._probe.facts(), network

    def close(self) -> None:
        """End probe and clock."""
        self._held.close()
