"""Rules on cookies: those that nobody kept, and those for which there was no room."""

from collections.abc import Iterator

from loadstone.audit import touched_metrics
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.window import WindowedRun
from loadstone.text.words import counted


def cookies_ignored(run: WindowedRun) -> Iterator[Finding]:
    """Groups without cookies whose answers set some."""
    for name, facts in run.load.groups.items():
        if facts.cookies is not None and facts.cookies.ignored:
            yield Finding(
                code="cookies-ignored",
                severity=Severity.NOTE,
                subject=scope.run(run.record.run),
                metrics=(),
                evidence=f"{counted(facts.cookies.ignored, 'sampled answer')} to {name} set "
                "cookies, which the group does not keep: to the service each request may be a new "
                "visitor",
                advice="write `cookies: true` where users of the service send them back",
            )


def cookies_dropped(run: WindowedRun) -> Iterator[Finding]:
    """Groups whose sessions had no room for a cookie, or were sent one for another host."""
    for name, facts in run.load.groups.items():
        if facts.cookies is not None and facts.cookies.dropped:
            kept, dropped = facts.cookies.kept, facts.cookies.dropped
            yield Finding(
                code="cookies-dropped",
                severity=Severity.WARNING,
                subject=scope.run(run.record.run),
                metrics=(*touched_metrics.LOAD, *touched_metrics.SESSIONS),
                evidence=f"{dropped:,} of {counted(kept + dropped, 'cookie')} that answers to "
                f"{name} set were left out: a session has room for 32 of them, 8 KiB in all, and "
                "keeps none for another host",
                advice="see which cookies the service sets, and whether it sets a new one with each "
                "answer",
            )
