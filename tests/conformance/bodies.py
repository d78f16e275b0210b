"""The bodies that every server of the conformance tests answers with."""

import string


def body_of(length: int) -> bytes:
    """Exactly so many bytes; the end names their number, so that a cut body cannot pass."""
    if length == 0:
        return b""
    marker = f"|end of {length} bytes|".encode()
    letters = string.ascii_lowercase.encode()
    return (letters * (length // 26 + 1))[: length - len(marker)] + marker
