"""Rules on feeds: rows that ran out, and rows that were taken again."""

from collections.abc import Iterator

from loadstone.audit import touched_metrics
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.group_facts import FeedFacts
from loadstone.results.window import WindowedRun
from loadstone.text import units
from loadstone.text.words import counted


def feed_exhausted(run: WindowedRun) -> Iterator[Finding]:
    """A feed whose rows are taken once had none for the next session, and the load stopped."""
    stop = run.load.stop
    if stop is None or stop.reason != "feed_exhausted":
        return
    found = [
        (name, feed)
        for name, facts in run.load.groups.items()
        for feed in facts.feeds
        if feed.used >= feed.rows
    ]
    which = " or ".join(f"{feed.feed} of {name}, which has {_rows(feed)}" for name, feed in found)
    yield Finding(
        code="feed-exhausted",
        severity=Severity.WITHHOLD,
        subject=scope.run(run.record.run),
        metrics=(*touched_metrics.COUNTED, *touched_metrics.SESSIONS, *touched_metrics.ENDING),
        evidence=f"the load stopped after {units.duration(stop.at_ns)}, since a session found no "
        f"row of {which or 'a feed that is taken once'}: it is a shorter load than was planned, "
        "by how fast the service was",
        advice="give the feed more rows, as `--dry-run` counts them, or shorten the load; where "
        "rows may come again, `take: in_turn`",
    )


def feed_reused(run: WindowedRun) -> Iterator[Finding]:
    """Feeds that began again: later sessions have the values of earlier ones."""
    for name, facts in run.load.groups.items():
        for feed in facts.feeds:
            if feed.turns:
                yield Finding(
                    code="feed-reused",
                    severity=Severity.NOTE,
                    subject=scope.run(run.record.run),
                    metrics=(),
                    evidence=f"{feed.feed} of {name} has {_rows(feed)} and began again "
                    f"{counted(feed.turns, 'time')}",
                    advice="where a service keeps what it was asked for, answers to the same "
                    "values come from a cache: give the feed more rows, or read the figures as "
                    "those of so many values",
                )


def _rows(feed: FeedFacts) -> str:
    return counted(feed.rows, "row")
