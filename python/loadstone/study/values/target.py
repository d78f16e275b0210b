"""An address that may be loaded, as far as its text tells. Looking names up is for those who send."""

import ipaddress
from urllib.parse import SplitResult, urlsplit

from loadstone.errors import LoadstoneError

DEFAULT_PORTS = {"http": 80, "https": 443}
URL_EXAMPLE = "for example http://127.0.0.1:8080/"


def split_target(url: str) -> tuple[SplitResult, int]:
    """Return a URL in its parts, and its port. Raises LoadstoneError where it is not to be loaded."""
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise LoadstoneError(f"{url!r} is not a URL: {error}", URL_EXAMPLE) from error
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname:
        raise LoadstoneError(f"{url!r} is not an http:// or https:// URL", URL_EXAMPLE)
    if parts.username or parts.password:
        raise LoadstoneError(
            "credentials in a URL are not sent", "send them in a header, such as Authorization"
        )
    try:
        return parts, parts.port or DEFAULT_PORTS[parts.scheme]
    except ValueError as error:
        raise LoadstoneError(f"{url!r} has a wrong port", "ports are 1 to 65535") from error


def names_loopback(host: str) -> bool:
    """Whether a host's text is loopback's: an address of it, or its usual name."""
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return host == "localhost"
