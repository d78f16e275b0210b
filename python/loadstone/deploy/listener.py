"""Which process of this machine listens at an address of loopback, from the kernel's own tables.

Source: proc(5), `/proc/net/tcp` and `/proc/PID/fd`. Left out: what a process in another network
namespace listens to, such as one in a container: only the proxy in front of it is seen.
"""

import ipaddress
import pwd
import shlex
import sys
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from loadstone.deploy.placement import cpus_of
from loadstone.machine.ownership import start_time, stat_fields
from loadstone.text.at_port import at_port

_LISTENING = "0A"
"""TCP_LISTEN in the kernel's include/net/tcp_states.h."""
_INIT = 1


@dataclass(frozen=True)
class NoListener:
    """The process behind an address is not known."""

    reason: str
    """Why, in words for a person."""


@dataclass(frozen=True)
class Listener:
    """A process that listens, with everything below it."""

    pid: int
    started: str | None
    """Its start time: another process may get the same pid."""
    command: str

    def lives(self) -> bool:
        """Whether it is still the same process."""
        return start_time(self.pid) == self.started

    def cpus(self) -> tuple[int, ...]:
        """Return the CPUs that the kernel lets it use, empty when it is gone."""
        return cpus_of(self.pid)


_Host = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True)
class ListeningSocket:
    """A socket that waits for connections."""

    host: _Host
    port: int
    uid: int
    inode: int

    @property
    def address(self) -> str:
        """`IP:port`."""
        return at_port(str(self.host), self.port)


def find_listener(address: str) -> Listener | NoListener:
    """Return the process that listens at `IP:port`, or why it is not known."""
    name, _, port = address.rpartition(":")
    host = _unmapped(ipaddress.ip_address(name.strip("[]").partition("%")[0]))
    if not host.is_loopback:
        return NoListener(f"{address} is not loopback: its process may be on another machine")
    sockets = _answering(host, list(listening(int(port))))
    if not sockets:
        return NoListener(
            f"this machine's tables show nothing that listens at {address}: it may be in another "
            "network namespace, as in a container"
        )
    pids = holders({each.inode for each in sockets})
    if not pids:
        return NoListener(
            f"the process that listens at {address} belongs to {_user(sockets[0].uid)}, and may be "
            "looked at by that user or root alone"
        )
    leaders = {pid for pid in pids if _parent(pid) not in pids}
    if len(leaders) > 1:
        several = ", ".join(str(pid) for pid in sorted(leaders))
        return NoListener(f"several processes listen at {address} side by side: {several}")
    (pid,) = leaders
    return Listener(pid, start_time(pid), command_of(pid))


def listening(port: int) -> Iterator[ListeningSocket]:
    """Yield every socket that listens on a port, of either version of IP."""
    return (each for each in _all_listening() if each.port == port)


def addresses_of(pids: Collection[int]) -> tuple[str, ...]:
    """Return the addresses at which processes listen, in their order."""
    links = {_link(file) for pid in pids for file in _files_of(pid)}
    found = [each for each in _all_listening() if f"socket:[{each.inode}]" in links]
    return tuple(dict.fromkeys(each.address for each in sorted(found, key=_by_port)))


def _by_port(socket: ListeningSocket) -> tuple[int, str]:
    return socket.port, socket.address


def _all_listening() -> Iterator[ListeningSocket]:
    for table in ("tcp", "tcp6"):
        with suppress(OSError):  # a kernel without IPv6
            for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
                fields = line.split()
                host, _, local_port = fields[1].partition(":")
                if fields[3] == _LISTENING:
                    number = int(local_port, 16)
                    yield ListeningSocket(_host(host), number, int(fields[7]), int(fields[9]))


def _unmapped(
    host: _Host,
) -> _Host:
    """A socket of version 6 shows an address of version 4 as one of its own."""
    mapped = host.ipv4_mapped if isinstance(host, ipaddress.IPv6Address) else None
    return mapped or host


def _host(text: str) -> _Host:
    """Each 32 bits of an address are printed as a number in the machine's byte order."""
    words = [int(text[at : at + 8], 16) for at in range(0, len(text), 8)]
    packed = b"".join(word.to_bytes(4, sys.byteorder) for word in words)
    return _unmapped(ipaddress.ip_address(packed))


def _answering(host: _Host, sockets: Collection[ListeningSocket]) -> list[ListeningSocket]:
    """Those that the kernel gives a connection to: the address itself goes before any address."""
    any_of_version = ipaddress.ip_address("0.0.0.0" if host.version == 4 else "::")
    for wanted in (host, any_of_version, ipaddress.IPv6Address("::")):
        if found := [each for each in sockets if each.host == wanted]:
            return found
    return []


def holders(inodes: set[int]) -> set[int]:
    """Return the processes that have one of these sockets open. Init only keeps what it hands over."""
    links = {f"socket:[{inode}]" for inode in inodes}
    pids = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())
    found = {pid for pid in pids if any(_link(file) in links for file in _files_of(pid))}
    return found - {_INIT} or found


def _files_of(pid: int) -> list[Path]:
    """The files that a process has open; none of another user's, or of one that is gone."""
    try:
        return list(Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return []


def _link(path: Path) -> str:
    try:
        return str(path.readlink())
    except OSError:  # closed since
        return ""


def _parent(pid: int) -> int | None:
    fields = stat_fields(pid)
    return int(fields[1]) if fields else None


def command_of(pid: int) -> str:
    """Return a process's command line; empty where it is gone."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().rstrip(b"\0").split(b"\0")
    except OSError:
        return ""
    return shlex.join(word.decode(errors="replace") for word in words)


def _user(uid: int) -> str:
    try:
        return f"user {pwd.getpwuid(uid).pw_name}"
    except KeyError:
        return f"user {uid}"
