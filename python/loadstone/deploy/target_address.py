"""Where load may go: a URL looked up once, and refused before anything is sent."""

import ipaddress
import socket
from collections.abc import Sequence
from urllib.parse import SplitResult

from loadstone.errors import LoadstoneError, TargetRefused
from loadstone.study.values.target import split_target


def resolve_target(url: str, allowed: Sequence[str]) -> tuple[SplitResult, str]:
    """Return the split URL and `IP:port`. Raises TargetRefused before anything is sent.

    Loopback is always allowed; any other address only if the URL's host, or host and port, is
    listed by the author.
    """
    parts, port = split_target(url)
    try:
        found = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except (OSError, ValueError) as error:
        raise LoadstoneError(f"the host {parts.hostname!r} is not known: {error}") from error
    address = str(found[0][4][0])
    if not ipaddress.ip_address(address.partition("%")[0]).is_loopback and not (
        {parts.hostname, f"{parts.hostname}:{port}", address, f"{address}:{port}"} & set(allowed)
    ):
        raise TargetRefused(
            f"{url} is {address}, which is not loopback; nothing was sent",
            "load only what is yours: list it in the study's allow_target, "
            f"or give --allow-target {parts.hostname}",
        )
    return parts, f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
