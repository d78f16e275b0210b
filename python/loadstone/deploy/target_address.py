"""Where load may go: a URL looked up once, and refused before anything is sent.

A name may have several addresses, as `localhost` has one of each version of IP, and a service need not
listen at all of them. The first that takes a connection is the one that is asked and loaded.
"""

import ipaddress
import socket
from collections.abc import Sequence
from dataclasses import dataclass

from loadstone.errors import LoadstoneError, TargetRefused
from loadstone.study.values.target import split_target
from loadstone.text.at_port import at_port


@dataclass(frozen=True)
class Target:
    """An address that may be loaded, and what its URL calls it."""

    url: str
    host: str
    """Host and port as the URL has them: what a request names."""
    name: str
    """The host alone: what a certificate is for."""
    ip: str
    port: int

    @property
    def address(self) -> str:
        """`IP:port`."""
        return at_port(self.ip, self.port)

    @property
    def is_loopback(self) -> bool:
        """Whether it is on this machine, and nowhere else."""
        return ipaddress.ip_address(self.ip.partition("%")[0]).is_loopback


def look_up(host: str, port: int) -> tuple[str, ...]:
    """Return the IP addresses of a host in the resolver's order. Raises OSError, ValueError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))


def resolve_targets(url: str, allowed: Sequence[str]) -> tuple[Target, ...]:
    """Return every address of a URL's host that may be loaded, at least one.

    Loopback is always allowed; any other address only if the URL's host, or host and port, is
    listed by the author. Raises TargetRefused where none is, LoadstoneError for an unknown host.
    """
    parts, port = split_target(url)
    name = parts.hostname or ""
    try:
        ips = look_up(name, port)
    except (OSError, ValueError) as error:
        raise LoadstoneError(f"the host {name!r} is not known: {error}") from error
    targets = [Target(url, parts.netloc, name, ip, port) for ip in ips]
    found = tuple(each for each in targets if each.is_loopback or _is_listed(each, allowed))
    if not found:
        raise TargetRefused(
            f"{url} is {ips[0]}, which is not loopback; nothing was sent",
            "load only what is yours: list it in the study's allow_target, "
            f"or give --allow-target {name}",
        )
    return found


def _is_listed(target: Target, allowed: Sequence[str]) -> bool:
    return any(
        each in allowed
        for host in (target.name, target.ip)
        for each in (host, f"{host}:{target.port}")
    )


def connect(targets: Sequence[Target], timeout_seconds: float) -> tuple[Target, socket.socket]:
    """Connect to the first target that takes it.

    Raises ConnectionRefusedError where nothing listens at one, and none of the others answers; else
    the OSError of the first.
    """
    problems: list[OSError] = []
    for target in targets:
        try:
            return target, socket.create_connection((target.ip, target.port), timeout_seconds)
        except OSError as error:
            problems.append(error)
    refused = [each for each in problems if isinstance(each, ConnectionRefusedError)]
    raise (*refused, *problems)[0]
