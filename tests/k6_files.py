"""Writes k6's CSV from single requests, as `k6 run --out csv=FILE` writes it."""

import csv
import gzip
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

SECOND_NS, MILLISECOND_NS = 1_000_000_000, 1_000_000
BEGAN_UNIX_NS = 1_767_268_800 * SECOND_NS
HEADER = (
    *("metric_name", "timestamp", "metric_value", "check", "error", "error_code"),
    *("expected_response", "group", "method", "name", "proto", "scenario", "service", "status"),
    *("subproto", "tls_version", "url", "extra_tags", "metadata"),
)
TIME_FORMATS: dict[str, Callable[[int], str]] = {
    "unix": lambda ns: str(ns // SECOND_NS),
    "unix_milli": lambda ns: str(ns // 1_000_000),
    "unix_micro": lambda ns: str(ns // 1_000),
    "unix_nano": str,
    "rfc3339": lambda ns: f"{_moment(ns):%Y-%m-%dT%H:%M:%S}Z",
    "rfc3339_nano": lambda ns: f"{_moment(ns):%Y-%m-%dT%H:%M:%S}.{ns % SECOND_NS:09d}Z",
}


def _moment(ns: int) -> datetime:
    return datetime.fromtimestamp(ns // SECOND_NS, UTC)


@dataclass(frozen=True)
class Sent:
    """One request, times in nanoseconds; `done_ns` since the load began."""

    done_ns: int
    waiting_ns: int = 5 * MILLISECOND_NS
    blocked_ns: int = 0
    sending_ns: int = 0
    receiving_ns: int = 0
    name: str = "facilities"
    status: int = 200
    error: str = ""
    error_code: str = ""
    expected: bool | None = True
    group: str = ""
    duration_ns: int | None = None
    """None is what k6 makes of its parts."""

    @property
    def service_ns(self) -> int:
        if self.duration_ns is not None:
            return self.duration_ns
        return self.sending_ns + self.waiting_ns + self.receiving_ns

    @property
    def response_ns(self) -> int:
        return self.blocked_ns + self.service_ns

    def samples(self) -> list[tuple[str, float]]:
        found = [
            ("http_reqs", 1.0),
            ("http_req_duration", self.service_ns / 1e6),
            ("http_req_blocked", self.blocked_ns / 1e6),
            ("http_req_connecting", 0.0),
            ("http_req_tls_handshaking", 0.0),
            ("http_req_sending", self.sending_ns / 1e6),
            ("http_req_waiting", self.waiting_ns / 1e6),
            ("http_req_receiving", self.receiving_ns / 1e6),
        ]
        failed = [] if self.expected is None else [("http_req_failed", float(not self.expected))]
        return found + failed

    def tags(self) -> dict[str, str]:
        expected = "" if self.expected is None else str(self.expected).lower()
        return {
            "error": self.error,
            "error_code": self.error_code,
            "expected_response": expected,
            "group": self.group,
            "method": "GET",
            "name": self.name,
            "proto": "HTTP/1.1" if self.status else "",
            "scenario": "default",
            "status": str(self.status),
            "url": self.name,
        }


@dataclass(frozen=True)
class Told:
    """One sample of any other metric."""

    metric: str
    at_ns: int
    value: float
    tags: dict[str, str] = field(default_factory=dict)


def lines(
    events: Iterable[Sent | Told], time_format: str = "unix", header: Sequence[str] = HEADER
) -> list[str]:
    """Header and rows, in the order given."""
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(header)
    for event in events:
        is_request = isinstance(event, Sent)
        at_ns = event.done_ns if is_request else event.at_ns
        samples = event.samples() if is_request else [(event.metric, event.value)]
        tags = event.tags() if is_request else event.tags
        time = TIME_FORMATS[time_format](BEGAN_UNIX_NS + at_ns)
        for metric, value in samples:
            row = {**tags, "metric_name": metric, "timestamp": time, "metric_value": f"{value:f}"}
            rows.writerow(row.get(column, "") for column in header)
    return written.getvalue().splitlines(keepends=True)


def write(
    path: Path,
    events: Iterable[Sent | Told],
    time_format: str = "unix",
    *,
    header: Sequence[str] = HEADER,
) -> Path:
    """Plain, or gzip where the name ends with .gz."""
    text = "".join(lines(events, time_format, header)).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


def closed_load(
    *,
    users: int = 10,
    hung: int = 0,
    seconds: int = 30,
    response_ms: float = 20.0,
    pause_ms: float = 980.0,
    spread: float = 0.2,
    requests_per_iteration: int = 1,
    interrupted: bool = False,
    seed: int = 1,
    pace: Callable[[float], float] = lambda _: 1.0,
) -> list[Sent | Told]:
    """Closed users who send requests and pause once in each iteration; `hung` ones never get an answer.

    Users whose iteration is not over when the load stops finish it, or are cut off with what they sent.
    Answers take `pace` times as long, by the second of the load.
    """
    rng = np.random.default_rng(seed)
    events: list[Sent | Told] = []
    load_ns = seconds * SECOND_NS
    for _ in range(users - hung):
        now_ns = 0
        while now_ns < load_ns:
            began_ns, sent = now_ns, []
            for _ in range(requests_per_iteration):
                usual_ms = response_ms * pace(now_ns / SECOND_NS)
                took_ns = round(usual_ms * MILLISECOND_NS * np.exp(spread * rng.standard_normal()))
                now_ns += took_ns
                sent.append(Sent(done_ns=now_ns, waiting_ns=took_ns))
            now_ns += round(pause_ms * MILLISECOND_NS * np.exp(spread * rng.standard_normal()))
            if interrupted and now_ns > load_ns:
                events += [each for each in sent if each.done_ns <= load_ns]
                break
            events += sent
            events += [Told("iteration_duration", now_ns, (now_ns - began_ns) / 1e6)]
    events += [Told("vus", second * SECOND_NS, users) for second in range(1, seconds)]
    return in_order(events)


def in_order(events: Iterable[Sent | Told]) -> list[Sent | Told]:
    """By the time at which k6 writes them."""
    return sorted(events, key=lambda e: e.done_ns if isinstance(e, Sent) else e.at_ns)
