"""HTTP/1.1 messages as bytes, strict and without interpretation: what was sent is what is seen.

A client library would join repeated fields, decode bodies and repair framing, and so hide what the
contract is about. Left out: trailers (read and dropped), upgrades, HTTP/1.0.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from loadstone.contract.faults import ServiceFault

Headers = tuple[tuple[str, str], ...]
"""Fields in their order, names in their case."""

MOST_HEAD_BYTES = 64 << 10
"""Above what servers accept by default (8 to 32 KiB); more is not a head but a runaway."""

WITHOUT_A_BODY = frozenset({204, 304})
"""Statuses of answers that have none, whatever their fields say (RFC 9110, 15.3.5 and 15.4.5)."""

_STATUS = re.compile("[1-9][0-9]{2}")
_MOST_DIGITS = 18
"""Of a length: more than any body has, and fewer than Python would refuse to read."""


class BrokenMessage(ServiceFault):
    """The bytes end early, or are not HTTP/1.1."""


@dataclass(frozen=True)
class Head:
    """The first line and the fields of a message."""

    first_line: str
    headers: Headers

    def values(self, name: str) -> tuple[str, ...]:
        """The values of every field of that name, in order; the case of names does not count."""
        return tuple(value for field, value in self.headers if field.lower() == name.lower())

    def value(self, name: str) -> str | None:
        """The value of the only field of that name, or none."""
        found = self.values(name)
        if len(found) > 1:
            raise BrokenMessage(f"{len(found)} fields {name} where one is allowed")
        return found[0] if found else None


def write_head(first_line: str, headers: Iterable[tuple[str, str]]) -> bytes:
    """The bytes of a head, its empty line included."""
    lines = [first_line, *(f"{name}: {value}" for name, value in headers), "", ""]
    return "\r\n".join(lines).encode("latin-1")


def framing(length: int | None) -> tuple[str, str]:
    """The field by which a body of a length is framed, or of none, in chunks."""
    if length is None:
        return "Transfer-Encoding", "chunked"
    return "Content-Length", str(length)


def length_of(status: int, body: bytes) -> list[tuple[str, str]]:
    """The field by which a whole answer is framed: none of a status that has no body."""
    if status in WITHOUT_A_BODY and not body:
        return []
    return [framing(len(body))]


def write_chunk(data: bytes) -> bytes:
    """The bytes of one chunk; of no data it is the last chunk."""
    return b"%x\r\n%b\r\n" % (len(data), data)


def read_status(text: str) -> int:
    """The status of an answer: three digits (RFC 9110, 15). Raises BrokenMessage."""
    if not _STATUS.fullmatch(text):
        raise BrokenMessage(f"not a status: {text!r}")
    return int(text)


class MessageReader:
    """Reads messages from a source of bytes that returns `b""` at its end."""

    def __init__(self, receive: Callable[[], bytes]) -> None:
        self._receive = receive
        self._buffer = b""

    def head(self) -> Head | None:
        """The next head, or none where the source ends before its first byte."""
        while b"\r\n\r\n" not in self._buffer:
            if len(self._buffer) > MOST_HEAD_BYTES:
                raise BrokenMessage(f"the head has more than {MOST_HEAD_BYTES} bytes")
            if not self._fill():
                if self._buffer:
                    raise BrokenMessage("the connection ended inside the head")
                return None
        raw, self._buffer = self._buffer.split(b"\r\n\r\n", 1)
        first_line, *lines = raw.decode("latin-1").split("\r\n")
        return Head(first_line, tuple(_field(line) for line in lines))

    def pieces(self, head: Head, *, until_close: bool) -> Iterator[bytes]:
        """The body in pieces, each as soon as it is there.

        A body with neither a length nor chunks reaches to the end of the source if `until_close`
        (an answer), else it is empty (a request).
        """
        length = head.value("content-length")
        if _is_chunked(head):
            if length is not None:
                raise BrokenMessage("both Content-Length and Transfer-Encoding")
            yield from self._chunks()
        elif length is not None:
            yield from self._exactly(_number(length, 10))
        elif until_close:
            while self._buffer or self._fill():
                piece, self._buffer = self._buffer, b""
                yield piece

    def _chunks(self) -> Iterator[bytes]:
        while size := _number(self._line().split(";", 1)[0], 16):
            yield from self._exactly(size)
            if self._line():
                raise BrokenMessage("a chunk is longer than it says")
        while self._line():
            pass

    def _exactly(self, count: int) -> Iterator[bytes]:
        while count:
            if not self._buffer and not self._fill():
                raise BrokenMessage(f"the connection ended {count} bytes before the body did")
            piece, self._buffer = self._buffer[:count], self._buffer[count:]
            count -= len(piece)
            yield piece

    def _line(self) -> str:
        while b"\r\n" not in self._buffer:
            if len(self._buffer) > MOST_HEAD_BYTES:
                raise BrokenMessage("a line of the chunked body does not end")
            if not self._fill():
                raise BrokenMessage("the connection ended inside a chunked body")
        line, self._buffer = self._buffer.split(b"\r\n", 1)
        return line.decode("latin-1")

    def _fill(self) -> bool:
        data = self._receive()
        self._buffer += data
        return bool(data)


def _is_chunked(head: Head) -> bool:
    coding = head.value("transfer-encoding")
    if coding is not None and coding.lower() != "chunked":
        raise BrokenMessage(f"unknown Transfer-Encoding {coding}")
    return coding is not None


def _field(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    if not colon or not name or name != name.strip():
        raise BrokenMessage(f"not a header field: {line!r}")
    return name, value.strip(" \t")


def _number(text: str, base: int) -> int:
    digits = text.strip(" \t")
    allowed = "0123456789abcdef"[:base]
    is_number = all(digit in allowed for digit in digits.lower())
    if not 0 < len(digits) <= _MOST_DIGITS or not is_number:
        raise BrokenMessage(f"not a length: {text!r}")
    return int(digits, base)
