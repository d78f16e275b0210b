"""One request of k6, from the samples that k6 writes of it in a row, `http_reqs` the first of them.

What they mean: https://grafana.com/docs/k6/latest/using-k6/metrics/reference/. Duration is sending +
waiting + receiving, the first byte comes after sending and waiting, and the time is that of the end.
Blocked goes from asking for a connection to having one, connecting and the TLS handshake included: a
user waits for blocked and duration. Where k6 was refused a connection, it tells no time at all.
"""

from loadstone.errors import InputError
from loadstone.importers import k6_times
from loadstone.importers.interface import Request
from loadstone.importers.k6_outcomes import outcome_of
from loadstone.importers.k6_rows import Rows
from loadstone.importers.names import operation_name
from loadstone.metrics.outcomes import Outcome

FIRST = "http_reqs"
DURATION, BLOCKED, FAILED = "http_req_duration", "http_req_blocked", "http_req_failed"
SENDING, WAITING, RECEIVING = "http_req_sending", "http_req_waiting", "http_req_receiving"
NEEDED = (DURATION, BLOCKED, SENDING, WAITING, RECEIVING)
PARTS = {*NEEDED, FAILED, "http_req_connecting", "http_req_tls_handshaking"}
LONGEST_NAME = 2_048
"""Characters: of a name beyond this, as of thousands of names, nobody reads a figure."""
_ROUNDED_NS = 5
"""Three parts and their sum, each rounded to a nanosecond, may differ by two; floats by some more."""
SETUP_GROUPS = {"::setup", "::teardown"}
"""Groups of what k6 does once before and after the load."""


class K6Request:
    """The samples of one request as they come."""

    def __init__(self, rows: Rows, row: list[str], done_ns: int) -> None:
        self._rows = rows
        self._line = rows.line
        self._tags = _tags(rows, row)
        self._time = row[rows.at("timestamp") or 0]
        self._done_ns = done_ns
        self._values: dict[str, str] = {}

    @property
    def is_of_setup(self) -> bool:
        """Whether it is outside the load."""
        return self._tag("group") in SETUP_GROUPS

    def add(self, metric: str, row: list[str]) -> None:
        """Take a further sample. `InputError` where it is of another request."""
        if (
            metric in self._values
            or row[self._rows.at("timestamp") or 0] != self._time
            or _tags(self._rows, row) != self._tags
        ):
            raise self._rows.error(
                f"belongs to another request than the {FIRST} before it (line {self._line})",
                key=metric,
                remedy="give the file as k6 wrote it: the samples of a request follow each other",
            )
        self._values[metric] = row[self._rows.at("metric_value") or 0]

    def request(self) -> Request:
        """The whole. `InputError` where a sample is missing or no time."""
        missing = next((each for each in NEEDED if each not in self._values), None)
        if missing is not None:
            raise self._error("the request that begins here has no such sample", missing)
        name = self._tag("name")
        if len(name) > LONGEST_NAME:
            raise self._error(f"is {len(name):,} characters long", "name")
        failed = self._values.get(FAILED)
        outcome = outcome_of(
            code=self._tag("error_code"),
            status=self._tag("status"),
            error=self._tag("error"),
            expected=self._tag("expected_response"),
            failed=None if failed is None else self._number(failed) > 0,
        )
        blocked_ns, duration_ns = self._ns(BLOCKED), self._ns(DURATION)
        is_answered = outcome in (Outcome.OK, Outcome.STATUS)
        has_answer = is_answered or self._ns(RECEIVING) > 0
        return Request(
            operation=operation_name(name),
            done_ns=self._done_ns,
            outcome=outcome,
            response_ns=blocked_ns + duration_ns
            if is_answered or blocked_ns or duration_ns
            else None,
            service_ns=duration_ns if is_answered or duration_ns else None,
            first_byte_ns=self._ns(SENDING) + self._ns(WAITING) if has_answer else None,
            error=self._tag("error"),
        )

    def contradicts_itself(self) -> bool:
        """Whether its duration is not the sum that k6 makes it of: somebody changed one of them."""
        parts_ns = sum(map(self._ns, (SENDING, WAITING, RECEIVING)))
        return abs(parts_ns - self._ns(DURATION)) > _ROUNDED_NS

    def spoken(self) -> tuple[str, str]:
        """HTTP and TLS as k6 spells them, such as `HTTP/1.1` and `tls1.2`; empty for none."""
        return self._tag("proto"), self._tag("tls_version")

    def _ns(self, metric: str) -> int:
        return k6_times.duration_ns(self._values[metric], self._rows.path, self._line, metric)

    def _number(self, text: str) -> float:
        return k6_times.number(text, self._rows.path, self._line, FAILED)

    def _tag(self, column: str) -> str:
        at = self._rows.at(column)
        return "" if at is None else self._tags[at]

    def _error(self, message: str, key: str) -> InputError:
        return self._rows.error(
            message,
            line=self._line,
            key=key,
            remedy="at the end of a file that was cut: take its last, unfinished request out; else "
            "give the file as k6 wrote it"
            if key != "name"
            else "give requests a name: http.get(url, {tags: {name: 'facility'}})",
        )


def _tags(rows: Rows, row: list[str]) -> list[str]:
    """The row without what differs between the samples of one request."""
    tags = row.copy()
    for column in ("metric_name", "metric_value"):
        tags[rows.at(column) or 0] = ""
    return tags
