"""Rules on sessions that ended before their last step without a failure, and on missed paces."""

from collections.abc import Iterator

from loadstone.audit import touched_metrics
from loadstone.audit.sessions.session_groups import session_groups
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.window import WindowedRun
from loadstone.text import units
from loadstone.text.words import counted

EARLY_SHARE = 0.01
"""Of the sessions that finished, as of aborted ones: beyond it later operations had less load than the
workload says by as much as arms may differ."""

MISSED_SHARE = 0.01
"""Of the sessions that have a pace: beyond it the load is what the service lets it be."""

CUT_SHARE = 0.05
"""Of the sessions that ended. The long ones are cut first: where one in twenty is missing among the
longest, the p95 of the others is no longer that of all."""


def ended_early(run: WindowedRun) -> Iterator[Finding]:
    """Groups of which answers ended sessions, as their steps allow."""
    for group in session_groups(run):
        counts = group.counts
        share = counts.ended_early / counts.finished if counts.finished else 0.0
        if share <= EARLY_SHARE:
            continue
        yield Finding(
            code="ended-early",
            severity=Severity.WARNING,
            subject=scope.run(run.record.run),
            metrics=(*touched_metrics.LOAD, *touched_metrics.SESSIONS),
            evidence=f"{units.share(share)} of the sessions of {group.name} that finished in the "
            f"window, {counts.ended_early:,} of {counts.finished:,}, were ended by an answer "
            f"before their last step (at most {units.percent(EARLY_SHARE)}): they are shorter, "
            "and later operations had less load",
            advice="see whether they were meant to be so many: spread what users compete for over more "
            "values, or seed more of it; compare operations apart",
        )


def pace_not_held(run: WindowedRun) -> Iterator[Finding]:
    """Groups whose sessions took longer than their pace, so that the next began late."""
    for name, facts in run.load.groups.items():
        paces = facts.paces
        total = 0 if paces is None else paces.held + paces.missed
        if paces is None or not total or paces.missed / total <= MISSED_SHARE:
            continue
        yield Finding(
            code="pace-not-held",
            severity=Severity.WARNING,
            subject=scope.run(run.record.run),
            metrics=("throughput", *touched_metrics.SESSIONS),
            evidence=f"{counted(paces.missed, 'session')} of {name}, "
            f"{units.share(paces.missed / total)}, began later than the pace asks, since the one "
            f"before had taken longer (at most {units.percent(MISSED_SHARE)}): the load was a "
            "smaller one",
            advice="a longer pace, or more users; for a load that no answer changes ask for a rate",
        )


def sessions_cut(run: WindowedRun) -> Iterator[Finding]:
    """Groups of which sessions were cut, by the end of the load or since their user left."""
    for group in session_groups(run):
        counts = group.counts
        share = counts.cut / (counts.ended + counts.cut)
        if share <= CUT_SHARE:
            continue
        yield Finding(
            code="sessions-cut",
            severity=Severity.WARNING,
            subject=scope.run(run.record.run),
            metrics=("session.duration.*",),
            evidence=f"{counts.cut:,} of {counted(counts.ended + counts.cut, 'session')} of "
            f"{group.name} in the window, {units.share(share)}, were cut between two requests (at "
            f"most {units.percent(CUT_SHARE)}): their durations are not told, and long sessions "
            "are cut first",
            advice="a longer load, or shorter sessions; `leave: after_session` lets users who leave "
            "finish",
        )
