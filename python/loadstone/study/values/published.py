"""What others published of a system's scenarios, as it was published: nothing is converted here.

`run` copies it into the results folder (`published.json`). A report is made from that folder alone,
so it says tomorrow what it says today, with the system changed, or on a machine that has none.
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from pydantic import Field

from loadstone.frozen import Frozen
from loadstone.study.values.arrivals import Rate, Users
from loadstone.study.values.manifest import Scenario
from loadstone.study.values.model import AnyWorkload, Arm, Workload

PUBLISHED_VERSION: Final = 2
"""1: first version. 2: loads by a rate, rows of several stacks, starts, levels of settings."""
READ_PUBLISHED_VERSIONS: Final = (1, 2)
"""What 1 has not is none in 2."""


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


class PublishedRow(Frozen):
    """One load of one scenario."""

    stack: str | None = None
    """What it is of; none where the source is of one stack."""
    runtime: str | None = None
    """On what that ran."""
    scenario: Scenario
    """One of the system's."""
    users: int | None = Field(default=None, ge=1)
    """Closed, without pauses; none of a rate."""
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
    p99_ms: float | None = None
    """The 99th percentile of the response times."""
    gc_throughput_percent: float | None = None
    """Share of the time outside the pauses of the garbage collector."""
    memory_after_full_gc_mib: float | None = None
    """Heap in use after full collections."""

    @property
    def key(self) -> PublishedKey:
        """What it is a row of."""
        return PublishedKey(
            self.scenario.name,
            self.users or 0,
            self.message_bytes,
            self.delay_ms,
            self.rate_per_second or 0,
        )


class PublishedStart(Frozen):
    """What is published of one stack without a load: its start, its memory near rest, its build."""

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
    """Loads: each key at most once for a stack on a runtime."""
    starts: tuple[PublishedStart, ...] = ()
    """Each stack on a runtime at most once."""

    @property
    def title(self) -> str:
        """What it is called."""
        return self.stack or self.source

    def name_of(self, row: PublishedRow | PublishedStart) -> str:
        """What one of its rows is called: `quarkus@native (mac23)` of several stacks."""
        if row.stack is None:
            return self.title
        return f"{row.stack}@{row.runtime} ({self.source})"


class Published(Frozen):
    """`published.json`: everything that is published of a system's scenarios."""

    published_version: Literal[1, 2] = PUBLISHED_VERSION
    """Of this form."""
    scenarios: tuple[Scenario, ...]
    """The system's, in its order."""
    settings: Mapping[str, str] = Field(default_factory=dict)
    """Setting of the system to the level that all rows are of: its first."""
    sources: tuple[PublishedSource, ...]
    """By name."""


def key_of(arm: Arm, workload: AnyWorkload, published: Published) -> PublishedKey | None:
    """What an arm under a workload measures of the published scenarios; none where it is not a load
    of their kind: closed users without pauses, each over a connection of its own, or an even rate,
    that send one body to a system whose settings have their first levels.
    """
    if not isinstance(workload, Workload) or not _is_of_their_kind(workload):
        return None
    if any(arm.settings.get(name, level) != level for name, level in published.settings.items()):
        return None
    (operation,) = workload.plain_session or ()
    scenario = Scenario(operation=operation.operation, legs=arm.legs)
    found = next((each for each in published.scenarios if each == scenario), None)
    arrivals = workload.arrivals
    if found is None or arrivals is None:
        return None
    message_bytes = len(operation.body.encode())
    if isinstance(arrivals, Users):
        return PublishedKey(found.name, workload.connections, message_bytes, delay_ms=0)
    rate = round(arrivals.highest)
    return PublishedKey(found.name, 0, message_bytes, delay_ms=0, rate_per_second=rate)


def _is_of_their_kind(workload: Workload) -> bool:
    """A ramp up to all users counts: the published loads begin with one, inside their warm-up."""
    group = workload.only_group
    return (
        workload.kind == "load"
        and group is not None
        and _is_one_level(group.arrivals)
        and not group.start_ns
        and group.pace_ns is None
        and group.think is None
        and workload.streams == 1
        and not workload.new_connections
        and len(workload.plain_session or ()) == 1
    )


def _is_one_level(arrivals: Users | Rate) -> bool:
    if isinstance(arrivals, Users):
        return len(arrivals.stages) == 1
    is_even = not arrivals.poisson and not arrivals.own_connections
    return is_even and arrivals.is_steady and arrivals.highest.is_integer()
