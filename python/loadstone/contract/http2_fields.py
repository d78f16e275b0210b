"""Fields between the forms of the contract and of the HTTP/2 library."""

from collections.abc import Iterable

from loadstone.contract.wire import Headers


def to_send(fields: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    """Names in lower case, as HTTP/2 has them."""
    return [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in fields]


def received(raw: Iterable[tuple[bytes, bytes]]) -> tuple[Headers, Headers]:
    """Return the pseudo-header fields, and the others."""
    fields = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in raw]
    return (
        tuple(field for field in fields if field[0].startswith(":")),
        tuple(field for field in fields if not field[0].startswith(":")),
    )
