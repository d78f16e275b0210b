"""Rules on sessions that a failed request ended, and on answers that lacked what later steps need."""

from collections.abc import Iterator

from loadstone.audit import touched_metrics
from loadstone.audit.sessions.session_groups import SessionGroup, session_groups
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import FailedCheck, Outcome, Unreached
from loadstone.results.load_facts import OperationFacts
from loadstone.results.window import WindowedRun
from loadstone.text import units
from loadstone.text.words import counted

NOTICEABLE_SHARE = 0.001
"""Of the sessions that ended. One in a thousand is beyond the p99 of sessions, and takes no more from
the load of later operations than that."""

WITHHELD_SHARE = 0.01
"""Of the same: one in a hundred is the p99 of sessions, and what an arm's later operations lack in load
then comes near the margin by which arms are told apart."""

MISSING_SHARE = 0.01
"""Of the answers to an operation, as of failed requests: above it even the p99 is one of them."""


def sessions_aborted(run: WindowedRun) -> Iterator[Finding]:
    """Groups of which sessions were aborted, so that their later operations had less load.

    Sessions of a single request have no later ones: `failures` tells of them.
    """
    for group in session_groups(run):
        missed = sum(each.unreached.get(Unreached.ABORTED, 0) for each in group.operations.values())
        share = group.counts.aborted / group.counts.ended if group.counts.ended else 0.0
        if share <= NOTICEABLE_SHARE or not missed:
            continue
        withhold = share > WITHHELD_SHARE
        yield Finding(
            code="sessions-aborted",
            severity=Severity.WITHHOLD if withhold else Severity.WARNING,
            subject=scope.run(run.record.run),
            metrics=touched_metrics.LOAD,
            evidence=f"{units.share(share)} of the sessions of {group.name} that ended in the "
            "window were aborted (at most "
            f"{units.percent(WITHHELD_SHARE if withhold else NOTICEABLE_SHARE)}); of the whole "
            f"load {_reasons(group)}, so that {counted(missed, 'later request')} "
            f"{'was' if missed == 1 else 'were'} never offered",
            advice="see why that operation fails (`failures`, the samples); where its answer is a "
            "result of its own, allow its status: `check: {status: [...]}` or `or_end`",
        )


def _reasons(group: SessionGroup) -> str:
    """`12 at reserve and 3 elsewhere, by status (13) and timeout (2)`."""
    outcomes = {name: times for name, times in group.facts.sessions.aborted.items() if times}
    total = sum(outcomes.values())
    most = max(group.facts.aborted_at.items(), key=lambda at: at[1], default=None)
    where = f"{total:,}"
    if most is not None and most[1]:
        rest = f" and {total - most[1]:,} elsewhere" if total > most[1] else ""
        where = f"{most[1]:,} at {most[0]}{rest}"
    kinds = ", ".join(f"{name} {times:,}" for name, times in outcomes.items())
    return f"{where} ({kinds})" if kinds else where


def captures_failing(run: WindowedRun) -> Iterator[Finding]:
    """Operations whose answers had the expected status, and not the value that later steps need."""
    for name, facts in run.record.operations.items():
        missing = facts.failed_checks.get(FailedCheck.CAPTURE, 0)
        if not missing:
            continue
        share = missing / max(missing, _judged(facts))
        withhold = share > MISSING_SHARE
        yield Finding(
            code="captures-failing",
            severity=Severity.WITHHOLD if withhold else Severity.WARNING,
            subject=scope.run(run.record.run),
            metrics=touched_metrics.LOAD,
            evidence=f"{counted(missing, 'answer')} to {name}, {units.share(share)} of those with the "
            f"expected status, lacked a value that later steps need"
            + (f" (at most {units.percent(MISSING_SHARE)})" if withhold else ""),
            advice="see in the samples what stands in its place; where there may be none, say so: "
            "`capture: {NAME: {json: POINTER, or: end}}`, or a value",
        )


def _judged(facts: OperationFacts) -> int:
    """Answers of the expected status: those that are ok, and those whose body was found wrong."""
    return facts.outcomes.get(Outcome.OK, 0) + facts.outcomes.get(Outcome.CHECK, 0)
