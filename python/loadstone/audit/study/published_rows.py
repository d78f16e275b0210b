"""Published rows that stand beside a study's own, and cannot be right as they are printed.

By what they print themselves: N users who pause Z behind answers that took R are N = X (Z + R),
Little's law. More than N is impossible; far fewer, and users waited for answers that never came, which
a table of answered requests shows as nothing at all. And by the notes that their source gives them.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.study.values.model import Plan
from loadstone.study.values.published import Published, PublishedRow, PublishedSource
from loadstone.study.values.published_keys import key_of
from loadstone.text import units
from loadstone.text.words import counted

LEAST_SEEN = 0.9
"""Share of the users that a row must account for. Without a pause the published gateways account for
93 % and more, the rest is the generator's own time; others, whose users hung, for 57 % to 75 %."""
_ROUNDED = 0.005
"""By which a printed figure may be off: published tables have two decimals."""
_MOST_NAMED = 3


def contradiction(row: PublishedRow) -> str:
    """Why the figures of a row cannot all be right; empty where they can, or where too few are known.

    Of rows with failures nobody knows whether these are counted.
    """
    throughput, mean_ms = row.throughput_per_second, row.mean_ms
    if row.users is None or row.failures_percent or throughput is None or mean_ms is None:
        return ""
    seen = throughput * (row.pause_ms + mean_ms) / 1000
    least = (throughput - _ROUNDED) * (row.pause_ms + mean_ms - _ROUNDED) / 1000
    if LEAST_SEEN * row.users <= seen and least <= row.users:
        return ""
    pause = f"{row.pause_ms} ms of pause + " if row.pause_ms else ""
    because = (
        "so many there were not" if seen > row.users else "the others waited, and left no figure"
    )
    return (
        f"{throughput:g}/s x ({pause}{mean_ms:g} ms) are {seen:.1f} of {row.users} users: {because}"
    )


def published_doubts(plan: Plan, published: Published) -> Iterator[Finding]:
    """A finding for each source with such rows, of loads that the study has."""
    keys = {
        key_of(arm, workload, published)
        for arm in plan.arms
        for workload in plan.workloads
        if arm.is_under(workload.workload)
    }
    for source in published.sources:
        shown = [row for row in source.rows if row.key in keys]
        told = [
            *_contradicting(source, shown),
            *(f"{number} by the note {code}" for code, number in sorted(_noted(shown).items())),
        ]
        if told:
            yield Finding(
                code="published-rows-doubted",
                severity=Severity.NOTE,
                subject=scope.STUDY,
                metrics=(),
                evidence=f"of {counted(len(shown), 'published row')} of {source.source} beside this "
                f"study some cannot be right as printed: {', '.join(told)}",
                advice="read the notes of the table of published rows before you quote one",
            )


def _contradicting(source: PublishedSource, rows: Sequence[PublishedRow]) -> Iterator[str]:
    """`4 by their own figures (go@go (mac23), 100 users: ...; and 3 more)`."""
    found = [(row, why) for row in rows if (why := contradiction(row))]
    if found:
        named = [
            f"{source.name_of(row)} under {row.scenario.name}: {why}"
            for row, why in found[:_MOST_NAMED]
        ]
        if len(found) > _MOST_NAMED:
            named.append(f"and {units.count(len(found) - _MOST_NAMED)} more")
        yield f"{units.count(len(found))} by their own figures ({'; '.join(named)})"


def _noted(rows: Sequence[PublishedRow]) -> Counter[str]:
    """How many rows have each note."""
    return Counter(note.code for row in rows for note in row.notes)
