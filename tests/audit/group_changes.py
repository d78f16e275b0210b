"""What is told of groups and sessions, put into a run that tells nothing of them."""

import dataclasses
from collections.abc import Mapping

from loadstone.metrics.outcomes import Outcome
from loadstone.results.asked import AskedGroup
from loadstone.results.clock_facts import ClockSplit
from loadstone.results.group_facts import GroupFacts, SessionFacts, ThinkFacts
from loadstone.results.load_facts import OperationFacts
from loadstone.results.timeline import GroupInterval, SessionInterval, TimeSplit
from loadstone.results.window import WindowedRun


def group_facts(
    begun: int = 1000,
    *,
    aborted: int = 0,
    cut: int = 0,
    ended_early: int = 0,
    users: int | None = 20,
    **changes: object,
) -> GroupFacts:
    """A group of closed users, or of a rate without `users`."""
    finished = begun - aborted - cut
    return GroupFacts(
        arrivals="rate" if users is None else "users",
        users=users,
        rate_per_second=100.0 if users is None else None,
        process="constant" if users is None else None,
        connections=users or 50,
        start_ns=0,
        sessions=SessionFacts(
            begun=begun,
            finished=finished,
            ended_early=ended_early,
            aborted={Outcome.STATUS: aborted} if aborted else {},
            cut=cut,
            most_at_once=users or 50,
        ),
        duration=ClockSplit(),
        think=ThinkFacts(count=0, sum_ns=0),
        outcomes={Outcome.OK: 2 * begun},
    ).model_copy(update=changes)


def with_groups(
    run: WindowedRun,
    groups: Mapping[str, GroupFacts],
    operations: Mapping[str, OperationFacts] | None = None,
    asked: Mapping[str, AskedGroup] | None = None,
) -> WindowedRun:
    """The run with groups, whose sessions all began and ended in the window's first interval."""
    told = {name: _interval(facts) for name, facts in groups.items()}
    nothing = {name: _interval(facts, empty=True) for name, facts in groups.items()}
    first = run.inside[0]
    timeline = tuple(
        each.model_copy(update={"groups": told if each is first else nothing})
        for each in run.timeline
    )
    has_users = {facts.arrivals for facts in groups.values()}
    load = run.load.model_copy(
        update={
            "groups": dict(groups),
            "arrivals": has_users.pop() if len(has_users) == 1 else "mixed",
        }
    )
    record = run.record.model_copy(
        update={
            "load": load,
            "groups": dict(asked or {}),
            **({} if operations is None else {"operations": dict(operations)}),
        }
    )
    return dataclasses.replace(run, timeline=timeline, load=load, record=record)


def operation(run: WindowedRun, **changes: object) -> OperationFacts:
    """The only operation of a run, with other facts."""
    (facts,) = run.record.operations.values()
    return facts.model_copy(update=changes)


def _interval(facts: GroupFacts, *, empty: bool = False) -> GroupInterval:
    sessions = facts.sessions
    counted = {
        "begun": sessions.begun,
        "finished": sessions.finished,
        "ended_early": sessions.ended_early,
        "aborted": sum(sessions.aborted.values()),
        "cut": sessions.cut,
    }
    return GroupInterval(
        users=facts.users,
        sessions=SessionInterval(
            **(dict.fromkeys(counted, 0) if empty else counted), open=facts.users or 0
        ),
        duration=TimeSplit(),
    )
