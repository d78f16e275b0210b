"""What one leg of a system speaks."""

from enum import StrEnum


class Protocol(StrEnum):
    """What one leg speaks."""

    H1C = "h1c"
    """HTTP/1.1 in cleartext."""
    H1 = "h1"
    """HTTP/1.1 over TLS."""
    H2C = "h2c"
    """HTTP/2 in cleartext, by prior knowledge."""
    H2 = "h2"
    """HTTP/2 over TLS, agreed by ALPN."""
    H2_DOWNGRADE = "h2-downgrade"
    """HTTP/1.1 over TLS: HTTP/2 is offered by ALPN, and the other side has only HTTP/1.1."""

    @property
    def is_tls(self) -> bool:
        """Whether it runs over TLS."""
        return self not in (Protocol.H1C, Protocol.H2C)

    @property
    def is_http2(self) -> bool:
        """Whether what is spoken in the end is HTTP/2."""
        return self in (Protocol.H2C, Protocol.H2)

    @property
    def scheme(self) -> str:
        """The scheme of its URLs."""
        return "https" if self.is_tls else "http"

    @property
    def of_the_lab(self) -> "Protocol":
        """What the lab's end of such a leg speaks: on a downgrade it is the side without HTTP/2."""
        return Protocol.H1 if self is Protocol.H2_DOWNGRADE else self

    @property
    def alpn(self) -> str:
        """What the two ends agree on by ALPN, where it runs over TLS."""
        return "h2" if self.is_http2 else "http/1.1"

    def is_agreed(self, chosen: str | None) -> bool:
        """Whether a server that chose this by ALPN speaks it; one without ALPN speaks HTTP/1.1."""
        return chosen == self.alpn or (chosen is None and not self.is_http2)
