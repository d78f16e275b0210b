"""Rule on arms that did not carry the same load, since more of the requests of one failed."""

from collections.abc import Iterator, Sequence

import numpy as np

from loadstone.audit import touched_metrics
from loadstone.audit.study.symmetry import by_workload
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import Outcome
from loadstone.results.read import StoredRun
from loadstone.results.record import RunRecord
from loadstone.text import units

BEYOND_SHARE = 0.001
"""Of the offered requests. One in a thousand is beyond the quantiles that short runs reach, and costs
a service no more memory or CPU time than that."""

CHANCE = 0.01
"""Fisher's exact test on the two arms' requests. Requests of a run are no independent observations of a
stack; but here nothing is said of stacks, only whether the loads that were compared were equal."""


def failures_differ(runs: Sequence[StoredRun]) -> Iterator[Finding]:
    """Arms of which more requests failed than of the arm with the fewest failures."""
    for workload, arms in by_workload(runs).items():
        counts = {arm: _counts(records) for arm, records in arms.items()}
        shares = {arm: failed / offered for arm, (failed, offered) in counts.items() if offered}
        if not shares:
            continue
        best = min(shares, key=lambda arm: shares[arm])
        for arm, share in shares.items():
            if share - shares[best] <= BEYOND_SHARE or _chance(counts[arm], counts[best]) >= CHANCE:
                continue
            yield Finding(
                code="failures-differ",
                severity=Severity.WARNING,
                subject=scope.arm(arm, workload),
                metrics=(*touched_metrics.LOAD, "rss_peak"),
                evidence=f"{units.share(share)} of the requests to {arm} were not ok, and "
                f"{units.share(shares[best])} of those to {best} (at most "
                f"{units.share(BEYOND_SHARE)} apart): they did not carry the same load",
                advice="find out why requests fail (`failures` says how) before the arms are compared; "
                "or lower the load until both answer everything",
            )


def _counts(records: list[RunRecord]) -> tuple[int, int]:
    """Requests that were not ok, and all, of the arm's loads."""
    offered = sum(sum(record.outcomes.values()) for record in records)
    return offered - sum(record.outcomes.get(Outcome.OK, 0) for record in records), offered


def _chance(one: tuple[int, int], other: tuple[int, int]) -> float:
    from scipy.stats import fisher_exact  # loaded late: it takes half a second

    table = np.array([[failed, offered - failed] for failed, offered in (one, other)])
    return float(fisher_exact(table).pvalue)
