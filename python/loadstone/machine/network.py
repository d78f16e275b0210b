"""What the network of this machine has carried, by the kernel's counters.

Sources: proc_net(5) for `dev`; RFC 4022 (TCP-MIB) for `OutSegs` and `RetransSegs`, in `snmp`.
"""

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

LOOPBACK_DEVICE = "lo"
MEGABIT = 1_000_000


class NetworkCounters(NamedTuple):
    """Since the machine has been up; they grow."""

    sent_bytes: int
    received_bytes: int
    segments: int
    """Of TCP that were sent."""
    retransmitted: int
    """Those of them that had been sent before."""


def network_counters(root: Path = Path("/")) -> NetworkCounters | None:
    """Return the counters of this process's network; none where the kernel does not tell."""
    try:
        devices = (root / "proc/self/net/dev").read_text()
        protocols = (root / "proc/self/net/snmp").read_text()
    except OSError:
        return None
    received, sent = _bytes(devices)
    tcp = _tcp(protocols)
    if "OutSegs" not in tcp or "RetransSegs" not in tcp:
        return None
    return NetworkCounters(sent, received, tcp["OutSegs"], tcp["RetransSegs"])


def link_bits_per_second(root: Path = Path("/")) -> int | None:
    """Return the speed of the fastest device that is up; one that is down has none, or -1, and so have
    most virtual ones.
    """
    speeds = []
    for path in (root / "sys/class/net").glob("*/speed"):
        with suppress(ValueError, OSError):
            speeds.append(int(path.read_text().strip()))
    fastest = max(speeds, default=0)
    return fastest * MEGABIT if fastest > 0 else None


def _bytes(devices: str) -> tuple[int, int]:
    """Received and sent, over all devices but loopback."""
    received = sent = 0
    for line in devices.splitlines():
        name, colon, numbers = line.partition(":")
        if colon and name.strip() != LOOPBACK_DEVICE:
            columns = numbers.split()
            received, sent = received + int(columns[0]), sent + int(columns[8])
    return received, sent


def _tcp(protocols: str) -> dict[str, int]:
    """One line has the names, the next one the values."""
    lines = [line.split() for line in protocols.splitlines() if line.startswith("Tcp:")]
    if len(lines) != 2:
        return {}
    names, values = lines
    return dict(zip(names[1:], map(int, values[1:]), strict=True))
