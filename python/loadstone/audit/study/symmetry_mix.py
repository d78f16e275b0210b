"""Rule on arms whose load was another mix of operations: figures over all of it compare other work.

Closed users of a fast arm perform more sessions of the one group and of another, aborted sessions thin
later steps, and drawn steps fall as they fall. What is told by operation or by group stands.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from scipy.special import ndtr

from loadstone.audit import touched_metrics
from loadstone.audit.study.symmetry import by_workload
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.read import StoredRun
from loadstone.results.record import RunRecord
from loadstone.text import units

APART = 0.01
"""Between two arms' shares of one operation. By so much of the requests a mean over all of them moves
where that operation takes twice as long as the others: less than the usual margin."""

WITHHELD_APART = 0.05
"""Beyond it even the median over all of them is of other requests."""

CHANCE = 0.01
"""Of two shares that differ by as much although the same was drawn: a two-sided test of two proportions
(Fleiss, "Statistical Methods for Rates and Proportions", 1981, chapter 2), at this level over the
number of operations. The requests of a session come together, so sessions are what is counted."""


class _Mix(NamedTuple):
    shares: Mapping[str, float]
    """Of each operation among the requests that were offered."""
    drawn: float
    """Sessions, or requests where nobody tells of sessions."""


def mix_differs(runs: Sequence[StoredRun]) -> Iterator[Finding]:
    """Arms whose mix is not that of the most usual one."""
    for workload, arms in by_workload(runs).items():
        mixes = {arm: mix for arm, records in arms.items() if (mix := _mix(records)) is not None}
        if len(mixes) < 2:
            continue
        usual = min(
            mixes, key=lambda arm: sum(_far(mixes[arm], each)[0] for each in mixes.values())
        )
        for arm, mix in mixes.items():
            apart, operation = _far(mix, mixes[usual])
            if apart <= APART or _is_chance(mix, mixes[usual], operation):
                continue
            withhold = apart > WITHHELD_APART
            yield Finding(
                code="mix-differs",
                severity=Severity.WITHHOLD if withhold else Severity.WARNING,
                subject=scope.arm(arm, workload, over_all=True),
                metrics=touched_metrics.COUNTED,
                evidence=f"{units.share(mix.shares.get(operation, 0.0))} of the requests to {arm} were "
                f"{operation}, and {units.share(mixes[usual].shares.get(operation, 0.0))} of those to "
                f"{usual} (at most {units.percent(WITHHELD_APART if withhold else APART)} apart): "
                "figures over all operations are of other work",
                advice="compare operations or groups apart, or ask for a rate, which no answer changes",
            )


def _mix(records: Sequence[RunRecord]) -> _Mix | None:
    """Of all runs of an arm; none where there is but one operation."""
    offered: dict[str, int] = {}
    sessions = 0
    for record in records:
        for name, facts in record.operations.items():
            offered[name] = offered.get(name, 0) + facts.offered
        groups = record.load.groups.values() if record.load else ()
        sessions += sum(each.sessions.begun for each in groups)
    total = sum(offered.values())
    if len(offered) < 2 or not total:
        return None
    return _Mix({name: times / total for name, times in offered.items()}, sessions or total)


def _far(one: _Mix, other: _Mix) -> tuple[float, str]:
    """How far apart two mixes are, and by which operation."""
    names = dict.fromkeys((*one.shares, *other.shares))
    apart = {name: abs(one.shares.get(name, 0.0) - other.shares.get(name, 0.0)) for name in names}
    name = max(apart, key=lambda each: apart[each])
    return apart[name], name


def _is_chance(one: _Mix, other: _Mix, operation: str) -> bool:
    shares = [mix.shares.get(operation, 0.0) for mix in (one, other)]
    together = (shares[0] * one.drawn + shares[1] * other.drawn) / (one.drawn + other.drawn)
    variance = together * (1 - together) * (1 / one.drawn + 1 / other.drawn)
    if not variance:
        return True
    p_value = 2 * float(ndtr(-abs(shares[0] - shares[1]) / variance**0.5))
    return p_value >= CHANCE / max(1, len(one.shares))
