"""What ended in one interval of an imported load, and its lines in the files of the run."""

from collections import Counter

from loadstone.importers.bucketed import BucketedTimes
from loadstone.importers.interface import Request
from loadstone.metrics.outcomes import Clock, Outcome
from loadstone.results.clock_facts import ClockSplit
from loadstone.results.load_facts import OperationFacts
from loadstone.results.timeline import OperationInterval, TimelineInterval, TimeSplit

TOLD = (Clock.RESPONSE_TIME, Clock.SERVICE_TIME, Clock.FIRST_BYTE)
"""The clocks of a request that another tool may tell; when it was due is not among them."""
SEEN = tuple(each for each in Outcome if each not in (Outcome.NOT_SENT, Outcome.UNANSWERED))
"""Outcomes of requests that were sent and ended: of others a tool leaves no trace."""


class OperationTimes:
    """The requests of one operation."""

    def __init__(self) -> None:
        self.outcomes: Counter[Outcome] = Counter()
        self.times: dict[tuple[Clock, bool], BucketedTimes] = {}

    def add(self, request: Request) -> None:
        """Count one request and its times."""
        self.outcomes[request.outcome] += 1
        is_ok = request.outcome is Outcome.OK
        told = (request.response_ns, request.service_ns, request.first_byte_ns)
        for clock, value_ns in zip(TOLD, told, strict=True):
            if value_ns is not None:
                self.times.setdefault((clock, is_ok), BucketedTimes()).add(value_ns)

    def merge(self, other: "OperationTimes") -> None:
        """Count all of another's."""
        self.outcomes.update(other.outcomes)
        for key, times in other.times.items():
            self.times.setdefault(key, BucketedTimes()).merge(times)

    def facts(self) -> OperationFacts:
        """Return the counts and times in the form of the record."""
        return OperationFacts(
            outcomes={outcome: self.outcomes[outcome] for outcome in SEEN},
            bytes_sent=None,
            bytes_received=None,
            clocks={
                clock: ClockSplit(
                    ok=self.times[clock, True].clock_summary()
                    if (clock, True) in self.times
                    else None,
                    failed=self.times[clock, False].clock_summary()
                    if (clock, False) in self.times
                    else None,
                )
                for clock in TOLD
            },
        )

    def interval(self) -> OperationInterval:
        """Return the counts and times in the form of the timeline."""
        splits = {
            clock: TimeSplit(
                ok=self.times[clock, True].time_summary() if (clock, True) in self.times else None,
                failed=self.times[clock, False].time_summary()
                if (clock, False) in self.times
                else None,
            )
            for clock in TOLD
        }
        return OperationInterval(
            outcomes={outcome: self.outcomes[outcome] for outcome in SEEN},
            bytes_sent=None,
            bytes_received=None,
            response_time=splits[Clock.RESPONSE_TIME],
            service_time=splits[Clock.SERVICE_TIME],
            first_byte=splits[Clock.FIRST_BYTE],
            lag=None,
            engine_lag=None,
            lag_causes=None,
        )


class Interval:
    """The requests of all operations that ended in one interval."""

    def __init__(self) -> None:
        self.operations: dict[str, OperationTimes] = {}
        self.latest_ns = 0
        """When the last of them ended, since 1970."""

    def add(self, request: Request) -> None:
        """Count one request."""
        self.operations.setdefault(request.operation, OperationTimes()).add(request)
        self.latest_ns = max(self.latest_ns, request.done_ns)

    def merge(self, other: "Interval") -> None:
        """Count all of another's."""
        for name, operation in other.operations.items():
            self.operations.setdefault(name, OperationTimes()).merge(operation)
        self.latest_ns = max(self.latest_ns, other.latest_ns)

    def timeline_line(self, start_ns: int, end_ns: int, users: int | None, *, grace: bool) -> str:
        """Its line of the timeline."""
        interval = TimelineInterval(
            start_ns=start_ns,
            end_ns=end_ns,
            grace=grace,
            in_flight=None,
            connections=None,
            users=users,
            cpu_ns=None,
            longest_stall_ns=None,
            limited_by=None,
            connect=None,
            tls=None,
            operations={name: each.interval() for name, each in self.operations.items()},
        )
        return interval.model_dump_json() + "\n"

    def histogram_lines(self, start_ns: int, end_ns: int) -> str:
        """Its lines of the histogram log: HdrHistogram's format V2, seconds and milliseconds."""
        seconds = f"{start_ns / 1e9:.6f},{(end_ns - start_ns) / 1e9:.6f}"
        return "".join(
            f"Tag={name}/{clock.value}/{'ok' if is_ok else 'failed'},{seconds},"
            f"{times.max_ns / 1e6:.3f},{times.encoded()}\n"
            for name, operation in self.operations.items()
            for (clock, is_ok), times in operation.times.items()
        )
