"""What others published of a system's scenarios, as it was published: nothing is converted here.

`run` copies it into the results folder (`published.json`). A report is made from that folder alone,
so it says tomorrow what it says today, with the system changed, or on a machine that has none.
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from pydantic import Field

from loadstone.frozen import Frozen
from loadstone.study.values.manifest import Scenario

PUBLISHED_VERSION: Final = 3
"""1: first version. 2: loads by a rate, rows of several stacks, starts, levels of settings. 3: pauses,
rows of a stack for each service, more figures of times, notes, ramps."""
READ_PUBLISHED_VERSIONS: Final = (1, 2, PUBLISHED_VERSION)
"""What an earlier one has not is none in 3."""

FirstStop = Literal["first_timeout", "first_failed_check", "first_failure"]
"""The stop rules that a published ramp may end by, as a workload calls them."""


class PublishedKey(NamedTuple):
    """What a published row and a measured one have in common."""

    scenario: str
    """Its name: operation and protocols."""
    users: int
    """0 of a rate."""
    message_bytes: int
    delay_ms: int
    rate_per_second: int = 0
    """0 of users."""
    pause_ms: int = 0
    """Of each user behind each answer, always as long; 0 of a rate."""


class RampKey(NamedTuple):
    """What a published ramp and a measured one have in common."""

    scenario: str
    users_per_second: int
    """By which the users grow, from none."""
    stop: FirstStop
    message_bytes: int
    pause_ms: int = 0


class RowNote(Frozen):
    """What is to be known of one row before it is believed."""

    code: str
    """A letter that its source uses for all rows of which the same is to be known."""
    says: str
    """It in a sentence."""
    withholds: tuple[str, ...] = ()
    """Columns of the row that cannot stand."""

    @property
    def told(self) -> str:
        """As people read it: `C: its throughput ...`."""
        return f"{self.code}: {self.says}"


class _OfStacks(Frozen):
    """Whose a published figure is."""

    stack: str | None = None
    """What it is of; none where the source is of one stack, or `stacks` says it."""
    runtime: str | None = None
    """On what that ran."""
    stacks: dict[str, str] = Field(default_factory=dict)
    """Service to what stood for it on its runtime, `spring@native`, where a row names one for each."""

    @property
    def whose(self) -> str:
        """`spring@native`, or of several services `go@go and spring@native`; empty of an only stack."""
        if self.stacks:
            return " and ".join(self.stacks.values())
        return "" if self.stack is None else f"{self.stack}@{self.runtime}"


class PublishedRow(_OfStacks):
    """One load of one scenario."""

    scenario: Scenario
    """One of the system's."""
    users: int | None = Field(default=None, ge=1)
    """Closed; none of a rate."""
    pause_ms: int = Field(default=0, ge=0)
    """How long each user pauses behind each answer."""
    rate_per_second: int | None = Field(default=None, ge=1)
    """Requests sent evenly, whatever is answered; none of users."""
    message_bytes: int = Field(ge=0)
    """Of the body of a request."""
    delay_ms: int = Field(ge=0)
    """By which the backend answers later."""
    failures_percent: float | None = Field(default=None, ge=0, le=100)
    """Of all requests; none where nobody recorded them."""
    throughput_per_second: float | None = Field(default=None, ge=0)
    """Requests ended a second; whether failed ones are counted is the source's matter. None where it is
    not known, as below."""
    mean_ms: float | None = None
    """Mean response time."""
    standard_deviation_ms: float | None = None
    """Of the response times."""
    min_ms: float | None = None
    """The smallest response time."""
    median_ms: float | None = None
    """The median of the response times."""
    p90_ms: float | None = None
    """Their 90th percentile."""
    p95_ms: float | None = None
    """Their 95th."""
    p99_ms: float | None = None
    """Their 99th."""
    max_ms: float | None = None
    """The largest."""
    gc_throughput_percent: float | None = None
    """Share of the time outside the pauses of the garbage collector."""
    memory_after_full_gc_mib: float | None = None
    """Heap in use after full collections."""
    notes: tuple[RowNote, ...] = ()
    """What is to be known of this row."""

    @property
    def key(self) -> PublishedKey:
        """What it is a row of."""
        return PublishedKey(
            self.scenario.name,
            self.users or 0,
            self.message_bytes,
            self.delay_ms,
            self.rate_per_second or 0,
            self.pause_ms,
        )

    def withheld(self, column: str) -> str:
        """Why a figure of it cannot stand, by its notes; empty where none says so."""
        return withheld_by(self.notes, column)


class PublishedRamp(_OfStacks):
    """Users who grew by so many a second, from none, until a first request did not end well."""

    scenario: Scenario
    """One of the system's."""
    users_per_second: int = Field(ge=1)
    """By which they grew."""
    pause_ms: int = Field(default=0, ge=0)
    """How long each user pauses behind each answer."""
    stop: FirstStop
    """What ended it."""
    message_bytes: int = Field(ge=0)
    """Of the body of a request."""
    users_before_failure: int | None = None
    """Most users until then; none where it is not known, as below."""
    run_seconds: float | None = None
    """How long it lasted."""
    completed: int | None = None
    """Requests that ended."""
    failed: int | None = None
    """Those of them that did not end as they should."""
    mean_ms: float | None = None
    """Mean response time."""
    max_ms: float | None = None
    """The largest."""
    notes: tuple[RowNote, ...] = ()
    """What is to be known of this row."""

    @property
    def key(self) -> RampKey:
        """What it is a row of."""
        return RampKey(
            self.scenario.name, self.users_per_second, self.stop, self.message_bytes, self.pause_ms
        )

    def withheld(self, column: str) -> str:
        """Why a figure of it cannot stand, by its notes; empty where none says so."""
        return withheld_by(self.notes, column)


def withheld_by(notes: tuple[RowNote, ...], column: str) -> str:
    """What the notes say by which a column cannot stand; empty where it can."""
    return "; ".join(each.told for each in notes if column in each.withholds)


class PublishedStart(Frozen):
    """What is published of one stack without a load: its start, its memory near rest, its build."""

    service: str | None = None
    """The service that it stands for; none where the system has one, or it is all of them."""
    stack: str
    """What it is of."""
    runtime: str
    """On what that ran."""
    startup_ms: float | None = None
    """Start-up time, by whatever clock the source says; none where it is not known, as below."""
    rss_after_five_mib: float | None = None
    """Resident memory after five requests."""
    executable_mb: float | None = None
    """What was built, megabytes, as the source counts them."""
    build_seconds: float | None = None
    """How long that took."""
    cpu_percent: float | None = None
    """Of one CPU, as the source reads it: more than 100 is more than one."""

    @property
    def whose(self) -> str:
        """`spring@native`, or `users/spring@native`."""
        return f"{'' if self.service is None else f'{self.service}/'}{self.stack}@{self.runtime}"


class PublishedSource(Frozen):
    """One published table."""

    source: str
    """Its name: that of its files."""
    stack: str | None
    """What it is of, as its rows are called; none where each row names its stack."""
    origin: str
    """Who published it, and what is known of the version."""
    machine: str
    """On what it was measured."""
    validity: tuple[str, ...]
    """What is to be known before a figure of it is believed, a sentence each."""
    rows: tuple[PublishedRow, ...] = ()
    """Loads: each key at most once for whoever it is of."""
    starts: tuple[PublishedStart, ...] = ()
    """Each stack on a runtime at most once."""
    ramps: tuple[PublishedRamp, ...] = ()
    """Each key at most once for whoever it is of."""

    @property
    def title(self) -> str:
        """What it is called."""
        return self.stack or self.source

    def name_of(self, row: PublishedRow | PublishedStart | PublishedRamp) -> str:
        """What one of its rows is called: `quarkus@native (mac23)` of several stacks."""
        return f"{row.whose} ({self.source})" if row.whose else self.title


class Published(Frozen):
    """`published.json`: everything that is published of a system's scenarios."""

    published_version: Literal[1, 2, 3] = PUBLISHED_VERSION
    """Of this form."""
    scenarios: tuple[Scenario, ...]
    """The system's, in its order."""
    settings: Mapping[str, str] = Field(default_factory=dict)
    """Setting of the system to the level that all rows are of: its first."""
    sources: tuple[PublishedSource, ...]
    """By name."""
