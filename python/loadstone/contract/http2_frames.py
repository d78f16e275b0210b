"""GOAWAY frames, which are kept from the HTTP/2 library: it takes each for the end of everything, while
by RFC 9113, 6.8, the streams that were begun before it go on.
"""

from dataclasses import dataclass

from h2.exceptions import FrameTooLargeError

_HEAD_BYTES = 9
_GOAWAY = 7
_LEAST_GOAWAY_BYTES = 8
_MOST_FRAME_BYTES = 16_384
"""What either side here allows (RFC 9113, 4.2). Text looks like more, for which the library waits."""
_NO_ERROR = 0
_CONNECTION = 0
"""The stream of frames that are about the connection as a whole."""


@dataclass(frozen=True)
class GoAway:
    """The other side takes no further streams."""

    last_stream: int
    """The last one that it works on."""
    error: int
    """Why, as a number of RFC 9113, section 7; 0 for no error."""


class GoAwayFilter:
    """Passes on the frames of one side, whole, without GOAWAY."""

    def __init__(self, *, preface_bytes: int) -> None:
        self._preface_left = preface_bytes
        self._buffer = b""
        self.seen: GoAway | None = None
        """The last GOAWAY."""

    def feed(self, data: bytes) -> bytes:
        """Return what is for the library of these bytes and of those that were kept.

        Raises ProtocolError, as the library does, where a frame is larger than allowed.
        """
        self._buffer += data
        passed = self._take(min(self._preface_left, len(self._buffer)))
        self._preface_left -= len(passed)
        while len(self._buffer) >= _HEAD_BYTES and not self._preface_left:
            size = _HEAD_BYTES + int.from_bytes(self._buffer[:3])
            if size > _HEAD_BYTES + _MOST_FRAME_BYTES:
                raise FrameTooLargeError(f"it begins with {self._buffer[:_HEAD_BYTES]!r}")
            if len(self._buffer) < size:
                break
            frame = self._take(size)
            if frame[3] == _GOAWAY and size >= _HEAD_BYTES + _LEAST_GOAWAY_BYTES:
                content = frame[_HEAD_BYTES:]
                last = int.from_bytes(content[:4]) & 0x7FFFFFFF
                self.seen = GoAway(last, int.from_bytes(content[4:8]))
            else:
                passed += frame
        return passed

    def _take(self, count: int) -> bytes:
        taken, self._buffer = self._buffer[:count], self._buffer[count:]
        return taken


def goaway(last_stream: int) -> bytes:
    """Return the frame that ends a connection in order."""
    content = last_stream.to_bytes(4) + _NO_ERROR.to_bytes(4)
    return len(content).to_bytes(3) + bytes([_GOAWAY, 0]) + _CONNECTION.to_bytes(4) + content
