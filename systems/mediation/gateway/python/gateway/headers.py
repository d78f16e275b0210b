"""Which header fields travel on. Names are in lower case, as ASGI has them."""

Headers = list[tuple[bytes, bytes]]

_HOP_BY_HOP = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
    }
)

# The upstream leg writes Host itself, and the server has answered Expect already.
_REQUEST_ENDS_HERE = _HOP_BY_HOP | {b"host", b"expect"}


def request_headers(headers: Headers) -> Headers:
    """Return the fields of a request that go to the upstream."""
    return _joined_cookie(_without(headers, _REQUEST_ENDS_HERE))


def answer_headers(headers: Headers) -> Headers:
    """Return the fields of an answer that go to the caller."""
    return _without(headers, _HOP_BY_HOP)


def value_of(headers: Headers, name: bytes) -> bytes | None:
    """Return the value of a field that is there at most once."""
    return next((value for found, value in headers if found == name), None)


def content_length(headers: Headers) -> int | None:
    """Return the length of the body, where it is told."""
    value = value_of(headers, b"content-length")
    return int(value) if value is not None and value.isdigit() else None


def _without(headers: Headers, ending: frozenset[bytes]) -> Headers:
    named = _named_by_connection(headers)
    return [(name, value) for name, value in headers if name not in ending and name not in named]


def _named_by_connection(headers: Headers) -> set[bytes]:
    return {
        name.strip().lower()
        for found, value in headers
        if found == b"connection"
        for name in value.split(b",")
    }


def _joined_cookie(headers: Headers) -> Headers:
    """Join the crumbs into which HTTP/2 may split a cookie (RFC 9113, 8.2.3)."""
    crumbs = [value for name, value in headers if name == b"cookie"]
    if len(crumbs) < 2:
        return headers
    others = [(name, value) for name, value in headers if name != b"cookie"]
    return [*others, (b"cookie", b"; ".join(crumbs))]
