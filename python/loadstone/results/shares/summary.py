"""The summaries of several engines as one: what a load of one engine would have been told of.

What the plan says (users, rates, connections that were asked for) is the same in all shares. Left out
is what cannot be added: which answers were alike, and how many users got how much where only some are
told.
"""

from collections.abc import Sequence

from loadstone.metrics.outcomes import Outcome
from loadstone.results.engine_summary import EngineSummary
from loadstone.results.group_facts import (
    CookieFacts,
    FeedFacts,
    GroupFacts,
    PaceFacts,
    SessionFacts,
    ThinkFacts,
)
from loadstone.results.load_facts import (
    ConnectionFacts,
    EngineFacts,
    LimitFacts,
    OperationFacts,
    SchedulingFacts,
    StopFacts,
)
from loadstone.results.shares import sums
from loadstone.results.shares.users import user_facts
from loadstone.results.timeline import TimelineInterval
from loadstone.results.users import UserColumns

ERROR_SAMPLES = 3
"""Of an outcome, as the engine keeps them."""


def merged_summary(
    parts: Sequence[EngineSummary],
    timeline: Sequence[TimelineInterval],
    users: UserColumns | None,
    *,
    started_unix_ns: int,
) -> EngineSummary:
    """Return the summary of all shares; timeline and users are merged already, and `started_unix_ns` is
    by the clock that the load is told by.
    """
    first = parts[0]
    load_ns = max(each.load_ns for each in parts)
    oldest = [each.unanswered_oldest_ns for each in parts if each.unanswered_oldest_ns is not None]
    return first.model_copy(
        update={
            "started_unix_ns": started_unix_ns,
            "load_ns": load_ns,
            "grace_ns": max(each.load_ns + each.grace_ns for each in parts) - load_ns,
            "stop": _stop([each.stop for each in parts], load_ns),
            "outcomes": sums.counts(each.outcomes for each in parts),
            "operations": {
                name: _operation([each.operations[name] for each in parts])
                for name in first.operations
            },
            "groups": {
                name: _group(
                    [each.groups[name] for each in parts],
                    None if users is None else (name, users),
                )
                for name in first.groups
            },
            "connections": _connections([each.connections for each in parts]),
            "by_user": None if users is None else user_facts(users),
            "redirects": sum(each.redirects for each in parts),
            "refused_streams": sums.total(each.refused_streams for each in parts),
            "unanswered_oldest_ns": max(oldest, default=None),
            "not_accepted": None,
            "error_samples": _error_samples(parts),
            "engine": _engine([each.engine for each in parts], timeline),
        }
    )


def _stop(parts: Sequence[StopFacts], at_ns: int) -> StopFacts:
    """What stopped the load: of an engine that a rule stopped; the others were told to, by a signal."""
    told = ("duration", "signal")
    because = next((each for each in parts if each.reason not in told), None) or next(
        (each for each in parts if each.reason != "signal"), parts[0]
    )
    by_group = sums.counts(each.users_by_group for each in parts)
    return because.model_copy(
        update={
            "at_ns": at_ns,
            "users": sums.total(each.users for each in parts),
            "users_by_group": by_group,
        }
    )


def _operation(parts: Sequence[OperationFacts]) -> OperationFacts:
    return parts[0].model_copy(
        update={
            "outcomes": sums.counts(each.outcomes for each in parts),
            "not_sent": sums.counts(each.not_sent for each in parts),
            "bytes_sent": sums.total(each.bytes_sent for each in parts),
            "bytes_received": sums.total(each.bytes_received for each in parts),
            "clocks": {
                clock: sums.clocks([each.clocks[clock] for each in parts if clock in each.clocks])
                for clock in sums.in_order(each.clocks for each in parts)
            },
            "lag_causes": sums.lag_causes(each.lag_causes for each in parts),
            "answers": None,
            "unreached": sums.counts(each.unreached for each in parts),
            "skipped": sum(each.skipped for each in parts),
            "failed_checks": sums.counts(each.failed_checks for each in parts),
            "statuses": sums.counts(each.statuses for each in parts),
        }
    )


def _group(parts: Sequence[GroupFacts], users: tuple[str, UserColumns] | None) -> GroupFacts:
    sessions, paces = [each.sessions for each in parts], [each.paces for each in parts]
    cookies = [each.cookies for each in parts]
    told = [each for each in paces if each is not None]
    kept = [each for each in cookies if each is not None]
    return parts[0].model_copy(
        update={
            "sessions": SessionFacts(
                begun=sum(each.begun for each in sessions),
                finished=sum(each.finished for each in sessions),
                ended_early=sum(each.ended_early for each in sessions),
                aborted=sums.counts(each.aborted for each in sessions),
                cut=sum(each.cut for each in sessions),
                # As of several workers: the sum of each one's most.
                most_at_once=sum(each.most_at_once for each in sessions),
            ),
            "duration": sums.clocks([each.duration for each in parts]),
            "paces": PaceFacts(
                held=sum(each.held for each in told), missed=sum(each.missed for each in told)
            )
            if told
            else None,
            "think": ThinkFacts(
                count=sum(each.think.count for each in parts),
                sum_ns=sum(each.think.sum_ns for each in parts),
            ),
            "feeds": tuple(map(_feed, zip(*(each.feeds for each in parts), strict=True))),
            "cookies": CookieFacts(
                kept=sum(each.kept for each in kept),
                dropped=sum(each.dropped for each in kept),
                ignored=sum(each.ignored for each in kept),
            )
            if kept
            else None,
            "aborted_at": sums.counts(each.aborted_at for each in parts),
            "outcomes": sums.counts(each.outcomes for each in parts),
            "by_user": None if users is None else user_facts(users[1], users[0]),
        }
    )


def _feed(parts: Sequence[FeedFacts]) -> FeedFacts:
    """Sessions take the row of their number, so engines share no row before a feed begins again."""
    first = parts[0]
    return first.model_copy(
        update={
            "used": min(first.rows, sum(each.used for each in parts)),
            "turns": max(each.turns for each in parts),
        }
    )


def _connections(parts: Sequence[ConnectionFacts]) -> ConnectionFacts:
    return ConnectionFacts(
        requested=parts[0].requested,
        opened=sum(each.opened for each in parts),
        failed=sum(each.failed for each in parts),
        closed_by_server=sum(each.closed_by_server for each in parts),
        connect=sums.clocks([each.connect for each in parts]),
        tls=sums.clocks([each.tls for each in parts]),
        full_handshakes=sum(each.full_handshakes for each in parts),
        resumed_handshakes=sum(each.resumed_handshakes for each in parts),
    )


def _error_samples(parts: Sequence[EngineSummary]) -> dict[Outcome, tuple[str, ...]]:
    return {
        outcome: tuple(
            dict.fromkeys(text for each in parts for text in each.error_samples.get(outcome, ()))
        )[:ERROR_SAMPLES]
        for outcome in sums.in_order(each.error_samples for each in parts)
    }


def _engine(parts: Sequence[EngineFacts], timeline: Sequence[TimelineInterval]) -> EngineFacts:
    """Times of all threads, so that the busiest of any engine counts."""
    limits = [limit for each in parts for limit in each.limited]
    return EngineFacts(
        version=parts[0].version,
        loop=sums.most_common(each.loop for each in parts),
        cpu_ns=sum(each.cpu_ns for each in parts),
        peak_rss_bytes=sum(each.peak_rss_bytes for each in parts),
        workers=tuple(worker for each in parts for worker in each.workers),
        throttled=sums.throttled([each.throttled for each in parts]),
        limited=tuple(
            LimitFacts(
                cause=cause,
                intervals=sum(
                    cause in (each.limited_by or ()) for each in timeline if not each.grace
                ),
                first_ns=min(each.first_ns for each in limits if each.cause == cause),
                worst=max(each.worst for each in limits if each.cause == cause),
            )
            for cause in dict.fromkeys(each.cause for each in limits)
        ),
        scheduling=_scheduling([each.scheduling for each in parts]),
    )


def _scheduling(parts: Sequence[SchedulingFacts | None]) -> SchedulingFacts | None:
    told = [each for each in parts if each is not None]
    if not told:
        return None
    worst = next((each for each in told if each.workers != "fifo"), told[0])
    given_up = [each.given_up_at_ns for each in told if each.given_up_at_ns is not None]
    return worst.model_copy(
        update={
            "given_up": sum(each.given_up for each in told),
            "given_up_at_ns": min(given_up, default=None),
        }
    )
