"""Rule on answers that waited for a timer of the network: a narrow mode at its time above the others.

The times are those of Linux. A delayed acknowledgement waits 40 ms (`TCP_DELACK_MIN`), and holds back
what Nagle's algorithm does not send before it (RFC 896; RFC 1122, 4.2.3.2). What is lost is sent again
after 200 ms at least (`TCP_RTO_MIN`). The first packet of a connection is sent again after 1 s (RFC
6298, 2.1), and once more 2 s later.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from loadstone.audit import touched_metrics
from loadstone.audit.service.periodic_stalls import stalls_with_a_period
from loadstone.audit.service.slow_answers import slow_by_start
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import Clock, ConnectionClock
from loadstone.results import folder
from loadstone.results.histogram_log import Key, read_histograms
from loadstone.results.histograms import Histogram, merge
from loadstone.results.parts import Part
from loadstone.results.window import WindowedRun
from loadstone.stats.series.evenly_spaced import dispersion
from loadstone.stats.values.narrow_excess import EARLIEST, LATEST, LEAST_SHARE, Excess, excess_at
from loadstone.text import units

LEAST_ANSWERS = 20
LEAST_CONNECTIONS = 3
"""Of connects, which are few: each waits a second that nothing else waits."""
FEWEST_IN_A_CLUMP = 8
"""Users. Fewer do not tell a clump from some answers."""
_AROUND = (0.9, 1.1)
"""Of the median of the excess: all of it."""
MOST_OF_ALL = 0.5
"""Of the answers: with so many there is no bulk that did not wait, and first bytes stand for it."""
LATEST_OF_ALL = 1.2
"""Of the timer's time: it begins with an earlier packet than that which waits, and ends by a tick."""
SOON = 0.25
"""Of the timer's time: what had its first byte by then was made, and then waited."""


class _Timer(NamedTuple):
    wait_ns: int
    cause: str
    advice: str


_SYN_ADVICE = (
    "see whether the queue of new connections runs over (`nstat -az TcpExtListenOverflows "
    "TcpExtListenDrops`): raise the backlog of `listen` and `net.core.somaxconn`, keep connections, or "
    "see where packets are lost"
)
DELAYED_ACK = _Timer(
    40_000_000,
    "a delayed acknowledgement, for which the rest of what was written in parts had to wait",
    "write each answer at once, or set TCP_NODELAY on the socket (`tcp_nodelay on` in nginx), on "
    "every hop: a service and its upstream wait for each other in the same way",
)
RETRANSMISSION = _Timer(
    200_000_000,
    "the shortest time-out after which TCP sends again what was lost, or a delayed acknowledgement of "
    "another system than Linux",
    "see whether packets are lost (`nstat -az TcpRetransSegs`, `ss -ti`): queues of the network that "
    "run over, limits of a firewall or of a container's network; else set TCP_NODELAY",
)
SYN = _Timer(
    1_000_000_000,
    "the time-out after which the first packet of a connection is sent again",
    _SYN_ADVICE,
)
SYN_TWICE = _Timer(
    3_000_000_000,
    "two time-outs of the first packet of a connection, of 1 s and of 2 s",
    _SYN_ADVICE,
)
TIMERS = (DELAYED_ACK, RETRANSMISSION, SYN, SYN_TWICE)
_AFTER_A_BEGIN = (DELAYED_ACK, RETRANSMISSION)
"""Those that the rest of an answer can wait for."""


class _Seen(NamedTuple):
    timer: _Timer
    excess: Excess
    where: str


def network_timer(run: WindowedRun) -> Iterator[Finding]:
    """Times that answers or connects took longer, by as much as a timer of the network."""
    seen = {each.timer: each for each in (*_of_answers(run), *_of_connects(run))}
    for timer in TIMERS:
        if timer not in seen:
            continue
        excess, where = seen[timer].excess, seen[timer].where
        yield _told(
            run,
            timer,
            f"{excess.number:,} {where} took {units.duration(timer.wait_ns)} longer than the others, "
            f"{units.share(excess.share)} of them (at least {units.percent(LEAST_SHARE)}), at "
            f"{units.duration(excess.at)}, and hardly any shortly before or after",
        )
    yield from _most_of_them(run, [each for each in _AFTER_A_BEGIN if each not in seen])


def _most_of_them(run: WindowedRun, timers: Sequence[_Timer]) -> Iterator[Finding]:
    """Answers that begin at once and end by a timer, and are most of an operation's."""
    for name in run.record.operations:
        whole, first = (_of(run, clock, name) for clock in (Clock.SERVICE_TIME, Clock.FIRST_BYTE))
        if whole.count < LEAST_ANSWERS:
            continue
        for timer in timers:
            latest_ns, soon_ns = LATEST_OF_ALL * timer.wait_ns, SOON * timer.wait_ns
            late = _share(whole, EARLIEST * timer.wait_ns, latest_ns)
            began = _share(first, 0, soon_ns)
            if late < MOST_OF_ALL or began < late:
                continue
            yield _told(
                run,
                timer,
                f"{units.share(late)} of the answers to {name} (at least "
                f"{units.percent(MOST_OF_ALL)}) ended {units.duration(timer.wait_ns)} to "
                f"{units.duration(latest_ns)} after their request, though {units.share(began)} had "
                f"begun within {units.duration(soon_ns)}",
            )
            return


def _told(run: WindowedRun, timer: _Timer, seen: str) -> Finding:
    return Finding(
        code="network-timer",
        severity=Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=touched_metrics.TIMES,
        evidence=f"{seen}: usually {timer.cause}",
        advice=timer.advice,
    )


def _share(times: Histogram, low_ns: float, high_ns: float) -> float:
    """Of all times, those between the two."""
    values, counts = times.recorded
    inside = (values >= low_ns) & (values <= high_ns)
    return float(counts[inside].sum()) / times.count if times.count else 0.0


def _of_answers(run: WindowedRun) -> Iterator[_Seen]:
    """The excess of the operation that has most, for each timer."""
    for timer in TIMERS:
        found = [
            _Seen(timer, excess, _where(run, name, timer))
            for name in run.record.operations
            if (excess := _excess(_of(run, Clock.SERVICE_TIME, name), timer)) is not None
        ]
        if not found:
            continue
        most = max(found, key=lambda each: each.excess.number)
        if not _is_a_stalls(run, most):
            yield most


def _is_a_stalls(run: WindowedRun, seen: _Seen) -> bool:
    """Whether closed users waited as long all together: the service stood still for so long.

    With a period, or in clumps of so many: counts of single answers vary by their own mean.
    """
    users = run.load.users
    if users is None or users < FEWEST_IN_A_CLUMP:
        return False
    stalls = stalls_with_a_period(run)
    if stalls is not None and EARLIEST <= stalls.length_ns / seen.timer.wait_ns <= LATEST:
        return True
    edges = [share * seen.excess.at for share in _AROUND]
    counts = slow_by_start(run, run.inside, edges).values()
    return dispersion([float(low - high) for low, high in counts]).ratio > users / 2


def _where(run: WindowedRun, operation: str, timer: _Timer) -> str:
    """Whether it was before the first byte of an answer or behind it, as far as that can be told."""
    first_byte = _of(run, Clock.FIRST_BYTE, operation)
    if not first_byte.count:
        return "answers"
    before = _excess(first_byte, timer) is not None
    return f"answers, {'before' if before else 'after'} their first byte,"


def _of_connects(run: WindowedRun) -> Iterator[_Seen]:
    """Connects of the whole load: most are made before its window."""
    opened = [each.connect.ok for each in run.timeline if each.connect and each.connect.ok]
    if not any(each.max_ns >= EARLIEST * SYN.wait_ns for each in opened):
        return
    path = run.directory / folder.HISTOGRAMS
    log = read_histograms(path, lambda start_ns, end_ns: end_ns > start_ns, _is_connect)
    connects = merge(list(log.values()))
    for timer in (SYN, SYN_TWICE):
        excess = excess_at(*connects.recorded, timer.wait_ns, LEAST_CONNECTIONS, deviations=0)
        if excess is not None:
            yield _Seen(timer, excess, "connects")


def _is_connect(key: Key) -> bool:
    return key.clock is ConnectionClock.CONNECT and key.ok


def _of(run: WindowedRun, clock: Clock, operation: str) -> Histogram:
    return run.histogram(clock, ok=True, part=Part.operation(operation))


def _excess(times: Histogram, timer: _Timer) -> Excess | None:
    return excess_at(*times.recorded, timer.wait_ns, LEAST_ANSWERS)
