"""What the network of a machine carries between two moments of a load."""

import time

from loadstone.machine.network import link_bits_per_second, network_counters
from loadstone.results.engine_load import NetworkFacts


class NetworkWatch:
    """Reads the kernel's counters when it is made, and when it is asked."""

    def __init__(self) -> None:
        self._began_ns, self._before = time.monotonic_ns(), network_counters()

    def facts(self) -> NetworkFacts | None:
        """Return what was carried since; none where the kernel does not tell."""
        after, before = network_counters(), self._before
        if after is None or before is None:
            return None
        return NetworkFacts(
            length_ns=time.monotonic_ns() - self._began_ns,
            sent_bytes=after.sent_bytes - before.sent_bytes,
            received_bytes=after.received_bytes - before.received_bytes,
            segments=after.segments - before.segments,
            retransmitted=after.retransmitted - before.retransmitted,
            link_bits_per_second=link_bits_per_second(),
        )
