"""Rule on what of its system's contract a service is not held to: whoever reads its figures must know.

A service that does less, or does it otherwise, may be faster for that. What is known of it is said; how
much it matters nobody can tell from figures.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from loadstone.audit.study.symmetry import completed
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.findings.scope import Subject
from loadstone.results.read import StoredRun
from loadstone.results.record import RunRecord
from loadstone.study.values.held_to import Deviation, NotHeld
from loadstone.text.words import counted, listed


def not_held(runs: Sequence[StoredRun]) -> Iterator[Finding]:
    """Arms under workloads with a service that is held to less than all of its contract."""
    cells: dict[tuple[str, str], list[RunRecord]] = defaultdict(list)
    for record in completed(runs):
        cells[record.run.arm, record.run.workload].append(record)
    for (arm, workload), records in cells.items():
        yield from _findings(records, scope.arm(arm, workload))


def not_held_in_run(record: RunRecord) -> Iterator[Finding]:
    """The same of a run by itself."""
    yield from _findings([record], scope.run(record.run))


def _findings(records: Sequence[RunRecord], subject: Subject) -> Iterator[Finding]:
    by_service = records[0].not_held
    is_only = len(records[0].service_names) < 2
    for service, left_out in by_service.items():
        whose = "it" if is_only else service
        yield Finding(
            code="not-held",
            severity=_severity(left_out),
            subject=subject,
            metrics=(),
            evidence=f"{whose} is not held to all of its contract: "
            f"{'; '.join(_seen(left_out, records))}",
            advice=_advice(left_out),
        )


def _severity(left_out: NotHeld) -> Severity:
    """An operation that it does not have is asked for by nobody, so that it takes nothing away."""
    is_less = left_out.by != "contract" or left_out.only is not None or left_out.deviations
    return Severity.WARNING if is_less else Severity.NOTE


def _seen(left_out: NotHeld, records: Sequence[RunRecord]) -> Iterator[str]:
    checks = [check for record in records for check in record.checks]
    if left_out.by == "samples":
        sampled = sum(check.checked for check in checks if check.when == "samples")
        answers = counted(sampled, "sampled answer")
        yield f"its contract was not run, and {answers} in {counted(len(records), 'run')} were held"
    elif left_out.by == "quick checks":
        quick = max((check.checked for check in checks if check.when != "samples"), default=0)
        yield (
            "it was running already, so that only what changes nothing was held: "
            f"{counted(quick, 'check')} before and after each load, and sampled answers"
        )
    if left_out.only is not None:
        yield f"it stands beside the stacks, and holds {listed(left_out.only)} alone"
    if left_out.deviations:
        deviated = sum(check.deviated for check in checks)
        times = f", seen {deviated:,} times in its runs" if deviated else ""
        yield f"it deviates from {_reasons(left_out.deviations)}{times}"
    if left_out.operations:
        yield f"it does not have {listed(left_out.operations)}"


def _reasons(deviations: Iterable[Deviation]) -> str:
    """`PT-3 and PT-5 (they are added), from PT-8 (it is guessed)`: clauses of one reason together."""
    by_reason: dict[str, list[str]] = {}
    for each in deviations:
        by_reason.setdefault(each.why, []).append(each.clause)
    return ", from ".join(f"{listed(clauses)} ({reason})" for reason, clauses in by_reason.items())


def _advice(left_out: NotHeld) -> str:
    if left_out.by == "samples":
        return (
            "name in `deviations` what it does otherwise, and take `contract: samples` out, so that it "
            "is held to the rest"
        )
    if left_out.by == "quick checks":
        return "give its command in place of its address, so that it is held to the whole contract"
    if left_out.only is not None or left_out.deviations:
        return "read what it leaves out before its figures: the others do that work"
    return "read its figures as those of the operations that it has"
