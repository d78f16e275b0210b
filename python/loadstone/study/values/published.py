"""What others published of a system's scenarios, as it was published: nothing is converted here.

`run` copies it into the results folder (`published.json`). A report is made from that folder alone,
so it says tomorrow what it says today, with the system changed, or on a machine that has none.
"""

from typing import Final, Literal, NamedTuple

from pydantic import Field

from loadstone.frozen import Frozen
from loadstone.study.values.arrivals import Users
from loadstone.study.values.manifest import Scenario
from loadstone.study.values.model import AnyWorkload, Arm, Workload

PUBLISHED_VERSION: Final = 1
"""1: first version."""


class PublishedKey(NamedTuple):
    """What a published row and a measured one have in common."""

    scenario: str
    """Its name: operation and protocols."""
    users: int
    message_bytes: int
    delay_ms: int


class PublishedRow(Frozen):
    """One load of one scenario."""

    scenario: Scenario
    """One of the system's."""
    users: int = Field(ge=1)
    """Closed, without pauses."""
    message_bytes: int = Field(ge=0)
    """Of the body of a request."""
    delay_ms: int = Field(ge=0)
    """By which the backend answers later."""
    failures_percent: float = Field(ge=0, le=100)
    """Of all requests."""
    throughput_per_second: float = Field(ge=0)
    """Requests ended a second; whether failed ones are counted is the source's matter."""
    mean_ms: float | None = None
    """Mean response time; none where it is not known, as below."""
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
        return PublishedKey(self.scenario.name, self.users, self.message_bytes, self.delay_ms)


class PublishedSource(Frozen):
    """One published table."""

    source: str
    """Its name: that of its files."""
    stack: str
    """What it is of, as its rows are called."""
    origin: str
    """Who published it, and what is known of the version."""
    machine: str
    """On what it was measured."""
    validity: tuple[str, ...]
    """What is to be known before a figure of it is believed, a sentence each."""
    rows: tuple[PublishedRow, ...]
    """Each key at most once."""


class Published(Frozen):
    """`published.json`: everything that is published of a system's scenarios."""

    published_version: Literal[1] = PUBLISHED_VERSION
    """Of this form."""
    scenarios: tuple[Scenario, ...]
    """The system's, in its order."""
    sources: tuple[PublishedSource, ...]
    """By name."""


def key_of(arm: Arm, workload: AnyWorkload, published: Published) -> PublishedKey | None:
    """What an arm under a workload measures of the published scenarios; none where it is not a load
    of their kind: closed users without pauses who send one body, each over a connection of its own.
    """
    if not isinstance(workload, Workload) or not _is_of_their_kind(workload):
        return None
    (operation,) = workload.plain_session or ()
    scenario = Scenario(operation=operation.operation, legs=arm.legs)
    found = next((each for each in published.scenarios if each == scenario), None)
    if found is None:
        return None
    users = workload.connections
    return PublishedKey(found.name, users, len(operation.body.encode()), delay_ms=0)


def _is_of_their_kind(workload: Workload) -> bool:
    """A ramp up to all users counts: the published loads begin with one, inside their warm-up."""
    group = workload.only_group
    return (
        workload.kind == "load"
        and group is not None
        and isinstance(group.arrivals, Users)
        and len(group.arrivals.stages) == 1
        and not group.start_ns
        and group.pace_ns is None
        and group.think is None
        and workload.streams == 1
        and not workload.new_connections
        and len(workload.plain_session or ()) == 1
    )
