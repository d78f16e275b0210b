"""Reads a histogram log: intervals, some thousand at a time, or merged over a window.

The log is HdrHistogram's V2 interval log, values in nanoseconds, timestamps since the load began.
Tags are `operation/clock/ok` and `operation/clock/failed`, for sessions `group/session_duration/ok` (of
those that finished) and `group/session_duration/failed`, and for connections `connect/ok`,
`connect/failed`, `tls/ok` and `tls/failed`.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from loadstone.errors import InputError
from loadstone.metrics.outcomes import Clock, ConnectionClock, SessionClock
from loadstone.results.histograms import EMPTY, Histogram, bounds_of, merge
from loadstone.results.payloads import BrokenPayload, Decoded, Layout, Payload, decode, open_payload

TIMESTAMP_RESOLUTION_NS = 1_000
"""The log's timestamps are seconds with six decimals."""

_INTERVAL = re.compile(r"^Tag=([^,]+),([\d.]+),([\d.]+),[\d.]+,(\S+)$")
_BATCH_BYTES = 256 << 10
"""Of encoded counts that are decoded at once: some twenty megabytes of arrays."""

Keep = Callable[[int, int], bool]
"""Whether an interval is asked for, by its start and its end."""


AnyClock = Clock | SessionClock | ConnectionClock


class Key(NamedTuple):
    """One tag of the log."""

    operation: str
    """Of sessions the group; empty for the times of connections, which belong to none."""
    clock: AnyClock
    ok: bool


Chosen = Callable[[Key], bool]
"""Whether a tag is asked for."""


@dataclass(frozen=True, eq=False)
class Intervals:
    """Some intervals of the log, each of one tag, in the order of its lines."""

    keys: tuple[Key, ...]
    starts_ns: NDArray[np.int64]
    layout: Layout
    """Of all: a log has one precision."""
    decoded: Decoded

    def where(self, chosen: Callable[[Key], bool]) -> "Intervals":
        """Those whose tag is chosen."""
        mask = np.array([chosen(key) for key in self.keys], dtype=bool)
        decoded = self.decoded
        of_bucket = np.repeat(mask, decoded.sizes)
        return Intervals(
            keys=tuple(key for key, is_chosen in zip(self.keys, mask, strict=True) if is_chosen),
            starts_ns=self.starts_ns[mask],
            layout=self.layout,
            decoded=Decoded(
                ends=np.cumsum(decoded.sizes[mask]),
                buckets=decoded.buckets[of_bucket],
                counts=decoded.counts[of_bucket],
            ),
        )

    @property
    def of_bucket(self) -> NDArray[np.int64]:
        """The interval of each bucket, by its place among these."""
        return np.repeat(np.arange(len(self.keys)), self.decoded.sizes)

    @property
    def values_ns(self) -> NDArray[np.int64]:
        """The highest value of each bucket."""
        lowest, size = bounds_of(self.decoded.buckets, self.layout)
        return lowest + size - 1


def read_log(path: Path) -> bytes:
    """The whole file. `InputError` where it is missing."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError(
            "the histogram log is missing", path=path, remedy="do the run again"
        ) from None


def every(_key: Key) -> bool:
    """Chooses all tags."""
    return True


def intervals_of(
    content: bytes, path: Path, keep: Keep, chosen: Chosen = every
) -> Iterator[Intervals]:
    """The intervals for which `keep(start_ns, end_ns)`, of the tags that are chosen, in batches.

    A last line that is cut (the engine was killed while it wrote) is left out. `InputError` with the
    number of any other line that is not one of this log; `path` is where the content was read.
    """
    asked = _Asked(keep)
    lines = content.decode("ascii", errors="replace").splitlines()
    batch: list[_Line] = []
    size_bytes = 0
    layout: Layout | None = None
    for number, line in enumerate(lines, start=1):
        if not line or line.startswith(("#", '"')):
            continue
        try:
            read = _line(number, line, asked, chosen)
            if read is not None:
                layout = _the_same(layout, read.payload.layout)
        except ValueError as error:
            # What stands before it is judged first.
            yield from _decoded(batch, path, len(lines))
            batch = []
            if number < len(lines):
                raise _broken(path, number, error) from None
            break
        if read is not None:
            batch.append(read)
            size_bytes += len(read.payload.counts)
        if size_bytes >= _BATCH_BYTES:
            yield from _decoded(batch, path, len(lines))
            batch, size_bytes = [], 0
    yield from _decoded(batch, path, len(lines))


class Merged:
    """One histogram for each tag, of all intervals that were added."""

    def __init__(self) -> None:
        self._parts: dict[Key, Histogram] = {}

    def add(self, intervals: Intervals) -> None:
        """Add some intervals."""
        decoded = intervals.decoded
        numbers = {key: number for number, key in enumerate(dict.fromkeys(intervals.keys))}
        of_interval = np.array([numbers[key] for key in intervals.keys], dtype=np.int64)
        width = int(decoded.buckets.max(initial=-1)) + 1
        counts = np.zeros((len(numbers), width), dtype=np.int64)
        np.add.at(counts, (of_interval[intervals.of_bucket], decoded.buckets), decoded.counts)
        for key, number in numbers.items():
            added = Histogram(np.trim_zeros(counts[number], "b").copy(), *intervals.layout)
            self._parts[key] = merge([self._parts.get(key, EMPTY), added])

    def histograms(self) -> dict[Key, Histogram]:
        """By tag, in their order."""
        return dict(sorted(self._parts.items()))


def read_histograms(path: Path, keep: Keep, chosen: Chosen = every) -> dict[Key, Histogram]:
    """The merged histogram of each chosen tag over the intervals for which `keep(start_ns, end_ns)`.

    `InputError` as of `intervals_of`, and where the file is missing.
    """
    merged = Merged()
    for intervals in intervals_of(read_log(path), path, keep, chosen):
        merged.add(intervals)
    return merged.histograms()


class _Line(NamedTuple):
    number: int
    key: Key
    start_ns: int
    payload: Payload


class _Asked(dict[tuple[str, str], int | None]):
    """By start and length, as the log has them: the start of an interval that is asked for, else none.
    Each is that of many lines.
    """

    def __init__(self, keep: Keep) -> None:
        super().__init__()
        self._keep = keep

    def __missing__(self, span: tuple[str, str]) -> int | None:
        start, length = span
        start_ns = round(float(start) * 1e9)
        is_asked = self._keep(start_ns, start_ns + round(float(length) * 1e9))
        self[span] = start_ns if is_asked else None
        return self[span]


def _line(number: int, line: str, asked: _Asked, chosen: Chosen) -> _Line | None:
    matched = _INTERVAL.match(line)
    if matched is None:
        raise ValueError("no tag, start, length, largest value and histogram")
    tag, start, length, payload = matched.groups()
    start_ns = asked[start, length]
    if start_ns is None:
        return None
    key = _key(tag)
    return _Line(number, key, start_ns, open_payload(payload)) if chosen(key) else None


def _the_same(before: Layout | None, layout: Layout) -> Layout:
    if before not in (None, layout):
        raise ValueError("it has another precision than those before it")
    return layout


@lru_cache(maxsize=1024)
def _key(tag: str) -> Key:
    *operation, clock, ended = ("", *tag.rsplit("/", 2))[-3:]
    if ended not in ("ok", "failed"):
        raise ValueError(f"the tag {tag!r} does not end with /ok or /failed")
    name = operation[0] if operation else ""
    return Key(name, clock_named(clock, of_connections=not name), ended == "ok")


def clock_named(name: str, *, of_connections: bool) -> AnyClock:
    """The clock of a tag. `ValueError` where there is none."""
    if of_connections:
        return ConnectionClock(name)
    return SessionClock(name) if name in _OF_SESSIONS else Clock(name)


_OF_SESSIONS = frozenset(SessionClock)


def _decoded(batch: list[_Line], path: Path, last: int) -> Iterator[Intervals]:
    """One batch. A broken line is an error, but for the last of the log, which is left out."""
    if not batch:
        return
    try:
        decoded = decode([line.payload for line in batch])
    except BrokenPayload as error:
        if batch[error.position].number < last:
            raise _broken(path, batch[error.position].number, error) from None
        yield from _decoded(batch[: error.position], path, last)
        return
    yield Intervals(
        keys=tuple(line.key for line in batch),
        starts_ns=np.array([line.start_ns for line in batch], dtype=np.int64),
        layout=batch[0].payload.layout,
        decoded=decoded,
    )


def _broken(path: Path, number: int, error: Exception) -> InputError:
    return InputError(
        f"not an interval of a Loadstone histogram log ({error})",
        path=path,
        line=number,
        remedy="the file was changed or is not the engine's: do the run again",
    )
