"""Rules on databases by their statements: one that was not asked, and one that fewer requests asked.

Statements are counted by the server, exactly and at any length of a run; CPU time would say less, since
a database also works for itself.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import median
from typing import NamedTuple

from loadstone.audit import touched_metrics
from loadstone.audit.dependency.dependency_use import (
    SKIPPED,
    SKIPPED_ADVICE,
    AskedGroup,
    asked_group,
)
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import Outcome
from loadstone.results.read import StoredRun
from loadstone.results.window import WindowedRun
from loadstone.text import units
from loadstone.text.words import counted

LEAST_STATEMENTS = 0.01
"""For each ok request. A cache that is filled anew each second leaves a few thousandths; an operation
that needs the database is more than a hundredth of any session that has it."""

FEWER_THAN = 0.5
"""Of the median of the other arms. An object mapper may double the statements of some operations, which
halves nobody else's; below a half, requests are answered without asking, or asked for together."""


def database_idle(run: WindowedRun) -> Iterator[Finding]:
    """Databases that hardly a request asked for anything."""
    for process in run.databases:
        assert process.database_work is not None
        statements, ok = process.database_work.statements, run.whole_ok
        if ok and statements < LEAST_STATEMENTS * ok:
            yield Finding(
                code="database-idle",
                severity=Severity.WARNING,
                subject=scope.run(run.record.run),
                metrics=touched_metrics.LOAD,
                evidence=f"{process.name} was sent {counted(statements, 'statement')} in "
                f"{ok:,} ok requests (at least {units.number(LEAST_STATEMENTS)} for each)",
                advice=SKIPPED_ADVICE,
            )


class _Asked(NamedTuple):
    statements: int
    ok: int

    @property
    def each(self) -> float:
        """Statements for each ok request."""
        return self.statements / self.ok


def statements_skipped(runs: Sequence[StoredRun]) -> Iterator[Finding]:
    """Arms whose requests asked for far fewer statements than those of other arms.

    Only arms under the same settings of the system and of the database are compared.
    """
    for (workload, name, _), asked in _asked(runs).items():
        for arm, own in asked.items():
            others = [other.each for each, other in asked.items() if each != arm]
            if others and own.each < FEWER_THAN * median(others):
                yield Finding(
                    code=SKIPPED,
                    severity=Severity.WARNING,
                    subject=scope.arm(arm, workload),
                    metrics=touched_metrics.LOAD,
                    evidence=f"{name} was sent {units.number(own.each)} statements for each ok request "
                    f"of {arm}, and {units.number(median(others))} for one of the other arms (at least "
                    f"{units.percent(FEWER_THAN)} of it)",
                    advice=SKIPPED_ADVICE,
                )


def _asked(runs: Sequence[StoredRun]) -> dict[AskedGroup, dict[str, _Asked]]:
    """Statements of whole loads by group and arm."""
    found: dict[AskedGroup, dict[str, _Asked]] = defaultdict(dict)
    for stored in runs:
        record = stored.record
        if record is None or not stored.completed:
            continue
        ok = record.outcomes.get(Outcome.OK, 0)
        for process in record.processes:
            if process.database_work is None or not ok:
                continue
            arms = found[asked_group(process, record)]
            before = arms.get(record.run.arm, _Asked(0, 0))
            arms[record.run.arm] = _Asked(
                before.statements + process.database_work.statements, before.ok + ok
            )
    return found
