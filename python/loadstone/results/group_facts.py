"""What the engine saw of one group of users over a whole load, grace period included."""

from typing import Literal

from pydantic import Field

from loadstone.frozen import Frozen
from loadstone.metrics.outcomes import Outcome
from loadstone.results.clock_facts import ClockSplit
from loadstone.results.user_facts import UserFacts


class SessionFacts(Frozen):
    """The sessions of one group. Begun are finished, aborted and cut, and no others."""

    begun: int
    """Sessions whose first request was offered."""
    finished: int
    """Those that came to their end."""
    ended_early: int
    """Those of the finished that an answer ended, as its step allows."""
    aborted: dict[Outcome, int] = Field(default_factory=dict)
    """Those that a failed request ended, by its outcome."""
    cut: int
    """Those that were between two requests when the load ended, or when their user left."""
    most_at_once: int
    """Open at the same time."""


class PaceFacts(Frozen):
    """The least time between the beginnings of a user's sessions."""

    held: int
    """Sessions that began when it was over."""
    missed: int
    """Sessions that began late, since the one before had taken longer."""


class ThinkFacts(Frozen):
    """What users paused, and sessions of a rate between their requests. Waits for a pace count, too."""

    count: int
    """Pauses."""
    sum_ns: int
    """All together."""


class FeedFacts(Frozen):
    """What was taken of one feed."""

    feed: str
    """Its name."""
    rows: int
    """Rows that the group may take."""
    used: int
    """Rows that it took, each counted once."""
    turns: int
    """How often it began again."""
    sha256: str
    """Of its values."""


class CookieFacts(Frozen):
    """What became of the cookies that answers set."""

    kept: int
    """Taken into the jar of their session."""
    dropped: int
    """Left out of it: the jar was full, or they were for another host."""
    ignored: int
    """Answers with cookies in a group that keeps none, as far as their heads were looked at."""


class GroupFacts(Frozen):
    """One group."""

    arrivals: Literal["users", "rate"]
    """Closed users, or an open rate."""
    users: int | None
    """Closed users at most; none for a rate."""
    rate_per_second: float | None
    """Sessions a second at most; none for users."""
    process: Literal["constant", "poisson"] | None
    """How a rate spreads its arrivals; none for users."""
    connections: int
    """Connections at most."""
    start_ns: int
    """When its first stage began, since the load began."""
    sessions: SessionFacts
    """Its sessions."""
    duration: ClockSplit
    """How long they took: finished ones apart from aborted ones."""
    paces: PaceFacts | None = None
    """Whether its pace was held; none without one."""
    think: ThinkFacts
    """What was paused."""
    feeds: tuple[FeedFacts, ...] = ()
    """Its feeds, in the workload's order."""
    cookies: CookieFacts | None = None
    """Its cookies; none where nobody looked."""
    aborted_at: dict[str, int] = Field(default_factory=dict)
    """Aborted sessions by the operation that failed."""
    outcomes: dict[Outcome, int]
    """Totals over its operations."""
    by_user: UserFacts | None = None
    """What each of its users got; none of a rate."""
