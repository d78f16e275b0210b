"""What one of several machines with an engine made of a load, beside the load of all together."""

from loadstone.frozen import Frozen
from loadstone.metrics.outcomes import Clock
from loadstone.results.environment import ClockOffset
from loadstone.results.load_facts import LoadFacts
from loadstone.results.resource_facts import CpuBusy, MachineFacts, ProbeFacts


class NetworkFacts(Frozen):
    """What a machine sent and received over all interfaces but loopback, from start to end of load."""

    length_ns: int
    """Between the two readings."""
    sent_bytes: int
    """With the heads of all layers."""
    received_bytes: int
    """The same."""
    segments: int
    """Of TCP that were sent, also by others on the machine."""
    retransmitted: int
    """Those of them that had been sent before."""
    link_bits_per_second: int | None = None
    """Of its fastest device that is up; none where the kernel does not tell, as of virtual ones."""


class MachineLoad(Frozen):
    """What a machine beside the one that leads did in a load, by its own clock."""

    clock_before: ClockOffset
    """How the wall clock of its machine lay to that of the service's, before the load."""
    clock_after: ClockOffset
    """The same behind it."""
    cpus: tuple[CpuBusy, ...] = ()
    """All CPUs of the machine over the window."""
    machine: MachineFacts | None = None
    """The machine as a whole over the window."""
    probe: ProbeFacts
    """What probing there took."""
    network: NetworkFacts | None = None
    """What went over its network; none where it was not read."""


class EngineLoad(MachineLoad):
    """One engine's share, by the clock of its own machine."""

    load: LoadFacts
    """The engine's summary as it gave it; of several engines with what only one can tell."""

    @property
    def mean_service_time_ns(self) -> float | None:
        """Over all operations of what was answered as it should be; none where nothing was."""
        told = [
            split.ok
            for facts in self.load.operations.values()
            if (split := facts.clocks.get(Clock.SERVICE_TIME)) is not None and split.ok is not None
        ]
        count = sum(one.count for one in told)
        return sum(one.count * one.mean_ns for one in told) / count if count else None
