"""What a network carried, as the kernel tells it."""

from pathlib import Path

from loadstone.machine.network import NetworkCounters, link_bits_per_second, network_counters

DEVICES = """Inter-|   Receive                             |  Transmit
 face |bytes packets errs drop fifo frame compressed multicast|bytes packets errs drop
    lo: 9000 10 0 0 0 0 0 0 9000 10 0 0 0 0 0 0
  eth0:    1500 10 0 0 0 0 0 0      700 10 0 0 0 0 0 0
  eth1: 500 10 0 0 0 0 0 0      300 10 0 0 0 0 0 0
"""
PROTOCOLS = """Ip: Forwarding DefaultTTL
Ip: 1 64
Tcp: RtoAlgorithm MaxConn OutSegs RetransSegs
Tcp: 1 -1 1000 3
"""


def written(root: Path, **files: str) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_all_devices_but_loopback_are_added_up(tmp_path: Path) -> None:
    net = "proc/self/net"
    root = written(tmp_path, **{f"{net}/dev": DEVICES, f"{net}/snmp": PROTOCOLS})
    assert network_counters(root) == NetworkCounters(1000, 2000, 1000, 3)


def test_what_the_kernel_does_not_tell_is_none(tmp_path: Path) -> None:
    assert network_counters(tmp_path) is None
    net = "proc/self/net"
    root = written(tmp_path, **{f"{net}/dev": DEVICES, f"{net}/snmp": "Ip: Forwarding\nIp: 1\n"})
    assert network_counters(root) is None
    assert link_bits_per_second(root) is None


def test_this_machine_tells() -> None:
    before, after = network_counters(), network_counters()
    assert before is not None
    assert after is not None
    assert all(later >= earlier for earlier, later in zip(before, after, strict=True))
