"""Rules on requests that did not end ok: `failures`, `unanswered` and `not-accepted`."""

from collections.abc import Iterator

from loadstone.audit import touched_metrics
from loadstone.audit.engine.engine_limits import is_stalled
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import Outcome
from loadstone.results.load_facts import Outcomes
from loadstone.results.window import WindowedRun
from loadstone.text import units
from loadstone.text.words import counted

WITHHOLD_ABOVE = 0.01
"""Share of the offered requests. Failing fast looks like answering fast: published tables rank
rows with 100 % errors first. Above one in a hundred even the p99 is one of the failures."""

_ADVICE = {
    Outcome.CONNECT: "see whether the service listens and accepts so many connections",
    Outcome.TLS: "see which protocol version and certificate the service offers",
    Outcome.SEND: "see in the service's log why it closes connections while it is written to",
    Outcome.READ: "see in the service's log why it closes connections before it has answered",
    Outcome.TIMEOUT: "lower the load until the service keeps up, or allow it more time",
    Outcome.PROTOCOL: "see in the error samples which bytes were not HTTP",
    Outcome.STATUS: "see in the samples which status came instead of the expected one",
    Outcome.CHECK: "see in the samples how the answers differ from the expected ones",
    Outcome.NOT_SENT: "allow more connections, or lower the rate until the service keeps up",
    Outcome.UNANSWERED: "see whether the service hangs, or allow a longer grace period",
}

_AFTER_A_STALL = (
    "run again before the service is blamed: after a stall the engine sent at once all that had "
    "come due"
)


def failures(run: WindowedRun) -> Iterator[Finding]:
    """Any request of the whole load that was not ok; many of them withhold what the rest says."""
    whole, measured = run.record.outcomes, run.outcomes()
    if _failed(whole) == 0:
        return
    offered = sum(measured.values())
    share = _failed(measured) / offered if offered else 0.0
    withhold = share > WITHHOLD_ABOVE
    most = max((o for o in whole if o is not Outcome.OK), key=lambda outcome: whole[outcome])
    yield Finding(
        code="failures",
        severity=Severity.WITHHOLD if withhold else Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=touched_metrics.LOAD,
        evidence=f"{_failed(whole)} of {sum(whole.values())} requests of the load were not ok "
        f"({_kinds(whole)}); in the window {units.share(share)}"
        + (f", more than {units.percent(WITHHOLD_ABOVE)}" if withhold else ""),
        advice=_advice(run, most),
    )


def unanswered(run: WindowedRun) -> Iterator[Finding]:
    """Requests still in flight when the grace period ended: they have no time in any figure."""
    count = run.record.outcomes.get(Outcome.UNANSWERED, 0)
    if count == 0:
        return
    offered = sum(run.outcomes().values())
    share = count / offered if offered else 1.0
    withhold = share > WITHHOLD_ABOVE
    oldest_ns = run.load.unanswered_oldest_ns
    age = "" if oldest_ns is None else f"; the oldest had waited {units.duration(oldest_ns)}"
    yield Finding(
        code="unanswered",
        severity=Severity.WITHHOLD if withhold else Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=touched_metrics.LOAD,
        evidence=f"{count} requests had no answer when the grace period of "
        f"{units.duration(run.load.grace_ns)} ended: {units.share(share)} of the offered{age}",
        advice=_advice(run, Outcome.UNANSWERED),
    )


def not_accepted(run: WindowedRun) -> Iterator[Finding]:
    """Requests without an answer on connections that the kernel established, and nobody accepted."""
    count = run.load.not_accepted
    if not count:
        return
    without = sum(
        run.record.outcomes.get(each, 0) for each in (Outcome.TIMEOUT, Outcome.UNANSWERED)
    )
    yield Finding(
        code="not-accepted",
        severity=Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=touched_metrics.LOAD,
        evidence=f"{count:,} of {counted(without, 'request')} without an answer in time were on "
        "connections that the service had not accepted: they stood in its listen queue",
        advice="see whether one of its workers is dead or hangs while it still listens, and whether it "
        "accepts connections as fast as they come",
    )


def _advice(run: WindowedRun, outcome: Outcome) -> str:
    return _AFTER_A_STALL if is_stalled(run) else _ADVICE[outcome]


def _failed(outcomes: Outcomes) -> int:
    return sum(outcomes.values()) - outcomes.get(Outcome.OK, 0)


def _kinds(outcomes: Outcomes) -> str:
    return ", ".join(
        f"{count} {outcome}"
        for outcome, count in outcomes.items()
        if count and outcome != Outcome.OK
    )
