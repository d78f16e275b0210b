"""The engine's summary of a simulated load, as the engine would end with it."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from loadstone.metrics.outcomes import Outcome
from loadstone.results.clock_facts import ClockSplit
from loadstone.results.engine_summary import EngineSummary
from loadstone.results.load_facts import (
    ConnectionFacts,
    EngineFacts,
    LimitFacts,
    SpokenFacts,
    StopFacts,
    WorkerFacts,
)
from loadstone.simulate.arrivals import SECOND_NS
from loadstone.simulate.behaviour import Behaviour
from loadstone.simulate.group_load import GroupLoad
from loadstone.simulate.intervals import CONNECT_NS, TLS_NS, Intervals
from loadstone.simulate.requests import Requests, clock_summary, operation_facts
from loadstone.study.values.arrivals import Rate
from loadstone.study.values.model import Protocol, Workload

BENCH_CPU = 0
"""Of engine, probe and dependencies."""
ENGINE_VERSION = "0.1.0"
ENGINE_RSS_BYTES = 8 * 2**20
LIMIT_SHARE = 0.95
"""How far the engine is its own limit, where it is."""


def engine_summary(
    workload: Workload,
    behaviour: Behaviour,
    operations: Mapping[str, Requests],
    intervals: Intervals,
    stop: StopFacts,
    groups: Sequence[GroupLoad] = (),
    *,
    protocol: Protocol = Protocol.H1C,
    started_unix_ns: int,
) -> EngineSummary:
    """Return the summary of a load whose requests and intervals are known. Without `groups` it tells
    nothing of sessions.
    """
    asked = [each.arrivals for each in workload.groups]
    rates = [each for each in asked if isinstance(each, Rate)]
    users = [round(each.highest) for each in asked if not isinstance(each, Rate)]
    processes = {"poisson" if each.poisson else "constant" for each in rates}
    outcomes: Counter[Outcome] = Counter()
    for each in operations.values():
        outcomes.update(each.outcomes())
    return EngineSummary(
        protocol=protocol,
        spoken=_spoken(protocol),
        streams=workload.streams,
        simulated=True,
        started_unix_ns=started_unix_ns,
        load_ns=stop.at_ns,
        grace_ns=workload.grace_ns,
        stop=stop,
        repeatable="content" if groups else None,
        arrivals="mixed" if rates and users else "rate" if rates else "users",
        users=sum(users) if users else None,
        rate_per_second=sum(each.highest for each in rates) if rates else None,
        process=processes.pop() if len(processes) == 1 and not users else None,
        outcomes=outcomes,
        operations={
            name: operation_facts(each, each.outcomes()) for name, each in operations.items()
        }
        | {name: facts for each in groups for name, facts in each.operation_facts().items()},
        groups={each.group.name: each.facts() for each in groups},
        connections=_connections(workload.connections, intervals),
        redirects=0,
        refused_streams=0,
        unanswered_oldest_ns=_oldest_ns(operations, stop.at_ns + workload.grace_ns),
        not_accepted=0,
        engine=_engine(behaviour, stop.at_ns),
    )


def _spoken(protocol: Protocol) -> SpokenFacts:
    return SpokenFacts(
        http="2" if protocol.is_http2 else "1.1",
        alpn=protocol.alpn if protocol.is_tls else None,
        tls_version="1.3" if protocol.is_tls else None,
        cipher_suite="TLS_AES_128_GCM_SHA256" if protocol.is_tls else None,
    )


def _connections(requested: int, intervals: Intervals) -> ConnectionFacts:
    opened = intervals.opened
    handshakes = opened if intervals.is_tls else 0
    return ConnectionFacts(
        requested=requested,
        opened=opened,
        failed=0,
        closed_by_server=0,
        connect=ClockSplit(ok=clock_summary(np.full(opened, CONNECT_NS))),
        tls=ClockSplit(ok=clock_summary(np.full(handshakes, TLS_NS))),
        full_handshakes=handshakes,
        resumed_handshakes=0,
    )


def _oldest_ns(operations: Mapping[str, Requests], end_ns: int) -> int | None:
    """Return the age of the oldest request that was not answered."""
    intended = [
        each.intended_ns[each.outcome == Outcome.UNANSWERED] for each in operations.values()
    ]
    ages = [end_ns - int(times.min()) for times in intended if times.size]
    return max(ages, default=None)


def _engine(behaviour: Behaviour, load_ns: int) -> EngineFacts:
    cpu_ns = round(behaviour.worker_cpu_share * load_ns)
    worker = WorkerFacts(
        cpu=BENCH_CPU, cpu_ns=cpu_ns, wall_ns=load_ns, longest_stall_ns=behaviour.stall_ns
    )
    return EngineFacts(
        version=ENGINE_VERSION,
        loop="epoll",
        cpu_ns=cpu_ns,
        peak_rss_bytes=ENGINE_RSS_BYTES,
        workers=(worker,),
        limited=tuple(
            LimitFacts(cause=cause, intervals=1, first_ns=second * SECOND_NS, worst=LIMIT_SHARE)
            for cause, second in behaviour.limits
        ),
    )
