"""JSON payloads of an exact size, from nothing but their kind and size.

Their form is that of the published gateway benchmarks, so that figures can be compared with
theirs: `{"size":"<n>B","payload":...}` with text that cycles through digits and letters, and no
newline at the end. Left out: payloads with random content, which compress and parse differently.
"""

from itertools import cycle, islice
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Literal

PayloadKind = Literal["array", "simple"]

SMALLEST_BYTES = 50
"""The smallest size that the published generator accepts."""

_ALPHABET = digits + ascii_uppercase + ascii_lowercase
_STRING_LENGTH = 10
_SEPARATOR = '","'


def payload(kind: PayloadKind, size_bytes: int) -> str:
    """A JSON document of exactly `size_bytes` ASCII characters.

    `simple` holds one string, `array` strings of 10 characters. Raises ValueError for an unknown
    kind and below 50 bytes.
    """
    if size_bytes < SMALLEST_BYTES:
        raise ValueError(f"a payload has at least {SMALLEST_BYTES} bytes, not {size_bytes}")
    opening = f'{{"size":"{size_bytes}B","payload":'
    if kind == "simple":
        before, after = opening + '"', '"}'
        lengths = [size_bytes - len(before) - len(after)]
    elif kind == "array":
        before, after = opening + '["', '"]}'
        lengths = _string_lengths(size_bytes - len(before) - len(after))
    else:
        raise ValueError(f"unknown payload kind {kind!r}: array or simple")
    text = cycle(_ALPHABET)
    strings = ("".join(islice(text, length)) for length in lengths)
    return before + _SEPARATOR.join(strings) + after


def _string_lengths(room: int) -> list[int]:
    """Lengths that fill `room` together with the separators between them.

    A further string needs its separator and at least one character. Where that does not fit, the
    last string takes the rest, so it has 1 to 13 characters.
    """
    lengths = []
    while room > _STRING_LENGTH + len(_SEPARATOR):
        lengths.append(_STRING_LENGTH)
        room -= _STRING_LENGTH + len(_SEPARATOR)
    lengths.append(room)
    return lengths
